"""Votes on who is gone: when they begin, what they wait for, and what comes of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.games import toy
from support.peers.meshes import Meshes
from support.peers.tabletop import FULL, STAR, key, links

from sobremesa.core.encoding import Pick, pack
from sobremesa.core.game import Options, Outcome
from sobremesa.core.pieces import Die, Faces, Seat
from sobremesa.core.questions import Answer
from sobremesa.core.replica.audit import audit
from sobremesa.core.replica.phase import Phase
from sobremesa.core.replica.transcript import Message
from sobremesa.core.requests import Ask, Gone, Mark, Script, Toss


class Go(toy.Sum):
    """Shall it go on?"""

    def sample(self, pick: Pick, faces: Faces) -> Answer:
        return Answer("sum", (1,))


def play(seats: tuple[Seat, ...], options: Options) -> Script[Outcome]:
    """Three tosses, before each of which Ana is asked; who is still there has won."""
    for number in range(3):
        yield Mark({"number": number})
        yield Ask(seats[0], Go((Die(seats[0], 0, 0),), 6))
        yield Toss(6, "toss")
    gone = yield Gone()
    stayed = tuple(seat for seat in seats if seat not in gone)
    return Outcome((stayed, gone) if gone else (stayed,), "all tosses are made")


def public(state: Any) -> dict[str, Any]:
    return dict(state)


GAME = replace(toy.GAME, play=play, public=public)
PATIENCE = 60


def begun(peers: int, topology: str = FULL, turns: int = 0) -> Meshes:
    """A game that waits for Ana, and so many turns more."""
    meshes = Meshes(GAME, peers, links(topology, peers)).run(play=False)
    meshes.beat()
    for _ in range(turns):
        meshes.turn()
    return meshes


def over(meshes: Meshes, *peers: int) -> None:
    """These come to one end, and its record holds."""
    meshes.run()
    tables = [meshes.tables[peer] for peer in peers]
    assert [(table.phase, table.fault) for table in tables] == [(Phase.OVER, None)] * len(peers)
    assert len({table.transcript() for table in tables}) == 1
    report = audit(tables[0].transcript(), lambda _: GAME)
    assert report.ok, report.trouble


@pytest.mark.parametrize("peers", [3, 4, 5])
@pytest.mark.parametrize("turns", range(0, 150, 25))
def test_who_is_killed_is_gone_when_the_patience_is_over(peers: int, turns: int) -> None:
    meshes = begun(peers, turns=turns)
    last = peers - 1
    assert meshes.tables[0].started
    meshes.kill(last)
    meshes.run()
    meshes.pass_time(PATIENCE - 2)
    waits = meshes.tables[0].live
    assert not waits or last in meshes.tables[0].present
    meshes.pass_time(6)
    over(meshes, *range(last))
    departures = [(one.peer, one.why) for one in meshes.tables[0].departures]
    assert departures == ([(last, "away")] if waits else [])


def test_nobody_votes_while_a_way_leads_to_who_is_awaited() -> None:
    meshes = begun(4, STAR)
    meshes.run()
    assert all(table.over for table in meshes.tables), "links of one peer are enough"


def part(meshes: Meshes, *groups: set[int]) -> None:
    """Cut all links between the groups."""
    inside = {(i, j) for group in groups for i in group for j in group}
    for i, j in {tuple(sorted(way)) for way in meshes.ends} - inside:
        meshes.cut(i, j)


def join(meshes: Meshes, *groups: set[int]) -> None:
    """Bring those links back."""
    peers = [peer for group in groups for peer in group]
    for i in peers:
        for j in peers:
            if i < j and (i, j) not in meshes.ends:
                meshes.link(i, j)


@pytest.mark.parametrize("turns", range(0, 150, 30))
def test_the_larger_part_of_a_partition_goes_on_and_the_other_finds_itself_gone(
    turns: int,
) -> None:
    meshes = begun(5, turns=turns)
    many, few = {0, 1, 2}, {3, 4}
    part(meshes, many, few)
    meshes.run()
    if not meshes.tables[0].live:
        return
    meshes.pass_time(PATIENCE + 5)
    # Who is awaited one after the other is given up one after the other.
    meshes.pass_time(PATIENCE + 5)
    stuck = meshes.tables[0].live
    join(meshes, many, few)
    meshes.run()
    meshes.pass_time(5)
    heads = {table.history.head_before(table.step) for table in meshes.tables if table.over}
    assert len(heads) <= 1
    if not stuck:
        over(meshes, *many)
        named = {one.peer for one in meshes.tables[0].departures}
        for peer in few & named:
            assert meshes.tables[peer].phase is Phase.GONE


def test_who_is_away_and_owes_nothing_is_named_with_the_one_for_whom_the_step_waits() -> None:
    meshes = begun(5)
    part(meshes, {1, 2, 3}, {0, 4})
    meshes.pass_time(PATIENCE - 5)
    awaited, other = meshes.votings[1].absences(meshes.now)
    assert (awaited.name, awaited.needed, awaited.choice) == ("Ana", True, True)
    assert (other.needed, other.choice, other.until) == (False, True, awaited.until)
    meshes.pass_time(10)
    over(meshes, 1, 2, 3)
    first = meshes.tables[1].departures[:2]
    assert [(one.peer, bool(one.owed)) for one in first] == [(0, True), (4, False)]
    assert first[0].step == first[1].step


def test_who_is_away_keeps_its_seat_while_the_step_waits_for_others() -> None:
    meshes = begun(5)
    part(meshes, {0, 1, 2, 3}, {4})
    meshes.pass_time(PATIENCE + 5)
    assert meshes.tables[0].lacking() == {0}
    (other,) = meshes.votings[1].absences(meshes.now)
    assert (other.name, other.needed, other.choice) == ("Eva", False, False)
    assert not meshes.tables[1].departures


@pytest.mark.parametrize("groups", [({0, 1}, {2, 3}), ({0}, {1})])
def test_halves_wait_for_each_other(groups: tuple[set[int], set[int]]) -> None:
    meshes = begun(sum(map(len, groups)))
    part(meshes, *groups)
    meshes.run()
    meshes.pass_time(3 * PATIENCE)
    assert all(table.live and not table.departures for table in meshes.tables)
    join(meshes, *groups)
    meshes.run()
    over(meshes, *groups[0], *groups[1])


def test_who_is_back_in_time_keeps_its_seat() -> None:
    meshes = begun(3)
    part(meshes, {0, 1}, {2})
    meshes.run()
    meshes.pass_time(PATIENCE - 5)
    assert meshes.tables[0].live
    join(meshes, {0, 1}, {2})
    meshes.run()
    over(meshes, 0, 1, 2)
    assert meshes.tables[0].departures == []


def test_those_present_may_vote_at_once_if_all_of_them_would() -> None:
    meshes = begun(4)
    meshes.kill(3)
    meshes.run()
    meshes.pass_time(3)
    for peer in (0, 1):
        meshes.votings[peer].go_on_without(3)
    meshes.pass_time(5)
    assert 3 in meshes.tables[0].present
    (absence,) = meshes.votings[2].absences(meshes.now)
    assert (absence.name, absence.choice, absence.agreed) == ("Dan", True, ("Ana", "Bea"))
    meshes.votings[2].go_on_without(3)
    meshes.pass_time(1)
    over(meshes, 0, 1, 2)


def test_who_says_that_it_waits_keeps_the_clock_from_voting() -> None:
    meshes = begun(3)
    meshes.kill(2)
    meshes.run()
    meshes.pass_time(3)
    meshes.votings[1].wait_for(2)
    meshes.pass_time(2 * PATIENCE)
    assert 2 in meshes.tables[0].present
    assert meshes.votings[1].absences(meshes.now)[0].until is None
    meshes.votings[1].go_on_without(2)
    meshes.pass_time(1)
    over(meshes, 0, 1)


@pytest.mark.parametrize("peers", [2, 3, 4])
def test_a_farewell_is_voted_on_at_once(peers: int) -> None:
    meshes = begun(peers)
    meshes.leave(peers - 1)
    meshes.run()
    meshes.pass_time(1)
    over(meshes, *range(peers - 1))
    assert [one.why for one in meshes.tables[0].departures] == ["left"]
    assert meshes.tables[-1].phase is Phase.GONE, "it saw that it may go"


def test_all_but_one_may_leave_at_once() -> None:
    meshes = begun(4)
    for peer in (1, 2, 3):
        meshes.leave(peer)
    meshes.run()
    meshes.pass_time(1)
    over(meshes, 0)


def test_who_leaves_when_it_has_spoken_does_not_hold_up_the_vote_on_another() -> None:
    """Cai's battery is dead, and Eva, who has sent her part of the step, waits no longer."""
    meshes = begun(5)
    meshes.kill(2)
    meshes.answer(0, "Ana")
    meshes.run()
    meshes.leave(4)
    meshes.run()
    meshes.pass_time(5)
    meshes.kill(4)
    meshes.pass_time(2 * PATIENCE)
    over(meshes, 0, 1, 3)


