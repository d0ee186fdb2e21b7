"""The moves that are possible now, as chips: a key, a label, an example; and completions.

Rule 1: what is not possible now is there as well, with its reason where there is room.
"""

from __future__ import annotations

from collections.abc import Sequence

from sobremesa.cli.words import grammar
from sobremesa.core.pieces import Faces
from sobremesa.core.questions import NO_FACES, Move, Question

from .cells import Line, fit_line, line_width, text_width
from .theme import Theme

MOST_ROWS = 2


def render_moves(
    question: Question,
    width: int,
    theme: Theme,
    faces: Faces = NO_FACES,
    react_in: int | None = None,
    at: str = "",
) -> list[Line]:
    """The moves in at most two rows: key, label, an example, and what is not possible now. In a
    window, with the keys that answer at one press and the seconds that are left. `at` is the id of
    the move that is pointed at."""
    quick = react_in is not None
    moves = question.moves(faces)
    time: Line = (("clock", f" {react_in} s left "),) if quick else ()
    rows: list[Line] = []
    for why, example in ((True, True), (False, True), (False, False)):
        items = [
            _chip(move, theme, faces, quick=quick, why=why, example=example, here=move.id == at)
            for move in moves
        ]
        rows = _rows([*items, time] if time else items, width)
        if all(line_width(row) <= width for row in rows):
            return rows
    return [fit_line(row, width, theme.more) for row in rows]


def _chip(
    move: Move, theme: Theme, faces: Faces, *, quick: bool, why: bool, example: bool, here: bool
) -> Line:
    """One move; what is not possible now has no chip, and its reason if `why`."""
    key = move.quick if quick and move.quick else move.hotkey
    key = "Space" if key == " " else key
    if move.disabled is not None:
        reason = f" ({move.disabled})" if why else ""
        return (("dim", theme.text(f"-{key}- {move.label}{reason}")),)
    shown = grammar.example(move, faces) if example else ""
    text = theme.text(f" {move.label}" + (f": {shown}" if shown else "") + " ")
    if here:
        return (("selected", f" {key}{text}"),)
    return (("chip.key", f" {key}"), ("chip", text))


def _rows(items: Sequence[Line], width: int) -> list[Line]:
    """Items in one row or, where that is too narrow, two."""
    rows: list[Line] = [()]
    for item in items:
        gap: Line = (("", " "),) if rows[-1] else ()
        if line_width((*rows[-1], *gap, *item)) > width and rows[-1] and len(rows) < MOST_ROWS:
            rows.append(item)
        else:
            rows[-1] = (*rows[-1], *gap, *item)
    return rows


def render_strip(candidates: Sequence[str], chosen: int, width: int, theme: Theme) -> Line:
    """Completions in one line, the chosen one marked and always in sight."""
    texts = [theme.text(candidate) for candidate in candidates]
    first = 0
    while first < chosen and sum(text_width(t) + 2 for t in texts[first : chosen + 1]) > width - 2:
        first += 1
    spans: list[tuple[str, str]] = [("dim", theme.cut if first else " ")]
    for place, text in enumerate(texts[first:], first):
        spans.append(("selected", f">{text}<") if place == chosen else ("", f" {text} "))
    return fit_line(spans, width, theme.more)
