"""The open table: a script without secrets, for playouts, scenarios and the check of plugins.

Rule 1: chance comes from outside, as a `Chance`; the table itself knows no randomness.
Rule 2: it gives the same results as a table among peers for the same chance and answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from .errors import IllegalAnswer
from .game import Game, Options, Outcome, Sight
from .pieces import Face, Piece, Seat
from .questions import Answer, Question
from .requests import Ask, AskAll, Event, Gone, Mark, Reveal, Roll, Show, Toss
from .script import ScriptRun


class Chance(Protocol):
    """Where the open table's chance comes from."""

    def toss(self, n: int, label: str) -> int:
        """A number in [0, n)."""
        ...

    def roll(self, dice: Mapping[Seat, int], sides: int) -> Mapping[Seat, tuple[Face, ...]]:
        """What each cup shows, faces 1 to sides."""
        ...


class FairChance:
    """Chance from a `pick`: everything equally likely."""

    def __init__(self, pick: Callable[[int], int]) -> None:
        self._pick = pick

    def toss(self, n: int, label: str) -> int:
        return self._pick(n)

    def roll(self, dice: Mapping[Seat, int], sides: int) -> Mapping[Seat, tuple[Face, ...]]:
        pick = self._pick
        return {s: tuple(pick(sides) + 1 for _ in range(n)) for s, n in dice.items()}


class OpenTable:
    """A game on one table that sees everything. `asked` is who must answer what now."""

    def __init__(
        self,
        game: Game,
        seats: tuple[Seat, ...],
        options: Options,
        chance: Chance,
        on_event: Callable[[Event], None] | None = None,
    ) -> None:
        self.game = game
        self.seats = seats
        self.asked: dict[Seat, Question] = {}
        self.all_faces: dict[Piece, Face] = {}
        """Every face there is, seen or not."""
        self._chance = chance
        self._answers: dict[Seat, Answer] = {}
        self.run = ScriptRun(game, seats, options, on_event)
        self.run.start()
        self._settle()

    @property
    def outcome(self) -> Outcome | None:
        return self.run.outcome

    @property
    def events(self) -> list[Event]:
        return self.run.events

    def faces(self, seat: Seat | None) -> dict[Piece, Face]:
        """The faces that a seat may see; None is a spectator."""
        mine = {piece: face for piece, face in self.all_faces.items() if piece.seat == seat}
        return {**self.run.faces, **mine}

    def sight(self, seat: Seat) -> Sight:
        """What a bot in that seat may know now."""
        run = self.run
        return Sight(seat, self.seats, run.options, run.state, self.faces(seat), run.events)

    def answer(self, seat: Seat, answer: Answer) -> None:
        """Give a seat's answer; the script goes on when all who were asked have answered.

        :raises IllegalAnswer: if the seat is not asked, or the rules refuse the answer
        """
        question = self.asked.get(seat)
        if question is None:
            raise IllegalAnswer(f"it is not {seat}'s turn")
        faces = self.faces(seat)
        self.run.check_answer(seat, question, answer, faces)
        self.run.remember_answer(seat, question, answer, tuple(faces))
        del self.asked[seat]
        self._answers[seat] = answer
        if not self.asked:
            self._answered()
            self._settle()

    def _answered(self) -> None:
        answers, self._answers = self._answers, {}
        request = self.run.request
        if isinstance(request, AskAll):
            self.run.resume({seat: answers[seat] for seat in request.questions})
        else:
            (answer,) = answers.values()
            self.run.resume(answer)

    def _settle(self) -> None:
        """Do everything that needs nobody's answer."""
        run = self.run
        while run.outcome is None and not self.asked:
            match run.request:
                case Ask(seat, question):
                    self._ask({seat: question})
                case AskAll(questions):
                    self._ask(questions)
                case Toss(n, label):
                    run.resume(self._chance.toss(n, label))
                case Roll(dice, sides):
                    handles = run.rolled(run.request)
                    shown = self._chance.roll(dice, sides)
                    for seat, cup in handles.items():
                        self.all_faces.update(zip(cup, shown[seat], strict=True))
                    run.resume(handles)
                case Reveal() as reveal:
                    run.publish({piece: self.all_faces[piece] for piece in reveal.flat()})
                    run.resume(reveal.shaped(run.faces))
                case Show(shown_to):
                    everybody = [p for p, who in shown_to.items() if set(who) - {p.seat}]
                    run.publish({piece: self.all_faces[piece] for piece in everybody})
                    run.resume(None)
                case Mark():
                    run.resume(None)
                case Gone():
                    run.resume(())
        if run.outcome is not None:
            run.judge(self.all_faces)

    def _ask(self, questions: Mapping[Seat, Question]) -> None:
        self.asked = dict(questions)
        for seat, question in questions.items():
            forced = question.only_answer(self.faces(seat)) if question.forced else None
            if forced is not None:
                self.answer(seat, forced)
