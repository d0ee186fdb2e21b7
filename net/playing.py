"""A peer in the game: the mesh of one table on real links, with a clock and a disk.

Rule 1: every peer dials every other, and again whenever the link to it breaks; who opened the
table makes no difference.
Rule 2: what we say is on the disk before it is on a link (`Mesh.released`).
Rule 3: when the game is over we stay until the others have it too, but not for ever.
"""

from __future__ import annotations

import asyncio
import logging
import math
import random
import time
from contextlib import suppress

from sobremesa.core.errors import BadMessage
from sobremesa.core.pieces import Seat
from sobremesa.core.replica.charter import Charter

from .addresses import Address, BadAddress, is_numeric
from .audience import Audience
from .dial import DialFailed, Redial, dial
from .identity import Identity
from .link import Link
from .mesh import Lane, Mesh
from .store import Store
from .tasks import Tasks
from .wire import Frame
from .wires import Wire, Wires

SECOND_DIAL = 0.5
"""Seconds that the peer with the larger key waits before its first dial, to let the other's in."""
STEADY = 2.0
"""Seconds that a link must have lived for its loss to be dialled again at once."""
LINGER = 15.0
"""Seconds at most that we stay after the end for peers that do not have it all yet."""
LAST_BEAT = 0.2
"""Seconds between heartbeats then: they say that we are done."""
FAREWELL = 1.0
"""Seconds in which our farewell must be on its way."""
GLANCE = 0.05
"""Seconds between two looks at whether it is."""

logger = logging.getLogger(__name__)


