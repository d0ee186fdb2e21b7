"""What of a view is to be seen now: the beat of its stage, and who has just said or done something.

Rule 1: beats are timed from the moment that brought them; what ends the rest, or skips, shows the
last.
Rule 2: what is lit is what differs from the view before, for `LIT` seconds; nothing moves for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sobremesa.core.pieces import Seat
from sobremesa.core.views import Row, Seats, View

LIT = 1.0
"""Seconds for which what has changed is lit."""


@dataclass(slots=True)
class Spotlight:
    """On one table after another view of it."""

    _since: float = 0.0
    _beats: int = 0
    _beat: float = 0.0
    _rows: dict[Seat, Row] = field(default_factory=dict)
    _lit: frozenset[Seat] = frozenset()

    def took(self, view: View, now: float, beat: float = 0.0) -> None:
        """A view has come, whose stage is played in so many seconds a beat; 0 is at once."""
        before, self._rows = self._rows, {row.seat: row for row in _rows(view)}
        self._lit = frozenset(
            seat
            for seat, row in self._rows.items()
            if seat in before and _said(row) not in (_said(before[seat]), ("", None))
        )
        self._since, self._beat = now, beat
        self._beats = len(view.stage) if beat else 0

    def shown(self, view: View, now: float) -> View:
        """The view, or the beat of its stage that is due."""
        if not self.plays(now):
            return view
        beat = int((now - self._since) / self._beat)
        return View(view.phase, view.stage[beat]) if beat < len(view.stage) else view

    def plays(self, now: float) -> bool:
        """Whether some beats have still to come."""
        return now - self._since < self._beat * self._beats

    def skip(self) -> None:
        """Go to the last beat."""
        self._beats = 0

    def lit(self, now: float) -> frozenset[Seat]:
        """Who has just said or laid down something."""
        return self._lit if now - self._since < LIT else frozenset()

    def changes(self) -> list[float]:
        """After how many seconds something else is to be seen."""
        return [
            *(self._beat * beat for beat in range(1, self._beats + 1)),
            *[LIT] * bool(self._lit),
        ]


def _rows(view: View) -> Iterator[Row]:
    return (row for block in view.blocks if isinstance(block, Seats) for row in block.rows)


def _said(row: Row) -> tuple[str, object]:
    return row.said, row.lies if row.lies is not None and row.lies.values else None
