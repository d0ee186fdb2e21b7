"""The `bench` command: what this machine does, beside a yardstick measured in the same run.

Rule 1: absolute times are this machine's; the ratios and medians are what can be compared.
Rule 2: every peer is a process of its own, and all traffic stays on this machine.
Rule 3: whatever it starts it ends, and it waits for nothing without end.
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
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from sobremesa.core.charter import Settings
from sobremesa.core.encoding import unpack
from sobremesa.core.errors import LocalError
from sobremesa.core.group import G, Point, Q, add, base, hash_to_point, multiply
from sobremesa.core.open_table import FairChance, OpenTable
from sobremesa.core.proof import Row, prove, verify
from sobremesa.core.shuffle import shuffle, verify_shuffle
from sobremesa.core.steps import done
from sobremesa.core.transcript import Record, read_transcript
from sobremesa.plugins import load_games

from .exits import DONE

PEERS = (2, 4, 8)
ALIVE_PEERS = (4, 6)
ECHOES = 2000
PLAYOUT_SECONDS = 2.0
STARTS = 7
LOOK_SECONDS = 15.0
TICK = 0.01
LONGEST_SECONDS = 300.0
"""A process that takes longer is stuck."""

ALONE = {"SOBREMESA_LOOPBACK": "1"}


class NotMeasured(LocalError):
    """What was to be measured did not happen."""


def run(*, as_json: bool) -> int:
    """Measure and print.

    :raises NotMeasured: if something does not work
    """
    figures: dict[str, Any] = {}
    parts: list[tuple[str, Callable[[], dict[str, Any]]]] = [
        ("start-up", start_up),
        ("playouts", playouts),
        ("echo", echo),
        *[(f"{n} peers", partial(steps, n)) for n in PEERS],
        ("discovery", discovery),
        ("proofs", proofs),
        *[(f"{n} peers shuffle", partial(shuffles, n)) for n in PEERS],
        *[(f"{n} peers deal 5 Alive", partial(hands, n)) for n in ALIVE_PEERS],
        ("screen while 4 peers shuffle", screen),
    ]
    for title, part in parts:
        found = part()
        figures.update(found)
        if not as_json:
            print(f"{title}: " + ", ".join(f"{name} {value}" for name, value in found.items()))
    ratios = {
        f"step_{n}_peers_per_echo": round(figures[f"step_{n}_peers_ms"] / figures["echo_ms"], 1)
        for n in PEERS
    }
    figures.update(ratios)
    if not as_json:
        print("beside the echo: " + ", ".join(f"{k} {v}" for k, v in ratios.items()))
    else:
        print(json.dumps(figures))
    return DONE


def start_up() -> dict[str, Any]:
    """Seconds from the command to the first question of a game, beside a bare interpreter."""

    def once(*command: str, until: str = "") -> float:
        begin = time.perf_counter()
        with ExitStack() as ending:
            process = _python(*command)
            ending.callback(_end, process)
            _line_with(until, process)
            return time.perf_counter() - begin

    bare = statistics.median(once("-c", "pass") for _ in range(STARTS))
    play = ("-m", "sobremesa", "play", "dudo", "--plain", "--json", "--pace", "0")
    first = statistics.median(once(*play, until='"asked"') for _ in range(STARTS))
    figures = {"bare_start_ms": _ms(bare), "first_question_ms": _ms(first)}
    ratio = figures["first_question_ms"] / figures["bare_start_ms"]
    return figures | {"first_question_per_bare_start": round(ratio, 1)}


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


Line = tuple[float, dict[str, Any]]
"""When the host said something, by `time.perf_counter`, and the moment as an object."""


def play_among(
    peers: int, game: str, *words: str, until: Callable[[Line], bool] | None = None
) -> list[Line]:
    """Play a game of bots among so many processes; what the host said, until the end or a line."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as ending:
        home = Path(folder)
        auto = ("--auto", "--plain", "--pace", "0")
        host = _sobremesa(
            home / "0", "host", game, "--seats", str(peers), "--name", "P0", "--open", "--json",
            *auto, *words, SOBREMESA_NO_MDNS="1",
        )  # fmt: skip
        ending.callback(_end, host)
        address = _await_address(host)
        for number in range(1, peers):
            name = f"P{number}"
            guest = _sobremesa(
                home / name, "join", address, "--name", name, *auto,
                SOBREMESA_NO_MDNS="1", quiet=True,
            )  # fmt: skip
            ending.callback(_end, guest)
        watch = threading.Timer(LONGEST_SECONDS, host.kill)
        watch.start()
        ending.callback(watch.cancel)
        assert host.stdout is not None
        said: list[Line] = []
        for text in host.stdout:
            said.append((time.perf_counter(), json.loads(text)))
            if until is not None and until(said[-1]):
                break
        return said


