"""A table's card: what it answers to whoever asks, and so what the list of tables shows.

Rule 1: a card is written and read here and nowhere else.
Rule 2: a card comes from a stranger. It is checked whole, and its text cleaned, here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sobremesa.core.encoding import pack, unpack
from sobremesa.core.errors import SobremesaError
from sobremesa.core.replica.charter import PROTOCOL

from .addresses import Address
from .lobby import Opening, options_in_short
from .text import clean_name, clean_text

WAITING, PLAYING = "waiting", "playing"

TEXT_WIDTHS = {"name": 40, "game_title": 40, "options": 60, "state": 20}


class BadCard(SobremesaError):
    """A card that makes no sense."""


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table that answered. `addresses`: the one that did first; `seconds` the answer took."""

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


def write_card(opening: Opening, *, open: bool) -> bytes:
    """The card of a table that we opened; `open` if it asks for no code."""
    return pack(
        {
            "v": PROTOCOL,
            "table": opening.table,
            "name": opening.name,
            "game": opening.game.id,
            "game_title": opening.game.title,
            "taken": opening.taken,
            "seats": opening.size,
            "open": open,
            "options": options_in_short(opening.game, opening.options),
            "state": WAITING if opening.charter is None else PLAYING,
            "opener": opening.opener.name,
            "pub": opening.opener.key,
        }
    )


def read_card(
    addresses: Iterable[Address], data: bytes, seconds: float, answered: Address
) -> FoundTable:
    """Read the card that came from one of a table's addresses.

    :raises BadCard: if it makes no sense
    """
    try:
        card = unpack(data)
    except ValueError as error:
        raise BadCard("a card that cannot be read") from error
    if not isinstance(card, dict):
        raise BadCard("a card that is no card")
    text = {name: clean_text(_value(card, name, str), width) for name, width in TEXT_WIDTHS.items()}
    game = _value(card, "game", str)
    if not re.fullmatch(r"[a-z][a-z0-9_-]{1,30}", game):
        raise BadCard("a card of no game")
    key, table = _value(card, "pub", bytes), _value(card, "table", bytes)
    if len(key) != 32 or len(table) != 16:
        raise BadCard("a card of no table")
    taken, seats = _value(card, "taken", int), _value(card, "seats", int)
    if not 0 <= taken <= seats <= 8:
        raise BadCard("a card with impossible seats")
    return FoundTable(
        version=_value(card, "v", int),
        key=key,
        table=table,
        label=text["name"],
        game=game,
        game_title=text["game_title"],
        seats_taken=taken,
        seats=seats,
        open=_value(card, "open", bool),
        options=text["options"],
        state=text["state"],
        opener=clean_name(_value(card, "opener", str)),
        addresses=(answered, *[address for address in addresses if address != answered]),
        seconds=seconds,
    )


def _value(card: dict[Any, Any], name: str, kind: type) -> Any:
    value = card.get(name)
    if type(value) is not kind:
        raise BadCard(f"a card without {name}")
    return value
