"""Terminals and pipes that take nothing for a while, or never again: nothing waits for them."""

from __future__ import annotations

import asyncio
import fcntl
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import pyte
import pytest
from prompt_toolkit.input import create_pipe_input
from support.clients.sessions import at_the_table
from support.clients.stopped import Stopped, stopped
from support.clients.terminal import CTRL_L
from support.processes.machines import SOBREMESA, environment

from sobremesa.cli.draw.theme import Theme
from sobremesa.cli.lines import output
from sobremesa.cli.lines.output import Unread
from sobremesa.cli.lines.plain import run_plain
from sobremesa.cli.outlet import Outlet
from sobremesa.cli.screen.app import run_app
from sobremesa.cli.session.moments import Chat, Notice, Over
from sobremesa.cli.session.session import Session

NO_TITLE = "\x1b]2;\x07"

SOON = 3.0
"""Seconds in which a client that is told to stop must have ended."""


async def beating(seconds: float) -> None:
    """:raises AssertionError: if the loop stands still meanwhile"""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while (before := loop.time()) < end:
        await asyncio.sleep(0.01)
        assert loop.time() - before < 1.0


@contextmanager
def piped(buffering: int = 1 << 13) -> Iterator[tuple[TextIO, TextIO]]:
    """Both ends of a pipe, the one to write to first; without buffering as `python -u` has it."""
    read_from, write_to = os.pipe()
    stream = io.TextIOWrapper(os.fdopen(write_to, "wb", buffering), "utf-8", write_through=True)
    with stream, os.fdopen(read_from, encoding="utf-8") as end:
        yield stream, end


def remarks(count: int, first: int = 0) -> list[Notice]:
    return [Notice(f"Remark {number} {'x' * 60}.") for number in range(first, first + count)]


# The way out.


@pytest.mark.parametrize("buffering", [0, 1 << 13])
async def test_what_is_put_comes_out_whole_and_in_order_when_the_reader_takes_it(
    buffering: int,
) -> None:
    read_from, write_to = os.pipe()
    told: list[int] = []
    with (
        io.TextIOWrapper(
            os.fdopen(write_to, "wb", buffering), "utf-8", write_through=True
        ) as stream,
        os.fdopen(read_from, encoding="utf-8") as end,
    ):
        outlet = Outlet(stream, lambda: told.append(outlet.waiting))
        lines = [f"{number}ß{'.' * 999}\n" for number in range(500)]
        for line in lines:
            outlet.put(line)
        assert outlet.waiting > 0
        assert told == []
        got = await asyncio.to_thread(lambda: [end.readline() for _ in lines])
        await outlet.finish(SOON)
        assert got == lines
        assert told[-1] == outlet.waiting == 0


async def test_a_reader_that_goes_away_is_told_of_and_what_is_put_then_goes_nowhere() -> None:
    read_from, write_to = os.pipe()
    os.close(read_from)
    gone = asyncio.Event()
    with os.fdopen(write_to, "w", encoding="utf-8") as stream:
        outlet = Outlet(stream, gone.set)
        outlet.put("one")
        await asyncio.wait_for(gone.wait(), SOON)
        assert isinstance(outlet.error, BrokenPipeError)
        outlet.put("two")
        await outlet.finish(SOON)


# Line mode.


async def test_lines_are_held_back_and_how_it_stands_is_said_when_the_terminal_goes_on() -> None:
    session = at_the_table(*remarks(400))
    async with stopped() as terminal:
        client = asyncio.ensure_future(
            run_plain(session, auto=True, as_json=False, stdin=None, stdout=terminal.stream)
        )
        await beating(0.5)
        terminal.go()
        await terminal.until(lambda: "Your moves" in terminal.text.partition("held")[2], "a turn")
        before, held, after = re.split(r"(\d+) lines were held back", terminal.text)
        said = len(re.findall("(?m)^Remark", before))
        assert 100 < said < 300
        assert int(held) == 400 - said
        assert after.startswith(". This is how it stands:\nRound 1.\nBento bids 4 threes.\n")
        assert "\nYour dice: 1, 3, 3, 5, 6.\n" in after
        assert "\nYour turn: raise, doubt or call it exact.\nYour moves: Raise (b)" in after
        session.feed(Over("Done.", 0))
        assert await asyncio.wait_for(client, SOON) == 0
        terminal.take()
        assert terminal.text.endswith("Done.\n")


@pytest.mark.parametrize("end", [(), (Over("Ana wins.", 0),)])
async def test_a_stopped_terminal_keeps_nobody_who_is_told_to_stop(end: tuple[Over, ...]) -> None:
    session = at_the_table(*remarks(400), *end)
    async with stopped() as terminal:
        client = asyncio.ensure_future(
            run_plain(session, auto=True, as_json=False, stdin=None, stdout=terminal.stream)
        )
        await beating(0.2)
        os.kill(os.getpid(), signal.SIGTERM)
        assert await asyncio.wait_for(client, SOON) == 143
        assert session.done == [("step out",)]


async def test_how_a_game_ended_waits_for_whoever_reads_it() -> None:
    session = at_the_table(*remarks(400), Over("Ana wins.", 0))
    async with stopped() as terminal:
        client = asyncio.ensure_future(
            run_plain(session, auto=True, as_json=False, stdin=None, stdout=terminal.stream)
        )
        await beating(0.7)
        assert not client.done()
        terminal.go()
        await terminal.until(client.done, "the end")
        assert client.result() == 0
        assert terminal.text.endswith("Ana wins.\n")


