"""Cards among peers that trust nobody: joint keys, shuffles, and who gets to see what.

Every peer has a key; the joint key X = Σ X_j encrypts the cards, and to open one takes a share
x_j·a of every peer. docs/protocol.md says what each step is for.

    keys      X_j = x_j·G, V_j = v_j·G                                    proof: both logarithms
    pieces    x_j = Σ s_ji; S = s·G, E = e·G, ct = s xor H(E, e·V_i)      proof: s and e, all i
    complaint K = v_i·E                                                   proof: the v_i of V_i
    deck      (G, M_f + X): everybody makes it alone
    shuffle   `shuffle`, one peer after another
    share     d = x_j·a                                                   proof: the x_j of X_j
    veiled    E1 = r·G, E2 = x_j·a + r·V_m, for one other member m        proof: x_j and r

Rule 1: one rule for all deals. To let the peers of S see a card, those outside S broadcast their
shares, and those inside send each other member a veiled one. There is no private channel.
Rule 2: a share is given only for a live card of the ledger, never for a point that a peer sent.
Rule 3: a separate key V is for veils, so that no share ever decrypts somebody's veil.
Rule 4: all chance of a peer follows from its seed and from the statement it is used for.

Barnett and Smart 2003 (the skeleton); Castellà-Roca, Domingo-Ferrer and Sebé 2005 (leaving).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from .encoding import Rand, digest, frame
from .errors import BadComplaint, BadPiece, BadProof, Malformed, ScriptError
from .group import (
    G,
    Point,
    Q,
    Scalar,
    add,
    base,
    hash_to_point,
    multiply,
    read_point,
    read_scalar,
    scalars,
    subtract,
    total,
    write_scalar,
)
from .pieces import Card, Face, Piece, Seat
from .proof import Row, prove, verify
from .requests import Shuffle
from .shuffle import (
    Sealed,
    generators,
    read_cards,
    read_points,
    shuffle,
    shuffle_order,
    verify_shuffle,
    write_cards,
)
from .steps import Bodies, Body, Choices, Protocol, Step, Work, is_list

if TYPE_CHECKING:
    from .desk import Desk


@dataclass(slots=True)
class Ledger:
    """What everybody knows of the cards: the keys, the live cards, the shares given."""

    keys: dict[int, Point] = field(default_factory=dict)
    """X_j by peer."""
    views: dict[int, Point] = field(default_factory=dict)
    """V_j by peer."""
    joint: Point = b""
    cards: dict[Card, Sealed] = field(default_factory=dict)
    """The live cards."""
    shares: dict[Card, dict[int, Point]] = field(default_factory=dict)
    """Public shares of live cards, by peer."""
    veils: dict[Card, dict[tuple[int, int], tuple[Point, Point]]] = field(default_factory=dict)
    """Veiled shares of live cards, by giver and member."""
    shown: dict[Card, set[Seat]] = field(default_factory=dict)
    """The seats that see a live card."""
    faces: dict[Point, Face] = field(default_factory=dict)
    """Which face a point stands for."""


def face_point(game: str, face: str) -> Point:
    """M_f: the same point for every copy of a face."""
    return hash_to_point("card", game, face)


class Keys:
    """One peer's secrets at a table, from its seed: x for shares, v for veils, the pieces of x."""

    def __init__(self, rand: Rand, table: bytes, others: Sequence[int]) -> None:
        """`others` are the peers that hold a piece; none: there is no backup."""
        secret = rand.secret("card-keys", table)
        self.v: Scalar = next(scalars(secret, "view"))
        self.pieces: dict[int, Scalar] = {i: next(scalars(secret, "piece", i)) for i in others}
        self.x: Scalar = sum(self.pieces.values()) % Q if others else next(scalars(secret, "share"))


# Keys.


