"""Finding and joining tables on a real LAN (faults 1, 15, 16 and 17 of the network's list).

Each test runs programs on hosts of its own and measures what a player would wait for.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.processes.lan import Lan, Program, lan
from support.processes.lan_games import TABLE, lan_game

pytestmark = pytest.mark.lan


def shows(name: str, at: str | None = None) -> Callable[[dict[str, Any]], bool]:
    """Whether a list has a table of this name, and that it answers there."""
    return lambda line: any(
        table["name"] == name and at in (None, table["at"][0]) for table in line["tables"]
    )


def opened(net: Lan, host: str, name: str) -> tuple[Program, dict[str, Any]]:
    """Open a table; the program, and what it said when it stood."""
    program = net.peer(host, "host", name)
    return program, program.line(15)


def joined(net: Lan, host: str, name: str) -> dict[str, Any]:
    """Find a table by name or key and join it; what the guest said."""
    return net.peer(host, "join", name).line(20)


def test_a_table_is_found_and_joined_on_a_machine_with_only_loopback() -> None:
    with lan(1) as net:
        net.ip("h1", "link", "set", "eth0", "down")
        assert opened(net, "h1", "Alone")[1]["trouble"] is None
        assert joined(net, "h1", "Alone")["joined"] < 5


def test_tables_with_the_same_and_with_hostile_names_are_all_listed_and_joinable() -> None:
    names = {
        "Ana\n\x1b[2J\x1b]0;owned\x07host": "Ana host",
        "🎲" * 16: "🎲" * 16,
        "é" * 64: "é" * 39 + "…",
        "\u202eevi" + "x\u0301" + "\u0301" * 9: "evix\u0301\u0301",
        "\n": "?",
    }
    with lan(3) as net:
        programs = [(net.peer(host, "host", "Ana"), "Ana") for host in ("h1", "h2")]
        programs += [(net.peer("h1", "host", raw), shown) for raw, shown in names.items()]
        keys = {program.line(20)["key"]: shown for program, shown in programs}
        lister = net.peer("h3", "list")
        lister.until(15, lambda line: {t["key"]: t["name"] for t in line["tables"]} == keys)
        for guest in [net.peer("h3", "join", key) for key in keys]:
            assert guest.line(20)["joined"] < 5


def test_a_host_on_two_lans_is_joined_from_either() -> None:
    with lan(3) as net:
        net.lab("nic", "h1", "2")
        net.lab("nic", "h3", "2")
        net.ip("h3", "link", "set", "eth0", "down")
        opened(net, "h1", "Both")
        assert joined(net, "h2", "Both")["joined"] < 5
        assert joined(net, "h3", "Both")["joined"] < 5


def test_a_table_is_found_and_joined_without_ipv4() -> None:
    with lan(2) as net:
        for host in ("h1", "h2"):
            net.ip(host, "-4", "addr", "flush", "dev", "eth0")
        opened(net, "h1", "Six")
        guest = joined(net, "h2", "Six")
        assert guest["joined"] < 5
        assert guest["at"].startswith("fe80::")


def test_a_table_opened_without_a_network_is_found_when_there_is_one() -> None:
    with lan(2) as net:
        net.ip("h1", "addr", "flush", "dev", "eth0")
        net.ip("h1", "link", "set", "eth0", "down")
        lister = net.peer("h2", "list")
        opened(net, "h1", "Late")
        net.ip("h1", "link", "set", "eth0", "up")
        net.ip("h1", "addr", "add", "10.77.0.1/24", "dev", "eth0")
        assert lister.until(15, shows("Late")) < 5
        assert joined(net, "h2", "Late")["joined"] < 5


def test_a_list_opened_without_a_network_fills_when_there_is_one() -> None:
    with lan(2) as net:
        opened(net, "h1", "Here")
        net.ip("h2", "addr", "flush", "dev", "eth0")
        net.ip("h2", "link", "set", "eth0", "down")
        lister = net.peer("h2", "list")
        lister.line(10)
        net.ip("h2", "link", "set", "eth0", "up")
        net.ip("h2", "addr", "add", "10.77.0.2/24", "dev", "eth0")
        assert lister.until(15, shows("Here")) < 5


def test_a_table_whose_address_changes_is_found_at_the_new_one() -> None:
    with lan(2) as net:
        opened(net, "h1", "Moving")
        lister = net.peer("h2", "list")
        lister.until(10, shows("Moving", at="10.77.0.1"))
        net.ip("h1", "addr", "add", "10.77.0.99/24", "dev", "eth0")
        net.ip("h1", "addr", "del", "10.77.0.1/24", "dev", "eth0")
        net.ip("h1", "addr", "replace", "10.77.0.99/24", "dev", "eth0")
        lister.until(15, lambda line: not shows("Moving", at="10.77.0.1")(line))
        assert joined(net, "h2", "Moving")["joined"] < 5


def test_tables_of_openers_who_left_died_or_were_cut_off_are_gone_and_a_healed_one_is_back(
    tmp_path: Path,
) -> None:
    with lan_game(4, tmp_path) as killed:
        net = killed.net
        killed.host(4)
        left, _ = opened(net, "h2", "Left")
        opened(net, "h3", "Cut")
        lister = net.peer("h4", "list")
        lister.until(10, lambda line: all(shows(n)(line) for n in (TABLE, "Left", "Cut")))
        killed.signal(0, signal.SIGKILL)
        net.lab("cut", "h3", "--silent")
        gone = time.monotonic()
        assert left.end(signal.SIGTERM) == 0
        assert lister.until(10, lambda line: not shows("Left")(line)) < 3
        lister.until(20, lambda line: not line["tables"])
        assert time.monotonic() - gone <= 12
        net.lab("heal", "h3")
        lister.until(20, shows("Cut"))


TAKES_THE_PORT = """
import socket, time
taken = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
taken.bind(("", 5353))
print("{}", flush=True)
time.sleep(60)
"""


def test_without_port_5353_the_table_stands_and_is_joined_by_address() -> None:
    with lan(2) as net:
        net.start("h1", "python3", "-c", TAKES_THE_PORT).line(10)
        said = opened(net, "h1", "Deaf")[1]
        assert "port 5353 is taken" in said["trouble"]
        guest = net.peer("h2", "dial", f"10.77.0.1:{said['port']}")
        assert guest.line(10)["joined"] < 5
