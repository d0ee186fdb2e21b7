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
Tint = Literal["gold", "red", "blue", "green", "violet"]
"""What a named card is painted in, where it is no playing card (`Game.card_tints`)."""


@dataclass(frozen=True, slots=True)
class Counter:
    """A number with its maximum, shown as a number, as pips, as a bar, as lives, as coins, or as
    boxes that are filled. With `letters`, one for each of `max`, as tiles with those."""

    value: int
    max: int
    style: Literal["num", "pips", "bar", "lives", "coins", "boxes"] = "num"
    letters: str = ""


@dataclass(frozen=True, slots=True)
class Dice:
    """Dice in a row. `values` None is a covered die; `hits` are the places that count now; `notes`
    are a word or two for each die, drawn below it, or none at all."""

    values: tuple[int | None, ...]
    hits: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cards:
    """Cards in a row. `values` are face codes, None is a covered card; `playable` are the places
    (from 0) of those that may be played now, None if that is not the question; `labels` are words
    before the cards, one for each or none at all: whose they are; `notes` are what each would make
    or do, drawn below it ("→ 19"), one for each or none at all."""

    values: tuple[str | None, ...]
    playable: tuple[int, ...] | None = None
    labels: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


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
    """One seat. `cells` say how it stands; `said` is what it said or did last, in a few words;
    `lies` are cards that it has laid on the table; `badge` is a word for its part in the round
    ("deals"). `turn` marks who is to play, `out` who plays no more."""

    seat: Seat
    cells: tuple[Cell, ...]
    turn: bool = False
    out: bool = False
    said: str = ""
    lies: Cards | None = None
    badge: str = ""


@dataclass(frozen=True, slots=True)
class Seats:
    """The players: a line each or, where there is room, round the table, the others clockwise from
    one's own left. `columns` name the cells of every row; `said` and `lies` name what the rows say
    and lay down, "" if no row does."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    area: Area = "table"
    said: str = ""
    lies: str = ""


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
class Figure:
    """The one number or word of the moment, drawn large: digits, `x`, `!` and capital letters.
    `beside` are dice or cards that belong to it, drawn as large as there is room; `note` is a few
    words after it ("of 21"). What it says in words stands in a Headline: it is not spoken."""

    text: str
    beside: Dice | Cards | None = None
    note: str = ""
    role: Role = "plain"
    area: Area = "table"


@dataclass(frozen=True, slots=True)
class Meter:
    """How far something has come that may not go over `max`; `label` says what is left."""

    value: int
    max: int
    label: str = ""
    area: Area = "table"


@dataclass(frozen=True, slots=True)
class Chances:
    """Percentages beside each other, as bars: `bars` are a few signs with a percentage each, and
    `at` is the place of the one in question. `label` is what they are of; `spoken` is the same as
    sentences."""

    label: str
    bars: tuple[tuple[str, int], ...]
    at: int | None = None
    spoken: str = ""
    area: Area = "hand"


@dataclass(frozen=True, slots=True)
class Spot:
    """A place of a board: a card that lies there; with `token` a piece that stands on the card or
    the place; else whether a card may come here next, or may not because of what lies beside."""

    card: str | None = None
    token: str = ""
    state: Literal["far", "open", "blocked"] = "far"


@dataclass(frozen=True, slots=True)
class Board:
    """The table itself where the places of cards matter: rows of spots under named columns, each
    row with its own name and a remark at its end. `spoken` is the same as sentences."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Spot, ...], str], ...]
    spoken: str = ""
    area: Area = "table"


@dataclass(frozen=True, slots=True)
class Gap:
    """An empty line, the first thing to go when the window is small."""

    area: Area = "table"


Block = Headline | Text | Hand | Seats | Grid | Figure | Meter | Chances | Board | Gap


@dataclass(frozen=True, slots=True)
class View:
    """All that one seat sees. `phase` names the moment in a few words, for the status line.

    `stage` are the beats of something that is told step by step, such as cups that are lifted:
    for each what is seen instead of `blocks`, before these. The client times them, and who is in a
    hurry sees `blocks` alone, so nothing may be said in a beat that they do not say in the end.
    """

    phase: str
    blocks: tuple[Block, ...] = field(default=())
    stage: tuple[tuple[Block, ...], ...] = ()
