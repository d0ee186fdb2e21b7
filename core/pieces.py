"""Pieces: things with a hidden face. A script holds handles; faces are somebody's knowledge.

Rule 1: a handle says whose it is and which one it is, never what it shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Self

Seat = str
"""A player at the table, by its name (C10): names are unique at a table."""

Face = Any
"""What a piece shows: a die's pips (int), or a card's code (str: "KH", "lady")."""


class Die(NamedTuple):
    """One die under one cup."""

    seat: Seat
    roll: int
    """Which roll of the game it came from, from 0."""
    place: int
    """Its place under the cup, from 0."""

    # A handle never changes. States hold dozens, and are copied for every answer of a bot.
    def __deepcopy__(self, memo: object) -> Self:
        return self


class Card(NamedTuple):
    """One card in one order of a deck. A shuffle ends its inputs and makes new cards."""

    serial: int
    """Which card of the game it is, counted over all shuffles, from 0."""

    def __deepcopy__(self, memo: object) -> Self:
        return self


Piece = Die | Card

MOST_CARDS = 200
"""Cards in one request. Two decks with their jokers are 108; what peers send grows with it."""

MOST_CUPS = 64
"""Cups that one request opens."""

Faces = Mapping[Piece, Face]
"""The faces that somebody knows. What is missing is hidden from them."""
