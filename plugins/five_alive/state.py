"""What everybody at the table knows: ALIVE cards, the total, the discards, how many cards.

Rule 1: handles only; a face is here when its card lies open, and not before.
Rule 2: ALIVE cards belong to a side: a player, or in the team game a team. So both games flip,
lose and win by the same rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sobremesa import Card, Face, Piece, Seat, Standing, from_left_of

BUST, BOMBED, HAND_OVER = "bust", "bomb", "hand over"
"""Why ALIVE cards are flipped."""

LIVES = 5
HAND = 10
TEAMS_FROM = 4
"""So many players are needed for two teams."""


@dataclass(slots=True)
class Side:
    """Who shares one set of ALIVE cards."""

    name: str
    """The player's, or `team 1`."""
    seats: tuple[Seat, ...]
    alive: int = LIVES
    """ALIVE cards that are not flipped."""


@dataclass(slots=True)
class State(Standing):
    """The table. Seats are in clockwise order."""

    seats: tuple[Seat, ...]
    sides: tuple[Side, ...]
    teams: bool
    sudden_death: bool
    starter: Seat
    hand_no: int = 0
    total: int = 0
    direction: int = 1
    """1 is clockwise, -1 the other way."""
    turn: Seat | None = None
    """Nobody's before and after a hand, and while a wild card is carried out."""
    hands: dict[Seat, tuple[Card, ...]] = field(default_factory=dict)
    pile: tuple[Card, ...] = ()
    discard: list[Face] = field(default_factory=list)
    """The top is last."""
    latest: dict[Seat, Face] = field(default_factory=dict)
    """What each player played last in this hand."""
    enders: tuple[Seat, ...] = ()
    """Whose hand ran out and so ended this one."""
    opened: Mapping[Seat, tuple[Face, ...]] = field(default_factory=dict)
    """What was still held when the hand was over."""
    sudden_end: bool = False
    """Whether somebody has flipped all in a sudden death (FA-R14)."""
    gone: list[Seat] = field(default_factory=list)
    """Who has left for good."""

    def side(self, seat: Seat) -> Side:
        """The side that a player is on."""
        return next(side for side in self.sides if seat in side.seats)

    def lives(self, seat: Seat) -> bool:
        """Whether a player is still in the game."""
        return self.side(seat).alive > 0 and seat not in self.gone

    def living(self) -> list[Seat]:
        return [seat for seat in self.seats if self.lives(seat)]

    def others(self, seat: Seat, direction: int) -> list[Seat]:
        """All others who live, from the next one in this direction on; the seat need not live."""
        *others, _ = from_left_of(self.seats[::direction], seat)
        return [other for other in others if self.lives(other)]

    def next(self, seat: Seat) -> Seat:
        """The next one in the direction of play, which is the seat itself if nobody else lives."""
        return next(iter(self.others(seat, self.direction)), seat)

    def surviving(self) -> list[Side]:
        """The sides that have a player left."""
        return [side for side in self.sides if any(map(self.lives, side.seats))]

    def is_over(self) -> bool:
        """Whether the game is decided."""
        return self.sudden_end or len(self.surviving()) < 2

    def unflipped(self) -> dict[str, int]:
        """Unflipped ALIVE cards by side."""
        return {side.name: side.alive for side in self.sides}


def seated(seats: tuple[Seat, ...], teams: bool) -> tuple[Side, ...]:
    """The sides: two teams in alternate seats, or every player alone (FA-R15)."""
    if teams:
        return tuple(Side(f"team {n + 1}", seats[n::2]) for n in range(2))
    return tuple(Side(seat, (seat,)) for seat in seats)


def public(state: State) -> dict[str, Any]:
    """The public state as plain values."""
    plain: dict[str, Any] = {
        "hand_no": state.hand_no,
        "starter": state.starter,
        "total": state.total,
        "direction": state.direction,
        "alive": state.unflipped(),
        "hand": {seat: len(state.hands.get(seat, ())) for seat in state.seats},
        "draw": len(state.pile),
        "discard": list(state.discard),
        "turn": state.turn,
    }
    if state.teams:
        plain["teams"] = [list(side.seats) for side in state.sides]
    return plain


def pieces(state: State) -> Mapping[Seat, tuple[Piece, ...]]:
    """The hand of each seat."""
    return state.hands
