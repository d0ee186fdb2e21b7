"""Lines that somebody types or pipes in, without ever making the loop wait for them."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from typing import TextIO

READER = "typed lines"
"""The name of the reading thread."""

Arrive = Callable[[str | None], None]
"""Takes each line, and None when there will be no more."""


def listen(stdin: TextIO | None, arrive: Arrive) -> None:
    """Call `arrive` on the running loop for each line, without its end, and with None at the end
    of input. `stdin` needs a descriptor; None has ended already.

    A thread of its own reads, since only this serves pipes, terminals and files alike. Nobody
    waits for it: it may sit in a read that never returns.
    """
    loop = asyncio.get_running_loop()
    if stdin is None:
        loop.call_soon(arrive, None)
        return
    threading.Thread(target=_read, args=(stdin, loop, arrive), name=READER, daemon=True).start()


def _read(stdin: TextIO, loop: asyncio.AbstractEventLoop, arrive: Arrive) -> None:
    """Read the descriptor, not the stream: a thread that sleeps inside a buffered stream would
    stop the interpreter from exiting."""
    encoding = stdin.encoding or "utf-8"
    rest = b""
    while True:
        try:
            data = os.read(stdin.fileno(), 4096)
        except OSError:  # the terminal went away
            data = b""
        *lines, rest = (rest + data).split(b"\n")
        if not data and rest:  # the last line had no end
            lines.append(rest)
        try:
            for line in lines:
                loop.call_soon_threadsafe(arrive, line.decode(encoding, "replace"))
            if not data:
                loop.call_soon_threadsafe(arrive, None)
                return
        except RuntimeError:  # the loop has closed: the session is over
            return
