"""What the body of a message may be: of each kind, for what its step asks of its sender.

Rule 1: counts and sizes follow from the step alone, which every replica knows.
Rule 2: so the most that a kind can ever need is known too, and what is larger is refused before
anything else is looked at: `BODY_LIMITS`.
"""

from __future__ import annotations

from collections.abc import Mapping

from sobremesa.core.crypto.group import SIZE
from sobremesa.core.pieces import MOST_CARDS, MOST_CUPS
from sobremesa.core.schema import Bytes, Int, ListOf, Row, Spec, Text

from .charter import MAX_PEERS
from .poll import STAND

HASH = Bytes(64, 64)
SECRET = Bytes(32, 32)
POINT = Bytes(SIZE, SIZE)
ANSWER = Text(1000)
"""An answer in notation: the places of a whole deck, or a seat and a few words."""


def points(count: int) -> Spec:
    """So many points, one after the other."""
    return Bytes(SIZE * count, SIZE * count)


def proof(secrets: int) -> Spec:
    """A proof that so many secrets are known: a challenge, and an answer for each."""
    return points(1 + secrets)


def commit_roll(cups: int) -> Spec:
    """The hash of a nonce, and one for each cup."""
    return Row((HASH, Row((HASH,) * cups)))


def cup_secrets(cups: int) -> Spec:
    """The secret of each cup."""
    return Row((SECRET,) * cups)


def seal_answers(seats: int) -> Spec:
    """A hash for each seat."""
    return Row((HASH,) * seats)


def open_answers(seats: int) -> Spec:
    """For each seat its salt and its answer."""
    return Row((Row((SECRET, ANSWER)),) * seats)


KEYS = Row((POINT, POINT, proof(2)))
"""X, V, and the proof of both."""


def key_shares(holders: int) -> Spec:
    """For each holder S, E and s under its pad; then one proof of all s and e."""
    return Row((Row((Row((POINT, POINT, SECRET)),) * holders), proof(2 * holders)))


def complaints(givers: int) -> Spec:
    """For each key share that does not open its giver, K and a proof: mostly none."""
    return ListOf(Row((Int(0, MAX_PEERS - 1), POINT, proof(1))), givers)


def shuffled(cards: int) -> Spec:
    """The cards, the commitments, the chain and the linear proof (`crypto.shuffle`)."""
    return Row((points(2 * cards), points(cards), points(cards), proof(4 + 2 * cards)))


def given_shares(public: int, private: int, portions: int) -> Spec:
    """Public shares, private ones, and one proof of all, by so many portions of a key."""
    return Row((points(public), points(2 * private), proof(portions + private)))


OTHERS = MAX_PEERS - 1

LARGEST: Mapping[str, Spec] = {
    "sign": HASH,
    "mark": HASH,
    "toss-commit": HASH,
    "toss-open": SECRET,
    "roll-commit": commit_roll(MAX_PEERS),
    "roll-open": SECRET,
    "reveal": cup_secrets(MOST_CUPS),
    "answer": ANSWER,
    "answer-commit": seal_answers(MAX_PEERS),
    "answer-open": open_answers(MAX_PEERS),
    "keys": KEYS,
    "key-shares": key_shares(OTHERS),
    "complaints": complaints(OTHERS),
    "shuffle": shuffled(MOST_CARDS),
    # All but one may see every card of the largest deck, and each owes all others a share of it.
    "shares": given_shares(MOST_CARDS, OTHERS * MOST_CARDS, MAX_PEERS),
    "end": HASH,
    "seed": SECRET,
    "leave": Row(()),
    "stand": STAND,
}
"""Every kind, and its body at a table of the most seats or peers, with the largest deck."""

BODY_LIMITS = {kind: max(spec.most, 4096) for kind, spec in LARGEST.items()}
"""Bytes of a body of each kind. A small one may be larger than any honest one is, so that rubbish
convicts who signed it."""
