"""The linear proof: it holds for what is true and for nothing that differs from it anywhere."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sobremesa.core.crypto.group import NEUTRAL, G, Q, add, base, multiply, total, write_scalar
from sobremesa.core.crypto.proof import Row, prove, verify
from sobremesa.core.crypto.shuffle import generator
from sobremesa.core.crypto.slices import SLICE, Work, finish, in_slices

CONTEXT = b"a context"
KEY = b"k" * 32


def make_rows(shape: list[list[tuple[int, int]]], secrets: list[int]) -> list[Row]:
    """Rows that hold: each a list of (which secret, which generator; 0 is G)."""
    rows: list[Row] = []
    for terms in shape:
        points = [(k, G if index == 0 else generator(index)) for k, index in terms]
        rows.append((total(multiply(secrets[k], point) for k, point in points), points))
    return rows


def proven(rows: list[Row], secrets: list[int], key: bytes = KEY) -> bytes:
    return finish(prove(CONTEXT, rows, secrets, key))


def holds(rows: list[Row], proof: Any, context: bytes = CONTEXT) -> bool:
    return finish(verify(context, rows, proof))


SECRETS = [5, Q - 1, 2**200 + 7]
SHAPE = [[(0, 0)], [(1, 0), (0, 1)], [(2, 2), (1, 0), (0, 3)]]


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_proof_of_true_rows_holds(data: st.DataObject) -> None:
    secrets = data.draw(st.lists(st.one_of(st.integers(0, 2), st.integers(0, Q - 1)), min_size=1))
    secrets = secrets[:5]
    every = [(k, 1) for k in range(len(secrets))]
    term = st.tuples(st.integers(0, len(secrets) - 1), st.integers(0, 4))
    shape = data.draw(st.lists(st.lists(term, min_size=1, max_size=6), min_size=1, max_size=6))
    rows = make_rows([*shape, every], secrets)
    proof = proven(rows, secrets)
    assert len(proof) == 32 * (1 + len(secrets))
    assert holds(rows, proof)


def test_same_statement_gives_the_same_proof_and_another_gives_other_noise() -> None:
    """Two answers with one noise would give the secret away."""
    rows = make_rows(SHAPE, SECRETS)
    one = proven(rows, SECRETS)
    assert proven(rows, SECRETS) == one

    def noise(proof: bytes) -> list[int]:
        numbers = [int.from_bytes(proof[at : at + 32], "little") for at in range(0, len(proof), 32)]
        c, *answers = numbers
        return [(z - c * x) % Q for z, x in zip(answers, SECRETS, strict=True)]

    others = [
        finish(prove(b"another context", rows, SECRETS, KEY)),
        proven(rows[:2] + make_rows([[(2, 4)]], SECRETS), SECRETS),
        proven(rows, SECRETS, b"l" * 32),
    ]
    for other in others:
        assert not set(noise(one)) & set(noise(other))


def test_secrets_are_not_in_the_proof() -> None:
    rows = make_rows(SHAPE, SECRETS)
    proof = proven(rows, SECRETS)
    assert not any(write_scalar(secret) in proof for secret in SECRETS)


def test_no_changed_bit_of_a_proof_passes() -> None:
    rows = make_rows(SHAPE, SECRETS)
    proof = proven(rows, SECRETS)
    for bit in range(0, len(proof) * 8, 3):
        changed = bytearray(proof)
        changed[bit // 8] ^= 1 << bit % 8
        assert not holds(rows, bytes(changed)), bit


def test_no_changed_statement_passes() -> None:
    rows = make_rows(SHAPE, SECRETS)
    proof = proven(rows, SECRETS)
    (y0, t0), (y1, t1), (y2, t2) = rows
    h = generator(9)
    wrong: list[list[Row]] = [
        rows[:2],
        rows[::-1],
        [*rows, rows[0]],
        [(y1, t0), (y0, t1), (y2, t2)],
        [(add(y0, G), t0), *rows[1:]],
        [(multiply(2, y0), [(k, multiply(2, p)) for k, p in t0]), *rows[1:]],
        [(y0, [(1, p) for _, p in t0]), *rows[1:]],
        [rows[0], (y1, t1[::-1]), rows[2]],
        [rows[0], (y1, t1[:1]), rows[2]],
        [rows[0], (y1, [t1[0], (0, h)]), rows[2]],
        [rows[0], (add(y1, y0), [*t1, *t0]), rows[2]],
        [rows[0], (y1, [*t1, (2, NEUTRAL)]), rows[2]],
        [*rows[:2], (NEUTRAL, t2)],
    ]
    for number, changed in enumerate(wrong):
        assert not holds(changed, proof), number
    assert not holds(rows, proof, context=b"another context")
    assert not holds(rows, proof, context=b"")


def test_proof_of_more_or_fewer_secrets_is_refused() -> None:
    rows = make_rows(SHAPE, SECRETS)
    proof = proven(rows, SECRETS)
    assert not holds(rows, proof[:-32])
    assert not holds(rows, proof + bytes(32)), "not even of a secret that no row names"


def test_proof_of_rows_that_do_not_hold_fails() -> None:
    for row in range(3):
        rows = make_rows(SHAPE, SECRETS)
        rows[row] = (add(rows[row][0], G), rows[row][1])
        assert not holds(rows, proven(rows, SECRETS)), row
    rows = make_rows(SHAPE, SECRETS)
    for wrong in ([6, *SECRETS[1:]], SECRETS[::-1], [0, 0, 0]):
        assert not holds(rows, proven(rows, wrong))


def test_one_secret_in_two_rows_is_one() -> None:
    """Rows that share a k cannot be met with two values, even by who knows both."""
    rows: list[Row] = [(base(5), [(0, G)]), (multiply(6, generator(1)), [(0, generator(1))])]
    assert not holds(rows, proven(rows, [5]))
    assert not holds(rows, proven(rows, [6]))


def test_simulated_transcript_with_a_chosen_challenge_fails() -> None:
    """Who picks c first gets masks that fit, but not their hash."""
    y = generator(1)
    for number in range(20):
        rng = random.Random(number)
        proof = write_scalar(rng.randrange(Q)) + write_scalar(rng.randrange(Q))
        assert not holds([(y, [(0, G)])], proof)


def test_unreduced_scalars_are_refused() -> None:
    rows: list[Row] = [(base(5), [(0, G)])]
    proof = proven(rows, [5])
    for at in (0, 32):
        number = int.from_bytes(proof[at : at + 32], "little") + Q
        again = proof[:at] + number.to_bytes(32, "little") + proof[at + 32 :]
        assert not holds(rows, again)


@pytest.mark.parametrize(
    "proof",
    [
        *(None, 0, 1.5, True, "", "x" * 64, [], [b"x" * 64], {}, bytearray(64)),
        *(b"", bytes(63), bytes(64), bytes(65), b"\xff" * 64, bytes(100_000)),
    ],
    ids=lambda value: str(value)[:20],
)
def test_anything_else_is_no_proof_and_raises_nothing(proof: Any) -> None:
    assert not holds([(base(5), [(0, G)])], proof)


def test_neutral_points_in_a_statement_raise_nothing() -> None:
    rows: list[Row] = [(NEUTRAL, [(0, G)]), (NEUTRAL, [(0, NEUTRAL)])]
    assert holds(rows, proven(rows, [0]))
    assert not holds(rows, proven(rows, [1]))


@pytest.mark.parametrize("count", [0, 1, 15, 16, 17, 48])
def test_parts_are_made_in_slices(count: int) -> None:
    made: list[int] = []

    def part(number: int) -> int:
        made.append(number)
        return number

    rests: list[int] = []

    def watched() -> Work[None]:
        parts = in_slices(part(number) for number in range(count))
        for rest in parts:
            rests.append(len(made))
            yield rest

    finish(watched())
    assert made == list(range(count))
    assert rests == [*range(SLICE, count + 1, SLICE), count]
