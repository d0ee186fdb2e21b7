"""What has happened and what people say, as lines: a pane of it, or a row of each.

Rule 1: the last is always in sight, unless somebody has turned back.
"""

from __future__ import annotations

from collections.abc import Sequence

from sobremesa.cli.words.story import Said

from .cells import Line, Span, fit_line, line_width, text_width, wrap
from .theme import Theme


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


def log_row(entries: Sequence[Said], width: int, theme: Theme) -> Line:
    """The last of what happened in one row, the newest at its end; older ones only whole."""
    shown: list[Span] = []
    for entry in reversed([entry for entry in entries if entry.role != "chat"]):
        text = theme.text(entry.text)
        gap = theme.text(" · ") if shown else ""
        room = width - 1 - line_width(shown)
        if shown and text_width(text + gap) > room:
            break
        shown[:0] = [(entry.role if not shown else "dim", text), ("dim", gap)]
    return fit_line((("", " "), *shown), width, theme.more)


def talk_row(entries: Sequence[Said], width: int, theme: Theme) -> Line:
    """The last that was said by somebody at the table, while it is among the last that happened."""
    chat = next((entry for entry in reversed(entries[-40:]) if entry.role == "chat"), None)
    return fit_line((("chat", " " + theme.text(chat.text)),), width, theme.more) if chat else ()
