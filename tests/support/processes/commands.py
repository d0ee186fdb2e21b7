"""The `sobremesa` command in this process: what it prints, complains and returns."""

from __future__ import annotations

import io
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from sobremesa.cli.main import main


@dataclass(frozen=True, slots=True)
class Ran:
    """A command that has run."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    def refused(self, why: str) -> None:
        """It was given what cannot be: exit 2, one line that says why, and nothing printed."""
        assert (self.status, self.out) == (2, ""), self
        assert self.err.startswith("sobremesa"), self
        assert self.err.count("\n") == 1, self
        assert why in self.err, self


class Commands:
    """Runs commands in a folder of their own."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys

    def run(self, *words: str, stdin: bytes = b"") -> Ran:
        """Run `sobremesa` with these words."""
        with pytest.MonkeyPatch.context() as patch, _logging_kept():
            patch.chdir(self.folder)
            patch.setenv("SOBREMESA_HOME", str(self.folder / "home"))
            patch.setenv("SOBREMESA_LOOPBACK", "1")
            patch.setenv("SOBREMESA_NO_MDNS", "1")
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
            self._capsys.readouterr()
            status = main(words)
            printed = self._capsys.readouterr()
        return Ran(status, printed.out, printed.err)

    def file(self, name: str, content: bytes | str) -> str:
        """Write a file there; returns its name."""
        data = content.encode() if isinstance(content, str) else content
        (self.folder / name).write_bytes(data)
        return name


@contextmanager
def _logging_kept() -> Iterator[None]:
    """The command takes the log for itself, as it may; here it gives it back."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    root.handlers.clear()  # the command closes what it finds
    try:
        yield
    finally:
        logging.captureWarnings(False)
        for handler in root.handlers:
            handler.close()
        root.handlers[:] = handlers
        root.setLevel(level)
