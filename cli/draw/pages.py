"""Pages of help as lines.

Rule 1: pure, and never wider than what it is for.
"""

from __future__ import annotations

from collections.abc import Iterable

from sobremesa.cli.words.pages import Part, parts

from .cells import Line, fit_line, wrap
from .theme import Theme


def render_page(markdown: str, width: int, theme: Theme) -> list[Line]:
    """A help page, wrapped."""
    return render_parts(parts(markdown), width, theme)


def render_parts(page: Iterable[Part], width: int, theme: Theme) -> list[Line]:
    """A page of titles, paragraphs and items, wrapped."""
    lines: list[Line] = []
    was = ""
    for part in page:
        if lines and not (part.kind == was == "item"):
            lines.append(())
        was = part.kind
        text = theme.text(part.text)
        if part.kind == "title":
            lines.extend((("bold", line),) for line in wrap(text, width))
        elif part.kind == "item":
            indent = 2 * part.level
            wrapped = wrap("- " + text, max(1, width - indent + 2), 2)
            lines.extend((("", " " * (indent - 2) + line),) for line in wrapped)
        else:
            lines.extend((("", line),) for line in wrap(text, width))
    return [fit_line(line, width, theme.more) for line in lines]
