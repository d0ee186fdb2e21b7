"""Which part of a game broke, and where: said once, in one line, to whoever runs it or wrote it.

Rule 1: whatever a game's own code raises, a script, a view, a bot or a word, is a `PartBroke`; what
the table has to say passes as it is.
Rule 2: only the machine on which it broke reads why. An exception's own text may name what a seat
holds, so others are told the place alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from traceback import walk_tb
from types import CodeType, FrameType, GeneratorType
from typing import Any

from .errors import ScriptError, SobremesaError

HOUSE = (
    "sobremesa.core", "sobremesa.net", "sobremesa.cli", "sobremesa.plugins.check",
    "sobremesa.plugins.loader", "copy", "importlib", "pluggy",
)  # fmt: skip
"""The modules that call a game's code."""

MOST_TEXT = 200
"""Characters of an exception's own text that are shown."""


class PartBroke(ScriptError):
    """A part of a game broke, such as its "rules" or its "view": at `place`, if that is known, as
    `why` says."""

    def __init__(self, game: str, part: str, why: str, place: str) -> None:
        what = f"the {part} of {game} broke"
        super().__init__(f"{what} ({place}: {why})" if place else f"{what} ({why})")
        self.shared = f"{what} ({place})" if place else what


@contextmanager
def own_code(game: str, part: str) -> Iterator[None]:
    """Around every call of a game's own code.

    :raises PartBroke: if that raises anything but a `SobremesaError`
    """
    try:
        yield
    except SobremesaError:
        raise
    except Exception as error:
        raise broke(game, part, error) from error


def broke(game: str, part: str, error: Exception) -> PartBroke:
    """What an exception from a game's own code is."""
    text = " ".join(str(error).split())[:MOST_TEXT]
    kind = type(error).__name__
    return PartBroke(game, part, f"{kind}: {text}" if text else kind, place_of(error))


def place_of(error: BaseException) -> str:
    """The file and line of a plugin's own code that is nearest to an exception, or nothing."""
    own = [
        (frame.f_globals["__name__"], frame.f_code, line)
        for frame, line in walk_tb(error.__traceback__)
        if _is_own(frame)
    ]
    if not own:
        return ""
    package = own[0][0].rpartition(".")[0] or own[0][0]
    inside = [place for place in own if f"{place[0]}.".startswith(f"{package}.")]
    return _named(*inside[-1])


def place_in(script: Any) -> str:
    """The file and line at which a generator rests, or nothing when it has ended."""
    while isinstance(getattr(script, "gi_yieldfrom", None), GeneratorType):
        script = script.gi_yieldfrom
    frame = getattr(script, "gi_frame", None)
    return _named(frame.f_globals["__name__"], frame.f_code, frame.f_lineno) if frame else ""


def _is_own(frame: FrameType) -> bool:
    module = frame.f_globals.get("__name__", "")
    return bool(module) and not any(f"{module}.".startswith(f"{room}.") for room in HOUSE)


def _named(module: str, code: CodeType, line: int | None) -> str:
    parts = code.co_filename.replace("\\", "/").split("/")
    of_module = module.count(".") + 1 + (parts[-1] == "__init__.py")
    return f"{'/'.join(parts[-of_module:])}, line {line}"
