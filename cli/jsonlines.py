"""Moments as objects for programs: what `--json` prints, one a line.

Rule 1: every object has `moment`, its kind; the other keys are the moment's own, views included.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from sobremesa.core.game import Game
from sobremesa.core.questions import Question

from .session import Moment


def moment_object(moment: Moment) -> dict[str, Any]:
    """A moment as JSON-able values."""
    values = {field.name: _plain(getattr(moment, field.name)) for field in fields(moment)}
    return {"moment": type(moment).__name__.lower(), **values}


def _plain(value: Any) -> Any:
    """The value with nothing but lists, dicts, numbers, text and None in it."""
    match value:
        case Game():
            return value.id
        case Question():
            return _question(value)
        case dict():
            return {str(key): _plain(item) for key, item in value.items()}
        case tuple() | list():
            return [_plain(item) for item in value]
        case _ if is_dataclass(value):
            kind = type(value).__name__.lower()
            return {"kind": kind} | {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
        case _:
            return value


def _question(question: Question) -> dict[str, Any]:
    return {
        "text": question.text,
        "default": question.write(question.default),
        "moves": [
            {
                "id": move.id,
                "label": move.label,
                "notation": move.notation[0],
                "hotkey": move.hotkey,
                "hint": move.hint,
                "disabled": move.disabled,
            }
            for move in question.moves()
        ],
    }