def make_keys(desk: Desk) -> Protocol[None]:
    """Once at a table, before its first card: everybody's keys, and pieces of them for the others
    when the table keeps a backup. All have committed to their seeds in step 0, and each proves
    that it has its key, or the last could choose one that makes the joint key its own."""
    context = desk.context()

    def statement(peer: int) -> bytes:
        return frame("keys", context, peer)

    def owe(peer: int, rand: Rand, _: Choices) -> Work[Body]:
        keys = desk.secrets(peer)
        points = [base(keys.x), base(keys.v)]
        secret = rand.secret("keys", context)
        proof = yield from prove(statement(peer), _key_rows(*points), [keys.x, keys.v], secret)
        return [*points, proof]

    def check(peer: int, body: Body) -> Work[None]:
        is_list(desk, peer, body, 3)
        points = [_point(desk, peer, part) for part in body[:2]]
        if not (yield from verify(statement(peer), _key_rows(*points), 2, body[2])):
            raise desk.blame(peer, BadProof, "did not prove that it has its key")

    bodies = yield Step("keys", desk.present, check, owe)
    ledger = desk.ledger
    for peer, (x, v, _) in bodies.items():
        ledger.keys[peer], ledger.views[peer] = x, v
    ledger.joint = total(ledger.keys.values())
    if desk.backup:
        yield from _back_up(desk)


def _key_rows(x: Point, v: Point) -> list[Row]:
    return [(x, [(0, G)]), (v, [(1, G)])]


def _back_up(desk: Desk) -> Protocol[None]:
    """Everybody gives every other a piece of its key, encrypted; who got a bad one complains, and
    then one of the two is shown to lie."""
    context = desk.context()
    ledger = desk.ledger
    others = {peer: [i for i in desk.present if i != peer] for peer in desk.present}

    def statement(peer: int) -> bytes:
        return frame("pieces", context, peer)

    def owe(peer: int, rand: Rand, _: Choices) -> Work[Body]:
        pieces = desk.secrets(peer).pieces
        veils = list(islice(scalars(rand.secret("pieces", context), "e"), len(pieces)))
        sent: list[tuple[Point, Point, bytes]] = []
        for (i, s), e in zip(pieces.items(), veils, strict=True):
            pad = _pad(context, peer, i, base(e), multiply(e, ledger.views[i]))
            sent.append((base(s), base(e), _xor(write_scalar(s), pad)))
        witness = [*pieces.values(), *veils]
        secret = rand.secret("piece-proof", context)
        proof = yield from prove(statement(peer), _piece_rows(sent), witness, secret)
        return [[list(part) for part in sent], proof]

    def check(peer: int, body: Body) -> Work[None]:
        is_list(desk, peer, body, 2)
        is_list(desk, peer, body[0], len(others[peer]))
        sent: list[tuple[Point, Point, bytes]] = []
        for part in body[0]:
            is_list(desk, peer, part, 3)
            s, e = _point(desk, peer, part[0]), _point(desk, peer, part[1])
            if type(part[2]) is not bytes or len(part[2]) != 32:
                raise desk.blame(peer, Malformed, "sent a message of the wrong shape")
            sent.append((s, e, part[2]))
        if total(s for s, _, _ in sent) != ledger.keys[peer]:
            raise desk.blame(peer, BadPiece, "gave pieces that are not its key")
        if not (yield from verify(statement(peer), _piece_rows(sent), 2 * len(sent), body[1])):
            raise desk.blame(peer, BadProof, "did not prove the pieces of its key")

    bodies = yield Step("pieces", desk.present, check, owe)
    given = {
        (peer, i): tuple(part)
        for peer, (parts, _) in bodies.items()
        for i, part in zip(others[peer], parts, strict=True)
    }
    yield from _complain(desk, context, given)


def _piece_rows(sent: Sequence[tuple[Point, Point, bytes]]) -> list[Row]:
    """S = s·G and E = e·G for all. Without the proof for E a peer could have others decrypt what
    it copied from a third."""
    count = len(sent)
    rows: list[Row] = [(s, [(number, G)]) for number, (s, _, _) in enumerate(sent)]
    return rows + [(e, [(count + number, G)]) for number, (_, e, _) in enumerate(sent)]


