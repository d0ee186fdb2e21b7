"""core/replica/unruled.py: what a file shows to somebody who has not the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from support.games import toy
from support.peers import cheats
from support.peers.cheats import Cheat
from support.peers.tabletop import Tabletop, Wires, key

from sobremesa.core.encoding import pack
from sobremesa.core.errors import LocalError
from sobremesa.core.game import Game
from sobremesa.core.replica.audit import Report, audit
from sobremesa.core.replica.charter import Charter
from sobremesa.core.replica.poll import Ballot, Done, Stand, write_stand
from sobremesa.core.replica.transcript import (
    LEAVE,
    MAGIC,
    STAND,
    Message,
    read_transcript,
    write_transcript,
)

TABLETOP = Tabletop(toy.GAME, 3, seed=1).run()
GOOD = TABLETOP.tables[0].transcript()
CHARTER, MESSAGES, _ = read_transcript(GOOD)
RECORDS = list(MESSAGES)
STEPS = TABLETOP.tables[0].step
Records = list[tuple[bytes, bytes]]


def not_here(charter: Charter) -> Game[Any]:
    raise LocalError(f"no game is called {charter.game}")


def checked(records: Records, evidence: Records | None = None) -> Report:
    parts = [MAGIC, pack(["charter", CHARTER.encode()])]
    parts += [pack(["message", *record]) for record in records]
    parts += [pack(["evidence", *record]) for record in evidence or []]
    return audit(b"".join(parts), not_here)


def said(step: int, peer: int, body: Any = b"x", head: bytes = bytes(64)) -> tuple[bytes, bytes]:
    """A message that a peer signed."""
    message = Message.make(CHARTER, step, peer, "mark", head, pack(body), key(peer).sign)
    return message.payload, message.signature


def test_sound_file_is_sound_as_far_as_it_can_be_seen() -> None:
    report = audit(GOOD, not_here)
    assert (report.unchecked, report.trouble, report.culprit) == (
        "no game is called toy",
        None,
        None,
    )
    assert (report.ok, report.steps, report.game, report.outcome) == (False, STEPS, None, None)


def without(number: int) -> Records:
    return [*RECORDS[:number], *RECORDS[number + 1 :]]


def swapped(number: int) -> Records:
    one, other = RECORDS[number : number + 2]
    return [*RECORDS[:number], other, one, *RECORDS[number + 2 :]]


def flipped(number: int) -> Records:
    payload, signature = RECORDS[number]
    return [
        *RECORDS[:number],
        (payload, bytes([signature[0] ^ 1]) + signature[1:]),
        *RECORDS[number + 1 :],
    ]


@pytest.mark.parametrize("number", range(len(RECORDS) - 4), ids=str)
@pytest.mark.parametrize("damage", [without, swapped, flipped])
def test_every_damage_is_said_and_convicts_nobody(
    damage: Callable[[int], Records], number: int
) -> None:
    report = checked(damage(number))
    assert report.trouble is not None
    assert (report.unchecked, report.culprit) == (None, None)


@pytest.mark.parametrize(
    ("records", "why"),
    [
        ([], "not signed by everybody"),
        (RECORDS[:2], "not signed by everybody"),
        ([said(0, peer, head=CHARTER.root()) for peer in range(3)], "not signed by everybody"),
        ([*RECORDS[:3], RECORDS[2], *RECORDS[3:]], "not in their order"),
        ([*RECORDS[:3], said(1, 0)], "Ana's message for step 1 is signed over another history"),
    ],
)
def test_what_is_no_history_is_said(records: Records, why: str) -> None:
    report = checked(records)
    assert why in str(report.trouble)
    assert report.culprit is None


@pytest.mark.parametrize("as_evidence", [True, False])
def test_two_messages_for_one_step_convict_without_the_game(as_evidence: bool) -> None:
    first, second = said(STEPS, 1, b"one"), said(STEPS, 1, b"two")
    report = (
        checked(RECORDS, [first, second]) if as_evidence else checked([*RECORDS, first, second])
    )
    assert report.culprit == "Bea"
    assert report.trouble == f"Bea sent two different messages for one step (step {STEPS})"


@pytest.mark.parametrize(
    "cheat",
    [cheats.AnswersInRubbish, cheats.SendsAnotherDigest, cheats.OpensAnotherToss],
    ids=lambda x: "",
)
def test_what_only_the_rules_can_judge_convicts_nobody(cheat: Callable[[], Cheat]) -> None:
    tabletop = Tabletop(toy.GAME, 3, seed=1, cheats={2: cheat()}).run()
    for table in tabletop.honest:
        assert [departure.why for departure in table.departures] == ["convicted"]
        report = audit(table.transcript(), not_here)
        assert (report.culprit, report.trouble) == (None, None)
        assert report.unchecked is not None


def test_equivocators_file_convicts_it_everywhere() -> None:
    liar = cheats.Equivocates("toss-commit", (0,))
    tabletop = Tabletop(toy.GAME, 3, seed=1, cheats={2: liar}).run()
    for table in tabletop.honest:
        assert audit(table.transcript(), not_here).culprit == "Cai"


# Files of games that went on without somebody.


def voted() -> Tabletop:
    """A game that Cai leaves."""
    tabletop = Tabletop(toy.GAME, 5, seed=1, wires=Wires(delay=True))
    tabletop.run(lambda: tabletop.tables[0].step >= 4)
    tabletop.tables[2].leave()
    tabletop.pump()
    return tabletop.run()


VOTED = voted()
WENT_ON = VOTED.tables[0].messages()
STANDS = [place for place, message in enumerate(WENT_ON) if message.kind == STAND]
(FAREWELL,) = [place for place, message in enumerate(WENT_ON) if message.kind == LEAVE]


def told(messages: list[Message], find: Callable[[Charter], Game[Any]] = not_here) -> Report:
    return audit(write_transcript(VOTED.charter, messages), find)


def find_toy(charter: Charter) -> Game[Any]:
    return toy.GAME


def stand_of(old: Message, stand: Stand) -> Message:
    """Another stand of a peer in the place of one."""
    body = pack(write_stand(stand))
    return Message.make(
        VOTED.charter, old.step, old.peer, STAND, old.head, body, key(old.peer).sign
    )


def test_a_game_that_went_on_is_sound_with_the_game_and_without() -> None:
    assert (told(WENT_ON).trouble, told(WENT_ON).steps) == (None, VOTED.tables[0].step)
    report = told(WENT_ON, find_toy)
    assert (report.trouble, report.culprit) == (None, None)
    assert [(one.name, one.why) for one in report.departures] == [("Cai", "left")]
    assert len(STANDS) == 4


@pytest.mark.parametrize("find", [not_here, find_toy], ids=["without the game", "with it"])
def test_every_damage_to_a_certificate_is_said_and_convicts_nobody(
    find: Callable[[Charter], Game[Any]],
) -> None:
    step = WENT_ON[STANDS[0]].step
    around = [place for place, message in enumerate(WENT_ON) if message.step == step]
    for place in around:
        dropped = [] if place == FAREWELL else [WENT_ON[:place] + WENT_ON[place + 1 :]]
        for damaged in (*dropped, WENT_ON[: place + 1] + WENT_ON[place:]):
            report = told(damaged, find)
            assert report.trouble is not None, place
            assert report.culprit is None


def test_a_file_can_leave_out_why_somebody_is_gone_and_nothing_else() -> None:
    """The head covers whom a certificate names: a farewell can be left out, and what convicts."""
    report = told(WENT_ON[:FAREWELL] + WENT_ON[FAREWELL + 1 :], find_toy)
    assert (report.trouble, report.culprit) == (None, None)
    assert [(one.name, one.why) for one in report.departures] == [("Cai", "away")]


@pytest.mark.parametrize(
    "stand",
    [
        (Ballot(frozenset({3})),),
        (Ballot(frozenset({2, 3})),),
        (Done(frozenset({2})),),
        (Ballot(frozenset({0, 1, 2, 3, 4})),),
    ],
    ids=str,
)
def test_a_certificate_with_another_stand_in_it_is_none(stand: Stand) -> None:
    place = STANDS[0]
    forged = [*WENT_ON[:place], stand_of(WENT_ON[place], stand), *WENT_ON[place + 1 :]]
    for find in (not_here, find_toy):
        report = told(forged, find)
        assert not report.ok
        assert report.trouble is not None
        assert report.culprit in (None, "Ana"), "who signed it"


def test_nobody_is_gone_from_the_signing() -> None:
    first = WENT_ON[STANDS[0]]
    early = [
        Message.make(
            VOTED.charter, 0, peer, STAND, VOTED.charter.root(), first.body, key(peer).sign
        )
        for peer in (0, 1, 3, 4)
    ]
    without = [message for message in WENT_ON if (message.step, message.peer) != (0, 2)]
    for find in (not_here, find_toy):
        report = told([*early, *without], find)
        assert report.trouble is not None
        assert report.departures == ()
