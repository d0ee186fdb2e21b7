"""To a table on the network: opened here, or joined where it was found.

Rule 1: a listing is anybody's word. A code that was given is asked for whatever it says, and only
the key that it named is joined.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from sobremesa.core.errors import LocalError
from sobremesa.core.game import Game, OptionValue
from sobremesa.core.replica.charter import Copy, Settings

from .finding.discovery import Advert
from .finding.listing import WAITING, Listing
from .links.dial import knock
from .links.handshake import new_code
from .node import Node
from .room.room import Person, open_room
from .text import read_code


async def open_table(
    node: Node,
    game: Game[Any],
    *,
    copy: Copy,
    table: str,
    seats: int,
    bots: int,
    bot_ids: Sequence[str] = (),
    options: Mapping[str, OptionValue],
    settings: Settings,
    name: str,
    ready: bool,
    code: str | None,
    is_open: bool,
) -> None:
    """Open a table at a node that listens, and let the network know. `name` is the opener's;
    `bot_ids` are the bots that sit down, in turn; guests need no code if it `is_open`, and a new
    one if `code` is None.

    :raises LocalError: if there are not so many seats
    :raises UnknownBot: if the game has no such bot
    """
    opener = Person(node.me.key, name, (), copy, ready=ready)
    room = open_room(table, game, options, settings, seats, opener, bots, bot_ids)
    node.host(room, None if is_open else code or new_code())
    await node.advertise(
        Advert(
            node.me.key,
            room.table,
            node.port,
            room.name,
            game.id,
            room.seats_taken,
            open=is_open,
        )
    )


async def join_table(
    node: Node, listing: Listing, game: Game[Any], *, copy: Copy, name: str, code: str | None
) -> None:
    """Sit down at the table of a listing, from a node that listens.

    :raises DialFailed: if it does not let us in
    :raises Refused: if it has no seat for us
    """
    code = None if code is None else read_code(code)
    link = await knock(node.me, listing.addresses, table=listing.table, code=code, whom=listing.key)
    await node.join(link, game, copy, name, code)


class HasBegun(LocalError):
    """The game at the table that somebody wants to join is under way: `label` is its name."""

    def __init__(self, label: str) -> None:
        super().__init__(
            f"The game at {label} has begun. To look on, and sit down at the next: "
            f"sobremesa watch {shlex.quote(label)} --seat"
        )
        self.label = label


def expect_joinable(listing: Listing, code: str | None) -> None:
    """:raises HasBegun: if the listing says that its game is under way
    :raises LocalError: if it says that nobody can join it like this"""
    if listing.state != WAITING:
        raise HasBegun(listing.label)
    if not listing.open and code is None:
        raise LocalError(
            f"{listing.label} wants the code on the opener's screen: join with --code CODE"
        )


def expect_watchable(listing: Listing, code: str | None) -> None:
    """:raises LocalError: if the listing says that nobody can look on like this"""
    if listing.state == WAITING:
        raise LocalError(f"The game at {listing.label} has not begun: join sits down at it.")
    if not listing.open and code is None:
        raise LocalError(
            f"{listing.label} wants its code of those who look on, too: watch with --code CODE"
        )
