"""The toy by other rules under the same id and version, as when somebody changed a few lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from support.games import toy

from sobremesa.core.encoding import Pick
from sobremesa.core.game import Game, Options, Outcome
from sobremesa.core.pieces import Die, Seat
from sobremesa.core.questions import NO_FACES, Answer, Move
from sobremesa.core.requests import Ask, AskAll, Mark, Request, Reveal, Roll, Script


def other_copy(change: Callable[[Request], Request | None]) -> Game[Any]:
    """The toy with other rules: each request is changed on its way, or left out."""

    def play(seats: tuple[Seat, ...], options: Options) -> Script[Outcome]:
        script = toy.play(seats, options)
        result: Any = None
        try:
            while True:
                request = change(script.send(result))
                result = None if request is None else (yield request)
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome

    return replace(toy.GAME, play=play)


def more_dice(request: Request) -> Request:
    if isinstance(request, Roll):
        return replace(request, dice={seat: number + 1 for seat, number in request.dice.items()})
    return request


def no_mark(request: Request) -> Request | None:
    return None if isinstance(request, Mark) else request


class StricterSum(toy.Sum):
    """Whoever does not boast is refused."""

    def why_not(self, answer: Answer, faces: Any) -> str | None:
        return None if answer.args[0] == 12 else "only the highest sum will do"

    def sample(self, pick: Pick, faces: Any) -> Answer:
        return Answer("sum", (12,))


class OtherWords(toy.Sum):
    """The sum under another name."""

    def moves(self, faces: Any = NO_FACES) -> tuple[Move, ...]:
        (move,) = super().moves(faces)
        return (replace(move, notation=("total {total}",)),)


def asking(kind: type[toy.Sum]) -> Callable[[Request], Request]:
    def change(request: Request) -> Request:
        if isinstance(request, Ask) and isinstance(request.question, toy.Sum):
            return replace(request, question=kind(request.question.cup, request.question.most))
        return request

    return change


def other_cups(request: Request) -> Request:
    """Only the last of the cups is opened."""
    if isinstance(request, Reveal) and isinstance(request.pieces, Mapping):
        *_, last = request.pieces.items()
        return replace(request, pieces=dict([last]))
    return request


def fewer_asked(request: Request) -> Request:
    if isinstance(request, AskAll):
        first, *_ = request.questions.items()
        return replace(request, questions=dict([first]))
    return request


COPIES = {
    "more dice": other_copy(more_dice),
    "no mark": other_copy(no_mark),
    "other turns": replace(toy.GAME, play=lambda seats, options: toy.play(seats[::-1], options)),
    "stricter": other_copy(asking(StricterSum)),
    "other words": other_copy(asking(OtherWords)),
    "other cups opened": other_copy(other_cups),
    "fewer asked": other_copy(fewer_asked),
}


class SumOfBea(toy.Sum):
    """Nobody but Bea may say a sum."""

    def why_not(self, answer: Answer, faces: Any) -> str | None:
        (die, *_) = self.cup
        return None if isinstance(die, Die) and die.seat == "Bea" else "only Bea can count"


FOR_BEA = other_copy(asking(SumOfBea))
"""By this copy others do wrong; by theirs it does nothing wrong itself."""
