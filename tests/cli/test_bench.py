"""The `bench` command: its figures are measured and hang together, and it leaves nothing behind."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import time
from pathlib import Path

import pytest
from support.processes.machines import ROOT

from sobremesa.cli.commands import bench, measures
from sobremesa.cli.commands.measures import Lived, NotMeasured
from sobremesa.cli.session.moments import Moment, Told, Working
from sobremesa.core.views import View


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The same measures, each only as long as it must be."""
    monkeypatch.setattr(bench, "PEERS", (2,))
    monkeypatch.setattr(bench, "ALIVE_PEERS", (2,))
    monkeypatch.setattr(measures, "HANDS", 1)
    monkeypatch.setattr(measures, "REDEALS", 0)
    monkeypatch.setattr(measures, "ECHOES", 50)
    monkeypatch.setattr(measures, "PLAYOUT_SECONDS", 0.1)
    monkeypatch.setattr(measures, "STARTS", 1)
    monkeypatch.setattr(measures, "DECKS", (15,))
    monkeypatch.setattr(measures, "SHUFFLES", 1)
    monkeypatch.setattr(measures, "RECORD_PEERS", 2)
    monkeypatch.setattr(measures, "RECORDED", ("dudo",))
    monkeypatch.setattr(measures, "LONG_GAME", "dudo")
    monkeypatch.setattr(measures, "LONG_GAME_SEATS", 2)
    monkeypatch.setattr(measures, "COME_BACK", (5, 20))
    monkeypatch.setenv("SOBREMESA_NO_MDNS", "1")
    monkeypatch.setenv("SOBREMESA_HOME", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[str]]:
    """Every process that the bench starts."""
    processes: list[subprocess.Popen[str]] = []
    start = measures._python

    def remember(*words: str, **more: object) -> subprocess.Popen[str]:
        processes.append(start(*words, **more))  # type: ignore[arg-type]
        return processes[-1]

    monkeypatch.setattr(measures, "_python", remember)
    return processes


def assert_ended(processes: list[subprocess.Popen[str]], count: int) -> None:
    assert len(processes) == count
    assert all(process.returncode is not None for process in processes)


