"""A peer that dies and comes back: from seed, log and answers it is the same peer again."""

from __future__ import annotations

from typing import Any

import pytest
from support.games import toy
from support.peers.cheats import AnswersInRubbish
from support.peers.tabletop import Tabletop, Wires, feed

from sobremesa.core.crypto.slices import finish
from sobremesa.core.errors import BadMessage
from sobremesa.core.game import Game
from sobremesa.core.replica.restore import restore
from sobremesa.core.replica.table import Table
from sobremesa.core.replica.transcript import Record
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


def restored(tabletop: Tabletop, who: int, log: list[Record]) -> Table:
    """The replica of a peer made again from this much of its log."""
    again = tabletop.replica(who)
    finish(restore(again, log, tabletop.recorded[who]))
    return again


@pytest.mark.parametrize("part", [0.0, 0.3, 0.7, 1.0])
def test_a_restored_replica_is_where_it_was_and_signs_nothing_until_it_speaks(part: float) -> None:
    tabletop = Tabletop(toy.GAME, 3, seed=6)
    tabletop.run(lambda: tabletop.tables[1].step >= 12)
    table = tabletop.tables[1]
    log = [(m.payload, m.signature) for m in table.log]
    log = log[: int(len(log) * part)]
    again = restored(tabletop, 1, log)
    assert [(m.payload, m.signature) for m in again.log] == log
    assert not again.asked
    assert again.leave() is None
    if part == 1.0:
        assert (again.step, again.history.head) == (table.step, table.history.head)
        assert again.faces("Bea") == table.faces("Bea")
    again.speak()
    said = {m.step: m.payload for m in table.log if m.peer == 1}
    assert all(said.get(m.step, m.payload) == m.payload for m in again.log if m.peer == 1)


def test_what_we_signed_over_is_not_checked_again_and_what_came_later_is() -> None:
    tabletop = Tabletop(toy.GAME, 3, seed=6)
    tabletop.run(lambda: tabletop.tables[1].step >= 12)
    log = [(m.payload, m.signature) for m in tabletop.tables[1].log]
    ours = max(n for n, m in enumerate(tabletop.tables[1].log) if m.peer == 1)
    step = tabletop.tables[1].log[ours].step
    spoilt = [
        (payload, bytes(64) if m.step < step else signature)
        for m, (payload, signature) in zip(tabletop.tables[1].log, log, strict=True)
    ]
    assert restored(tabletop, 1, spoilt).step >= step
    with pytest.raises(BadMessage, match="did not sign"):
        restored(tabletop, 1, [*log[: ours + 1][:-1], (log[ours][0], bytes(64))])


def test_a_message_that_convicted_its_author_convicts_it_again() -> None:
    """It stands in the record beside the vote on its author, and is no part of its step."""
    tabletop = Tabletop(toy.GAME, 3, seed=6, cheats={0: AnswersInRubbish()}).run()
    table = tabletop.tables[1]
    assert [one.why for one in table.departures] == ["convicted"]
    again = restored(tabletop, 1, [(m.payload, m.signature) for m in table.log])
    assert again.departures == table.departures
    assert again.transcript() == table.transcript()
