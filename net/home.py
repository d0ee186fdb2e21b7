"""Where a user of this machine keeps things, and how a file there is written: whole or not at all,
readable by its owner only. It loads nothing heavy: the first thing that a command reads is here.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import platformdirs


def home_folder() -> Path:
    """Where everything is kept: SOBREMESA_HOME, or the user's data folder."""
    given = os.environ.get("SOBREMESA_HOME")
    return Path(given) if given else Path(platformdirs.user_data_dir("sobremesa"))


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it.

    :raises OSError: if that cannot be
    """
    for parent in (*reversed(folder.parents), folder):
        if not parent.exists():
            # Another process may make it at the same moment.
            parent.mkdir(mode=0o700, exist_ok=True)


def write_whole(path: Path, data: bytes) -> None:
    """Write a whole file or nothing, for its owner only.

    :raises OSError: if that cannot be
    """
    handle, draft = tempfile.mkstemp(dir=path.parent)
    try:
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException:
        os.unlink(draft)
        raise
    if sys.platform != "win32":
        folder = os.open(path.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)
