"""Players at nodes on loopback, all in one event loop, for tests of the network game.

A `Player` remembers what it was told and plays any legal move. `cheating`
gives its mouth a vice of `support.peers.cheats`.

Rule 1: nobody waits for a clock: `until` polls for what must come, and fails if it does not.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from support.games import toy
from support.peers.cheats import Cheat
from support.peers.tabletop import COPY

from sobremesa.core.game import Game
from sobremesa.core.pieces import Seat
from sobremesa.core.questions import Answer, Question
from sobremesa.core.replica.charter import Charter, Copy, Settings
from sobremesa.core.replica.table import Table
from sobremesa.core.replica.transcript import Sign
from sobremesa.core.requests import Event
from sobremesa.net.events import Absence, Giver
from sobremesa.net.identity import Identity
from sobremesa.net.links.addresses import Address
from sobremesa.net.links.dial import dial
from sobremesa.net.links.frames import Frame
from sobremesa.net.links.listen import Listener
from sobremesa.net.match import Match
from sobremesa.net.mesh import Feed
from sobremesa.net.node import Node
from sobremesa.net.peer_links import PeerLinks
from sobremesa.net.room.guest import RoomGuest
from sobremesa.net.room.host import RoomHost
from sobremesa.net.room.room import Person, RoomView, open_room
from sobremesa.net.store import Store

CODE = "123456"
PATIENCE = 20.0


async def until(holds: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait until this holds; fails if it does not in time."""
    try:
        async with asyncio.timeout(seconds):
            while not holds():  # noqa: ASYNC110
                await asyncio.sleep(0.01)
    except TimeoutError:
        raise AssertionError(f"not in {seconds:g} s") from None


class SeenNode(Node):
    """A node that others see at another port than it listens on: that of a man in the middle."""

    seen_at: int | None = None
    player: Player

    def _see_where(self) -> None:
        if self.player.finds:  # others would have the network to themselves no more
            super()._see_where()

    def _make_match(self, charter: Charter, game: Game[Any]) -> tuple[Match, PeerLinks]:
        match, links = super()._make_match(charter, game)
        self.player.table = match.table
        if self.player.cheat is not None:
            cheating(match, links, self.player.cheat, self.me.sign)
        return match, links

    @property
    def port(self) -> int:
        return self.seen_at or super().port


