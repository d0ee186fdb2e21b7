"""docs/architecture.md is true: its picture, its diagrams, and every name that it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import test_layers
from test_rooms import HOUSE, MAY_KNOW

from docs.make_diagrams import LIFE_CYCLES, PAGE, REGION, phases_of, redraw

ROOT = Path(__file__).parent.parent
TEXT = PAGE.read_text("utf-8")
CODE = re.findall(r"`([^`\n]+)`", TEXT)


def section(title: str) -> str:
    """What stands below a heading."""
    return TEXT.split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_page_is_short() -> None:
    assert len(TEXT.splitlines()) <= 150


# The picture.


def picture() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The arrows of the picture from top to bottom, between layers and between rooms, in the
    words of the tables that the tests of layers and rooms hold."""
    layers: dict[str, list[str]] = {}
    rooms: dict[str, list[str]] = {}
    for line in section("Rooms").split("```")[1].strip("\n").splitlines():
        left, _, known = line.partition(" → ")
        name = left.split()[0]
        if not line.startswith(" "):
            layer = name
            layers[layer] = known.split()
        else:
            rooms[in_table(layer, name)] = [in_table(layer, other) for other in known.split()]
    return layers, rooms


def in_table(layer: str, name: str) -> str:
    """A room of the picture in the words of the table of rooms."""
    return {"ground": layer, "games": "games"}.get(name, f"{layer}.{name}")


def test_picture_shows_the_arrows_that_are_allowed() -> None:
    layers, rooms = picture()
    assert {room: set(known) for room, known in rooms.items()} == MAY_KNOW
    allowed = {layer: known - {layer} for layer, known in test_layers.MAY_KNOW.items()}
    assert {layer: set(known) for layer, known in layers.items()} == allowed


@pytest.mark.parametrize("arrows", picture(), ids=("layers", "rooms"))
def test_arrows_of_the_picture_point_down(arrows: dict[str, list[str]]) -> None:
    floor = {name: number for number, name in enumerate(arrows)}
    for name, known in arrows.items():
        assert known == sorted(known, key=floor.__getitem__)
        assert all(floor[other] > floor[name] for other in known)


# The life cycles.


def test_diagrams_are_those_of_the_code() -> None:
    assert [name for _, name, _ in REGION.findall(TEXT)] == list(LIFE_CYCLES)
    assert redraw(TEXT) == TEXT, "run docs/make_diagrams.py"


@pytest.mark.parametrize("name", LIFE_CYCLES)
def test_every_arrow_shows_in_a_diagram(name: str) -> None:
    table = LIFE_CYCLES[name]
    for here in phases_of(table):
        for there in phases_of(table):
            other = {**table, here: table[here] ^ {there}}
            assert redraw(TEXT, {**LIFE_CYCLES, name: other}) != TEXT


@pytest.mark.parametrize("name", LIFE_CYCLES)
def test_every_phase_is_reached_from_the_first(name: str) -> None:
    table = LIFE_CYCLES[name]
    reached = set(list(phases_of(table))[:1])
    while more := {after for here in reached for after in table[here]} - reached:
        reached |= more
    assert reached == set(phases_of(table)) == set(table)


# The names.


@pytest.mark.parametrize("name", sorted(filter(lambda code: "/" in code, CODE)))
def test_every_path_is_there(name: str) -> None:
    assert (ROOT / name).exists()


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#]+)\)", TEXT))
def test_every_link_leads_somewhere(link: str) -> None:
    assert (PAGE.parent / link).exists()


def test_every_name_is_one_of_the_code() -> None:
    words = {word for text in HOUSE.values() for word in re.findall(r"\w+", text)}
    names = {part for code in CODE if "/" not in code for part in code.split(".")}
    assert names - words - {"py"} == set()


def test_glossary_has_few_words_and_each_once() -> None:
    words = re.findall(r"\*\*(\w+)\*\*,", section("Words"))
    assert len(words) == len(set(words)) == section("Words").count("**") / 2
    assert 20 <= len(words) <= 27
