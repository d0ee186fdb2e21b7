"""Bytes that mean one thing only: hashing with a domain, canonical msgpack, fair numbers.

Rule 1: never hash a bare concatenation; everything goes through `frame` (docs/protocol.md).
Rule 2: what was unpacked is packed again and must give the same bytes, so that a value has one
encoding and a signature covers what the reader sees.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterator
from typing import Any

import msgpack

DOMAIN = b"sobremesa/v1/"

Pick = Callable[[int], int]
"""A fair choice: `pick(n)` is a number in [0, n)."""


def frame(tag: str, *items: bytes | int | str) -> bytes:
    """Encode a tag and items injectively: each as 4-byte length and bytes, ints as 32 bytes."""
    parts = [DOMAIN + tag.encode()]
    for item in items:
        if isinstance(item, int):
            parts.append(item.to_bytes(32, "big"))
        elif isinstance(item, str):
            parts.append(item.encode())
        else:
            parts.append(item)
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def digest(tag: str, *items: bytes | int | str) -> bytes:
    """SHA-512 over the frame, 64 bytes."""
    return hashlib.sha512(frame(tag, *items)).digest()


def pack(value: Any) -> bytes:
    """Pack a value of lists, ints, bytes, text, None and bools in the one canonical way."""
    packed: bytes = msgpack.packb(value, use_bin_type=True)
    return packed


def unpack(data: bytes) -> Any:
    """Read what `pack` wrote.

    :raises ValueError: if the bytes are anything but the canonical form of one value
    """
    try:
        value = msgpack.unpackb(data, use_list=True, raw=False, strict_map_key=True)
        same = pack(value) == data
    except Exception as error:  # msgpack raises a dozen kinds for a dozen kinds of rubbish
        raise ValueError("not canonical msgpack") from error
    if not same:
        raise ValueError("not canonical msgpack")
    return value


def blocks(key: bytes, *statement: bytes | int | str) -> Iterator[int]:
    """An endless stream of 512-bit numbers: HMAC-SHA-512 of the statement and a counter."""
    prefix = frame("stream", *statement)
    counter = 0
    while True:
        block = hmac.digest(key, prefix + counter.to_bytes(8, "big"), "sha512")
        yield int.from_bytes(block, "big")
        counter += 1


def below(n: int, stream: Iterator[int]) -> int:
    """The next number below n from a stream, every value equally likely (by rejection)."""
    limit = (1 << 512) - (1 << 512) % n
    for number in stream:
        if number < limit:
            return number % n
    raise AssertionError("a stream has no end")


def picking(stream: Iterator[int]) -> Pick:
    """Choices from a stream, one after another."""
    return lambda n: below(n, stream)


class Rand:
    """A peer's randomness: a function of its seed and of what it is used for, nothing else.

    So a message that is made twice is the same twice, and nothing secret serves two statements.
    """

    def __init__(self, seed: bytes) -> None:
        self.seed = seed

    def secret(self, *statement: bytes | int | str) -> bytes:
        """32 bytes for exactly this statement."""
        return hmac.digest(self.seed, frame("rand", *statement), "sha512")[:32]
