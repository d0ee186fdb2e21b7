"""A join code, as people type it."""

from __future__ import annotations

import unicodedata

from sobremesa.core.errors import LocalError

CODE_LENGTH = 6


def read_code(text: str) -> str:
    """A join code as typed: six digits of any script, with the blanks and dashes people put in.

    :raises LocalError: if it is none
    """
    digits = [str(unicodedata.digit(char, "x")) for char in text if char not in " -\t"]
    if len(digits) != CODE_LENGTH or "x" in digits:
        raise LocalError(f"a code is {CODE_LENGTH} digits (you gave {text[:40]!r})")
    return "".join(digits)
