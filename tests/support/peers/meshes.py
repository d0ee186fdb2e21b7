"""Several meshes joined by links in memory, for tests of how messages travel.

Each turn carries one frame over one link in one direction, or lets one player answer, as the
chance of the seed says. Links keep the order, as real ones do; what is on a link when it is cut is
lost.

Rule 1: `now` is the only clock, and only the test moves it.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from support.peers.tabletop import key, make_charter, seed_of

from sobremesa.core.encoding import Rand
from sobremesa.core.game import Game
from sobremesa.core.replica.charter import Charter
from sobremesa.core.replica.table import Table
from sobremesa.core.replica.transcript import Message
from sobremesa.net.links.frames import Frame
from sobremesa.net.mesh import Feed, Mesh
from sobremesa.net.statements import ChatLine
from sobremesa.net.voting import Voting


@dataclass
class End:
    """One direction of a link: the sender's feed, and what is on its way."""

    feed: Feed
    on_way: deque[Frame] = field(default_factory=deque)


class Meshes:
    """`peers` meshes of one game, linked in these pairs. Who lies may have several (`sit`)."""

    def __init__(
        self,
        game: Game[Any],
        peers: int,
        links: Iterable[tuple[int, int]],
        seed: int = 0,
        charter: Charter | None = None,
    ) -> None:
        self.charter = charter or make_charter(game, peers)
        self.game = game
        self.now = 0.0
        self.rng = random.Random(f"meshes {seed}")
        self.heard: list[list[ChatLine]] = [[] for _ in range(peers)]
        self.ends: dict[tuple[int, int], End] = {}
        self.carried = 0
        self.meshes: list[Mesh] = []
        self.votings: list[Voting] = []
        self.dead: set[int] = set()
        """Those that do nothing any more."""
        for i in range(peers):
            self.sit(i, Rand(seed_of(i, seed)))
        for i, j in links:
            self.link(i, j)

    def sit(self, peer: int, rand: Rand, born: int = -1) -> None:
        """Another mesh, of this peer."""
        table = Table(self.charter, self.game, me=peer, sign=key(peer).sign, vault={peer: rand})
        window = bytes([len(self.meshes)]) * 32
        self.meshes.append(Mesh(table, peer, key(peer).sign, self.now, window, born))
        table.start()
        self.votings.append(Voting(table, self.meshes[-1], self.now))
        self.release(len(self.meshes) - 1)

    def __getitem__(self, peer: int) -> Mesh:
        return self.meshes[peer]

    @property
    def tables(self) -> list[Table]:
        return [mesh.table for mesh in self.meshes]

    def release(self, peer: int) -> None:
        """All that a peer has may go out."""
        mesh = self.meshes[peer]
        mesh.released = len(mesh.table.log)

    def link(self, i: int, j: int) -> None:
        for here, there in ((i, j), (j, i)):
            peer = self.meshes[there].me
            self.ends[here, there] = End(self.meshes[here].connect(peer, self.now))

    def cut(self, i: int, j: int) -> None:
        for here, there in ((i, j), (j, i)):
            self.meshes[here].disconnect(self.ends.pop((here, there)).feed)

    def kill(self, peer: int) -> None:
        """Cut all links of a peer for good; it does nothing any more."""
        for pair in {tuple(sorted(way)) for way in self.ends if peer in way}:
            self.cut(*pair)
        self.dead.add(peer)

    def pass_time(self, seconds: float) -> None:
        """Let the clocks go on by quarters of a second, each with its look at who is away, a
        heartbeat each second or where that has news, and all that follows from it."""
        for quarter in range(int(seconds * 4)):
            self.now += 0.25
            for peer, voting in enumerate(self.votings):
                if peer not in self.dead and (voting.look(self.now) or quarter % 4 == 0):
                    self.release(peer)
                    self.meshes[peer].beat()
            self.run(play=False)

    def compare(self, i: int, j: int) -> None:
        """Let both ends of a new link find their histories to be one."""
        while not (self.ends[i, j].feed.open and self.ends[j, i].feed.open):
            for way in ((i, j), (j, i)):
                if self.ends[way].feed.queue:
                    self.pull(*way)
                    self.deliver(*way)

    def leave(self, peer: int) -> None:
        """Let a peer say farewell."""
        self.tables[peer].leave()
        self.release(peer)

    def pull(self, i: int, j: int) -> bool:
        """Put the next frame of a peer onto a link; False if it has none."""
        end = self.ends[i, j]
        frame = self.meshes[i].next_frame(end.feed)
        if frame is not None:
            end.on_way.append(frame)
        return frame is not None

    def deliver(self, i: int, j: int) -> Frame:
        """Let the first frame on a link arrive."""
        frame = self.ends[i, j].on_way.popleft()
        line = self.meshes[j].receive(self.ends[j, i].feed, frame, self.now)
        if line is not None:
            self.heard[j].append(line)
        self.release(j)
        self.carried += 1
        return frame

    def inject(self, i: int, j: int, message: Message) -> None:
        """Send a message on a link though it stands in no log."""
        frame = Frame.make("msg", payload=message.payload, sig=message.signature)
        self.ends[i, j].on_way.append(frame)

    def answer(self, peer: int, seat: str) -> None:
        table = self.tables[peer]
        choose = self.game.bots[0].choose
        table.answer(seat, choose(table.observation(seat), table.asked[seat], self.rng.randrange))
        self.release(peer)

    def turn(self, *, play: bool = True) -> bool:
        """Let one thing happen; False if nothing can."""
        here = [(i, table) for i, table in enumerate(self.tables) if i not in self.dead]
        asked = [(i, seat) for i, table in here for seat in table.asked]
        if play and asked and self.rng.random() < 0.2:
            self.answer(*self.rng.choice(asked))
            return True
        ways = list(self.ends)
        self.rng.shuffle(ways)
        for way in ways:
            # A link holds little: what does not fit waits with its sender.
            if len(self.ends[way].on_way) < 3 and self.rng.random() < 0.5 and self.pull(*way):
                return True
            if self.ends[way].on_way:
                self.deliver(*way)
                return True
        if any(self.pull(*way) for way in ways):
            return True
        if play and asked:
            self.answer(*self.rng.choice(asked))
            return True
        return False

    def run(self, *, play: bool = True) -> Meshes:
        """Go on until nothing more can happen."""
        while self.turn(play=play):
            pass
        return self

    def beat(self) -> None:
        """As many heartbeats as it takes until everybody has heard of everybody."""
        for _ in self.meshes:
            for mesh in self.meshes:
                mesh.beat()
            self.run(play=False)

    def transcripts(self) -> set[bytes]:
        return {table.transcript() for table in self.tables}
