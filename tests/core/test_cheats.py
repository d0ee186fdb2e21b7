"""Peers that cheat: caught at once and named on every honest peer, by the table and the audit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from support.games import toy
from support.peers import cheats
from support.peers.cheats import Cheat
from support.peers.tabletop import LINE, NAMES, Tabletop, Wires, key

from sobremesa.core.game import Game
from sobremesa.core.pieces import Die
from sobremesa.core.replica.audit import audit
from sobremesa.core.replica.bodies import BODY_LIMITS
from sobremesa.core.replica.charter import Charter
from sobremesa.core.replica.departures import OWED, Departure
from sobremesa.core.replica.faults import (
    BadOpening,
    BadReveal,
    Diverged,
    Equivocation,
    FalseClaim,
    Malformed,
    OutOfTurn,
    PeerError,
    PlayedIllegally,
)
from sobremesa.core.replica.phase import Phase
from sobremesa.core.replica.table import Table
from sobremesa.core.replica.transcript import Message
from sobremesa.plugins.dudo import GAME as DUDO

GAMES = {game.id: game for game in (toy.GAME, DUDO)}
KINDS = (
    "sign",
    "mark",
    "toss-commit",
    "toss-open",
    "roll-commit",
    "roll-open",
    "answer-commit",
    "answer-open",
    "answer",
    "reveal",
    "end",
    "seed",
)


def played(charter: Charter) -> Game[Any]:
    return GAMES[charter.game]


def table_with(
    cheat: Cheat, peers: int, seed: int = 0, game: Game[Any] = toy.GAME, wires: Wires | None = None
) -> tuple[Tabletop, str]:
    """A finished table whose last peer cheats, and the cheat's name."""
    options = {"rounds": "2"} if game is toy.GAME else {}
    wires = wires or Wires(delay=True, duplicate=0.1)
    who = peers - 1
    tabletop = Tabletop(game, peers, options, seed=seed, wires=wires, cheats={who: cheat}).run()
    return tabletop, NAMES[who]


def found_by(table: Table, name: str) -> PeerError | None:
    """The fault of this peer that a table knows."""
    return table.fault or table.late_fault or table.convicted.get(NAMES.index(name))


def assert_named(tabletop: Tabletop, name: str, fault: type[PeerError], kind: str | None) -> None:
    """Every honest peer found this fault of this peer, and its file tells it too."""
    for table in tabletop.honest:
        found = found_by(table, name)
        assert type(found) is fault
        assert found.peer == name
        assert not table.live
        assert not table.asked
        if found is not table.late_fault and kind is not None:
            proof = found.proof[-1]
            assert proof.step == found.step
            assert table.charter.name_of(proof.peer) == name
    found = found_by(tabletop.honest[0], name)
    assert found is not None
    if fault is Equivocation or found.step == 0 or len(tabletop.tables) == 2:
        for table in tabletop.honest:
            assert_ended(table, name)
    else:
        assert_played_on(tabletop, name, found)


def assert_ended(table: Table, name: str) -> None:
    """The table has no result, and its file convicts the peer."""
    if table.fault is None:
        return  # nobody can undo a game that was over
    assert not table.over
    report = audit(table.transcript(), played)
    assert report.culprit == name
    assert report.trouble == str(table.fault)
    assert name in report.trouble


def assert_played_on(tabletop: Tabletop, name: str, found: PeerError) -> None:
    """The honest ones came to one end without the peer, and their file says why."""
    for table in tabletop.honest:
        assert (table.phase, table.fault, table.ended) == (Phase.OVER, None, None)
        (departure,) = table.departures
        assert (departure.name, departure.why, departure.fault) == (name, "convicted", found.why)
        assert departure.step >= found.step
        assert table.departures == tabletop.honest[0].departures
        assert [str(fault) for fault in table.convicted.values()] == [str(found)]
    (data,) = {table.transcript() for table in tabletop.honest}
    report = audit(data, played)
    assert (report.trouble, report.culprit) == (None, None)
    assert report.outcome == tabletop.honest[0].outcome
    assert list(report.departures) == tabletop.honest[0].departures


