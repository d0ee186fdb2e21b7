"""Cards among peers that trust nobody: the deck, its shuffles, and who gets to see what.

A card is encrypted under the joint key X (`card_keys`); to open one takes a share x_j·a of every
peer. docs/protocol.md says what each step is for.

    deck      (G, M_f + X): everybody makes it alone
    shuffle   `crypto.shuffle`, one peer after another
    share     d = x_j·a                                                   proof: the x_j of X_j
    private   E1 = r·G, E2 = x_j·a + r·V_m, for one other member m        proof: x_j and r

Rule 1: one rule for all deals. To let the peers of S see a card, those outside S broadcast their
shares, and those inside send each other member a private one. There is no private link. S only
grows: who sees a card stays in S when others come to see it.
Rule 2: a share is given only for a live card of the ledger, never for a point that a peer sent.
Rule 3: all chance of a peer follows from its seed and from the statement it is used for.

Barnett and Smart 2003.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from sobremesa.core.crypto.group import (
    G,
    Point,
    Scalar,
    add,
    base,
    multiply,
    scalars,
    subtract,
    total,
)
from sobremesa.core.crypto.proof import Row, prove, verify
from sobremesa.core.crypto.shuffle import (
    Ciphertext,
    read_points,
    shuffle,
    shuffle_order,
    split_pairs,
    split_points,
    verify_shuffle,
    write_pairs,
)
from sobremesa.core.crypto.slices import Work, in_slices
from sobremesa.core.encoding import Rand, digest, frame
from sobremesa.core.errors import ScriptError
from sobremesa.core.pieces import Card, Face, Piece, Seat
from sobremesa.core.requests import Shuffle

from .bodies import given_shares, shuffled
from .card_keys import make_keys
from .faults import BadProof, Finding, Malformed
from .ledger import Ledger, face_point
from .state import ReplicaState
from .steps import Bodies, Body, Choices, Exchange, Step

# Shuffling.


def shuffle_cards(state: ReplicaState, request: Shuffle) -> Exchange[tuple[Card, ...]]:
    """A new order that nobody knows: each peer re-encrypts and permutes, and proves it."""
    if not state.ledger.keys:
        yield from make_keys(state)
    ledger = state.ledger
    current = _inputs(state, request.cards)
    shufflers = state.present if request.by is None else state.owners(request.by)
    orders: list[list[int]] = []
    for number, peer in enumerate(shufflers, 1):
        context = frame("shuffle", state.context(), peer)
        bodies = yield _shuffle_step(state, peer, context, current, (number, len(shufflers)))
        if peer in state.vault:
            secret = _shuffle_secret(state.vault[peer], context, ledger.joint, current)
            orders.append(shuffle_order(len(current), secret))
        current = split_pairs(bodies[peer][0])
    made = state.run.shuffled(request)
    if request.by is not None and len(set(request.by)) == 1:
        _know_own_shuffle(state, request.by[0], request.cards, made, orders)
    for card in request.cards:
        if isinstance(card, Card):
            ledger.forget(card)
    ledger.cards.update(zip(made, current, strict=True))
    return made


def _inputs(state: ReplicaState, cards: Sequence[str] | Sequence[Card]) -> list[Ciphertext]:
    ledger = state.ledger
    inputs: list[Ciphertext] = []
    for card in cards:
        if isinstance(card, Card):
            inputs.append(ledger.cards[card])
        else:
            point = face_point(state.charter.game, card)
            ledger.faces[point] = card
            inputs.append((G, add(point, ledger.joint)))
    return inputs


def _shuffle_step(
    state: ReplicaState,
    peer: int,
    context: bytes,
    current: Sequence[Ciphertext],
    progress: tuple[int, int],
) -> Step:
    joint = state.ledger.joint

    def owe(_: int, rand: Rand, choices: Choices) -> Work[Body]:
        secret = _shuffle_secret(rand, context, joint, current)
        made = yield from shuffle(context, joint, current, secret)
        return [write_pairs(made.cards), *made.proof]

    def check(_: int, body: Body) -> Work[None]:
        try:
            yield from read_points(body[0], 2 * len(current))
        except ValueError:
            raise Finding(Malformed, "shuffled into something that is no card") from None
        out = split_pairs(body[0])
        if not (yield from verify_shuffle(context, joint, current, out, body[1:])):
            raise Finding(BadProof, "did not prove its shuffle")

    spec = shuffled(len(current))
    return Step("shuffle", (peer,), lambda _: spec, check, owe, progress=progress)


def _shuffle_secret(
    rand: Rand, context: bytes, joint: Point, current: Sequence[Ciphertext]
) -> bytes:
    return rand.secret("shuffle", digest("shuffle-of", context, joint, write_pairs(current)))


def _know_own_shuffle(
    state: ReplicaState,
    seat: Seat,
    given: Sequence[str] | Sequence[Card],
    made: Sequence[Card],
    orders: Sequence[Sequence[int]],
) -> None:
    """A seat that shuffled alone what it had seen still knows which card is which. Everybody
    notes that it does; `orders` is empty where the seat's seed is not known."""
    # One card that it had not seen could be any of those that came out.
    shown, public = state.ledger.shown, state.run.faces
    if any(
        isinstance(card, Card) and card not in public and seat not in shown.get(card, ())
        for card in given
    ):
        return
    state.ledger.shown.update({card: {seat} for card in made})
    for order in orders:
        seen = state.faces(seat)
        faces = [seen[card] if isinstance(card, Card) else card for card in given]
        state.learn(seat, {card: faces[j] for card, j in zip(made, order, strict=True)})


