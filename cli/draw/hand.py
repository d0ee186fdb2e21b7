"""The zone of one's own: what one holds, how one stands, and what helps to decide.

Rule 1: the zone has the same rows all game long; what does not fit gets smaller, and one's own
cards and dice are never left out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

from sobremesa.core.views import Block, Cards, Chances, Dice, Gap, Grid, Hand, Row, Text, View

from .around import own_lines, own_row, seats_of
from .blocks import Look, blocks_of, drawn_block, plain_words
from .canvas import Canvas, width_of
from .canvas import beside as side_by_side
from .cards import HEIGHT, SIZES, Size, hand_of_cards
from .cells import Line, fit, fit_line, line_width, text_width
from .dice import DieSize, is_covered, row_of_dice
from .figures import chances
from .pieces import hand_in_rows

LEFT = 3
ASIDE_LEAST = 24
"""Columns that words beside the hand need."""
ASIDE_MOST = 46


Hint = Callable[[int], Sequence[Line]]
"""What is said of a move, for a width."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a card of one's own is drawn, for whoever points at it: the number of its hand in the
    view, its place, and its cells."""

    hand: int
    place: int
    x: int
    y: int
    wide: int
    high: int


@dataclass(slots=True)
class Zone:
    """The zone as it is drawn, and where its cards are."""

    lines: list[Line]
    spots: list[Spot] = field(default_factory=list)
    said: bool = False
    """Whether the hint stands in it."""


@dataclass(frozen=True, slots=True)
class Pointed:
    """The card under the cursor: of which hand, at which place; and the cards that are taken."""

    hand: int = 0
    place: int | None = None
    taken: Collection[int] = ()


def own_hands(view: View) -> list[Hand]:
    """What the seat itself holds."""
    return [b for b in blocks_of(view, "hand") if isinstance(b, Hand)]


def render_zone(
    view: View,
    width: int,
    rows: int,
    size: Size,
    look: Look,
    *,
    pointed: Pointed | None = None,
    hint: Hint | None = None,
    beside: Sequence[Block] = (),
) -> Zone:
    """The zone in exactly so many rows. `hint` stands at its right if there is room for it;
    `beside` are blocks that belong to the table and have no room there."""
    seats, own = seats_of(view), own_row(view, look.players)
    hands = own_hands(view) or _lifted(own)
    aside = [b for b in blocks_of(view, "hand") if not isinstance(b, Hand | Gap)]
    canvas = Canvas(width, rows)
    x, mine = LEFT, list[Line]()
    if size != "S" and seats is not None and own is not None:
        mine = own_lines(own, seats, 22, look)
        x = LEFT + max(18, width_of(mine) + 2)
    chance = next((b for b in aside if isinstance(b, Chances)), None)
    keep = 6 * len(chance.bars) + 1 if chance is not None and rows >= 4 else 0
    keep = keep or (ASIDE_LEAST + 2 if beside or hint else 0)
    picture, spots = _hands(hands, width - x - 1, rows, size, look, pointed, keep)
    wide = width_of(picture)
    if x + wide + 1 > width:
        x = 0
    else:
        canvas.paste(LEFT, max(0, (rows - len(mine)) // 2), mine[:rows])
    if size != "S":
        free = width - x - wide - max(keep, ASIDE_MOST if aside or hint or beside else 0)
        x += max(0, min(free // 2, 14))
    top = max(0, (rows - len(picture)) // 2) if size == "S" else max(0, rows - len(picture))
    canvas.paste(x, top, picture)
    spots = [Spot(s.hand, s.place, s.x + x, s.y + top, s.wide, s.high) for s in spots]
    zone = Zone([], spots)
    left = x + wide + 3
    room = min(ASIDE_MOST + (size == "L") * 6, width - left - 1)
    if room >= min(ASIDE_LEAST, keep or ASIDE_LEAST):
        left = max(left, width - room - 1) if size != "S" else left
        zone.said = _aside(canvas, left, room, rows, aside, hint, beside, chance, look)
    zone.lines = canvas.lines()
    return zone


def _lifted(own: Row | None) -> list[Hand]:
    """One's own dice where they lie open for all."""
    cells = own.cells if own is not None else ()
    return [Hand("", c) for c in cells if isinstance(c, Dice) and c.values and not is_covered(c)]


