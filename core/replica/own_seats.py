"""The seats that this peer plays: what they are asked, and what they answer.

Rule 1: an answer is given once for a step: by the player, by the record of an earlier run, or by
the rules where they leave no choice.
"""

from __future__ import annotations

from collections.abc import Mapping

from sobremesa.core.errors import IllegalAnswer
from sobremesa.core.pieces import Seat
from sobremesa.core.questions import Answer, Question

from .state import ReplicaState
from .steps import Step


class OwnSeats:
    """Our own seats' part in the step that is due. `me` None has no seats."""

    def __init__(self, state: ReplicaState, me: int | None) -> None:
        self.asked: dict[Seat, Question] = {}
        """Questions that wait for a player."""
        self.choices: dict[Seat, str] = {}
        """Answers to the request under way, in notation."""
        self.recorded: Mapping[tuple[int, Seat], str] = {}
        """Answers that our players gave before a restart, by step and seat."""
        self.forced: list[tuple[Seat, Question, Answer]] = []
        """Answers that the rules left no choice about, given by this table."""
        self._state = state
        self._me = me

    def expect_answer(self, seat: Seat, answer: Answer) -> Question:
        """The question of one of our seats that this would answer.

        :raises IllegalAnswer: if the seat is not asked now, or the rules refuse the answer
        """
        question = self.asked.get(seat)
        if question is None:
            raise IllegalAnswer(f"it is not {seat}'s turn")
        state = self._state
        state.run.check_answer(seat, question, answer, state.faces(seat))
        return question

    def answer(self, seat: Seat, answer: Answer) -> None:
        """Answer a question of one of our seats.

        :raises IllegalAnswer: if the seat is not asked now, or the rules refuse the answer
        """
        question = self.expect_answer(seat, answer)
        with self._state.run.game_code():
            self.choices[seat] = question.write(answer)
        del self.asked[seat]

    def open_questions(self, plan: Step) -> dict[Seat, Question]:
        """The questions of a step that wait for our players.

        :raises ScriptError: if the plugin breaks on one
        """
        assert self._me is not None
        still: dict[Seat, Question] = {}
        for seat in self._state.among(self._me, plan.asks):
            if seat in self.choices:
                continue
            question = plan.asks[seat]
            recorded = self.recorded.get((self._state.step, seat))
            if recorded is not None:
                # A sealed answer must be the same again, or it would not open the seal.
                self.choices[seat] = recorded
                continue
            with self._state.run.game_code():
                forced = question.only_answer(self._state.faces(seat))
                written = question.write(forced) if forced is not None else ""
            if forced is not None:
                self.choices[seat] = written
                self.forced.append((seat, question, forced))
            else:
                still[seat] = question
        return still