def steps(peers: int) -> dict[str, Any]:
    """Milliseconds a protocol step, in a whole game of dice."""
    with tempfile.TemporaryDirectory() as folder:
        saved = Path(folder) / "game"
        said = play_among(peers, "dudo", "--save", str(saved))
        if not saved.exists():
            raise NotMeasured(f"a game of {peers} peers came to no end")
        count = _steps_in(read_transcript(saved.read_bytes())[1])
    (begin,) = (at for at, moment in said if moment["moment"] == "started")
    end = max(at for at, moment in said if moment["moment"] == "told")
    return {
        f"step_{peers}_peers_ms": round((end - begin) * 1000 / count, 2),
        f"steps_{peers}_peers": count,
    }


def _steps_in(messages: list[Record]) -> int:
    last, _ = messages[-1]
    return int(unpack(last)[1])


DECKS = (15, 52, 77, 109)
HAND = 10
HANDS = 5
SHUFFLES = 4
"""Shuffles of a deck that are watched, the first of which also makes the keys."""


def proofs() -> dict[str, Any]:
    """Milliseconds to shuffle a deck and prove it, and to verify that, beside a multiplication."""
    key = base(Q - 12345)
    once = _median(lambda: [multiply(Q - 67890, key) for _ in range(100)]) / 100
    found: dict[str, Any] = {"multiplication_us": round(once * 1e6)}
    for count in DECKS:
        for name, took in zip(("prove", "verify"), _prove_and_verify(key, count), strict=True):
            found[f"{name}_{count}_ms"] = _ms(took)
            found[f"{name}_{count}_per_multiplication"] = round(took / once)
    giving, checking = _open_hand(HAND)
    return {**found, "open_hand_prove_ms": _ms(giving), "open_hand_verify_ms": _ms(checking)}


def _open_hand(count: int) -> tuple[float, float]:
    """Seconds to give shares of so many cards with their proof, and to check them."""
    secret = Q - 12345
    cards = [hash_to_point("card", "bench", str(n)) for n in range(count)]

    def rows() -> list[Row]:
        return [(base(secret), [(0, G)]), *((multiply(secret, a), [(0, a)]) for a in cards)]

    given = rows()
    proof = done(prove(b"bench", given, [secret], bytes(32)))
    return (
        _median(lambda: done(prove(b"bench", rows(), [secret], bytes(32)))),
        _median(lambda: done(verify(b"bench", given, proof))),
    )


def _prove_and_verify(key: Point, count: int) -> tuple[float, float]:
    deck = [(G, add(hash_to_point("card", "bench", str(n)), key)) for n in range(count)]
    made = done(shuffle(b"bench", key, deck, bytes(32)))
    return (
        _median(lambda: done(shuffle(b"bench", key, deck, bytes(32)))),
        _median(lambda: done(verify_shuffle(b"bench", key, deck, made.cards, made.proof))),
    )


def _median(action: Callable[[], object]) -> float:
    times: list[float] = []
    for _ in range(5):
        begin = time.perf_counter()
        action()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def shuffles(peers: int) -> dict[str, Any]:
    """Seconds of a verified shuffle of 52 cards, and from the end of a round to the next bid."""
    taken: list[float] = []
    gaps: list[float] = []
    begin = ended = 0.0

    def watch(line: Line) -> bool:
        nonlocal begin, ended
        at, moment = line
        if moment["moment"] == "working":
            if moment["who"] and moment["number"] == 1:
                begin = at
            elif not moment["who"]:
                taken.append(at - begin)
        kind = moment["event"]["kind"] if moment["moment"] == "told" else ""
        if kind == "round_over":
            ended = at
        elif kind == "bid" and ended:
            gaps.append(at - ended)
            ended = 0.0
        return len(gaps) == SHUFFLES or kind == "over"

    play_among(peers, "cinco-vidas", until=watch)
    if not gaps:
        raise NotMeasured(f"a game of cards among {peers} peers came to no second round")
    return {
        f"shuffle_52_{peers}_peers_s": round(statistics.median(taken), 2),
        f"round_to_bid_{peers}_peers_s": round(statistics.median(gaps), 2),
    }


def hands(peers: int) -> dict[str, Any]:
    """Seconds of a verified shuffle of the 77 cards of 5 Alive, and of a RE-DEAL, with its deal,
    if one was played within some hands."""
    taken: dict[str, list[float]] = {"deck": [], "redeal": []}
    begin = redealt = 0.0

    def watch(line: Line) -> bool:
        nonlocal begin, redealt
        at, moment = line
        event = moment["event"] if moment["moment"] == "told" else {"kind": ""}
        if moment["moment"] == "working" and moment["number"] == 1:
            begin = at
        elif event["kind"] == "hand":
            taken["deck"].append(at - begin)
        elif event["kind"] == "play" and event["card"] == "redeal":
            redealt = at
        elif event["kind"] == "redeal":
            taken["redeal"].append(at - redealt)
        return len(taken["deck"]) == HANDS or moment["moment"] == "over"

    play_among(peers, "five-alive", until=watch)
    if not taken["deck"]:
        raise NotMeasured(f"{peers} peers never shuffled the deck of 5 Alive")
    names = {"deck": f"shuffle_77_{peers}_peers_s", "redeal": f"redeal_{peers}_peers_s"}
    return {names[n]: round(statistics.median(all_), 2) for n, all_ in taken.items() if all_}


