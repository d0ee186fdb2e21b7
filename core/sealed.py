"""Cards among peers that trust nobody: the deck, its shuffles, and who gets to see what.

A card is encrypted under the joint key X (`keys`); to open one takes a share x_j·a of every peer.
docs/protocol.md says what each step is for.

    deck      (G, M_f + X): everybody makes it alone
    shuffle   `shuffle`, one peer after another
    share     d = x_j·a                                                   proof: the x_j of X_j
    veiled    E1 = r·G, E2 = x_j·a + r·V_m, for one other member m        proof: x_j and r

Rule 1: one rule for all deals. To let the peers of S see a card, those outside S broadcast their
shares, and those inside send each other member a veiled one. There is no private channel. S only
grows: who sees a card stays in S when others come to see it.
Rule 2: a share is given only for a live card of the ledger, never for a point that a peer sent.
Rule 3: all chance of a peer follows from its seed and from the statement it is used for.

Barnett and Smart 2003.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from .encoding import Rand, digest, frame
from .errors import BadProof, Malformed, ScriptError
from .group import G, Point, Scalar, add, base, hash_to_point, multiply, scalars, subtract, total
from .keys import make_keys
from .pieces import Card, Face, Piece, Seat
from .proof import Row, in_slices, prove, verify
from .requests import Shuffle
from .shuffle import (
    Sealed,
    read_points,
    shuffle,
    shuffle_order,
    split_pairs,
    split_points,
    verify_shuffle,
    write_pairs,
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

    def forget(self, card: Card) -> None:
        """A card that was shuffled away is dead: nobody gives a share of it any more."""
        for book in (self.cards, self.shares, self.veils, self.shown):
            book.pop(card, None)


@cache
def face_point(game: str, face: str) -> Point:
    """M_f: the same point for every copy of a face."""
    return hash_to_point("card", game, face)


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
        context = frame("shuffle", desk.context(), peer)
        bodies = yield _shuffle_step(desk, peer, context, current, (number, len(shufflers)))
        if peer in desk.vault:
            secret = _shuffle_secret(desk.vault[peer], context, ledger.joint, current)
            orders.append(shuffle_order(len(current), secret))
        current = split_pairs(bodies[peer][0])
    made = desk.run.shuffled(request)
    if request.by is not None and len(set(request.by)) == 1:
        _know_own_shuffle(desk, request.by[0], request.cards, made, orders)
    for card in request.cards:
        if isinstance(card, Card):
            ledger.forget(card)
    ledger.cards.update(zip(made, current, strict=True))
    return made


def _inputs(desk: Desk, cards: Sequence[str] | Sequence[Card]) -> list[Sealed]:
    ledger = desk.ledger
    inputs: list[Sealed] = []
    for card in cards:
        if isinstance(card, Card):
            inputs.append(ledger.cards[card])
        else:
            point = face_point(desk.charter.game, card)
            ledger.faces[point] = card
            inputs.append((G, add(point, ledger.joint)))
    return inputs


def _shuffle_step(
    desk: Desk,
    peer: int,
    context: bytes,
    current: Sequence[Sealed],
    progress: tuple[int, int],
) -> Step:
    joint = desk.ledger.joint

    def owe(_: int, rand: Rand, choices: Choices) -> Work[Body]:
        secret = _shuffle_secret(rand, context, joint, current)
        made = yield from shuffle(context, joint, current, secret)
        return [write_pairs(made.cards), *made.proof]

    def check(_: int, body: Body) -> Work[None]:
        is_list(desk, peer, body, 4)
        try:
            yield from read_points(body[0], 2 * len(current))
        except ValueError:
            raise desk.blame(peer, Malformed, "shuffled into something that is no card") from None
        out = split_pairs(body[0])
        if not (yield from verify_shuffle(context, joint, current, out, body[1:])):
            raise desk.blame(peer, BadProof, "did not prove its shuffle")

    return Step("shuffle", (peer,), check, owe, progress=progress)


def _shuffle_secret(rand: Rand, context: bytes, joint: Point, current: Sequence[Sealed]) -> bytes:
    return rand.secret("shuffle", digest("shuffle-of", context, joint, write_pairs(current)))


def _know_own_shuffle(
    desk: Desk,
    seat: Seat,
    given: Sequence[str] | Sequence[Card],
    made: Sequence[Card],
    orders: Sequence[Sequence[int]],
) -> None:
    """A seat that shuffled alone what it had seen still knows which card is which. Everybody
    notes that it does; `orders` is empty where the seat's seed is not known."""
    shown, public = desk.ledger.shown, desk.run.faces
    if any(
        isinstance(card, Card) and card not in public and seat not in shown.get(card, ())
        for card in given
    ):
        return
    desk.ledger.shown.update({card: {seat} for card in made})
    for order in orders:
        seen = desk.faces(seat)
        faces = [seen[card] if isinstance(card, Card) else card for card in given]
        desk.learn(seat, {card: faces[j] for card, j in zip(made, order, strict=True)})


