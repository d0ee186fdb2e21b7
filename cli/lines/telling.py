"""What line mode says of its own accord: moments as they come, the seconds that are left, and
that something takes long.

Rule 1: nothing is said twice: not the moves that were listed before, nor cards that are still held,
nor odds that are as they were.
Rule 2: who chose `speech brief` hears what happens and what is asked; moves and odds are said on
demand, and chat waits until an answer is given.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from sobremesa.cli.session.moments import Absent, Asked, Moment, Over, Settled, Started, Working
from sobremesa.cli.settings import OwnSettings
from sobremesa.cli.words.absence import speak_half
from sobremesa.cli.words.jsonlines import moment_object
from sobremesa.cli.words.legal import speak_odds
from sobremesa.cli.words.recap import speak_recap
from sobremesa.cli.words.speech import speak_hand_news, speak_moves, speak_working
from sobremesa.cli.words.story import Said, Story
from sobremesa.core.questions import Question
from sobremesa.core.views import View

from .output import Output

SPOKEN_SECONDS = (30, 10, 5)
WORKING_SPOKEN = 3.0
"""Seconds that something may take before a sentence says what is going on; one is enough."""


class Telling:
    """Tells one session to `out`. `later` takes what is to be done in its turn among all that
    happens; with `auto` nobody types, so nobody is told how."""

    def __init__(
        self,
        story: Story,
        out: Output,
        later: Callable[[Callable[[], None]], None],
        own: OwnSettings,
        *,
        auto: bool,
    ) -> None:
        self._story = story
        self._session = story.session
        self._out = out
        self._later = later
        self._own = own
        self._auto = auto
        self._held: list[Said] = []
        """Chat that waits."""
        self._said_odds: dict[type[Question], list[str]] = {}
        """The odds as they were said last, for each kind of question."""
        self._said_view: View | None = None
        self._said_moves: set[tuple[str, ...]] = set()
        self._alarms: list[asyncio.TimerHandle] = []
        self._halves: list[asyncio.TimerHandle] = []
        """When it will be said that half of the time is over for which a seat is kept."""
        self._slow: asyncio.TimerHandle | None = None
        """When it will be said that something takes long."""

    def happen(self, moment: Moment) -> None:
        """Let a moment happen, and tell it."""
        first_room = self._story.room is None
        said = self._story.take(moment)
        self._out.ring(self._story.rings)
        if self._out.as_json:
            now = asyncio.get_running_loop().time()
            self._out.write_object(moment_object(moment, self._session.faces(), now))
        else:
            self._tell(moment, said, first_room)
        match moment:
            case Asked():
                self.cancel_alarms()
                self._tell_question(moment)
            case Absent():
                self._count_halves(moment)
            case Working():
                self._tell_work(moment)
            case Settled():
                self.cancel_alarms()
            case Over():
                self.cancel_all()

    def ask_again(self) -> None:
        """What was said of the moves and of the hand may never have been read: say what we are
        asked, if anything, as if for the first time."""
        self._said_moves.clear()
        self._said_odds.clear()
        asked = self._story.asked
        if asked is not None:
            self._out.say(self._story.call(asked))
            self.cancel_alarms()
            self._tell_question(asked)

    def cancel_all(self) -> None:
        """Say nothing more of our own accord."""
        self.cancel_alarms()
        _cancel(self._halves)

    def cancel_alarms(self) -> None:
        """Count no seconds any more."""
        _cancel(self._alarms)

    def _tell(self, moment: Moment, said: list[Said], first_room: bool) -> None:
        if isinstance(moment, Over) and moment.recap is not None:
            for text in speak_recap(moment.recap, self._story.players):
                self._out.say(text)
        for line in said:
            if line.author is not None and self._story.asked is not None and self._brief:
                self._held.append(line)
            else:
                self._tell_line(line)
        if first_room and self._story.room is not None and not self._auto:
            self._out.say("Say ready when you are. Say help for all that can be typed.")
        if isinstance(moment, Started) and not self._auto:
            rules = "help rules for the rules."
            told = self._story.room is not None
            everything = "" if told else "help for all that can be typed, "
            self._out.say(f"Say {everything}{rules}")
        self._tell_hand()
        if self._story.asked is None:
            self._tell_held()

    @property
    def _brief(self) -> bool:
        return bool(self._own.value("speech") == "brief")

    def _tell_held(self) -> None:
        held, self._held = self._held, []
        for line in held:
            self._tell_line(line)

    def _tell_line(self, line: Said) -> None:
        if line.author is None:
            self._out.say(line.text)
        elif line.author != self._story.me:
            self._out.say(f"{line.author} says: {line.text.removeprefix(f'{line.author}: ')}")

    def _tell_hand(self) -> None:
        view = self._story.view
        if view is not None:
            for line in speak_hand_news(self._said_view, view, self._story.players):
                self._out.say(line)
        self._said_view = view

    def _tell_question(self, asked: Asked) -> None:
        if not self._answered(asked):
            self.tell_possible()
        left = self._session.status.seconds_left
        seconds = asked.seconds if left is None else left
        loop = asyncio.get_running_loop()
        for mark in SPOKEN_SECONDS:
            if seconds > mark:
                alarm = partial(self._count_down, mark)
                self._alarms.append(loop.call_later(seconds - mark, self._later, alarm))

    def _answered(self, asked: Asked) -> bool:
        """Whether an answer was made ready, so that nobody waits to hear what is possible."""
        return bool(self._story.readied) and not asked.is_window

    def tell_possible(self) -> None:
        """Say what can be answered, and the odds, as far as that is news and wanted."""
        asked = self._story.asked
        if asked is not None and not self._out.as_json and not self._brief:
            self._tell_moves(asked.question)

    def _tell_moves(self, question: Question) -> None:
        faces = self._session.faces()
        moves = tuple(move.id for move in question.moves(faces) if move.disabled is None)
        if moves not in self._said_moves:
            self._out.say(speak_moves(question, faces))
        self._said_moves.add(moves)
        odds = speak_odds(question, faces, self._session.hint_for, self._story.players)
        before = self._said_odds.get(type(question), ())
        for line in odds:
            if line not in before:
                self._out.say(line)
        self._said_odds[type(question)] = odds

    def _count_down(self, seconds: int) -> None:
        self._out.report("countdown", f"{seconds} seconds left.", seconds=seconds)

    def _count_halves(self, absent: Absent) -> None:
        _cancel(self._halves)
        loop = asyncio.get_running_loop()
        for absence in absent.absences:
            half = (absence.since + absence.until) / 2 if absence.until is not None else 0.0
            if half > loop.time():
                text = speak_half(absence)
                say = partial(
                    self._later, partial(self._out.report, "half", text, name=absence.name)
                )
                self._halves.append(loop.call_at(half, say))

    def _tell_work(self, working: Working) -> None:
        if not working.who:
            if self._slow is not None:
                self._slow.cancel()
            self._slow = None
        elif self._slow is None:
            late = partial(self._later, self._tell_slow)
            self._slow = asyncio.get_running_loop().call_later(WORKING_SPOKEN, late)

    def _tell_slow(self) -> None:
        if self._story.working.who and not self._out.as_json:
            self._out.say(speak_working(self._story.working, self._story.players))


def _cancel(alarms: list[asyncio.TimerHandle]) -> None:
    for alarm in alarms:
        alarm.cancel()
    alarms.clear()
