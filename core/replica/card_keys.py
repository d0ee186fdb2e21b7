"""Card keys: everybody's, the joint one, and shares of each for the others to hold.

The joint key X = Σ X_j encrypts the cards (`cards`). docs/protocol.md says what each step is for.

    keys       X_j = x_j·G, V_j = v_j·G                                    proof: both logarithms
    key shares x_j = Σ s_ji; S = s·G, E = e·G, ct = s xor H(E, e·V_i)      proof: s and e, all i
    complaint  K = v_i·E                                                   proof: the v_i of V_i

Rule 1: who cannot prove that it has its key has none, or the last peer could choose one that makes
the joint key its own.
Rule 2: a separate key V is for what others encrypt to a peer, so that no share of a card ever
decrypts it.
Rule 3: of a giver and a holder who complains, one is shown to lie.
Rule 4: whom the table loses before all hold their shares takes the keys along. Where no card is
under them, the rest make others; secrets follow from the step, so no two keys are one.

Castellà-Roca, Domingo-Ferrer and Sebé 2005 (key shares for when somebody leaves).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from sobremesa.core.crypto.group import (
    G,
    Point,
    Q,
    Scalar,
    base,
    multiply,
    read_point,
    scalars,
    total,
)
from sobremesa.core.crypto.proof import Row, prove, verify
from sobremesa.core.crypto.slices import Work
from sobremesa.core.encoding import Rand, frame

from .bodies import KEYS, complaints, key_shares
from .faults import BadComplaint, BadKey, BadKeyShare, Finding, Malformed
from .key_shares import KeyShares, SealedKeyShare
from .state import ReplicaState
from .steps import Body, Choices, Exchange, Step


def make_keys(state: ReplicaState) -> Exchange[None]:
    """Before a table's first card: everybody's keys, and shares of them for the others when the
    table keeps a backup. All have committed to their seeds in step 0."""
    while not state.ledger.keys:
        yield from _give_keys(state)
        if state.backup:
            yield from share_keys(state)


def share_keys(state: ReplicaState) -> Exchange[None]:
    """Everybody present gives every other a share of the key that it has now, and complains of
    what does not fit. The keys are lost if one of them is lost meanwhile, or gave a bad share."""
    ledger = state.ledger
    given = yield from _give_key_shares(state)
    accused = (yield from _complain(state, given)) if ledger.keys else ()
    for giver in accused:
        state.convict(giver, BadKeyShare, "gave a share of its key that cannot be opened")
    if accused:
        ledger.lose_keys(accused)
    elif ledger.keys:
        ledger.key_shares = given


def _give_keys(state: ReplicaState) -> Exchange[None]:
    context = state.context()
    state.draw_keys(context)

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
    ledger.epochs = [{peer: x for peer, (x, _, _) in bodies.items()}]
    ledger.views = {peer: v for peer, (_, v, _) in bodies.items()}
    ledger.joint = total(ledger.keys.values())


def _key_rows(x: Point, v: Point) -> list[Row]:
    return [(x, [(0, G)]), (v, [(1, G)])]


def _give_key_shares(state: ReplicaState) -> Exchange[KeyShares]:
    """Everybody gives every other a share of its key, encrypted."""
    context = state.context()
    ledger = state.ledger
    holders = {peer: [i for i in state.present if i != peer] for peer in state.present}

    def statement(peer: int) -> bytes:
        return frame("key-shares", context, peer)

    def owe(peer: int, rand: Rand, _: Choices) -> Work[Body]:
        secret = rand.secret("key-shares", context)
        shares = _cut(state.secrets(peer).x, secret, holders[peer])
        ephemeral = list(islice(scalars(secret, "e"), len(shares)))
        made = [
            SealedKeyShare.made(context, peer, i, s, e, ledger.views[i])
            for (i, s), e in zip(shares.items(), ephemeral, strict=True)
        ]
        sent = [[share.s, share.e, share.sealed] for share in made]
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


def _cut(x: Scalar, secret: bytes, holders: Sequence[int]) -> dict[int, Scalar]:
    """A key in as many shares as there are holders, which add up to it."""
    *others, last = holders
    shares = {i: next(scalars(secret, "share", i)) for i in others}
    shares[last] = (x - sum(shares.values())) % Q
    return shares


def _key_share_rows(sent: Sequence[Sequence[bytes]]) -> list[Row]:
    """S = s·G and E = e·G for all. Without the proof for E a peer could have others decrypt what
    it copied from a third."""
    count = len(sent)
    rows: list[Row] = [(s, [(number, G)]) for number, (s, _, _) in enumerate(sent)]
    return rows + [(e, [(count + number, G)]) for number, (_, e, _) in enumerate(sent)]


def _complain(state: ReplicaState, given: KeyShares) -> Exchange[tuple[int, ...]]:
    """Everybody says which key shares do not fit, with the means to check it: usually none. Every
    complaint that stands its check proves its giver wrong: these givers, in order."""
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
            if share.opened(shared) is None:
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
            if share.opened(point) is not None:
                raise Finding(BadComplaint, "complained about a key share that is right")

    # A step of its own, mostly of empty lists: who speaks must follow from the transcript alone.
    bodies = yield Step(
        "complaints", state.present, lambda _: complaints(len(state.present) - 1), check, owe
    )
    return tuple(sorted({giver for body in bodies.values() for giver, _, _ in body}))


def _point(value: bytes) -> Point:
    try:
        return read_point(value)
    except ValueError:
        raise Finding(Malformed, "sent something that is no point") from None
