"""Whole games among peers that trust nobody: same game for all, and nothing to object to."""

from __future__ import annotations

import pytest
from support.tabletop import Tabletop

from sobremesa.core.audit import audit
from sobremesa.plugins.intriga import GAME


@pytest.mark.parametrize(("peers", "seed"), [(2, 1), (3, 1), (4, 2)])
def test_peers_play_one_game_to_the_end_and_the_audit_accepts_it(peers: int, seed: int) -> None:
    tabletop = Tabletop(GAME, peers, seed=seed).run()
    assert {table.outcome for table in tabletop.tables} == {tabletop.tables[0].outcome}
    assert all(table.over for table in tabletop.tables)
    (transcript,) = tabletop.transcripts()
    report = audit(transcript, lambda name: GAME)
    assert (report.ok, report.trouble) == (True, None)
    assert report.outcome is not None
    assert report.outcome == tabletop.tables[0].outcome
