"""Sessions for tests of the clients: one that plays what it is told, and ones at real tables.

Rule 1: nothing here waits for a clock; a rest ends with `go_on` or when the test says so.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from typing import Any, Self

from sobremesa.cli.session.moments import (
    Asked,
    Chat,
    Moment,
    Over,
    Room,
    RoomChanged,
    RoomSeat,
    Seen,
    Settled,
    Started,
    Status,
    Told,
)
from sobremesa.cli.session.pacing import BEAT
from sobremesa.cli.session.session import Again, Session, Tell
from sobremesa.core.errors import IllegalAnswer, InvalidAnswer, LocalError
from sobremesa.core.game import Game
from sobremesa.core.open_table import Chance, OpenTable
from sobremesa.core.pieces import Face, Faces, Seat
from sobremesa.core.questions import Answer, Question
from sobremesa.core.requests import Ask, AskAll, Event
from sobremesa.core.views import View
from sobremesa.plugins import cinco_vidas, dudo, intriga

GAME = dudo.GAME


class ScriptedSession(Session):
    """Lets happen what the test feeds it, and remembers what the client did with it."""

    def __init__(self, me: Seat = "Cai", game: Game[Any] = GAME) -> None:
        self.game = game
        self.me = me
        self.status = Status(table="Kitchen table", seats=4)
        self.done: list[tuple[str, ...]] = []
        self.refuses: dict[str, LocalError] = {}
        """Errors that a verb raises, by its name."""
        self.seen: Faces = {}
        """The faces that this seat sees."""
        self.after_answer: Callable[[str], Iterable[Moment]] = lambda notation: ()
        self._moments: asyncio.Queue[Moment] = asyncio.Queue()
        self._rested = asyncio.Event()

    def feed(self, *moments: Moment) -> None:
        for moment in moments:
            self._moments.put_nowait(moment)

    async def moments(self) -> AsyncIterator[Moment]:
        while True:
            moment = await self._moments.get()
            if isinstance(moment, Asked):
                self.question = moment.question
            if isinstance(moment, Told | Asked):
                self._rested.clear()
            yield moment
            if isinstance(moment, Told) and moment.rest:
                await self._rested.wait()
            if isinstance(moment, Over):
                return

    def _do(self, *deed: str) -> None:
        if deed[0] in self.refuses:
            raise self.refuses[deed[0]]
        self.done.append(deed)

    def go_on(self) -> None:
        self._do("go_on")
        self._rested.set()

    def answer(self, answer: Answer) -> None:
        if self.question is None:
            raise IllegalAnswer("it is not your turn")
        reason = self.question.why_not(answer, self.seen)
        if reason is not None:
            raise IllegalAnswer(reason)
        notation = self.question.write(answer, self.seen)
        self._do("answer", notation)
        self.question = None
        self.feed(Settled(notation, "player"), *self.after_answer(notation))

    def faces(self) -> Faces:
        return self.seen

    def hint(self, text: str) -> str | None:
        if self.question is None:
            return None
        try:
            answer = self.question.read(text, self.seen)
            return f"{self.question.write(answer, self.seen)} is a brave one."
        except InvalidAnswer:
            return None

    def say(self, text: str) -> None:
        self._do("say", text)
        self.feed(Chat(self.me, text))

    def without(self, name: Seat) -> None:
        self._do("without", name)

    def stay(self, name: Seat) -> None:
        self._do("stay", name)

    def ready(self, ready: bool = True) -> None:
        self._do("ready" if ready else "unready")

    def slow(self, slow: bool = True) -> None:
        self._do("slow" if slow else "not slow")

    def start(self) -> None:
        self._do("start")

    def add_bot(self) -> None:
        self._do("bot")

    def remove(self, name: Seat, reason: str = "") -> None:
        self._do("remove", name, reason)

    def renew_code(self) -> None:
        self._do("newcode")

    def change(self, given: Mapping[str, str]) -> None:
        self._do("change", *(f"{key} {value}" for key, value in given.items()))

    def wish(self) -> None:
        self._do("wish")

    @property
    def kept(self) -> str:
        return "Your seat at Kitchen table is kept: sobremesa resume"

    async def step_out(self) -> None:
        self._do("step out")
        self._rested.set()
        self.feed(Over(self.kept, 3))

    async def leave(self) -> None:
        self._do("leave")
        self._rested.set()
        self.feed(Over("You left the table.", 3))


class Offered(Again):
    """One more game that nobody comes to: what is told of it is for the test to say."""

    def __init__(self) -> None:
        super().__init__(self._wait)
        self.began: asyncio.Future[Tell] = asyncio.get_running_loop().create_future()
        self.declined = False
        self.trouble: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def begin(self, tell: Tell) -> None:
        self.began.set_result(tell)
        await self.trouble

    async def tell(self, text: str) -> None:
        """Let the player hear this."""
        (await self.began)(text)

    async def _wait(self) -> Session:
        await asyncio.Event().wait()
        raise AssertionError

    async def decline(self) -> None:
        self.declined = True


def finished() -> tuple[ScriptedSession, Offered]:
    """Ana has won at the kitchen table, and another game is offered."""
    session = ScriptedSession()
    session.feed(*kitchen_table().moments, Over("Ana wins.", 0, (("Ana",), ("Cai",)), True))
    session.again = offer = Offered()
    return session, offer


class Sticky(ScriptedSession):
    """Never lets go of who leaves."""

    async def leave(self) -> None:
        await asyncio.Event().wait()


class Broken(ScriptedSession):
    """Breaks in the waiting room."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self._error = error

    async def moments(self) -> AsyncIterator[Moment]:
        yield waiting_room()
        raise self._error


