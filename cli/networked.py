"""Tables on the network: opening one, joining one, and the sitting that follows."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from functools import partial

from sobremesa.core.encoding import Rand
from sobremesa.core.errors import LocalError
from sobremesa.core.game import Game, OptionValue
from sobremesa.core.pieces import Seat
from sobremesa.core.replica.charter import Charter, Settings
from sobremesa.core.replica.table import Table
from sobremesa.net.addresses import Address
from sobremesa.net.audience import Role
from sobremesa.net.cards import WAITING, BadCard, FoundTable, read_card
from sobremesa.net.dial import DialFailed, dial, probe
from sobremesa.net.discovery import Advert, Browser
from sobremesa.net.handshake import new_code
from sobremesa.net.hosting import Hosting
from sobremesa.net.identity import Identity
from sobremesa.net.lobby import Guest, Opening, RoomState
from sobremesa.net.node import Node
from sobremesa.net.store import Store
from sobremesa.net.text import clean_text, read_code
from sobremesa.plugins import Games

from .session import Chat, Notice, Over, Room, RoomChanged, RoomSeat
from .sitting import Habits, Sitting

LOOKING = 6.0
"""Seconds that `join` looks for a table."""
WAITING_AGAIN = 60.0
"""Seconds that a guest who wants to play again waits for the opener to open the table anew."""
ID_DIGITS = 8
"""So many hex digits of its id name a table; fewer may be anybody's."""
SETTLING = 1.5
"""Seconds in which the tables of a network answer, when the only one is meant."""


class NetworkSitting(Sitting):
    """A seat at a table on the network; the node tells it what happens (audience.Audience)."""

    def __init__(
        self, games: Games, game: Game, habits: Habits, store: Store, identity: Identity
    ) -> None:
        super().__init__(games, game, habits)
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
        reason = hosting.opening.why_not_start()
        if reason is not None:
            raise LocalError(reason)
        hosting.propose()

    def add_bot(self) -> None:
        self._hosting("add bots").add_bot()

    def _hosting(self, what: str) -> Hosting:
        """:raises LocalError: if the game has begun or the table is not ours to change"""
        if self.table is not None:
            raise LocalError("the game has begun")
        if self.node.hosting is None:
            raise LocalError(f"only the one who opened the table can {what}")
        return self.node.hosting

    async def leave(self) -> None:
        self.stop_work()
        await asyncio.gather(self.node.leave(), self._stop_advert())
        self.store.close()
        self.close(Over("You left the table.", 3))

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
        self.node.changed()

    # What the node tells (node.Audience).

    def room_changed(self, room: RoomState) -> None:
        before, self.me = self.me, room.seats[room.you][0]
        if self.me != before:
            self._push(Notice(f"The name {before} is taken here: you are {self.me}.", "warn"))
        seats = tuple(
            RoomSeat(name, ready, bot, index == room.you, index == 0 and bool(name))
            for index, (name, ready, bot) in enumerate(room.seats)
        )
        hosting = self.node.hosting is not None
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
        if self.habits.auto:
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
        self.close(Over(why if why.endswith(".") else f"{why}.", 3))
        self._shutting = asyncio.ensure_future(self.shut())


async def host(
    games: Games,
    game: Game,
    habits: Habits,
    *,
    table: str,
    seats: int,
    bots: int,
    options: Mapping[str, OptionValue],
    settings: Settings,
    code: str | None,
    is_open: bool,
    port: int,
) -> NetworkSitting:
    """Open a table and wait for guests.

    :raises CannotListen: if the port cannot be had
    :raises CannotStore: if this machine cannot keep the game
    """
    sitting = _new_sitting(games, game, habits, port)
    try:
        node = sitting.node
        opening = Opening(
            os.urandom(16),
            clean_text(table, 40),
            game,
            dict(options),
            settings,
            seats,
            Guest(node.me.key, habits.name, (), ready=habits.auto),
        )
        for _ in range(bots):
            opening.add_bot()
        advert = Advert(
            node.me.key,
            opening.table,
            node.port,
            opening.name,
            game.id,
            opening.seats_taken,
            open=is_open,
        )
        sitting.advert = advert
        code = None if is_open else code or new_code()
        room = node.host(opening, code)

        async def again() -> NetworkSitting:
            return await host(
                games,
                game,
                habits,
                table=table,
                seats=seats,
                bots=len(opening.bots),
                options=options,
                settings=settings,
                code=code,
                is_open=is_open,
                port=node.port,
            )

        sitting.again = again
        room.on_room = lambda: advert.update(opening.seats_taken)
        trouble = await advert.start()
        if trouble:
            sitting.noticed(trouble, "warn")
    except BaseException:
        await sitting.shut()
        raise
    return sitting


