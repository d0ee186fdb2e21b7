"""Games whose links are harmed once, at a chosen byte or frame (fault 9 of the network's list).

Every player listens behind a man in the middle (`support.peers.tap`), so whoever dials, all bytes
of the game pass one. The harm begins when the game has.

Rule 1: one game, one harm; what is counted does not depend on the clock.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from support.peers.players import Player, company, finish, until
from support.peers.tap import tap

from sobremesa.net.links.addresses import Address
from sobremesa.net.links.frames import Frame
from sobremesa.net.mesh import Feed
from sobremesa.net.peer_links import PeerLinks

BYTE_HARMS = ("cut", "flip", "drop", "duplicate", "swap")
FRAME_HARMS = ("duplicate", "swap", "drop", "flip")


@dataclass
class ByteHarm:
    """Harms what passes at byte `at`, counted over all links from when it is armed."""

    kind: str
    at: int
    armed: bool = False
    passed: int = 0
    done: bool = False
    _hang_up: bool = False
    _held: list[bytes] = field(default_factory=list)

    def __call__(self, chunk: bytes, offset: int) -> list[bytes] | None:
        if self._hang_up:
            self._hang_up = False
            return None
        if self._held:
            return [chunk, self._held.pop()]
        if not self.armed:
            return [chunk]
        start, self.passed = self.passed, self.passed + len(chunk)
        if self.done or self.passed <= self.at:
            return [chunk]
        self.done = True
        return self._harm(chunk, self.at - start)

    def _harm(self, chunk: bytes, index: int) -> list[bytes]:
        before, after = chunk[:index], chunk[index:]
        match self.kind:
            case "cut":
                self._hang_up = True
                return [before]
            case "flip":
                return [before, bytes([after[0] ^ 1]), after[1:]]
            case "drop":
                return [before, after[1:]]
            case "duplicate":
                return [before, after, after]
            case "swap":
                self._held.append(chunk)
                return []
        raise ValueError(self.kind)


@dataclass
class FrameHarm:
    """Harms message `at` of those that the players send in the game. Other frames are not
    counted: heartbeats come by the clock."""

    kind: str
    at: int
    sent: int = 0
    done: bool = False

    def on(self, links: PeerLinks) -> None:
        """Sit on the links of a player."""
        honest = links.mesh.next_frame
        held: dict[Feed, list[Frame]] = {}

        def next_frame(feed: Feed) -> Frame | None:
            if waiting := held.get(feed):
                return waiting.pop(0)
            frame = honest(feed)
            if frame is None or frame.kind != "msg" or self.done:
                return frame
            self.sent += 1
            if self.sent <= self.at:
                return frame
            self.done = True
            return self._harm(frame, lambda: honest(feed), held.setdefault(feed, []))

        links.mesh.next_frame = next_frame  # type: ignore[method-assign]

    def _harm(
        self, frame: Frame, follow: Callable[[], Frame | None], held: list[Frame]
    ) -> Frame | None:
        match self.kind:
            case "duplicate":
                held.append(frame)
                return frame
            case "swap":
                second = follow()
                held.append(frame)
                return second if second is not None else held.pop()
            case "drop":
                return follow()
            case "flip":
                # The length stays right, so that the harm is inside the frame.
                payload = bytes([*frame.payload[:-1], frame.payload[-1] ^ 1])
                return Frame(frame.kind, frame.values, payload)
        raise ValueError(self.kind)


@dataclass(frozen=True)
class Harmed:
    """What came of a game. `harmed`: whether the harm came to be; `extent`: how many bytes or
    frames there were."""

    same: bool
    harmed: bool
    extent: int
    notices: tuple[str, ...]
    losses: tuple[str, ...]


async def play_harmed(folder: Path, count: int, harm: ByteHarm | FrameHarm) -> Harmed:
    """A game of the toy under one harm."""
    async with AsyncExitStack() as stack:
        players = [Player(f"P{i}", folder / f"P{i}", quick=False) for i in range(count)]
        await stack.enter_async_context(company(*players))
        on_bytes = harm if isinstance(harm, ByteHarm) else ByteHarm("cut", 0)
        for player in players:
            player.node.listen()
            target = Address("127.0.0.1", player.listener.port)
            address, _ = await stack.enter_async_context(tap(target, on_bytes))
            player.node.seen_at = address.port
        players[0].host(count)
        for guest in players[1:]:
            await guest.join(players[0])
        await until(lambda: all(player.began for player in players))
        if isinstance(harm, ByteHarm):
            harm.armed = True
        else:
            for player in players:
                harm.on(player.links)
        for player in players:
            player.quick = True
            player.play()
        transcripts = await asyncio.wait_for(finish(*players), 60)
        return Harmed(
            len(transcripts) == 1 and all(p.table and p.table.over for p in players),
            harm.done,
            harm.passed if isinstance(harm, ByteHarm) else harm.sent,
            tuple(text for player in players for text in player.notices),
            tuple(text for player in players for text in player.losses),
        )
