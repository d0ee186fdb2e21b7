"""The group: the prime-order subgroup of edwards25519, by libsodium through PyNaCl.

Points are 32 bytes as libsodium writes them, scalars are ints in [0, Q).

Rule 1: a point that came from elsewhere is checked once, by `read_point`: canonical, in the
prime-order subgroup, not neutral. Everything after that trusts it; `add` alone would not notice a
point outside the subgroup.
Rule 2: a scalar that came from elsewhere is checked once, by `read_scalar`: 32 bytes
little-endian, below Q.
Rule 3: no function here is given anything unchecked.
Rule 4: rule 1 rests on libsodium, and older ones let points of mixed order through: whichever is
installed is tried before anything is done with it.

RFC 8032 gives the curve and the encoding. `hash_to_point` is libsodium's own map
(`crypto_core_ed25519_from_uniform`), not RFC 9380's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import nacl.bindings as sodium

from sobremesa.core.encoding import below, blocks, digest
from sobremesa.core.errors import LocalError

Q = 2**252 + 27742317777372353535851937790883648493
"""The order of the group (RFC 8032 §5.1)."""

NEUTRAL = b"\x01" + bytes(31)
"""The neutral point; never valid from elsewhere."""

SIZE = 32

Point = bytes
Scalar = int


def multiply(scalar: Scalar, point: Point) -> Point:
    """scalar · point."""
    scalar %= Q
    if scalar == 0 or point == NEUTRAL:
        return NEUTRAL  # libsodium refuses both
    return sodium.crypto_scalarmult_ed25519_noclamp(scalar.to_bytes(SIZE, "little"), point)


def base(scalar: Scalar) -> Point:
    """scalar · G."""
    scalar %= Q
    if scalar == 0:
        return NEUTRAL
    return sodium.crypto_scalarmult_ed25519_base_noclamp(scalar.to_bytes(SIZE, "little"))


def add(first: Point, second: Point) -> Point:
    """first + second."""
    return sodium.crypto_core_ed25519_add(first, second)


def subtract(first: Point, second: Point) -> Point:
    """first - second."""
    return sodium.crypto_core_ed25519_sub(first, second)


def total(points: Iterable[Point]) -> Point:
    """The sum of points."""
    result = NEUTRAL
    for point in points:
        result = point if result == NEUTRAL else add(result, point)
    return result


G = base(1)

TORSION = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")
"""A point of order 8."""


class UnsoundLibrary(LocalError):
    """The installed libsodium takes points that are not of the group."""


def expect_sound_library() -> None:
    """:raises UnsoundLibrary: if cards could not be trusted to this machine's libsodium"""
    for outside in (TORSION, add(G, TORSION)):
        if sodium.crypto_core_ed25519_is_valid_point(outside):
            raise UnsoundLibrary(
                "the libsodium behind PyNaCl takes points that are no cards: update PyNaCl"
            )


expect_sound_library()


def read_point(value: object) -> Point:
    """A point from elsewhere.

    :raises ValueError: if it is not canonical, not in the prime-order subgroup, or neutral
    """
    if (
        not isinstance(value, bytes)
        or len(value) != SIZE
        or not sodium.crypto_core_ed25519_is_valid_point(value)
    ):
        raise ValueError("not a point of the group")
    return value


def read_scalar(value: object) -> Scalar:
    """A scalar from elsewhere.

    :raises ValueError: if it is not 32 bytes below Q
    """
    if not isinstance(value, bytes) or len(value) != SIZE:
        raise ValueError("not a scalar")
    number = int.from_bytes(value, "little")
    if number >= Q:
        raise ValueError("not a reduced scalar")
    return number


def write_scalar(scalar: Scalar) -> bytes:
    """32 bytes little-endian."""
    return scalar.to_bytes(SIZE, "little")


def hash_to_scalar(tag: str, *items: bytes | int | str) -> Scalar:
    """A scalar that nobody chose."""
    return int.from_bytes(digest(tag, *items), "little") % Q


def hash_to_point(tag: str, *items: bytes | int | str) -> Point:
    """A point whose logarithm nobody knows."""
    return sodium.crypto_core_ed25519_from_uniform(digest(tag, *items)[:SIZE])


def scalars(key: bytes, *statement: bytes | int | str) -> Iterator[Scalar]:
    """Secret scalars in [1, Q) for one statement: a key and a statement give the same ones."""
    stream = blocks(key, *statement)
    while True:
        yield below(Q - 1, stream) + 1
