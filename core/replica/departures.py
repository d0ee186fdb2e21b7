"""Peers without which a game went on: from when, why, and what they owed then."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from sobremesa.core.pieces import Seat

OWED: Mapping[str, str] = {
    "toss-commit": "its part of a toss",
    "toss-open": "its part of a toss, which it had sealed",
    "roll-commit": "its part of a roll",
    "roll-open": "its part of a roll, which it had sealed",
    "reveal": "its dice",
    "answer": "its answer",
    "answer-commit": "its answer",
    "answer-open": "its answer, which it had sealed",
    "keys": "its card key",
    "key-shares": "shares of its card key",
    "complaints": "whether its shares of the keys are right",
    "shuffle": "its part of a shuffle",
    "shares": "its shares of cards",
    "mark": "whether it sees the same table",
    "end": "whether it sees the same end",
    "seed": "its seed, so nobody can check how it played",
}
"""What a message of each kind would have told, as an object of "did not give"."""

BOUND = ("toss-open", "roll-open", "reveal", "answer-open", "shares", "seed")
"""What a peer keeps to itself to gain by it, if it does."""


@dataclass(frozen=True, slots=True)
class Departure:
    """A peer that is gone from a `step` on. `owed` is the kind of message that it had not sent, or
    "" if none was due; `fault` is what convicted it, as a clause that follows its name."""

    peer: int
    name: Seat
    step: int
    why: Literal["left", "convicted", "away"]
    owed: str = ""
    fault: str = ""

    @property
    def clause(self) -> str:
        """Why, as a clause that follows the name."""
        if self.why == "convicted":
            return self.fault
        if self.why == "left":
            return "left" + (f" and did not give {OWED[self.owed]}" if self.owed in BOUND else "")
        return "was away" + (f" and did not give {OWED[self.owed]}" if self.owed else "")

    def __str__(self) -> str:
        return f"{self.name} {self.clause} (step {self.step})"
