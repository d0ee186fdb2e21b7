"""View blocks as lines of styled text for a given width and height.

Rule 1: pure. The same values give the same lines; nothing asks the terminal.
Rule 2: no line is wider than its pane: everything is fitted or wrapped here, because a window cuts
silently.
Rule 3: where space is short, boxes go first, then empty lines and remarks that need a line of their
own, then the lines at the end, and a last line says how many.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sobremesa.cli.words.speech import Players
from sobremesa.core.pieces import Seat
from sobremesa.core.views import (
    Area,
    Block,
    Cards,
    Cell,
    Counter,
    Dice,
    Gap,
    Grid,
    Hand,
    Headline,
    Row,
    Seats,
    Text,
    View,
)

from .cells import Line, Span, fit, fit_line, line_width, pad_line, text_width, wrap
from .theme import Theme

LABEL = 11
"""The column in which what is held begins."""
BAR = 20
_SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_RANKS = ("A", *map(str, range(2, 11)), "J", "Q", "K")

_NAME_LEAST, _NAME_MOST = 8, 16
_NAMES_ALIKE_FROM = 56
"""From this width on the column of names is as wide at every table."""


def render_table(view: View, width: int, height: int, theme: Theme, players: Players) -> list[Line]:
    """What lies on the table, then what lies beside it."""
    blocks = [*_of(view, "table"), *_of(view, "side")]
    lines = [line for block in blocks for line in _block(block, width, theme, players)]
    if len(lines) > height:
        tight = [b for b in blocks if not isinstance(b, Gap)]
        lines = [x for block in tight for x in _block(block, width, theme, players, tight=True)]
    return [fit_line(line, width, theme.more) for line in _shorten(lines, height, theme)]


def render_hand(
    view: View, width: int, height: int, theme: Theme, players: Players, *, boxed: bool
) -> list[Line]:
    """What the seat holds, and what the game puts beside it; boxed where that leaves room for
    everything."""
    blocks = _of(view, "hand")
    for box in (True, False) if boxed else (False,):
        drawn = [list(_block(b, width, theme, players, boxed=box)) for b in blocks]
        if sum(map(len, drawn)) <= height:
            break
    kept: list[Line] = []
    for lines in drawn:  # a block of the hand is shown whole or not at all, but for the first
        if not kept or len(kept) + len(lines) <= height:
            kept.extend(lines)
    return kept[:height]


def _of(view: View, area: Area) -> list[Block]:
    return [block for block in view.blocks if block.area == area]


def _shorten(lines: list[Line], height: int, theme: Theme) -> list[Line]:
    """The first lines, the last of them saying how many more there are."""
    if len(lines) <= height:
        return lines
    missing = len(lines) - height + 1
    last: Line = (("dim", theme.text(f"… {missing} more lines")),)
    return [*lines[: max(0, height - 1)], last][:height]


def _block(
    block: Block,
    width: int,
    theme: Theme,
    players: Players,
    *,
    boxed: bool = False,
    tight: bool = False,
) -> Iterator[Line]:
    match block:
        case Gap():
            yield ()
        case Headline(text, sub):
            yield from _headline(theme.text(text), theme.text(sub), width, theme, tight)
        case Text(text, role):
            style = "bold" if role == "headline" else "" if role == "plain" else role
            yield from (((style, line),) for line in wrap(theme.text(text), width))
        case Hand(label, content, area):
            own = area == "hand"
            yield from _hand(theme.text(label), content, width, theme, players, boxed, own=own)
        case Seats(columns, rows):
            yield from _seats(columns, rows, width, theme, players)
        case Grid():
            yield from _grid(block, width, theme, players)


def _headline(text: str, sub: str, width: int, theme: Theme, tight: bool) -> Iterator[Line]:
    more = theme.more
    head = ("headline", f" {fit(text, width - 2, more)} ")
    room = width - line_width([head]) - 2
    if sub and not tight and text_width(sub) > room:
        yield (head,)
        yield from ((("", line),) for line in wrap(sub, width))
    else:
        yield (head, ("", "  " + fit(sub, room, more))) if sub and room > len(more) else (head,)


def _hand(
    label: str,
    held: Dice | Cards,
    width: int,
    theme: Theme,
    players: Players,
    boxed: bool,
    *,
    own: bool,
) -> Iterator[Line]:
    head = fit(label, LABEL - 1, theme.cut) + " " * max(1, LABEL - text_width(label))
    if not held.values:
        yield fit_line((("bold", head), ("dim", "none")), width)
        return
    room = width - text_width(head)
    blank = " " * text_width(head)
    if isinstance(held, Dice):
        rows = _boxed_dice(held, theme) if boxed else [_dice_in(room, held, theme)]
    else:
        rows = _boxed_cards(held, theme, players) if boxed else []
        if not rows or line_width(rows[0]) > room:
            rows = _cards_in(room, held, theme, players, bracketed=own)
    for place, row in enumerate(rows):
        yield fit_line((("bold", head) if place == 0 else ("", blank), *row), width)


def _boxed_dice(dice: Dice, theme: Theme) -> list[Line]:
    rows: tuple[list[Span], ...] = ([], [], [])
    for place, value in enumerate(dice.values):
        role = "die.hi" if place in dice.hits else "die"
        for row, part in zip(rows, ("┌───┐", f"│ {_die(value)} │", "└───┘"), strict=True):
            row += [(role, theme.text(part)), ("", " ")]
    return [tuple(row) for row in rows]


def _dice_in(room: int, dice: Dice, theme: Theme) -> Line:
    shapes = (("[]", " "), ("[]", ""), ("", " "), ("", ""))
    ways = [_dice(dice, theme, *shape) for shape in shapes]
    return next((way for way in ways if line_width(way) <= room), ways[-1])


def _boxed_cards(cards: Cards, theme: Theme, players: Players) -> list[Line]:
    """Cards as boxes over their labels or places, in brackets if they may be played."""
    playable = cards.playable or ()
    rows: tuple[list[Span], ...] = ([], [], [], [])
    for place, code in enumerate(cards.values):
        role, text = _card(code, theme, players)
        name = _label(cards, place, theme) or f"#{place + 1}"
        name = f"[{name}]" if place in playable else name
        inner = max(3, text_width(text), text_width(name) - 2)
        filled = text + " " * (inner - text_width(text))
        left, odd = divmod(inner + 2 - text_width(name), 2)
        edge, side = "─" * inner, theme.text("│")
        rows[0].append(("", theme.text(f"┌{edge}┐ ")))
        rows[1].extend([("", side), (role, filled), ("", side + " ")])
        rows[2].append(("", theme.text(f"└{edge}┘ ")))
        style = "key" if place in playable else "dim"
        rows[3].extend([(style, " " * (left + odd) + name + " " * left), ("", " ")])
    return [tuple(row) for row in rows]


def _cards_in(
    room: int, cards: Cards, theme: Theme, players: Players, *, bracketed: bool
) -> list[Line]:
    """Cards in rows of at most `room` cells, with room for brackets around those that may be
    played."""
    playable = cards.playable or ()
    rows: list[list[Span]] = [[]]
    for place, code in enumerate(cards.values):
        card = [*_labelled(cards, place, theme), _card(code, theme, players)]
        if bracketed:
            left, right = "[]" if place in playable else "  "
            card = [("key", left), *card, ("key", right)]
        gap = [("", " " if bracketed else "  ")] if rows[-1] else []
        if rows[-1] and line_width([*rows[-1], *gap, *card]) > room:
            rows.append(card)
        else:
            rows[-1] += [*gap, *card]
    return [tuple(row) for row in rows]


def _die(value: int | None) -> str:
    return "?" if value is None else str(value)


def _dice(dice: Dice, theme: Theme, sides: str, between: str) -> Line:
    """Dice in a row, bare or within `sides`, or as pips."""
    spans: list[Span] = []
    for place, value in enumerate(dice.values):
        text = _die(value)
        if theme.pips and not theme.ascii and value is not None and 1 <= value <= 6:
            text = chr(0x267F + value)
        role = "die.hi" if place in dice.hits else "die"
        spans += [("", between)] if spans and between else []
        spans.append((role, sides[:1] + text + sides[1:]))
    return tuple(spans)


def _cards(cards: Cards, theme: Theme, players: Players) -> Line:
    """Cards in one row, those that may be played in brackets."""
    playable = cards.playable or ()
    spans: list[Span] = []
    for place, code in enumerate(cards.values):
        spans += [("", " ")] if spans else []
        card = [*_labelled(cards, place, theme), _card(code, theme, players)]
        spans += [("key", "["), *card, ("key", "]")] if place in playable else card
    return tuple(spans)


def _label(cards: Cards, place: int, theme: Theme) -> str:
    """The word that goes with a card, such as whose it is, or nothing."""
    return fit(theme.text(cards.labels[place]), _NAME_LEAST, theme.cut) if cards.labels else ""


def _labelled(cards: Cards, place: int, theme: Theme) -> Line:
    label = _label(cards, place, theme)
    return (("dim", f"{label} "),) if label else ()


def _card(code: str | None, theme: Theme, players: Players) -> Span:
    """One card: `10♥`, as the game calls it, or its back."""
    if code is None:
        return "card.back", "??" if theme.ascii else "▒▒"
    if code in players.cards:
        return "card", theme.text(players.cards[code])
    rank, suit = code[:-1], code[-1:]
    if code == "JK":
        return "card.joker", "JK"
    if suit in _SUITS and rank in _RANKS:
        return f"card.{suit.lower()}", theme.text(rank + _SUITS[suit])
    return "card", theme.text(code)


# Columns.


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A cell drawn wide, and narrow for when there is not enough room."""

    wide: Line
    narrow: Line

    @classmethod
    def text(cls, role: str, text: str) -> _Drawn:
        return cls(((role, text),), ((role, text),))


