"""What home needs from this machine and its network: the list, the habits, the ways to a table."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sobremesa.cli.session import tallies
from sobremesa.cli.session.alone import play
from sobremesa.cli.session.defaults import ALONE, AT_NETWORK, Preferences
from sobremesa.cli.session.network import host, join_at
from sobremesa.cli.session.seats import describe_seat, kept_seats, resume
from sobremesa.cli.session.session import Session
from sobremesa.cli.session.shown import watch_at
from sobremesa.cli.settings import OwnSettings
from sobremesa.cli.words.records import speak_latest
from sobremesa.cli.words.services import HostOrder, LobbyServices, PlayOrder, SeatRow, TableRow, Way
from sobremesa.core.errors import LocalError, SobremesaError
from sobremesa.core.game import Game
from sobremesa.core.replica.charter import Settings
from sobremesa.net.finding.discovery import Browser
from sobremesa.net.finding.listing import WAITING, Listing
from sobremesa.net.links.addresses import Address
from sobremesa.net.store import KeptSeat
from sobremesa.net.tables import HasBegun
from sobremesa.plugins.loader import Games

logger = logging.getLogger(__name__)


class Services(LobbyServices):
    """The lobby of this machine. Discovery runs only while the list is on the screen."""

    def __init__(self, games: Games, preferences: Preferences, own: OwnSettings) -> None:
        self.name = preferences.name
        self.games: Sequence[Game[Any]] = tuple(games.games.values())
        self.trouble = ""
        self._installed = games
        self._preferences = preferences
        self._own = own
        self._browser: Browser | None = None
        self._reading: asyncio.Future[None] | None = None
        self._since = 0.0
        self._found: dict[tuple[int, str], Listing] = {}
        self._kept: list[KeptSeat] = []

    async def open(self) -> None:
        self._since = asyncio.get_running_loop().time()
        self._kept = kept_seats()
        self._browser = Browser()
        self._reading = asyncio.ensure_future(self._read_latest())
        await self._browser.start()

    async def _read_latest(self) -> None:
        # In a thread: where many an index is missing, it takes a while.
        try:
            listing = await asyncio.to_thread(tallies.read_listing, self._installed.find)
        except SobremesaError as error:  # it is but a line
            logger.warning("%s", error)
        else:
            self.latest = speak_latest(listing)

    async def close(self) -> None:
        if self._browser is not None:
            browser, self._browser = self._browser, None
            await browser.stop()

    async def refresh(self) -> None:
        if self._browser is not None:
            await self._browser.refresh()

    def seats(self) -> Sequence[SeatRow]:
        return [
            SeatRow(number, seat.charter.name, describe_seat(self._installed, seat), seat.busy)
            for number, seat in enumerate(self._kept, 1)
        ]

    def tables(self) -> Sequence[TableRow]:
        trouble = self._browser.trouble if self._browser is not None else None
        choices = map(self._installed.said_of_choice, sorted(self._installed.games))
        self.trouble = " ".join(filter(None, (trouble, *choices)))
        found = self._browser.tables if self._browser is not None else ()
        rows = [self._row(number, table) for number, table in enumerate(found, 1)]
        self._found = dict(zip([(r.number, r.table) for r in rows], found, strict=True))
        return rows

    def _row(self, number: int, table: Listing) -> TableRow:
        why_not = ""
        if table.game not in self._installed.games:
            why_not = f"{table.game_title} is not installed here"
        elif table.state == WAITING and table.seats_taken >= table.seats:
            why_not = f"Table full ({table.seats_taken}/{table.seats})"
        return TableRow(
            number,
            table.label,
            table.game_title,
            table.opener,
            f"{table.seats_taken}/{table.seats}",
            table.options,
            table.open,
            round(table.seconds * 1000),
            table.state,
            why_not,
        )

    def looked(self) -> float:
        return asyncio.get_running_loop().time() - self._since

    async def resume(self, seat: SeatRow) -> Session:
        kept = self._kept[seat.number - 1]
        return await resume(self._installed, self._preferences, kept)

    def last(self, way: Way, game: str) -> Mapping[str, str]:
        return self._own.last(way, game)

    def remember(self, way: Way, game: str, habits: Mapping[str, str]) -> None:
        try:
            self._own.remember(way, game, habits)
        except LocalError as error:  # the game matters more
            logger.warning("%s", error)

    def prefer(self, key: str, value: Any) -> None:
        if key == "name":
            self.name = value
            self._preferences = replace(self._preferences, name=value)
        elif key in ("pace", "slow"):
            pace = self._own.value("pace") * (2 if self._own.value("slow") else 1)
            slow = self._own.value("slow")
            self._preferences = replace(self._preferences, pace=pace, slow=slow)

    def _with_bot(self, bot: str) -> Preferences:
        return replace(self._preferences, bot_ids=(bot,) if bot else ())

    async def play(self, order: PlayOrder) -> Session:
        preferences = self._with_bot(order.bot)
        return play(self._installed, order.game, preferences, order.bots, order.options, ALONE)

    async def host(self, order: HostOrder) -> Session:
        return await host(
            self._installed,
            order.game,
            self._with_bot(order.bot),
            table=order.table,
            seats=order.seats,
            bots=order.bots,
            options={**order.game.read_options({}), **order.options},
            settings=Settings.read(dict(order.settings), AT_NETWORK),
            code=order.code or None,
            is_open=order.open,
            port=0,
        )

    async def join(self, target: TableRow | str, code: str | None) -> Session:
        addresses = self._addresses(target)
        try:
            return await join_at(self._installed, self._preferences, addresses, code)
        except HasBegun as error:  # which names a command, and here there are words
            where = target if isinstance(target, str) else target.table
            raise LocalError(
                f"The game at {error.label} has begun: type watch {where} to look on"
            ) from error

    async def watch(self, target: TableRow | str, code: str | None) -> Session:
        addresses = self._addresses(target)
        return await watch_at(self._installed, self._preferences, addresses, code, seat=True)

    def _addresses(self, target: TableRow | str) -> list[Address]:
        """:raises BadAddress: if what was typed is none"""
        if isinstance(target, str):
            return [Address.read(target)]
        return list(self._found[target.number, target.table].addresses)

    async def records(self) -> tallies.Listing:
        # In a thread: where many an index is missing, it takes a while.
        return await asyncio.to_thread(tallies.read_listing, self._installed.find)
