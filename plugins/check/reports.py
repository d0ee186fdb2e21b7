"""What a check came to, and what it says of values that are not plain.

Rule 1: a thing is said once, however often and with whatever values it is met.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, is_dataclass
from typing import Any

from sobremesa.core.errors import SobremesaError


@dataclass(frozen=True, slots=True)
class Examination:
    """What a check came to: `findings`, a line each; how many `games` it took; `fingerprint`, a
    digest of all that was seen, which must be the same in every process."""

    findings: tuple[str, ...]
    games: int
    fingerprint: str


class Findings:
    """What is wrong, each thing once, with the first example that was met."""

    def __init__(self) -> None:
        self._lines: dict[str, str] = {}

    def add(self, what: str, example: str = "") -> None:
        line = f"{what}: {example}" if example else what
        self._lines.setdefault(what, " ".join(line.split()))

    def lines(self) -> tuple[str, ...]:
        """A line each, in the order in which they were met."""
        return tuple(self._lines.values())

    @contextmanager
    def catch(self, what: str, example: str = "") -> Iterator[None]:
        """What is raised within is a finding: `what` breaks."""
        try:
            yield
        except SobremesaError as error:
            self.add(f"{what} breaks: {error}", example)
        except Exception as error:  # whatever game code may raise
            self.add(f"{what} breaks: {type(error).__name__}: {error}", example)

    def check_plain(self, value: Any, where: str) -> None:
        """What is not plain in a value is a finding."""
        for trouble in _troubles(value):
            self.add(f"{where} holds {trouble}")

    def check_line(self, text: Any, where: str) -> None:
        """What is no line to be shown is a finding."""
        if not isinstance(text, str) or not text.strip():
            self.add(f"{where} says nothing")
        self.check_plain(text, where)


def _troubles(value: Any, place: str = "") -> Iterator[str]:
    """What in a value is not plain, which is: texts of visible characters, whole numbers, lists,
    objects. Each by its kind and its place, which is the first key or the last field."""
    if value is None or isinstance(value, int) or (isinstance(value, str) and value.isprintable()):
        return
    at = f" in {place}" if place else ""
    if isinstance(value, str):
        for character in sorted({one for one in value if not one.isprintable()}):
            yield f"a character that is not for showing{at}: {character!r}"
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _troubles(item, place)
    elif isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                yield f"a key{at} that is no text but of the kind {type(key).__name__}"
            yield from _troubles(item, place or str(key))
    elif is_dataclass(value) and not isinstance(value, type):
        kind = type(value).__name__
        for name in value.__dataclass_fields__:
            yield from _troubles(getattr(value, name), f"{kind}.{name}")
    else:
        yield f"a {type(value).__name__}{at}"
