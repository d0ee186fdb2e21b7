"""The group: known answers, arithmetic, and the door for points and scalars from elsewhere."""

from __future__ import annotations

import hashlib
from functools import partial
from itertools import islice
from typing import Any

import nacl.bindings as sodium
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from sobremesa.core.crypto import group
from sobremesa.core.crypto.group import (
    NEUTRAL,
    G,
    Q,
    add,
    base,
    hash_to_point,
    hash_to_scalar,
    multiply,
    read_point,
    read_scalar,
    scalars,
    subtract,
    total,
    write_scalar,
)
from sobremesa.core.crypto.shuffle import generator
from sobremesa.core.replica.ledger import face_point

RFC_8032 = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
    ),
    (
        "f5e5767cf153319517630f226876b86c8160cc583bc013744c6bf255f5cc0ee5",
        "278117fc144c72340f67d0f2316e8386ceffbf2b2428c9c51fef7c597f1d426e",
    ),
]
"""§7.1: tests 1, 2, 3 and 1024, secret and public key."""


@pytest.mark.parametrize(("secret", "public"), RFC_8032)
def test_public_keys_of_rfc_8032(secret: str, public: str) -> None:
    clamped = bytearray(hashlib.sha512(bytes.fromhex(secret)).digest()[:32])
    clamped[0] &= 248
    clamped[31] = clamped[31] & 63 | 64
    number = int.from_bytes(clamped, "little")
    assert base(number).hex() == public
    assert multiply(number, G).hex() == public
    signer = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret))
    assert signer.public_key().public_bytes_raw().hex() == public


def test_base_point_is_that_of_rfc_8032() -> None:
    assert G.hex() == "58" + "66" * 31
    assert multiply(Q, G) == NEUTRAL
    assert multiply(Q - 1, G) == subtract(NEUTRAL, G)


PINNED_GENERATORS = [
    "74e22a37c883c952c607e32f071e54af485ff47e5caf8dd89b0c5dcaabc7a31f",
    "eec235538c6f7c8b831f3b9c09f47bb86a0c4429e263f9f501d6850f5e0d98d7",
    "ff0c123c3c0e7753e06ded43a5205df6284ce8a6a5c6888616a0309bf2ee4a68",
    "bd9937dd97710c8744a1e4a9302dc948d71ba06e948d26f22a36c9ef2783d403",
]
PINNED_FACES = {
    ("flowers", "lily"): "f31e9fd8c00a4c36d2d42e7aedd43840acc39ef471eff59e1d9da1a7514de9cf",
    ("flowers", "oak"): "5f2c72f9858f9e869a054774e84bf819352383a72f64b53150f4a826815455ca",
    ("cinco_vidas", "KH"): "a76014326f399b24a1dfd0aa561a4fe56cd4a6723806d6916dbf04ba08066a45",
    ("intriga", "lady"): "676e9851ac5b915590a310625f6f2f5aeafa174cce8caee55b0a0e45c86ea497",
}
PINNED_SCALARS = [
    1385835265042475475761434547539043940726627613499499249932083640745784674785,
    5207797102277490096062982845931260109849263637322466314561651840192795877556,
    342527664852219265242054742530737432571397087430377813258732748976999200902,
    6387632158240709608432481462942766026976645458621472642511879818829177465219,
    6406916195317931935831622290929037035564926014328932943524530211835039147823,
]


def test_generators_are_pinned() -> None:
    assert [generator(index).hex() for index in range(4)] == PINNED_GENERATORS


def test_points_of_faces_are_pinned() -> None:
    for (game, face), point in PINNED_FACES.items():
        assert face_point(game, face).hex() == point


def test_scalars_by_hash_are_pinned() -> None:
    found = [hash_to_scalar("pin"), hash_to_scalar("pin", 1), hash_to_scalar("pin", "1", b"1")]
    assert found == PINNED_SCALARS[:3]
    assert list(islice(scalars(b"k" * 32, "pin", 7), 2)) == PINNED_SCALARS[3:]


def test_no_two_points_by_hash_are_the_same() -> None:
    points = [generator(index) for index in range(120)]
    points += [face_point(game, f"{n}") for game in ("a", "b") for n in range(60)]
    points += [hash_to_point("card", "ab", "c"), hash_to_point("card", "a", "bc")]
    assert len({*points, G, NEUTRAL}) == len(points) + 2
    for point in points[::7]:
        assert read_point(point) == point


numbers = st.one_of(st.integers(0, 3), st.integers(Q - 3, Q + 3), st.integers(0, 2**256))


