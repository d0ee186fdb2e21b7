"""Values of a view among words: one cell, and cells in columns.

Rule 1: nothing here takes more than a row.
Rule 2: where there is little room cells are drawn narrow first, then gaps shrink, then columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sobremesa.cli.words.speech import Players
from sobremesa.core.pieces import Seat
from sobremesa.core.views import Cards, Cell, Counter, Dice, Grid, Row, Seats

from .cards import card, row_of_cards
from .cells import Line, Span, fit, fit_line, line_width, pad_line, text_width, wrap
from .dice import covered, is_covered, row_of_dice
from .figures import bar
from .theme import Theme

NAME_LEAST, NAME_MOST = 8, 16
COINS = 7
"""From so many coins on their number tells."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A cell drawn wide, and narrow for when there is not enough room."""

    wide: Line
    narrow: Line

    @classmethod
    def text(cls, role: str, text: str) -> Drawn:
        """The same for both."""
        return cls(((role, text),), ((role, text),))


def cell(
    value: Cell, theme: Theme, players: Players, role: str = "", *, out: bool = False
) -> Drawn:
    """One value in a row."""
    match value:
        case Dice(()):
            return Drawn.text("dim", "out" if out else "none")
        case Dice():
            return _dice(value, theme)
        case Cards():
            return Drawn(_cards(value, theme, players), _cards(value, theme, players, tight=True))
        case Counter():
            return _counter(value, theme, role)
        case _:
            return Drawn.text(role, theme.text(str(value)))


def _dice(dice: Dice, theme: Theme) -> Drawn:
    if is_covered(dice):
        line = (covered(dice, theme),)
        return Drawn(line, line)
    counted = bool(dice.hits)
    wide = row_of_dice(dice, "small", theme, counted=counted)[0]
    narrow = tuple(
        ("die.hit" if place in dice.hits else "", str(value) if value is not None else "?")
        for place, value in enumerate(dice.values)
    )
    return Drawn(wide, narrow)


def _cards(cards: Cards, theme: Theme, players: Players, *, tight: bool = False) -> Line:
    """Cards as chips; of characters those that are covered are less than a chip."""
    if not cards.values:
        return ()
    if players.tints:
        spans: list[Span] = []
        for code in cards.values:
            spans += [("", " ")] if spans else []
            back = theme.text("▄") * 3 if not theme.ascii else "[?]"
            drawn = card(code, "chip", theme, players)[0]
            if tight and code is not None:
                drawn = ((drawn[0][0], drawn[0][1].strip()[:3]),)
            spans += [("card.back.small", back)] if code is None else drawn
        return tuple(spans)
    if tight and cards.playable is not None:
        cards = Cards(cards.values)
    return row_of_cards(cards, "chip", theme, players)[0]


def _counter(counter: Counter, theme: Theme, role: str) -> Drawn:
    value, most = counter.value, counter.max
    number: Line = ((role, f"{value}/{most}"),)
    full = max(0, min(value, most))
    if counter.letters:
        spans: list[Span] = []
        for place, letter in enumerate(counter.letters):
            has = place < full
            spans += [("", " ")] if spans else []
            spans.append(("alive" if has else "faint", f" {letter if has else theme.text('·')} "))
        tight: Line = (("good", counter.letters[:full]), ("faint", theme.text("·") * (most - full)))
        return Drawn(tuple(spans), tight)
    match counter.style:
        case "lives":
            heart = "*" if theme.ascii else "♥"
            line: Line = (("life", heart * full), ("faint", theme.text("·") * (most - full)))
            return Drawn(line, number)
        case "coins":
            shown = min(value, COINS)
            dots = theme.text("●") * shown
            rest = theme.text("·") * (COINS - shown)
            rich = "warn" if value >= COINS else role
            return Drawn(
                ((rich, f"{value:>2} "), ("coin", dots), ("faint", rest)), ((rich, str(value)),)
            )
        case "boxes":
            over = max(0, value - most)
            line = (
                ("good", theme.text("■") * full),
                ("bad", theme.text("■") * over),
                ("turn", theme.text("□") * (most - full)),
            )
            return Drawn(line, number)
        case "pips":
            line = (
                (role, theme.text("●") * full),
                ("faint", theme.text("·") * max(0, most - full)),
            )
            return Drawn(line, number)
        case "bar":
            return Drawn(bar(counter, theme), number)
        case _:
            return Drawn(number, number)


def label_of(cards: Cards, place: int, theme: Theme) -> str:
    """The word that goes with a card, such as whose it is, or nothing."""
    return fit(theme.text(cards.labels[place]), NAME_LEAST, theme.cut) if cards.labels else ""


# Columns.


