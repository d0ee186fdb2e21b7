"""Whole games on the open table: one loop, and the policies that answer in it.

Rule 1: of several who are asked at once, the first in `asked` answers first.
Rule 2: chance comes from outside, as a `pick`; a playout with the same chance is the same again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .encoding import Pick
from .open_table import OpenTable
from .pieces import Seat
from .questions import Answer, Question

Policy = Callable[[OpenTable, Seat, Question], Answer | None]
"""What a seat answers to its question at this table; None leaves the table as it is, for good."""


def play_on(table: OpenTable, policy: Policy) -> list[tuple[Seat, Answer]]:
    """Play until the game is over or the policy has no answer; returns all answers given.

    :raises IllegalAnswer: if the rules refuse an answer
    """
    answers: list[tuple[Seat, Answer]] = []
    while table.outcome is None:
        seat, question = next(iter(table.asked.items()))
        answer = policy(table, seat, question)
        if answer is None:
            break
        table.answer(seat, answer)
        answers.append((seat, answer))
    return answers


def give(table: OpenTable, answers: Iterable[tuple[Seat, Answer]]) -> None:
    """Give these answers, in this order.

    :raises IllegalAnswer: if a seat is not asked, or the rules refuse its answer
    """
    for seat, answer in answers:
        table.answer(seat, answer)


def by_chance(pick: Pick) -> Policy:
    """Any answer that is legal as far as its seat sees."""
    return lambda table, seat, question: question.sample(pick, table.faces(seat))


def by_bot(pick: Pick, bot: int = 0) -> Policy:
    """What one of the game's bots answers."""
    return lambda table, seat, question: table.game.bots[bot].choose(
        table.observation(seat), question, pick
    )


def late(table: OpenTable, seat: Seat, question: Question) -> Answer:
    """What a seat's own table answers when the time is up."""
    return question.late(table.faces(seat))