def _cell(
    cell: Cell, theme: Theme, players: Players, role: str = "", *, out: bool = False
) -> _Drawn:
    match cell:
        case Dice(()):
            return _Drawn.text("dim", "out" if out else "none")
        case Dice():
            return _Drawn(_dice(cell, theme, "[]", ""), _dice(cell, theme, "", ""))
        case Cards():
            drawn = _cards(cell, theme, players)
            return _Drawn(drawn, drawn)
        case Counter(value, most, "pips"):
            dots = theme.text("●" * value + "○" * max(0, most - value))
            return _Drawn(((role, dots),), ((role, f"{value}/{most}"),))
        case Counter(value, most, "bar"):
            full = BAR * max(0, min(value, most)) // max(1, most)
            bar = theme.text("█" * full + "░" * (BAR - full))
            number = f"{value}/{most}"
            return _Drawn(((role, f"{bar} {number}"),), ((role, number),))
        case Counter(value, most):
            return _Drawn.text(role, f"{value}/{most}")
        case _:
            return _Drawn.text(role, theme.text(str(cell)))


def _columns(
    heads: Sequence[str], rows: Sequence[Sequence[_Drawn]], width: int, theme: Theme
) -> Iterator[Line]:
    """A header and rows, their columns as wide as they need, or narrower to fit.

    First cells are drawn narrow, then gaps shrink, then the widest columns.
    """
    header = [_Drawn.text("dim", head) for head in heads]
    every = [header, *rows]
    wants = [
        list(map(line_width, (cell.wide for cell in column))) for column in zip(*every, strict=True)
    ]
    needs = [
        list(map(line_width, (cell.narrow for cell in column)))
        for column in zip(*every, strict=True)
    ]
    widths, gap, narrow = [max(column) for column in wants], 2, False
    if sum(widths) + gap * (len(widths) - 1) > width:
        widths, narrow = [max(column) for column in needs], True
    if sum(widths) + gap * (len(widths) - 1) > width:
        gap = 1
    while sum(widths) + gap * (len(widths) - 1) > width and max(widths) > 1:
        widths[widths.index(max(widths))] -= 1
    more = theme.cut
    for row in every:
        if row is header and not any(heads):
            continue
        line: list[Span] = []
        for place, (cell, wide) in enumerate(zip(row, widths, strict=True)):
            drawn = fit_line(cell.narrow if narrow else cell.wide, wide, more)
            last = place == len(row) - 1
            line += drawn if last else (*pad_line(drawn, wide), ("", " " * gap))
        yield _without_tail(fit_line(line, width, more))


