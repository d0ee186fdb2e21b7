"""What is looked at in a question: its moves, their hints, and that answers are read as written."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from sobremesa.core.errors import LocalError
from sobremesa.core.pieces import Faces
from sobremesa.core.questions import NO_FACES, Answer, Move, Question

from .reports import Findings

LISTED = 5
"""So many of a question's legal answers are looked at."""


@dataclass(frozen=True, slots=True)
class QuestionCheck:
    """A question as its seat is asked it, which sees `faces` of which `public` are everybody's."""

    question: Question
    faces: Faces
    public: Faces
    findings: Findings

    @property
    def name(self) -> str:
        return type(self.question).__name__

    def run(self) -> None:
        """The question, its moves, and the answers that it names itself."""
        name, question, faces = self.name, self.question, self.faces
        moves = question.moves(faces)
        self.findings.check_line(question.text, f"{name}.text")
        for what, keys in (
            ("moves of one id", [move.id for move in moves]),
            ("moves with one hotkey", [move.hotkey.casefold() for move in moves]),
        ):
            if len(set(keys)) != len(keys):
                self.findings.add(f"{name} has two {what}", ", ".join(keys))
        for move in moves:
            self._move(move)
        # Whoever is gone answers by default: its hidden faces are lost, and judge nothing.
        self._check_legal("the default is", question.default, self.public, NO_FACES)
        self.check_legal("the late answer is", question.late(faces))
        self.check_notation(question.default)
        self.check_notation(question.late(faces))
        for answer in itertools.islice(question.answers(faces), LISTED):
            self.check_legal("answers() lists", answer)
            hint = question.hint(answer, faces)
            if hint is not None:
                self.findings.check_line(hint, f"{name}.hint()")

    def _move(self, move: Move) -> None:
        name, question, faces = self.name, self.question, self.faces
        self.findings.check_plain(
            move.label + move.hint + (move.disabled or ""), f"{name}: move {move.id}"
        )
        if len(move.hotkey) != 1 or not move.label or not move.notation:
            self.findings.add(f"{name}: move {move.id} lacks a hotkey, a label or a notation")
        if not move.fields:
            reason = question.why_not(Answer(move.id), faces)
            if (reason is None) != (move.disabled is None):
                says = "disabled" if move.disabled else "open"
                self.findings.add(
                    f"{name}: move {move.id} is {says}, but why_not says otherwise", repr(reason)
                )
            if question.read(move.hotkey, faces) != Answer(move.id):
                self.findings.add(f"{name}: the key {move.hotkey} is not read as {move.id}")
        elif move.disabled is None and move.hint:
            self._example(move)
        elif move.disabled is None and _is_possible(question, move, faces):
            self.findings.add(
                f"{name}: move {move.id} has fields and no hint: players are not shown how to "
                "write it"
            )

    def _example(self, move: Move) -> None:
        question, faces = self.question, self.faces
        what = f"{self.name}: the hint of {move.id} is"
        try:
            answer = question.read(move.hint, faces)
        except LocalError as error:
            self.findings.add(f"{what} no move", str(error))
            return
        if answer.move != move.id:
            self.findings.add(f"{what} read as {answer.move}")
        reason = question.why_not(answer, faces)
        if reason is not None:
            self.findings.add(f"{what} not legal", reason)

    def check_legal(self, what: str, answer: Answer) -> bool:
        """Whether an answer is legal for its owner, and so for those who see less."""
        return self._check_legal(what, answer, self.faces, self.public)

    def _check_legal(self, what: str, answer: Answer, faces: Faces, public: Faces) -> bool:
        question = self.question
        who, reason = "the rules", question.why_not(answer, faces)
        if reason is None:
            who, reason = "other tables", question.why_not(answer, public)
        if reason is None:
            return True
        self.findings.check_line(reason, "why_not()")
        example = f"{question.write(answer)!r}, because {reason}"
        self.findings.add(f"{self.name}: {what} an answer that {who} refuse", example)
        return False

    def check_notation(self, answer: Answer) -> None:
        """What is written is read back: for the transcript, and as its player would type it."""
        question, faces = self.question, self.faces
        public, own = question.write(answer), question.write(answer, faces)
        what = f"{self.name}: what is written for {answer.move}"
        try:
            # Two cards of one face are one card to whoever types it, so words are compared.
            typed = question.write(question.read(own, faces), faces)
            same = question.read_notation(public) == answer
            same = same and sorted(typed.split()) == sorted(own.split())
        except LocalError as error:
            self.findings.add(f"{what} cannot be read", f"{own!r}, because {error}")
        else:
            if not same:
                self.findings.add(f"{what} is read as another answer", repr(own))


def _is_possible(question: Question, move: Move, faces: Faces) -> bool:
    """Whether some answer by this move is legal now."""
    values = itertools.product(*(field.values() for field in move.fields))
    return any(question.why_not(Answer(move.id, args), faces) is None for args in values)
