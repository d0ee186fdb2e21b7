"""What somebody typed, or gave as an argument, read as it was meant.

Rule 1: a line is folded once, where it comes in; what it is compared with is folded alike.
Rule 2: of names the very one comes first, then those that begin so; of several nobody guesses one.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from .visible import is_visible

T = TypeVar("T")

SAME = str.maketrans(
    {
        **dict.fromkeys("×✕✖⨯", "x"),
        **dict.fromkeys("‘’‚‛′´`", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
    }
)
"""Signs that keyboards and word processors put for others."""


def fold(text: str) -> str:
    """A line in its plainest form: no blanks around it and one between words, nothing that cannot
    be seen, full-width letters and composed accents as everybody has them, quotes, hyphens and
    multiplication signs as on any keyboard (Unicode's NFKC)."""
    seen = "".join(filter(is_visible, text))
    plain = unicodedata.normalize("NFKC", seen.translate(SAME)).translate(SAME)
    return " ".join(plain.split())


def key(text: str) -> str:
    """By what two names are compared: folded, in small letters."""
    return fold(text).casefold()


def meant(typed: str, choices: Sequence[T], names: Callable[[T], Iterable[str]]) -> list[T]:
    """The choices that are called so, or else those of which a name begins so."""
    wanted = key(typed)
    if not wanted:
        return []
    called = [(choice, [key(name) for name in names(choice)]) for choice in choices]
    exact = [choice for choice, keys in called if wanted in keys]
    return exact or [c for c, keys in called if any(name.startswith(wanted) for name in keys)]