async def join(
    games: Games, habits: Habits, target: str | None, code: str | None
) -> NetworkSitting:
    """Sit down at a table, by its name, its address, or because it is the only one.

    :raises LocalError: if there is none, several are meant, or its game is not installed here
    :raises DialFailed: if it does not let us in
    :raises Refused: if it has no chair for us
    """
    if target is not None and not target.strip():
        raise LocalError("join what? Its name, or HOST:PORT; nothing for the only table there is")
    if target is not None and _is_address(target):
        addresses = [Address.read(target)]
    else:
        found = await _find(target)
        addresses = list(found.addresses)
    return await join_at(games, habits, addresses, code)


async def join_at(
    games: Games, habits: Habits, addresses: list[Address], code: str | None
) -> NetworkSitting:
    """Sit down at the table that listens at these addresses; errors as for `join`."""
    return await _sit_down(games, habits, read_card(addresses, *await probe(addresses)), code)


async def _sit_down(
    games: Games, habits: Habits, card: FoundTable, code: str | None
) -> NetworkSitting:
    """Sit down at the table of this card; errors as for `join`."""
    game = games.find(card.game)
    if not card.open and code is None:
        raise LocalError(
            f"{card.label} wants the code on the opener's screen: join with --code CODE"
        )
    if card.state != WAITING:
        raise LocalError(
            f"The game at {card.label} has begun: wait for the next, or join another table."
        )
    sitting = _new_sitting(games, game, habits, 0)
    sitting.again = partial(_join_again, games, habits, card, code)
    node = sitting.node
    try:
        link = await dial(
            node.me,
            card.addresses,
            "join",
            table=card.table,
            code=read_code(code) if code is not None and not card.open else None,
        )
        await node.visit(link, game, habits.name)
    except BaseException:
        await sitting.shut()
        raise
    if habits.auto:
        node.ready(True)
    return sitting


async def _join_again(
    games: Games, habits: Habits, before: FoundTable, code: str | None
) -> NetworkSitting:
    """Sit down at the next table that the opener of this one opens in the same place.

    :raises LocalError: if there is none yet
    """
    deadline = asyncio.get_running_loop().time() + WAITING_AGAIN
    while asyncio.get_running_loop().time() < deadline:
        try:
            card = read_card(before.addresses, *await probe(before.addresses))
        except (DialFailed, BadCard):
            pass  # nobody listens there yet
        else:
            if card.key == before.key and card.state == WAITING:
                return await _sit_down(games, habits, card, code)
        await asyncio.sleep(0.5)
    raise LocalError(
        f"{before.opener} has not opened the table again yet: type again to wait on, Enter to leave"
    )


def _new_sitting(games: Games, game: Game, habits: Habits, port: int) -> NetworkSitting:
    """A sitting whose node listens.

    :raises CannotListen: if the port cannot be had
    :raises CannotStore: if this machine cannot keep the game
    """
    store = Store()
    try:
        sitting = NetworkSitting(games, game, habits, store, store.identity())
        sitting.node.listen(port)
    except BaseException:
        store.close()
        raise
    return sitting


def _is_address(target: str) -> bool:
    host, colon, port = target.rpartition(":")
    return bool(host and colon and port.isdecimal())


async def _find(name: str | None) -> FoundTable:
    """The table of that name on this network, or the only one.

    :raises LocalError: if there is none, or more than one
    """
    browser = Browser()
    trouble = await browser.start()
    if trouble and browser.switched_off:
        raise LocalError(trouble)
    try:
        settled = asyncio.get_running_loop().time() + SETTLING
        deadline = settled + LOOKING - SETTLING
        while asyncio.get_running_loop().time() < deadline:
            matches = [table for table in browser.tables if _called(table, name)]
            if name is None and asyncio.get_running_loop().time() < settled:
                matches = []  # one more may answer in a moment
            if len(matches) == 1:
                return matches[0]
            if len(matches) > 1:
                where = "; ".join(f"{t.label} at {t.addresses[0]}" for t in matches)
                raise LocalError(f"several tables are meant: {where}. Join one by HOST:PORT.")
            await asyncio.sleep(0.05)
        if trouble:
            raise LocalError(trouble)
        seen = ", ".join(t.label for t in browser.tables) or "none"
        wanted = f"no table called {name!r}" if name is not None else "no table"
        raise LocalError(
            f"{wanted} was found in {LOOKING:g} s (found: {seen}). Same network? Firewall for "
            "port 5353/udp? Or join by the HOST:PORT on the opener's screen."
        )
    finally:
        await browser.stop()


def _called(table: FoundTable, name: str | None) -> bool:
    if name is None:
        return table.state == "waiting"
    wanted = name.casefold()
    by_id = len(wanted) >= ID_DIGITS and table.table.hex().startswith(wanted)
    return by_id or table.label.casefold() == wanted
