"""What a peer keeps on its disk: its key, and for each table the seed, the charter, the journal.

Rule 1: a secret is on the disk before it is first used, and readable by its owner only.
Rule 2: a journal only grows. A record that was being written when the machine stopped is dropped
when the journal is opened; what is lost with it comes back from the other peers.
Rule 3: what a peer signs at a table is on the disk before it is sent, with the answers in it, so
that a peer that comes back never says anything else.
Rule 4: a table is open in one process at a time.
Rule 5: a key sits at one table of a number: a second one would make it sign twice.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from sobremesa.core.encoding import pack
from sobremesa.core.errors import LocalError
from sobremesa.core.pieces import Seat
from sobremesa.core.replica.bodies import ANSWER
from sobremesa.core.replica.charter import MOST_BYTES, BadCharter, Charter
from sobremesa.core.replica.transcript import MAX_STEP, MESSAGE, Record
from sobremesa.core.schema import Int, Kinds, Misfit, Text, read_whole

from .home import home_folder, make_folder, write_whole
from .identity import Identity

HEADER = 8
"""Bytes before a record: its length and its CRC-32, both big-endian."""

JOURNAL = Kinds({"message": MESSAGE, "choice": (Int(0, MAX_STEP), Text(200), ANSWER)})
"""A record of a journal: a message of the transcript, or an answer of ours by step and seat."""

MOST_CODE = 80
"""Bytes of a code that is kept."""

OVER = "over"
"""The file with the numbers of the tables that were forgotten, a line each."""

Choices = dict[tuple[int, Seat], str]
"""Answers that our players gave, by step and seat, as written."""


class CannotStore(LocalError):
    """Something could not be kept on the disk, or what is there cannot be used."""

    shared = "its disk cannot keep the game"


class InUse(LocalError):
    """The table is open in another process."""


def own_key(home: Path | None = None) -> bytes | None:
    """The public key of a home, if it has one; nothing is locked or made."""
    try:
        return Identity((home or home_folder()).joinpath("identity").read_bytes()).key
    except (OSError, ValueError):
        return None


class UsedBefore(LocalError):
    """A table has the number of one that this key has sat at. With another seed or charter its
    messages would convict their honest signer of speaking twice."""


@dataclass(frozen=True, slots=True)
class KeptSeat:
    """A seat that this machine may come back to. `me` is the key that sat there, `left` when it
    was last played, in seconds of the wall clock; `busy` says that a process has it."""

    folder: Path
    charter: Charter
    me: Identity
    left: float
    busy: bool

    @property
    def peer(self) -> int:
        """Which of the charter's peers it is."""
        return [peer.key for peer in self.charter.peers].index(self.me.key)

    @property
    def others(self) -> tuple[Seat, ...]:
        """The other seats at the table, bots included."""
        mine = self.charter.name_of(self.peer)
        return tuple(seat for seat in self.charter.seat_names if seat != mine)

    def open(self) -> TableStore:
        """What is kept of it.

        :raises InUse: if another process has it
        :raises CannotStore: if it cannot be read
        """
        try:
            return TableStore(self.folder)
        except InUse:
            name = self.charter.name
            raise InUse(f"{name} is open in another window here: close that one first") from None