async def test_a_program_that_reads_slowly_loses_nothing() -> None:
    session = at_the_table(*remarks(3000), Over("Ana wins.", 0))
    with piped() as (stream, end):
        client = asyncio.ensure_future(
            run_plain(session, auto=True, as_json=True, stdin=None, stdout=stream)
        )
        await beating(0.5)
        assert not client.done()
        moments: list[dict[str, object]] = []
        while not moments or moments[-1]["moment"] != "over":
            moments.append(json.loads(await asyncio.to_thread(end.readline)))
        assert await asyncio.wait_for(client, SOON) == 0
    assert sum(moment["moment"] == "notice" for moment in moments) == 3000


async def test_a_program_that_never_reads_ends_the_session_with_a_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(output, "MOST_FOR_PROGRAMS", 1 << 16)
    session = at_the_table(*remarks(3000))
    async with stopped() as terminal:
        client = run_plain(session, auto=True, as_json=True, stdin=None, stdout=terminal.stream)
        with pytest.raises(Unread, match="nobody reads the objects of --json"):
            await asyncio.wait_for(client, SOON)
        assert session.done == [("step out",)]


# The full screen.


@contextmanager
def written_to(stream: TextIO, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", stream)
        patch.setenv("TERM", "xterm-256color")
        yield


def screen(terminal: Stopped) -> list[str]:
    glass = pyte.Screen(80, 24)
    pyte.ByteStream(glass).feed(terminal.read)
    return [line.rstrip() for line in glass.display]


async def test_frames_are_skipped_and_the_screen_is_right_when_the_terminal_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = at_the_table()

    async def sit() -> Session:
        return session

    async with stopped() as terminal:
        with create_pipe_input() as keys, written_to(terminal.stream, monkeypatch):
            client = asyncio.ensure_future(run_app(sit, Theme(), input=keys))
            for number in range(60):
                session.feed(*remarks(1, number), Chat("Ana", f"line {number}"))
                keys.send_text(CTRL_L)
                await beating(0.04)
            terminal.go()
            await terminal.until(lambda: "line 59" in "\n".join(screen(terminal)), "the log")
            assert len(terminal.read) < 40_000  # 60 whole screens are more
            keys.send_text(CTRL_L)
            shown = screen(terminal)
            await beating(0.2)
            terminal.take()
            assert screen(terminal)[1:] == shown[1:]  # what Ctrl-L paints anew was there
            assert "b Raise: 4x4" in "\n".join(shown)
            keys.send_text("5x3\r")
            await terminal.until(lambda: ("answer", "5x3") in session.done, "an answer")
            os.kill(os.getpid(), signal.SIGTERM)
            await terminal.until(client.done, "the end")
            assert client.result() == 143
            assert terminal.text.rindex("\x1b[?1049l") > terminal.text.rindex("\x1b[?1049h")


async def test_a_screen_that_is_stopped_ends_in_time_and_is_given_back_as_soon_as_it_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = at_the_table()

    async def sit() -> Session:
        return session

    async with stopped() as terminal:
        with create_pipe_input() as keys, written_to(terminal.stream, monkeypatch):
            client = asyncio.ensure_future(run_app(sit, Theme(), input=keys))
            for _ in range(20):
                keys.send_text(CTRL_L)
                await beating(0.04)
            os.kill(os.getpid(), signal.SIGTERM)
            assert await asyncio.wait_for(client, SOON) == 143
            assert session.done == [("step out",)]
            terminal.go()
            await terminal.until(lambda: terminal.text.endswith(NO_TITLE), "the end")
            assert terminal.text.rindex("\x1b[?1049l") > terminal.text.rindex("\x1b[?1049h")


# Real processes.


@contextmanager
def unread(folder: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A game between bots, at once, that writes to a small pipe which nobody reads yet."""
    command = [*SOBREMESA, "play", "dudo", "--plain", "--json", "--auto", "--pace", "0", *words]
    environ = environment(folder)
    environ.pop("PYTHONUNBUFFERED", None)
    pipe: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=environ, **pipe) as process:
        assert process.stdout is not None
        fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, 4096)
        try:
            yield process
        finally:
            process.kill()


def test_a_whole_game_waits_in_a_pipe_for_its_reader(tmp_path: Path) -> None:
    saved = tmp_path / "game"
    with unread(tmp_path, "--save", str(saved)) as process:
        assert until(saved.exists)  # the game is over, though nobody has read of it
        assert process.poll() is None
        out, errors = process.communicate(timeout=SOON)
        assert errors == b""
        assert process.returncode == 0
    assert len(out) > 1 << 16
    assert json.loads(out.splitlines()[-1])["verified"] is True


def test_a_game_that_nobody_reads_ends_when_it_is_told_to(tmp_path: Path) -> None:
    saved = tmp_path / "game"
    with unread(tmp_path, "--save", str(saved)) as process:
        assert until(saved.exists)
        process.terminate()
        assert process.wait(SOON) == 143


def until(holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + 20
    while not holds() and time.monotonic() < end:
        time.sleep(0.05)
    return holds()
