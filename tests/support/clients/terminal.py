"""The full-screen client in a terminal that tests can type into and look at.

Keys go through prompt_toolkit's pipe input, and what it paints is fed to pyte, a terminal made of
text. So a test sees what a person would see.
"""

from __future__ import annotations

import asyncio
import errno
import io
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial

import pyte
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import Input, PipeInput, create_pipe_input
from prompt_toolkit.output import Output
from prompt_toolkit.output.vt100 import Vt100_Output

PATIENCE = 5.0
"""Seconds after which something that should have been on the screen is missing."""

TAB, ENTER, ESC = "\t", "\r", "\x1b"
SHIFT_TAB, UP, PAGE_UP, PAGE_DOWN = "\x1b[Z", "\x1b[A", "\x1b[5~", "\x1b[6~"
DOWN, RIGHT, LEFT = "\x1b[B", "\x1b[C", "\x1b[D"
F1, F4, F6 = "\x1bOP", "\x1bOS", "\x1b[17~"
CTRL_C, CTRL_L, CTRL_P = "\x03", "\x0c", "\x10"


class _Glass(pyte.Screen):
    """A screen that counts bells."""

    bells = 0

    def bell(self, *args: object) -> None:
        self.bells += 1


class _Wire(io.StringIO):
    """Where the client writes: straight onto the glass."""

    encoding = "utf-8"

    def __init__(self, stream: pyte.Stream) -> None:
        super().__init__()
        self.stream = stream
        self.raw = ""
        self.cut = False
        """Whether the terminal has gone: writing fails then, as on a real one."""

    def write(self, data: str) -> int:
        if self.cut:
            raise OSError(errno.EIO, "Input/output error")
        self.raw += data
        self.stream.feed(data)
        return len(data)


class Terminal:
    """One client on one screen."""

    def __init__(self, columns: int, rows: int, keys: PipeInput) -> None:
        self.columns, self.rows = columns, rows
        self.glass = _Glass(columns, rows)
        self.wire = _Wire(pyte.Stream(self.glass))
        self.output = Vt100_Output(
            self.wire, lambda: Size(rows=self.rows, columns=self.columns), term="xterm-256color"
        )
        self.keys = keys
        self.client: asyncio.Task[int]

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.glass.display]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def input_line(self) -> str:
        return self.lines[-2]

    @property
    def footer(self) -> str:
        return self.lines[-1].strip()

    def shows(self, text: str) -> bool:
        return text in self.text

    def type(self, keys: str) -> None:
        self.keys.send_text(keys)

    async def until(self, holds: Callable[[], object], what: str = "") -> None:
        """Wait until something holds.

        :raises AssertionError: with the screen, if it does not in good time
        """
        deadline = asyncio.get_running_loop().time() + PATIENCE
        while not holds():
            if self.client.done() and self.client.exception() is not None:
                self.client.result()
            if asyncio.get_running_loop().time() > deadline:
                raise AssertionError(f"never seen: {what or holds}\n{self.text}")
            await asyncio.sleep(0.01)

    async def see(self, *texts: str) -> None:
        for text in texts:
            await self.until(partial(self.shows, text), text)

    async def see_gone(self, text: str) -> None:
        await self.until(lambda: text not in self.text, f"the end of {text!r}")

    async def settle(self) -> None:
        """Wait until the client has nothing more to paint."""
        painted = -1
        while painted != len(self.wire.raw):
            painted = len(self.wire.raw)
            await asyncio.sleep(0.12)

    async def ended(self) -> int:
        return await asyncio.wait_for(asyncio.shield(self.client), PATIENCE)

    def resize(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.glass.resize(rows, columns)
        signal.raise_signal(signal.SIGWINCH)


Run = Callable[[Input, Output], Awaitable[int]]


@asynccontextmanager
async def terminal(run: Run, columns: int = 80, rows: int = 24) -> AsyncIterator[Terminal]:
    """A client that runs in a terminal, and is stopped at the end if the test did not."""
    with create_pipe_input() as keys:
        screen = Terminal(columns, rows, keys)
        screen.client = asyncio.ensure_future(run(keys, screen.output))
        try:
            yield screen
        finally:
            if not screen.client.done():
                screen.client.cancel()
            await asyncio.gather(screen.client, return_exceptions=True)
