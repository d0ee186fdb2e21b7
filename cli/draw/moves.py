"""The moves that are possible now, as chips: a key, a label, an example; and completions.

Rule 1: what is not possible now is there as well, with its reason where there is room.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sobremesa.cli.words import grammar
from sobremesa.core.pieces import Faces
from sobremesa.core.questions import NO_FACES, Move, Question

from .cells import Line, fit_line, line_width, text_width
from .theme import Theme

MOST_ROWS = 2


class ChipSpot(NamedTuple):
    """Where the chip of a move is drawn, for whoever points at it."""

    move: str
    x: int
    y: int
    wide: int


def render_moves(
    question: Question,
    width: int,
    theme: Theme,
    faces: Faces = NO_FACES,
    react_in: int | None = None,
    at: str = "",
    way: str = "",
) -> list[Line]:
    """The moves in at most two rows: key, label, an example, and what is not possible now. In a
    window, with the keys that answer at one press and the seconds that are left. `at` is the id of
    the move that is pointed at, and `way` how it would be typed."""
    return [line for line, _ in _render(question, width, theme, faces, react_in, at, way)]


def chip_spots(
    question: Question,
    width: int,
    theme: Theme,
    faces: Faces,
    react_in: int | None,
    at: str,
    way: str,
) -> list[ChipSpot]:
    """Where the chips are in these rows."""
    rows = _render(question, width, theme, faces, react_in, at, way)
    return [
        ChipSpot(move, x, y, wide)
        for y, (_, row) in enumerate(rows)
        for move, x, wide in row
        if move
    ]


_Row = tuple[Line, list[tuple[str, int, int]]]
"""A row, and of each of its items the id of its move, its first column and its width."""


def _render(
    question: Question,
    width: int,
    theme: Theme,
    faces: Faces,
    react_in: int | None,
    at: str,
    way: str,
) -> list[_Row]:
    quick = react_in is not None
    moves = [move for move in question.moves(faces) if not move.automatic]
    time: Line = (("clock", f" {react_in} s left "),) if quick else ()
    rows: list[_Row] = []
    for why, example in ((True, True), (False, True), (False, False)):
        items = [
            (
                move.id if move.disabled is None else "",
                _chip(move, theme, faces, quick, why, example, way if move.id == at else None),
            )
            for move in moves
        ]
        rows = _rows([*items, ("", time)] if time else items, width)
        if all(line_width(row) <= width for row, _ in rows):
            return rows
    return [(fit_line(row, width, theme.more), places) for row, places in rows]


def _chip(
    move: Move,
    theme: Theme,
    faces: Faces,
    quick: bool,
    why: bool,
    example: bool,
    way: str | None,
) -> Line:
    """One move; what is not possible now has no chip, and its reason if `why`. One that is pointed
    at has the `way` in which it would be played."""
    key = move.quick if quick and move.quick else move.hotkey
    key = "Space" if key == " " else key
    if move.disabled is not None:
        reason = f" ({move.disabled})" if why else ""
        return (("dim", theme.text(f"-{key}- {move.label}{reason}")),)
    shown = grammar.example(move, faces) if example else ""
    shown = way if way and move.fields else shown
    text = theme.text(f" {move.label}" + (f": {shown}" if shown else "") + " ")
    if way is not None:
        return (("selected", f" {key}{text}"),)
    return (("chip.key", f" {key}"), ("chip", text))


def _rows(items: Sequence[tuple[str, Line]], width: int) -> list[_Row]:
    """Items in one row or, where that is too narrow, two."""
    rows: list[_Row] = [((), [])]
    for move, item in items:
        row, places = rows[-1]
        gap: Line = (("", " "),) if row else ()
        if line_width((*row, *gap, *item)) > width and row and len(rows) < MOST_ROWS:
            rows.append((item, [(move, 0, line_width(item))]))
        else:
            places.append((move, line_width((*row, *gap)), line_width(item)))
            rows[-1] = ((*row, *gap, *item), places)
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
