"""The mesh: how a table's messages reach every peer, whoever is linked to whom.

Pure: frames come in, frames go out, time is passed in. `node` holds the links.

Rule 1: a new valid message goes on once on every other link. The table's log is the queue: each
link has its place in it, so a slow reader costs no memory, and a message never overtakes one
that its author had seen.
Rule 2: after a (re)connect both say what they have and send what the other lacks. What is held
is named with a piece of its hash, so that two versions of one message always meet.
Rule 3: who is away is told by the links that peers report, not by who talks to us: a guest
behind a firewall is there as long as somebody reaches it. What a peer reports it signs, so that
nobody who passes it on can change it.
Rule 4: chat travels the same way, is signed, and is no part of the record. A farewell too; it
goes out on a link after everything that its author said in the game.
Rule 5: nothing of ours goes out before it is on the disk: only `released` messages do.
Rule 6: only our own key ends our sitting. Who holds it elsewhere too, in another window, says so
over a number that this process drew; whoever meets both windows carries question and statement.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from typing import Any

from sobremesa.core.encoding import digest, frame
from sobremesa.core.errors import BadMessage
from sobremesa.core.replica.table import Table
from sobremesa.core.replica.transcript import Sign, signed_by
from sobremesa.net.links.frames import Frame

from .chat import CHAT_WIDTH, ChatLimit
from .text import clean_text

CHAT_KEPT = 200

WINDOWS_KEPT = 4
"""How many windows of one seat are remembered, and may be asked about."""

AWAY_AFTER = 1.5
"""Seconds without a way to a peer before the others are told: a redial takes less."""


def message_hash(payload: bytes) -> bytes:
    """A short name for a message's exact content, 8 bytes."""
    return digest("have", payload)[:8]


@dataclass(frozen=True, slots=True)
class ChatLine:
    """One signed line of chat; `number` grows with each line of its author."""

    peer: int
    number: int
    text: str
    signature: bytes

    def frame(self) -> Frame:
        return Frame.make(
            "chat", peer=self.peer, number=self.number, text=self.text, sig=self.signature
        )


@dataclass(frozen=True, slots=True)
class Presence:
    """What a peer last said of itself: a counter, its step, whether it is done, its links."""

    seq: int = -1
    step: int = 0
    done: bool = False
    links: frozenset[int] = frozenset()
    signature: bytes = b""

    def statement(self, table: bytes, peer: int) -> bytes:
        """What the peer signs."""
        return frame("beat", table, peer, self.seq, self.step, self.done, *sorted(self.links))


@dataclass(slots=True, eq=False)
class Feed:
    """Our end of one link: what is to be sent on it, and where in the log it stands."""

    peer: int
    since: float
    queue: deque[Frame] = field(default_factory=deque)
    cursor: int = 0
    chat_cursor: int = 0
    open: bool = False
    """Whether the other side has said what it has; before that no message is sent."""
    first_step: int = 0
    old: int = 0
    """How long the log was when it said so; what came later is news whatever its step."""
    proofs: frozenset[bytes] = frozenset()
    """Payloads of what convicted somebody before that; they are news to whoever missed them."""
    farewells: set[int] = field(default_factory=set)
    """Peers whose farewells were sent."""
    holds: set[bytes] = field(default_factory=set)
    """Hashes of the messages that the other side has: it said so, or sent them."""


