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
        **dict.fromkeys("♠♤", "S"),
        **dict.fromkeys("♥♡", "H"),
        **dict.fromkeys("♦♢", "D"),
        **dict.fromkeys("♣♧", "C"),
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


def loosely(text: str) -> str:
    """A name as it may be typed in haste: without accents, dashes, underscores and quotes."""
    apart = unicodedata.normalize("NFKD", key(text))
    bare = "".join(char for char in apart if unicodedata.category(char) != "Mn").strip('"')
    return " ".join(bare.replace("_", " ").replace("-", " ").split())


def meant(typed: str, choices: Sequence[T], names: Callable[[T], Iterable[str]]) -> list[T]:
    """The choices that are called so, or else those that are loosely called so (a name that was cut
    to fit is called so as far as it goes), or else those of which a name begins so."""
    wanted, loose = key(typed), loosely(typed)
    if not loose:
        return []
    ways: tuple[Callable[[str], bool], ...] = (
        lambda name: key(name) == wanted,
        lambda name: loosely(name) == loose,
        lambda name: name.endswith("…") and loose.startswith(loosely(name[:-1])),
        lambda name: loosely(name).startswith(loose),
    )
    for is_so in ways:
        found = [choice for choice in choices if any(map(is_so, names(choice)))]
        if found:
            return found
    return []
