"""The screen as a whole: status, banner, table, log, hand, moves, in a fixed order.

Rule 1: pure, as `render`: a `Scene` and a size give lines, and the rows for the input line and the
footer are left free.
Rule 2: the order never changes, so that eyes and magnifiers find things where they were.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from sobremesa.cli.words import grammar
from sobremesa.cli.words.pages import Part, parts
from sobremesa.cli.words.speech import Players
from sobremesa.cli.words.story import Said
from sobremesa.core.pieces import Faces
from sobremesa.core.questions import NO_FACES, Move, Question
from sobremesa.core.views import View

from .blocks import render_hand, render_table
from .cells import Line, fit, fit_line, line_width, pad_line, text_width, wrap
from .theme import Theme

ROOMY = (100, 30)
"""From this size on dice and cards are boxed and the log is wide."""
LOG_WIDE, LOG_NARROW = 38, 23
LOG_FROM = 72
"""Below this width there is no room for a log beside the table."""
SMALLEST = (40, 12)
BELOW = 2
"""Rows for the input line and the footer."""
HAND_MOST = 8
TABLE_LEAST = 8
"""Rows that the table keeps when the hand would like more."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the status line tells; `turn` is "your turn", "Bento's turn", or a stage."""

    game: str = ""
    table: str = ""
    phase: str = ""
    verified: bool | None = None
    seats: int = 0
    turn: str = ""
    seconds: int | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that a screen at a table shows.

    Where there is no view, `middle` gives what stands in its place, for a width. `prompt` stands
    where the moves would if nothing is asked. `react_in` are the seconds left of a window, where
    one key press is an answer. `back` is how many entries the log is turned back, and `only_log`
    shows it alone where there is no room for both. `banner` says what is wrong in ever fewer words;
    the first that fit are shown.
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


def compose(scene: Scene, width: int, height: int, theme: Theme) -> tuple[list[Line], int]:
    """The rows above input line and footer, and how far back the log really is.

    `height` is that of the whole screen.
    """
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return too_small(width, height, theme), 0
    top = [render_status(scene.facts, width, theme)]
    if scene.banner:
        top.append(render_banner(scene.banner, width, theme))
    moves: list[Line] = []
    if scene.question is not None:
        moves = render_moves(scene.question, width, theme, scene.faces, scene.react_in)
    if scene.prompt:
        moves = [fit_line(scene.prompt, width, theme.more)]
    room = height - BELOW - len(top) - 1 - len(moves)
    hand: list[Line] = []
    if scene.view is not None:
        most = max(1, min(HAND_MOST, room - TABLE_LEAST))
        roomy = _is_roomy(width, height)
        hand = render_hand(scene.view, width, most, theme, scene.players, boxed=roomy)
    body, back = _body(scene, width, height, room - len(hand), theme)
    rule: Line = (("rule", theme.text("─" * width)),)
    return [*top, *body, rule, *hand, *moves], back


def _body(scene: Scene, width: int, height: int, rows: int, theme: Theme) -> tuple[list[Line], int]:
    """Table and log, beside each other or one of them, in exactly so many rows."""
    beside = log_width(width, height)
    left = width - beside - 1 if beside else width
    log, back = render_log(scene.log, beside or width, rows, theme, scene.back)
    if scene.only_log and not beside:
        body = log
    else:
        body = list(scene.middle(left)) if scene.middle is not None else []
        if scene.view is not None:
            body = render_table(scene.view, left, rows, theme, scene.players)
    body = [fit_line(line, left, theme.more) for line in body[:rows]]
    body += [()] * (rows - len(body))
    if beside:
        body = _side_by_side(body, log, left, theme.text("│"))
    return body, back


def _is_roomy(width: int, height: int) -> bool:
    return width >= ROOMY[0] and height >= ROOMY[1]


def log_width(width: int, height: int) -> int:
    """How wide the log beside the table is; 0 where it has no room."""
    if width < LOG_FROM:
        return 0
    return LOG_WIDE if _is_roomy(width, height) else LOG_NARROW


def too_small(width: int, height: int, theme: Theme) -> list[Line]:
    """What a window shows that is too small to play in."""
    least = "x".join(map(str, SMALLEST))
    text = f"Window too small ({width}x{height}, needs {least}). The game goes on."
    lines = wrap(theme.text(text), max(1, width))
    return [(("", line),) for line in lines[: max(0, height - BELOW)]]


def render_status(facts: Facts, width: int, theme: Theme) -> Line:
    """The status line: where we are on the left, how it stands on the right.

    Where it is narrow the table's name goes, then the game's, then the seats, then the check.
    """
    check = {True: "✓ verified", False: "! not verified", None: ""}[facts.verified]
    time = "" if facts.seconds is None else f" {facts.seconds}s"
    seats = f"{facts.seats} seats" if facts.seats else ""
    turn = facts.turn + time if facts.turn else ""
    shorter = [
        ([facts.game, facts.table, facts.phase], [check, seats, turn]),
        ([facts.game, facts.phase], [check, seats, turn]),
        ([facts.phase or facts.game], [check, seats, turn]),
        ([facts.phase or facts.game], [check, turn]),
        ([facts.phase or facts.game], ["" if facts.verified else check, turn]),
    ]
    for lefts, rights in shorter:
        left = " " + theme.text(" · ".join(filter(None, lefts)))
        right = theme.text("  ".join(filter(None, rights))) + " "
        if text_width(left) + 2 + text_width(right) <= width:
            break
    right = fit(right, width, theme.more)
    room = max(0, width - text_width(right))
    low = facts.seconds is not None and facts.seconds <= 10
    role = "status timer.low" if low else "status"
    return (
        *pad_line((("status", fit(left, max(0, room - 1), theme.more)),), room, "status"),
        (role, right),
    )


