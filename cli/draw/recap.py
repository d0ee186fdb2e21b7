"""A game in short, drawn: a row of numbers for each seat, round by round, and the facts.

Rule 1: what does not fit is the beginning: the last rounds and the score are always there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil

from sobremesa.cli.words.speech import Players
from sobremesa.core.pieces import Seat
from sobremesa.core.recap import Recap

from .cells import Line, Span, fit, pad_line, text_width, wrap
from .theme import Theme

NAME_MOST = 14
PLACE = 5
"""Cells for the number of a place."""
MARK_EVERY = 5
"""So many rounds are from one number in the head to the next."""
STEPS = "▁▂▃▄▅▆▇█"


def render_ranking(
    recap: Recap | None,
    places: Sequence[Sequence[Seat]],
    players: Players,
    width: int,
    theme: Theme,
    *,
    bars: bool = False,
) -> list[Line]:
    """Who came in which place, with the numbers of each; `bars`: and a row of bars above them.
    `places` of one place are no ranking."""
    rounds = recap.rounds if recap is not None else {}
    ranks = _ranks(places)
    names = [text_width(theme.text(_name(seat, players))) for seat in ranks]
    name = min(NAME_MOST, max(names, default=0))
    unit = theme.text(recap.unit) if recap is not None else ""
    first = max(PLACE + name, min(PLACE + NAME_MOST, text_width(unit))) + 1
    count = max(map(len, rounds.values()), default=0)
    most = max((number for numbers in rounds.values() for number in numbers), default=0)
    cell = len(str(most)) + 1
    shown = max(0, min(count, (width - first) // cell))
    numbered = len(places) > 1 or len(ranks) == 1
    lines: list[Line] = []
    if recap is not None and shown:
        label = fit(unit, first - 1, theme.cut)
        lines.append((*pad_line((("dim", label),), first), ("dim", _head(count, shown, cell))))
    for seat, rank in ranks.items():
        numbers = tuple(rounds.get(seat, ()))[count - shown :]
        role = "turn" if seat == players.me else "bold" if rank == 1 else ""
        if bars and any(numbers) and not theme.ascii:
            drawn = "".join(_step(number, most) * cell for number in numbers)
            lines.append((("", " " * first), ("turn" if role == "turn" else "good", drawn)))
        place = f"{rank:3}. " if numbered else " " * PLACE
        who = fit(theme.text(_name(seat, players)), first - PLACE - 1, theme.cut)
        told = pad_line(((role, place + who),), first)
        before = rounds.get(seat, ())[: count - shown][-1:]
        lines.append((*told, *_numbers(numbers, before, cell)))
    return lines


def render_facts(recap: Recap, width: int, theme: Theme) -> list[Line]:
    """The facts, their labels in a column."""
    labels = [theme.text(label) for label, _ in recap.facts]
    column = max(map(text_width, labels), default=0) + 2
    lines: list[Line] = []
    for label, (_, told) in zip(labels, recap.facts, strict=True):
        for place, text in enumerate(wrap(theme.text(told), width - column)):
            head = pad_line((("dim", "" if place else label),), column)
            lines.append((*head, ("", text)))
    return lines


def _ranks(places: Sequence[Sequence[Seat]]) -> dict[Seat, int]:
    ranks: dict[Seat, int] = {}
    for seats in places:
        ranks.update(dict.fromkeys(seats, len(ranks) + 1))
    return ranks


def _name(seat: Seat, players: Players) -> str:
    if seat == players.me:
        return "you"
    return f"{seat} [bot]" if seat in players.bots else seat


def _head(count: int, shown: int, cell: int) -> str:
    """The numbers of some rounds, each above the end of its column."""
    head = ""
    for place in range(shown):
        number = count - shown + place + 1
        marked = str(number) if place == 0 or number % MARK_EVERY == 0 else ""
        wide = (place + 1) * cell
        if len(head) + len(marked) + bool(head) <= wide:
            head = head.ljust(wide - len(marked)) + marked
    return head


def _step(number: int, most: int) -> str:
    return STEPS[ceil(number * len(STEPS) / most) - 1] if number > 0 else " "


def _numbers(numbers: Sequence[int], before: Sequence[int], cell: int) -> Iterator[Span]:
    """The numbers, those that are less than the one before marked."""
    last = before[0] if before else None
    for number in numbers:
        fell = last is not None and number < last
        yield "bad" if fell else "", f"{number:{cell}}"
        last = number
