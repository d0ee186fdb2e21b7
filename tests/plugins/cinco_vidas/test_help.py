"""The help pages: that they say what has to be said, and can be read anywhere."""

from __future__ import annotations

import pytest

from sobremesa.plugins.cinco_vidas import GAME

PAGES = {"rules": GAME.help.rules, "tips": GAME.help.tips, "faq": GAME.help.faq}


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("rules", "last with lives wins|two to eight|five lives|52 cards|king is the highest"),
        ("rules", "ace the lowest|no trump|five cards, in the next four|starts again with five"),
        ("rules", "dealer's left|dealer bids last|may not come to the number|somebody misses"),
        ("rules", "whoever bid first leads|follow suit|highest card takes|played later wins"),
        ("rules", "takes the trick leads|one life|bid 3 and won 1|bid 1 and won 3"),
        ("rules", "card of everybody else, and not your own|win the trick or lose"),
        ("rules", "nobody has said win, the last can only say lose|can only say win|is free"),
        ("rules", "one_card_last=literal|tells you why|nothing to play|wipeout=replay|how far"),
        (
            "rules",
            "few seconds|begins by itself|nobody has to confirm|time runs out|leaves the table",
        ),
        ("rules", "`bid 2`|`win`|`lose`|`play kh`|`10d`|`#1`"),
        ("tips", "bidding zero is still a bid|nothing is safer than to bid 0|how many"),
        ("tips", "sevens, eights and nines|two kings are worth a bid of 2|noise"),
        ("tips", "position changes everything|speaks last|add up the bids|before you look"),
        ("tips", "bid early, bid low|player to stop|whoever plays later|last seat"),
        ("tips", "losing tricks on purpose|half of the game|every king in your hand is a danger"),
        ("tips", "every card but yours|not the last to decide|nearly always right"),
        ("faq", "more tricks than i bid|one life|two lives|same two|just what you bid"),
        ("faq", "all players could be right|sure to miss|all cards but your own|settles itself"),
        ("faq", "trump|follow suit|king at the top|ace at the bottom|the later one"),
        ("faq", "sobremesa play cinco-vidas|sign up for and nobody to wait for|at once"),
    ],
)
def test_page_says(page: str, words: str) -> None:
    flat = " ".join(PAGES[page].split()).casefold()
    assert [said for said in words.split("|") if said not in flat] == []


def test_rules_name_every_option_value_that_is_not_the_default() -> None:
    for option in GAME.options:
        for choice in set(option.choices) - {option.default}:
            assert f"`{option.key}={choice}`" in PAGES["rules"]
