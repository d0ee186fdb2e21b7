"""The deck, and what a card makes of the total."""

from __future__ import annotations

from collections import Counter

import pytest

from sobremesa.plugins.five_alive import GAME
from sobremesa.plugins.five_alive.cards import (
    COPIES,
    DECK,
    EFFECTS,
    all_fit,
    fits,
    is_number,
    name,
    place_in_order,
    spelled,
    total_after,
    value,
)

NUMBERS = {"0": 8, "1": 8, "2": 8, "3": 8, "4": 8, "5": 4, "6": 2, "7": 1}
WILDS = {
    "draw1": 2, "draw2": 2, "pass": 4, "reverse": 6, "skip": 4,
    "=21": 5, "=10": 2, "=0": 3, "redeal": 1, "bomb": 1,
}  # fmt: skip


@pytest.mark.rule("O40")
def test_deck_has_the_counts_of_the_table_and_77_cards() -> None:
    assert Counter(DECK) == Counter(NUMBERS | WILDS)
    assert (sum(NUMBERS.values()), sum(WILDS.values()), len(DECK)) == (47, 30, 77)


def test_every_card_is_a_number_or_has_an_effect() -> None:
    assert [face for face in COPIES if is_number(face)] == list(NUMBERS)
    assert list(EFFECTS) == list(WILDS)


@pytest.mark.rule("FA-R3")
@pytest.mark.parametrize("total", range(22))
def test_number_fits_up_to_21_and_a_wild_card_always(total: int) -> None:
    assert [face for face in NUMBERS if fits(face, total)] == [
        face for face in NUMBERS if total + int(face) <= 21
    ]
    assert all(fits(face, total) for face in WILDS)
    assert all_fit(total) == all(fits(face, total) for face in COPIES)


@pytest.mark.parametrize(
    ("face", "total"),
    [("0", 13), ("4", 17), ("pass", 13), ("reverse", 13), ("skip", 13), ("draw1", 13),
     ("draw2", 13), ("=21", 21), ("=10", 10), ("=0", 0), ("redeal", 0), ("bomb", 0)],
)  # fmt: skip
def test_total_after_a_card_at_13(face: str, total: int) -> None:
    assert total_after(face, 13) == total


def test_wild_cards_count_nothing_in_hand() -> None:
    assert sum(map(value, ("7", "0", "2", "=21", "=10", "bomb"))) == 9


def test_order_is_numbers_from_low_to_high_and_then_the_wild_cards_as_listed() -> None:
    assert sorted(COPIES, key=place_in_order) == [*NUMBERS, *WILDS]


@pytest.mark.parametrize(
    ("typed", "face"),
    [("pass me by", "pass"), ("Pass-Me-By", "pass"), ("DRAW 2", "draw2"), ("re-deal", "redeal"),
     ("Redeal", "redeal"), ("=21", "=21"), ("5", "5"), ("nonsense", "nonsense")],
)  # fmt: skip
def test_card_may_be_called_as_it_is_printed(typed: str, face: str) -> None:
    assert spelled(typed) == face
    assert spelled(name(face)) == face


def test_rules_list_every_wild_card_as_it_is_printed() -> None:
    _, _, listed = GAME.help.rules.partition("# The wild cards")
    heads = [line.partition(":")[0] for line in listed.splitlines() if line.startswith("- ")]
    printed = {card for head in heads for card in head[2:].split(" and ")}
    assert {name(face) for face in EFFECTS} - printed == set()
