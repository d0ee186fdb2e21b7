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
Rule 3: of a card count the shares of the peers that are present. When one is lost, the others' keys
grow by their shares of its key (`ledger`), and what they owe of a card is the rest of it: the key
that they have now less the one that they gave. So exchanges go round until nothing is owed.
Rule 4: all chance of a peer follows from its seed and from the statement it is used for.

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
from sobremesa.core.errors import ScriptError, TableEnded
from sobremesa.core.pieces import Card, Face, Piece, Seat
from sobremesa.core.requests import Shuffle
from sobremesa.core.schema import Spec

from .bodies import given_shares, shuffled
from .card_keys import make_keys
from .faults import BadProof, Finding, Malformed
from .ledger import Ledger, PrivateShare, Share, face_point
from .state import ReplicaState
from .steps import Bodies, Body, Choices, Exchange, Step

# Shuffling.


def shuffle_cards(state: ReplicaState, request: Shuffle) -> Exchange[tuple[Card, ...]]:
    """A new order that nobody knows: each peer re-encrypts and permutes, and proves it.

    :raises TableEnded: if the keys of the cards are lost
    """
    done = None
    while done is None:  # a new deck whose keys were lost is made again, under other ones
        done = yield from _shuffle_all(state, request)
    current, orders = done
    made = state.run.shuffled(request)
    if request.by is not None and len(set(request.by)) == 1:
        _know_own_shuffle(state, request.by[0], request.cards, made, orders)
    for card in request.cards:
        if isinstance(card, Card):
            state.ledger.forget(card)
    state.ledger.cards.update(zip(made, current, strict=True))
    return made


def _shuffle_all(
    state: ReplicaState, request: Shuffle
) -> Exchange[tuple[list[Ciphertext], list[list[int]]] | None]:
    """The cards after all shuffles, and the orders that we know; None if the keys were lost."""
    ledger = state.ledger
    _expect_keys(state, (card for card in request.cards if isinstance(card, Card)))
    yield from make_keys(state)
    joint = ledger.joint
    current = _inputs(state, request.cards)
    shufflers = state.present if request.by is None else state.owners(request.by)
    orders: list[list[int]] = []
    for number, peer in enumerate(shufflers, 1):
        if peer not in state.present:
            continue
        context = frame("shuffle", state.context(), peer)
        bodies = yield _shuffle_step(state, peer, context, current, (number, len(shufflers)))
        if ledger.joint != joint:
            return None
        if peer not in bodies:
            continue
        if peer in state.vault:
            secret = _shuffle_secret(state.vault[peer], context, joint, current)
            orders.append(shuffle_order(len(current), secret))
        current = split_pairs(bodies[peer][0])
    return current, orders


def _expect_keys(state: ReplicaState, cards: Iterable[Card]) -> None:
    """:raises TableEnded: if there are cards whose keys are lost"""
    ledger = state.ledger
    if all(card in ledger.cards for card in cards):
        return
    names = " and ".join(map(state.charter.name_of, ledger.lost))
    raise TableEnded(
        f"{names} left for good, and no card can be opened without their keys, so the game ends "
        "without a result"
    )


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
    """What a peer owes for some cards to be seen: public shares, and private ones for members, each
    of what its key has become since an epoch."""

    public: tuple[tuple[Card, int], ...]
    private: tuple[tuple[Card, int, int], ...]

    @property
    def portions(self) -> list[int]:
        """The epochs since which it owes something, each once."""
        public, private = self.public, self.private
        return sorted({since for _, since in public} | {since for _, _, since in private})


def show_cards(state: ReplicaState, seats: Mapping[Card, Iterable[Seat]]) -> Exchange[None]:
    """Let some seats see some cards. Faces that everybody sees then are published.

    :raises TableEnded: if the keys of a card that somebody does not see yet are lost
    """
    shown, everybody = state.ledger.shown, set(state.run.seats)
    new = {card: set(who) for card, who in seats.items() if card not in state.run.faces}
    opened = [card for card, who in new.items() if who == everybody]
    new = {c: who for c, who in new.items() if c in opened or who - shown.get(c, set())}
    for card, who in new.items():
        shown.setdefault(card, set()).update(who)
    while owed := _shares_owed(state, new, opened):
        yield from _give_shares(state, owed)
    for card, who in new.items():
        for seat in who:
            peer = state.charter.owner(seat)
            if peer in state.vault and peer in state.present:
                state.learn(seat, {card: _face(state, card, _unmask(state, card, peer))})
    faces: dict[Piece, Face] = {card: _face(state, card, _open(state, card)) for card in opened}
    state.publish(faces)


def _shares_owed(
    state: ReplicaState, cards: Iterable[Card], opened: Sequence[Card]
) -> dict[int, SharesOwed]:
    """Who still owes what for these cards, in a fixed order."""
    ledger, present = state.ledger, set(state.present)
    inside = {card: present.intersection(state.owners(ledger.shown[card])) for card in cards}
    # Where all that may see a card are gone, it stays closed.
    inside = {card: members for card, members in inside.items() if members or card in opened}
    _expect_keys(state, inside)
    owed: dict[int, SharesOwed] = {}
    for peer in state.present:
        public: list[tuple[Card, int]] = []
        private: list[tuple[Card, int, int]] = []
        for card, members in inside.items():
            if peer not in members or card in opened:
                public.append((card, _said(ledger, card, peer)))
            else:
                told = ((card, m, _told(ledger, card, peer, m)) for m in sorted(members - {peer}))
                private += told
        due = SharesOwed(
            tuple(some for some in public if some[-1] < ledger.epoch),
            tuple(some for some in private if some[-1] < ledger.epoch),
        )
        if due.public or due.private:
            owed[peer] = due
    return owed


