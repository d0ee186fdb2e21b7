"""A board of cards, where the places matter: as chips, or as small cards from a wide table on.

Rule 1: an open place, a blocked one and one that is far off have signs of their own.
"""

from __future__ import annotations

from sobremesa.cli.words.speech import Players
from sobremesa.core.views import Board, Spot

from .canvas import Canvas
from .cards import card, shade
from .cells import Line, fit, text_width
from .theme import Theme

HEAD = 3
"""Columns of a row's name."""
_PITCH = {"wide": 6, "chip": 4, "bare": 3}


def board_rows(board: Board, width: int, theme: Theme, players: Players) -> list[Line]:
    """The board, as large as its rows fit in so many columns."""
    places = len(board.columns)
    if width >= HEAD + 4 + _PITCH["wide"] * places + 8:
        return _large(board, theme, players)
    pitch = _PITCH["chip"] if width >= HEAD + _PITCH["chip"] * places else _PITCH["bare"]
    canvas = Canvas(max(width, 1), len(board.rows) + 1)
    for place, name in enumerate(board.columns):
        x = HEAD + place * pitch
        canvas.write(x + 3 - text_width(name), 0, "dim", theme.text(name))
    for row, (name, spots, _) in enumerate(board.rows, 1):
        canvas.write(1, row, _suit(name), theme.text(name))
        for place, spot in enumerate(spots):
            canvas.put(HEAD + place * pitch, row, _chip(spot, theme, players))
    return canvas.lines()


def _suit(name: str) -> str:
    return {"♠": "suit.s", "♥": "suit.h", "♦": "suit.d", "♣": "suit.c"}.get(name, "bold")


def _chip(spot: Spot, theme: Theme, players: Players) -> Line:
    if spot.card is not None:
        if spot.token:
            return (("card.joker", f"{spot.card[:-1]}{theme.text('★')}".rjust(3)),)
        return card(spot.card, "chip", theme, players)[0]
    if spot.token:
        return (("card.joker", fit(theme.text(spot.token), 3)),)
    return {
        "open": (("key", "[ ]"),),
        "blocked": (("bad", theme.text(" × ")),),
        "far": (("faint", theme.text(" · ")),),
    }[spot.state]


def _large(board: Board, theme: Theme, players: Players) -> list[Line]:
    """Cards of 5x2, a joker over its lower half; a row between the suits."""
    pitch = _PITCH["wide"]
    left = HEAD + 3
    canvas = Canvas(left + pitch * len(board.columns) + 10, 3 * len(board.rows))
    for place, name in enumerate(board.columns):
        canvas.write(left + place * pitch + 2, 0, "dim", theme.text(name))
    for number, (name, spots, remark) in enumerate(board.rows):
        y = 1 + 3 * number
        canvas.write(1, y, _suit(name), theme.text(name))
        canvas.write(left + pitch * len(spots) + 2, y, "dim", theme.text(remark))
        for place, spot in enumerate(spots):
            _large_spot(canvas, left + place * pitch, y, spot, theme, players)
    return canvas.lines()


def _large_spot(canvas: Canvas, x: int, y: int, spot: Spot, theme: Theme, players: Players) -> None:
    if spot.card is not None:
        rank, suit = card(spot.card, "S", theme, players)
        role = rank[0][0]
        sign = suit[0][1].strip()
        name = rank[0][1].strip()
        if spot.token:
            canvas.write(x, y, role, f"{name}{sign.rjust(5 - len(name))}")
            canvas.write(x, y + 1, "card.joker", fit(theme.text(spot.token), 5).center(5))
        else:
            canvas.write(x, y, role, name.ljust(5))
            canvas.write(x, y + 1, role, sign.rjust(5))
        shade(canvas, x + 5, y, 2, theme)
    elif spot.token:
        canvas.write(x, y, "card.joker", fit(theme.text(spot.token), 5).center(5))
    elif spot.state == "open":
        for down, sides in ((0, "┌   ┐"), (1, "└   ┘")):
            canvas.write(x, y + down, "key", theme.text(sides))
    elif spot.state == "blocked":
        canvas.write(x + 2, y, "bad", theme.text("×"))
    else:
        canvas.write(x + 2, y, "faint", theme.text("·"))
