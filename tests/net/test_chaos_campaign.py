"""A slice of the campaign of chaos: short games, gentle and wild, with and without a liar."""

from __future__ import annotations

import pytest
from campaigns import chaos


def test_a_slice_of_the_campaign_has_nothing_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert chaos.main(["--games", "12", "--of", "dudo"]) == 0
    told = capsys.readouterr().out
    assert "12 games" in told
    assert "0 wrong" in told
    assert "gentle, finished" in told


def test_cards_are_lost_and_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert chaos.main(["--first", "2", "--games", "2", "--of", "intriga"]) == 0
    assert "0 wrong" in capsys.readouterr().out


def test_the_campaign_reports_what_is_wrong(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Fork(chaos.Chaos):
        def play(self) -> None:
            self.wrong.append("Ana and Bea have two heads for step 3")

    monkeypatch.setattr(chaos, "Chaos", Fork)
    assert chaos.main(["--games", "1", "--of", "dudo"]) == 1
    told = capsys.readouterr().out
    assert "Ana and Bea have two heads for step 3" in told
    assert "1 wrong" in told
