"""Shuffling encrypted cards, with a proof that no card was added, lost or changed.

A card is an ElGamal pair (a, b) = (r·G, M + r·X) under the joint key X. A shuffle re-encrypts each
and permutes them: out_i = (a_j + s_j·G, b_j + s_j·X) with j = perm(i).

The proof is Terelius and Wikström's (2010), as Haenni, Locher, Koenig and Dubuis (2017) write it
out: a commitment to the permutation matrix, a chain of commitments to the product of its
challenges, and one linear proof (`proof`) that ties both to the cards. With generators h, h_1 …
whose logarithms nobody knows, secrets in brackets:

    c_j = [r_j]·G + h_i                    for j = perm(i)
    u_j = H(statement, j)                  u'_i = u_perm(i)
    chain_i = [t_i]·G + [u'_i]·chain_(i-1)     chain_0 = h
    Σ c_j - Σ h_i          = [Σ r]·G
    chain_n - (Π u)·h      = [t]·G
    Σ u_j·c_j              = [Σ u·r]·G + Σ [u'_i]·h_i
    Σ u_j·a_j              = [-Σ u·s]·G + Σ [u'_i]·out_i.a
    Σ u_j·b_j              = [-Σ u·s]·X + Σ [u'_i]·out_i.b

Rule 1: inputs are trusted (they were checked when they came), outputs and proof are not: every
point of them goes through `read_point`.
Rule 2: the challenges u hash the context, the key, all inputs, all outputs and all commitments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

from .encoding import below, blocks, digest
from .group import (
    G,
    Point,
    Q,
    Scalar,
    add,
    base,
    hash_to_point,
    hash_to_scalar,
    multiply,
    read_point,
    scalars,
    subtract,
    total,
)
from .proof import SLICE, Row, prove, verify
from .steps import Work

Sealed = tuple[Point, Point]
"""An encrypted card: (a, b)."""


@cache
def generators(count: int) -> tuple[Point, ...]:
    """h, h_1 … h_count."""
    return tuple(hash_to_point("generator", index) for index in range(count + 1))


@dataclass(frozen=True, slots=True)
class Shuffled:
    """A shuffle that we made: the cards and the proof that go out."""

    cards: tuple[Sealed, ...]
    proof: list[Any]


def shuffle(
    context: bytes, key: Point, cards: Sequence[Sealed], secret: bytes, name: bytes
) -> Work[Shuffled]:
    """Shuffle cards under the joint key. All chance follows from 32 secret bytes and from `name`,
    which must name this very shuffle."""
    order = shuffle_order(len(cards), secret, name)
    masks = list(islice(scalars(secret, "masks", name), len(cards)))
    out: list[Sealed] = []
    for number, j in enumerate(order, 1):
        a, b = cards[j]
        out.append((add(a, base(masks[j])), add(b, multiply(masks[j], key))))
        if number % SLICE == 0:
            yield
    proof = yield from _prove(context, key, cards, out, order, masks, secret, name)
    return Shuffled(tuple(out), proof)


def _prove(
    context: bytes,
    key: Point,
    cards: Sequence[Sealed],
    out: Sequence[Sealed],
    order: Sequence[int],
    masks: Sequence[Scalar],
    secret: bytes,
    name: bytes,
) -> Work[list[Any]]:
    count = len(cards)
    h, *hs = generators(count)
    blinds = list(islice(scalars(secret, "commitment", name), count))
    commitments = [G] * count
    for i, j in enumerate(order):
        commitments[j] = add(base(blinds[j]), hs[i])
    yield
    statement = _statement(context, key, cards, out, commitments)
    u = _challenges(statement, count)
    permuted = [u[j] for j in order]
    links = list(islice(scalars(secret, "chain", name), count))
    chain: list[Point] = []
    opening = 0
    for number, (t, v) in enumerate(zip(links, permuted, strict=True), 1):
        chain.append(add(base(t), multiply(v, chain[-1] if chain else h)))
        opening = (t + v * opening) % Q
        if number % SLICE == 0:
            yield
    witness = [
        sum(blinds) % Q,
        opening,
        _dot(blinds, u),
        -_dot(masks, u) % Q,
        *permuted,
        *links,
    ]
    rows = yield from _rows(key, cards, out, commitments, chain, u)
    linear = yield from prove(statement, rows, witness, secret)
    return [b"".join(commitments), b"".join(chain), linear]


def verify_shuffle(
    context: bytes, key: Point, cards: Sequence[Sealed], out: Sequence[Sealed], proof: object
) -> Work[bool]:
    """Whether `out` is a shuffle of `cards`. The points of both are checked already."""
    count = len(cards)
    if type(proof) is not list or len(proof) != 3 or len(out) != count:
        return False
    try:
        commitments = read_points(proof[0], count)
        chain = read_points(proof[1], count)
    except ValueError:
        return False
    yield
    statement = _statement(context, key, cards, out, commitments)
    u = _challenges(statement, count)
    rows = yield from _rows(key, cards, out, commitments, chain, u)
    return (yield from verify(statement, rows, 4 + 2 * count, proof[2]))


def _rows(
    key: Point,
    cards: Sequence[Sealed],
    out: Sequence[Sealed],
    commitments: Sequence[Point],
    chain: Sequence[Point],
    u: Sequence[Scalar],
) -> Work[list[Row]]:
    """The linear statement. Secrets: Σr, t, Σu·r, -Σu·s, then the permuted u, then the chain's."""
    count = len(cards)
    h, *hs = generators(count)
    product = 1
    for v in u:
        product = product * v % Q
    permuted = range(4, 4 + count)
    weighed_commitments = yield from _weigh(u, commitments)
    weighed_a = yield from _weigh(u, [a for a, _ in cards])
    weighed_b = yield from _weigh(u, [b for _, b in cards])
    before = [h, *chain[:-1]]
    return [
        (subtract(total(commitments), total(hs)), [(0, G)]),
        (subtract(chain[-1], multiply(product, h)), [(1, G)]),
        (weighed_commitments, [(2, G), *zip(permuted, hs, strict=True)]),
        (weighed_a, [(3, G), *zip(permuted, [a for a, _ in out], strict=True)]),
        (weighed_b, [(3, key), *zip(permuted, [b for _, b in out], strict=True)]),
        *[(chain[i], [(4 + count + i, G), (4 + i, before[i])]) for i in range(count)],
    ]


