"""Steps in which a peer's message is missing, as a certificate will leave them.

The certificates themselves are not there yet; the exchanges of the requests are driven by hand.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest
from support.games import toy
from support.peers.tabletop import make_charter, seed_of

from sobremesa.core.encoding import Rand
from sobremesa.core.replica.dice import roll
from sobremesa.core.replica.dispatch import exchange, gone
from sobremesa.core.replica.faults import BadReveal, Finding
from sobremesa.core.replica.state import ReplicaState
from sobremesa.core.replica.steps import Step
from sobremesa.core.replica.toss import toss
from sobremesa.core.requests import AskAll, Gone, Roll, Toss
from sobremesa.core.script import ScriptRun

RANDS = {peer: Rand(seed_of(peer, 0)) for peer in range(4)}


def make_state(owners: tuple[int, ...] = (0, 1, 2)) -> ReplicaState:
    charter = make_charter(toy.GAME, max(owners) + 1, owners=owners)
    run = ScriptRun(toy.GAME, charter.seat_names, dict(charter.options))
    return ReplicaState(charter, run, RANDS)


def drive(
    state: ReplicaState,
    steps: Generator[Step, Any, Any],
    lost: dict[int, int],
    answers: dict[str, str],
) -> tuple[Any, list[tuple[str, tuple[int, ...]]]]:
    """Run an exchange with everybody's honest messages. `lost` are peers that are gone from the
    given step of it on: their message is missing there, and they are not present
    after it. Returns the result, and each step's kind with the peers that it called for."""
    seen: list[tuple[str, tuple[int, ...]]] = []
    bodies: dict[int, Any] | None = None
    while True:
        try:
            step = steps.send(bodies)
        except StopIteration as stop:
            return stop.value, seen
        now_lost = {peer for peer, at in lost.items() if at == len(seen)}
        seen.append((step.kind, step.peers))
        bodies = {p: step.owe(p, RANDS[p], answers) for p in step.peers if p not in now_lost}
        for peer, body in bodies.items():
            step.check(peer, body)
        state.present = tuple(peer for peer in state.present if peer not in now_lost)
        state.step += 1


def test_toss_that_lost_a_reveal_is_made_again_by_the_rest() -> None:
    state = make_state()
    value, seen = drive(state, toss(state, Toss(6, "first")), {1: 1}, {})
    assert seen == [
        ("toss-commit", (0, 1, 2)),
        ("toss-open", (0, 1, 2)),
        ("toss-commit", (0, 2)),
        ("toss-open", (0, 2)),
    ]
    assert value in range(6)


def test_second_toss_shares_no_secret_with_the_first() -> None:
    """Or who left could have known what its leaving does."""
    state = make_state()
    opened: list[object] = []
    steps = toss(state, Toss(6, "first"))
    step = next(steps)
    for round in range(2):
        state.step += 1
        step = steps.send({peer: step.owe(peer, RANDS[peer], {}) for peer in step.peers})
        opened += [step.owe(peer, RANDS[peer], {}) for peer in step.peers]
        if round == 0:
            state.present = (0, 2)
            state.step += 1
            step = steps.send({0: opened[0], 2: opened[2]})
    assert len(set(opened)) == 5


def test_toss_that_lost_a_commitment_goes_on_with_the_rest() -> None:
    state = make_state()
    value, seen = drive(state, toss(state, Toss(6, "first")), {1: 0}, {})
    assert seen == [("toss-commit", (0, 1, 2)), ("toss-open", (0, 2))]
    assert value in range(6)


def test_roll_that_lost_a_nonce_is_made_again_by_the_rest() -> None:
    state = make_state()
    dice, seen = drive(state, roll(state, Roll({"Ana": 2, "Bea": 2, "Cai": 1})), {2: 1}, {})
    assert [kind for kind, _ in seen] == ["roll-commit", "roll-open"] * 2
    assert seen[-1][1] == (0, 1)
    assert {seat: len(cup) for seat, cup in dice.items()} == {"Ana": 2, "Bea": 2, "Cai": 1}
    assert {die.seat for die in state.cups} == {"Ana", "Bea"}, "nobody holds the secret of a third"


def test_everybody_but_one_may_be_lost() -> None:
    state = make_state((0, 1, 2, 3))
    value, seen = drive(state, toss(state, Toss(2, "first")), {0: 1, 1: 3, 3: 5}, {})
    assert [peers for _, peers in seen] == [
        (0, 1, 2, 3),
        (0, 1, 2, 3),
        (1, 2, 3),
        (1, 2, 3),
        (2, 3),
        (2, 3),
        (2,),
        (2,),
    ]
    assert value in range(2)


@pytest.mark.parametrize("kind", [Toss(6, "x"), Roll({"Ana": 1, "Bea": 1, "Cai": 1})])
def test_whoever_committed_is_bound(kind: Toss | Roll) -> None:
    steps = exchange(make_state(), kind)
    commit = next(steps)
    bound = steps.send({peer: commit.owe(peer, RANDS[peer], {}) for peer in commit.peers})
    with pytest.raises(Finding) as caught:
        bound.check(0, b"x" * 32)
    assert caught.value.kind is BadReveal


def test_sealed_answers_of_the_rest_stand() -> None:
    state = make_state()
    dice, _ = drive(state, roll(state, Roll({"Ana": 1, "Bea": 1, "Cai": 1})), {}, {})
    answers = {
        seat: "odd" if state.faces(seat)[cup[0]] % 2 else "even" for seat, cup in dice.items()
    }
    request = AskAll({seat: toy.Parity(cup) for seat, cup in dice.items()})
    given, seen = drive(state, exchange(state, request), {1: 1}, answers)
    assert [kind for kind, _ in seen] == ["answer-commit", "answer-open"]
    assert {seat: answer.args[0] for seat, answer in given.items()} == {
        seat: text for seat, text in answers.items() if seat != "Bea"
    }


def test_gone_lists_the_seats_of_absent_peers() -> None:
    state = make_state((0, 1, 1, 2))
    assert drive(state, gone(state), {}, {}) == ((), [])
    state.present = (0, 2)
    assert drive(state, gone(state), {}, {}) == (("Bea", "Cai"), [])
    state.present = (1,)
    assert drive(state, exchange(state, Gone()), {}, {})[0] == ("Ana", "Dan")
