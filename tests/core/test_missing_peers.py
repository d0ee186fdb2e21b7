"""Steps in which a peer's message is missing, as a certificate leaves them: tosses, rolls, answers
and cups. Cards are in `test_lost_keys`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import permutations

import pytest
from support.games import flowers, toy
from support.peers.losses import HandTable, at_steps
from support.peers.tabletop import NAMES

from sobremesa.core.game import Options, Outcome
from sobremesa.core.questions import Answer
from sobremesa.core.replica.dispatch import exchange
from sobremesa.core.replica.faults import BadReveal, FalseClaim, Finding
from sobremesa.core.requests import (
    Ask,
    AskAll,
    Claim,
    Gone,
    Mark,
    Reveal,
    Roll,
    Script,
    Show,
    Shuffle,
    Toss,
)

CUPS = Roll({"Ana": 2, "Bea": 2, "Cai": 1})


def table_of(*owners: int, lost: Mapping[int, Collection[int]] | None = None) -> HandTable:
    return HandTable(toy.GAME, owners or (0, 1, 2), lost=at_steps(lost or {}))


# Tosses and rolls.


def test_toss_that_lost_a_reveal_is_made_again_by_the_rest() -> None:
    table = table_of(lost={1: [1]})
    assert table.do(Toss(6, "first")) in range(6)
    assert table.steps == [
        ("toss-commit", (0, 1, 2)),
        ("toss-open", (0, 1, 2)),
        ("toss-commit", (0, 2)),
        ("toss-open", (0, 2)),
    ]


def test_second_toss_shares_no_secret_with_the_first() -> None:
    """Or who left could have known what its leaving does."""
    table = table_of(lost={1: [1]})
    table.do(Toss(6, "first"))
    first, again = table.bodies[1], table.bodies[3]
    assert first.keys() == again.keys() == {0, 2}
    assert len({*first.values(), *again.values()}) == 4


@pytest.mark.parametrize("request_", [Toss(6, "first"), CUPS], ids=["toss", "roll"])
def test_who_is_lost_at_the_commitment_is_not_in_it(request_: Toss | Roll) -> None:
    table = table_of(lost={0: [1]})
    table.do(request_)
    assert [peers for _, peers in table.steps] == [(0, 1, 2), (0, 2)]


def test_roll_that_lost_a_nonce_is_made_again_by_the_rest() -> None:
    table = table_of(lost={1: [2]})
    dice = table.do(CUPS)
    assert [kind for kind, _ in table.steps] == ["roll-commit", "roll-open"] * 2
    assert table.steps[-1][1] == (0, 1)
    assert {seat: len(cup) for seat, cup in dice.items()} == CUPS.dice
    assert {die.seat for die in table.state.cups} == {"Ana", "Bea"}, "nobody holds a third secret"


@pytest.mark.parametrize("request_", [Toss(6, "first"), CUPS], ids=["toss", "roll"])
@pytest.mark.parametrize("order", list(permutations(range(4), 3)), ids=str)
def test_everybody_but_one_may_be_lost(request_: Toss | Roll, order: tuple[int, int, int]) -> None:
    """One in each reveal."""
    table = table_of(0, 1, 2, 3, lost={1: [order[0]], 3: [order[1]], 5: [order[2]]})
    assert table.do(request_) is not None
    rest = [tuple(sorted({*range(4)} - {*order[:count]})) for count in range(4)]
    assert [peers for _, peers in table.steps] == [peers for peers in rest for _ in range(2)]


def test_toss_and_roll_are_made_by_the_seats_that_are_named() -> None:
    table = table_of(0, 1, 2, 3, 1)
    table.do(Toss(6, "first", by=("Bea", "Dan")))
    table.do(Roll({"Eva": 1}, by=("Eva", "Ana")))
    assert [peers for _, peers in table.steps] == [(1, 3), (1, 3), (0, 1), (0, 1)]


@pytest.mark.parametrize("at", [0, 1])
def test_where_all_that_are_named_are_gone_everybody_makes_it(at: int) -> None:
    table = table_of(0, 1, 2, 3, lost={at: [1, 3]})
    assert table.do(Toss(6, "first", by=("Bea", "Dan"))) in range(6)
    assert [peers for _, peers in table.steps[at + 1 :]] == [(0, 2), (0, 2)]


@pytest.mark.parametrize("kind", [Toss(6, "x"), Roll({"Ana": 1, "Bea": 1, "Cai": 1})])
def test_whoever_committed_is_bound(kind: Toss | Roll) -> None:
    table = table_of()
    steps = exchange(table.state, kind)
    commit = next(steps)
    bound = steps.send({p: commit.owe(p, table.rands[p], {}) for p in commit.peers})
    with pytest.raises(Finding) as caught:
        bound.check(0, b"x" * 32)
    assert caught.value.kind is BadReveal


# Cups.


@pytest.mark.parametrize("when", ["before", "in the step"])
def test_cup_of_who_is_gone_is_left_out(when: str) -> None:
    table = table_of()
    cups = table.do(CUPS)
    if when == "before":
        table.state.lose(frozenset({1}))
    else:
        table.lost = at_steps({2: [1]})
    faces = table.do(Reveal(cups))
    assert faces == {s: tuple(table.state.seen[s][die] for die in cups[s]) for s in ("Ana", "Cai")}
    every = [die for cup in cups.values() for die in cup]
    assert table.do(Reveal(every)) == (*faces["Ana"], *faces["Cai"])
    assert [kind for kind, _ in table.steps[2:]] == ["reveal"]
    table.do(Show(dict.fromkeys(cups["Bea"], NAMES[:3])))
    assert not set(cups["Bea"]) & set(table.state.run.faces)


def test_cup_that_was_never_rolled_is_left_out() -> None:
    table = table_of(lost={1: [2]})
    cups = table.do(CUPS)
    assert table.do(Reveal(cups)).keys() == {"Ana", "Bea"}


# Answers.


@pytest.mark.parametrize("when", ["before", "in the step"])
def test_who_is_gone_answers_with_the_default(when: str) -> None:
    table = table_of()
    cup = table.do(CUPS)["Bea"]
    question = toy.Parity(cup)
    table.answers = {"Bea": "odd" if table.state.faces("Bea")[cup[0]] % 2 else "even"}
    if when == "before":
        table.state.lose(frozenset({1}))
    else:
        table.lost = at_steps({2: [1]})
    assert table.do(Ask("Bea", question)) == question.default
    assert len(table.steps) == 2 + (when == "in the step")


def test_default_of_who_is_gone_counts_against_nobody() -> None:
    """A private question, whose default the hidden card refuses."""
    table = HandTable(flowers.GAME, range(3))
    (card,) = table.do(Shuffle(("lily",)))
    table.do(Show({card: ("Bea",)}))
    table.lost = at_steps({len(table.steps): [1]})
    answer = table.do(Ask("Bea", flowers.Challenge(card, "lily")))
    assert answer == Answer("no")
    assert table.do(Reveal((card,))) == ("lily",)
    assert table.state.convicted == []


@pytest.mark.parametrize("at", [0, 1])
@pytest.mark.parametrize("gone", [[1], [0, 2], [0, 1]])
def test_sealed_answers_of_the_rest_stand(at: int, gone: list[int]) -> None:
    table = table_of()
    dice = table.do(Roll({"Ana": 1, "Bea": 1, "Cai": 1}))
    table.answers = {
        seat: "odd" if table.state.faces(seat)[cup[0]] % 2 else "even" for seat, cup in dice.items()
    }
    table.lost = at_steps({2 + at: gone})
    given = table.do(AskAll({seat: toy.Parity(cup) for seat, cup in dice.items()}))
    assert [kind for kind, _ in table.steps[2:]] == ["answer-commit", "answer-open"]
    left = [name for peer, name in enumerate(NAMES[:3]) if peer not in gone]
    assert {seat: answer.args[0] for seat, answer in given.items()} == {
        seat: table.answers[seat] for seat in left
    }


def test_nobody_is_asked_where_all_are_gone() -> None:
    table = table_of()
    table.state.lose(frozenset({1, 2}))
    assert table.do(AskAll({"Bea": toy.Parity(()), "Cai": toy.Parity(())})) == {}
    assert table.steps == []


# The rest.


def test_gone_lists_the_seats_of_absent_peers() -> None:
    table = table_of(0, 1, 1, 2)
    assert table.do(Gone()) == ()
    table.state.lose(frozenset({1}))
    assert table.do(Gone()) == ("Bea", "Cai")
    table.state.lose(frozenset({0}))
    assert table.do(Gone()) == ("Ana", "Bea", "Cai")
    assert table.steps == []


def test_mark_is_by_those_who_are_there() -> None:
    table = table_of(lost={0: [2]})
    state = table.state.run.state = toy.State(NAMES[:3], {})
    table.do(Mark(state))
    table.do(Mark(state))
    assert table.steps == [("mark", (0, 1, 2)), ("mark", (0, 1))]


def test_disproved_claim_convicts_and_the_script_keeps_its_place() -> None:
    def play(seats: tuple[str, ...], options: Options) -> Script[Outcome]:
        yield Claim("Ana", "I hold nothing", lambda faces: False)
        yield Claim("Bea", "all is well", lambda faces: True)
        return Outcome((seats,), "it went on")

    table = HandTable(replace(toy.GAME, play=play), range(3))
    table.state.run.start()
    assert table.state.run.outcome is not None
    (fault,) = table.state.convicted
    assert isinstance(fault, FalseClaim)
    assert (fault.peer, fault.why) == ("Ana", 'claimed "I hold nothing", which was not true')
