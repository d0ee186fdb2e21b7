"""What is signed beside the messages of the game: heartbeats, chat, changes of window by peers, and
by those who look on, that they wait for a seat.

Rule 1: whoever passes a statement on cannot change it; it is believed for its author's key alone.
Rule 2: of what one person wishes the last counts; how many wishes are kept, of one and of all, is
limited.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from sobremesa.core.encoding import frame, pack
from sobremesa.core.errors import BadMessage
from sobremesa.core.names import clean_name
from sobremesa.core.pieces import Seat
from sobremesa.core.replica.charter import Charter
from sobremesa.core.replica.transcript import signed_by
from sobremesa.net.links.frames import Frame

from .identity import Identity

MOST_WISHES = 128
"""Wishes for a seat in the next game that are kept in one."""
MOST_OF_ONE = 8
"""Of them, of one person."""


@dataclass(frozen=True, slots=True)
class ChatLine:
    """One signed line of chat; `number` grows with each line of its author."""

    peer: int
    number: int
    text: str
    signature: bytes = b""

    def statement(self, table: bytes) -> bytes:
        """What its author signs."""
        return frame("chat", table, self.peer, self.number, self.text)

    def frame(self) -> Frame:
        return Frame.make(
            "chat", peer=self.peer, number=self.number, text=self.text, sig=self.signature
        )


@dataclass(frozen=True, slots=True)
class Presence:
    """What a peer last said of itself: a counter, its step, whether it is done, its links, and
    whom it would name gone from its step."""

    seq: int = -1
    step: int = 0
    done: bool = False
    links: frozenset[int] = frozenset()
    would: frozenset[int] = frozenset()
    signature: bytes = b""

    def statement(self, table: bytes, peer: int) -> bytes:
        """What the peer signs."""
        sets = pack([sorted(self.links), sorted(self.would)])
        return frame("beat", table, peer, self.seq, self.step, self.done, sets)


@dataclass(frozen=True, slots=True)
class Wish:
    """Somebody who looks on would like a seat in the next game, or would not any more; `number`
    grows with each wish of one key."""

    key: bytes
    name: str
    number: int
    waits: bool
    signature: bytes = b""

    @classmethod
    def make(cls, me: Identity, table: bytes, name: str, number: int, *, waits: bool) -> Wish:
        """A wish of ours."""
        wish = cls(me.key, name, number, waits)
        return cls(me.key, name, number, waits, me.sign(wish.statement(table)))

    @classmethod
    def read(cls, incoming: Frame) -> Wish:
        """The wish of a frame, not checked yet."""
        return cls(*[incoming[name] for name in ("key", "name", "number", "waits", "sig")])

    def statement(self, table: bytes) -> bytes:
        """What its author signs."""
        return frame("wish", table, self.key, self.name, self.number, self.waits)

    def frame(self) -> Frame:
        return Frame.make(
            "wish",
            key=self.key,
            name=self.name,
            number=self.number,
            waits=self.waits,
            sig=self.signature,
        )


class Wishes:
    """The wishes of everybody who looks on at a table, in the order in which they came."""

    def __init__(self, table: bytes) -> None:
        self.log: list[Wish] = []
        self._table = table
        self._last: dict[bytes, Wish] = {}
        self._of: Counter[bytes] = Counter()

    @property
    def waiting(self) -> list[Seat]:
        """Who would like a seat now, by name."""
        return [clean_name(wish.name) for wish in self._last.values() if wish.waits]

    def take(self, wish: Wish) -> bool:
        """Take a wish. Whether it is a new one.

        :raises BadMessage: if the owner of its key did not sign it
        """
        last = self._last.get(wish.key)
        if last is not None and wish.number <= last.number:
            return False
        if len(self.log) >= MOST_WISHES or self._of[wish.key] >= MOST_OF_ONE:
            return False
        if not signed_by(wish.key, wish.statement(self._table), wish.signature):
            raise BadMessage("a wish that its author did not sign")
        self._last[wish.key] = wish
        self._of[wish.key] += 1
        self.log.append(wish)
        return True


def expect_signed(
    charter: Charter, what: str, peer: int, statement: bytes, signature: bytes
) -> None:
    """:raises BadMessage: if this is not what a peer of the table signed"""
    if not 0 <= peer < len(charter.peers):
        raise BadMessage(f"{what} of nobody at this table")
    if not signed_by(charter.peers[peer].key, statement, signature):
        raise BadMessage(f"{what} that {charter.name_of(peer)} did not sign")
