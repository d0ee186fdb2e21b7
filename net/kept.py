"""The games that this machine keeps: a record of each, and beside it an index of what it tells.

Rule 1: nothing takes the place of a file that is there. Of two records of one table the one goes
that tells nothing beside the other: a game that was broken off and then played on is kept once. One
that was looked on at is marked by its name, and never takes the place of one that was played here.
Rule 2: what cannot be written leaves nothing behind. All is readable by its owner only.
Rule 3: an index is derived: one that is missing, or of another record, is made anew.
Rule 4: the newest records stay, and what is no record of ours is never touched.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any
from unicodedata import normalize

from sobremesa.core.encoding import digest
from sobremesa.core.errors import BadTranscript
from sobremesa.core.game import Game
from sobremesa.core.replica.charter import BadCharter
from sobremesa.core.replica.summary import Summary, summary_of
from sobremesa.core.replica.transcript import MAGIC, Record, read_transcript

from .home import home_folder
from .store import Store, cannot_store

MOST = 200
"""So many records are kept."""

SUFFIX = ".sobremesa"
INDEX = ".index"
TIME = "%Y%m%dT%H%M%SZ"
"""When a game ended, in UTC, so that names sort by it."""

NAME = re.compile(
    r"(\d{8}T\d{6}Z)-[a-z0-9_-]+-([0-9a-f]{8})(-watched)?(?:-\d+)?" + re.escape(SUFFIX)
)
"""The time, the game and the table, the beginning of the table's number, and whether its game was
looked on at."""

MOST_IN_NAME = 40
CHECK = 16
"""Bytes before an index, by which damage shows."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A record that is kept, and when its game ended. `summary` is None if it cannot be read, and
    `trouble` says why; `watched`: nobody here played it."""

    path: Path
    when: datetime
    summary: Summary | None
    trouble: str = ""
    watched: bool = False


class KeptGames:
    """The folder of the records, below a home."""

    def __init__(self, home: Path | None = None) -> None:
        self._home = home or home_folder()
        self.folder = self._home / "records"

    def keep(
        self, data: bytes, summary: Summary, now: datetime, *, watched: bool = False
    ) -> Path | None:
        """Keep a record, of a game that was played here or `watched`. Returns where, or None if one
        of this table tells all of it already.

        :raises CannotStore: if it cannot be written; nothing is left of it then
        """
        Store(self._home)  # which makes the home, for its owner only
        try:
            self.folder.mkdir(mode=0o700, exist_ok=True)
            path = write_new(self.folder / _file_name(summary, now, watched), data, 0o600)
        except OSError as error:
            raise cannot_store(self.folder, error) from error
        self.note(path, summary)
        self._tidy(summary.table)
        for old in self.paths()[MOST:]:
            if old != path:
                _remove(old)
        return path if path.exists() else None

    def _tidy(self, table: bytes) -> None:
        """Remove records of a table that others tell all of; of two alike the first name stays."""
        # Not before the new one is written: two programs that end at once would miss each other.
        contents: dict[Path, frozenset[Record]] = {}
        for path in self.paths():
            if _read_name(path.name)[1] == table.hex()[:8]:
                with contextlib.suppress(BadTranscript, BadCharter, OSError):
                    contents[path] = _content(path.read_bytes())
        for path, told in contents.items():
            rank = _rank(path)
            if any(
                _rank(twin)[0] <= rank[0]
                and (told < other or (told == other and _rank(twin) < rank))
                for twin, other in contents.items()
            ):
                _remove(path)

    def note(self, path: Path, summary: Summary) -> None:
        """Write the index of a record; without one it is only slower to list."""
        data = summary.encode()
        with contextlib.suppress(OSError):
            index = _index(path)
            check = _check(path, data)
            handle = os.open(index, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _BINARY, 0o600)
            with open(handle, "wb") as file:
                file.write(check + data)

    def judge(self, path: Path, verified: bool) -> None:
        """Note that a record was checked, and whether it holds, if it has an index."""
        summary = _read_index(path)
        if summary is not None:
            self.note(path, replace(summary, verified=verified))

    def paths(self) -> list[Path]:
        """The records, the newest first."""
        try:
            names = sorted(os.listdir(self.folder), reverse=True)
        except OSError:
            return []  # nothing was kept yet
        return [path for name in names if _is_record(path := self.folder / name)]

    def games(self, find_game: Callable[[str], Game[Any]]) -> Iterator[Kept]:
        """What is kept, the newest first. `find_game` is asked where an index is missing."""
        for path in self.paths():
            when, _, watched = _read_name(path.name)
            summary, trouble = None, ""
            try:
                summary = _read_index(path) or self._make_index(path, find_game)
            except (BadTranscript, BadCharter) as error:
                trouble = str(error)
            except OSError as error:
                trouble = error.strerror or "it cannot be read"
            yield Kept(path, when, summary, trouble, watched)

    def _make_index(self, path: Path, find_game: Callable[[str], Game[Any]]) -> Summary:
        summary = summary_of(path.read_bytes(), find_game)
        if summary.end != "unknown":
            self.note(path, summary)
        return summary


def write_new(wanted: Path, data: bytes, mode: int = 0o666) -> Path:
    """Write a file that was not there before: `wanted`, or the first of NAME-2, NAME-3 … that is
    free. Returns which; `mode` is who may do what with it.

    :raises OSError: if it cannot be written; nothing is left of it then
    """
    for number in count(1):
        path = wanted if number == 1 else wanted.with_stem(f"{wanted.stem}-{number}")
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, mode)
        except FileExistsError:
            continue
        try:
            with open(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return path
    raise AssertionError("numbers do not end")


_BINARY = getattr(os, "O_BINARY", 0)


def _file_name(summary: Summary, now: datetime, watched: bool) -> str:
    table = normalize("NFKD", summary.name).encode("ascii", "ignore").decode().lower()
    words = [now.astimezone(UTC).strftime(TIME), summary.game, *re.findall("[a-z0-9]+", table)]
    mark = "-watched" if watched else ""
    start = "-".join(words)[: MOST_IN_NAME + len(words[0])]
    return f"{start}-{summary.table.hex()[:8]}{mark}{SUFFIX}"


def _read_name(name: str) -> tuple[datetime, str, bool]:
    """When a game ended, the beginning of its table's number, and whether it was looked on at.

    :raises ValueError: if that is no name of ours
    """
    match = NAME.fullmatch(name)
    if match is None:
        raise ValueError("no name of a record")
    return datetime.strptime(match[1], TIME).replace(tzinfo=UTC), match[2], bool(match[3])


def _rank(path: Path) -> tuple[bool, Path]:
    """Which of two records stays that tell the same: one of a game that was played here, then the
    first name."""
    return _read_name(path.name)[2], path


def _content(data: bytes) -> frozenset[Record]:
    """All that a record holds, the charter as one thing among others."""
    charter, messages, evidence = read_transcript(data)
    return frozenset([(charter.encode(), b""), *messages, *evidence])


def _index(record: Path) -> Path:
    return record.with_suffix(INDEX)


def _check(record: Path, data: bytes) -> bytes:
    """What stands before an index: it is whole, and made for a record of this size."""
    return digest("index", data, record.stat().st_size)[:CHECK]


def _read_index(record: Path) -> Summary | None:
    """The summary beside a record, or None if there is none that can be used."""
    try:
        index = _index(record).read_bytes()
        if index[:CHECK] != _check(record, index[CHECK:]):
            return None
        return Summary.decode(index[CHECK:])
    except (OSError, ValueError):
        return None


def _is_record(path: Path) -> bool:
    """Whether a file is one of ours, by its name and its first bytes."""
    try:
        _read_name(path.name)
        with path.open("rb") as file:
            return not path.is_symlink() and file.read(len(MAGIC)) == MAGIC
    except (OSError, ValueError):
        return False


def _remove(record: Path) -> None:
    for path in (record, _index(record)):
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
