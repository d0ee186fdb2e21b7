"""A match: the mesh of one table on real links, with a clock and a disk.

Rule 1: every peer dials every other, and again whenever the link to it breaks; who opened the
table makes no difference.
Rule 2: what we say is on the disk before it is on a link (`Mesh.released`).
Rule 3: a link that ends, whatever was said with it, is dialled again. Nothing that another peer
says ends our part but what it signed of the game (`mesh`), and once everybody has signed the
charter the table is never void.
Rule 4: when the game is over we stay until the others have it too, but not for ever.
"""

from __future__ import annotations

import asyncio
import enum
import logging
import math
import os
import random
import time
from collections.abc import Mapping
from contextlib import suppress

from sobremesa.core.charter import Charter
from sobremesa.core.errors import BadMessage
from sobremesa.core.pieces import Seat
from sobremesa.net.links.addresses import Address, BadAddress, is_numeric
from sobremesa.net.links.channels import Channel, Channels
from sobremesa.net.links.dial import DialFailed, Redial, dial
from sobremesa.net.links.frames import Frame
from sobremesa.net.links.link import Link

from .events import MatchEvents
from .identity import Identity
from .mesh import Feed, Mesh
from .store import Store
from .tasks import Tasks

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


class MatchPhase(enum.Enum):
    """Where a match is between our signature and the end."""

    DIALLING = "dialling"
    """We have signed; links are made, and the others' signatures come in."""
    PLAYING = "playing"
    """Everybody has signed; the game goes on, or waits for who is away."""
    LINGERING = "lingering"
    """It is over for us; we stay for those who do not have it all yet."""
    CLOSED = "closed"
    """We dial nobody any more: we have left, or there is no such table."""


TRANSITIONS: Mapping[MatchPhase, frozenset[MatchPhase]] = {
    # A fault can be proven before everybody has signed, and others must hear of it.
    MatchPhase.DIALLING: frozenset({MatchPhase.PLAYING, MatchPhase.LINGERING, MatchPhase.CLOSED}),
    MatchPhase.PLAYING: frozenset({MatchPhase.LINGERING, MatchPhase.CLOSED}),
    MatchPhase.LINGERING: frozenset({MatchPhase.CLOSED}),
    MatchPhase.CLOSED: frozenset(),
}


