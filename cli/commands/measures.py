"""What `bench` measures: a function each, that returns its figures by names which end in the unit.

Rule 1: every peer is a process of its own. This one opens the tables and lives at them as a client
does, so that what a player waits for is measured where the player is.
Rule 2: all traffic stays on this machine.
Rule 3: whatever is started is ended, and nothing is waited for without end.
"""

from __future__ import annotations

import asyncio
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from sobremesa.cli.session.defaults import Preferences
from sobremesa.cli.session.moments import Absent, Moment, Over, Started, Told, Working
from sobremesa.cli.session.network import host
from sobremesa.cli.session.table_session import TableSession
from sobremesa.core.crypto.group import G, Point, Q, add, base, hash_to_point, multiply
from sobremesa.core.crypto.proof import Row, prove, verify
from sobremesa.core.crypto.shuffle import shuffle, verify_shuffle
from sobremesa.core.crypto.slices import finish
from sobremesa.core.errors import LocalError
from sobremesa.core.open_table import FairChance, OpenTable
from sobremesa.core.playout import by_chance, play_on
from sobremesa.core.replica.charter import LEAST_PATIENCE, Settings
from sobremesa.core.replica.table import Table
from sobremesa.net.finding.discovery import Browser
from sobremesa.plugins.loader import load_games

Figures = dict[str, Any]

T = TypeVar("T")

ECHOES = 2000
PLAYOUT_SECONDS = 2.0
STARTS = 7
LOOK_SECONDS = 15.0
DECKS = (15, 52, 77, 109)
OPENED = 10
"""Cards of a hand that is opened."""
SHUFFLES = 4
"""Rounds of Cinco Vidas that are watched; before the first the keys are made, too."""
HANDS = 5
REDEALS = 1
"""Hands and RE-DEALs of 5 Alive that are watched, if the game has so many."""
RECORD_PEERS = 3
RECORDED: tuple[str, ...] = ()
"""Games whose records are weighed; none is all."""
LONG_GAME = "cinco-vidas"
LONG_GAME_SEATS = 8
COME_BACK = (20, 700)
"""Steps at which a guest is killed and comes back. 700 are three hours where eight people think a
quarter of a minute each."""
TICK = 0.01
LONGEST_SECONDS = 300.0
"""A game that takes longer is stuck."""

ALONE = {"SOBREMESA_LOOPBACK": "1"}


class NotMeasured(LocalError):
    """What was to be measured did not happen."""


# One process.


def start_up() -> Figures:
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


def playouts() -> Figures:
    """Whole games of random legal moves on the open table, a second."""
    game = load_games().find("dudo")
    rng = random.Random(1)
    options = game.read_options({})
    rates: Figures = {}
    for count in (2, 4):
        seats = tuple(f"P{n}" for n in range(count))
        games = 0
        begin = time.perf_counter()
        while time.perf_counter() - begin < PLAYOUT_SECONDS:
            table = OpenTable(game, seats, options, FairChance(rng.randrange))
            play_on(table, by_chance(rng.randrange))
            games += 1
        rates[f"playouts_{count}_seats_per_s"] = round(games / (time.perf_counter() - begin))
    return rates


def proofs() -> Figures:
    """Milliseconds to shuffle a deck and prove it, and to verify that, beside a multiplication."""
    key = base(Q - 12345)
    once = _median(lambda: [multiply(Q - 67890, key) for _ in range(100)]) / 100
    found: Figures = {"multiplication_us": round(once * 1e6)}
    for count in DECKS:
        for name, took in zip(("prove", "verify"), _prove_and_verify(key, count), strict=True):
            found[f"{name}_{count}_ms"] = _ms(took)
            found[f"{name}_{count}_per_multiplication"] = round(took / once)
    giving, checking = _open_hand(OPENED)
    return {**found, "open_hand_prove_ms": _ms(giving), "open_hand_verify_ms": _ms(checking)}


