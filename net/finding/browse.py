"""Finding the one table that a player means: by its name, its address, or as the only one there is.

Rule 1: what is wrong is said in the player's words, with what to do now.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress

from sobremesa.core import typed
from sobremesa.core.errors import LocalError
from sobremesa.core.names import are_alike
from sobremesa.net.links.addresses import Address
from sobremesa.net.links.dial import DialFailed, probe

from .discovery import Browser
from .listing import WAITING, BadListing, Listing, read_listing

LOOKING = 6.0
"""Seconds in which a table must be found."""
SETTLING = 1.5
"""Seconds in which the tables of a network answer, when the only one is meant."""
WAITING_AGAIN = 60.0
"""Seconds in which an opener who plays again opens the next table."""
LEFT_AFTER = 10.0
"""Seconds in which nobody listens where a table was, and its opener has left."""
GLANCE = 0.05
"""Seconds between two looks at the list."""
KNOCK = 0.5
"""Seconds between two questions to whoever listens where a table was."""
ID_DIGITS = 8
"""So many hex digits of its id name a table; fewer may be anybody's."""


async def find_table(target: str | None, state: str = WAITING) -> Listing:
    """The table that is meant by HOST:PORT, by a name or an id, or as the only one in this state if
    None.

    :raises LocalError: if there is none, several are meant, or the address is none
    :raises DialFailed: if it does not answer
    :raises BadListing: if what answers is no table
    """
    target = None if target is None else typed.fold(target)
    if target is not None and _is_address(target):
        return await look_up([Address.read(target)])
    # What the list has may be seconds old.
    return await look_up((await find_by_name(target, state)).addresses)


async def look_up(addresses: Sequence[Address]) -> Listing:
    """The table that listens at these addresses.

    :raises DialFailed: if none answers
    :raises BadListing: if what answers is no table
    """
    return read_listing(addresses, *await probe(addresses))


async def find_by_name(name: str | None, state: str = WAITING) -> Listing:
    """The table of that name or id on this network, or the only one in this state if None.

    :raises LocalError: if there is none, or more than one
    """
    browser = Browser()
    trouble = await browser.start()
    if trouble and browser.switched_off:
        raise LocalError(trouble)
    try:
        settled = _now() + SETTLING
        deadline = settled + LOOKING - SETTLING
        while _now() < deadline:
            matches = [table for table in browser.tables if is_meant(table, name, state)]
            if name is not None and not matches and _now() >= settled:
                matches = typed.meant(name, browser.tables, lambda table: [table.label])
            if name is None and _now() < settled:
                matches = []  # one more may answer in a moment
            if len(matches) == 1:
                return matches[0]
            if len(matches) > 1:
                where = "; ".join(f"{t.label} at {t.addresses[0]}" for t in matches)
                raise LocalError(f"several tables are meant: {where}. Join one by HOST:PORT.")
            await asyncio.sleep(GLANCE)
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


def is_meant(table: Listing, name: str | None, state: str = WAITING) -> bool:
    """Whether a player who typed this name, or None for any in this state, means the table."""
    if name is None:
        return table.state == state
    wanted = typed.key(name)
    by_id = len(wanted) >= ID_DIGITS and table.table.hex().startswith(wanted)
    return by_id or typed.key(table.label) == wanted or are_alike(table.label, name)


async def find_next(before: Listing) -> Listing:
    """The next table that the opener of this one opens in the same place.

    :raises LocalError: if there is none yet, or the opener has left
    """
    with suppress(TimeoutError):
        async with asyncio.timeout(WAITING_AGAIN), aclosing(watch_next(before)) as tables:
            async for table in tables:
                return table
    raise LocalError(
        f"{before.opener} has not opened the table again yet: type again to wait on, Enter to leave"
    )


async def watch_next(before: Listing) -> AsyncGenerator[Listing]:
    """The next table that the opener of this one opens in the same place, while it waits for
    guests, anew whenever its seats change.

    :raises LocalError: if the opener has left
    """
    heard, taken = _now(), None
    while _now() < heard + LEFT_AFTER:
        with suppress(DialFailed, BadListing):  # nobody listens there, or somebody else
            table = await look_up(before.addresses)
            if table.key == before.key:
                heard = _now()
                now = table.table, table.seats_taken
                if table.state == WAITING and now != taken:
                    taken = now
                    yield table
        await asyncio.sleep(KNOCK)
    raise LocalError(f"{before.opener} has left, so there is no other game at this table")


def _is_address(target: str) -> bool:
    host, colon, port = target.rpartition(":")
    return bool(host and colon and port.isdecimal())


def _now() -> float:
    return asyncio.get_running_loop().time()
