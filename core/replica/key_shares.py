"""Shares of card keys, for the others to hold until somebody is lost (`card_keys` gives them).

    S = s·G, E = e·G, ct = s xor H(E, e·V_i)      the giver's share s for a holder i

Rule 1: everybody sees S, so that everybody knows what the holder's key becomes when it takes the
share over; s itself only the holder can read.
"""

from __future__ import annotations

from dataclasses import dataclass

from sobremesa.core.crypto.group import (
    SIZE,
    Point,
    Scalar,
    base,
    multiply,
    read_scalar,
    write_scalar,
)
from sobremesa.core.encoding import digest


@dataclass(frozen=True, slots=True)
class SealedKeyShare:
    """A share of a key as everybody sees it: S, E, and s under a pad that only the holder and the
    giver can make."""

    context: bytes
    giver: int
    holder: int
    s: Point
    e: Point
    sealed: bytes

    @classmethod
    def made(
        cls, context: bytes, giver: int, holder: int, s: Scalar, e: Scalar, view: Point
    ) -> SealedKeyShare:
        """The share s, sealed by the number e for the holder's view key."""
        point = base(e)
        pad = _pad(context, giver, holder, point, multiply(e, view))
        return cls(context, giver, holder, base(s), point, _xor(write_scalar(s), pad))

    def opened(self, shared: Point) -> Scalar | None:
        """The share, if this is the point that giver and holder share and if it fits S."""
        pad = _pad(self.context, self.giver, self.holder, self.e, shared)
        try:
            s = read_scalar(_xor(self.sealed, pad))
        except ValueError:
            return None
        return s if base(s) == self.s else None


KeyShares = dict[tuple[int, int], SealedKeyShare]
"""All key shares, by giver and holder."""


def _pad(context: bytes, giver: int, holder: int, e: Point, shared: Point) -> bytes:
    return digest("key-share", context, giver, holder, e, shared)[:SIZE]


def _xor(first: bytes, second: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(first, second, strict=True))
