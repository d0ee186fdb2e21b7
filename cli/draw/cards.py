"""Cards as they lie on a table: playing cards, numbers, words, characters and backs, in four sizes.

Rule 1: every cell of a card has the card's ground, and a card is exactly as large as its size says.
Rule 2: a suit is a sign and a colour; what may not be played is pale, and its label says so.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from sobremesa.cli.words.speech import Players
from sobremesa.core.views import Cards
from sobremesa.plugins.playing_cards import PACK

from .canvas import Canvas, width_of
from .cells import Line, fit, text_width
from .theme import Theme

Size = Literal["chip", "S", "M", "L"]
SIZES: tuple[Size, ...] = ("L", "M", "S", "chip")

HEIGHT: dict[Size, int] = {"chip": 1, "S": 2, "M": 3, "L": 5}
_WIDTH: dict[Size, int] = {"chip": 3, "S": 4, "M": 5, "L": 7}
_WORD: dict[Size, int] = {"chip": 3, "S": 7, "M": 7, "L": 9}
_TILE: dict[Size, int] = {"chip": 3, "S": 11, "M": 11, "L": 14}
_SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
JOKER = "JK"


def card(
    code: str | None, size: Size, theme: Theme, players: Players, *, pale: bool = False
) -> list[Line]:
    """One card: by its face, or its back. `pale` is one that may not be played."""
    if code is None:
        wide = _TILE[size] if players.tints and size != "chip" else _WIDTH[size]
        return [(("card.back", theme.text("▒") * wide),)] * HEIGHT[size]
    if code in players.tints:
        return _tile(code, size, theme, players, pale)
    if code in PACK:
        return _playing_card(code, size, theme, pale)
    return _word(code, size, theme, players, pale)


def _playing_card(code: str, size: Size, theme: Theme, pale: bool) -> list[Line]:
    rank, suit = code[:-1], theme.text(_SUITS[code[-1]])
    role = f"card.{'pale.' if pale else ''}{code[-1].lower()}"
    if size == "chip":
        return [((role, f"{rank}{suit}".rjust(3)),)]
    rows = {
        "S": (f"{rank:<4}", f"{suit:>4}"),
        "M": (f"{rank:<5}", f"{suit:^5}", f"{rank:>5}"),
        "L": (f"{rank:<7}", f"{suit:<7}", f"{suit:^7}", f"{suit:>7}", f"{rank:>7}"),
    }[size]
    return [((role, row),) for row in rows]


def _word(code: str, size: Size, theme: Theme, players: Players, pale: bool) -> list[Line]:
    """A number or a word: what is printed on it, else what it is called, else its code."""
    mark = theme.text(players.marks.get(code) or players.cards.get(code) or str(code))
    mark = theme.text("JOKER") if code == JOKER and size in ("M", "L") else mark
    role = "card.joker" if code == JOKER else "card.word"
    role = "card.pale.word" if pale else "card.number" if mark.isdecimal() else role
    role = "card.pale.number" if pale and mark.isdecimal() else role
    if size == "chip":
        return [((role, f" {mark} " if text_width(mark) < 2 else mark),)]
    if mark.isdecimal():
        wide, last = _WIDTH[size], HEIGHT[size] - 1
        rows = [" " * wide for _ in range(HEIGHT[size])]
        rows[0], rows[last] = f"{mark:<{wide}}", f"{mark:>{wide}}"
        return [((role, row),) for row in rows]
    wide = max(_WORD[size] if code != JOKER else _WIDTH[size], 0)
    rows = [" " * wide for _ in range(HEIGHT[size])]
    shown = fit(mark, wide, theme.cut)
    rows[(HEIGHT[size] - 1) // 2] = shown.center(wide)
    return [((role, row),) for row in rows]


def _tile(code: str, size: Size, theme: Theme, players: Players, pale: bool) -> list[Line]:
    """A character: one paint, with its name."""
    name = theme.text(players.cards.get(code, str(code)))
    role = f"tint.{players.tints[code]}" if not pale else "card.pale.word"
    if size == "chip":
        return [((role, f" {name} "),)]
    wide = _TILE[size]
    rows = [" " * wide for _ in range(HEIGHT[size])]
    rows[(HEIGHT[size] - 1) // 2] = fit(name, wide, theme.cut).center(wide)
    return [((role, row),) for row in rows]


def shade(canvas: Canvas, x: int, y: int, high: int, theme: Theme) -> None:
    """The shadow of a card whose right edge is at a column: white cards drown in a light ground."""
    if theme.ground == "light" and not theme.ascii:
        for down in range(high):
            canvas.write(x, y + down, "shadow", "▌")


def pitch_gap(size: Size, *, hand: bool = False, many: bool = False) -> int:
    """Blanks between cards in a row: more in one's own hand, while there are few."""
    return {
        "chip": 1,
        "S": 2 if hand and not many else 1,
        "M": 2 if hand and not many else 1,
        "L": 3,
    }[size]


