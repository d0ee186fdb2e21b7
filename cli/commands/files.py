"""Files that a command is given: read whole, and never more than such a file can need."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from sobremesa.core.errors import LocalError


class Unreadable(LocalError):
    """A file that cannot be read, or that is not what it should be."""


def read(path: Path, most: int) -> bytes:
    """A file of at most so many bytes.

    :raises Unreadable: if there is no such file, or it is not ours to read, or too large
    """
    try:
        with path.open("rb") as file:
            return limited(file, str(path), most)
    except OSError as error:
        raise Unreadable(f"cannot read {path}: {error.strerror}") from error


def limited(file: BinaryIO, name: str, most: int) -> bytes:
    """What is left in an open file.

    :raises Unreadable: if that is more than so many bytes
    """
    data = file.read(most + 1)
    if len(data) > most:
        raise Unreadable(f"{name} is too large: more than {most >> 20} MiB")
    return data
