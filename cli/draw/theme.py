"""How the clients look: what the player chose, and pure ASCII on wish.

Rule 1: with `ascii` every text goes through `Theme.text` before it is measured.
"""

from __future__ import annotations

import argparse
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TextIO

from sobremesa.core.errors import LocalError

from . import inks

Colors = Literal["4", "2", "mono"]
COLORS: tuple[Colors, ...] = ("4", "2", "mono")
Ground = Literal["ask", "dark", "light"]
GROUNDS: tuple[Ground, ...] = ("ask", "dark", "light")
BELLS = ("turn", "join", "chat")

_ASCII = str.maketrans(
    {
        "│": "|", "─": "-", "┌": "+", "┐": "+", "└": "+", "┘": "+", "├": "+", "┤": "+",
        "╭": "+", "╮": "+", "╰": "+", "╯": "+", "►": ">", "✓": "v", "●": "o", "○": ".", "█": "#",
        "░": ".", "▒": "=", "·": ".", "■": "#", "□": "-", "▲": "^", "▼": "v", "▀": "-", "▄": "-",
        "▌": " ", "▐": " ",
        "…": "...", "–": "-", "—": "-", "‘": "'", "’": "'", "“": '"', "”": '"', "«": '"',
        "»": '"', "×": "x", "¡": "!", "¿": "?", "ß": "ss", "æ": "ae", "Æ": "AE", "ø": "o",
        "Ø": "O", "đ": "d", "Đ": "D", "ł": "l", "Ł": "L", "ı": "i", "≥": ">=", "≤": "<=",
        "←": "<-", "→": "->",
        "↑": "^", "↓": "v", "♠": "S", "♥": "H", "♦": "D", "♣": "C", "★": "*", "\u00a0": " ",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Theme:
    """What the player chose. `bell` names what rings; `slow` gives twice the time to look."""

    ascii: bool = False
    colors: Colors = "4"
    bell: frozenset[str] = field(default=frozenset({"turn"}))
    pips: bool = False
    mouse: bool = False
    slow: bool = False
    ground: Ground = "ask"
    """The ground of the terminal; one that could not be asked is taken to be dark."""

    def text(self, text: str) -> str:
        """The text as this terminal may show it: one line, without control characters."""
        text = one_line(text)
        return to_ascii(text) if self.ascii else text

    @property
    def more(self) -> str:
        """The sign that something is missing."""
        return self.text("…")

    @property
    def cut(self) -> str:
        """The same in one cell."""
        return self.more[:1]

    def styles(self, colours: int = 256) -> Mapping[str, str]:
        """The styles of all roles, on a terminal of so many colours."""
        light = self.ground == "light"
        ink: inks.Ink = "light" if light else "dark"
        if colours <= 16:
            ink = "light16" if light else "dark16"
        if colours < 8 or self.colors == "mono":
            ink = "mono"
        return inks.styles(ink, two=self.colors == "2")


def add_theme_arguments(parser: argparse.ArgumentParser, *, again: bool = False) -> None:
    """The flags that `theme_from` reads; `again` where a parser above has read them already."""

    def usual(value: object) -> object:
        return argparse.SUPPRESS if again else value

    looks = parser.add_argument_group("looks")
    looks.add_argument(
        "--ascii",
        action=argparse.BooleanOptionalAction,
        default=usual(False),
        help="show nothing but ASCII characters",
    )
    looks.add_argument(
        "--colors",
        choices=COLORS,
        default=usual("4"),
        help="colours of the suits in card games, or mono: no colour anywhere (default: 4)",
    )
    looks.add_argument(
        "--bell",
        type=_bells,
        default=usual(frozenset({"turn"})),
        metavar="WHAT",
        help="ring for: turn, join, chat (with commas between), or off (default: turn)",
    )
    for flag, about in (
        ("--pips", "show dice as ⚀ ⚁ ⚂ instead of [1]"),
        ("--mouse", "let the program have the mouse"),
        ("--slow", "twice the time to look and, for all at the table, to answer"),
    ):
        switch = argparse.BooleanOptionalAction
        looks.add_argument(flag, action=switch, default=usual(False), help=about)
    for value in ("light", "dark"):
        about = f"for a terminal with a {value} ground (default: ask the terminal)"
        looks.add_argument(
            f"--{value}",
            dest="ground",
            action="store_const",
            const=value,
            default=usual("ask"),
            help=about,
        )


def theme_from(args: argparse.Namespace) -> Theme:
    """The theme that the flags ask for."""
    return Theme(args.ascii, args.colors, args.bell, args.pips, args.mouse, args.slow, args.ground)


def read_bells(text: str) -> frozenset[str]:
    """What rings, from "turn,chat" or "off".

    :raises LocalError: if it is none of these
    """
    names = frozenset(name.strip() for name in text.lower().split(","))
    if names == {"off"}:
        return frozenset()
    if not names <= set(BELLS):
        raise LocalError(f"must be off, or some of {', '.join(BELLS)} with commas between")
    return names


def _bells(text: str) -> frozenset[str]:
    try:
        return read_bells(text)
    except LocalError as error:
        raise argparse.ArgumentTypeError(f"{error} (you gave {text!r})") from error


def one_line(text: str) -> str:
    """The text without what could move a cursor: controls go, blanks of any kind are spaces.

    Text from peers was cleaned when it came in; this is the second check, for plugins and errors.
    """
    kept = []
    for char in text:
        if char.isspace():
            kept.append(" ")
        elif char.isprintable():
            kept.append(char)
    return "".join(kept)


def to_ascii(text: str) -> str:
    """The text in pure ASCII: known glyphs by their likes, accents off, the rest as `?`."""
    if text.isascii():
        return text
    plain = []
    for char in unicodedata.normalize("NFC", text).translate(_ASCII):
        if char.isascii():
            plain.append(char)
        else:
            base = unicodedata.normalize("NFKD", char).translate(_ASCII)
            bare = "".join(c for c in base if c.isascii() and c.isprintable())
            plain.append(bare or ("" if unicodedata.combining(char) else "?"))
    return "".join(plain)


def writes_only_ascii(stream: TextIO) -> bool:
    """Whether a stream's encoding has no place for the glyphs that the screens are made of."""
    try:
        "►│✓●…é".encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return True
    return False
