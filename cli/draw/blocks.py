"""View blocks as lines of styled text, one below the other: the table where there is no room for
seats round it, and what stands in its middle where there is.

Rule 1: pure. The same values give the same lines; nothing asks the terminal.
Rule 2: no line is wider than its pane: everything is fitted or wrapped here, because a window cuts
silently.
Rule 3: where space is short, empty lines go first, and remarks that need a line of their own, then
the lines at the end, and a last line says how many.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sobremesa.cli.words.speech import Players
from sobremesa.core.pieces import Seat
from sobremesa.core.views import (
    Area,
    Block,
    Board,
    Cards,
    Chances,
    Dice,
    Figure,
    Gap,
    Grid,
    Hand,
    Headline,
    Meter,
    Seats,
    Text,
    View,
)

from .board import board_rows
from .canvas import beside, width_of
from .cards import Size, row_of_cards
from .cells import Line, Span, fit, fit_line, line_width, text_width, wrap
from .dice import DieSize, row_of_dice
from .figures import big, chances, meter
from .pieces import grid_rows, hand_in_rows, seat_rows
from .theme import Theme

INDENT = 1
"""Columns that words keep from the edge."""
TALL = 12
"""Rows of a table from which on figures are drawn large."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a table is looked at: `size` of what lies on it, `lit` the seats that have just said
    something, `ahead` what a meter would show after the move that is pointed at."""

    theme: Theme
    players: Players
    size: Size = "S"
    lit: frozenset[Seat] = frozenset()
    ahead: int | None = None


def blocks_of(view: View, area: Area) -> list[Block]:
    """The blocks of a view that belong to an area."""
    return [block for block in view.blocks if block.area == area]


def render_table(view: View, width: int, height: int, look: Look) -> list[Line]:
    """What lies on the table, then what lies beside it, in at most so many rows."""
    blocks = [*blocks_of(view, "table"), *blocks_of(view, "side")]
    for large, tight in ((height >= TALL, False), (False, False), (False, True)):
        kept = [block for block in blocks if not (tight and isinstance(block, Gap))]
        lines = list(stacked(kept, width, look, large=large, tight=tight))
        if len(lines) <= height:
            break
    more = look.theme.more
    return [fit_line(line, width, more) for line in shortened(lines, height, look.theme)]


def shortened(lines: list[Line], height: int, theme: Theme) -> list[Line]:
    """The first lines, the last of them saying how many more there are."""
    if len(lines) <= height:
        return lines
    missing = len(lines) - height + 1
    last: Line = (("dim", theme.text(f"… {missing} more lines")),)
    return [*lines[: max(0, height - 1)], last][:height]


def stacked(
    blocks: Sequence[Block], width: int, look: Look, *, large: bool = True, tight: bool = False
) -> Iterator[Line]:
    """Blocks one below the other; the words that follow a large figure stand beside it."""
    place = 0
    while place < len(blocks):
        block = blocks[place]
        place += 1
        if isinstance(block, Figure) and large:
            words = []
            while place < len(blocks) and isinstance(blocks[place], Headline | Text):
                words.append(blocks[place])
                place += 1
            yield from _figure_beside(block, words, width, look)
        elif not isinstance(block, Figure):
            yield from drawn_block(block, width, look, tight=tight)


def _figure_beside(block: Figure, words: Sequence[Block], width: int, look: Look) -> Iterator[Line]:
    picture = [((("", "  ")), *line) for line in figure(block, look)]
    room = width - width_of(picture) - 3
    if room < 18:
        yield from picture
        lines = [line for word in words for line in drawn_block(word, width, look)]
    else:
        said = [line for word in words for line in plain_words(word, room, look.theme)]
        while len(said) > 1 and len(said) > len(picture) and () in said:
            said.remove(())
        yield from beside([picture, said], 3)
        lines = []
    yield from lines


def figure(block: Figure, look: Look) -> list[Line]:
    """The figure with what is beside it and its note."""
    theme = look.theme
    role = {"plain": "headline", "dim": "dim"}.get(block.role, block.role)
    parts: list[Sequence[Line]] = [big(block.text, theme, role)] if block.text else []
    if isinstance(block.beside, Dice):
        size: DieSize = "M" if look.size in ("M", "L") else "S"
        parts.append(row_of_dice(block.beside, size, theme, labels=False))
    elif isinstance(block.beside, Cards):
        card_size: Size = "M" if look.size == "S" else look.size
        picture = row_of_cards(block.beside, card_size, theme, look.players)
        parts.insert(0, picture)
    if block.note:
        parts.append([(), (), (("dim", theme.text(block.note)),)])
    return beside(parts, 2)


def plain_words(block: Block, width: int, theme: Theme) -> Iterator[Line]:
    """A headline or a text with nothing around it."""
    match block:
        case Headline(text, sub):
            yield from ((("headline", line),) for line in wrap(theme.text(text), width))
            if sub:
                yield from ((("", line),) for line in wrap(theme.text(sub), width))
        case Text(text, role):
            style = "bold" if role == "headline" else "" if role == "plain" else role
            yield from (((style, line),) for line in wrap(theme.text(text), width))


def drawn_block(block: Block, width: int, look: Look, *, tight: bool = False) -> Iterator[Line]:
    """One block in rows of at most so many cells."""
    theme, players = look.theme, look.players
    match block:
        case Gap():
            yield ()
        case Headline(text, sub):
            head = _headline(theme.text(text), theme.text(sub), width - INDENT, theme, tight)
            yield from map(_indented, head)
        case Text():
            yield from map(_indented, plain_words(block, width - INDENT, theme))
        case Hand(label, content):
            yield from _held(theme.text(label), content, width, look)
        case Seats():
            yield from seat_rows(block, width, theme, players, look.lit)
        case Grid():
            yield from grid_rows(block, width, theme, players)
        case Meter():
            yield from meter(block, width, theme, look.ahead)[: 1 if tight else 2]
            if block.label and not tight:
                yield (("dim", fit(theme.text(block.label), width, theme.cut)),)
        case Chances():
            yield from chances(block, 1, width, theme)
        case Board():
            yield from board_rows(block, width, theme, players)
        case Figure():
            yield from figure(block, look)


def _indented(line: Line) -> Line:
    return (("", " " * INDENT), *line)


def _headline(text: str, sub: str, width: int, theme: Theme, tight: bool) -> Iterator[Line]:
    more = theme.more
    head: Span = ("headline", fit(text, width, more))
    room = width - line_width([head]) - 2
    if sub and not tight and text_width(sub) > room:
        yield (head,)
        yield from ((("", line),) for line in wrap(sub, width))
    else:
        yield (head, ("", "  " + fit(sub, room, more))) if sub and room > len(more) else (head,)


def _held(label: str, held: Dice | Cards, width: int, look: Look) -> Iterator[Line]:
    """What somebody holds, behind its name."""
    theme = look.theme
    head = f"{label}  "
    if not held.values:
        yield fit_line((("dim", head), ("dim", "none")), width)
        return
    room = width - text_width(head)
    if isinstance(held, Dice):
        rows = row_of_dice(held, "small", theme, counted=bool(held.hits))
    elif room < 12:
        yield (("dim", fit(label, width, theme.cut)),)
        head, rows = "", hand_in_rows(held, width, theme, look.players)
    else:
        rows = hand_in_rows(held, room, theme, look.players)
    for place, row in enumerate(rows):
        yield fit_line((("dim", head if place == 0 else " " * text_width(head)), *row), width)