def _open_hand(count: int) -> tuple[float, float]:
    """Seconds to give shares of so many cards with their proof, and to check them."""
    secret = Q - 12345
    cards = [hash_to_point("card", "bench", str(n)) for n in range(count)]

    def rows() -> list[Row]:
        return [(base(secret), [(0, G)]), *((multiply(secret, a), [(0, a)]) for a in cards)]

    given = rows()
    proof = finish(prove(b"bench", given, [secret], bytes(32)))
    return (
        _median(lambda: finish(prove(b"bench", rows(), [secret], bytes(32)))),
        _median(lambda: finish(verify(b"bench", given, proof))),
    )


def _prove_and_verify(key: Point, count: int) -> tuple[float, float]:
    deck = [(G, add(hash_to_point("card", "bench", str(n)), key)) for n in range(count)]
    made = finish(shuffle(b"bench", key, deck, bytes(32)))
    return (
        _median(lambda: finish(shuffle(b"bench", key, deck, bytes(32)))),
        _median(lambda: finish(verify_shuffle(b"bench", key, deck, made.cards, made.proof))),
    )


def _median(action: Callable[[], object]) -> float:
    times: list[float] = []
    for _ in range(5):
        begin = time.perf_counter()
        action()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


# Two processes.


def echo() -> Figures:
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


def discovery() -> Figures:
    """Seconds from `host` until a list that runs, and one that starts then, shows the table."""
    if os.environ.get("SOBREMESA_NO_MDNS"):
        return {"discovery": "switched off"}
    with _environment():
        return asyncio.run(_discovery())


