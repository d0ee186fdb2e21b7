"""What line mode writes: sentences for people, or objects for programs, one a line.

Rule 1: nothing that was written changes any more, and nothing here waits for the reader. A bell is
rung with the line that it is for, never alone.
Rule 2: a terminal that takes nothing is not told everything afterwards: lines beyond a bound are
held back and counted. A program that reads slowly loses nothing, and one that does not read at all
ends the session.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import Any, TextIO

from sobremesa.cli.draw.theme import Theme, writes_only_ascii
from sobremesa.cli.outlet import Outlet
from sobremesa.cli.settings import LOOKS, OwnSettings
from sobremesa.cli.signals import mute
from sobremesa.cli.words.speech import sentence
from sobremesa.core.errors import LocalError

BELL = "\a"

MOST_FOR_PEOPLE = 1 << 14
"""Bytes that may wait for a terminal: about 200 lines, more than anybody reads at once."""
MOST_FOR_PROGRAMS = 1 << 24
"""Bytes that may wait for a pipe or a file, or as JSON: several whole games."""


class Unread(LocalError):
    """Nobody reads what a program was to read."""


class Output:
    """Writes to a stream: objects if `as_json`, else sentences in letters that it can carry.

    `caught_up` is called on the loop when the reader has taken everything, or is gone.
    """

    def __init__(self, stream: TextIO, theme: Theme, as_json: bool) -> None:
        self.as_json = as_json
        self.caught_up: Callable[[], None] = lambda: None
        self._outlet = Outlet(stream, lambda: self.caught_up())
        self.at_terminal = stream.isatty()
        for_people = self.at_terminal and not as_json
        self._most = MOST_FOR_PEOPLE if for_people else MOST_FOR_PROGRAMS
        self._held = 0
        """Lines held back."""
        self._muted = False
        self._bell = ""
        self._last = ""
        self._stream = stream
        self.restyle(theme)

    def restyle(self, theme: Theme) -> None:
        """Take another theme, as far as the stream can carry it."""
        self._only_ascii = theme.ascii or writes_only_ascii(self._stream)
        self._theme = replace(theme, ascii=self._only_ascii)

    def choose(self, own: OwnSettings, typed: str) -> tuple[str, Any]:
        """Choose a setting, and say so; it holds at once. Errors as of `OwnSettings.choose`."""
        key, value = own.choose(typed)
        if key in LOOKS:
            self.restyle(replace(self._theme, **{key: value}))
        self.report("set", f"From now on: {key} {own.text(key)}.")
        return key, value

    def ring(self, what: Collection[str]) -> None:
        """Ring with the next line, if the player at this terminal wants to hear one of these
        (`theme.BELLS`)."""
        if self.at_terminal and not self.as_json and self._theme.bell & set(what):
            self._bell = BELL

    def say(self, line: str) -> None:
        """Write a line, whatever is wanted here."""
        if not self.as_json:
            self._last = line
        self._write(line if self.as_json else self._bell + self._theme.text(line))
        self._bell = ""

    def repeat(self) -> None:
        """Say the last line once more."""
        self.answer("repeat", [self._last or "Nothing was said yet."])

    def write_object(self, value: Any) -> None:
        """Write an object as JSON."""
        self._write(json.dumps(value, ensure_ascii=self._only_ascii))

    def report(self, kind: str, text: str, **values: Any) -> None:
        """Say something that is no moment; as an object it has these values, too."""
        if self.as_json:
            self.write_object({"moment": kind, "text": text, **values})
        else:
            self.say(text)

    def answer(self, kind: str, lines: Iterable[str]) -> None:
        """Say what the player wants to know: some lines, or one object."""
        if self.as_json:
            self.report(kind, "\n".join(lines))
        else:
            for line in lines:
                self.say(line)

    def complain(self, text: str) -> None:
        """Say what cannot be."""
        self.report("error", sentence(text))

    def count_held(self) -> int:
        """How many lines were held back; they are over and done with then.

        :raises OSError: if there is nobody any more who could take lines
        """
        if self._outlet.error is not None:
            raise self._outlet.error
        held, self._held = self._held, 0
        return held

    @property
    def behind(self) -> bool:
        """Whether somebody has still to read what was written or held back."""
        outlet = self._outlet
        return not self._muted and outlet.error is None and bool(outlet.waiting or self._held)

    def mute(self) -> None:
        """Nobody reads any more."""
        self._muted = True
        mute(self._stream)

    async def finish(self, seconds: float) -> None:
        """Wait until all is out, at most so long."""
        await self._outlet.finish(seconds)

    def _write(self, line: str) -> None:
        """:raises Unread: if far too much waits for a program"""
        if self._muted:
            return
        if not self._held and self._outlet.waiting <= self._most:
            self._outlet.put(line + "\n")
        elif self.as_json:
            raise Unread(
                f"nobody reads the objects of --json: more than {self._most >> 20} MiB of them "
                "wait, so you left the table"
            )
        else:
            self._held += 1
