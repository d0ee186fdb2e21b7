"""Chat in the waiting room: the opener passes it on, and can put no words into anybody's mouth.

Rule 1: who says something signs it, with the number of the table, the name that the room gave it,
and a count that grows. So a line is good once, in its place, in this room, under that name.
Rule 2: a line that was heard is not heard again, and who says too many is cut (`ChatLimit`). The
opener may keep a line to itself; its author then does not see it either.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sobremesa.core.encoding import frame
from sobremesa.core.errors import BadMessage
from sobremesa.core.replica.transcript import signed_by
from sobremesa.core.text import clean_text
from sobremesa.net.chat import CHAT_WIDTH, ChatLimit
from sobremesa.net.identity import Identity
from sobremesa.net.links.frames import Frame

MOST_VOICES = 256
"""People that are heard in one room, one after another; an opener could make up any number."""


@dataclass(frozen=True, slots=True)
class RoomLine:
    """One signed line of chat in a room, where nobody has an index yet: its author is a key."""

    key: bytes
    number: int
    text: str
    sig: bytes = b""

    @classmethod
    def read(cls, said: Frame) -> RoomLine:
        """The line in a `say` frame."""
        return cls(said["key"], said["number"], said["text"], said["sig"])

    def frame(self) -> Frame:
        return Frame.make("say", key=self.key, number=self.number, text=self.text, sig=self.sig)

    def statement(self, table: bytes, name: str) -> bytes:
        """What its author signs, who has this name at the table of this number."""
        return frame("room chat", table, self.key, name, self.number, self.text)


class Talk:
    """What is said in one room: at its opener, or at a guest."""

    def __init__(self, table: bytes, me: Identity) -> None:
        self._table = table
        self._me = me
        self._said = -1
        self._heard: dict[bytes, int] = {}
        self._limits: dict[bytes, ChatLimit] = {}

    def say(self, name: str, text: str, number: int) -> RoomLine:
        """A line of ours, who have this name; its number is this one, or larger if we have used
        that."""
        self._said = max(number, self._said + 1)
        line = RoomLine(self._me.key, self._said, clean_text(text, CHAT_WIDTH))
        return replace(line, sig=self._me.sign(line.statement(self._table, name)))

    def hear(self, line: RoomLine, name: str, now: float) -> str | None:
        """Take a line of somebody who has this name. Its text, clean, if it is to be shown.

        :raises BadMessage: if its author did not sign it
        """
        if line.number <= self._heard.get(line.key, -1):
            return None
        if line.key not in self._heard and len(self._heard) == MOST_VOICES:
            return None
        if not signed_by(line.key, line.statement(self._table, name), line.sig):
            raise BadMessage(f"a line of chat that {name} did not sign")
        self._heard[line.key] = line.number
        if not self._limits.setdefault(line.key, ChatLimit()).allows(now):
            return None
        return clean_text(line.text, CHAT_WIDTH)
