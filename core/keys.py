"""Card keys: everybody's, the joint one, and pieces of each for the others to hold.

The joint key X = Σ X_j encrypts the cards (`sealed`). docs/protocol.md says what each step is for.

    keys      X_j = x_j·G, V_j = v_j·G                                    proof: both logarithms
    pieces    x_j = Σ s_ji; S = s·G, E = e·G, ct = s xor H(E, e·V_i)      proof: s and e, all i
    complaint K = v_i·E                                                   proof: the v_i of V_i

Rule 1: who cannot prove that it has its key has none, or the last peer could choose one that makes
the joint key its own.
Rule 2: a separate key V is for what others encrypt to a peer, so that no share of a card ever
decrypts it.
Rule 3: of a giver and a holder who complains, one is shown to lie, before any card exists.

Castellà-Roca, Domingo-Ferrer and Sebé 2005 (pieces for when somebody leaves).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from .encoding import Rand, digest, frame
from .errors import BadComplaint, BadPiece, BadProof, Malformed
from .group import (
    SIZE,
    G,
    Point,
    Q,
    Scalar,
    base,
    multiply,
    read_point,
    read_scalar,
    scalars,
    total,
    write_scalar,
)
from .proof import Row, prove, verify
from .steps import Body, Choices, Protocol, Step, Work, is_bytes, is_list

if TYPE_CHECKING:
    from .desk import Desk


class Keys:
    """One peer's secrets at a table, from its seed: x for shares, v for veils, the pieces of x."""

    def __init__(self, rand: Rand, table: bytes, others: Sequence[int]) -> None:
        """`others` are the peers that hold a piece; none: there is no backup."""
        secret = rand.secret("card-keys", table)
        self.v: Scalar = next(scalars(secret, "view"))
        self.pieces: dict[int, Scalar] = {i: next(scalars(secret, "piece", i)) for i in others}
        self.x: Scalar = sum(self.pieces.values()) % Q if others else next(scalars(secret, "share"))


def make_keys(desk: Desk) -> Protocol[None]:
    """Once at a table, before its first card: everybody's keys, and pieces of them for the others
    when the table keeps a backup. All have committed to their seeds in step 0."""
    context = desk.context()

    def statement(peer: int) -> bytes:
        return frame("keys", context, peer)

    def owe(peer: int, rand: Rand, _: Choices) -> Work[Body]:
        keys = desk.secrets(peer)
        points = base(keys.x), base(keys.v)
        secret = rand.secret("keys", context)
        proof = yield from prove(statement(peer), _key_rows(*points), [keys.x, keys.v], secret)
        return [*points, proof]

    def check(peer: int, body: Body) -> Work[None]:
        is_list(desk, peer, body, 3)
        points = _point(desk, peer, body[0]), _point(desk, peer, body[1])
        if not (yield from verify(statement(peer), _key_rows(*points), body[2])):
            raise desk.blame(peer, BadProof, "did not prove that it has its key")

    bodies = yield Step("keys", desk.present, check, owe)
    ledger = desk.ledger
    for peer, (x, v, _) in bodies.items():
        ledger.keys[peer], ledger.views[peer] = x, v
    ledger.joint = total(ledger.keys.values())
    if desk.backup:
        given = yield from _give_pieces(desk)
        yield from _complain(desk, given)


def _key_rows(x: Point, v: Point) -> list[Row]:
    return [(x, [(0, G)]), (v, [(1, G)])]


@dataclass(frozen=True, slots=True)
class SealedPiece:
    """A piece of a key as everybody sees it: S = s·G, E = e·G, and s under a pad that only the
    holder and the giver can make."""

    context: bytes
    giver: int
    holder: int
    s: Point
    e: Point
    sealed: bytes

    def opens(self, shared: Point) -> bool:
        """Whether the piece fits, if this is the point that giver and holder share."""
        pad = _pad(self.context, self.giver, self.holder, self.e, shared)
        try:
            return base(read_scalar(_xor(self.sealed, pad))) == self.s
        except ValueError:
            return False


Pieces = dict[tuple[int, int], SealedPiece]
"""All pieces, by giver and holder."""


