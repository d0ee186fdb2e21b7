"""A link: a connection between two peers that know each other.

Rule 1: whoever reads learns how it ended: `receive` gives None and `closed_why` says why. What is
sent on a link that ended is lost; peers say what they have when they meet again.
Rule 2: a link never waits for TCP. One from which nothing comes for four seconds, or into which
nothing goes for five, or whose queue is full, is aborted, and somebody dials anew.
Rule 3: one task writes. Nobody who posts a frame waits for a slow reader.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass

from .handshake import goodbye
from .stream import PIECE, FrameStream
from .wire import BadFrame, Frame


@dataclass(frozen=True, slots=True)
class Pace:
    """When a link counts as dead: seconds of silence and of a stalled write, bytes in its queue;
    and how many seconds a farewell may take."""

    silence: float = 4.0
    stall: float = 5.0
    queue: int = 256 * 1024
    farewell: float = 2.0


@dataclass(frozen=True, slots=True)
class Ending:
    """Why a link ended. `code` is one of ours (silent, stalled, slow, bad, lost, closed), or the
    word that the other side gave with its farewell; `text` is for people."""

    code: str
    text: str


class Link:
    """An authenticated link. `key` is the other peer's, `mode` what it came for, `dialled`
    whether we dialled it, `address` its host as text. Made by `dial` and `listen`, in a loop."""

    def __init__(
        self,
        stream: FrameStream,
        key: bytes,
        table: bytes,
        mode: str,
        *,
        dialled: bool,
        pace: Pace,
    ) -> None:
        self.key = key
        self.table = table
        self.mode = mode
        self.dialled = dialled
        self.address = stream.address
        self.closed_why: Ending | None = None
        self._stream = stream
        self._pace = pace
        self._queue: deque[bytes] = deque()
        self._queued = 0
        self._work = asyncio.Event()
        self._room = asyncio.Event()
        self._reading = asyncio.Lock()
        stream.trust()
        self._writer = asyncio.create_task(self._write_queue())

    def post(self, frame: Frame) -> None:
        """Queue a frame; a full queue ends the link."""
        if self._full(frame):
            self.abort("slow", "the other side does not keep up")
        self._put(frame)

    async def send(self, frame: Frame) -> None:
        """Queue a frame as soon as there is room."""
        while self.closed_why is None and self._full(frame):
            self._room.clear()
            await self._room.wait()
        self._put(frame)

    async def receive(self) -> Frame | None:
        """The next frame, or None when the link has ended."""
        async with self._reading:
            while self.closed_why is None:
                try:
                    frame = await self._next()
                except BadFrame as error:
                    self._stream.write_last(bye("bad", str(error)))
                    self.abort("bad", f"the other side sent {error}")
                    continue
                if frame is None:
                    self.abort("lost", "the connection broke")
                elif frame.kind == "bye":
                    farewell = goodbye(frame)
                    self.abort(farewell.code, str(farewell))
                else:
                    return frame
        return None

    async def frames(self) -> AsyncIterator[Frame]:
        """All frames until the link ends."""
        while (frame := await self.receive()) is not None:
            yield frame

    async def close(self, code: str, text: str) -> None:
        """Say goodbye, give what is queued a moment to arrive, and end the link."""
        if self.closed_why is None:
            self._put(bye(code, text))
            self.closed_why = Ending("closed", text)
            with contextlib.suppress(TimeoutError, BadFrame):
                async with asyncio.timeout(self._pace.farewell), self._reading:
                    # The other side hangs up when it has read the goodbye, or says its own.
                    while (frame := await self._next()) and frame.kind != "bye":
                        pass
        self.abort("closed", text)

    def abort(self, code: str, text: str) -> None:
        """End the link now."""
        if self.closed_why is None:
            self.closed_why = Ending(code, text)
        self._writer.cancel()
        self._room.set()
        self._stream.abort()

    async def _next(self) -> Frame | None:
        """The next frame, or None if the connection broke or fell silent, which ends the link."""
        while (frame := self._stream.next()) is None:
            try:
                async with asyncio.timeout(self._pace.silence):
                    if not await self._stream.more():
                        return None
            except TimeoutError:
                self.abort("silent", f"nothing was heard for {self._pace.silence:g} s")
                return None
            except OSError:
                return None
        return frame

    def _full(self, frame: Frame) -> bool:
        # A frame that is longer than the queue still goes out, alone.
        return self._queued > 0 and self._queued + len(frame.wire) > self._pace.queue

    def _put(self, frame: Frame) -> None:
        if self.closed_why is None:
            self._queue.append(frame.wire)
            self._queued += len(frame.wire)
            self._work.set()

    async def _write_queue(self) -> None:
        while True:
            while self._queue:
                data = self._queue.popleft()
                for start in range(0, len(data), PIECE):
                    try:
                        async with asyncio.timeout(self._pace.stall):
                            await self._stream.write(data[start : start + PIECE])
                    except TimeoutError:
                        self.abort("stalled", "nothing more could be sent")
                        return
                    except OSError:
                        self.abort("lost", "the connection broke")
                        return
                self._queued -= len(data)
                self._room.set()
            self._work.clear()
            await self._work.wait()


def bye(code: str, text: str) -> Frame:
    """A goodbye; too long a text is cut."""
    return Frame.make("bye", code=code[:20], text=text[:300])
