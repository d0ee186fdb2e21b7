"""Being told to stop: from a terminal that closed, from the system, or with Ctrl-C.

Rule 1: a signal only calls back; whoever runs the screen leaves the table and restores the
terminal in the ordinary way.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

STOP = ("SIGTERM", "SIGHUP")
INTERRUPT = ("SIGINT",)


@contextmanager
def on_signals(names: tuple[str, ...], stop: Callable[[int], None]) -> Iterator[None]:
    """Within, these signals call `stop` with the exit status that they stand for.

    Where signals cannot be caught (Windows, a loop outside the main thread) nothing changes.
    """
    loop = asyncio.get_running_loop()
    caught: list[signal.Signals] = []
    try:
        for name in names:
            number = getattr(signal, name, None)
            if number is None:
                continue
            try:
                loop.add_signal_handler(number, stop, 128 + number)
            except (NotImplementedError, RuntimeError, ValueError):
                continue
            caught.append(number)
        yield
    finally:
        for number in caught:
            loop.remove_signal_handler(number)
