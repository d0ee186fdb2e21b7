"""What a client is told of a table beside the events of its game: what our seat sees now, who is at
something long, and what was played for us because nothing else was possible.

Rule 1: only what changed is told.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sobremesa.core.errors import ScriptError
from sobremesa.core.game import Game
from sobremesa.core.pieces import Faces, Seat
from sobremesa.core.questions import Answer, Question
from sobremesa.core.replica.table import Table
from sobremesa.core.views import View

from .moments import Moment, Seen, Settled, Working


class News:
    """The news of one table, as moments to `push`."""

    def __init__(self, game: Game[Any], push: Callable[[Moment], None]) -> None:
        self._game = game
        self._push = push
        self._working = Working()
        self._drawn: View | None = None
        """The last view that was pushed."""

    def draw(self, table: Table, seat: Seat) -> View:
        """What a seat sees at this instant.

        :raises ScriptError: if the plugin cannot draw it
        """
        try:
            self._drawn = self._game.view(table.state, seat, table.faces(seat))
        except Exception as error:
            raise ScriptError(f"{self._game.title} cannot draw its table: {error}") from error
        return self._drawn

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


def _why_only(question: Question, answer: Answer, faces: Faces) -> str:
    """Why another move than this one was out of the question, or nothing if only the game knows."""
    reasons = (m.disabled for m in question.moves(faces) if m.id != answer.move)
    return next(filter(None, reasons), "")
