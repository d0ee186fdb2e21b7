"""What the recaps of several games are made of: numbers round by round, counts and shares in words.

Rule 1: who is named first has most; equals stand as they came.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from sobremesa.core.pieces import Seat

from .voice import Voice


class Rounds:
    """How much each seat has `now`, and had at the end of each round."""

    def __init__(self, seats: Iterable[Seat], start: int) -> None:
        self.now = dict.fromkeys(seats, start)
        self._ends: list[dict[Seat, int]] = []

    def end(self) -> None:
        """A round is over."""
        self._ends.append(dict(self.now))

    def all(self) -> dict[Seat, tuple[int, ...]]:
        """The numbers of each seat."""
        return {seat: tuple(end[seat] for end in self._ends) for seat in self.now}


class Shares:
    """How many of its tries each seat had right."""

    def __init__(self) -> None:
        self._right: Counter[Seat] = Counter()
        self._tries: Counter[Seat] = Counter()

    def add(self, seat: Seat, right: bool) -> None:
        """One more try."""
        self._tries[seat] += 1
        self._right[seat] += right

    def said(self, voice: Voice) -> str:
        """`Ana 3 of 4, you 1 of 2`; nothing if nobody tried."""
        order = sorted(self._tries, key=lambda seat: (-self._right[seat], self._tries[seat]))
        shares = (f"{voice.name(s)} {self._right[s]} of {self._tries[s]}" for s in order)
        return ", ".join(shares)


def counts_said(counts: Mapping[Seat, int], voice: Voice) -> str:
    """`Ana 3, you 1`; nothing if there is nothing to count."""
    order = sorted((seat for seat in counts if counts[seat]), key=lambda seat: -counts[seat])
    return ", ".join(f"{voice.name(seat)} {counts[seat]}" for seat in order)


def facts(*told: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    """Those of these facts, label and text, of which there is something to tell."""
    return tuple((label, text) for label, text in told if text)
