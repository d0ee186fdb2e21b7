"""Large numbers and words, bars, meters and chances.

Rule 1: the large letters are pixels of half a row; what has none of them is written in bold.
"""

from __future__ import annotations

from sobremesa.core.views import Chances, Counter, Meter

from .canvas import Canvas
from .cells import Line, Span, fit
from .theme import Theme

_ROWS = {
    "0": ("#####", "#   #", "#   #", "#   #", "#   #", "#####"),
    "1": (" ##", "  #", "  #", "  #", "  #", "  #"),
    "2": ("#####", "    #", "#####", "#    ", "#    ", "#####"),
    "3": ("#####", "    #", " ####", "    #", "    #", "#####"),
    "4": ("#   #", "#   #", "#####", "    #", "    #", "    #"),
    "5": ("#####", "#    ", "#####", "    #", "    #", "#####"),
    "6": ("#####", "#    ", "#####", "#   #", "#   #", "#####"),
    "7": ("#####", "    #", "    #", "   # ", "  #  ", "  #  "),
    "8": ("#####", "#   #", "#####", "#   #", "#   #", "#####"),
    "9": ("#####", "#   #", "#####", "    #", "    #", "#####"),
    "x": ("   ", "   ", "# #", " # ", "# #", "   "),
    "!": ("#", "#", "#", "#", " ", "#"),
    " ": ("  ", "  ", "  ", "  ", "  ", "  "),
    "-": ("   ", "   ", "###", "   ", "   ", "   "),
    "A": (" ### ", "#   #", "#   #", "#####", "#   #", "#   #"),
    "B": ("#### ", "#   #", "#### ", "#   #", "#   #", "#### "),
    "D": ("#### ", "#   #", "#   #", "#   #", "#   #", "#### "),
    "E": ("#####", "#    ", "#### ", "#    ", "#    ", "#####"),
    "I": ("#", "#", "#", "#", "#", "#"),
    "L": ("#    ", "#    ", "#    ", "#    ", "#    ", "#####"),
    "M": ("#   #", "## ##", "# # #", "#   #", "#   #", "#   #"),
    "N": ("#   #", "##  #", "# # #", "#  ##", "#   #", "#   #"),
    "O": (" ### ", "#   #", "#   #", "#   #", "#   #", " ### "),
    "R": ("#### ", "#   #", "#### ", "# #  ", "#  # ", "#   #"),
    "S": ("#####", "#    ", "#####", "    #", "    #", "#####"),
    "T": ("#####", "  #  ", "  #  ", "  #  ", "  #  ", "  #  "),
    "U": ("#   #", "#   #", "#   #", "#   #", "#   #", "#####"),
}  # fmt: skip
HIGH = 3
"""Rows of a large letter."""


def big(text: str, theme: Theme, role: str = "headline", most: int = 1 << 16) -> list[Line]:
    """A text in large letters, three rows high; in bold where a letter is missing, or there are
    more than `most` columns of them, or in ASCII."""
    glyphs = [_ROWS.get(char) for char in text]
    known = [glyph for glyph in glyphs if glyph is not None]
    wide = sum(len(glyph[0]) + 1 for glyph in known) - 1
    if theme.ascii or len(known) < len(glyphs) or wide > most or not known:
        return [(), ((role, theme.text(text)),), ()]
    rows = [" ".join(glyph[row] for glyph in known) for row in range(6)]
    signs = {("#", "#"): "█", ("#", " "): "▀", (" ", "#"): "▄", (" ", " "): " "}
    halves = [
        "".join(signs[pair] for pair in zip(rows[row], rows[row + 1], strict=True))
        for row in (0, 2, 4)
    ]
    return [((role, row),) for row in halves]


BAR = 20


def bar(counter: Counter, theme: Theme, wide: int = BAR, role: str = "good") -> Line:
    """How much of something there is, and the numbers."""
    full = wide * max(0, min(counter.value, counter.max)) // max(1, counter.max)
    number = f" {counter.value}/{counter.max}"
    return (
        (role, theme.text("█") * full),
        ("faint", theme.text("░") * (wide - full)),
        ("bold", number),
    )


def meter(block: Meter, width: int, theme: Theme, to: int | None = None) -> list[Line]:
    """Two cells for each step where there is room, its scale below it. Beyond half it warns; `to`
    is where it would be."""
    step = 2 if 2 * block.max + 3 <= width else 1
    full = max(0, min(block.value, block.max))
    safe = min(full, block.max // 2)
    ahead = max(0, min(to, block.max) - full) if to is not None else 0
    rest = block.max - full - ahead
    spans: list[Span] = [
        ("good", theme.text("█") * (step * safe)),
        ("warn", theme.text("█") * (step * (full - safe))),
        ("turn", theme.text("▒") * (step * ahead)),
        ("faint", theme.text("░") * (step * rest)),
        ("bad", theme.text("▐")),
    ]
    canvas = Canvas(step * block.max + 3, 2)
    canvas.put(0, 0, spans)
    for mark in (*range(5, block.max - 2, 5), block.max):
        canvas.write(step * mark - len(str(mark)), 1, "dim", str(mark))
    if to is not None and full < to <= block.max:
        canvas.write(step * to - len(str(to)), 1, "turn", str(to))
    return canvas.lines()


CHANCE = 6
"""Columns from one chance to the next."""
_EIGHTHS = " ▁▂▃▄▅▆▇█"


def chances(block: Chances, high: int, width: int, theme: Theme) -> list[Line]:
    """Bars of so many rows with their words and percentages below them, as many as fit."""
    bars = block.bars[: max(1, width // CHANCE)]
    canvas = Canvas(width, high + 3)
    canvas.write(0, 0, "bold", fit(theme.text(block.label), width, theme.cut))
    for place, (name, percent) in enumerate(bars):
        x = place * CHANCE
        role = "good" if percent >= 60 else "warn" if percent >= 40 else "bad"
        eighths = round(percent * high * 8 / 100)
        for row in range(high):
            level = max(0, min(8, eighths - 8 * (high - 1 - row)))
            sign = ("#" if level > 3 else " ") if theme.ascii else _EIGHTHS[level]
            canvas.write(x, 1 + row, role, sign * 5)
        here = place == block.at
        canvas.write(x, 1 + high, "selected" if here else "dim", f"{theme.text(name):^5}"[:5])
        canvas.write(x, 2 + high, "bold" if here else "", f"{percent}%".center(5))
    return canvas.lines()
