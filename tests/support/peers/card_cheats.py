"""Peers with one vice each at a table of sealed cards: real replicas that make one message wrong.

Rule 1: a vice is one class, or one `Lie` of an answer. A `CardCheat` makes its message of one kind
as its honest self would, with one thing changed on the way; what it then sends, its own replica
believes.
Rule 2: the false proofs are as good as proofs of something false can be: right challenges, right
context, a witness that fits all rows but those that matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from support.games.flowers import FLOWERS, Challenge, Say
from support.games.playouts import played_at_random
from support.peers.cheats import Cheat, Equivocates, TwistsKind
from support.peers.tabletop import NAMES, Tabletop

from sobremesa.core.crypto import proof as proof_module
from sobremesa.core.crypto import shuffle as shuffle_module
from sobremesa.core.crypto.group import (
    G,
    Point,
    Q,
    Scalar,
    add,
    base,
    multiply,
    scalars,
    subtract,
    total,
)
from sobremesa.core.crypto.shuffle import Ciphertext, Shuffled
from sobremesa.core.crypto.slices import Work, finish, is_work
from sobremesa.core.encoding import Rand, frame, unpack
from sobremesa.core.game import Game
from sobremesa.core.pieces import Faces, Seat
from sobremesa.core.questions import Question
from sobremesa.core.replica import card_keys as card_keys_module
from sobremesa.core.replica import cards as cards_module
from sobremesa.core.replica.audit import audit
from sobremesa.core.replica.card_keys import _cut
from sobremesa.core.replica.faults import PeerError
from sobremesa.core.replica.key_shares import SealedKeyShare
from sobremesa.core.replica.ledger import face_point
from sobremesa.core.replica.steps import Body, Choices, Step
from sobremesa.core.replica.table import Table
from sobremesa.core.replica.transcript import Message, Sign

Deck = list[Ciphertext]
Order = list[int]
Lie = Callable[[Question, Faces], str | None]


class Case(NamedTuple):
    """A cheat in a whole game, and the fault that must be found. With that seed the occasion for
    it comes."""

    cheat: Callable[[], Cheat]
    peers: int
    who: int
    seed: int
    fault: type[PeerError]
    why: str
    """How the finding begins."""


def assert_named(game: Game[Any], case: Case) -> None:
    """Every honest peer ends with that fault of the cheat, and whoever audits its record too."""
    game = played_at_random(game)
    table = Tabletop(game, case.peers, seed=case.seed, cheats={case.who: case.cheat()}).run()
    for replica in table.honest:
        assert replica.fault is not None, "the occasion for it did not come with that seed"
        assert type(replica.fault) is case.fault
        assert replica.fault.peer == NAMES[case.who]
        assert replica.fault.why.startswith(case.why)
        assert replica.outcome is None
    for record in {replica.transcript() for replica in table.honest}:
        report = audit(record, lambda _: game)
        assert report.culprit == NAMES[case.who]
        assert report.trouble == str(table.honest[0].fault)


def at(nth: int, cheat: CardCheat) -> CardCheat:
    """The cheat, honest but in its `nth` message of the kind."""
    cheat.nth = nth
    return cheat


@contextmanager
def patched(owner: Any, name: str, value: Any) -> Iterator[None]:
    """An attribute is another for a moment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner, name, value)
        yield


class _BentLife:
    """A table's life whose steps pass through the cheat's hands."""

    def __init__(self, life: Any, bend: Callable[[Step], Step]) -> None:
        self.life, self.bend = life, bend

    def __next__(self) -> Step:
        return self.bend(next(self.life))

    def send(self, bodies: Any) -> Step:
        return self.bend(self.life.send(bodies))


class CardCheat(Cheat):
    """Makes its `nth` message of one kind (from 0) in its own way."""

    kind = "shuffle"
    nth = 0

    def sit(self, table: Table, me: int, sign: Sign) -> None:
        super().sit(table, me, sign)
        self.made = 0
        table._life = _BentLife(table._life, self._bend)  # type: ignore[assignment]

    def _bend(self, step: Step) -> Step:
        if step.kind != self.kind or self.me not in step.peers:
            return step
        self.made += 1
        if self.made != self.nth + 1:
            return step

        def owe(peer: int, rand: Rand, choices: Choices) -> Body:
            def honest() -> Body:
                body = step.owe(peer, rand, choices)
                return finish(body) if is_work(body) else body

            return self.make(honest)

        return replace(step, owe=owe)

    def make(self, honest: Callable[[], Body]) -> Body:
        """The body, from what makes an honest one."""
        return self.change(honest())

    def change(self, body: Body) -> Body:
        """Another body in place of an honest one."""
        return body


