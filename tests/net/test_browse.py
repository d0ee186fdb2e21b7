"""Which table a player means."""

from __future__ import annotations

import pytest

from sobremesa.net.finding.browse import is_meant
from sobremesa.net.finding.listing import Listing
from sobremesa.net.links.addresses import Address

TABLE = Listing(
    1, bytes(32), bytes.fromhex("4af1" * 8), "Kitchen", "dudo", "Dudo", 1, 3, True, "", "waiting",
    "Ana", (Address("127.0.0.1", 1),), 0.0,
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "meant"),
    [("kitchen", True), ("KITCHEN", True), ("Кitchen", True),
     (None, True), ("4af14af1", True), ("4AF14AF14a", True),
     ("4", False), ("4af14af", False), ("kit", False), ("1", False)],
)  # fmt: skip
def test_a_table_is_meant_by_its_name_or_enough_of_its_id(name: str | None, meant: bool) -> None:
    assert is_meant(TABLE, name) is meant
