"""Files that a command is given: read whole, and never more than any game fills."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from sobremesa.core.errors import LocalError

MOST_BYTES = 1 << 28
"""No game fills such a file; /dev/zero would."""


class Unreadable(LocalError):
    """A file that cannot be read, or that is not what it should be."""


def read(path: Path) -> bytes:
    """A file.

    :raises Unreadable: if there is no such file, or it is not ours to read, or too large
    """
    try:
        with path.open("rb") as file:
            return limited(file, str(path))
    except OSError as error:
        raise Unreadable(f"cannot read {path}: {error.strerror}") from error


def limited(file: BinaryIO, name: str) -> bytes:
    """What is left in an open file.

    :raises Unreadable: if there is more in it than any game fills
    """
    data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise Unreadable(f"{name} is too large: more than {MOST_BYTES >> 20} MiB")
    return data
