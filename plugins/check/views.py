"""What is looked at in a view: that it is plain, and that its blocks and cells fit together; and in
a recap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from sobremesa.core.pieces import Seat
from sobremesa.core.recap import MOST_FACTS, Recap
from sobremesa.core.views import Block, Cards, Cell, Dice, Grid, Hand, Seats, View

from .reports import Findings


def check_view(view: View, findings: Findings) -> None:
    """What is wrong with a view is a finding."""
    findings.check_plain(view, "view()")
    for block in view.blocks:
        _check_block(block, findings)


def check_recap(recap: Recap, seats: Sequence[Seat], findings: Findings) -> None:
    """What is wrong with a recap is a finding."""
    if not isinstance(recap, Recap):
        findings.add(f"recap() returns {type(recap).__name__} and no Recap")
        return
    findings.check_plain(recap, "recap()")
    if len(recap.facts) > MOST_FACTS:
        findings.add(f"recap() tells more than {MOST_FACTS} facts")
    for label, text in recap.facts:
        findings.check_line(label, "a label of recap()")
        findings.check_line(text, "a fact of recap()")
    if recap.rounds:
        if set(recap.rounds) != set(seats):
            findings.add("recap(): rounds are not those of every seat")
        if len(set(map(len, recap.rounds.values()))) > 1:
            findings.add("recap(): some seats have more rounds than others")
        findings.check_line(recap.unit, "the unit of recap()")


def _check_block(block: Block, findings: Findings) -> None:
    name = type(block).__name__
    rows: list[tuple[Cell, ...]] = []
    match block:
        case Seats(columns):
            rows = [row.cells for row in block.rows]
        case Grid(columns):
            rows = list(block.rows)
        case Hand(_, content):
            _check_cell(content, name, findings)
        case _ if not isinstance(block, get_args(Block)):
            findings.add(f"view() has a block of the kind {name}")
    for row in rows:
        if len(row) != len(columns):
            findings.add(f"view(): a row of {name} has {len(row)} cells for {len(columns)} columns")
        for cell in row:
            _check_cell(cell, name, findings)


def _check_cell(cell: Cell, block: str, findings: Findings) -> None:
    places: tuple[int, ...] = ()
    match cell:
        case Cards(values, playable, labels):
            places = playable or ()
            if labels and len(labels) != len(values):
                findings.add("view(): Cards.labels are not one for each card")
        case Dice(values, hits):
            places = hits
        case _ if not isinstance(cell, get_args(Cell)):
            findings.add(f"view(): {block} has a cell of the kind {type(cell).__name__}")
    if any(place not in range(len(values)) for place in places):
        findings.add(
            f"view(): {type(cell).__name__} names a place that is not there (they count from 0)"
        )
