"""Dice and cups.

Rule 1: what counts is painted, and the word or number under it says so as well.
Rule 2: a covered die is never drawn as a face; a cup tells how many are under it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from sobremesa.core.views import Dice

from .canvas import Canvas, beside
from .cells import Line, Span, fit, line_width, text_width
from .theme import Theme

DieSize = Literal["small", "S", "M"]
_PIPS = {
    1: ("     ", "  o  ", "     "),
    2: ("o    ", "     ", "    o"),
    3: ("o    ", "  o  ", "    o"),
    4: ("o   o", "     ", "o   o"),
    5: ("o   o", "  o  ", "o   o"),
    6: ("o   o", "o   o", "o   o"),
}


def die(value: int | None, size: DieSize, theme: Theme, role: str = "die") -> list[Line]:
    """One die. As pips where there is room and it has one to six, else as a number."""
    if size == "small":
        text = "?" if value is None else str(value)
        if theme.pips and not theme.ascii and value is not None and 1 <= value <= 6:
            text = chr(0x267F + value)
        return [((role, f" {text} " if text_width(text) < 3 else text),)]
    rows: Sequence[str] = _PIPS.get(value or 0) or ("", "?" if value is None else str(value), "")
    sign = theme.text("●")
    faces = [row.center(5).replace("o", sign) for row in rows]
    if size == "S":
        return [((role, row),) for row in faces]
    left, right = theme.text("▐"), theme.text("▌")
    return [((f"{role}.edge", left), (role, row), (f"{role}.edge", right)) for row in faces]


def role_of(dice: Dice, place: int, *, counted: bool) -> str:
    """How a die is painted: one that counts, one that does not where that is the question."""
    if place in dice.hits:
        return "die.hit"
    return "die.off" if counted else "die"


def row_of_dice(
    dice: Dice, size: DieSize, theme: Theme, *, counted: bool = False, labels: bool = True
) -> list[Line]:
    """Dice side by side, with their notes below them."""
    pictures = [
        die(value, size, theme, role_of(dice, place, counted=counted))
        for place, value in enumerate(dice.values)
    ]
    gap = 0 if size == "M" else 1
    lines = beside(pictures, gap)
    if not (labels and dice.notes) or size == "small":
        return lines
    wide = line_width(pictures[0][0])
    canvas = Canvas((wide + gap) * len(pictures), len(lines) + 1)
    canvas.paste(0, 0, lines)
    for place, note in enumerate(dice.notes):
        text = fit(theme.text(note), wide, theme.cut)
        canvas.write(place * (wide + gap) + (wide - len(text)) // 2, len(lines), "dim", text)
    return canvas.lines()


def is_covered(dice: Dice) -> bool:
    """Whether there are dice, and none of them can be seen."""
    return bool(dice.values) and all(value is None for value in dice.values)


def covered(dice: Dice, theme: Theme) -> Span:
    """Covered dice among words: one sign for each."""
    return "die.covered", theme.text("■") * len(dice.values)


def cup(dice: Dice, theme: Theme) -> list[Line]:
    """A cup with the number of dice under it."""
    number = f"{len(dice.values):^3}"
    if theme.ascii:
        return [(), (("cup.number", f" [{number.strip()}] "),), (("cup.lip", " ------- "[:9]),)]
    return [
        (("", " "), ("cup.edge", "▐"), ("cup", "     "), ("cup.edge", "▌"), ("", " ")),
        (("", " "), ("cup", "  "), ("cup.number", number), ("cup", "  "), ("", " ")),
        (("cup.lip", "▀" * 9),),
    ]