def _complain(
    desk: Desk, context: bytes, given: Mapping[tuple[int, int], tuple[Point, Point, bytes]]
) -> Protocol[None]:
    """Everybody says which pieces do not fit, with the means to check it: usually none."""
    ledger = desk.ledger

    def opens(giver: int, holder: int, shared: Point) -> bool:
        """Whether the piece fits, if this is the point that the two share."""
        s, e, sealed = given[giver, holder]
        piece = _xor(sealed, _pad(context, giver, holder, e, shared))
        try:
            return base(read_scalar(piece)) == s
        except ValueError:
            return False

    def rows(giver: int, holder: int, shared: Point) -> list[Row]:
        e = given[giver, holder][1]
        return [(ledger.views[holder], [(0, G)]), (shared, [(0, e)])]

    def statement(giver: int, holder: int) -> bytes:
        return frame("complaint", context, giver, holder)

    def owe(peer: int, rand: Rand, _: Choices) -> Work[Body]:
        v = desk.secrets(peer).v
        complaints: list[Body] = []
        for giver in desk.present:
            if giver == peer:
                continue
            shared = multiply(v, given[giver, peer][1])
            if not opens(giver, peer, shared):
                name = statement(giver, peer)
                secret = rand.secret("complaint", name)
                proof = yield from prove(name, rows(giver, peer, shared), [v], secret)
                complaints.append([giver, shared, proof])
        return complaints

    def check(peer: int, body: Body) -> Work[None]:
        if type(body) is not list or len(body) > len(desk.present):
            raise desk.blame(peer, Malformed, "sent a message of the wrong shape")
        for complaint in body:
            is_list(desk, peer, complaint, 3)
            giver, shared, proof = complaint
            if type(giver) is not int or (giver, peer) not in given:
                raise desk.blame(peer, Malformed, "sent a message of the wrong shape")
            point = _point(desk, peer, shared)
            if not (yield from verify(statement(giver, peer), rows(giver, peer, point), 1, proof)):
                raise desk.blame(peer, BadProof, "complained without a proof")
            if opens(giver, peer, point):
                raise desk.blame(peer, BadComplaint, "complained about a piece that is right")

    bodies = yield Step("complaints", desk.present, check, owe)
    for complaints in bodies.values():
        for giver, _, _ in complaints:
            raise desk.blame(giver, BadPiece, "gave a piece of its key that cannot be opened")


def _pad(context: bytes, giver: int, holder: int, e: Point, shared: Point) -> bytes:
    return digest("piece", context, giver, holder, e, shared)[:32]


def _xor(first: bytes, second: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(first, second, strict=True))


# Shuffling.


def shuffle_cards(desk: Desk, request: Shuffle) -> Protocol[tuple[Card, ...]]:
    """A new order that nobody knows: each peer re-encrypts and permutes, and proves it."""
    if not desk.ledger.keys:
        yield from make_keys(desk)
    ledger = desk.ledger
    current = _inputs(desk, request.cards)
    shufflers = desk.present if request.by is None else desk.owners(request.by)
    orders: list[list[int]] = []
    for number, peer in enumerate(shufflers, 1):
        context = desk.context()
        name = digest("shuffle-name", context, peer, ledger.joint, write_cards(current))
        body = yield _shuffle_step(desk, peer, context, name, current, (number, len(shufflers)))
        if peer in desk.vault:
            orders.append(
                shuffle_order(len(current), _shuffle_secret(desk.vault[peer], name), name)
            )
        current = read_cards(body[peer][0], len(current))
    made = desk.run.shuffled(request)
    _learn_own_shuffle(desk, request, made, orders)
    for card in request.cards:
        if isinstance(card, Card):
            for book in (ledger.cards, ledger.shares, ledger.veils, ledger.shown):
                book.pop(card, None)
    ledger.cards.update(zip(made, current, strict=True))
    return made


def _inputs(desk: Desk, cards: Sequence[str] | Sequence[Card]) -> tuple[Sealed, ...]:
    ledger = desk.ledger
    inputs: list[Sealed] = []
    for card in cards:
        if isinstance(card, Card):
            inputs.append(ledger.cards[card])
        else:
            point = face_point(desk.charter.game, card)
            ledger.faces[point] = card
            inputs.append((G, add(point, ledger.joint)))
    generators(len(inputs))
    return tuple(inputs)