def text_columns(
    heads: Sequence[str], rows: Sequence[Sequence[str]], width: int, theme: Theme
) -> list[Line]:
    """Rows of texts under heads, narrowed where they do not fit."""
    drawn = [[_Drawn.text("", theme.text(text)) for text in row] for row in rows]
    return list(_columns([theme.text(head) for head in heads], drawn, width, theme))


def _without_tail(line: Line) -> Line:
    """The line without blanks at its end."""
    kept = list(line)
    while kept and not kept[-1][1].strip() and kept[-1][0] == "":
        kept.pop()
    return tuple(kept)


def _seats(
    columns: Sequence[str], rows: Sequence[Row], width: int, theme: Theme, players: Players
) -> Iterator[Line]:
    longest = max((sum(map(text_width, _seat_name(r.seat, players))) for r in rows), default=0)
    room = min(_NAME_MOST, max(_NAME_LEAST, width // 3))
    if width < _NAMES_ALIKE_FROM:
        room = min(room, max(_NAME_LEAST, longest))
    drawn = []
    for row in rows:
        role = "turn" if row.turn else "out" if row.out else "you" if row.seat == players.me else ""
        mark = theme.text("►" if row.turn else "×" if row.out else " ")
        name, marks = map(theme.text, _seat_name(row.seat, players))
        shown = fit(name, room - text_width(marks), theme.cut) + marks
        label = pad_line(((role, f"{mark} {shown}"),), room + 2)
        dim = "out" if row.out else ""
        cells = [_cell(cell, theme, players, dim, out=row.out) for cell in row.cells]
        drawn.append([_Drawn(label, label), *cells])
    yield from _columns(["", *map(theme.text, columns)], drawn, width, theme)


def _seat_name(seat: Seat, players: Players) -> tuple[str, str]:
    """A seat's name, and the marks after it that must not be cut."""
    away = " ?" if seat in players.away else ""
    if seat == players.me:
        return "you", away
    return seat, (" [bot]" if seat in players.bots else "") + away


def _grid(grid: Grid, width: int, theme: Theme, players: Players) -> Iterator[Line]:
    heads = [theme.text(head) for head in grid.columns]
    label = theme.text(grid.label)
    drawn = [[_cell(cell, theme, players) for cell in row] for row in grid.rows]
    if label and not heads[0]:
        lines = list(_columns([label, *heads[1:]], drawn, 1 << 16, theme))
        if all(line_width(line) <= width for line in lines):
            yield from lines
            return
    if label:
        yield from ((("dim", line),) for line in wrap(label, width))
    yield from _columns(heads, drawn, width, theme)