async def _discovery() -> Figures:
    name = f"Bench {os.getpid()}"
    running = Browser()
    trouble = await running.start()
    if trouble:
        await running.stop()
        return {"discovery": trouble}
    with tempfile.TemporaryDirectory() as folder:
        await asyncio.sleep(1)
        begin = time.perf_counter()
        opener = _sobremesa(
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
            _end(opener)
            await running.stop()
            await fresh.stop()
    return {"seen_by_running_list_s": seen, "seen_by_fresh_list_s": again}


async def _seen(browser: Browser, name: str, begin: float) -> float | None:
    while time.perf_counter() - begin < LOOK_SECONDS:
        if any(table.label == name for table in browser.tables):
            return round(time.perf_counter() - begin, 2)
        await asyncio.sleep(0.01)
    return None


# Tables.


Span = tuple[float, float]
"""From when to when, by `time.perf_counter`."""

Kind = Callable[[Moment], bool]
"""Whether a moment is of some kind."""


@dataclass(slots=True)
class Lived:
    """What the opener of a table lived through."""

    moments: list[tuple[float, Moment]] = field(default_factory=list)
    """All that happened, and when, by `time.perf_counter`."""
    waits: list[tuple[float, float]] = field(default_factory=list)
    """When a task went to sleep for a `TICK`, and how many seconds late it went on."""
    steps: int = 0
    """Steps of the protocol."""
    record: int = 0
    """Bytes of the record."""

    def spans(self, begins: Kind, ends: Kind) -> list[Span]:
        """Every time from a moment of one kind, the last if there are some, to one of the other."""
        spans: list[Span] = []
        since: float | None = None
        for at, moment in self.moments:
            if begins(moment):
                since = at
            elif ends(moment) and since is not None:
                spans.append((since, at))
                since = None
        return spans

    def figures(self, name: str, spans: list[Span]) -> Figures:
        """Seconds that these took in the median, and milliseconds that the loop was held up at the
        longest and in the median meanwhile."""
        if not spans:
            return {f"{name}_s": "not played"}
        late = [
            wait
            for asleep, wait in self.waits
            if any(asleep <= end and begin <= asleep + TICK + wait for begin, end in spans)
        ]
        return {
            f"{name}_s": round(_median_of(spans), 2),
            f"{name}_loop_wait_max_ms": _ms(max(late)),
            f"{name}_loop_wait_median_ms": _ms(statistics.median(late)),
        }


Enough = Callable[[Lived], bool]
"""Whether a game was watched for long enough."""


def told(kind: str, **values: object) -> Kind:
    """Moments that tell an event with these values."""
    wanted = {"kind": kind, **values}
    return lambda moment: isinstance(moment, Told) and wanted.items() <= moment.event.items()


def work_begins(moment: Moment) -> bool:
    """The first peer is at a shuffle."""
    return isinstance(moment, Working) and moment.number == 1


def work_ends(moment: Moment) -> bool:
    return isinstance(moment, Working) and not moment.who


def steps(peers: int) -> Figures:
    """Milliseconds a protocol step, in a whole game of dice."""
    lived = play_among(peers, "dudo")
    (begin,) = (at for at, moment in lived.moments if isinstance(moment, Started))
    end = max(at for at, moment in lived.moments if isinstance(moment, Told))
    return {
        f"step_{peers}_peers_ms": round((end - begin) * 1000 / lived.steps, 2),
        f"steps_{peers}_peers": lived.steps,
    }


def shuffles(peers: int) -> Figures:
    """Of a verified shuffle of 52 cards, and seconds from the end of a round to the next bid."""

    def rounds(lived: Lived) -> list[Span]:
        return lived.spans(told("round_over"), told("bid"))

    lived = play_among(peers, "cinco-vidas", lambda lived: len(rounds(lived)) == SHUFFLES)
    if not rounds(lived):
        raise NotMeasured(f"a game of cards among {peers} peers came to no second round")
    return {
        **lived.figures(f"shuffle_52_{peers}_peers", lived.spans(work_begins, work_ends)),
        f"round_to_bid_{peers}_peers_s": round(_median_of(rounds(lived)), 2),
    }


def hands(peers: int) -> Figures:
    """Of a verified shuffle of the 77 cards of 5 Alive with its deal, and of a RE-DEAL."""

    def decks(lived: Lived) -> list[Span]:
        return lived.spans(work_begins, told("hand"))

    def redeals(lived: Lived) -> list[Span]:
        return lived.spans(told("play", card="redeal"), told("redeal"))

    def enough(lived: Lived) -> bool:
        return len(decks(lived)) >= HANDS and len(redeals(lived)) >= REDEALS

    lived = play_among(peers, "five-alive", enough)
    if not decks(lived):
        raise NotMeasured(f"{peers} peers never shuffled the deck of 5 Alive")
    return {
        **lived.figures(f"shuffle_77_{peers}_peers", decks(lived)),
        **lived.figures(f"redeal_{peers}_peers", redeals(lived)),
    }


def records() -> Figures:
    """Bytes of the record of a whole game, of each game."""
    return {
        f"record_{name}_{RECORD_PEERS}_peers_bytes": play_among(RECORD_PEERS, name).record
        for name in RECORDED or load_games().games
    }


def losses() -> Figures:
    """Seconds from the kill of one of three until the others go on without it."""
    return {"kill_to_next_question_s": round(_in_time(_kill_one()), 2)}


async def _kill_one() -> float:
    async with _party(3, "dudo", LEAST_PATIENCE) as party:
        killed = 0.0
        async for moment in party.session.moments():
            if not isinstance(moment, Told):
                continue
            if not killed:
                party.guests[-1].kill()
                killed = time.perf_counter()
            elif party.table.departures:
                return time.perf_counter() - killed
    raise NotMeasured("a game ended before anybody was missed")


def comebacks() -> Figures:
    """Seconds from `resume` to a view of the table, early and late in a game of three hours."""
    found = _in_time(_come_back())
    if len(found) < len(COME_BACK):
        return {"resume_s": "not played"}
    return {f"resume_at_step_{step}_s": round(took, 2) for step, took in found}


async def _come_back() -> list[tuple[int, float]]:
    """At which steps a guest was killed and came back, and how long that took."""
    found: list[tuple[int, float]] = []
    async with _party(2, LONG_GAME, bots=LONG_GAME_SEATS - 2) as party:
        async for _ in party.session.moments():
            if party.session.table is None or party.table.step < COME_BACK[len(found)]:
                continue
            step = party.table.step
            _end(party.guests[-1])
            begin = time.perf_counter()
            back = party.guest(1, "resume", "--json", quiet=False)
            await asyncio.to_thread(_line_with, '"view"', back)
            found.append((step, time.perf_counter() - begin))
            if len(found) == len(COME_BACK):
                break
            _end(back)  # nobody reads on
            party.guest(1, "resume")
    return found


def play_among(peers: int, game: str, enough: Enough = lambda lived: False) -> Lived:
    """Play a game of bots among so many peers, to its end or until that is enough.

    :raises NotMeasured: if it comes to neither
    """
    return _in_time(_play_among(peers, game, enough), f"a game of {peers} peers")


def _in_time(life: Coroutine[Any, Any, T], what: str = "a game") -> T:
    """What comes of it.

    :raises NotMeasured: if it is stuck
    """
    try:
        return asyncio.run(asyncio.wait_for(life, LONGEST_SECONDS))
    except TimeoutError:
        raise NotMeasured(f"{what} came to no end") from None


async def _play_among(peers: int, name: str, enough: Enough) -> Lived:
    lived = Lived()
    async with _party(peers, name) as party:
        ticking = asyncio.create_task(_tick(lived.waits))
        try:
            async for moment in party.session.moments():
                lived.moments.append((time.perf_counter(), moment))
                for number, guest in enumerate(party.guests, 1):
                    # It keeps its seat, so the game would wait for it for ever.
                    if isinstance(moment, Absent) and moment.absences and guest.poll() is not None:
                        raise NotMeasured(
                            f"a game of {peers} peers was lost: P{number} ended too early"
                        )
                if isinstance(moment, Over) and moment.status:
                    raise NotMeasured(f"a game of {peers} peers was lost: {moment.text}")
                if isinstance(moment, Told) and enough(lived):
                    break
        finally:
            ticking.cancel()
        lived.steps = party.table.step
        lived.record = len(party.table.transcript())
    return lived


@dataclass(slots=True)
class Party:
    """A table that this process has opened, and its guests, each with a home below `home`."""

    session: TableSession
    home: Path
    guests: list[subprocess.Popen[str]] = field(default_factory=list)

    @property
    def table(self) -> Table:
        assert self.session.table is not None
        return self.session.table

    def guest(self, number: int, *words: str, quiet: bool = True) -> subprocess.Popen[str]:
        """Another process of a guest, who is played by a bot."""
        words = (*words, "--name", f"P{number}", "--auto", "--plain", "--pace", "0")
        self.guests.append(_sobremesa(self.home / str(number), *words, quiet=quiet))
        return self.guests[-1]

    def end(self) -> None:
        """End what is left of them."""
        for guest in self.guests:
            _end(guest)


@asynccontextmanager
async def _party(
    peers: int, name: str, patience: int = Settings().patience, bots: int = 0
) -> AsyncIterator[Party]:
    """A table of so many peers, and bots in the seats of the first, from the waiting room on."""
    games = load_games()
    game = games.find(name)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as ending:
        home = Path(folder)
        ending.enter_context(_environment(SOBREMESA_NO_MDNS="1", SOBREMESA_HOME=str(home / "0")))
        session = await host(
            games,
            game,
            Preferences("P0", pace=0.0, auto=True),
            table="Bench",
            seats=peers + bots,
            bots=bots,
            options=game.read_options({}),
            settings=Settings(patience=patience),
            code=None,
            is_open=True,
            port=0,
        )
        party = Party(session, home)
        ending.callback(party.end)
        try:
            assert session.node is not None
            (address, *_) = session.node.addresses()
            for number in range(1, peers):
                party.guest(number, "join", str(address))
            yield party
        finally:
            await session.leave()


async def _tick(waits: list[tuple[float, float]]) -> None:
    """Note how late the loop comes back to a task, even when it is cancelled."""
    while True:
        asleep = time.perf_counter()
        try:
            await asyncio.sleep(TICK)
        finally:
            waits.append((asleep, max(0.0, time.perf_counter() - asleep - TICK)))


# Processes.


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


def _median_of(spans: list[Span]) -> float:
    return statistics.median(end - begin for begin, end in spans)


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 1)