class Store:
    """The folder of one user of one machine. As a context manager it gives the key free."""

    def __init__(self, home: Path | None = None) -> None:
        """:raises CannotStore: if the folder cannot be made"""
        self.home = home or home_folder()
        self._lock: BinaryIO | None = None
        with _storing(self.home):
            make_folder(self.home)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def identity(self) -> Identity:
        """This machine's key. A second process beside one that holds it gets a fresh one, so that
        a family can play from one machine.

        :raises CannotStore: if there is no key and none can be kept
        """
        path = self.home / "identity"
        with _storing(path):
            self._lock = self._lock or _locked(self.home / "identity.lock")
            if self._lock is None:
                return Identity.fresh()
            if not path.exists():
                write_whole(path, Identity.fresh().private)
            return _read_identity(path)

    def begin(self, table: bytes, key: bytes) -> TableStore:
        """A new folder for a table as the owner of a key sits at it: two people may play at one
        table from one machine.

        :raises UsedBefore: if this key has sat at a table of that number
        :raises CannotStore: if it cannot be made
        """
        folder = self._folder(table, key)
        with _storing(folder):
            over = self.home / OVER
            used = over.exists() and folder.name.encode() in over.read_bytes().split()
            if used or folder.exists():
                raise UsedBefore("the opener proposes two games under one number")
        return TableStore(folder)

    def table(self, table: bytes, key: bytes) -> TableStore:
        """The folder of a table that began here, to come back to it; made if there is none.

        :raises InUse: if another process has it
        :raises CannotStore: if it cannot be made or read
        """
        return TableStore(self._folder(table, key))

    def _folder(self, table: bytes, key: bytes) -> Path:
        return self.home / "tables" / f"{table.hex()}-{key.hex()[:16]}"

    def seats(self) -> list[KeptSeat]:
        """The seats that are kept here, the one that was played last first. What is damaged is
        none."""
        found = [_kept_seat(path.parent) for path in self.home.glob("tables/*/charter")]
        return sorted(filter(None, found), key=lambda seat: seat.left, reverse=True)

    def close(self) -> None:
        """Let another process have the key."""
        if self._lock:
            self._lock.close()
            self._lock = None


class TableStore:
    """What a peer keeps of one table. `close` it at the end."""

    def __init__(self, folder: Path) -> None:
        """:raises InUse: if another process has it
        :raises CannotStore: if it cannot be made or read
        """
        self.folder = folder
        with _storing(folder), contextlib.ExitStack() as undo:
            make_folder(folder)
            lock = _locked(folder / "lock")
            if lock is None:
                raise InUse("That table is open in another window here: close that one first.")
            self._lock = undo.enter_context(lock)
            self._journal = undo.enter_context(_open(folder / "journal", os.O_RDWR | os.O_CREAT))
            self._records = list(_whole_records(self._journal, folder / "journal"))
            undo.pop_all()

    def identity(self, first: Identity) -> Identity:
        """The key that we sit at this table with: `first`, unless there is one already."""
        path = self.folder / "key"
        with _storing(path):
            if not path.exists():
                write_whole(path, first.private)
            return _read_identity(path)

    def seed(self) -> bytes:
        """The seed of all our randomness at this table, 32 bytes, the same for ever."""
        path = self.folder / "seed"
        with _storing(path):
            if not path.exists():
                write_whole(path, secrets.token_bytes(32))
            return _read(path, 32)

    def keep_charter(self, charter: Charter) -> None:
        """Keep the charter that everybody signs."""
        with _storing(self.folder):
            write_whole(self.folder / "charter", charter.encode())

    def keep_code(self, code: str | None) -> None:
        """Keep the code that those who look on need, or None."""
        with _storing(self.folder):
            write_whole(self.folder / "code", (code or "").encode())

    def code(self) -> str | None:
        """The code that was kept."""
        path = self.folder / "code"
        with _storing(path):
            return _start(path, MOST_CODE).decode() or None

    def charter(self) -> Charter | None:
        """The charter, or None if the table never began.

        :raises BadCharter: if the file is damaged
        """
        path = self.folder / "charter"
        with _storing(path):
            return Charter.decode(_start(path, MOST_BYTES)) if path.exists() else None

    def keep_message(self, record: Record) -> None:
        """Add a message of the transcript to the journal."""
        self._append(["message", *record])

    def keep_choice(self, step: int, seat: Seat, answer: str) -> None:
        """Add an answer of ours to the journal."""
        self._append(["choice", step, seat, answer])

    def sync(self) -> None:
        """All that was added is on the disk when this returns, and survives a power cut."""
        with _storing(self.folder):
            os.fsync(self._journal.fileno())

    def messages(self) -> list[Record]:
        """The messages that the journal held when it was opened."""
        return [(values[0], values[1]) for kind, *values in self._records if kind == "message"]

    def choices(self) -> Choices:
        """The answers that the journal held when it was opened."""
        return {
            (values[0], values[1]): values[2] for kind, *values in self._records if kind == "choice"
        }

    def remove(self) -> None:
        """Forget the table, secrets and all, but for its number."""
        self.close()
        over = self.folder.parent.parent / OVER
        with _storing(self.folder):
            try:
                with _open(over, os.O_RDWR | os.O_CREAT | os.O_APPEND) as file:
                    _write_all(file, f"{self.folder.name}\n".encode())
            except OSError:  # a full disk: an empty folder says the same, and takes nothing
                for path in self.folder.iterdir():
                    path.unlink()
            else:
                shutil.rmtree(self.folder)

    def close(self) -> None:
        """Let another process have the table."""
        self._journal.close()
        self._lock.close()

    def _append(self, record: list[bytes | int | str]) -> None:
        data = pack(record)
        before = self._journal.tell()
        with _storing(self.folder):
            try:
                _write_all(self._journal, _header(data) + data)
            except OSError:
                # Half a record would make all that follow unreadable.
                self._journal.seek(before)
                self._journal.truncate()
                raise


