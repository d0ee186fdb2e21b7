"""A game in short, when it is over: how it stood round by round, and a few facts.

Rule 1: all of it is counted from the events of the game, so that whoever has a record can count it
again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .pieces import Seat

MOST_FACTS = 4


@dataclass(frozen=True, slots=True)
class Recap:
    """A game in short. `rounds` has for each seat how much it had of what `unit` names ("lives"),
    at the end of each round; the last number is its score. `facts` are a label and what is true of
    it, up to four."""

    unit: str = ""
    rounds: Mapping[Seat, tuple[int, ...]] = field(default_factory=dict)
    facts: tuple[tuple[str, str], ...] = ()
