"""A sheet of terminal cells on which pictures are put side by side and over each other.

Rule 1: what would fall off the sheet is cut, so that nothing here can make a line too wide.
Rule 2: a wide character takes two cells; whatever is put over half of it replaces all of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .cells import Line, Span, line_width, text_width

_BLANK: Span = ("", " ")
_HELD: Span = ("", "")
"""The second cell of a wide character."""


class Canvas:
    """So many cells wide and high, blank at first."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = max(0, width), max(0, height)
        self._rows = [[_BLANK] * self.width for _ in range(self.height)]

    def put(self, x: int, y: int, line: Iterable[Span]) -> int:
        """Put a line with its left end at a cell; returns the column behind its right end."""
        for role, text in line:
            for char in text:
                x = self._put(x, y, role, char)
        return x

    def write(self, x: int, y: int, role: str, text: str) -> int:
        """The same for one text."""
        return self.put(x, y, ((role, text),))

    def paste(self, x: int, y: int, lines: Iterable[Line]) -> None:
        """Put a picture with its top left corner at a cell."""
        for down, line in enumerate(lines):
            self.put(x, y + down, line)

    def centre(self, x: int, y: int, lines: Sequence[Line]) -> None:
        """Put a picture with its top at a row, around a column; each line by itself."""
        for down, line in enumerate(lines):
            self.put(x - line_width(line) // 2, y + down, line)

    def lines(self) -> list[Line]:
        """The rows, without blanks at their ends."""
        return [_joined(row) for row in self._rows]

    def _put(self, x: int, y: int, role: str, char: str) -> int:
        wide = text_width(char)
        if not 0 <= y < self.height:
            return x + wide
        row = self._rows[y]
        if wide == 0:
            if 0 < x <= self.width and row[x - 1] is not _HELD:
                row[x - 1] = (row[x - 1][0], row[x - 1][1] + char)
            return x
        if x >= 0 and x + wide <= self.width:
            self._clear(row, x, wide)
            row[x] = (role, char)
            if wide == 2:
                row[x + 1] = _HELD
        return x + wide

    def _clear(self, row: list[Span], x: int, wide: int) -> None:
        if row[x] is _HELD:
            row[x - 1] = _BLANK
        after = x + wide
        if after < self.width and row[after] is _HELD:
            row[after] = _BLANK


def _joined(row: Sequence[Span]) -> Line:
    end = len(row)
    while end and row[end - 1] == _BLANK:
        end -= 1
    spans: list[Span] = []
    for role, text in row[:end]:
        if spans and (spans[-1][0] == role or not text):
            spans[-1] = (spans[-1][0], spans[-1][1] + text)
        else:
            spans.append((role, text))
    return tuple(spans)


def beside(pictures: Sequence[Sequence[Line]], gap: int) -> list[Line]:
    """Pictures in a row with so many blanks between them, aligned at their tops."""
    height = max(map(len, pictures), default=0)
    widths = [max(map(line_width, picture), default=0) for picture in pictures]
    canvas = Canvas(sum(widths) + gap * (len(widths) - 1), height)
    x = 0
    for picture, width in zip(pictures, widths, strict=True):
        canvas.paste(x, 0, picture)
        x += width + gap
    return canvas.lines()


def width_of(picture: Iterable[Line]) -> int:
    """How many cells a picture takes side by side."""
    return max(map(line_width, picture), default=0)