AT_ONCE: list[tuple[str, Callable[[], Cheat], type[PeerError]]] = [
    ("another toss", cheats.OpensAnotherToss, BadReveal),
    ("another nonce", cheats.RevealsAnotherNonce, BadReveal),
    ("another dice secret", cheats.RevealsAnotherSecret, BadOpening),
    ("another sealed answer", cheats.ChangesSealedAnswer, BadOpening),
    ("another seed", cheats.RevealsAnotherSeed, BadReveal),
    ("another digest", cheats.SendsAnotherDigest, Diverged),
    ("no move at all", cheats.AnswersInRubbish, Malformed),
    ("other words", cheats.AnswersInOtherWords, Malformed),
    ("a sum out of range", lambda: cheats.AnswersIllegally("sum 99"), Malformed),
    ("out of turn", cheats.AnswersOutOfTurn, OutOfTurn),
    ("before its turn", cheats.AnswersBeforeItsTurn, OutOfTurn),
    *((f"wrong kind: {k}", lambda k=k: cheats.SendsWrongKind(k), Malformed) for k in KINDS),
    *((f"both versions: {k}", lambda k=k: cheats.SaysBoth(k), Equivocation) for k in KINDS),
]


@pytest.mark.parametrize(("cheat", "fault"), [row[1:] for row in AT_ONCE], ids=lambda x: "")
@pytest.mark.parametrize("peers", [2, 3])
def test_cheat_is_named_at_once(cheat: Callable[[], Cheat], fault: type, peers: int) -> None:
    tabletop, name = table_with(cheat(), peers)
    assert_named(tabletop, name, fault, "message")


@pytest.mark.parametrize(("cheat", "fault"), [row[1:] for row in AT_ONCE[:11]], ids=lambda x: "")
@pytest.mark.parametrize("peers", [4, 5])
def test_cheat_is_named_at_larger_tables(
    cheat: Callable[[], Cheat], fault: type, peers: int
) -> None:
    tabletop, name = table_with(cheat(), peers, wires=Wires(LINE if peers == 4 else "star"))
    assert_named(tabletop, name, fault, "message")


RUBBISH: list[Any] = [
    None,
    True,
    0,
    -1,
    b"",
    b"x" * 31,
    b"x" * 32,
    b"x" * 65,
    "",
    "dudo",
    "sum 7 ",
    "x" * 4000,
    [],
    [[]],
    [b"x" * 63],
    [b"x" * 64, []],
    [b"x" * 64, [b"x" * 64] * 9],
    [[b"x" * 32, 7]],
    [["x", "odd"]],
    {},
    {"a": b""},
    [[[[[[[[]]]]]]]],
    1.5,
]


@pytest.mark.parametrize("kind", KINDS)
def test_rubbish_in_a_message_of_any_kind_convicts_its_sender(kind: str) -> None:
    for number, body in enumerate(RUBBISH):
        cheat, peers = cheats.SendsBody(kind, body), 2 + number % 2
        tabletop, name = table_with(cheat, peers, seed=number, wires=Wires())
        found = found_by(tabletop.tables[0], name)
        assert isinstance(found, Malformed | BadReveal | BadOpening | Diverged), (kind, body)
        assert len(str(found)) < 200
        assert_named(tabletop, name, type(found), "message")


def test_what_is_larger_than_its_kind_can_be_convicts_nobody_and_is_not_kept() -> None:
    for kind in KINDS:
        body = "x" * BODY_LIMITS[kind]
        tabletop, _ = table_with(cheats.SendsBody(kind, body), 2, wires=Wires())
        assert {why for *_, why in tabletop.refused} == {"a message larger than its kind can be"}
        assert all(table.fault is None and table.live for table in tabletop.honest)


ILLEGAL = ["dudo", "exact", "99x3", "1x1", "0x4"]


