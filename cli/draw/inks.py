"""What the roles of drawn text look like: on dark and on light grounds, in 256 colours and in 16,
and without any.

Rule 1: all that must be read has 4.5 : 1 against its ground (WCAG 2.1, 1.4.3), on common terminal
grounds where none is painted; `rule`, `faint` and `shadow` are never text.
Rule 2: a colour is never the only sign: each role has a glyph, a word, bold or reverse besides.
Rule 3: no ground is painted but of cards, dice, boxes and bars.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Ink = Literal["dark", "light", "dark16", "light16", "mono"]

_INKS: dict[str, tuple[str, str, str, str]] = {
    # role: on dark, on light (xterm numbers: text/ground, b = bold), the same in 16 colours
    "bold": ("255b", "16b", "b", "b"),
    "headline": ("231b", "16b", "b", "b"),
    "you": ("255b", "16b", "b", "b"),
    "dim": ("248", "240", "", ""),
    "sys": ("248", "240", "", ""),
    "out": ("246", "241", "", ""),
    "rule": ("239", "250", "brightblack", "brightblack"),
    "shadow": ("240", "245", "brightblack", "brightblack"),
    "faint": ("240", "250", "brightblack", "brightblack"),
    "turn": ("221b", "88b", "yellow b", "magenta b"),
    "selected": ("16b/221", "231b/88", "black/yellow", "white/blue"),
    "clock": ("16b/221", "231b/88", "black/yellow", "white/blue"),
    "key": ("80b", "24b", "cyan b", "blue b"),
    "chip": ("252/237", "236/254", "", ""),
    "chip.key": ("80b/237", "24b/254", "cyan b", "blue b"),
    "hint": ("252", "236", "", ""),
    "good": ("114b", "22b", "green b", "b"),
    "warn": ("215b", "94b", "yellow b", "magenta b"),
    "bad": ("210b", "124b", "brightred b", "red b"),
    "error": ("210b", "124b", "brightred b", "red b"),
    "life": ("210", "124", "brightred", "red"),
    "coin": ("221", "94", "yellow", "magenta"),
    "chat": ("117", "25", "cyan", "blue"),
    "status": ("255/238", "16/252", "r", "r"),
    "status.bold": ("255b/238", "16b/252", "r b", "r b"),
    "banner": ("16/215", "16/215", "r b", "r b"),
    "lit": ("255/237", "16/254", "b", "b"),
    "card.s": ("16b/231", "16b/230", "black/white", "black/white"),
    "card.h": ("160b/231", "124b/230", "red/white", "red/white"),
    "card.d": ("26b/231", "25b/230", "blue/white", "blue/white"),
    "card.c": ("22b/231", "22b/230", "black/white", "black/white"),
    "card.pale.s": ("16/251", "16/252", "black/white", "black/white"),
    "card.pale.h": ("88/251", "88/252", "red/white", "red/white"),
    "card.pale.d": ("18/251", "18/252", "blue/white", "blue/white"),
    "card.pale.c": ("22/251", "22/252", "black/white", "black/white"),
    "card.number": ("16b/231", "16b/230", "black/white", "black/white"),
    "card.word": ("90b/231", "90b/230", "magenta/white", "magenta/white"),
    "card.pale.number": ("16/251", "16/252", "black/white", "black/white"),
    "card.pale.word": ("53/251", "53/252", "black/white", "black/white"),
    "card.joker": ("231b/90", "231b/90", "white/magenta", "white/magenta"),
    "card.back": ("67/24", "152/67", "white/blue", "white/blue"),
    "card.back.small": ("67", "67", "blue", "blue"),
    "die": ("16/231", "16/230", "black/white", "black/white"),
    "die.edge": ("231", "230", "white", "black"),
    "die.hit": ("16b/221", "16b/221", "black/yellow", "black/yellow"),
    "die.hit.edge": ("221", "221", "yellow", "yellow"),
    "die.off": ("16/246", "16/250", "black/white", "black/white"),
    "die.off.edge": ("246", "250", "white", "black"),
    "die.covered": ("252", "236", "", ""),
    "cup": ("231/130", "231/130", "black/yellow", "black/yellow"),
    "cup.edge": ("130", "130", "yellow", "yellow"),
    "cup.lip": ("179", "94", "yellow", "yellow"),
    "cup.number": ("231b/94", "231b/94", "black/yellow", "black/yellow"),
    "alive": ("16b/114", "231b/22", "black/green", "white/blue"),
    "tint.gold": ("16b/222", "16b/222", "black/yellow", "black/yellow"),
    "tint.red": ("231b/88", "231b/88", "white/red", "white/red"),
    "tint.blue": ("231b/24", "231b/24", "white/blue", "white/blue"),
    "tint.green": ("16b/114", "16b/114", "black/green", "black/green"),
    "tint.violet": ("16b/182", "16b/182", "white/magenta", "white/magenta"),
    "suit.s": ("252b", "16b", "b", "b"),
    "suit.h": ("210b", "124b", "brightred b", "red b"),
    "suit.d": ("111b", "25b", "brightcyan b", "blue b"),
    "suit.c": ("114b", "22b", "b", "b"),
}

_MONO = {
    "bold": "bold", "headline": "bold", "you": "bold", "dim": "", "sys": "", "out": "", "rule": "",
    "turn": "bold", "selected": "reverse bold", "clock": "noreverse bold", "key": "bold",
    "good": "bold", "warn": "bold", "bad": "bold", "error": "bold", "status": "reverse",
    "status.bold": "reverse bold", "banner": "reverse bold", "chip.key": "bold", "lit": "bold",
    "die": "reverse", "die.hit": "bold underline", "die.off": "", "alive": "reverse",
}  # fmt: skip
"""Roles in one bit; a card or a tile is reversed whatever is on it, other roles are plain."""

_TWO = {"card.d": "card.h", "card.c": "card.s", "card.pale.d": "card.pale.h",
        "card.pale.c": "card.pale.s", "suit.d": "suit.h", "suit.c": "suit.s"}  # fmt: skip
"""Whose colour a suit takes where there are but two."""


def styles(ink: Ink, *, two: bool = False) -> Mapping[str, str]:
    """The style of every role, as prompt_toolkit writes them; `two`: suits in two colours."""
    found = {role: _style(role, ink) for role in _INKS}
    if two:
        found |= {role: found[other] for role, other in _TWO.items()}
    return found


def colours(role: str, ink: Literal["dark", "light"]) -> tuple[int | None, int | None]:
    """The xterm numbers of text and ground that a role has; None is the terminal's own."""
    text, _, ground = _INKS[role][ink == "light"].partition("/")
    text = text.removesuffix("b")
    return int(text) if text else None, int(ground) if ground else None


