"""Steps: how a request is done among peers, each step the messages that are due.

A request is done by an `Exchange`, a generator that yields `Step`s, is resumed with
`{peer: body}`, and returns the request's result. There is one file for each kind of request:
`toss`, `dice`, `answers`, `cards`, `card_keys`, and `life` for the first and last step.

Rule 1: what a peer sends follows from the transcript, its seed and its players' answers alone.
Rule 2: a body may be missing where a certificate took its place; nobody here counts on all.
Rule 3: what takes more than a few milliseconds is `Work`, a generator that rests in between.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sobremesa.core.crypto.slices import Work
from sobremesa.core.encoding import Rand
from sobremesa.core.pieces import Seat
from sobremesa.core.questions import Question
from sobremesa.core.schema import Misfit, Spec, read_whole

from .faults import Finding, Malformed

R = TypeVar("R")

Body = Any
Bodies = Mapping[int, Body]
Choices = Mapping[Seat, str]
"""Answers in notation, by seat."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step: who must send a message of which kind, what it may hold, what we owe.

    `spec(peer)` is what that peer's body may be. `check(peer, body)` raises a `Finding`.
    `owe(peer, rand, choices)` is that peer's body. Both may be `Work` that ends so. `asks` are the
    questions whose answers go into the bodies; `choices(peer, body)` finds them there again, or is
    None where a commitment hides them. `progress` is (which, of how many) where several such steps
    make one thing.
    """

    kind: str
    peers: tuple[int, ...]
    spec: Callable[[int], Spec]
    check: Callable[[int, Body], Work[None] | None]
    owe: Callable[[int, Rand, Choices], Work[Body] | Body]
    asks: Mapping[Seat, Question] = field(default_factory=dict)
    choices: Callable[[int, Body], Choices] | None = lambda peer, body: {}
    progress: tuple[int, int] | None = None

    def read(self, peer: int, packed: bytes) -> Body:
        """A peer's body, unpacked.

        :raises Finding: if it is not what this step may hold
        """
        try:
            return read_whole(self.spec(peer), packed)
        except Misfit as error:
            raise Finding(Malformed, "sent a message of the wrong shape") from error


Exchange = Generator[Step, Bodies, R]


def unchecked(peer: int, body: Body) -> None:
    """The check of a commitment: there is nothing to check it against yet."""
