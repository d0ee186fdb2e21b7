"""Text that came from other people, made safe to show: names, chat, the labels of tables.

Rule 1: it is cleaned once, where it enters; afterwards it is one line of visible characters whose
width in cells is known, whatever terminal shows it.
Rule 2: what is signed is the text as it came; what is shown is the text as it was cleaned.
"""

from __future__ import annotations

import re
import unicodedata

from wcwidth import wcwidth

from .visible import is_visible

MOST_COMBINING = 2
"""Combining characters on one letter: enough for Vietnamese and Hebrew, too few to climb over
other lines."""

ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # colours and cursor moves
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f]).*?(?:\x07|\x1b\\|\x9c|$)"  # titles and the like
    r"|\x1b[ -/]*[0-~]",
    re.DOTALL,
)


def clean_text(text: str, width: int) -> str:
    """One line of at most `width` cells, cut with an ellipsis; never empty: "?" at least."""
    return clean_line(text, width) or "?"


def clean_line(text: str, width: int) -> str:
    """The same, but "" where nothing can be seen."""
    shown: list[str] = []
    combining = 0
    visible = "".join(filter(is_visible, ESCAPES.sub("", text)))
    # Now, since a hidden character may have stood between a letter and its accent.
    for char in unicodedata.normalize("NFC", visible):
        if char.isspace():
            if shown and shown[-1] != " ":
                shown.append(" ")
            combining = MOST_COMBINING
        elif wcwidth(char) > 0:
            shown.append(char)
            combining = 0
        elif shown and combining < MOST_COMBINING:
            shown.append(char)
            combining += 1
    return _cut("".join(shown).strip(), width)


def text_width(text: str) -> int:
    """Cells that cleaned text takes."""
    return sum(max(0, wcwidth(char)) for char in text)


def _cut(text: str, width: int) -> str:
    if text_width(text) <= width:
        return text
    kept: list[str] = []
    left = width - 1
    for char in text:
        left -= max(0, wcwidth(char))
        if left < 0:
            break
        kept.append(char)
    return "".join(kept).rstrip() + "…"
