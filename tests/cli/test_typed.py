"""Lines as they are typed, piped in or pasted."""

from __future__ import annotations

import asyncio
import os
import pty
import tty
from collections.abc import Callable

import pytest

from sobremesa.cli.lines.typed import Pasted, expect_typed, listen
from sobremesa.core.errors import LocalError


def terminal() -> tuple[int, int]:
    """One that gives a line at a time, as they usually do."""
    return pty.openpty()


def raw_terminal() -> tuple[int, int]:
    """One that gives whatever there is."""
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    return ours, theirs


def pipe() -> tuple[int, int]:
    theirs, ours = os.pipe()
    return ours, theirs


async def heard(make: Callable[[], tuple[int, int]], text: str, count: int) -> list[str]:
    """What arrives, in so many pieces, of a text that is written in one go."""
    ours, theirs = make()
    arrived: asyncio.Queue[str | None] = asyncio.Queue()
    with os.fdopen(theirs) as stdin:
        os.write(ours, text.encode())
        listen(stdin, arrived.put_nowait)
        lines = [await asyncio.wait_for(arrived.get(), 5) for _ in range(count)]
        os.close(ours)
        while await asyncio.wait_for(arrived.get(), 5) is not None:
            pytest.fail("more lines than were written")
    return [line for line in lines if line is not None]


@pytest.mark.parametrize("make", [terminal, raw_terminal])
async def test_lines_that_come_at_once_from_a_terminal_are_one_and_nobody_takes_them(
    make: Callable[[], tuple[int, int]],
) -> None:
    (line,) = await heard(make, "5 threes\ndudo\n", 1)
    assert isinstance(line, Pasted)
    assert line == "5 threes\ndudo"
    with pytest.raises(LocalError, match=r"2 lines came at once, .* beginning with '5 threes'"):
        expect_typed(line)


async def test_lines_of_a_pipe_are_a_script_however_fast_they_come() -> None:
    lines = await heard(pipe, "5 threes\ndudo\n", 2)
    assert lines == ["5 threes", "dudo"]
    for line in lines:
        assert not isinstance(line, Pasted)
        expect_typed(line)


async def test_one_line_of_a_terminal_is_a_line() -> None:
    (line,) = await heard(terminal, "dudo\n", 1)
    assert not isinstance(line, Pasted)
