"""Names: of players and of tables, how they are cleaned, and when two of them are the same.

Rule 1: a name is the same as what it was cleaned to; a charter holds no other.
Rule 2: two names are the same if they look the same. That is seen in both ways in which people
read: as written, where "AIice" with a capital i is Alice, and without minding capitals.
Rule 3: no player is called what screens call somebody by themselves.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache

from .lookalikes import LOOKALIKES
from .text import clean_line, clean_text
from .visible import IGNORABLE

NAME_WIDTH = 20
TABLE_WIDTH = 40

BOT_NAMES = ("Bento", "Dora", "Edu", "Fina", "Gil", "Iria", "Nuno", "Olga")
"""Names of people who are no people; every screen adds that it is a bot."""

NAMELESS = "Player"
"""Who has given no name that can be shown."""

RESERVED = ("you", "your", "bot", "everybody", "nobody")
"""What screens call somebody by themselves."""

BADGES = frozenset("[]()<>{}|►✓×●○★")
"""What the screens put beside a name: badges, signs, separators."""


def clean_name(text: str) -> str:
    """A player's name: at most 20 cells, and nothing that reads like a command, a speaker or a
    badge."""
    bare = "".join(map(_without_badge, clean_line(text, 2 * len(text) + 1)))
    name = ""
    # What stood behind a sign at the beginning may be another one, or an accent without its letter.
    while (rest := clean_line(bare.lstrip(" /'?-"), NAME_WIDTH)) != name:
        bare = name = rest
    return name or NAMELESS


def _without_badge(char: str) -> str:
    # Letters are left alone: the visarga of a Sanskrit name looks like a colon.
    sign = char if unicodedata.category(char)[0] in "LMN" else _skeleton(char) or char
    return " " if sign == ":" else "" if sign in BADGES or char in BADGES else char


def clean_table_name(text: str) -> str:
    """What a table is called: at most 40 cells."""
    return clean_text(text, TABLE_WIDTH)


def are_alike(one: str, other: str) -> bool:
    """Whether two names are the same to a reader."""
    return not _looks(one).isdisjoint(_looks(other))


def are_apart(names: Iterable[str]) -> bool:
    """Whether no two of these players' names are the same to a reader, and none is reserved."""
    seen = set(_reserved())
    for name in names:
        looks = _looks(name)
        if not seen.isdisjoint(looks):
            return False
        seen |= looks
    return True


def free_name(wanted: str, taken: Iterable[str] = ()) -> str:
    """A cleaned name, with a number if it is that of somebody else, or reserved."""
    taken = list(taken)
    name, number = wanted, 2
    while not are_apart([*taken, name]):
        name = f"{clean_text(wanted, NAME_WIDTH - 2)} {number}"
        number += 1
    return name


def _looks(name: str) -> frozenset[str]:
    """How a name looks as written and in small letters. Small letters alone would not do, since
    they may look different: Ν is an N, ν a v."""
    small = unicodedata.normalize("NFKC", name).casefold()
    return frozenset({_skeleton(name).casefold(), _skeleton(small)})


def _skeleton(text: str) -> str:
    """A text in one character for all that look the same (UTS #39, on NFKD)."""
    text = unicodedata.normalize("NFKD", "".join(char for char in text if char not in IGNORABLE))
    return unicodedata.normalize("NFKD", text.translate(_prototypes()))


@cache
def _reserved() -> frozenset[str]:
    return frozenset().union(*map(_looks, RESERVED))


@cache
def _prototypes() -> dict[int, str]:
    found: dict[int, str] = {}
    for entry in LOOKALIKES.split():
        prototype, sources = entry.split(":")
        shown = "".join(chr(int(point, 16)) for point in prototype.split("."))
        found.update((int(source, 16), shown) for source in sources.split(","))
    return found
