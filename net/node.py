"""One peer on the network: it listens, sits in a room, and plays; the parts are elsewhere.

Rule 1: a failure of discovery, of one link or of one guest never stops the table.
Rule 2: a machine that slept makes its links anew before it acts on what they hold.
Rule 3: of a game under way the network is told by the first of its peers that is here.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sobremesa.core.errors import LocalError
from sobremesa.core.game import Game
from sobremesa.core.replica.charter import Charter, Copy
from sobremesa.core.replica.table import Table
from sobremesa.core.replica.transcript import Message
from sobremesa.net.finding.discovery import Advert
from sobremesa.net.finding.listing import write_listing, write_playing
from sobremesa.net.finding.whereabouts import Search, Whereabouts
from sobremesa.net.links.addresses import Address, own_addresses, told_addresses
from sobremesa.net.links.channels import LEFT, Channel, Channels
from sobremesa.net.links.handshake import new_code
from sobremesa.net.links.link import Link
from sobremesa.net.links.listen import CannotListen, Listener
from sobremesa.net.room.events import RoomEvents
from sobremesa.net.room.guest import RoomGuest
from sobremesa.net.room.host import CLOSED, RoomHost
from sobremesa.net.room.room import Room

from .identity import Identity
from .match import Match, MatchPhase
from .peer_links import PeerLinks
from .store import Store, TableStore
from .tasks import Tasks
from .watching import Watchers

BEAT = 1.0
TICK = 0.25
TELL_OF_TRIES = (20, 100, 500, 2500, 12500)
"""After so many wrong tries at one code the opener is told."""
SECOND_CODE = 8
"""Digits of a code that takes the place of another."""


class Wakefulness:
    """Notices that this process, or the whole machine, stood still. Times are seconds, of a clock
    that may stop in sleep and of one that does not."""

    SLEPT = 2.0
    """Longer than this between two looks, by either clock, and we slept."""

    def __init__(self, now: float, wall: float) -> None:
        self._now, self._wall = now, wall

    def slept(self, now: float, wall: float) -> bool:
        """Whether we slept since the last look."""
        gap, wall_gap = now - self._now, wall - self._wall
        self._now, self._wall = now, wall
        return gap > self.SLEPT or abs(wall_gap - gap) > self.SLEPT


class Node:
    """One peer, and the door of its table (listen.Door). `room_host` is the room that we keep,
    `room_guest` the one that we sit in, `match` the game that began or is being signed, `watchers`
    those who look on at it; `whereabouts` is what the network is told of a table of ours.

    It is long because all parts of a peer meet here; each method hands over to one of them.
    """

    def __init__(self, me: Identity, store: Store, events: RoomEvents) -> None:
        self.me = me
        self.code: str | None = None
        self.room_host: RoomHost | None = None
        self.room_guest: RoomGuest | None = None
        self.match: Match | None = None
        self.watchers: Watchers | None = None
        self.whereabouts = Whereabouts()
        self._elsewhere: set[bytes] = set()
        """Keys of peers that were seen at another table; it is said once: anybody can say so."""
        self._wrong_tries = 0
        self._listener: Listener | None = None
        self._store = store
        self._events = events
        self._closing = False
        self._tasks = Tasks(self._broke)
        self._channels = Channels(self._tasks)

    @classmethod
    def listening(cls, events: RoomEvents, port: int = 0) -> Node:
        """A node of this machine's user, with a port open.

        :raises CannotListen: if the port cannot be had
        :raises CannotStore: if this machine cannot keep a game
        """
        store = Store()
        try:
            node = cls(store.identity(), store, events)
            node.listen(port)
        except BaseException:
            store.close()
            raise
        return node

    # Room and joining.

    def listen(self, port: int = 0) -> None:
        """Begin to listen.

        :raises CannotListen: if the port cannot be had
        """
        self._listener = Listener.open(self.me, self, self._came, port)
        self._tasks.start(self._tick())

    def host(self, room: Room, code: str | None) -> RoomHost:
        """Keep a waiting room; guests come in by the code, or freely if it is None."""
        self.code = code
        self.room_host = RoomHost(
            room,
            self.me,
            self._channels,
            self._events,
            self._tasks.start,
            self.addresses,
            lambda: self.code,
            self._begin_as_opener,
        )
        self.room_host.publish()
        return self.room_host

    async def advertise(self, advert: Advert) -> None:
        """Let the network know of our room, for as long as it is open."""
        assert self.room_host is not None
        room = self.room_host.room
        self.room_host.on_room = lambda: advert.update(room.seats_taken)
        trouble = await self.whereabouts.tell(advert)
        if trouble:
            self._events.noticed(trouble, "warn")

    async def join(
        self, link: Link, game: Game[Any], copy: Copy, name: str, code: str | None = None
    ) -> None:
        """Sit down at the table at the other end of an authenticated link; whoever looks on here
        later needs the same code.

        :raises Refused: if it gives us no seat, with the reason
        """
        self.code = code
        self.room_guest = RoomGuest(
            self.me,
            game,
            copy,
            link,
            self._channels,
            self._events,
            self._tasks.start,
            lambda charter: self._begin_as_guest(charter, game),
            self._void,
            self._learn_code,
        )
        hosts = tuple(address.host for address in self.addresses())
        await self.room_guest.sit(name, self.port, hosts, game.rules_version)

    @property
    def port(self) -> int:
        """Where we listen."""
        assert self._listener is not None
        return self._listener.port

    def addresses(self) -> list[Address]:
        """Where we can be dialled, as far as the system tells."""
        try:
            hosts = told_addresses(own_addresses())
        except OSError:
            hosts = ()
        return [Address(host, self.port) for host in hosts]

    # What the player does.

    def ready(self, ready: bool) -> None:
        """We are ready to begin, or not any more."""
        room = self.room_host or self.room_guest
        assert room is not None
        room.ready(ready)

    def slow(self, slow: bool) -> None:
        """We ask for twice the time at this table, or not any more."""
        room = self.room_host or self.room_guest
        assert room is not None
        room.slow(slow)

    def say(self, text: str) -> None:
        """Chat, in the room or in the game."""
        speaker = self._game_on() or self.room_host or self.room_guest
        assert speaker is not None
        speaker.say(text)

    def start(self) -> None:
        """Start with those who are there.

        :raises LocalError: if the table is not ours, or too few are there
        """
        host = self._expect_host("start")
        reason = host.room.why_not_start()
        if reason is not None:
            raise LocalError(reason)
        host.propose()

    def add_bot(self) -> None:
        """Seat a bot of this machine.

        :raises LocalError: if the table is not ours, or there is no seat
        """
        self._expect_host("add bots").add_bot()

    def change(self, given: Mapping[str, str]) -> None:
        """Other chairs, options or settings of our room, by their names.

        :raises LocalError: if the table is not ours, or that cannot be
        """
        self._expect_host("change it").change(given)

    def remove(self, name: str, reason: str = "") -> None:
        """Send a guest away for good, with a reason, or a bot.

        :raises LocalError: if the table is not ours, or nobody is called so
        """
        self._expect_host("remove somebody").remove(name, reason)

    def renew_code(self) -> None:
        """Ask guests who come from now on for another code, a longer one.

        :raises LocalError: if the table is not ours, or asks for no code, or all are signing
        """
        host = self._expect_host("change its code")
        if self.code is None:
            raise LocalError("this table is open to everybody: there is no code to change")
        if not host.room.is_open:
            raise LocalError("the game is about to begin: nobody can come in now")
        self.code = new_code(SECOND_CODE)
        self._wrong_tries = 0
        host.tell_code()

    def _learn_code(self, code: str) -> None:
        self.code = code

    def _expect_host(self, what: str) -> RoomHost:
        if self.room_host is None:
            raise LocalError(f"only the one who opened the table can {what}")
        return self.room_host

    @property
    def links(self) -> PeerLinks | None:
        """The links of the match, if there is one."""
        return self.match.links if self.match is not None else None

    # Who may come in (listen.Door).

    @property
    def table(self) -> bytes | None:
        return self.room_host.room.table if self.room_host is not None else None

    @property
    def watched(self) -> bytes | None:
        match = self._game_on()
        return match.table.charter.table if match is not None else None

    def listing(self) -> bytes:
        is_open = self.code is None
        if (match := self._game_on()) is not None:
            table = match.table
            return write_playing(table.charter, table.game, self.me.key, open=is_open)
        return write_listing(self.room_host.room, open=is_open) if self.room_host else b""

    def admit(self, mode: str, key: bytes | None) -> str | None:
        if mode == "watch":
            return self.watchers.refusal(key) if self.watchers is not None else None
        return self.room_host.room.refusal() if self.room_host is not None else None

    def sits(self, table: bytes, key: bytes) -> bool:
        if self.match is None or self.match.links is None or key == self.me.key:
            return False
        here = self.match.table.charter.table
        return here == table and self.match.links.peer_of(key) is not None

    def knows(self, address: str) -> bool:
        return self.links is not None and address in self.links.hosts

    def guessed(self) -> None:
        self._wrong_tries += 1
        if self._wrong_tries in TELL_OF_TRIES and self.watched is None:
            self._events.noticed(
                f"{self._wrong_tries} tries at the code were wrong: somebody may be guessing it. "
                "Type newcode for a longer one; who sits here stays.",
                "warn",
            )

    def _came(self, link: Link) -> None:
        """Somebody dialled us and is who it says."""
        if link.mode == "join" and self.room_host is not None:
            self.room_host.came(link)
        elif link.mode == "peer" and self.links is not None:
            self.links.adopt(link)
        elif link.mode == "watch" and self.watchers is not None:
            self.watchers.came(link)
        else:
            # The start was called off while they shook hands.
            link.abort("stranger", "no such table any more")

    # Back to a game.

    async def take_up(self, charter: Charter, game: Game[Any], record: TableStore) -> None:
        """Sit down again in a seat that was kept, then listen: where we listened before if that
        can be had, since the others may dial us there.

        :raises BadCharter: if the game is not ours
        """
        self.code = record.code()
        match, links = self._match_of(charter, game, record)
        await match.take_up()
        peer = charter.peers[links.mesh.me]
        ports = [Address.read(address).port for address in peer.addresses[:1]]
        try:
            self.listen(*ports)
        except CannotListen:
            self.listen()
        match.seek_all()

    # From the room to the game.

    def _begin_as_opener(
        self, charter: Charter, signatures: Sequence[Message], guests: Sequence[Channel]
    ) -> None:
        assert self.room_host is not None
        match, _ = self._make_match(charter, self.room_host.room.game)
        match.begin(signed=signatures, channels=guests)

    def _begin_as_guest(self, charter: Charter, game: Game[Any]) -> tuple[Match, PeerLinks]:
        match, links = self._make_match(charter, game)
        match.begin(reserved=0)
        return match, links

    def _make_match(self, charter: Charter, game: Game[Any]) -> tuple[Match, PeerLinks]:
        """The match of a charter that we are about to sign, with its place on the disk.

        :raises UsedBefore: if we have sat at a table of that number
        :raises LocalError: if this machine cannot keep the game
        :raises BadCharter: if the game is not ours
        """
        record = self._store.begin(charter.table, self.me.key)
        record.identity(self.me)
        record.keep_charter(charter)
        record.keep_code(self.code)
        return self._match_of(charter, game, record)

    def _match_of(
        self, charter: Charter, game: Game[Any], record: TableStore
    ) -> tuple[Match, PeerLinks]:
        def make_links(table: Table, took: Callable[[], None]) -> PeerLinks:
            return PeerLinks(table, self.me, self._channels, self._events, took)

        match = Match(charter, game, self.me, record.seed(), self._events, record, make_links)
        assert match.links is not None
        self.match = match
        self.watchers = Watchers(match.table, match.links, self._channels, self._events)
        return match, match.links

    def _void(self) -> None:
        if self.match is not None:
            self.match.void()
            self.match = self.watchers = None

    def _game_on(self) -> Match | None:
        """The match, once everybody has signed; before that we still talk in the room."""
        match = self.match
        return match if match is not None and match.phase is not MatchPhase.DIALLING else None

    # The clock.

    async def _tick(self) -> None:
        beaten = _now()
        wakefulness = Wakefulness(beaten, time.time())
        while True:
            await asyncio.sleep(TICK)
            now = _now()
            if wakefulness.slept(now, time.time()) and self.match is not None:
                self.match.slept()
            if now - beaten >= BEAT:
                beaten = now
                for part in (self.room_host, self.room_guest, self.match, self.watchers):
                    if part is not None:
                        part.beat()
            if self.match is not None:
                self.match.tick()
                self._see_where()
                if self.watchers is not None:
                    self.watchers.look(self.match.absences)

    def _see_where(self) -> None:
        """Tell the network of the game, and look for the others there, as far as that is for us."""
        match = self._game_on()
        if match is None or match.phase is not MatchPhase.PLAYING or not match.table.live:
            return
        links = match.links
        assert links is not None
        search = Search(match.table.charter.table, links.found, self._seen_elsewhere)
        self.whereabouts.go_on(
            self._advert_of_game if match.is_first else None,
            search if match.reaches_nobody else None,
        )

    def _seen_elsewhere(self, key: bytes, table: str) -> None:
        """Somebody who has, or says to have, this key was seen at another table."""
        assert self.links is not None
        peer = self.links.peer_of(key)
        if peer is None or key == self.me.key or key in self._elsewhere:
            return
        self._elsewhere.add(key)
        self._events.noticed(
            f"{self.links.name(peer)}'s machine is at another table now ({table}): this game seems "
            "to have ended there. leave ends it for you; if you quit, your seat is kept.",
            "warn",
        )

    def _advert_of_game(self) -> Advert:
        assert self.match is not None
        charter = self.match.table.charter
        seats = f"{len(charter.seats)}/{len(charter.seats)}"
        parts = (self.me.key, charter.table, self.port, charter.name, charter.game, seats)
        return Advert(*parts, open=self.code is None)

    def _broke(self, error: BaseException) -> None:
        if not self._closing:
            self._events.broke(error)

    # The end.

    async def linger(self) -> None:
        """Stay until everybody has what they need of us, but not for ever."""
        if self.match is not None and self.watchers is not None:
            await asyncio.gather(
                self.match.linger(), self.watchers.linger(), self.whereabouts.close()
            )

    async def leave(self) -> None:
        """Leave for good, and say so."""
        if self.match is not None:
            await self.match.leave()
        if self.room_host is not None:
            await self.room_host.close()
        await self._close(LEFT, CLOSED if self.room_host else "A guest left.")

    async def close(self) -> None:
        """End every link and task, and let another process have key and seat."""
        whose = "opener" if self.room_host else "guest"
        await self._close("closed", f"The {whose}'s program has ended.")

    async def _close(self, code: str, text: str) -> None:
        if self._closing:
            return
        self._closing = True
        await asyncio.gather(self._close_links(code, text), self.whereabouts.close())
        if self.match is not None:
            self.match.put_away()
        self._store.close()

    async def _close_links(self, code: str, text: str) -> None:
        if self._listener is not None:
            await self._listener.close()
        if self.match is not None:
            await self.match.stop()
        await self._channels.close(code, text)
        await self._tasks.stop()


def _now() -> float:
    return asyncio.get_running_loop().time()