ROLES = tuple(_INKS)


def _style(role: str, ink: Ink) -> str:
    if ink == "mono":
        tile = role.startswith(("card.", "tint.")) and role != "card.back.small"
        return _MONO.get(role, "reverse" if tile else "")
    written = _INKS[role][("dark", "light", "dark16", "light16").index(ink)]
    return _few(written) if ink.endswith("16") else _many(written)


def _many(written: str) -> str:
    text, _, ground = written.partition("/")
    bold, text = text.endswith("b"), text.removesuffix("b")
    parts = [hex_of(int(text))] if text else []
    parts += [f"bg:{hex_of(int(ground))}"] if ground else []
    return " ".join([*parts, *["bold"] * bold])


def _few(written: str) -> str:
    colours, *marks = written.split(" ") if written else [""]
    marks = [colours, *marks] if colours in ("b", "r") else marks
    names = {"b": "bold", "r": "reverse"}
    text, _, ground = ("" if colours in ("b", "r") else colours).partition("/")
    parts = [f"ansi{text}"] if text else []
    parts += [f"bg:ansi{ground}"] if ground else []
    return " ".join([*parts, *(names[mark] for mark in marks)])


def rgb(number: int) -> tuple[int, int, int]:
    """The colour of an xterm number from 16 on."""
    if number >= 232:
        grey = 8 + 10 * (number - 232)
        return grey, grey, grey
    steps = (0, 95, 135, 175, 215, 255)
    cube = number - 16
    return steps[cube // 36], steps[cube // 6 % 6], steps[cube % 6]


def hex_of(number: int) -> str:
    """The same as `#rrggbb`."""
    return "#{:02x}{:02x}{:02x}".format(*rgb(number))
