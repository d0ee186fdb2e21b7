"""Shuffling encrypted cards, with a proof that no card was added, lost or changed.

A card is an ElGamal pair (a, b) = (r·G, M + r·X) under the joint key X. A shuffle re-encrypts each
and permutes them: out_i = (a_j + s_j·G, b_j + s_j·X) with j = order(i).

The proof is Terelius and Wikström's (2010), as Haenni, Locher, Koenig and Dubuis (2017) write it
out: a commitment to the permutation matrix, a chain of commitments to the product of its
challenges, and one linear proof (`proof`) that ties both to the cards. With generators h, h_1 …
whose logarithms nobody knows, secrets in brackets:

    c_j = [r_j]·G + h_i                    for j = order(i)
    u_j = H(statement, j)                  u'_i = u_order(i)
    chain_i = [t_i]·G + [u'_i]·chain_(i-1)     chain_0 = h
    Σ c_j - Σ h_i          = [Σ r]·G
    chain_n - (Π u)·h      = [t]·G
    Σ u_j·c_j              = [Σ u·r]·G + Σ [u'_i]·h_i
    Σ u_j·a_j              = [-Σ u·s]·G + Σ [u'_i]·out_i.a
    Σ u_j·b_j              = [-Σ u·s]·X + Σ [u'_i]·out_i.b

Rule 1: inputs are trusted (they were checked when they came), outputs and proof are not: every
point of them goes through `read_point` once.
Rule 2: the challenges u hash the context, the key, all inputs, all outputs and all commitments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, islice
from typing import Any

from sobremesa.core.encoding import below, blocks, digest

from .group import (
    NEUTRAL,
    SIZE,
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
from .proof import Row, prove, verify
from .slices import Work, in_slices

Ciphertext = tuple[Point, Point]
"""An encrypted card: (a, b)."""


@cache
def generator(index: int) -> Point:
    """h for 0, and h_1 …"""
    return hash_to_point("generator", index)


@cache
def _all_generators(count: int) -> Point:
    """h_1 + … + h_count."""
    return add(_all_generators(count - 1), generator(count)) if count else NEUTRAL


@dataclass(frozen=True, slots=True)
class Shuffled:
    """A shuffle that we made: the cards and the proof that go out."""

    cards: tuple[Ciphertext, ...]
    proof: list[Any]


def shuffle(
    context: bytes, key: Point, cards: Sequence[Ciphertext], secret: bytes
) -> Work[Shuffled]:
    """Shuffle cards under the joint key. All chance follows from 32 secret bytes, which must serve
    this very shuffle and no other."""
    order = shuffle_order(len(cards), secret)
    masks = list(islice(scalars(secret, "masks"), len(cards)))
    out = yield from in_slices(_mask(cards[j], masks[j], key) for j in order)
    proof = yield from _prove(context, key, cards, out, order, masks, secret)
    return Shuffled(tuple(out), proof)


def _mask(card: Ciphertext, mask: Scalar, key: Point) -> Ciphertext:
    a, b = card
    return add(a, base(mask)), add(b, multiply(mask, key))


def _prove(
    context: bytes,
    key: Point,
    cards: Sequence[Ciphertext],
    out: Sequence[Ciphertext],
    order: Sequence[int],
    masks: Sequence[Scalar],
    secret: bytes,
) -> Work[list[Any]]:
    count = len(cards)
    blinds = list(islice(scalars(secret, "commitment"), count))
    place = {j: i for i, j in enumerate(order, 1)}
    commitments = yield from in_slices(
        add(base(blinds[j]), generator(place[j])) for j in range(count)
    )
    statement = _statement(context, key, cards, out, commitments)
    u = _challenges(statement, count)
    permuted = [u[j] for j in order]
    links = list(islice(scalars(secret, "chain"), count))
    chain = yield from in_slices(_chain(links, permuted))
    opening = 0
    for t, v in zip(links, permuted, strict=True):
        opening = (t + v * opening) % Q
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


def _chain(links: Sequence[Scalar], permuted: Sequence[Scalar]) -> Iterator[Point]:
    last = generator(0)
    for t, v in zip(links, permuted, strict=True):
        last = add(base(t), multiply(v, last))
        yield last


def verify_shuffle(
    context: bytes,
    key: Point,
    cards: Sequence[Ciphertext],
    out: Sequence[Ciphertext],
    proof: object,
) -> Work[bool]:
    """Whether `out` is a shuffle of `cards`, at least one. The points of both are checked
    already."""
    count = len(cards)
    if type(proof) is not list or len(proof) != 3 or len(out) != count or not count:
        return False
    try:
        commitments = yield from read_points(proof[0], count)
        chain = yield from read_points(proof[1], count)
    except ValueError:
        return False
    statement = _statement(context, key, cards, out, commitments)
    u = _challenges(statement, count)
    rows = yield from _rows(key, cards, out, commitments, chain, u)
    return (yield from verify(statement, rows, proof[2]))


def _rows(
    key: Point,
    cards: Sequence[Ciphertext],
    out: Sequence[Ciphertext],
    commitments: Sequence[Point],
    chain: Sequence[Point],
    u: Sequence[Scalar],
) -> Work[list[Row]]:
    """The linear statement. Secrets: Σr, t, Σu·r, -Σu·s, then the permuted u, then the chain's."""
    count = len(cards)
    h, *hs = (generator(index) for index in range(count + 1))
    product = 1
    for v in u:
        product = product * v % Q
    permuted = range(4, 4 + count)
    weighed_commitments = yield from _weigh(u, commitments)
    weighed_a = yield from _weigh(u, [a for a, _ in cards])
    weighed_b = yield from _weigh(u, [b for _, b in cards])
    before = [h, *chain[:-1]]
    return [
        (subtract(total(commitments), _all_generators(count)), [(0, G)]),
        (subtract(chain[-1], multiply(product, h)), [(1, G)]),
        (weighed_commitments, [(2, G), *zip(permuted, hs, strict=True)]),
        (weighed_a, [(3, G), *zip(permuted, [a for a, _ in out], strict=True)]),
        (weighed_b, [(3, key), *zip(permuted, [b for _, b in out], strict=True)]),
        *[(chain[i], [(4 + count + i, G), (4 + i, before[i])]) for i in range(count)],
    ]


