"""core/encoding.py and signatures: one meaning for bytes, fair numbers, pinned answers."""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sobremesa.core.encoding import Rand, below, blocks, digest, frame, pack, unpack
from sobremesa.core.replica.transcript import signed_by

Item = bytes | str | int
ITEMS = st.lists(st.one_of(st.binary(max_size=40), st.text(max_size=10), st.integers(0, 2**255)))
PLAIN = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**63), 2**64 - 1),
        st.binary(),
        st.text(max_size=20),
    ),
    lambda inner: st.lists(inner, max_size=5),
    max_leaves=20,
)


def parts(framed: bytes) -> list[bytes]:
    """The items of a frame, read back by their lengths."""
    found = []
    while framed:
        size = int.from_bytes(framed[:4], "big")
        found.append(framed[4 : 4 + size])
        framed = framed[4 + size :]
    return found


@given(st.text(max_size=8), ITEMS)
def test_frame_can_be_read_back_so_no_two_lists_share_one(tag: str, items: list[Item]) -> None:
    raw = [
        item.to_bytes(32, "big")
        if isinstance(item, int)
        else item.encode()
        if isinstance(item, str)
        else item
        for item in items
    ]
    assert parts(frame(tag, *items)) == [b"sobremesa/v1/" + tag.encode(), *raw]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((b"ab", b"c"), (b"a", b"bc")),
        ((b"",), ()),
        ((b"", b"a"), (b"a", b"")),
        ((1, 2), (2, 1)),
        ((b"a",), (b"a", b"")),
    ],
)
def test_items_do_not_run_together(one: tuple[Item, ...], other: tuple[Item, ...]) -> None:
    assert digest("t", *one) != digest("t", *other)
    assert digest("t", *one) != digest("u", *one)


def test_frame_has_no_place_for_a_number_that_does_not_fit() -> None:
    with pytest.raises(OverflowError):
        frame("t", 2**256)
    with pytest.raises(OverflowError):
        frame("t", -1)


def test_digest_of_a_fixed_frame_is_pinned() -> None:
    framed = (
        b"\0\0\0\x11sobremesa/v1/test"
        b"\0\0\0\x03abc"
        b"\0\0\0\x20" + bytes(31) + b"\x07" + b"\0\0\0\x02\xc3\xa9"
    )
    assert frame("test", b"abc", 7, "é") == framed
    assert digest("test", b"abc", 7, "é") == hashlib.sha512(framed).digest()
    assert digest("test").hex()[:32] == "a13de678ca0384fba59c4505f3209fe8"


@given(PLAIN)
def test_a_value_comes_back_as_it_was_packed(value: object) -> None:
    assert unpack(pack(value)) == value


@given(PLAIN, st.data())
def test_a_value_has_no_second_encoding(value: object, data: st.DataObject) -> None:
    packed = pack(value)
    other = bytearray(packed)
    index = data.draw(st.integers(0, len(other) - 1))
    other[index] ^= data.draw(st.integers(1, 255))
    try:
        found = unpack(bytes(other))
    except ValueError:
        return
    assert pack(found) == other
    assert (found, type(found)) != (value, type(value)) or repr(found) != repr(value)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xcc\x01",  # 1 in two bytes
        b"\xcd\x00\x01",
        b"\xd9\x01a",  # a short text with a long header
        b"\xdc\x00\x01\x01",
        b"\x01\x01",  # two values
        b"\x92\x01",  # cut short
        b"\xa1\xff",  # no UTF-8
        b"\xc1",
        b"\x91" * 5000 + b"\x01",
        b"\xdd\xff\xff\xff\xff",
        b"\x81\x01\x02",  # a map with a number for a key
    ],
)
def test_only_the_canonical_form_is_read(data: bytes) -> None:
    with pytest.raises(ValueError, match="canonical"):
        unpack(data)


@given(st.binary(max_size=200))
def test_rubbish_is_a_value_error_or_canonical(data: bytes) -> None:
    try:
        value = unpack(data)
    except ValueError:
        return
    assert msgpack.packb(value, use_bin_type=True) == data


def test_below_rejects_what_would_favour_small_numbers() -> None:
    top = (1 << 512) - 1
    assert (1 << 512) % 3 == 1
    assert below(3, iter([top, 5])) == 2, "the last number has no full set of three and is rejected"
    assert below(3, iter([top - 1])) == 2
    assert below(1, iter([top])) == 0
    assert below(2, iter([top])) == 1, "no power of two needs a rejection"


@pytest.mark.parametrize(("n", "critical"), [(2, 10.83), (6, 20.52), (8, 24.32), (49, 85.4)])
def test_below_is_uniform(n: int, critical: float) -> None:
    draws = 3000
    stream = blocks(b"key of the test", "uniform", n)
    counts = Counter(below(n, stream) for _ in range(draws))
    expected = draws / n
    chi_square = sum((counts[i] - expected) ** 2 / expected for i in range(n))
    assert set(counts) == set(range(n))
    assert chi_square < critical, "beyond the 0.1 % point of the distribution"


def test_streams_of_two_statements_have_nothing_in_common() -> None:
    one, other = blocks(b"key", "dice", "Ana"), blocks(b"key", "dice", "Bea")
    assert not set(itertools.islice(one, 50)) & set(itertools.islice(other, 50))


def test_stream_is_hmac_of_statement_and_counter() -> None:
    first, second = itertools.islice(blocks(b"key", "x"), 2)
    assert first.to_bytes(64, "big").hex()[:32] == "c969217fbb40fa29e356e06890372610"
    assert second.to_bytes(64, "big").hex()[:32] == "ba8ee45f2e8ce2b5bda6c8e4a5b06c77"


def test_rand_gives_each_statement_its_own_secret_and_always_the_same() -> None:
    rand = Rand(b"s" * 32)
    assert rand.secret("toss", b"c") == Rand(b"s" * 32).secret("toss", b"c")
    assert rand.secret("toss", b"c") != rand.secret("toss", b"d")
    assert rand.secret("toss", b"c") != Rand(b"t" * 32).secret("toss", b"c")
    assert rand.secret("toss", b"c").hex()[:32] == "a9936ee2fd26a1e30595e70720ec3868"


# RFC 8032, section 7.1, tests 1 to 3: public key, message, signature.
RFC_8032 = [
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]


@pytest.mark.parametrize(("key", "message", "signature"), RFC_8032)
def test_signatures_are_those_of_rfc_8032(key: str, message: str, signature: str) -> None:
    good = bytes.fromhex(key), bytes.fromhex(message), bytes.fromhex(signature)
    assert signed_by(*good)
    for place in range(64):
        bad = bytearray(good[2])
        bad[place] ^= 1
        assert not signed_by(good[0], good[1], bytes(bad))
    assert not signed_by(good[0], good[1] + b"x", good[2])
    assert not signed_by(good[0], good[1], good[2][:63])
    assert not signed_by(b"short", good[1], good[2])