def columns(
    heads: Sequence[str], rows: Sequence[Sequence[Drawn]], width: int, theme: Theme
) -> Iterator[Line]:
    """A header and rows, their columns as wide as they need, or narrower to fit.

    First cells are drawn narrow, then gaps shrink, then the widest columns.
    """
    header = [Drawn.text("dim", head) for head in heads]
    every = [header, *rows]
    wants = [[line_width(one.wide) for one in column] for column in zip(*every, strict=True)]
    needs = [[line_width(one.narrow) for one in column] for column in zip(*every, strict=True)]
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
        for place, (one, wide) in enumerate(zip(row, widths, strict=True)):
            drawn = fit_line(one.narrow if narrow else one.wide, wide, more)
            last = place == len(row) - 1
            line += drawn if last else (*pad_line(drawn, wide), ("", " " * gap))
        yield _without_tail(fit_line(line, width, more))


def _without_tail(line: Line) -> Line:
    """The line without blanks at its end."""
    kept = list(line)
    while kept and not kept[-1][1].strip() and kept[-1][0] == "":
        kept.pop()
    return tuple(kept)


def seat_name(seat: Seat, players: Players) -> tuple[str, str]:
    """A seat's name, and the marks after it that must not be cut."""
    marks = [" bot"] if seat in players.bots and seat != players.me else []
    marks += [" away"] if seat in players.away else []
    return "you" if seat == players.me else seat, "".join(marks)


def seat_rows(
    seats: Seats, width: int, theme: Theme, players: Players, lit: frozenset[Seat] = frozenset()
) -> Iterator[Line]:
    """A line for each player: how it stands, what it has laid down, what it said. Whose turn it is
    has a sign and a ground; what was said by one that is `lit` is new."""
    rows = seats.rows
    longest = max((_name_width(row, players) for row in rows), default=0)
    room = min(max(NAME_LEAST, longest), max(NAME_LEAST, min(NAME_MOST, width // 3)))
    badges = [theme.text(row.badge) for row in rows]
    badge = max(map(text_width, badges), default=0) if width >= 48 else 0
    drawn = []
    for row in rows:
        role = "turn" if row.turn else "out" if row.out else "you"
        mark = theme.text("►" if row.turn else "×" if row.out else " ")
        name, marks = map(theme.text, seat_name(row.seat, players))
        shown = fit(name, max(1, room - text_width(marks)), theme.cut)
        label: list[Span] = [
            (role, f" {mark} {shown}"),
            ("warn" if "away" in marks else "dim", marks),
        ]
        line = pad_line(label, room + 3)
        if badge:
            line = (*line, *pad_line((("dim", " " + theme.text(row.badge)),), badge + 1))
        dim = "out" if row.out else ""
        cells = [cell(value, theme, players, dim, out=row.out) for value in row.cells]
        if seats.lies:
            cells.append(cell(row.lies or "", theme, players, dim))
        if seats.said:
            new = row.seat in lit
            said = theme.text(row.said)
            cells.append(Drawn.text("selected" if new and said else dim, said))
        drawn.append([Drawn(line, line), *cells])
    heads = ["", *seats.columns, *[seats.lies] * bool(seats.lies), *[seats.said] * bool(seats.said)]
    lines = list(columns([theme.text(head) for head in heads], drawn, width, theme))
    first = len(lines) - len(rows)
    for place, line in enumerate(lines):
        at = place - first
        yield _on_ground(line, width) if at >= 0 and rows[at].turn else line


def _name_width(row: Row, players: Players) -> int:
    return sum(map(text_width, seat_name(row.seat, players)))


def _on_ground(line: Line, width: int) -> Line:
    """The line on a ground of its own, as wide as its pane."""
    return tuple(
        (f"lit {role}" if role in ("", "turn", "dim", "faint") else role, text)
        for role, text in pad_line(line, width)
    )


def grid_rows(grid: Grid, width: int, theme: Theme, players: Players) -> Iterator[Line]:
    """A table of values under its label."""
    heads = [theme.text(head) for head in grid.columns]
    label = theme.text(grid.label)
    drawn = [[cell(value, theme, players) for value in row] for row in grid.rows]
    if label and heads and not heads[0]:
        lines = list(columns([label, *heads[1:]], drawn, 1 << 16, theme))
        if all(line_width(line) <= width for line in lines):
            yield from lines
            return
    if label:
        yield from ((("dim", line),) for line in wrap(label, width))
    yield from columns(heads, drawn, width, theme)


def hand_in_rows(
    cards: Cards, width: int, theme: Theme, players: Players, *, counted: bool = False
) -> list[Line]:
    """Cards as chips in as many rows as they take."""
    rows: list[Line] = []
    playable = cards.playable
    for place, code in enumerate(cards.values):
        pale = playable is not None and place not in playable
        label = label_of(cards, place, theme)
        one: Line = card(code, "chip", theme, players, pale=pale)[0]
        if playable and place in playable and counted and len(playable) < len(cards.values):
            one = (*one, ("good", theme.text("▲")))
        if label:
            one = (("dim", f"{label} "), *one)
        gap: Line = (("", "  " if label else " "),)
        if rows and line_width((*rows[-1], *gap, *one)) <= width:
            rows[-1] = (*rows[-1], *gap, *one)
        else:
            rows.append(one)
    return rows or [()]