def _weigh(weights: Sequence[Scalar], points: Sequence[Point]) -> Work[Point]:
    parts: list[Point] = []
    for number, (weight, point) in enumerate(zip(weights, points, strict=True), 1):
        parts.append(multiply(weight, point))
        if number % SLICE == 0:
            yield
    return total(parts)


def _statement(
    context: bytes,
    key: Point,
    cards: Sequence[Sealed],
    out: Sequence[Sealed],
    commitments: Sequence[Point],
) -> bytes:
    points = [p for card in (*cards, *out) for p in card]
    return digest("shuffle", context, len(cards), key, *points, *commitments)


def _challenges(statement: bytes, count: int) -> list[Scalar]:
    return [hash_to_scalar("shuffle-u", statement, index) for index in range(count)]


def shuffle_order(count: int, secret: bytes, name: bytes) -> list[int]:
    """The permutation of a shuffle, fair (Fisher and Yates) and a secret: order[i] is the place in
    the input of the i-th card of the output."""
    stream = blocks(secret, "order", name)
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        other = below(last + 1, stream)
        order[last], order[other] = order[other], order[last]
    return order


def _dot(first: Sequence[int], second: Sequence[int]) -> Scalar:
    return sum(x * y for x, y in zip(first, second, strict=True)) % Q


def read_points(data: object, count: int) -> list[Point]:
    """So many points from elsewhere, one after the other.

    :raises ValueError: if they are not that
    """
    if not isinstance(data, bytes) or len(data) != 32 * count:
        raise ValueError("not so many points")
    return [read_point(data[at : at + 32]) for at in range(0, len(data), 32)]


def write_cards(cards: Sequence[Sealed]) -> bytes:
    """Cards one after the other, 64 bytes each."""
    return b"".join(a + b for a, b in cards)


def read_cards(data: object, count: int) -> tuple[Sealed, ...]:
    """So many cards from elsewhere.

    :raises ValueError: if they are not that
    """
    points = read_points(data, 2 * count)
    return tuple(zip(points[::2], points[1::2], strict=True))
