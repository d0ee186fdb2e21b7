"""Answers: one in the open, or several sealed, so that none can follow another.

Rule 1: who has sealed an answer and does not open it is never merely late, or it could choose
between its answer and the default after it saw the others'.
Rule 2: the default in the place of somebody who is gone is nobody's answer: it is not judged again,
and what it says of hidden faces counts against nobody.
"""

from __future__ import annotations

from sobremesa.core.encoding import Rand, digest
from sobremesa.core.errors import IllegalAnswer, InvalidAnswer
from sobremesa.core.pieces import Seat
from sobremesa.core.questions import Answer, Question
from sobremesa.core.requests import Ask, AskAll

from .bodies import ANSWER, open_answers, seal_answers
from .faults import BadOpening, Finding, Malformed, PlayedIllegally
from .state import ReplicaState
from .steps import Body, Exchange, Step, unchecked


def ask(state: ReplicaState, request: Ask) -> Exchange[Answer]:
    """An open answer, judged by everybody with what is public; of a seat that is gone, the
    default."""
    seat, question = request.seat, request.question
    owner = state.charter.owner(seat)
    if owner not in state.present:
        return _default(state, question)
    bodies = yield Step(
        "answer",
        (owner,),
        lambda _: ANSWER,
        lambda peer, body: read_answer(state, seat, question, body),
        lambda peer, rand, choices: choices[seat],
        asks={seat: question},
        choices=lambda peer, body: {seat: body},
    )
    if owner not in bodies:
        return _default(state, question)
    return state.settle(seat, question, question.read_notation(bodies[owner]))


def _default(state: ReplicaState, question: Question) -> Answer:
    with state.run.game_code():
        return question.default


def ask_all(state: ReplicaState, request: AskAll) -> Exchange[dict[Seat, Answer]]:
    """Sealed answers: all commit, then all reveal, so that no answer can follow another. Who is
    gone has none."""
    context = state.context()
    questions = request.questions
    asked = {peer: state.among(peer, questions) for peer in state.present}
    owners = tuple(peer for peer, seats in asked.items() if seats)
    if not owners:
        return {}

    def salt(rand: Rand, seat: Seat) -> bytes:
        return rand.secret("answer-salt", context, seat)

    def commitment(seat: Seat, salt: bytes, text: str) -> bytes:
        return digest("answer", context, seat, salt, text)

    commits = yield Step(
        "answer-commit",
        owners,
        lambda peer: seal_answers(len(asked[peer])),
        unchecked,
        lambda peer, rand, choices: [
            commitment(seat, salt(rand, seat), choices[seat]) for seat in asked[peer]
        ],
        asks=questions,
        choices=None,
    )

    def check_open(peer: int, body: Body) -> None:
        for seat, sealed, (salt, text) in zip(asked[peer], commits[peer], body, strict=True):
            if commitment(seat, salt, text) != sealed:
                raise Finding(BadOpening, "revealed an answer that it had not sealed")
            read_answer(state, seat, questions[seat], text)

    opens = yield Step(
        "answer-open",
        tuple(commits),
        lambda peer: open_answers(len(asked[peer])),
        check_open,
        lambda peer, rand, choices: [[salt(rand, seat), choices[seat]] for seat in asked[peer]],
        choices=lambda peer, body: {
            seat: part[1] for seat, part in zip(asked[peer], body, strict=True)
        },
    )
    answers: dict[Seat, Answer] = {}
    for peer, parts in opens.items():
        for seat, (_, text) in zip(asked[peer], parts, strict=True):
            answer = questions[seat].read_notation(text)
            answers[seat] = state.settle(seat, questions[seat], answer)
    return {seat: answers[seat] for seat in questions if seat in answers}


def read_answer(state: ReplicaState, seat: Seat, question: Question, text: str) -> None:
    """:raises Finding: if the text is not an answer in notation, or the rules refuse it by the
    faces that this replica knows
    """
    try:
        with state.run.game_code():
            answer = question.read_notation(text)
        state.run.check_answer(seat, question, answer, state.faces(seat))
    except InvalidAnswer as error:
        raise Finding(Malformed, "answered with something that is no move") from error
    except IllegalAnswer as error:
        raise Finding(PlayedIllegally, f"answered {text}: {error}") from error
