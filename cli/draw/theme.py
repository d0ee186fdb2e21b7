"""How the clients look: one table of styles, pure ASCII on wish, and what a terminal can show.

Rule 1: a colour is never the only sign. Each role has a glyph, a word, bold or reverse besides,
so that `NO_COLOR`, one-bit terminals and eyes that see fewer colours lose nothing.
Rule 2: colours are the terminal's own sixteen, without dark blue, and no ground is painted but
under cards and bars.
Rule 3: with `ascii` every text goes through `Theme.text` before it is measured.
"""

from __future__ import annotations

import argparse
import os
import select
import sys
import unicodedata
from dataclasses import dataclass, field
from typing import Literal, TextIO

from sobremesa.core.errors import LocalError

Colors = Literal["4", "2", "mono"]
COLORS: tuple[Colors, ...] = ("4", "2", "mono")
BELLS = ("turn", "join", "chat")

STYLE = {
    "status": "reverse",
    "banner": "reverse bold ansired",
    "headline": "reverse bold",
    "turn": "bold ansiyellow",
    "you": "bold",
    "out": "dim",
    "die": "",
    "die.hi": "reverse bold",
    "key": "bold ansicyan",
    "hint": "ansicyan",
    "good": "ansigreen",
    "warn": "bold ansiyellow",
    "bad": "bold ansired",
    "timer.low": "bold",
    "chat": "ansicyan",
    "sys": "dim",
    "dim": "dim",
    "bold": "bold",
    "rule": "dim",
    "error": "bold ansired",
    "selected": "reverse",
    "card": "bg:#ffffff #000000",
    "card.s": "bg:#ffffff #000000",
    "card.h": "bg:#ffffff #d70000",
    "card.joker": "bg:#ffffff #870087",
    "card.back": "reverse",
}
"""Every role but the two suits whose colour `--colors` decides, as prompt_toolkit writes styles."""

_SUITS = {
    "4": {"card.d": "bg:#ffffff #005fd7", "card.c": "bg:#ffffff #005f00"},
    "2": {"card.d": "bg:#ffffff #d70000", "card.c": "bg:#ffffff #000000"},
}

_ASCII = str.maketrans(
    {
        "│": "|", "─": "-", "┌": "+", "┐": "+", "└": "+", "┘": "+", "├": "+", "┤": "+",
        "►": ">", "✓": "+", "●": "*", "○": "o", "█": "#", "░": ".", "▒": ":", "·": "-",
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

    def styles(self) -> dict[str, str]:
        """The styles of all roles."""
        return STYLE | _SUITS["2" if self.colors == "2" else "4"]


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


def theme_from(args: argparse.Namespace) -> Theme:
    """The theme that the flags ask for."""
    return Theme(args.ascii, args.colors, args.bell, args.pips, args.mouse, args.slow)


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


def draws_wide(tty_in: int, tty_out: int, patience: float = 0.2) -> bool:
    """Whether this terminal draws ♠ and ─ two cells wide, as many do in Chinese, Japanese and
    Korean: writes both and asks for the cursor's column. A terminal that does not answer within
    `patience` seconds is taken to draw them narrow.
    """
    if sys.platform == "win32":  # Windows Terminal draws ambiguous characters one cell wide
        return False
    import termios
    import tty

    before = termios.tcgetattr(tty_in)
    try:
        tty.setcbreak(tty_in, termios.TCSANOW)
        os.write(tty_out, "\r♠─\x1b[6n".encode())
        answer = b""
        while not answer.endswith(b"R") and select.select([tty_in], [], [], patience)[0]:
            read = os.read(tty_in, 64)
            if not read:
                break
            answer += read
        os.write(tty_out, b"\r  \r\x1b[K")
    finally:
        termios.tcsetattr(tty_in, termios.TCSANOW, before)
    column = answer.rpartition(b";")[2].removesuffix(b"R")
    return column.isdigit() and int(column) > 3
