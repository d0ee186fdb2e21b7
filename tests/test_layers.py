"""The layers, read from the source.

Imports point down only: cli → net, plugins → core. They are absolute between packages (a package
is a folder) and relative inside one. The core and the games touch nothing outside themselves.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LAYERS = ("cli", "core", "net", "plugins")
MAY_KNOW = {
    "core": {"core"},
    "net": {"core", "net"},
    "plugins": {"core", "plugins"},
    "cli": set(LAYERS),
}
OUTSIDE = {
    "asyncio",
    "datetime",
    "io",
    "multiprocessing",
    "os",
    "pathlib",
    "random",
    "secrets",
    "select",
    "shutil",
    "socket",
    "ssl",
    "subprocess",
    "sys",
    "tempfile",
    "threading",
    "time",
    "uuid",
}
"""What the core, and every game, does without: sockets, clocks, files, chance."""


def sources(*layers: str) -> list[Path]:
    return [path for layer in layers for path in sorted((ROOT / layer).rglob("*.py"))]


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def imports(tree: ast.AST) -> Iterator[tuple[int, str, int]]:
    """Each import: how many dots it has, the module, the line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((0, alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.level, node.module or "", node.lineno


def package(path: Path) -> tuple[str, ...]:
    """The package that a file lies in, from the root."""
    return path.relative_to(ROOT).parent.parts


def home(parts: list[str]) -> tuple[str, ...]:
    """The package of a module named from the root, or the package itself."""
    return tuple(parts if ROOT.joinpath(*parts).is_dir() else parts[:-1])


def faults(path: Path, source: str) -> list[str]:
    """What a file imports against the rules, a line each."""
    here = package(path)
    found = []
    for level, module, line in imports(ast.parse(source)):
        parts = module.split(".")
        where = f"line {line}: {'.' * level}{module}"
        if level:
            if level > 1:
                found.append(f"{where} leaves its package: name it sobremesa.…")
        elif parts[0] in LAYERS:
            found.append(f"{where} would load {parts[0]} a second time: say sobremesa.{module}")
        elif parts[0] == "sobremesa" and len(parts) > 1:
            if parts[1] not in MAY_KNOW[here[0]]:
                found.append(f"{where} points up")
            elif home(parts[1:]) == here:
                found.append(f"{where} is in the same package: import it relatively")
        elif parts[0] in OUTSIDE and here[0] in ("core", "plugins"):
            found.append(f"{where} is outside")
    return found


@pytest.mark.parametrize("path", sources(*LAYERS), ids=name_of)
def test_imports_point_down(path: Path) -> None:
    assert faults(path, path.read_text("utf-8")) == []


@pytest.mark.parametrize("path", sources("core", "plugins"), ids=name_of)
def test_core_and_games_open_no_file_and_look_at_no_clock(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    called = {function.id for function in calls if isinstance(function, ast.Name)}
    assert not called & {"open", "input", "print", "exec", "eval", "hash", "id", "__import__"}


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("core/x.py", "import socket"),
        ("core/x.py", "from time import monotonic"),
        ("core/x.py", "import os.path"),
        ("core/x.py", "from sobremesa.net import wire"),
        ("core/x.py", "from sobremesa.core.game import Game"),
        ("core/x.py", "from core.game import Game"),
        ("core/x.py", "from ..net import wire"),
        ("net/x.py", "from sobremesa.cli import main"),
        ("net/x.py", "from sobremesa.plugins import load_games"),
        ("plugins/dudo/x.py", "from sobremesa.net import wire"),
        ("plugins/dudo/x.py", "import random"),
        ("cli/x.py", "import plugins"),
        ("cli/screens/x.py", "from ...core import game"),
        ("cli/screens/x.py", "from ..theme import Theme"),
        ("cli/screens/x.py", "from sobremesa.cli.screens.base import Screen"),
        ("cli/x.py", "from sobremesa.cli import theme"),
    ],
)
def test_the_check_finds_each_wrong_import(file: str, line: str) -> None:
    assert faults(ROOT / file, line)
    assert faults(ROOT / file, f"def late():\n    {line}")


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("core/x.py", "from .game import Game"),
        ("core/x.py", "import hashlib"),
        ("net/x.py", "import socket"),
        ("net/x.py", "from sobremesa.core.game import Game"),
        ("cli/screens/x.py", "from sobremesa.cli.theme import Theme"),
        ("cli/x.py", "from sobremesa.cli.screens.base import Screen"),
        ("plugins/dudo/x.py", "from . import odds"),
    ],
)
def test_the_check_lets_right_imports_pass(file: str, line: str) -> None:
    assert faults(ROOT / file, line) == []
