"""Frames: the messages on a link, and the one table that says what each may hold.

Rule 1: a frame is a 4-byte big-endian length and one msgpack list `[kind, values...]`; `SCHEMA` is
the whole list of kinds. `hello`, `welcome` and `bye` stay as they are for ever, so that two
versions can still tell each other that they differ.
Rule 2: the schema reads the bytes (`core/schema.py`), and how long a frame may be follows from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sobremesa.core.addresses import MOST_ADDRESSES
from sobremesa.core.encoding import pack
from sobremesa.core.errors import SobremesaError
from sobremesa.core.game import MOST_RULES
from sobremesa.core.replica.charter import MOST_BYTES
from sobremesa.core.replica.transcript import ENVELOPE, SIGNATURE
from sobremesa.core.schema import (
    Bool,
    Bytes,
    Int,
    Kinds,
    ListOf,
    Maybe,
    Misfit,
    Row,
    Spec,
    Text,
    Word,
    read_whole,
)

STRANGER_LIMIT = 4 * 1024
"""Bytes of a frame before the other side has proved who it is."""

HEADER = 4


class BadFrame(SobremesaError):
    """Bytes that are no frame of ours; the link they came on is closed."""


KEY = Bytes(32, 32)
NONCE = Bytes(32, 32)
TABLE = Bytes(16, 16)
PAKE = Bytes(33, 33)
MAC = Bytes(64, 64)
PEER = Int(0, 7)
STEP = Int(0, 1_000_000)
VERSION = Int(0, 2**16)
PACKAGE = 80
"""Characters of a package's name, or of its version."""
LINE = Text(500)
PAYLOAD = Bytes(0, ENVELOPE.most)
"""A signed message; two that contradict each other go into one frame."""
NUMBERED = Int(0, 2**62)
"""A number that grows with all that its author says, whatever process of his says it: it begins
at the milliseconds of the wall clock."""
HEAD = Bytes(64, 64)
HASH = Bytes(32, 32)
"""A hash of a message, a copy of a game or the terms of a table: no two of them have the same."""
WINDOW = Bytes(32, 32)
"""A random number of one process, which tells it from another with the same key."""
SPAN = Int(0, 2**31)
"""Seconds."""
ABSENCES = ("away", "silent", "left", "convicted")
BEAT = Row((PEER, NUMBERED, STEP, Bool(), ListOf(PEER, 8), ListOf(PEER, 8), SIGNATURE))
"""peer, its count of beats, the step it is in, whether it is done, the peers it has links to, those
that it would vote gone from its step, and its signature of that."""

WAITS = Row((KEY, Text(200)))
"""The key and the name of somebody who looks on and waits for a seat in the next game."""
MOST_WAIT = 16
"""So many can wait at one machine."""
ABSENT = Row((PEER, SPAN, Maybe(SPAN), Word(ABSENCES), Bool(), ListOf(PEER, 8)))
"""For whom a table waits, for how many seconds already, of how many (None: no clock decides it),
why, whether the game waits already, and who would go on without it."""

MOST_AGREED = 1024
"""Hashes of what one end has of a step: its messages, and what everybody said about who is gone."""

MODES = ("info", "join", "peer", "watch")