def test_the_clock_gives_up_nobody_who_was_reached_through_voters_alone() -> None:
    """Dan can be reached through Ana only, who may lie about it: the others' players are asked."""
    meshes = Meshes(GAME, 4, [(0, 1), (0, 2), (1, 2), (0, 3)]).run(play=False)
    meshes.beat()
    meshes.pass_time(5)
    meshes.kill(3)
    meshes.run()
    meshes.pass_time(2 * PATIENCE)
    assert 3 in meshes.tables[0].present
    (absence,) = meshes.votings[1].absences(meshes.now)
    assert (absence.through, absence.until, absence.choice) == (("Ana",), None, True)
    for peer in (1, 2):
        meshes.votings[peer].go_on_without(3)
    meshes.pass_time(1)
    over(meshes, 0, 1, 2)


def test_a_machine_that_is_reached_and_sends_nothing_is_silent_in_the_end() -> None:
    meshes = begun(3)
    meshes.dead.add(2)
    table = meshes.tables[2]
    table.silent = True  # its links work, and it beats, but says nothing of the game
    meshes.run()
    assert meshes.tables[0].live
    meshes.pass_time(PATIENCE - 5)
    assert meshes.votings[0].absences(meshes.now) == []
    meshes[2].beat()
    meshes.pass_time(10)
    over(meshes, 0, 1)
    assert meshes.tables[0].departures[0].owed.startswith("toss")