def _said(ledger: Ledger, card: Card, peer: int) -> int:
    """The epoch of the key whose share of a card a peer said in the open; 0 if it did not."""
    share = ledger.shares.get(card, {}).get(peer)
    return share.epoch if share else 0


def _told(ledger: Ledger, card: Card, giver: int, member: int) -> int:
    """The epoch of the giver's key whose share of a card a member has; 0 if it has none."""
    share = ledger.private_shares.get(card, {}).get((giver, member))
    return max(share.epoch if share else 0, _said(ledger, card, giver))


def _give_shares(state: ReplicaState, owed: Mapping[int, SharesOwed]) -> Exchange[None]:
    """One step: all shares of all peers, one proof a peer."""
    context = state.context()
    ledger = state.ledger
    epoch = ledger.epoch

    def statement(peer: int) -> bytes:
        return frame("shares", context, peer)

    def owe(peer: int, rand: Rand, _: Choices) -> Work[Body]:
        ours = owed[peer]
        x = {since: state.secrets(peer).portion(since) for since in ours.portions}
        shares = yield from in_slices(
            multiply(x[since], ledger.cards[card][0]) for card, since in ours.public
        )
        blinds = list(
            islice(scalars(rand.secret("private-shares", context), "r"), len(ours.private))
        )
        private = yield from in_slices(_private_shares(ledger, ours, x, blinds))
        rows = _share_rows(ledger, peer, ours, shares, private)
        secret = rand.secret("share-proof", context)
        proof = yield from prove(statement(peer), rows, [*x.values(), *blinds], secret)
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

    def spec(peer: int) -> Spec:
        ours = owed[peer]
        return given_shares(len(ours.public), len(ours.private), len(ours.portions))

    bodies: Bodies = yield Step("shares", tuple(owed), spec, check, owe)
    if not ledger.keys:
        return
    for peer, (shares, private, _) in bodies.items():
        for (card, _), point in zip(owed[peer].public, split_points(shares), strict=True):
            said = ledger.shares.setdefault(card, {})
            before = said.get(peer)
            said[peer] = Share(add(before.point, point) if before else point, epoch)
        for (card, m, _), pair in zip(owed[peer].private, split_pairs(private), strict=True):
            told = ledger.private_shares.setdefault(card, {})
            earlier = told.get((peer, m))
            told[peer, m] = PrivateShare(_sum(earlier.pair, pair) if earlier else pair, epoch)


def _sum(one: Ciphertext, other: Ciphertext) -> Ciphertext:
    return add(one[0], other[0]), add(one[1], other[1])


def _private_shares(
    ledger: Ledger, owed: SharesOwed, x: Mapping[int, Scalar], blinds: Sequence[Scalar]
) -> Iterator[tuple[Point, Point]]:
    for (card, member, since), r in zip(owed.private, blinds, strict=True):
        share = multiply(x[since], ledger.cards[card][0])
        yield base(r), add(share, multiply(r, ledger.views[member]))


def _share_rows(
    ledger: Ledger,
    peer: int,
    owed: SharesOwed,
    shares: Sequence[Point],
    private: Sequence[tuple[Point, Point]],
) -> list[Row]:
    """X_j = x·G for each portion of the key; d = x·a for each; E1 = r·G and E2 = x·a + r·V_m for
    each private one."""
    places = {since: k for k, since in enumerate(owed.portions)}
    rows: list[Row] = [(ledger.portion(peer, since), [(k, G)]) for since, k in places.items()]
    for (card, since), share in zip(owed.public, shares, strict=True):
        rows.append((share, [(places[since], ledger.cards[card][0])]))
    for number, ((card, member, since), (first, second)) in enumerate(
        zip(owed.private, private, strict=True), len(places)
    ):
        rows.append((first, [(number, G)]))
        a = ledger.cards[card][0]
        rows.append((second, [(places[since], a), (number, ledger.views[member])]))
    return rows


def _unmask(state: ReplicaState, card: Card, peer: int) -> Point:
    """The point of a card that this peer, whose secrets we have, may see."""
    ledger, keys = state.ledger, state.secrets(peer)
    a, b = ledger.cards[card]
    parts: list[Point] = [multiply(keys.x, a)]
    for other in state.present:
        if other == peer:
            continue
        said = ledger.shares.get(card, {}).get(other)
        if said is not None:
            parts.append(said.point)
        if said is None or said.epoch < ledger.epoch:
            first, second = ledger.private_shares[card][other, peer].pair
            parts.append(subtract(second, multiply(keys.v, first)))
    return subtract(b, total(parts))


def _open(state: ReplicaState, card: Card) -> Point:
    """The point of a card of which all shares are public."""
    ledger = state.ledger
    shares = ledger.shares[card]
    return subtract(ledger.cards[card][1], total(shares[peer].point for peer in state.present))


def _face(state: ReplicaState, card: Card, point: Point) -> Face:
    face = state.ledger.faces.get(point)
    if face is None:
        raise ScriptError(f"card {card.serial} has no face: proofs were accepted that are wrong")
    return face
