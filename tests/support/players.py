"""Players at nodes on loopback, all in one event loop, for tests of the network game.

A `Player` is an audience that remembers what it was told and plays any legal move. `cheating`
gives its mouth a vice of `support.cheats`.

Rule 1: nobody waits for a clock: `until` polls for what must come, and fails if it does not.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from support import toy
from support.cheats import Cheat

from sobremesa.core.encoding import Rand
from sobremesa.core.game import Game
from sobremesa.core.replica.charter import Charter, Settings
from sobremesa.core.replica.table import Table
from sobremesa.net.addresses import Address
from sobremesa.net.dial import dial
from sobremesa.net.hosting import Hosting
from sobremesa.net.identity import Identity
from sobremesa.net.lobby import Guest, Opening, RoomState
from sobremesa.net.mesh import Lane
from sobremesa.net.node import Node
from sobremesa.net.playing import Playing
from sobremesa.net.store import Store
from sobremesa.net.wire import Frame

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

    @property
    def port(self) -> int:
        return self.seen_at or super().port


class Player:
    """Somebody at a node. It answers at once if it is `quick`."""

    def __init__(
        self,
        name: str,
        home: Path,
        game: Game = toy.GAME,
        *,
        me: Identity | None = None,
        quick: bool = True,
        cheat: Cheat | None = None,
    ) -> None:
        self.name = name
        self.game = game
        self.quick = quick
        self.cheat = cheat
        self.rooms: list[RoomState] = []
        self.notices: list[str] = []
        self.chat: list[tuple[str, str]] = []
        self.called: list[str] = []
        self.away_now: list[str] = []
        self.was_away: set[str] = set()
        self.losses: list[str] = []
        self.table: Table | None = None
        self.rng = random.Random(name)
        self.me = me or Identity.fresh()
        self.node = SeenNode(self.me, Store(home), self)

    # Sitting down.

    def host(self, seats: int, *, code: str | None = CODE, bots: int = 0) -> Hosting:
        self._listen()
        opening = Opening(
            os.urandom(16),
            "Kitchen",
            self.game,
            self.game.read_options({}),
            Settings(),
            seats,
            Guest(self.me.key, self.name, (), ready=True),
        )
        for _ in range(bots):
            opening.add_bot()
        return self.node.host(opening, code)

    async def join(self, host: Player, *, code: str | None = CODE, ready: bool = True) -> None:
        self._listen()
        assert host.node.hosting is not None
        address = Address("127.0.0.1", host.node.port)
        table = host.node.hosting.opening.table
        link = await dial(self.me, [address], "join", table=table, code=code)
        await self.node.visit(link, self.game, self.name)
        if ready:
            self.node.ready(True)

    def _listen(self) -> None:
        if self.node._listener is None:
            self.node.listen()

    @property
    def playing(self) -> Playing:
        assert self.node.playing is not None
        return self.node.playing

    @property
    def names(self) -> list[str]:
        """Who sits in the room, as we see it."""
        return [name for name, _, _ in self.rooms[-1].seats if name]

    @property
    def began(self) -> bool:
        return self.table is not None and self.table.started

    # What the node tells (audience.Audience).

    def room_changed(self, room: RoomState) -> None:
        self.rooms.append(room)
        self.name = room.seats[room.you][0]

    def make_table(self, charter: Charter, me: int, seed: bytes) -> Table:
        rand = self.cheat.rand(seed) if self.cheat else Rand(seed)
        self.table = Table(charter, self.game, me=me, sign=self.me.sign, vault={me: rand})
        if self.cheat is not None:
            self.cheat.sit(self.table, me, self.me.sign)
            twist = self.cheat
            asyncio.get_running_loop().call_soon(lambda: cheating(self.playing, twist))
        return self.table

    def changed(self) -> None:
        if self.quick and self.table is not None and self.table.asked:
            asyncio.get_running_loop().call_soon(self.play)

    def play(self) -> None:
        """Answer what we are asked."""
        table = self.table
        if table is None or self.node.playing is None:
            return
        for seat in list(table.asked):
            sight, question = table.sight(seat), table.asked[seat]
            choose = self.cheat.choose if self.cheat else self.game.bots[0].choose
            answer = choose(sight, question, self.rng.randrange)
            self.node.keep_choice(table.step, seat, question.write(answer))
            table.answer(seat, answer)
            self.node.changed()

    def called_off(self, why: str) -> None:
        self.table = None
        self.called.append(why)

    def chatted(self, name: str, text: str) -> None:
        self.chat.append((name, text))

    def noticed(self, text: str, role: str) -> None:
        self.notices.append(text)

    def away(self, names: list[str]) -> None:
        self.away_now = names
        self.was_away |= set(names)

    def lost(self, why: str) -> None:
        self.losses.append(why)


def cheating(playing: Playing, cheat: Cheat) -> None:
    """Let what goes out on the links be what the cheat says."""
    honest = playing.mesh.next_frame
    waiting: dict[Lane, deque[Frame]] = {}

    def next_frame(lane: Lane) -> Frame | None:
        queue = waiting.setdefault(lane, deque())
        while not queue:
            frame = honest(lane)
            if frame is None or frame.kind != "msg":
                return frame
            log = playing.mesh.table.log
            message = next(m for m in log if m.payload == frame["payload"])
            queue.extend(
                Frame.make("msg", payload=said.payload, sig=said.signature)
                for said in cheat.say(message, lane.peer)
            )
        return queue.popleft()

    playing.mesh.next_frame = next_frame  # type: ignore[method-assign]


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
    for wire in list(player.node._wires._wires):
        wire.link.abort("lost", "the connection broke")
