"""Dying on purpose, so that tests can show what survives it.

SOBREMESA_CRASH_AT=N kills this process (kill -9) when its N-th message at a table, over all its
lives, or the first after it, is on the disk and has not gone out; N+ when it has gone out.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine
from typing import Any


class CrashPoint:
    """Where this process is to die: nowhere, unless the environment says so. `count` is how many
    messages of ours are on the disk."""

    def __init__(self) -> None:
        wanted = os.environ.get("SOBREMESA_CRASH_AT", "")
        self.count = 0
        self._when_sent = wanted.endswith("+")
        self._at = int(wanted.removesuffix("+") or 0)
        self._dying: asyncio.Future[None] | None = None

    def kept(self) -> None:
        """One more message of ours is on the disk."""
        self.count += 1
        if self._at and self.count >= self._at and not self._when_sent:
            self._die()

    def released(self, see_off: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """All that is on the disk may go out; `see_off` waits until it has."""
        if self._when_sent and self.count >= self._at and self._dying is None:
            self._dying = asyncio.ensure_future(see_off())
            self._dying.add_done_callback(lambda _: self._die())

    def _die(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)