def instead_of_guests(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Whatever process is started runs this code."""
    run = measures._python
    monkeypatch.setattr(
        measures, "_python", lambda *words, quiet=False, **more: run("-c", code, quiet=quiet)
    )


# The command.


def test_figures_are_measured_in_one_run_and_their_ratios_hang_together(
    capsys: pytest.CaptureFixture[str], started: list[subprocess.Popen[str]]
) -> None:
    environment = dict(os.environ)
    assert bench.run(as_json=True) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures.pop("discovery") == "switched off"
    if figures["redeal_2_peers_s"] == "not played":
        del figures["redeal_2_peers_s"]
    assert all(value > 0 or "loop_wait" in name for name, value in figures.items()), figures
    assert figures["first_question_ms"] > figures["bare_start_ms"]
    per_start = figures["first_question_ms"] / figures["bare_start_ms"]
    assert figures["first_question_per_bare_start"] == round(per_start, 1)
    per_echo = figures["step_2_peers_ms"] / figures["echo_ms"]
    assert figures["step_2_peers_per_echo"] == round(per_echo, 1)
    assert figures["steps_2_peers"] > 10
    assert {"playouts_2_seats_per_s", "verify_15_ms", "round_to_bid_2_peers_s"} <= figures.keys()
    for shuffle in ("shuffle_52_2_peers", "shuffle_77_2_peers"):
        longest = figures[f"{shuffle}_loop_wait_max_ms"]
        assert figures[f"{shuffle}_loop_wait_median_ms"] <= longest
        assert longest < figures[f"{shuffle}_s"] * 1000
    assert 5 < figures["kill_to_next_question_s"] < 15
    resumed = [value for name, value in figures.items() if name.startswith("resume")]
    assert len(resumed) == 2
    assert figures["record_dudo_2_peers_bytes"] > 10_000
    assert_ended(started, 2 + 1 + 1 + 1 + 2 + 4 + 1)
    assert dict(os.environ) == environment


def test_people_get_a_line_for_each_part(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = {"start_up": {"bare_start_ms": 20.0}, "echo": {"echo_ms": 0.5},
                "steps": {"step_2_peers_ms": 2.0}}  # fmt: skip
    for part in (
        "start_up",
        "playouts",
        "echo",
        "steps",
        "discovery",
        "proofs",
        "shuffles",
        "hands",
        "losses",
        "comebacks",
        "records",
    ):
        found = measured.get(part, {})
        monkeypatch.setattr(measures, part, lambda *_, found=found: found)
    assert bench.run(as_json=False) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "start-up: bare_start_ms 20.0"
    assert lines[-1] == "beside the echo: step_2_peers_per_echo 4.0"
    assert len(lines) == 12


# What goes wrong.


def test_a_game_that_is_stuck_ends_the_bench_with_a_word(
    monkeypatch: pytest.MonkeyPatch, started: list[subprocess.Popen[str]]
) -> None:
    environment = dict(os.environ)
    instead_of_guests(monkeypatch, "import time; time.sleep(60)")
    monkeypatch.setattr(measures, "LONGEST_SECONDS", 0.5)
    with pytest.raises(NotMeasured, match="a game of 2 peers came to no end"):
        measures.steps(2)
    assert_ended(started, 1)
    assert dict(os.environ) == environment


def test_a_game_that_a_guest_leaves_ends_the_bench_with_a_word(
    started: list[subprocess.Popen[str]],
) -> None:
    def end_the_guest(lived: Lived) -> bool:
        started[0].terminate()
        return False

    with pytest.raises(NotMeasured, match="a game of 2 peers was lost: P1 ended too early"):
        measures.play_among(2, "dudo", end_the_guest)
    assert_ended(started, 1)


def test_a_command_that_breaks_is_said_to_have_broken(
    monkeypatch: pytest.MonkeyPatch, started: list[subprocess.Popen[str]]
) -> None:
    instead_of_guests(monkeypatch, "pass")
    with pytest.raises(NotMeasured, match="never said"):
        measures.start_up()
    assert_ended(started, 2)


# How shuffles are measured.


def told(kind: str, **values: object) -> Told:
    return Told({"kind": kind, **values}, "", View("", ()))


def at_work(number: int) -> Working:
    return Working("Ana", number, 2)


HAND: list[tuple[float, Moment]] = [
    (1.0, at_work(1)),
    (2.0, at_work(2)),
    (2.5, Working()),
    (3.0, told("hand")),
]
RESHUFFLE_AND_HAND: list[tuple[float, Moment]] = [
    (6.0, at_work(1)),
    (6.5, told("reshuffle")),
    (7.0, at_work(1)),
    (9.5, told("hand")),
]
REDEAL: list[tuple[float, Moment]] = [
    (4.0, told("play", card="redeal")),
    (4.5, at_work(1)),
    (5.5, told("redeal")),
]
WAITS = [(0.2, 0.3), (0.95, 0.12), (2.0, 0.05), (2.99, 0.2), (4.5, 0.04), (6.2, 0.5)]


def hands_of(
    monkeypatch: pytest.MonkeyPatch, moments: list[tuple[float, Moment]]
) -> tuple[bool, dict[str, object]]:
    """Whether these moments of 5 Alive are enough, and the figures of them."""
    lived = Lived(moments, WAITS)
    watched: list[bool] = []

    def play(peers: int, game: str, enough: measures.Enough) -> Lived:
        watched.append(enough(lived))
        return lived

    monkeypatch.setattr(measures, "play_among", play)
    figures = measures.hands(4)
    return watched[0], figures


def test_hands_and_a_redeal_are_measured_with_the_waits_in_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(measures, "REDEALS", 1)
    assert hands_of(monkeypatch, HAND + REDEAL + RESHUFFLE_AND_HAND) == (
        True,
        {
            "shuffle_77_4_peers_s": 2.25,
            "shuffle_77_4_peers_loop_wait_max_ms": 200.0,
            "shuffle_77_4_peers_loop_wait_median_ms": 120.0,
            "redeal_4_peers_s": 1.5,
            "redeal_4_peers_loop_wait_max_ms": 40.0,
            "redeal_4_peers_loop_wait_median_ms": 40.0,
        },
    )


def test_a_redeal_is_waited_for_and_said_not_to_be_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measures, "REDEALS", 1)
    enough, figures = hands_of(monkeypatch, HAND)
    assert not enough
    assert figures["redeal_4_peers_s"] == "not played"
    assert figures["shuffle_77_4_peers_s"] == 2.0


def test_a_loop_that_is_held_up_to_the_very_end_is_noticed() -> None:
    async def hold_up() -> list[tuple[float, float]]:
        waits: list[tuple[float, float]] = []
        ticking = asyncio.create_task(measures._tick(waits))
        await asyncio.sleep(0)
        time.sleep(0.3)  # noqa: ASYNC251
        ticking.cancel()
        await asyncio.gather(ticking, return_exceptions=True)
        return waits

    ((_, late),) = asyncio.run(hold_up())
    assert late >= 0.3 - measures.TICK
