"""Steps: how a request is done among peers, each step the messages that are due.

A request's protocol is a generator that yields `Step`s and is resumed with `{peer: body}`; it
returns the request's result. `commit` has those that commit and reveal, `sealed` those of cards.

Rule 1: what a peer sends follows from the transcript, its seed and its players' answers alone.
Rule 2: a body may be missing where a certificate took its place; nobody here counts on all.
Rule 3: whoever has committed and does not reveal is never merely late (`Step.bound`), or it could
choose between its answer and the default after it saw the others'.
Rule 4: what takes more than a few milliseconds is `Work`, a generator that rests in between.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from inspect import isgenerator
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar

from .encoding import Rand
from .errors import Malformed
from .pieces import Seat
from .questions import Question

if TYPE_CHECKING:
    from .desk import Desk

R = TypeVar("R")

Work = Generator[None, None, R]
"""Long work in slices of a few milliseconds; it returns an R."""

Body = Any
Bodies = Mapping[int, Body]
Choices = Mapping[Seat, str]
"""Answers in notation, by seat."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step: who must send a message of which kind, what it may hold, what we owe.

    `check(peer, body)` raises a `PeerError`. `owe(peer, rand, choices)` is that peer's body. Both
    may be `Work` that ends so. `asks` are the questions whose answers go into the bodies;
    `choices(peer, body)` finds them there again, or is None where a commitment hides them.
    `progress` is (which, of how many) where several such steps make one thing.
    """

    kind: str
    peers: tuple[int, ...]
    check: Callable[[int, Body], Work[None] | None]
    owe: Callable[[int, Rand, Choices], Work[Body] | Body]
    asks: Mapping[Seat, Question] = field(default_factory=dict)
    choices: Callable[[int, Body], Choices] | None = lambda peer, body: {}
    bound: bool = False
    progress: tuple[int, int] | None = None


Protocol = Generator[Step, Bodies, R]

HASH = 64
SECRET = 32


def is_work(value: Work[R] | R) -> TypeGuard[Work[R]]:
    """Whether this is work to be done, and not its result."""
    return isgenerator(value)


def done(work: Work[R]) -> R:
    """Do all of the work at once."""
    while True:
        try:
            next(work)
        except StopIteration as stop:
            result: R = stop.value
            return result


def is_bytes(desk: Desk, peer: int, body: Body, size: int) -> None:
    """:raises Malformed: if the body is not that many bytes"""
    if type(body) is not bytes or len(body) != size:
        raise desk.blame(peer, Malformed, "sent a message of the wrong shape")


def is_list(desk: Desk, peer: int, body: Body, size: int) -> None:
    """:raises Malformed: if the body is not a list of that many parts"""
    if type(body) is not list or len(body) != size:
        raise desk.blame(peer, Malformed, "sent a message of the wrong shape")
