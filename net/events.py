"""What the links of a match tell whoever sits at it: the interface to the screens.

Rule 1: every text is clean and in the player's words; whoever listens only shows it.
Rule 2: what grows with time alone is told once; whoever listens counts for itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from sobremesa.core.pieces import Seat

Role = Literal["sys", "good", "warn", "bad"]

Giver = Literal["player", "clock", "bot"]
"""Who gave an answer for a seat of ours: its player, the end of the time for it, or a bot."""


@dataclass(frozen=True, slots=True)
class Absence:
    """A peer that the table waits for and that cannot be reached, or says nothing. Times are
    seconds of the loop's clock."""

    name: Seat
    since: float
    """When it was last reached, or the step began."""
    until: float | None = None
    """When its seat may be given up by the clock; None is never."""
    choice: bool = False
    """Whether our player may say now to go on without it: before the clock, or where the clock
    alone must not sign."""
    why: Literal["away", "silent", "left", "convicted"] = "away"
    through: tuple[Seat, ...] = ()
    """It was last reached through these only: the player should look whether it is really gone."""
    agreed: tuple[Seat, ...] = ()
    """Who has said so far that they would go on without it."""
    needed: bool = True
    """Whether the game waits for it already."""


class LinkEvents(Protocol):
    """Whoever sits at this machine, as links know of it."""

    def chatted(self, name: str, text: str) -> None:
        """Somebody said something."""

    def noticed(self, text: str, role: Role) -> None:
        """Something that a player should know."""

    def absent(self, absences: Sequence[Absence], alone: bool) -> None:
        """For whom the table waits now; nobody when that is over. `alone`: none of the others can
        be reached, and our own network is the likelier cause."""

    def back(self, name: Seat) -> None:
        """Who was absent can be reached, or speaks, again."""

    def gone(self, names: Sequence[Seat], why: str) -> None:
        """The table goes on without them; why, as a clause."""

    def broke(self, error: BaseException) -> None:
        """This machine cannot go on."""

    def lost(self, why: str) -> None:
        """This peer is out for good, for a reason that is nobody's fault."""
