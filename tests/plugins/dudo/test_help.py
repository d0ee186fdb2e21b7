"""The help pages: that they say what has to be said, and can be read anywhere."""

from __future__ import annotations

import pytest

from sobremesa.plugins.dudo import GAME

PAGES = {"rules": GAME.help.rules, "tips": GAME.help.tips, "faq": GAME.help.faq}


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("rules", "two to eight|five dice|three in the quick game|cup|covered"),
        ("rules", "four threes|wild|may not be on ones|rounding up|twice as many and one more"),
        ("rules", "four fives or five twos|four twos|dudo|bidder loses|nobody ever has more"),
        ("rules", "lost a die opens|next player with dice|the caller opens|clockwise"),
        ("rules", "palifico|ones too|one palifico in a game|two players left|palifico=off"),
        ("rules", "last player who still has one|4x3|four threes|`dudo`|`exact`|time runs out"),
        ("tips", "20 dice|about five|usual number|one hidden die in six|bolder|expect in all"),
        ("tips", "bid on what they have|before you doubt|change of face|next one in turn"),
        ("tips", "well above|next player|rare|one die bolder|a die or two|single die either way"),
        ("faq", "each one counts as a four|three ones|double the number and add one"),
        (
            "faq",
            "no more and no fewer|falling to one die|once in a game|ten minutes|half that time",
        ),
        ("faq", "sobremesa play dudo|sign up|nobody to wait for"),
    ],
)
def test_page_says(page: str, words: str) -> None:
    flat = " ".join(PAGES[page].split()).casefold()
    assert [said for said in words.split("|") if said not in flat] == []
