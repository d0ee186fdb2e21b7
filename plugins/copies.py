"""Which copy of a game this machine has: where it was found, and the fingerprint of its code.

Rule 1: two machines with the same id, `rules_version` and Python files have one fingerprint, on
whatever system; what the package takes from elsewhere (this program, other packages) is not in it.
Rule 2: it is made when a table needs it, not at each start.
"""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from types import ModuleType
from typing import Any

from sobremesa.core.encoding import frame
from sobremesa.core.errors import LocalError
from sobremesa.core.game import Game
from sobremesa.core.replica.charter import Copy


class MissingSources(LocalError):
    """The Python files of a game are not there, so nobody can tell which copy it is."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a game was found: the module of its plugin, and the package that brought this, with its
    version."""

    module: ModuleType
    package: str
    version: str
    built_in: bool = False

    @property
    def label(self) -> str:
        """As a list of games says it."""
        return "built in" if self.built_in else f"package {self.package}"


def copy_of(game: Game[Any], source: Source) -> Copy:
    """This machine's copy of a game.

    The fingerprint is SHA-256 over the frame of the game's id, its `rules_version`, and each Python
    file of its plugin's package, path and bytes, in the order of the paths, all newlines as "\\n".
    A plugin that is a file of no package is that file. In a zip it is the same.

    :raises MissingSources: if these files are not there, as where only compiled ones were installed
    """
    files = dict(_python_files(source.module))
    if not files:
        raise MissingSources(
            f"the Python files of {game.title} are not there, so nobody could tell whether all "
            f"play by the same rules: install {source.package} anew, with its sources"
        )
    parts = [part for path in sorted(files) for part in (path, _plain_newlines(files[path]))]
    framed = frame("rules", game.id, game.rules_version, *parts)
    return Copy(hashlib.sha256(framed).digest(), source.package, source.version)


def _python_files(module: ModuleType) -> Iterator[tuple[str, bytes]]:
    """The paths, below its package, and the bytes of the files that a plugin is made of."""
    spec = module.__spec__
    if hasattr(module, "__path__"):
        yield from _walk(resources.files(module), "")
        return
    if spec is not None and spec.parent:
        package = importlib.import_module(spec.parent)
        if package.__file__ is not None:  # else it is a namespace, which others share
            yield from _walk(resources.files(package), "")
            return
    if spec is not None and spec.origin is not None and spec.origin.endswith(".py"):
        loader: Any = spec.loader
        yield f"{module.__name__.rpartition('.')[2]}.py", loader.get_data(spec.origin)


def _walk(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _walk(entry, f"{path}{entry.name}/")
        elif entry.name.endswith(".py"):
            yield f"{path}{entry.name}", entry.read_bytes()


def _plain_newlines(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
