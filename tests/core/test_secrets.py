"""What nobody may know: dice before they are opened, answers while they are sealed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from support.games import toy
from support.peers.tabletop import NAMES, Tabletop, key, make_charter, seed_of

from sobremesa.core.encoding import Rand
from sobremesa.core.pieces import Die
from sobremesa.core.replica.table import Table
from sobremesa.core.requests import Event
from sobremesa.plugins.dudo import GAME as DUDO


def dice_of(table: Table, seat: str) -> dict[Die, int]:
    known = table.replica_state.known.items()
    return {die: face for die, face in known if isinstance(die, Die) and die.seat == seat}


@pytest.mark.parametrize("game", [toy.GAME, DUDO], ids=lambda game: game.id)
def test_a_replica_knows_its_own_dice_and_what_was_opened_and_no_more(game: Any) -> None:
    tabletop = Tabletop(game, 3, seed=8, watcher=True)
    closed = 0

    def looks() -> bool:
        nonlocal closed
        for me, table in enumerate(tabletop.tables):
            if table.over:
                return False
            for seat in NAMES[:3]:
                faces = table.faces(seat)
                hidden = set(table.replica_state.cups) - set(table.replica_state.run.faces)
                theirs = {die for die in hidden if die.seat != NAMES[me]}
                assert not theirs & set(faces)
                assert not theirs & set(table.observation(seat).faces)
                assert not theirs & set(table.replica_state.known)
                closed += len(theirs)
        return False

    tabletop.run(looks)
    assert closed


def test_two_worlds_with_another_secret_of_one_peer_look_the_same_until_it_is_opened() -> None:
    """Everybody else's messages are of the same kinds in the same order, and the events before
    the first answer that depends on dice are the same."""

    def shape(seeds: Mapping[int, bytes]) -> tuple[list[tuple[int, int, str, int]], list[Event]]:
        tabletop = Tabletop(toy.GAME, 3, seed=9, seeds=seeds)
        tabletop.run(lambda: tabletop.tables[1].replica_state.cups != {})
        log = tabletop.tables[1].messages()
        kinds = [(m.step, m.peer, m.kind, len(m.payload)) for m in log]
        return kinds, list(tabletop.events[1])

    one = shape({})
    other = shape({0: b"another secret" + bytes(18)})
    assert one == other
    assert one[1][-1]["kind"] == "rolled"


def test_all_messages_and_all_other_seeds_do_not_tell_a_closed_cup() -> None:
    """An attacker who has every message and every seed but the owner's computes its own dice,
    and for the owner's finds nothing that the commitment accepts."""
    tabletop = Tabletop(toy.GAME, 3, seed=8)
    tabletop.run(lambda: all(table.replica_state.cups for table in tabletop.tables))
    spy = Table(tabletop.charter, toy.GAME, vault={i: Rand(tabletop.seeds[i]) for i in (1, 2)})
    spy.start()
    for message in tabletop.tables[1].messages():
        spy.receive(message.payload, message.signature)
    assert [bool(dice_of(spy, seat)) for seat in NAMES[:3]] == [False, True, True]
    owner = tabletop.tables[0]
    (cup,) = {
        cup.commitment: cup for die, cup in spy.replica_state.cups.items() if die.seat == "Ana"
    }.values()
    for seed in (tabletop.seeds[1], tabletop.seeds[2], seed_of(0, 9)):
        assert not cup.fits(Rand(seed).secret("dice-secret", cup.context, "Ana"))
    secret = Rand(tabletop.seeds[0]).secret("dice-secret", cup.context, "Ana")
    assert cup.fits(secret)
    assert cup.faces(secret) == dice_of(owner, "Ana")


def test_no_seed_nor_secret_stands_in_the_messages_before_its_time() -> None:
    tabletop = Tabletop(toy.GAME, 3, seed=8)
    tabletop.run(lambda: tabletop.tables[0].outcome is not None)
    said = b"".join(m.payload for m in tabletop.tables[0].messages() if m.kind != "seed")
    assert not any(seed in said for seed in tabletop.seeds.values())
    tabletop = Tabletop(toy.GAME, 3, seed=8)
    tabletop.run(lambda: all(table.replica_state.cups for table in tabletop.tables))
    said = b"".join(m.payload for table in tabletop.tables for m in table.log)
    for i, table in enumerate(tabletop.tables):
        cup = next(cup for die, cup in table.replica_state.cups.items() if die.seat == NAMES[i])
        secret = Rand(tabletop.seeds[i]).secret("dice-secret", cup.context, NAMES[i])
        assert cup.fits(secret)
        assert secret not in said


def test_nobodys_dice_depend_on_one_peer_alone() -> None:
    """Change any single peer's seed: everybody's dice change, since all nonces make them."""

    def dice(seeds: Mapping[int, bytes]) -> list[dict[Die, int]]:
        tabletop = Tabletop(toy.GAME, 3, {"sides": "20"}, seed=9, seeds=seeds)
        tabletop.run(lambda: all(table.replica_state.cups for table in tabletop.tables))
        return [dice_of(table, NAMES[i]) for i, table in enumerate(tabletop.tables)]

    before = dice({})
    for changed in range(3):
        after = dice({changed: bytes([changed]) * 32})
        assert all(a != b for a, b in zip(before, after, strict=True))


def test_two_tables_of_the_same_peers_have_other_dice() -> None:
    def first_cup(table_id: bytes) -> bytes:
        charter = make_charter(toy.GAME, 1, table=table_id)
        table = Table(charter, toy.GAME, me=0, sign=key(0).sign, vault={0: Rand(b"s" * 32)})
        table.start()
        return next(iter(table.replica_state.cups.values())).commitment

    assert first_cup(b"a" * 16) != first_cup(b"b" * 16)
