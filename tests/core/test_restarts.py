"""A peer that dies and comes back: from seed, log and answers it is the same peer again."""

from __future__ import annotations

from typing import Any

import pytest
from support.games import toy
from support.peers.tabletop import Tabletop, Wires, feed

from sobremesa.core.game import Game
from sobremesa.core.replica.table import Table
from sobremesa.plugins.dudo import GAME as DUDO


def steps_of(game: Game[Any], peers: int, options: dict[str, str]) -> int:
    return Tabletop(game, peers, options, seed=2).run().tables[0].step


def crash(game: Game[Any], peers: int, options: dict[str, str], who: int, step: int) -> Tabletop:
    tabletop = Tabletop(game, peers, options, seed=2, wires=Wires(delay=True))
    tabletop.run(lambda: tabletop.tables[who].step >= step)
    before = {m.payload: m.signature for m in tabletop.tables[who].log if m.peer == who}
    tabletop.restart(who)
    after = {m.payload: m.signature for m in tabletop.tables[who].log if m.peer == who}
    assert before.items() <= after.items(), "what it had said it says again, byte for byte"
    return tabletop.run()


TOY_STEPS = 17


@pytest.mark.parametrize("step", range(TOY_STEPS + 1))
@pytest.mark.parametrize("who", range(2))
def test_toy_game_survives_a_crash_after_every_step(who: int, step: int) -> None:
    undisturbed = Tabletop(toy.GAME, 2, {"rounds": "1"}, seed=2, wires=Wires(delay=True)).run()
    tabletop = crash(toy.GAME, 2, {"rounds": "1"}, who, step)
    assert all(table.over for table in tabletop.tables)
    assert tabletop.transcripts() == undisturbed.transcripts()


def test_the_crashes_above_are_at_every_step() -> None:
    assert steps_of(toy.GAME, 2, {"rounds": "1"}) == TOY_STEPS


@pytest.mark.parametrize("step", range(1, 60, 7))
def test_dudo_survives_a_crash(step: int) -> None:
    tabletop = crash(DUDO, 3, {"dice": "3"}, step % 3, step)
    assert [(t.fault, t.over) for t in tabletop.tables] == [(None, True)] * 3
    assert len(tabletop.transcripts()) == 1


def reach(tabletop: Tabletop, step: int) -> None:
    tabletop.run(lambda: any(table.step >= step for table in tabletop.tables))


def test_everybody_may_crash_again_and_again() -> None:
    tabletop = Tabletop(toy.GAME, 3, seed=5, wires=Wires(delay=True))
    for step in range(1, 20):
        reach(tabletop, step)
        tabletop.restart(step % 3)
    tabletop.run()
    assert all(table.over for table in tabletop.tables)
    assert tabletop.transcripts() == Tabletop(toy.GAME, 3, seed=5).run().transcripts()


def test_a_crash_while_answers_are_sealed_needs_them_again() -> None:
    """The player may not choose anew after the commitment is out."""
    tabletop = Tabletop(toy.GAME, 2, seed=2)
    mine = tabletop.tables[0]
    tabletop.run(lambda: any(m.kind == "answer-commit" and m.peer == 0 for m in mine.log))
    sealed = dict(tabletop.recorded[0])
    assert [seat for _, seat in sealed] == ["Ana"]
    tabletop.restart(0)
    assert not tabletop.tables[0].asked
    assert tabletop.tables[0].own.choices == {"Ana": sealed[next(iter(sealed))]}
    assert all(table.over for table in tabletop.run().tables)


@pytest.mark.parametrize("lost", [1, 2, 5])
def test_a_torn_end_of_the_log_comes_back_from_the_others(lost: int) -> None:
    tabletop = Tabletop(toy.GAME, 3, seed=6)
    tabletop.run(lambda: tabletop.tables[1].step >= 9)
    log = tabletop.tables[1].log
    del log[len(log) - lost :]
    tabletop.restart(1)
    tabletop.run()
    assert [(t.fault, t.over) for t in tabletop.tables] == [(None, True)] * 3
    assert len(tabletop.transcripts()) == 1


def test_a_peer_with_nothing_but_its_seed_and_its_answers_catches_up() -> None:
    tabletop = Tabletop(toy.GAME, 3, seed=6)
    tabletop.run(lambda: tabletop.tables[1].step >= 12)
    tabletop.tables[1].log.clear()
    tabletop.restart(1)
    tabletop.run()
    assert [(t.fault, t.over) for t in tabletop.tables] == [(None, True)] * 3


def test_another_seed_cannot_take_the_place_of_the_first() -> None:
    """Who lost its seed cannot sit down again: it would be a second, different peer."""
    tabletop = Tabletop(toy.GAME, 2, seed=6)
    tabletop.run(lambda: tabletop.tables[0].step >= 6)
    log = [(m.payload, m.signature) for m in tabletop.tables[0].log]
    tabletop.seeds[0] = b"n" * 32
    again: Table = tabletop.replica(0)
    again.start()
    feed(again, log)
    assert again.fault is not None
    assert again.fault.peer == "Ana"
