"""How the built-in games speak of players to one of them, and the turns of speech they share.

Rule 1: what a `Voice` says stands within a sentence; `capital` makes a beginning of it.
Rule 2: "you" is the seat that is spoken to; a name is said as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sobremesa.core.pieces import Seat

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def listed(words: Sequence[str]) -> str:
    """`Ana, Bea and Cai`."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def counted(number: int, thing: str) -> str:
    """`1 card`, `2 cards`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def capital(text: str) -> str:
    """The text as the beginning of a sentence: only our own "you" and "your" need a capital."""
    return "Y" + text[1:] if re.match(r"your?\b", text) else text


_YOURS = {"is": "are", "has": "have", "was": "were", "stands": "stand", "gave": "gave",
          "left": "left"}  # fmt: skip


def addressed(text: str, seat: Seat | None) -> str:
    """A text that names all players, as it is said to one of them: `you are the last with dice`.
    A name is theirs only where it does something, since it may be any word."""
    if not seat:
        return text
    does = re.compile(rf"(?<!\w){re.escape(seat)} ({'|'.join(_YOURS)})\b")
    return does.sub(lambda found: f"you {_YOURS[found[1]]}", text)


@dataclass(frozen=True, slots=True)
class Voice:
    """The listener's seat; None is a spectator. Games add the turns of speech that they need."""

    seat: Seat | None

    def name(self, who: Seat) -> str:
        return "you" if who == self.seat else who

    def names(self, who: Sequence[Seat]) -> str:
        return listed([self.name(seat) for seat in who])

    def does(self, who: Seat, verb: str, yours: str) -> str:
        """`Ana bids`, or `you bid`."""
        return f"you {yours}" if who == self.seat else f"{who} {verb}"

    def do(self, who: Sequence[Seat], verb: str, plural: str) -> str:
        """The same for one or several: `Ana bids`, `Ana and you bid`."""
        if len(who) == 1:
            return self.does(who[0], verb, plural)
        return f"{self.names(who)} {plural}"

    def win(self, who: Sequence[Seat], what: str = "") -> str:
        """`Ana wins`, or of the game, `Ana and you win the game together`."""
        return self.do(who, "wins", "win") + what + (" together" if len(who) > 1 else "")

    def of(self, who: Seat) -> str:
        return "your" if who == self.seat else f"{who}'s"

    def out(self, who: Seat, place: int) -> str:
        """That somebody plays no more: `Ana is out, in third place`."""
        return f"{self.does(who, 'is', 'are')} out, in {_ORDINALS[place - 1]} place"
