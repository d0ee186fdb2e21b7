"""One peer on the network: its listener, its links, the room it waits in, the mesh it plays in.

The thin asyncio driver around `lobby` and `mesh`: it owns sockets, tasks and the clock.

Rule 1: after the start the opener is a peer like any other; every peer dials every other and
listens, and a link that breaks is dialled again.
Rule 2: what we say is on disk before it is on a link (`store`).
Rule 3: a failure of discovery, of one link or of one guest never stops the table.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

from sobremesa.core.charter import BadCharter, Charter
from sobremesa.core.errors import BadMessage, SobremesaError
from sobremesa.core.game import Game
from sobremesa.core.pieces import Seat
from sobremesa.core.table import Table

from .addresses import Address, own_addresses, told_addresses
from .dial import DialFailed, Redial, dial
from .identity import Identity
from .link import Link
from .listen import Listener
from .lobby import Guest, Opening, Refused, RoomState, card, check_proposal
from .mesh import Lane, Mesh
from .store import Store, TableStore
from .text import clean_text
from .wire import Frame

BEAT = 1.0
TICK = 0.25
SLEPT = 2.0
"""Seconds without a tick after which our links are not to be believed any more."""
SIGNING = 10.0
"""Seconds in which everybody must sign a charter."""
SECOND_DIAL = 0.5
"""Seconds that the peer with the larger key waits before its first dial, to let the other's in."""
LINGER = 15.0
"""Seconds at most that we stay after the end for peers that do not have it all yet."""
FAREWELL = 1.0
EARLY_FRAMES = 64
MOST_WAITING = 256

logger = logging.getLogger(__name__)


class Audience(Protocol):
    """Whoever sits at this peer: it is told what happens, and makes the table for a charter."""

    def room_changed(self, room: RoomState) -> None:
        """Somebody came, left, is ready; or the room is open again."""

    def make_table(self, charter: Charter, me: int, seed: bytes) -> Table:
        """The replica for a charter, not started yet.

        :raises BadCharter: if the game is not ours
        """

    def changed(self) -> None:
        """The table took messages."""

    def called_off(self, why: str) -> None:
        """The start was called off; the table that was made is void."""

    def chatted(self, name: str, text: str) -> None:
        """Somebody said something."""

    def noticed(self, text: str, role: str) -> None:
        """Something that a player should know."""

    def away(self, names: list[str]) -> None:
        """Who cannot be reached now; empty when all can."""

    def lost(self, why: str) -> None:
        """This peer is out for good, for a reason that is nobody's fault."""


@dataclass(eq=False, slots=True)
class Wire:
    """A link with what waits to go out on it: words of the waiting room, then those of its lane
    in the mesh. One task sends them."""

    link: Link
    queue: deque[Frame] = field(default_factory=deque)
    lane: Lane | None = None
    wake: asyncio.Event = field(default_factory=asyncio.Event)

    def post(self, kind: str, **values: Any) -> None:
        """Queue a frame. Who does not read while hundreds wait is cut off."""
        if len(self.queue) >= MOST_WAITING:
            self.link.abort("slow", "the other side does not keep up")
        self.queue.append(Frame.make(kind, **values))
        self.wake.set()


