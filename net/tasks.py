"""Tasks that belong together: started, watched, and ended as one.

Rule 1: no task fails unseen. What broke one is told once, to whoever made the group.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

logger = logging.getLogger(__name__)


class Tasks:
    """A group of tasks. `broke` is given the error that ended one of them."""

    def __init__(self, broke: Callable[[BaseException], None]) -> None:
        self._broke = broke
        self._running: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run this beside the others."""
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._ended)

    def cancel(self) -> None:
        """End all of them, but for the one that calls."""
        for task in self._running - {asyncio.current_task()}:
            task.cancel()

    async def stop(self) -> None:
        """End all of them, but for the one that calls, and wait until they have ended."""
        self.cancel()
        await asyncio.gather(*self._running - {asyncio.current_task()}, return_exceptions=True)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("a task broke", exc_info=error)
            self._broke(error)
