"""A slice of fault 9; `tests/campaigns/faults.py` goes through all bytes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from support.peers.harm import BYTE_HARMS, FRAME_HARMS, ByteHarm, FrameHarm, play_harmed


@pytest.fixture(autouse=True)
def on_this_machine_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOBREMESA_LOOPBACK", "1")


@pytest.mark.parametrize("at", [0, 5, 600, 1200])
@pytest.mark.parametrize("kind", BYTE_HARMS)
def test_harm_to_the_bytes_of_a_link_changes_nothing(kind: str, at: int, tmp_path: Path) -> None:
    result = asyncio.run(play_harmed(tmp_path, 2, ByteHarm(kind, at)))
    assert result.harmed
    assert result.same
    assert result.losses == ()


@pytest.mark.parametrize("at", [0, 3, 11])
@pytest.mark.parametrize("kind", FRAME_HARMS)
def test_harm_to_the_frames_of_a_link_changes_nothing(kind: str, at: int, tmp_path: Path) -> None:
    result = asyncio.run(play_harmed(tmp_path, 3, FrameHarm(kind, at)))
    assert result.harmed
    assert result.same
    assert result.losses == ()
