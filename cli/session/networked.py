"""Tables on the network: opening one, joining one, and the session that follows."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial

from sobremesa.cli.exits import LOST
from sobremesa.core.charter import Charter, Settings
from sobremesa.core.encoding import Rand
from sobremesa.core.errors import LocalError
from sobremesa.core.game import Game, OptionValue
from sobremesa.core.pieces import Seat
from sobremesa.core.table import Table
from sobremesa.net.events import Role
from sobremesa.net.finding.browse import find_next, find_table, look_up
from sobremesa.net.finding.discovery import Advert
from sobremesa.net.finding.listing import WAITING, Listing
from sobremesa.net.identity import Identity
from sobremesa.net.links.addresses import Address
from sobremesa.net.links.dial import dial
from sobremesa.net.links.handshake import new_code
from sobremesa.net.node import Node
from sobremesa.net.room.host import RoomHost
from sobremesa.net.room.room import Person, RoomView, open_room
from sobremesa.net.store import Store
from sobremesa.net.text import read_code
from sobremesa.plugins import Games

from .defaults import Preferences
from .moments import Chat, Notice, Over, Room, RoomChanged, RoomSeat
from .table_session import TableSession


class NetworkSession(TableSession):
    """A seat at a table on the network; the node tells it what happens (events.RoomEvents)."""

    def __init__(
        self, games: Games, game: Game, preferences: Preferences, store: Store, identity: Identity
    ) -> None:
        super().__init__(games, game, preferences)
        self.identity = identity
        self.store = store
        self.node = Node(identity, store, self)
        self.advert: Advert | None = None
        self._shutting: asyncio.Task[None] | None = None

    # What the client calls.

    def say(self, text: str) -> None:
        self.node.say(text)

    def ready(self, ready: bool = True) -> None:
        if self.table is not None:
            super().ready(ready)
        self.node.ready(ready)

    def start(self) -> None:
        hosting = self._hosting("start")
        reason = hosting.room.why_not_start()
        if reason is not None:
            raise LocalError(reason)
        hosting.propose()

    def add_bot(self) -> None:
        self._hosting("add bots").add_bot()

    def _hosting(self, what: str) -> RoomHost:
        """:raises LocalError: if the game has begun or the table is not ours to change"""
        if self.table is not None:
            raise LocalError("the game has begun")
        if self.node.room_host is None:
            raise LocalError(f"only the one who opened the table can {what}")
        return self.node.room_host

    async def leave(self) -> None:
        self.stop_work()
        await asyncio.gather(self.node.leave(), self._stop_advert())
        self.store.close()
        self.close(Over("You left the table.", LOST))

    async def linger(self) -> None:
        await asyncio.gather(self.node.linger(), self._stop_advert())
        await self.shut()

    async def shut(self) -> None:
        """End all that runs on the network; the table is over for us."""
        self.stop_work()
        await asyncio.gather(self.node.close(), self._stop_advert())
        self.store.close()

    async def _stop_advert(self) -> None:
        if self.advert is not None:
            advert, self.advert = self.advert, None
            await advert.stop()

    def keep_choice(self, seat: Seat, notation: str) -> None:
        assert self.table is not None
        self.node.keep_choice(self.table.step, seat, notation)

    def pass_on(self) -> None:
        self.node.publish()

    # What the node tells (events.RoomEvents).

    def room_changed(self, room: RoomView) -> None:
        before, self.me = self.me, room.seats[room.you][0]
        if self.me != before:
            self._push(Notice(f"The name {before} is taken here: you are {self.me}.", "warn"))
        seats = tuple(
            RoomSeat(name, ready, bot, index == room.you, index == 0 and bool(name))
            for index, (name, ready, bot) in enumerate(room.seats)
        )
        hosting = self.node.room_host is not None
        self._push(
            RoomChanged(
                Room(
                    room.table,
                    room.title,
                    room.options,
                    seats,
                    hosting,
                    (self.node.code or "") if hosting else "",
                    tuple(map(str, self.node.addresses())) if hosting else (),
                )
            )
        )

    def make_table(self, charter: Charter, me: int, seed: bytes) -> Table:
        table = Table(
            charter,
            self.game,
            me=me,
            sign=self.identity.sign,
            vault={me: Rand(seed)},
            on_event=self.told,
            at_once=False,
        )
        self.seat(table)
        return table

    def called_off(self, why: str) -> None:
        self.unseat()
        self._push(Notice(f"The start was called off: {why}", "warn"))
        if self.preferences.auto:
            self.node.ready(True)

    def chatted(self, name: str, text: str) -> None:
        self._push(Chat(name, text))

    def noticed(self, text: str, role: Role) -> None:
        self._push(Notice(text, role))

    def away(self, names: list[str]) -> None:
        self.status.away = names
        if names:
            self.banner(f"Lost {', '.join(names)} - reconnecting; the game waits")
        else:
            self.banner("")

    def lost(self, why: str) -> None:
        self.close(Over(why if why.endswith(".") else f"{why}.", LOST))
        self._shutting = asyncio.ensure_future(self.shut())


async def host(
    games: Games,
    game: Game,
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
) -> NetworkSession:
    """Open a table and wait for guests.

    :raises CannotListen: if the port cannot be had
    :raises CannotStore: if this machine cannot keep the game
    """
    session = _new_session(games, game, preferences, port)
    try:
        node = session.node
        opener = Person(node.me.key, preferences.name, (), ready=preferences.auto)
        room = open_room(table, game, options, settings, seats, opener, bots)
        advert = Advert(
            node.me.key,
            room.table,
            node.port,
            room.name,
            game.id,
            room.seats_taken,
            open=is_open,
        )
        session.advert = advert
        code = None if is_open else code or new_code()
        hosting = node.host(room, code)

        async def again() -> NetworkSession:
            return await host(
                games,
                game,
                preferences,
                table=table,
                seats=seats,
                bots=len(room.bots),
                options=options,
                settings=settings,
                code=code,
                is_open=is_open,
                port=node.port,
            )

        session.again = again
        hosting.on_room = lambda: advert.update(room.seats_taken)
        trouble = await advert.start()
        if trouble:
            session.noticed(trouble, "warn")
    except BaseException:
        await session.shut()
        raise
    return session


async def join(
    games: Games, preferences: Preferences, target: str | None, code: str | None
) -> NetworkSession:
    """Sit down at a table, by its name, its address, or because it is the only one.

    :raises LocalError: if there is none, several are meant, or its game is not installed here
    :raises DialFailed: if it does not let us in
    :raises Refused: if it has no chair for us
    """
    if target is not None and not target.strip():
        raise LocalError("join what? Its name, or HOST:PORT; nothing for the only table there is")
    return await _sit_down(games, preferences, await find_table(target), code)


async def join_at(
    games: Games, preferences: Preferences, addresses: list[Address], code: str | None
) -> NetworkSession:
    """Sit down at the table that listens at these addresses; errors as for `join`."""
    return await _sit_down(games, preferences, await look_up(addresses), code)


async def _sit_down(
    games: Games, preferences: Preferences, listing: Listing, code: str | None
) -> NetworkSession:
    """Sit down at the table of this listing; errors as for `join`."""
    game = games.find(listing.game)
    if not listing.open and code is None:
        raise LocalError(
            f"{listing.label} wants the code on the opener's screen: join with --code CODE"
        )
    if listing.state != WAITING:
        raise LocalError(
            f"The game at {listing.label} has begun: wait for the next, or join another table."
        )
    # A listing is anybody's word: a code that was given is asked for whatever it says.
    required = None if code is None else read_code(code)
    session = _new_session(games, game, preferences, 0)
    session.again = partial(_join_again, games, preferences, listing, code)
    node = session.node
    try:
        link = await dial(
            node.me,
            listing.addresses,
            "join",
            table=listing.table,
            code=required,
        )
        await node.join(link, game, preferences.name)
    except BaseException:
        await session.shut()
        raise
    if preferences.auto:
        node.ready(True)
    return session


async def _join_again(
    games: Games, preferences: Preferences, before: Listing, code: str | None
) -> NetworkSession:
    """Sit down at the next table that the opener of this one opens in the same place.

    :raises LocalError: if there is none yet
    """
    return await _sit_down(games, preferences, await find_next(before), code)


def _new_session(games: Games, game: Game, preferences: Preferences, port: int) -> NetworkSession:
    """A session whose node listens.

    :raises CannotListen: if the port cannot be had
    :raises CannotStore: if this machine cannot keep the game
    """
    store = Store()
    try:
        session = NetworkSession(games, game, preferences, store, store.identity())
        session.node.listen(port)
    except BaseException:
        store.close()
        raise
    return session
