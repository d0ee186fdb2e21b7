"""The `bench` command: what this machine does, beside a yardstick measured in the same run.

Rule 1: absolute times are this machine's; the ratios and medians are what can be compared.
Rule 2: every peer is a process of its own, and all traffic stays on this machine.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from sobremesa.core.encoding import unpack
from sobremesa.core.open_table import FairChance, OpenTable
from sobremesa.core.transcript import Record, read_transcript
from sobremesa.plugins import load_games

from .exits import DONE

PEERS = (2, 4, 8)
ECHOES = 2000
PLAYOUT_SECONDS = 2.0
STARTS = 7
LOOK_SECONDS = 15.0


def run(*, as_json: bool) -> int:
    """Measure and print."""
    figures: dict[str, Any] = {}
    parts: list[tuple[str, Callable[[], dict[str, Any]]]] = [
        ("start-up", start_up),
        ("playouts", playouts),
        ("echo", echo),
        *[(f"{n} peers", partial(steps, n)) for n in PEERS],
        ("discovery", discovery),
    ]
    for title, part in parts:
        found = part()
        figures.update(found)
        if not as_json:
            print(f"{title}: " + ", ".join(f"{name} {value}" for name, value in found.items()))
    if "echo_ms" in figures:
        ratios = {
            f"step_{n}_peers_per_echo": round(figures[f"step_{n}_peers_ms"] / figures["echo_ms"], 1)
            for n in PEERS
        }
        figures.update(ratios)
        if not as_json:
            print("beside the echo: " + ", ".join(f"{k} {v}" for k, v in ratios.items()))
    if as_json:
        print(json.dumps(figures))
    return DONE


def start_up() -> dict[str, Any]:
    """Seconds from the command to the first question of a game, beside a bare interpreter."""

    def once(*command: str, until: str | None = None) -> float:
        begin = time.perf_counter()
        with subprocess.Popen(
            [sys.executable, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=_environment(),
        ) as process:
            assert process.stdout is not None
            for line in process.stdout:
                if until is not None and until in line:
                    break
            taken = time.perf_counter() - begin
            process.kill()
        return taken

    bare = statistics.median(once("-c", "pass") for _ in range(STARTS))
    play = ("-m", "sobremesa", "play", "dudo", "--plain", "--json", "--pace", "0")
    first = statistics.median(once(*play, until='"asked"') for _ in range(STARTS))
    return {
        "bare_start_ms": _ms(bare),
        "first_question_ms": _ms(first),
        "first_question_per_bare_start": round(first / bare, 1),
    }


def playouts() -> dict[str, Any]:
    """Whole games of random legal moves on the open table, a second."""
    game = load_games().find("dudo")
    rng = random.Random(1)
    options = game.read_options({})
    rates: dict[str, Any] = {}
    for count in (2, 4):
        seats = tuple(f"P{n}" for n in range(count))
        games = 0
        begin = time.perf_counter()
        while time.perf_counter() - begin < PLAYOUT_SECONDS:
            table = OpenTable(game, seats, options, FairChance(rng.randrange))
            while table.outcome is None:
                seat, question = next(iter(table.asked.items()))
                table.answer(seat, question.sample(rng.randrange, table.faces(seat)))
            games += 1
        rates[f"playouts_{count}_seats_per_s"] = round(games / (time.perf_counter() - begin))
    return rates


def echo() -> dict[str, Any]:
    """A bare asyncio round trip on loopback between two processes: the yardstick."""
    return {"echo_ms": round(asyncio.run(_echo()) * 1000, 3)}


ECHO_SERVER = """
import asyncio
async def serve(reader, writer):
    while data := await reader.read(512):
        writer.write(data)
