"""Machines that play by different copies of a game: where these disagree nobody is guilty, and what
is wrong by any copy still convicts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from support.games import flowers, toy
from support.peers import card_cheats as vices
from support.peers import cheats
from support.peers.card_tables import CardTable
from support.peers.cheats import Cheat
from support.peers.tabletop import NAMES, Tabletop, Wires

from sobremesa.core.encoding import Pick
from sobremesa.core.game import Game, Options, Outcome
from sobremesa.core.pieces import Seat
from sobremesa.core.questions import NO_FACES, Answer, Move
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
from sobremesa.core.requests import Ask, AskAll, Mark, Request, Reveal, Roll, Script


def other_copy(change: Callable[[Request], Request | None]) -> Game[Any]:
    """The toy with other rules: each request is changed on its way, or left out."""

    def play(seats: tuple[Seat, ...], options: Options) -> Script[Outcome]:
        script = toy.play(seats, options)
        result: Any = None
        try:
            while True:
                request = change(script.send(result))
                result = None if request is None else (yield request)
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome

    return replace(toy.GAME, play=play)


def more_dice(request: Request) -> Request:
    if isinstance(request, Roll):
        return replace(request, dice={seat: number + 1 for seat, number in request.dice.items()})
    return request


def no_mark(request: Request) -> Request | None:
    return None if isinstance(request, Mark) else request


class StricterSum(toy.Sum):
    """Whoever does not boast is refused."""

    def why_not(self, answer: Answer, faces: Any) -> str | None:
        return None if answer.args[0] == 12 else "only the highest sum will do"

    def sample(self, pick: Pick, faces: Any) -> Answer:
        return Answer("sum", (12,))


class OtherWords(toy.Sum):
    """The sum under another name."""

    def moves(self, faces: Any = NO_FACES) -> tuple[Move, ...]:
        (move,) = super().moves(faces)
        return (replace(move, notation=("total {total}",)),)


def asking(kind: type[toy.Sum]) -> Callable[[Request], Request]:
    def change(request: Request) -> Request:
        if isinstance(request, Ask) and isinstance(request.question, toy.Sum):
            return replace(request, question=kind(request.question.cup, request.question.most))
        return request

    return change


def other_cups(request: Request) -> Request:
    """Only the last of the cups is opened."""
    if isinstance(request, Reveal) and isinstance(request.pieces, Mapping):
        *_, last = request.pieces.items()
        return replace(request, pieces=dict([last]))
    return request


def fewer_asked(request: Request) -> Request:
    if isinstance(request, AskAll):
        first, *_ = request.questions.items()
        return replace(request, questions=dict([first]))
    return request


COPIES = {
    "more dice": other_copy(more_dice),
    "no mark": other_copy(no_mark),
    "other turns": replace(toy.GAME, play=lambda seats, options: toy.play(seats[::-1], options)),
    "stricter": other_copy(asking(StricterSum)),
    "other words": other_copy(asking(OtherWords)),
    "other cups opened": other_copy(other_cups),
    "fewer asked": other_copy(fewer_asked),
}


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
    tabletop = Tabletop(toy.GAME, 3, seed=1, copies={1: other_copy(asking(StricterSum))}).run()
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


def test_who_says_that_it_has_our_copy_is_judged_by_it() -> None:
    game = COPIES["stricter"]
    tabletop = Tabletop(toy.GAME, 3, seed=1, copies={1: game}, rules={}).run()
    assert tabletop.charter.one_copy
    assert {table.fault.peer for table in tabletop.tables if table.fault} <= set(NAMES)
    assert any(table.fault for table in tabletop.tables)


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
        assert type(table.fault) is fault
        assert table.fault.peer == "Cai"


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
        assert type(replica.fault) is fault
        assert replica.fault.peer == "Bea"


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
    tabletop = Tabletop(toy.GAME, 3, seed=1, cheats={2: cheat()}, copies=SAME_CODE).run()
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
    assert alone == {"Equivocation", "BadReveal", "BadKey", "BadKeyShare", "BadComplaint"}
    assert not PeerError.stands_alone
