"""The players round the table: the others clockwise from one's own left, what they have laid down
before them, and the middle of the table between them.

Rule 1: a seat's place depends on the number of players and the size of the window alone, so nothing
jumps while a game lasts.
Rule 2: whose turn it is stands at the seat, by a sign and by its paint.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sobremesa.cli.words.speech import Players
from sobremesa.core.pieces import Seat
from sobremesa.core.views import (
    Block,
    Board,
    Cards,
    Chances,
    Counter,
    Dice,
    Figure,
    Gap,
    Headline,
    Meter,
    Row,
    Seats,
    Text,
    View,
)

from .blocks import Look, blocks_of, drawn_block, figure, plain_words, shortened
from .board import board_rows
from .canvas import Canvas, beside, width_of
from .cards import Size, card, row_of_cards
from .cells import Line, Span, fit, fit_line, line_width, text_width, wrap
from .dice import cup, is_covered, row_of_dice
from .pieces import cell, seat_name
from .theme import Theme

MOST_OTHERS = 7
_WIDE = {"M": 100, "L": 112}
"""Columns of the table for which the places are given."""
_HIGH = {"M": 16, "L": 30}
_PLACES: dict[str, dict[int, tuple[tuple[int, int], ...]]] = {
    "M": {
        1: ((50, 1),),
        2: ((32, 1), (68, 1)),
        3: ((13, 8), (50, 1), (87, 8)),
        4: ((13, 8), (32, 1), (68, 1), (87, 8)),
        5: ((13, 8), (24, 1), (50, 1), (76, 1), (87, 8)),
        6: ((13, 8), (21, 1), (40, 1), (60, 1), (79, 1), (87, 8)),
        7: ((13, 8), (12, 1), (31, 1), (50, 1), (69, 1), (88, 1), (87, 8)),
    },
    "L": {
        1: ((56, 2),),
        2: ((40, 2), (72, 2)),
        3: ((13, 14), (56, 2), (99, 14)),
        4: ((13, 14), (40, 2), (72, 2), (99, 14)),
        5: ((13, 14), (36, 2), (56, 2), (76, 2), (99, 14)),
        6: ((13, 14), (26, 2), (46, 2), (66, 2), (86, 2), (99, 14)),
        7: ((13, 14), (18, 2), (37, 2), (56, 2), (75, 2), (94, 2), (99, 14)),
    },
}
"""For so many others: the column of the middle of each seat, and its first row."""
_EDGE = {"M": (26, 73, 4, 15), "L": (25, 86, 6, 26)}
"""The table's edge: left, right, top, bottom."""
_SEAT, _SEAT_NARROW, _SEAT_LIFTED, _SEAT_TILES = 22, 18, 36, 24
_GROWS = (20, 6)
"""How many columns and rows a table may be larger than its places were made for."""


