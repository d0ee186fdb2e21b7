"""A session in the waiting room: what its player does there, and what the room tells.

Rule 1: a bot that plays our seat is ready whenever it is not: for whatever the table is changed to,
and after a start that was called off.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from sobremesa.core.errors import LocalError
from sobremesa.core.pieces import Seat

from .copies import other_copies
from .defaults import Preferences
from .hearing import Hearing
from .moments import Notice, Room, RoomChanged, RoomSeat

if TYPE_CHECKING:  # who plays alone loads no sockets
    from sobremesa.net.node import Node
    from sobremesa.net.room.room import Room as OpenersRoom
    from sobremesa.net.room.room import RoomView


class Waiting(Hearing):
    """A session that may begin in a room (RoomEvents, as far as they are the room's). `node` is
    this machine on the network, None alone."""

    node: Node | None = None
    preferences: Preferences
    _room: RoomView | None = None
    """The room as it was told last."""

    def ready(self, ready: bool = True) -> None:
        self._in_room().ready(ready)

    def slow(self, slow: bool = True) -> None:
        self._in_room().slow(slow)

    def start(self) -> None:
        self._in_room().start()

    def add_bot(self) -> None:
        self._in_room().add_bot()

    def remove(self, name: Seat, reason: str = "") -> None:
        self._in_room().remove(name, reason)

    def change(self, given: Mapping[str, str]) -> None:
        self._in_room().change(given)

    def renew_code(self) -> None:
        self._in_room().renew_code()

    def _in_room(self) -> Node:
        """:raises LocalError: if the game has begun"""
        if self.node is None or self.match is not None:
            raise LocalError("the game has begun")
        return self.node

    # What the room tells.

    def room_changed(self, room: RoomView) -> None:
        assert self.node is not None
        name, self.me = self.me, room.seats[room.you].name
        if self.me != name:
            self._push(Notice(f"The name {name} is taken here: you are {self.me}.", "warn"))
        before, self._room = self._room, room
        self._push(RoomChanged(_shown(room, self.node, self.awaited)))
        if before is None and self.preferences.slow:
            self.node.slow(True)
        if self.preferences.auto and self.match is None and not room.seats[room.you].ready:
            self.node.ready(True)

    def called_off(self, why: str) -> None:
        self.match = None
        self._push(Notice(f"The start was called off: {why}", "warn"))


def _shown(room: RoomView, node: Node, awaited: Iterable[Seat]) -> Room:
    """The waiting room at this node, as its client sees it."""
    seats = tuple(
        RoomSeat(chair.name, chair.ready, chair.bot, index == room.you, index == 0, chair.slow)
        for index, chair in enumerate(room.seats)
    )
    hosting = node.room_host is not None
    code = (node.code or "") if hosting else ""
    addresses = tuple(map(str, node.addresses())) if hosting else ()
    return Room(
        room.table,
        room.title,
        room.options,
        seats,
        hosting,
        code,
        addresses,
        room.fingerprint,
        tuple(name for name in awaited if all(name != chair.name for chair in room.seats)),
        other_copies(room),
        _changeable(node.room_host.room) if node.room_host is not None else (),
    )


def _changeable(room: OpenersRoom) -> tuple[tuple[str, str], ...]:
    """What the opener of this room may change, and how it is now."""
    settings = [(key, value) for key, value in room.settings.texts() if key not in room.options]
    options = [(key, str(value)) for key, value in room.options.items()]
    return (("seats", str(room.size)), *options, *settings)
