"""Frames: the messages on a link, and the one table that says what each may hold.

Rule 1: a frame is a 4-byte big-endian length and one msgpack list `[kind, values...]`; `SCHEMA` is
the whole list of kinds. `hello`, `welcome` and `bye` stay as they are for ever, so that two
versions can still tell each other that they differ.
Rule 2: the schema reads the bytes. Nothing is built that it did not ask for, so depth, count and
size are bounded before anything is believed, and a value has one encoding only.
Rule 3: what is wrong with a stranger's bytes is said without repeating them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from sobremesa.core.addresses import MOST_ADDRESSES
from sobremesa.core.encoding import pack
from sobremesa.core.errors import SobremesaError
from sobremesa.core.game import MOST_RULES
from sobremesa.core.replica.charter import MOST_BYTES

STRANGER_LIMIT = 4 * 1024
"""Bytes of a frame before the other side has proved who it is."""

LIMIT = 1024 * 1024
"""Bytes of a frame after that."""

HEADER = 4


class BadFrame(SobremesaError):
    """Bytes that are no frame of ours; the link they came on is closed."""


class Form:
    """One family of msgpack headers: a count or number in the tag itself, or in bytes after it."""

    def __init__(self, name: str, first: int, inline: int, *wide: tuple[int, int]) -> None:
        self.name = name
        self.first = first
        self.inline = inline
        least = inline
        self.wide: dict[int, tuple[int, int]] = {}
        for tag, size in wide:
            self.wide[tag] = size, least
            least = 1 << 8 * size


NUMBER = Form("a number", 0x00, 0x80, (0xCC, 1), (0xCD, 2), (0xCE, 4), (0xCF, 8))
TEXT = Form("a text", 0xA0, 0x20, (0xD9, 1), (0xDA, 2), (0xDB, 4))
BYTES = Form("bytes", 0xC4, 0, (0xC4, 1), (0xC5, 2), (0xC6, 4))
LIST = Form("a list", 0x90, 0x10, (0xDC, 2), (0xDD, 4))
NIL, FALSE, TRUE = 0xC0, 0xC2, 0xC3


class Reader:
    """Reads one payload from front to back."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def take(self, count: int) -> bytes:
        """:raises BadFrame: if fewer bytes are left"""
        end = self._at + count
        if end > len(self._data):
            raise BadFrame("a frame that ends too early")
        part = self._data[self._at : end]
        self._at = end
        return part

    def tag(self) -> int:
        """The next byte."""
        return self.take(1)[0]

    def skip_nil(self) -> bool:
        """Whether a nil stands here; it is read then."""
        if self._data[self._at : self._at + 1] != bytes([NIL]):
            return False
        self._at += 1
        return True

    def head(self, form: Form) -> int:
        """The number or count in a header, in its shortest encoding.

        :raises BadFrame: if the header is of another form, or longer than needed
        """
        tag = self.tag()
        if 0 <= tag - form.first < form.inline:
            return tag - form.first
        if tag not in form.wide:
            raise BadFrame(f"a value that is not {form.name}")
        size, least = form.wide[tag]
        value = int.from_bytes(self.take(size), "big")
        if value < least:
            raise BadFrame("a value that is not in its shortest form")
        return value

    def end(self) -> None:
        """:raises BadFrame: if anything is left"""
        if self._at != len(self._data):
            raise BadFrame("a frame with bytes left over")


class Spec(Protocol):
    """What one value of a frame may be."""

    def read(self, reader: Reader) -> Any:
        """:raises BadFrame: if something else stands there"""


@dataclass(frozen=True, slots=True)
class Int:
    """A number from `low` to `high`, both allowed, never negative."""

    low: int
    high: int

    def read(self, reader: Reader) -> int:
        value = reader.head(NUMBER)
        if not self.low <= value <= self.high:
            raise BadFrame("a number out of range")
        return value


@dataclass(frozen=True, slots=True)
class Bytes:
    """From `low` to `high` bytes."""

    low: int
    high: int

    def read(self, reader: Reader) -> bytes:
        count = reader.head(BYTES)
        if not self.low <= count <= self.high:
            raise BadFrame("bytes of a wrong length")
        return reader.take(count)


@dataclass(frozen=True, slots=True)
class Text:
    """Text of at most `high` code points."""

    high: int

    def read(self, reader: Reader) -> str:
        count = reader.head(TEXT)
        if count > 4 * self.high:
            raise BadFrame("a text that is too long")
        try:
            text = reader.take(count).decode()
        except UnicodeDecodeError as error:
            raise BadFrame("a text that is not UTF-8") from error
        if len(text) > self.high:
            raise BadFrame("a text that is too long")
        return text


