"""The pack, and which card of a trick wins.

Rule 1: a card is its code, rank and suit: `KH`, `10D`. Suits decide nothing; they tell cards apart.
"""

from __future__ import annotations

from collections.abc import Sequence

from sobremesa.core.pieces import Face

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
"""Lowest first (CV-R1)."""

PACK = tuple(rank + suit for suit in "SHDC" for rank in RANKS)

_RANK_NAMES = ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
               "jack", "queen", "king")  # fmt: skip
_SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


def strength(face: Face) -> int:
    """A card's rank as a number: 1, an ace, to 13, a king."""
    return RANKS.index(face[:-1]) + 1


def winning(faces: Sequence[Face]) -> int:
    """The place of the card that wins, of cards in the order they were played: the highest, and
    among equals the last (CV-R12)."""
    return max(range(len(faces)), key=lambda place: (strength(faces[place]), place))


def name(face: Face) -> str:
    """The card as people say it: `king of hearts`."""
    return f"{_RANK_NAMES[strength(face) - 1]} of {_SUIT_NAMES[face[-1]]}"
