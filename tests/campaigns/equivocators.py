"""A campaign: tables with equivocators, links that break and come back, peers at different steps.

An equivocator is two replicas with one key that part at some moment; each link to it leads to one
or the other, and it passes on whatever it likes from any link to any other. At the end the links
between honest peers are whole. Nobody honest may have been named on any machine at any time, no
honest link may have been refused, and where both versions of anybody's message came to honest
peers, all of them must have named a liar. Each table is made from its number:

    python tests/campaigns/equivocators.py --tables 1000
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from support.games import toy
from support.peers.meshes import Meshes
from support.peers.tabletop import NAMES, seed_of

from sobremesa.core.encoding import Rand
from sobremesa.core.errors import BadMessage, TooFarAhead
from sobremesa.core.replica.faults import Equivocation
from sobremesa.core.replica.transcript import Message


class TwoFaced(Rand):
    """The chance of a replica that, once `turned`, goes its own way."""

    turned = False

    def secret(self, *statement: bytes | int | str) -> bytes:
        return super().secret("another", *statement) if self.turned else super().secret(*statement)


class Party(Meshes):
    """Honest peers 0 to `honest` - 1, and after them liars with two meshes each."""

    def __init__(self, number: int) -> None:
        self.chance = random.Random(f"equivocators {number}")
        self.honest = self.chance.randrange(2, 5)
        peers = self.honest + self.chance.choice((1, 1, 2))
        super().__init__(toy.GAME, peers, [], number)
        self.other_faces = [TwoFaced(seed_of(peer, number)) for peer in range(self.honest, peers)]
        for peer, rand in zip(range(self.honest, peers), self.other_faces, strict=True):
            rand.turned = self.chance.random() < 0.3  # from the signatures on
            self.sit(peer, rand)
        self.wrong: list[str] = []

    def pairs(self) -> Iterator[tuple[int, int]]:
        """All pairs of meshes that may be linked: no two of one peer."""
        for i, j in itertools.combinations(range(len(self.meshes)), 2):
            if self.meshes[i].me != self.meshes[j].me:
                yield i, j

    def flip(self, pair: tuple[int, int]) -> None:
        """Cut a link, or make it; who has a link to one face of a liar loses the other."""
        i, j = pair
        if pair in self.ends:
            self.cut(i, j)
            return
        for one, other in ((i, j), (j, i)):
            for k in range(len(self.meshes)):
                twin = k != other and self.meshes[k].me == self.meshes[other].me
                if twin and (one, k) in self.ends:
                    self.cut(one, k)
        self.link(i, j)

    def whisper(self) -> None:
        """A liar passes on a message of anybody to anybody, whatever its own replica thinks."""
        ways = [way for way in self.ends if way[0] >= self.honest]
        logs = [message for mesh in self.meshes for message in mesh.table.log]
        if ways and logs:
            self.inject(*self.chance.choice(ways), self.chance.choice(logs))

    def deliver_one(self, i: int, j: int) -> None:
        """Let a frame arrive; a link that is refused is cut, and should be a liar's."""
        try:
            self.deliver(i, j)
        except BadMessage as error:
            if i < self.honest:
                self.wrong.append(f"{NAMES[i]}'s link was refused: {error}")
            self.cut(i, j)
        except TooFarAhead:
            self.cut(i, j)
        except KeyError:
            # A liar's replica was told its own other answer, and has nothing to open it with.
            if j < self.honest:
                raise
            self.cut(i, j)

    def step(self) -> bool:
        """One thing that happens among the links and players; False if nothing can."""
        chance = self.chance
        asked = [(i, seat) for i, table in enumerate(self.tables) for seat in table.asked]
        ways = list(self.ends)
        chance.shuffle(ways)
        if asked and chance.random() < 0.2:
            self.answer(*chance.choice(asked))
            return True
        for way in ways:
            if self.pull(*way) and chance.random() < 0.5:
                return True
            if self.ends[way].on_way:
                self.deliver_one(*way)
                return True
        if asked:
            self.answer(*chance.choice(asked))
        return bool(asked)

    def check_names(self) -> None:
        """See that nobody honest is named by an honest peer."""
        for mesh in self.meshes[: self.honest]:
            fault = mesh.table.fault or mesh.table.late_fault
            if fault is not None and NAMES.index(fault.peer) < self.honest:
                self.wrong.append(f"{NAMES[mesh.me]} names {fault}")

    def play(self) -> None:
        """Play with links that come and go; then without the liars, on whole links."""
        pairs = list(self.pairs())
        for pair in pairs:
            if self.chance.random() < 0.7:
                self.flip(pair)
        for _ in range(self.chance.randrange(100, 400)):
            for _ in range(self.chance.randrange(8)):
                self.step()
                self.check_names()
            if self.chance.random() < 0.3:
                self.flip(self.chance.choice(pairs))
            if self.chance.random() < 0.2:
                self.whisper()
            if self.chance.random() < 0.05:
                self.chance.choice(self.other_faces).turned = True
        for pair in list(self.ends):
            if pair in self.ends and max(pair) >= self.honest:
                self.cut(*pair)
        for pair in itertools.combinations(range(self.honest), 2):
            if pair not in self.ends:
                self.link(*pair)
        while self.step():
            self.check_names()

    def met(self) -> bool:
        """Whether honest peers hold two messages of anybody that contradict each other."""
        heard: dict[int, dict[bytes, Message]] = {}
        for table in self.tables[: self.honest]:
            for message in table.history._by_payload.values():
                heard.setdefault(message.peer, {})[message.payload] = message
        return any(
            one.contradicts(other)
            for messages in heard.values()
            for one, other in itertools.combinations(messages.values(), 2)
        )


def play(number: int) -> tuple[str, str | None]:
    """Play one table: how it came out, and what went wrong, or None."""
    party = Party(number)
    party.play()
    if party.wrong:
        return "wrong", party.wrong[0]
    tables = party.tables[: party.honest]
    faults = [table.fault or table.late_fault for table in tables]
    if not party.met():
        return ("named" if any(faults) else "no two versions met"), None
    if not all(isinstance(fault, Equivocation) for fault in faults):
        return "wrong", f"both versions met, and not everybody names a liar: {faults}"
    return "equivocators named", None


def main(argv: Sequence[str] | None = None) -> int:
    """Run the campaign; 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=1000, help="how many")
    parser.add_argument("--first", type=int, default=0, help="the number of the first")
    chosen = parser.parse_args(argv)
    ends: Counter[str] = Counter()
    for number in range(chosen.first, chosen.first + chosen.tables):
        end, trouble = play(number)
        ends[end] += 1
        if trouble is not None:
            print(f"table {number}: {trouble}")
    print(f"{chosen.tables} tables: {', '.join(f'{n} {end}' for end, n in ends.most_common())}")
    return 1 if ends["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
