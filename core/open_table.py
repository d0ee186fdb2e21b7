"""The open table: a script without secrets, for playouts, scenarios and the check of plugins.

Rule 1: chance comes from outside, as a `Chance`; the table itself knows no randomness.
Rule 2: it gives the same results as a table among peers for the same chance and answers.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from .errors import IllegalAnswer
from .game import Game, Observation, Options, Outcome
from .pieces import Card, Die, Face, Faces, Piece, Seat
from .questions import Answer, Question
from .requests import Ask, AskAll, Event, Gone, Mark, Reveal, Roll, Show, Shuffle, Toss
from .script import ScriptRun


class Chance(Protocol):
    """Where the open table's chance comes from."""

    def toss(self, n: int, label: str) -> int:
        """A number in [0, n)."""
        ...

    def roll(self, dice: Mapping[Seat, int], sides: int) -> Mapping[Seat, tuple[Face, ...]]:
        """What each cup shows, faces 1 to sides."""
        ...

    def shuffle(self, faces: Sequence[Face]) -> Sequence[Face]:
        """The same faces in the order of the new deck, top first."""
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

    def shuffle(self, faces: Sequence[Face]) -> Sequence[Face]:
        deck = list(faces)
        for last in range(len(deck) - 1, 0, -1):
            other = self._pick(last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        return deck


class OpenTable:
    """A game on one table that sees everything. `asked` is who must answer what now."""

    def __init__(
        self,
        game: Game[Any],
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
        self._seen: dict[Seat, dict[Piece, Face]] = {seat: {} for seat in seats}
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

    def faces(self, seat: Seat | None) -> Faces:
        """The faces that a seat may see; None is a spectator."""
        return ChainMap(self._seen[seat], self.run.faces) if seat is not None else self.run.faces

    def observation(self, seat: Seat) -> Observation[Any]:
        """What a bot in that seat may know now."""
        run = self.run
        return Observation(seat, self.seats, run.options, run.state, self.faces(seat), run.events)

    def answer(self, seat: Seat, answer: Answer) -> None:
        """Give a seat's answer; the script goes on when all who were asked have answered.

        :raises IllegalAnswer: if the seat is not asked, or the rules refuse the answer
        """
        question = self.asked.get(seat)
        if question is None:
            raise IllegalAnswer(f"it is not {seat}'s turn")
        faces = self.faces(seat)
        self.run.check_answer(seat, question, answer, faces)
        self.run.remember_answer(seat, question, answer, faces)
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
                case Roll() as roll:
                    run.resume(self._roll(roll))
                case Shuffle() as shuffle:
                    run.resume(self._shuffle(shuffle))
                case Reveal() as reveal:
                    run.publish({piece: self.all_faces[piece] for piece in reveal.flat()})
                    run.resume(reveal.shaped(run.faces))
                case Show(seats):
                    self._show(seats)
                    run.resume(None)
                case Mark():
                    run.resume(None)
                case Gone():
                    run.resume(())
        if run.outcome is not None:
            run.judge(self.all_faces)

    def _roll(self, roll: Roll) -> dict[Seat, tuple[Die, ...]]:
        dice = self.run.rolled(roll)
        shown = self._chance.roll(roll.dice, roll.sides)
        for seat, cup in dice.items():
            faces: dict[Piece, Face] = dict(zip(cup, shown[seat], strict=True))
            self.all_faces.update(faces)
            self._seen[seat].update(faces)
        return dice

    def _shuffle(self, shuffle: Shuffle) -> tuple[Card, ...]:
        """New cards. A seat that shuffles alone what it has seen knows the result; its own order
        is nobody's chance, since nobody else can tell it from any other."""
        given = shuffle.cards
        faces: list[Face] = [self.all_faces[c] if isinstance(c, Card) else c for c in given]
        alone = shuffle.by[0] if shuffle.by is not None and len(set(shuffle.by)) == 1 else None
        order = faces if alone is not None else self._chance.shuffle(faces)
        made = self.run.shuffled(shuffle)
        self.all_faces.update(zip(made, order, strict=True))
        if alone is not None:
            seen = self.faces(alone)
            if all(not isinstance(card, Card) or card in seen for card in given):
                self._seen[alone].update(zip(made, order, strict=True))
        return made

    def _show(self, shown: Mapping[Piece, Sequence[Seat]]) -> None:
        for piece, seats in shown.items():
            face = self.all_faces[piece]
            for seat in seats:
                self._seen[seat][piece] = face
        public = [piece for piece, seats in shown.items() if set(seats) == set(self.seats)]
        self.run.publish({piece: self.all_faces[piece] for piece in public})

    def _ask(self, questions: Mapping[Seat, Question]) -> None:
        self.asked = dict(questions)
        for seat, question in questions.items():
            forced = question.only_answer(self.faces(seat)) if question.forced else None
            if forced is not None:
                self.answer(seat, forced)
