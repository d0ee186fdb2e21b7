"""Home on a network made of rows, for tests of both clients."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from support.clients.replays import some_games
from support.clients.sessions import ScriptedSession

from sobremesa.cli.session.session import Session
from sobremesa.cli.session.tallies import Listing
from sobremesa.cli.settings import OwnSettings
from sobremesa.cli.words.services import (
    HostOrder,
    LobbyServices,
    PlayOrder,
    SeatRow,
    TableRow,
    Way,
)
from sobremesa.core.errors import LocalError
from sobremesa.core.game import Game
from sobremesa.plugins.dudo import GAME

ROWS = (
    TableRow(1, "Kitchen table", "dudo", "Ana", "3/5", "dice 5", False, 3),
    TableRow(2, "Full house", "dudo", "Bo", "5/5", "dice 3", True, 12, "waiting", "full (5/5)"),
    TableRow(3, "Garden", "dudo", "Zoë", "2/5", "dice 3, palifico off", True, None),
    TableRow(4, "garden", "dudo", "Flo", "2/5"),
)


class Neighbourhood(LobbyServices):
    """A network made of rows; remembers what was wanted of it."""

    name = "Cai"
    games: Sequence[Game[Any]] = (GAME,)

    def __init__(self, rows: Sequence[TableRow] = ROWS) -> None:
        self.rows = rows
        self.kept: Sequence[SeatRow] = ()
        self.own = OwnSettings()
        self.done: list[object] = []
        self.session = ScriptedSession()
        self.refusal: LocalError | None = None
        self.door = asyncio.Event()
        self.door.set()

    async def open(self) -> None:
        self.done.append("open")

    async def close(self) -> None:
        self.done.append("close")

    async def refresh(self) -> None:
        self.done.append("refresh")

    def seats(self) -> Sequence[SeatRow]:
        return self.kept

    def tables(self) -> Sequence[TableRow]:
        return self.rows

    async def records(self) -> Listing:
        self.done.append("records")
        return some_games()

    def looked(self) -> float:
        return 12.3

    async def _sit(self, *how: object) -> Session:
        self.done.append(how)
        await self.door.wait()
        if self.refusal is not None:
            raise self.refusal
        return self.session

    async def resume(self, seat: SeatRow) -> Session:
        return await self._sit("resume", seat.number)

    def last(self, way: Way, game: str) -> Mapping[str, str]:
        return self.own.last(way, game)

    def remember(self, way: Way, game: str, habits: Mapping[str, str]) -> None:
        self.own.remember(way, game, habits)

    def prefer(self, key: str, value: Any) -> None:
        self.done.append((key, value))
        if key == "name":
            self.name = value

    async def play(self, order: PlayOrder) -> Session:
        return await self._sit("play", order)

    async def host(self, order: HostOrder) -> Session:
        return await self._sit("host", order)

    async def join(self, target: TableRow | str, code: str | None) -> Session:
        return await self._sit("join", target if isinstance(target, str) else target.number, code)

    async def watch(self, target: TableRow | str, code: str | None) -> Session:
        return await self._sit("watch", target if isinstance(target, str) else target.number, code)


KEPT = (
    SeatRow(1, "Kitchen", "Kitchen: House of Jokers with Bea and Cai, left 5 minutes ago"),
    SeatRow(2, "Garden", "Garden: Intriga with Flo, left 2 days ago"),
    SeatRow(3, "Cellar", "Cellar: Intriga with Dan, open in another window here", busy=True),
)
