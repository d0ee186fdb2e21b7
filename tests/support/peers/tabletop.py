"""Several real tables joined by wires in memory, for tests of the protocol.

A `Tabletop` holds one replica a peer, and for each linked pair two wires. Each turn of its loop
delivers one message, answers one question, or cuts or heals one link, as its chance says. A
watcher hears what the first honest peer logs.

Rule 1: nothing is random but a `random.Random` made from the seed, so a game can be had again.
Rule 2: a wire is FIFO unless it is told to `reorder`; what a peer logs goes out on all its wires
in the order of its log. A healed link is brought up to date as docs/protocol.md says.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Self

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from support.peers.cheats import Cheat

from sobremesa.core.encoding import Rand
from sobremesa.core.errors import BadMessage, TooFarAhead
from sobremesa.core.game import Game
from sobremesa.core.replica.charter import Charter, Copy, Peer, SeatPlan, Settings
from sobremesa.core.replica.comparison import Comparison
from sobremesa.core.replica.table import Table
from sobremesa.core.replica.transcript import Message
from sobremesa.core.requests import Event

NAMES = ("Ana", "Bea", "Cai", "Dan", "Eva", "Fin", "Gil", "Hal")


COPY = Copy(hashlib.sha256(b"the copy of the tests").digest(), "tests", "1.0")
"""The one copy of the game that the machines of the tests have."""


@cache
def key(peer: int) -> Ed25519PrivateKey:
    """The identity key of a peer of the tests."""
    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(b"key %d" % peer).digest())


def seed_of(peer: int, seed: int) -> bytes:
    """The secret of a peer of the tests."""
    return hashlib.sha256(b"seed %d %d" % (seed, peer)).digest()


def make_charter(
    game: Game[Any],
    peers: int,
    options: Mapping[str, str] | None = None,
    owners: Sequence[int] | None = None,
    table: bytes = b"a table of tests",
    rules: Mapping[int, bytes] | None = None,
) -> Charter:
    """A charter whose seats belong to `owners`, one each by default: the first of a peer is its
    own, further ones are bots'. `rules` are the fingerprints of copies other than `COPY`."""
    owners = range(peers) if owners is None else owners
    return Charter(
        table,
        "Test",
        game.id,
        game.rules_version,
        tuple(sorted(game.read_options(options or {}).items())),
        Settings(),
        tuple(
            Peer(key(i).public_key().public_bytes_raw(), (rules or {}).get(i, COPY.fingerprint))
            for i in range(peers)
        ),
        tuple(
            SeatPlan(name, owner, game.bots[0].id if owner in owners[:place] else "")
            for place, (name, owner) in enumerate(zip(NAMES, owners, strict=False))
        ),
    )


FULL, LINE, STAR = "full", "line", "star"


def links(topology: str, peers: int) -> list[tuple[int, int]]:
    """The linked pairs, the smaller peer first."""
    return [
        (i, j)
        for i in range(peers)
        for j in range(i + 1, peers)
        if {FULL: True, LINE: j == i + 1, STAR: i == 0}[topology]
    ]


@dataclass(frozen=True, slots=True)
class Wires:
    """How messages travel. With `delay` some wires are up to a hundred times slower than others.
    `duplicate` and `cut` are chances a turn; a link that is cut loses what is on it and heals
    some turns later."""

    topology: str = FULL
    delay: bool = False
    reorder: bool = False
    duplicate: float = 0.0
    cut: float = 0.0


Proof = tuple[Message, ...]
"""Two messages that contradict each other."""


@dataclass(slots=True)
class Wire:
    """One direction of a link: its pace, what is on its way, the sender's place in its log."""

    pace: float = 1.0
    queue: list[Message | Proof] = field(default_factory=list)
    cursor: int = 0
    whole: bool = True
    """False while the link is cut."""
    agreed: bool = True
    """Whether both ends found their histories to be one; else nothing but proofs goes over it."""
    proof: Proof = ()
    """The proof that was sent."""


