"""The screen as a whole: status, banner, table, hand, log, moves, in a fixed order, in three sizes.

Rule 1: pure, as all drawing: a `Scene` and a size give a `Frame`, and the rows for the input line
and the footer are left free.
Rule 2: it is built from the bottom up with the same heights all game long, so that eyes and
magnifiers find things where they were.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import zip_longest
from typing import NamedTuple

from sobremesa.cli.words.speech import Players
from sobremesa.cli.words.story import Said
from sobremesa.core.pieces import Faces, Seat
from sobremesa.core.questions import Question
from sobremesa.core.views import Board, Gap, View

from .around import fits_round, overflowing, render_round
from .blocks import Look, blocks_of, drawn_block, render_table
from .canvas import Canvas
from .cards import Size
from .cells import Line, fit, fit_line, pad_line, text_width, wrap
from .hand import Hint, Pointed, Spot, Zone, inline, own_hands, render_zone
from .moves import ChipSpot, chip_spots, render_moves
from .talk import log_row, render_log, talk_row
from .theme import Theme

ROOMY = (100, 30)
"""From this size on players sit round the table, and what lies on it is of medium size."""
LARGE = (150, 45)
"""From this size on it is large, and the log stands beside the table again."""
LOG_WIDE, LOG_NARROW, LOG_MOST = 38, 23, 44
LOG_FROM = 72
"""Below this width there is no room for a log beside the table."""
SMALLEST = (40, 12)
BELOW = 2
"""Rows for the input line and the footer."""
MOVES = 2
"""Rows for the moves, and what is to be said of them."""
HAND = {"S": 4, "M": 5, "L": 8}
"""Rows of one's own zone; small windows of less than `TALL` rows have fewer."""
TALL = 24


@dataclass(frozen=True, slots=True)
class Facts:
    """What the status line tells; `turn` is "your turn", "Bento's turn", or a stage; `ours` says
    that it is we who are asked."""

    game: str = ""
    table: str = ""
    phase: str = ""
    verified: bool | None = None
    seats: int = 0
    turn: str = ""
    seconds: int | None = None
    ours: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that a screen at a table shows.

    Where there is no view, `middle` gives what stands in its place, for a width. `prompt` stands
    where the moves would if nothing is asked. `react_in` are the seconds left of a window, where
    one key press is an answer. `back` is how many entries the log is turned back, and `only_log`
    shows it alone where there is no room for both; `listed` keeps it beside the table at any size.
    `banner` says what is wrong in ever fewer words; the first that fit are shown. `hint` is said of
    what is pointed at, which are a card (`pointed`) and a move (`at`), typed so (`way`). `lit` are
    the seats that have just said or done something; `ahead` is what a meter would show.
    """

    facts: Facts
    players: Players
    view: View | None = None
    middle: Callable[[int], Sequence[Line]] | None = None
    question: Question | None = None
    faces: Faces = field(default_factory=dict)
    react_in: int | None = None
    prompt: Line = ()
    banner: Sequence[str] = ()
    log: Sequence[Said] = ()
    back: int = 0
    only_log: bool = False
    listed: bool = False
    hint: str = ""
    pointed: Pointed | None = None
    at: str = ""
    way: str = ""
    lit: frozenset[Seat] = frozenset()
    ahead: int | None = None


class Frame(NamedTuple):
    """The rows above input line and footer, how far back the log really is, and where the cards of
    one's own are."""

    lines: list[Line]
    back: int
    spots: Sequence[Spot] = ()
    chips: Sequence[ChipSpot] = ()


def size_of(width: int, height: int) -> Size:
    """How large everything on a table is drawn in such a window."""
    if width >= LARGE[0] and height >= LARGE[1]:
        return "L"
    return "M" if width >= ROOMY[0] and height >= ROOMY[1] else "S"


def compose(scene: Scene, width: int, height: int, theme: Theme) -> Frame:
    """The rows above input line and footer; `height` is that of the whole screen."""
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return Frame(too_small(width, height, theme), 0)
    if scene.view is None or scene.listed:
        return _compose_pages(scene, width, height, theme)
    return _compose_table(scene, scene.view, width, height, theme)


# A table.


def _compose_table(scene: Scene, view: View, width: int, height: int, theme: Theme) -> Frame:
    size = size_of(width, height)
    look = Look(theme, scene.players, size, scene.lit, scene.ahead)
    hint = partial(_hint_lines, scene, theme=theme) if scene.hint else None
    zone = _zone(scene, view, width, height, size, look, hint)
    moves = _moves(scene, width, height, theme, zone)
    rows_below = len(moves) + len(zone.lines) + 1
    talk: list[Line] = []
    rule: Line = (("rule", theme.text("─" * width)),)
    if size == "M":
        talk = [rule, log_row(scene.log, width, theme), talk_row(scene.log, width, theme)]
    if size == "L":
        talk = [rule]
    rows = height - BELOW - 1 - rows_below - len(talk)
    body, back = _table_rows(scene, view, width, height, rows, size, look)
    if scene.banner:
        body = [render_banner(scene.banner, width, theme), *body[1:]]
    above = len(body) + 2
    spots = [Spot(s.hand, s.place, s.x, s.y + above, s.wide, s.high) for s in zone.spots]
    lines = [render_status(scene.facts, width, theme), *body, rule, *zone.lines, *talk, *moves]
    chips: list[ChipSpot] = []
    if scene.question is not None and not scene.prompt:
        chips = [
            chip._replace(y=chip.y + len(lines) - len(moves))
            for chip in chip_spots(
                scene.question, width, theme, scene.faces, scene.react_in, scene.at, scene.way
            )
        ]
    return Frame([fit_line(line, width, theme.more) for line in lines], back, spots, chips)


