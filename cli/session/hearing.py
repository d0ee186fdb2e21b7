"""What a session hears of the people at its table from the links, and says to them about each
other: who is away, who is back, without whom the game goes on.

Rule 1: this is no part of the game's story, so none of it waits for the end of a rest.
"""

from __future__ import annotations

import abc
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from sobremesa.core.errors import LocalError
from sobremesa.core.pieces import Seat
from sobremesa.core.replica.phase import Phase
from sobremesa.core.replica.table import Table
from sobremesa.net.events import Absence, Role
from sobremesa.net.match import Match
from sobremesa.plugins.voice import listed

if TYPE_CHECKING:  # who plays alone loads no sockets
    from sobremesa.net.watching import Watch

from .moments import Absent, Chat, Moment, Notice
from .session import Again, Session


class Hearing(Session):
    """A session with links (LinkEvents, as far as it goes on with them)."""

    match: Match | Watch | None = None
    awaited: tuple[Seat, ...] = ()
    """Who was at our last game, where this is one more with the same people."""
    look_on: Again | None = None
    """The way back for whoever finds that the others have gone on without it."""

    @abc.abstractmethod
    def _push(self, moment: Moment) -> None:
        """Let the client live this moment in its turn."""

    def transcript(self) -> bytes:
        return super().transcript() if self.match is None else self.match.table.transcript()

    def without(self, name: Seat) -> None:
        self._expect_match().without(name)

    def stay(self, name: Seat) -> None:
        self._expect_match().stay(name)

    def _expect_match(self) -> Match:
        if not isinstance(self.match, Match):
            raise LocalError("you look on" if self.looks_on else "the game has not begun")
        return self.match

    def chatted(self, name: str, text: str) -> None:
        self._push(Chat(name, text))

    def noticed(self, text: str, role: Role) -> None:
        self._push(Notice(text, role))

    def absent(self, absences: Sequence[Absence], alone: bool) -> None:
        self.status.away = [absence.name for absence in absences]
        match = self.match
        peers = len(match.table.charter.peers) if match is not None else 0
        unanswered = isinstance(match, Match) and match.unanswered
        here = peers - len(self.status.gone)
        self._push(Absent(tuple(absences), here, alone, unanswered, self.looks_on))

    def back(self, name: Seat) -> None:
        self._push(Notice(f"{name} is back.", "good"))

    def gone(self, names: Sequence[Seat], why: str) -> None:
        self.status.gone |= frozenset(names)
        self._push(Notice(f"The game goes on without {listed(names)}, who {why}.", "warn"))

    def way_on(self, table: Table) -> Again | None:
        """What can be done now that this table has ended for us."""
        if table.phase is Phase.GONE:
            return self.look_on
        return self.again if can_meet_again(table, self.status.gone) else None


def can_meet_again(table: Table, gone: Collection[Seat]) -> bool:
    """Whether there can be one more game with the same people: the opener is there, or is us and
    somebody else is there."""
    charter = table.charter
    out = {charter.name_of(peer) for peer in table.history.left} | set(gone)
    if table.fault is not None:
        out.add(table.fault.peer)
    here = [peer for peer in range(len(charter.peers)) if charter.name_of(peer) not in out]
    if table.me != 0:
        return 0 in here
    return len(here) > 1 or len(charter.peers) == 1