SCHEMA: dict[str, dict[str, Spec]] = {
    # before the other side has proved who it is
    "hello": {
        "v": VERSION,
        "mode": Word(MODES),
        "table": Maybe(TABLE),
        "pub": KEY,
        "nonce": NONCE,
        "pake": Maybe(PAKE),
    },
    "welcome": {
        "v": VERSION,
        "table": Maybe(TABLE),
        "pub": Maybe(KEY),
        "nonce": NONCE,
        "pake": Maybe(PAKE),
    },
    "auth": {"sig": SIGNATURE, "mac": Maybe(MAC)},
    "listing": {"listing": Bytes(0, 3000)},
    "bye": {"code": Text(20), "text": Text(300)},
    # in the game
    "beat": {"beats": ListOf(BEAT, 8)},
    "have": {"step": STEP, "head": HEAD, "window": WINDOW},
    "head": {"step": STEP, "head": HEAD},
    "agreed": {"hashes": ListOf(HASH, MOST_AGREED)},
    "all": {},
    "older": {"older": WINDOW},
    "moved": {"older": WINDOW, "newer": WINDOW, "sig": SIGNATURE},
    "msg": {"payload": PAYLOAD, "sig": SIGNATURE},
    "proof": {"one": Row((PAYLOAD, SIGNATURE)), "other": Row((PAYLOAD, SIGNATURE))},
    "chat": {"peer": PEER, "number": NUMBERED, "text": LINE, "sig": SIGNATURE},
    "waits": {"peer": PEER, "number": NUMBERED, "who": ListOf(WAITS, MOST_WAIT), "sig": SIGNATURE},
    # with whoever looks on
    "look": {"name": Text(200), "step": STEP},
    "wish": {},
    "reached": {"step": STEP, "over": Bool()},
    "absent": {"absent": ListOf(ABSENT, 8)},
    # in the waiting room
    "seat": {
        "name": Text(200),
        "port": Int(0, 65535),
        "addresses": ListOf(Text(80), MOST_ADDRESSES),
        "game": Text(31),
        "rules_version": Maybe(Int(0, MOST_RULES)),
        "rules": HASH,
        "package": Text(PACKAGE),
        "version": Text(PACKAGE),
    },
    "room": {"room": Bytes(0, 8 * 1024)},
    "ready": {"ready": Bool(), "terms": HASH},
    "slow": {"slow": Bool()},
    "say": {"key": KEY, "number": NUMBERED, "text": LINE, "sig": SIGNATURE},
    "charter": {"charter": Bytes(0, MOST_BYTES)},
    "calloff": {"text": Text(300)},
    "code": {"code": Text(8)},
}

KINDS = Kinds({kind: tuple(specs.values()) for kind, specs in SCHEMA.items()})

LIMIT = KINDS.most
"""Bytes of a frame after it has: those of the longest there is."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame: its kind, its values by name, and its bytes without the length."""

    kind: str
    values: Mapping[str, Any]
    payload: bytes = field(repr=False)

    @classmethod
    def make(cls, kind: str, **values: Any) -> Frame:
        """Write a frame.

        :raises ValueError: if it does not fit the schema
        """
        if values.keys() != SCHEMA[kind].keys():
            raise ValueError(f"{kind} has {', '.join(SCHEMA[kind])} and nothing else")
        try:
            return cls.read(pack([kind, *[values[name] for name in SCHEMA[kind]]]))
        except BadFrame as error:
            raise ValueError(f"{kind} cannot hold {error}") from error

    @classmethod
    def read(cls, payload: bytes) -> Frame:
        """Read a frame's bytes.

        :raises BadFrame: if they do not fit the schema
        """
        try:
            kind, *values = read_whole(KINDS, payload)
        except Misfit as error:
            raise BadFrame(str(error)) from error
        return cls(kind, dict(zip(SCHEMA[kind], values, strict=True)), payload)

    @classmethod
    def bye(cls, code: str, text: str) -> Frame:
        """A goodbye; too long a text is cut."""
        return cls.make("bye", code=code[:20], text=text[:300])

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    @property
    def encoded(self) -> bytes:
        """The bytes on the link, length included."""
        return len(self.payload).to_bytes(HEADER, "big") + self.payload


class FrameReader:
    """Cuts a stream of bytes into frames. `limit` may be raised between two frames."""

    def __init__(self, limit: int = STRANGER_LIMIT) -> None:
        self.limit = limit
        self._buffer = bytearray()

    def add(self, data: bytes) -> None:
        """Add what came in: only after `next` gave None, and in pieces of at most `limit`
        bytes; the buffer then never holds more than two limits."""
        self._buffer += data

    def next(self) -> Frame | None:
        """The next whole frame, or None if it is not there yet.

        :raises BadFrame: as soon as the bytes cannot become one
        """
        if len(self._buffer) < HEADER:
            return None
        size = int.from_bytes(self._buffer[:HEADER], "big")
        if size == 0:
            raise BadFrame("an empty frame")
        if size > self.limit:
            raise BadFrame(f"a frame of more than {self.limit} bytes")
        if len(self._buffer) < HEADER + size:
            return None
        with memoryview(self._buffer) as view:
            payload = bytes(view[HEADER : HEADER + size])
        del self._buffer[: HEADER + size]
        return Frame.read(payload)
