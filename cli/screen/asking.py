"""What a terminal is asked before anything is drawn on it: whether it draws signs two cells wide,
and whether its ground is light.

Rule 1: a terminal that does not answer in time is taken to be the usual one, dark and narrow.
"""

from __future__ import annotations

import os
import re
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_COLOUR = re.compile(rb"\x1b\]11;rgb:([0-9a-fA-F]{2,4})/([0-9a-fA-F]{2,4})/([0-9a-fA-F]{2,4})")
_COLUMN = re.compile(rb"\x1b\[\d+;(\d+)R")


def draws_wide(tty_in: int, tty_out: int, patience: float = 0.2) -> bool:
    """Whether this terminal draws ♠ and ─ two cells wide, as many do in Chinese, Japanese and
    Korean: writes both and asks for the cursor's column, for up to `patience` seconds."""
    if sys.platform == "win32":  # Windows Terminal draws ambiguous characters one cell wide
        return False
    with _raw(tty_in):
        os.write(tty_out, "\r♠─\x1b[6n".encode())
        answer = _read(tty_in, _COLUMN, patience)
        os.write(tty_out, b"\r  \r\x1b[K")
    return answer is not None and int(answer[1]) > 3


def is_light(tty_in: int, tty_out: int, patience: float = 0.2) -> bool:
    """Whether this terminal's ground is light: asks for its colour (OSC 11), and for the cursor
    after it, which every terminal tells, so that nobody waits for one that knows no colours."""
    if sys.platform == "win32":
        return False
    with _raw(tty_in):
        os.write(tty_out, b"\x1b]11;?\x1b\\\x1b[6n")
        end = re.compile(rb"(?s)(.*)" + _COLUMN.pattern)
        answer = _read(tty_in, end, patience)
    found = _COLOUR.search(answer[1]) if answer is not None else None
    if found is None:
        return False
    red, green, blue = (int(part, 16) / (int("f" * len(part), 16)) for part in found.groups())
    return bool(0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5)


@contextmanager
def _raw(tty_in: int) -> Iterator[None]:
    """Keys and answers as they come, and not on the screen."""
    import termios
    import tty

    before = termios.tcgetattr(tty_in)
    try:
        tty.setcbreak(tty_in, termios.TCSANOW)
        yield
    finally:
        termios.tcsetattr(tty_in, termios.TCSANOW, before)


def _read(tty_in: int, answer: re.Pattern[bytes], patience: float) -> re.Match[bytes] | None:
    """What the terminal says, once it is a whole answer."""
    said = b""
    while (found := answer.search(said)) is None and select.select([tty_in], [], [], patience)[0]:
        read = os.read(tty_in, 64)
        if not read:
            break
        said += read
    return found
