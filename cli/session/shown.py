"""To tables that are shown to whoever wants to look on, by their name or address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from sobremesa.core.errors import LocalError, SobremesaError
from sobremesa.core.replica.charter import Charter
from sobremesa.net.finding.browse import find_table, look_up
from sobremesa.net.finding.listing import OPENER, PLAYING, Listing
from sobremesa.net.identity import Identity
from sobremesa.net.links.addresses import Address, heard_addresses
from sobremesa.net.tables import expect_watchable
from sobremesa.net.text import read_code
from sobremesa.net.watching import look_on
from sobremesa.plugins.loader import Games

from .again import AgainAsGuest
from .defaults import Preferences
from .network import join_next
from .watching import WatchSession, follow


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


def _place_of(charter: Charter, shown: Listing) -> Listing:
    """Where the opener of this table opens the next one."""
    opener = charter.peers[OPENER]
    told = heard_addresses(map(Address.read, opener.addresses))
    here = shown.addresses if shown.key == opener.key else ()
    return replace(shown, key=opener.key, addresses=(*here, *(a for a in told if a not in here)))