# Seeing.


@dataclass(frozen=True, slots=True)
class Debt:
    """What a peer owes for some cards to be seen: plain shares, and veiled ones for members."""

    plain: tuple[Card, ...]
    veiled: tuple[tuple[Card, int], ...]


def show_cards(desk: Desk, seats: Mapping[Card, Iterable[Seat]]) -> Protocol[None]:
    """Let some seats see some cards. Faces that everybody sees then are published."""
    ledger = desk.ledger
    everybody = set(desk.run.seats)
    new = {card: set(who) for card, who in seats.items() if who}
    public = [card for card, who in new.items() if who == everybody]
    for card, who in new.items():
        ledger.shown.setdefault(card, set()).update(who)
    debts = _debts(desk, new, public)
    if debts:
        yield from _pay(desk, debts)
    for card, who in new.items():
        for seat in who:
            peer = desk.charter.owner(seat)
            if peer in desk.vault:
                desk.learn(seat, {card: _face(desk, card, _unmask(desk, card, peer))})
    faces: dict[Piece, Face] = {card: _face(desk, card, _open(desk, card)) for card in public}
    desk.publish(faces)


def _debts(desk: Desk, cards: Iterable[Card], public: Sequence[Card]) -> dict[int, Debt]:
    """Who still owes what for these cards, in a fixed order."""
    ledger = desk.ledger
    inside = {card: desk.owners(ledger.shown[card]) for card in cards}
    debts: dict[int, Debt] = {}
    for peer in desk.present:
        plain: list[Card] = []
        veiled: list[tuple[Card, int]] = []
        for card, members in inside.items():
            if peer in ledger.shares.get(card, {}):
                continue
            if peer not in members or card in public:
                plain.append(card)
                continue
            given = ledger.veils.get(card, {})
            veiled += [(card, m) for m in members if m != peer and (peer, m) not in given]
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
        shares = yield from in_slices(multiply(x, ledger.cards[card][0]) for card in debt.plain)
        blinds = list(islice(scalars(rand.secret("veils", context), "r"), len(debt.veiled)))
        veils = yield from in_slices(_veils(ledger, debt, x, blinds))
        rows = _share_rows(ledger, peer, debt, shares, veils)
        secret = rand.secret("share-proof", context)
        proof = yield from prove(statement(peer), rows, [x, *blinds], secret)
        return [b"".join(shares), write_pairs(veils), proof]

    def check(peer: int, body: Body) -> Work[None]:
        debt = debts[peer]
        is_list(desk, peer, body, 3)
        try:
            yield from read_points(body[0], len(debt.plain))
            yield from read_points(body[1], 2 * len(debt.veiled))
        except ValueError:
            raise desk.blame(peer, Malformed, "gave shares that are no points") from None
        rows = _share_rows(ledger, peer, debt, split_points(body[0]), split_pairs(body[1]))
        if not (yield from verify(statement(peer), rows, body[2])):
            raise desk.blame(peer, BadProof, "gave a share of a card that is not its key's")

    bodies: Bodies = yield Step("shares", tuple(debts), check, owe)
    for peer, (shares, veils, _) in bodies.items():
        for card, share in zip(debts[peer].plain, split_points(shares), strict=True):
            ledger.shares.setdefault(card, {})[peer] = share
        for (card, member), veil in zip(debts[peer].veiled, split_pairs(veils), strict=True):
            ledger.veils.setdefault(card, {})[peer, member] = veil


def _veils(
    ledger: Ledger, debt: Debt, x: Scalar, blinds: Sequence[Scalar]
) -> Iterator[tuple[Point, Point]]:
    for (card, member), r in zip(debt.veiled, blinds, strict=True):
        share = multiply(x, ledger.cards[card][0])
        yield base(r), add(share, multiply(r, ledger.views[member]))


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
