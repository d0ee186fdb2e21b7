"""What a seat may see, as typed values: blocks and cells, no drawing (docs/writing-a-game.md).

Rule 1: plain data only. The client draws it, transliterates it and speaks it.
Rule 2: no glyphs and no styles in cells; dice are numbers, hidden ones are None.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from .pieces import Seat

Area = Literal["table", "hand", "side"]
Role = Literal["plain", "headline", "good", "warn", "bad", "dim"]


@dataclass(frozen=True, slots=True)
class Counter:
    """A number with its maximum, shown as a number, as pips or as a bar."""

    value: int
    max: int
    style: Literal["num", "pips", "bar"] = "num"


@dataclass(frozen=True, slots=True)
class Dice:
    """Dice in a row. `values` None is a covered die; `hits` are the places that count now."""

    values: tuple[int | None, ...]
    hits: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Cards:
    """Cards in a row. `values` are face codes, None is a covered card; `playable` are the places
    (from 0) of those that may be played now, None if that is not the question; `labels` are words
    before the cards, one for each or none at all: whose they are."""

    values: tuple[str | None, ...]
    playable: tuple[int, ...] | None = None
    labels: tuple[str, ...] = ()


Cell = str | int | Counter | Dice | Cards


@dataclass(frozen=True, slots=True)
class Headline:
    """The one thing to know now, with a remark beside it."""

    text: str
    sub: str = ""
    area: Area = "table"


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph, wrapped by the client."""

    text: str
    role: Role = "plain"
    area: Area = "table"


@dataclass(frozen=True, slots=True)
class Hand:
    """What the seat itself holds, named: `label` is said before it ("Your dice")."""

    label: str
    content: Dice | Cards
    area: Area = "hand"


@dataclass(frozen=True, slots=True)
class Row:
    """One seat's line. `turn` marks who is to play, `out` who plays no more."""

    seat: Seat
    cells: tuple[Cell, ...]
    turn: bool = False
    out: bool = False


@dataclass(frozen=True, slots=True)
class Seats:
    """The players around the table. `columns` name the cells of every row."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    area: Area = "table"


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of values with named columns; the first cell of a row names it.

    `spoken` is the same as sentences, for those who hear it.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    label: str = ""
    spoken: str = ""
    area: Area = "table"


@dataclass(frozen=True, slots=True)
class Gap:
    """An empty line, the first thing to go when the window is small."""

    area: Area = "table"


Block = Headline | Text | Hand | Seats | Grid | Gap


@dataclass(frozen=True, slots=True)
class View:
    """All that one seat sees. `phase` names the moment in a few words, for the status line."""

    phase: str
    blocks: tuple[Block, ...] = field(default=())