class FixedChance:
    """Chance that was decided before: the first toss, then rolls or decks as they come.

    A deck is what lies on top, in order; the rest follows as the game lists it.
    """

    def __init__(
        self, first: int, *rolls: Mapping[Seat, tuple[Face, ...]] | Sequence[Face]
    ) -> None:
        self._first = first
        self._rolls = list(rolls)

    def toss(self, n: int, label: str) -> int:
        return self._first

    def roll(self, dice: Mapping[Seat, int], sides: int) -> Mapping[Seat, tuple[Face, ...]]:
        roll = self._rolls.pop(0)
        assert isinstance(roll, Mapping)
        return {seat: roll[seat][:count] for seat, count in dice.items()}

    def shuffle(self, faces: Sequence[Face]) -> Sequence[Face]:
        top = self._rolls.pop(0) if self._rolls else ()
        assert not isinstance(top, Mapping)
        rest = list(faces)
        for face in top:
            rest.remove(face)
        return [*top, *rest]


class OpenSession:
    """A game with decided chance and moves, as the moments that one seat lives."""

    def __init__(
        self,
        game: Game[Any],
        me: Seat,
        seats: tuple[Seat, ...],
        chance: Chance,
        options: Mapping[str, str] | None = None,
        rest: float = 4.0,
    ) -> None:
        self.game = game
        self.me = me
        self.seats = seats
        self.moments: list[Moment] = [Started(game, seats, me)]
        self._rest = rest
        self._drawn: View | None = None
        self._asked: Question | None = None
        self._table: OpenTable | None = None
        self._early: list[Event] = []
        chosen = game.read_options(options or {})
        self._table = OpenTable(game, seats, chosen, chance, self._told)
        for event in self._early:
            self._told(event)
        self._look_up()

    @property
    def table(self) -> OpenTable:
        assert self._table is not None
        return self._table

    @property
    def question(self) -> Question | None:
        return self.table.asked.get(self.me)

    def faces(self) -> Faces:
        return self.table.faces(self.me)

    def play(self, *moves: str) -> Self:
        """Moves in order, by whoever is asked first, or "Ana: move" by her. Cards by their faces.

        :raises LocalError: if a move is none, or the rules refuse it
        """
        for move in moves:
            name, colon, text = move.partition(": ")
            seat, text = (name, text) if colon else (next(iter(self.table.asked)), move)
            faces = self.table.faces(seat)
            question = self.table.asked[seat]
            answer = question.read(text, faces)
            reason = question.why_not(answer, faces)
            if reason is not None:
                raise IllegalAnswer(reason)
            if seat == self.me:
                self.moments.append(Settled(question.write(answer, faces), "player"))
            self.table.answer(seat, answer)
            self._look_up()
        return self

    def last(self, kind: type[Moment]) -> Moment:
        return next(moment for moment in reversed(self.moments) if isinstance(moment, kind))

    def _draw(self) -> View:
        self._drawn = self.game.view(self.table.run.state, self.me, self.faces())
        return self._drawn

    def _told(self, event: Event) -> None:
        if self._table is None:  # the table opens itself before there is a table to look at
            self._early.append(event)
            return
        rest = self._rest if event["kind"] in self.game.pauses else 0.0
        text, beat = self.game.describe(event, self.me), BEAT if rest else 0.0
        self.moments.append(Told(event, text, self._draw(), rest, beat=beat))

    def _look_up(self) -> None:
        if self.table.outcome is not None:
            outcome = self.table.outcome
            text = f"The game is over: {outcome.reason}."
            told = self.game.recap
            recap = told and told(self.seats, self.table.events, self.me)
            end = Over(text, 0, outcome.places, together=outcome.together, recap=recap)
            self.moments.append(end)
        elif self.question is not None and self.question is not self._asked:
            request = self.table.run.request
            own = request.seconds if isinstance(request, Ask | AskAll) else None
            self.moments.append(Asked(self.question, self._draw(), 40 if own is None else own))
            self._asked = self.question
        else:
            before, now = self._drawn, self._draw()
            if before != now:
                self.moments.append(Seen(now))


