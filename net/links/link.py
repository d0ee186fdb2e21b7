"""A link: a connection between two peers that know each other.

Rule 1: whoever reads learns how it ended: `receive` gives None and `closed_why` says why. What is
sent on a link that ended is lost; peers say what they have when they meet again.
Rule 2: a link never waits for TCP. One from which nothing comes for four seconds, or into which
nothing goes for five, is aborted, and somebody dials anew.
Rule 3: nothing is queued here: `send` returns when there is room for more.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass

from .frames import BadFrame, Frame
from .handshake import goodbye
from .stream import FrameStream


@dataclass(frozen=True, slots=True)
class Pace:
    """When a link counts as dead: seconds of silence, and of a stalled write; and how many
    seconds a farewell may take."""

    silence: float = 4.0
    stall: float = 5.0
    farewell: float = 2.0


@dataclass(frozen=True, slots=True)
class Ending:
    """Why a link ended. `code` is one of ours (silent, stalled, bad, lost, closed), or the word
    that the other side gave with its farewell; `text` is for people."""

    code: str
    text: str


class Link:
    """An authenticated link. `key` is the other peer's, `mode` what the dialler came for,
    `dialled` whether that was us, `address` the other side's host as text. `dial` and `listen`
    make them."""

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
        self._reading = asyncio.Lock()
        self._writing = asyncio.Lock()
        stream.trust()

    async def send(self, frame: Frame) -> None:
        """Send a frame and wait for room; on a link that ended, nothing happens."""
        async with self._writing:
            if self.closed_why is None:
                await self._write(frame)

    async def receive(self) -> Frame | None:
        """The next frame, or None when the link has ended."""
        async with self._reading:
            while self.closed_why is None:
                try:
                    frame = await self._next()
                except BadFrame as error:
                    self._stream.send_last("bad", f"You sent {error}.")
                    self.abort("bad", f"the other side sent {error}")
                    break
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
        """Say goodbye, give what was sent a moment to arrive, and end the link."""
        if self.closed_why is None:
            self.closed_why = Ending("closed", text)
            with contextlib.suppress(TimeoutError, BadFrame):
                async with asyncio.timeout(self._pace.farewell):
                    async with self._writing:
                        await self._write(Frame.bye(code, text))
                    # The other side hangs up when it has read the goodbye, or says its own.
                    async with self._reading:
                        while (frame := await self._next()) and frame.kind != "bye":
                            pass
        self.abort("closed", text)

    def abort(self, code: str, text: str) -> None:
        """End the link now."""
        if self.closed_why is None:
            self.closed_why = Ending(code, text)
        self._stream.abort()

    async def _write(self, frame: Frame) -> None:
        try:
            await self._stream.send(frame, self._pace.stall)
        except TimeoutError:
            self.abort("stalled", "nothing more could be sent")
        except OSError:
            self.abort("lost", "the connection broke")

    async def _next(self) -> Frame | None:
        """The next frame, or None if the connection broke or fell silent."""
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
