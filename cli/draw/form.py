"""A form as lines: a field a row with its value and what it is for, then all of what the field
pointed at is for, and what the form says of itself.

Rule 1: the field that is pointed at is always in sight; heads go first where rows are short.
"""

from __future__ import annotations

from sobremesa.cli.words.form import Field, Form

from .cells import Line, clauses, fit, fit_line, line_width, pad_line, text_width, wrap
from .theme import Theme

LABEL, VALUE, ABOUT = 3, 18, 36
"""Columns of what stands in a row."""
ABOUT_FROM = 64
"""Below this width a row has no room for what its field is for."""
SIDE_BY_SIDE = 16
"""Columns that values may take beside each other."""


def render_form(form: Form, at: str, width: int, rows: int, theme: Theme) -> list[Line]:
    """The form in exactly so many rows."""
    below = _below(form, at, width, theme)
    while len(below) > max(2, rows - 6):
        below.pop()
    above = _fields(form, at, width, rows - len(below), theme)
    blank: list[Line] = [()] * (rows - len(above) - len(below))
    return [fit_line(line, width, theme.more) for line in (*above, *blank, *below)]


def _below(form: Form, at: str, width: int, theme: Theme) -> list[Line]:
    lines: list[Line] = [(("rule", theme.text("─" * width)),)]
    help = wrap(theme.text(f"{at}: {form.fields[at].about}"), width - 2)
    lines += [(("", f" {line}"),) for line in help]
    for label, text in form.notes(form):
        indent = " " * (len(label) + 3)
        wrapped = wrap(theme.text(text), max(10, width - len(indent)))
        first, *rest = wrapped
        lines.append((("dim", f" {label}  "), ("", first)))
        lines += [(("", indent + line),) for line in rest]
    return lines


def _fields(form: Form, at: str, width: int, rows: int, theme: Theme) -> list[Line]:
    fields = list(form.fields.values())
    lines: list[tuple[str, Line]] = []
    for roomy in (True, False):
        lines, head = [], ""
        for one in fields:
            if roomy and one.head != head:
                lines += [("", ())] * bool(lines) + [("", (("bold", f"  {theme.text(one.head)}"),))]
                head = one.head
            lines.append((one.name, _field(one, one.name == at, width, theme)))
        if len(lines) <= rows:
            return [line for _, line in lines]
    here = [name for name, _ in lines].index(at)
    first = max(0, min(here - rows // 2, len(lines) - rows))
    shown = [line for _, line in lines[first : first + rows]]
    return _with_signs(shown, first, len(lines) - rows - first, width, theme)


def _with_signs(shown: list[Line], above: int, below: int, width: int, theme: Theme) -> list[Line]:
    """The rows in sight, with how many are out of it at their ends."""
    for place, count, sign in ((0, above, "↑"), (-1, below, "↓")):
        if count and shown:
            note = theme.text(f"{sign} {count} more")
            line = fit_line(shown[place], width - text_width(note) - 1)
            shown[place] = (*pad_line(line, width - text_width(note)), ("dim", note))
    return shown


def _field(one: Field, here: bool, width: int, theme: Theme) -> Line:
    mark = theme.text("►" if here else " ")
    name = fit(theme.text(one.name), VALUE - LABEL - 1, theme.cut)
    line: Line = pad_line(((("turn" if here else ""), f" {mark} {name}"),), VALUE)
    about = ABOUT if width >= ABOUT_FROM else width
    values = _values(one, here, about - VALUE - 1, theme)
    if width < ABOUT_FROM:
        return (*line, *values)
    short = one.about.partition(";")[0].partition(". ")[0]
    text = clauses(theme.text(short), width - ABOUT - 1)
    return (*pad_line((*line, *values), ABOUT), ("" if here else "dim", text))


def _values(one: Field, here: bool, width: int, theme: Theme) -> Line:
    """Few values side by side, the chosen one marked; else the chosen one alone."""
    steps = [theme.text(step) for step in one.steps]
    value = theme.text(one.value)
    chosen = "selected" if here else "bold"
    room = min(width, SIDE_BY_SIDE)
    if value in steps and sum(text_width(step) + 2 for step in steps) <= room:
        return tuple(
            (chosen, f"[{step}]") if step == value else ("dim", f" {step} ") for step in steps
        )
    line: Line = ((chosen, f"[{fit(value, width - 2, theme.cut)}]"),)
    return line if line_width(line) <= width else fit_line(line, width)