def _zone(
    scene: Scene,
    view: View,
    width: int,
    height: int,
    size: Size,
    look: Look,
    hint: Hint | None,
) -> Zone:
    rows = HAND[size]
    beside = overflowing(view, look) if size == "M" else []
    if size == "S" and height < TALL:
        rows = 3 if height >= 20 and width >= 56 else 2 if height >= 16 else 1
        if rows < 3 and own_hands(view):
            lines = inline(view, width, max(rows, len(own_hands(view))), look)
            return Zone(lines + [()] * (rows - len(lines)))
    return render_zone(
        view, width, rows, size, look, pointed=scene.pointed, hint=hint, beside=beside
    )


def _hint_lines(scene: Scene, width: int, theme: Theme) -> list[Line]:
    """What is asked, or said of what is pointed at: there its first sentence decides, the others
    help."""
    if not scene.at:
        return [(("", line),) for line in wrap(theme.text(scene.hint), width)] if scene.hint else []
    first, dot, rest = theme.text(scene.hint).partition(". ")
    lines: list[Line] = [(("good", line),) for line in wrap(first + dot.strip(), width)]
    if rest and len(lines) == 1 and text_width(f"{first}. {rest}") <= width:
        return [(*lines[0], ("", f" {rest}"))]
    return [*lines, *((("", line),) for line in wrap(rest, width) if rest)]


def _moves(scene: Scene, width: int, height: int, theme: Theme, zone: Zone) -> list[Line]:
    """The moves and what is said of them, in the same rows whatever is asked."""
    rows = MOVES if height >= TALL else 1
    moves: list[Line] = []
    if scene.prompt:
        moves = [fit_line(scene.prompt, width, theme.more)]
    elif scene.question is not None:
        moves = render_moves(
            scene.question, width, theme, scene.faces, scene.react_in, scene.at, scene.way
        )
        rows = max(rows, len(moves))
    if scene.hint and not zone.said and len(moves) < rows:
        lines = _hint_lines(scene, width - 2, theme)
        moves += [(("", " "), *line) for line in lines[: rows - len(moves)]]
    return moves + [()] * (rows - len(moves))


def _table_rows(
    scene: Scene, view: View, width: int, height: int, rows: int, size: Size, look: Look
) -> tuple[list[Line], int]:
    """The table, and the log where it stands beside it, in exactly so many rows."""
    theme = look.theme
    beside = log_width(width, height)
    if size == "M":
        beside = 0
    left = width - beside - 1 if beside else width
    back = scene.back
    if scene.only_log and not beside:
        body, back = render_log(scene.log, width, rows, theme, scene.back)
    elif size != "S" and fits_round(view, scene.players):
        body = render_round(view, left, rows, size, look)
    else:
        body = _listed(view, left, rows, size, look, pane=bool(beside))
    body = [fit_line(line, left, theme.more) for line in body[:rows]]
    body += [()] * (rows - len(body))
    if beside:
        pane, back = _pane(scene, view, beside, rows, look)
        body = side_by_side(body, pane, left, theme.text("│"))
    return body, back


