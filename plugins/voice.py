"""How the built-in games speak of players to one of them."""

from __future__ import annotations

from dataclasses import dataclass

from sobremesa.core.pieces import Seat


@dataclass(frozen=True, slots=True)
class Voice:
    """The listener's seat; None is a spectator. Games add the turns of speech that they need."""

    seat: Seat | None

    def name(self, who: Seat) -> str:
        return "you" if who == self.seat else who

    def does(self, who: Seat, verb: str, yours: str) -> str:
        """`Ana bids`, or `you bid`, within a sentence."""
        return f"you {yours}" if who == self.seat else f"{who} {verb}"

    def of(self, who: Seat) -> str:
        return "your" if who == self.seat else f"{who}'s"
