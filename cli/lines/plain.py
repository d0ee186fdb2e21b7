"""Line mode: one sentence an event, typed lines, nothing drawn and nothing repeated.

It is what pipes, screen readers and `TERM=dumb` get, and what tests and programs drive.

Rule 1: no escape sequence, no box, no redraw; what was said stands.
Rule 2: from a terminal a line acts at once. From a pipe lines are a script: they are taken in
order, and a move waits until it is asked for.
Rule 3: when the input ends and only this player could answer, the seat is left in words.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, TextIO

from sobremesa.cli.draw.theme import Theme, writes_only_ascii
from sobremesa.cli.exits import LOST
from sobremesa.cli.session.moments import Asked, Moment, Over, Settled, Started, Working
from sobremesa.cli.session.session import Session
from sobremesa.cli.signals import INTERRUPT, STOP, mute, on_signals
from sobremesa.cli.words import grammar
from sobremesa.cli.words.controller import Controller, leave_in_time
from sobremesa.cli.words.grammar import NotNow, Word, Words
from sobremesa.cli.words.jsonlines import moment_object
from sobremesa.cli.words.pages import spoken_page
from sobremesa.cli.words.speech import (
    sentence,
    speak,
    speak_hand,
    speak_hand_news,
    speak_moves,
    speak_room,
    speak_working,
)
from sobremesa.cli.words.story import Said, Story
from sobremesa.core.errors import LocalError, SobremesaError
from sobremesa.core.views import View

from .typed import listen

SPOKEN_SECONDS = (30, 10, 5)
WORKING_SPOKEN = 3.0
"""Seconds that something may take before a sentence says what is going on; one is enough."""
LOG_LINES = 10

CARDS_HELP = (
    "A card is typed by its face or by its place: KH is the king of hearts, 10D the ten of "
    "diamonds, #2 your second card."
)

ORDER = (
    "look", "hand", "moves", "hint", "log", "help", "proof", "say", "ready", "unready", "start",
    "bot", "leave",
)  # fmt: skip
"""The words, as the help lists them; all can be typed at any time."""


async def run_plain(
    session: Session,
    *,
    auto: bool,
    as_json: bool,
    stdin: TextIO | None,
    stdout: TextIO,
    theme: Theme | None = None,
) -> int:
    """Live a session in line mode, to its end; returns the exit status of the command.

    `stdin` needs a file descriptor; None is an input that has ended. With `auto` nothing is read.
    At a terminal the player may sit down once more when it is over.
    """
    now = _Plain(session, auto, as_json, stdin, stdout, theme or Theme())
    if not auto:
        listen(stdin, lambda line: now.hear(line))
    status = await now.run()
    while (next_one := await now.once_more()) is not None:
        now = _Plain(next_one, auto, as_json, stdin, stdout, theme or Theme())
        status = await now.run()
    return status


class _Plain:
    def __init__(
        self,
        session: Session,
        auto: bool,
        as_json: bool,
        stdin: TextIO | None,
        stdout: TextIO,
        theme: Theme,
    ) -> None:
        self.session = session
        self.story = Story(session)
        self.control = Controller(self.story, self)
        self.words = self._words()
        self.auto = auto
        self.as_json = as_json
        self.stdin = stdin
        self.stdout = stdout
        self.theme = theme
        self.only_ascii = theme.ascii or writes_only_ascii(stdout)
        self.patient = stdin is None or not stdin.isatty()
        """Whether typed lines are a script (rule 2)."""
        self.typed: deque[str] = deque()
        self.ended = False
        self.leaving = False
        self.stopped: int | None = None
        self.unsure: Callable[[], None] | None = None
        """What a `y` will do."""
        self.said_view: View | None = None
        self.said_moves: set[tuple[str, ...]] = set()
        self.announced = ""
        """The line that we said is kept for later."""
        self.alarms: list[asyncio.TimerHandle] = []
        self.slow: asyncio.TimerHandle | None = None
        """When it will be said that something takes long."""
        self.farewell: asyncio.Task[None] | None = None
        self.gone = False
        self.inbox: asyncio.Queue[Callable[[], None]] = asyncio.Queue()
        """All that happens and all that is typed, one after the other."""

    async def run(self) -> int:
        moments = asyncio.ensure_future(self._hear())
        moments.add_done_callback(lambda task: self.inbox.put_nowait(lambda: self._hang_up(task)))
        try:
            with on_signals(STOP + INTERRUPT, self._stop):
                while self.story.over is None and not self.gone:
                    (await self.inbox.get())()
        except BrokenPipeError:
            mute(self.stdout)
            self.leave_table()
        finally:
            self._cancel_alarms()
            moments.cancel()
        if self.farewell is not None:
            await self.farewell
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
        self._print("Type again to play once more with the same people, or press Enter to leave.")
        while await self._next_line() == "again":
            try:
                return await again()
            except SobremesaError as error:
                self._complain(str(error))
        return None

    async def _next_line(self) -> str:
        """What is typed next; nothing at the end of the input."""
        while not self.typed and not self.ended:
            (await self.inbox.get())()
        return self.typed.popleft().strip().casefold().removeprefix("/") if self.typed else ""

    async def _hear(self) -> None:
        async for moment in self.session.moments():
            self.inbox.put_nowait(partial(self._happen, moment))

    def _hang_up(self, moments: asyncio.Task[None]) -> None:
        """There are no more moments. Raises what ended them, if it was an error."""
        self.gone = True
        moments.result()

    # What happens.

    def _happen(self, moment: Moment) -> None:
        before = self.story.room
        said = self.story.take(moment)
        if self.as_json:
            self._print(
                json.dumps(
                    moment_object(moment, self.session.faces()), ensure_ascii=self.only_ascii
                )
            )
        else:
            for line in said:
                self._tell(line)
            if before is None and self.story.room is not None and not self.auto:
                self._print("Say ready when you are. Say help for all that can be typed.")
            if isinstance(moment, Started) and not self.auto:
                self._print("Say help for all that can be typed, help rules for the rules.")
            self._tell_hand()
        match moment:
            case Asked():
                self._cancel_alarms()
                self._tell_question(moment)
            case Working():
                self._tell_work(moment)
            case Settled() | Over():
                self._cancel_alarms()
        self._take_lines()

    def _tell(self, line: Said) -> None:
        if line.author is None:
            self._print(line.text)
        elif line.author != self.story.me:
            self._print(f"{line.author} says: {line.text.removeprefix(f'{line.author}: ')}")

    def _hand(self) -> str:
        view = self.story.view
        return speak_hand(view, self.story.players) if view is not None else ""

    def _tell_hand(self) -> None:
        view = self.story.view
        if view is not None:
            for line in speak_hand_news(self.said_view, view, self.story.players):
                self._print(line)
        self.said_view = view

    def _tell_question(self, asked: Asked) -> None:
        if not self.as_json:
            faces = self.session.faces()
            can = (move.id for move in asked.question.moves(faces) if move.disabled is None)
            moves = tuple(can)
            if moves not in self.said_moves:
                self._print(speak_moves(asked.question, faces))
            self.said_moves.add(moves)
        left = self.session.status.seconds_left
        seconds = asked.seconds if left is None else left
        loop = asyncio.get_running_loop()
        for mark in SPOKEN_SECONDS:
            if seconds > mark:
                alarm = partial(self._count_down, mark)
                self.alarms.append(loop.call_later(seconds - mark, self.inbox.put_nowait, alarm))

    def _count_down(self, seconds: int) -> None:
        self._report("countdown", f"{seconds} seconds left.", seconds=seconds)

    def _tell_work(self, working: Working) -> None:
        if not working.who:
            if self.slow is not None:
                self.slow.cancel()
            self.slow = None
        elif self.slow is None:
            late = partial(self.inbox.put_nowait, self._tell_slow)
            self.slow = asyncio.get_running_loop().call_later(WORKING_SPOKEN, late)

    def _tell_slow(self) -> None:
        if self.story.working.who and not self.as_json:
            self._print(speak_working(self.story.working, self.story.players))

    def _cancel_alarms(self) -> None:
        for alarm in self.alarms:
            alarm.cancel()
        self.alarms.clear()

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
                self._complain(str(error))
            except LocalError as error:
                self._complain(str(error))
            self.typed.popleft()
        if self.ended and not self.typed and self._needed():
            self._complain(
                "The input has ended and nobody can answer for you, so you leave the table. "
                "With --auto a bot would play for you."
            )
            self.leave_table()

    def _needed(self) -> bool:
        """Whether the game cannot go on without what this player would type next."""
        if not self.patient or self.story.asked is not None:
            return True
        return self.story.room is not None and not self.story.playing and not self.story.ready

    def _keep(self, line: str) -> None:
        if self.announced != line and self.story.playing:
            self._report("kept", f"Kept until you are asked: {line.strip()}", line=line.strip())
        self.announced = line  # what was there before the game needs no word

    def _take(self, line: str) -> None:
        """:raises LocalError: if it means nothing, or cannot be done"""
        if self.unsure is not None:
            self.announced = ""
            self._decide(line)
            return
        command = self.control.read(line, self.words)
        self.announced = ""
        self.control.do(command)

    def ask(self, question: str, act: Callable[[], None]) -> None:
        """Ask; the next line is the answer."""
        self._report("confirm", f"{question} Type y for yes, anything else for no.")
        self.unsure = act

    def _decide(self, line: str) -> None:
        act, self.unsure = self.unsure, None
        if act is not None and line.strip().casefold() in ("y", "yes"):
            act()
        else:
            self._report("cancelled", "No, then.")

    def _words(self) -> Words:
        shared = grammar.words(*self.control.words())
        known = grammar.words(
            *shared.values(),
            Word("look", "the whole table as it is now", self._look),
            Word("hand", "what you hold", self._hold),
            Word("hint", "what the table can say about a move you think of", self._hint, "MOVE"),
            Word("log", "the last things that happened", self._log, "[HOW MANY]"),
            replace(shared["proof"], act=self._proof),
        )
        return {name: known[name] for name in ORDER}

    def _look(self, _: str) -> None:
        view = self.story.view
        if view is not None:
            lines = speak(view, self.story.players)
        elif self.story.room is not None:
            lines = speak_room(self.story.room)
        else:
            lines = ["There is nothing to see yet."]
        self._answer_with("look", lines)

    def _hold(self, _: str) -> None:
        self._answer_with("hand", [self._hand() or "You hold nothing now."])

    def _moves(self) -> None:
        question = self.control.question
        text = "You are not asked for a move now."
        if question is not None:
            text = speak_moves(question, self.session.faces())
        self._answer_with("moves", [text])

    def _hint(self, rest: str) -> None:
        if self.story.asked is None:
            text = "You are not asked for a move now."
        else:
            text = self.session.hint(rest) or "The table has no hint for that."
        self._answer_with("hint", [text])

    def _log(self, rest: str) -> None:
        count = int(rest) if rest.isdecimal() and len(rest) < 5 else LOG_LINES
        lines = [line.text for line in self.story.log[-count:]] if count else []
        self._answer_with("log", lines or ["Nothing has happened yet."])

    def help(self, page: str = "") -> None:
        """Say how to type, or one page.

        :raises NotUnderstood: if there is no such page
        """
        name = page.casefold()
        if name == "moves":
            self._moves()
        elif name in grammar.PAGES:
            help = self.session.game.help
            markdown = {"rules": help.rules, "tips": help.tips, "faq": help.faq}[name]
            self._answer_with("help", spoken_page(markdown))
        elif name:
            raise grammar.NotUnderstood(f"There is no page '{page[:40]}'. There are: {_pages()}.")
        else:
            words = self.words.values()
            lines = [f"{f'{w.name} {w.args}'.strip()}: {w.about}." for w in words]
            self._answer_with("help", [*lines, CARDS_HELP, f"Pages for help: {_pages()}."])

    def _proof(self, _: str) -> None:
        self._answer_with("proof", [self.session.status.proof or "Nothing was checked yet."])

    # Going.

    def leave_table(self) -> None:
        """Leave for good; the table is told, and then it is over."""
        self.leaving = True
        self.farewell = asyncio.get_running_loop().create_task(self._go())

    async def _go(self) -> None:
        if not await leave_in_time(self.session):  # the transports close with us
            self.inbox.put_nowait(self._give_up)

    def _give_up(self) -> None:
        self._complain("The table did not take note in time; you are gone all the same.")
        self.gone = True

    def _stop(self, status: int) -> None:
        self.stopped = status
        if not self.leaving:
            self.leave_table()

    # Words.

    def _complain(self, text: str) -> None:
        self._report("error", sentence(text))

    def _answer_with(self, kind: str, lines: list[str]) -> None:
        if self.as_json:
            self._report(kind, "\n".join(lines))
        else:
            for line in lines:
                self._print(line)

    def _report(self, kind: str, text: str, **values: Any) -> None:
        if self.as_json:
            found = {"moment": kind, "text": text, **values}
            self._print(json.dumps(found, ensure_ascii=self.only_ascii))
        else:
            self._print(text)

    def _print(self, line: str) -> None:
        if not self.as_json:
            theme = Theme(ascii=True) if self.only_ascii else self.theme
            line = theme.text(line)
        self.stdout.write(line + "\n")
        self.stdout.flush()


def _pages() -> str:
    return ", ".join(grammar.PAGES)
