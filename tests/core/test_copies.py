"""Machines that play by different copies of a game: where these disagree nobody is guilty, and what
is wrong by any copy still convicts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from support.games import flowers, toy
from support.games.toy_copies import COPIES
from support.peers import card_cheats as vices
from support.peers import cheats
from support.peers.card_tables import CardTable
from support.peers.cheats import Cheat
from support.peers.tabletop import NAMES, Tabletop, Wires

from sobremesa.core.game import Game
from sobremesa.core.replica.audit import audit, audit_played
from sobremesa.core.replica.faults import (
    BadComplaint,
    BadKey,
    BadKeyShare,
    BadReveal,
    Disagreement,
    Equivocation,
    PeerError,
)


@pytest.mark.parametrize("copy", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize(("peers", "who"), [(2, 0), (2, 1), (3, 1), (4, 3)])
def test_where_copies_disagree_nobody_is_guilty_and_both_sides_are_named(
    copy: Game[Any], peers: int, who: int
) -> None:
    for seed in range(3):
        wires = Wires(delay=True, duplicate=0.1)
        tabletop = Tabletop(
            toy.GAME, peers, {"rounds": "2"}, seed=seed, copies={who: copy}, wires=wires
        ).run()
        ended = [table.ended for table in tabletop.tables if table.ended is not None]
        # Each may wait for what the other's copy does not call for.
        assert ended or all(table.waiting_for() for table in tabletop.tables)
        assert all(table.fault is None and not table.over for table in tabletop.tables)
        for end in ended:
            assert type(end) is Disagreement
            assert all(f"{name}'s" in str(end) for name in NAMES[:peers])
        for table in tabletop.tables:
            report = audit(table.transcript(), lambda _: toy.GAME)
            assert (report.culprit, report.ok) == (None, False)


def test_a_disagreement_is_one_sentence_and_the_same_on_both_sides() -> None:
    tabletop = Tabletop(toy.GAME, 3, seed=1, copies={1: COPIES["stricter"]}).run()
    said = {str(table.ended) for table in tabletop.tables if table.ended is not None}
    (step,) = {table.step for table in tabletop.tables if table.ended is not None}
    assert said <= {
        f"{sides}, and they disagree at step {step}: "
        "nobody is guilty, and the game ends without a result"
        for sides in (
            "Bea's machine plays by another copy of Toy than Ana's and Cai's",
            "Ana's and Cai's machines play by another copy of Toy than Bea's",
        )
    }
    assert said


def test_who_says_that_it_has_our_copy_and_judges_by_another_is_alone_with_it() -> None:
    """It convicts an honest peer, which nobody else does, and goes no further; the others can go
    on without it."""
    game = COPIES["stricter"]
    tabletop = Tabletop(toy.GAME, 3, seed=1, copies={1: game}, rules={}).run()
    assert tabletop.charter.one_copy
    ana, bea, cai = tabletop.tables
    assert [fault.peer for fault in bea.convicted.values()] == ["Ana"]
    assert all(table.vote(frozenset({1})) for table in (ana, cai))
    tabletop.pump()
    tabletop.run()
    for table in (ana, cai):
        assert (table.over, table.convicted) == (True, {})
        assert [(one.name, one.why) for one in table.departures] == [("Bea", "away")]


# What is wrong by any copy.

SAME_CODE = {0: toy.GAME}
"""A copy that is another one by its word alone, so that all that is found is a cheat's doing."""

ALONE: list[tuple[Callable[[], Cheat], type[PeerError]]] = [
    (cheats.OpensAnotherToss, BadReveal),
    (cheats.RevealsAnotherNonce, BadReveal),
    (cheats.RevealsAnotherSeed, BadReveal),
    (lambda: cheats.Equivocates("toss-commit", (0,)), Equivocation),
    (lambda: cheats.Equivocates("answer", (0,)), Equivocation),
]


@pytest.mark.parametrize(("cheat", "fault"), ALONE, ids=lambda x: "")
def test_what_is_wrong_by_any_copy_convicts(
    cheat: Callable[[], Cheat], fault: type[PeerError]
) -> None:
    tabletop = Tabletop(toy.GAME, 3, seed=1, cheats={2: cheat()}, copies=SAME_CODE).run()
    for table in tabletop.honest:
        found = table.fault or table.convicted[2]
        assert type(found) is fault
        assert found.peer == "Cai"
        assert table.over == (fault is not Equivocation)


@pytest.mark.parametrize(
    ("cheat", "fault"),
    [
        (lambda: vices.ProvesElsewhere("keys", step=99), BadKey),
        (lambda: vices.ProvesElsewhere("key-shares", step=99), BadKey),
        (vices.ComplainsWithoutMeans, BadKey),
        (vices.ComplainsFalsely, BadComplaint),
        (vices.GivesBadKeyShare, BadKeyShare),
        (vices.GivesSharesOfAnotherKey, BadKeyShare),
    ],
    ids=lambda x: "",
)
def test_a_card_key_that_is_wrong_is_wrong_by_any_copy(
    cheat: Callable[[], Cheat], fault: type[PeerError]
) -> None:
    table = CardTable(flowers.GAME, 3, seed=1, cheats={1: cheat()}, copies={0: flowers.GAME}).run()
    for replica in table.honest:
        found = replica.fault or replica.convicted[1]
        assert type(found) is fault
        assert found.peer == "Bea"


RESTS_ON_RULES: list[Callable[[], Cheat]] = [
    cheats.RevealsAnotherSecret,
    cheats.ChangesSealedAnswer,
    cheats.SendsAnotherDigest,
    cheats.AnswersInRubbish,
    lambda: cheats.AnswersIllegally("sum 99"),
    cheats.AnswersOutOfTurn,
    cheats.AnswersBeforeItsTurn,
    lambda: cheats.SendsWrongKind("toss-open"),
    lambda: cheats.SendsWrongKind("seed"),
]


@pytest.mark.parametrize("cheat", RESTS_ON_RULES, ids=lambda x: "")
def test_what_rests_on_the_rules_convicts_nobody_where_copies_differ(
    cheat: Callable[[], Cheat],
) -> None:
    tabletop = Tabletop(toy.GAME, 3, seed=3, cheats={2: cheat()}, copies=SAME_CODE).run()
    for table in tabletop.honest:
        assert table.fault is None
        assert type(table.ended) is Disagreement


@pytest.mark.parametrize(
    "cheat",
    [cheats.ClaimsFalsely, cheats.PlaysWhatItDoesNotHold, lambda: cheats.ChoosesItsSecret("toss")],
    ids=lambda x: "",
)
def test_what_only_the_audit_finds_is_a_disagreement_too(cheat: Callable[[], Cheat]) -> None:
    for seed in range(40):
        tabletop = Tabletop(toy.GAME, 3, seed=seed, cheats={2: cheat()}, copies=SAME_CODE).run()
        over = [table for table in tabletop.honest if table.over]
        for table in over:
            report = audit_played(table)
            assert (report.ok, report.culprit, report.disputed) == (False, None, True)
            assert "nobody is guilty" in str(report.trouble)
        if over:
            return
    pytest.fail("the cheat was never last")


def test_every_kind_of_fault_says_whether_it_rests_on_the_rules() -> None:
    alone = {kind.__name__ for kind in PeerError.__subclasses__() if kind.stands_alone}
    assert alone == {
        "Equivocation",
        "BadReveal",
        "BadKey",
        "BadKeyShare",
        "BadComplaint",
        "BadStand",
    }
    assert not PeerError.stands_alone
