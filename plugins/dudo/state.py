"""What everybody at the table knows: dice, bids, and what lies open once the cups are lifted.

Rule 1: handles, never a face, until the cups are lifted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sobremesa import Face, Piece, Seat, Standing, from_left_of

FACES = range(1, 7)

_NAMES = ("one", "two", "three", "four", "five", "six")
_PLURALS = ("ones", "twos", "threes", "fours", "fives", "sixes")
FACE_WORDS = {face: (_PLURALS[face - 1], _NAMES[face - 1], f"{face}s") for face in FACES}
"""Other ways to say a face, as for a `Number`."""

_SMALL = (*_NAMES, "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen",
          "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")  # fmt: skip
_TENS = ("twenty", "thirty", "forty")


def _count_words() -> dict[int, tuple[str, ...]]:
    """The numbers up to the forty dice of eight full cups, as people write them."""
    words: dict[int, tuple[str, ...]] = {n: (word,) for n, word in enumerate(_SMALL, 1)}
    for number in range(20, 41):
        tens = _TENS[number // 10 - 2]
        ones = _SMALL[number % 10 - 1]
        words[number] = (tens,) if number % 10 == 0 else (f"{tens}-{ones}", f"{tens} {ones}")
    return words


COUNT_WORDS = _count_words()
"""Other ways to say how many, as for a `Number`."""


def plural(face: int) -> str:
    """The face as players say it: `threes`."""
    return _PLURALS[face - 1]


def one(face: int) -> str:
    """One die of the face: `three`."""
    return _NAMES[face - 1]


class Bid(NamedTuple):
    """ "At least `quantity` dice of `face` among all dice" (LD-R5)."""

    quantity: int
    face: int

    def __str__(self) -> str:
        name = _NAMES[self.face - 1] if self.quantity == 1 else plural(self.face)
        return f"{self.quantity} {name}"


def rank(bid: Bid) -> tuple[int, int]:
    """A bid's place in the order in which bids rise: ones stand above the sixes of twice as
    many (LD-R7)."""
    return (2 * bid.quantity, 7) if bid.face == 1 else bid


@dataclass(frozen=True, slots=True)
class Showdown:
    """The cups are lifted: who called what, what was counted, and who pays for it."""

    caller: Seat
    call: str
    """`doubt` or `exact`."""
    faces: Mapping[Seat, tuple[Face, ...]]
    count: int
    loser: Seat | None


@dataclass(slots=True)
class State(Standing):
    """What everybody at the table knows."""

    seats: tuple[Seat, ...]
    cap: int
    """Dice that a player starts with and never exceeds."""
    palificos: bool
    opener: Seat
    dice: dict[Seat, int]
    round: int = 0
    turn: Seat | None = None
    bids: list[tuple[Seat, Bid]] = field(default_factory=list)
    """The bids of this round."""
    palifico: bool = False
    palificos_used: list[Seat] = field(default_factory=list)
    palifico_due: Seat | None = None
    """Who has just fallen to one die for the first time."""
    cups: dict[Seat, tuple[Piece, ...]] = field(default_factory=dict)
    showdown: Showdown | None = None

    @property
    def bid(self) -> Bid | None:
        return self.bids[-1][1] if self.bids else None

    @property
    def bidder(self) -> Seat | None:
        return self.bids[-1][0] if self.bids else None

    @property
    def total(self) -> int:
        """All the dice on the table."""
        return sum(self.dice.values())

    def playing(self) -> list[Seat]:
        """The seats that have dice."""
        return [seat for seat in self.seats if self.dice[seat]]

    def next(self, seat: Seat) -> Seat:
        """The next seat clockwise that has dice."""
        return next(other for other in from_left_of(self.seats, seat) if self.dice[other])


def pieces(state: State) -> Mapping[Seat, tuple[Piece, ...]]:
    """The dice under each cup, lifted ones too until the next round."""
    return state.cups


def public(state: State) -> dict[str, Any]:
    """The public state as plain values."""
    return {
        "round": state.round,
        "dice": dict(state.dice),
        "bid": list(state.bid) if state.bid else None,
        "bidder": state.bidder,
        "palifico": state.palifico,
        "palificos_used": list(state.palificos_used),
        "opener": state.opener,
        "turn": state.turn,
    }