# Shuffles.


class ShuffleCheat(CardCheat):
    """Puts cards of its own among those that it sends, and proves what it can."""

    def make(self, honest: Callable[[], Body]) -> Body:
        with patched(cards_module, "shuffle", self.shuffle):
            return honest()

    def shuffle(
        self, context: bytes, key: Point, cards: Sequence[Ciphertext], secret: bytes
    ) -> Work[Shuffled]:
        order = shuffle_module.shuffle_order(len(cards), secret)
        stream = scalars(secret, "masks")
        masks = [next(stream) for _ in cards]
        out = [shuffle_module._mask(cards[j], masks[j], key) for j in order]
        self.spoil(key, list(cards), out, order)
        proof = yield from shuffle_module._prove(context, key, cards, out, order, masks, secret)
        return Shuffled(tuple(out), proof)

    def spoil(self, key: Point, cards: Deck, out: Deck, order: Order) -> None:
        """Change the cards that go out."""


class DuplicatesCard(ShuffleCheat):
    """The first card again in place of the second."""

    def spoil(self, key: Point, cards: Deck, out: Deck, order: Order) -> None:
        out[1] = shuffle_module._mask(cards[order[0]], 12345, key)


class SwapsCardIn(ShuffleCheat):
    """A flower of its choice in place of the first card."""

    def spoil(self, key: Point, cards: Deck, out: Deck, order: Order) -> None:
        flower = face_point(self.table.charter.game, FLOWERS[0])
        out[0] = (base(999), add(flower, multiply(999, key)))


class MasksWrongly(ShuffleCheat):
    """Both halves of the first card masked, but not by the same number."""

    def spoil(self, key: Point, cards: Deck, out: Deck, order: Order) -> None:
        out[0] = (add(out[0][0], G), out[0][1])


class ScalesCard(ShuffleCheat):
    """Twice the first card."""

    def spoil(self, key: Point, cards: Deck, out: Deck, order: Order) -> None:
        out[0] = (multiply(2, out[0][0]), multiply(2, out[0][1]))


class SwapsHalves(ShuffleCheat):
    """(b, a) in place of (a, b)."""

    def spoil(self, key: Point, cards: Deck, out: Deck, order: Order) -> None:
        out[0] = out[0][::-1]


class ShiftsTwoCards(ShuffleCheat):
    """A difference is added to one card and taken from the next: their sum stays."""

    def spoil(self, key: Point, cards: Deck, out: Deck, order: Order) -> None:
        out[0] = (out[0][0], add(out[0][1], G))
        out[1] = (out[1][0], subtract(out[1][1], G))


class MixesLinearly(ShuffleCheat):
    """Two cards become mixtures of both, committed to with a matrix that is no permutation but
    has all sums 1: every equation holds except the product of the challenges."""

    def shuffle(
        self, context: bytes, key: Point, cards: Sequence[Ciphertext], secret: bytes
    ) -> Work[Shuffled]:
        cards_out, proof = yield from mix_linearly(context, key, cards, secret)
        return Shuffled(tuple(cards_out), proof)


def mix_linearly(
    context: bytes, key: Point, cards: Sequence[Ciphertext], secret: bytes
) -> Work[tuple[list[Ciphertext], list[Any]]]:
    """A "shuffle" that keeps the order and mixes the first two cards, with the best proof there
    can be."""
    count = len(cards)
    stream = scalars(secret, "mixing")
    masks, blinds, links = ([next(stream) for _ in cards] for _ in range(3))
    plain = [shuffle_module._mask(card, mask, key) for card, mask in zip(cards, masks, strict=True)]
    third = pow(3, -1, Q)

    def mixed(x: Point, y: Point) -> Point:
        return multiply(third, total((x, x, y)))

    (a0, b0), (a1, b1) = plain[:2]
    out = [(mixed(a0, a1), mixed(b0, b1)), (mixed(a1, a0), mixed(b1, b0)), *plain[2:]]
    hs = [shuffle_module.generator(i + 1) for i in range(count)]
    commitments = [add(base(blind), h) for blind, h in zip(blinds, hs, strict=True)]
    for j in (0, 1):
        commitments[j] = add(base(blinds[j]), subtract(multiply(2, hs[j]), hs[1 - j]))
    statement = shuffle_module._statement(context, key, cards, out, commitments)
    u = shuffle_module._challenges(statement, count)
    mixed_u = [(2 * u[0] - u[1]) % Q, (2 * u[1] - u[0]) % Q, *u[2:]]
    chain = list(shuffle_module._chain(links, mixed_u))
    opening = 0
    for t, v in zip(links, mixed_u, strict=True):
        opening = (t + v * opening) % Q
    dot = shuffle_module._dot
    witness = [sum(blinds) % Q, opening, dot(blinds, u), -dot(masks, u) % Q, *mixed_u, *links]
    rows = yield from shuffle_module._rows(key, cards, out, commitments, chain, u)
    linear = yield from proof_module.prove(statement, rows, witness, secret)
    return out, [b"".join(commitments), b"".join(chain), linear]


