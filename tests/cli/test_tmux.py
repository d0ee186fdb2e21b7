"""Real `sobremesa` processes in real terminals, as far as only those can tell."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from campaigns.stopped_terminals import Table
from support.clients.tmux import AVAILABLE, Pane, Server, colours, play_dudo, server

pytestmark = pytest.mark.skipif(not AVAILABLE, reason="tmux is not installed")

ALONE = ("play", "dudo", "--name", "Cai", "--bots", "1", "--pace", "0", "--option", "dice=3")

LONGER_THAN_A_LINK = 5.0
"""Seconds of silence after which a link is given up, and one more."""


@pytest.fixture(scope="module")
def terminals() -> Iterator[Server]:
    with tempfile.TemporaryDirectory(prefix="sm") as folder, server(Path(folder)) as here:
        yield here


def test_a_lobby_with_nothing_says_how_long_it_looked_and_what_to_check(terminals: Server) -> None:
    pane = terminals.open("--name", "Cai")
    screen = pane.see("No tables yet, 1 s.", "Same Wi-Fi?", "join HOST:PORT", "0 tables")
    assert screen.splitlines()[0].startswith(" Sobremesa  you are Cai")
    assert pane.lines[-2:] == [
        ">",
        " ↑↓ choose  letter, Enter  or type: host dudo  F1 help  Ctrl-C quits",
    ]


def test_a_table_fills_80x24_in_the_fixed_order_and_help_covers_it(terminals: Server) -> None:
    pane = terminals.open(*ALONE)
    pane.see("your turn", " Exact")
    lines = pane.lines
    assert len(lines) == 24
    rule = lines.index("─" * 80)
    assert lines[0].startswith(" Liar's Dice")
    assert all(line[56] == "│" for line in lines[1:rule])
    assert "you hold" in "\n".join(lines[rule + 1 :])
    assert lines[-2] == ">"
    pane.press("F1")
    pane.see("[Moves]", "How to type")
    assert "you hold" not in pane.look()
    pane.press("q")
    pane.see("you hold")


def test_a_result_stands_until_enter(terminals: Server) -> None:
    pane = terminals.open(*ALONE, "--auto")
    pane.see("game over", "seats   result", "1. ", "2. ")
    pane.type("l")
    pane.see("ended 0")
    assert not pane.alternate


def test_no_color_is_obeyed_and_reverse_stays(terminals: Server) -> None:
    plain = terminals.open(*ALONE, NO_COLOR="1")
    plain.see(" Exact")
    drawn = plain.look("-e")
    assert colours(drawn) == set()
    assert "\x1b[7m" in drawn
    coloured = terminals.open(*ALONE, NO_COLOR="")
    coloured.see(" Exact")
    assert colours(coloured.look("-e"))


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_gives_the_terminal_back_as_it_was(terminals: Server, name: str) -> None:
    pane = terminals.open(*ALONE)
    pane.see(" Exact")
    assert pane.alternate
    number = getattr(signal, name)
    os.kill(pane.pid, number)
    screen = pane.see(f"ended {128 + number}", "icanon")
    settings = screen.replace(";", " ").split()
    assert {"icanon", "echo", "isig", "icrnl", "opost"} <= set(settings)
    assert not pane.alternate


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_ctrl_z_gives_the_terminal_to_the_shell_and_fg_takes_it_back(terminals: Server) -> None:
    pane = terminals.shell(home="stopped")
    pane.type(shlex.join([sys.executable, "-m", "sobremesa", *ALONE]))
    pane.see("your turn", " Exact")
    pane.press("5", "x")
    pane.see("> 5x")
    pane.press("C-z")
    pane.see("Stopped", "shell> ")
    assert not pane.alternate
    pane.type("echo it is $((20 + 22)); stty -a")
    assert {"icanon", "echo", "isig"} <= set(
        pane.see("it is 42", "icanon").replace(";", " ").split()
    )
    pane.type("fg")
    pane.see("your turn", " Exact", "> 5x")
    assert pane.alternate
    pane.press("Escape")
    pane.until(lambda screen: "> 5x" not in screen, "an empty line")
    pane.type("quit")
    pane.press("y")
    pane.see("shell> ", "is kept")


def test_two_terminals_play_a_whole_game_and_both_see_it(terminals: Server) -> None:
    game = ("host", "dudo", "--seats", "2", "--option", "dice=3", "--code", "123456")
    ana = terminals.open(*game, "--name", "Ana", "--table", "Kitchen", "--auto", "--pace", "0")
    where = re.search(r"127\.0\.0\.1:\d+", ana.see("Join code  123456", "127.0.0.1:"))
    assert where is not None
    bea = terminals.open("join", where[0], "--code", "123456", "--name", "Bea", "--pace", "0")
    bea.see("Kitchen", "Enter ready")
    ana.see("Bea sits down")
    bea.type("ready")
    bea.see("you hold")
    bea.type("'good luck")
    ana.see("Bea: good luck")
    play_dudo(bea)
    for pane in (ana, bea):
        pane.see("game over", "seats   result")
    mine, theirs = _ranking(bea, "Ana"), _ranking(ana, "Bea")
    assert sorted(mine + theirs) == [1, 1, 2, 2]
    assert mine[0] == theirs[1]  # who is first for one is first for the other


def test_who_looks_on_from_the_middle_sees_the_table_and_the_end(terminals: Server) -> None:
    game = ("host", "dudo", "--seats", "3", "--bots", "2", "--option", "dice=3")
    ana = terminals.open(*game, "--code", "123456", "--name", "Ana", "--pace", "0")
    where = re.search(r"127\.0\.0\.1:\d+", ana.see("Join code  123456", "127.0.0.1:"))
    assert where is not None
    ana.type("ready")
    ana.see("your turn")
    eva = terminals.open("watch", where[0], "--code", "123456", "--name", "Eva", "--pace", "0")
    eva.see("Liar's Dice", "You are looking on: Ana is to play", "► Ana")
    assert "you hold" not in eva.look()
    ana.see("Eva looks on.")
    eva.type("seat")
    ana.see("Eva looks on and", "next game.")
    play_dudo(ana)
    for pane in (ana, eva):
        pane.see("game over", "seats   result")
    eva.see("[again] A seat in the next game")
    ana.type("again")
    ana.see("waiting room", "of 4 seats")
    eva.type("again")
    ana.see("Eva sits down")


def _ranking(pane: Pane, other: str) -> list[int]:
    """Our place, and that of the other."""
    found = dict(re.findall(r"(?m)^ +(\d)\. (\w+)", pane.look()))
    places = {name: int(place) for place, name in found.items()}
    return [places["you"], places[other]]


def test_a_terminal_that_takes_nothing_loses_nobody_in_the_room_or_in_the_game(
    terminals: Server,
) -> None:
    table = Table(terminals, 0, "plain", "full")
    table.stop("Bea", LONGER_THAN_A_LINK)
    table.begin()
    table.stop("Ana", LONGER_THAN_A_LINK)
    table.end()
