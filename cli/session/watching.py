"""To a session that looks on at a table of others, and what is different in it.

Rule 1: who looks on has no seat: nothing is asked, and nothing that is typed reaches the table.
Rule 2: its record is kept when the game is over, and marked: nobody here has played it.
"""

from __future__ import annotations

import asyncio
from typing import Any

from sobremesa.cli.exits import DONE
from sobremesa.core.errors import LocalError
from sobremesa.core.game import Game
from sobremesa.core.replica.charter import Charter
from sobremesa.net.finding.listing import OPENER
from sobremesa.net.identity import Identity
from sobremesa.net.links.link import Link
from sobremesa.net.watching import Watch
from sobremesa.plugins.loader import Games

from .defaults import Preferences
from .hearing import can_meet_again
from .moments import Notice, Over
from .record import Record
from .session import Again, Session
from .table_session import TableSession

LONG = 1.0
"""Seconds of catching up before a word about it, and between two."""


class WatchSession(TableSession):
    """A session that looks on."""

    looks_on = True

    def __init__(self, games: Games, game: Game[Any], preferences: Preferences) -> None:
        super().__init__(games, game, preferences)
        self.me = ""
        self.record = Record(preferences.save, self.status, self.pacing.push, watched=True)
        self.watch: Watch
        self._word_due = asyncio.get_running_loop().time() + LONG

    def follow(self, watch: Watch, *, seat: bool) -> None:
        """Look on; `seat`: and wait for one in the next game."""
        self.match = self.watch = watch
        watch.begin()
        if seat:
            watch.wish()

    def wish(self) -> None:
        table = self.watch.table
        opener = table.charter.name_of(OPENER)
        if not can_meet_again(table, self.status.gone):
            raise LocalError(f"{opener} opened this table and has gone, so no other game follows")
        self.watch.wish()
        self._push(Notice("All who play are told that you wait for a seat in the next game."))

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


class LookOn(Again):
    """Of whoever finds that the others have gone on without it: it may see how that goes."""

    what = "look on at how it goes on"
    short = "Look on"

    def __init__(self, before: TableSession) -> None:
        super().__init__(self._follow)
        self._before = before

    async def _follow(self) -> Session:
        session = self._before
        assert session.table is not None
        assert session.node is not None
        return follow(session.games, session.preferences, session.table.charter, session.node.me)
