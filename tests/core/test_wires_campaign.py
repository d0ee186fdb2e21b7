"""A slice of the campaign over nasty wires."""

from __future__ import annotations

import pytest
from campaigns import wires


def test_a_slice_of_the_campaign_has_nothing_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert wires.main(["--games", "12", "--first", "100"]) == 0
    assert "0 wrong" in capsys.readouterr().out


def test_the_campaign_reports_what_is_wrong(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(wires, "honest_game", lambda number: "stuck" if number == 2 else None)
    monkeypatch.setattr(wires, "forked_game", lambda number: None)
    wires.honest_game.__name__ = "honest_game"
    wires.forked_game.__name__ = "forked_game"
    assert wires.main(["--games", "3"]) == 1
    assert "honest_game 2: stuck" in capsys.readouterr().out
