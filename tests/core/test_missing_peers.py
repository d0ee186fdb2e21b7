"""Steps in which a peer's message is missing, as a certificate will leave them.

The certificates themselves are not there yet; the protocols of the requests are driven by hand.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest
from support.games import toy
from support.peers.tabletop import make_charter, seed_of

from sobremesa.core.commit import roll, toss
from sobremesa.core.desk import Desk
from sobremesa.core.encoding import Rand
from sobremesa.core.errors import BadReveal
from sobremesa.core.protocols import gone, protocol
from sobremesa.core.requests import AskAll, Gone, Roll, Toss
from sobremesa.core.script import ScriptRun
from sobremesa.core.steps import Step

RANDS = {peer: Rand(seed_of(peer, 0)) for peer in range(4)}


def make_desk(owners: tuple[int, ...] = (0, 1, 2)) -> Desk:
    charter = make_charter(toy.GAME, max(owners) + 1, owners=owners)
    run = ScriptRun(toy.GAME, charter.seat_names, dict(charter.options))
    return Desk(charter, run, RANDS)


def drive(
    desk: Desk, steps: Generator[Step, Any, Any], lost: dict[int, int], answers: dict[str, str]
) -> tuple[Any, list[tuple[str, tuple[int, ...]]]]:
    """Run a protocol with everybody's honest messages. `lost` are peers that are gone from the
    given step of the protocol on: their message is missing there, and they are not present
    after it. Returns the result, and each step's kind with the peers that it called for."""
    seen: list[tuple[str, tuple[int, ...]]] = []
    bodies: dict[int, Any] | None = None
    while True:
        try:
            step = steps.send(bodies)  # type: ignore[arg-type]
        except StopIteration as stop:
            return stop.value, seen
        now_lost = {peer for peer, at in lost.items() if at == len(seen)}
        seen.append((step.kind, step.peers))
        bodies = {p: step.owe(p, RANDS[p], answers) for p in step.peers if p not in now_lost}
        for peer, body in bodies.items():
            step.check(peer, body)
        desk.present = tuple(peer for peer in desk.present if peer not in now_lost)
        desk.step += 1


def test_toss_that_lost_a_reveal_is_made_again_by_the_rest() -> None:
    desk = make_desk()
    value, seen = drive(desk, toss(desk, Toss(6, "first")), {1: 1}, {})
    assert seen == [
        ("toss-commit", (0, 1, 2)),
        ("toss-open", (0, 1, 2)),
        ("toss-commit", (0, 2)),
        ("toss-open", (0, 2)),
    ]
    assert value in range(6)


def test_second_toss_shares_no_secret_with_the_first() -> None:
    """Or who left could have known what its leaving does."""
    desk = make_desk()
    opened: list[bytes] = []
    steps = toss(desk, Toss(6, "first"))
    step = next(steps)
    for round in range(2):
        desk.step += 1
        step = steps.send({peer: step.owe(peer, RANDS[peer], {}) for peer in step.peers})
        opened += [step.owe(peer, RANDS[peer], {}) for peer in step.peers]
        if round == 0:
            desk.present = (0, 2)
            desk.step += 1
            step = steps.send({0: opened[0], 2: opened[2]})
    assert len(set(opened)) == 5


def test_toss_that_lost_a_commitment_goes_on_with_the_rest() -> None:
    desk = make_desk()
    value, seen = drive(desk, toss(desk, Toss(6, "first")), {1: 0}, {})
    assert seen == [("toss-commit", (0, 1, 2)), ("toss-open", (0, 2))]
    assert value in range(6)


def test_roll_that_lost_a_nonce_is_made_again_by_the_rest() -> None:
    desk = make_desk()
    dice, seen = drive(desk, roll(desk, Roll({"Ana": 2, "Bea": 2, "Cai": 1})), {2: 1}, {})
    assert [kind for kind, _ in seen] == ["roll-commit", "roll-open"] * 2
    assert seen[-1][1] == (0, 1)
    assert {seat: len(cup) for seat, cup in dice.items()} == {"Ana": 2, "Bea": 2, "Cai": 1}
    assert {die.seat for die in desk.cups} == {"Ana", "Bea"}, "nobody holds the secret of a third"


def test_everybody_but_one_may_be_lost() -> None:
    desk = make_desk((0, 1, 2, 3))
    value, seen = drive(desk, toss(desk, Toss(2, "first")), {0: 1, 1: 3, 3: 5}, {})
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
    desk = make_desk()
    steps = protocol(desk, kind)
    commit = next(steps)
    bound = steps.send({peer: commit.owe(peer, RANDS[peer], {}) for peer in commit.peers})
    assert not commit.bound
    assert bound.bound
    with pytest.raises(BadReveal, match="Ana"):
        bound.check(0, b"x" * 32)


def test_sealed_answers_of_the_rest_stand() -> None:
    desk = make_desk()
    dice, _ = drive(desk, roll(desk, Roll({"Ana": 1, "Bea": 1, "Cai": 1})), {}, {})
    answers = {
        seat: "odd" if desk.faces(seat)[cup[0]] % 2 else "even" for seat, cup in dice.items()
    }
    request = AskAll({seat: toy.Parity(cup) for seat, cup in dice.items()})
    given, seen = drive(desk, protocol(desk, request), {1: 1}, answers)
    assert [kind for kind, _ in seen] == ["answer-commit", "answer-open"]
    assert {seat: answer.args[0] for seat, answer in given.items()} == {
        seat: text for seat, text in answers.items() if seat != "Bea"
    }


def test_gone_lists_the_seats_of_absent_peers() -> None:
    desk = make_desk((0, 1, 1, 2))
    assert drive(desk, gone(desk), {}, {}) == ((), [])
    desk.present = (0, 2)
    assert drive(desk, gone(desk), {}, {}) == (("Bea", "Cai"), [])
    desk.present = (1,)
    assert drive(desk, protocol(desk, Gone()), {}, {})[0] == ("Ana", "Dan")