def render_banner(forms: Sequence[str], width: int, theme: Theme) -> Line:
    """What is wrong, in the most words that fit."""
    texts = [" " + theme.text(f"! {form}") for form in forms]
    text = next((text for text in texts if text_width(text) <= width), texts[-1])
    return pad_line((("banner", text),), width, "banner", theme.more)


def render_moves(
    question: Question,
    width: int,
    theme: Theme,
    faces: Faces = NO_FACES,
    react_in: int | None = None,
) -> list[Line]:
    """The moves in at most two rows: key, label, an example, and what is not possible now. In a
    window, with the keys that answer at one press and the seconds that are left."""
    quick = react_in is not None
    moves = question.moves(faces)
    every = [_move(move, theme, faces, quick=quick, why=True) for move in moves]
    named = [_move(move, theme, faces, quick=quick, why=False) for move in moves]
    bare = [_move(move, theme, faces, quick=quick, why=False, example=False) for move in moves]
    time: Line = (("timer.low", f"{react_in} s left"),) if quick else ()
    for items in (every, named, bare):
        shown = [*items, time] if time else items
        ways = [_rows(shown, name, width) for name in ((("bold", "Moves "),), ())]
        fitting = [rows for rows in ways if all(line_width(row) <= width for row in rows)]
        if fitting:
            return min(fitting, key=len)
    return [fit_line(row, width, theme.more) for row in ways[-1]]


def _move(
    move: Move, theme: Theme, faces: Faces, *, quick: bool, why: bool, example: bool = True
) -> Line:
    """One move; what is not possible now stands between bars, with the reason if `why`."""
    key = move.quick if quick and move.quick else move.hotkey
    key = "Space" if key == " " else key
    if move.disabled is not None:
        reason = f" ({move.disabled})" if why else ""
        return (("dim", theme.text(f"-{key}- {move.label}{reason}")),)
    shown = grammar.example(move, faces) if example else ""
    hint = f" <{shown}>" if shown else ""
    return (("key", f"[{key}]"), ("", theme.text(f" {move.label}")), ("hint", theme.text(hint)))


def _rows(items: Sequence[Line], name: Line, width: int) -> list[Line]:
    """Items in one row or, where that is too narrow, two; the first begins with the name."""
    rows = [name]
    for item in items:
        gap: Line = () if rows[-1] in (name, ()) else (("", "  "),)
        if line_width((*rows[-1], *gap, *item)) > width and rows[-1] != name and len(rows) < 2:
            rows.append((("", " " * line_width(name)), *item))
        else:
            rows[-1] = (*rows[-1], *gap, *item)
    return rows


def render_log(
    entries: Sequence[Said], width: int, height: int, theme: Theme, back: int = 0
) -> tuple[list[Line], int]:
    """The log in `height` lines without its last `back` entries, and how many were left out: no
    more than leave a full pane. Only what can be seen is wrapped."""
    if height <= 0 or width <= 1:
        return [], 0
    end = max(0, len(entries) - back)
    lines: list[Line] = []
    for entry in reversed(entries[:end] if back else entries):
        lines[:0] = _log_lines(entry, width, theme)
        if len(lines) >= height:
            return lines[-height:], len(entries) - end
    for entry in entries[end:]:
        lines += _log_lines(entry, width, theme)
        end += 1
        if len(lines) >= height:
            break
    return lines[-height:], len(entries) - end


def _log_lines(entry: Said, width: int, theme: Theme) -> list[Line]:
    return [((entry.role, " " + line),) for line in wrap(theme.text(entry.text), width - 1, 2)]


def render_page(markdown: str, width: int, theme: Theme) -> list[Line]:
    """A help page, wrapped."""
    return render_parts(parts(markdown), width, theme)


def render_parts(page: Iterable[Part], width: int, theme: Theme) -> list[Line]:
    """A page of titles, paragraphs and items, wrapped."""
    lines: list[Line] = []
    was = ""
    for part in page:
        if lines and not (part.kind == was == "item"):
            lines.append(())
        was = part.kind
        text = theme.text(part.text)
        if part.kind == "title":
            lines.extend((("bold", line),) for line in wrap(text, width))
        elif part.kind == "item":
            indent = 2 * part.level
            wrapped = wrap("- " + text, max(1, width - indent + 2), 2)
            lines.extend((("", " " * (indent - 2) + line),) for line in wrapped)
        else:
            lines.extend((("", line),) for line in wrap(text, width))
    return [fit_line(line, width, theme.more) for line in lines]


def render_strip(candidates: Sequence[str], chosen: int, width: int, theme: Theme) -> Line:
    """Completions in one line, the chosen one marked and always in sight."""
    texts = [theme.text(candidate) for candidate in candidates]
    first = 0
    while first < chosen and sum(text_width(t) + 2 for t in texts[first : chosen + 1]) > width - 2:
        first += 1
    spans: list[tuple[str, str]] = [("dim", theme.cut if first else " ")]
    for place, text in enumerate(texts[first:], first):
        spans.append(("selected", f">{text}<") if place == chosen else ("", f" {text} "))
    return fit_line(spans, width, theme.more)


def _side_by_side(
    left: Sequence[Line], right: Sequence[Line], left_width: int, between: str
) -> list[Line]:
    """Two panes as one, with a sign between them in each row."""
    rows = zip_longest(left, right, fillvalue=())
    return [(*pad_line(a, left_width), ("rule", between), *b) for a, b in rows]