class Playing:
    """One table that we play at, from our signature to the end."""

    rest = 0.0

    def __init__(
        self,
        me: Identity,
        charter: Charter,
        index: int,
        store: Store,
        wires: Wires,
        audience: Audience,
    ) -> None:
        """:raises UsedBefore: if we have sat at a table of that number
        :raises LocalError: if this machine cannot keep the game
        :raises BadCharter: if the game is not ours
        """
        self._me = me
        self._wires = wires
        self._audience = audience
        self._tasks = Tasks(lambda error: audience.lost(f"The table cannot go on: {error}"))
        self._record = store.begin(charter.table, me.key)
        self._record.identity(me)
        self._record.keep_charter(charter)
        table = audience.make_table(charter, index, self._record.seed())
        self.mesh = Mesh(table, index, me.sign, _now())
        self._lanes: dict[Wire, Lane] = {}
        self._unlinked = [asyncio.Event() for _ in charter.peers]
        """Set while a peer is to be dialled."""
        self._redials = [Redial() for _ in charter.peers]
        self._dialling: set[int] = set()
        self._away: list[str] = []
        self._blamed: set[str] = set()
        table.start()

    def begin(self, reserved: int | None = None) -> None:
        """Keep and send our signature, and see to it that there is a link to everybody; to the
        `reserved` peer we have one that may join the mesh yet (`adopt_wire`, or `seek`)."""
        self.changed()
        for peer in range(len(self.mesh.table.charter.peers)):
            if peer != self.mesh.me:
                if peer != reserved:
                    self.seek(peer)
                self._tasks.start(self._keep_link(peer))

    def name(self, peer: int) -> str:
        """What the peer's player is called."""
        return self.mesh.table.charter.peers[peer].name

    def peer_of(self, key: bytes) -> int | None:
        """Which peer has this key, or None."""
        peers = self.mesh.table.charter.peers
        return next((index for index, peer in enumerate(peers) if peer.key == key), None)

    # What the player does.

    def changed(self) -> None:
        """The table took messages, ours or others': store them, send them, tell the player.

        :raises CannotStore: if they cannot be stored; they are not sent then
        """
        mesh = self.mesh
        for message in mesh.table.log[mesh.released :]:
            self._record.keep_message((message.payload, message.signature))
            mesh.released += 1
        self._wake()
        self._audience.changed()

    def keep_choice(self, step: int, seat: Seat, answer: str) -> None:
        """Keep an answer before it is given: a sealed one must be the same after a restart.

        :raises CannotStore: if that cannot be done
        """
        self._record.keep_choice(step, seat, answer)

    def say(self, text: str) -> None:
        """Chat."""
        line = self.mesh.say(text, int(time.time() * 1000))
        self._audience.chatted(self.name(line.peer), line.text)
        self._wake()

    # Links.

    def take(self, wire: Wire, incoming: Frame) -> None:
        lane = self._lanes.get(wire)
        if lane is None:
            return  # it was replaced by another link
        try:
            line = self.mesh.receive(lane, incoming, _now())
        except BadMessage as error:
            self._blame(lane.peer, error)
            raise
        if line is not None:
            self._audience.chatted(self.name(line.peer), line.text)
        if incoming.kind in ("msg", "leave"):
            self.changed()
        else:
            self._wake()

    def _blame(self, peer: int, error: BadMessage) -> None:
        """Only we know who passed on what proves nothing, so only we can say it; once is enough."""
        text = f"{self.name(peer)}'s machine sent {error}; the link is made anew."
        if text not in self._blamed:
            self._blamed.add(text)
            self._audience.noticed(text, "warn")

    def next_frame(self, wire: Wire) -> Frame | None:
        lane = self._lanes.get(wire)
        return self.mesh.next_frame(lane) if lane is not None else None

    def ended(self, wire: Wire) -> None:
        lane = self._drop(wire)
        why = wire.link.closed_why
        if lane is None or why is None or why.code != "replaced":
            return
        # A link that we are dialling ourselves may have taken the place of this one.
        if lane.peer not in self._dialling:
            self._audience.lost("This seat is played from another window now")

    def adopt(self, link: Link) -> None:
        """A new link to a peer of the table: take it, or keep the one there is."""
        peer = self.peer_of(link.key)
        if peer is None:
            link.abort("stranger", "no such peer")
            return
        old = self.mesh.lanes.get(peer)
        if old is not None:
            if not self.mesh.takes_over(old, link.dialled, _now()):
                self._wires.hang_up(link, "doubled", "There is a link already.")
                return
            stale = next(wire for wire, lane in self._lanes.items() if lane is old)
            self._drop(stale)
            code = "replaced" if _now() - old.since > Mesh.RACE else "doubled"
            self._wires.hang_up(stale.link, code, "Another link took over.")
        self.adopt_wire(self._wires.attach(link, self))

    def adopt_wire(self, wire: Wire) -> None:
        """Make a link to a peer one of the mesh."""
        peer = self.peer_of(wire.link.key)
        assert peer is not None
        wire.owner = self
        self._lanes[wire] = self.mesh.connect(peer, _now())
        self._unlinked[peer].clear()
        self.beat()

    def seek(self, peer: int) -> None:
        """There is no link to a peer, unless it is in the mesh: dial it."""
        if peer not in self.mesh.lanes:
            self._unlinked[peer].set()

    async def _keep_link(self, peer: int) -> None:
        """Dial a peer whenever there is no link to it."""
        charter = self.mesh.table.charter
        key = charter.peers[peer].key
        addresses = _dialable(charter.peers[peer].addresses)
        if self._me.key > key:
            await asyncio.sleep(SECOND_DIAL)
        tried = -math.inf
        while True:
            await self._unlinked[peer].wait()
            due = tried + self._redials[peer].next(random.uniform(-1, 1))
            await asyncio.sleep(max(0.0, due - _now()))
            if not self._unlinked[peer].is_set():
                continue
            tried = _now()
            self._dialling.add(peer)
            try:
                link = await dial(self._me, addresses, "peer", table=charter.table, allowed={key})
            except DialFailed as error:
                logger.info("no link to %s: %s", self.name(peer), error)
            else:
                self.adopt(link)
            finally:
                self._dialling.discard(peer)

    def _drop(self, wire: Wire) -> Lane | None:
        """A link leaves the mesh; its lane, or None if it had left before."""
        lane = self._lanes.pop(wire, None)
        if lane is not None:
            self.mesh.disconnect(lane)
            self._unlinked[lane.peer].set()
            if _now() - lane.since > STEADY:
                self._redials[lane.peer].reset()
            self.beat()
        return lane

    def _wake(self) -> None:
        for wire in self._lanes:
            wire.wake.set()

    # The clock.

    def beat(self) -> None:
        """Tell everybody that we are there."""
        self.mesh.beat()
        self._wake()

    def tick(self) -> None:
        """See who is away."""
        table = self.mesh.table
        waits = table.started and table.live
        away = [self.name(peer) for peer in self.mesh.away(_now())] if waits else []
        if away != self._away:
            self._away = away
            self._audience.away(away)

    def slept(self) -> None:
        """This machine slept: what the links hold is old, so they are made anew first."""
        for wire in self._lanes:
            wire.link.abort("slept", "this machine slept")

    # The end.

    async def linger(self) -> None:
        """Stay until everybody has what they need of us, but not for ever."""
        mesh = self.mesh
        # Who is done last has nobody to wait for, but others wait to hear that it is.
        self.beat()
        with suppress(TimeoutError):
            async with asyncio.timeout(LINGER):
                while mesh.unfinished() or not all(map(mesh.settled, mesh.lanes.values())):
                    self.beat()
                    await asyncio.sleep(LAST_BEAT)

    async def leave(self) -> None:
        """Say farewell, if there is a game to leave, and let it go out."""
        mesh = self.mesh
        if mesh.table.live:
            mesh.leave()
            self._wake()
            with suppress(TimeoutError):
                async with asyncio.timeout(FAREWELL):
                    while not all(map(mesh.settled, mesh.lanes.values())):  # noqa: ASYNC110
                        await asyncio.sleep(GLANCE)

    async def stop(self) -> None:
        """Dial nobody any more."""
        await self._tasks.stop()

    def put_away(self) -> None:
        """Close the record; if there is nothing to come back to, seed and journal go."""
        if self.mesh.table.live and self.mesh.me not in self.mesh.farewells:
            self._record.close()
        else:
            self._record.remove()

    def void(self) -> None:
        """The start was called off: there is no such table."""
        self._tasks.cancel()
        for wire in list(self._lanes):
            self._drop(wire)
            wire.link.abort("calloff", "the start was called off")
        self._record.remove()


def _dialable(addresses: tuple[str, ...]) -> list[Address]:
    """Those of a peer's addresses that are some: it could have written anything."""
    found = []
    for text in addresses:
        with suppress(BadAddress):
            found.append(Address.read(text))
    return [address for address in found if is_numeric(address.host)]


def _now() -> float:
    return asyncio.get_running_loop().time()
