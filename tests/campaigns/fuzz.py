"""A campaign: all that comes from elsewhere, mutated: its bytes, and its values by their form.

What is tried are frames, listings, TXT records, rooms, charters, messages, bodies of each kind,
transcripts, journals and scenario files. Nothing but the documented errors may come of it, within a
second and in little memory. Each trial follows from its target and number, so a failure is had
again with `--only TARGET --first NUMBER --rounds 1`. Run it as

    python tests/campaigns/fuzz.py --seconds 600
"""

from __future__ import annotations

import argparse
import contextlib
import io
import itertools
import json
import random
import sys
import tempfile
import time
import tracemalloc
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from support.games import flowers, toy
from support.peers.card_tables import CardTable
from support.peers.meshes import Meshes
from support.peers.tabletop import COPY, Tabletop, key
from zeroconf.asyncio import AsyncServiceInfo

from sobremesa.cli.commands.games import scenario
from sobremesa.core.crypto.slices import finish, is_work
from sobremesa.core.encoding import frame, pack, unpack
from sobremesa.core.errors import BadMessage, BadTranscript, LocalError, SobremesaError
from sobremesa.core.replica.audit import audit, reopen
from sobremesa.core.replica.charter import BadCharter, Charter
from sobremesa.core.replica.faults import Finding, PeerError
from sobremesa.core.replica.steps import Step
from sobremesa.core.replica.table import Table
from sobremesa.core.replica.transcript import MAGIC, Message
from sobremesa.core.schema import Bool, Bytes, Int, ListOf, Maybe, Row, Spec, Text, Word
from sobremesa.net.finding.discovery import txt_record
from sobremesa.net.finding.listing import BadListing, read_listing
from sobremesa.net.links.addresses import Address
from sobremesa.net.links.frames import LIMIT, SCHEMA, BadFrame, Frame, FrameReader
from sobremesa.net.room.room import Chair, RoomView
from sobremesa.net.store import CannotStore, Store
from sobremesa.plugins.loader import load_games

SCENARIOS = Path(__file__).parents[1] / "scenarios"

MOST_SECONDS = 1.0
MOST_MEMORY = 16 << 20
"""Bytes that a trial may take beside what it is given: that is LIMIT bytes at most, or a file."""

GAMES = {game.id: game for game in (toy.GAME, flowers.GAME)}


# Mutations.


@dataclass(frozen=True, slots=True)
class Raw:
    """Bytes that stand for themselves among packed values."""

    data: bytes


RAW = (
    b"\x91" * 3000 + b"\xc0",  # deep
    b"\x91" * 400 + b"\xc0",
    b"\x81\xa0" * 400 + b"\xc0",
    b"\xdd\xff\xff\xff\xff",  # counts of what is not there
    b"\xdc\xff\xff",
    b"\xdf\xff\xff\xff\xff",
    b"\xc6\xff\xff\xff\xff",
    b"\xdb\x7f\xff\xff\xff",
    b"\xdc\xff\xff" + b"\x90" * 0xFFFF,  # small here, large in memory
    b"\xdc\x80\x00" + b"\xa1x" * 0x8000,
    b"\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00",  # floats
    b"\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00",
    b"\xca\x3f\x80\x00\x00",
    b"\xd4\x05x",  # extensions, a time among them
    b"\xd6\xff\x00\x00\x00\x00",
    b"\xc7\xff\x7f" + bytes(255),
    b"\xff",  # negative
    b"\xd3\x80\x00\x00\x00\x00\x00\x00\x00",
    b"\xd0\x01",
    b"\xcc\x01",  # not in their shortest form
    b"\xcf\x00\x00\x00\x00\x00\x00\x00\x01",
    b"\xd9\x01x",
    b"\xdc\x00\x01\xc0",
    b"\xc5\x00\x01x",
    b"\x82\xa1a\x01\xa1a\x02",  # one key twice
    b"\x81\x90\xc0",
    b"\xc1",  # what the format has no meaning for
    b"\xa1\xff",  # no UTF-8
    b"\xa3\xed\xa0\x80",
)

VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, 7, 8, 255, 256, 2**32, 2**63, 2**64 - 1, "", "x", "x" * 1001,
    "\x1b[2J", "\u202e\u034f\u0000", b"", b"x", bytes(31), bytes(32), bytes(64), bytes(100_000), [],
    [[]], {}, {"a": 1}, [[[[]]]] * 9,
)  # fmt: skip


def write(value: Any) -> bytes:
    """Pack a value that may hold `Raw`."""
    match value:
        case Raw(data):
            return data
        case list():
            head = pack([None] * len(value))[: -len(value) or None]
            return head + b"".join(map(write, value))
        case _:
            return pack(value)


def places(value: Any, path: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """The ways to all parts of a value."""
    yield path
    if isinstance(value, list):
        for index, part in enumerate(value):
            yield from places(part, (*path, index))


def changed(value: Any, path: Sequence[int], change: Callable[[Any], Any]) -> Any:
    """The value with another part in one place."""
    if not path:
        return change(value)
    return [
        changed(part, path[1:], change) if i == path[0] else part for i, part in enumerate(value)
    ]


def bend(rng: random.Random, part: Any) -> Any:
    """Another value in place of a part."""
    if isinstance(part, list) and part and rng.random() < 0.5:
        at = rng.randrange(len(part))
        match rng.randrange(4):
            case 0:
                return part[:at] + part[at + 1 :]
            case 1:
                return part[:at] + [part[at]] * rng.choice((2, 3, 300)) + part[at + 1 :]
            case 2:
                return [*part[at:], *part[:at]]
            case _:
                return [*part, rng.choice(VALUES)]
    if isinstance(part, bytes | str) and part and rng.random() < 0.5:
        at = rng.randrange(len(part))
        return rng.choice((part[:at], part[at:], part * 2, part[::-1]))
    return Raw(rng.choice(RAW)) if rng.random() < 0.5 else rng.choice(VALUES)


def by_form(rng: random.Random, sample: bytes) -> bytes:
    """The packed values of a sample, one to three parts of which are others."""
    value = unpack(sample)
    for _ in range(rng.randint(1, 3)):
        if isinstance(value, dict) and value:
            name = rng.choice(list(value))
            return b"%c" % (0x80 + len(value)) + b"".join(
                pack(k) + write(bend(rng, v) if k == name else v) for k, v in value.items()
            )
        where = [path for path in places(value) if path or rng.random() < 0.1]
        value = changed(value, rng.choice(where), lambda part: bend(rng, part)) if where else value
        if any(isinstance(part, Raw) for part in _parts(value)):
            break
    return write(value)


def _parts(value: Any) -> Iterator[Any]:
    yield value
    if isinstance(value, list):
        for part in value:
            yield from _parts(part)


def by_bytes(rng: random.Random, sample: bytes) -> bytes:
    """A sample with some bytes flipped, cut out, put in or said twice."""
    data = bytearray(sample)
    for _ in range(rng.choice((1, 1, 2, 8))):
        at, to = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        to = min(to, at + 64)
        match rng.randrange(4):
            case 0 if data:
                data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            case 1:
                del data[at:to]
            case 2:
                data[at:at] = rng.choice((rng.randbytes(to - at), rng.choice(RAW)))
            case _:
                data[at:at] = data[at:to]
    return bytes(data)


def packed(rng: random.Random, sample: bytes) -> bytes:
    """A packed sample, mutated in one way or the other."""
    return (by_form if rng.random() < 0.7 else by_bytes)(rng, sample)


# What is tried.


@dataclass(frozen=True, slots=True)
class Target:
    """`trial(rng, number)` makes bytes and has them read; it raises what is wrong with that."""

    name: str
    trial: Callable[[random.Random, int], None]


def allowed(action: Callable[[], object], *errors: type[Exception]) -> None:
    """Do it; only these errors may come, each with its one line."""
    try:
        action()
    except errors as error:
        text = str(error)
        assert 0 < len(text) < 500, repr(text)
        assert "\n" not in text, repr(text)


def reads(
    samples: Iterable[bytes],
    read: Callable[[bytes], object],
    *errors: type[Exception],
    mutate: Callable[[random.Random, bytes], bytes] = packed,
) -> Callable[[random.Random, int], None]:
    """Trials of something that reads bytes."""
    whole = list(samples)

    def trial(rng: random.Random, number: int) -> None:
        data = mutate(rng, whole[number % len(whole)])
        allowed(lambda: read(data), *errors)

    return trial


def fitting(rng: random.Random, spec: Spec) -> Any:
    """A value that fits."""
    match spec:
        case Int(low, high):
            return rng.choice((low, min(high, low + 1), rng.randint(low, high), high))
        case Bytes(low, high):
            return rng.randbytes(rng.randint(low, min(high, low + 40)))
        case Text(high):
            return "x" * rng.randint(0, min(high, 20))
        case Word(words):
            return rng.choice(words)
        case Bool():
            return rng.random() < 0.5
        case Maybe(inner):
            return rng.choice((None, fitting(rng, inner)))
        case ListOf(inner, high):
            return [fitting(rng, inner) for _ in range(rng.randint(0, min(high, 3)))]
        case Row(specs):
            return [fitting(rng, inner) for inner in specs]
        case _:
            raise AssertionError(spec)


def read_frames(data: bytes) -> None:
    """As a link does, of a peer whose frames may be long."""
    reader = FrameReader(LIMIT)
    reader.add(len(data).to_bytes(4, "big") + data)
    while reader.next() is not None:
        pass


def frames() -> list[bytes]:
    """One of each kind."""
    rng = random.Random("frames")
    return [pack([k, *[fitting(rng, s) for s in row.values()]]) for k, row in SCHEMA.items()]


def mesh(rng: random.Random, number: int) -> None:
    """A frame that fits the schema and means nothing, in the middle of a game."""
    meshes = Meshes(toy.GAME, 2, [(0, 1)], seed=number % 5)
    for _ in range(number % 30):
        meshes.turn()
    kind = rng.choice(list(SCHEMA))
    values = {name: fitting(rng, spec) for name, spec in SCHEMA[kind].items()}
    feed, incoming = meshes.ends[1, 0].feed, Frame.make(kind, **values)
    allowed(lambda: meshes.meshes[1].receive(feed, incoming, meshes.now), BadMessage)
    assert meshes.tables[1].fault is None
    assert meshes.tables[1].ended is None


LISTING = {
    "v": 1, "table": bytes(16), "name": "Kitchen", "game": "dudo", "game_title": "Dudo",
    "taken": 2, "seats": 4, "open": True, "options": "dice 5", "state": "waiting", "opener": "Ana",
    "pub": bytes(32),
}  # fmt: skip

HERE = Address("10.0.0.1", 7000)

TXT = b"".join(
    bytes([len(pair)]) + pair
    for pair in (f"{k}={v}".encode() for k, v in txt_record(bytes(16), "d", "2/4", 7, True).items())
)


def read_txt(data: bytes) -> None:
    """As the list of tables does."""
    name = "x._sobremesa._tcp.local."
    info = AsyncServiceInfo("_sobremesa._tcp.local.", name, properties=data)
    assert isinstance(info.decoded_properties.get("table") or "", str)


ROOM = RoomView(
    bytes(16),
    "Kitchen",
    "dudo",
    "Dudo",
    "dice 5",
    (Chair("Ana", True, False, bytes(32)), Chair()),
    0,
    (COPY,),
).encode()


@cache
def games() -> tuple[Tabletop, ...]:
    """A game with dice and one with cards and a backup of keys, played to their ends."""
    return Tabletop(toy.GAME, 3, seed=1).run(), CardTable(flowers.GAME, 3, seed=1).run()


class Played:
    """A spectator's table that is wound to any place of a game that was played."""

    def __init__(self, tabletop: Tabletop) -> None:
        self._tabletop = tabletop
        self.messages = tabletop.tables[0].messages()
        self._at = len(self.messages)

    def before(self, place: int) -> tuple[Table, Message]:
        """The table when the message of this place is about to come, and that message."""
        if place < self._at:
            self._at = 0
            self.table = Table(self._tabletop.charter, self._tabletop.game)
            self.table.start()
        for message in self.messages[self._at : place]:
            self.table.receive(message.payload, message.signature)
        self._at = place
        return self.table, self.messages[place]


def bodies() -> Callable[[random.Random, int], None]:
    """Every body of two games, in the step in which it was due."""
    played = [Played(tabletop) for tabletop in games()]
    order = [(one, place) for one in played for place in range(len(one.messages))]

    def trial(rng: random.Random, number: int) -> None:
        one, place = order[number % len(order)]
        table, message = one.before(place)
        step = table._plan
        assert step is not None
        data = packed(rng, message.body)
        allowed(lambda: _examined(step, message.peer, data), Finding)

    return trial


def _examined(step: Step, peer: int, data: bytes) -> None:
    check = step.check(peer, step.read(peer, data))
    if is_work(check):
        finish(check)


def messages() -> Callable[[random.Random, int], None]:
    """Messages of any shape, with their authors' signatures and without."""
    played = Played(games()[0])
    charter = games()[0].charter

    def trial(rng: random.Random, number: int) -> None:
        _, message = played.before(number % len(played.messages))
        data = packed(rng, message.payload)
        signer = rng.choice((message.peer, rng.randrange(3)))
        signature = key(signer).sign(frame("message", data)) if rng.random() < 0.8 else bytes(64)
        allowed(lambda: Message.read(charter, data, signature), BadMessage)

    return trial


def transcripts() -> Callable[[random.Random, int], None]:
    """Files, one record of which is another."""
    small = Tabletop(toy.GAME, 1, seed=1).run().tables[0]
    records = [pack(["charter", small.charter.encode()])]
    records += [pack(["message", m.payload, m.signature]) for m in small.messages()]

    def trial(rng: random.Random, number: int) -> None:
        at = number % (len(records) + 1)
        if at == len(records):
            data = by_bytes(rng, small.transcript())
        else:
            data = MAGIC + b"".join([*records[:at], packed(rng, records[at]), *records[at + 1 :]])
        report = audit(data, _find)
        assert report.culprit is None, report
        assert report.trouble is None or "\n" not in report.trouble
        known = (BadTranscript, BadCharter, LocalError, PeerError)
        allowed(lambda: reopen(data, _find, lambda table, event: None), *known)

    return trial


def _find(charter: Charter) -> Any:
    if charter.game not in GAMES:
        raise LocalError("no such game")
    return GAMES[charter.game]


def journals(home: Path) -> Callable[[random.Random, int], None]:
    """Journals whose last record but one is another, whole by its checksum."""
    good = [pack(["message", b"x" * 60, bytes(64)]), pack(["choice", 7, "Ana", "sum 5"])]

    def trial(rng: random.Random, number: int) -> None:
        table = bytes(16)
        folder = home / "tables" / f"{table.hex()}-{bytes(8).hex()}"
        folder.mkdir(parents=True, exist_ok=True)
        records = [good[0], packed(rng, good[number % 2]), good[1]]
        headed = (len(r).to_bytes(4, "big") + zlib.crc32(r).to_bytes(4, "big") + r for r in records)
        (folder / "journal").write_bytes(b"".join(headed))

        def opened() -> None:
            store = Store(home).table(table, bytes(32))
            try:
                store.messages()
                store.choices()
            finally:
                store.close()

        allowed(opened, CannotStore)

    return trial


def scenarios(home: Path) -> Callable[[random.Random, int], None]:
    """Scenario files: the text, and what is in it."""
    files = sorted(SCENARIOS.glob("*/*.json"))[::40]
    known = load_games()
    odd: tuple[Any, ...] = (
        None, True, -1, 10**30, 1.5, float("nan"), "", "x" * 5000, "\x1b[2J", [], {}, [[]] * 5000,
        {"Ana": 1}, ["Ana", "Ana"], [[[[[]]]]],
    )  # fmt: skip

    def trial(rng: random.Random, number: int) -> None:
        text = files[number % len(files)].read_text("utf-8")
        if rng.random() < 0.3:
            data = by_bytes(rng, text.encode())
        elif rng.random() < 0.1:
            data = rng.choice((b"[" * 100_000, b'{"a":' * 50_000, b"9" * 100_000, b"\xff\xfe{"))
        else:
            value = json.loads(text)
            name = rng.choice([*value, "dice", "seed", "tosses", "rolls", "decks", "expect"])
            part = value.get(name)
            if isinstance(part, list) and part and rng.random() < 0.5:
                part[rng.randrange(len(part))] = rng.choice(odd)
            else:
                value[name] = rng.choice(odd)
            data = json.dumps(value).encode()
        path = home / "scenario.json"
        path.write_bytes(data)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            allowed(lambda: scenario(known, str(path)), LocalError)

    return trial


def targets(home: Path) -> list[Target]:
    """All that is tried; `home` is a folder for files."""
    charters = [tabletop.charter.encode() for tabletop in games()]
    listing = reads([pack(LISTING)], lambda data: read_listing((), data, 0.1, HERE), BadListing)
    return [
        Target("frame", reads(frames(), read_frames, BadFrame)),
        Target("mesh", mesh),
        Target("listing", listing),
        Target("txt", reads([TXT], read_txt, mutate=by_bytes)),
        Target("room", reads([ROOM], RoomView.decode, BadMessage)),
        Target("charter", reads(charters, Charter.decode, BadCharter)),
        Target("message", messages()),
        Target("body", bodies()),
        Target("transcript", transcripts()),
        Target("journal", journals(home / "store")),
        Target("scenario", scenarios(home)),
    ]


# The campaign.


@dataclass(slots=True)
class Worst:
    """The longest trial of a target, in seconds, and the one that took most memory, in bytes."""

    seconds: float = 0.0
    memory: int = 0


def tried(target: Target, number: int, worst: Worst) -> str | None:
    """One trial; what is wrong, or None."""
    rng = random.Random(f"{target.name} {number}")
    before = tracemalloc.get_traced_memory()[0]
    tracemalloc.reset_peak()
    begin = time.perf_counter()
    wrong = None
    try:
        target.trial(rng, number)
    except Exception as error:
        kind = "" if isinstance(error, SobremesaError) else " (undocumented)"
        wrong = f"{type(error).__name__}{kind}: {str(error)[:200]}"
    seconds = time.perf_counter() - begin
    memory = tracemalloc.get_traced_memory()[1] - before
    worst.seconds, worst.memory = max(worst.seconds, seconds), max(worst.memory, memory)
    if memory > MOST_MEMORY:
        wrong = wrong or f"{memory >> 20} MiB of memory"
    return wrong


def main(argv: Sequence[str] | None = None) -> int:
    """Run the campaign; 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0, help="how long")
    parser.add_argument("--rounds", type=int, help="how many of each target, however long it takes")
    parser.add_argument("--first", type=int, default=0, help="the number of the first trial")
    parser.add_argument("--only", help="one target alone")
    chosen = parser.parse_args(argv)
    tracemalloc.start()
    wrong: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        wanted = [t for t in targets(Path(folder)) if chosen.only in (None, t.name)]
        worst = {target.name: Worst() for target in wanted}
        end = time.monotonic() + chosen.seconds
        for number in itertools.count(chosen.first):
            done = number - chosen.first
            if done == chosen.rounds or (chosen.rounds is None and time.monotonic() > end):
                break
            for target in wanted:
                trouble = tried(target, number, worst[target.name])
                if trouble is None and chosen.rounds is None:
                    slow = worst[target.name].seconds
                    trouble = f"{slow:.1f} s" if slow > MOST_SECONDS else None
                if trouble:
                    wrong[target.name] += 1
                    print(f"{target.name} {number}: {trouble}")
    tracemalloc.stop()
    for name, most in worst.items():
        print(f"{name}: at most {1000 * most.seconds:.0f} ms, {most.memory / 1024:.0f} KiB")
    print(f"{done} trials of each of {len(wanted)} targets, {wrong.total()} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
