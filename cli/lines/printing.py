"""What the commands print: lines for people, objects for programs, complaints.

Rule 1: a line stays a line: nothing that a file or a plugin says moves the cursor, and a stream
whose encoding lacks a letter gets one that is like it.
Rule 2: a complaint is one line on stderr, and nothing else is.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from sobremesa.cli.draw.theme import Theme, one_line, writes_only_ascii


def say(line: str = "") -> None:
    """Print a line for people."""
    print(Theme(ascii=writes_only_ascii(sys.stdout)).text(line))


def say_object(value: Any, indent: int | None = None) -> None:
    """Print an object for programs; pure ASCII, so that every stream can carry it."""
    print(json.dumps(value, indent=indent))


def complain(error: object) -> None:
    """Say on stderr what, why and what now."""
    print(one_line(f"sobremesa: {error}"), file=sys.stderr)