# Seeing.


@dataclass(frozen=True, slots=True)
class SharesOwed:
    """What a peer owes for some cards to be seen: public shares, and private ones for members."""

    public: tuple[Card, ...]
    private: tuple[tuple[Card, int], ...]


def show_cards(state: ReplicaState, seats: Mapping[Card, Iterable[Seat]]) -> Exchange[None]:
    """Let some seats see some cards. Faces that everybody sees then are published."""
    ledger = state.ledger
    everybody = set(state.run.seats)
    new = {card: set(who) for card, who in seats.items() if who}
    opened = [card for card, who in new.items() if who == everybody]
    for card, who in new.items():
        ledger.shown.setdefault(card, set()).update(who)
    owed = _shares_owed(state, new, opened)
    if owed:
        yield from _give_shares(state, owed)
    for card, who in new.items():
        for seat in who:
            peer = state.charter.owner(seat)
            if peer in state.vault:
                state.learn(seat, {card: _face(state, card, _unmask(state, card, peer))})
    faces: dict[Piece, Face] = {card: _face(state, card, _open(state, card)) for card in opened}
    state.publish(faces)


def _shares_owed(
    state: ReplicaState, cards: Iterable[Card], opened: Sequence[Card]
) -> dict[int, SharesOwed]:
    """Who still owes what for these cards, in a fixed order."""
    ledger = state.ledger
    inside = {card: state.owners(ledger.shown[card]) for card in cards}
    owed: dict[int, SharesOwed] = {}
    for peer in state.present:
        public: list[Card] = []
        private: list[tuple[Card, int]] = []
        for card, members in inside.items():
            if peer in ledger.shares.get(card, {}):
                continue
            if peer not in members or card in opened:
                public.append(card)
                continue
            given = ledger.private_shares.get(card, {})
            private += [(card, m) for m in members if m != peer and (peer, m) not in given]
        if public or private:
            owed[peer] = SharesOwed(tuple(public), tuple(private))
    return owed


