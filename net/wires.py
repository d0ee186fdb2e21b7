"""Links in use: each with what waits to go out on it, and with the part of this peer that it
talks to now, the waiting room or the game.

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

from sobremesa.core.errors import BadMessage

from .link import Link
from .lobby import Refused
from .tasks import Tasks
from .wire import Frame

MOST_WAITING = 256

NEWEST = ("beat", "room")
"""Kinds of which only the newest counts: it takes the place of another that waits last."""

LEFT = "left"
"""The word of a farewell on purpose (`Ending.code`)."""

BROKEN = ("lost", "silent", "stalled", "slept", "slow")
"""Ends of a link that nobody meant (`Ending.code`): the other side may still be there."""

logger = logging.getLogger(__name__)


class Owner(Protocol):
    """The part of this peer that a link belongs to at the moment. `rest` is how many seconds to
    wait after a frame before the next one on the same link is read."""

    rest: float

    def take(self, wire: Wire, incoming: Frame) -> None:
        """A frame came in.

        :raises BadMessage: if the other side does not keep to the protocol
        :raises Refused: if we do not want it here, with what to tell it
        """

    def next_frame(self, wire: Wire) -> Frame | None:
        """What to send when nothing is queued, or None until the wire is woken."""

    def ended(self, wire: Wire) -> None:
        """The link is over; `wire.link.closed_why` says how."""


@dataclass(eq=False, slots=True)
class Wire:
    """A link in use."""

    link: Link
    owner: Owner
    queue: deque[Frame] = field(default_factory=deque)
    wake: asyncio.Event = field(default_factory=asyncio.Event)

    def post(self, kind: str, **values: Any) -> None:
        """Queue a frame; it goes out before whatever the owner has."""
        if kind in NEWEST and self.queue and self.queue[-1].kind == kind:
            self.queue.pop()
        if len(self.queue) >= MOST_WAITING:
            self.link.abort("slow", "the other side does not keep up")
            return
        self.queue.append(Frame.make(kind, **values))
        self.wake.set()


class Wires:
    """All links of this peer."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self._wires: set[Wire] = set()
        self._closed = False

    def attach(self, link: Link, owner: Owner) -> Wire:
        """Read and write a link from now on."""
        wire = Wire(link, owner)
        self._wires.add(wire)
        self._tasks.start(self._read(wire))
        self._tasks.start(self._write(wire))
        return wire

    def hang_up(self, link: Link, code: str, text: str) -> None:
        """End a link with a word to the other side, in the background."""
        self._tasks.start(link.close(code, text))

    async def close(self, code: str, text: str) -> None:
        """End all links with a word to the other sides; their owners hear no more of them."""
        self._closed = True
        links = [wire.link for wire in self._wires]
        await asyncio.gather(*(link.close(code, text) for link in links))

    async def _read(self, wire: Wire) -> None:
        async for incoming in wire.link.frames():
            try:
                wire.owner.take(wire, incoming)
            except (BadMessage, Refused) as error:
                logger.warning("closing a link: %s", error)
                code = "refused" if isinstance(error, Refused) else "bad"
                await wire.link.close(code, str(error))
            await asyncio.sleep(wire.owner.rest)
        self._wires.discard(wire)
        wire.wake.set()
        if not self._closed:
            wire.owner.ended(wire)

    async def _write(self, wire: Wire) -> None:
        while wire.link.closed_why is None:
            wire.wake.clear()
            frame = wire.queue.popleft() if wire.queue else wire.owner.next_frame(wire)
            if frame is None:
                await wire.wake.wait()
            else:
                await wire.link.send(frame)
                await asyncio.sleep(0)
