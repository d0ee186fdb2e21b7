"""Frames over one TLS connection, before and after both sides are known.

Rule 1: a connection ends by `abort` and in no other way; TLS's own farewell can wait for ever.
"""

from __future__ import annotations

import asyncio
import socket

from .addresses import plain_host
from .frames import LIMIT, STRANGER_LIMIT, Frame, FrameReader

PIECE = 16 * 1024
"""Bytes handed to the connection at once, and that may wait in it."""


class FrameStream:
    """A connection that carries frames. `certificate` is the hash of the listener's certificate;
    `address` the other side's host as text."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, certificate: bytes
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._frames = FrameReader(STRANGER_LIMIT)
        self.certificate = certificate
        peer = writer.get_extra_info("peername")
        self.address = plain_host(peer[0]) if peer else ""
        writer.transport.set_write_buffer_limits(high=PIECE)
        connection = writer.get_extra_info("socket")
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def trust(self) -> None:
        """Allow long frames from now on."""
        self._frames.limit = LIMIT

    def next(self) -> Frame | None:
        """The next frame among the bytes that have come, or None.

        :raises BadFrame: if they are no frame
        """
        return self._frames.next()

    async def more(self) -> bool:
        """Wait for more bytes; False if there will be none.

        :raises OSError: if the connection broke
        """
        data = await self._reader.read(min(self._frames.limit, PIECE))
        self._frames.add(data)
        return bool(data)

    async def receive(self) -> Frame | None:
        """The next frame; None if the other side hung up first.

        :raises BadFrame: if it is none
        :raises OSError: if the connection broke
        """
        while (frame := self.next()) is None:
            if not await self.more():
                return None
        return frame

    async def send(self, frame: Frame, stall: float | None = None) -> None:
        """Send a frame, and wait until there is room for another.

        :raises TimeoutError: if nothing moved for `stall` seconds
        :raises OSError: if the connection broke
        """
        data = frame.encoded
        for start in range(0, len(data), PIECE):
            self._writer.write(data[start : start + PIECE])
            async with asyncio.timeout(stall):
                await self._writer.drain()

    def send_last(self, code: str, text: str) -> None:
        """Say goodbye as far as it goes without waiting, and abort."""
        self._writer.write(Frame.bye(code, text).encoded)
        self.abort()

    def abort(self) -> None:
        """End the connection now."""
        self._writer.transport.abort()
