"""What packed bytes from elsewhere may hold: frames, messages, their bodies, records of files.

Rule 1: the schema reads the bytes. Nothing is built that it did not ask for, so depth, count and
size are bounded before anything is believed, and a value has one encoding only: `encoding.pack`'s.
Rule 2: each spec knows the most bytes that it can take, so limits follow from what is needed.
Rule 3: what is wrong with somebody's bytes is said without repeating them.

The bytes are those of the msgpack specification.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from .errors import SobremesaError


class Misfit(SobremesaError):
    """Bytes that are not the value which was to stand there."""


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

    def header(self, value: int) -> int:
        """The bytes of the header of a number or count."""
        sizes = [size for size, least in self.wide.values() if value >= least]
        return 1 if value < self.inline else 1 + sizes[-1]


NUMBER = Form("a number", 0x00, 0x80, (0xCC, 1), (0xCD, 2), (0xCE, 4), (0xCF, 8))
TEXT = Form("a text", 0xA0, 0x20, (0xD9, 1), (0xDA, 2), (0xDB, 4))
BYTES = Form("bytes", 0xC4, 0, (0xC4, 1), (0xC5, 2), (0xC6, 4))
LIST = Form("a list", 0x90, 0x10, (0xDC, 2), (0xDD, 4))
NIL, FALSE, TRUE = 0xC0, 0xC2, 0xC3


class Reader:
    """Reads bytes from `at` to the end, value by value."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self._data = data
        self.at = at

    @property
    def more(self) -> bool:
        """Whether anything is left."""
        return self.at < len(self._data)

    def take(self, count: int) -> bytes:
        """:raises Misfit: if fewer bytes are left"""
        end = self.at + count
        if end > len(self._data):
            raise Misfit("bytes that end too early")
        part = self._data[self.at : end]
        self.at = end
        return part

    def tag(self) -> int:
        """The next byte.

        :raises Misfit: if there is none
        """
        if not self.more:
            raise Misfit("bytes that end too early")
        self.at += 1
        return self._data[self.at - 1]

    def skip_nil(self) -> bool:
        """Whether a nil stands here; it is read then."""
        if self._data[self.at : self.at + 1] != bytes([NIL]):
            return False
        self.at += 1
        return True

    def head(self, form: Form) -> int:
        """The number or count in a header, in its shortest encoding.

        :raises Misfit: if the header is of another form, or longer than needed
        """
        tag = self.tag()
        if form.first <= tag < form.first + form.inline:
            return tag - form.first
        if tag not in form.wide:
            raise Misfit(f"a value that is not {form.name}")
        size, least = form.wide[tag]
        value = int.from_bytes(self.take(size), "big")
        if value < least:
            raise Misfit("a value that is not in its shortest form")
        return value


class Spec(Protocol):
    """What one value may be."""

    def read(self, reader: Reader) -> Any:
        """:raises Misfit: if something else stands there"""

    @property
    def most(self) -> int:
        """The bytes of the longest such value, header included."""


def read_whole(spec: Spec, data: bytes) -> Any:
    """The one value that these bytes are.

    :raises Misfit: if they are anything else
    """
    reader = Reader(data)
    value = spec.read(reader)
    if reader.more:
        raise Misfit("bytes left over")
    return value


@dataclass(frozen=True, slots=True)
class Int:
    """A number from `low` to `high`, both allowed, never negative."""

    low: int
    high: int

    def read(self, reader: Reader) -> int:
        value = reader.head(NUMBER)
        if not self.low <= value <= self.high:
            raise Misfit("a number out of range")
        return value

    @property
    def most(self) -> int:
        return NUMBER.header(self.high)


@dataclass(frozen=True, slots=True)
class Bytes:
    """From `low` to `high` bytes."""

    low: int
    high: int

    def read(self, reader: Reader) -> bytes:
        count = reader.head(BYTES)
        if not self.low <= count <= self.high:
            raise Misfit("bytes of a wrong length")
        return reader.take(count)

    @property
    def most(self) -> int:
        return BYTES.header(self.high) + self.high


@dataclass(frozen=True, slots=True)
class Text:
    """Text of at most `high` code points."""

    high: int

    def read(self, reader: Reader) -> str:
        count = reader.head(TEXT)
        if count > 4 * self.high:
            raise Misfit("a text that is too long")
        try:
            text = reader.take(count).decode()
        except UnicodeDecodeError as error:
            raise Misfit("a text that is not UTF-8") from error
        if len(text) > self.high:
            raise Misfit("a text that is too long")
        return text

    @property
    def most(self) -> int:
        return TEXT.header(4 * self.high) + 4 * self.high


@dataclass(frozen=True, slots=True)
class Word:
    """One of a few words."""

    words: tuple[str, ...]

    def read(self, reader: Reader) -> str:
        text = Text(max(map(len, self.words))).read(reader)
        if text not in self.words:
            raise Misfit("an unknown word")
        # Ours and not the one that was read: a thousand messages share it.
        return self.words[self.words.index(text)]

    @property
    def most(self) -> int:
        longest = max(len(word.encode()) for word in self.words)
        return TEXT.header(longest) + longest


@dataclass(frozen=True, slots=True)
class Bool:
    """True or false."""

    def read(self, reader: Reader) -> bool:
        tag = reader.tag()
        if tag not in (FALSE, TRUE):
            raise Misfit("a value that is not true or false")
        return tag == TRUE

    @property
    def most(self) -> int:
        return 1


@dataclass(frozen=True, slots=True)
class Maybe:
    """A value or None."""

    spec: Spec

    def read(self, reader: Reader) -> Any:
        return None if reader.skip_nil() else self.spec.read(reader)

    @property
    def most(self) -> int:
        return self.spec.most


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of at most `high` values of one kind."""

    spec: Spec
    high: int

    def read(self, reader: Reader) -> list[Any]:
        count = reader.head(LIST)
        if count > self.high:
            raise Misfit("a list that is too long")
        return [self.spec.read(reader) for _ in range(count)]

    @property
    def most(self) -> int:
        return LIST.header(self.high) + self.high * self.spec.most


@dataclass(frozen=True, slots=True)
class Row:
    """A list of exactly these values."""

    specs: tuple[Spec, ...]

    def read(self, reader: Reader) -> list[Any]:
        if reader.head(LIST) != len(self.specs):
            raise Misfit("a row of a wrong length")
        return [spec.read(reader) for spec in self.specs]

    @property
    def most(self) -> int:
        return LIST.header(len(self.specs)) + sum(spec.most for spec in self.specs)


@dataclass(frozen=True, slots=True)
class Kinds:
    """A list whose first value is its kind, which says what the others are."""

    rows: Mapping[str, tuple[Spec, ...]]

    def read(self, reader: Reader) -> list[Any]:
        count = reader.head(LIST)
        if not count:
            raise Misfit("a row of a wrong length")
        kind = Word(tuple(self.rows)).read(reader)
        specs = self.rows[kind]
        if count != 1 + len(specs):
            raise Misfit(f"a {kind} of a wrong length")
        return [kind, *[spec.read(reader) for spec in specs]]

    @property
    def most(self) -> int:
        return max(Row((Word((kind,)), *specs)).most for kind, specs in self.rows.items())