def _give_pieces(desk: Desk) -> Protocol[Pieces]:
    """Everybody gives every other a piece of its key, encrypted."""
    context = desk.context()
    ledger = desk.ledger
    holders = {peer: [i for i in desk.present if i != peer] for peer in desk.present}

    def statement(peer: int) -> bytes:
        return frame("pieces", context, peer)

    def owe(peer: int, rand: Rand, _: Choices) -> Work[Body]:
        pieces = desk.secrets(peer).pieces
        veils = list(islice(scalars(rand.secret("pieces", context), "e"), len(pieces)))
        sent: list[list[bytes]] = []
        for (i, s), e in zip(pieces.items(), veils, strict=True):
            pad = _pad(context, peer, i, base(e), multiply(e, ledger.views[i]))
            sent.append([base(s), base(e), _xor(write_scalar(s), pad)])
        witness = [*pieces.values(), *veils]
        secret = rand.secret("piece-proof", context)
        proof = yield from prove(statement(peer), _piece_rows(sent), witness, secret)
        return [sent, proof]

    def check(peer: int, body: Body) -> Work[None]:
        is_list(desk, peer, body, 2)
        sent, proof = body
        is_list(desk, peer, sent, len(holders[peer]))
        for part in sent:
            is_list(desk, peer, part, 3)
            _point(desk, peer, part[0])
            _point(desk, peer, part[1])
            is_bytes(desk, peer, part[2], SIZE)
        if total(s for s, _, _ in sent) != ledger.keys[peer]:
            raise desk.blame(peer, BadPiece, "gave pieces that are not its key")
        if not (yield from verify(statement(peer), _piece_rows(sent), proof)):
            raise desk.blame(peer, BadProof, "did not prove the pieces of its key")

    bodies = yield Step("pieces", desk.present, check, owe)
    return {
        (peer, i): SealedPiece(context, peer, i, *part)
        for peer, (parts, _) in bodies.items()
        for i, part in zip(holders[peer], parts, strict=True)
    }


def _piece_rows(sent: Sequence[Sequence[bytes]]) -> list[Row]:
    """S = s·G and E = e·G for all. Without the proof for E a peer could have others decrypt what
    it copied from a third."""
    count = len(sent)
    rows: list[Row] = [(s, [(number, G)]) for number, (s, _, _) in enumerate(sent)]
    return rows + [(e, [(count + number, G)]) for number, (_, e, _) in enumerate(sent)]


def _complain(desk: Desk, given: Pieces) -> Protocol[None]:
    """Everybody says which pieces do not fit, with the means to check it: usually none."""
    context = desk.context()
    ledger = desk.ledger

    def statement(giver: int, holder: int) -> bytes:
        return frame("complaint", context, giver, holder)

    def rows(piece: SealedPiece, shared: Point) -> list[Row]:
        return [(ledger.views[piece.holder], [(0, G)]), (shared, [(0, piece.e)])]

    def owe(peer: int, rand: Rand, _: Choices) -> Work[Body]:
        v = desk.secrets(peer).v
        complaints: list[Body] = []
        for piece in given.values():
            if piece.holder != peer:
                continue
            shared = multiply(v, piece.e)
            if not piece.opens(shared):
                name = statement(piece.giver, peer)
                secret = rand.secret("complaint", name)
                proof = yield from prove(name, rows(piece, shared), [v], secret)
                complaints.append([piece.giver, shared, proof])
        return complaints

    def check(peer: int, body: Body) -> Work[None]:
        if type(body) is not list or len(body) >= len(desk.present):
            raise desk.blame(peer, Malformed, "sent a message of the wrong shape")
        for complaint in body:
            is_list(desk, peer, complaint, 3)
            giver, shared, proof = complaint
            if type(giver) is not int or (giver, peer) not in given:
                raise desk.blame(peer, Malformed, "sent a message of the wrong shape")
            piece, point = given[giver, peer], _point(desk, peer, shared)
            if not (yield from verify(statement(giver, peer), rows(piece, point), proof)):
                raise desk.blame(peer, BadProof, "complained without a proof")
            if piece.opens(point):
                raise desk.blame(peer, BadComplaint, "complained about a piece that is right")

    bodies = yield Step("complaints", desk.present, check, owe)
    accused = [giver for complaints in bodies.values() for giver, _, _ in complaints]
    if accused:
        raise desk.blame(accused[0], BadPiece, "gave a piece of its key that cannot be opened")


def _pad(context: bytes, giver: int, holder: int, e: Point, shared: Point) -> bytes:
    return digest("piece", context, giver, holder, e, shared)[:SIZE]


def _xor(first: bytes, second: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(first, second, strict=True))


def _point(desk: Desk, peer: int, value: object) -> Point:
    try:
        return read_point(value)
    except ValueError:
        raise desk.blame(peer, Malformed, "sent something that is no point") from None
