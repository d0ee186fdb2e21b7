"""The rooms of net/, read from the source: imports point down and never in a circle."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

NET = Path(__file__).parents[2] / "net"

FLOORS = (
    {"identity", "tasks", "text", "chat"},
    {"store"},
    {"links"},
    {"events", "mesh"},
    {"match"},
    {"room"},
    {"finding"},
    {"node"},
)
"""From low to high: files of net/ and its folders. Who stands on one floor knows nobody on it."""

MODULES = {
    ".".join(path.relative_to(NET).with_suffix("").parts): path
    for path in sorted(NET.rglob("*.py"))
    if path.name != "__init__.py"
}


def imports(module: str, source: str) -> Iterator[str]:
    """The modules of net/ that a source imports, those for type checkers included."""
    room = module.rpartition(".")[0]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            named = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start = ".".join(filter(None, ("sobremesa.net", room))) if node.level else ""
            base = ".".join(filter(None, (start, node.module or "")))
            named = [base, *(f"{base}.{alias.name}" for alias in node.names)]
        else:
            continue
        for name in named:
            inside = name.removeprefix("sobremesa.net.")
            if inside in MODULES:
                yield inside


def floor(module: str) -> int:
    room = module.split(".")[0]
    return next(number for number, rooms in enumerate(FLOORS) if room in rooms)


def faults(module: str, source: str) -> list[str]:
    """What a module imports from its own floor or above, its own room aside."""
    room = module.split(".")[0]
    return [
        other
        for other in imports(module, source)
        if other.split(".")[0] != room and floor(other) >= floor(module)
    ]


@pytest.mark.parametrize("module", MODULES)
def test_imports_point_to_lower_floors(module: str) -> None:
    assert faults(module, MODULES[module].read_text("utf-8")) == []


def test_no_two_modules_need_each_other() -> None:
    needs = {m: set(imports(m, path.read_text("utf-8"))) for m, path in MODULES.items()}
    assert len(list(TopologicalSorter(needs).static_order())) == len(MODULES)


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("text", "from .store import Store"),
        ("links.dial", "from sobremesa.net.room.room import Room"),
        ("links.dial", "from sobremesa.net.room import room"),
        ("links.dial", "import sobremesa.net.node"),
        ("match", "if TYPE_CHECKING:\n    from sobremesa.net.room.events import RoomEvents"),
        ("mesh", "def late():\n    from .events import MatchEvents"),
    ],
)
def test_the_check_finds_each_wrong_import(module: str, line: str) -> None:
    assert faults(module, line)
