"""What everybody at the table knows: coins, claims, how many cards, and which lie face up.

Rule 1: handles only; a face is here when it was revealed to all, and not before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sobremesa import Card, Seat, Standing, from_left_of

from .cards import Action

BLOCK = "block"
"""What a claim was for, if not for an action."""

OPEN, PROVED, LIED, TURNED_UP = "open", "proved", "lied", "turned up"
"""What became of a claim: nobody challenged it, it was shown to be true, it was not true, or the
player turned up such a card later."""

DOUBTING, BLOCKING, LOSING, KEEPING = "doubting", "blocking", "losing", "keeping"


@dataclass(slots=True)
class Claimed:
    """A character that somebody claimed: for which action, or for a block."""

    seat: Seat
    role: str
    deed: str
    """An action's id, or `BLOCK`."""
    fate: str = OPEN


@dataclass(frozen=True, slots=True)
class Deed:
    """The action of this turn."""

    actor: Seat
    action: Action
    target: Seat | None


@dataclass(slots=True)
class State(Standing):
    """The table. `hands` are the face-down cards, `open_cards` and `face_up` those turned up."""

    seats: tuple[Seat, ...]
    coins: dict[Seat, int]
    turn: Seat | None
    window: int
    """Seconds to react in, 0 without limit."""
    late_block: bool
    hands: dict[Seat, tuple[Card, ...]] = field(default_factory=dict)
    open_cards: dict[Seat, tuple[Card, ...]] = field(default_factory=dict)
    face_up: dict[Seat, tuple[str, ...]] = field(default_factory=dict)
    deck: tuple[Card, ...] = ()
    claims: dict[Seat, list[Claimed]] = field(default_factory=dict)
    """All claims of each player, oldest first."""
    turns: int = 0
    deed: Deed | None = None
    claim: Claimed | None = None
    """The claim that is open to challenge now, or was just challenged."""
    stage: str = ""
    """What is being decided after the action was announced."""
    chooser: Seat | None = None
    """Who is to lose a card, or to choose in an exchange."""

    def living(self) -> list[Seat]:
        """The seats that have influence."""
        return [seat for seat in self.seats if self.hands[seat]]

    def lives(self, seat: Seat | None) -> bool:
        return seat is not None and bool(self.hands[seat])

    def after(self, seat: Seat) -> list[Seat]:
        """Every other seat that has influence, clockwise from the left of this one."""
        *others, _ = from_left_of(self.seats, seat)
        return [other for other in others if self.hands[other]]

    def influence(self, seat: Seat) -> int:
        """How many cards count; the two that an exchange drew do not."""
        drawn = 2 if self.stage == KEEPING and seat == self.chooser else 0
        return len(self.hands[seat]) - drawn

    def all_face_up(self) -> tuple[str, ...]:
        return tuple(role for seat in self.seats for role in self.face_up[seat])


def public(state: State) -> dict[str, Any]:
    """The public state as plain values."""
    return {
        "turn": state.turn,
        "coins": dict(state.coins),
        "influence": {seat: state.influence(seat) for seat in state.seats},
        "face_up": {seat: list(state.face_up[seat]) for seat in state.seats},
        "deck": len(state.deck),
        "claims": {seat: [c.role for c in state.claims[seat]] for seat in state.seats},
    }


def pieces(state: State) -> Mapping[Seat, tuple[Card, ...]]:
    """The cards before each seat: the hand, then those that lie face up."""
    return {seat: (*state.hands[seat], *state.open_cards[seat]) for seat in state.seats}
