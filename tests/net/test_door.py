"""A slice of the door campaign: whatever strangers do, guests come in and the game comes back."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

if sys.platform != "linux":
    pytest.skip("needs many loopback addresses", allow_module_level=True)

from campaigns.door import SOURCES, siege


@pytest.mark.parametrize("kind", SOURCES)
def test_guests_come_in_and_a_game_comes_back_while_strangers_besiege_the_door(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOBREMESA_LOOPBACK", "1")
    result = asyncio.run(siege(kind, 3, tmp_path))
    assert (len(result.joins), len(result.probes)) == (3, 3)
    assert result.faults() == []
