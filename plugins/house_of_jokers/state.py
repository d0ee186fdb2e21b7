"""What everybody at the table knows: the board, the action cards that lie face up, and counts.

Rule 1: handles only; a face is here when it was revealed to all and lies open, and not before. A
card that was turned face down is forgotten here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from sobremesa.core.pieces import Card, Piece, Seat

from .board import Board

Stage = Literal["dealing", "choosing", "playing", "refilling", "flipping", "moving"]
"""What is being asked; while a move is carried out nothing is."""

HIDDEN = "??"
JOKER_CARD = "JK"


@dataclass(frozen=True, slots=True)
class Slot:
    """An action card before a player. `face` None means that it lies face down."""

    card: Card
    face: str | None


@dataclass(frozen=True, slots=True)
class Ending:
    """How the game ended for everybody (HJ-R21); `seat` is who could not go on, gave up or left."""

    kind: Literal["won", "lost", "gave_up", "left"]
    seat: Seat | None = None


@dataclass(slots=True)
class State:
    """The table."""

    seats: tuple[Seat, ...]
    count: int
    """Action cards of each player (HJ-R3)."""
    jokers: int
    rounds: int
    """Rounds in which all may move jokers, before they must stay (HJ-R14)."""
    board: Board
    hands: dict[Seat, tuple[Card, ...]] = field(default_factory=dict)
    slots: dict[Seat, tuple[Slot, ...]] = field(default_factory=dict)
    latest: dict[Seat, str] = field(default_factory=dict)
    """What each player did last: a card played, or a joker moved; nothing if it was a penalty."""
    turn: Seat | None = None
    extra: bool = False
    """Whether this is an extra turn, or may be one."""
    stage: Stage = "dealing"
    stall: int = 0
    """Turns in a row that did nothing but move a joker."""
    ending: Ending | None = None

    def holders(self) -> list[Seat]:
        """The seats that still have cards."""
        return [seat for seat in self.seats if self.slots[seat] or self.hands[seat]]

    def after(self, seat: Seat) -> list[Seat]:
        """Every seat that still has cards, clockwise from the left of this one, itself last."""
        place = self.seats.index(seat) + 1
        holders = self.holders()
        return [s for s in self.seats[place:] + self.seats[:place] if s in holders]

    @property
    def limit(self) -> int:
        """How many turns in a row may be spent on moving jokers about (HJ-R14)."""
        return self.rounds * len(self.holders())

    @property
    def may_shift(self) -> bool:
        """Whether a joker may move to another end now."""
        return self.stall < self.limit

    def face_up(self, seat: Seat) -> list[str]:
        """The faces of a player's open action cards."""
        return [slot.face for slot in self.slots.get(seat, ()) if slot.face is not None]


def public(state: State) -> dict[str, Any]:
    """The public state as plain values."""
    board = state.board
    return {
        "low": dict(board.low),
        "high": dict(board.high),
        "jokers": list(board.jokers),
        "jokers_to_place": board.to_place,
        "jokers_removed": board.removed,
        "action": {
            seat: [slot.face or HIDDEN for slot in state.slots.get(seat, ())]
            for seat in state.seats
        },
        "hand": {seat: len(state.hands.get(seat, ())) for seat in state.seats},
        "placed": board.placed,
        "turn": state.turn,
        "stall": state.stall,
    }


def pieces(state: State) -> Mapping[Seat, tuple[Piece | None, ...]]:
    """The hand of each seat, then its action cards. One that lies face down is covered even for
    its owner, unless it is the owner's turn (HJ-R19)."""
    return {
        seat: (
            *state.hands.get(seat, ()),
            *(
                slot.card if slot.face is not None or seat == state.turn else None
                for slot in state.slots.get(seat, ())
            ),
        )
        for seat in state.seats
    }
