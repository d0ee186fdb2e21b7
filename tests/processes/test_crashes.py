"""Peers that die (kill -9), and come back or do not: slices of the campaign of crashes."""

from __future__ import annotations

from pathlib import Path

from campaigns.crashes import crash


def test_who_dies_before_or_after_a_message_went_out_comes_back_to_the_same_game(
    tmp_path: Path,
) -> None:
    deaths, wrong = crash(tmp_path, "dudo", {"Bea": iter(["6", "9+"])})
    assert wrong == ""
    assert deaths == 2


def test_who_dies_and_is_not_back_is_gone_and_the_others_finish(tmp_path: Path) -> None:
    deaths, wrong = crash(tmp_path, "dudo", {"Ana": iter(["9"])}, for_good=True)
    assert wrong == ""
    assert deaths == 1
