"""A table's listing: what it answers to whoever asks, and so what the list of tables shows.

Rule 1: a listing is written and read here and nowhere else.
Rule 2: a listing comes from a stranger. It is checked whole, and its text cleaned, here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sobremesa.core.encoding import pack, unpack
from sobremesa.core.errors import SobremesaError
from sobremesa.core.game import GAME_ID, Game
from sobremesa.core.names import clean_name, clean_table_name
from sobremesa.core.replica.charter import PROTOCOL, Charter
from sobremesa.core.text import clean_text
from sobremesa.net.links.addresses import Address
from sobremesa.net.room.room import Room, options_in_short

WAITING, PLAYING = "waiting", "playing"

OPENER = 0
"""Which of a charter's peers opened the table."""

TEXT_WIDTHS = {"game_title": 40, "options": 60, "state": 20}


class BadListing(SobremesaError):
    """An answer that is no listing."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A table that answered. `addresses`: the one that did stands first; `seconds` the answer
    took."""

    version: int
    key: bytes
    table: bytes
    label: str
    game: str
    game_title: str
    seats_taken: int
    seats: int
    open: bool
    options: str
    state: str
    opener: str
    addresses: tuple[Address, ...]
    seconds: float

    @property
    def port(self) -> int:
        """The port it answered on."""
        return self.addresses[0].port


def write_listing(room: Room, *, open: bool) -> bytes:
    """The listing of a table that we opened; `open` if it asks for no code."""
    return pack(
        {
            "v": PROTOCOL,
            "table": room.table,
            "name": room.name,
            "game": room.game.id,
            "game_title": room.game.title,
            "taken": room.taken,
            "seats": room.size,
            "open": open,
            "options": options_in_short(room.game, room.options),
            "state": WAITING if room.is_open else PLAYING,
            "opener": room.opener.name,
            "pub": room.opener.key,
        }
    )


def write_playing(charter: Charter, game: Game[Any], key: bytes, *, open: bool) -> bytes:
    """The listing of a game under way, as each peer of it answers, with its own `key`."""
    seats = len(charter.seats)
    return pack(
        {
            "v": PROTOCOL,
            "table": charter.table,
            "name": charter.name,
            "game": charter.game,
            "game_title": game.title,
            "taken": seats,
            "seats": seats,
            "open": open,
            "options": options_in_short(game, dict(charter.options)),
            "state": PLAYING,
            "opener": charter.name_of(OPENER),
            "pub": key,
        }
    )


def read_listing(
    addresses: Iterable[Address], data: bytes, seconds: float, answered: Address
) -> Listing:
    """Read the listing that came from one of a table's addresses.

    :raises BadListing: if it makes no sense
    """
    try:
        told = unpack(data)
    except ValueError as error:
        raise BadListing("a listing that cannot be read") from error
    if not isinstance(told, dict):
        raise BadListing("a listing that is no listing")
    text = {name: clean_text(_value(told, name, str), width) for name, width in TEXT_WIDTHS.items()}
    game = _value(told, "game", str)
    if not re.fullmatch(GAME_ID, game):
        raise BadListing("a listing of no game")
    key, table = _value(told, "pub", bytes), _value(told, "table", bytes)
    if len(key) != 32 or len(table) != 16:
        raise BadListing("a listing of no table")
    taken, seats = _value(told, "taken", int), _value(told, "seats", int)
    if not 0 <= taken <= seats <= 8:
        raise BadListing("a listing with impossible seats")
    return Listing(
        version=_value(told, "v", int),
        key=key,
        table=table,
        label=clean_table_name(_value(told, "name", str)),
        game=game,
        game_title=text["game_title"],
        seats_taken=taken,
        seats=seats,
        open=_value(told, "open", bool),
        options=text["options"],
        state=text["state"],
        opener=clean_name(_value(told, "opener", str)),
        addresses=(answered, *[address for address in addresses if address != answered]),
        seconds=seconds,
    )


def _value(told: dict[Any, Any], name: str, kind: type) -> Any:
    value = told.get(name)
    if type(value) is not kind:
        raise BadListing(f"a listing without {name}")
    return value
