"""A session around a match: who of ours plays what, when, and what the client is told.

It is the same for a game alone against bots and for one on the network: it holds the match, and
the node where there is one (`tables` makes both), and small objects for what goes on beside: the
pace of moments, the bots, the time for an answer, the record.

Rule 1: what happened is queued with the view of its instant; the client takes it at its own pace.
Rule 2: a match tells what happens at its table; whoever hears of it is given the match.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sobremesa.cli.exits import LOST
from sobremesa.core.errors import IllegalAnswer, LocalError, SobremesaError
from sobremesa.core.game import Game
from sobremesa.core.pieces import Faces, Seat
from sobremesa.core.questions import Answer, Question
from sobremesa.core.replica.table import Table
from sobremesa.core.requests import Event
from sobremesa.net.events import Giver
from sobremesa.net.match import Match
from sobremesa.plugins.loader import Games
from sobremesa.plugins.voice import addressed

from .bots import Bots
from .clock import AnswerClock
from .defaults import Preferences
from .moments import (
    Asked,
    Moment,
    Notice,
    Over,
    Settled,
    Started,
    Status,
    Told,
)
from .news import News
from .pacing import BEAT, Pacing, haste, now
from .record import Record
from .waiting import Waiting

if TYPE_CHECKING:  # who plays alone loads no sockets
    from sobremesa.net.node import Node
    from sobremesa.net.watching import Watch

TOLD_AGAIN = 20
"""How many sentences somebody hears again who comes back."""

logger = logging.getLogger(__name__)


class TableSession(Waiting):
    """A session at a match (RoomEvents). `node` is this machine on the network, None alone;
    `match` what is being played or signed."""

    def __init__(self, games: Games, game: Game[Any], preferences: Preferences) -> None:
        self.games, self.game = games, game
        self.preferences = preferences
        self.me = preferences.name
        self.status = Status()
        self.question: Question | None = None
        self.match: Match | Watch | None = None
        self.pacing = Pacing()
        self.record = Record(preferences.save, self.status, self.pacing.push)
        self._news = News(game, self.pacing.push)
        self._bots = Bots(game, preferences, self.pacing.caught_up, self._news.warn, self._on_done)
        self._clock = AnswerClock(self._run_out, self._on_done)
        self._asked: Question | None = None
        """What our player is asked, whether the client has come to it or not."""
        self._closed = False
        self._announced: Match | Watch | None = None
        """The match whose beginning the client was told."""
        self._ending: asyncio.Future[None] | None = None
        if choice := games.said_of_choice(game.id):
            self._push(Notice(choice, "warn"))
        if preferences.told:
            self._push(Notice(preferences.told, "warn"))

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
                    self._clock.start(question, seconds)
            case Settled():
                self.question = None
            case Told(event):
                _notify_observers(self.games, self.game, event)
        self._refresh()

    def go_on(self) -> None:
        self.pacing.go_on()

    @property
    def seconds_left(self) -> int | None:
        return self._clock.seconds_left if self.question is not None else None

    def hold(self) -> bool:
        if self.node is not None or self.looks_on:
            return False
        self._clock.hold()
        self.pacing.hold()
        return True

    def let_go(self) -> None:
        self._clock.go_on()
        self.pacing.let_go()
        self._refresh()

    @property
    def table(self) -> Table | None:
        """The table of the match, if there is one."""
        return self.match.table if self.match is not None else None

    def answer(self, answer: Answer) -> None:
        if self.match is None or self.question is None:
            raise IllegalAnswer("it is not your turn")
        self.match.answer(self.me, answer, "player")

    def faces(self) -> Faces:
        return self.match.table.faces(self.me or None) if self.match is not None else {}

    def say(self, text: str) -> None:
        if not self._closed:
            self._place().say(text)
        elif self.again is not None:
            self.again.say(text)
        else:
            raise LocalError("the game is over, and nobody hears you any more")

    def _place(self) -> Node | Match | Watch:
        """Where we are: on the network, at a match alone, or looking on."""
        place = self.node or self.match
        assert place is not None
        return place

    # What links tell of ourselves.

    def lost(self, why: str) -> None:
        self.again = None
        self._lose(why if why.endswith(".") else f"{why}.", self._place().close())

    def broke(self, error: BaseException) -> None:
        if not self._closed:
            going = _go_broken(self.match, self._place(), error)
            self._lose(f"The table cannot go on: {_in_words(error)}", going)

    def _lose(self, why: str, going: Coroutine[Any, Any, None]) -> None:
        if self.match is None:
            self.again = None  # nobody has played, so there is nothing to play once more
        self.close(Over(why, LOST))
        self._ending = asyncio.ensure_future(going)

    # What the match tells.

    def told(self, match: Match | Watch, event: Event) -> None:
        """The script rests at an event: draw what we see now."""
        self._announce(match)
        view = self._news.draw(match.table, self.me)
        part = self._bots.haste = haste(view, {*_bots_of(match), *self.status.away})
        rest = part * self.preferences.pace if event["kind"] in self.game.pauses else 0.0
        beat = min(BEAT, part * self.preferences.pace) if view.stage else 0.0
        rest += beat * len(view.stage)
        text, short = self._news.describe(event, self.me), self._news.brief(event, self.me)
        self._push(Told(event, text, view, rest, short, beat))

    def answered(
        self, match: Match, seat: Seat, question: Question, answer: Answer, by: Giver
    ) -> None:
        if seat == self.me and not self.preferences.auto:
            self._asked = self.question = None
            self._clock.stop()
            self._push(Settled(question.write(answer, match.table.faces(seat)), by))

    def table_changed(self, match: Match | Watch) -> None:
        """Something was received or answered: ask, let bots think, or end."""
        if self._closed:
            return
        table = match.table
        self._announce(match)
        self._news.tell_progress(table)
        self._news.tell_forced(table, None if self.preferences.auto else self.me)
        self._news.tell_observation(table, self.me)
        self._bots.follow(match)
        question = None if self.preferences.auto else table.asked.get(self.me)
        before, self._asked = self._asked, question
        if question is not None and question is not before:
            self._push(Asked(question, self._news.draw(table, self.me), table.seconds()))
        self._refresh()
        if table.broken is not None:
            self.broke(table.broken)
        elif not table.live and table.me not in table.history.left:
            self._finish(match)

    def _announce(self, match: Match | Watch) -> None:
        """Sit at the match, and say that the game begins once everybody has signed."""
        self.match = match
        self.me = match.name
        if match.table.started and self._announced is not match:
            self._announced = match
            self._push(_started(match))

    def _run_out(self, question: Question) -> None:
        """The time for our answer is over."""
        if self.match is not None and self._asked is question:
            faces = self.faces()
            answer = question.late(faces)
            self._push(Notice(f"Your time ran out: {question.write(answer, faces)}.", "warn"))
            self.match.answer(self.me, answer, "clock")

    def _on_done(self, task: asyncio.Future[None]) -> None:
        """A bot, a timer or the end is done: what broke it ends the session, with a word."""
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("a task of the session broke", exc_info=error)
            self._closed = False  # it may have been the end that broke
            self.broke(error)

    # The end.

    @property
    def kept(self) -> str:
        return _kept(self.match) if self.match is not None else ""

    async def step_out(self) -> None:
        if self.match is None or not self.match.keeps_seat:
            await self.leave()
            return
        self._stop()
        await self._place().close()
        self.close(Over(self.kept, LOST))

    async def leave(self) -> None:
        self._stop()
        place = self._place()
        await place.leave()
        await place.close()
        self.close(Over("You left the table.", LOST))

    def _finish(self, match: Match | Watch) -> None:
        self._closed = True
        self._stop()
        self._ending = asyncio.ensure_future(self._end(match.table))
        self._ending.add_done_callback(self._on_done)

    async def _end(self, table: Table) -> None:
        over = await _conclude(self.record, self._place(), table)
        if over.places is not None:
            over = self._news.in_short(over, table, self.me)
            over = replace(over, text=addressed(over.text, self.me))
        self.again = self.way_on(table)
        self._push(over)

    def close(self, over: Over) -> None:
        """End the session for a reason outside the game."""
        if not self._closed:
            self._closed = True
            self._stop()
            if self.match is not None and self.match.table.started:
                self.record.save(self.match.table)
            self._push(over)

    def _stop(self) -> None:
        """Let bots and the clock go no further."""
        self._bots.stop()
        self._clock.stop()

    def _refresh(self) -> None:
        if self.table is not None:
            self.status.follow(self.table, self.seconds_left, now())

    def _push(self, moment: Moment) -> None:
        self.pacing.push(moment)


async def _conclude(record: Record, place: Node | Match | Watch, table: Table) -> Over:
    """Save, check everything by the revealed seeds, and say how it ended."""
    record.save(table)
    checking = asyncio.ensure_future(record.check(table))
    await place.linger()
    await place.close()
    return record.verdict(table, await checking)


def _in_words(error: BaseException) -> str:
    ours = isinstance(error, SobremesaError)
    return str(error) if ours else f"{type(error).__name__}: {error}"


async def _go_broken(
    match: Match | Watch | None, place: Node | Match | Watch, error: BaseException
) -> None:
    """Go, and tell the others at the table why, as far as that is for them."""
    if match is not None and match.table.started:
        with suppress(LocalError):  # whose word does not come through is away, and gone then
            await match.leave(getattr(error, "shared", "") or "a part of it broke")
    await place.close()


def _notify_observers(games: Games, game: Game[Any], event: Event) -> None:
    try:
        games.notify_observers(game, event)
    except Exception:  # a plugin that watches must not stop the game
        logger.exception("a plugin that watches broke")


def _started(match: Match | Watch) -> Started:
    """That a match has begun, or with what it goes on."""
    table = match.table
    last = table.events[-TOLD_AGAIN:] if match.restored else ()
    me = match.name or None
    before = tuple(table.game.describe(event, me) for event in last)
    return Started(table.game, table.charter.seat_names, me, _bots_of(match), before)


def _bots_of(match: Match | Watch) -> tuple[Seat, ...]:
    return tuple(plan.name for plan in match.table.charter.seats if plan.bot)


def _kept(match: Match | Watch) -> str:
    """What is kept of a match for who steps out, in words."""
    if not (match.keeps_seat and match.table.live):
        return ""
    what = f"seat at {match.table.charter.name}" if match.links is not None else "game"
    return f"Your {what} is kept: sobremesa resume"
