"""Text that came from other people, made safe to show: names, chat, the labels of tables.

Rule 1: it is cleaned once, where it enters; afterwards it is one line of visible characters whose
width in cells is known, whatever terminal shows it.
Rule 2: what is signed is the text as it came; what is shown is the text as it was cleaned.
"""

from __future__ import annotations

import re
import unicodedata

from wcwidth import wcwidth

from sobremesa.core.errors import LocalError

BOT_NAMES = ("Bento", "Dora", "Edu", "Fina", "Gil", "Iria", "Nuno", "Olga")
"""Names of people who are no people; every screen adds that it is a bot."""

NAME_WIDTH = 20
CODE_LENGTHS = (6, 8)
"""Digits of a join code: the first one of a table, and one that took its place."""
NOT_IN_NAMES = dict.fromkeys(map(ord, "[]()<>{}|►✓×●○★"))
"""What the screens put beside a name: badges, signs, separators."""
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

TRAPS = frozenset(
    "\u115f\u1160\u2800\u3164\uffa0"  # look like nothing
    "\ufdfd\u2e3a\u2e3b"  # drawn wider than they are counted
).union(
    map(chr, range(0xFE00, 0xFE10)),  # turn a narrow sign into a wide emoji and back
    map(chr, range(0xE0100, 0xE01F0)),
    map(chr, range(0x1F1E6, 0x1F200)),  # one or two of them make a flag of the same width
    map(chr, range(0x1F3FB, 0x1F400)),  # skin tones: melt into the sign before them, or do not
)


def clean_text(text: str, width: int) -> str:
    """One line of at most `width` cells, cut with an ellipsis; never empty: "?" at least."""
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
    return _cut("".join(shown).strip(), width) or "?"


def _is_visible(char: str) -> bool:
    return char.isspace() or not (char in TRAPS or unicodedata.category(char) in HIDDEN)


def clean_name(text: str) -> str:
    """A player's name: at most 20 cells, and nothing that reads like a command or a speaker."""
    name = clean_text(text, 2 * len(text) + 1).translate(NOT_IN_NAMES).replace(":", " ")
    # What stood behind a sign at the beginning may be another one, or an accent without its letter.
    while (rest := clean_text(name.lstrip(" /'?-"), NAME_WIDTH)) != name:
        name = rest
    return name


def name_key(name: str) -> str:
    """Two names with the same key are the same name to a reader."""
    return unicodedata.normalize("NFKC", name).casefold()


def read_code(text: str) -> str:
    """A join code as typed: digits of any script, with the blanks and dashes people put in.

    :raises LocalError: if it is none
    """
    digits = [str(unicodedata.digit(char, "x")) for char in text if char not in " -\t"]
    if len(digits) not in CODE_LENGTHS or "x" in digits:
        raise LocalError(f"a code is 6 or 8 digits (you gave {text[:40]!r})")
    return "".join(digits)


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
