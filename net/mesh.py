"""The mesh: how a table's messages reach every peer, whoever is linked to whom.

Pure: frames come in, frames go out, time is passed in. `peer_links` holds the links.

Rule 1: what comes to stand in our history goes on once on every other link. The table's log is the
queue: each link has its place in it, so a slow reader costs no memory, and a message never
overtakes one that its author had seen.
Rule 2: after a (re)connect both ends first compare their histories (core's `comparison`). Where
they are one, each says what it has of the step that both have reached, by hash, so that two
versions of one message always meet, and sends what the other lacks. Where they part, each shows
the step that parted them, and nothing else follows.
Who has sent all of that says so once (`all`): a peer that came back knows then what it had said.
Rule 3: heartbeats, and two signatures that convict their author by themselves, pass on every link,
compared or not, and after the end.
Rule 4: chat, and each peer's list of those who wait for a seat in the next game, travel the same
way as messages, are signed, and are no part of the record. Of a list only the last version counts.
Rule 5: nothing of ours goes out before it is on the disk: only `released` messages do.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sobremesa.core.errors import BadMessage
from sobremesa.core.names import clean_name
from sobremesa.core.replica.comparison import Comparison, Said
from sobremesa.core.replica.table import Table
from sobremesa.core.replica.transcript import Message, Sign, message_hash
from sobremesa.core.text import clean_text
from sobremesa.net.links.frames import Frame

from .chat import CHAT_WIDTH, ChatLimit
from .presence import Hearing, Presences
from .statements import ChatLine, Waiting, expect_signed
from .windows import Windows

CHAT_KEPT = 200

MOST_SHOWN = 64
"""Messages of the step that parts two histories: those of eight peers, and its certificate."""


@dataclass(slots=True, eq=False)
class Feed:
    """Our end of one link: what is to be sent on it, and where in the log it stands."""

    peer: int
    since: float
    comparison: Comparison
    queue: deque[Frame] = field(default_factory=deque)
    cursor: int = 0
    chat_cursor: int = 0
    waits_told: dict[int, int] = field(default_factory=dict)
    """The number of the last list of each peer that the other side has: it was sent, or sent it."""
    open: bool = False
    """Whether both ends have found their histories to be one; before that no message is sent."""
    shown: int = 0
    """How many messages the other side has shown of the step that parts our histories."""
    old: int = 0
    """How long the log was when it said what it has; what came later is news whatever its step."""
    timeless: frozenset[bytes] = frozenset()
    """Payloads of what came before that, and is news to whoever missed it all the same."""
    proof: tuple[Message, ...] = ()
    """The proof that was sent."""
    holds: set[bytes] = field(default_factory=set)
    """Hashes of the messages that the other side has: it said so, or sent them."""
    sent_all: bool = False
    """Whether all that we held has been sent, and that it was all."""
    hearing: Hearing = field(default_factory=Hearing)

    def next_owed(self, log: Sequence[Message], released: int) -> Frame | None:
        """The next message that is owed on this link, of the so many in the log that may go out,
        and that there are no more, once."""
        common = self.comparison.agreed
        assert common is not None  # nothing is owed before
        while self.cursor < released:
            message = log[self.cursor]
            # What the other side is owed: all from the step that both had reached, whatever came
            # to us since, and what counts at any step; it has the rest, or said it holds it.
            news = self.cursor >= self.old or message.step >= common
            self.cursor += 1
            name = message.hash
            if (news or message.payload in self.timeless) and name not in self.holds:
                self.holds.add(name)
                return message_frame(message)
        if self.sent_all:
            return None
        self.sent_all = True
        return Frame.make("all")


class Mesh:
    """One peer's part in the mesh of a table that has a charter."""

    RACE = 5.0
    """Seconds within which two links of one pair are two that dialled each other at once."""

    def __init__(
        self, table: Table, me: int, sign: Sign, now: float, window: bytes, born: int = -1
    ) -> None:
        """`window`, 32 random bytes, names this process; its heartbeats are counted from `born`."""
        self.table = table
        self.me = me
        self.windows = Windows(table.charter, me, sign, window)
        self.feeds: dict[int, Feed] = {}
        self.chat: list[ChatLine] = []
        self.released = 0
        """How many messages of the log are on the disk and may go out."""
        self._sign = sign
        self._said: dict[int, int] = {}
        self._chat_dropped = 0
        self._chat_limits = [ChatLimit() for _ in table.charter.peers]
        self.presences = Presences(table.charter, me, sign, now, born)
        self._waits: dict[int, Waiting] = {}
        """Each peer's last list of those who wait for a seat in the next game."""
        self.would: frozenset[int] = frozenset()
        """Whom we would vote gone from the step that is due; our heartbeats say so."""

    # Links come and go.

    def connect(self, peer: int, now: float) -> Feed:
        """A new link to a peer, in place of the one before."""
        feed = Feed(peer, now, Comparison(self.table.history))
        step, head = feed.comparison.opening
        feed.queue.append(Frame.make("have", step=step, head=head, window=self.windows.own))
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
        if feed.proof != self.table.proof:
            feed.proof = self.table.proof
            one, other = [[message.payload, message.signature] for message in feed.proof]
            return Frame.make("proof", one=one, other=other)
        if not feed.open:
            return None
        owed = feed.next_owed(self.table.log, self.released)
        if owed is not None:
            return owed
        feed.chat_cursor = max(feed.chat_cursor, self._chat_dropped)
        if feed.chat_cursor < self._chat_dropped + len(self.chat):
            line = self.chat[feed.chat_cursor - self._chat_dropped]
            feed.chat_cursor += 1
            return line.frame()
        for waiting in self._waits.values():
            if waiting.number > feed.waits_told.get(waiting.peer, -1):
                feed.waits_told[waiting.peer] = waiting.number
                return waiting.frame()
        return None

    def beat(self) -> None:
        """Queue a heartbeat on every link: what we know of everybody's presence."""
        table = self.table
        self.presences.speak(table.step, not table.live, self.feeds.keys(), self.would)
        beat = Frame.make("beat", beats=self.presences.entries())
        for feed in self.feeds.values():
            # A heartbeat that was not sent yet is worth nothing beside a newer one.
            if feed.queue and feed.queue[-1].kind == "beat":
                feed.queue.pop()
            feed.queue.append(beat)

    def say(self, text: str, number: int) -> ChatLine:
        """Say something; `number` is larger than that of any line of ours before."""
        number = max(number, self._said.get(self.me, -1) + 1)
        line = ChatLine(self.me, number, clean_text(text, CHAT_WIDTH), b"")
        signature = self._sign(line.statement(self.table.charter.table))
        line = ChatLine(line.peer, line.number, line.text, signature)
        self._keep_chat(line)
        return line

    def tell_waiting(self, who: Mapping[bytes, str], number: int) -> None:
        """Tell who waits at our machine for a seat in the next game; `number` as in `say`."""
        number = max(number, self._waits.get(self.me, Waiting(self.me)).number + 1)
        waiting = Waiting(self.me, number, tuple(who.items()))
        signature = self._sign(waiting.statement(self.table.charter.table))
        self._waits[self.me] = replace(waiting, signature=signature)

    @property
    def waiting(self) -> dict[bytes, str]:
        """Who waits for a seat in the next game at the machine of anybody who is present."""
        here = [self._waits[peer] for peer in sorted(self.table.present & self._waits.keys())]
        return {key: clean_name(name) for waiting in here for key, name in waiting.who}

    # What comes in.

    def receive(self, feed: Feed, incoming: Frame, now: float) -> ChatLine | None:
        """Take a frame from a link. Returns a line of chat if it was a new one.

        :raises BadMessage: if the frame proves that the other end does not keep to the protocol
        """
        match incoming.kind:
            case "msg":
                self._message(feed, incoming)
            case "proof":
                self.table.receive_proof(incoming["one"], incoming["other"])
            case "have":
                said = feed.comparison.meet(incoming["step"], incoming["head"])
                self._say_heads(feed, said)
                feed.queue.extend(self.windows.meet(feed.peer, incoming["window"]))
            case "head":
                self._say_heads(feed, feed.comparison.hear(incoming["step"], incoming["head"]))
            case "agreed":
                self._open(feed, incoming["hashes"])
            case "all" if feed.open:
                pass  # for whoever came back and waits for it
            case "beat":
                entries, linked = incoming["beats"], self.feeds.keys()
                self.presences.take(feed.peer, feed.hearing, entries, linked, now)
            case "chat":
                return self._chat_line(
                    ChatLine(*[incoming[n] for n in ("peer", "number", "text", "sig")]), now
                )
            case "waits":
                who = tuple((key, name) for key, name in incoming["who"])
                told = Waiting(incoming["peer"], incoming["number"], who, incoming["sig"])
                self._take_waiting(feed, told, now)
            case "older":
                feed.queue.extend(self.windows.outlive(incoming["older"]))
            case "moved":
                self.windows.take(feed.peer, incoming)
            case kind:
                raise BadMessage(f"a {kind} frame in the middle of a game")
        return None

    def _say_heads(self, feed: Feed, said: Sequence[Said]) -> None:
        """Go on with the comparison of two histories, and with what follows from it."""
        history, comparison = self.table.history, feed.comparison
        feed.queue.extend(Frame.make("head", step=step, head=head) for step, head in said)
        if comparison.agreed is not None:
            hashes = [m.hash for m in history.about(comparison.agreed)]
            feed.queue.append(Frame.make("agreed", hashes=hashes))
        elif comparison.parted is not None:
            feed.queue.extend(map(message_frame, history.record(comparison.parted)))

    def _open(self, feed: Feed, hashes: list[bytes]) -> None:
        """The other side has found our histories to be one: start to send what it lacks.

        :raises BadMessage: if they are not, or it has said so before
        """
        if feed.comparison.agreed is None or feed.open:
            raise BadMessage("a word of one history that was not due")
        feed.holds.update(hashes)
        feed.old = len(self.table.log)
        feed.timeless = self.table.timeless
        feed.open = True

    def _message(self, feed: Feed, incoming: Frame) -> None:
        if not feed.open:
            # Only what it shows of the step that parts our histories, each of its messages once.
            feed.shown += 1
            if feed.comparison.parted is None or feed.shown > MOST_SHOWN:
                raise BadMessage("a message before both ends found their histories to be one")
        live = self.table.live
        new = self.table.receive(incoming["payload"], incoming["sig"])
        # A table that is not live keeps nothing of what may still come for it.
        if live or new is not None:
            feed.holds.add(message_hash(incoming["payload"]))

    def _chat_line(self, line: ChatLine, now: float) -> ChatLine | None:
        if line.number <= self._said.get(line.peer, -1):
            return None
        if line.peer < len(self._chat_limits) and self._chat_limits[line.peer].is_full(now):
            return None
        charter = self.table.charter
        statement = line.statement(charter.table)
        expect_signed(charter, "a line of chat", line.peer, statement, line.signature)
        self._chat_limits[line.peer].allows(now)
        self._keep_chat(line)
        return ChatLine(line.peer, line.number, clean_text(line.text, CHAT_WIDTH), b"")

    def _take_waiting(self, feed: Feed, told: Waiting, now: float) -> None:
        feed.waits_told[told.peer] = max(told.number, feed.waits_told.get(told.peer, -1))
        before = self._waits.get(told.peer, Waiting(told.peer))
        if told.peer == self.me or told.number <= before.number or not feed.hearing.may_check(now):
            return
        charter = self.table.charter
        statement = told.statement(charter.table)
        expect_signed(charter, "a list of who waits", told.peer, statement, told.signature)
        self._waits[told.peer] = told

    def _keep_chat(self, line: ChatLine) -> None:
        self._said[line.peer] = line.number
        self.chat.append(line)
        if len(self.chat) > CHAT_KEPT:
            del self.chat[0]
            self._chat_dropped += 1

    # Who is there.

    def reachable(self) -> set[int]:
        """The peers that a message of ours can reach now, ourselves included."""
        return self.presences.reachable(self.feeds.keys())

    def unfinished(self) -> set[int]:
        """The peers that may still need something from us: all that did not say they are done,
        but for those that left or are gone, and the one that is proven guilty. Who is away needs
        what we have if that is the whole game, or a proof that has ended it."""
        table, said = self.table, self.presences.last
        fault = table.fault
        # Who is gone, or guilty, never says that it is done: we would wait for nothing.
        here = said.keys() if table.over or table.proof else self.reachable()
        return {
            peer
            for peer in (here & table.present) - table.history.left.keys() - {self.me}
            if not said[peer].done and (fault is None or table.charter.name_of(peer) != fault.peer)
        }

    def settled(self, feed: Feed) -> bool:
        """Whether all that we have to say in the game was sent on this link."""
        shown = feed.comparison.parted is not None
        level = feed.open and feed.cursor == self.released
        return not feed.queue and feed.proof == self.table.proof and (shown or level)


def message_frame(message: Message) -> Frame:
    """A message of the game, to be sent."""
    return Frame.make("msg", payload=message.payload, sig=message.signature)
