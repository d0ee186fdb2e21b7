"""Keys in words that people can compare aloud: one key, or all at a table.

Five letters for 16 bits, consonants and vowels in turn: proquints (Wilkerson 2009, "A Proposal for
Proquints").
"""

from __future__ import annotations

from sobremesa.core.encoding import digest

CONSONANTS = "bdfghjklmnprstvz"
VOWELS = "aiou"
BITS = 128
"""As many as nobody can find a second key for."""


def fingerprint(key: bytes) -> str:
    """The fingerprint of a public key: eight words that stand for 128 bits of its hash."""
    return proquints(digest("fingerprint", key)[: BITS // 8])


def proquints(data: bytes) -> str:
    """An even number of bytes as words of five letters, with hyphens between."""
    numbers = (int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data), 2))
    return "-".join(map(_word, numbers))


def _word(number: int) -> str:
    shifts = ((CONSONANTS, 12), (VOWELS, 10), (CONSONANTS, 6), (VOWELS, 4), (CONSONANTS, 0))
    return "".join(letters[number >> shift & len(letters) - 1] for letters, shift in shifts)
