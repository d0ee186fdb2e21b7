"""What real tables do when peers are cut off, die, come back, leave, vote as they like, or lie.

Nobody parts, no innocent is convicted, no honest peer is refused what it passes on, whatever
happens; and when nothing more goes wrong, those who are enough play to one end.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from support.peers.ballots import Ending, Said
from support.peers.cheats import Cheat
from support.peers.company import SEALED, Company, stroll
from support.peers.other_rules import (
    TRACES,
    Another,
    CountsMessages,
    FollowsAnybody,
    HoldsAgainstItself,
    NeedsNoMajority,
)
from support.peers.tabletop import key
from support.peers.vices import VICES

from sobremesa.core.encoding import pack
from sobremesa.core.replica import table as tables
from sobremesa.core.replica.poll import NO_MESSAGE, Ballot, Done, Hold, Poll, write_stand
from sobremesa.core.replica.transcript import STAND, Message


def gathered(company: Company) -> Company:
    """Everybody has signed the charter."""
    while min(table.step for table in company.tables) < 1:
        company.deliver(company.full()[0])
    return company


def walked(company: Company, seed: int, moves: int = 100) -> Company:
    stroll(gathered(company), random.Random(seed), moves)
    return company


@pytest.mark.parametrize(("peers", "walks"), [(3, 40), (4, 20), (5, 10)])
def test_real_tables_never_part_and_come_to_one_end(peers: int, walks: int) -> None:
    seen: Counter[Ending | None] = Counter()
    for seed in range(walks):
        company = walked(Company(peers, seed=seed), seed)
        assert company.wrong() is None, seed
        company.settle()
        assert (company.wrong(), company.why_no_record()) == (None, None), seed
        seen[company.ending()] += 1
    assert seen[Ending.STUCK] == seen[None] == 0
    assert seen[Ending.DECIDED] > walks / 2


@pytest.mark.parametrize("vice", VICES.values(), ids=VICES)
def test_no_liar_parts_honest_peers_or_stops_them_where_they_are_enough(
    vice: Callable[[], Cheat],
) -> None:
    for seed in range(10):
        company = walked(Company(4, seed=seed, cheats={3: vice()}), seed)
        company.settle()
        assert (company.wrong(), company.why_no_record()) == (None, None), seed
        assert company.ending() is not Ending.STUCK, seed


# What is wrong is seen.


@pytest.mark.parametrize(
    "rule",
    [HoldsAgainstItself, CountsMessages, NeedsNoMajority, FollowsAnybody],
    ids=lambda rule: rule.__name__,
)
def test_with_another_rule_a_walk_of_real_tables_goes_wrong(
    rule: type[Poll], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "Poll", rule)
    companies = (walked(Company(3, seed=seed), seed) for seed in range(200))
    assert any(company.wrong() is not None for company in companies)


def hear(company: Company, peer: int, said: tuple[str, int]) -> None:
    """All that a peer has said in the step of the sealed answers comes to another, of a kind."""
    kind, author = said
    for index, message in enumerate(company.tables[author].log):
        is_stand = message.kind == STAND
        if (message.step, message.peer, is_stand) == (SEALED, author, kind == "stand"):
            company.throw(author, peer, index)


def played(peers: int, asked: frozenset[int], moves: Iterable[Said]) -> Company:
    """What comes of the moves of a model in the step of the sealed answers, as far as tables make
    them. They decide and hold by themselves."""
    company = gathered(Company(peers, asked))
    while min(table.step for table in company.tables) < SEALED:
        company.deliver(company.full()[0])
    names, hears = company.charter.seat_names, dict[int, list[Any]]()
    for verb, peer, what in moves:
        if verb == "send":
            company.answer(peer, names[peer])
        elif verb == "sign":
            assert isinstance(what, frozenset)
            company.sign(peer, what)
        elif verb == "hear":
            heard = hears.setdefault(peer, [])
            heard.append(what)
            for said in heard * 2:  # what a stand rests on may come after it
                hear(company, peer, said)
    return company


@pytest.mark.parametrize("rule", TRACES, ids=lambda rule: rule.__name__)
def test_a_way_that_would_part_real_tables_is_closed(
    rule: type[Another], monkeypatch: pytest.MonkeyPatch
) -> None:
    model, moves = TRACES[rule]
    company = played(model.peers, model.expected[0], moves)
    assert company.wrong() is None
    company.settle()
    assert (company.wrong(), company.ending()) == (None, Ending.DECIDED)
    monkeypatch.setattr(tables, "Poll", rule)
    assert played(model.peers, model.expected[0], moves).wrong() is not None


# What walks have found.


def test_who_sees_the_game_over_still_tells_how_its_last_step_was_decided() -> None:
    """Bea votes against Cai, whose seed is on its way to her; for Ana the game is over already."""
    company = gathered(Company(3))
    ana, bea, cai = company.tables
    company.cut((1, 2))

    def is_kept_back(way: tuple[int, int]) -> bool:
        said = company.lines[way].queue[0]
        return way == (0, 1) and isinstance(said, Message) and (said.peer, said.kind) == (2, "seed")

    while not cai.over:
        for way in [way for way in company.full() if not is_kept_back(way)]:
            company.deliver(way)
        for peer, seat in company.asked():
            company.answer(peer, seat)
    assert ana.over
    assert company.sign(1, frozenset({2}))
    company.settle()
    assert (company.wrong(), bea.over) == (None, True)


def test_who_has_left_still_holds_what_it_has_got() -> None:
    """Bea votes against Cai, whose answer has come to Ana alone; and Ana has said farewell."""
    company = gathered(Company(4, frozenset({0, 2, 3})))
    ana, bea = company.tables[:2]
    names = company.charter.seat_names
    while min(table.step for table in company.tables) < SEALED:
        company.deliver(company.full()[0])
    for other in (1, 3):
        company.cut((min(2, other), max(2, other)))
    company.answer(0, names[0])
    company.answer(2, names[2])
    while company.lines[2, 0].queue:
        company.deliver((2, 0))
    company.leave(0)
    assert company.sign(1, frozenset({2}))
    while company.lines[1, 0].queue:
        company.deliver((1, 0))
    assert Hold(2, ana.history.due[2].hash) in ana.history.stand(SEALED, 0)
    company.settle()
    assert (company.wrong(), bea.over) == (None, True)
    assert {one.peer for one in bea.departures} == {0}


def test_what_who_is_gone_says_later_counts_for_nothing_but_two_of_it_convict() -> None:
    """Cai is voted gone, and goes on by itself where it was."""
    company = gathered(Company(3))
    bea = company.tables[1]
    while min(table.step for table in company.tables) < SEALED:
        company.deliver(company.full()[0])
    company.kill(2)
    company.answer(0, company.charter.seat_names[0])
    for peer in (0, 1):
        assert company.sign(peer, frozenset({2}))
    while not bea.departures:
        company.deliver(company.full()[0])
    step = bea.departures[0].step

    def say(at: int, body: bytes) -> None:
        head = bea.history.head_before(at)
        assert head is not None
        late = Message.make(company.charter, at, 2, "answer-commit", head, body, key(2).sign)
        bea.receive(late.payload, late.signature)

    say(step + 1, b"\xa0")
    say(step, b"\xa0")
    assert bea.live
    assert (bea.convicted, bea.proof) == ({}, ())
    say(step, b"\xa1")
    assert {message.peer for message in bea.proof} == {2}


def test_a_stand_that_convicts_still_counts_against_another_one() -> None:
    """Cai says what no honest peer says, and to others that it has decided."""
    company = gathered(Company(3))
    bea = company.tables[1]
    while min(table.step for table in company.tables) < SEALED:
        company.deliver(company.full()[0])
    for stand in ((Hold(0, NO_MESSAGE), Ballot(frozenset({0}))), (Done(frozenset()),)):
        body, head = pack(write_stand(stand)), bea.history.head
        said = Message.make(company.charter, SEALED, 2, STAND, head, body, key(2).sign)
        assert bea.receive(said.payload, said.signature) is not None
    assert bea.convicted[2].step == SEALED
    assert {message.peer for message in bea.proof} == {2}


def test_who_decided_a_step_before_it_spoke_says_so_when_it_speaks() -> None:
    """Bea has voted against Cai and needs Ana's word; Ana heard of it, died, and came back to find
    that all messages were there."""
    company = gathered(Company(3))
    bea = company.tables[1]
    company.deliver((1, 0))
    company.sign(1, frozenset({2}))
    while company.lines[1, 0].queue:
        company.deliver((1, 0))
    company.kill(0)
    company.come_back(0)
    assert company.tables[0].silent
    company.heal((0, 2))
    while company.full():
        company.deliver(company.full()[0])
    company.settle()
    assert company.ending() is Ending.DECIDED
    assert bea.over
