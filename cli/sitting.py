"""A sitting around a `Table`: who of ours plays what, when, and what the client is told.

It is the same for a game alone against bots and for one on the network; `local` and `networked`
add how the table comes about and how messages travel.

Rule 1: what happened is queued with the view of its instant; the client takes it at its own pace.
Rule 2: bots of this machine, and a seat that `--auto` plays, move only when the client has caught
up, so that a person can follow them.
Rule 3: a question's time runs from the moment its player is told of it.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sobremesa.core.errors import IllegalAnswer, LocalError, ScriptError
from sobremesa.core.game import Bot, Game
from sobremesa.core.pieces import Faces, Seat
from sobremesa.core.questions import Answer, Question
from sobremesa.core.replica.audit import Report, audit_played
from sobremesa.core.replica.table import Table
from sobremesa.core.requests import Event
from sobremesa.core.views import View
from sobremesa.plugins import Games

from .exits import DONE, FAILED
from .session import (
    Asked,
    Banner,
    Chat,
    Moment,
    Notice,
    Over,
    Seen,
    Session,
    Settled,
    Started,
    Status,
    Told,
    Working,
)

THINKING = 0.25
"""A bot takes this part of the pace for a move."""

PATIENCE = 1.0
"""Seconds of checking after which the player is told that it goes on."""

Aside = Chat | Notice | Banner
"""Moments that do not wait for the end of a rest: they are no part of the game's story."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Habits:
    """How this person sits at tables: name, pace in seconds (0: as fast as it goes), whether a
    bot plays the seat, and where the transcript goes."""

    name: str
    pace: float = 5.0
    auto: bool = False
    save: Path | None = None


