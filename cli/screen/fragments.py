"""Lines as prompt_toolkit wants them: roles become classes of the one style table.

Rule 1: fragments only, never `HTML` or `ANSI`, so that no text can style itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from prompt_toolkit.formatted_text import StyleAndTextTuples

from sobremesa.cli.draw.cells import Line


def fragments(lines: Sequence[Line]) -> StyleAndTextTuples:
    """Lines as one text."""
    found: StyleAndTextTuples = []
    for place, line in enumerate(lines):
        if place:
            found.append(("", "\n"))
        found.extend((_classes(role), text) for role, text in line)
    return found


def _classes(role: str) -> str:
    return " ".join(f"class:{name}" for name in role.split())
