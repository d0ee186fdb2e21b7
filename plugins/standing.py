"""Who is out and who comes in which place: what games with a last one in have in common.

Rule 1: a game's `State` derives from `Standing`; who is still in is for the game to say.
Rule 2: places count seats: after two who share the first comes the third.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from sobremesa.core.pieces import Seat
from sobremesa.core.requests import Gone, Script, Tell

Place = tuple[Seat, ...]
"""Seats that share a place."""


@dataclass(slots=True)
class Standing:
    """The part of a state that says who is out, and in the end the ranking."""

    out: list[Place] = field(default_factory=list, kw_only=True)
    """Who went out, first to last; seats that went at once stand together."""
    places: tuple[Place, ...] = field(default=(), kw_only=True)
    """The ranking, once the game is over."""

    def go_out(self, seats: Place, left: int) -> Script[None]:
        """These go out at once, with so many left in the game: an event `out` for each."""
        self.out.append(seats)
        for seat in seats:
            yield Tell("out", seat=seat, place=left + 1)

    def rank(self, *first: Place) -> None:
        """The ranking: these places, then those who went out, last first. Empty ones are none."""
        self.places = tuple(place for place in (*first, *reversed(self.out)) if place)

    def over(self, winners: Sequence[Seat]) -> Tell:
        """The event that ends the game."""
        return Tell("over", winners=list(winners), places=[list(place) for place in self.places])

    def ranks(self) -> dict[Seat, int]:
        """The number of each seat's place, from 1."""
        ranks: dict[Seat, int] = {}
        for place in self.places:
            ranks.update(dict.fromkeys(place, len(ranks) + 1))
        return ranks


def leavers(seats: Iterable[Seat]) -> Script[tuple[Seat, ...]]:
    """Who of these has left for good."""
    gone = yield Gone()
    return tuple(seat for seat in seats if seat in gone)


def ranked(seats: Iterable[Seat], key: Callable[[Seat], Any]) -> tuple[Place, ...]:
    """These seats as places by rising key; equal ones share a place."""
    groups = groupby(sorted(seats, key=key), key=key)
    return tuple(tuple(group) for _, group in groups)
