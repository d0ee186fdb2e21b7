"""docs/threats.md: each line of its tables names the tests that show it, and these are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "threats.md").read_text("utf-8")
NAMED = re.compile(r"`(tests/[a-z_/]+\.py)::(test_\w+)`")


def test_every_line_of_a_table_names_its_test() -> None:
    rows = [line for line in TEXT.splitlines() if line.startswith("|")]
    told = [row for row in rows if not row.startswith(("| a peer", "|---"))]
    assert len(told) > 30
    assert [row for row in told if not NAMED.search(row)] == []


def test_every_test_that_is_named_is_there() -> None:
    named = NAMED.findall(TEXT)
    assert len(named) > 50
    there = {path: (ROOT / path).read_text("utf-8") for path, _ in named}
    assert [name for path, name in named if f"def {name}(" not in there[path]] == []
