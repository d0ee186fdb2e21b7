"""What a peer on the network tells whoever sits at it: the interface to the screens.

Rule 1: every text is clean and in the player's words; whoever listens only shows it.
"""

from __future__ import annotations

from typing import Literal, Protocol

from sobremesa.core.replica.charter import Charter
from sobremesa.core.replica.table import Table

from .lobby import RoomState

Role = Literal["sys", "good", "warn", "bad"]


class Audience(Protocol):
    """Whoever sits at this peer: it is told what happens, and makes the table for a charter."""

    def room_changed(self, room: RoomState) -> None:
        """Somebody came, left, is ready; or the room is open again."""

    def make_table(self, charter: Charter, me: int, seed: bytes) -> Table:
        """The replica for a charter, not started yet.

        :raises BadCharter: if the game is not ours
        """

    def changed(self) -> None:
        """The table took messages."""

    def called_off(self, why: str) -> None:
        """The start was called off; the table that was made, if any, is void."""

    def chatted(self, name: str, text: str) -> None:
        """Somebody said something."""

    def noticed(self, text: str, role: Role) -> None:
        """Something that a player should know."""

    def away(self, names: list[str]) -> None:
        """Who cannot be reached now; empty when all can."""

    def lost(self, why: str) -> None:
        """This peer is out for good, for a reason that is nobody's fault."""
