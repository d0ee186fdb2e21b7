"""Being told to stop: by the system, with Ctrl-C, or by a terminal or reader that went away.

Rule 1: a signal only calls back; whoever runs the screen leaves the table and restores the
terminal in the ordinary way.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

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


def mute(stream: TextIO) -> None:
    """Nobody reads this stream any more: let nothing that is still to be written, not even at the
    interpreter's last flush, fail on it."""
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, stream.fileno())
    os.close(sink)
