"""What a waiting room tells whoever sits in it, until the match that follows does.

Rule 1: who sits in a room goes on to its match, so one object listens to both.
"""

from __future__ import annotations

from typing import Protocol

from sobremesa.net.match import MatchEvents

from .room import RoomView


class RoomEvents(MatchEvents, Protocol):
    """Whoever sits in a room and at the match that begins there."""

    def room_changed(self, room: RoomView) -> None:
        """Somebody came, left, is ready; or the room is open again."""

    def called_off(self, why: str) -> None:
        """The start was called off; the match that was made, if any, is void."""
