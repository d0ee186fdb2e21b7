"""A game played again, with other dice and cards wherever one seat sees none.

Whatever that seat is shown, told or asked must then be the same: if it is not, the game lets it
know what it may not see.

Rule 1: the same answers are given. Where they cannot be, because they were forced by a hidden
face or proved one, the other deal could not have been, and nothing follows from it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from sobremesa.core.encoding import Pick
from sobremesa.core.errors import SobremesaError
from sobremesa.core.game import Game, Options
from sobremesa.core.open_table import Chance, OpenTable
from sobremesa.core.pieces import Card, Die, Face, Faces, Seat
from sobremesa.core.questions import Answer
from sobremesa.core.requests import Event

Answers = Sequence[tuple[Seat, Answer]]


class _CannotBe(SobremesaError):
    """The other deal does not lead to the same moment."""


class Redealt(OpenTable):
    """A table with the `chance` and the answers of another, that deals by `pick` all dice and
    cards that are not among `seen`. Without `pick` it is that other game again.

    `moments` is all that the viewer (None: a spectator) was told, shown and asked.

    :raises SobremesaError: if this deal does not lead to the same moment
    """

    def __init__(
        self,
        game: Game[Any],
        seats: tuple[Seat, ...],
        options: Options,
        chance: Chance,
        answers: Answers,
        viewer: Seat | None,
        seen: Faces | None = None,
        pick: Pick | None = None,
    ) -> None:
        self.moments: list[str] = []
        self._same = chance
        self._viewer = viewer
        self._kept: Faces = seen or {}
        self._pick = pick
        self._rolls = 0
        super().__init__(game, seats, options, self, self._told)
        for seat, answer in answers:
            if seat not in self.asked:
                raise _CannotBe(f"{seat} is not asked")
            self.answer(seat, answer)
            self._look()
        if seen is not None and dict(self.faces(viewer)) != dict(seen):
            raise _CannotBe("other faces are seen")

    def _told(self, event: Event) -> None:
        self.moments.append(self.game.describe(event, self._viewer))
        self._look()

    def _look(self) -> None:
        viewer, state = self._viewer, self.run.state
        if state is not None:
            self.moments.append(repr(self.game.view(state, viewer, self.faces(viewer))))
        question = self.asked.get(viewer) if viewer is not None else None
        if question is not None:
            self.moments.append(f"{question.text} {question.moves(self.faces(viewer))!r}")

    # The table is its own chance.

    def toss(self, n: int, label: str) -> int:
        return self._same.toss(n, label)

    def roll(self, dice: Mapping[Seat, int], sides: int) -> Mapping[Seat, tuple[Face, ...]]:
        roll = self._rolls
        self._rolls += 1
        return {
            seat: tuple(
                face
                if self._pick is None or Die(seat, roll, place) in self._kept
                else self._pick(sides) + 1
                for place, face in enumerate(cup)
            )
            for seat, cup in self._same.roll(dice, sides).items()
        }

    def shuffle(self, faces: Sequence[Face]) -> Sequence[Face]:
        deck = list(self._same.shuffle(faces))
        if self._pick is None:
            return deck
        first = sum(isinstance(piece, Card) for piece in self.all_faces)
        kept = [self._kept.get(Card(first + place)) for place in range(len(deck))]
        for face in kept:
            if face is not None and face not in deck:
                raise _CannotBe(f"no {face} is left")
            if face is not None:
                deck.remove(face)
        return [deck.pop(self._pick(len(deck))) if face is None else face for face in kept]


def apart(first: Redealt, other: Redealt) -> str | None:
    """Where the viewer can tell two deals apart that look the same to it, or None."""
    for here, there in zip_longest(first.moments, other.moments, fillvalue=""):
        if here != there:
            pairs = enumerate(zip_longest(here, there))
            place = next(place for place, (a, b) in pairs if a != b)
            around = slice(max(0, place - 30), place + 30)
            return f"{here[around]!r} and {there[around]!r}"
    return None
