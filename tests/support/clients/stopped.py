"""A terminal that takes no output while it is stopped, as by Ctrl-S.

Rule 1: what came out is read only when a test asks, and always in whole.
"""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import pty
import struct
import termios
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TextIO

PATIENCE = 5.0


def stop(tty: int) -> None:
    """Let a terminal take nothing any more: a write to it does not come back."""
    termios.tcflow(tty, termios.TCOOFF)


def go(tty: int) -> None:
    """Let it take output again."""
    termios.tcflow(tty, termios.TCOON)


class Stopped:
    """One terminal; `stream` is what a client writes to."""

    def __init__(self, stream: TextIO, reader: int, tty: int) -> None:
        self.stream = stream
        self.read = b""
        self._reader = reader
        self._tty = tty

    @property
    def text(self) -> str:
        """All that came out so far."""
        return self.read.decode().replace("\r\n", "\n")

    def stop(self) -> None:
        stop(self._tty)

    def go(self) -> None:
        go(self._tty)

    def take(self) -> None:
        """Read what is there."""
        while True:
            try:
                data = os.read(self._reader, 1 << 16)
            except OSError as error:
                if error.errno in (errno.EAGAIN, errno.EIO):
                    return
                raise
            self.read += data

    async def until(self, holds: Callable[[], object], what: str) -> None:
        """Read on until it holds.

        :raises AssertionError: with what came out, if it does not in good time
        """
        deadline = asyncio.get_running_loop().time() + PATIENCE
        self.take()
        while not holds():
            now = asyncio.get_running_loop().time()
            assert now < deadline, f"never: {what}\n{self.text[-2000:]}"
            await asyncio.sleep(0.01)
            self.take()


@asynccontextmanager
async def stopped(columns: int = 80, rows: int = 24) -> AsyncIterator[Stopped]:
    """A terminal that is stopped from the beginning on."""
    reader, writer = pty.openpty()
    os.set_blocking(reader, False)
    fcntl.ioctl(writer, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    tty = os.dup(writer)  # the client may put another file in the stream's place
    with os.fdopen(writer, "w", encoding="utf-8") as stream:
        terminal = Stopped(stream, reader, tty)
        terminal.stop()
        try:
            yield terminal
        finally:
            terminal.go()
            terminal.take()
            os.close(reader)
            os.close(tty)