@dataclass(frozen=True, slots=True)
class _Ground:
    """Where the table lies on its sheet, and how much larger it is than it was made for."""

    size: str
    others: int
    left: int
    top: int
    wider: int
    higher: int

    @classmethod
    def of(cls, size: str, others: int, width: int, height: int) -> _Ground:
        wide, high = _WIDE[size], _HIGH[size]
        wider = max(0, min(_GROWS[0], width - wide))
        higher = max(0, min(_GROWS[1], height - high))
        left = max(0, (width - wide - wider) // 2)
        top = max(0, (height - high - higher) // 2)
        return cls(size, others, left, top, wider, higher)

    def places(self) -> list[tuple[int, int]]:
        wide = _WIDE[self.size]
        return [
            (
                self.left + x * (wide + self.wider) // wide,
                self.top + (y if y < 5 else y + self.higher // 2),
            )
            for x, y in _PLACES[self.size][self.others]
        ]

    def edge(self) -> tuple[int, int, int, int]:
        left, right, top, bottom = _EDGE[self.size]
        return (
            self.left + left + self.wider // 4,
            self.left + right + self.wider * 3 // 4,
            self.top + top,
            self.top + bottom + self.higher,
        )


def seats_of(view: View) -> Seats | None:
    """The players of a view, if it shows them."""
    return next((block for block in view.blocks if isinstance(block, Seats)), None)


def own_row(view: View, players: Players) -> Row | None:
    """One's own seat."""
    seats = seats_of(view)
    rows = seats.rows if seats is not None else ()
    return next((row for row in rows if row.seat == players.me), None)


def others_of(seats: Seats, me: Seat | None) -> list[Row]:
    """The others clockwise from one's own left; all, for who has no seat."""
    names = [row.seat for row in seats.rows]
    if me not in names:
        return list(seats.rows)
    own = names.index(me)
    return [*seats.rows[own + 1 :], *seats.rows[:own]]


def fits_round(view: View, players: Players) -> bool:
    """Whether there are seats to be drawn round the table, and places for all of them."""
    seats = seats_of(view)
    return seats is not None and 0 < len(others_of(seats, players.me)) <= MOST_OTHERS


def render_round(view: View, width: int, height: int, size: Size, look: Look) -> list[Line]:
    """The table with its players round it, in exactly so many rows."""
    seats = seats_of(view)
    assert seats is not None
    middle = [b for b in blocks_of(view, "table") if not isinstance(b, Seats | Gap)]
    canvas = Canvas(width, height)
    board = next((block for block in middle if isinstance(block, Board)), None)
    if board is not None:
        rest = [block for block in middle if block is not board]
        _board_table(canvas, board, rest, seats, look)
    else:
        _round_table(canvas, middle, view, seats, size, look)
    return canvas.lines()


# A table with people round it.


def _round_table(
    canvas: Canvas, middle: Sequence[Block], view: View, seats: Seats, size: Size, look: Look
) -> None:
    others = others_of(seats, look.players.me)
    ground = _Ground.of("L" if size == "L" else "M", len(others), canvas.width, canvas.height)
    left, right, top, bottom = ground.edge()
    lifted = any(_lifted(row) for row in seats.rows)
    if not lifted:
        top, bottom = _edge_of(seats, middle, (left, right, top, bottom), look)
        _frame(canvas, left, right, top, bottom, look.theme)
    for row, (x, y) in zip(others, ground.places(), strict=True):
        _seat(canvas, row, seats, x, y, len(others), look, lifted=lifted)
    room = right - left - 3
    if seats.lies:
        _lay(canvas, others, seats, ground, size, look)
        room -= 2 * (width_of(card("10H", size, look.theme, look.players)) + 3)
    elif lifted:
        room = 24 if len(others) > 2 else 40
    lines = middle_lines(middle, room, look)
    inner = bottom - top - 1
    if seats.lies:
        high = len(card("10H", _lies_size(size, len(others)), look.theme, look.players))
        inner -= 2 * high
    lines = shortened(lines, max(1, inner), look.theme)
    if lifted:
        top, bottom = ground.top + 5, ground.top + 15 + ground.higher
    y = top + 1 + (bottom - top - 1 - len(lines)) // 2
    centre = (left + right) // 2 + 1
    canvas.centre(centre, y, lines)
    _corners(canvas, view, ground, bottom, look)


def _edge_of(
    seats: Seats, middle: Sequence[Block], edge: tuple[int, int, int, int], look: Look
) -> tuple[int, int]:
    """The first and last row of the table's edge: lower where cards do not lie along it."""
    left, right, top, bottom = edge
    if seats.lies:
        return top, bottom
    cells = [value for row in seats.rows for value in row.cells]
    pictures = any(isinstance(value, Dice) or _is_tile(value, look) for value in cells)
    top += 2 if pictures else 1  # so many rows those have before them who sit above
    high = max(len(middle_lines(middle, right - left - 3, look)), 5)
    spare = max(0, (bottom - top - 1) - high - 2)
    return top + (spare + 1) // 2, bottom - spare // 2


def _frame(canvas: Canvas, left: int, right: int, top: int, bottom: int, theme: Theme) -> None:
    line = theme.text("─") * (right - left - 1)
    canvas.write(left, top, "rule", theme.text("╭") + line + theme.text("╮"))
    for y in range(top + 1, bottom):
        canvas.write(left, y, "rule", theme.text("│"))
        canvas.write(right, y, "rule", theme.text("│"))
    canvas.write(left, bottom, "rule", theme.text("╰") + line + theme.text("╯"))


def middle_lines(blocks: Sequence[Block], width: int, look: Look) -> list[Line]:
    """What stands in the middle of the table, each line to be centred."""
    lines: list[Line] = []
    for block in blocks:
        match block:
            case Figure():
                picture = figure(block, look)
                if width_of(picture) > width:
                    picture = [(("headline", look.theme.text(block.text)),)]
                lines += _as_one(picture)
            case Headline(text, sub):
                if lines and line_width(lines[-1]) and len(blocks) < 4:
                    lines.append(())
                lines += [(("headline", t),) for t in wrap(look.theme.text(text), width)]
                lines += [(("dim", t),) for t in wrap(look.theme.text(sub), width)] if sub else []
            case Text():
                lines += plain_words(block, width, look.theme)
            case Meter() | Chances():
                lines += _as_one([(), *drawn_block(block, width, look)])
            case _:
                lines += _as_one([fit_line(x, width) for x in drawn_block(block, width, look)])
    return lines


def _as_one(picture: Sequence[Line]) -> list[Line]:
    """The picture with all its lines equally wide, so that it is centred as a whole."""
    wide = width_of(picture)
    return [(*line, ("", " " * (wide - line_width(line)))) for line in picture]


# A seat.


def _lifted(row: Row) -> bool:
    return any(isinstance(c, Dice) and c.values and not is_covered(c) for c in row.cells)


def _seat(
    canvas: Canvas,
    row: Row,
    seats: Seats,
    x: int,
    y: int,
    others: int,
    look: Look,
    *,
    lifted: bool,
) -> None:
    wide = _SEAT if others <= 5 else _SEAT_NARROW
    if lifted and any(isinstance(value, Dice) for value in row.cells):
        wide = _SEAT_LIFTED if others <= 4 else _SEAT_TILES
    lines = _seat_lines(row, seats, wide, look)
    high_up = y < 5
    has_picture = any(isinstance(v, Dice) or _is_tile(v, look) for v in row.cells)
    if high_up and not has_picture:
        canvas.centre(x, y, lines)
        return
    own = max(width_of(lines), 1) if has_picture else wide
    left = max(1, min(canvas.width - own - 1, x - (wide if not high_up else own) // 2))
    if x > canvas.width * 2 // 3 and not high_up:
        left = min(left, canvas.width - own - 1)
    canvas.paste(left, y, lines)


def _is_tile(value: object, look: Look) -> bool:
    return isinstance(value, Cards) and bool(look.players.tints)


def _seat_lines(row: Row, seats: Seats, wide: int, look: Look) -> list[Line]:
    theme, players = look.theme, look.players
    pictures: list[Sequence[Line]] = []
    words: list[Line] = []
    on_top: list[Line] = []
    for name, value in zip(seats.columns, row.cells, strict=True):
        if isinstance(value, Dice):
            pictures.append(_dice(value, wide, theme))
        elif isinstance(value, Cards) and players.tints:
            pictures.append(beside([card(c, "M", theme, players) for c in value.values], 1))
        elif isinstance(value, Counter) and value.style == "coins":
            on_top.append(_coins(value, theme))
        else:
            words.append(_named(name, cell(value, theme, players, "").wide, value, theme))
    head = _head(row, wide, look, on_top)
    cups = any(isinstance(value, Dice) for value in row.cells)
    said: Line = ()
    if row.said:
        new = row.seat in look.lit
        text = fit(theme.text(row.said), wide if not pictures else wide + 4, theme.cut)
        named = theme.text(f"{seats.said} ") if not cups else ""
        said = (("dim", named), ("selected" if new else "dim" if row.out else "", text))
    lines = [head]
    if pictures and said and any(isinstance(v, Dice) and is_covered(v) for v in row.cells):
        lines += beside([*pictures, [(), said]], 1)
        said = ()
    else:
        for picture in pictures:
            lines += picture
    return [*lines, *_joined([*words, *[said] * bool(said)], wide)]


def _head(row: Row, wide: int, look: Look, more: Sequence[Line]) -> Line:
    theme = look.theme
    name, marks = map(theme.text, seat_name(row.seat, look.players))
    mark = theme.text("► " if row.turn else "")
    role = "turn" if row.turn else "out" if row.out else "you"
    extra = "".join(f" {theme.text(word)}" for word in (row.badge, "out" * row.out) if word)
    top = [span for line in more for span in (("", "  "), *line)]
    room = wide - text_width(mark + marks + extra) - line_width(top)
    spans: list[Span] = [(role, mark + fit(name, max(4, room), theme.cut))]
    spans += [("warn" if "away" in marks else "dim", marks)] if marks else []
    spans += [("dim", extra)] if extra else []
    return (*spans, *top)


def _dice(dice: Dice, wide: int, theme: Theme) -> list[Line]:
    if not dice.values:
        return [()]
    if is_covered(dice):
        return cup(dice, theme)
    if len(dice.values) * 7 <= wide:
        return row_of_dice(dice, "M", theme, counted=True)
    if len(dice.values) * 6 <= wide:
        return row_of_dice(dice, "S", theme, counted=True)
    return row_of_dice(dice, "small", theme, counted=True)


def _coins(counter: Counter, theme: Theme) -> Line:
    shown = min(counter.value, 7)
    return (("coin", theme.text("●") * shown), ("", f" {counter.value}"))


def _named(name: str, drawn: Line, value: object, theme: Theme) -> Line:
    """A cell with the word for it, where it does not speak for itself."""
    if not line_width(drawn):
        return ()
    speaks = isinstance(value, Counter) and (value.letters or value.style != "num")
    if speaks or not name:
        return drawn
    return (("dim", f"{theme.text(name)} "), *drawn)


def _joined(words: Sequence[Line], wide: int) -> list[Line]:
    """Words side by side in as few rows as they take."""
    rows: list[Line] = []
    for one in words:
        if not one:
            continue
        if rows and line_width(rows[-1]) + 2 + line_width(one) <= wide:
            rows[-1] = (*rows[-1], ("", "  "), *one)
        else:
            rows.append(fit_line(one, wide))
    return rows


def own_lines(row: Row, seats: Seats, wide: int, look: Look) -> list[Line]:
    """One's own seat in words, for the left of the hand."""
    theme, players = look.theme, look.players
    words = []
    for name, value in zip(seats.columns, row.cells, strict=True):
        if isinstance(value, Cards) or (isinstance(value, Dice) and not is_covered(value)):
            continue  # it is drawn as what one holds
        if isinstance(value, Counter) and value.style == "coins":
            words.append(_coins(value, theme))
            continue
        words.append(_named(name, cell(value, theme, players, "").wide, value, theme))
    return [_head(row, wide, look, ()), *_joined(words, wide)]


# What lies on the table.


def _lies_size(size: Size, others: int) -> Size:
    if others >= 6:
        return "M" if size == "L" else "S"
    return size


def _lay(
    canvas: Canvas, others: Sequence[Row], seats: Seats, ground: _Ground, size: Size, look: Look
) -> None:
    theme, players = look.theme, look.players
    left, right, top, bottom = ground.edge()
    size = _lies_size(size, len(others))
    high = len(card("10H", size, theme, players))
    inner_left, inner_right = left + 3, right - 3
    for row, (x, y) in zip(others, ground.places(), strict=True):
        if row.lies is None or not row.lies.values:
            continue
        picture = row_of_cards(row.lies, size, theme, players)
        wide = width_of(picture)
        if y - ground.top < 5:
            at = max(inner_left, min(inner_right - wide, x - wide // 2))
            canvas.paste(at, top + 1, picture)
        elif x < (left + right) // 2:
            canvas.paste(inner_left, (top + bottom - high) // 2 + 1, picture)
        else:
            canvas.paste(inner_right - wide + 1, (top + bottom - high) // 2 + 1, picture)
    own = next((row for row in seats.rows if row.seat == players.me), None)
    if own is None:
        return
    centre = (left + right) // 2 + 1
    if own.lies is not None and own.lies.values:
        picture = row_of_cards(own.lies, size, theme, players)
        canvas.paste(centre - width_of(picture) // 2, bottom - high, picture)
    elif own.turn:
        _slot(canvas, centre - 3, bottom - high, high, theme)


def _slot(canvas: Canvas, x: int, y: int, high: int, theme: Theme) -> None:
    canvas.write(x, y, "turn", theme.text("┌    ┐"))
    canvas.write(x + 2, y + high // 2, "turn", "?")
    canvas.write(x, y + high - 1, "turn", theme.text("└    ┘"))


def _corners(canvas: Canvas, view: View, ground: _Ground, bottom: int, look: Look) -> None:
    """What stands beside the table, in its lower corners, where there is no pane for it."""
    if ground.size == "L":
        return
    groups: list[list[Line]] = [[]]
    for block in blocks_of(view, "side"):
        if isinstance(block, Gap):
            groups.append([])
        else:
            groups[-1] += drawn_block(block, _SEAT, look)
    low = canvas.height - 4
    for group, x in zip(groups[:2], (3, canvas.width - _SEAT - 1), strict=False):
        if len(group) <= 4 and width_of(group) <= _SEAT + 2:
            canvas.paste(x, low + max(0, 3 - len(group)), group)


def overflowing(view: View, look: Look) -> list[Block]:
    """What stands beside the table and is too large for its corners: it stands by the hand."""
    blocks = [block for block in blocks_of(view, "side") if not isinstance(block, Gap)]
    return [b for b in blocks if len(list(drawn_block(b, _SEAT, look))) > 4]


# A board is the table itself; the others stand in a row below it.


def _board_table(
    canvas: Canvas, board: Board, rest: Sequence[Block], seats: Seats, look: Look
) -> None:
    picture = board_rows(board, canvas.width, look.theme, look.players)
    wide = width_of(picture)
    others = others_of(seats, look.players.me)
    row_high = 4
    left = max(0, (canvas.width - wide) // 2)
    spare = max(0, canvas.height - len(picture) - 1 - row_high)
    top = spare // 3
    canvas.paste(left, top, picture)
    y = top + len(picture)
    room = canvas.width - 2 * left - 2
    lines = [line for block in rest for line in drawn_block(block, max(20, room), look, tight=True)]
    below = max(1, canvas.height - y - row_high)
    for line in _fewer(lines, below, canvas.width - left - 2)[:below]:
        canvas.put(left + 1, y, fit_line(line, canvas.width - left - 1))
        y += 1
    y = max(y, min(y + 1, canvas.height - row_high))
    pitch = (canvas.width - 6) // max(1, len(others))
    for place, row in enumerate(others):
        _board_seat(canvas, 3 + place * pitch, min(y, canvas.height - 3), row, seats, pitch, look)


def _fewer(lines: Sequence[Line], most: int, width: int) -> list[Line]:
    """The lines side by side as far as they must be."""
    rows = list(lines)
    while len(rows) > most and line_width((*rows[-2], *rows[-1])) + 3 <= width:
        rows[-2:] = [(*rows[-2], ("", "   "), *rows[-1])]
    return rows


def _board_seat(
    canvas: Canvas, x: int, y: int, row: Row, seats: Seats, pitch: int, look: Look
) -> None:
    theme, players = look.theme, look.players
    head = list(_head(row, pitch - 2, look, ()))
    for name, value in zip(seats.columns, row.cells, strict=True):
        if isinstance(value, Cards):
            _action_cards(canvas, x, y + 1, value, pitch, look)
        else:
            named = _named(name, cell(value, theme, players).wide, value, theme)
            if named and line_width(head) + 2 + line_width(named) <= pitch - 1:
                head += [("", "  "), *named]
    if row.said:
        new = row.seat in look.lit
        said = theme.text(row.said)
        if text_width(said) + line_width(head) + 3 <= pitch:
            head += [("", "  "), ("selected" if new else "dim", said)]
    canvas.put(x, y, fit_line(head, pitch - 1, theme.cut))


def _action_cards(canvas: Canvas, x: int, y: int, cards: Cards, pitch: int, look: Look) -> None:
    """Small cards with a sign at the upper corner of each that fits."""
    step = 6 if len(cards.values) * 6 <= pitch else 5
    for place, code in enumerate(cards.values):
        fits = cards.playable is not None and place in cards.playable
        pale = cards.playable is not None and not fits
        canvas.paste(x, y, card(code, "S", look.theme, look.players, pale=pale))
        if fits:
            canvas.write(x + 4, y, "good", look.theme.text("▲"))
        x += step