@pytest.mark.parametrize("text", ILLEGAL)
def test_illegal_answer_in_dudo_is_named_at_once(text: str) -> None:
    """The cheat opens the first round, where there is no bid to doubt and ones are barred."""
    for seed in range(30):
        cheat = cheats.AnswersIllegally(text)
        tabletop = Tabletop(DUDO, 3, seed=seed, wires=Wires(delay=True), cheats={2: cheat})
        while not any(table.asked for table in tabletop.tables):
            assert tabletop.turn()
        if not tabletop.tables[2].asked:
            continue
        tabletop.run()
        fault = PlayedIllegally if text in ("dudo", "exact", "1x1") else Malformed
        assert_named(tabletop, "Cai", fault, "message")
        return
    pytest.fail("the cheat never opened")


@pytest.mark.parametrize("peers", [2, 3, 4])
def test_answer_that_its_own_dice_forbid_is_named_when_they_are_opened(peers: int) -> None:
    tabletop, name = table_with(cheats.PlaysWhatItDoesNotHold(), peers)
    assert_named(tabletop, name, PlayedIllegally, None)
    assert "its own cards do not allow" in str(found_by(tabletop.tables[0], name))
    opened = tabletop.tables[0].replica_state.run.faces
    assert any(isinstance(die, Die) and die.seat == name for die in opened)


@pytest.mark.parametrize("peers", [2, 3, 4])
def test_false_claim_is_named_when_its_dice_are_opened(peers: int) -> None:
    tabletop, name = table_with(cheats.ClaimsFalsely(), peers)
    assert_named(tabletop, name, FalseClaim, None)


def closed_to_the_end(make: Callable[[], Cheat]) -> Tabletop:
    """A one-round game in which the cheat is last in turn, so that its cup stays closed."""
    for seed in range(40):
        tabletop = Tabletop(toy.GAME, 3, seed=seed, cheats={2: make()}).run()
        if all(table.over and not table.convicted for table in tabletop.honest):
            return tabletop
    raise AssertionError("the cheat was never last")


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (cheats.ClaimsFalsely, "which was not true"),
        (cheats.PlaysWhatItDoesNotHold, "you do not hold that"),
    ],
)
def test_what_stays_closed_is_judged_by_the_audit(make: Callable[[], Cheat], why: str) -> None:
    tabletop = closed_to_the_end(make)
    (data,) = {table.transcript() for table in tabletop.honest}
    report = audit(data, played)
    assert report.culprit == "Cai"
    assert report.trouble is not None
    assert why in report.trouble


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("toss", "toss-commit"),
        ("dice-nonce", "roll-commit"),
        ("dice-secret", "roll-commit"),
        ("answer-salt", "answer-open"),
    ],
)
def test_chance_of_its_own_choice_is_found_by_the_audit(statement: str, kind: str) -> None:
    tabletop = Tabletop(toy.GAME, 3, seed=1, cheats={1: cheats.ChoosesItsSecret(statement)}).run()
    assert all(table.over for table in tabletop.tables), "no table can see it during the game"
    (data,) = tabletop.transcripts()
    report = audit(data, played)
    assert report.culprit == "Bea"
    first = next(m for m in tabletop.tables[0].messages() if m.kind == kind)
    assert report.trouble == (
        f"Bea sent a message that its own seed does not explain (step {first.step})"
    )


# What proves nothing.


def test_message_from_another_table_is_refused_and_the_game_goes_on() -> None:
    elsewhere = Tabletop(toy.GAME, 3, seed=9)
    charter = replace(elsewhere.charter, table=b"another table id")
    head = elsewhere.tables[0].replica_state.head
    strange = Message.make(charter, 1, 0, "mark", head, b"", key(0).sign)
    tabletop = Tabletop(toy.GAME, 3, seed=1, cheats={2: cheats.ReplaysFromAnotherTable(strange)})
    tabletop.run()
    assert {why for _, _, why in tabletop.refused} == {"a message from another table"}
    assert {sender for _, sender, _ in tabletop.refused} == {2}
    assert all(table.over for table in tabletop.tables)
    assert tabletop.transcripts() == Tabletop(toy.GAME, 3, seed=1).run().transcripts()


def test_forged_signature_is_refused_and_the_game_goes_on() -> None:
    tabletop = Tabletop(toy.GAME, 3, seed=1, cheats={2: cheats.ForgesAnothersSignature(0)}).run()
    assert {why for _, _, why in tabletop.refused} == {"a message that Ana did not sign"}
    assert {sender for _, sender, _ in tabletop.refused} == {2}
    assert all(table.over for table in tabletop.tables)
    assert tabletop.transcripts() == Tabletop(toy.GAME, 3, seed=1).run().transcripts()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("peers", [2, 3, 5])
