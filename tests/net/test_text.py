"""Join codes, as people type them."""

from __future__ import annotations

import pytest

from sobremesa.core.errors import LocalError
from sobremesa.net.text import read_code


@pytest.mark.parametrize("text", ["123456", " 12-34 56", "١٢٣٤٥٦", "１２３４５６"])
def test_a_code_may_be_typed_in_groups_and_in_other_digits(text: str) -> None:
    assert read_code(text) == "123456"
    assert read_code(f"{text} 78") == "12345678"


@pytest.mark.parametrize(
    "text", ["", "12345", "1234567", "123456789", "12345x", "12345½", "१" * 7, "9" * 9999]
)
def test_what_is_no_code_is_refused(text: str) -> None:
    with pytest.raises(LocalError, match="a code is 6 or 8 digits"):
        read_code(text)
