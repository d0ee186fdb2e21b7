"""To a session on the network: at a table opened here, or at one that was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sobremesa.core.errors import LocalError
from sobremesa.core.game import Game, OptionValue
from sobremesa.core.replica.charter import Settings
from sobremesa.net.finding.browse import find_next, find_table, look_up
from sobremesa.net.finding.listing import Listing
from sobremesa.net.links.addresses import Address
from sobremesa.net.node import Node
from sobremesa.net.tables import expect_joinable, join_table, open_table
from sobremesa.plugins.loader import Games

from .again import AgainAsGuest, AgainAsOpener
from .defaults import Preferences
from .table_session import TableSession
from .watching import LookOn


async def host(
    games: Games,
    game: Game[Any],
    preferences: Preferences,
    *,
    table: str,
    seats: int,
    bots: int,
    options: Mapping[str, OptionValue],
    settings: Settings,
    code: str | None,
    is_open: bool,
    port: int,
) -> TableSession:
    """Open a table and wait for guests.

    :raises MissingSources: if nobody could tell which copy of the game is ours
    :raises CannotListen: if the port cannot be had
    :raises CannotStore: if this machine cannot keep the game
    """
    copy = games.copy(game)
    session = TableSession(games, game, preferences)
    node = session.node = Node.listening(session, port)
    try:
        await open_table(
            node,
            game,
            copy=copy,
            table=table,
            seats=seats,
            bots=bots,
            bot_ids=preferences.bot_ids_beside,
            options=options,
            settings=settings,
            name=preferences.name,
            ready=preferences.auto,
            code=code,
            is_open=is_open,
        )
    except BaseException:
        await node.close()
        raise

    async def open_next() -> TableSession:
        assert node.room_host is not None
        room = node.room_host.room
        return await host(
            games,
            game,
            preferences,
            table=table,
            seats=min(game.seats[-1], room.size + _waiting(node)),
            bots=len(room.bots),
            options=room.options,
            settings=room.settings,
            code=node.code,
            is_open=is_open,
            port=node.port,
        )

    session.again, session.look_on = AgainAsOpener(session, open_next), LookOn(session)
    return session


def _waiting(node: Node) -> int:
    """How many look on here and wait for a seat in the next game."""
    return len(node.watchers.waiting) if node.watchers is not None else 0


async def join(
    games: Games, preferences: Preferences, target: str | None, code: str | None
) -> TableSession:
    """Sit down at a table, by its name, its address, or because it is the only one.

    :raises LocalError: if there is none, several are meant, or its game is not installed here, or
        nobody could tell which copy of it is ours
    :raises DialFailed: if it does not let us in
    :raises Refused: if it has no seat for us
    """
    if target is not None and not target.strip():
        raise LocalError("join what? Its name, or HOST:PORT; nothing for the only table there is")
    return await _join(games, preferences, await find_table(target), code)


async def join_at(
    games: Games, preferences: Preferences, addresses: Sequence[Address], code: str | None
) -> TableSession:
    """Sit down at the table that listens at these addresses; errors as for `join`."""
    return await _join(games, preferences, await look_up(addresses), code)


async def _join(
    games: Games, preferences: Preferences, listing: Listing, code: str | None
) -> TableSession:
    """Sit down at the table of this listing; errors as for `join`."""
    game = games.find(listing.game)
    expect_joinable(listing, code)
    copy = games.copy(game)
    session = TableSession(games, game, preferences)
    node = session.node = Node.listening(session)
    try:
        await join_table(node, listing, game, copy=copy, name=preferences.name, code=code)
    except BaseException:
        await node.close()
        raise

    async def join_again() -> TableSession:
        # The code may be another by then than the one that we came in with.
        return await join_next(games, preferences, listing, node.code)

    session.again = AgainAsGuest(session, listing, join_again)
    session.look_on = LookOn(session)
    return session


async def join_next(
    games: Games, preferences: Preferences, before: Listing, code: str | None
) -> TableSession:
    """Sit down at the next table that the opener of this one opens in the same place.

    :raises LocalError: if there is none yet, or the opener has left
    """
    return await _join(games, preferences, await find_next(before), code)
