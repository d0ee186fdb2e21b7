"""The order round the table.

Rule 1: seats are given clockwise; play that goes the other way is given them reversed.
"""

from __future__ import annotations

from collections.abc import Sequence

from .pieces import Seat


def clockwise(seats: Sequence[Seat], first: Seat) -> tuple[Seat, ...]:
    """Once round the table from this seat on."""
    place = seats.index(first)
    return (*seats[place:], *seats[:place])


def from_left_of(seats: Sequence[Seat], seat: Seat) -> tuple[Seat, ...]:
    """Once round the table from the next seat on, so that this one stands last."""
    first, *others = clockwise(seats, seat)
    return (*others, first)
