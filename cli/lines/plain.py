"""Line mode: one sentence an event, typed lines, nothing drawn and nothing repeated.

It is what pipes, screen readers and `TERM=dumb` get, and what tests and programs drive.

Rule 1: no escape sequence, no box, no redraw; what was said stands.
Rule 2: from a terminal a line acts at once. From a pipe lines are a script: they are taken in
order, and a move waits until it is asked for.
Rule 3: when the input ends and only this player could answer, the player steps out, in words: the
seat is kept. So it is whatever else ends us; only `leave` and its yes give it up.
Rule 4: a terminal that takes no lines holds nothing up; when it takes some again, it is told how
everything stands.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import partial
from typing import Any, TextIO

from sobremesa.cli.draw.theme import Theme
from sobremesa.cli.exits import LOST
from sobremesa.cli.session.moments import Asked, Moment
from sobremesa.cli.session.session import Session
from sobremesa.cli.settings import OwnSettings
from sobremesa.cli.signals import INTERRUPT, STOP, on_signals
from sobremesa.cli.words import grammar
from sobremesa.cli.words.coach import Coach
from sobremesa.cli.words.controller import Controller, in_time
from sobremesa.cli.words.grammar import Enter, NotNow, NotUnderstood, TooLate, Words
from sobremesa.cli.words.hands import Order
from sobremesa.cli.words.story import Story
from sobremesa.core.errors import LocalError

from .looking import Looking
from .offer import Offer
from .output import Output, Unread
from .telling import Telling
from .typed import Typed, expect_typed, listen

ORDER = (
    "look", "hand", "moves", "odds", "hint", "time", "repeat", "cancel", "log", "brief", "full",
    "help", "sort", "proof", "keys", "say", "ready", "unready", "start", "bot", "remove", "seats",
    "set", "slow", "coach", "newcode", "records", "settings", "without", "wait", "quit", "leave",
)  # fmt: skip
"""The words, as the help lists them; all can be typed at any time."""


LOOKING_ON = (
    "look", "log", "repeat", "time", "help", "proof", "seat", "records", "settings", "set", "quit",
    "leave",
)  # fmt: skip
"""Those of who looks on."""

LAST_LINES = 0.5
"""Seconds that whoever reads gets at the end for what is still to be said."""


async def run_plain(
    session: Session,
    *,
    auto: bool,
    as_json: bool,
    stdin: TextIO | None,
    stdout: TextIO,
    theme: Theme | None = None,
    own: OwnSettings | None = None,
) -> int:
    """Live a session in line mode, to its end; returns the exit status of the command.

    `stdin` needs a file descriptor; None is an input that has ended. With `auto` nothing is read.
    At a terminal the player may sit down once more when it is over.
    """
    out = Output(stdout, theme or Theme(), as_json)
    own = own or OwnSettings()
    if own.trouble:
        out.complain(own.trouble)
    now = _Plain(session, own, out, auto=auto, patient=stdin is None or not stdin.isatty())
    if not auto:
        listen(stdin, lambda line: now.hear(line))
    status = await now.run()
    while (next_one := await now.once_more()) is not None:
        now = _Plain(next_one, own, out, auto=auto, patient=now.patient)
        status = await now.run()
    await out.finish(LAST_LINES)
    return status


async def live(session: Session, own: OwnSettings, out: Output, typed: Typed) -> int | None:
    """Live a session that one came to from home, and those that follow it with the same people;
    returns the exit status if we are told to stop."""
    following: Session | None = session
    stopped = None
    while following is not None and stopped is None:
        now = _Plain(following, own, out, auto=False, patient=typed.patient)
        typed.lend(now.hear)
        await now.run()
        stopped = now.stopped
        following = None if stopped is not None else await now.once_more()
        typed.take_back(now.typed)
    return stopped


class _Plain:
    """One session: all that happens and all that is typed, one after the other."""

    def __init__(
        self, session: Session, own: OwnSettings, out: Output, *, auto: bool, patient: bool
    ) -> None:
        self.session = session
        self.own = own
        # A program reads views as the table gives them, and counts places as they are there.
        order: Order = "dealt" if out.as_json else own.value("sort")
        coach = None if out.as_json else Coach(own)
        self.story = Story(session, order=order, sorts=not out.as_json, coach=coach)
        self.control = Controller(self.story, self)
        self.out = out
        self.inbox: asyncio.Queue[Callable[[], None]] = asyncio.Queue()
        self.telling = Telling(self.story, out, self.inbox.put_nowait, own, auto=auto)
        self.looking = Looking(self.control, out, self.inbox.put_nowait, own)
        out.caught_up = lambda: self.inbox.put_nowait(self._catch_up)
        self.words = self._words()
        self.auto = auto
        self.patient = patient
        """Whether typed lines are a script (rule 2)."""
        self.typed: deque[str] = deque()
        self.ended = False
        self.leaving = False
        self.stopped: int | None = None
        self.unsure: Callable[[], None] | None = None
        """What a `y` will do."""
        self.announced = ""
        """The line that we said is kept for later."""
        self.farewell: asyncio.Task[None] | None = None
        self.gone = False

    async def run(self) -> int:
        moments = asyncio.ensure_future(self._hear())
        moments.add_done_callback(lambda task: self.inbox.put_nowait(lambda: self._hang_up(task)))
        unread: Unread | None = None
        try:
            with on_signals(STOP + INTERRUPT, self._stop):
                while self._going_on() or self._unread():
                    (await self.inbox.get())()
        except BrokenPipeError:
            self.out.mute()
            self.step_out()
        except Unread as error:
            self.out.mute()
            self.step_out()
            unread = error
        finally:
            self.telling.cancel_all()
            moments.cancel()
        if self.farewell is not None:
            await self.farewell
        if unread is not None:
            raise unread
        if self.stopped is not None:
            return self.stopped
        return self.story.over.status if self.story.over is not None else LOST

    async def once_more(self) -> Session | None:
        """After the end: the next session with the same people, if the player wants one."""
        again = self.session.again
        here = self.story.over is not None and not self.leaving and not self.ended
        if again is None or self.patient or self.auto or not here:
            return None
        self.typed.clear()  # it was meant for the game
        offer = Offer(self.session, again, self.out, lambda: self.inbox.put_nowait(_nothing))
        while offer.stands and not self.ended:
            while self.typed and offer.stands:
                offer.take(self.typed.popleft())
            if offer.stands:
                (await self.inbox.get())()
        return await offer.settle()

    async def _hear(self) -> None:
        async for moment in self.session.moments():
            self.inbox.put_nowait(partial(self._happen, moment))

    def _happen(self, moment: Moment) -> None:
        self.telling.happen(moment)
        if isinstance(moment, Asked) and self.story.readied:
            try:
                self.control.play_readied()
            except LocalError as error:
                self.out.complain(str(error))
                self.telling.tell_possible()
        self._take_lines()

    def _hang_up(self, moments: asyncio.Task[None]) -> None:
        """There are no more moments. Raises what ended them, if it was an error."""
        self.gone = True
        moments.result()

    def _going_on(self) -> bool:
        return self.story.over is None and not self.gone

    def _unread(self) -> bool:
        """Whether we stay until it is read how it ended: nobody who leaves is kept by a terminal,
        and nobody who is told to stop by anything."""
        hurried = self.stopped is not None or (self.leaving and self.out.at_terminal)
        return self.out.behind and not hurried

    def _catch_up(self) -> None:
        """The reader has taken everything, or is gone."""
        held = self.out.count_held()
        if held:
            lines = "1 line was" if held == 1 else f"{held} lines were"
            self.out.report("held", f"{lines} held back. This is how it stands:", lines=held)
            if self.story.over is not None:
                self.looking.log()
            else:
                self.looking.look()
                self.telling.ask_again()

    # What is typed.

    def hear(self, line: str | None) -> None:
        """A line was typed, or the input has ended."""
        self.inbox.put_nowait(lambda: self._arrive(line))

    def _arrive(self, line: str | None) -> None:
        if line is None:
            self.ended = True
        else:
            self.typed.append(line)
        self._take_lines()

    def _take_lines(self) -> None:
        """Do what was typed, as far as it can be done now."""
        if self.story.over or self.leaving:
            return
        while self.typed and not self.leaving:
            line = self.typed[0]
            try:
                self._take(line)
            except NotNow as error:
                if self.patient:
                    self._keep(line)
                    return
                self._make_ready(line, error)
            except LocalError as error:
                self.out.complain(str(error))
            self.typed.popleft()
        if self.ended and not self.typed and self._needed():
            self.out.complain(
                "The input has ended and nobody can answer for you, so you go. "
                "With --auto a bot would play for you."
            )
            self.step_out()

    def _needed(self) -> bool:
        """Whether the game cannot go on without what this player would type next."""
        if self.session.looks_on:
            return False
        if not self.patient or self.story.asked is not None:
            return True
        return self.story.room is not None and not self.story.playing and not self.story.ready

    def _make_ready(self, line: str, error: NotNow) -> None:
        """A line came that may be a move, and nobody asks us for one."""
        if isinstance(error, TooLate) or not self.story.playing:
            self.out.complain(str(error))
            return
        try:
            self.tell(self.control.make_ready(line))
        except NotUnderstood:
            self.out.complain(str(error))

    def _keep(self, line: str) -> None:
        if self.announced != line and self.story.playing:
            kept = line.strip()
            self.out.report("kept", f"Kept until you are asked: {kept}", line=kept)
        self.announced = line  # what was there before the game needs no word

    def _take(self, line: str) -> None:
        """:raises LocalError: if it means nothing, or cannot be done"""
        expect_typed(line)
        if self.unsure is not None:
            self.announced = ""
            self._decide(line)
            return
        command = self.control.read(line, self.words)
        self.announced = ""
        if isinstance(command, Enter) and self.story.asked is not None:
            self.looking.moves()
        else:
            self.control.do(command)

    def _decide(self, line: str) -> None:
        act, self.unsure = self.unsure, None
        if act is not None and line.strip().casefold() in ("y", "yes"):
            act()
        else:
            self.out.report("cancelled", "No, then.")

    def _words(self) -> Words:
        shared = grammar.words(*self.control.words())
        acts = {"proof": lambda _: self.looking.proof(), "keys": lambda _: self.looking.keys()}
        told = [replace(shared[name], act=act) for name, act in acts.items() if name in shared]
        known = grammar.words(*shared.values(), *self.looking.words(), *told)
        return {name: known[name] for name in (LOOKING_ON if self.session.looks_on else ORDER)}

    # What the controller wants (controller.Client).

    def ask(self, question: str, act: Callable[[], None]) -> None:
        self.out.report("confirm", f"{question} Type y for yes, anything else for no.")
        self.unsure = act

    def help(self, page: str = "") -> None:
        self.looking.help(page, self.words.values())

    def choose(self, typed: str) -> None:
        self.out.choose(self.own, typed)

    def tell(self, text: str) -> None:
        self.out.report("told", text)

    def leave_table(self) -> None:
        self._end(self.session.leave())

    def step_out(self) -> None:
        self._end(self.session.step_out())

    def _end(self, going: Coroutine[Any, Any, None]) -> None:
        self.leaving = True
        self.farewell = asyncio.get_running_loop().create_task(self._go(going))

    async def _go(self, going: Coroutine[Any, Any, None]) -> None:
        if not await in_time(going):  # the transports close with us
            self.inbox.put_nowait(self._give_up)

    def _give_up(self) -> None:
        self.out.complain("The table did not take note in time; you are gone all the same.")
        self.gone = True

    def _stop(self, status: int) -> None:
        self.stopped = status
        self.inbox.put_nowait(_nothing)  # or we would wait for the reader still
        if not self.leaving:
            self.step_out()


def _nothing() -> None:
    """Something has changed elsewhere: look again."""
