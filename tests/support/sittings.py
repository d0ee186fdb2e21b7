"""Sittings for tests of the clients: one that plays what it is told, and one at a real Dudo table.

Rule 1: nothing here waits for a clock; a rest ends with `go_on` or when the test says so.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping

from sobremesa.cli.session import (
    Asked,
    Chat,
    Moment,
    Over,
    Room,
    RoomChanged,
    RoomSeat,
    Session,
    Settled,
    Started,
    Status,
    Told,
)
from sobremesa.core.errors import IllegalAnswer, InvalidAnswer, LocalError
from sobremesa.core.open_table import OpenTable
from sobremesa.core.pieces import Face, Seat
from sobremesa.core.questions import Question
from sobremesa.core.requests import Event
from sobremesa.plugins.dudo import GAME


class ScriptedSession(Session):
    """Lets happen what the test feeds it, and remembers what the client did with it."""

    def __init__(self, me: Seat = "Cai") -> None:
        self.game = GAME
        self.me = me
        self.status = Status(table="Kitchen table", seats=4)
        self.done: list[tuple[str, ...]] = []
        self.refuses: dict[str, LocalError] = {}
        """Errors that a verb raises, by its name."""
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

    def answer(self, text: str) -> str:
        if self.question is None:
            raise IllegalAnswer("it is not your turn")
        answer = self.question.read(text)
        self.question.check(answer, {})
        notation = self.question.write(answer)
        self._do("answer", notation)
        self.question = None
        self.feed(Settled(notation, "player"), *self.after_answer(notation))
        return notation

    def hint(self, text: str) -> str | None:
        if self.question is None:
            return None
        try:
            return f"{self.question.write(self.question.read(text))} is a brave one."
        except InvalidAnswer:
            return None

    def say(self, text: str) -> None:
        self._do("say", text)
        self.feed(Chat(self.me, text))

    def ready(self, ready: bool = True) -> None:
        self._do("ready" if ready else "unready")

    def start(self) -> None:
        self._do("start")

    def add_bot(self) -> None:
        self._do("bot")

    async def leave(self) -> None:
        self._do("leave")
        self._rested.set()
        self.feed(Over("You left the table.", 3))


class FixedChance:
    """Chance that was decided before."""

    def __init__(self, opener: int, *rolls: Mapping[Seat, tuple[Face, ...]]) -> None:
        self._opener = opener
        self._rolls = list(rolls)

    def toss(self, n: int, label: str) -> int:
        return self._opener

    def roll(self, dice: Mapping[Seat, int], sides: int) -> Mapping[Seat, tuple[Face, ...]]:
        roll = self._rolls.pop(0)
        return {seat: roll[seat][:count] for seat, count in dice.items()}


class DudoSitting:
    """A game of Dudo with decided dice and moves, as the moments that one seat lives."""

    def __init__(
        self,
        me: Seat,
        seats: tuple[Seat, ...],
        chance: FixedChance,
        options: Mapping[str, int | str] | None = None,
        rest: float = 4.0,
    ) -> None:
        self.me = me
        self.seats = seats
        self.moments: list[Moment] = [Started(GAME, seats, me)]
        self._rest = rest
        self._table: OpenTable | None = None
        self._early: list[Event] = []
        self._table = OpenTable(
            GAME, seats, options or {"dice": 5, "palifico": "on"}, chance, self._told
        )
        for event in self._early:
            self._told(event)
        self._ask()

    @property
    def table(self) -> OpenTable:
        assert self._table is not None
        return self._table

    @property
    def question(self) -> Question | None:
        return self.table.asked.get(self.me)

    def play(self, *moves: str) -> DudoSitting:
        """Moves in order, whoever is asked."""
        for move in moves:
            (seat,) = self.table.asked
            question = self.table.asked[seat]
            answer = question.read(move)
            if seat == self.me:
                self.moments.append(Settled(question.write(answer), "player"))
            self.table.answer(seat, answer)
            self._ask()
        return self

    def last(self, kind: type[Moment]) -> Moment:  # type: ignore[valid-type]
        return next(moment for moment in reversed(self.moments) if isinstance(moment, kind))

    def _told(self, event: Event) -> None:
        if self._table is None:  # the table opens itself before there is a table to look at
            self._early.append(event)
            return
        view = GAME.view(self.table.run.state, self.me, self.table.faces(self.me))
        rest = self._rest if event["kind"] in GAME.pauses else 0.0
        self.moments.append(Told(event, GAME.tell(event, self.me), view, rest))

    def _ask(self) -> None:
        if self.question is not None:
            view = GAME.view(self.table.run.state, self.me, self.table.faces(self.me))
            self.moments.append(Asked(self.question, view, 40))
        if self.table.outcome is not None:
            outcome = self.table.outcome
            self.moments.append(Over(f"The game is over: {outcome.reason}.", 0, outcome.places))


FOUR = ("Ana", "Bento", "Cai", "Dora")


def kitchen_table(me: Seat = "Cai") -> DudoSitting:
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
    return DudoSitting(me, FOUR, FixedChance(0, roll, again)).play("2x4", "4x3")


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
    )
    return RoomChanged(room)
