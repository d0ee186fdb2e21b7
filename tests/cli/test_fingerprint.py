"""cli/words/fingerprint.py: a key in words that can be compared aloud."""

from __future__ import annotations

import re

from sobremesa.cli.words.fingerprint import fingerprint, proquints


def test_words_are_those_of_the_proposal() -> None:
    """The examples of Wilkerson 2009."""
    addresses = {
        (127, 0, 0, 1): "lusab-babad",
        (63, 84, 220, 193): "gutih-tugad",
        (140, 98, 193, 141): "mudof-sakat",
        (64, 255, 6, 200): "haguz-biram",
    }
    for address, words in addresses.items():
        assert proquints(bytes(address)) == words


def test_a_fingerprint_has_128_bits_and_every_bit_of_the_key_counts() -> None:
    key = bytes(range(32))
    assert re.fullmatch(r"([a-z]{5}-){7}[a-z]{5}", fingerprint(key))
    number = int.from_bytes(key, "big")
    others = [(number ^ 1 << bit).to_bytes(32, "big") for bit in range(256)]
    assert len({fingerprint(other) for other in (key, *others)}) == 257
