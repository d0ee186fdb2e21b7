"""The links to the other peers of one table: the mesh, on sockets and by a clock.

Rule 1: every peer dials every other, and again whenever the link to it breaks; who opened the
table makes no difference.
Rule 2: a link that ends, whatever was said with it, is dialled again. Nothing that another peer
says ends our part but what it signed of the game (`mesh`).
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
import random
import time
from collections.abc import Callable, Mapping, Sequence

from sobremesa.core.addresses import MOST_ADDRESSES
from sobremesa.core.errors import BadMessage, TooFarAhead
from sobremesa.core.replica.table import Table
from sobremesa.net.links.addresses import Address, heard_addresses, is_cut_off
from sobremesa.net.links.channels import Channel, Channels
from sobremesa.net.links.dial import DialFailed, Redial, dial
from sobremesa.net.links.frames import Frame
from sobremesa.net.links.link import Link

from .events import LinkEvents
from .identity import Identity
from .mesh import Feed, Mesh
from .tasks import Tasks

SECOND_DIAL = 0.5
"""Seconds that the peer with the larger key waits before its first dial, to let the other's in."""
STEADY = 2.0
"""Seconds that a link must have lived for its loss to be dialled again at once."""
LAST_BEAT = 0.2
"""Seconds between heartbeats when the game is over: they say that we are done."""
GLANCE = 0.05
"""Seconds between two looks at whether our farewell is on its way."""
SHOWING = 5.0
"""Seconds in which an honest peer with another history has shown where the two part."""

logger = logging.getLogger(__name__)


