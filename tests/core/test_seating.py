"""The order round the table."""

from __future__ import annotations

import pytest

from sobremesa.core.seating import clockwise, from_left_of

SEATS = ("Ana", "Bea", "Cai")


@pytest.mark.parametrize(
    ("seat", "on", "left"),
    [
        ("Ana", ("Ana", "Bea", "Cai"), ("Bea", "Cai", "Ana")),
        ("Bea", ("Bea", "Cai", "Ana"), ("Cai", "Ana", "Bea")),
        ("Cai", ("Cai", "Ana", "Bea"), ("Ana", "Bea", "Cai")),
    ],
)
def test_once_round_the_table(seat: str, on: tuple[str, ...], left: tuple[str, ...]) -> None:
    assert clockwise(SEATS, seat) == on
    assert from_left_of(SEATS, seat) == left


def test_seat_that_is_not_here_has_no_place() -> None:
    with pytest.raises(ValueError, match="not in"):
        clockwise(SEATS, "Dan")
