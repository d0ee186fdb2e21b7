"""Draws the life cycles in architecture.md, from the tables of transitions that the code obeys.

    .venv/bin/python docs/make_diagrams.py

Rule 1: what stands between `<!-- life cycle: NAME -->` and `<!-- end -->` is written here, and by
nobody else; a test compares.
Rule 2: a phase is called by its value and explained by the first line of its docstring; the first
one is the beginning.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from enum import Enum
from itertools import pairwise
from pathlib import Path
from typing import Any

from sobremesa.core.replica import phase
from sobremesa.net import match
from sobremesa.net.room import room

PAGE = Path(__file__).parent / "architecture.md"

Transitions = Mapping[Any, frozenset[Any]]
"""The phases that may follow each phase of one enum."""

LIFE_CYCLES: Mapping[str, Transitions] = {
    "room": room.TRANSITIONS,
    "table": phase.TRANSITIONS,
    "match": match.TRANSITIONS,
}

REGION = re.compile(r"(<!-- life cycle: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def draw_diagram(transitions: Transitions) -> Iterator[str]:
    """The lines of a Mermaid flowchart: a line for each phase that others may follow."""
    yield "flowchart LR"
    for here in phases_of(transitions):
        after = [_node(there) for there in phases_of(transitions) if there in transitions[here]]
        if after:
            yield f"    {_node(here)} --> {' & '.join(after)}"


def explain_phases(transitions: Transitions) -> Iterator[str]:
    """A line for each phase.

    :raises KeyError: if one has no docstring
    """
    phases = phases_of(transitions)
    notes = _docstrings(phases)
    for here in phases:
        end = "" if transitions[here] else " (an end)"
        yield f"- *{here.value}*{end}: {notes[here.name]}"


def redraw(page: str, life_cycles: Mapping[str, Transitions] = LIFE_CYCLES) -> str:
    """The page with every diagram as it must be now.

    :raises KeyError: if a region names no life cycle
    """

    def region(found: re.Match[str]) -> str:
        transitions = life_cycles[found[2]]
        diagram = ["```mermaid", *draw_diagram(transitions), "```"]
        lines = [*diagram, *explain_phases(transitions), ""]
        return found[1] + "\n".join(lines) + found[3]

    return REGION.sub(region, page)


def phases_of(transitions: Transitions) -> type[Enum]:
    """The enum of a life cycle."""
    return type(next(iter(transitions)))


def _node(here: Enum) -> str:
    return str(here.value).replace(" ", "_")


def _docstrings(phases: type[Enum]) -> dict[str, str]:
    """The first line of each member's docstring, by the member's name."""
    (defined,) = ast.parse(inspect.getsource(phases)).body
    assert isinstance(defined, ast.ClassDef)
    notes = {}
    for member, after in pairwise(defined.body):
        match member, after:
            case (
                ast.Assign(targets=[ast.Name(name)]),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                notes[name] = text.strip().splitlines()[0]
    return notes


if __name__ == "__main__":
    PAGE.write_text(redraw(PAGE.read_text("utf-8")), "utf-8")
