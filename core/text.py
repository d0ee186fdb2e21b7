"""Text that came from other people, made safe to show: names, chat, the labels of tables.

Rule 1: it is cleaned once, where it enters; afterwards it is one line of visible characters whose
width in cells is known, whatever terminal shows it.
Rule 2: what is signed is the text as it came; what is shown is the text as it was cleaned.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import chain, starmap

from wcwidth import wcwidth

MOST_COMBINING = 2
"""Combining characters on one letter: enough for Vietnamese and Hebrew, too few to climb over
other lines."""

ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # colours and cursor moves
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f]).*?(?:\x07|\x1b\\|\x9c|$)"  # titles and the like
    r"|\x1b[ -/]*[0-~]",
    re.DOTALL,
)

HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Me"})
"""Controls, bidi and joiners, surrogates, private and unknown characters, enclosing ones."""


def _characters(*ranges: tuple[int, int]) -> frozenset[str]:
    return frozenset(map(chr, chain.from_iterable(starmap(range, ranges))))


# Joiners are among them: what they join is drawn apart, but as wide as it is counted.
IGNORABLE = _characters(
    (0x00AD, 0x00AE), (0x034F, 0x0350), (0x061C, 0x061D), (0x115F, 0x1161), (0x17B4, 0x17B6),
    (0x180B, 0x1810), (0x200B, 0x2010), (0x202A, 0x202F), (0x2060, 0x2070), (0x3164, 0x3165),
    (0xFE00, 0xFE10), (0xFEFF, 0xFF00), (0xFFA0, 0xFFA1), (0xFFF0, 0xFFF9), (0x1BCA0, 0x1BCA4),
    (0x1D173, 0x1D17B), (0xE0000, 0xE1000),
)  # fmt: skip
"""What a reader is not to see, by Unicode's property Default_Ignorable_Code_Point."""

TRAPS = _characters(
    (0x2800, 0x2801),  # looks like nothing
    (0xFDFD, 0xFDFE), (0x2E3A, 0x2E3C),  # drawn wider than they are counted
    (0x1F1E6, 0x1F200),  # one or two of them make a flag of the same width
    (0x1F3FB, 0x1F400),  # skin tones: melt into the sign before them, or do not
)  # fmt: skip


def clean_text(text: str, width: int) -> str:
    """One line of at most `width` cells, cut with an ellipsis; never empty: "?" at least."""
    return clean_line(text, width) or "?"


def clean_line(text: str, width: int) -> str:
    """The same, but "" where nothing can be seen."""
    shown: list[str] = []
    combining = 0
    visible = "".join(filter(_is_visible, ESCAPES.sub("", text)))
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


def _is_visible(char: str) -> bool:
    hidden = char in IGNORABLE or char in TRAPS or unicodedata.category(char) in HIDDEN
    return char.isspace() or not hidden


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
