"""What line mode writes: sentences for people, or objects for programs, one a line.

Rule 1: a line is out before the next thing happens; nothing that was written changes any more.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TextIO

from sobremesa.cli.draw.theme import Theme, writes_only_ascii
from sobremesa.cli.signals import mute
from sobremesa.cli.words.speech import sentence


class Output:
    """Writes to a stream: objects if `as_json`, else sentences in letters that it can carry."""

    def __init__(self, stream: TextIO, theme: Theme, as_json: bool) -> None:
        only_ascii = theme.ascii or writes_only_ascii(stream)
        self.as_json = as_json
        self._stream = stream
        self._only_ascii = only_ascii
        self._theme = Theme(ascii=True) if only_ascii else theme

    def say(self, line: str) -> None:
        """Write a line, whatever is wanted here."""
        self._write(line if self.as_json else self._theme.text(line))

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

    def mute(self) -> None:
        """Nobody reads any more."""
        mute(self._stream)

    def _write(self, line: str) -> None:
        self._stream.write(line + "\n")
        self._stream.flush()
