"""One peer on the network: it listens, waits in a room, and plays; the parts are elsewhere.

Rule 1: a failure of discovery, of one link or of one guest never stops the table.
Rule 2: a machine that slept makes its links anew before it acts on what they hold.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from sobremesa.core.game import Game
from sobremesa.core.pieces import Seat
from sobremesa.core.replica.charter import Charter
from sobremesa.core.replica.transcript import Message

from .addresses import Address, own_addresses, told_addresses
from .audience import Audience
from .cards import write_card
from .handshake import new_code
from .hosting import Hosting
from .identity import Identity
from .link import Link
from .listen import Listener
from .lobby import Opening
from .playing import Playing
from .store import Store
from .tasks import Tasks
from .visiting import Visiting
from .wires import LEFT, Wire, Wires

BEAT = 1.0
TICK = 0.25


class Wakefulness:
    """Notices that this process, or the whole machine, stood still. Times are seconds, of a clock
    that may stop in sleep and of one that does not."""

    SLEPT = 2.0
    """Longer than this between two looks, by either clock, and we slept."""

    def __init__(self, now: float, wall: float) -> None:
        self._now, self._wall = now, wall

    def slept(self, now: float, wall: float) -> bool:
        """Whether we slept since the last look."""
        gap, wall_gap = now - self._now, wall - self._wall
        self._now, self._wall = now, wall
        return gap > self.SLEPT or abs(wall_gap - gap) > self.SLEPT


class Node:
    """One peer, and the door of its table (listen.Door). `hosting` is the room that we keep,
    `visiting` the one that we sit in, `playing` the game that began or is being signed."""

    def __init__(self, me: Identity, store: Store, audience: Audience) -> None:
        self.me = me
        self.code: str | None = None
        self.hosting: Hosting | None = None
        self.visiting: Visiting | None = None
        self.playing: Playing | None = None
        self._listener: Listener | None = None
        self._store = store
        self._audience = audience
        self._closing = False
        self._tasks = Tasks(self._broke)
        self._wires = Wires(self._tasks)

    # Opening and joining.

    def listen(self, port: int = 0) -> None:
        """Begin to listen.

        :raises CannotListen: if the port cannot be had
        """
        self._listener = Listener.open(self.me, self, self._came, port)
        self._tasks.start(self._tick())

    def host(self, opening: Opening, code: str | None) -> Hosting:
        """Keep a waiting room; guests come in by the code, or freely if it is None."""
        self.code = code
        self.hosting = Hosting(
            opening,
            self._wires,
            self._audience,
            self._tasks.start,
            self.addresses,
            self._begin_as_opener,
        )
        self.hosting.changed()
        return self.hosting

    async def visit(self, link: Link, game: Game, name: str) -> None:
        """Sit down at the table at the other end of an authenticated link.

        :raises Refused: if it gives us no chair, with the reason
        """
        self.visiting = Visiting(
            self.me,
            game,
            link,
            self._wires,
            self._audience,
            self._tasks.start,
            self._begin_as_guest,
            self._void,
        )
        hosts = tuple(address.host for address in self.addresses())
        await self.visiting.sit(name, self.port, hosts, game.rules_version)

    @property
    def port(self) -> int:
        """Where we listen."""
        assert self._listener is not None
        return self._listener.port

    def addresses(self) -> list[Address]:
        """Where we can be dialled, as far as the system tells."""
        try:
            hosts = told_addresses(own_addresses())
        except OSError:
            hosts = ()
        return [Address(host, self.port) for host in hosts]

    # What the player does.

    def ready(self, ready: bool) -> None:
        """We are ready to begin, or not any more."""
        room = self.hosting or self.visiting
        assert room is not None
        room.ready(ready)

    def say(self, text: str) -> None:
        """Chat, in the room or in the game."""
        speaker = self._game_on() or self.hosting or self.visiting
        assert speaker is not None
        speaker.say(text)

    def keep_choice(self, step: int, seat: Seat, answer: str) -> None:
        """Keep an answer before it is given.

        :raises CannotStore: if that cannot be done
        """
        assert self.playing is not None
        self.playing.keep_choice(step, seat, answer)

    def changed(self) -> None:
        """The player answered: store and send what follows.

        :raises CannotStore: if it cannot be stored; it is not sent then
        """
        assert self.playing is not None
        self.playing.changed()

    # Who may come in (listen.Door).

    @property
    def table(self) -> bytes | None:
        if self.playing is not None:
            return self.playing.mesh.table.charter.table
        return self.hosting.opening.table if self.hosting is not None else None

    def card(self) -> bytes:
        if self.hosting is None:
            return b""
        return write_card(self.hosting.opening, open=self.code is None)

    def admit(self, mode: str, key: bytes) -> str | None:
        if mode == "join":
            if self.hosting is None:
                return "This is a guest's machine: join at the machine that opened the table."
            return self.hosting.opening.refusal()
        if self.playing is None or self.playing.peer_of(key) is None:
            return "That peer does not sit at this table."
        return None

    def renew_code(self) -> None:
        self.code = new_code()
        self._audience.noticed("Five wrong codes were given, so this table has a new one.", "warn")
        if self.hosting is not None:
            self.hosting.changed()

    def _came(self, link: Link) -> None:
        """Somebody dialled us and is who it says."""
        if link.mode == "join" and self.hosting is not None:
            self.hosting.came(link)
        elif link.mode == "peer" and self.playing is not None:
            self.playing.adopt(link)
        else:
            # The start was called off while they shook hands.
            link.abort("stranger", "no such table any more")

    # From the room to the game.

    def _begin_as_opener(
        self, charter: Charter, signatures: Sequence[Message], guests: Sequence[Wire]
    ) -> None:
        playing = self._sign(charter, 0)
        for message in signatures:
            playing.mesh.table.receive(message.payload, message.signature)
        for wire in guests:
            playing.adopt_wire(wire)
        playing.begin()

    def _begin_as_guest(self, charter: Charter, me: int) -> Playing:
        playing = self._sign(charter, me)
        playing.begin(reserved=0)
        return playing

    def _sign(self, charter: Charter, me: int) -> Playing:
        self.playing = Playing(self.me, charter, me, self._store, self._wires, self._audience)
        return self.playing

    def _void(self) -> None:
        if self.playing is not None:
            self.playing.void()
            self.playing = None

    def _game_on(self) -> Playing | None:
        return self.playing if self.playing and self.playing.mesh.table.started else None

    # The clock.

    async def _tick(self) -> None:
        beaten = _now()
        wakefulness = Wakefulness(beaten, time.time())
        while True:
            await asyncio.sleep(TICK)
            now = _now()
            if wakefulness.slept(now, time.time()) and self.playing is not None:
                self.playing.slept()
            if now - beaten >= BEAT:
                beaten = now
                for part in (self.hosting, self.visiting, self.playing):
                    if part is not None:
                        part.beat()
            if self.playing is not None:
                self.playing.tick()

    def _broke(self, error: BaseException) -> None:
        if not self._closing:
            self._audience.lost(f"The table cannot go on: {error}")

    # The end.

    async def linger(self) -> None:
        """Stay until everybody has what they need of us, but not for ever."""
        if self.playing is not None:
            await self.playing.linger()

    async def leave(self) -> None:
        """Leave for good, and say so."""
        if self.playing is not None:
            await self.playing.leave()
        await self._close(LEFT, "The opener closed the table." if self.hosting else "A guest left.")

    async def close(self) -> None:
        """End every link and task."""
        whose = "opener" if self.hosting else "guest"
        await self._close("closed", f"The {whose}'s program has ended.")

    async def _close(self, code: str, text: str) -> None:
        if self._closing:
            return
        self._closing = True
        if self._listener is not None:
            await self._listener.close()
        if self.playing is not None:
            await self.playing.stop()
        await self._wires.close(code, text)
        await self._tasks.stop()
        if self.playing is not None:
            self.playing.put_away()


def _now() -> float:
    return asyncio.get_running_loop().time()