@settings(max_examples=40, deadline=None)
@given(numbers, numbers)
def test_group_obeys_its_laws(x: int, y: int) -> None:
    h = generator(1)
    assert add(multiply(x, h), multiply(y, h)) == multiply(x + y, h)
    assert subtract(multiply(x, h), multiply(y, h)) == multiply(x - y, h)
    assert multiply(x, multiply(y, h)) == multiply(x * y, h)
    assert base(x) == multiply(x, G)
    assert add(base(x), multiply(y, h)) == add(multiply(y, h), base(x))
    assert total([base(x), multiply(y, h), base(y)]) == add(base(x + y), multiply(y, h))


def test_neutral_point_is_neutral_everywhere() -> None:
    h = generator(1)
    assert multiply(0, h) == multiply(5, NEUTRAL) == base(0) == base(Q) == total([]) == NEUTRAL
    assert add(h, NEUTRAL) == add(NEUTRAL, h) == subtract(h, NEUTRAL) == total([NEUTRAL, h]) == h
    assert subtract(h, h) == total([h, subtract(NEUTRAL, h)]) == NEUTRAL


SMALL_ORDER = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
]
"""All points of order 1, 2, 4 and 8."""


def test_points_outside_the_prime_order_subgroup_are_refused() -> None:
    for text in SMALL_ORDER:
        with pytest.raises(ValueError, match="not a point of the group"):
            read_point(bytes.fromhex(text))
    for text in SMALL_ORDER[1:]:
        mixed = add(generator(1), bytes.fromhex(text))
        with pytest.raises(ValueError, match="not a point of the group"):
            read_point(mixed)


def test_points_that_are_not_canonical_are_refused() -> None:
    p = 2**255 - 19
    for y in range(19):
        for sign in (0, 1 << 255):
            with pytest.raises(ValueError, match="not a point of the group"):
                read_point((y + p | sign).to_bytes(32, "little"))


def test_about_half_of_all_bytes_are_no_point_and_none_but_points_pass() -> None:
    passed = 0
    for number in range(400):
        data = hashlib.sha256(b"%d" % number).digest()
        try:
            point = read_point(data)
        except ValueError:
            continue
        passed += 1
        assert multiply(Q - 1, point) == subtract(NEUTRAL, point)
    assert 5 <= passed <= 60, "one in two is on the curve, of these one in eight in the subgroup"


WRONG_TYPES: list[Any] = [None, 0, 1.5, "", "x" * 32, [], {}, bytearray(32), b"", b"x" * 31, True]
WRONG_TYPES += [bytes(33), bytes(100_000), [b"x" * 32]]


@pytest.mark.parametrize("value", WRONG_TYPES, ids=lambda value: str(value)[:12])
def test_anything_else_is_neither_point_nor_scalar(value: Any) -> None:
    with pytest.raises(ValueError, match="not a point"):
        read_point(value)
    with pytest.raises(ValueError, match="not a scalar"):
        read_scalar(value)


def test_scalars_have_one_form() -> None:
    for number in (0, 1, Q - 1):
        assert read_scalar(write_scalar(number)) == number
    for number in (Q, Q + 1, 2**253, 2**256 - 1):
        with pytest.raises(ValueError, match="not a reduced scalar"):
            read_scalar(number.to_bytes(32, "little"))


def test_secret_scalars_follow_from_key_and_statement() -> None:
    def first(key: bytes, *statement: bytes | int | str) -> int:
        return next(scalars(key, *statement))

    key = b"k" * 32
    assert first(key, "a", 1) == first(key, "a", 1)
    different = [first(key, "a", 1), first(key, "a", 2), first(key, "b", 1), first(b"l" * 32, "a")]
    different += [first(key, "a"), first(key, "a", b"1"), first(key, "a1")]
    different += list(islice(scalars(key, "a", 1), 1, 9))
    assert len(set(different)) == len(different)
    assert all(0 < number < Q for number in different)


def test_a_libsodium_that_takes_points_of_mixed_order_is_not_worked_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    group.expect_sound_library()
    valid = sodium.crypto_core_ed25519_is_valid_point
    mixed = add(G, group.TORSION)
    for taken in (mixed, group.TORSION):
        monkeypatch.setattr(
            sodium,
            "crypto_core_ed25519_is_valid_point",
            partial(lambda taken, point: point == taken or valid(point), taken),
        )
        with pytest.raises(group.UnsoundLibrary, match="update PyNaCl"):
            group.expect_sound_library()
