"""The 52 playing cards, by code and by name.

Rule 1: a card is its code, rank and suit: `KH`, `10D`. Clients draw and say such codes by
themselves, and `JK` is a joker.
Rule 2: ranks go from ace, 1, to king, 13. A game whose ace is high puts it last itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from sobremesa.core.pieces import Face

SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
"""What the suits are called."""

_SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}

_RANK_NAMES = {
    "A": "ace", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven",
    "8": "eight", "9": "nine", "10": "ten", "J": "jack", "Q": "queen", "K": "king",
}  # fmt: skip

RANKS = tuple(_RANK_NAMES)

PACK = tuple(rank + suit for suit in SUITS for rank in RANKS)


def card_code(suit: str, rank: int) -> str:
    """The card of a suit with this rank, 1 to 13."""
    return RANKS[rank - 1] + suit


def card_rank(face: Face) -> int:
    """A card's rank as a number: 1, an ace, to 13, a king."""
    return RANKS.index(face[:-1]) + 1


def card_sign(face: Face) -> str:
    """The card in as little room as it can be read in: `K♥`."""
    return f"{face[:-1]}{_SUIT_SIGNS[face[-1]]}"


def rank_name(face: Face) -> str:
    """A card's rank as people say it: `king`."""
    return _RANK_NAMES[face[:-1]]


def card_name(face: Face) -> str:
    """The card as people say it: `king of hearts`."""
    return f"{rank_name(face)} of {SUITS[face[-1]]}"


def spoken_card(face: Face, named: Mapping[Face, str]) -> str:
    """A card in full: as its game calls it in `named`, else as people do."""
    if face in named:
        return named[face]
    if face == "JK":
        return "joker"
    return card_name(face) if face in PACK else face