def _weigh(weights: Sequence[Scalar], points: Sequence[Point]) -> Work[Point]:
    sums = yield from in_slices(accumulate(map(multiply, weights, points), add))
    return sums[-1]


def _statement(
    context: bytes,
    key: Point,
    cards: Sequence[Ciphertext],
    out: Sequence[Ciphertext],
    commitments: Sequence[Point],
) -> bytes:
    points = [p for card in (*cards, *out) for p in card]
    return digest("shuffle", context, len(cards), key, *points, *commitments)


def _challenges(statement: bytes, count: int) -> list[Scalar]:
    return [hash_to_scalar("shuffle-u", statement, index) for index in range(count)]


def shuffle_order(count: int, secret: bytes) -> list[int]:
    """The permutation of a shuffle, fair (Fisher and Yates) and a secret: order[i] is the place in
    the input of the i-th card of the output."""
    stream = blocks(secret, "order")
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        other = below(last + 1, stream)
        order[last], order[other] = order[other], order[last]
    return order


def _dot(first: Sequence[int], second: Sequence[int]) -> Scalar:
    return sum(x * y for x, y in zip(first, second, strict=True)) % Q


# Points and cards as bytes: one after the other.


def read_points(data: object, count: int) -> Work[list[Point]]:
    """So many points from elsewhere.

    :raises ValueError: if they are not that
    """
    if not isinstance(data, bytes) or len(data) != SIZE * count:
        raise ValueError("not so many points")
    return (yield from in_slices(map(read_point, split_points(data))))


def split_points(data: bytes) -> list[Point]:
    """The points of bytes that `read_points` took before."""
    return [data[at : at + SIZE] for at in range(0, len(data), SIZE)]


def split_pairs(data: bytes) -> list[tuple[Point, Point]]:
    """The same, two and two: cards, for one."""
    points = split_points(data)
    return list(zip(points[::2], points[1::2], strict=True))


def write_pairs(pairs: Sequence[tuple[Point, Point]]) -> bytes:
    """Pairs of points, 64 bytes each."""
    return b"".join(first + second for first, second in pairs)
