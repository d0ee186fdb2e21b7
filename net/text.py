"""A join code, as people type it."""

from __future__ import annotations

import unicodedata

from sobremesa.core.errors import LocalError
from sobremesa.core.typed import fold

CODE_LENGTHS = (6, 8)
"""Digits of a join code: the first one of a table, and one that took its place."""


def read_code(text: str) -> str:
    """A join code as typed: digits of any script, with the blanks and dashes people put in.

    :raises LocalError: if it is none
    """
    digits = [str(unicodedata.digit(char, "x")) for char in fold(text) if char not in " -"]
    if len(digits) not in CODE_LENGTHS or "x" in digits:
        raise LocalError(f"a code is 6 or 8 digits (you gave {text[:40]!r})")
    return "".join(digits)
