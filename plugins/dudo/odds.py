"""Counting dice: those that are seen, and what to think of those that are not.

Rule 1: whole numbers and fractions only, so that a figure is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from math import comb

Odds = Callable[[int, int, int], Fraction]
"""A chance by how many are wanted, how many dice are hidden, and of how many one counts."""


def counts(die: int, face: int, palifico: bool) -> bool:
    """Whether a die counts for a bid on the face (LD-R9)."""
    return die == face or (die == 1 and not palifico)


def matching(dice: Iterable[int], face: int, palifico: bool) -> int:
    """How many of the dice count for the face."""
    return sum(counts(die, face, palifico) for die in dice)


def one_in(face: int, palifico: bool) -> int:
    """Of how many unseen dice one counts for the face: a third, or a sixth without wild ones."""
    return 6 if palifico or face == 1 else 3


def with_ones(face: int, palifico: bool) -> str:
    """What has to be said beside a count that includes wild ones."""
    return "" if palifico or face == 1 else " (with ones)"


def expected(own: int, hidden: int, one_in: int) -> str:
    """How many to expect on the whole table, to a tenth."""
    tenths = (20 * (own * one_in + hidden) + one_in) // (2 * one_in)
    return f"{tenths // 10}.{tenths % 10}"


@cache
def exactly(wanted: int, hidden: int, one_in: int) -> Fraction:
    """The chance that just `wanted` of the hidden dice count."""
    if not 0 <= wanted <= hidden:
        return Fraction(0)
    return Fraction(comb(hidden, wanted) * (one_in - 1) ** (hidden - wanted), one_in**hidden)


@cache
def at_least(wanted: int, hidden: int, one_in: int) -> Fraction:
    """The chance that `wanted` or more of the hidden dice count."""
    enough = range(wanted, hidden + 1)
    return sum((exactly(number, hidden, one_in) for number in enough), Fraction(0))
