"""What a client is told of a table beside the events of its game: what our seat sees now, who is at
something long, and what was played for us because nothing else was possible.

Rule 1: only what changed is told.
Rule 2: a view or a word of the game that breaks stops nobody: what can be said without it is said,
and once that it broke, and where.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from sobremesa.core.game import Brief, Game
from sobremesa.core.parts import PartBroke, own_code
from sobremesa.core.pieces import Faces, Seat
from sobremesa.core.questions import Answer, Question
from sobremesa.core.replica.table import Table
from sobremesa.core.requests import Event
from sobremesa.core.views import Block, Cards, Dice, Hand, Text, View

from .moments import Moment, Notice, Over, Seen, Settled, Working


class News:
    """The news of one table, as moments to `push`."""

    def __init__(self, game: Game[Any], push: Callable[[Moment], None]) -> None:
        self._game = game
        self._push = push
        self._working = Working()
        self._drawn: View | None = None
        """The last view that was pushed."""
        self._warned: set[str] = set()

    def warn(self, text: str) -> None:
        """Say what is wrong with a part of the game; once is enough."""
        if text not in self._warned:
            self._warned.add(text)
            self._push(Notice(text, "bad"))

    def draw(self, table: Table, seat: Seat) -> View:
        """What a seat sees at this instant; "" is somebody who looks on."""
        try:
            with own_code(self._game.title, "view"):
                viewer = seat or None
                view = self._game.view(table.state, viewer, table.faces(viewer))
                if not isinstance(view, View):
                    raise TypeError(f"{type(view).__name__} is no View")
        except PartBroke as error:
            self.warn(f"{error}; the game goes on, and the log tells it")
            view = self._plain_view(table, seat)
        self._drawn = view
        return view

    def _plain_view(self, table: Table, seat: Seat) -> View:
        """What can be shown without the game's view: what the seat holds."""
        shown: tuple[Block, ...] = (Text("There is no picture of this game: see the log.", "warn"),)
        with suppress(PartBroke), own_code(self._game.title, "pieces"):
            faces = table.faces(seat or None)
            held = self._game.pieces(table.state).get(seat, ())
            known = [faces[piece] for piece in held if piece is not None and piece in faces]
            numbers = tuple(face for face in known if isinstance(face, int))
            names = tuple(face for face in known if isinstance(face, str))
            if numbers:
                shown += (Hand("Your dice", Dice(numbers)),)
            if names:
                shown += (Hand("Your cards", Cards(names)),)
        return View("", shown)

    def describe(self, event: Event, seat: Seat) -> str:
        """The sentence for an event, as said to a seat."""
        try:
            with own_code(self._game.title, "words"):
                return self._game.describe(event, seat or None)
        except PartBroke as error:
            self.warn(f"{error}; what happens is said without them")
            return plain_words(event)

    def brief(self, event: Event, seat: Seat) -> Brief | None:
        """The short form of that sentence, if the game has one."""
        if self._game.brief is None:
            return None
        try:
            with own_code(self._game.title, "words"):
                return self._game.brief(event, seat or None)
        except PartBroke as error:
            self.warn(f"{error}; what happens is said whole")
            return None

    def in_short(self, over: Over, table: Table, seat: Seat) -> Over:
        """The end with the game in short, as said to a seat, if it has words for that."""
        recap = self._game.recap
        if recap is None:
            return over
        try:
            with own_code(self._game.title, "recap"):
                told = recap(table.charter.seat_names, table.events, seat or None)
                return replace(over, recap=told)
        except PartBroke as error:
            self.warn(f"{error}; the result stands")
            return over

    def tell_progress(self, table: Table) -> None:
        """Tell whose turn it is at something long, and when it is over."""
        working = Working(*(table.progress or ()))
        if working != self._working:
            self._working = working
            self._push(working)

    def tell_forced(self, table: Table, person: Seat | None) -> None:
        """Tell the person at a seat, if there is one, what was played for them because nothing else
        was possible."""
        for seat, question, answer in table.forced:
            if seat == person:
                faces = table.faces(seat)
                with table.replica_state.run.game_code():
                    why = _why_only(question, answer, faces)
                self._push(Settled(question.write(answer, faces), "rules", why))
        table.forced.clear()

    def tell_observation(self, table: Table, seat: Seat) -> None:
        """Tell what a seat sees if it changed without an event, such as dice under our cup."""
        if table.state is not None:
            before = self._drawn
            view = self.draw(table, seat)
            if view != before:
                self._push(Seen(view))


def plain_words(event: Event) -> str:
    """An event without the words of its game."""
    said = [f"{key} {value}" for key, value in event.items() if key != "kind"]
    return f"{event['kind']}: {', '.join(said)}" if said else event["kind"]


def _why_only(question: Question, answer: Answer, faces: Faces) -> str:
    """Why another move than this one was out of the question, or nothing if only the game knows."""
    reasons = (m.disabled for m in question.moves(faces) if m.id != answer.move)
    return next(filter(None, reasons), "")
