"""The reckoning, against the figures of the rules and against plain counting."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest

from sobremesa import percent
from sobremesa.plugins.intriga import odds
from sobremesa.plugins.intriga.cards import DECK, ROLES


@pytest.mark.parametrize(("copies", "shown"), [(3, 42), (2, 29), (1, 15), (0, 0)])
def test_chance_with_thirteen_unseen_cards_is_that_of_the_rules(copies: int, shown: int) -> None:
    assert percent(odds.one_of(copies, 2, 13)) == shown


@pytest.mark.parametrize("cards", [1, 2])
@pytest.mark.parametrize("role", ROLES)
def test_chance_is_that_of_all_deals_of_the_cards_not_seen(role: str, cards: int) -> None:
    seen = ["banker", "lady", "lady", "corsair", "ambassador", "lady"]
    rest = list(DECK)
    for card in seen:
        rest.remove(card)
    deals = list(combinations(rest, cards))
    held = Fraction(sum(role in deal for deal in deals), len(deals))
    assert odds.chance(role, cards, seen) == held


def test_nobody_holds_a_character_of_which_all_copies_are_seen() -> None:
    assert odds.chance("lady", 2, ["lady"] * 3) == 0
    assert odds.unseen("lady", ["lady", "banker", "lady"]) == 1


def test_who_holds_all_the_cards_left_holds_the_character() -> None:
    assert odds.one_of(1, 2, 2) == 1


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (Fraction(1, 200), 1), (Fraction(1, 3), 33), (Fraction(1), 100), (Fraction(0), 0),
        (Fraction(1, 201), 1), (Fraction(999, 1000), 99), (Fraction(125, 1000), 13),
    ],
)  # fmt: skip
def test_percent_is_rounded_halves_up_and_nothing_is_certain_that_is_not(
    share: Fraction, shown: int
) -> None:
    assert percent(share) == shown
