"""What an install needs: every package listed, every data file covered, a public face that holds.

A plugin folder that is not listed would be left out of the wheel without a word.
"""

from __future__ import annotations

import ast
import fnmatch
import importlib
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

import sobremesa

ROOT = Path(__file__).parent.parent
LAYERS = ("cli", "core", "net", "plugins")
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
SETUPTOOLS = SETTINGS["tool"]["setuptools"]


def folders() -> dict[str, Path]:
    """Every package of the tree, by its import name."""
    found = {"sobremesa": ROOT / "sobremesa"}
    for layer in LAYERS:
        for init in sorted((ROOT / layer).rglob("*.py")):
            parts = init.parent.relative_to(ROOT).parts
            found[".".join(("sobremesa", *parts))] = init.parent
    return found


def files(*endings: str) -> list[Path]:
    tops = [ROOT / name for name in (*LAYERS, "tests")]
    own = sorted((ROOT / "sobremesa").glob("*"))  # not through its links
    every = [path for top in tops for path in sorted(top.rglob("*"))]
    return [path for path in (*own, *every) if path.suffix in endings and path.is_file()]


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_pyproject_lists_every_package() -> None:
    assert sorted(SETUPTOOLS["packages"]) == sorted(folders())


def test_every_package_can_be_imported() -> None:
    for name, folder in folders().items():
        package = importlib.import_module(name)
        assert folder.resolve() in [Path(place).resolve() for place in package.__path__]


def test_package_map_leads_to_the_folders() -> None:
    mapped = SETUPTOOLS["package-dir"]
    for name, folder in folders().items():
        top = ".".join(name.split(".")[:2])
        rest = name.split(".")[2:]
        assert (ROOT / mapped[top]).joinpath(*rest) == folder


def test_links_and_map_agree() -> None:
    for layer in LAYERS:
        link = ROOT / "sobremesa" / layer
        assert link.is_symlink()
        assert link.resolve() == (ROOT / layer).resolve()


def test_package_data_covers_every_data_file() -> None:
    data = SETUPTOOLS["package-data"]
    packages = {folder: name for name, folder in folders().items()}
    for path in files(".md", ".txt", ".json", ".typed"):
        if path.is_relative_to(ROOT / "tests"):
            continue
        home = next(parent for parent in path.parents if parent in packages)
        inside = str(path.relative_to(home))
        patterns = data.get(packages[home], [])
        assert any(fnmatch.fnmatch(inside, pattern) for pattern in patterns), name_of(path)


def test_package_data_names_no_file_that_is_not_there() -> None:
    for name, patterns in SETUPTOOLS["package-data"].items():
        for pattern in patterns:
            assert list(folders()[name].glob(pattern)), f"{name}: {pattern}"


def test_command_leads_to_a_function() -> None:
    module, _, function = SETTINGS["project"]["scripts"]["sobremesa"].partition(":")
    assert callable(getattr(importlib.import_module(module), function))


def test_public_face_is_whole() -> None:
    names = sobremesa.__all__
    assert len(set(names)) == len(names)
    assert all(getattr(sobremesa, name) is not None for name in names)
    public = {n for n in vars(sobremesa) if not n.startswith("_")}
    imported = public - set(names)
    assert all(importlib.util.find_spec(f"sobremesa.{name}") is not None for name in imported), (
        f"imported but not in __all__: {sorted(imported)}"
    )


def test_version_is_said_once_and_the_same() -> None:
    assert SETTINGS["project"]["dynamic"] == ["version"]
    assert "version" not in SETTINGS["project"]
    assert metadata.version("sobremesa") == sobremesa.__version__


@pytest.mark.parametrize("path", files(".py"), ids=name_of)
def test_every_file_says_what_it_is_for(path: Path) -> None:
    docstring = ast.get_docstring(ast.parse(path.read_text("utf-8")))
    assert docstring, "a file opens with a docstring"
    assert docstring.split("\n\n")[0].endswith((".", ":")), "its first sentence has an end"


def test_there_is_no_module_called_utils() -> None:
    assert not [path for path in files(".py") if path.stem in ("util", "utils", "helpers", "misc")]


def test_imported_name_is_the_tree_beside_the_tests() -> None:
    core = importlib.import_module("sobremesa.core")
    assert core.__file__ is not None
    assert Path(core.__file__).resolve().is_relative_to(ROOT / "core")
