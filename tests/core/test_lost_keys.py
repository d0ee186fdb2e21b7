"""Card keys when peers are lost: shares that take over, cards that are seen by whom they should be
and by nobody else, and the end where the keys are lost."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import pytest
from support.games.flowers import FLOWERS, GAME
from support.peers.losses import HandTable, at_steps, without_proofs
from support.peers.tabletop import NAMES

from sobremesa.core.crypto.group import base, total
from sobremesa.core.errors import TableEnded
from sobremesa.core.pieces import Card
from sobremesa.core.replica import cards as cards_module
from sobremesa.core.replica.cards import SharesOwed
from sobremesa.core.replica.faults import BadKeyShare
from sobremesa.core.replica.key_shares import SealedKeyShare
from sobremesa.core.replica.steps import Step
from sobremesa.core.requests import Gone, Reveal, Show, Shuffle


class Dealt(HandTable):
    """A table with four shuffled cards, and losses in steps from then on."""

    def __init__(
        self, peers: int, lost: Mapping[int, Collection[int]] | None = None, *, backup: bool = True
    ) -> None:
        super().__init__(GAME, range(peers), backup=backup)
        self.deck: tuple[Card, ...] = self.do(Shuffle(FLOWERS))
        self.steps.clear()
        self.bodies.clear()
        self.lost = at_steps(lost or {})


def truth(table: Dealt) -> dict[Card, str]:
    """What the cards are: a table that has lost nobody opens them."""
    whole = Dealt(len(table.rands))
    return dict(zip(whole.deck, whole.do(Reveal(whole.deck)), strict=True))


def kinds(table: HandTable) -> list[str]:
    return [kind for kind, _ in table.steps]


# One is lost.


@pytest.mark.parametrize("peers", [3, 4, 5])
@pytest.mark.parametrize("gone", [0, 1, 2])
def test_the_rest_take_over_a_key_and_the_joint_key_stays(peers: int, gone: int) -> None:
    table = Dealt(peers)
    ledger, joint = table.state.ledger, table.state.ledger.joint
    table.state.lose(frozenset({gone}))
    assert ledger.joint == joint == total(ledger.keys.values())
    for peer in table.state.present:
        assert base(table.state.secrets(peer).x) == ledger.keys[peer]
    assert set(ledger.keys) == set(range(peers)) - {gone}


@pytest.mark.parametrize("peers", [3, 4, 5])
@pytest.mark.parametrize("gone", [0, 2])
def test_cards_are_opened_and_shown_after_a_loss(peers: int, gone: int) -> None:
    table = Dealt(peers)
    first, second, third, _ = table.deck
    faces = truth(table)
    table.do(Show({first: ("Bea",), second: (NAMES[gone],)}))
    table.state.lose(frozenset({gone}))
    table.do(Show({third: ("Bea",)}))
    seen = table.state.faces("Bea")
    assert {card: seen[card] for card in (first, third)} == {c: faces[c] for c in (first, third)}
    assert table.do(Reveal(table.deck)) == tuple(faces.values())


@pytest.mark.parametrize("members", [("Ana",), ("Ana", "Bea"), ("Ana", "Cai", "Dan")])
@pytest.mark.parametrize("gone", range(4))
def test_step_of_shares_that_lost_a_peer_is_followed_by_one_of_its_key(
    members: tuple[str, ...], gone: int
) -> None:
    table = Dealt(4, {0: [gone]})
    card, faces = table.deck[0], truth(table)
    table.do(Show({card: members}))
    left = [name for name in members if name != NAMES[gone]]
    assert kinds(table) == ["shares"] * (2 if left else 1)
    for name in NAMES[:4]:
        sees = name in left
        assert (card in table.state.faces(name)) == sees
        assert not sees or table.state.faces(name)[card] == faces[card]


def test_hand_of_who_is_gone_stays_closed_until_it_is_opened() -> None:
    table = Dealt(3, {0: [2]})
    card, faces = table.deck[0], truth(table)
    table.do(Show({card: ("Cai",)}))
    assert kinds(table) == ["shares"]
    table.do(Show({card: ("Cai",)}))
    assert card not in table.state.known
    assert table.do(Reveal((card,))) == (faces[card],)


def test_card_of_who_is_gone_may_be_shown_to_one_alone() -> None:
    """All but its owner had said their shares of it: what they owe now they owe the one alone."""
    table = Dealt(4)
    card = table.deck[0]
    table.do(Show({card: ("Ana",)}))
    table.state.lose(frozenset({0}))
    table.do(Show({card: ("Bea",)}))
    assert [name for name in NAMES[:4] if card in table.state.seen[name]] == ["Ana", "Bea"]
    assert card in table.state.seen["Bea"]
    assert table.state.ledger.shares[card][1].epoch == 1, "Bea says her new part to nobody"


def test_what_is_open_needs_no_key() -> None:
    table = Dealt(2)
    deck = table.deck
    faces = table.do(Reveal(deck[:1]))
    table.do(Show({deck[1]: ("Ana",)}))
    table.state.lose(frozenset({1}))
    assert table.do(Reveal(deck[:1])) == faces
    table.do(Show({deck[1]: ("Ana",)}))


def test_shuffler_that_is_gone_is_skipped() -> None:
    table = Dealt(4, {0: [2]})
    made = table.do(Shuffle(table.deck))
    assert kinds(table) == ["shuffle"] * 3
    assert sorted(table.do(Reveal(made))) == sorted(FLOWERS)


def test_nobody_is_left_to_shuffle_and_the_cards_keep_their_order() -> None:
    table = Dealt(3)
    faces = truth(table)
    table.do(Show(dict.fromkeys(table.deck[:2], ("Cai",))))
    table.state.lose(frozenset({2}))
    table.steps.clear()
    made = table.do(Shuffle(table.deck[:2], by=("Cai",)))
    assert "shuffle" not in kinds(table)
    assert table.do(Reveal(made)) == tuple(faces.values())[:2]


# Shares given anew, and a second loss.


def test_keys_are_shared_anew_before_anything_else_is_asked() -> None:
    table = Dealt(4)
    table.state.lose(frozenset({3}))
    assert table.do(Gone()) == ("Dan",)
    assert table.steps == [("key-shares", (0, 1, 2)), ("complaints", (0, 1, 2))]
    table.state.lose(frozenset({0}))
    assert table.do(Gone()) == ("Ana", "Dan")
    assert len(table.steps) == 2, "two need no shares"
    assert table.do(Reveal(table.deck)) == tuple(truth(table).values())


@pytest.mark.parametrize("order", [(0, 1, 2), (4, 2, 0), (1, 3, 4)])
def test_one_loss_after_another_is_survived_down_to_two(order: tuple[int, ...]) -> None:
    table = Dealt(5)
    faces, deck = truth(table), table.deck
    for gone, card in zip(order, deck, strict=False):
        table.do(Show({card: (NAMES[gone], "Dan", "Eva")}))
        table.state.lose(frozenset({gone}))
        table.do(Gone())
    assert table.do(Reveal(deck)) == tuple(faces.values())


@pytest.mark.parametrize("step", ["key-shares", "complaints"])
def test_second_loss_before_all_hold_new_shares_loses_the_keys(step: str) -> None:
    table = Dealt(5)
    table.state.lose(frozenset({3}))
    table.lost = lambda number, due: [1] if due.kind == step else ()
    table.do(Gone())
    assert table.state.ledger.lost == (1,)
    with pytest.raises(TableEnded, match=r"^Bea left for good, and no card can be opened without"):
        table.do(Reveal(table.deck))


@pytest.mark.parametrize(
    ("peers", "gone", "backup"), [(2, {0}, True), (4, {0, 2}, True), (3, {2}, False)]
)
@pytest.mark.parametrize("request_of", [Reveal, Shuffle, lambda deck: Show({deck[0]: ("Bea",)})])
def test_keys_that_nobody_holds_end_what_needs_them(
    peers: int, gone: set[int], backup: bool, request_of: Callable[[Sequence[Card]], Any]
) -> None:
    table = Dealt(peers, backup=backup)
    table.state.lose(frozenset(gone))
    names = " and ".join(NAMES[peer] for peer in sorted(gone))
    with pytest.raises(TableEnded, match=rf"^{names} left for good"):
        table.do(request_of(table.deck))
    assert table.steps == [], "nobody says anything for nothing"


def test_new_deck_after_the_keys_were_lost_has_new_keys() -> None:
    table = Dealt(4)
    table.state.lose(frozenset({0, 1}))
    deck = table.do(Shuffle(FLOWERS))
    assert kinds(table) == ["keys", "shuffle", "shuffle"]
    assert sorted(table.do(Reveal(deck))) == sorted(FLOWERS)
    with pytest.raises(TableEnded, match=r"^Ana and Bea left"):
        table.do(Reveal(table.deck))


def test_keys_lost_in_a_shuffle_of_a_new_deck_have_it_made_again() -> None:
    table = HandTable(GAME, range(3), backup=False, lost=at_steps({2: [1]}))
    deck = table.do(Shuffle(FLOWERS))
    assert kinds(table) == ["keys", "shuffle", "shuffle", "keys", "shuffle", "shuffle"]
    assert sorted(table.do(Reveal(deck))) == sorted(FLOWERS)


# Making keys.


@pytest.mark.parametrize("lost", [*range(3), (0, 1), (1, 4), (2, 5), (0, 3)])
def test_keys_that_lost_a_peer_are_made_by_the_rest(lost: int | tuple[int, int]) -> None:
    steps = (lost,) if isinstance(lost, int) else lost
    table = HandTable(GAME, range(5), lost=at_steps({s: [n] for n, s in enumerate(steps)}))
    deck = table.do(Shuffle(FLOWERS))
    ledger = table.state.ledger
    assert set(ledger.keys) == set(table.state.present)
    assert len(table.state.present) == 5 - len(steps)
    assert ledger.lost == ()
    assert sorted(table.do(Reveal(deck))) == sorted(FLOWERS)
    assert set(ledger.key_shares) == {(i, j) for i in ledger.keys for j in ledger.keys if i != j}


def test_keys_made_again_share_no_secret_with_the_first() -> None:
    table = HandTable(GAME, range(4), lost=at_steps({1: [3]}))
    table.do(Shuffle(FLOWERS))
    first, again = [b for (k, _), b in zip(table.steps, table.bodies, strict=True) if k == "keys"]
    assert {x for x, _, _ in first.values()}.isdisjoint({x for x, _, _ in again.values()})


@pytest.mark.parametrize("peers", [3, 4])
def test_giver_of_a_bad_key_share_is_convicted_and_the_rest_make_keys(
    peers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    bend(monkeypatch, giver=1)
    table = HandTable(GAME, range(peers))
    deck = table.do(Shuffle(FLOWERS))
    (fault,) = table.state.convicted
    assert isinstance(fault, BadKeyShare)
    assert fault.peer == "Bea"
    assert 1 not in table.state.present
    assert sorted(table.do(Reveal(deck))) == sorted(FLOWERS)


def test_giver_of_a_bad_share_while_there_are_cards_is_convicted_and_their_keys_are_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Dealt(4)
    bend(monkeypatch, giver=1)
    table.state.lose(frozenset({3}))
    table.do(Gone())
    assert [fault.peer for fault in table.state.convicted] == ["Bea"]
    with pytest.raises(TableEnded, match=r"^Bea left for good"):
        table.do(Reveal(table.deck))


def bend(monkeypatch: pytest.MonkeyPatch, giver: int) -> None:
    """The key shares of a giver cannot be opened."""
    honest = SealedKeyShare.opened

    def opened(share: SealedKeyShare, shared: bytes) -> int | None:
        return None if share.giver == giver else honest(share, shared)

    monkeypatch.setattr(SealedKeyShare, "opened", opened)


# Knowledge.

Form = dict[Any, int]
"""A sum of unknown numbers, as linear algebra sees it."""

PRIME = 2**61 - 1


def plus(*forms: Form, minus: Form | None = None) -> Form:
    made: Form = {}
    for form, sign in [*((form, 1) for form in forms), (minus or {}, -1)]:
        for name, times in form.items():
            made[name] = (made.get(name, 0) + sign * times) % PRIME
    return {name: times for name, times in made.items() if times}


def follows(wanted: Form, known: Sequence[Form]) -> bool:
    """Whether the wanted sum is one of the known ones, each some times."""
    pivots: dict[Any, Form] = {}

    def reduced(form: Form) -> Form:
        while hits := [name for name in form if name in pivots]:
            name = hits[0]
            times = form[name]
            form = plus(form, minus={n: t * times % PRIME for n, t in pivots[name].items()})
        return form

    for form in known:
        rest = reduced(form)
        if rest:
            name = next(iter(rest))
            inverse = pow(rest[name], -1, PRIME)
            row = {n: t * inverse % PRIME for n, t in rest.items()}
            for other, old in pivots.items():
                if name in old:
                    scaled = {n: t * old[name] % PRIME for n, t in row.items()}
                    pivots[other] = plus(old, minus=scaled)
            pivots[name] = row
    return not reduced(wanted)


@dataclass(slots=True)
class Knowledge:
    """What each peer can work out of a card, whatever it heard, from the equations alone: it
    follows keys, key shares and shares of cards as forms in numbers that nobody knows. Messages of
    who is lost in a step are heard as well."""

    table: HandTable
    epochs: list[dict[int, Form]] = field(default_factory=list)
    shares: dict[tuple[int, int], Form] = field(default_factory=dict)
    own: dict[int, list[Form]] = field(default_factory=dict)
    public: dict[Card, list[Form]] = field(default_factory=dict)
    private: dict[tuple[Card, int], list[Form]] = field(default_factory=dict)
    joint: Form = field(default_factory=dict)

    def hear(self, step: Step, owed: dict[int, SharesOwed], gone: Collection[int]) -> None:
        match step.kind:
            case "keys":
                self.epochs = [{p: {("x", p): 1} for p in step.peers}]
                self.own = {p: [self.epochs[0][p]] for p in step.peers}
                self.joint = plus(*self.epochs[0].values())
            case "key-shares":
                self._share(step)
            case "shares":
                for peer in step.peers:
                    for card, since in owed[peer].public:
                        self.public.setdefault(card, []).append(self._portion(peer, since))
                    for card, member, since in owed[peer].private:
                        told = self.private.setdefault((card, member), [])
                        told.append(self._portion(peer, since))
        if gone:
            self._take_over(*gone)

    def _portion(self, peer: int, since: int) -> Form:
        before = self.epochs[since - 1][peer] if since else {}
        return plus(self.epochs[-1][peer], minus=before)

    def _share(self, step: Step) -> None:
        self.shares = {}
        for peer in step.peers:
            *others, last = [i for i in step.peers if i != peer]
            given = {i: {("s", self.table.state.step, peer, i): 1} for i in others}
            given[last] = plus(self.epochs[-1][peer], minus=plus(*given.values()))
            for i, form in given.items():
                self.shares[peer, i] = form
                self.own[peer].append(form)
                self.own[i].append(form)

    def _take_over(self, gone: int) -> None:
        present = [i for i in self.epochs[-1] if i != gone]
        self.epochs.append({i: plus(self.epochs[-1][i], self.shares[gone, i]) for i in present})

    def can_open(self, card: Card, peer: int) -> bool:
        heard = [*self.public.get(card, ()), *self.private.get((card, peer), ())]
        return follows(self.joint, [*self.own[peer], *heard])


@pytest.fixture
def owed(monkeypatch: pytest.MonkeyPatch) -> dict[int, SharesOwed]:
    """What was last found to be owed."""
    last: dict[int, SharesOwed] = {}
    real = cards_module._shares_owed

    def remembered(*args: Any) -> dict[int, SharesOwed]:
        found = real(*args)
        last.clear()
        last.update(found)
        return found

    monkeypatch.setattr(cards_module, "_shares_owed", remembered)
    return last


@pytest.mark.parametrize("seed", range(40))
def test_nobody_learns_more_of_a_card_by_any_losses_than_the_rules_show(
    owed: dict[int, SharesOwed], seed: int
) -> None:
    rng = random.Random(f"losses {seed}")
    peers = rng.choice((3, 4, 5))
    table = HandTable(GAME, range(peers), checked=False)
    knowledge = Knowledge(table)

    def lost(number: int, step: Step) -> Collection[int]:
        bearable = table.state.ledger.key_shares and len(table.state.present) > 2
        gone = [rng.choice(table.state.present)] if bearable and rng.random() < 0.3 else []
        knowledge.hear(step, owed, gone)
        return gone

    table.lost = lost
    with without_proofs():
        deck = table.do(Shuffle(FLOWERS))
        choices = [who for n in range(1, peers) for who in combinations(NAMES[:peers], n)]
        for _ in range(8):
            some = rng.sample(deck, 2)
            table.do(Show({card: rng.choice(choices) for card in some}))
            expect_knowledge(table, knowledge, deck)
        table.do(Reveal(deck[:2]))
    expect_knowledge(table, knowledge, deck)


def expect_knowledge(table: HandTable, knowledge: Knowledge, deck: Sequence[Card]) -> None:
    state = table.state
    for card in deck:
        for peer in range(len(table.rands)):
            name = NAMES[peer]
            shown = name in state.ledger.shown.get(card, ()) or card in state.run.faces
            assert not knowledge.can_open(card, peer) or shown, (card, name)
            if peer in state.present and shown:
                assert knowledge.can_open(card, peer)
                assert card in state.faces(name)
