"""Sessions at real tables on loopback, in one event loop, and the lives that are lived there."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import Any

from support.games import toy
from support.peers.players import until

from sobremesa.cli.session.defaults import Preferences
from sobremesa.cli.session.moments import Asked, Moment, Over, Started
from sobremesa.cli.session.network import host, join
from sobremesa.cli.session.table_session import TableSession
from sobremesa.core.game import Game
from sobremesa.core.replica.charter import Settings
from sobremesa.core.replica.table import Table
from sobremesa.net.node import Node
from sobremesa.net.room.host import RoomHost
from sobremesa.plugins.copies import Source
from sobremesa.plugins.loader import Games, load_games


def only(game: Game[Any]) -> Games:
    """A machine on which nothing but this game is installed."""
    games = load_games([])
    games.games = {game.id: game}
    games.sources[game.id] = Source(sys.modules[game.play.__module__], "tests", "1.0")
    return games


TOYS = only(toy.GAME)


class Life:
    """A session whose moments are lived and kept; `player` answers when it is asked."""

    def __init__(
        self, session: TableSession, player: Callable[[TableSession], None] | None = None
    ) -> None:
        self.session = session
        self.moments: list[Moment] = []
        self._player = player
        self.end = asyncio.ensure_future(self._live())

    async def _live(self) -> Over:
        async for moment in self.session.moments():
            self.moments.append(moment)
            if isinstance(moment, Asked) and self._player is not None:
                self._player(self.session)
            if isinstance(moment, Over):
                return moment
        raise AssertionError("moments ended without an end")

    def of(self, kind: type[Moment]) -> list[Any]:
        return [moment for moment in self.moments if isinstance(moment, kind)]


def default(session: TableSession) -> None:
    """Plays the first thing that comes to mind."""
    assert session.question is not None
    session.answer(session.question.default)


async def opened(
    name: str = "Ana",
    *,
    seats: int,
    seconds: int = 0,
    rounds: str = "1",
    games: Games = TOYS,
    **preferences: Any,
) -> TableSession:
    game = next(iter(games.games.values()))
    return await host(
        games,
        game,
        Preferences(name, **{"pace": 0.0, "auto": True, **preferences}),
        table="Kitchen",
        seats=seats,
        bots=0,
        options=game.read_options({"rounds": rounds} if game is toy.GAME else {}),
        settings=Settings(seconds=seconds),
        code="123456",
        is_open=False,
        port=0,
    )


async def joined(at: TableSession, name: str, **preferences: Any) -> TableSession:
    wanted = Preferences(name, **{"pace": 0.0, "auto": True, **preferences})
    return await join(at.games, wanted, address_of(at), "123456")


async def begun(
    *sessions: TableSession, player: Callable[[TableSession], None] | None = None
) -> list[Life]:
    """All are ready, and their game has begun; `player` answers for those whom it asks."""
    lives = [Life(session, player) for session in sessions]
    for session in sessions:
        session.ready(True)
    await until(lambda: all(life.of(Started) for life in lives))
    return lives


def node_of(session: TableSession) -> Node:
    assert session.node is not None
    return session.node


def room_of(session: TableSession) -> RoomHost:
    """The room that the session keeps."""
    keeps = node_of(session).room_host
    assert keeps is not None
    return keeps


def address_of(session: TableSession) -> str:
    return f"127.0.0.1:{node_of(session).port}"


def table_of(session: TableSession) -> Table:
    assert session.table is not None
    return session.table


async def again(session: TableSession) -> TableSession:
    """The session of the next game with the same people."""
    assert session.again is not None
    following = await session.again.sit()
    assert isinstance(following, TableSession)
    return following
