"""Home as lines: what there is to choose, in groups, and what is pointed at.

Rule 1: what is pointed at is always in sight, whatever the size; blank rows, then heads, go first.
Rule 2: from `layout.ROOMY` on tables and games stand beside each other, with a row more for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from sobremesa.cli.words.home import Group, Item

from .cells import Line, clauses, cut, fit, fit_line, line_width, pad_line, text_width, wrap
from .layout import ROOMY
from .theme import Theme

MARK = (
    "▄▀▀▀ ▄▀▀▄ █▀▀▄ █▀▀▄ █▀▀▀ █▄ ▄█ █▀▀▀ ▄▀▀▀ ▄▀▀▄",
    " ▀▀▄ █  █ █▀▀▄ █▀▀▄ █▀▀  █ ▀ █ █▀▀   ▀▀▄ █▀▀█",
    "▀▀▀   ▀▀  ▀▀▀  ▀  ▀ ▀▀▀▀ ▀   ▀ ▀▀▀▀ ▀▀▀  ▀  ▀",
)
MOTTO = "Cards and dice with the people on your network"
KEY = 3
"""Columns of what is typed for an item, with a blank after it."""


@dataclass(frozen=True, slots=True)
class HomePage:
    """All that is on the page. `at` is the id of the item that is pointed at, "" for none;
    `nothing` stands where there are no tables, `warnings` on top, `latest` at the end."""

    items: Sequence[Item]
    at: str = ""
    nothing: str = ""
    warnings: Sequence[str] = ()
    latest: str = ""

    def group(self, group: Group) -> list[Item]:
        """The items of a group."""
        return [item for item in self.items if item.group == group]


Row = tuple[str, Line]
"""A row, and the id of the item that it is of, or "" where it may be left out."""


def render_home(page: HomePage, width: int, height: int, rows: int, theme: Theme) -> list[Line]:
    """The page in exactly so many rows, of a screen of this size."""
    roomy = width >= ROOMY[0] and height >= ROOMY[1]
    found = _wide(page, width, theme) if roomy else _narrow(page, width, theme)
    spare = len(found) - rows
    while spare > 0 and ("", ()) in found:
        found.remove(("", ()))
        spare -= 1
    if spare > 0:
        found = _in_sight(found, page.at, rows, width, theme)
    lines = [fit_line(line, width, theme.more) for _, line in found]
    return lines + [()] * (rows - len(lines))


def _in_sight(found: list[Row], at: str, rows: int, width: int, theme: Theme) -> list[Row]:
    """So many of the rows, with the one that is pointed at among them."""
    here = next((place for place, (id, _) in enumerate(found) if at and at in id.split("|")), 0)
    first = max(0, min(here - rows // 2, len(found) - rows))
    shown = found[first : first + rows]
    for place, count, sign in ((0, first, "↑"), (-1, len(found) - rows - first, "↓")):
        if count:
            note = theme.text(f"{sign} {count} more")
            id, line = shown[place]
            line = fit_line(line, width - text_width(note) - 1, theme.more)
            shown[place] = (id, (*pad_line(line, width - text_width(note)), ("dim", note)))
    return shown


def _narrow(page: HomePage, width: int, theme: Theme) -> list[Row]:
    """One below the other."""
    tables, games = page.group("table"), page.group("game")
    rows = [*_warnings(page, width, theme), *_seats(page, width, theme), ("", ())]
    rows.append(("", _head("Tables here", "", theme)))
    name = max((text_width(item.name) for item in (*tables, *games)), default=0)
    name = min(name, width // 3)
    rows += [_table(item, page, width, name, theme) for item in tables]
    rows += [] if tables else _paragraph("dim", page.nothing, width, theme)
    rows += [("", ()), ("", _head("Play now", "against bots, as last time", theme))]
    rows += [_game(item, page, width, name, theme) for item in games]
    rows += [("", ()), *_menu(page, width, theme), ("", ())]
    return rows + _paragraph("dim", page.latest, width, theme)


def _wide(page: HomePage, width: int, theme: Theme) -> list[Row]:
    """Tables beside games."""
    right_width = width * 58 // 100
    left_width = width - right_width - 4
    rows: list[Row] = [("", ())]
    rows += [("", (("bold", "  " + theme.text(line)),)) for line in _mark(theme)]
    rows += [("", ()), ("", (("dim", "  " + MOTTO),)), ("", ())]
    rows += [*_warnings(page, width, theme), *_seats(page, width, theme), ("", ())]
    left: list[Row] = [("", _head("Tables here", "", theme)), ("", _rule(left_width, theme))]
    for item in page.group("table"):
        left += _wide_table(item, page, left_width, theme)
    left += [] if page.group("table") else _paragraph("dim", page.nothing, left_width, theme)
    right: list[Row] = [
        ("", _head("Play now", "against bots, as last time", theme)),
        ("", _rule(right_width, theme)),
    ]
    games = page.group("game")
    name = min(max((text_width(item.name) for item in games), default=0), right_width // 2)
    for item in games:
        right += _wide_game(item, page, right_width, name, theme)
    for one, two in zip_longest(left, right, fillvalue=("", ())):
        line = (*pad_line(one[1], left_width + 4, more=theme.more), *two[1])
        rows.append(("|".join(filter(None, (one[0], two[0]))), line))
    rows += [("", ()), ("", _rule(width - 4, theme)), *_paragraph("dim", page.latest, width, theme)]
    return [*rows, ("", ()), *_menu(page, width, theme)]


def _mark(theme: Theme) -> Sequence[str]:
    return ("S O B R E M E S A",) if theme.ascii else MARK


def _head(title: str, note: str, theme: Theme) -> Line:
    return (("bold", f"  {title}"), ("dim", f"  {theme.text(note)}"))


def _rule(width: int, theme: Theme) -> Line:
    return (("", "  "), ("rule", theme.text("─" * (width - 2))))


def _paragraph(role: str, text: str, width: int, theme: Theme) -> list[Row]:
    lines = wrap(theme.text(text), width - 3) if text else []
    return [("", ((role, f"  {line}"),)) for line in lines]


def _warnings(page: HomePage, width: int, theme: Theme) -> list[Row]:
    rows = [_paragraph("warn", text, width, theme) for text in page.warnings]
    return [row for paragraph in rows for row in paragraph]


def _seats(page: HomePage, width: int, theme: Theme) -> list[Row]:
    """The seats that wait for us, the last one first."""
    rows: list[Row] = []
    for item in page.group("seat"):
        here = item.id == page.at
        role = "selected" if here else "dim" if item.off else "turn"
        mark = theme.text("►" if here else " ")
        text = f"You have a seat at {item.name}." + (" Enter = back to it" if here else "")
        for number, line in enumerate(wrap(theme.text(text), width - 3)):
            rows.append((item.id, pad_line(((role, f"{' ' if number else mark} {line}"),), width)))
    return rows


def _key(item: Item, here: bool, theme: Theme) -> Line:
    mark = theme.text("►") if here else " "
    return (("turn", mark), ("key", f"{item.key:>{KEY - 2}} "))


def _label(item: Item, page: HomePage, name: int, theme: Theme) -> Line:
    """What is typed for an item, and its name in so many columns."""
    here = item.id == page.at
    shown = fit(theme.text(item.name), name, theme.cut)
    return (*_key(item, here, theme), *pad_line(((_role(item, here), shown),), name + 2))


def _table(item: Item, page: HomePage, width: int, name: int, theme: Theme) -> Row:
    rest = width - KEY - name - 2
    side = theme.text(item.side)
    more = clauses(theme.text(f"{item.about}, {item.more}"), rest - text_width(side) - 2)
    role = "dim" if item.off else "good"
    return item.id, (*_label(item, page, name, theme), (role, side), ("dim", f"  {more}"))


def _game(item: Item, page: HomePage, width: int, name: int, theme: Theme) -> Row:
    text = item.more if item.id == page.at else item.about
    text = clauses(theme.text(text), width - KEY - name - 2)
    return item.id, (*_label(item, page, name, theme), ("dim", text))


def _wide_table(item: Item, page: HomePage, width: int, theme: Theme) -> list[Row]:
    side = theme.text(item.side)
    about = clauses(theme.text(f"{item.about}, {item.more}"), width - KEY)
    if item.off:  # why it cannot be joined may be long
        label = _label(item, page, width - KEY - 2, theme)
        second = fit(side, width - KEY, theme.more)
        return [(item.id, label), (item.id, (("dim", " " * KEY + second),))]
    label = _label(item, page, max(8, width - text_width(side) - KEY - 2), theme)
    return [(item.id, (*label, ("good", side))), (item.id, (("dim", " " * KEY + about),))]


def _wide_game(item: Item, page: HomePage, width: int, name: int, theme: Theme) -> list[Row]:
    text = item.more if item.id == page.at else item.about
    first, *rest = wrap(theme.text(text), width - KEY - name - 2)
    second = (("dim", " " * (KEY + name + 2) + " ".join(rest)),)
    return [(item.id, (*_label(item, page, name, theme), ("", first))), (item.id, second)]


def _role(item: Item, here: bool) -> str:
    return "selected" if here else "dim" if item.off else "bold"


def _menu(page: HomePage, width: int, theme: Theme) -> list[Row]:
    """Words beside each other, in as many rows as they take."""
    rows: list[Row] = []
    for item in page.group("menu"):
        here = item.id == page.at
        name = cut(theme.text(item.name), width - KEY - 2)
        mark = theme.text("►") if here else " "
        span: Line = (("turn", mark), ("key", f"{item.key} "), (_role(item, here), name))
        span = span if here else (*span[:2], ("", name))
        gap: Line = (("", "  "),)
        if rows and line_width((*rows[-1][1], *gap, *span)) <= width:
            ids, line = rows.pop()
            rows.append((f"{ids}|{item.id}", (*line, *gap, *span)))
        else:
            rows.append((item.id, span))
    return rows