def _aside(
    canvas: Canvas,
    x: int,
    room: int,
    rows: int,
    aside: Sequence[Block],
    hint: Hint | None,
    beside: Sequence[Block],
    chance: Chances | None,
    look: Look,
) -> bool:
    """What stands right of the hand; whether that is the hint."""
    if chance is not None:
        canvas.paste(x, 0, chances(chance, 2 if rows >= 5 else 1, room, look.theme))
        return False
    blocks = [*beside, *(b for b in aside if isinstance(b, Grid))]
    lines = [line for block in blocks for line in _below_its_label(block, room, look)]
    if len(lines) > rows:  # in two columns below what heads them
        half = len(lines) // 2
        lines = [lines[0], *side_by_side([lines[1 : half + 1], lines[half + 1 :]], 3)]
    if lines and len(lines) <= rows:
        canvas.paste(x, 0, [fit_line(line, room) for line in lines])
        return False
    told = hint(room) if hint is not None else ()
    if told and len(told) <= rows:
        canvas.paste(x, max(0, (rows - len(told)) // 2), told)
        return True
    words = [b for b in aside if isinstance(b, Text)]
    lines = [line for word in words for line in plain_words(word, room, look.theme)]
    canvas.paste(x, max(0, (rows - len(lines)) // 2), lines[:rows])
    return False


def _below_its_label(block: Block, width: int, look: Look) -> list[Line]:
    """A block with its label on a row of its own, so that its columns are no wider for it."""
    if isinstance(block, Grid) and block.label:
        label: Line = (("dim", fit(look.theme.text(block.label), width, look.theme.cut)),)
        return [label, *drawn_block(replace(block, label=""), width, look)]
    return list(drawn_block(block, width, look))


def _hands(
    hands: Sequence[Hand],
    width: int,
    rows: int,
    size: Size,
    look: Look,
    pointed: Pointed | None,
    keep: int,
) -> tuple[list[Line], list[Spot]]:
    """The hands side by side, as large as there is room for, if possible with `keep` columns left
    at their right."""
    lift = size != "S" and rows >= 5
    for room in (width - keep, width, width + LEFT):
        for smaller in SIZES[SIZES.index(size) :]:
            if smaller == "chip":
                break
            drawn = [
                _one_hand(n, hand, smaller, look, pointed, lift=lift, lone=len(hands) == 1)
                for n, hand in enumerate(hands)
            ]
            wide = sum(width_of(p) + 3 for p, _ in drawn) - 3
            high = max((len(p) for p, _ in drawn), default=0)
            if wide <= room and high <= rows:
                return _side_by_side(drawn)
            if keep and room < width and HEIGHT[smaller] <= 3:
                break  # rather without what helps than in the smallest cards
    return _in_chips(hands, width, rows, look, pointed)


def _side_by_side(
    drawn: Sequence[tuple[list[Line], list[Spot]]],
) -> tuple[list[Line], list[Spot]]:
    high = max((len(picture) for picture, _ in drawn), default=0)
    wide = sum(width_of(picture) + 3 for picture, _ in drawn)
    canvas = Canvas(wide, high)
    spots, x = [], 0
    for picture, some in drawn:
        canvas.paste(x, 0, picture)
        spots += [Spot(s.hand, s.place, s.x + x, s.y, s.wide, s.high) for s in some]
        x += width_of(picture) + 3
    return canvas.lines(), spots


def _one_hand(
    number: int,
    hand: Hand,
    size: Size,
    look: Look,
    pointed: Pointed | None,
    *,
    lift: bool,
    lone: bool,
) -> tuple[list[Line], list[Spot]]:
    """One hand, behind its label where there is another one beside it."""
    theme = look.theme
    held = hand.content
    label = "" if lone and held.values else theme.text(hand.label.removeprefix("Your "))
    if not held.values:
        return [(("bold", label), ("dim", "  none"))], []
    left = text_width(label) + 2 if label else 0
    if isinstance(held, Dice):
        die: DieSize = "S" if size == "S" else "M"
        picture = row_of_dice(held, die, theme, counted=not hand.label)
        spots: list[Spot] = []
        lift = False
    else:
        at = pointed.place if pointed is not None and pointed.hand == number else None
        taken = pointed.taken if pointed is not None and pointed.hand == number else ()
        if held.labels:
            return _others_cards(hand, size, look)
        picture, spans = hand_of_cards(held, size, theme, look.players, at=at, taken=taken,
                                       lift=lift)  # fmt: skip
        top = 1 if lift else 0
        spots = [
            Spot(number, place, left + a, top, b - a, HEIGHT[size] + 1)
            for place, (a, b) in enumerate(spans)
        ]
    if not label:
        return picture, spots
    canvas = Canvas(left + width_of(picture), len(picture))
    canvas.write(0, (len(picture) - 1) // 2, "dim", label)
    canvas.paste(left, 0, picture)
    return canvas.lines(), spots


def _others_cards(hand: Hand, size: Size, look: Look) -> tuple[list[Line], list[Spot]]:
    """Cards of others that one sees: each over the name of whose it is."""
    held = hand.content
    assert isinstance(held, Cards)
    notes = tuple(fit(look.theme.text(label), 8, look.theme.cut) for label in held.labels)
    return hand_of_cards(Cards(held.values, None, (), notes), size, look.theme, look.players)[0], []


def _in_chips(
    hands: Sequence[Hand], width: int, rows: int, look: Look, pointed: Pointed | None
) -> tuple[list[Line], list[Spot]]:
    """All hands as chips behind their labels, in the rows that there are; the card under the cursor
    and those taken have their labels in the row below."""
    theme = look.theme
    lines: list[Line] = []
    for hand in hands:
        label = theme.text(hand.label) + "  "
        held = hand.content
        if not held.values:
            lines.append((("bold", label), ("dim", "none")))
            continue
        label = label if text_width(label) + 12 <= width else ""
        room = max(4, width - text_width(label))
        if isinstance(held, Dice):
            drawn = row_of_dice(held, "small", theme)
        else:
            drawn = hand_in_rows(held, room, theme, look.players, counted=True)
        for place, line in enumerate(drawn):
            head = label if place == 0 else " " * text_width(label)
            lines.append(fit_line((("bold", head), *line), width))
    return lines[: max(1, rows)], []


def inline(view: View, width: int, rows: int, look: Look) -> list[Line]:
    """The zone in the fewest rows, for small windows: hands as chips."""
    hands, _ = _in_chips(own_hands(view), width, rows, look, None)
    return [line for line in hands if line_width(line)][:rows]
