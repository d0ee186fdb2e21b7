"""core/replica/unruled.py: what a file shows to somebody who has not the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from support.games import toy
from support.peers import cheats
from support.peers.cheats import Cheat
from support.peers.tabletop import Tabletop, key

from sobremesa.core.encoding import pack
from sobremesa.core.errors import LocalError
from sobremesa.core.game import Game
from sobremesa.core.replica.audit import Report, audit
from sobremesa.core.replica.charter import Charter
from sobremesa.core.replica.transcript import MAGIC, Message, read_transcript

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
