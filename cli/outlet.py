"""The one way to a terminal or a pipe, which may take nothing for as long as it likes.

A write to a stopped terminal (Ctrl-S, a selected console, a pager, a stalled ssh) comes back when
the terminal pleases, and nothing can call it back; so a thread of its own writes.

Rule 1: `put` never waits. Nobody has to wait for the thread, which may sit in a write for ever.
Rule 2: how much may wait is for whoever puts to say, by what is `waiting`.
"""

from __future__ import annotations

import asyncio
import io
import select
import threading
from collections import deque
from collections.abc import Callable
from typing import TextIO

WRITER = "way out"
"""The name of the writing thread."""


class Outlet:
    """Writes text to a stream. `news` is called on the loop whenever nothing waits any more, and
    when writing broke: `error` says why, and what is put then goes nowhere."""

    def __init__(self, stream: TextIO, news: Callable[[], None]) -> None:
        self.error: OSError | None = None
        self.waiting = 0
        """Bytes that the reader has not taken."""
        self._stream = stream
        # Below the buffer, if there is one: a thread that sleeps in it would keep the interpreter.
        buffer = getattr(stream, "buffer", None)
        raw = getattr(buffer, "raw", buffer)
        self._raw = raw if isinstance(raw, io.RawIOBase) else None
        self._news = news
        self._queue: deque[bytes] = deque()
        self._change = threading.Condition()
        self._thread: threading.Thread | None = None
        self._empty = asyncio.Event()
        self._empty.set()

    def put(self, text: str) -> None:
        """Write this after all that was put before."""
        if self._raw is None:  # memory, which nobody has to wait for
            self._stream.write(text)
            self._stream.flush()
        elif self.error is None:
            self._empty.clear()
            data = text.encode(self._stream.encoding or "utf-8", "replace")
            with self._change:
                self._queue.append(data)
                self.waiting += len(data)
                self._change.notify()
            if self._thread is None:
                given = (asyncio.get_running_loop(),)
                self._thread = threading.Thread(
                    target=self._write, args=given, name=WRITER, daemon=True
                )
                self._thread.start()

    async def drain(self, seconds: float) -> bool:
        """Wait until all is out, at most so long; whether it is."""
        try:
            async with asyncio.timeout(seconds):
                await self._empty.wait()
        except TimeoutError:
            return False
        return True

    async def finish(self, seconds: float) -> None:
        """Put no more, and wait until all is out, at most so long."""
        if await self.drain(seconds):
            with self._change:
                self._queue.append(b"")  # which ends the thread
                self._change.notify()

    def _write(self, loop: asyncio.AbstractEventLoop) -> None:
        while self.error is None:
            with self._change:
                while not self._queue:
                    self._change.wait()
                data = self._queue.popleft()
            if not data:
                return
            try:
                self._write_whole(data)
            except OSError as error:
                self.error = error
            except ValueError:  # whoever had the stream has closed it
                return
            with self._change:
                self.waiting -= len(data)
            if self.waiting == 0 or self.error is not None:
                try:
                    loop.call_soon_threadsafe(self._tell)
                except RuntimeError:  # the loop has closed: the session is over
                    return

    def _write_whole(self, data: bytes) -> None:
        assert self._raw is not None
        rest = memoryview(data)
        while rest:
            written = self._raw.write(rest)
            if written is None:  # somebody who shares the terminal made it non-blocking
                select.select([], [self._raw], [])
            else:
                rest = rest[written:]

    def _tell(self) -> None:
        if self.waiting == 0 or self.error is not None:
            self._empty.set()
            self._news()
