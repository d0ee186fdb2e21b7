"""The `bench` command: its figures are measured and hang together, and it leaves nothing behind."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from support.processes import ROOT

from sobremesa.cli import bench
from sobremesa.core.errors import LocalError


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The same measures, each only as long as it must be."""
    monkeypatch.setattr(bench, "PEERS", (2,))
    monkeypatch.setattr(bench, "ALIVE_PEERS", (2,))
    monkeypatch.setattr(bench, "HANDS", 1)
    monkeypatch.setattr(bench, "ECHOES", 50)
    monkeypatch.setattr(bench, "PLAYOUT_SECONDS", 0.1)
    monkeypatch.setattr(bench, "STARTS", 1)
    monkeypatch.setattr(bench, "DECKS", (15,))
    monkeypatch.setattr(bench, "SHUFFLES", 1)
    monkeypatch.setenv("SOBREMESA_NO_MDNS", "1")
    monkeypatch.setenv("SOBREMESA_HOME", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[str]]:
    """Every process that the bench starts."""
    processes: list[subprocess.Popen[str]] = []
    start = bench._python

    def remember(*words: str, **more: object) -> subprocess.Popen[str]:
        processes.append(start(*words, **more))  # type: ignore[arg-type]
        return processes[-1]

    monkeypatch.setattr(bench, "_python", remember)
    return processes


def test_figures_are_measured_in_one_run_and_their_ratios_hang_together(
    capsys: pytest.CaptureFixture[str], started: list[subprocess.Popen[str]]
) -> None:
    assert bench.run(as_json=True) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures.pop("discovery") == "switched off"
    assert all(value > 0 for value in figures.values()), figures
    assert figures["first_question_ms"] > figures["bare_start_ms"]
    per_start = figures["first_question_ms"] / figures["bare_start_ms"]
    assert figures["first_question_per_bare_start"] == round(per_start, 1)
    per_echo = figures["step_2_peers_ms"] / figures["echo_ms"]
    assert figures["step_2_peers_per_echo"] == round(per_echo, 1)
    assert figures["steps_2_peers"] > 10
    assert {"playouts_2_seats_per_s", "verify_15_ms", "shuffle_52_2_peers_s"} <= figures.keys()
    assert len(started) == 2 + 2 + 2 + 2 + 3
    assert all(process.returncode is not None for process in started)


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
        "screen",
    ):
        found = measured.get(part, {})
        monkeypatch.setattr(bench, part, lambda *_, found=found: found)
    assert bench.run(as_json=False) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "start-up: bare_start_ms 20.0"
    assert lines[-1] == "beside the echo: step_2_peers_per_echo 4.0"
    assert len(lines) == 10


def test_a_game_that_is_stuck_ends_the_bench_with_a_word(
    monkeypatch: pytest.MonkeyPatch, started: list[subprocess.Popen[str]]
) -> None:
    stuck = """print('{"room": {"addresses": ["127.0.0.1:1"]}}', flush=True); input()"""
    run = bench._python
    monkeypatch.setattr(
        bench, "_python", lambda *words, **more: run("-c", stuck, quiet=more.get("quiet", False))
    )
    monkeypatch.setattr(bench, "LONGEST_SECONDS", 0.5)
    with pytest.raises(bench.NotMeasured, match="a game of 2 peers came to no end"):
        bench.steps(2)
    assert len(started) == 2
    assert all(process.returncode is not None for process in started)


def test_a_host_that_breaks_is_said_to_have_broken(
    monkeypatch: pytest.MonkeyPatch, started: list[subprocess.Popen[str]]
) -> None:
    run = bench._python
    monkeypatch.setattr(bench, "_python", lambda *words, **more: run("-c", "pass"))
    with pytest.raises(LocalError, match="never said"):
        bench.steps(2)
    assert [process.returncode is not None for process in started] == [True]


def test_the_screens_measure_leaves_the_environment_as_it_was() -> None:
    before = dict(os.environ)
    assert bench.screen()["loop_wait_max_ms"] > 0
    assert dict(os.environ) == before
