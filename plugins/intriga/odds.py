"""Who may hold what: the chance that a character is among somebody's hidden cards.

Rule 1: whole numbers and fractions only, so that a figure is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import comb

from .cards import COPIES, DECK


def unseen(role: str, seen: Sequence[str]) -> int:
    """How many copies of a character are not among the cards seen."""
    return COPIES - seen.count(role)


def chance(role: str, cards: int, seen: Sequence[str]) -> Fraction:
    """The chance that one of so many hidden cards is the character, for who has seen `seen`."""
    return one_of(unseen(role, seen), cards, len(DECK) - len(seen))


@cache
def one_of(copies: int, cards: int, pool: int) -> Fraction:
    """The chance that at least one of `cards` drawn from `pool` is one of `copies`."""
    return 1 - Fraction(comb(pool - copies, cards), comb(pool, cards))
