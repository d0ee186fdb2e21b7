"""The faults of the network's list, in full, on whole games: one line of figures a fault.

    python tests/campaigns/faults.py [FAULT ...] [--every N] [--times N]

FAULT is a number: 1 4 5 6 7 8 9 13 16 17 18 (default: all). `--every N` harms every N-th byte in
fault 9 (default: 1, every one, which takes an hour), `--times N` parts the network so often in
fault 6 (default: 20). All but 9, 13 and 18 need root and network namespaces. Exit status 1 if a
fault did more than it may. The others are shown elsewhere:

    2, 3    tests/campaigns/crashes.py
    10      tests/net/test_listen.py: test_silence_before_tls_is_ended_in_time and its likes
    11      tests/net/test_flood.py, tests/campaigns/flood.py
    12      tests/net/test_frames.py: test_no_attack_costs_memory_beyond_its_own_bytes;
            tests/net/test_listen.py: test_rubbish_is_answered_at_once_with_the_reason_...
    14      tests/net/test_listen.py: test_wrong_codes_are_told_and_change_nothing;
            tests/net/test_handshake.py: test_a_relay_in_the_middle_is_refused_by_both,
            test_a_recorded_auth_proves_nothing_later
    15      tests/lan/test_discovery_lan.py: test_tables_with_the_same_and_with_hostile_names_...
    18 too  tests/cli/test_tmux.py: test_a_signal_gives_the_terminal_back_as_it_was
    19      tests/net/test_store.py: test_a_torn_last_record_is_dropped_and_the_rest_goes_on,
            test_a_full_disk_is_told_and_leaves_the_journal_whole
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from support.peers.harm import BYTE_HARMS, FRAME_HARMS, ByteHarm, FrameHarm, play_harmed  # noqa: E402
from support.processes.lan import lan  # noqa: E402
from support.processes.lan_games import LanGame, Outcome, lan_game, started  # noqa: E402
from support.processes.machines import Command, Machine, machine  # noqa: E402

BACK = 3.0
EXIT = 3.0
NAMES = ("Ana", "Bea", "Cai")
PARTED = 20.0
PATIENCE = 5
LONG = {"patience": 120}
"""A patience that outlives every fault."""
FRESH = 1.0
"""Seconds in which a moved machine must have found its way, beside the four of silence."""


class TooMuch(Exception):
    """A fault did more than it may."""


def must(holds: bool, what: object) -> None:
    if not holds:
        raise TooMuch(str(what))


def right(outcome: Outcome) -> str:
    must(outcome.right, outcome)
    return f"same and verified, {outcome.steps} messages"


def only_loopback(folder: Path) -> str:
    with lan_game(1, folder) as game:
        game.net.ip("h1", "link", "set", "eth0", "down")
        game.host(2)
        start = time.monotonic()
        guest = game.join("h1")
        guest.hear('"moment": "room')
        joined = time.monotonic() - start
        game.wait_for_start()
        must(joined <= 5, f"joined after {joined:.1f} s")
        return f"joined {joined:.2f} s after the start of its process; {right(game.finish())}"


def frozen(folder: Path) -> str:
    with lan_game(3, folder, pace=1.0) as game:
        started(game, 3)
        back = []
        for peer in range(3):
            marks = game.marks()
            game.signal(peer, signal.SIGSTOP)
            time.sleep(10)
            others = [i for i in range(3) if i != peer]
            game.wait_for_banner(others, marks, seconds=1)
            game.signal(peer, signal.SIGCONT)
            back.append(game.wait_until_back(marks))
        must(max(back) < BACK, back)
        return f"frozen 10 s each: back after {listed(back)} s; {right(game.finish())}"


def cut_off(folder: Path) -> str:
    parts = []
    for seconds in (5, 60):
        for silent in ((), ("--silent",)):
            where = folder / f"{seconds}{len(silent)}"
            where.mkdir()
            with lan_game(3, where, pace=1.0, options=LONG) as game:
                started(game, 3)
                back = [_cut(game, peer, seconds, silent) for peer in range(3)]
                must(max(back) < BACK, f"{seconds} s {silent}: back after {listed(back)} s")
                outcome = right(game.finish())
            kind = "silent" if silent else "unplugged"
            parts.append(f"{seconds} s {kind}: back after {listed(back)} s, {outcome}")
    return "; ".join(parts)


def _cut(game: LanGame, peer: int, seconds: float, silent: Sequence[str]) -> float:
    marks = game.marks()
    game.net.lab("cut", f"h{peer + 1}", *silent)
    time.sleep(seconds)
    # A cut of five seconds is noticed after four, and called one a moment later.
    game.wait_for_banner([i for i in range(3) if i != peer], marks, seconds=4)
    game.net.lab("heal", f"h{peer + 1}")
    return game.wait_until_back(marks)


def parted(folder: Path, times: int) -> str:
    found = [_majority(folder / f"{turn}", lost) for turn, lost in _two_of_five(times)]
    banners, back = _halves(folder / "halves", times)
    return (
        f"3+2, {times} times: the 3 went on without the 2, after {listed(found)} s; 2+2, "
        f"{times} times: paused, {banners} banners, back after {back:.1f} s at most; nobody else "
        "gone, always same and verified"
    )


def _two_of_five(times: int) -> Iterator[tuple[int, tuple[int, int]]]:
    pairs = itertools.cycle(itertools.combinations(range(5), 2))
    return enumerate(itertools.islice(pairs, times))


def _majority(where: Path, lost: tuple[int, int]) -> float:
    """Part two from three; the seconds until the three went on."""
    where.mkdir()
    rest = [peer for peer in range(5) if peer not in lost]
    names = {f"P{peer + 1}" for peer in lost}
    with lan_game(5, where, thinking=2.0, options={"patience": PATIENCE, "dice": 5}) as game:
        started(game, 5)
        marks = game.marks()
        start = time.monotonic()
        game.part(rest, lost)
        game.players[rest[0]].hear("The game goes on without", PARTED, marks[rest[0]])
        went_on = time.monotonic() - start
        time.sleep(max(0.0, PARTED - went_on))
        game.net.lab("heal")
        for peer in lost:
            game.players[peer].hear('"moment": "over"', after=marks[peer])
        game.hurry()
        outcome = game.finish(without=lost)
        right(outcome)
        must(set(outcome.departures) == names, f"{lost}: {outcome}")
        return went_on


def _halves(where: Path, times: int) -> tuple[int, float]:
    """Part two from two, again and again; how many banners there were, and the seconds until all
    were back at most."""
    where.mkdir()
    back = []
    halves = itertools.cycle([((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2))])
    with lan_game(4, where, thinking=2.0, options={"patience": PATIENCE, "dice": 5}) as game:
        started(game, 4)
        for one, other in itertools.islice(halves, times):
            marks = game.marks()
            game.part(one, other)
            time.sleep(PARTED)
            game.wait_for_banner(range(4), marks, seconds=1)
            game.net.lab("heal")
            back.append(game.wait_until_back(marks))
        game.hurry()
        outcome = game.finish()
        right(outcome)
        must(outcome.departures == (), outcome)
        must(max(back) < BACK, back)
        return outcome.banners, max(back)


def slow_and_lossy(folder: Path) -> str:
    with lan_game(4, folder) as game:
        for host in ("h1", "h2", "h3", "h4"):
            game.net.lab("netem", host, "delay", "50ms", "5ms", "loss", "2.5%")
        outcome = started(game, 4).finish(300)
        must(outcome.banners == 0, outcome)
        must(outcome.move_p50 < 0.5, outcome)
        return (
            f"moves p50 {outcome.move_p50:.3f} s, p95 {outcome.move_p95:.3f} s, no banner; "
            f"{right(outcome)}"
        )


def disorder(folder: Path) -> str:
    with lan_game(4, folder) as game:
        for host in ("h1", "h2", "h3", "h4"):
            game.net.lab(
                *("netem", host, "delay", "5ms", "reorder", "30%", "duplicate", "10%"),
                *("corrupt", "5%"),
            )
        outcome = started(game, 4).finish(300)
        must(outcome.notices == (), outcome)
        return (
            f"moves p50 {outcome.move_p50:.3f} s, p95 {outcome.move_p95:.3f} s, "
            f"{outcome.banners} banners, no error shown; {right(outcome)}"
        )


def harm(folder: Path, every: int) -> str:
    os.environ["SOBREMESA_LOOPBACK"] = "1"
    parts = []
    for kind in BYTE_HARMS:
        count = sum(1 for _ in _harmed(folder, kind, every, 2, ByteHarm))
        parts.append(f"{kind} at {count} bytes")
    for kind in FRAME_HARMS:
        count = sum(1 for _ in _harmed(folder, f"{kind}", every, 3, FrameHarm))
        parts.append(f"{kind} of {count} frames")
    return f"{', '.join(parts)}: always the same game, nobody lost"


def _harmed(
    folder: Path, kind: str, every: int, players: int, harm: type[ByteHarm] | type[FrameHarm]
) -> Iterator[int]:
    at = 0
    while True:
        where = folder / f"{harm.__name__} {kind} {at}"
        result = asyncio.run(play_harmed(where, players, harm(kind, at)))
        must(result.same and not result.losses, f"{kind} at {at}: {result}")
        if not result.harmed:
            return
        yield at
        at += every


def slow_reader(folder: Path) -> str:
    with machine(folder) as here:
        host, bea, cai = _table(here)
        before, high = _memory(host), 0.0
        cai.send(signal.SIGSTOP)
        for number in range(500):
            host.type(f"'line {number}")
            time.sleep(0.02)
            high = max(high, _memory(host))
        bea.hear("Cai is away", 10)
        cai.send(signal.SIGCONT)
        start = time.monotonic()
        bea.hear("Cai is back", 10)
        back = time.monotonic() - start
        cai.type("'here again")
        bea.hear("Cai says: here again")
        must(high - before < 5, f"{high - before:.1f} MB more")
        return f"500 lines to a frozen guest: {high - before:+.1f} MB, back after {back:.1f} s"


def moved(folder: Path) -> str:
    parts = []
    for name, prepare in (("second card", _second_card), ("IPv6 only", _only_ipv6)):
        where = folder / name
        where.mkdir()
        with lan_game(2, where) as game:
            prepare(game)
            game.host(2)
            start = time.monotonic()
            guest = game.join("h2")
            guest.hear('"moment": "room')
            joined = time.monotonic() - start
            game.wait_for_start()
            must(joined <= 5, f"{name}: joined after {joined:.1f} s")
            parts.append(f"{name}: joined {joined:.2f} s, {right(game.finish())}")
    parts.append(_late_address(folder / "late"))
    parts += [_new_address(folder / f"new {peer}", peer) for peer in (0, 1)]
    return "; ".join(parts)


def _second_card(game: LanGame) -> None:
    game.net.lab("nic", "h1", "2")


def _only_ipv6(game: LanGame) -> None:
    for host in ("h1", "h2"):
        game.net.ip(host, "-4", "addr", "flush", "dev", "eth0")


def _late_address(folder: Path) -> str:
    folder.mkdir()
    with lan_game(2, folder) as game:
        game.net.ip("h1", "link", "set", "eth0", "down")
        game.host(2)
        time.sleep(2)
        game.net.ip("h1", "link", "set", "eth0", "up")
        start = time.monotonic()
        guest = game.join("h2")
        guest.hear('"moment": "room')
        joined = time.monotonic() - start
        must(joined <= 5, f"address after the start: joined after {joined:.1f} s")
        game.wait_for_start()
        return f"address after the start: joined {joined:.2f} s, {right(game.finish())}"


def _new_address(folder: Path, peer: int) -> str:
    folder.mkdir()
    with lan_game(2, folder, pace=0.4) as game:
        started(game, 2)
        host = f"h{peer + 1}"
        marks = game.marks()
        game.net.ip(host, "addr", "add", "10.77.0.201/24", "dev", "eth0")
        game.net.ip(host, "addr", "del", f"10.77.0.{peer + 1}/24", "dev", "eth0")
        outcome = game.finish()
        pause = game.longest_pause(marks)
        must(pause <= 5 + FRESH, f"another address of {host}: a pause of {pause:.1f} s")
        who = "opener" if peer == 0 else "guest"
        return f"another address of the {who}: a pause of {pause:.1f} s, {right(outcome)}"


def killed(folder: Path) -> str:
    gone = []
    for turn in range(3):
        where = folder / str(turn)
        where.mkdir()
        with lan(2) as net:
            game = LanGame(net, where)
            game.host(4)
            lister = net.peer("h2", "list")
            lister.until(10, lambda line: bool(line["tables"]))
            game.signal(0, signal.SIGKILL)
            gone.append(lister.until(15, lambda line: not line["tables"]))
            game.end()
    must(max(gone) <= 12, gone)
    return f"gone from the list after {listed(gone)} s"


def stopped(folder: Path) -> str:
    times = []
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        for playing in (False, True):
            for role in range(3):
                where = folder / f"{number} {playing} {role}"
                where.mkdir()
                with machine(where) as here:
                    commands = _table(here, playing=playing)
                    start = time.monotonic()
                    commands[role].send(number)
                    status = commands[role].wait()
                    times.append(time.monotonic() - start)
                    must(status == 128 + number, f"{number}, status {status}")
                    must(not commands[role].errors, commands[role])
                    others = [c for c in commands if c is not commands[role]]
                    if playing:
                        for other in others:
                            other.hear(f"{NAMES[role]} is away", 10)
                    elif role == 0:
                        must([c.wait() for c in others] == [3, 3], [str(c) for c in others])
    must(max(times) <= EXIT, f"{max(times):.1f} s")
    middle = statistics.median(times)
    return f"{len(times)} ends: median {middle:.2f} s, at most {max(times):.2f} s; all told"


def _table(here: Machine, *, playing: bool = True) -> tuple[Command, Command, Command]:
    host = here.host("--option", "seconds=0", seats=3)
    bea, cai = (here.join(host, name=name) for name in NAMES[1:])
    host.hear("3 of 3 seats taken")
    for command in (bea, cai):
        command.hear("Say ready when you are")
    if playing:
        for command in (host, bea, cai):
            command.type("ready")
        for command in (host, bea, cai):
            command.hear("Round 1")
    return host, bea, cai


def _memory(command: Command) -> float:
    """Megabytes that a process holds."""
    for line in Path(f"/proc/{command.process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise AssertionError("no such process")


def listed(seconds: Sequence[float]) -> str:
    return ", ".join(f"{value:.1f}" for value in seconds)


FAULTS: dict[int, Callable[..., str]] = {
    1: only_loopback,
    4: frozen,
    5: cut_off,
    6: parted,
    7: slow_and_lossy,
    8: disorder,
    9: harm,
    13: slow_reader,
    16: moved,
    17: killed,
    18: stopped,
}


def main(argv: Sequence[str] | None = None) -> int:
    arguments = argparse.ArgumentParser(description="Faults of the network, in full.")
    arguments.add_argument("fault", nargs="*", type=int, choices=[*FAULTS, []])
    arguments.add_argument("--every", type=int, default=1, metavar="N")
    arguments.add_argument("--times", type=int, default=20, metavar="N")
    chosen = arguments.parse_args(argv)
    failed = False
    for number in chosen.fault or FAULTS:
        fault = FAULTS[number]
        with tempfile.TemporaryDirectory() as folder:
            start = time.monotonic()
            more = {9: {"every": chosen.every}, 6: {"times": chosen.times}}.get(number, {})
            try:
                figures = fault(Path(folder), **more)
            except (TooMuch, AssertionError) as error:
                failed, figures = True, f"FAILED: {error}"
            except pytest.skip.Exception as reason:
                figures = f"not run: {reason}"
        print(f"{number}: {figures} ({time.monotonic() - start:.0f} s)", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
