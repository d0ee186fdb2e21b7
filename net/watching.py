"""Looking on: a game is shown to whoever comes to see it, and followed from where it is shown.

Rule 1: who looks on is shown what every peer has: the charter, the steps that are decided, in the
order of a file, what stands behind them, and chat. No message of an open step, no seat, no vote.
It is told who is away, as the machine that shows it sees that: news, like chat, and no proof.
Rule 2: nothing is kept for anybody but a place in the table's own history, and nothing is shown
before it is on the disk here.
Rule 3: whoever shows a game is believed in nothing: the replica here checks all of it, in slices.
What is wrong ends it, in one line; who goes away is not wrong, and another peer shows the rest.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Protocol

from sobremesa.core.errors import BadMessage, IllegalAnswer, LocalError, TooFarAhead
from sobremesa.core.game import Game
from sobremesa.core.names import clean_name
from sobremesa.core.pieces import Seat
from sobremesa.core.questions import Answer
from sobremesa.core.replica.charter import Charter
from sobremesa.core.replica.table import Table
from sobremesa.core.replica.transcript import MOST_TRANSCRIPT
from sobremesa.core.requests import Event
from sobremesa.core.text import clean_text
from sobremesa.net.links.addresses import Address, heard_addresses
from sobremesa.net.links.channels import Channel, Channels
from sobremesa.net.links.dial import DialFailed, Redial, dial, knock
from sobremesa.net.links.frames import MOST_WAIT, Frame
from sobremesa.net.links.link import Link

from .chat import CHAT_WIDTH
from .events import Absence, Giver, LinkEvents
from .identity import Identity
from .mesh import message_frame
from .peer_links import PeerLinks
from .statements import ChatLine, expect_signed
from .tasks import Tasks

MOST = 16
"""People who look on at one machine at once."""
MOST_TOLD = 32
"""Of so many the player hears that they look on, in one game."""
SEEING_OFF = 3.0
"""Seconds in which those who look on are shown the end."""
GLANCE = 0.05
BEAT = 1.0
GREETING = 5.0
"""Seconds in which the charter must come."""
SEEKING = 30.0
"""Seconds after which nobody is expected to show the game any more."""


class Watchers:
    """Those who look on at a table through this machine (channels.Owner)."""

    rest = 0.05

    def __init__(
        self, table: Table, links: PeerLinks, channels: Channels, events: LinkEvents
    ) -> None:
        self._table = table
        self._links = links
        self._mesh = links.mesh
        self._channels = channels
        self._events = events
        self._shown: dict[Channel, Iterator[Frame | None]] = {}
        """What each has still to be shown."""
        self._names: dict[Channel, Seat] = {}
        self._told: set[str] = set()
        self._behind: set[Channel] = set()
        """Those who have not been shown all that there is."""
        self._wishes: dict[bytes, Seat] = {}
        """Who would like a seat in the next game and looks on here, by key."""
        self._absences: Sequence[Absence] = ()
        """For whom the table waits, as this machine sees it."""

    @property
    def waiting(self) -> dict[bytes, Seat]:
        """Who would like a seat in the next game, at whatever machine, by key."""
        return self._mesh.waiting

    def refusal(self, key: bytes | None) -> str | None:
        """Why nobody, or not the owner of this key, can look on here now, or None."""
        others = [channel for channel in self._names if channel.link.key != key]
        if len(others) >= MOST and key is not None:
            return f"{MOST} people look on here already: try at another player's machine"
        return None

    def came(self, link: Link) -> None:
        """Somebody came to look on; a link of the same key before it is lost."""
        for channel in list(self._names):
            if channel.link.key == link.key:
                self._channels.hang_up(channel.link, "doubled", "Another link took over.")
                self.ended(channel)
        self._names[self._channels.attach(link, self)] = ""

    def take(self, channel: Channel, incoming: Frame) -> None:
        match incoming.kind:
            case "beat":
                pass
            case "look" if channel in self._names and channel not in self._shown:
                self._names[channel] = clean_name(incoming["name"])
                self._shown[channel] = self._frames(incoming["step"])
                self._behind.add(channel)
                self._tell(f"{self._names[channel]} looks on.")
                channel.wake.set()
            case "wish" if channel in self._shown:
                if len(self._wishes) < MOST_WAIT:
                    self._wishes[channel.link.key] = self._names[channel]
                    self._links.tell_waiting(self._wishes)
            case kind:
                raise BadMessage(f"a {kind} frame of somebody who looks on")

    def _tell(self, text: str) -> None:
        """Tell the player who looks on; once is enough, and of a crowd some are."""
        if text not in self._told and len(self._told) < MOST_TOLD:
            self._told.add(text)
            self._events.noticed(text, "sys")

    def next_frame(self, channel: Channel) -> Frame | None:
        frames = self._shown.get(channel)
        frame = next(frames) if frames is not None else None
        if frame is None:
            self._behind.discard(channel)
        return frame

    def _frames(self, step: int) -> Iterator[Frame | None]:
        """All that is to be shown from a step on; None where there is nothing yet."""
        history = self._table.history
        yield Frame.make("charter", charter=self._table.charter.encode())
        yield Frame.make("reached", step=history.step, over=False)
        news = self._news()
        while self._table.live or step < history.step:
            kept = self._mesh.released == len(self._table.log)
            if kept and step < history.step:
                yield from map(message_frame, history.record(step))
                step += 1
            else:
                yield next(news)
        yield from map(message_frame, (*history.record(history.step), *self._table.evidence))
        yield Frame.make("reached", step=history.step, over=True)
        yield from news

    def _news(self) -> Iterator[Frame | None]:
        """What is no part of the game: chat, and who is away; None where there is nothing new."""
        chat = self._chat()
        told: Sequence[Absence] = ()
        while True:
            line = next(chat)
            if line is None and told != self._absences:
                told = self._absences
                line = _absent_frame(self._table.charter, told)
            yield line

    def _chat(self) -> Iterator[Frame | None]:
        """The lines of chat; None where there is no other yet."""
        last: ChatLine | None = None
        while True:
            lines = self._mesh.chat
            here = [place for place, line in enumerate(lines) if line is last]
            new = lines[here[0] + 1 :] if here else lines[:]
            for last in new:
                yield last.frame()
            if not new:
                yield None

    def ended(self, channel: Channel) -> None:
        self._shown.pop(channel, None)
        self._behind.discard(channel)
        known = self._names.pop(channel, None) is not None and self._table.live
        if known and self._wishes.pop(channel.link.key, None) is not None:
            self._links.tell_waiting(self._wishes)

    def beat(self) -> None:
        """Let everybody know that we are there."""
        for channel in self._shown:
            channel.post("beat", beats=[])

    def look(self, absences: Sequence[Absence]) -> None:
        """Look for what is new; these are absent."""
        self._absences = absences
        for name in self.waiting.values():
            self._tell(f"{name} looks on and waits for a seat in the next game.")
        self.wake()

    def wake(self) -> None:
        """Show what is new."""
        self._behind.update(self._shown)
        for channel in self._shown:
            channel.wake.set()

    async def linger(self) -> None:
        """Stay until everybody was shown the end, but not for long."""
        self.wake()
        with suppress(TimeoutError):
            async with asyncio.timeout(SEEING_OFF):
                while self._behind:  # noqa: ASYNC110
                    await asyncio.sleep(GLANCE)


class WatchEvents(LinkEvents, Protocol):
    """Whoever looks on at a table."""

    def told(self, match: Watch, event: Event) -> None:
        """The script rests at an event of the game."""

    def table_changed(self, match: Watch) -> None:
        """The table took messages."""

    def catching_up(self, step: int, of: int) -> None:
        """So many steps are checked, of those that were there when we came."""


class Watch:
    """A table of others, as somebody sees it who looks on: the face of a match, without a seat."""

    links = None
    restored = True
    keeps_seat = False
    name: Seat = ""

    def __init__(
        self,
        charter: Charter,
        game: Game[Any],
        me: Identity,
        events: WatchEvents,
        *,
        name: str,
        code: str | None = None,
        link: Link | None = None,
    ) -> None:
        """`name` is what the players are told. Without a `link` on which the charter came a peer
        that shows the table is looked for.

        :raises BadCharter: if the game is not ours
        """
        self.table = Table(charter, game, on_event=self._tell, at_once=False)
        self.caught_up = False
        """Whether all was checked that was there when we came."""
        self._me = me
        self._link = link
        self._events = events
        self._name = name
        self._code = code
        self._wishes = False
        self._departed = 0
        """How many departures have been told."""
        self._target = 1
        """The step that the game had reached when we came."""
        self._inbox: deque[Frame] = deque()
        self._size = 0
        self._spent: set[int] = set()
        """Peers that have shown all they have."""
        self._missing: list[Absence] = []
        """Who is away, as we are shown it."""
        self._told_missing: list[Absence] = []
        self._heard: dict[int, int] = {}
        """The number of each peer's last line of chat."""
        self._news = asyncio.Event()
        self._tasks = Tasks(events.broke)

    def begin(self) -> None:
        """Follow the game."""
        self.table.start()
        for part in (self._follow(), self._check(), self._beat()):
            self._tasks.start(part)

    def wish(self) -> None:
        """We would like a seat in the next game."""
        self._wishes = True
        if self._link is not None:
            self._tasks.start(self._link.send(Frame.make("wish")))

    def _tell(self, event: Event) -> None:
        if self.caught_up:
            self._events.told(self, event)

    # Who shows it.

    async def _follow(self) -> None:
        """Take what comes, from one peer and then from another, to the end."""
        while self._link is not None or await self._find_another():
            assert self._link is not None
            try:
                async for frame in self._link.frames():
                    self._take(frame)
            except BadMessage as error:
                await self._end(error)
                return
            if not self.table.live:
                return
            self._events.noticed(f"{self._shower()} shows the game no more: who else does?", "warn")
            self._link, self._missing = None, []

    async def _find_another(self) -> bool:
        """Whether some peer shows the rest."""
        redial = Redial()
        peers = [peer for peer in range(len(self.table.charter.peers)) if peer not in self._spent]
        with suppress(TimeoutError):
            async with asyncio.timeout(SEEKING):
                while peers:
                    await asyncio.sleep(redial.next(0.0))
                    for peer in peers:
                        if await self._ask(peer):
                            return True
        self._events.lost("No machine of this table shows the game any more")
        return False

    async def _ask(self, peer: int) -> bool:
        """Whether this peer shows the game from where we are."""
        charter = self.table.charter
        key, told = charter.peers[peer].key, charter.peers[peer].addresses
        addresses = heard_addresses(map(Address.read, told))
        try:
            link = await dial(
                self._me, addresses, "watch", table=charter.table, code=self._code, whom=key
            )
        except DialFailed:
            return False
        self._inbox.clear()
        await link.send(_look(self._name, self.table.step))
        if self._wishes:
            await link.send(Frame.make("wish"))
        self._link = link
        return True

    def _shower(self) -> str:
        assert self._link is not None
        return f"{self.table.charter.name_of(self._peer())}'s machine"

    def _peer(self) -> int:
        assert self._link is not None
        return [peer.key for peer in self.table.charter.peers].index(self._link.key)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            self._tell_missing()
            if self._link is not None:
                await self._link.send(Frame.make("beat", beats=[]))

    def _tell_missing(self) -> None:
        """Tell who is away and who is back. Not more often than we beat: it is a stranger's word.
        What is shown may say more of them yet, so that is checked first."""
        before, now = self._told_missing, self._missing
        if not self.caught_up or self._inbox or self.table.busy or before == now:
            return
        self._told_missing = now
        here = {absence.name for absence in now}
        for name in (was.name for was in before if was.name not in here):
            if self._link is not None and self.table.charter.owner(name) in self.table.present:
                self._events.back(name)
        self._events.absent(now, False)

    # What comes in.

    def _take(self, incoming: Frame) -> None:
        """:raises BadMessage: if that is no part of this table"""
        match incoming.kind:
            case "beat":
                pass
            case "charter" if incoming["charter"] == self.table.charter.encode():
                pass
            case "msg" | "reached":
                self._put(incoming)
            case "absent":
                self._missing = _absences(self.table.charter, incoming["absent"])
            case "chat":
                self._hear(ChatLine(*[incoming[n] for n in ("peer", "number", "text", "sig")]))
            case kind:
                raise BadMessage(f"a {kind} frame where a game is shown")

    def _put(self, incoming: Frame) -> None:
        self._size += len(incoming.payload)
        if self._size > MOST_TRANSCRIPT:
            raise BadMessage("more than the longest game has")
        if incoming.kind == "reached":
            self._target = incoming["step"]
        self._inbox.append(incoming)
        self._news.set()

    def _hear(self, line: ChatLine) -> None:
        charter = self.table.charter
        if line.number > self._heard.get(line.peer, -1):
            statement = line.statement(charter.table)
            expect_signed(charter, "a line of chat", line.peer, statement, line.signature)
            self._heard[line.peer] = line.number
            self._events.chatted(charter.name_of(line.peer), clean_text(line.text, CHAT_WIDTH))

    # What is made of it.

    async def _check(self) -> None:
        """Work off what came, in slices, and let everything else live in between."""
        while self.table.live:
            if self.table.busy:
                self.table.work()
            elif self._inbox:
                try:
                    self._give(self._inbox.popleft())
                except (BadMessage, TooFarAhead) as error:
                    await self._end(error)
                    return
            else:
                self._news.clear()
                await self._news.wait()
                continue
            self._report()
            await asyncio.sleep(0)

    def _give(self, incoming: Frame) -> None:
        """:raises BadMessage: if it proves nothing
        :raises TooFarAhead: if it is shown before what it follows
        """
        if incoming.kind == "msg":
            self.table.receive(incoming["payload"], incoming["sig"])
        elif incoming["over"] and self._link is not None:
            # It went no further there, and nothing that was shown says why.
            self._spent.add(self._peer())
            self._link.abort("over", "there is no more")

    def _report(self) -> None:
        step = self.table.step
        if not self.caught_up and self.table.live and (step < self._target or self.table.busy):
            self._events.catching_up(step, self._target)
            return
        for departure in self.table.departures[self._departed :]:
            self._events.gone([departure.name], departure.clause)
        self._departed = len(self.table.departures)
        self.caught_up = True
        self._events.table_changed(self)

    async def _end(self, error: Exception) -> None:
        """What is shown cannot be believed."""
        if self._link is not None:
            why = f"{self._shower()} shows what is not this game ({error}): you look on no longer"
            await self._link.close("bad", why)
            self._events.lost(why)

    # As a match.

    def answer(self, seat: Seat, answer: Answer, by: Giver) -> None:
        """:raises IllegalAnswer: always: nobody asks us"""
        raise IllegalAnswer("you are looking on: nobody asks you for a move")

    def say(self, text: str) -> None:
        """:raises LocalError: always: only who plays talks at a table"""
        raise LocalError("you are looking on: only who plays can talk here")

    async def linger(self) -> None:
        """Nobody needs us."""

    async def leave(self, why: str = "") -> None:
        """Look on no longer."""

    async def close(self) -> None:
        """Look on no longer."""
        await self._tasks.stop()
        if self._link is not None:
            await self._link.close("left", "Somebody looks on no longer.")


