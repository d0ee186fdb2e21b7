"""The deck as a table, and what a card makes of the running total.

Rule 1: a card is its code: a number `0` to `7`, or a wild card. Nothing tells two of a kind apart.
Rule 2: how many there are of each is said here and nowhere else.
"""

from __future__ import annotations

import re

from sobremesa import Face

MOST = 21
"""What the total may not go over."""

DRAW_1, DRAW_2, PASS, REVERSE, SKIP = "draw1", "draw2", "pass", "reverse", "skip"
TO_21, TO_10, TO_0, REDEAL, BOMB = "=21", "=10", "=0", "redeal", "bomb"
ZERO = "0"

COPIES = {
    ZERO: 8, "1": 8, "2": 8, "3": 8, "4": 8, "5": 4, "6": 2, "7": 1,
    DRAW_1: 2, DRAW_2: 2, PASS: 4, REVERSE: 6, SKIP: 4,
    TO_21: 5, TO_10: 2, TO_0: 3, REDEAL: 1, BOMB: 1,
}  # fmt: skip
"""How many there are of each card, 77 in all."""

DECK = tuple(face for face, copies in COPIES.items() for _ in range(copies))

NAMES = {
    DRAW_1: "DRAW 1", DRAW_2: "DRAW 2", PASS: "PASS ME BY", REVERSE: "REVERSE", SKIP: "SKIP",
    REDEAL: "RE-DEAL", BOMB: "BOMB",
}  # fmt: skip
"""What is printed on a card, where it is not the code."""

MARKS = {
    DRAW_1: "DRAW 1", DRAW_2: "DRAW 2", PASS: "PASS", REVERSE: "REV", SKIP: "SKIP",
    TO_21: "=21", TO_10: "=10", TO_0: "=0", REDEAL: "DEAL", BOMB: "BOMB",
}  # fmt: skip
"""The same for a card that is drawn small."""

EFFECTS = {
    DRAW_1: "others draw 1",
    DRAW_2: "others draw 2",
    PASS: "no change",
    REVERSE: "turns play round",
    SKIP: "skips the next",
    TO_21: "total is 21",
    TO_10: "total is 10",
    TO_0: "total is 0",
    REDEAL: "deals hands anew",
    BOMB: "others: 0 or flip",
}
"""The wild cards with what each does, in a few words."""

DRAWS = {DRAW_1: 1, DRAW_2: 2}
"""How many cards all others draw."""

DEEDS = (*DRAWS, REVERSE, SKIP, REDEAL, BOMB)
"""The wild cards that do more than set the total; what they do is told after they are played."""

_SETS = {TO_21: MOST, TO_10: 10, TO_0: 0, REDEAL: 0, BOMB: 0}
_ORDER = {face: place for place, face in enumerate(COPIES)}
_HIGHEST = max(int(face) for face in COPIES if face.isdigit())


def is_number(face: Face) -> bool:
    return face not in EFFECTS


def value(face: Face) -> int:
    """What a card counts when hands are compared (FA-R14): wild cards nothing."""
    return int(face) if is_number(face) else 0


def total_after(face: Face, total: int) -> int:
    """The running total once the card lies on the pile; more than `MOST` if it may not."""
    return total + int(face) if is_number(face) else _SETS.get(face, total)


def fits(face: Face, total: int) -> bool:
    """Whether the card may be played (FA-R3)."""
    return total_after(face, total) <= MOST


def all_fit(total: int) -> bool:
    """Whether any card whatever may be played."""
    return total + _HIGHEST <= MOST


def place_in_order(face: Face) -> int:
    """The numbers from low to high, then the wild cards as they are listed."""
    return _ORDER[face]


def name(face: Face) -> str:
    """What is printed on the card: `5`, `PASS ME BY`, `=10`."""
    return NAMES[face] if face in NAMES else str(face)


def _bare(text: str) -> str:
    return re.sub(r"[\s-]", "", text).casefold()


_PRINTED = {_bare(printed): face for face, printed in NAMES.items()}


def spelled(text: str) -> str:
    """The code of a card that is called by what is printed on it, however that is typed; any
    other text as it is."""
    return _PRINTED.get(_bare(text), text)
