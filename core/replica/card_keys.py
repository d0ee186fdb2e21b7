"""Card keys: everybody's, the joint one, and shares of each for the others to hold.

The joint key X = Σ X_j encrypts the cards (`cards`). docs/protocol.md says what each step is for.

    keys       X_j = x_j·G, V_j = v_j·G                                    proof: both logarithms
    key shares x_j = Σ s_ji; S = s·G, E = e·G, ct = s xor H(E, e·V_i)      proof: s and e, all i
    complaint  K = v_i·E                                                   proof: the v_i of V_i

Rule 1: who cannot prove that it has its key has none, or the last peer could choose one that makes
the joint key its own.
Rule 2: a separate key V is for what others encrypt to a peer, so that no share of a card ever
decrypts it.
Rule 3: of a giver and a holder who complains, one is shown to lie, before any card exists.

Castellà-Roca, Domingo-Ferrer and Sebé 2005 (key shares for when somebody leaves).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from sobremesa.core.crypto.group import (
    SIZE,
    G,
    Point,
    base,
    multiply,
    read_point,
    read_scalar,
    scalars,
    total,
    write_scalar,
)
from sobremesa.core.crypto.proof import Row, prove, verify
from sobremesa.core.crypto.slices import Work
from sobremesa.core.encoding import Rand, digest, frame

from .bodies import KEYS, complaints, key_shares
from .faults import BadComplaint, BadKey, BadKeyShare, Finding, Malformed
from .state import ReplicaState
from .steps import Body, Choices, Exchange, Step


def make_keys(state: ReplicaState) -> Exchange[None]:
    """Once at a table, before its first card: everybody's keys, and shares of them for the others
    when the table keeps a backup. All have committed to their seeds in step 0."""
    context = state.context()

    def statement(peer: int) -> bytes:
        return frame("keys", context, peer)

    def owe(peer: int, rand: Rand, _: Choices) -> Work[Body]:
        keys = state.secrets(peer)
        points = base(keys.x), base(keys.v)
        secret = rand.secret("keys", context)
        proof = yield from prove(statement(peer), _key_rows(*points), [keys.x, keys.v], secret)
        return [*points, proof]

    def check(peer: int, body: Body) -> Work[None]:
        points = _point(body[0]), _point(body[1])
        if not (yield from verify(statement(peer), _key_rows(*points), body[2])):
            raise Finding(BadKey, "did not prove that it has its key")

    bodies = yield Step("keys", state.present, lambda _: KEYS, check, owe)
    ledger = state.ledger
    for peer, (x, v, _) in bodies.items():
        ledger.keys[peer], ledger.views[peer] = x, v
    ledger.joint = total(ledger.keys.values())
    if state.backup:
        given = yield from _give_key_shares(state)
        yield from _complain(state, given)


def _key_rows(x: Point, v: Point) -> list[Row]:
    return [(x, [(0, G)]), (v, [(1, G)])]


@dataclass(frozen=True, slots=True)
class SealedKeyShare:
    """A share of a key as everybody sees it: S = s·G, E = e·G, and s under a pad that only the
    holder and the giver can make."""

    context: bytes
    giver: int
    holder: int
    s: Point
    e: Point
    sealed: bytes

    def opens(self, shared: Point) -> bool:
        """Whether the share fits, if this is the point that giver and holder share."""
        pad = _pad(self.context, self.giver, self.holder, self.e, shared)
        try:
            return base(read_scalar(_xor(self.sealed, pad))) == self.s
        except ValueError:
            return False


KeyShares = dict[tuple[int, int], SealedKeyShare]
"""All key shares, by giver and holder."""


def _give_key_shares(state: ReplicaState) -> Exchange[KeyShares]:
    """Everybody gives every other a share of its key, encrypted."""
    context = state.context()
    ledger = state.ledger
    holders = {peer: [i for i in state.present if i != peer] for peer in state.present}

    def statement(peer: int) -> bytes:
        return frame("key-shares", context, peer)

    def owe(peer: int, rand: Rand, _: Choices) -> Work[Body]:
        shares = state.secrets(peer).key_shares
        ephemeral = list(islice(scalars(rand.secret("key-shares", context), "e"), len(shares)))
        sent: list[list[bytes]] = []
        for (i, s), e in zip(shares.items(), ephemeral, strict=True):
            pad = _pad(context, peer, i, base(e), multiply(e, ledger.views[i]))
            sent.append([base(s), base(e), _xor(write_scalar(s), pad)])
        witness = [*shares.values(), *ephemeral]
        secret = rand.secret("key-share-proof", context)
        proof = yield from prove(statement(peer), _key_share_rows(sent), witness, secret)
        return [sent, proof]

    def check(peer: int, body: Body) -> Work[None]:
        sent, proof = body
        for s, e, _ in sent:
            _point(s)
            _point(e)
        if total(s for s, _, _ in sent) != ledger.keys[peer]:
            raise Finding(BadKeyShare, "gave shares that are not its key")
        if not (yield from verify(statement(peer), _key_share_rows(sent), proof)):
            raise Finding(BadKey, "did not prove the shares of its key")

    bodies = yield Step(
        "key-shares", state.present, lambda peer: key_shares(len(holders[peer])), check, owe
    )
    return {
        (peer, i): SealedKeyShare(context, peer, i, *part)
        for peer, (parts, _) in bodies.items()
        for i, part in zip(holders[peer], parts, strict=True)
    }


def _key_share_rows(sent: Sequence[Sequence[bytes]]) -> list[Row]:
    """S = s·G and E = e·G for all. Without the proof for E a peer could have others decrypt what
    it copied from a third."""
    count = len(sent)
    rows: list[Row] = [(s, [(number, G)]) for number, (s, _, _) in enumerate(sent)]
    return rows + [(e, [(count + number, G)]) for number, (_, e, _) in enumerate(sent)]


def _complain(state: ReplicaState, given: KeyShares) -> Exchange[None]:
    """Everybody says which key shares do not fit, with the means to check it: usually none."""
    context = state.context()
    ledger = state.ledger

    def statement(giver: int, holder: int) -> bytes:
        return frame("complaint", context, giver, holder)

    def rows(share: SealedKeyShare, shared: Point) -> list[Row]:
        return [(ledger.views[share.holder], [(0, G)]), (shared, [(0, share.e)])]

    def owe(peer: int, rand: Rand, _: Choices) -> Work[Body]:
        v = state.secrets(peer).v
        made: list[Body] = []
        for share in given.values():
            if share.holder != peer:
                continue
            shared = multiply(v, share.e)
            if not share.opens(shared):
                name = statement(share.giver, peer)
                secret = rand.secret("complaint", name)
                proof = yield from prove(name, rows(share, shared), [v], secret)
                made.append([share.giver, shared, proof])
        return made

    def check(peer: int, body: Body) -> Work[None]:
        for giver, shared, proof in body:
            if (giver, peer) not in given:
                raise Finding(Malformed, "complained about a key share that it did not get")
            share, point = given[giver, peer], _point(shared)
            if not (yield from verify(statement(giver, peer), rows(share, point), proof)):
                raise Finding(BadKey, "complained without a proof")
            if share.opens(point):
                raise Finding(BadComplaint, "complained about a key share that is right")

    # A step of its own, mostly of empty lists: who speaks must follow from the transcript alone.
    bodies = yield Step(
        "complaints", state.present, lambda _: complaints(len(state.present) - 1), check, owe
    )
    # Every complaint that stood its check proves its giver wrong; one is enough to end the table.
    accused = [giver for body in bodies.values() for giver, _, _ in body]
    if accused:
        raise state.blame(accused[0], BadKeyShare, "gave a share of its key that cannot be opened")


def _pad(context: bytes, giver: int, holder: int, e: Point, shared: Point) -> bytes:
    return digest("key-share", context, giver, holder, e, shared)[:SIZE]


def _xor(first: bytes, second: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(first, second, strict=True))


def _point(value: bytes) -> Point:
    try:
        return read_point(value)
    except ValueError:
        raise Finding(Malformed, "sent something that is no point") from None