class Node:
    """One peer. `opening` is there while we keep a waiting room, `mesh` while we play."""

    def __init__(self, me: Identity, store: Store, audience: Audience) -> None:
        self.me = me
        self.code: str | None = None
        self.opening: Opening | None = None
        self.mesh: Mesh | None = None
        self.listener: Listener | None = None
        self.on_room: Callable[[], None] = lambda: None
        """Called when chairs were taken or given up: the advert wants to know."""
        self._store = store
        self._audience = audience
        self._record: TableStore | None = None
        self._stored = 0
        self._guests: dict[Wire, Guest] = {}
        self._early: dict[Wire, list[Frame]] = {}
        self._room: RoomState | None = None
        self._game: Game | None = None
        self._host: Wire | None = None
        self._wires: set[Wire] = set()
        self._lane_gone = asyncio.Event()
        self._away: list[str] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._signing: asyncio.Task[None] | None = None
        self._closing = False

    # Opening and joining.

    def listen(self, port: int = 0) -> None:
        """Begin to listen.

        :raises CannotListen: if the port cannot be had
        """
        self.listener = Listener.open(self.me, self, self._came, port)
        self._start(self._tick())

    def open(self, opening: Opening, code: str | None) -> None:
        """Keep a waiting room; guests come in by the code, or freely if it is None."""
        self.opening = opening
        self.code = code
        self._room_changed()

    def join(self, link: Link, game: Game, name: str) -> None:
        """Sit down at the table at the other end of an authenticated link."""
        assert self.listener is not None
        self._game = game
        self._host = self._attach(link)
        self._host.post(
            "seat",
            name=name,
            port=self.listener.port,
            addresses=list(told_addresses(own_addresses())),
            game=game.id,
            rules_version=game.rules_version,
        )

    def hosts(self) -> list[str]:
        """Where we can be dialled, as HOST:PORT."""
        assert self.listener is not None
        return [str(Address(host, self.listener.port)) for host in told_addresses(own_addresses())]

    # What the room's people do.

    def ready(self, ready: bool) -> None:
        """We are ready, or not any more."""
        if self.opening is not None:
            self.opening.opener.ready = ready
            self._room_changed()
        elif self._host is not None:
            self._host.post("ready", ready=ready)

    def add_bot(self) -> None:
        """Seat a bot of ours.

        :raises LocalError: if there is no chair
        """
        assert self.opening is not None
        self.opening.add_bot()
        self._room_changed()

    def propose(self) -> None:
        """Close the room and ask everybody to sign. `opening.why_not_start()` must be None."""
        opening = self.opening
        assert opening is not None
        charter = opening.propose()
        for wire in self._guests:
            self._early[wire] = []
            wire.post("charter", charter=charter.encode())
        self._signing = self._start(self._await_signatures(charter))
        self._begin_if_signed()

    def say(self, text: str) -> None:
        """Chat, in the room or in the game."""
        if self.mesh is not None:
            line = self.mesh.say(text, int(time.time() * 1000))
            self._audience.chatted(self._name(line.peer), line.text)
            self._wake()
        elif self.opening is not None:
            self._room_chat(self.opening.opener, text)
        elif self._host is not None:
            self._host.post("say", text=text[:500])

    # Door: who may come in (listen.Door).

    @property
    def table(self) -> bytes | None:
        if self.mesh is not None:
            return self.mesh.table.charter.table
        return self.opening.table if self.opening is not None else None

    def card(self) -> bytes:
        return card(self.opening, self.code is None) if self.opening is not None else b""

    def admit(self, mode: str, key: bytes) -> str | None:
        if mode == "join":
            if self.opening is None:
                return "This is a guest's machine: join at the machine that opened the table."
            return self.opening.refusal()
        if mode == "peer":
            if self.mesh is None or self._peer_of(key) is None:
                return "That peer does not sit at this table."
            return None
        return "Watching is not possible at this table."

    def renew_code(self) -> None:
        from .handshake import new_code

        self.code = new_code()
        self._audience.noticed(
            f"Five wrong codes were given. The code of this table is now {self.code}.", "warn"
        )
        self._room_changed()

    # Links.

    def _came(self, link: Link) -> None:
        """Somebody dialled us and is who it says."""
        if link.mode == "join":
            self._attach(link)
        elif self.mesh is not None:
            self._adopt(link)

    def _attach(self, link: Link) -> Wire:
        """Read and write a link from now on."""
        wire = Wire(link)
        self._wires.add(wire)
        self._start(self._serve(wire))
        self._start(self._pump(wire))
        return wire

    async def _serve(self, wire: Wire) -> None:
        """Read a link to its end."""
        async for incoming in wire.link.frames():
            try:
                self._take(wire, incoming)
            except (BadMessage, Refused) as error:
                self._blame(wire, error)
                code = "refused" if isinstance(error, Refused) else "bad"
                await wire.link.close(code, str(error))
            if incoming.kind == "msg":
                # A long catch-up must not keep the other links waiting.
                await asyncio.sleep(0)
        self._ended(wire)

    async def _pump(self, wire: Wire) -> None:
        """Send what waits for a link, as fast as it is taken."""
        while wire.link.closed_why is None:
            wire.wake.clear()
            if wire.queue:
                frame: Frame | None = wire.queue.popleft()
            elif wire.lane is not None and self.mesh is not None:
                frame = self.mesh.next_frame(wire.lane)
            else:
                frame = None
            if frame is None:
                await wire.wake.wait()
            else:
                await wire.link.send(frame)

    def _take(self, wire: Wire, incoming: Frame) -> None:
        if wire.lane is not None:
            self._play(wire.lane, incoming)
        elif wire in self._guests:
            self._guest_says(wire, self._guests[wire], incoming)
        elif wire is self._host:
            self._host_says(wire, incoming)
        elif incoming.kind == "seat" and self.opening is not None:
            self._sit(wire, incoming)
        elif incoming.kind != "beat":
            raise BadMessage(f"a {incoming.kind} frame from somebody who has not sat down")

    def _blame(self, wire: Wire, error: SobremesaError) -> None:
        """A link's other end passed on what proves nothing: only we know, so only we say it."""
        peer = self._peer_of(wire.link.key)
        if self.mesh is not None and peer is not None:
            name = self._name(peer)
            self._audience.noticed(f"{name}'s machine sent {error}; the link is made anew.", "warn")
        logger.warning("closing a link: %s", error)

    def _ended(self, wire: Wire) -> None:
        """A link is over: whoever was behind it is away, or out of the room."""
        why = wire.link.closed_why
        self._wires.discard(wire)
        wire.wake.set()
        if wire.lane is not None:
            current = self.mesh is not None and self.mesh.lanes.get(wire.lane.peer) is wire.lane
            self._drop(wire)
            if current and why is not None and why.code == "replaced" and not self._closing:
                self._audience.lost("This seat is played from another window now")
        elif wire in self._guests:
            self._guest_left(wire)
        if wire is self._host and not self._table_stands() and not self._closing:
            self._audience.lost(why.text if why is not None else "The table is gone")

    def _table_stands(self) -> bool:
        return self.mesh is not None and self.mesh.table.started

    # The waiting room: the opener's side.

    def _sit(self, wire: Wire, incoming: Frame) -> None:
        opening = self.opening
        assert opening is not None
        told = [wire.link.address, *incoming["addresses"]]
        addresses = [str(Address(host, incoming["port"])) for host in dict.fromkeys(told)]
        guest = opening.sit(
            wire.link.key,
            incoming["name"],
            tuple(addresses[:16]),
            incoming["game"],
            incoming["rules_version"],
        )
        self._guests[wire] = guest
        self._audience.noticed(f"{guest.name} sat down.", "sys")
        self._room_changed()

    def _guest_says(self, wire: Wire, guest: Guest, incoming: Frame) -> None:
        opening = self.opening
        assert opening is not None
        match incoming.kind:
            case "ready":
                guest.ready = incoming["ready"]
                self._room_changed()
            case "beat" if opening.charter is None:
                pass
            case "say":
                self._room_chat(guest, incoming["text"])
            case "calloff":
                self._call_off(f"{guest.name} did not sign: {clean_text(incoming['text'], 200)}")
            case "msg" | "have" | "beat" | "chat":
                early = self._early.setdefault(wire, [])
                if len(early) < EARLY_FRAMES:
                    early.append(incoming)
                if incoming.kind == "msg":
                    opening.signed(guest, incoming["payload"], incoming["sig"])
                    self._begin_if_signed()
            case kind:
                raise BadMessage(f"a {kind} frame in the waiting room")

    def _guest_left(self, wire: Wire) -> None:
        opening = self.opening
        assert opening is not None
        guest = self._guests.pop(wire)
        self._early.pop(wire, None)
        starting = opening.charter is not None
        opening.remove(guest)
        self._audience.noticed(f"{guest.name} left.", "sys")
        if starting:
            self._send_call_off(f"{guest.name} left before the start.")
        self._room_changed()

    def _room_changed(self) -> None:
        """Tell everybody how the room is now, and start when all are ready."""
        opening = self.opening
        assert opening is not None
        if opening.charter is not None:
            return
        self._audience.room_changed(opening.room(opening.opener))
        for wire, guest in self._guests.items():
            wire.post("room", room=opening.room(guest).encode())
        self.on_room()
        if opening.all_ready and opening.why_not_start() is None:
            self.propose()

    def _room_chat(self, who: Guest, text: str) -> None:
        line = clean_text(text, 300)
        self._audience.chatted(who.name, line)
        for wire in self._guests:
            wire.post("said", name=who.name, text=line)

    async def _await_signatures(self, charter: Charter) -> None:
        await asyncio.sleep(SIGNING)
        opening = self.opening
        if opening is not None and opening.charter is charter and not self._table_stands():
            missing = [
                guest.name
                for index, guest in enumerate(opening.people())
                if index and index not in opening.signatures
            ]
            self._call_off(f"{', '.join(missing)} did not sign in {SIGNING:g} s.")

    def _call_off(self, why: str) -> None:
        assert self.opening is not None
        self.opening.call_off()
        self._send_call_off(why)
        self._room_changed()

    def _send_call_off(self, why: str) -> None:
        if self._signing is not None:
            self._signing.cancel()
        self._early.clear()
        self._audience.noticed(f"The start was called off: {why}", "warn")
        for wire in self._guests:
            wire.post("calloff", text=why)

    def _begin_if_signed(self) -> None:
        """The opener signs last, and the table stands."""
        opening = self.opening
        if opening is None or opening.charter is None or not opening.everybody_signed:
            return
        if self._signing is not None:
            self._signing.cancel()
        self._begin(opening.charter, 0, list(self._guests))

    # The waiting room: a guest's side.

    def _host_says(self, wire: Wire, incoming: Frame) -> None:
        match incoming.kind:
            case "room":
                self._room = RoomState.decode(incoming["room"])
                self._audience.room_changed(self._room)
            case "said":
                self._audience.chatted(
                    clean_text(incoming["name"], 40), clean_text(incoming["text"], 300)
                )
            case "charter":
                self._sign_charter(wire, incoming["charter"])
            case "calloff" | "beat" | "have" | "msg":
                pass  # of a start that was called off already
            case kind:
                raise BadMessage(f"a {kind} frame in the waiting room")

    def _sign_charter(self, wire: Wire, encoded: bytes) -> None:
        """Check the opener's proposal; sign it, or say why not."""
        assert self._room is not None
        assert self._game is not None
        try:
            charter = Charter.decode(encoded)
            me = check_proposal(charter, self._room, self._game, self.me.key)
            if charter.peers[0].key != wire.link.key:
                raise Refused("the charter names another opener")
        except (BadCharter, Refused) as error:
            wire.post("calloff", text=str(error)[:300])
            self._audience.noticed(f"We did not sign: {error}.", "warn")
            return
        self._begin(charter, me, [wire])
        # The opener takes signatures before it is in the mesh and says what it has.
        assert self.mesh is not None
        ours = self.mesh.table.log[0]
        wire.post("msg", payload=ours.payload, sig=ours.signature)

    def _called_off(self, why: str) -> None:
        """The opener opened the room again: what we signed is void."""
        self.mesh = None
        for wire in self._wires:
            wire.lane = None
            if wire is not self._host:
                wire.link.abort("calloff", "the start was called off")
        self._forget()
        self._audience.called_off(clean_text(why, 200))

    # The game.

    def _begin(self, charter: Charter, me: int, wires: list[Wire]) -> None:
        """Make the table for a charter, sign it, and take the links we have into the mesh."""
        self._record = self._store.table(charter.table, self.me.key)
        self._record.identity(self.me)
        self._record.keep_charter(charter)
        table = self._audience.make_table(charter, me, self._record.seed())
        self._stored = 0
        self.mesh = Mesh(table, me, self.me.sign, self._now())
        table.start()
        self._guests.clear()
        for wire in wires:
            self._connect(wire)
        for wire, early in self._early.items():
            for incoming in early:
                self._take(wire, incoming)
        self._early.clear()
        self._changed()
        mesh = self.mesh
        for peer in range(len(charter.peers)):
            if peer != me:
                self._start(self._keep_link(mesh, peer))

    def _play(self, lane: Lane, incoming: Frame) -> None:
        mesh = self.mesh
        assert mesh is not None
        if incoming.kind == "calloff":
            if not mesh.table.started:
                self._called_off(incoming["text"])
            return
        line = mesh.receive(lane, incoming, self._now())
        if line is not None:
            self._audience.chatted(self._name(line.peer), line.text)
            self._wake()
        if incoming.kind in ("msg", "leave"):
            self._changed()
        elif incoming.kind in ("have", "beat"):
            self._wake()

    def changed(self) -> None:
        """The player answered: store and send what follows."""
        self._changed()

    def keep_choice(self, step: int, seat: Seat, answer: str) -> None:
        """Keep an answer before it is given: a sealed one must be the same after a restart."""
        if self._record is not None:
            self._record.keep_choice(step, seat, answer)

    def _changed(self) -> None:
        """The table took messages, ours or others': store them, send them, tell the player."""
        mesh = self.mesh
        if mesh is None:
            return
        log = mesh.table.log
        if self._record is not None:
            for message in log[self._stored :]:
                self._record.keep_message((message.payload, message.signature))
        self._stored = len(log)
        if not mesh.table.live:
            mesh.beat()
        self._wake()
        self._audience.changed()

    def _wake(self) -> None:
        for wire in self._wires:
            wire.wake.set()

    def _connect(self, wire: Wire) -> None:
        """Make a link to a peer its lane in the mesh."""
        peer = self._peer_of(wire.link.key)
        assert self.mesh is not None
        assert peer is not None
        wire.lane = self.mesh.connect(peer, self._now())
        wire.wake.set()

    def _adopt(self, link: Link) -> None:
        """A new link to a peer of the table: take it, or keep the one there is."""
        mesh = self.mesh
        peer = self._peer_of(link.key)
        if mesh is None or peer is None:
            link.abort("stranger", "no such peer")
            return
        old = mesh.lanes.get(peer)
        if old is not None:
            if not mesh.takes_over(old, link.dialled, self._now()):
                self._start(link.close("doubled", "there is a link already"))
                return
            code = "replaced" if self._now() - old.since > mesh.RACE else "doubled"
            stale = next(wire for wire in self._wires if wire.lane is old)
            self._drop(stale)
            self._start(stale.link.close(code, "another link took over"))
        self._connect(self._attach(link))

    def _drop(self, wire: Wire) -> None:
        """A link leaves the mesh."""
        if self.mesh is not None and wire.lane is not None:
            self.mesh.disconnect(wire.lane)
        self._lane_gone.set()
        self._lane_gone = asyncio.Event()

    async def _keep_link(self, mesh: Mesh, peer: int) -> None:
        """Dial a peer whenever there is no link to it."""
        key = mesh.table.charter.peers[peer].key
        addresses = [Address.read(text) for text in mesh.table.charter.peers[peer].addresses]
        redial = Redial()
        if self.me.key > key:
            await asyncio.sleep(SECOND_DIAL)
        while not self._closing and self.mesh is mesh:
            if peer in mesh.lanes:
                redial.reset()
                await self._lane_gone.wait()
                continue
            await asyncio.sleep(redial.next(random.uniform(-1, 1)))
            if peer in mesh.lanes or self.mesh is not mesh:
                continue
            try:
                table = mesh.table.charter.table
                link = await dial(self.me, addresses, "peer", table=table, allowed={key})
            except DialFailed as error:
                logger.info("no link to %s: %s", self._name(peer), error)
            else:
                self._adopt(link)

    async def _tick(self) -> None:
        """Heartbeats, presence, and the sleep of this machine."""
        last = beaten = self._now()
        wall = time.time() - last
        while not self._closing:
            await asyncio.sleep(TICK)
            now = self._now()
            if now - last > SLEPT or abs(time.time() - now - wall) > SLEPT:
                for wire in self._wires:
                    wire.link.abort("slept", "this machine slept")
            last, wall = now, time.time() - now
            if now - beaten >= BEAT:
                beaten = now
                self._beat()
            self._tell_away(now)

    def _beat(self) -> None:
        if self.mesh is not None:
            self.mesh.beat()
        for wire in self._wires:
            if wire.lane is None:
                wire.post("beat", beats=[])
        self._wake()

    def _tell_away(self, now: float) -> None:
        mesh = self.mesh
        playing = mesh is not None and mesh.table.started and mesh.table.live
        away = [self._name(peer) for peer in mesh.away(now)] if mesh and playing else []
        if away != self._away:
            self._away = away
            self._audience.away(away)

    # The end.

    async def linger(self) -> None:
        """Stay until everybody in reach has the whole game, or `LINGER` seconds."""
        mesh = self.mesh
        if mesh is None:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(LINGER):
                while not (mesh.all_done() and all(map(mesh.settled, mesh.lanes.values()))):
                    mesh.beat()
                    self._wake()
                    await asyncio.sleep(TICK)

    async def leave(self) -> None:
        """Leave for good, and say so."""
        mesh = self.mesh
        if mesh is not None and mesh.table.live:
            mesh.leave()
            self._wake()
            with suppress(TimeoutError):
                async with asyncio.timeout(FAREWELL):
                    while any(lane.queue for lane in mesh.lanes.values()):  # noqa: ASYNC110
                        await asyncio.sleep(0.02)
        await self.close("left", "The other side left the table.")

    async def close(self, code: str = "closed", text: str = "The table was closed.") -> None:
        """End every link and task."""
        if self._closing:
            return
        self._closing = True
        links = [wire.link for wire in self._wires]
        if self.listener is not None:
            await self.listener.close()
        await asyncio.gather(*(link.close(code, text) for link in links), return_exceptions=True)
        for task in self._tasks:
            if task is not asyncio.current_task():
                task.cancel()
        if self.mesh is not None and self.mesh.table.over:
            self._forget()
        elif self._record is not None:
            self._record.close()
            self._record = None

    def _forget(self) -> None:
        """Nothing can be resumed any more: seed and journal go."""
        if self._record is not None:
            self._record.remove()
            self._record = None

    # Small things.

    def _peer_of(self, key: bytes) -> int | None:
        if self.mesh is None:
            return None
        peers = self.mesh.table.charter.peers
        return next((index for index, peer in enumerate(peers) if peer.key == key), None)

    def _name(self, peer: int) -> str:
        assert self.mesh is not None
        return self.mesh.table.charter.peers[peer].name

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._look_at)
        return task

    def _look_at(self, task: asyncio.Task[None]) -> None:
        """A task ended: what broke it ends this peer's table, with a word."""
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("a task of the node broke", exc_info=error)
            if not self._closing:
                self._audience.lost(f"The table cannot go on: {error}")
