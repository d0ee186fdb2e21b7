"""What stays of a game: its record, kept by itself and where the player wants it, and whether it
holds.

Rule 1: a game whose record cannot be kept counts all the same; its player is told in one line.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from sobremesa.cli.exits import DONE, FAILED, LOST
from sobremesa.core.pieces import Seat
from sobremesa.core.replica.audit import Report, audit_played
from sobremesa.core.replica.summary import summarize
from sobremesa.core.replica.table import Table
from sobremesa.net.kept import KeptGames, write_new
from sobremesa.net.store import CannotStore
from sobremesa.plugins.voice import listed

from .moments import Moment, Notice, Over, Status

PATIENCE = 1.0
"""Seconds of checking after which the player is told that it goes on."""


class Record:
    """The record of one game. `status` is told how the check came out, `push` takes notices. One
    that is `watched` is kept when it has come to its end, and marked."""

    def __init__(
        self,
        wanted: Path | None,
        status: Status,
        push: Callable[[Moment], None],
        *,
        watched: bool = False,
    ) -> None:
        self._wanted = wanted
        self._watched = watched
        self._status = status
        self._push = push
        self._saved = self._lost = False
        self._kept: Path | None = None

    def save(self, table: Table) -> None:
        """Keep the record of a game that has begun, and a copy where the player wants one."""
        if self._saved:
            return
        self._saved = True
        data = table.transcript()
        if table.started and not (self._watched and table.live):
            now = datetime.now(UTC)
            try:
                self._kept = KeptGames().keep(data, summarize(table), now, watched=self._watched)
            except CannotStore as error:
                self._push(Notice(f"The record of this game is not kept. {error}", "bad"))
        if self._wanted is not None:
            self._copy(self._wanted, data)

    def _copy(self, wanted: Path, data: bytes) -> None:
        """Write the record where the player wants it, or beside what is there already."""
        path = wanted
        try:
            if wanted.exists() and not wanted.is_file():  # a pipe, a device
                wanted.write_bytes(data)
            else:
                path = write_new(wanted, data)
        except OSError as error:
            self._lost = True
            why = error.strerror or "it cannot be written"
            self._push(Notice(f"Not saved to {wanted}: {why}.", "bad"))
        if path != wanted:
            self._push(Notice(f"Saved to {path.name}: {wanted.name} was there already.", "warn"))

    async def check(self, table: Table) -> Report | None:
        """The audit, in a thread; None for a game that was not finished."""
        if not table.over or table.fault is not None:
            return None
        work = asyncio.ensure_future(asyncio.to_thread(audit_played, table))
        await asyncio.wait([work], timeout=PATIENCE)
        if not work.done():
            self._push(Notice("The game is over. Its record is being checked once more."))
        return await work

    def verdict(self, table: Table, report: Report | None) -> Over:
        """How it ended, in words for the player; `report` is that of a game that was finished."""
        if self._kept is not None and report is not None:
            KeptGames().judge(self._kept, report.ok)
        if table.fault is not None:
            self._status.verified = False
            self._status.proof = f"Not verified: {table.fault}."
            return Over(f"Not verified: {table.fault}. The table is over.", FAILED, None, False)
        outcome = table.outcome
        if table.ended is not None and outcome is None:
            own = table.game.broken_off
            return Over(f"{own} {table.ended}.".lstrip(), LOST, None, None)
        if table.ended is not None and outcome is not None:
            # The result stands, whoever kept back what would let us check it.
            self._status.proof = f"Not verified: {table.ended}."
            why = f"{outcome.reason}. {table.ended}."
            return Over(why, DONE, outcome.places, None, outcome.together)
        if table.late_fault is not None:
            why = f"When the game was over already, {table.late_fault}. The result stands."
            self._push(Notice(why, "warn"))
        assert outcome is not None
        assert report is not None
        if report.disputed:
            return Over(f"{report.trouble}.", LOST, None, None)
        self._status.verified = report.ok
        if not report.ok:
            self._status.proof = f"Not verified: {report.trouble}."
            why = f"{outcome.reason}. Not verified: {report.trouble}."
            return Over(why, FAILED, outcome.places, False, outcome.together)
        self._status.proof = (
            f"All {report.steps} steps were checked again from the revealed seeds: every message "
            "is signed, follows from its seed, and obeys the rules."
        )
        if report.departures:
            self._tell_unaudited([departure.name for departure in report.departures])
        status = FAILED if self._lost else DONE
        return Over(f"{outcome.reason}.", status, outcome.places, True, outcome.together)

    def _tell_unaudited(self, names: list[Seat]) -> None:
        """Say whose seed is not there, so that nobody can check again how it played."""
        said = (
            f"Of {listed(names)} there is no seed: what {listed(names)} had hidden, and never "
            "showed, nobody can check again."
        )
        self._status.proof += f" {said}"
        self._push(Notice(said))
