"""Ctrl-Z: the program stops as the shell that started it expects, and `fg` goes on with it.

Rule 1: the shell gets the terminal as it was, and all that was painted is out before.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Awaitable, Callable

from prompt_toolkit.application import in_terminal
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent


def job_keys(
    stops: Callable[[], None], drain: Callable[[], Awaitable[object]], returns: Callable[[], None]
) -> KeyBindings:
    """The keys. `stops` is called before the program stops, `returns` when it goes on; `drain`
    waits until what was painted is out."""
    keys = KeyBindings()

    async def stop() -> None:
        stops()
        async with in_terminal():
            await drain()
            os.kill(0, signal.SIGTSTP)  # what the terminal itself sends: to all of the job
        returns()

    @keys.add("c-z")
    def _stop(event: KeyPressEvent) -> None:
        if hasattr(signal, "SIGTSTP"):  # Windows stops no programs
            event.app.create_background_task(stop())

    return keys
