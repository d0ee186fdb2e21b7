"""What a game script may ask of the table. A script yields one and is resumed with its result.

Rule 1: a request is a value; how it is done (alone, by commit-reveal, among peers) is no concern
of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from .pieces import Card, Faces, Piece, Seat
from .questions import Question

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask one seat, openly. Result: its `Answer`. `seconds` None means the table's setting."""

    seat: Seat
    question: Question
    seconds: int | None = None


@dataclass(frozen=True, slots=True)
class AskAll:
    """Ask several seats at once, sealed until all have answered. Result: `{seat: Answer}`.

    The rules choose among the answers by turn order, so a fast network decides nothing.
    """

    questions: Mapping[Seat, Question]
    seconds: int | None = None


@dataclass(frozen=True, slots=True)
class Toss:
    """A public number in [0, n) that nobody chose. Result: the int. `label` names it in files.

    It is made by the peers of the seats in `by`: those still in the game, so that nobody who has
    nothing to lose can spoil it. None is everybody.
    """

    n: int
    label: str
    by: tuple[Seat, ...] | None = None


@dataclass(frozen=True, slots=True)
class Roll:
    """Dice under cups. Result: `{seat: (Die, ...)}`; only the owner sees what it rolled. It is made
    by the peers of the seats in `by`, as a toss is; who has dice must be among them."""

    dice: Mapping[Seat, int]
    sides: int = 6
    by: tuple[Seat, ...] | None = None


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Cards in a new order that nobody knows. Result: a tuple of `Card`, top first.

    Given faces make a new deck; given live cards end, and the result holds their faces. `by` None
    is everybody; a single seat that saw all its inputs still knows the result, and nobody can
    tell any more which card is which: it unlinks.
    """

    cards: Sequence[str] | Sequence[Card]
    by: tuple[Seat, ...] | None = None


@dataclass(frozen=True, slots=True)
class Reveal:
    """Open pieces to everybody. Result: faces in the shape of what was given: a mapping of seats
    to pieces gives a mapping of seats to faces, a sequence gives a tuple.

    Dice that were rolled together under one cup are opened together. Dice of a seat that is gone
    have no faces any more: they are left out, and in a mapping their seat is. Cards are not.
    """

    pieces: Mapping[Seat, Sequence[Piece]] | Sequence[Piece]

    def flat(self) -> tuple[Piece, ...]:
        """All the pieces, in order."""
        if isinstance(self.pieces, Mapping):
            return tuple(piece for some in self.pieces.values() for piece in some)
        return tuple(self.pieces)

    def shaped(self, faces: Faces) -> Any:
        """The faces in the shape of the request, as far as there are any."""
        if isinstance(self.pieces, Mapping):
            return {
                seat: tuple(faces[piece] for piece in some)
                for seat, some in self.pieces.items()
                if all(piece in faces for piece in some)
            }
        return tuple(faces[piece] for piece in self.pieces if piece in faces)


@dataclass(frozen=True, slots=True)
class Show:
    """Let some seats see some pieces. Result: None. Dealing hands is one `Show` for all of them.

    Dice can be shown to all seats or to none but their owner: a cup is opened by publishing its
    secret.
    """

    seats: Mapping[Piece, Sequence[Seat]]


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of a seat about hidden faces. Result: None. `holds(faces)` is True or False, or
    None while the faces given do not settle it; it is judged as soon as public faces do, and at
    the latest when the game is over and everything is opened."""

    seat: Seat
    text: str
    holds: Callable[[Faces], bool | None]


class Tell:
    """An event for log, screen and sound, public. Result: None. Values are JSON-able."""

    __slots__ = ("event",)

    def __init__(self, kind: str, **data: Any) -> None:
        self.event: Event = {"kind": kind, **data}


@dataclass(frozen=True, slots=True)
class Mark:
    """A round begins. Result: None. All peers compare a digest of the public state; the table
    keeps `state` to draw views from, until the next mark brings another."""

    state: Any


@dataclass(frozen=True, slots=True)
class Gone:
    """Which seats' peers are gone for good (C7). Result: a tuple of seats, in seat order."""


Event = dict[str, Any]

Request = Ask | AskAll | Toss | Roll | Shuffle | Reveal | Show | Claim | Tell | Mark | Gone

Script = Generator[Request, Any, R]
"""A generator of requests that returns an R; `Script[Outcome]` is a whole game."""