async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()
asyncio.run(main())
"""


async def _echo() -> float:
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-c", ECHO_SERVER, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert server.stdout is not None
        port = int(await server.stdout.readline())
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        times: list[float] = []
        for _ in range(ECHOES):
            begin = time.perf_counter()
            writer.write(bytes(256))
            await reader.readexactly(256)
            times.append(time.perf_counter() - begin)
        writer.close()
        return statistics.median(times)
    finally:
        server.kill()
        await server.wait()


def steps(peers: int) -> dict[str, Any]:
    """Milliseconds a protocol step, in a whole game of bots among so many processes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        saved = path / "game"
        host = _sobremesa(
            path / "0", "host", "dudo", "--seats", str(peers), "--name", "P0", "--open",
            "--auto", "--plain", "--json", "--pace", "0", "--save", str(saved),
            SOBREMESA_NO_MDNS="1",
        )  # fmt: skip
        guests: list[subprocess.Popen[str]] = []
        try:
            address = _await_address(host)
            guests += [
                _sobremesa(
                    path / str(n),
                    "join",
                    address,
                    "--name",
                    f"P{n}",
                    "--auto",
                    "--plain",
                    "--pace",
                    "0",
                    SOBREMESA_NO_MDNS="1",
                    quiet=True,
                )
                for n in range(1, peers)
            ]
            assert host.stdout is not None
            begin = end = 0.0
            for line in host.stdout:
                kind = json.loads(line).get("moment")
                if kind == "started":
                    begin = time.perf_counter()
                elif kind == "told":
                    end = time.perf_counter()
            for process in (host, *guests):
                process.wait(60)
        finally:
            for process in (host, *guests):
                process.kill()
                process.wait()
        charter, messages, _ = read_transcript(saved.read_bytes())
        count = _steps_in(messages)
        return {
            f"step_{len(charter.peers)}_peers_ms": round((end - begin) * 1000 / count, 2),
            f"steps_{len(charter.peers)}_peers": count,
        }


def _steps_in(messages: list[Record]) -> int:
    last, _ = messages[-1]
    return int(unpack(last)[1])


def discovery() -> dict[str, Any]:
    """Seconds from `host` until a list that runs, and one that starts then, shows the table."""
    if os.environ.get("SOBREMESA_NO_MDNS"):
        return {"discovery": "switched off"}
    return asyncio.run(_discovery())


async def _discovery() -> dict[str, Any]:
    from sobremesa.net.discovery import Browser

    name = f"Bench {os.getpid()}"
    running = Browser()
    trouble = await running.start()
    if trouble:
        await running.stop()
        return {"discovery": trouble}
    with tempfile.TemporaryDirectory() as folder:
        await asyncio.sleep(1)
        begin = time.perf_counter()
        host = _sobremesa(
            Path(folder), "host", "dudo", "--table", name, "--auto", "--plain", "--json", quiet=True
        )
        try:
            seen = await _seen(running, name, begin)
            await running.stop()
            fresh = Browser()
            begin = time.perf_counter()
            await fresh.start()
            again = await _seen(fresh, name, begin)
            await fresh.stop()
        finally:
            host.kill()
            host.wait()
    return {"seen_by_running_list_s": seen, "seen_by_fresh_list_s": again}


async def _seen(browser: Any, name: str, begin: float) -> float | None:
    while time.perf_counter() - begin < LOOK_SECONDS:
        if any(table.label == name for table in browser.tables):
            return round(time.perf_counter() - begin, 2)
        await asyncio.sleep(0.01)
    return None


def _sobremesa(
    home: Path, *words: str, quiet: bool = False, **environment: str
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "sobremesa", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL if quiet else subprocess.PIPE,
        text=True,
        env=_environment(SOBREMESA_HOME=str(home), **environment),
    )


def _await_address(host: subprocess.Popen[str]) -> str:
    """The first address of a host that runs with --json."""
    assert host.stdout is not None
    for line in host.stdout:
        addresses = json.loads(line).get("room", {}).get("addresses")
        if addresses:
            return str(addresses[0])
    raise RuntimeError("the host said no address")


def _environment(**more: str) -> dict[str, str]:
    return {**os.environ, "SOBREMESA_LOOPBACK": "1", **more}


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 1)
