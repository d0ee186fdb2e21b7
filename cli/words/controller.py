"""What a typed line does at a table: the one way from text to deed, for both clients.

Rule 1: a client gives only how it asks, how it shows help and how it goes; what a line means, what
wants confirming and what the answer is are decided here.
Rule 2: whatever cannot be is raised, in words for the player; the client says it its own way.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Protocol

from sobremesa.cli.session.moments import RoomSeat
from sobremesa.core.errors import LocalError
from sobremesa.core.game import SETTINGS
from sobremesa.core.parts import own_code
from sobremesa.core.questions import Answer, Question
from sobremesa.core.typed import fold, key, meant

from . import grammar
from .absence import asking, meant_absence, out_of_it
from .coach import COACHING
from .grammar import Command, Do, Enter, NotNow, NotUnderstood, Play, Say, Word, Words
from .hands import ORDERS
from .readied import judged, make_ready, take_back
from .story import Story

LEAVING_LIMIT = 6.0
"""Seconds that a table gets to take note of our leaving; then we are gone all the same."""


class Client(Protocol):
    """What a client does in its own way."""

    def ask(self, question: str, act: Callable[[], None]) -> None:
        """Ask; `act` only if the answer is yes."""

    def help(self, page: str = "") -> None:
        """Show how to type, or one page.

        :raises LocalError: if there is no such page
        """

    def choose(self, typed: str) -> None:
        """Choose a setting of the player's own: its name, and its value.

        :raises LocalError: if that cannot be
        """

    def tell(self, text: str) -> None:
        """Say what came of a word."""

    def leave_table(self) -> None:
        """Leave for good."""

    def step_out(self) -> None:
        """Go away; what can be kept is."""


class Controller:
    """Acts for one player in one session.

    Long, because every word of a table is told of here, beside what it does.
    """

    def __init__(self, story: Story, client: Client) -> None:
        self.story = story
        self.session = story.session
        self.client = client

    @property
    def question(self) -> Question | None:
        """What we are asked now, as far as the client has told it."""
        return self.story.asked.question if self.story.asked is not None else None

    def words(self) -> tuple[Word, ...]:
        """The words that every client has."""
        return self._onlooker_words() if self.session.looks_on else self._player_words()

    def _onlooker_words(self) -> tuple[Word, ...]:
        session, client = self.session, self.client
        return (
            grammar.help_word(lambda page: client.help(page)),
            Word("proof", "why this table is, or is not, verified", lambda _: client.help("proof")),
            Word("seat", "wait for a seat in the next game", lambda _: session.wish()),
            self._set_word(),
            Word(
                "quit",
                "look on no longer",
                lambda _: client.step_out(),
                aliases=grammar.QUITTING,
                places=("table",),
            ),
            Word("leave", "look on no longer", lambda _: self.leave()),
        )

    def _player_words(self) -> tuple[Word, ...]:
        session, client = self.session, self.client
        in_room = "in the waiting room"
        opened = "in the waiting room you opened"
        return (
            Word(
                "ready",
                f"{in_room}: you are ready",
                lambda _: session.ready(),
                places=("room", "opener"),
            ),
            Word(
                "unready",
                f"{in_room}: you are not ready after all",
                lambda _: session.ready(False),
                places=("room", "opener"),
            ),
            Word(
                "start",
                f"{opened}: start with those who are there",
                lambda _: session.start(),
                places=("opener",),
            ),
            Word(
                "bot",
                f"{opened}: seat a bot on this machine",
                lambda _: session.add_bot(),
                places=("opener",),
            ),
            Word(
                "remove",
                f"{opened}: send a guest away for good, or a bot; a reason may follow the name",
                self.remove,
                "NAME [WHY]",
                places=("opener",),
            ),
            Word(
                "seats",
                f"{opened}: another number of seats; nobody is ready any more then",
                lambda rest: self.set(f"seats {rest}"),
                "N",
                places=("opener",),
            ),
            self._set_word(),
            Word(
                "slow",
                f"{in_room}: ask for twice the time for all answers, for everybody",
                self.slow,
                "on|off",
                ("on", "off"),
                places=("room", "opener"),
            ),
            Word(
                "coach",
                "a tip a turn: in your first game of each kind, always, or off",
                lambda rest: client.choose(f"coach {rest}"),
                "first|always|off",
                COACHING,
                places=("table",),
            ),
            Word(
                "newcode",
                f"{opened}: another join code, of eight digits",
                lambda _: session.renew_code(),
                places=("opener",),
            ),
            Word(
                "moves",
                "what you can answer now",
                lambda _: client.help("moves"),
                places=("table",),
            ),
            grammar.help_word(lambda page: client.help(page)),
            Word(
                "sort",
                "your hand by suit, by rank, or as it was dealt",
                self.sort,
                "suit|rank|dealt",
                ORDERS,
                places=("table",),
            ),
            Word(
                "say",
                "say something to the table; so does a line that starts with '",
                lambda rest: session.say(grammar.chat(rest)),
                "TEXT",
                places=("room", "opener", "table"),
            ),
            Word(
                "cancel",
                "take back the move that you made ready for your turn",
                lambda _: client.tell(take_back(self.story)),
                places=("table",),
            ),
            Word(
                "without",
                "go on without somebody who is away (asks first)",
                self.without,
                "[NAME]",
                places=("table",),
            ),
            Word(
                "wait",
                "wait on for who is away, whatever you said before",
                lambda _: self.wait(),
                places=("table",),
            ),
            Word(
                "keys",
                "whose keys are at this table, to compare aloud",
                lambda _: client.help("keys"),
            ),
            Word("proof", "why this table is, or is not, verified", lambda _: client.help("proof")),
            Word(
                "quit",
                "go away (asks first); your seat is kept",
                lambda _: self.quit(),
                aliases=grammar.QUITTING,
                places=("table",),
            ),
            Word("leave", "leave the table for good (asks first)", lambda _: self.leave()),
        )

    def _set_word(self) -> Word:
        about = "a setting for good, like: set bell off; in the room you opened, one of the table"
        return Word("set", about, self.set, "NAME VALUE")

    def read(self, typed: str, words: Words) -> Command:
        """What a line means now, to a client that has these words; errors as of `grammar.read`."""
        faces = self.session.faces()
        try:
            with own_code(self.session.game.title, "question"):
                game = self.session.game
                missed, order = self.story.missed, self.story.order
                return grammar.read(
                    typed, words, self.question, faces, missed, game.card_names, order
                )
        except NotNow as error:
            if not self.session.looks_on:
                raise
            why = f"You are looking on: nobody asks you for a move ('{typed.strip()[:40]}')."
            raise NotUnderstood(why) from error

    def do(self, command: Command) -> None:
        """Do what a line means.

        :raises LocalError: if that cannot be
        """
        match command:
            case Enter():
                self.go_on()
            case Say(text):
                self.session.say(text)
            case Play(answer):
                self.play(answer)
            case Do(word, rest):
                word.act(rest)

    def go_on(self) -> None:
        """Look at a reveal no longer."""
        if self.story.resting is not None:
            self.session.go_on()

    def play(self, answer: Answer) -> None:
        """Answer with a move; asks first if the move wants that.

        :raises IllegalAnswer: if the rules refuse it
        """
        question = self.question
        if question is None:
            raise LocalError("there is nothing to answer now")
        sure = question.move(answer.move).confirm
        if sure:
            self.client.ask(sure, partial(self._answer, question, answer))
        else:
            self._answer(question, answer)

    def make_ready(self, typed: str) -> str:
        """Keep a line that came as `NotNow` for our next turn; what is to be said of that.

        :raises NotUnderstood: if it can be no move
        """
        with own_code(self.session.game.title, "question"):
            return make_ready(self.story, typed)

    def play_readied(self) -> None:
        """We are asked: play what was made ready for that, if anything was.

        :raises LocalError: if it is no move, or the rules refuse it
        """
        with own_code(self.session.game.title, "question"):
            ready = judged(self.story)
        if ready is not None:
            self.play(ready.answer)

    def _answer(self, question: Question, answer: Answer) -> None:
        # Before the yes came, time may have run out, and cards may lie in other places.
        if self.question is not question:
            raise LocalError("that is not asked any more")
        self.session.answer(answer)
        self.story.answered()

    def remove(self, typed: str) -> None:
        """Free the chair that was typed, with a reason after it; a guest's only if the player means
        it.

        :raises LocalError: if there is no such chair, or we may not
        """
        room = self.story.room
        if self.story.playing or room is None or not room.opener:
            self.session.remove("")  # which says why we may not
            return
        seat, why = meant_seat(typed, room.seats)
        act = partial(self.session.remove, seat.name, why)
        if seat.bot:
            act()
        else:
            sure = f"Remove {seat.name}? That machine cannot come back to this table."
            self.client.ask(sure, act)

    def sort(self, typed: str) -> None:
        """Show our hand in the order that was typed.

        :raises LocalError: if it is none
        """
        found = meant(typed, ORDERS, lambda order: [order])
        if len(found) != 1:
            raise LocalError(f"sort by what? Type sort and one of {', '.join(ORDERS)}")
        self.story.sort(found[0])
        self.client.choose(f"sort {found[0]}")

    def slow(self, typed: str) -> None:
        """Choose twice the time, or not: from now on and, before the game begins, at this table.

        :raises LocalError: if that cannot be
        """
        self.client.choose(f"slow {typed}".strip())
        room = self.story.room
        if room is not None and not self.story.playing and self.story.over is None:
            self.session.slow(key(typed) == "on")

    def set(self, typed: str) -> None:
        """Change the table in the room that we opened, or choose a setting of our own: the name of
        something, and its value.

        :raises LocalError: if that cannot be
        """
        name, _, value = fold(typed).partition(" ")
        name = name.casefold()
        options = [option.key for option in self.session.game.options]
        if name == "sort":
            self.sort(value)
        elif name == "slow":
            self.slow(value)
        elif name not in ("seats", *options, *SETTINGS):
            self.client.choose(typed)
        elif value:
            self.session.change({name: value})
        else:
            room = self.story.room
            now = ", ".join(f"{one} {value}" for one, value in room.terms) if room else ""
            raise LocalError(f"set {name} to what?" + (f" It is now: {now}" if now else ""))

    def without(self, typed: str) -> None:
        """Say that we would go on without somebody who is away, if the player means it.

        :raises LocalError: if that cannot be
        """
        absence = meant_absence(typed, self.story.absent)
        self.client.ask(asking(absence), partial(self.session.without, absence.name))

    def wait(self) -> None:
        """Wait on for everybody who is away.

        :raises LocalError: if nobody is
        """
        absences = self.story.absent.absences
        if not absences:
            raise LocalError("the table waits for nobody who is away")
        for absence in absences:
            self.session.stay(absence.name)

    def quit(self) -> None:
        """Go away, if the player means it: from a game the seat is kept, from elsewhere that is to
        leave."""
        if self.story.playing:
            sure = "Go away? Your seat is kept, and resume brings you back."
            self.client.ask(sure, self.client.step_out)
        else:
            self.leave()

    def leave(self) -> None:
        """Leave, if the player means it; who looks on gives nothing up."""
        if self.session.looks_on:
            self.client.leave_table()
            return
        self.client.ask(_leaving_text(self.story), self.client.leave_table)


async def in_time(going: Awaitable[None]) -> bool:
    """Go; whether the table took note. One that does not answer must not keep the player."""
    try:
        await asyncio.wait_for(going, LEAVING_LIMIT)
    except TimeoutError:
        return False
    return True


def meant_seat(typed: str, seats: Sequence[RoomSeat]) -> tuple[RoomSeat, str]:
    """Which of the others is meant by a name or by the number of a chair, and the text after it. A
    name comes before a number, and of "Bea" and "Bea 2" the one that says more.

    :raises LocalError: if nobody is
    """
    others = {str(n): seat for n, seat in enumerate(seats, 1) if seat.name and not seat.you}
    words = typed.split()
    for count in range(len(words), 0, -1):
        name = key(" ".join(words[:count]).rstrip(":"))
        for seat in others.values():
            if key(seat.name) == name:
                return seat, " ".join(words[count:])
    if words and words[0] in others:
        return others[words[0]], " ".join(words[1:])
    there = ", ".join(f"{number} {seat.name}" for number, seat in others.items())
    if not there:
        raise LocalError("there is nobody here but you; leave closes the table")
    wrong = f"nobody else is called '{typed[:40]}' here" if typed else "remove whom?"
    raise LocalError(f"{wrong}: type the name or the number of one of these: {there}")


def _leaving_text(story: Story) -> str:
    """What leaving now means, to be confirmed."""
    room = story.room
    if story.playing:
        own = story.game.leaving if story.game is not None else ""
        if own:
            return own
        if room is None:
            return "Leave? You give up your seat."
        gone = {*story.session.status.gone, *out_of_it(story.absent)}
        others = [seat for seat in room.seats if seat.name and not seat.you and not seat.bot]
        people = [seat.name for seat in others if seat.name not in gone]
        if not people:
            return "Leave? The game ends here."
        # Bots sit at the opener's machine, and go on with it.
        beside = [seat for seat in room.seats if seat.bot and seat.name not in gone]
        if len(people) == 1 and (room.opener or not beside):
            return f"Leave? Only {people[0]} is left then: the game ends at once, by its rules."
        return "Leave? The others go on without you, and you cannot take your seat again."
    if room is not None and room.opener:
        return "Close the table? Everybody who waits here is sent away."
    return "Leave the table?"