class ShufflesAnotherList(ShuffleCheat):
    """An honest shuffle, of other cards than those that are to be shuffled."""

    def shuffle(
        self, context: bytes, key: Point, cards: Sequence[Ciphertext], secret: bytes
    ) -> Work[Shuffled]:
        others = [*cards[:-1], (cards[-1][0], add(cards[-1][1], G))]
        return (yield from shuffle_module.shuffle(context, key, others, secret))


class ShufflesTwice(CardCheat, Equivocates):
    """Makes its shuffle twice, both times as it should be, and tells `others` the second."""

    def __init__(self, others: Iterable[int]) -> None:
        super().__init__("shuffle", others)

    def make(self, honest: Callable[[], Body]) -> Body:
        with patched(cards_module, "_shuffle_secret", lambda *_: b"another order".ljust(32)):
            self.second = honest()
        return honest()

    def sign_other(self, message: Message, **changes: Any) -> Message:
        # An equivocator's other version is a true one here.
        return super().sign_other(message, body=self.second)


# Proofs and points.


class ProvesElsewhere(CardCheat):
    """An honest proof for another step, table or peer."""

    def __init__(self, kind: str, **changes: Any) -> None:
        self.kind, self.changes = kind, changes

    def make(self, honest: Callable[[], Body]) -> Body:
        here = {"table": self.table.charter.table, "head": self.table.replica_state.head}
        place = {**here, "step": self.table.step, "peer": self.me, **self.changes}
        context = frame("context", place["table"], place["head"], place["step"])
        elsewhere = frame(self.kind, context, place["peer"])
        name = "shuffle" if self.kind == "shuffle" else "prove"
        module = card_keys_module if self.kind in ("keys", "key-shares") else cards_module
        real = getattr(module, name)
        with patched(module, name, lambda context, *rest: real(elsewhere, *rest)):
            return honest()


class Sends(TwistsKind):
    """Something else in one place of its messages: `path` leads to the bytes, and `spoil` is given
    them, where there are any."""

    def __init__(self, kind: str, path: Sequence[int], spoil: Callable[[bytes], Any]) -> None:
        self.kind, self.path, self.spoil = kind, path, spoil

    def change(self, body: Any) -> Any:
        return _replaced(body, self.path, self.spoil)


def _replaced(body: Any, path: Sequence[int], change: Callable[[bytes], Any]) -> Any:
    if not path:
        return change(body) if body else body
    first, *rest = path
    return [
        _replaced(part, rest, change) if number == first else part
        for number, part in enumerate(body)
    ]


# Shares.


class GivesWrongShare(CardCheat):
    """A share by another key than its own."""

    kind = "shares"

    def make(self, honest: Callable[[], Body]) -> Body:
        with patched(cards_module, "multiply", self.multiply):
            return honest()

    def multiply(self, scalar: Scalar, point: Point) -> Point:
        wrong = scalar == self.table.replica_state.secrets(self.me).x
        return multiply(scalar + wrong, point)


class GivesShareOfAnotherPoint(GivesWrongShare):
    """Shares of a point that is no card."""

    def multiply(self, scalar: Scalar, point: Point) -> Point:
        wrong = scalar == self.table.replica_state.secrets(self.me).x
        return multiply(scalar, add(point, G) if wrong else point)


class HidesSharesWrongly(GivesWrongShare):
    """Private shares that their members cannot read."""

    def multiply(self, scalar: Scalar, point: Point) -> Point:
        wrong = point in self.table.replica_state.ledger.views.values()
        return multiply(scalar + wrong, point)


