"""What the commands print: lines for people, objects for programs, complaints, how far it is.

Rule 1: a line stays a line: nothing that a file or a plugin says moves the cursor, and a stream
whose encoding lacks a letter gets one that is like it.
Rule 2: a complaint is one line on stderr, and nothing else is.
Rule 3: how far something is stands on a terminal only, and is gone when it is done.
"""

from __future__ import annotations

import json
import os
import sys
import time
from types import TracebackType
from typing import Any, Self

from sobremesa.cli.draw.theme import Theme, one_line, writes_only_ascii
from sobremesa.cli.words.progress import SHOWN_AFTER


def say(line: str = "") -> None:
    """Print a line for people."""
    print(Theme(ascii=writes_only_ascii(sys.stdout)).text(line))


def say_object(value: Any, indent: int | None = None) -> None:
    """Print an object for programs; pure ASCII, so that every stream can carry it."""
    print(json.dumps(value, indent=indent))


def complain(error: object) -> None:
    """Say on stderr what, why and what now."""
    print(one_line(f"sobremesa: {error}"), file=sys.stderr)


def has_screen() -> bool:
    """Whether we are at a terminal that a screen can be drawn on."""
    dumb = os.environ.get("TERM", "dumb") == "dumb" and os.name != "nt"
    return not dumb and bool(sys.stdin and sys.stdin.isatty() and sys.stdout.isatty())


class Counter:
    """How far something long is, in hundredths, on one line; as a context manager it leaves none
    behind."""

    def __init__(self, what: str, *, shown: bool = True) -> None:
        self._what = what
        self._shown = shown and sys.stdout.isatty()
        self._since = time.monotonic()
        self._line = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.clear()

    def show(self, done: float) -> None:
        """So much is done, from 0 to 1."""
        line = f"{self._what}: {done:.0%}"
        if self._shown and line != self._line and time.monotonic() - self._since >= SHOWN_AFTER:
            print(f"\r{line}", end="", flush=True)
            self._line = line

    def clear(self) -> None:
        """Take the line away, for another one."""
        if self._line:
            print(f"\r{' ' * len(self._line)}\r", end="", flush=True)
            self._line = ""
