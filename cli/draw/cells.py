"""Lines of styled text and how wide they are, in terminal cells.

Rule 1: a width is what prompt_toolkit takes it for (wcwidth, code point by code point), so that
a line which fits here fits on the screen.
Rule 2: nothing here knows games, moves or screens.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from wcwidth import wcwidth

Span = tuple[str, str]
"""A role of `theme.STYLE`, or nothing, and a text."""

Line = tuple[Span, ...]


@lru_cache(maxsize=4096)
def _char_width(char: str) -> int:
    return max(0, wcwidth(char))


def text_width(text: str) -> int:
    """How many cells a text takes."""
    return len(text) if text.isascii() else sum(map(_char_width, text))


def line_width(line: Iterable[Span]) -> int:
    """How many cells a line takes."""
    return sum(text_width(text) for _, text in line)


def line_text(line: Iterable[Span]) -> str:
    """A line without its styles."""
    return "".join(text for _, text in line)


def cut(text: str, width: int) -> str:
    """The beginning of a text that fits in `width` cells."""
    used = 0
    for place, char in enumerate(text):
        used += _char_width(char)
        if used > width:
            return text[:place]
    return text


def fit(text: str, width: int, more: str = "") -> str:
    """The text, or as much of it as fits, with `more` as a sign that something is missing."""
    if text_width(text) <= width:
        return text
    return cut(text, width - text_width(more)) + cut(more, width) if width > 0 else ""


def clauses(text: str, width: int) -> str:
    """As many clauses of a text, from the first on, as fit whole: nothing is cut within one."""
    kept = ""
    for clause in text.split(", "):
        longer = f"{kept}, {clause}" if kept else clause
        if text_width(longer) > width:
            break
        kept = longer
    return kept


def fit_line(line: Sequence[Span], width: int, more: str = "") -> Line:
    """The line, or as much of it as fits, with `more` as a sign that something is missing."""
    if line_width(line) <= width:
        return tuple(line)
    kept: list[Span] = []
    for role, text in line:
        room = width - line_width(kept)
        if text_width(text) > room - text_width(more):
            kept.append((role, fit(text + more, room, more)))
            break
        kept.append((role, text))
    return tuple(kept)


def pad_line(line: Sequence[Span], width: int, role: str = "", more: str = "") -> Line:
    """The line in exactly `width` cells."""
    fitted = fit_line(line, width, more)
    rest = width - line_width(fitted)
    return (*fitted, (role, " " * rest)) if rest else fitted


def wrap(text: str, width: int, indent: int = 0) -> list[str]:
    """The text in lines of at most `width` cells, those after the first indented.

    Breaks at spaces, and within a word only where it is wider than a line.
    """
    if width <= 0:
        return []
    indent = max(0, min(indent, width - 2))  # a wide character must fit beside it
    lines: list[str] = []
    line = ""
    for word in text.split():
        while True:
            joined = f"{line} {word}" if line.strip() else line + word
            if text_width(joined) <= width:
                line = joined
                break
            if line.strip():
                lines.append(line)
                line = " " * indent
                continue
            piece = cut(word, width - text_width(line)) or word[0]
            lines.append(line + piece if text_width(piece) <= width else "")
            line, word = " " * indent, word[len(piece) :]
            if not word:
                break
    if line.strip() or not lines:
        lines.append(line)
    return lines
