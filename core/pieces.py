"""Pieces: things with a hidden face. A script holds handles; faces are somebody's knowledge.

Rule 1: a handle says whose it is and which one it is, never what it shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

Seat = str
"""A player at the table, by its name (C10): names are unique at a table."""

Face = int
"""What a piece shows; for a die its pips."""


class Die(NamedTuple):
    """One die under one cup."""

    seat: Seat
    roll: int
    """Which roll of the game it came from, from 0."""
    place: int
    """Its place under the cup, from 0."""


Piece = Die

Faces = Mapping[Piece, Face]
"""The faces that somebody knows. What is missing is hidden from them."""
