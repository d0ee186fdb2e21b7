"""Who is out, and the places: what several games have in common."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from sobremesa.core.requests import Gone, Request, Tell
from sobremesa.plugins.standing import Standing, leavers, ranked


def told(script: Generator[Request, Any, None]) -> list[dict[str, Any]]:
    return [request.event for request in script if isinstance(request, Tell)]


def test_who_goes_out_has_the_place_after_those_who_are_left() -> None:
    standing = Standing()
    assert told(standing.go_out(("Dan",), 3)) == [{"kind": "out", "seat": "Dan", "place": 4}]
    assert [event["place"] for event in told(standing.go_out(("Bea", "Cai"), 1))] == [2, 2]
    standing.rank(("Ana",))
    assert standing.places == (("Ana",), ("Bea", "Cai"), ("Dan",))
    assert standing.ranks() == {"Ana": 1, "Bea": 2, "Cai": 2, "Dan": 4}
    assert standing.over(("Ana",)).event == {
        "kind": "over", "winners": ["Ana"], "places": [["Ana"], ["Bea", "Cai"], ["Dan"]]
    }  # fmt: skip


def test_where_nobody_is_left_there_is_no_empty_first_place() -> None:
    standing = Standing(out=[("Bea",), ("Ana",)])
    standing.rank(())
    assert standing.places == (("Ana",), ("Bea",))


def test_seats_are_ranked_by_rising_key_and_equal_ones_share_a_place() -> None:
    lost = {"Ana": 2, "Bea": 0, "Cai": 2, "Dan": 1}
    assert ranked(lost, lost.__getitem__) == (("Bea",), ("Dan",), ("Ana", "Cai"))


def test_leavers_are_those_of_the_seats_who_are_gone() -> None:
    script = leavers(["Ana", "Cai"])
    assert next(script) == Gone()
    with pytest.raises(StopIteration) as ended:
        script.send(("Bea", "Cai"))
    assert ended.value.value == ("Cai",)