class Mesh:
    """One peer's part in the mesh of a table that has a charter."""

    RACE = 5.0
    """Seconds within which two links of one pair are two that dialled each other at once."""

    def __init__(self, table: Table, me: int, sign: Sign, now: float, window: bytes) -> None:
        """`window` names this process, 32 random bytes: another one with our key has another."""
        self.table = table
        self.me = me
        self.window = window
        self.moved = False
        """Whether a newer window with our key has said that it plays this seat."""
        self.feeds: dict[int, Feed] = {}
        self.chat: list[ChatLine] = []
        self.farewells: dict[int, bytes] = {}
        self.released = 0
        """How many messages of the log are on the disk and may go out."""
        self._sign = sign
        self._said: dict[int, int] = {}
        self._chat_dropped = 0
        peers = range(len(table.charter.peers))
        self._chat_limits = [ChatLimit() for _ in peers]
        self._presence = {peer: Presence() for peer in peers}
        self._reached = dict.fromkeys(peers, now)
        self._windows: dict[int, list[bytes]] = {peer: [] for peer in peers}
        """Each peer's windows, in the order in which we met them."""
        self._moves: dict[bytes, Frame] = {}
        """What newer windows have signed, by the older window."""
        self._outlived: list[bytes] = []
        """Windows of our own seat that we have signed to be newer than."""

    # Links come and go.

    def connect(self, peer: int, now: float) -> Feed:
        """A new link to a peer, in place of the one before."""
        feed = Feed(peer, now)
        hashes = [message_hash(message.payload) for message in self.table.history.due_messages()]
        head = self.table.replica_state.head
        feed.queue.append(
            Frame.make("have", step=self.table.step, head=head, hashes=hashes, window=self.window)
        )
        self.feeds[peer] = feed
        return feed

    def disconnect(self, feed: Feed) -> None:
        """A link is gone."""
        if self.feeds.get(feed.peer) is feed:
            del self.feeds[feed.peer]

    def takes_over(self, old: Feed, dialled: bool, now: float) -> bool:
        """Whether a new link to a peer takes the place of the old one. `dialled`: by us.

        Two that dialled each other at once keep the one that the smaller key dialled; later, a
        peer that dials has lost the old link, whatever ours looks like.
        """
        if now - old.since > self.RACE:
            return True
        peers = self.table.charter.peers
        return dialled == (peers[self.me].key < peers[old.peer].key)

    # What goes out.

    def next_frame(self, feed: Feed) -> Frame | None:
        """The next frame to send on a link, or None if there is nothing now."""
        if feed.queue:
            return feed.queue.popleft()
        if not feed.open:
            return None
        while feed.cursor < self.released:
            message = self.table.log[feed.cursor]
            # What the other side is owed: all from the step that it is in, whatever came to us
            # since it said so, and what convicts somebody; it has the rest, or said it holds it.
            news = feed.cursor >= feed.old or message.step >= feed.first_step
            feed.cursor += 1
            name = message_hash(message.payload)
            if (news or message.payload in feed.proofs) and name not in feed.holds:
                feed.holds.add(name)
                return Frame.make("msg", payload=message.payload, sig=message.signature)
        for peer in self.farewells.keys() - feed.farewells:
            feed.farewells.add(peer)
            return Frame.make("leave", peer=peer, sig=self.farewells[peer])
        feed.chat_cursor = max(feed.chat_cursor, self._chat_dropped)
        if feed.chat_cursor < self._chat_dropped + len(self.chat):
            line = self.chat[feed.chat_cursor - self._chat_dropped]
            feed.chat_cursor += 1
            return line.frame()
        return None

    def beat(self) -> None:
        """Queue a heartbeat on every link: what we know of everybody's presence."""
        seq = self._presence[self.me].seq + 1
        mine = Presence(seq, self.table.step, not self.table.live, frozenset(self.feeds))
        signature = self._sign(mine.statement(self.table.charter.table, self.me))
        self._presence[self.me] = replace(mine, signature=signature)
        entries = [
            [peer, p.seq, p.step, p.done, sorted(p.links), p.signature]
            for peer, p in self._presence.items()
            if p.seq >= 0
        ]
        beat = Frame.make("beat", beats=entries)
        for feed in self.feeds.values():
            # A heartbeat that was not sent yet is worth nothing beside a newer one.
            if feed.queue and feed.queue[-1].kind == "beat":
                feed.queue.pop()
            feed.queue.append(beat)

    def say(self, text: str, number: int) -> ChatLine:
        """Say something; `number` is larger than that of any line of ours before."""
        number = max(number, self._said.get(self.me, -1) + 1)
        line = ChatLine(self.me, number, clean_text(text, CHAT_WIDTH), b"")
        signature = self._sign(self._chat_bytes(line))
        line = ChatLine(line.peer, line.number, line.text, signature)
        self._keep_chat(line)
        return line

    def leave(self) -> None:
        """Say farewell to everybody."""
        self.farewells[self.me] = self._sign(self.table.farewell(self.me))

    # What comes in.

    def receive(self, feed: Feed, incoming: Frame, now: float) -> ChatLine | None:
        """Take a frame from a link. Returns a line of chat if it was a new one.

        :raises BadMessage: if the frame proves that the other end does not keep to the protocol
        """
        match incoming.kind:
            case "msg":
                live = self.table.live
                new = self.table.receive(incoming["payload"], incoming["sig"], via=feed.peer)
                # A table that is not live keeps nothing of what may still come for it.
                if live or new is not None:
                    feed.holds.add(message_hash(incoming["payload"]))
                self._part()
            case "have":
                self._open(feed, incoming["step"], incoming["head"], incoming["hashes"])
                self._meet(feed, incoming["window"])
            case "beat":
                self._beats(feed.peer, incoming["beats"])
            case "chat":
                return self._chat_line(
                    ChatLine(*[incoming[n] for n in ("peer", "number", "text", "sig")]), now
                )
            case "leave":
                self._farewell(incoming["peer"], incoming["sig"])
                feed.farewells.add(incoming["peer"])
                self._part()
            case "older":
                self._outlive(feed, incoming["older"])
            case "moved":
                self._move(feed, incoming)
            case kind:
                raise BadMessage(f"a {kind} frame in the middle of a game")
        return None

    def _open(self, feed: Feed, step: int, head: bytes, hashes: list[bytes]) -> None:
        """The other side has said what it has: start to send what it lacks.

        :raises BadMessage: if it has said so before; what it got since it knows from us
        """
        if feed.open:
            raise BadMessage("a second list of what it has")
        ours = self.table.history.head_before(step)
        # Another history at the other end: all of ours goes out, and the two versions of the
        # message that split them meet at both ends.
        feed.first_step = 0 if ours not in (None, head) else min(step, self.table.step)
        feed.holds.update(hashes)
        feed.cursor = 0
        feed.old = len(self.table.log)
        feed.proofs = frozenset(message.payload for message in self.table.evidence)
        feed.open = True

    # Windows: two processes that hold one key and play one seat.

    def _meet(self, feed: Feed, window: bytes) -> None:
        """The other side has said which process it is. If we know an older one of its seat, ask
        this one to say that it is newer; if a newer one has said so, tell this one."""
        known = self._windows[feed.peer]
        if window not in known:
            known.append(window)
            del known[:-WINDOWS_KEPT]
        if window in self._moves:
            feed.queue.append(self._moves[window])
        elif window == known[-1]:
            unsaid = [older for older in known[:-1] if older not in self._moves]
            feed.queue.extend(Frame.make("older", older=older) for older in unsaid)

    def _outlive(self, feed: Feed, older: bytes) -> None:
        """Somebody met an older window of our seat: sign, for that one to read, that we play."""
        # Never against ourselves: whoever asks for that wants to end us by our own hand.
        if older == self.window or len(self._outlived) >= WINDOWS_KEPT:
            return
        self._outlived.append(older)
        signature = self._sign(self._move_bytes(self.me, older, self.window))
        feed.queue.append(Frame.make("moved", older=older, newer=self.window, sig=signature))

    def _move(self, feed: Feed, incoming: Frame) -> None:
        """A statement that a seat is played from a newer window: our own seat, or the teller's."""
        older, newer, signature = incoming["older"], incoming["newer"], incoming["sig"]
        ours = older == self.window
        peer = self.me if ours else feed.peer
        statement = self._move_bytes(peer, older, newer)
        self._check_signed("a change of window", peer, statement, signature)
        if not ours:
            if older in self._windows[peer]:
                self._moves[older] = incoming
        # Of two windows that were each asked about the other, neither can end both.
        elif newer not in self._outlived:
            self.moved = True

    def _move_bytes(self, peer: int, older: bytes, newer: bytes) -> bytes:
        return frame("moved", self.table.charter.table, peer, older, newer)

    def _beats(self, teller: int, entries: list[list[Any]]) -> None:
        for peer, seq, step, done, links, signature in entries:
            if not {peer, *links} <= self._presence.keys():
                raise BadMessage("a heartbeat of nobody at this table")
            # What a peer says of itself on its own link is not corrected by hearsay.
            hearsay = peer != teller
            old = peer in self.feeds or seq <= self._presence[peer].seq
            if peer == self.me or (hearsay and old):
                continue
            told = Presence(seq, step, done, frozenset(links), signature)
            statement = told.statement(self.table.charter.table, peer)
            self._check_signed("a heartbeat", peer, statement, signature)
            self._presence[peer] = told

    def _chat_bytes(self, line: ChatLine) -> bytes:
        return frame("chat", self.table.charter.table, line.peer, line.number, line.text)

    def _chat_line(self, line: ChatLine, now: float) -> ChatLine | None:
        if line.number <= self._said.get(line.peer, -1):
            return None
        self._check_signed("a line of chat", line.peer, self._chat_bytes(line), line.signature)
        if not self._chat_limits[line.peer].allows(now):
            return None
        self._keep_chat(line)
        return ChatLine(line.peer, line.number, clean_text(line.text, CHAT_WIDTH), b"")

    def _keep_chat(self, line: ChatLine) -> None:
        self._said[line.peer] = line.number
        self.chat.append(line)
        if len(self.chat) > CHAT_KEPT:
            del self.chat[0]
            self._chat_dropped += 1

    def _farewell(self, peer: int, signature: bytes) -> None:
        self._check_signed("a farewell", peer, self.table.farewell(peer), signature)
        self.farewells.setdefault(peer, signature)

    def _check_signed(self, what: str, peer: int, statement: bytes, signature: bytes) -> None:
        """:raises BadMessage: if this is not what a peer of the table signed"""
        if peer not in self._presence:
            raise BadMessage(f"{what} of nobody at this table")
        if not signed_by(self.table.charter.peers[peer].key, statement, signature):
            raise BadMessage(f"{what} that {self.table.charter.name_of(peer)} did not sign")

    def _part(self) -> None:
        """Take the farewells of others to the table once it stands: before that the opener calls
        the start off, and nobody has left a game."""
        if self.table.started:
            # Ours is for the others: who leaves plays no more, and needs no end of the game.
            for peer in self.farewells.keys() - {self.me}:
                self.table.leave(peer, self.farewells[peer])

    # Who is there.

    def reachable(self) -> set[int]:
        """The peers that a message of ours can reach now, ourselves included."""
        found = {self.me}
        border = [self.me]
        while border:
            here = border.pop()
            links = self.feeds.keys() if here == self.me else self._presence[here].links
            for peer in links:
                # A link counts when both ends report it; of our own we know at once.
                back = here == self.me or here in self._presence[peer].links
                if peer not in found and back:
                    found.add(peer)
                    border.append(peer)
        return found

    def away(self, now: float) -> list[int]:
        """The peers that nobody has a way to for `AWAY_AFTER` seconds."""
        for peer in self.reachable():
            self._reached[peer] = now
        return [peer for peer, at in self._reached.items() if now - at > AWAY_AFTER]

    def unfinished(self) -> set[int]:
        """The peers that may still need something from us: all that did not say they are done,
        but for those that left and the one that is proven guilty. Who is away needs what we have
        if that is the whole game."""
        fault = self.table.fault
        # Who left, or is guilty, never says that it is done: we would wait for nothing.
        here = self._presence.keys() if self.table.over else self.reachable()
        return {
            peer
            for peer in here - self.farewells.keys() - {self.me}
            if not self._presence[peer].done
            and (fault is None or self.table.charter.name_of(peer) != fault.peer)
        }

    def settled(self, feed: Feed) -> bool:
        """Whether all that we have to say in the game was sent on this link."""
        everything = feed.cursor == self.released and feed.farewells >= self.farewells.keys()
        return feed.open and not feed.queue and everything