def _shuffle_step(
    desk: Desk,
    peer: int,
    context: bytes,
    name: bytes,
    current: Sequence[Sealed],
    progress: tuple[int, int],
) -> Step:
    joint = desk.ledger.joint

    def owe(_: int, rand: Rand, choices: Choices) -> Work[Body]:
        made = yield from shuffle(context, joint, current, _shuffle_secret(rand, name), name)
        return [write_cards(made.cards), *made.proof]

    def check(_: int, body: Body) -> Work[None]:
        is_list(desk, peer, body, 4)
        try:
            out = read_cards(body[0], len(current))
        except ValueError:
            raise desk.blame(peer, Malformed, "shuffled into something that is no card") from None
        yield
        if not (yield from verify_shuffle(context, joint, current, out, body[1:])):
            raise desk.blame(peer, BadProof, "did not prove its shuffle")

    return Step("shuffle", (peer,), check, owe, progress=progress)


def _shuffle_secret(rand: Rand, name: bytes) -> bytes:
    return rand.secret("shuffle", name)


def _learn_own_shuffle(
    desk: Desk, request: Shuffle, made: Sequence[Card], orders: Sequence[Sequence[int]]
) -> None:
    """A seat that shuffled alone what it had seen still knows which card is which."""
    seats = set(request.by or ())
    if len(seats) != 1 or len(orders) != 1:
        return
    (seat,) = seats
    seen = desk.faces(seat)
    given = request.cards
    desk.ledger.shown.update({card: {seat} for card in made if _sees_all(desk, seat, given)})
    faces = [seen.get(card) if isinstance(card, Card) else card for card in given]
    if None not in faces:
        desk.learn(seat, {card: faces[j] for card, j in zip(made, orders[0], strict=True)})


def _sees_all(desk: Desk, seat: Seat, cards: Sequence[str] | Sequence[Card]) -> bool:
    shown, public = desk.ledger.shown, desk.run.faces
    return all(
        not isinstance(card, Card) or seat in shown.get(card, ()) or card in public
        for card in cards
    )


# Seeing.


@dataclass(frozen=True, slots=True)
class Debt:
    """What a peer owes for some cards to be seen: plain shares, and veiled ones for members."""

    plain: tuple[Card, ...]
    veiled: tuple[tuple[Card, int], ...]


def show_cards(desk: Desk, seats: Mapping[Card, Iterable[Seat]]) -> Protocol[None]:
    """Let some seats see some cards. Faces that everybody sees then are published."""
    ledger = desk.ledger
    members = {card: desk.owners(who) for card, who in seats.items()}
    everybody = set(desk.run.seats)
    public = [card for card, who in seats.items() if set(who) == everybody]
    debts = _debts(desk, members, public)
    if debts:
        yield from _pay(desk, debts)
    for card, who in seats.items():
        ledger.shown.setdefault(card, set()).update(who)
        for seat in who:
            peer = desk.charter.owner(seat)
            if peer in desk.vault:
                desk.learn(seat, {card: _face(desk, card, _unmask(desk, card, peer))})
    faces: dict[Piece, Face] = {card: _face(desk, card, _open(desk, card)) for card in public}
    desk.publish(faces)


def _debts(
    desk: Desk, members: Mapping[Card, Sequence[int]], public: Sequence[Card]
) -> dict[int, Debt]:
    """Who still owes what, in a fixed order."""
    ledger = desk.ledger
    debts: dict[int, Debt] = {}
    for peer in desk.present:
        plain: list[Card] = []
        veiled: list[tuple[Card, int]] = []
        for card, inside in members.items():
            if peer in ledger.shares.get(card, {}):
                continue
            if peer not in inside or card in public:
                plain.append(card)
                continue
            given = ledger.veils.get(card, {})
            veiled += [(card, m) for m in inside if m != peer and (peer, m) not in given]
        if plain or veiled:
            debts[peer] = Debt(tuple(plain), tuple(veiled))
    return debts


