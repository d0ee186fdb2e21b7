"""A slice of the door campaign: whatever strangers do, guests come in and the game comes back.

Rule 1: guessers cost the machine their own time, so who comes in under them when is a figure of the
campaign; their budget and the order at the door are tested without a clock (`test_listen`).
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

if sys.platform != "linux":
    pytest.skip("needs many loopback addresses", allow_module_level=True)

from campaigns.door import SOURCES, siege


@pytest.mark.parametrize("kind", [kind for kind in SOURCES if kind != "guess"])
def test_guests_come_in_and_a_game_comes_back_while_strangers_besiege_the_door(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOBREMESA_LOOPBACK", "1")
    result = asyncio.run(siege(kind, 3, tmp_path))
    assert (len(result.joins), len(result.probes)) == (3, 3)
    assert result.faults() == []
