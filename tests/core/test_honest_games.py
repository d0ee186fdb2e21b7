"""Games of honest peers: however the messages travel, all end with the same bytes."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest
from support.games import toy
from support.peers.tabletop import LINE, STAR, Tabletop, Wires, feed

from sobremesa.core.replica.audit import audit
from sobremesa.core.replica.charter import BadCharter
from sobremesa.core.replica.table import Table
from sobremesa.core.replica.transcript import read_transcript
from sobremesa.plugins.dudo import GAME as DUDO

GAMES = {game.id: game for game in (toy.GAME, DUDO)}


def check(tabletop: Tabletop) -> None:
    """Everything that must hold when a game of honest peers is over."""
    tables = tabletop.everybody()
    assert [(t.fault, t.ended, t.over) for t in tables] == [(None, None, True)] * len(tables)
    assert not tabletop.refused
    assert len({t.outcome for t in tables}) == 1
    assert len({t.replica_state.head for t in tables}) == 1
    assert all(events == tables[0].events for events in tabletop.events.values())
    (data,) = tabletop.transcripts()
    report = audit(data, lambda charter: GAMES[charter.game])
    assert report.trouble is None
    assert report.outcome == tables[0].outcome

    charter, records, evidence = read_transcript(data)
    again = Table(charter, tabletop.game)
    again.start()
    feed(again, records)
    assert not list(evidence)
    assert again.replica_state.public() == tables[0].replica_state.public()
    assert again.replica_state.head == tables[0].replica_state.head
    assert again.transcript() == data


NASTY = Wires(delay=True, reorder=True, duplicate=0.3, cut=0.03)


@pytest.mark.parametrize("peers", range(1, 9))
def test_game_ends_with_one_transcript_for_all(peers: int) -> None:
    check(Tabletop(toy.GAME, peers, seed=peers, watcher=True).run())


@pytest.mark.parametrize(
    "wires",
    [
        Wires(delay=True),
        Wires(reorder=True),
        Wires(duplicate=0.5),
        Wires(cut=0.05),
        Wires(LINE),
        Wires(STAR),
        Wires(LINE, delay=True, reorder=True, duplicate=0.3, cut=0.03),
        Wires(STAR, delay=True, reorder=True, duplicate=0.3, cut=0.03),
    ],
    ids=str,
)
@pytest.mark.parametrize("seed", range(3))
def test_the_way_of_the_messages_matters_nowhere(wires: Wires, seed: int) -> None:
    check(Tabletop(toy.GAME, 4, seed=seed, wires=wires, watcher=True).run())


def test_the_same_players_with_the_same_seeds_write_the_same_bytes_over_any_wires() -> None:
    one = Tabletop(toy.GAME, 3, seed=1).run()
    other = Tabletop(toy.GAME, 3, seed=1, wires=NASTY).run()
    assert one.transcripts() == other.transcripts()


@pytest.mark.parametrize("owners", [(0, 0, 0), (0, 1, 1, 1), (1, 0, 1, 0, 1, 0, 1, 0), (2, 1, 0)])
def test_a_peer_may_play_several_seats(owners: tuple[int, ...]) -> None:
    peers = max(owners) + 1
    check(Tabletop(toy.GAME, peers, seed=7, owners=owners, wires=NASTY, watcher=True).run())


@pytest.mark.parametrize("rounds", ["1", "2", "3"])
@pytest.mark.parametrize("sides", ["2", "6", "20"])
def test_every_option_of_the_toy_game_ends(rounds: str, sides: str) -> None:
    options = {"rounds": rounds, "sides": sides}
    check(Tabletop(toy.GAME, 3, options, seed=3, wires=NASTY).run())


@pytest.mark.parametrize(
    ("peers", "owners", "dice", "palifico"),
    [
        (2, None, "5", "on"),
        (3, None, "3", "off"),
        (2, (0, 1, 1, 1), "3", "on"),
        (4, None, "3", "on"),
        (6, None, "3", "off"),
        (2, (0, 0, 0, 0, 1, 1, 1, 1), "3", "on"),
        (2, (0, 1), "5", "off"),
    ],
)
def test_dudo_ends_with_one_transcript_for_all(
    peers: int, owners: tuple[int, ...] | None, dice: str, palifico: str
) -> None:
    options = {"dice": dice, "palifico": palifico}
    wires = Wires(delay=True, duplicate=0.1, cut=0.01)
    check(Tabletop(DUDO, peers, options, seed=peers, owners=owners, wires=wires).run())


def test_a_spectator_sees_each_head_and_no_hidden_die() -> None:
    tabletop = Tabletop(toy.GAME, 3, seed=4, watcher=True)
    watcher = tabletop.watcher
    assert watcher is not None

    def looks() -> bool:
        public = {die for table in tabletop.tables for die in table.replica_state.run.faces}
        for seat in (None, *tabletop.charter.seat_names):
            assert set(watcher.faces(seat)) <= public
        assert not watcher.asked
        return False

    tabletop.run(looks)
    assert watcher.over


def test_table_of_two_versions_of_the_game_does_not_begin() -> None:
    charter = Tabletop(toy.GAME, 2).charter
    with pytest.raises(BadCharter, match="Versions differ"):
        Table(charter, replace(toy.GAME, rules_version=2))


def test_a_seeded_game_is_pinned_to_the_byte() -> None:
    """A change of any of these is a change of the protocol: raise `PROTOCOL` with it."""
    (data,) = Tabletop(toy.GAME, 3, seed=1).run().transcripts()
    assert hashlib.sha256(data).hexdigest() == (
        "a3b8a0a05de452dd8609df7f0e3c67a59f60d71cc5fb55cd7be21a3249bd9470"
    )
