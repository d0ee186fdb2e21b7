"""The layers, read from the source.

Imports point down only: cli → net, plugins → core. They are absolute between packages (a package
is a folder) and relative inside one. The core and the games touch nothing outside themselves. A
built-in game is an example for authors: it has the public face and no more, and all have the same
files.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import sobremesa
from sobremesa.plugins.loader import BUILT_IN

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

FURNITURE = {
    "__init__", "bot", "cards", "odds", "questions", "recap", "rules", "state", "view", "words",
}  # fmt: skip
"""The files of a game; what one lacks it leaves out."""


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


def is_game(here: tuple[str, ...]) -> bool:
    """Whether a package is a built-in game."""
    return len(here) > 1 and here[0] == "plugins" and ROOT.joinpath(*here, "help").is_dir()


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
        elif is_game(here):
            if module != "sobremesa" and parts[0] not in sys.stdlib_module_names - OUTSIDE:
                found.append(f"{where} is more than the public face: a game imports sobremesa")
        elif module == "sobremesa" and here[0] != "cli":
            found.append(f"{where} is the public face, which stands on this: name the module")
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


def games() -> list[Path]:
    return [path for path in sources("plugins") if is_game(package(path))]


@pytest.mark.parametrize("path", games(), ids=name_of)
def test_game_takes_of_the_public_face_what_is_public(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "sobremesa":
            assert {alias.name for alias in node.names} <= set(sobremesa.__all__)


def test_public_face_lists_in_order_all_that_it_imports() -> None:
    tree = ast.parse((ROOT / "sobremesa" / "__init__.py").read_text("utf-8"))
    nodes = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    names = [alias.name for node in nodes if node.module != "__future__" for alias in node.names]
    kinds = {name: (not name.isupper(), name[0].islower()) for name in names}
    assert list(sobremesa.__all__) == sorted(names, key=lambda name: (kinds[name], name))


def test_games_have_the_same_files() -> None:
    homes = {package(path)[1] for path in games()}
    assert homes == set(BUILT_IN)
    assert {path.stem for path in games()} == FURNITURE
    assert all((ROOT / "plugins" / home / "rules.py").exists() for home in homes)


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
        ("core/x.py", "from sobremesa.net import node"),
        ("core/x.py", "from sobremesa.core.game import Game"),
        ("core/x.py", "from core.game import Game"),
        ("core/x.py", "from ..net import wire"),
        ("net/x.py", "from sobremesa.cli import main"),
        ("net/x.py", "from sobremesa.plugins.loader import load_games"),
        ("plugins/dudo/x.py", "from sobremesa.net import node"),
        ("plugins/dudo/x.py", "from sobremesa.core.game import Game"),
        ("plugins/dudo/x.py", "from sobremesa.plugins.voice import Voice"),
        ("plugins/dudo/x.py", "from sobremesa.plugins.intriga import GAME"),
        ("plugins/dudo/x.py", "import sobremesa.core.game"),
        ("plugins/dudo/x.py", "import msgpack"),
        ("plugins/voice.py", "from sobremesa import Seat"),
        ("core/x.py", "import sobremesa"),
        ("plugins/dudo/x.py", "import random"),
        ("cli/x.py", "import plugins"),
        ("cli/screen/x.py", "from ...core import game"),
        ("cli/screen/x.py", "from ..theme import Theme"),
        ("cli/screen/x.py", "from sobremesa.cli.screen.base import Screen"),
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
        ("cli/screen/x.py", "from sobremesa.cli.draw.theme import Theme"),
        ("cli/x.py", "from sobremesa.cli.screen.base import Screen"),
        ("plugins/dudo/x.py", "from . import odds"),
        ("plugins/dudo/x.py", "from sobremesa import Game"),
        ("plugins/dudo/x.py", "from fractions import Fraction"),
        ("plugins/check/x.py", "from sobremesa.core.game import Game"),
        ("cli/x.py", "import sobremesa"),
    ],
)
def test_the_check_lets_right_imports_pass(file: str, line: str) -> None:
    assert faults(ROOT / file, line) == []