def test_the_clock_gives_up_nobody_whose_message_over_another_history_is_here() -> None:
    """Ana's machine is there, and has answered, but over a head that nobody else has."""
    meshes = begun(3)
    table = meshes.tables[0]
    meshes.dead.add(0)
    stray = Message.make(
        table.charter, table.step, 0, "answer", bytes(64), pack("sum 1"), key(0).sign
    )
    for peer in (1, 2):
        meshes.inject(0, peer, stray)
    meshes.run(play=False)
    for _ in range(2 * PATIENCE):
        meshes[0].beat()
        meshes.pass_time(1)
    assert 0 in meshes.tables[1].present
    (absence,) = meshes.votings[1].absences(meshes.now)
    assert (absence.name, absence.why, absence.until, absence.choice) == (
        ("Ana", "silent", None, True)
    )
    for peer in (1, 2):
        meshes.votings[peer].go_on_without(0)
    meshes.pass_time(1)
    over(meshes, 1, 2)


def test_whom_all_have_left_hears_of_no_network_that_is_down_and_a_leavers_record_says_so() -> None:
    meshes = begun(3)
    for peer in (1, 2):
        meshes.leave(peer)
    meshes.pass_time(1)
    for peer in (1, 2):
        meshes.kill(peer)
    meshes.pass_time(10)
    assert [one.why for one in meshes.votings[0].absences(meshes.now)] == ["left", "left"]
    assert not meshes.votings[0].alone
    report = audit(meshes.tables[1].transcript(), lambda _: GAME)
    assert str(report.trouble).startswith("the game is not finished: Bea, Cai left in step ")


def test_who_waits_for_two_is_told_that_nobody_can_be_given_up() -> None:
    meshes = begun(2)
    meshes.kill(1)
    meshes.run()
    meshes.pass_time(10)
    (absence,) = meshes.votings[0].absences(meshes.now)
    assert (absence.name, absence.until, absence.choice) == ("Bea", None, False)
    assert meshes.votings[0].alone
