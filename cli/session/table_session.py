"""A session around a `Table`: who of ours plays what, when, and what the client is told.

It is the same for a game alone against bots and for one on the network; `local` and `networked`
add how the table comes about and how messages travel.

Rule 1: what happened is queued with the view of its instant; the client takes it at its own pace.
Rule 2: a question's time runs from the moment its player is told of it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Literal

from sobremesa.cli.exits import LOST
from sobremesa.core.errors import IllegalAnswer, LocalError, ScriptError
from sobremesa.core.game import Bot, Game
from sobremesa.core.pieces import Faces, Seat
from sobremesa.core.questions import Answer, Question
from sobremesa.core.requests import Event
from sobremesa.core.table import Table
from sobremesa.core.views import View
from sobremesa.plugins import Games

from .bots import Bots
from .defaults import Preferences
from .moments import (
    Asked,
    Banner,
    Moment,
    Notice,
    Over,
    Seen,
    Settled,
    Started,
    Status,
    Told,
    Working,
)
from .pacing import Pacing, now
from .record import Record
from .session import Session

logger = logging.getLogger(__name__)


class TableSession(Session):
    """A session on a table. Subclasses begin it and carry its messages."""

    def __init__(self, games: Games, game: Game, preferences: Preferences) -> None:
        self.games = games
        self.game = game
        self.preferences = preferences
        self.me = preferences.name
        self.status = Status()
        self.question: Question | None = None
        self.table: Table | None = None
        self.pacing = Pacing()
        self.record = Record(preferences.save, self.status, self._push)
        self._bots = Bots(preferences.pace, self.pacing.caught_up, self._bot_answers, self._on_done)
        self._timer: asyncio.Future[None] | None = None
        self._asked: Question | None = None
        self._deadline: float | None = None
        self._closed = False
        self._announced = False
        self._labour: asyncio.Future[None] | None = None
        self._working = Working()
        self._drawn: View | None = None
        """The last view that was pushed."""

    # What a client calls.

    async def moments(self) -> AsyncIterator[Moment]:
        while True:
            moment = await self.pacing.next()
            self._reached(moment)
            yield moment
            if isinstance(moment, Over):
                return
            if isinstance(moment, Told):
                self.pacing.rest(moment.rest)

    def _reached(self, moment: Moment) -> None:
        """The client is at this moment now: what it sees, and whether it is to move."""
        match moment:
            case Asked(question, _, seconds):
                if question is self._asked:
                    self.question = question
                    if seconds:
                        self._deadline = now() + seconds
                        self._timer = asyncio.ensure_future(self._run_out(question, seconds))
                        self._timer.add_done_callback(self._on_done)
            case Settled():
                self.question = None
            case Told(event):
                self._tell_observers(event)
        self._refresh()

    def go_on(self) -> None:
        self.pacing.go_on()

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

    # The table.

    def seat(self, table: Table) -> None:
        """Sit down at a table that was just made."""
        self.table = table
        assert table.me is not None
        self.me = table.charter.name_of(table.me)
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
        rest = self.preferences.pace if event["kind"] in self.game.pauses else 0.0
        self._drawn = self._draw()
        self._push(Told(event, self.game.tell(event, self.me), self._drawn, rest))

    def _tell_observers(self, event: Event) -> None:
        try:
            self.games.tell_observers(self.game, event)
        except Exception:  # a plugin that watches must not stop the game
            logger.exception("a plugin that watches broke")

    def table_changed(self) -> None:
        """Something was received or answered: ask, let bots think, or end."""
        table = self.table
        if table is None or self._closed:
            return
        self._announce()
        self._tell_progress(table)
        self._tell_forced(table)
        self._tell_sight(table)
        bots = {seat: self._bot(seat) for seat in table.asked}
        self._bots.follow(table, {seat: bot for seat, bot in bots.items() if bot is not None})
        for seat, question in table.asked.items():
            if bots[seat] is None and question is not self._asked:
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
            self._labour.add_done_callback(self._on_done)

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
            if seat == self.me and not self.preferences.auto:
                faces = table.faces(seat)
                with table.desk.run.game_code():
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
        return self.game.bots[0] if self.preferences.auto else None

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
        self.table.desk.run.check_answer(seat, question, answer, faces)
        self.keep_choice(seat, question.write(answer))
        notation = question.write(answer, faces)
        if seat == self.me and not self.preferences.auto:
            self._asked = self.question = None
            self._push(Settled(notation, by))
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
        self.table.answer(seat, answer)
        self.pass_on()
        return notation

    def _bot_answers(self, seat: Seat, question: Question, answer: Answer) -> None:
        self._answer(seat, question, answer, "bot")

    def keep_choice(self, seat: Seat, notation: str) -> None:
        """Keep an answer before the table has it; alone there is nothing to come back to.

        :raises LocalError: if that cannot be done; the answer is not given then
        """

    def pass_on(self) -> None:
        """The table has an answer of ours: send on what follows from it."""
        self.table_changed()

    async def _run_out(self, question: Question, seconds: int) -> None:
        await asyncio.sleep(seconds)
        self._timer = None
        if self._asked is question:
            assert self.table is not None
            faces = self.table.faces(self.me)
            answer = question.late(faces)
            self._push(Notice(f"Your time ran out: {question.write(answer, faces)}.", "warn"))
            self._answer(self.me, question, answer, "clock")

    def _on_done(self, task: asyncio.Future[None]) -> None:
        """A bot, a timer or the end came to its end: what broke it ends the session, with a
        word."""
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("a task of the session broke", exc_info=error)
            self._closed = False
            self.close(Over(f"The table cannot go on: {error}", LOST))

    # The end.

    def _finish(self, table: Table) -> None:
        self._closed = True
        self.stop_work()
        self._finishing = asyncio.ensure_future(self._closing(table))
        self._finishing.add_done_callback(self._on_done)

    async def _closing(self, table: Table) -> None:
        """Save, check everything by the revealed seeds, and say how it ended."""
        self.record.save(table.transcript())
        checking = asyncio.ensure_future(self.record.check(table))
        await self.linger()
        self._push(self.record.verdict(table, await checking))

    async def linger(self) -> None:
        """Stay until the others have what they need; alone there is nobody to wait for."""

    def close(self, over: Over) -> None:
        """End the session for a reason outside the game."""
        if not self._closed:
            self._closed = True
            self.stop_work()
            if self.table is not None and self.table.started:
                self.record.save(self.table.transcript())
            self._push(over)

    def stop_work(self) -> None:
        """Let bots, timers and long work at the table go no further."""
        self._bots.stop()
        for task in (self._timer, self._labour):
            if task is not None and task is not asyncio.current_task():
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
            left = max(0, round(self._deadline - now()))
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
        self.pacing.push(moment)

    def banner(self, text: str) -> None:
        """Show, change or (with "") take away the line that says what is wrong."""
        self._push(Banner(text))


def _why_only(question: Question, answer: Answer, faces: Faces) -> str:
    """Why another move than this one was out of the question, or nothing if only the game knows."""
    reasons = (m.disabled for m in question.moves(faces) if m.id != answer.move)
    return next(filter(None, reasons), "")
