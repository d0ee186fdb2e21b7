"""Moments as objects for programs: what `--json` prints, one a line.

Rule 1: every object has `moment`, its kind; the other keys are the moment's own, views included.
Rule 2: bytes are fingerprints, in the words that are compared aloud.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from sobremesa.cli.session.moments import Absent, Moment
from sobremesa.core.game import Game
from sobremesa.core.pieces import Faces
from sobremesa.core.questions import Question

from .fingerprint import proquints


def moment_object(moment: Moment, faces: Faces, now: float) -> dict[str, Any]:
    """A moment as JSON-able values, for somebody who sees these faces; `now` by the loop's clock,
    which is nobody else's: seconds take the place of its times."""
    values = {field.name: _plain(getattr(moment, field.name), faces) for field in fields(moment)}
    if isinstance(moment, Absent):
        for value, absence in zip(values["absences"], moment.absences, strict=True):
            del value["since"], value["until"]
            left = None if absence.until is None else round(max(0.0, absence.until - now), 1)
            value |= {"seconds": round(max(0.0, now - absence.since), 1), "seconds_left": left}
    return {"moment": type(moment).__name__.lower(), **values}


def _plain(value: Any, faces: Faces) -> Any:
    """The value with nothing but lists, dicts, numbers, text and None in it."""
    match value:
        case Game():
            return value.id
        case Question():
            return _question(value, faces)
        case dict():
            return {str(key): _plain(item, faces) for key, item in value.items()}
        case bytes():
            return proquints(value)
        case tuple() | list():
            return [_plain(item, faces) for item in value]
        case _ if is_dataclass(value):
            kind = type(value).__name__.lower()
            return {"kind": kind} | {
                f.name: _plain(getattr(value, f.name), faces) for f in fields(value)
            }
        case _:
            return value


def _question(question: Question, faces: Faces) -> dict[str, Any]:
    return {
        "text": question.text,
        "default": question.write(question.late(faces), faces),
        "moves": [
            {
                "id": move.id,
                "label": move.label,
                "notation": move.notation[0],
                "hotkey": move.hotkey,
                "hint": move.hint,
                "disabled": move.disabled,
            }
            for move in question.moves(faces)
        ],
    }
