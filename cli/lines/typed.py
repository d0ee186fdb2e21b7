"""Lines that somebody types or pipes in, without ever making the loop wait for them.

Rule 1: from a terminal, lines that come faster than anybody types were pasted: they arrive as one
`Pasted`, and nobody takes them for what the player wants to do.
"""

from __future__ import annotations

import asyncio
import os
import select
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable
from typing import TextIO

from sobremesa.core.errors import LocalError

AT_ONCE = 0.005
"""Seconds within which nobody types another line."""

READER = "typed lines"
"""The name of the reading thread."""

Arrive = Callable[[str | None], None]
"""Takes each line, and None when there will be no more."""


class Pasted(str):
    """Lines that came at once, as one text."""

    __slots__ = ()


def expect_typed(line: str) -> None:
    """:raises LocalError: if these lines were pasted"""
    if isinstance(line, Pasted):
        count, first = len(line.splitlines()), line.splitlines()[0]
        raise LocalError(
            f"{count} lines came at once, as if pasted, beginning with '{first[:40]}': none was "
            "taken. Type what you mean line by line"
        )


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


class Typed:
    """Typed lines, for whoever takes them now. `patient`: they are no terminal's, so they are a
    script; `ended`: there will be no more."""

    def __init__(self, stdin: TextIO | None) -> None:
        self.patient = stdin is None or not stdin.isatty()
        self.ended = False
        self._left: deque[str] = deque()
        self._came = asyncio.Event()
        self._hear: Arrive | None = None
        listen(stdin, self._arrive)

    def _arrive(self, line: str | None) -> None:
        if line is None:
            self.ended = True
        if self._hear is not None:
            self._hear(line)
        elif line is not None:
            self._left.append(line)
        self._came.set()

    def lend(self, hear: Arrive) -> None:
        """Somebody else takes the lines from now on, also those that nobody has taken yet."""
        self._hear = hear
        while self._left:
            hear(self._left.popleft())
        if self.ended:
            hear(None)

    def take_back(self, left: Iterable[str]) -> None:
        """Nobody else takes them any more; these were not taken."""
        self._hear = None
        self._left.extend(left)

    async def next(self) -> str | None:
        """The next line; None if there will be no more."""
        while not self._left:
            if self.ended:
                return None
            self._came.clear()
            await self._came.wait()
        return self._left.popleft()


def _read_some(stdin: TextIO) -> bytes:
    """What there is to read; nothing if there will be no more."""
    try:
        return os.read(stdin.fileno(), 4096)
    except OSError:  # the terminal went away
        return b""


def _read(stdin: TextIO, loop: asyncio.AbstractEventLoop, arrive: Arrive) -> None:
    """Read the descriptor, not the stream: a thread that sleeps inside a buffered stream would
    stop the interpreter from exiting."""
    encoding = stdin.encoding or "utf-8"
    may_paste = stdin.isatty() and sys.platform != "win32"  # where select takes sockets alone
    rest = b""
    while True:
        data = _read_some(stdin)
        while may_paste and data and select.select([stdin], [], [], AT_ONCE)[0]:
            more = _read_some(stdin)
            data += more
            if not more:
                break
        *lines, rest = (rest + data).split(b"\n")
        if not data and rest:  # the last line had no end
            lines.append(rest)
        try:
            texts = [line.decode(encoding, "replace") for line in lines]
            if may_paste and len(texts) > 1:
                texts = [Pasted("\n".join(texts))]
            for text in texts:
                loop.call_soon_threadsafe(arrive, text)
            if not data:
                loop.call_soon_threadsafe(arrive, None)
                return
        except RuntimeError:  # the loop has closed: the session is over
            return
