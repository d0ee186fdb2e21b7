"""Where prompt_toolkit paints: what it flushes is a frame, which a stopped terminal never gets.

Rule 1: frames are skipped, never queued without end. The next frame says only what changed since
one that may never have been seen, so after a gap the whole screen is painted anew (`repaint`).
Rule 2: at the end nothing is skipped: it gives the terminal back as it was, whenever that reads it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TextIO, cast

from prompt_toolkit.output import Output
from prompt_toolkit.output.defaults import create_output

from sobremesa.cli.outlet import Outlet

MOST_WAITING = 1 << 13
"""Bytes that may wait before frames are skipped: one whole screen of 200x60, which is painted in a
few pieces, or a score of small changes."""


class Frames:
    """The part of a text stream that prompt_toolkit uses. `repaint` is called when the terminal
    takes frames again after a gap, `broke` when it has gone."""

    def __init__(
        self,
        stream: TextIO,
        repaint: Callable[[], None],
        broke: Callable[[OSError], None],
    ) -> None:
        self.encoding = stream.encoding
        self.outlet = Outlet(stream, self._hear)
        self.skips = True
        """Whether frames may be skipped: until the last ones (rule 2)."""
        self._stream = stream
        self._repaint = repaint
        self._broke = broke
        self._gap = False
        """Whether a frame was skipped since the whole screen was painted."""

    def output(self) -> Output | None:
        """An output that paints here; None where there is none but the terminal's own: a console of
        Windows is drawn on by calls."""
        if sys.platform == "win32":
            return None
        return create_output(cast(TextIO, self))

    def write(self, frame: str) -> int:
        """Take a frame, or skip it."""
        if self.skips and (self._gap or self.outlet.waiting > MOST_WAITING):
            self._gap = True
        else:
            self.outlet.put(frame)
        return len(frame)

    def flush(self) -> None:
        """What is written is on its way."""

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()

    def _hear(self) -> None:
        if self.outlet.error is not None:
            self._broke(self.outlet.error)
        elif self._gap and self.skips:
            self._gap = False
            self._repaint()