class Player:
    """Somebody at a node. It answers at once if it is `quick`."""

    def __init__(
        self,
        name: str,
        home: Path,
        game: Game[Any] = toy.GAME,
        *,
        me: Identity | None = None,
        quick: bool = True,
        cheat: Cheat | None = None,
        copy: Copy = COPY,
    ) -> None:
        self.name = name
        self.game = game
        self.copy = copy
        self.quick = quick
        self.finds = False
        """Whether it tells the network of the game, and looks for the others there."""
        self.cheat = cheat
        self.rooms: list[RoomView] = []
        self.notices: list[str] = []
        self.chat: list[tuple[str, str]] = []
        self.called: list[str] = []
        self.away_now: list[str] = []
        self.was_away: set[str] = set()
        self.alone_now = False
        self.came_back: list[str] = []
        self.gone_now: set[str] = set()
        self.losses: list[str] = []
        self.table: Table | None = None
        self.rng = random.Random(name)
        self.me = me or Identity.fresh()
        self.store = Store(home)
        self.node = SeenNode(self.me, self.store, self)
        self.node.player = self

    # Sitting down.

    def host(self, seats: int, *, code: str | None = CODE, bots: int = 0) -> RoomHost:
        self._listen()
        opener = Person(self.me.key, self.name, (), self.copy, ready=True)
        options = self.game.read_options({})
        room = open_room("Kitchen", self.game, options, Settings(), seats, opener, bots)
        return self.node.host(room, code)

    async def join(self, host: Player, *, code: str | None = CODE, ready: bool = True) -> None:
        self._listen()
        table = host.room_host.room.table
        link = await dial(self.me, [host.address], "join", table=table, code=code)
        await self.node.join(link, self.game, self.copy, self.name, code)
        if ready:
            self.node.ready(True)

    async def come_back(self) -> None:
        """Sit down in the one seat that is kept in our home."""
        (seat,) = self.store.seats()
        await self.node.take_up(seat.charter, self.game, seat.open())
        self.table = self.match.table

    def _listen(self) -> None:
        if self.node._listener is None:
            self.node.listen()

    # What is there at that moment of a test, or the test fails.

    @property
    def listener(self) -> Listener:
        assert self.node._listener is not None
        return self.node._listener

    @property
    def room_host(self) -> RoomHost:
        assert self.node.room_host is not None
        return self.node.room_host

    @property
    def room_guest(self) -> RoomGuest:
        assert self.node.room_guest is not None
        return self.node.room_guest

    @property
    def match(self) -> Match:
        assert self.node.match is not None
        return self.node.match

    @property
    def links(self) -> PeerLinks:
        assert self.node.links is not None
        return self.node.links

    @property
    def address(self) -> Address:
        """Where others dial us."""
        return Address("127.0.0.1", self.node.port)

    @property
    def names(self) -> list[str]:
        """Who sits in the room, as we see it."""
        return [chair.name for chair in self.rooms[-1].seats if chair.name]

    @property
    def began(self) -> bool:
        return self.table is not None and self.table.started

    # What the node tells (events.RoomEvents).

    def room_changed(self, room: RoomView) -> None:
        self.rooms.append(room)
        self.name = room.seats[room.you].name

    def told(self, match: Match, event: Event) -> None:
        pass

    def answered(
        self, match: Match, seat: Seat, question: Question, answer: Answer, by: Giver
    ) -> None:
        pass

    def table_changed(self, match: Match) -> None:
        if self.quick and match.table.asked:
            asyncio.get_running_loop().call_soon(self.play)

    def play(self) -> None:
        """Answer what we are asked."""
        match = self.node.match
        if match is None:
            return
        table = match.table
        for seat in list(table.asked):
            observation, question = table.observation(seat), table.asked[seat]
            choose = self.cheat.choose if self.cheat else self.game.bots[0].choose
            match.answer(seat, choose(observation, question, self.rng.randrange), "bot")

    def called_off(self, why: str) -> None:
        self.table = None
        self.called.append(why)

    def chatted(self, name: str, text: str) -> None:
        self.chat.append((name, text))

    def noticed(self, text: str, role: str) -> None:
        self.notices.append(text)

    def absent(self, absences: Sequence[Absence], alone: bool) -> None:
        self.away_now = [absence.name for absence in absences]
        self.was_away |= set(self.away_now)
        self.alone_now = alone

    def back(self, name: str) -> None:
        self.came_back.append(name)

    def gone(self, names: Sequence[str], why: str) -> None:
        self.gone_now |= set(names)

    def broke(self, error: BaseException) -> None:
        self.losses.append(f"The table cannot go on: {error}")

    def lost(self, why: str) -> None:
        self.losses.append(why)


def cheating(match: Match, links: PeerLinks, cheat: Cheat, sign: Sign) -> None:
    """Let a match that has not begun be as the cheat wants it: its seed, its script, and what goes
    out on its links."""
    table = match.table
    assert table.me is not None
    assert match._record is not None
    table.replica_state.vault[table.me] = cheat.rand(match._record.seed())  # type: ignore[index]
    cheat.sit(table, table.me, sign)
    honest = links.mesh.next_frame
    waiting: dict[Feed, deque[Frame]] = {}

    def next_frame(feed: Feed) -> Frame | None:
        queue = waiting.setdefault(feed, deque())
        while not queue:
            frame = honest(feed)
            if frame is not None and frame.kind == "proof":
                continue  # who cheats does not tell on itself
            if frame is None or frame.kind != "msg":
                return frame
            log = table.log
            message = next(m for m in log if m.payload == frame["payload"])
            queue.extend(
                Frame.make("msg", payload=said.payload, sig=said.signature)
                for said in cheat.say(message, feed.peer)
            )
        return queue.popleft()

    links.mesh.next_frame = next_frame  # type: ignore[method-assign]


@asynccontextmanager
async def company(*players: Player) -> AsyncIterator[None]:
    """Players whose nodes are closed at the end."""
    try:
        yield
    finally:
        await asyncio.gather(*(player.node.close() for player in players))


async def finish(*players: Player) -> set[bytes]:
    """Let a game come to its end; the transcripts."""
    await until(lambda: all(player.table and not player.table.live for player in players))
    await asyncio.gather(*(player.node.linger() for player in players))
    return {player.table.transcript() for player in players if player.table is not None}


def cut(player: Player) -> None:
    """All links of a player break at once."""
    for channel in list(player.node._channels._channels):
        channel.link.abort("lost", "the connection broke")
