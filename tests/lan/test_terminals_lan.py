"""People at 80x24 on a LAN of namespaces, in real terminals: a cable that is pulled, a window that
is closed, an opener that dies, somebody who looks on from the middle.

A terminal that takes no output is in tests/cli/test_tmux.py, and for longer in
tests/campaigns/stopped_terminals.py.
"""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.clients.tmux import AVAILABLE, Pane, Server, play_dudo, server, suggested_bid
from support.processes.lan import Lan, lan
from support.processes.machines import CODE

from sobremesa.core.replica.audit import Report, audit
from sobremesa.plugins.loader import load_games

pytestmark = [
    pytest.mark.lan,
    pytest.mark.skipif(not AVAILABLE, reason="tmux is not installed"),
]

HOSTS = {"Ana": "h1", "Bea": "h2", "Cai": "h3", "Eva": "h4"}
FLAGS = ("--code", CODE, "--pace", "0")


@pytest.fixture(scope="module")
def net() -> Iterator[Lan]:
    with lan(len(HOSTS)) as there:
        yield there


@pytest.fixture
def terminals(net: Lan) -> Iterator[Server]:
    with tempfile.TemporaryDirectory(prefix="sm") as folder, server(Path(folder), net) as here:
        yield here


def sit_down(terminals: Server, *, patience: int = 60) -> tuple[Pane, Pane, Pane]:
    """A game of three that has begun, and in which Cai is a bot's; Ana opened it."""
    options = ("--option", "dice=3", "--option", "seconds=0", "--option", f"patience={patience}")
    table = ("host", "dudo", "--seats", "3", "--table", "Kitchen", *options)
    ana = terminals.open(*table, "--name", "Ana", *FLAGS, host="h1", home="Ana")
    ana.see("Join code")
    bea = terminals.open("join", "Kitchen", "--name", "Bea", *FLAGS, host="h2", home="Bea")
    ana.see("Bea sits down")
    guest = ("join", "Kitchen", "--name", "Cai", "--auto")
    cai = terminals.open(*guest, *FLAGS, host="h3", home="Cai")
    ana.see("Cai sits down")
    for pane in (ana, bea):
        pane.type("ready")
    for pane in (ana, bea):
        pane.see("you hold")
    return ana, bea, cai


def verified(terminals: Server, name: str) -> Report:
    """What an audit of the record that somebody's machine kept finds."""
    (record,) = terminals.home(name).glob("**/*.sobremesa")
    return audit(record.read_bytes(), lambda charter: load_games([]).find(charter.game))


def wait_for_bea(ana: Pane) -> None:
    """Play until it is Bea's turn."""
    ana.until(lambda screen: " Exact" in screen or "► Bea" in screen, "a turn of Ana's or Bea's")
    if " Exact" in ana.look():
        bid(ana)
    ana.see("► Bea")


def bid(pane: Pane) -> None:
    """Bid what is suggested: then it is somebody else's turn."""
    pane.until(lambda screen: " Exact" in screen, "a bid")
    suggested = suggested_bid(pane.look())
    assert suggested is not None
    pane.type(suggested)


def test_a_cable_that_is_pulled_and_put_back_costs_a_moment(net: Lan, terminals: Server) -> None:
    ana, bea, _ = sit_down(terminals)
    wait_for_bea(ana)
    net.lab("cut", "h2")
    ana.see("! Bea is away 0:05 of 1:00. /without  /wait  /leave", "Bea is away 0:06 of 1:00")
    bea.see("! Your own network is down, 0:0")
    net.lab("heal", "h2")
    for pane in (ana, bea):
        pane.until(lambda screen: "\n ! " not in screen, "no banner")
    ana.see("Bea is back.")
    bid(bea)
    for pane in (ana, bea):
        pane.until(lambda screen: "► Bea" not in screen, "the next turn")


def test_a_closed_window_is_come_back_from_with_enter_while_somebody_looks_on(
    terminals: Server,
) -> None:
    ana, bea, _ = sit_down(terminals)
    wait_for_bea(ana)
    eva = terminals.open("watch", "Kitchen", "--name", "Eva", *FLAGS, host="h4", home="Eva")
    eva.see("You are looking on: Bea is to play")
    ana.see("Eva looks on.")
    bea.close()
    ana.see("! Bea is away 0:0")
    bea = terminals.open("--name", "Bea", host="h2", home="Bea")
    bea.see("You have a seat at Kitchen: Liar's Dice", "Enter = back to it")
    bea.press("Enter")
    bea.see("your turn", "you hold")
    ana.see("Bea is back.")
    bid(bea)
    for pane in (ana, bea, eva):
        pane.until(lambda screen: "► Bea" not in screen, "the next turn")


def test_an_opener_that_dies_is_voted_gone_and_the_others_finish(terminals: Server) -> None:
    ana, bea, cai = sit_down(terminals, patience=5)
    os.kill(ana.pid, signal.SIGKILL)
    bea.see("! Ana is away 0:0")
    play_dudo(bea)
    for pane in (bea, cai):
        pane.see("game over", "seats   result")
    reports = [verified(terminals, name) for name in ("Bea", "Cai")]
    assert all(report.ok for report in reports)
    assert [one.name for one in reports[0].departures] == ["Ana"]
