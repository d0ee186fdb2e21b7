"""What a peer signs beside the messages of the game: heartbeats, chat, who waits for a seat at its
machine, changes of window.

Rule 1: whoever passes a statement on cannot change it; it is believed for its author's key alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from sobremesa.core.encoding import frame, pack
from sobremesa.core.errors import BadMessage
from sobremesa.core.replica.charter import Charter
from sobremesa.core.replica.transcript import signed_by
from sobremesa.net.links.frames import Frame


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
class Waiting:
    """Who looks on at a peer's machine and waits for a seat in the next game: keys and names.
    `number` grows with each such list of its author."""

    peer: int
    number: int = -1
    who: tuple[tuple[bytes, str], ...] = ()
    signature: bytes = b""

    def statement(self, table: bytes) -> bytes:
        """What its author signs."""
        return frame("waits", table, self.peer, self.number, pack(list(map(list, self.who))))

    def frame(self) -> Frame:
        who = [list(one) for one in self.who]
        return Frame.make("waits", peer=self.peer, number=self.number, who=who, sig=self.signature)


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


def expect_signed(
    charter: Charter, what: str, peer: int, statement: bytes, signature: bytes
) -> None:
    """:raises BadMessage: if this is not what a peer of the table signed"""
    if not 0 <= peer < len(charter.peers):
        raise BadMessage(f"{what} of nobody at this table")
    if not signed_by(charter.peers[peer].key, statement, signature):
        raise BadMessage(f"{what} that {charter.name_of(peer)} did not sign")
