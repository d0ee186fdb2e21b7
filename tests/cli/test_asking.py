"""What a terminal is asked before anything is drawn on it."""

from __future__ import annotations

import os
import pty
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from sobremesa.cli.screen.asking import draws_wide, is_light


@contextmanager
def terminal(answer: str) -> Iterator[int]:
    """The end of a terminal that a program has, whose other end answers once it is asked."""
    master, slave = pty.openpty()
    asked = b""

    def behave() -> None:
        nonlocal asked
        while not asked.endswith(b"\x1b[6n"):
            asked += os.read(master, 64)
        if answer:
            os.write(master, answer.encode())

    other = threading.Thread(target=behave)
    other.start()
    try:
        yield slave
    finally:
        other.join(5)
        os.close(slave)
        os.close(master)


def answered(ask: Callable[..., bool], answer: str) -> bool:
    with terminal(answer) as end:
        return ask(end, end, patience=5 if answer.endswith("R") else 0.1)


@pytest.mark.parametrize(
    ("answer", "wide"), [("\x1b[1;3R", False), ("\x1b[1;5R", True), ("", False)]
)
def test_a_terminal_that_draws_wide_is_found_out(answer: str, wide: bool) -> None:
    assert answered(draws_wide, answer) is wide


CURSOR = "\x1b[1;1R"


@pytest.mark.parametrize(
    ("answer", "light"),
    [
        ("\x1b]11;rgb:ffff/ffff/ffff\x1b\\" + CURSOR, True),
        ("\x1b]11;rgb:fdfd/f6f6/e3e3\x07" + CURSOR, True),
        ("\x1b]11;rgb:ee/ee/ee\x1b\\" + CURSOR, True),
        ("\x1b]11;rgb:0000/2b2b/3636\x1b\\" + CURSOR, False),
        ("\x1b]11;rgb:3030/0a0a/2424\x07" + CURSOR, False),
        (CURSOR, False),
        ("\x1b]11;rgb:no/co/lour\x1b\\" + CURSOR, False),
        ("\x1b]11;rgb:ffff/ff", False),
        ("", False),
    ],
)
def test_a_light_ground_is_found_out_and_any_other_answer_is_a_dark_one(
    answer: str, light: bool
) -> None:
    assert answered(is_light, answer) is light