class DudoSession(OpenSession):
    """A game of Dudo."""

    def __init__(
        self,
        me: Seat,
        seats: tuple[Seat, ...],
        chance: FixedChance,
        options: Mapping[str, str] | None = None,
        rest: float = 4.0,
    ) -> None:
        super().__init__(GAME, me, seats, chance, options, rest)


FOUR = ("Ana", "Bento", "Cai", "Dora")


def kitchen_table(me: Seat = "Cai") -> DudoSession:
    """Four players with full cups; Ana opens, Cai is asked after two bids."""
    roll = {
        "Ana": (1, 2, 4, 4, 6),
        "Bento": (3, 3, 5, 6, 2),
        "Cai": (1, 3, 3, 5, 6),
        "Dora": (2, 2, 4, 5, 1),
    }
    again = {
        "Ana": (2, 3, 4, 4, 6),
        "Bento": (3, 3, 5, 6, 2),
        "Cai": (2, 2, 4, 5, 6),
        "Dora": (6, 6, 1, 5, 1),
    }
    return DudoSession(me, FOUR, FixedChance(0, roll, again)).play("2x4", "4x3")


FIVES = (
    *("2S", "JS", "10D", "6S", "5H"),
    *("KH", "9S", "4C", "AD", "7D"),
    *("QC", "QS", "8H", "3C", "2D"),
    *("KC", "10H", "6D", "4S", "AS"),
)
"""A deal of Cinco Vidas from the dealer's left: to Ana, Bento, Cai, Dora if Dora deals."""


def lives_table(me: Seat = "Cai") -> OpenSession:
    """Cinco Vidas: Dora deals, everybody has bid, and Cai is the third to play."""
    session = OpenSession(cinco_vidas.GAME, me, FOUR, FixedChance(3, FIVES))
    return session.play("bid 1", "bid 2", "bid 1", "bid 2", "play JS", "play 9S")


ROLES = ("banker", "lady", "corsair", "assassin", "lady", "corsair", "ambassador", "banker")
"""A deal of Intriga to Ana, Bento, Cai, Dora."""


def intrigue_table(me: Seat = "Cai") -> OpenSession:
    """Intriga: Ana claims the Banker, and everybody else may call her a liar."""
    session = OpenSession(intriga.GAME, me, FOUR, FixedChance(0, ROLES))
    return session.play("tax")


def waiting_room(you: Seat = "Cai", *, opener: bool = False, **ready: bool) -> RoomChanged:
    """A room of four chairs: Ana opened it, Bento is a bot, the last chair is empty."""
    names = ("Ana", "Bento", "Cai")
    chairs = tuple(
        RoomSeat(
            name,
            ready=ready.get(name, name == "Bento"),
            bot=name == "Bento",
            you=name == you,
            opener=name == "Ana",
        )
        for name in names
    )
    room = Room(
        table="Kitchen table",
        game=GAME.title,
        options="dice 5, palifico on",
        seats=(*chairs, RoomSeat()),
        opener=opener,
        code="123456" if opener else "",
        addresses=("192.168.1.7:4711",) if opener else (),
        fingerprint=bytes(range(16)),
    )
    return RoomChanged(room)


def seated(
    table: OpenSession, *after: Moment, before: Iterable[Moment] = (), begun: bool = True
) -> ScriptedSession:
    """The game goes on by itself after Cai's answer, until Cai or somebody else is asked."""
    session = ScriptedSession(game=table.game)
    session.seen = table.faces()
    session.feed(*before, *(table.moments if begun else ()), *after)

    def play(notation: str) -> list[Moment]:
        seen = len(table.moments) + 1  # the session settles our answer itself
        table.play(notation)
        return table.moments[seen:]

    session.after_answer = play
    return session


def at_the_table(*after: Moment, before: Iterable[Moment] = ()) -> ScriptedSession:
    """Cai is asked at the kitchen table, after two bids."""
    return seated(kitchen_table(), *after, before=before)
