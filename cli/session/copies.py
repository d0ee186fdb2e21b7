"""Copies of a game that are not one, as sentences for the people at the table.

Rule 1: it is said before anybody signs, by whom and with which package, as far as they told it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sobremesa.core.replica.charter import Copy

if TYPE_CHECKING:  # who plays alone loads no sockets
    from sobremesa.net.room.room import RoomView


def other_copies(room: RoomView) -> tuple[str, ...]:
    """Whose copy of the game is another than the reader's, a sentence for each copy."""
    ours = room.copies[room.you]
    owners: dict[Copy, list[str]] = {}
    for chair, copy in zip(room.seats, room.copies, strict=False):
        if copy.fingerprint != ours.fingerprint:
            owners.setdefault(copy, []).append(f"{chair.name}'s")
    return tuple(
        f"{' and '.join(names)} copy of {room.title} is another one ({_how(copy, ours)}): "
        "a dispute about the rules would end the game without a result."
        for copy, names in owners.items()
    )


def _how(theirs: Copy, ours: Copy) -> str:
    if theirs.package != ours.package:
        return f"{named(theirs)}, yours {named(ours)}"
    if theirs.version != ours.version:
        return f"{named(theirs)}, yours {ours.version}"
    return f"both {named(ours)}, but with other files"


def named(copy: Copy) -> str:
    """The package of a copy and its version: "sobremesa 0.1.0"."""
    return f"{copy.package} {copy.version}".rstrip()