def _pay(desk: Desk, debts: Mapping[int, Debt]) -> Protocol[None]:
    """One step: all shares of all peers, one proof a peer."""
    context = desk.context()
    ledger = desk.ledger

    def statement(peer: int) -> bytes:
        return frame("shares", context, peer)

    def owe(peer: int, rand: Rand, _: Choices) -> Work[Body]:
        debt, x = debts[peer], desk.secrets(peer).x
        shares = [multiply(x, ledger.cards[card][0]) for card in debt.plain]
        yield
        blinds = list(islice(scalars(rand.secret("veils", context), "r"), len(debt.veiled)))
        veils: list[tuple[Point, Point]] = []
        for (card, member), r in zip(debt.veiled, blinds, strict=True):
            share = multiply(x, ledger.cards[card][0])
            veils.append((base(r), add(share, multiply(r, ledger.views[member]))))
            yield
        rows = _share_rows(ledger, peer, debt, shares, veils)
        secret = rand.secret("share-proof", context)
        proof = yield from prove(statement(peer), rows, [x, *blinds], secret)
        return [b"".join(shares), b"".join(a + b for a, b in veils), proof]

    def check(peer: int, body: Body) -> Work[None]:
        debt = debts[peer]
        shares, veils = _read_shares(desk, peer, body, debt)
        rows = _share_rows(ledger, peer, debt, shares, veils)
        count = 1 + len(debt.veiled)
        if not (yield from verify(statement(peer), rows, count, body[2])):
            raise desk.blame(peer, BadProof, "gave a share of a card that is not its key's")

    bodies: Bodies = yield Step("shares", tuple(debts), check, owe)
    for peer, body in bodies.items():
        shares, veils = _read_shares(desk, peer, body, debts[peer])
        for card, share in zip(debts[peer].plain, shares, strict=True):
            ledger.shares.setdefault(card, {})[peer] = share
        for (card, member), veil in zip(debts[peer].veiled, veils, strict=True):
            ledger.veils.setdefault(card, {})[peer, member] = veil


def _share_rows(
    ledger: Ledger,
    peer: int,
    debt: Debt,
    shares: Sequence[Point],
    veils: Sequence[tuple[Point, Point]],
) -> list[Row]:
    """X_j = x·G; d = x·a for each; E1 = r·G and E2 = x·a + r·V_m for each veil."""
    rows: list[Row] = [(ledger.keys[peer], [(0, G)])]
    for card, share in zip(debt.plain, shares, strict=True):
        rows.append((share, [(0, ledger.cards[card][0])]))
    for number, ((card, member), (first, second)) in enumerate(
        zip(debt.veiled, veils, strict=True), 1
    ):
        rows.append((first, [(number, G)]))
        rows.append((second, [(0, ledger.cards[card][0]), (number, ledger.views[member])]))
    return rows


def _read_shares(
    desk: Desk, peer: int, body: Body, debt: Debt
) -> tuple[list[Point], list[tuple[Point, Point]]]:
    """:raises Malformed: if the body does not hold just the shares that are owed"""
    is_list(desk, peer, body, 3)
    try:
        shares = read_points(body[0], len(debt.plain))
        points = read_points(body[1], 2 * len(debt.veiled))
    except ValueError:
        raise desk.blame(peer, Malformed, "gave shares that are no points") from None
    return shares, list(zip(points[::2], points[1::2], strict=True))


def _unmask(desk: Desk, card: Card, peer: int) -> Point:
    """The point of a card that this peer, whose secrets we have, may see."""
    ledger, keys = desk.ledger, desk.secrets(peer)
    a, b = ledger.cards[card]
    public = ledger.shares.get(card, {})
    parts: list[Point] = []
    for other in desk.present:
        if other in public:
            parts.append(public[other])
        elif other == peer:
            parts.append(multiply(keys.x, a))
        else:
            first, second = ledger.veils[card][other, peer]
            parts.append(subtract(second, multiply(keys.v, first)))
    return subtract(b, total(parts))


def _open(desk: Desk, card: Card) -> Point:
    """The point of a card of which all shares are public."""
    ledger = desk.ledger
    return subtract(ledger.cards[card][1], total(ledger.shares[card].values()))


def _face(desk: Desk, card: Card, point: Point) -> Face:
    face = desk.ledger.faces.get(point)
    if face is None:
        raise ScriptError(f"card {card.serial} has no face: proofs were accepted that are wrong")
    return face


def _point(desk: Desk, peer: int, value: object) -> Point:
    try:
        return read_point(value)
    except ValueError:
        raise desk.blame(peer, Malformed, "sent something that is no point") from None