class PeerLinks:
    """Links to all peers of a table but us. `took` is called when one brought something that the
    table may have taken."""

    rest = 0.0

    def __init__(
        self,
        table: Table,
        me: Identity,
        channels: Channels,
        events: LinkEvents,
        took: Callable[[], None],
    ) -> None:
        assert table.me is not None
        born = int(time.time() * 1000)
        self.mesh = Mesh(table, table.me, me.sign, _now(), os.urandom(32), born)
        self.synced = False
        """Whether some peer has sent all that it held when it met us."""
        self._me = me
        self._channels = channels
        self._events = events
        self._took = took
        self._tasks = Tasks(events.broke)
        self._feeds: dict[Channel, Feed] = {}
        peers = table.charter.peers
        self._unlinked = [asyncio.Event() for _ in peers]
        """Set while a peer is to be dialled."""
        self._redials = [Redial() for _ in peers]
        self.hosts = frozenset(
            Address.read(address).host for peer in peers for address in peer.addresses
        )
        """Where peers of the table said that they can be dialled."""
        self._found: dict[int, tuple[Address, ...]] = {}
        """Where peers were seen that are not where they said."""
        self._warned: set[str] = set()

    def begin(self, reserved: int | None) -> None:
        """See to it that there is a link to everybody; to the `reserved` peer we have one that
        may join the mesh yet (`adopt_channel`, or `seek`)."""
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

    # What goes out.

    def release(self, count: int) -> None:
        """So many messages of the table's log are kept: they may go out."""
        self.mesh.released = count
        self._wake()

    def say(self, text: str) -> None:
        """Chat."""
        line = self.mesh.say(text, int(time.time() * 1000))
        self._events.chatted(self.name(line.peer), line.text)
        self._wake()

    def tell_waiting(self, who: Mapping[bytes, str]) -> None:
        """Tell who waits at our machine for a seat in the next game, by key."""
        self.mesh.tell_waiting(who, int(time.time() * 1000))
        self._wake()

    def next_frame(self, channel: Channel) -> Frame | None:
        feed = self._feeds.get(channel)
        return self.mesh.next_frame(feed) if feed is not None else None

    def _wake(self) -> None:
        for channel in self._feeds:
            channel.wake.set()

    # What comes in.

    def take(self, channel: Channel, incoming: Frame) -> None:
        feed = self._feeds.get(channel)
        if feed is None:
            return  # another link took its place
        try:
            line = self.mesh.receive(feed, incoming, _now())
        except BadMessage as error:
            self._blame(feed.peer, error)
            raise
        except TooFarAhead as error:
            # We are behind, and nobody is to blame: what found no room comes on the next link.
            logger.info("%s is further on: %s", self.name(feed.peer), error)
            self._drop(channel)
            channel.link.abort("behind", "we have to catch up first")
            return
        if line is not None:
            self._events.chatted(self.name(line.peer), line.text)
        if incoming.kind == "moved" and self.mesh.windows.moved:
            self._events.lost("This seat is played from another window now")
        self.synced = self.synced or incoming.kind == "all"
        if incoming.kind in ("msg", "proof", "all"):
            self._took()  # what is new is released then, which wakes the links
        else:
            self._wake()

    def _blame(self, peer: int, error: BadMessage) -> None:
        """Only we know who passed on what proves nothing, so only we can say it; once is enough."""
        self._warn(f"{self.name(peer)}'s machine sent {error}; the link is made anew.")

    def _warn(self, text: str) -> None:
        """Tell the player something of the links, once."""
        if text not in self._warned:
            self._warned.add(text)
            self._events.noticed(text, "warn")

    # Links come and go.

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

    def found(self, key: bytes, addresses: Sequence[Address]) -> None:
        """Somebody who has, or says to have, this key was seen there."""
        peer = self.peer_of(key)
        if peer is not None:
            self._found[peer] = tuple(addresses[:MOST_ADDRESSES])

    async def _keep_link(self, peer: int) -> None:
        """Dial a peer whenever there is no link to it."""
        charter = self.mesh.table.charter
        key, told = charter.peers[peer].key, charter.peers[peer].addresses
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
                addresses = heard_addresses(map(Address.read, told))
                addresses = (*self._found.get(peer, ()), *addresses)
                link = await dial(self._me, addresses, "peer", table=charter.table, whom=key)
            except DialFailed as error:
                logger.info("no link to %s: %s", self.name(peer), error)
            else:
                self.adopt(link)

    def _drop(self, channel: Channel) -> None:
        """A link leaves the mesh, if it has not left before."""
        feed = self._feeds.pop(channel, None)
        if feed is not None:
            self.mesh.disconnect(feed)
            self._unlinked[feed.peer].set()
            if _now() - feed.since > STEADY:
                self._redials[feed.peer].reset()
            self.beat()

    def slept(self) -> None:
        """This machine slept: what the links hold is old, so they are made anew first."""
        for channel in self._feeds:
            channel.link.abort("slept", "this machine slept")

    # The clock.

    def beat(self) -> None:
        """Tell everybody that we are there."""
        self.mesh.beat()
        self._wake()

    def look_for_parted(self) -> None:
        """Tell whose history is not ours, if it does not show why."""
        for feed in self.mesh.feeds.values():
            if feed.comparison.parted is not None and _now() - feed.since > SHOWING:
                self._say_parted(feed.peer)

    def is_cut_off(self) -> bool:
        """Whether this machine has no way to where the others said that they are."""
        return is_cut_off(self.hosts)

    def _say_parted(self, peer: int) -> None:
        self._warn(
            f"{self.name(peer)}'s machine has another record of this game than yours and does not "
            "show who told it what: the game waits."
        )

    # The end.

    async def settle(self) -> None:
        """Come back when everybody has what they need of us."""
        mesh = self.mesh
        # Who is done last has nobody to wait for, but others wait to hear that it is.
        self.beat()
        while mesh.unfinished() or not all(map(mesh.settled, mesh.feeds.values())):
            self.beat()
            await asyncio.sleep(LAST_BEAT)

    async def see_off(self) -> None:
        """Come back when all that we said is on its way to all that we have links to."""
        self._wake()
        while not all(map(self.mesh.settled, self.mesh.feeds.values())):  # noqa: ASYNC110
            await asyncio.sleep(GLANCE)

    async def stop(self) -> None:
        """Dial nobody any more."""
        await self._tasks.stop()

    def cut(self, code: str, text: str) -> None:
        """End all links now, and dial nobody any more."""
        self._tasks.cancel()
        for channel in list(self._feeds):
            self._drop(channel)
            channel.link.abort(code, text)


def _now() -> float:
    return asyncio.get_running_loop().time()
