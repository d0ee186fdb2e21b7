"""The rooms of the house, read from the source: who may know whom, and that nobody goes in circles.

A folder is a room. What stands directly in a layer's folder is its ground or its roof, and is named
file by file where that matters. Every import counts: within functions, and for types alone.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LAYERS = ("core", "net", "plugins", "cli")

MAY_KNOW: dict[str, set[str]] = {
    "core": set(),
    "core.crypto": {"core"},
    "core.replica": {"core", "core.crypto"},
    "net": set(),
    "net.links": {"net"},
    "net.statements": {"net", "net.links"},
    "net.windows": {"net", "net.links", "net.statements"},
    "net.presence": {"net", "net.statements"},
    "net.mesh": {"net", "net.links", "net.presence", "net.statements", "net.windows"},
    "net.voting": {"net", "net.mesh", "net.presence"},
    "net.peer_links": {"net", "net.links", "net.mesh"},
    "net.match": {"net", "net.links", "net.peer_links", "net.voting"},
    "net.alone": {"net", "net.match"},
    "net.room": {"net", "net.links", "net.peer_links", "net.match"},
    "net.finding": {"net", "net.links", "net.room"},
    "net.node": {
        "net", "net.links", "net.peer_links", "net.watching", "net.match", "net.room",
        "net.finding",
    },
    "net.watching": {"net", "net.links", "net.statements", "net.mesh", "net.peer_links"},
    "net.tables": {"net", "net.links", "net.room", "net.finding", "net.node"},
    "plugins": {"games"},
    "plugins.check": {"plugins"},
    "games": set(),
    "cli": set(),
    "cli.session": {"cli"},
    "cli.words": {"cli", "cli.session"},
    "cli.draw": {"cli.words"},
    "cli.settings": {"cli.words", "cli.draw"},
    "cli.lines": {"cli", "cli.session", "cli.words", "cli.draw", "cli.settings"},
    "cli.screen": {"cli", "cli.session", "cli.words", "cli.draw", "cli.settings"},
    "cli.commands": {
        "cli", "cli.session", "cli.words", "cli.draw", "cli.settings", "cli.lines", "cli.screen",
    },
    "cli.main": {"cli", "cli.draw", "cli.settings", "cli.lines", "cli.commands"},
}  # fmt: skip
"""The rooms of its own layer that a room may know beside itself. A room is a folder or, where it
stands on the roof, a file; `games` is any folder of a game."""

ROOF = {
    "cli.main", "cli.settings", "net.statements", "net.windows", "net.presence", "net.mesh",
    "net.voting", "net.peer_links", "net.match", "net.alone", "net.watching", "net.node",
    "net.tables",
}  # fmt: skip
"""Rooms of the table that are files."""

NO_GAMES = ("check",)
"""Folders in plugins/ that are none."""

CRYPTO_KNOWS = {"errors", "encoding"}
"""What the arithmetic takes of the core's ground: no seat and no table."""

ONLY_IN = {"prompt_toolkit": "cli.screen"}
"""Packages of others that one room alone may import."""

WITHOUT_SCREEN = ("cli.session", "cli.words", "cli.draw", "cli.lines")
"""Rooms that can be had without loading `prompt_toolkit`, whatever they import in turn."""

Sources = Mapping[str, str]
"""Module names below `sobremesa`, "" for the public face itself, and their text."""


