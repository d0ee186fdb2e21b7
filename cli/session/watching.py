"""To a session that looks on at a table of others, and what is different in it.

Rule 1: who looks on has no seat: nothing is asked, and nothing that is typed reaches the table.
Rule 2: the game of others is theirs to keep: no record of it is kept here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from sobremesa.cli.exits import DONE
from sobremesa.core.errors import LocalError, SobremesaError
from sobremesa.core.game import Game
from sobremesa.core.replica.charter import Charter
from sobremesa.core.replica.table import Table
from sobremesa.net.finding.browse import find_table, look_up
from sobremesa.net.finding.listing import OPENER, PLAYING, Listing
from sobremesa.net.identity import Identity
from sobremesa.net.links.addresses import Address, heard_addresses
from sobremesa.net.links.link import Link
from sobremesa.net.tables import expect_watchable
from sobremesa.net.text import read_code
from sobremesa.net.watching import Watch, look_on
from sobremesa.plugins.loader import Games

from .again import AgainAsGuest
from .defaults import Preferences
from .moments import Notice, Over
from .network import join_next
from .record import Record
from .table_session import TableSession

LONG = 1.0
"""Seconds of catching up before a word about it, and between two."""


class Unkept(Record):
    """The record of a game of others."""

    def save(self, table: Table) -> None:
        """It is not kept."""


class WatchSession(TableSession):
    """A session that looks on."""

    looks_on = True

    def __init__(self, games: Games, game: Game[Any], preferences: Preferences) -> None:
        super().__init__(games, game, preferences)
        self.me = ""
        self.record = Unkept(None, self.status, self.pacing.push)
        self.watch: Watch
        self._word_due = asyncio.get_running_loop().time() + LONG

    def follow(self, watch: Watch, *, seat: bool) -> None:
        """Look on; `seat`: and wait for one in the next game."""
        self.match = self.watch = watch
        watch.begin()
        if seat:
            watch.wish()

    def wish(self) -> None:
        self.watch.wish()
        opener = self.watch.table.charter.name_of(OPENER)
        self._push(Notice(f"{opener} is told that you wait for a seat in the next game."))

    def catching_up(self, step: int, of: int) -> None:
        """So many steps are checked, of those that were there when we came (WatchEvents)."""
        now = asyncio.get_running_loop().time()
        if now >= self._word_due:
            self._word_due = now + LONG
            self._push(Notice(f"Catching up with the game: step {step} of {of}."))

    async def leave(self) -> None:
        self._stop()
        self.close(Over("You look on no longer.", DONE))
        await self.watch.close()


async def watch(
    games: Games,
    preferences: Preferences,
    target: str | None,
    code: str | None,
    *,
    seat: bool = False,
) -> WatchSession:
    """Look on at a table, by its name, its address, or because it is the only one that plays.
    `seat`: and wait for one in the next game.

    :raises LocalError: if there is none, several are meant, nobody can look on there, or the
        players' copy of the game is not here
    :raises DialFailed: if it does not let us in
    :raises BadCharter: if what is shown is no table of that game
    """
    if target is not None and not target.strip():
        raise LocalError("watch what? Its name, or HOST:PORT; nothing for the only game there is")
    return await _watch(games, preferences, await find_table(target, PLAYING), code, seat)


async def watch_at(
    games: Games,
    preferences: Preferences,
    addresses: Sequence[Address],
    code: str | None,
    *,
    seat: bool,
) -> WatchSession:
    """Look on at the table that is shown at these addresses; otherwise as `watch`."""
    return await _watch(games, preferences, await look_up(addresses), code, seat)


async def _watch(
    games: Games, preferences: Preferences, listing: Listing, code: str | None, seat: bool
) -> WatchSession:
    games.find(listing.game)
    expect_watchable(listing, code)
    me, code = Identity.fresh(), None if code is None else read_code(code)
    charter, link = await look_on(
        me,
        listing.addresses,
        name=preferences.name,
        table=listing.table,
        code=code,
        whom=listing.key,
    )
    try:
        session = follow(games, preferences, charter, me, code, link, seat=seat)
    except SobremesaError:
        await link.close("left", "Somebody cannot look on.")
        raise
    place = _place_of(charter, listing)
    join = partial(join_next, games, preferences, place, code)
    session.again = AgainAsGuest(session, place, join)
    return session


def follow(
    games: Games,
    preferences: Preferences,
    charter: Charter,
    me: Identity,
    code: str | None = None,
    link: Link | None = None,
    *,
    seat: bool = False,
) -> WatchSession:
    """Look on at the table of a charter, on this link or on one that is found: whoever had a seat
    there needs no code.

    :raises LocalError: if the players' copy of its game is not here
    :raises BadCharter: if it is of no such game
    """
    game = games.find(charter.game)
    if games.copy(game).fingerprint not in [peer.rules for peer in charter.peers]:
        raise LocalError(
            f"{charter.name} plays by another copy of {game.title} than yours, so you could not "
            "tell what is right there: install the same version"
        )
    session = WatchSession(games, game, preferences)
    name = preferences.name
    session.follow(Watch(charter, game, me, session, name=name, code=code, link=link), seat=seat)
    return session


def _place_of(charter: Charter, shown: Listing) -> Listing:
    """Where the opener of this table opens the next one."""
    opener = charter.peers[OPENER]
    told = heard_addresses(map(Address.read, opener.addresses))
    here = shown.addresses if shown.key == opener.key else ()
    return replace(shown, key=opener.key, addresses=(*here, *(a for a in told if a not in here)))
