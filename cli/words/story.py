"""The story of a session: how it stands, and the sentence for each thing that happens in it.

Rule 1: `Story.take` is what changes it (and `answered`). Both clients feed it the same
moments and print the same sentences.
Rule 2: nothing is said twice: of a room, and of who is away, only what changed is news.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sobremesa.cli.session.moments import (
    Absent,
    Asked,
    Chat,
    Moment,
    Notice,
    Over,
    Room,
    RoomChanged,
    Seen,
    Settled,
    Started,
    Told,
    Working,
)
from sobremesa.cli.session.session import Session
from sobremesa.core.game import Brief, Game
from sobremesa.core.pieces import Seat
from sobremesa.core.questions import Question
from sobremesa.core.views import View
from sobremesa.plugins.voice import capital, listed

from .absence import speak_news
from .coach import Coach
from .hands import Order, arranged
from .speech import (
    Players,
    sentence,
    speak_door_change,
    speak_places,
    speak_room,
    speak_room_change,
    speak_terms_change,
)


class Said(NamedTuple):
    """A sentence for the log, and its role in `theme.STYLE`."""

    role: str
    text: str
    author: Seat | None = None
    """Who typed it, if it is chat."""
    lasting: bool = True
    """Whether it belongs in the log; a join code does not."""
    short: Brief | None = None
    """The same where there is little room (`InShort`), if the game has a short form of it."""


class InShort(list[Said]):
    """A log as it is read where there is little room: short forms where there are any, and what
    belongs into one line, such as the cards of a trick, in one line (`Brief`)."""

    def __init__(self, log: Iterable[Said] = ()) -> None:
        super().__init__()
        self._line = ""
        """What the last line may be continued by."""
        for said in log:
            self.add(said)

    def add(self, said: Said) -> None:
        """Something else has happened."""
        short = said.short
        if short is None:
            self.append(said)
            self._line = ""
        elif short.text:
            if short.after and self._line and self._line == short.line:
                self[-1] = self[-1]._replace(text=f"{self[-1].text}{short.after}{short.text}")
            else:
                self.append(said._replace(text=capital(short.text)))
            self._line = "" if short.last else short.line


@dataclass(slots=True)
class Story:
    """Where we are: in `room` before the game, in `view` during it, after it with `over`.

    `asked` is what we are to answer, `resting` the reveal that is being looked at, `working` what
    takes long among the peers.
    """

    session: Session
    room: Room | None = None
    game: Game[Any] | None = None
    seats: tuple[Seat, ...] = ()
    me: Seat | None = None
    bots: frozenset[Seat] = frozenset()
    view: View | None = None
    """What we see, our hand in the `order` that we like."""
    order: Order = "suit"
    sorts: bool = True
    """Whether that may be changed: a program sees places as the table counts them."""
    board: View | None = None
    """What was seen last in the phase before this one: when a game is over, its last board."""
    asked: Asked | None = None
    resting: Told | None = None
    working: Working = field(default_factory=Working)
    absent: Absent = field(default_factory=Absent)
    over: Over | None = None
    log: list[Said] = field(default_factory=list)
    in_short: InShort = field(default_factory=InShort)
    """The same where there is little room."""
    coach: Coach | None = None
    rings: frozenset[str] = frozenset()
    """What of `theme.BELLS` the last moment is."""
    asked_before: dict[type[Question], Question] = field(default_factory=dict)
    """What we were asked in this game, the last of each kind."""
    readied: str = ""
    """A move that was typed for our next turn (`readied`)."""
    missed: Question | None = None
    """What our time ran out for, until we are asked something else."""
    told: str = ""
    """The last sentence of the game itself."""
    _seen: View | None = None
    """What we see, our hand as it was dealt."""

    @property
    def playing(self) -> bool:
        """Whether a game is under way."""
        return self.game is not None and self.over is None

    @property
    def ready(self) -> bool:
        """Whether we said so in the waiting room."""
        return self.room is not None and any(s.you and s.ready for s in self.room.seats)

    @property
    def players(self) -> Players:
        """Who is who at this moment."""
        away = tuple(self.session.status.away)
        if self.game is None:
            return Players(self.me, self.bots, away)
        game = self.game
        return Players(self.me, self.bots, away, game.card_names, game.card_tints, game.card_marks)

    def take(self, moment: Moment) -> list[Said]:
        """Let a moment happen; returns what is to be said of it. The log has what lasts of that."""
        people = self._people()
        said = [line for line in self._take(moment) if line.text]
        self.rings = frozenset(self._rings(moment, joined=len(self._people() - people) > 0))
        for line in said:
            if line.lasting:
                self.note(line)
        return said

    def note(self, said: Said) -> None:
        """Put something into the log."""
        self.log.append(said)
        self.in_short.add(said)

    def answered(self) -> None:
        """Our answer was taken. A second one would be for nothing, so we are not asked any more
        though the table has yet to say that it is settled."""
        self.asked = None

    def sort(self, order: Order) -> None:
        """Show our hand in another order."""
        if not self.sorts:
            return
        self.order = order
        if self._seen is not None:
            self.view = arranged(self._seen, order)

    def _people(self) -> set[str]:
        return {seat.name for seat in self.room.seats if seat.name} if self.room else set()

    def _rings(self, moment: Moment, *, joined: bool) -> Iterator[str]:
        if isinstance(moment, Asked):
            yield "turn"
        if isinstance(moment, Chat) and moment.name != self.me:
            yield "chat"
        if joined:
            yield "join"

    def _see(self, view: View) -> None:
        if self.view is not None and view.phase != self.view.phase:
            self.board = self.view
        self._seen, self.view = view, arranged(view, self.order)

    def call(self, asked: Asked) -> str:
        """That it is for us to speak, and for what, unless that was just said."""
        call, what = "Your turn", asked.question.text
        if asked.is_window:
            call = f"Speak now, {asked.seconds} seconds"
            if sentence(what) == self.told:
                what = " or ".join(move.label for move in asked.question.moves())
        elif what and "your turn" in self.told.casefold():
            return sentence(what)
        elif what and not what.startswith(self.seats):
            what = what[:1].lower() + what[1:]
        return sentence(f"{call}: {what}" if what else call)

    def _take(self, moment: Moment) -> Iterator[Said]:
        if not isinstance(moment, Chat | Notice | Absent):
            self.resting = None
        match moment:
            case RoomChanged(room):
                yield from self._enter(room)
            case Started(game, seats, me, bots, before):
                self.game, self.seats, self.me = game, seats, me
                self.asked_before, self.readied = {}, ""
                self.bots |= frozenset(bots)
                if self.coach is not None:
                    self.coach.begin(game)
                names = [self.players.name(seat) for seat in seats]
                begins = "You are back" if before else "The game begins"
                begins = begins if me is not None else "You look on"
                yield Said("sys", f"{begins}: {game.title} with {listed(names)}.")
                yield Said("sys", self._slow())
                for text in before:
                    yield Said("", text)
            case Told(_, text, view, rest, short):
                self._see(view)
                self.told = text
                self.resting = moment if rest > 0 else None
                yield Said("", text, short=short)
            case Seen(view):
                self._see(view)
            case Working():
                self.working = moment
            case Asked(_, view):
                self._see(view)
                self.asked, self.missed = moment, None
                self.asked_before[type(moment.question)] = moment.question
                # Where there is little room, the status line says it.
                yield Said("turn", self.call(moment), short=Brief(""))
                if self.coach is not None and not moment.is_window:
                    tip = self.coach.tip()
                    yield Said("hint", tip, short=Brief(_first_sentence(tip)))
            case Settled(notation, by, why):
                if by == "clock" and self.asked is not None:
                    self.missed = self.asked.question
                self.asked = None
                if by == "rules":
                    yield Said("sys", self._forced(notation, why))
            case Chat(name, text):
                yield Said("chat", f"{name}: {text}", name)
            case Notice(text, role):
                yield Said(role, sentence(text))
            case Absent():
                was, self.absent = self.absent, moment
                yield Said("warn", speak_news(was, moment))
            case Over():
                self.asked, self.over, self.absent, self.readied = None, moment, Absent(), ""
                yield from self._end(moment)
                if self.coach is not None and moment.places is not None:
                    yield Said("warn", sentence(self.coach.end()))

    def _slow(self) -> str:
        """That there is twice the time for all answers, and who asked for it."""
        asking = [s.name for s in self.room.seats if s.slow] if self.room is not None else []
        who = listed([self.players.name(seat) for seat in asking])
        return f"Everybody has twice the time for answers, as {who} asked." if asking else ""

    def _forced(self, notation: str, why: str) -> str:
        """That an answer was given for us, and why, unless the game has just said so itself."""
        if why and why in self.told:
            return ""
        reason = f": {why}" if why else ""
        return sentence(f"Only {notation} was possible, so it was played for you{reason}")

    def _enter(self, room: Room) -> Iterator[Said]:
        before, self.room = self.room, room
        self.bots = frozenset(seat.name for seat in room.seats if seat.bot)
        self.me = next((seat.name for seat in room.seats if seat.you), self.me)
        if before is None or self.game is not None:
            self.game, self._seen, self.view, self.board, self.asked = (None,) * 5
            yield from (Said("sys", text, lasting=False) for text in speak_room(room))
        else:
            yield from (
                Said("sys", text, lasting=False) for text in speak_door_change(before, room)
            )
            yield from (Said("sys", text) for text in speak_room_change(before, room))
            yield Said("warn", speak_terms_change(before, room))

    def _end(self, over: Over) -> Iterator[Said]:
        yield Said("turn", sentence(over.text))
        if over.places is not None:
            yield Said("turn", speak_places(over.places, over.together, self.players))
        if over.verified:
            yield Said("good", "The record of the game is verified.")
        elif over.verified is not None:
            why = self.session.status.proof
            yield Said("bad", sentence(f"The record of the game is NOT verified. {why}"))


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=[.!?]) ", text, maxsplit=1)[0]


def speak_standing(story: Story, session: Session, *, stands: bool) -> str:
    """Whose turn it is and how long, for who reads something else; `stands`: no time runs."""
    others = [seat for seat in session.status.asked if seat != session.me]
    if story.asked is not None:
        whose = "Speak now" if story.asked.is_window else "Your turn"
    elif others:
        whose = f"{listed(others)} {'is' if len(others) == 1 else 'are'} to play"
    else:
        whose = "The game goes on"
    left = session.seconds_left if story.asked is not None else None
    seconds = f", {left} s left" if left is not None else ""
    return f"{whose}{seconds}{': time stands while you read' if stands else ''}"
