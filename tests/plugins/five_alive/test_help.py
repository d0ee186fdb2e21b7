"""The help pages: that they say what has to be said, and can be read anywhere."""

from __future__ import annotations

import pytest

from sobremesa.plugins.five_alive import GAME
from sobremesa.plugins.five_alive.cards import EFFECTS, name

PAGES = {"rules": GAME.help.rules, "tips": GAME.help.tips, "faq": GAME.help.faq}


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("rules", "21 or below|last player with an alive card wins|two to six|five alive cards"),
        ("rules", "109 cards|six sets of alive cards, 30 in all|in order"),
        ("rules", "77 cards|eight each of 0, 1, 2, 3 and 4|four 5s, two 6s and one 7|gets ten"),
        ("rules", "chance picks who starts|clockwise to the next player|added to the total"),
        ("rules", "21 itself is safe|after every card|wild card may always be played"),
        ("rules", "keep your cards|total goes back to 0|any card|may not flip while you hold"),
        ("rules", "last card ends the hand|effect is not carried out|every other player flips"),
        ("rules", "draw one or two cards|between two players it counts as pass me by"),
        ("rules", "between two players you play again|when it is 21 already|total is 10"),
        ("rules", "shuffled together and dealt again|beginning at your left|draw pile and the"),
        ("rules", "discard a 0 at once|only the number 0 counts|leave somebody without cards"),
        ("rules", "discards but the top one are shuffled|fifth flip you are out|share a place"),
        ("rules", "sudden_death=on|lower sum wins|wild cards count nothing|win together"),
        ("rules", "teams=on|alternate seats|one set of five|hits the teammates|only one"),
        ("rules", "three play against two|first team at its end loses|no sudden death between"),
        ("rules", "hands are opened|is named|time runs out|leaves the table|few seconds|`play 5`"),
        ("tips", "largest numbers|keep your zeros|insurance|one or two cards|push them away"),
        ("tips", "own side"),
        ("faq", "22 is not|keep your whole hand|not only when the total is 21|only the number 0"),
        ("faq", "all hands, and nothing else|another turn|nobody can steer it"),
        ("faq", "sobremesa play five-alive|sign up for and nobody to wait for|at once"),
    ],
)
def test_page_says(page: str, words: str) -> None:
    flat = " ".join(PAGES[page].split()).casefold()
    assert [said for said in words.split("|") if said not in flat] == []


def test_rules_list_every_wild_card_as_it_is_printed() -> None:
    _, _, listed = PAGES["rules"].partition("# The wild cards")
    heads = [line.partition(":")[0] for line in listed.splitlines() if line.startswith("- ")]
    printed = {card for head in heads for card in head[2:].split(" and ")}
    assert {name(face) for face in EFFECTS} - printed == set()


def test_rules_name_every_option_value_that_is_not_the_default() -> None:
    for option in GAME.options:
        for choice in set(option.choices) - {option.default}:
            assert f"`{option.key}={choice}`" in PAGES["rules"]
