"""The reckoning, against the table of chances in the rules and against plain counting."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from sobremesa.plugins.dudo import odds


@pytest.mark.parametrize(
    ("hidden", "one_in", "percents"),
    [
        (15, 3, {4: 79, 5: 60, 6: 38, 7: 20}),
        (10, 3, {3: 70, 4: 44, 5: 21}),
        (15, 6, {2: 74, 3: 47, 4: 23}),
        (5, 3, {1: 87, 2: 54, 3: 21}),
    ],
)
def test_chance_of_so_many_or_more_is_that_of_the_table(
    hidden: int, one_in: int, percents: dict[int, int]
) -> None:
    for wanted, percent in percents.items():
        assert round(100 * odds.at_least(wanted, hidden, one_in)) == percent


@pytest.mark.parametrize(("face", "palifico"), [(4, False), (1, False), (4, True), (1, True)])
def test_chances_are_those_of_all_throws_of_three_dice(face: int, palifico: bool) -> None:
    throws = list(itertools.product(range(1, 7), repeat=3))
    one_in = odds.one_in(face, palifico)
    for wanted in range(-1, 5):
        found = [odds.matching(throw, face, palifico) for throw in throws]
        exact = Fraction(sum(count == wanted for count in found), len(throws))
        least = Fraction(sum(count >= wanted for count in found), len(throws))
        assert odds.exactly(wanted, 3, one_in) == exact
        assert odds.at_least(wanted, 3, one_in) == least


@pytest.mark.parametrize(
    ("own", "hidden", "one_in", "shown"),
    [(0, 15, 3, "5.0"), (2, 11, 3, "5.7"), (0, 4, 3, "1.3"), (0, 15, 6, "2.5"), (1, 1, 6, "1.2"),
     (3, 0, 3, "3.0"), (0, 35, 3, "11.7")],
)  # fmt: skip
def test_expectation_is_given_to_a_tenth(own: int, hidden: int, one_in: int, shown: str) -> None:
    assert odds.expected(own, hidden, one_in) == shown
