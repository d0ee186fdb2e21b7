"""The help pages: that they say what has to be said, and can be read anywhere."""

from __future__ import annotations

import pytest

from sobremesa.plugins.house_of_jokers import GAME

PAGES = {"rules": GAME.help.rules, "tips": GAME.help.tips, "faq": GAME.help.faq}


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("rules", "three to five players|52 cards|2 or 3 jokers|four sevens lie in the middle"),
        ("rules", "dealt evenly|hidden hand|4 at an easy table, 3 at a normal one, 2 at a hard"),
        ("rules", "opened together|most cards left in hand begins|clockwise"),
        ("rules", "all 52 cards are placed|from ace to king|penalty and has no face-up"),
        ("rules", "if you can move you must|the six and the eight|nobody else does"),
        ("rules", "closes its side|extra turn at once|face up for face up, face down for face"),
        ("rules", "another open end|you do not spend it|a closed side|suit is complete, its seven"),
        ("rules", "out of the game for good|`joker_rounds=2`|turn one of your face-up action"),
        ("rules", "all your action cards lie face down already|the joker wins|passed by"),
        ("rules", "beside a card with a joker on it|the first cards of the game get the jokers"),
        ("rules", "leaves the table ends the game for all|gives up|`give up`|`play #2`"),
        ("rules", "the mercy rule: if you need a penalty and all"),
        ("tips", "fewer action cards there are, the more each choice counts|nine games in ten"),
        ("tips", "nearest to a seven|a way to pass|blocks a card that nobody shows|together"),
        ("faq", "must i play a card|that joker has moved|beside a seven|own suit's seven"),
        ("faq", "after you have refilled|during your own turn|have we lost|somebody left"),
    ],
)
def test_page_says(page: str, words: str) -> None:
    flat = " ".join(PAGES[page].split()).casefold()
    assert [said for said in words.split("|") if said not in flat] == []
