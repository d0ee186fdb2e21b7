"""Long work that rests: a generator, each `yield` a moment to do something else.

Rule 1: about `SLICE` multiplications lie between two rests, a few milliseconds.
Rule 2: what comes out does not depend on how often the work rested.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from inspect import isgenerator
from typing import TypeGuard, TypeVar

T = TypeVar("T")

Work = Generator[None, None, T]
"""Long work in slices; it returns a T."""

SLICE = 16
"""Multiplications in a slice: about two milliseconds."""


def is_work(value: Work[T] | T) -> TypeGuard[Work[T]]:
    """Whether this is work to be done, and not its result."""
    return isgenerator(value)


def finish(work: Work[T]) -> T:
    """Do all of the work at once."""
    while True:
        try:
            next(work)
        except StopIteration as stop:
            result: T = stop.value
            return result


def in_slices(parts: Iterable[T]) -> Work[list[T]]:
    """All the parts, each made when it is its turn, with a rest after every `SLICE` of them."""
    made: list[T] = []
    for part in parts:
        made.append(part)
        if len(made) % SLICE == 0:
            yield
    yield
    return made
