"""Which characters a reader sees. Apart from `text`, since who only reads lines loads no widths."""

from __future__ import annotations

import unicodedata
from itertools import chain, starmap

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


def is_visible(char: str) -> bool:
    """Whether a reader sees a character, or the blank that it is."""
    hidden = char in IGNORABLE or char in TRAPS or unicodedata.category(char) in HIDDEN
    return char.isspace() or not hidden
