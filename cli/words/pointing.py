"""What is pointed at instead of typed: a move, one of the ways to play it, cards that are taken.

Rule 1: only what is legal now can be pointed at, and nothing is pointed at before somebody does:
a bare Enter plays nothing.
Rule 2: what is pointed at is a line that could have been typed, and is judged as that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice, product

from sobremesa.core.errors import SobremesaError
from sobremesa.core.pieces import Card, Faces
from sobremesa.core.questions import Answer, CardField, CardsField, Move, Question

from .hands import Order, shown_places

MOST_WAYS = 400
"""Ways of one move that can be walked through; a longer list is better typed."""


@dataclass(slots=True)
class Pointing:
    """What is pointed at while one question is asked."""

    question: Question | None = None
    move: str = ""
    """The id of the move, "" while nothing is pointed at."""
    at: int = -1
    """The place among the move's ways, or of its cards as they are shown; -1 is none."""
    taken: list[int] = field(default_factory=list)
    """The cards that are taken for a choice of several, by their places as they are shown."""

    def follow(self, question: Question | None) -> None:
        """Point at nothing once something else is asked."""
        if question is not self.question:
            self.question = question
            self.clear()

    def clear(self) -> None:
        """Point at nothing."""
        self.move, self.at, self.taken = "", -1, []

    def step(self, by: int, faces: Faces, order: Order) -> None:
        """To the next way or card (1), or the one before (-1)."""
        if self.question is None:
            return
        if not self.move:
            found = _first(self.question, faces)
            if found is None:
                return
            if not found.fields:
                self.walk(by, faces, order)
                return
            self.move = found.id
        count = self._count(faces, order)
        if not count:  # a move of one word: the next is beside it
            self.walk(by, faces, order)
        else:
            first = 0 if self.hand(faces) else self._suggested(faces, order)
            fresh = first if by > 0 else first - 1
            self.at = ((self.at + by) if self.at >= 0 else fresh) % count

    def walk(self, by: int, faces: Faces, order: Order) -> None:
        """To the next move, or the one before."""
        moves = [move.id for move in _possible(self.question, faces)]
        if moves:
            place = moves.index(self.move) if self.move in moves else -1 if by > 0 else 0
            self.turn_to(moves[(place + by) % len(moves)], faces, order)

    def turn_to(self, move: str, faces: Faces, order: Order) -> None:
        """Point at a move, in the way that it suggests itself."""
        self.move, self.at, self.taken = move, -1, []
        if self._count(faces, order):
            self.at = self._suggested(faces, order)

    def take(self, faces: Faces) -> bool:
        """Take the card that is pointed at for a choice of several, or put it back; whether there
        is such a choice."""
        chosen = self._field(faces)
        if not isinstance(chosen, CardsField) or self.at < 0:
            return False
        if self.at in self.taken:
            self.taken.remove(self.at)
        elif len(self.taken) < chosen.most:
            self.taken.append(self.at)
        return True

    def takes_several(self, faces: Faces) -> bool:
        """Whether several cards are to be chosen by what is pointed at."""
        return isinstance(self._field(faces), CardsField)

    def choices(self, faces: Faces) -> Iterator[tuple[Card, ...]]:
        """The cards that some move could take."""
        for move in _possible(self.question, faces):
            chosen = _cards_of(move)
            if chosen is not None:
                yield tuple(chosen.cards)

    def point(self, cards: tuple[int, int], hand: tuple[Card, ...], faces: Faces) -> bool:
        """Point at a card: its hand, by its number, and its place as it is shown. Whether some move
        takes it."""
        _, place = cards
        for move in _possible(self.question, faces):
            chosen = _cards_of(move)
            if chosen is not None and tuple(chosen.cards) == hand:
                self.taken = self.taken if self.move == move.id else []
                self.move, self.at = move.id, place
                return True
        return False

    def hand(self, faces: Faces) -> tuple[Card, ...]:
        """The cards among which one points."""
        chosen = self._field(faces)
        return tuple(chosen.cards) if chosen is not None else ()

    def answer(self, faces: Faces, order: Order) -> Answer | None:
        """What would be played, or None while something is missing."""
        question = self.question
        if question is None or not self.move:
            return None
        move = question.move(self.move)
        if not move.fields:
            return Answer(self.move)
        chosen = _cards_of(move)
        if chosen is None:
            ways = self._ways(faces)
            return ways[self.at] if 0 <= self.at < len(ways) else None
        places = _dealt(chosen, faces, order)
        if isinstance(chosen, CardField):
            return Answer(self.move, (places[self.at],)) if 0 <= self.at < len(places) else None
        if not chosen.least <= len(self.taken) <= chosen.most:
            return None
        return Answer(self.move, (tuple(sorted(places[place] for place in self.taken)),))

    def text(self, faces: Faces, order: Order) -> str:
        """What is pointed at, as it could be typed; "" while something is missing."""
        answer = self.answer(faces, order)
        if self.question is None or answer is None:
            return ""
        return self.question.write(answer, faces)

    def missing(self, faces: Faces) -> str:
        """What is still to be done before it can be played, or nothing."""
        chosen = self._field(faces)
        if isinstance(chosen, CardsField) and len(self.taken) < chosen.least:
            return f"Space takes a card: {len(self.taken)} of {chosen.least} taken"
        return ""

    def _field(self, faces: Faces) -> CardField | CardsField | None:
        if self.question is None or not self.move:
            return None
        return _cards_of(self.question.move(self.move))

    def _count(self, faces: Faces, order: Order) -> int:
        chosen = self._field(faces)
        return len(chosen.cards) if chosen is not None else len(self._ways(faces))

    def _ways(self, faces: Faces) -> list[Answer]:
        assert self.question is not None
        question, move = self.question, self.question.move(self.move)
        if not move.fields:
            return []
        every = product(*(field.values() for field in move.fields))
        answers = (Answer(move.id, args) for args in every)
        return list(islice((a for a in answers if question.why_not(a, faces) is None), MOST_WAYS))

    def _suggested(self, faces: Faces, order: Order) -> int:
        """The place of the move's own example, or the first."""
        assert self.question is not None
        move = self.question.move(self.move)
        try:
            hint = move.read(move.hint, faces) if move.hint else None
        except SobremesaError:
            return 0
        chosen = _cards_of(move)
        if hint is None or isinstance(chosen, CardsField):
            return 0
        if chosen is not None:
            places = _dealt(chosen, faces, order)
            return places.index(hint.args[0]) if hint.args[0] in places else 0
        ways = self._ways(faces)
        return ways.index(hint) if hint in ways else 0


def _possible(question: Question | None, faces: Faces) -> list[Move]:
    return [m for m in question.moves(faces) if m.disabled is None] if question else []


def _first(question: Question, faces: Faces) -> Move | None:
    """The move that an arrow points at first: one that takes cards, else one with a choice."""
    moves = _possible(question, faces)
    cards = [move for move in moves if _cards_of(move) is not None]
    fields = [move for move in moves if move.fields]
    return next(iter([*cards, *fields, *moves]), None)


def _cards_of(move: Move) -> CardField | CardsField | None:
    """The cards that a move takes, if it takes nothing else."""
    if len(move.fields) == 1 and isinstance(move.fields[0], CardField | CardsField):
        return move.fields[0]
    return None


def _dealt(chosen: CardField | CardsField, faces: Faces, order: Order) -> list[int]:
    """The places of cards as the table counts them, from 1, in the order they are shown in."""
    shown = shown_places([faces.get(card) for card in chosen.cards], order)
    return [place + 1 for place in shown]
