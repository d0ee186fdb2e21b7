"""The phases in the life of a table, which may follow which, and the one way to step on.

Rule 1: the transitions of a life cycle are data, and nothing that has one takes another.
Rule 2: outside `LIVE` a table takes and owes nothing any more but the proof of a fault.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TypeVar

P = TypeVar("P", bound=Enum)


class Phase(Enum):
    """Where a table stands. The value is its name in docs and diagrams."""

    SIGNING = "signing"
    """Not everybody has signed the charter."""
    PLAYING = "playing"
    """The script runs."""
    OPENING_SEEDS = "opening seeds"
    """The game has its outcome, which stands; everybody reveals its seed."""
    OVER = "over"
    """All seeds are there and nothing is owed."""
    CONVICTED = "convicted"
    """A peer broke the protocol or the rules, and its own signature proves it."""
    BROKEN_OFF = "broken off"
    """The game cannot go on, broke, or its copies disagree: nobody cheated."""
    GONE = "gone"
    """The others have gone on without us: we may look on."""


TRANSITIONS: Mapping[Phase, frozenset[Phase]] = {
    Phase.SIGNING: frozenset({Phase.PLAYING, Phase.CONVICTED, Phase.BROKEN_OFF}),
    Phase.PLAYING: frozenset({Phase.OPENING_SEEDS, Phase.CONVICTED, Phase.BROKEN_OFF, Phase.GONE}),
    Phase.OPENING_SEEDS: frozenset({Phase.OVER, Phase.CONVICTED, Phase.BROKEN_OFF, Phase.GONE}),
    Phase.OVER: frozenset(),
    Phase.CONVICTED: frozenset(),
    # What was nobody's fault may turn out to be somebody's when a proof comes.
    Phase.BROKEN_OFF: frozenset({Phase.CONVICTED}),
    Phase.GONE: frozenset({Phase.CONVICTED}),
}

LIVE = frozenset({Phase.SIGNING, Phase.PLAYING, Phase.OPENING_SEEDS})
"""Where messages are waited for."""


def step_on(transitions: Mapping[P, frozenset[P]], here: P, there: P) -> P:
    """The phase after this one, in a life cycle with these transitions.

    :raises ValueError: if it may not follow
    """
    if there not in transitions[here]:
        raise ValueError(f"what is {here.value} cannot be {there.value}")
    return there
