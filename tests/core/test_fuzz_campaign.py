"""A slice of the campaign over all that comes from elsewhere."""

from __future__ import annotations

import random

import pytest
from campaigns import fuzz

from sobremesa.core.encoding import pack


def test_a_slice_of_the_campaign_has_nothing_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz.main(["--rounds", "60"]) == 0
    assert "0 wrong" in capsys.readouterr().out


def test_the_campaign_reports_an_undocumented_error_and_what_takes_too_much(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def breaks(rng: random.Random, number: int) -> None:
        raise KeyError("nobody expects it")

    def fills(rng: random.Random, number: int) -> None:
        bytearray(fuzz.MOST_MEMORY + 1)

    targets = [fuzz.Target("breaks", breaks), fuzz.Target("fills", fills)]
    monkeypatch.setattr(fuzz, "targets", lambda home: targets)
    assert fuzz.main(["--rounds", "1"]) == 1
    told = capsys.readouterr().out
    assert "breaks 0: KeyError (undocumented)" in told
    assert "fills 0: 16 MiB of memory" in told


def test_mutations_by_form_are_packed_values_but_for_what_is_put_in_raw() -> None:
    sample = pack(["kind", [1, b"x", "y"], None])
    assert fuzz.write(["kind", [1, b"x", "y"], None]) == sample
    assert fuzz.write([1, fuzz.Raw(b"\xcb" + bytes(8))]) == b"\x92\x01\xcb" + bytes(8)
    found = {fuzz.by_form(random.Random(number), sample) for number in range(200)}
    assert len(found) > 100
