"""Seats that are kept on this machine: which there are, back to one, and giving one up.

Rule 1: a seat that another window plays is listed, and cannot be taken.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress

from sobremesa.core import typed
from sobremesa.core.errors import LocalError
from sobremesa.net.match import Match
from sobremesa.net.store import KeptSeat, Store, TableStore
from sobremesa.plugins.loader import Games

from .defaults import Preferences
from .table_session import TableSession

REACHING = 5.0
"""Seconds in which somebody must be reached who hears our farewell."""
GLANCE = 0.05


def kept_seats() -> list[KeptSeat]:
    """The seats that are kept, the one that was played last first."""
    return Store().seats()


def describe_seat(games: Games, seat: KeptSeat) -> str:
    """A seat in words: "Kitchen: House of Jokers with Bea and Cai, left 5 minutes ago"."""
    charter = seat.charter
    table = charter.name if len(charter.peers) > 1 else "this machine"
    game = games.games.get(charter.game)
    title = game.title if game is not None else charter.game
    *most, last = seat.others or ("nobody",)
    company = f"{', '.join(most)} and {last}" if most else last
    when = "open in another window here" if seat.busy else f"left {_ago(time.time() - seat.left)}"
    return f"{table}: {title} with {company}, {when}"


def _ago(seconds: float) -> str:
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        count = int(seconds // size)
        if count:
            return f"{count} {unit}{'' if count == 1 else 's'} ago"
    return "just now"


def find_seat(games: Games, seats: Sequence[KeptSeat], wanted: str | None) -> KeptSeat:
    """The seat that is meant by a table's name or its number in the list, or the only one.

    :raises LocalError: if there is none, or several may be meant
    """
    if not seats:
        raise LocalError("no seat is kept here. sobremesa join sits down at a table")
    numbered = {str(number): seat for number, seat in enumerate(seats, 1)}
    free = [seat for seat in seats if not seat.busy]
    if wanted is None:
        found = free if free else list(seats)
    elif wanted in numbered:
        found = [numbered[wanted]]
    else:
        found = typed.meant(wanted, seats, lambda seat: [seat.charter.name])
    if len(found) == 1:
        return found[0]
    listed = "; ".join(f"{n} {describe_seat(games, seat)}" for n, seat in numbered.items())
    wrong = "which seat?" if wanted is None or found else f"no seat is kept at {wanted[:40]!r}."
    raise LocalError(f"{wrong} Type the number or the name of one of these: {listed}")


async def resume(games: Games, preferences: Preferences, seat: KeptSeat) -> TableSession:
    """Sit down again in a seat that was kept.

    :raises LocalError: if its game is not installed here, or another window has it
    :raises CannotStore: if it cannot be read
    :raises BadCharter: if its game is another now
    """
    charter = seat.charter
    game = games.find(charter.game)
    session = TableSession(games, game, preferences)
    record = seat.open()
    try:
        if len(charter.peers) > 1:
            await _back_to_network(session, seat, record)
        else:
            session.match = Match(charter, game, seat.me, record.seed(), session, record)
            await session.match.take_up()
    except BaseException:
        if session.node is not None:
            await session.node.close()
        record.close()
        raise
    table = session.table
    assert table is not None
    if table.me in table.history.left:  # we stopped before the rest of it was forgotten
        await session.leave()
        raise LocalError(f"you have left {charter.name} for good: no seat is kept there any more")
    return session


async def _back_to_network(session: TableSession, seat: KeptSeat, record: TableStore) -> None:
    from sobremesa.net.node import Node  # who plays alone loads no sockets

    from .watching import LookOn

    session.look_on = LookOn(session)
    node = session.node = Node(seat.me, Store(), session)
    await node.take_up(seat.charter, session.game, record)


async def forget(games: Games, preferences: Preferences, seat: KeptSeat) -> bool:
    """Give a seat up for good. Returns whether somebody heard the farewell; where nobody can be
    reached there is nothing to say it to.

    :raises LocalError: if another window has it
    """
    if seat.charter.game not in games.games:
        seat.open().remove()
        return False
    session = await resume(games, preferences, seat)
    match = session.match
    assert match is not None
    try:
        if match.links is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(REACHING):
                    while match.table.silent and match.table.live:  # noqa: ASYNC110
                        await asyncio.sleep(GLANCE)
        return match.links is not None and not match.table.silent
    finally:
        await session.leave()