@dataclass(frozen=True, slots=True)
class Word:
    """One of a few words."""

    words: tuple[str, ...]

    def read(self, reader: Reader) -> str:
        text = Text(max(map(len, self.words))).read(reader)
        if text not in self.words:
            raise BadFrame("an unknown word")
        return text


@dataclass(frozen=True, slots=True)
class Bool:
    """True or false."""

    def read(self, reader: Reader) -> bool:
        tag = reader.tag()
        if tag not in (FALSE, TRUE):
            raise BadFrame("a value that is not true or false")
        return tag == TRUE


@dataclass(frozen=True, slots=True)
class Maybe:
    """A value or None."""

    spec: Spec

    def read(self, reader: Reader) -> Any:
        return None if reader.skip_nil() else self.spec.read(reader)


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of at most `high` values of one kind."""

    spec: Spec
    high: int

    def read(self, reader: Reader) -> list[Any]:
        count = reader.head(LIST)
        if count > self.high:
            raise BadFrame("a list that is too long")
        return [self.spec.read(reader) for _ in range(count)]


@dataclass(frozen=True, slots=True)
class Row:
    """A list of exactly these values."""

    specs: tuple[Spec, ...]

    def read(self, reader: Reader) -> list[Any]:
        if reader.head(LIST) != len(self.specs):
            raise BadFrame("a row of a wrong length")
        return [spec.read(reader) for spec in self.specs]


KEY = Bytes(32, 32)
NONCE = Bytes(32, 32)
TABLE = Bytes(16, 16)
SIGNATURE = Bytes(64, 64)
PAKE = Bytes(33, 33)
MAC = Bytes(64, 64)
PEER = Int(0, 7)
STEP = Int(0, 1_000_000)
COUNT = Int(0, 2**32)
VERSION = Int(0, 2**16)
LINE = Text(500)
BODY = Bytes(0, 64 * 1024)
PAYLOAD = Bytes(0, 480 * 1024)
"""A signed message; two that contradict each other go into one frame."""
NUMBERED = Int(0, 2**62)
"""A number that grows with all that its author says, whatever process of his says it: it begins
at the milliseconds of the wall clock."""
HEAD = Bytes(64, 64)
HASH = Bytes(32, 32)
"""A message's hash: two versions of one message never have the same."""
WINDOW = Bytes(32, 32)
"""A random number of one process, which tells it from another with the same key."""
BEAT = Row((PEER, NUMBERED, STEP, Bool(), ListOf(PEER, 8), SIGNATURE))
"""peer, its count of beats, the step it is in, whether it is done, the peers it has links to, and
its signature of that."""

MODES = ("info", "join", "peer")

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
    "welcome": {"v": VERSION, "table": TABLE, "pub": KEY, "nonce": NONCE, "pake": Maybe(PAKE)},
    "auth": {"sig": SIGNATURE, "mac": Maybe(MAC)},
    "listing": {"listing": Bytes(0, 3000)},
    "bye": {"code": Text(20), "text": Text(300)},
    # in the game
    "beat": {"beats": ListOf(BEAT, 8)},
    "have": {"step": STEP, "head": HEAD, "window": WINDOW},
    "head": {"step": STEP, "head": HEAD},
    "agreed": {"hashes": ListOf(HASH, 8)},
    "all": {},
    "older": {"older": WINDOW},
    "moved": {"older": WINDOW, "newer": WINDOW, "sig": SIGNATURE},
    "msg": {"payload": PAYLOAD, "sig": SIGNATURE},
    "proof": {"one": Row((PAYLOAD, SIGNATURE)), "other": Row((PAYLOAD, SIGNATURE))},
    "chat": {"peer": PEER, "number": NUMBERED, "text": LINE, "sig": SIGNATURE},
    # in the waiting room
    "seat": {
        "name": Text(200),
        "port": Int(0, 65535),
        "addresses": ListOf(Text(80), MOST_ADDRESSES),
        "game": Text(31),
        "rules_version": Maybe(Int(0, MOST_RULES)),
    },
    "room": {"room": Bytes(0, 8 * 1024)},
    "ready": {"ready": Bool()},
    "say": {"key": KEY, "number": NUMBERED, "text": LINE, "sig": SIGNATURE},
    "charter": {"charter": Bytes(0, MOST_BYTES)},
    "calloff": {"text": Text(300)},
}


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
        reader = Reader(payload)
        count = reader.head(LIST)
        if not count:
            raise BadFrame("a frame of no kind")
        kind = Text(20).read(reader)
        specs = SCHEMA.get(kind)
        if specs is None:
            raise BadFrame("a frame of an unknown kind")
        if count != len(specs) + 1:
            raise BadFrame(f"a {kind} frame of a wrong length")
        values = {name: spec.read(reader) for name, spec in specs.items()}
        reader.end()
        return cls(kind, values, payload)

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
