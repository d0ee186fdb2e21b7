"""The help pages: that they say what has to be said, and can be read anywhere."""

from __future__ import annotations

import pytest

from sobremesa.plugins.intriga import GAME

PAGES = {"rules": GAME.help.rules, "tips": GAME.help.tips, "faq": GAME.help.faq}


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("rules", "two to six players|15 character cards|three each|2 coins|gets only 1 coin"),
        ("rules", "face down|the deck|which card to turn up|both cards up you are out"),
        ("rules", "take 1 coin|take 2 coins|as banker|pay 7 coins|nobody can block or challenge"),
        ("rules", "take 3 coins|pay 3 coins|as lady|from a player|two cards of the deck"),
        ("rules", "10 coins or more|you need not hold|bluff|cannot pass|the only one they have"),
        ("rules", "liar!|let it pass|everybody lets it pass|the card is shown|draws another card"),
        ("rules", "challenger loses|action or block fails|paid back|a block is a claim too"),
        ("rules", "what an assassination cost stays paid|you lose two influences|late_block=on"),
        ("rules", "wins at once|the later, the better|`seconds`|`keep banker lady`|`lose #2`"),
        ("tips", "hurts nobody much|with two coins|nothing left to lose|two turns ago|at its top"),
        ("tips", "third lady|at risk|comes close to a coup|face up|in your own hand"),
        ("tips", "let them take the risk|block as lady, held or not|seven coins|with ten"),
        ("tips", "near seven|income is slow|nobody believes you any more|ambassador"),
        ("faq", "use a character that i do not hold|challenged and the claim was true|shuffled"),
        ("faq", "who may block|only its target, as lady|as corsair or as ambassador"),
        ("faq", "10 coins or more|wikimedia commons|public domain|sobremesa play intriga"),
        ("faq", "the moneylender and his wife|massys|judith and her maidservant|gentileschi"),
        ("faq", "barbarossa|unknown painter|isabella d'este|titian|lady with an ermine|leonardo"),
        ("faq", "sign up|nobody to wait for"),
    ],
)
def test_page_says(page: str, words: str) -> None:
    flat = " ".join(PAGES[page].split()).casefold()
    assert [said for said in words.split("|") if said not in flat] == []
