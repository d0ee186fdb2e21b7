"""Ballots that no honest peer signs: nobody takes them on, whatever step it is at, and those that
convict their author are taken by all."""

from __future__ import annotations

import pytest
from support.games import toy
from support.peers.tabletop import Tabletop, key

from sobremesa.core.encoding import pack
from sobremesa.core.errors import BadMessage
from sobremesa.core.replica.faults import BadStand
from sobremesa.core.replica.poll import Act, Ballot, Hold, write_stand
from sobremesa.core.replica.table import Table
from sobremesa.core.replica.transcript import STAND, Message

LIAR = 2
NOTHING = Hold(0, bytes(32))


def stand(table: Table, step: int, *acts: Act) -> Message:
    """What the liar says of a step of this table's history."""
    head = table.history.head_before(step)
    assert head is not None
    body = pack(write_stand(acts))
    return Message.make(table.charter, step, LIAR, STAND, head, body, key(LIAR).sign)


def going_on() -> Table:
    """A table in the middle of a game."""
    tabletop = Tabletop(toy.GAME, 3, seed=2)
    return tabletop.run(lambda: tabletop.tables[0].step > 5).tables[0]


def give(table: Table, message: Message) -> None:
    table.receive(message.payload, message.signature)


@pytest.mark.parametrize("ago", [0, 1, 5])
def test_a_hold_of_nothing_is_refused_at_every_step(ago: int) -> None:
    table = going_on()
    message = stand(table, table.step - ago, NOTHING)
    with pytest.raises(BadMessage, match="before what allows it"):
        give(table, message)
    assert message.payload not in {m.payload for m in table.log}


def test_what_came_before_its_step_does_not_go_on_either() -> None:
    tabletop = Tabletop(toy.GAME, 3, seed=2).run()
    ahead, late = tabletop.tables[0], tabletop.replica(1)
    late.start(tabletop.recorded[1])
    message = stand(ahead, 4, NOTHING)
    give(late, message)
    for said in ahead.log:
        give(late, said)
    assert late.over
    assert message.payload not in {m.payload for m in late.log}


def test_what_convicts_its_author_is_taken_at_its_own_step_too() -> None:
    table = going_on()
    give(table, stand(table, table.step, NOTHING, Ballot(frozenset({0}))))
    assert isinstance(table.convicted[LIAR], BadStand)
