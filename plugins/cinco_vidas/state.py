"""What everybody at the table knows: lives, bids, and the cards that lie open.

Rule 1: handles only; a face is here once its card lies open, and not before.
Rule 2: suits decide nothing; they tell cards apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sobremesa import Card, Face, Piece, Seat, Standing, card_rank, clockwise

LIVES = 5
MOST_CARDS = 5


class Played(NamedTuple):
    """A card that lies open in a trick."""

    seat: Seat
    card: Card
    face: Face


class Forced(NamedTuple):
    """The last of a one-card round had no choice (CV-R9)."""

    seat: Seat
    wins: int
    """How many had said win before."""
    must: str
    """`win` or `lose`."""


@dataclass(slots=True)
class State(Standing):
    """What everybody at the table knows."""

    seats: tuple[Seat, ...]
    literal: bool
    """Whether the last of a one-card round must say lose after two wins or more (CV-R9)."""
    replay: bool
    """Whether those who fall all at once come back with a life (CV-R17)."""
    dealer: Seat
    lives: dict[Seat, int]
    """Not floored: how far somebody fell below 0 ranks those who fall together."""
    round: int = 0
    cards: int = 0
    """Cards that each player gets in this round."""
    turn: Seat | None = None
    hands: dict[Seat, tuple[Card, ...]] = field(default_factory=dict)
    bids: dict[Seat, int] = field(default_factory=dict)
    """In the order of bidding. In a one-card round 1 is win and 0 is lose."""
    won: dict[Seat, int] = field(default_factory=dict)
    forced: Forced | None = None
    trick: list[Played] = field(default_factory=list)
    last_trick: tuple[Played, ...] = ()
    losses: dict[Seat, int] = field(default_factory=dict)
    """What the round cost each player, once it is over."""

    @property
    def total(self) -> int:
        """The sum of the bids so far."""
        return sum(self.bids.values())

    @property
    def tricks(self) -> int:
        """How many tricks of this round are over."""
        return sum(self.won.values())

    def playing(self) -> list[Seat]:
        """The seats that have lives."""
        return [seat for seat in self.seats if self.lives[seat] > 0]

    def playing_from(self, first: Seat) -> list[Seat]:
        """The seats that have lives, from this one on; it need not have any itself."""
        return [seat for seat in clockwise(self.seats, first) if self.lives[seat] > 0]

    def left_of(self, seat: Seat) -> Seat:
        """The next seat clockwise that has lives."""
        return next(other for other in self.playing_from(seat) if other != seat)

    def bidders(self) -> list[Seat]:
        """The order of bidding: from the dealer's left, the dealer last (CV-R5)."""
        return self.playing_from(self.left_of(self.dealer))

    def barred(self) -> int | None:
        """What the dealer may not bid, once everybody else has bid."""
        if len(self.bids) < len(self.bidders()) - 1:
            return None
        return barred(self.cards, self.total, self.literal)


def barred(cards: int, total: int, literal: bool = False) -> int | None:
    """The bid that the last to bid may not make after bids of this total, or None (CV-R7, CV-R9).

    `literal` makes the last of a one-card round say lose after two wins or more.
    """
    if literal and cards == 1 and total >= 2:
        return 1
    return cards - total if total <= cards else None


def winning(faces: Sequence[Face]) -> int:
    """The place of the card that wins, of cards in the order they were played: the highest, and
    among equals the last (CV-R12)."""
    return max(range(len(faces)), key=lambda place: (card_rank(faces[place]), place))


def pieces(state: State) -> Mapping[Seat, tuple[Piece, ...]]:
    """The hand of each seat, then the card that it has in the trick."""
    open_cards = {played.seat: played.card for played in state.trick}
    return {
        seat: (*hand, open_cards[seat]) if seat in open_cards else hand
        for seat, hand in state.hands.items()
    }


def public(state: State) -> dict[str, Any]:
    """The public state as plain values."""
    return {
        "round": state.round,
        "cards": state.cards,
        "dealer": state.dealer,
        "lives": {seat: max(0, lives) for seat, lives in state.lives.items()},
        "bids": dict(state.bids),
        "won": dict(state.won),
        "trick": [[played.seat, played.face] for played in state.trick],
        "turn": state.turn,
    }