async def look_on(
    me: Identity,
    addresses: Sequence[Address],
    *,
    name: str,
    table: bytes | None = None,
    code: str | None = None,
    whom: bytes | None = None,
) -> tuple[Charter, Link]:
    """The charter of the table that is shown at these addresses, and the link that shows the rest.

    :raises DialFailed: if nobody lets us in
    :raises BadCharter: if the charter is damaged
    :raises LocalError: if what is shown is no table
    """
    link = await knock(me, addresses, "watch", table=table, code=code, whom=whom)
    await link.send(_look(name, 0))
    first: Frame | None = None
    with suppress(TimeoutError):
        async with asyncio.timeout(GREETING):
            first = await link.receive()
    if first is not None and first.kind == "charter":
        charter = Charter.decode(first["charter"])
        if charter.table == link.table and link.key in [peer.key for peer in charter.peers]:
            return charter, link
    why = link.closed_why.text if link.closed_why is not None else "it shows no game"
    link.abort("bad", "no game was shown")
    raise LocalError(f"Nobody can look on there: {why.rstrip('.')}.")


def _absent_frame(charter: Charter, absences: Sequence[Absence]) -> Frame:
    """Who is away, without what only a player can do; spans in the place of times."""
    now = _now()
    rows = [
        [
            charter.owner(absence.name),
            max(0, int(now - absence.since)),
            None if absence.until is None else int(absence.until - absence.since),
            absence.why,
            absence.needed,
            sorted(map(charter.owner, absence.agreed)),
        ]
        for absence in absences
    ]
    return Frame.make("absent", absent=rows)


def _absences(charter: Charter, rows: Sequence[Sequence[Any]]) -> list[Absence]:
    """Who is away, of such a frame.

    :raises BadMessage: if it tells of nobody at this table
    """
    found, now = [], _now()
    for peer, away, kept, why, needed, agreed in rows:
        if not {peer, *agreed} <= set(range(len(charter.peers))):
            raise BadMessage("an absence of nobody at this table")
        name, since = charter.name_of(peer), now - away
        until = None if kept is None else since + kept
        names = tuple(map(charter.name_of, agreed))
        found.append(Absence(name, since, until, why=why, agreed=names, needed=needed))
    return found


def _now() -> float:
    return asyncio.get_running_loop().time()


def _look(name: str, step: int) -> Frame:
    return Frame.make("look", name=name, step=step)
