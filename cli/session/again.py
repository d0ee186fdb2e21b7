"""One more game with the same people, when one is over: the offer, and what the others do about it.

Rule 1: it begins when the game is over. The opener's next table is open from then on, though the
opener may still be looking at the result, so who wants another game has where to go, and who waits
there sees who else does.
Rule 2: the offer stands for as long as it can be taken up, and no longer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from sobremesa.core.pieces import Seat
from sobremesa.net.finding.browse import watch_next
from sobremesa.net.finding.listing import Listing
from sobremesa.plugins.voice import listed

from .moments import Chat, Moment, Room, RoomChanged
from .session import Again, Tell
from .table_session import TableSession

NOBODY = "Nobody else wants another game any more."


class AgainAsOpener(Again):
    """Of whoever opened the table: `open_next` opens another in its place."""

    def __init__(
        self, before: TableSession, open_next: Callable[[], Awaitable[TableSession]]
    ) -> None:
        super().__init__(self._take_seat)
        self._before = before
        self._open_next = open_next
        self._next: asyncio.Task[TableSession] | None = None

    async def begin(self, tell: Tell) -> None:
        told = NOBODY

        def overhear(moment: Moment) -> None:
            nonlocal told
            match moment:
                case Chat(name, text):
                    tell(f"{name}: {text}")
                case RoomChanged(room) if (now := _who_comes(room)) != told:
                    told = self.standing = now
                    tell(told)

        session = await self._opened()
        session.pacing.overhear = overhear
        if session.node is not None and session.node.room_host is not None:
            session.node.room_host.publish()  # somebody may have come while it was being opened

    async def _take_seat(self) -> TableSession:
        session = await self._opened()
        session.pacing.overhear = None
        _be_ready(session, self._before)
        return session

    async def _opened(self) -> TableSession:
        """The next table, opened once; a try that failed is no table."""
        if self._next is None or (self._next.done() and self._next.exception()):
            self._next = asyncio.ensure_future(self._open())
        return await asyncio.shield(self._next)

    async def _open(self) -> TableSession:
        session = await self._open_next()
        session.awaited = people_of(self._before)
        return session

    def say(self, text: str) -> None:
        if self._next is None or not self._next.done():
            super().say(text)
        else:
            self._next.result().say(text)

    async def decline(self) -> None:
        if self._next is None:
            return
        if not self._next.done():
            self._next.cancel()
        elif self._next.exception() is None:
            await self._next.result().leave()


class AgainAsGuest(Again):
    """Of a guest at the table that `listing` shows: `join_next` sits down at the next one there."""

    def __init__(
        self,
        before: TableSession,
        listing: Listing,
        join_next: Callable[[], Awaitable[TableSession]],
    ) -> None:
        super().__init__(self._take_seat)
        self._before = before
        self._listing = listing
        self._join_next = join_next
        if before.looks_on:
            self.what, self.short = "sit down at the next game", "A seat in the next game"

    async def begin(self, tell: Tell) -> None:
        async for listing in watch_next(self._listing):
            taken = f"{listing.seats_taken} of {listing.seats} seats are taken"
            self.standing = f"{listing.opener} has a table open for another game: {taken}."
            tell(self.standing)

    async def _take_seat(self) -> TableSession:
        session = await self._join_next()
        _be_ready(session, self._before)
        return session


def _who_comes(room: Room) -> str:
    """Who wants another game, and whom that waits for."""
    comers = [seat.name for seat in room.seats if seat.name and not (seat.you or seat.bot)]
    if not comers:
        return NOBODY
    want = "wants" if len(comers) == 1 else "want"
    return f"{listed(comers)} {want} another game. It waits for {listed([*room.awaited, 'you'])}."


def people_of(session: TableSession) -> tuple[Seat, ...]:
    """The people that were at a session's table."""
    table = session.table
    return tuple(plan.name for plan in table.charter.seats if not plan.bot) if table else ()


def _be_ready(session: TableSession, before: TableSession) -> None:
    session.awaited = people_of(before)
    if not session.preferences.auto:  # who is played by a bot is ready already
        session.ready()