def sources() -> dict[str, str]:
    """The modules of this project."""
    found = {"": (ROOT / "sobremesa" / "__init__.py").read_text("utf-8")}
    for layer in LAYERS:
        for path in sorted((ROOT / layer).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found[name] = path.read_text("utf-8")
    return found


HOUSE = sources()
PACKAGES = {name.rpartition(".")[0] for name in HOUSE} | set(MAY_KNOW) - ROOF


@cache
def imported(module: str, text: str) -> tuple[str, ...]:
    """Everything that a module imports, by its full name, the names after `import` included."""
    package = module if module in PACKAGES else module.rpartition(".")[0]
    here = ".".join(filter(None, ("sobremesa", package)))
    found: list[str] = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(filter(None, (here if node.level else "", node.module or "")))
            found += (f"{base}.{alias.name}" for alias in node.names)
    return tuple(found)


def arrows(house: Sources) -> dict[str, set[str]]:
    """Which modules each module imports: the module that has the name, or that is meant by it."""
    found: dict[str, set[str]] = {}
    for module, text in house.items():
        found[module] = set()
        for name in imported(module, text):
            parts = name.split(".")
            if parts[0] != "sobremesa":
                continue
            ours = [".".join(parts[1:end]) for end in range(len(parts), 0, -1)]
            found[module].add(next(part for part in ours if part in house))
    return found


def room(module: str) -> str:
    """The room that a module stands in, in the words of the table."""
    layer, *rest = module.split(".")
    if module in MAY_KNOW:
        return module
    if not rest or f"{layer}.{rest[0]}" not in PACKAGES:
        return layer
    return "games" if layer == "plugins" and rest[0] not in NO_GAMES else f"{layer}.{rest[0]}"


def wrong_arrows(house: Sources) -> list[str]:
    """Imports between rooms of one layer that the table does not allow."""
    return [
        f"{module} imports {other}"
        for module, others in arrows(house).items()
        for other in sorted(others)
        if other.split(".")[0] == module.split(".")[0] and not _may(module, other)
    ]


def _may(module: str, other: str) -> bool:
    here, there = room(module), room(other)
    if here == there == "games":
        return module.split(".")[1] == other.split(".")[1]
    return here == there or there in MAY_KNOW.get(here, ())


def circles(house: Sources) -> list[str]:
    """Circles of imports, one for each module from which some way leads back to it first."""
    ways = arrows(house)
    found, done = [], set()
    for start in ways:
        path, stack = [start], [iter(sorted(ways[start]))]
        while stack:
            step = next(stack[-1], None)
            if step is None:
                done.add(path.pop())
                stack.pop()
            elif step in path and step != path[-1]:
                found.append(" -> ".join([*path[path.index(step) :], step]))
            elif step not in done and step not in path:
                path.append(step)
                stack.append(iter(sorted(ways[step])))
    return found


def wrong_packages(house: Sources) -> list[str]:
    """Packages of others, imported outside the one room that may."""
    return [
        f"{module} imports {name}"
        for module, text in house.items()
        for name in imported(module, text)
        if room(module) != ONLY_IN.get(name.split(".")[0], room(module))
    ]


def crypto_faults(house: Sources) -> list[str]:
    """What the arithmetic takes from the core that is more than ground."""
    return [
        f"{module} imports {other}"
        for module, others in arrows(house).items()
        for other in sorted(others)
        if room(module) == "core.crypto" != room(other)
        and other.removeprefix("core.") not in CRYPTO_KNOWS
    ]


def game_faults(house: Sources) -> list[str]:
    """What a game imports of this project that is neither the public face nor its own."""
    return [
        f"{module} imports {other}"
        for module, others in arrows(house).items()
        for other in sorted(others)
        if room(module) == "games"
        and other
        and not (room(other) == "games" and _may(module, other))
    ]


@pytest.mark.parametrize("layer", LAYERS)
def test_rooms_know_only_what_lies_below(layer: str) -> None:
    assert [fault for fault in wrong_arrows(HOUSE) if fault.startswith(layer)] == []


@pytest.mark.parametrize("layer", LAYERS)
def test_no_modules_import_each_other_in_a_circle(layer: str) -> None:
    assert [circle for circle in circles(HOUSE) if f"{layer}." in circle] == []


def test_the_arithmetic_knows_no_seat_and_no_table() -> None:
    assert crypto_faults(HOUSE) == []


def test_games_import_only_the_public_face() -> None:
    assert game_faults(HOUSE) == []


def test_one_room_alone_knows_the_toolkit_of_the_screen() -> None:
    assert wrong_packages(HOUSE) == []


def large_classes(house: Sources) -> dict[str, str]:
    """Classes of more than 250 lines, and their docstrings."""
    return {
        node.name: ast.get_docstring(node) or ""
        for text in house.values()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ClassDef) and (node.end_lineno or 0) - node.lineno >= 250
    }


def test_a_large_class_says_why_it_is_large() -> None:
    large = large_classes(HOUSE)
    assert set(large) == {"Controller", "Match", "Node", "Table"}
    assert all("long" in said.lower() for said in large.values())
    assert "Huge" in large_classes({"": "class Huge:\n" + "    x = 1\n" * 250})


def loads(modules: list[str], package: str) -> bool:
    """Whether importing these loads a package, by whatever way."""
    code = f"import sys, {', '.join(modules)}; sys.exit({package!r} in sys.modules)"
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode != 0


@pytest.mark.parametrize("name", WITHOUT_SCREEN)
def test_what_draws_no_screen_loads_no_toolkit(name: str) -> None:
    modules = [f"sobremesa.{module}" for module in HOUSE if room(module) == name]
    assert modules
    assert not loads(modules, "prompt_toolkit")


def test_the_check_of_what_is_loaded_finds_a_toolkit() -> None:
    assert loads(["sobremesa.cli.screen.app"], "prompt_toolkit")


PLANTED = [
    (wrong_arrows, "cli.session.x", "from sobremesa.cli.words import grammar"),
    (wrong_arrows, "cli.words.x", "from sobremesa.cli.draw.theme import Theme"),
    (wrong_arrows, "cli.draw.x", "import sobremesa.cli.session.moments"),
    (wrong_arrows, "cli.lines.x", "from sobremesa.cli.screen import app"),
    (wrong_arrows, "cli.exits", "from .session import moments"),
    (wrong_arrows, "cli.commands.x", "from sobremesa.cli.main import parser"),
    (wrong_arrows, "plugins.dudo.x", "from sobremesa.plugins import intriga"),
    (wrong_arrows, "plugins.dudo.x", "from sobremesa.plugins.check import examine"),
    (crypto_faults, "core.crypto.x", "from sobremesa.core.pieces import Seat"),
    (game_faults, "plugins.dudo.x", "from sobremesa.core.errors import LocalError"),
    (game_faults, "plugins.dudo.x", "from sobremesa.plugins import voice"),
    (wrong_packages, "cli.words.x", "import prompt_toolkit.buffer"),
    (wrong_packages, "cli.main", "from prompt_toolkit import Application"),
    (circles, "core.errors", "from .game import Game"),
    (circles, "cli.session.moments", "from .session import Session"),
]


@pytest.mark.parametrize(("check", "module", "line"), PLANTED)
@pytest.mark.parametrize("where", ["{}", "def late():\n    {}", "if TYPE_CHECKING:\n    {}"])
def test_each_check_finds_a_planted_fault(
    check: Callable[[Sources], list[str]], module: str, line: str, where: str
) -> None:
    text = HOUSE.get(module, "") + "\n" + where.format(line)
    assert len(check(HOUSE | {module: text})) > len(check(HOUSE))