def test_message_over_another_head_convicts_nobody_and_is_waited_for(kind: str, peers: int) -> None:
    """It may have been lied to itself; who does so to stop the game has only been silent."""
    tabletop, name = table_with(cheats.SignsOverAnotherHead(kind), peers)
    for table in tabletop.honest:
        assert table.fault is None
        assert table.live
        assert peers - 1 in table.waiting_for()
        report = audit(table.transcript(), played)
        assert report.trouble is not None
        assert f"{name}'s message for step {table.step} is signed over" in report.trouble
        assert report.culprit is None, "a file may leave out what explains the head"


def given_up(tabletop: Tabletop) -> Departure:
    """What the honest ones say of the last peer, when they have voted it gone and played on."""
    gone = frozenset({len(tabletop.tables) - 1})
    assert all(table.vote(gone) for table in tabletop.honest)
    tabletop.pump()
    tabletop.run()
    (data,) = {table.transcript() for table in tabletop.honest}
    (departure,) = tabletop.honest[0].departures
    report = audit(data, played)
    assert (report.trouble, report.culprit) == (None, None)
    assert report.departures == (departure,)
    assert report.outcome == tabletop.honest[0].outcome is not None
    return departure


@pytest.mark.parametrize("kind", KINDS[1:])
@pytest.mark.parametrize("peers", [3, 4])
def test_who_withholds_is_given_up_and_named_with_what_it_owed(kind: str, peers: int) -> None:
    tabletop, name = table_with(cheats.FallsSilent(kind), peers)
    assert all(table.live for table in tabletop.honest)
    departure = given_up(tabletop)
    assert (departure.name, departure.why, departure.owed) == (name, "away", kind)
    assert departure.clause == f"was away and did not give {OWED[kind]}"


@pytest.mark.parametrize("kind", KINDS[1:])
def test_who_signs_over_another_head_to_stop_a_game_stops_nothing(kind: str) -> None:
    tabletop, name = table_with(cheats.SignsOverAnotherHead(kind), 3)
    departure = given_up(tabletop)
    assert (departure.name, departure.why, departure.owed) == (name, "away", kind)


def test_nobody_can_undo_a_game_that_is_over() -> None:
    tabletop = Tabletop(toy.GAME, 3, seed=1).run()
    bea = Cheat()
    bea.sit(tabletop.tables[1], 1, key(1).sign)
    second = bea.sign_other(tabletop.tables[1].messages()[4], body=b"x" * 64)
    assert second.peer == 1
    for table in tabletop.tables:
        assert table.over
        before = table.transcript()
        assert table.receive(second.payload, second.signature) is not None, "the others hear of it"
        assert table.receive(second.payload, second.signature) is None, "but only once"
        assert type(table.late_fault) is Equivocation
        assert table.late_fault.peer == "Bea"
        assert table.fault is None
        assert table.transcript() == before
        assert audit(before, played).ok


def test_bots_fault_is_its_peers() -> None:
    """A seat of the cheat's second player claims falsely: the peer is named, not the seat."""
    tabletop = Tabletop(
        toy.GAME,
        2,
        {"rounds": "2"},
        seed=1,
        owners=(0, 1, 1),
        cheats={1: cheats.ClaimsFalsely()},
    ).run()
    assert type(tabletop.tables[0].fault) is FalseClaim
    assert tabletop.tables[0].fault.peer == "Bea"


def test_words_of_a_cheat_are_not_in_what_is_said_of_it() -> None:
    text = "\x1b[2J\nAna cheated " + "x" * 3000

    class Names(Cheat):
        def twist(self, message: Message) -> Message:
            return self.sign_other(message, kind=text) if message.step == 3 else message

    tabletop, _ = table_with(Names(), 3)
    tabletop.run()
    assert {why for _, _, why in tabletop.refused} == {"not a message"}
    assert not any(table.fault or table.ended for table in tabletop.honest)
