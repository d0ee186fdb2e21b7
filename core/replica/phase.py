"""The phases in the life of a table, and which may follow which.

Rule 1: the transitions are data, and a table takes no other one.
Rule 2: a phase without a successor is an end: nothing is taken or owed any more.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum


class Phase(Enum):
    """Where a table stands. The value is its name in docs and diagrams."""

    SIGNING = "signing"
    """Not everybody has signed the charter."""
    PLAYING = "playing"
    """The script runs."""
    OPENING_SEEDS = "opening seeds"
    """The game has its outcome; everybody reveals its seed."""
    OVER = "over"
    """All seeds are there and nothing is owed."""
    CONVICTED = "convicted"
    """A peer broke the protocol or the rules, and its own signature proves it."""
    BROKEN_OFF = "broken off"
    """Somebody left, the game broke, or its copies disagree: nobody cheated."""


TRANSITIONS: Mapping[Phase, frozenset[Phase]] = {
    Phase.SIGNING: frozenset({Phase.PLAYING, Phase.CONVICTED, Phase.BROKEN_OFF}),
    Phase.PLAYING: frozenset({Phase.OPENING_SEEDS, Phase.CONVICTED, Phase.BROKEN_OFF}),
    # Nobody's leaving breaks off a result that stands; by another copy of the game it is none yet.
    Phase.OPENING_SEEDS: frozenset({Phase.OVER, Phase.CONVICTED, Phase.BROKEN_OFF}),
    Phase.OVER: frozenset(),
    Phase.CONVICTED: frozenset(),
    Phase.BROKEN_OFF: frozenset(),
}


def step_on(here: Phase, there: Phase) -> Phase:
    """The phase after this one.

    :raises ValueError: if it may not follow
    """
    if there not in TRANSITIONS[here]:
        raise ValueError(f"a table cannot go from {here.value} to {there.value}")
    return there