class ReplaysShares(CardCheat):
    """Its earlier message of shares once more, where one of the same shape is due."""

    kind = "shares"

    def __init__(self, nth: int) -> None:
        self.nth = nth

    def change(self, body: Body) -> Body:
        mine = [unpack(m.body) for m in self.table.log if m.peer == self.me and m.kind == "shares"]
        same = [old for old in mine if [len(p) for p in old] == [len(p) for p in body]]
        assert same, "there is no such message to replay"
        return same[-1]


class WithholdsShares(Cheat):
    """Never says its share, and all else."""

    def say(self, message: Message, to: int) -> tuple[Message, ...]:
        mine = message.peer == self.me and message.kind == "shares"
        return () if mine else (message,)


# Keys and key shares.


class TakesRogueKey(CardCheat):
    """Waits for all other keys and takes one that makes the joint key its own."""

    kind = "keys"

    def __init__(self, others: Sequence[Point]) -> None:
        self.others = others

    def make(self, honest: Callable[[], Body]) -> Body:
        x = self.table.replica_state.secrets(self.me).x

        def rogue(scalar: Scalar) -> Point:
            return subtract(base(scalar), total(self.others)) if scalar == x else base(scalar)

        with patched(card_keys_module, "base", rogue):
            return honest()


class GivesBadKeyShare(CardCheat):
    """One key share is sealed so that its holder cannot open it."""

    kind = "key-shares"

    def change(self, body: Body) -> Body:
        return _replaced(body, (0, 0, 2), lambda sealed: bytes(32))


class GivesSharesOfAnotherKey(CardCheat):
    """Good shares, of another key than its own."""

    kind = "key-shares"

    def make(self, honest: Callable[[], Body]) -> Body:
        def cut(x: Scalar, secret: bytes, holders: Sequence[int]) -> dict[int, Scalar]:
            shares = _cut(x, secret, holders)
            return {**shares, holders[0]: shares[holders[0]] + 1}

        with patched(card_keys_module, "_cut", cut):
            return honest()


class ComplainsFalsely(CardCheat):
    """Complains about key shares that are right, with the true means to check them."""

    kind = "complaints"

    def make(self, honest: Callable[[], Body]) -> Body:
        with patched(SealedKeyShare, "opened", lambda share, shared: None):
            return honest()


class ComplainsWithoutMeans(ComplainsFalsely):
    """Complains with a point that is not the shared one, so that the share does not open."""

    def make(self, honest: Callable[[], Body]) -> Body:
        def wrong(scalar: Scalar, point: Point) -> Point:
            return multiply(scalar + 1, point)

        with patched(card_keys_module, "multiply", wrong):
            return super().make(honest)


# Answers.


class Lies(Cheat):
    """Answers what `lie(question, faces)` says, in notation, wherever that is not None. Its own
    replica, which would refuse it, believes it."""

    def __init__(self, lie: Lie) -> None:
        self.lie = lie

    def sit(self, table: Table, me: int, sign: Sign) -> None:
        super().sit(table, me, sign)
        honest = table.own.open_questions

        def open_questions(plan: Step) -> dict[Seat, Question]:
            for seat in table.replica_state.among(me, plan.asks):
                text = self.lie(plan.asks[seat], table.faces(seat))
                if text is not None:
                    self.answer(seat, text)
            return honest(plan)

        table.own.open_questions = open_questions  # type: ignore[method-assign]

    def answer(self, seat: Seat, text: str) -> None:
        self.table.own.choices.setdefault(seat, text)


class BreaksTheRules(Lies):
    """Does so with answers that everybody can see to be wrong. Its own replica, which could not go
    on with them, is given honest ones."""

    def __init__(self, lie: Lie) -> None:
        super().__init__(lie)
        self.lies: dict[int, str] = {}

    def answer(self, seat: Seat, text: str) -> None:
        self.lies[self.table.step] = text

    def twist(self, message: Message) -> Message:
        if message.kind != "answer" or message.step not in self.lies:
            return message
        return self.sign_other(message, body=self.lies[message.step])


def concedes_while_holding(question: Question, faces: Faces) -> str | None:
    """Says that it does not hold the card that it holds."""
    return "concede" if isinstance(question, Challenge) else None


def says_another_flower(question: Question, faces: Faces) -> str | None:
    """Claims to hold what it does not hold."""
    if type(question) is not Say:
        return None
    return next(flower for flower in FLOWERS if flower != faces[question.card])
