"""Channels: links in use, each with what waits to go out on it, and with the part of this peer
that it talks to now, the waiting room or the game.

Rule 1: one task reads a link and one writes it; nobody else touches it but to end it.
Rule 2: who does not read cannot fill our memory: a room that has hundreds of frames waiting for
one guest drops it, and a game keeps nothing for anybody but a place in its log (`mesh`).
Rule 3: no link keeps the others waiting: whoever reads or writes one gives way after every frame,
however much there is to read or room to write.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Protocol

from sobremesa.core.errors import BadMessage, SobremesaError
from sobremesa.net.tasks import Tasks

from .frames import Frame
from .link import Link

MOST_WAITING = 256

NEWEST = ("beat", "room")
"""Kinds of which only the newest counts: it takes the place of another that waits last."""

LEFT = "left"
"""The word of a farewell on purpose (`Ending.code`)."""

logger = logging.getLogger(__name__)


class Refused(SobremesaError):
    """A table does not take somebody, or somebody does not take it; the text says why."""


class Owner(Protocol):
    """The part of this peer that a link belongs to at the moment. `rest` is how many seconds to
    wait after a frame before the next one on the same link is read."""

    rest: float

    def take(self, channel: Channel, incoming: Frame) -> None:
        """A frame came in.

        :raises BadMessage: if the other side does not keep to the protocol
        :raises Refused: if we do not want it here, with what to tell it
        """

    def next_frame(self, channel: Channel) -> Frame | None:
        """What to send when nothing is queued, or None until the channel is woken."""

    def ended(self, channel: Channel) -> None:
        """The link is over; `frames.link.closed_why` says how."""


@dataclass(eq=False, slots=True)
class Channel:
    """A link in use."""

    link: Link
    owner: Owner
    queue: deque[Frame] = field(default_factory=deque)
    wake: asyncio.Event = field(default_factory=asyncio.Event)

    def post(self, kind: str, **values: Any) -> None:
        """Queue a frame; it goes out before whatever the owner has."""
        self.pass_on(Frame.make(kind, **values))

    def pass_on(self, frame: Frame) -> None:
        """Queue a frame that is made already."""
        if frame.kind in NEWEST and self.queue and self.queue[-1].kind == frame.kind:
            self.queue.pop()
        if len(self.queue) >= MOST_WAITING:
            self.link.abort("slow", "the other side does not keep up")
            return
        self.queue.append(frame)
        self.wake.set()


class Channels:
    """All links of this peer."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self._channels: set[Channel] = set()
        self._closed = False

    def attach(self, link: Link, owner: Owner) -> Channel:
        """Read and write a link from now on."""
        channel = Channel(link, owner)
        self._channels.add(channel)
        self._tasks.start(self._read(channel))
        self._tasks.start(self._write(channel))
        return channel

    def hang_up(self, link: Link, code: str, text: str) -> None:
        """End a link with a word to the other side, in the background."""
        self._tasks.start(link.close(code, text))

    async def close(self, code: str, text: str) -> None:
        """End all links with a word to the other sides; their owners hear no more of them."""
        self._closed = True
        links = [channel.link for channel in self._channels]
        await asyncio.gather(*(link.close(code, text) for link in links))

    async def _read(self, channel: Channel) -> None:
        async for incoming in channel.link.frames():
            try:
                channel.owner.take(channel, incoming)
            except (BadMessage, Refused) as error:
                logger.warning("closing a link: %s", error)
                code = "refused" if isinstance(error, Refused) else "bad"
                await channel.link.close(code, str(error))
            await asyncio.sleep(channel.owner.rest)
        self._channels.discard(channel)
        channel.wake.set()
        if not self._closed:
            channel.owner.ended(channel)

    async def _write(self, channel: Channel) -> None:
        while channel.link.closed_why is None:
            channel.wake.clear()
            frame = channel.queue.popleft() if channel.queue else channel.owner.next_frame(channel)
            if frame is None:
                await channel.wake.wait()
            else:
                await channel.link.send(frame)
                await asyncio.sleep(0)
