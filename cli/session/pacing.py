"""The moments of a session on their way to its client: queued as they happen, given at its pace.

Rule 1: a moment waits until the rest before it is over, but for what people say and what is wrong:
that is no part of the game's story.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Container
from contextlib import suppress

from sobremesa.core.pieces import Seat
from sobremesa.core.views import Seats, View

from .moments import Absent, Chat, Moment, Notice

Aside = Chat | Notice | Absent
"""Moments that do not wait for the end of a rest."""

BEAT = 0.8
"""Seconds for each beat of a view's stage."""

HURRIED = 0.25
"""The part of the usual pace where all that are present only look on."""


def haste(view: View, absent: Container[Seat]) -> float:
    """The part of the usual pace for a table that looks so: `absent` are the seats that nobody who
    is present plays, bots among them."""
    rows = [row for block in view.blocks if isinstance(block, Seats) for row in block.rows]
    present = [row.out for row in rows if row.seat not in absent]
    return HURRIED if present and all(present) else 1.0


class Pacing:
    """The queue. One client takes from it."""

    def __init__(self) -> None:
        self.overhear: Callable[[Moment], None] | None = None
        """Told of every moment that happens, before a client lives it."""
        self._moments: deque[Moment] = deque()
        self._news = asyncio.Event()
        self._caught_up = asyncio.Event()
        self._rests_until = 0.0
        self._held_at: float | None = None

    def __len__(self) -> int:
        return len(self._moments)

    def push(self, moment: Moment) -> None:
        """Something happened."""
        self._moments.append(moment)
        self._news.set()
        if self.overhear is not None:
            self.overhear(moment)

    async def next(self) -> Moment:
        """The next moment, when it is due."""
        while (moment := self._due()) is None:
            await self._wait()
        self._caught_up.clear()
        return moment

    def rest(self, seconds: float) -> None:
        """The client stays with what it took last for so long."""
        self._rests_until = now() + seconds

    def go_on(self) -> None:
        """End the rest."""
        self._rests_until = 0.0
        self._news.set()

    def hold(self) -> None:
        """The client looks elsewhere: nothing but asides is due until `let_go`."""
        self._held_at = now()
        self._caught_up.clear()

    def let_go(self) -> None:
        """The client looks here again, and rests as long as it would have."""
        if self._held_at is not None and self._rests_until:
            self._rests_until += now() - self._held_at
        self._held_at = None
        self._news.set()

    async def caught_up(self) -> None:
        """Wait until the client has taken everything and rests no longer."""
        await self._caught_up.wait()

    def _due(self) -> Moment | None:
        resting = self._held_at is not None or self._rests_until > now()
        for place, moment in enumerate(self._moments):
            if not resting or isinstance(moment, Aside):
                del self._moments[place]
                return moment
        return None

    async def _wait(self) -> None:
        """Wait for news, or for the end of a rest."""
        left = self._rests_until - now()
        held = self._held_at is not None
        if left <= 0 and not held:
            self._caught_up.set()
        self._news.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._news.wait(), left if left > 0 and not held else None)


def now() -> float:
    """Seconds by the running loop's clock."""
    return asyncio.get_running_loop().time()