def _kept_seat(folder: Path) -> KeptSeat | None:
    """The seat whose table is kept in a folder, or None if nobody can come back to it."""
    try:
        charter = Charter.decode((folder / "charter").read_bytes())
        me = _read_identity(folder / "key")
        left = (folder / "journal").stat().st_mtime
        lock = _locked(folder / "lock")
    except (OSError, LocalError, BadCharter):
        return None
    if lock is not None:
        lock.close()
    if all(peer.key != me.key for peer in charter.peers):
        return None
    return KeptSeat(folder, charter, me, left, busy=lock is None)


def _write_all(file: BinaryIO, data: bytes) -> None:
    # On a disk that is nearly full, the first call writes a part and only the next one fails.
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]


def _header(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + zlib.crc32(data).to_bytes(4, "big")


def _whole_records(journal: BinaryIO, path: Path) -> Iterator[list[Any]]:
    """The records of the journal at a path; what is torn at its end is cut off.

    :raises CannotStore: if it is damaged before its end
    """
    data = journal.read()
    at = number = 0
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        record = data[at + HEADER : at + HEADER + size]
        if not size or _header(record) != data[at : at + HEADER]:
            rest = data[at + HEADER + size :]
            if size and len(record) == size and rest.strip(b"\0"):
                raise _damaged(path, number)
            break
        try:
            yield read_whole(JOURNAL, record)
        except Misfit as error:
            raise _damaged(path, number) from error
        at += HEADER + size
        number += 1
    journal.seek(at)
    journal.truncate()


def _damaged(path: Path, number: int) -> CannotStore:
    return CannotStore(
        f"The saved game is damaged in the middle; it cannot be resumed ({path}, record {number})."
    )


@contextlib.contextmanager
def _storing(path: Path) -> Iterator[None]:
    """Say in the player's words why something cannot be stored."""
    try:
        yield
    except OSError as error:
        raise cannot_store(path, error) from error


def cannot_store(path: Path, error: OSError) -> CannotStore:
    """Why nothing can be stored there, in the player's words, and what to do."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        why = "the disk is full. Make room and try again"
    elif error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        why = "this user may not write there. Set SOBREMESA_HOME to another folder"
    else:
        why = os.strerror(error.errno or 0)
    return CannotStore(f"Cannot store anything in {path}: {why}.")


def _open(path: Path, flags: int) -> BinaryIO:
    # Unbuffered: what `write` returned from survives the end of the process.
    return open(os.open(path, flags | getattr(os, "O_BINARY", 0), 0o600), "r+b", buffering=0)


def _read(path: Path, size: int) -> bytes:
    path.chmod(0o600)
    data = _start(path, size)
    if len(data) != size:
        raise CannotStore(f"{path} is damaged: move it away and start again.")
    return data


def _start(path: Path, most: int) -> bytes:
    """What is in a file, but hardly more than so many bytes: it is damaged then."""
    with path.open("rb") as file:
        return file.read(most + 1)


def _read_identity(path: Path) -> Identity:
    return Identity(_read(path, 32))


def _locked(path: Path) -> BinaryIO | None:
    """The file, locked for as long as it is open; None if another process has it."""
    file = _open(path, os.O_RDWR | os.O_CREAT)
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        if error.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
            return None
        raise
    return file
