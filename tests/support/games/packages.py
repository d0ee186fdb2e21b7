"""Packages with games, as an installer leaves them in a folder: modules and their metadata."""

from __future__ import annotations

import importlib
import shutil
import sys
from pathlib import Path
from types import ModuleType

import pytest

from sobremesa.core.hookspecs import ENTRY_POINTS

EXAMPLE = Path(__file__).resolve().parents[3] / "docs" / "example"

HEADER = """
from dataclasses import replace
from sobremesa import hookimpl
from sobremesa.plugins.dudo import GAME as DUDO
"""


def install(folder: Path, name: str, source: str, package: str = "", point: str = "") -> Path:
    """Install a package of one module, `name`; it and its entry point are called the same where
    nothing else is said."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.py").write_text(HEADER + source, "utf-8")
    return describe(folder, package or name, name, point)


def install_example(folder: Path) -> Path:
    """Install `docs/example`."""
    package = folder / "sobremesa_morra"
    shutil.copytree(
        EXAMPLE / "sobremesa_morra", package, ignore=shutil.ignore_patterns("__pycache__")
    )
    return describe(folder, "morra", "sobremesa_morra")


def describe(folder: Path, name: str, module: str, point: str = "") -> Path:
    """Write the metadata by which an entry point is found."""
    info = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text(
        f"[{ENTRY_POINTS}]\n{point or name} = {module}\n", "utf-8"
    )
    return folder


class Environment:
    """An environment in which packages are installed while a test runs."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self._patch = patch
        self._names: list[str] = []
        patch.syspath_prepend(str(folder))

    def install(self, name: str, source: str, package: str = "", point: str = "") -> None:
        install(self.folder, name, source, package, point)
        self._names.append(name)
        self.forget()

    def forget(self) -> None:
        """As in a new process: what is imported of these packages runs anew."""
        for name in self._names:
            self._patch.delitem(sys.modules, name, raising=False)
        importlib.invalidate_caches()


def import_example() -> ModuleType:
    """The example's module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(EXAMPLE))
        return importlib.import_module("sobremesa_morra")
