"""Copies of a game: one fingerprint for the same code wherever it lies, another for any other."""

from __future__ import annotations

import compileall
import hashlib
import importlib
import sys
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import ModuleType

import pytest
from support.games import toy

from sobremesa.core.encoding import frame
from sobremesa.plugins.copies import MissingSources, Source, copy_of
from sobremesa.plugins.loader import load_games

FILES = {"__init__.py": b"", "rules.py": b"DISCS = 4\n\nX = 1\n", "faces/deck.py": b"DECK = 52\n"}


@pytest.fixture
def installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., ModuleType]]:
    """Installs the package `ludo` in a new place, and imports it from there."""
    numbers = count()

    def install(files: dict[str, bytes], prepare: Callable[[Path], str] = str) -> ModuleType:
        place = tmp_path / str(next(numbers))
        for name, data in files.items():
            path = place / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        with pytest.MonkeyPatch.context() as patch:
            patch.syspath_prepend(prepare(place))
            forget()
            return importlib.import_module("ludo")

    yield install
    forget()


def forget() -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "ludo"]:
        del sys.modules[name]


def package(**changed: bytes) -> dict[str, bytes]:
    return {f"ludo/{name}": data for name, data in (FILES | changed).items()}


def print_of(module: ModuleType) -> bytes:
    return copy_of(toy.GAME, Source(module, "ludo", "1.0")).fingerprint


def test_fingerprint_is_sha_256_of_id_version_and_python_files(
    installed: Callable[..., ModuleType],
) -> None:
    parts: list[str | bytes] = []
    for name in sorted(FILES):
        parts += [name, FILES[name]]
    said = frame("rules", toy.GAME.id, toy.GAME.rules_version, *parts)
    assert print_of(installed(package())) == hashlib.sha256(said).digest()


def zipped(place: Path) -> str:
    with zipfile.ZipFile(place / "all.zip", "w") as archive:
        for path in place.rglob("*.py"):
            archive.write(path, str(path.relative_to(place)))
    return str(place / "all.zip")


def compiled_too(place: Path) -> str:
    compileall.compile_dir(place, quiet=1)
    return str(place)


@pytest.mark.parametrize("ending", [b"\r\n", b"\r"])
def test_newlines_of_another_system_make_no_other_copy(
    installed: Callable[..., ModuleType], ending: bytes
) -> None:
    other = {name: data.replace(b"\n", ending) for name, data in package().items()}
    assert print_of(installed(other)) == print_of(installed(package()))


def test_place_zip_and_what_is_no_python_make_no_other_copy(
    installed: Callable[..., ModuleType],
) -> None:
    first = print_of(installed(package()))
    assert print_of(installed(package(), compiled_too)) == first
    assert print_of(installed(package(), zipped)) == first
    assert print_of(installed(package() | {"ludo/help/rules.md": b"Other words."})) == first


@pytest.mark.parametrize(
    "changed",
    [
        {**package(), "ludo/rules.py": b"DISCS = 5\n\nX = 1\n"},
        {**package(), "ludo/faces/deck.py": b"DECK = 40\n"},
        {**package(), "ludo/more.py": b""},
        {name.replace("deck", "pack"): data for name, data in package().items()},
        # The same bytes, cut into files elsewhere.
        {**package(), "ludo/__init__.py": FILES["rules.py"], "ludo/rules.py": b""},
    ],
    ids=["a byte", "a byte deep down", "one more file", "another name", "another order"],
)
def test_other_code_is_another_copy(
    installed: Callable[..., ModuleType], changed: dict[str, bytes]
) -> None:
    assert print_of(installed(changed)) != print_of(installed(package()))


def test_two_games_of_one_package_and_two_versions_are_other_copies(
    installed: Callable[..., ModuleType],
) -> None:
    source = Source(installed(package()), "ludo", "1.0")
    games = (toy.GAME, replace(toy.GAME, id="toy-2"), replace(toy.GAME, rules_version=7))
    assert len({copy_of(game, source).fingerprint for game in games}) == 3
    later = replace(source, version="2.0")
    first, second = copy_of(toy.GAME, source), copy_of(toy.GAME, later)
    assert (first.version, second.version) == ("1.0", "2.0")
    assert first.fingerprint == second.fingerprint


def test_plugin_that_is_one_file_is_that_file(installed: Callable[..., ModuleType]) -> None:
    alone = print_of(installed({"ludo.py": b"X = 1\n", "beside.py": b"Y = 1\n"}))
    assert print_of(installed({"ludo.py": b"X = 1\r\n"})) == alone
    assert print_of(installed({"ludo.py": b"X = 1\n"}, zipped)) == alone
    assert print_of(installed({"ludo.py": b"X = 2\n"})) != alone


def test_plugin_that_is_a_file_of_a_package_is_the_whole_package(
    installed: Callable[..., ModuleType],
) -> None:
    whole = print_of(installed(package()))
    assert print_of(importlib.import_module("ludo.rules")) == whole


def only_compiled(place: Path) -> str:
    compileall.compile_dir(place, quiet=1, legacy=True)
    for path in place.rglob("*.py"):
        path.unlink()
    return str(place)


@pytest.mark.parametrize("files", [package(), {"ludo.py": b"X = 1\n"}], ids=["package", "file"])
def test_without_its_sources_no_game_can_be_compared(
    installed: Callable[..., ModuleType], files: dict[str, bytes]
) -> None:
    with pytest.raises(
        MissingSources, match=f"files of {toy.GAME.title} are not there.* ludo anew"
    ):
        print_of(installed(files, only_compiled))


def test_every_built_in_game_has_a_copy_of_its_own() -> None:
    games = load_games([])
    copies = [games.copy(game) for game in games.games.values()]
    assert len({copy.fingerprint for copy in copies}) == len(copies)
    assert {copy.package for copy in copies} == {"sobremesa"}
