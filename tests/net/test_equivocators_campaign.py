"""A slice of the campaign of equivocators."""

from __future__ import annotations

import pytest
from campaigns import equivocators


def test_a_slice_of_the_campaign_has_nothing_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert equivocators.main(["--tables", "40"]) == 0
    told = capsys.readouterr().out
    assert "equivocators named" in told
    assert "wrong" not in told


def test_the_campaign_reports_what_is_wrong(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(equivocators, "play", lambda number: ("wrong", "Ana names Bea"))
    assert equivocators.main(["--tables", "2"]) == 1
    assert "table 1: Ana names Bea" in capsys.readouterr().out