def _listed(view: View, width: int, rows: int, size: Size, look: Look, *, pane: bool) -> list[Line]:
    """The table with a line for each player, in the middle of the room there is."""
    beside = () if pane else tuple(b for b in view.blocks if b.area == "side")
    view = View(view.phase, tuple(b for b in view.blocks if b.area != "side"))
    wide = min(width, 56 + max(0, (width - 56) // 3))
    if any(isinstance(block, Board) for block in view.blocks):
        wide = width if width < 100 else min(width, 104)
    first = 1 if rows >= 14 and not any(isinstance(b, Board) for b in view.blocks) else 0
    lines = render_table(view, wide, rows - first, look)
    if first and len(lines) == rows - first:  # rather all of it than a blank row
        first, lines = 0, render_table(view, wide, rows, look)
    more = [line for block in beside for line in drawn_block(block, wide, look)]
    if len(lines) + len(more) <= rows - first:
        lines += more
    canvas = Canvas(width, rows)
    top = first if rows < 18 else max(first, (rows - len(lines)) // 3)
    canvas.paste((width - wide) // 2, top, lines)
    return canvas.lines()


def _pane(scene: Scene, view: View, width: int, rows: int, look: Look) -> tuple[list[Line], int]:
    """What belongs to the table and stands beside it, then log and chat."""
    facts: list[Line] = []
    for block in blocks_of(view, "side"):
        if not isinstance(block, Gap):
            facts += drawn_block(block, width - 2, look)
    facts = [fit_line(line, width - 2, look.theme.more) for line in facts[: rows // 2]]
    lines: list[Line] = [(("", " "), *line) for line in facts]
    lines += [()] if lines else []
    log, back = render_log(scene.log, width, rows - len(lines), look.theme, scene.back)
    return [*lines, *log], back


# Rooms, results, records: what stands in the place of a table.


def _compose_pages(scene: Scene, width: int, height: int, theme: Theme) -> Frame:
    top = [render_status(scene.facts, width, theme)]
    if scene.banner:
        top.append(render_banner(scene.banner, width, theme))
    moves = [fit_line(scene.prompt, width, theme.more)] if scene.prompt else []
    look = Look(theme, scene.players)
    hands = (
        [
            line
            for block in blocks_of(scene.view, "hand")
            if not isinstance(block, Gap)
            for line in drawn_block(block, width, look)
        ]
        if scene.view is not None
        else []
    )
    rows = height - BELOW - len(top) - 1 - len(moves)
    hands = [fit_line(line, width, theme.more) for line in hands[: max(1, min(8, rows - 8))]]
    rows -= len(hands)
    beside = log_width(width, height)
    left = width - beside - 1 if beside else width
    log, back = render_log(scene.log, beside or width, rows, theme, scene.back)
    if scene.only_log and not beside:
        body = log
    elif scene.view is not None:
        body = render_table(scene.view, left, rows, look)
    else:
        body = list(scene.middle(left)) if scene.middle is not None else []
    body = [fit_line(line, left, theme.more) for line in body[:rows]]
    body += [()] * (rows - len(body))
    if beside:
        body = side_by_side(body, log, left, theme.text("│"))
    rule: Line = (("rule", theme.text("─" * width)),)
    return Frame([*top, *body, rule, *hands, *moves], back)


def log_width(width: int, height: int) -> int:
    """How wide what stands beside the table is; 0 where it has no room."""
    if width < LOG_FROM:
        return 0
    if size_of(width, height) != "S":
        return LOG_WIDE
    return min(LOG_MOST, LOG_NARROW + max(0, (width - 80) // 3))


def too_small(width: int, height: int, theme: Theme) -> list[Line]:
    """What a window shows that is too small to play in."""
    least = "x".join(map(str, SMALLEST))
    text = f"Window too small ({width}x{height}, needs {least}). The game goes on."
    lines = wrap(theme.text(text), max(1, width))
    return [(("", line),) for line in lines[: max(0, height - BELOW)]]


def clock(seconds: int) -> str:
    """Seconds as a clock shows them: `0:37`."""
    return f"{seconds // 60}:{seconds % 60:02}"


def render_status(facts: Facts, width: int, theme: Theme) -> Line:
    """The status line: where we are on the left, how it stands on the right, what is asked of us in
    a box.

    Where it is narrow the table's name goes, then the game's, then the seats, then the check.
    """
    check = {True: "✓ verified", False: "! not verified", None: ""}[facts.verified]
    time = "" if facts.seconds is None else f" {clock(facts.seconds)}"
    seats = f"{facts.seats} seats" if facts.seats else ""
    turn = f" {theme.text(facts.turn + time)} " if facts.turn else ""
    shorter = [
        (facts.game, [facts.table, facts.phase], [check, seats]),
        (facts.game, [facts.phase], [check, seats]),
        (facts.game, [facts.phase], [check]),
        ("", [facts.phase or facts.game], [check]),
        ("", [facts.phase or facts.game], ["" if facts.verified else check]),
    ]
    for game, lefts, rights in shorter:
        head = theme.text(game)
        left = theme.text("  ".join(filter(None, lefts)))
        left = f"  {left}" if head and left else left
        right = theme.text("   ".join(filter(None, rights))) + ("  " if rights else "")
        if 2 + text_width(head + left) + text_width(right) + text_width(turn) <= width:
            break
    turn = fit(turn, width, theme.more)
    room = max(0, width - text_width(turn) - text_width(right))
    line: Line = (("status.bold", f" {head}"), ("status", left))
    line = pad_line(fit_line(line, max(0, room - 1), theme.more), room, "status")
    role = "clock" if facts.ours else "status.bold"
    return fit_line((*line, ("status", right), (role, turn)), width)


def render_banner(forms: Sequence[str], width: int, theme: Theme) -> Line:
    """What is wrong, in the most words that fit."""
    texts = [" " + theme.text(f"! {form}") for form in forms]
    text = next((text for text in texts if text_width(text) <= width), texts[-1])
    return pad_line((("banner", text),), width, "banner", theme.more)


def side_by_side(
    left: Sequence[Line], right: Sequence[Line], left_width: int, between: str
) -> list[Line]:
    """Two panes as one, with a sign between them in each row."""
    rows = zip_longest(left, right, fillvalue=())
    return [(*pad_line(a, left_width), ("rule", between), *b) for a, b in rows]
