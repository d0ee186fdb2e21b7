"""Chances, as they are told to players.

Rule 1: only what is certain is told as 0 or 100 percent.
"""

from __future__ import annotations

from fractions import Fraction


def percent(chance: Fraction) -> int:
    """A chance from 0 to 1 in whole percent, 0 and 100 only if it is certain."""
    if 0 < chance < 1:
        return max(1, min(99, int(100 * chance + Fraction(1, 2))))
    return int(100 * chance)
