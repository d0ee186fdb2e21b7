"""The network game on a LAN of namespaces, with the faults of the network's list: the slice that
fits into the suite. `tests/campaigns/faults.py` has their full forms.
"""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from support.processes.lan_games import Outcome, lan_game, started

pytestmark = pytest.mark.lan

BACK = 3.0
"""Seconds after a network has healed in which everybody must be back."""

THINKING = 0.5
"""Seconds a move, so that the game goes on while something happens to the network."""


def assert_right(outcome: Outcome) -> None:
    assert outcome.right, outcome


def test_four_hosts_find_the_table_by_name_and_end_with_the_same_game(tmp_path: Path) -> None:
    with lan_game(4, tmp_path) as game:
        outcome = started(game, 4).finish()
        assert_right(outcome)
        assert outcome.banners == 0
        assert outcome.notices == ()


def test_two_players_on_one_machine_with_only_loopback(tmp_path: Path) -> None:
    """Fault 1."""
    with lan_game(1, tmp_path) as game:
        game.net.ip("h1", "link", "set", "eth0", "down")
        game.host(2)
        game.join("h1")
        game.wait_for_start()
        assert_right(game.finish())


def test_a_slow_lossy_network_loses_nobody(tmp_path: Path) -> None:
    """Fault 7: 200 ms there and back, ± 20, and 5 % of all packets lost."""
    with lan_game(2, tmp_path) as game:
        for host in ("h1", "h2"):
            game.net.lab("netem", host, "delay", "50ms", "5ms", "loss", "2.5%")
        outcome = started(game, 2).finish()
        assert_right(outcome)
        assert outcome.banners == 0
        assert outcome.move_p50 < 0.5


def test_packets_in_disorder_doubled_and_damaged_change_nothing(tmp_path: Path) -> None:
    """Fault 8."""
    with lan_game(2, tmp_path) as game:
        game.net.lab(
            *("netem", "h2", "delay", "5ms", "reorder", "30%", "duplicate", "10%"),
            *("corrupt", "5%"),
        )
        outcome = started(game, 2).finish()
        assert_right(outcome)
        assert outcome.notices == ()


def test_an_opener_that_is_cut_off_comes_back(tmp_path: Path) -> None:
    """Fault 5."""
    with lan_game(3, tmp_path, thinking=THINKING) as game:
        started(game, 3)
        marks = game.marks()
        game.net.lab("cut", "h1")
        game.wait_for_banner((1, 2), marks)
        game.net.lab("heal", "h1")
        assert game.wait_until_back(marks) < BACK
        game.hurry()
        assert_right(game.finish())


def test_who_looks_on_finds_the_game_by_name_and_goes_on_when_what_shows_it_is_cut_off(
    tmp_path: Path,
) -> None:
    with lan_game(4, tmp_path, thinking=THINKING) as game:
        started(game, 3)
        game.players[0].hear('"kind": "bid"')
        watcher = game.watch("h4")
        watcher.hear('"moment": "started"')
        game.players[0].hear("W1 looks on")
        game.net.lab("partition", "h1,h2,h3", "h4")
        mark = len(watcher.lines)
        watcher.hear("shows the game no more", 15, mark)
        game.net.lab("heal")
        watcher.hear('"moment": "told"', 15, mark)
        game.hurry()
        assert_right(game.finish())
        assert watcher.wait(15) == 0
        assert '"verified": true' in watcher.lines[-1]


def test_a_game_whose_opener_died_is_found_by_its_name_and_looked_on_at(tmp_path: Path) -> None:
    with lan_game(4, tmp_path, thinking=1.0, options={"patience": 5, "dice": 5}) as game:
        game.host(3)
        game.join("h2")
        game.join("h3")
        game.wait_for_start()
        marks = game.marks()
        game.signal(0, signal.SIGKILL)
        game.players[1].hear("The game goes on without P1", after=marks[1])
        watcher = game.watch("h4")
        watcher.hear('"moment": "told"')
        game.hurry()
        assert_right(game.finish(without=[0]))
        assert watcher.wait(30) == 0


def test_a_second_network_card_confuses_nobody(tmp_path: Path) -> None:
    """Fault 16."""
    with lan_game(2, tmp_path) as game:
        game.net.lab("nic", "h1", "2")
        assert_right(started(game, 2).finish())


def test_a_game_over_ipv6_alone(tmp_path: Path) -> None:
    """Fault 16."""
    with lan_game(2, tmp_path) as game:
        for host in ("h1", "h2"):
            game.net.ip(host, "-4", "addr", "flush", "dev", "eth0")
        assert_right(started(game, 2).finish())


def test_an_address_that_changes_in_mid_game_costs_a_moment(tmp_path: Path) -> None:
    """Fault 16."""
    with lan_game(2, tmp_path, thinking=THINKING) as game:
        started(game, 2)
        marks = game.marks()
        game.net.ip("h1", "addr", "add", "10.77.0.201/24", "dev", "eth0")
        game.net.ip("h1", "addr", "del", "10.77.0.1/24", "dev", "eth0")
        game.hurry()
        assert_right(game.finish())
        # The old link falls silent, which takes four seconds to see.
        assert 3 < game.longest_pause(marks) < 4 + BACK
