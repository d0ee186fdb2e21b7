"""The one proof: knowledge of scalars x with Y_r = Σ_k x_k · A_rk for rows r (Maurer 2009).

Keys, shares of cards and of keys, and the second half of the shuffle proof are all rows of this
form; rows that use the same k use the same secret.

    w_k at random        T_r = Σ w_k · A_rk
    c = H(context, all rows, all T)            z_k = w_k + c · x_k
    sent: c and z        checked: c = H(context, all rows, T_r = Σ z_k · A_rk - c · Y_r)

Rule 1: the whole statement is hashed, always (Bernhard, Pereira, Warinschi 2012 show what happens
otherwise).
Rule 2: the randomness w is a function of a secret and of the whole statement, so that it is never
used for two statements.
Rule 3: all of it is `Work`, done in slices.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from sobremesa.core.encoding import frame

from .group import (
    NEUTRAL,
    SIZE,
    G,
    Point,
    Q,
    Scalar,
    add,
    base,
    hash_to_scalar,
    multiply,
    read_scalar,
    scalars,
    write_scalar,
)
from .slices import SLICE, Work

Term = tuple[int, Point]
"""(k, A): the k-th secret times a known point."""

Row = tuple[Point, Sequence[Term]]
"""(Y, terms): Y is the sum of the terms."""


def prove(
    context: bytes, rows: Sequence[Row], secrets: Sequence[Scalar], key: bytes
) -> Work[bytes]:
    """A proof that we know the secrets: (1 + len(secrets)) · 32 bytes. `key` is 32 secret bytes."""
    statement = _statement(context, rows)
    noise = list(islice(scalars(key, "proof", statement), len(secrets)))
    masks = yield from _combine([terms for _, terms in rows], noise)
    c = _challenge(statement, masks)
    answers = ((w + c * x) % Q for w, x in zip(noise, secrets, strict=True))
    return b"".join(map(write_scalar, (c, *answers)))


def verify(context: bytes, rows: Sequence[Row], proof: object) -> Work[bool]:
    """Whether the proof shows knowledge of secrets that fit all rows, which name every one of
    them. The points of the rows are checked already."""
    count = 1 + max(k for _, terms in rows for k, _ in terms)
    if not isinstance(proof, bytes) or len(proof) != SIZE * (count + 1):
        return False
    try:
        c, *answers = (read_scalar(proof[at : at + SIZE]) for at in range(0, len(proof), SIZE))
    except ValueError:
        return False
    # T = Σ z·A - c·Y, so Y is one more term, whose scalar is -c.
    sums = [[*terms, (count, y)] for y, terms in rows]
    masks = yield from _combine(sums, [*answers, -c])
    return c == _challenge(_statement(context, rows), masks)


def _combine(sums: Sequence[Sequence[Term]], values: Sequence[Scalar]) -> Work[list[Point]]:
    """Each sum of terms for these values of the secrets."""
    results: list[Point] = []
    spent = 0
    for terms in sums:
        result = NEUTRAL
        for k, point in terms:
            part = base(values[k]) if point == G else multiply(values[k], point)
            result = part if result == NEUTRAL else add(result, part)
            spent += 1
            if spent % SLICE == 0:
                yield
        results.append(result)
    yield
    return results


def _statement(context: bytes, rows: Sequence[Row]) -> bytes:
    """Everything that is claimed, as bytes that mean nothing else."""
    items: list[bytes | int] = [context, len(rows)]
    for y, terms in rows:
        items += [y, len(terms)]
        for k, point in terms:
            items += [k, point]
    return frame("linear", *items)


def _challenge(statement: bytes, masks: Sequence[Point]) -> Scalar:
    return hash_to_scalar("challenge", statement, *masks)
