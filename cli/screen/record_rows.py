"""Kept games, drawn: the list, what they add up to, and the one that is chosen.

Rule 1: the chosen game is always in sight, and marked by more than its colour.
"""

from __future__ import annotations

from collections.abc import Sequence

from sobremesa.cli.draw.cells import Line, fit, pad_line, wrap
from sobremesa.cli.draw.theme import Theme
from sobremesa.cli.session.tallies import OWN, Listing, Sum, Tally
from sobremesa.cli.words.recap import nth
from sobremesa.cli.words.records import day_and_time, own_place, speak_end, speak_people, times
from sobremesa.cli.words.speech import sentence
from sobremesa.net.kept import Kept

WIDTHS = (2, 4, 13, 15, 0, 11, 1)
"""Of a row: mark, number, when, game, table, place, check; the table takes what is left."""
TABLE_LEAST = 6
DETAIL = 4
"""Rows of the chosen game."""
MOST_PEOPLE = 8


def render_games(listing: Listing, chosen: int, width: int, rows: int, theme: Theme) -> list[Line]:
    """The games in so many rows, the chosen one among them, and how many are above and below."""
    shown = max(1, rows - 2)
    first = max(0, min(chosen - shown // 2, len(listing.games) - shown))
    lines = [_row(("", "", "when", "game", "table", "place", ""), "dim", width, theme)]
    for place, (number, kept) in enumerate(listing.games[first : first + shown], first):
        summary = kept.summary
        cells = (
            "►" if place == chosen else "",
            str(number),
            kept.when.astimezone().strftime("%d %b %H:%M"),
            summary.title if summary is not None else "",
            summary.name if summary is not None else kept.path.name,
            own_place(kept, listing.own),
            _check(kept),
        )
        role = "selected" if place == chosen else "good" if _is_won(kept, listing) else ""
        lines.append(_row(cells, role, width, theme))
    below = len(listing.games) - first - shown
    more = [f"↑ {first} more" * (first > 0), f"↓ {below} more" * (below > 0)]
    lines.append((("dim", theme.text("  ".join(["  ", *filter(None, more)]).rstrip())),))
    return lines[:rows]


def _row(cells: Sequence[str], role: str, width: int, theme: Theme) -> Line:
    spare = width - sum(WIDTHS) - 1
    widths = [wide or max(TABLE_LEAST, spare) for wide in WIDTHS]
    if spare < TABLE_LEAST:  # the least needed to choose
        widths[1], widths[4] = 0, 0
        widths[3] = max(TABLE_LEAST, width - sum(widths) + widths[3] - 1)
    parts = []
    for text, wide in zip(cells, widths, strict=True):
        if wide:
            shown = fit(theme.text(text), max(1, wide - 1), theme.cut)
            parts.append(pad_line(((role, shown),), wide, role))
    spans = [span for part in parts for span in part]
    return pad_line(spans, width, role) if role == "selected" else tuple(spans)


def _check(kept: Kept) -> str:
    verified = kept.summary.verified if kept.summary is not None else False
    return {True: "✓", False: "!", None: ""}[verified]


def _is_won(kept: Kept, listing: Listing) -> bool:
    place = own_place(kept, listing.own)
    return place == "won" or place.startswith("1 of ")


def render_sums(listing: Listing, width: int, rows: int, theme: Theme) -> list[Line]:
    """What the games add up to: for us, and for each of the people."""
    sums = listing.sums
    if not sums:
        return []
    whole = sums[-1]
    lines: list[Line] = [_pair("won of played", "", width, theme, "bold")]
    for one in sums:
        mine = _own(one)
        name = one.title or "all games"
        won = f"{mine.won} of {mine.played}" if mine is not None else f"of {one.played}"
        lines.append(_pair(name, won, width, theme))
    if (mine := _own(whole)) is not None:
        lines.append(())
        places = sorted(mine.places.items())
        lines += [_pair(nth(place), times(n), width, theme) for place, n in places]
        lines.append(_pair("longest run", f"{mine.run} won", width, theme))
    others = [tally for tally in whole.people if tally.key != OWN][:MOST_PEOPLE]
    if others:
        lines += [(), _pair("people", "", width, theme, "bold")]
        lines += [_pair(t.name, f"{t.won} of {t.played}", width, theme) for t in others]
    return lines[: max(0, rows)]


def _own(sum: Sum) -> Tally | None:
    return next((tally for tally in sum.people if tally.key == OWN), None)


def _pair(name: str, value: str, width: int, theme: Theme, role: str = "") -> Line:
    told = theme.text(value)
    room = width - len(told) - 1
    return (*pad_line(((role, fit(theme.text(name), room, theme.cut)),), room + 1), ("", told))


def render_chosen(kept: Kept, own: bytes | None, width: int, theme: Theme) -> list[Line]:
    """The chosen game in a few rows: what and who, how it ended, and whether it was checked."""
    summary = kept.summary
    if summary is None:
        told = [sentence(f"damaged: {kept.trouble}")]
    else:
        what = (
            f"{summary.title} at {summary.name}, {day_and_time(kept)}: {speak_people(summary, own)}"
        )
        told = [sentence(what), speak_end(summary, own)]
        told += [sentence(summary.why)] if summary.end == "over" and summary.why else []
    lines: list[Line] = []
    for place, text in enumerate(told):
        role = "" if place else "bold"
        lines += [((role, line),) for line in wrap(theme.text(text), width)]
    return lines[:DETAIL]
