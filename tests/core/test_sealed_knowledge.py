"""Knowledge: what a peer can compute from all that it received and from its own seed is exactly
what the rules let its seats see, at every moment.

A `Spy` stands in one peer's place. It takes every share that was ever said, reads every private
share that its key reads, follows every card through the shuffles it made itself, and opens what it
can. The only thing it is told is which of its points is whose share of what: it need not search.

Rule 1: a spy uses no code of `cards` that opens cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import pytest
from support.games.flowers import GAME
from support.peers.card_tables import CardTable, Pause, play_openly
from support.peers.tabletop import NAMES

from sobremesa.core.crypto.group import G, Point, add, base, multiply, scalars, subtract, total
from sobremesa.core.crypto.shuffle import (
    Ciphertext,
    shuffle,
    shuffle_order,
    split_pairs,
    split_points,
    write_pairs,
)
from sobremesa.core.encoding import unpack
from sobremesa.core.game import Game
from sobremesa.core.pieces import Card, Face, Piece
from sobremesa.core.replica import cards as cards_module


@dataclass(slots=True)
class Made:
    """A shuffle as who made it remembers it."""

    cards: Sequence[Ciphertext]
    out: Sequence[Ciphertext]
    secret: bytes


@dataclass(slots=True)
class Link:
    """One card that we masked ourselves, before and after, and what turns a share of the one into
    a share of the other: x·(a + s·G) = x·a + s·X."""

    before: Point
    after: Point
    shifts: dict[int, Point]


@dataclass(slots=True)
class Spy:
    """Everything that one peer can find out."""

    table: CardTable
    me: int
    points: dict[int, set[Point]] = field(default_factory=dict)
    """What a share of each other peer might be."""
    links: list[Link] = field(default_factory=list)
    heard: int = 0
    looked: int = 0
    told: dict[tuple[int, Point], Point] = field(default_factory=dict)

    def listen(self, made: list[Made]) -> None:
        """Take in what is new among the messages and among our own shuffles."""
        replica, v = self.table.tables[self.me], self.table.keys(self.me).v
        log = replica.log
        new = [(message, unpack(message.body)) for message in log[self.heard :]]
        mine = {body[0] for m, body in new if m.kind == "shuffle" and m.peer == self.me}
        for message, body in new:
            if message.kind == "shares" and message.peer != self.me:
                shares, private, _ = body
                points = self.points.setdefault(message.peer, set())
                points.update(split_points(shares))
                points.update(subtract(e2, multiply(v, e1)) for e1, e2 in split_pairs(private))
        self.heard = len(log)
        for one in made[self.looked :]:
            if write_pairs(one.out) in mine:
                self._remember(one)
        self.looked = len(made)
        while any(self._follow(link) for link in self.links):
            pass

    def _remember(self, one: Made) -> None:
        order = shuffle_order(len(one.cards), one.secret)
        masks = list(islice(scalars(one.secret, "masks"), len(order)))
        keys = self.table.tables[self.me].replica_state.ledger.keys
        for j, (after, _) in zip(order, one.out, strict=True):
            before = one.cards[j][0]
            assert after == add(before, base(masks[j]))
            shifts = {p: multiply(masks[j], key) for p, key in keys.items() if p != self.me}
            self.links.append(Link(before, after, shifts))

    def _follow(self, link: Link) -> bool:
        """Whether a share of one end of the link gave a new one of the other end."""
        news = False
        for peer, shift in link.shifts.items():
            points = self.points.setdefault(peer, set())
            before, after = self._share(peer, link.before), self._share(peer, link.after)
            for known, other in ((before, after), (after, before)):
                # Everybody has a share of the first deck, where a is G: the public key.
                given = known in points or (known == before and link.before == G)
                if given and other not in points:
                    assert add(before, shift) == after
                    points.add(other)
                    news = True
        return news

    def _share(self, peer: int, a: Point) -> Point:
        """Told to the spy: whose share of what looks how."""
        if (peer, a) not in self.told:
            self.told[peer, a] = multiply(self.table.keys(peer).x, a)
        return self.told[peer, a]

    def opens(self, others: Sequence[int]) -> dict[Card, Face]:
        """The live cards for which the spy has a share of everybody, and what they are."""
        ledger = self.table.tables[self.me].replica_state.ledger
        found: dict[Card, Face] = {}
        for card, (a, b) in ledger.cards.items():
            shares = [self._share(peer, a) for peer in others]
            if all(s in self.points.get(p, ()) for p, s in zip(others, shares, strict=True)):
                own = self._share(self.me, a)
                found[card] = ledger.faces[subtract(b, total([own, *shares]))]
        return found


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Made]:
    """All shuffles that were made, by whomever."""
    remembered: list[Made] = []

    def remember(context: bytes, key: Point, cards: Sequence[Ciphertext], secret: bytes) -> Any:
        done = yield from shuffle(context, key, cards, secret)
        remembered.append(Made(cards, done.cards, secret))
        return done

    monkeypatch.setattr(cards_module, "shuffle", remember)
    return remembered


Moment = tuple[Pause, dict[int, dict[Card, Face]], set[Card]]


def spied(table: CardTable, made: list[Made], most: int | None = None) -> Iterator[Moment]:
    """Play; at each pause what the spies can open, by peer, with the live cards."""
    peers = range(len(table.tables))
    spies = [Spy(table, peer) for peer in peers]
    for pause in table.pauses(most):
        opened = {}
        for spy in spies:
            spy.listen(made)
            opened[spy.me] = spy.opens([peer for peer in peers if peer != spy.me])
        yield pause, opened, set(table.tables[0].replica_state.ledger.cards)


def assert_knowledge_is_by_the_rules(
    table: CardTable, made: list[Made], most: int | None = None
) -> list[Pause]:
    """What each peer can open is what the open table shows to its seats."""
    moments = list(spied(table, made, most))
    assert all(replica.fault is None for replica in table.tables)

    def look(number: int, twin: Any) -> None:
        pause, opened, live = moments[number]
        for peer, cards in opened.items():
            allowed: dict[Piece, Face] = {}
            for seat in table.charter.seats_of(peer):
                assert pause.faces[seat] == dict(twin.faces(seat)), "faces() shows what it may"
                allowed |= {c: f for c, f in twin.faces(seat).items() if c in live}
            assert cards == allowed, (number, NAMES[peer])

    pauses = [pause for pause, _, _ in moments]
    play_openly(table, pauses, look)
    return pauses


@pytest.mark.parametrize(
    ("peers", "seed", "backup"),
    [(2, 1, False), (3, 1, True), (3, 1, False), (3, 2, True), (3, 3, True), (4, 1, True)],
)
def test_peer_can_open_what_its_seat_may_see_and_no_more(
    made: list[Made], peers: int, seed: int, backup: bool
) -> None:
    table = CardTable(GAME, peers, seed=seed, backup=backup)
    pauses = assert_knowledge_is_by_the_rules(table, made)
    hidden = [
        len(table.tables[0].replica_state.ledger.cards) - len(pause.faces["Ana"])
        for pause in pauses
    ]
    assert max(hidden) > 0


@pytest.mark.parametrize("owners", [(0, 0, 1), (1, 0, 1, 0)])
def test_peer_with_several_seats_can_open_what_they_may_see_together(
    made: list[Made], owners: tuple[int, ...]
) -> None:
    table = CardTable(GAME, 2, seed=2, owners=owners)
    assert_knowledge_is_by_the_rules(table, made)


def plugin(name: str) -> Game[Any]:
    module = pytest.importorskip(f"sobremesa.plugins.{name}", reason="this game is not here yet")
    game: Game[Any] = module.GAME
    return game


def test_cinco_vidas_lets_nobody_know_more_and_hides_ones_own_card_in_the_last_round(
    made: list[Made],
) -> None:
    table = CardTable(plugin("cinco_vidas"), 3, seed=1)
    own_hidden = 0
    moments = 0

    def watched() -> Iterator[Pause]:
        nonlocal own_hidden, moments
        for pause in real(56):
            state = table.tables[0].state
            if state.cards == 1 and all(state.hands.values()):
                for peer, seat in table.owned():
                    (own,) = state.hands[seat]
                    assert own not in pause.faces[seat]
                    assert own not in table.tables[peer].replica_state.known
                    own_hidden += 1
            moments += 1
            yield pause

    real: Callable[[int], Iterator[Pause]] = table.pauses
    table.pauses = lambda most=None: watched()  # type: ignore[method-assign]
    assert_knowledge_is_by_the_rules(table, made)
    assert moments > 40
    assert own_hidden


def test_intriga_lets_nobody_know_more(made: list[Made]) -> None:
    for seed in range(6):
        table = CardTable(plugin("intriga"), 3, seed=seed)
        assert_knowledge_is_by_the_rules(table, made)
        kinds = {event["kind"] for event in table.tables[0].events}
        if {"exchanged", "redrawn"} <= kinds:
            return
    pytest.fail("nobody exchanged and redrew")


def test_spy_sees_what_leaks(made: list[Made], monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that lets too many shares out is found: here a second seer makes the first say its
    share openly."""
    real = cards_module._shares_owed

    def leaky(state: Any, cards: Any, opened: Any) -> Any:
        return real(state, cards, list(cards))

    monkeypatch.setattr(cards_module, "_shares_owed", leaky)
    table = CardTable(GAME, 3, seed=1)
    with pytest.raises(AssertionError, match=r"Ana|Bea|Cai"):
        assert_knowledge_is_by_the_rules(table, made)