def row_of_cards(
    cards: Cards, size: Size, theme: Theme, players: Players, *, hand: bool = False
) -> list[Line]:
    """Cards side by side. On the table what can be played has a sign below it, or behind it where
    they are chips."""
    playable = cards.playable
    pictures = [
        card(code, size, theme, players, pale=playable is not None and place not in playable)
        for place, code in enumerate(cards.values)
    ]
    gap = pitch_gap(size, hand=hand, many=len(cards.values) > 9)
    sign = theme.text("▲")
    canvas = Canvas(sum(width_of(p) + gap for p in pictures) + 2, HEIGHT[size] + (size != "chip"))
    x = 0
    for place, picture in enumerate(pictures):
        canvas.paste(x, 0, picture)
        wide = width_of(picture)
        if size != "chip":
            shade(canvas, x + wide, 0, len(picture), theme)
        if playable and place in playable and not hand:
            if size == "chip":
                canvas.write(x + wide, 0, "good", sign)
            else:
                canvas.write(x + wide // 2, HEIGHT[size], "good", sign)
        x += wide + gap
    lines = canvas.lines()
    return lines if len(lines) == 1 or lines[-1] else lines[:-1]


def hand_of_cards(
    cards: Cards,
    size: Size,
    theme: Theme,
    players: Players,
    *,
    at: int | None = None,
    taken: Collection[int] = (),
    lift: bool = False,
) -> tuple[list[Line], list[tuple[int, int]]]:
    """One's own cards with a label below each: its note, or the place by which it is typed. The
    card `at` the cursor is lifted where there is a row for it, those `taken` have a sign. Returns
    the picture, and for each card its first column and the one behind its last."""
    pictures = []
    for place, code in enumerate(cards.values):
        pale = cards.playable is not None and place not in cards.playable
        pictures.append(card(code, size, theme, players, pale=pale))
    labels = [_label(cards, place, place in taken, theme) for place in range(len(pictures))]
    gap = pitch_gap(size, hand=True, many=len(pictures) > 9)
    widths = [max(width_of(picture), text_width(text)) for picture, (_, text) in
              zip(pictures, labels, strict=True)]  # fmt: skip
    if sum(widths) + gap * len(widths) > _MOST:
        widths = [width_of(picture) for picture in pictures]
    top = 1 if lift else 0
    canvas = Canvas(sum(widths) + gap * len(widths), top + HEIGHT[size] + 1)
    spans, x = [], 0
    for place, (picture, wide, (role, text)) in enumerate(
        zip(pictures, widths, labels, strict=True)
    ):
        canvas.paste(x, 0 if place == at else top, picture)
        own = width_of(picture)
        shade(canvas, x + own, 0 if place == at else top, len(picture), theme)
        shown = fit(text, max(own, wide), theme.cut)
        if place == at:
            shown, role = shown.center(max(own, text_width(shown))), "selected"
        left = max(0, (own - text_width(shown)) // 2)
        canvas.write(x + left, top + HEIGHT[size], role, shown)
        spans.append((x, x + own))
        x += wide + gap
    return canvas.lines(), spans


_MOST = 90


def _label(cards: Cards, place: int, taken: bool, theme: Theme) -> tuple[str, str]:
    if taken:
        return "alive", theme.text(" ✓ ")
    text = theme.text(cards.notes[place]) if cards.notes else ""
    can = cards.playable is not None and place in cards.playable
    role = "key" if can else "dim"
    return role, text or str(place + 1)
