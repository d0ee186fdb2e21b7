"""Help pages: the small Markdown that games write, as lines for a screen or as plain text.

Rule 1: it reads `#` titles, paragraphs and `-` lists (also nested by two blanks); marks of
emphasis and code are taken off, and anything else stays as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Part:
    """A title, a paragraph or a list item; `level` counts `#` signs or nesting from 1."""

    kind: Literal["title", "text", "item"]
    text: str
    level: int = 1


def parts(markdown: str) -> Iterator[Part]:
    """The parts of a page, in order."""
    kind: Literal["title", "text", "item"] = "text"
    level, words = 1, ""
    for line in [*markdown.splitlines(), ""]:
        title = re.match(r"(#+)\s+(.*)", line)
        item = re.match(r"(\s*)[-*]\s+(.*)", line)
        if title or item or not line.strip():
            if words:
                yield Part(kind, _bare(words), level)
            kind, level, words = "text", 1, ""
        if title:
            yield Part("title", _bare(title[2]), len(title[1]))
        elif item:
            kind, level, words = "item", 1 + len(item[1]) // 2, item[2]
        elif line.strip():
            words = f"{words} {line.strip()}".strip()


def _bare(text: str) -> str:
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"(\*\*|__)(\S.*?)\1", r"\2", text)
    text = re.sub(r"(?<![\w*])\*(\S[^*]*?)\*(?![\w*])", r"\1", text)
    return text.replace("`", "").strip()


def spoken_page(markdown: str) -> list[str]:
    """A help page as lines to be spoken."""
    return spoken_parts(parts(markdown))


def spoken_parts(page: Iterable[Part]) -> list[str]:
    """A page as one line for each title, paragraph and item, an empty one before each title."""
    lines: list[str] = []
    for part in page:
        if part.kind == "title" and lines:
            lines.append("")
        lines.append("- " + part.text if part.kind == "item" else part.text)
    return lines