class Tabletop:
    """`peers` replicas of one game, and a spectator with `watcher`. `cheats` give some peers a
    vice, `seeds` a secret other than that of the tests, `copies` another copy of the game.
    `rules` is what the charter says of them, if it is not that."""

    def __init__(
        self,
        game: Game[Any],
        peers: int,
        options: Mapping[str, str] | None = None,
        *,
        seed: int = 0,
        owners: Sequence[int] | None = None,
        wires: Wires = Wires(),
        cheats: Mapping[int, Cheat] | None = None,
        watcher: bool = False,
        seeds: Mapping[int, bytes] | None = None,
        copies: Mapping[int, Game[Any]] | None = None,
        rules: Mapping[int, bytes] | None = None,
    ) -> None:
        self.game = game
        self.copies = dict(copies or {})
        if rules is None:
            rules = {i: hashlib.sha256(b"copy %d" % i).digest() for i in self.copies}
        self.charter = make_charter(game, peers, options, owners, rules=rules)
        self.cheats = dict(cheats or {})
        self.wires = wires
        self.rng = random.Random(f"tabletop {seed}")
        self.picks = {i: random.Random(f"player {seed} {i}") for i in range(peers)}
        self.seeds = {i: seed_of(i, seed) for i in range(peers)} | dict(seeds or {})
        self.recorded: dict[int, dict[tuple[int, str], str]] = {i: {} for i in range(peers)}
        self.refused: list[tuple[int, int, str]] = []
        """What was refused as `BadMessage`: receiver, sender, why."""
        self.events: dict[int, list[Event]] = {i: [] for i in range(peers)}
        self.tables = [self.replica(i) for i in range(peers)]
        self.watcher = Table(self.charter, game) if watcher else None
        self.watched = 0
        pairs = links(wires.topology, peers)
        self.links = pairs
        self.lines = {way: Wire(self._pace()) for i, j in pairs for way in ((i, j), (j, i))}
        for i, cheat in self.cheats.items():
            cheat.sit(self.tables[i], i, key(i).sign)
        for table in self.everybody():
            table.start()
        self.pump()

    def everybody(self) -> list[Table]:
        return [*self.tables, *([self.watcher] if self.watcher else [])]

    def replica(self, peer: int) -> Table:
        """A fresh replica of a peer, with its seed."""
        cheat = self.cheats.get(peer)
        rand = cheat.rand(self.seeds[peer]) if cheat else Rand(self.seeds[peer])
        self.events[peer].clear()
        return Table(
            self.charter,
            self.copies.get(peer, self.game),
            me=peer,
            sign=key(peer).sign,
            vault={peer: rand},
            on_event=self.events[peer].append,
        )

    @property
    def honest(self) -> list[Table]:
        return [table for i, table in enumerate(self.tables) if i not in self.cheats]

    def _pace(self) -> float:
        return self.rng.choice((1.0, 10.0, 100.0)) if self.wires.delay else 1.0

    # What can happen.

    def pump(self) -> None:
        """Everything new in the logs goes onto the wires."""
        for (i, j), wire in self.lines.items():
            table = self.tables[i]
            self._prove(i, wire)
            if wire.whole and wire.agreed:
                for message in table.log[wire.cursor :]:
                    wire.queue.extend(self._said(i, message, j))
            wire.cursor = len(table.log)
        if self.watcher is not None:
            for message in self.honest[0].log[self.watched :]:
                self.watcher.receive(message.payload, message.signature)
            self.watched = len(self.honest[0].log)

    def _prove(self, peer: int, wire: Wire) -> None:
        """A proof goes before everything else, but who cheats does not tell on itself."""
        proof = self.tables[peer].proof
        if wire.whole and wire.proof != proof and peer not in self.cheats:
            wire.proof = proof
            wire.queue.append(proof)

    def _said(self, sender: int, message: Message, to: int) -> Iterable[Message]:
        cheat = self.cheats.get(sender)
        return cheat.say(message, to) if cheat else (message,)

    def deliver(self, way: tuple[int, int], index: int = 0, *, keep: bool = False) -> None:
        """Deliver one message of a wire; with `keep` it will come once more."""
        i, j = way
        queue = self.lines[way].queue
        said = queue[index] if keep else queue.pop(index)
        table = self.tables[j]
        try:
            if isinstance(said, Message):
                self._whisper(i, j, said)
                table.receive(said.payload, said.signature)
            else:
                table.receive_proof(*[(message.payload, message.signature) for message in said])
        except BadMessage as error:
            self.refused.append((j, i, str(error)))
        except TooFarAhead:
            self.cut((i, j))
        self.pump()

    def _whisper(self, sender: int, hearer: int, message: Message) -> None:
        if hearer in self.cheats and self.cheats[hearer].whisper(message):
            for (other, to), wire in self.lines.items():
                if other == hearer and to != sender and wire.whole:
                    wire.queue.append(message)

    def answer(self, peer: int, seat: str) -> None:
        """Let a player answer."""
        table, cheat = self.tables[peer], self.cheats.get(peer)
        question, observation = table.asked[seat], table.observation(seat)
        choose = cheat.choose if cheat else table.game.bots[0].choose
        answer = choose(observation, question, self.picks[peer].randrange)
        self.recorded[peer][table.step, seat] = question.write(answer)
        table.answer(seat, answer)
        self.pump()

    def cut(self, pair: tuple[int, int]) -> None:
        """Cut a link; what is on it is lost."""
        for way in (pair, pair[::-1]):
            self.lines[way].whole = False
            self.lines[way].queue.clear()

    def heal(self, pair: tuple[int, int]) -> None:
        """Bring a link back: both compare their histories, and send what the other lacks, or show
        what parted them."""
        for (i, j), comparison in zip((pair, pair[::-1]), self._compared(*pair), strict=True):
            wire, ours, theirs = self.lines[i, j], self.tables[i], self.tables[j]
            wire.whole, wire.agreed = True, comparison.agreed is not None
            wire.proof = ()
            self._prove(i, wire)
            if comparison.parted is not None:
                wire.queue.extend(ours.history.record(comparison.parted))
                continue
            assert comparison.agreed is not None
            held = {message.payload for message in theirs.history.about(comparison.agreed)}
            timeless = ours.timeless
            for message in ours.log:
                news = message.step >= comparison.agreed or message.payload in timeless
                if news and message.payload not in held:
                    wire.queue.extend(self._said(i, message, j))
        self.pump()

    def _compared(self, i: int, j: int) -> tuple[Comparison, Comparison]:
        one, other = [Comparison(self.tables[peer].history) for peer in (i, j)]
        ours, theirs = one.meet(*other.opening), other.meet(*one.opening)
        while ours or theirs:
            ours, theirs = (
                [said for head in theirs for said in one.hear(*head)],
                [said for head in ours for said in other.hear(*head)],
            )
        assert (one.agreed, one.parted) == (other.agreed, other.parted)
        return one, other

    def restart(self, peer: int) -> None:
        """Throw a replica away and make it again from its seed, its log and its answers."""
        old = self.tables[peer]
        log = [(message.payload, message.signature) for message in old.log]
        self.tables[peer] = new = self.replica(peer)
        new.start(self.recorded[peer])
        feed(new, log)
        for pair in self.links:
            if peer in pair:
                self.cut(pair)
                for way in (pair, pair[::-1]):
                    self.lines[way].cursor = len(self.tables[way[0]].log)
                self.heal(pair)

    def vote(self) -> None:
        """All who see the same peers leave, at the same step, sign that they are gone."""
        for table in self.tables:
            gone = table.leaving()
            others = [self.tables[peer] for peer in table.present - gone]
            if gone and all((o.step, o.leaving()) == (table.step, gone) for o in others):
                table.vote(gone)
                self.pump()
            for other in others:
                # Who would decide otherwise what we have decided hears how (net/voting.py).
                if gone and other.step > table.step and other.tell_how(table.step):
                    self.pump()

    # The loop.

    def turn(self) -> bool:
        """Let one thing happen; False if nothing can."""
        rng, wires = self.rng, self.wires
        self.vote()
        if self.links and rng.random() < wires.cut:
            pair = rng.choice(self.links)
            (self.cut if self.lines[pair].whole else self.heal)(pair)
            return True
        full = [way for way, wire in self.lines.items() if wire.queue]
        asked = [(i, seat) for i, table in enumerate(self.tables) for seat in table.asked]
        if full and (not asked or rng.random() < 0.8):
            (way,) = rng.choices(full, [self.lines[way].pace for way in full])
            index = rng.randrange(len(self.lines[way].queue)) if wires.reorder else 0
            self.deliver(way, index, keep=rng.random() < wires.duplicate)
        elif asked:
            self.answer(*rng.choice(asked))
        else:
            broken = [pair for pair in self.links if not self.lines[pair].whole]
            for pair in broken:
                self.heal(pair)
            return bool(broken)
        return True

    def run(self, until: Callable[[], bool] = lambda: False) -> Self:
        """Go on until nothing more can happen, or until the condition holds."""
        while not until() and self.turn():
            pass
        return self

    def transcripts(self) -> set[bytes]:
        return {table.transcript() for table in self.everybody()}


def feed(table: Table, records: Iterable[tuple[bytes, bytes]]) -> None:
    """Play stored messages into a table."""
    for payload, signature in records:
        table.receive(payload, signature)
