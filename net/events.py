"""What a match tells whoever sits at it: the interface to the screens.

Rule 1: every text is clean and in the player's words; whoever listens only shows it.
"""

from __future__ import annotations

from typing import Literal, Protocol

from sobremesa.core.charter import Charter
from sobremesa.core.table import Table

Role = Literal["sys", "good", "warn", "bad"]


class MatchEvents(Protocol):
    """Whoever sits at a match: it is told what happens, and makes the table for a charter."""

    def make_table(self, charter: Charter, me: int, seed: bytes) -> Table:
        """The replica for a charter, not started yet.

        :raises BadCharter: if the game is not ours
        """

    def table_changed(self) -> None:
        """The table took messages."""

    def chatted(self, name: str, text: str) -> None:
        """Somebody said something."""

    def noticed(self, text: str, role: Role) -> None:
        """Something that a player should know."""

    def away(self, names: list[str]) -> None:
        """Who cannot be reached now; empty when all can."""

    def lost(self, why: str) -> None:
        """This peer is out for good, for a reason that is nobody's fault."""