def _give_shares(state: ReplicaState, owed: Mapping[int, SharesOwed]) -> Exchange[None]:
    """One step: all shares of all peers, one proof a peer."""
    context = state.context()
    ledger = state.ledger

    def statement(peer: int) -> bytes:
        return frame("shares", context, peer)

    def owe(peer: int, rand: Rand, _: Choices) -> Work[Body]:
        ours, x = owed[peer], state.secrets(peer).x
        shares = yield from in_slices(multiply(x, ledger.cards[card][0]) for card in ours.public)
        blinds = list(
            islice(scalars(rand.secret("private-shares", context), "r"), len(ours.private))
        )
        private = yield from in_slices(_private_shares(ledger, ours, x, blinds))
        rows = _share_rows(ledger, peer, ours, shares, private)
        secret = rand.secret("share-proof", context)
        proof = yield from prove(statement(peer), rows, [x, *blinds], secret)
        return [b"".join(shares), write_pairs(private), proof]

    def check(peer: int, body: Body) -> Work[None]:
        theirs = owed[peer]
        try:
            yield from read_points(body[0], len(theirs.public))
            yield from read_points(body[1], 2 * len(theirs.private))
        except ValueError:
            raise Finding(Malformed, "gave shares that are no points") from None
        rows = _share_rows(ledger, peer, theirs, split_points(body[0]), split_pairs(body[1]))
        if not (yield from verify(statement(peer), rows, body[2])):
            raise Finding(BadProof, "gave a share of a card that is not its key's")

    bodies: Bodies = yield Step(
        "shares",
        tuple(owed),
        lambda peer: given_shares(len(owed[peer].public), len(owed[peer].private)),
        check,
        owe,
    )
    for peer, (shares, private, _) in bodies.items():
        for card, share in zip(owed[peer].public, split_points(shares), strict=True):
            ledger.shares.setdefault(card, {})[peer] = share
        for (card, member), pair in zip(owed[peer].private, split_pairs(private), strict=True):
            ledger.private_shares.setdefault(card, {})[peer, member] = pair


def _private_shares(
    ledger: Ledger, owed: SharesOwed, x: Scalar, blinds: Sequence[Scalar]
) -> Iterator[tuple[Point, Point]]:
    for (card, member), r in zip(owed.private, blinds, strict=True):
        share = multiply(x, ledger.cards[card][0])
        yield base(r), add(share, multiply(r, ledger.views[member]))


def _share_rows(
    ledger: Ledger,
    peer: int,
    owed: SharesOwed,
    shares: Sequence[Point],
    private: Sequence[tuple[Point, Point]],
) -> list[Row]:
    """X_j = x·G; d = x·a for each; E1 = r·G and E2 = x·a + r·V_m for each private one."""
    rows: list[Row] = [(ledger.keys[peer], [(0, G)])]
    for card, share in zip(owed.public, shares, strict=True):
        rows.append((share, [(0, ledger.cards[card][0])]))
    for number, ((card, member), (first, second)) in enumerate(
        zip(owed.private, private, strict=True), 1
    ):
        rows.append((first, [(number, G)]))
        rows.append((second, [(0, ledger.cards[card][0]), (number, ledger.views[member])]))
    return rows


def _unmask(state: ReplicaState, card: Card, peer: int) -> Point:
    """The point of a card that this peer, whose secrets we have, may see."""
    ledger, keys = state.ledger, state.secrets(peer)
    a, b = ledger.cards[card]
    public = ledger.shares.get(card, {})
    parts: list[Point] = []
    for other in state.present:
        if other in public:
            parts.append(public[other])
        elif other == peer:
            parts.append(multiply(keys.x, a))
        else:
            first, second = ledger.private_shares[card][other, peer]
            parts.append(subtract(second, multiply(keys.v, first)))
    return subtract(b, total(parts))


def _open(state: ReplicaState, card: Card) -> Point:
    """The point of a card of which all shares are public."""
    ledger = state.ledger
    return subtract(ledger.cards[card][1], total(ledger.shares[card].values()))


def _face(state: ReplicaState, card: Card, point: Point) -> Face:
    face = state.ledger.faces.get(point)
    if face is None:
        raise ScriptError(f"card {card.serial} has no face: proofs were accepted that are wrong")
    return face