class Match:
    """One table that we play at, from our signature to the end."""

    rest = 0.0

    def __init__(
        self,
        me: Identity,
        charter: Charter,
        index: int,
        store: Store,
        channels: Channels,
        events: MatchEvents,
    ) -> None:
        """:raises UsedBefore: if we have sat at a table of that number
        :raises LocalError: if this machine cannot keep the game
        :raises BadCharter: if the game is not ours
        """
        self.phase = MatchPhase.DIALLING
        self._me = me
        self._channels = channels
        self._events = events
        self._tasks = Tasks(lambda error: events.lost(f"The table cannot go on: {error}"))
        self._record = store.begin(charter.table, me.key)
        self._record.identity(me)
        self._record.keep_charter(charter)
        table = events.make_table(charter, index, self._record.seed())
        self.mesh = Mesh(table, index, me.sign, _now(), os.urandom(32))
        self._feeds: dict[Channel, Feed] = {}
        self._unlinked = [asyncio.Event() for _ in charter.peers]
        """Set while a peer is to be dialled."""
        self._redials = [Redial() for _ in charter.peers]
        self._away: list[str] = []
        self._blamed: set[str] = set()
        table.start()

    def begin(self, reserved: int | None = None) -> None:
        """Keep and send our signature, and see to it that there is a link to everybody; to the
        `reserved` peer we have one that may join the mesh yet (`adopt_channel`, or `seek`)."""
        self.publish()
        for peer in range(len(self.mesh.table.charter.peers)):
            if peer != self.mesh.me:
                if peer != reserved:
                    self.seek(peer)
                self._tasks.start(self._keep_link(peer))

    def name(self, peer: int) -> str:
        """What the peer's player is called."""
        return self.mesh.table.charter.name_of(peer)

    def peer_of(self, key: bytes) -> int | None:
        """Which peer has this key, or None."""
        peers = self.mesh.table.charter.peers
        return next((index for index, peer in enumerate(peers) if peer.key == key), None)

    # What the player does.

    def publish(self) -> None:
        """The table took messages, ours or others': store them, send them, tell the player.

        :raises CannotStore: if they cannot be stored; they are not sent then
        """
        mesh = self.mesh
        for message in mesh.table.log[mesh.released :]:
            self._record.keep_message((message.payload, message.signature))
            mesh.released += 1
        if self.phase is MatchPhase.DIALLING and mesh.table.started:
            self._change_to(MatchPhase.PLAYING)
        self._wake()
        self._events.table_changed()

    def keep_choice(self, step: int, seat: Seat, answer: str) -> None:
        """Keep an answer before it is given: a sealed one must be the same after a restart.

        :raises CannotStore: if that cannot be done
        """
        self._record.keep_choice(step, seat, answer)

    def say(self, text: str) -> None:
        """Chat."""
        line = self.mesh.say(text, int(time.time() * 1000))
        self._events.chatted(self.name(line.peer), line.text)
        self._wake()

    # Links.

    def take(self, channel: Channel, incoming: Frame) -> None:
        feed = self._feeds.get(channel)
        if feed is None:
            return  # another link took its place
        try:
            line = self.mesh.receive(feed, incoming, _now())
        except BadMessage as error:
            self._blame(feed.peer, error)
            raise
        if line is not None:
            self._events.chatted(self.name(line.peer), line.text)
        if self.mesh.moved:
            self._events.lost("This seat is played from another window now")
        if incoming.kind in ("msg", "leave"):
            self.publish()
        else:
            self._wake()

    def _blame(self, peer: int, error: BadMessage) -> None:
        """Only we know who passed on what proves nothing, so only we can say it; once is enough."""
        text = f"{self.name(peer)}'s machine sent {error}; the link is made anew."
        if text not in self._blamed:
            self._blamed.add(text)
            self._events.noticed(text, "warn")

    def next_frame(self, channel: Channel) -> Frame | None:
        feed = self._feeds.get(channel)
        return self.mesh.next_frame(feed) if feed is not None else None

    def ended(self, channel: Channel) -> None:
        # A goodbye is a courtesy: whatever was said with it, the link is dialled anew.
        self._drop(channel)

    def adopt(self, link: Link) -> None:
        """A new link to a peer of the table: take it, or keep the one there is."""
        peer = self.peer_of(link.key)
        if peer is None:
            link.abort("stranger", "no such peer")
            return
        old = self.mesh.feeds.get(peer)
        if old is not None:
            # One link a pair is enough, and two would each bring everything twice.
            if not self.mesh.takes_over(old, link.dialled, _now()):
                self._channels.hang_up(link, "doubled", "There is a link already.")
                return
            stale = next(channel for channel, feed in self._feeds.items() if feed is old)
            self._drop(stale)
            self._channels.hang_up(stale.link, "doubled", "Another link took over.")
        self.adopt_channel(self._channels.attach(link, self))

    def adopt_channel(self, channel: Channel) -> None:
        """Make a link to a peer one of the mesh."""
        peer = self.peer_of(channel.link.key)
        assert peer is not None
        channel.owner = self
        self._feeds[channel] = self.mesh.connect(peer, _now())
        self._unlinked[peer].clear()
        self.beat()

    def seek(self, peer: int) -> None:
        """There is no link to a peer, unless it is in the mesh: dial it."""
        if peer not in self.mesh.feeds:
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
            try:
                link = await dial(self._me, addresses, "peer", table=charter.table, allowed={key})
            except DialFailed as error:
                logger.info("no link to %s: %s", self.name(peer), error)
            else:
                self.adopt(link)

    def _drop(self, channel: Channel) -> Feed | None:
        """A link leaves the mesh; its feed, or None if it had left before."""
        feed = self._feeds.pop(channel, None)
        if feed is not None:
            self.mesh.disconnect(feed)
            self._unlinked[feed.peer].set()
            if _now() - feed.since > STEADY:
                self._redials[feed.peer].reset()
            self.beat()
        return feed

    def _wake(self) -> None:
        for channel in self._feeds:
            channel.wake.set()

    # The clock.

    def beat(self) -> None:
        """Tell everybody that we are there."""
        self.mesh.beat()
        self._wake()

    def tick(self) -> None:
        """See who is away."""
        waits = self.phase is MatchPhase.PLAYING and self.mesh.table.live
        away = [self.name(peer) for peer in self.mesh.away(_now())] if waits else []
        if away != self._away:
            self._away = away
            self._events.away(away)

    def slept(self) -> None:
        """This machine slept: what the links hold is old, so they are made anew first."""
        for channel in self._feeds:
            channel.link.abort("slept", "this machine slept")

    # The end.

    async def linger(self) -> None:
        """Stay until everybody has what they need of us, but not for ever."""
        if self.phase is MatchPhase.CLOSED:
            return  # the player left in the moment in which it ended
        self._change_to(MatchPhase.LINGERING)
        mesh = self.mesh
        # Who is done last has nobody to wait for, but others wait to hear that it is.
        self.beat()
        with suppress(TimeoutError):
            async with asyncio.timeout(LINGER):
                while mesh.unfinished() or not all(map(mesh.settled, mesh.feeds.values())):
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
                    while not all(map(mesh.settled, mesh.feeds.values())):  # noqa: ASYNC110
                        await asyncio.sleep(GLANCE)

    async def stop(self) -> None:
        """Dial nobody any more."""
        self._close()
        await self._tasks.stop()

    def put_away(self) -> None:
        """Close the record; if there is nothing to come back to, seed and journal go."""
        if self.mesh.table.live and self.mesh.me not in self.mesh.farewells:
            self._record.close()
        else:
            self._record.remove()

    def void(self) -> None:
        """The start was called off: there is no such table.

        :raises ValueError: if everybody has signed; what stands is never void
        """
        if self.mesh.table.started:
            raise ValueError("a started table is never void")
        self._close()
        self._tasks.cancel()
        for channel in list(self._feeds):
            self._drop(channel)
            channel.link.abort("calloff", "the start was called off")
        self._record.remove()

    def _close(self) -> None:
        # Who leaves and a start that is called off may meet.
        if self.phase is not MatchPhase.CLOSED:
            self._change_to(MatchPhase.CLOSED)

    def _change_to(self, phase: MatchPhase) -> None:
        """:raises ValueError: if there is no such way from where the match is"""
        if phase not in TRANSITIONS[self.phase]:
            raise ValueError(f"a match that is {self.phase.value} cannot be {phase.value}")
        self.phase = phase


def _dialable(addresses: tuple[str, ...]) -> list[Address]:
    """Those of a peer's addresses that are some: it could have written anything."""
    found = []
    for text in addresses:
        with suppress(BadAddress):
            found.append(Address.read(text))
    return [address for address in found if is_numeric(address.host)]


def _now() -> float:
    return asyncio.get_running_loop().time()