class Sitting(Session):
    """A session on a table. Subclasses begin it and carry its messages."""

    def __init__(self, games: Games, game: Game, habits: Habits) -> None:
        self.games = games
        self.game = game
        self.habits = habits
        self.me = habits.name
        self.status = Status()
        self.question: Question | None = None
        self.table: Table | None = None
        self._moments: deque[Moment] = deque()
        self._news = asyncio.Event()
        self._caught_up = asyncio.Event()
        self._rests_until = 0.0
        self._tasks: dict[Seat, asyncio.Task[None]] = {}
        self._asked: Question | None = None
        self._deadline: float | None = None
        self._closed = False
        self._saved = self._lost_record = False
        self._announced = False
        self._labour: asyncio.Future[None] | None = None
        self._working = Working()
        self._drawn: View | None = None
        """The last view that was pushed."""

    # What a client calls.

    async def moments(self) -> AsyncIterator[Moment]:
        while True:
            moment = self._next()
            if moment is None:
                await self._wait()
                continue
            self._caught_up.clear()
            self._reached(moment)
            yield moment
            if isinstance(moment, Over):
                return
            if isinstance(moment, Told) and moment.rest > 0:
                self._rests_until = _now() + moment.rest

    def _next(self) -> Moment | None:
        """The moment that is due: during a rest only what people say and what is wrong."""
        resting = self._rests_until > _now()
        for place, moment in enumerate(self._moments):
            if not resting or isinstance(moment, Aside):
                del self._moments[place]
                return moment
        return None

    async def _wait(self) -> None:
        """Wait for news, or for the end of a rest."""
        left = self._rests_until - _now()
        if left <= 0:
            self._caught_up.set()
        self._news.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._news.wait(), left if left > 0 else None)

    def _reached(self, moment: Moment) -> None:
        """The client is at this moment now: what it sees, and whether it is to move."""
        match moment:
            case Asked(question, _, seconds):
                if question is self._asked:
                    self.question = question
                    if seconds:
                        self._deadline = _now() + seconds
                        self._begin(self.me, self._run_out(question, seconds))
            case Settled():
                self.question = None
            case Told(event):
                self._tell_observers(event)
        self._refresh()

    def go_on(self) -> None:
        self._rests_until = 0.0
        self._news.set()

    def answer(self, text: str) -> str:
        if self.question is None:
            raise IllegalAnswer("it is not your turn")
        assert self.table is not None
        answer = self.question.read(text, self.faces())
        return self._answer(self.me, self.question, answer, "player")

    def faces(self) -> Faces:
        return self.table.faces(self.me) if self.table is not None else {}

    def hint(self, text: str) -> str | None:
        if self.question is None or self.table is None:
            return None
        faces = self.faces()
        try:
            return self.question.hint(self.question.read(text, faces), faces)
        except LocalError:
            return None

    def ready(self, ready: bool = True) -> None:
        raise LocalError("the game has begun")

    def start(self) -> None:
        raise LocalError("the game has begun")

    def add_bot(self) -> None:
        raise LocalError("the game has begun")

    def tick(self) -> None:
        """Bring the status up to date: clients with a clock call it once a second."""
        self._refresh()

    # The table.

    def seat(self, table: Table) -> None:
        """Sit down at a table that was just made."""
        self.table = table
        assert table.me is not None
        self.me = table.charter.peers[table.me].name
        self._announced = False

    def unseat(self) -> None:
        """The start was called off: there is no table any more."""
        self.table = None

    def _announce(self) -> None:
        """Say that the game begins, once everybody has signed."""
        if self.table is not None and self.table.started and not self._announced:
            self._announced = True
            charter = self.table.charter
            bots = tuple(plan.name for plan in charter.seats if plan.bot)
            self._push(Started(self.game, charter.seat_names, self.me, bots))

    def told(self, event: Event) -> None:
        """The script rests at an event: draw what we see now."""
        self._announce()
        rest = self.habits.pace if event["kind"] in self.game.pauses else 0.0
        self._drawn = self._draw()
        self._push(Told(event, self.game.tell(event, self.me), self._drawn, rest))

    def _tell_observers(self, event: Event) -> None:
        try:
            self.games.tell_observers(self.game, event)
        except Exception:  # a plugin that watches must not stop the game
            logger.exception("a plugin that watches broke")

    def changed(self) -> None:
        """Something was received or answered: ask, let bots think, or end."""
        table = self.table
        if table is None or self._closed:
            return
        self._announce()
        self._tell_progress(table)
        self._tell_forced(table)
        self._tell_sight(table)
        for seat in [s for s in self._tasks if s not in table.asked and s != self.me]:
            self._tasks.pop(seat).cancel()
        for seat, question in table.asked.items():
            bot = self._bot(seat)
            if bot is not None and seat not in self._tasks:
                self._begin(seat, self._think(seat, question, bot))
            elif bot is None and question is not self._asked:
                self._asked = question
                self._drawn = self._draw()
                self._push(Asked(question, self._drawn, table.seconds()))
        if self._asked is not None and self.me not in table.asked:
            self._asked = None
        self._refresh()
        if not table.live:
            self._finish(table)
        elif table.busy and self._labour is None:
            self._labour = asyncio.ensure_future(self._work_off(table))
            self._labour.add_done_callback(self._look_at)

    def _tell_progress(self, table: Table) -> None:
        """Tell whose turn it is at something long, and when it is over."""
        working = Working(*(table.progress or ()))
        if working != self._working:
            self._working = working
            self._push(working)

    def _tell_sight(self, table: Table) -> None:
        """Tell what we see if it changed without an event, such as dice under our cup."""
        if table.state is not None:
            drawn = self._draw()
            if drawn != self._drawn:
                self._drawn = drawn
                self._push(Seen(drawn))

    def _tell_forced(self, table: Table) -> None:
        """Tell the player what was played for them because nothing else was possible."""
        for seat, question, answer in table.forced:
            if seat == self.me and not self.habits.auto:
                faces = table.faces(seat)
                with table.replica_state.run.game_code():
                    why = _why_only(question, answer, faces)
                self._push(Settled(question.write(answer, faces), "rules", why))
        table.forced.clear()

    async def _work_off(self, table: Table) -> None:
        """Do the table's long work in slices, and let the client live in between."""
        while table.busy and not self._closed:
            before = table.step, len(table.log)
            table.work()
            if before != (table.step, len(table.log)) or not table.live:
                self.pass_on()
            await asyncio.sleep(0)
        self._labour = None

    def _draw(self) -> View:
        """What our seat sees at this instant.

        :raises ScriptError: if the plugin cannot draw it
        """
        assert self.table is not None
        try:
            return self.game.view(self.table.state, self.me, self.table.faces(self.me))
        except Exception as error:
            raise ScriptError(f"{self.game.title} cannot draw its table: {error}") from error

    def _bot(self, seat: Seat) -> Bot | None:
        """The bot that plays a seat of ours, or None for the person."""
        assert self.table is not None
        plan = next(plan for plan in self.table.charter.seats if plan.name == seat)
        if plan.bot:
            bots = {bot.id: bot for bot in self.game.bots}
            return bots.get(plan.bot, self.game.bots[0])
        return self.game.bots[0] if self.habits.auto else None

    def _answer(
        self,
        seat: Seat,
        question: Question,
        answer: Answer,
        by: Literal["player", "clock", "rules", "bot"],
    ) -> str:
        """Give an answer to the table; messages go out and the game goes on.

        :raises IllegalAnswer: if the rules refuse it
        :raises LocalError: if it cannot be kept
        """
        assert self.table is not None
        faces = self.table.faces(seat)
        self.table.replica_state.run.check_answer(seat, question, answer, faces)
        self.keep_choice(seat, question.write(answer))
        notation = question.write(answer, faces)
        if seat == self.me and not self.habits.auto:
            self._asked = self.question = None
            self._push(Settled(notation, by))
            timer = self._tasks.pop(seat, None)
            if timer is not None and timer is not asyncio.current_task():
                timer.cancel()
        self.table.answer(seat, answer)
        self.pass_on()
        return notation

    def keep_choice(self, seat: Seat, notation: str) -> None:
        """Keep an answer before the table has it; alone there is nothing to come back to.

        :raises LocalError: if that cannot be done; the answer is not given then
        """

    def pass_on(self) -> None:
        """The table has an answer of ours: send on what follows from it."""
        self.changed()

    async def _think(self, seat: Seat, question: Question, bot: Bot) -> None:
        await self._caught_up.wait()
        if self.habits.pace:
            await asyncio.sleep(self.habits.pace * THINKING)
        self._tasks.pop(seat, None)
        assert self.table is not None
        if self.table.asked.get(seat) is not question:
            return
        answer = bot.choose(self.table.sight(seat), question, secrets.randbelow)
        self._answer(seat, question, answer, "bot")

    async def _run_out(self, question: Question, seconds: int) -> None:
        await asyncio.sleep(seconds)
        self._tasks.pop(self.me, None)
        if self._asked is question:
            assert self.table is not None
            faces = self.table.faces(self.me)
            answer = question.late(faces)
            self._push(Notice(f"Your time ran out: {question.write(answer, faces)}.", "warn"))
            self._answer(self.me, question, answer, "clock")

    def _begin(self, seat: Seat, work: object) -> None:
        task = asyncio.ensure_future(work)  # type: ignore[call-overload]
        self._tasks[seat] = task
        task.add_done_callback(self._look_at)

    def _look_at(self, task: asyncio.Task[None]) -> None:
        """A bot, a timer or the end came to its end: what broke it ends the sitting, with a
        word."""
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("a task of the sitting broke", exc_info=error)
            self._closed = False
            self.close(Over(f"The table cannot go on: {error}", 3))

    # The end.

    def _finish(self, table: Table) -> None:
        self._closed = True
        self.stop_work()
        self._finishing = asyncio.ensure_future(self._closing(table))
        self._finishing.add_done_callback(self._look_at)

    async def _closing(self, table: Table) -> None:
        """Save, check everything by the revealed seeds, and say how it ended."""
        self.save(table.transcript())
        checking = asyncio.ensure_future(self._check(table))
        await self.linger()
        self._push(self._verdict(table, await checking))

    async def _check(self, table: Table) -> Report | None:
        """The audit, in a thread; None for a game that was not finished."""
        if not table.over or table.fault is not None:
            return None
        work = asyncio.ensure_future(asyncio.to_thread(audit_played, table))
        await asyncio.wait([work], timeout=PATIENCE)
        if not work.done():
            self._push(Notice("The game is over. Its record is being checked once more."))
        return await work

    async def linger(self) -> None:
        """Stay until the others have what they need; alone there is nobody to wait for."""

    def save(self, data: bytes) -> None:
        """Write the transcript where the player wants it, whole or not at all."""
        if self.habits.save is None or self._saved:
            return
        self._saved = True
        path = self.habits.save.resolve()
        try:
            if path.exists() and not path.is_file():  # a pipe, a device
                path.write_bytes(data)
            else:
                part = path.with_name(f"{path.name}.part")
                part.write_bytes(data)
                part.replace(path)
        except OSError as error:
            self._lost_record = True
            why = error.strerror or "it cannot be written"
            self._push(Notice(f"Not saved to {self.habits.save}: {why}.", "bad"))

    def _verdict(self, table: Table, report: Report | None) -> Over:
        if table.fault is not None:
            self.status.verified = False
            self.status.proof = f"Not verified: {table.fault}."
            return Over(f"Not verified: {table.fault}. The table is over.", 1, None, False)
        if table.ended is not None:
            own = table.game.broken_off
            return Over(f"{own} {table.ended}.".lstrip(), 3, None, None)
        if table.late_fault is not None:
            why = f"When the game was over already, {table.late_fault}. The result stands."
            self._push(Notice(why, "warn"))
        outcome = table.outcome
        assert outcome is not None
        assert report is not None
        self.status.verified = report.ok
        if not report.ok:
            self.status.proof = f"Not verified: {report.trouble}."
            why = f"{outcome.reason}. Not verified: {report.trouble}."
            return Over(why, 1, outcome.places, False, outcome.together)
        self.status.proof = (
            f"All {report.steps} steps were checked again from the revealed seeds: every message "
            "is signed, follows from its seed, and obeys the rules."
        )
        status = FAILED if self._lost_record else DONE
        return Over(f"{outcome.reason}.", status, outcome.places, True, outcome.together)

    def close(self, over: Over) -> None:
        """End the sitting for a reason outside the game."""
        if not self._closed:
            self._closed = True
            self.stop_work()
            if self.table is not None and self.table.started:
                self.save(self.table.transcript())
            self._push(over)

    def stop_work(self) -> None:
        """Let bots, timers and long work at the table go no further."""
        for task in (*self._tasks.values(), *([self._labour] if self._labour else [])):
            if task is not asyncio.current_task():
                task.cancel()

    def _refresh(self) -> None:
        status, table = self.status, self.table
        if table is None:
            return
        status.table = table.charter.name
        status.seats = len(table.charter.seats)
        asked = table.asked_seats()
        status.turn = asked[0] if len(asked) == 1 else None
        left = None
        if self.question is not None and self._deadline is not None:
            left = max(0, round(self._deadline - _now()))
        if self.question is None:
            self._deadline = None
        status.seconds_left = left
        if table.fault is None and status.verified is None and table.started:
            status.verified = True
            status.proof = (
                "Every message so far is signed by its peer, follows the ones before it, and "
                "obeys the rules. When the game is over all seeds are revealed and everything is "
                "checked once more."
            )

    def _push(self, moment: Moment) -> None:
        self._moments.append(moment)
        self._news.set()

    def banner(self, text: str) -> None:
        """Show, change or (with "") take away the line that says what is wrong."""
        self._push(Banner(text))


def _why_only(question: Question, answer: Answer, faces: Faces) -> str:
    """Why another move than this one was out of the question, or nothing if only the game knows."""
    reasons = (m.disabled for m in question.moves(faces) if m.id != answer.move)
    return next(filter(None, reasons), "")


def _now() -> float:
    return asyncio.get_running_loop().time()
