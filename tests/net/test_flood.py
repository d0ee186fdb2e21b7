"""A slice of the flood campaign: silent strangers keep nobody from the table."""

from __future__ import annotations

import asyncio
import sys

import pytest

if sys.platform != "linux":
    pytest.skip("needs many loopback addresses and /proc", allow_module_level=True)

from campaigns.flood import MOST_ANSWERING, MOST_WAITING, flood


def test_a_guest_joins_and_another_plays_on_while_strangers_flood_the_gate() -> None:
    result = asyncio.run(flood(seconds=4, count=400, rate=200, sources=7, files=256))
    assert result.strangers >= 800
    assert result.faults() == []


def test_a_table_that_ran_out_of_files_plays_on_and_recovers() -> None:
    flooded = flood(seconds=4, count=200, rate=200, sources=20, files=32, join_after=True)
    result = asyncio.run(flooded)
    assert result.strangers >= 400
    assert max(result.answers) < MOST_ANSWERING
    assert max(result.joins) < 2 * MOST_WAITING