def screen() -> dict[str, Any]:
    """Milliseconds that a client's loop was held up at the longest, and in the median, while four
    peers shuffled: the table here is played in this process, as a client plays it."""
    return asyncio.run(_screen())


async def _screen() -> dict[str, Any]:
    from .networked import host
    from .session import Over, Working
    from .sitting import Habits

    games = load_games()
    game = games.find("cinco-vidas")
    late: list[float] = []
    with tempfile.TemporaryDirectory() as folder, ExitStack() as ending:
        home = Path(folder)
        ending.enter_context(_environment(SOBREMESA_NO_MDNS="1", SOBREMESA_HOME=str(home / "0")))
        sitting = await host(
            games,
            game,
            Habits("P0", pace=0.0, auto=True),
            table="Bench",
            seats=4,
            bots=0,
            options=game.read_options({}),
            settings=Settings(),
            code=None,
            is_open=True,
            port=0,
        )
        (address, *_) = sitting.node.addresses()
        for number in range(1, 4):
            name = f"P{number}"
            guest = _sobremesa(
                home / name, "join", str(address), "--name", name, "--auto", "--plain",
                "--pace", "0", SOBREMESA_NO_MDNS="1", quiet=True,
            )  # fmt: skip
            ending.callback(_end, guest)
        ticking: asyncio.Task[None] | None = None
        shuffled = 0
        async for moment in sitting.moments():
            if isinstance(moment, Working) and moment.who and ticking is None:
                ticking = asyncio.create_task(_tick(late))
            elif isinstance(moment, Working) and not moment.who and ticking is not None:
                ticking.cancel()
                ticking = None
                shuffled += 1
            if shuffled == SHUFFLES or isinstance(moment, Over):
                break
        await sitting.leave()
    if not late:
        raise NotMeasured("four peers never shuffled")
    return {"loop_wait_max_ms": _ms(max(late)), "loop_wait_median_ms": _ms(statistics.median(late))}


@contextmanager
def _environment(**values: str) -> Iterator[None]:
    """This process stays on loopback for a while, with these variables."""
    before = dict(os.environ)
    os.environ.update(ALONE, **values)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


async def _tick(late: list[float]) -> None:
    while True:
        begin = time.perf_counter()
        await asyncio.sleep(TICK)
        late.append(time.perf_counter() - begin - TICK)


def discovery() -> dict[str, Any]:
    """Seconds from `host` until a list that runs, and one that starts then, shows the table."""
    if os.environ.get("SOBREMESA_NO_MDNS"):
        return {"discovery": "switched off"}
    os.environ.update(ALONE)  # our own lists look at this machine only, too
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
        fresh = Browser()
        try:
            seen = await _seen(running, name, begin)
            await running.stop()
            begin = time.perf_counter()
            await fresh.start()
            again = await _seen(fresh, name, begin)
        finally:
            _end(host)
            await running.stop()
            await fresh.stop()
    return {"seen_by_running_list_s": seen, "seen_by_fresh_list_s": again}


async def _seen(browser: Any, name: str, begin: float) -> float | None:
    while time.perf_counter() - begin < LOOK_SECONDS:
        if any(table.label == name for table in browser.tables):
            return round(time.perf_counter() - begin, 2)
        await asyncio.sleep(0.01)
    return None


# Processes.


def _sobremesa(
    home: Path, *words: str, quiet: bool = False, **environment: str
) -> subprocess.Popen[str]:
    environment["SOBREMESA_HOME"] = str(home)
    return _python("-m", "sobremesa", *words, quiet=quiet, **environment)


def _python(*words: str, quiet: bool = False, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *words],
        stdin=subprocess.DEVNULL if quiet else subprocess.PIPE,
        stdout=subprocess.DEVNULL if quiet else subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1", **ALONE, **environment},
    )


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def _line_with(part: str, process: subprocess.Popen[str]) -> str:
    """The first line in which this is found; with "", when the output has ended, nothing.

    :raises NotMeasured: if there is none
    """
    assert process.stdout is not None
    for line in process.stdout:
        if part and part in line:
            return line
    if part:
        raise NotMeasured(f"a process ended and never said {part}")
    return ""


def _await_address(host: subprocess.Popen[str]) -> str:
    """The first address of a host that runs with --json."""
    return str(json.loads(_line_with('"addresses": ["', host))["room"]["addresses"][0])


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 1)
