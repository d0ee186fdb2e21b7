"""Games at tables that are not as they should be: seats that have left, answers that no honest
table would let pass."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sobremesa.core.game import Game, Options, Outcome
from sobremesa.core.pieces import Die, Piece, Seat
from sobremesa.core.questions import Answer, Question
from sobremesa.core.requests import Ask, AskAll, Gone, Request, Reveal, Script

Stand = Callable[[Seat, Question], Answer | None]
"""Answers in a seat's place, past its own table; None lets the table ask."""


def honest(seat: Seat, question: Question) -> None:
    """Every table asks its player."""


def once(answer: Answer, when: Callable[[Seat, Question], bool]) -> Stand:
    """The first time that such a question is asked, it is answered so."""
    left = [answer]
    return lambda seat, question: left.pop() if left and when(seat, question) else None


def _cup(pieces: Sequence[Piece]) -> bool:
    return any(isinstance(piece, Die) for piece in pieces)


def rigged(
    game: Game[Any],
    gone: Collection[Seat] = (),
    stand: Stand = honest,
    requests: list[Request] | None = None,
) -> Game[Any]:
    """The game at a table where the seats in `gone`, which may grow, have left for good and answer
    with the default, and where `stand` answers for some; `requests` gets all that is asked for."""

    def given(seat: Seat, question: Question) -> Answer | None:
        return question.default if seat in gone else stand(seat, question)

    def answered(request: Request, seats: tuple[Seat, ...]) -> Script[Any]:
        match request:
            case Gone():
                return tuple(seat for seat in seats if seat in gone)
            case Ask(seat, question) if (answer := given(seat, question)) is not None:
                return answer
            case AskAll(questions):
                settled = {seat: given(seat, question) for seat, question in questions.items()}
                asked = {seat: q for seat, q in questions.items() if settled[seat] is None}
                told = (yield AskAll(asked, request.seconds)) if asked else {}
                return {seat: told.get(seat, settled[seat]) for seat in questions}
            case Reveal(pieces) if isinstance(pieces, Mapping):
                opened = {s: some for s, some in pieces.items() if not (s in gone and _cup(some))}
                return (yield Reveal(opened))
        return (yield request)

    def play(seats: tuple[Seat, ...], options: Options) -> Script[Outcome]:
        script, result = game.play(seats, options), None
        while True:
            try:
                request = script.send(result)
            except StopIteration as stop:
                outcome: Outcome = stop.value
                return outcome
            if requests is not None:
                requests.append(request)
            result = yield from answered(request, seats)

    return replace(game, play=play)
