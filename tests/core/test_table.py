"""core/replica/table.py from the outside: turns, farewells, restarts of nothing, broken plugins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from support.games import toy
from support.peers import cheats
from support.peers.tabletop import STAR, Tabletop, Wires, key, make_charter, seed_of

from sobremesa.core.encoding import Rand, unpack
from sobremesa.core.errors import IllegalAnswer, InvalidAnswer
from sobremesa.core.game import Game
from sobremesa.core.pieces import Faces
from sobremesa.core.questions import NO_FACES, Answer, Question
from sobremesa.core.replica.audit import audit
from sobremesa.core.replica.faults import Equivocation, FalseClaim
from sobremesa.core.replica.phase import Phase
from sobremesa.core.replica.table import Table
from sobremesa.core.replica.transcript import LEAVE
from sobremesa.core.requests import Ask, Claim, Event, Mark


def asking(tabletop: Tabletop) -> tuple[Table, str]:
    """The table and the seat that an open question waits for."""
    tabletop.run(lambda: any(m.kind == "answer-open" for m in tabletop.tables[0].log))
    while not any(isinstance(q, toy.Sum) for t in tabletop.tables for q in t.asked.values()):
        assert tabletop.turn()
    table = next(table for table in tabletop.tables if table.asked)
    return table, next(iter(table.asked))


def test_only_who_is_asked_may_answer_and_only_legally() -> None:
    tabletop = Tabletop(toy.GAME, 3, seed=1)
    table, seat = asking(tabletop)
    other = next(name for name in tabletop.charter.seat_names if name != seat)
    before = len(table.log)
    with pytest.raises(IllegalAnswer, match=f"it is not {other}'s turn"):
        table.answer(other, Answer("sum", (5,)))
    with pytest.raises(InvalidAnswer):
        table.answer(seat, Answer("fly"))
    table.answer(seat, Answer("sum", (5,)))
    with pytest.raises(IllegalAnswer):
        table.answer(seat, Answer("play", (9,)))
    assert [m.kind for m in table.log[before:]] == ["answer"]
    assert unpack(table.log[-1].body) == "sum 5"


def test_everybody_knows_whose_answer_is_awaited() -> None:
    tabletop = Tabletop(toy.GAME, 3, seed=1)
    _, seat = asking(tabletop)
    while full := [way for way, wire in tabletop.lines.items() if wire.queue]:
        tabletop.deliver(full[0])
    for each in tabletop.tables:
        assert each.asked_seats() == (seat,)
        assert each.waiting_for() == (tabletop.charter.owner(seat),)
    tabletop.run()
    assert not any(each.waiting_for() or each.asked_seats() for each in tabletop.tables)


def test_forced_question_is_answered_by_the_table_itself() -> None:
    tabletop = Tabletop(toy.GAME, 2, seed=1)
    questions: list[Question] = []

    def looks() -> bool:
        questions.extend(q for table in tabletop.tables for q in table.asked.values())
        return False

    tabletop.run(looks)
    assert questions
    assert not any(q.forced for q in questions)
    plays = [unpack(m.body) for m in tabletop.tables[0].messages() if m.kind == "answer"]
    assert len([body for body in plays if body.startswith("play")]) == 4


@pytest.mark.parametrize("wires", [Wires(delay=True), Wires(STAR), Wires(delay=True, cut=0.05)])
@pytest.mark.parametrize("turns", range(0, 160, 3))
def test_the_others_go_on_without_who_says_farewell(turns: int, wires: Wires) -> None:
    """From the same step on, whoever heard what when; what was signed before stands."""
    tabletop = Tabletop(toy.GAME, 4, {"rounds": "1"}, seed=turns, wires=wires)
    for _ in range(turns):
        tabletop.turn()
    bea = tabletop.tables[1]
    bea.leave()
    assert bea.leave() is None
    tabletop.pump()
    tabletop.run()
    others = [tabletop.tables[peer] for peer in (0, 2, 3)]
    if not others[0].started:
        why = "Bea left the table before the game had begun"
        assert {str(table.ended) for table in others} == {why}
        return
    assert [(t.phase, t.fault, t.asked) for t in others] == [(Phase.OVER, None, {})] * 3
    assert len({table.transcript() for table in others}) == 1
    assert others[0].outcome is not None
    left = [(one.name, one.why) for one in others[0].departures]
    assert left in ([("Bea", "left")], []), "or she had sent her seed"
    report = audit(others[0].transcript(), lambda _: toy.GAME)
    assert (report.trouble, report.culprit) == (None, None)


def test_what_its_author_signed_before_a_farewell_is_waited_for() -> None:
    """Bea signs the charter and leaves before anybody hears of it: the table starts all the same,
    and goes on without her where she is needed next."""
    tabletop = Tabletop(toy.GAME, 3, seed=1)
    ana, bea, _ = tabletop.tables
    farewell = bea.leave()
    assert farewell is not None
    assert (farewell.step, farewell.head) == (1, tabletop.charter.root())
    ana.receive(farewell.payload, farewell.signature)
    assert ana.live
    assert ana.waiting_for() == (1, 2)
    tabletop.run()
    assert ana.over
    assert [str(one) for one in ana.departures] == ["Bea left (step 1)"]


def test_no_seed_is_opened_before_all_have_said_that_they_see_the_same_end() -> None:
    """Who sees others' seeds while the result is open could still choose another one."""
    silent = cheats.FallsSilent("end")
    tabletop = Tabletop(toy.GAME, 3, {"rounds": "1"}, seed=1, cheats={2: silent}).run()
    for table in tabletop.honest:
        assert [message.peer for message in table.messages() if message.kind == "end"] == [0, 1]
        assert not any(message.kind == "seed" for message in table.log)
        assert (table.outcome, table.live) == (None, True)


def test_a_seed_that_is_withheld_changes_no_result() -> None:
    silent = cheats.FallsSilent("seed")
    tabletop = Tabletop(toy.GAME, 3, {"rounds": "1"}, seed=1, cheats={2: silent}).run()
    whole = Tabletop(toy.GAME, 3, {"rounds": "1"}, seed=1).run().tables[0]
    for table in tabletop.honest:
        assert table.outcome == whole.outcome
        assert table.waiting_for() == (2,)


@pytest.mark.parametrize("kind", ["toss-commit", "roll-open", "answer", "end", "seed"])
def test_who_says_farewell_to_some_and_plays_on_with_others_is_convicted(kind: str) -> None:
    cheat = cheats.LeavesForSome(kind, (0,))
    tabletop = Tabletop(toy.GAME, 3, seed=1, wires=Wires(delay=True), cheats={2: cheat}).run()
    for table in tabletop.honest:
        found = table.fault or table.late_fault
        assert type(found) is Equivocation
        assert found.peer == "Cai"


def test_a_message_for_a_step_after_its_farewell_convicts_its_author() -> None:
    tabletop = Tabletop(toy.GAME, 3, seed=1)
    tabletop.run(lambda: tabletop.tables[0].step > 4)
    ana, bea = tabletop.tables[:2]
    farewell = bea.leave()
    assert farewell is not None
    cheat = cheats.Cheat()
    cheat.sit(bea, 1, key(1).sign)
    later = cheat.sign_other(farewell, step=farewell.step + 3, kind="answer", body="sum 5")
    for first, second in ((farewell, later), (later, farewell)):
        replica = tabletop.replica(0)
        replica.start()
        for message in [*ana.messages(), first, second]:
            replica.receive(message.payload, message.signature)
        assert type(replica.fault) is Equivocation
        assert str(replica.fault).startswith("Bea left, and signed for a later step")
    earlier = cheat.sign_other(farewell, step=0, kind="sign", body=b"x" * 64)
    assert not farewell.contradicts(earlier)


def test_farewell_after_the_end_changes_nothing() -> None:
    tabletop = Tabletop(toy.GAME, 2, seed=1).run()
    ana, bea = tabletop.tables
    before = ana.transcript()
    assert bea.leave() is None
    cheat = cheats.Cheat()
    cheat.sit(bea, 1, key(1).sign)
    late = cheat.sign_other(bea.log[-1], step=ana.step, peer=1, kind=LEAVE, body=None)
    ana.receive(late.payload, late.signature)
    assert ana.ended is None
    assert ana.over
    assert ana.transcript() == before


class Broken(Exception):
    """What a plugin raises."""


def breaks(*_: object) -> Any:
    raise Broken("oh")


HERE = f"tests/core/test_table.py, line {breaks.__code__.co_firstlineno + 1}"


def alone(game: Game[Any]) -> Table:
    table = Table(
        make_charter(game, 1), game, me=0, sign=key(0).sign, vault={0: Rand(seed_of(0, 0))}
    )
    table.start()
    return table


def lying_script(seats: tuple[str, ...], options: object) -> Any:
    yield Mark(toy.State(seats, {}))
    yield Claim(seats[1], "I am somebody else", lambda faces: False)
    yield Mark(toy.State(seats, {}))


def test_claim_that_is_false_at_once_is_its_peers_fault() -> None:
    game = replace(toy.GAME, play=lying_script)
    table = Table(
        make_charter(game, 1, owners=(0, 0)),
        game,
        me=0,
        sign=key(0).sign,
        vault={0: Rand(seed_of(0, 0))},
    )
    table.start()
    assert type(table.fault) is FalseClaim
    assert (table.fault.peer, table.fault.step) == ("Ana", 1)


def raising_script(seats: tuple[str, ...], options: object) -> Any:
    yield Mark(toy.State(seats, {}))
    breaks()


def bad_request_script(seats: tuple[str, ...], options: object) -> Any:
    yield Mark(toy.State(seats, {}))
    yield Ask("nobody", toy.Sum((), 6))


@pytest.mark.parametrize(
    ("game", "why"),
    [
        (replace(toy.GAME, play=raising_script), f"the rules of Toy broke ({HERE}: Broken: oh)"),
        (replace(toy.GAME, play=bad_request_script), "seat that is not here"),
        (replace(toy.GAME, public=breaks), f"the public state of Toy broke ({HERE}: Broken: oh)"),
        (replace(toy.GAME, public=lambda state: {"x": object()}), "the public state of Toy broke"),
    ],
)
def test_broken_plugin_ends_the_table_and_is_named(game: Game[Any], why: str) -> None:
    table = alone(game)
    assert table.ended is not None
    assert why in str(table.ended)
    assert table.fault is None


def test_answer_that_no_message_can_hold_ends_the_table_and_convicts_nobody() -> None:
    class Wordy(toy.Sum):
        def write(self, answer: Answer, faces: Faces = NO_FACES) -> str:
            return "x" * 1001

    def play(seats: tuple[str, ...], options: object) -> Any:
        yield Mark(toy.State(seats, {}))
        yield Ask("Ana", Wordy((), 6))

    table = alone(replace(toy.GAME, play=play))
    table.answer("Ana", Answer("sum", (0,)))
    assert str(table.ended) == "Toy asks for more than a message can hold"
    assert table.fault is None
    assert all(message.kind != "answer" for message in table.log)


def test_claim_that_breaks_when_it_is_judged_names_the_plugin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(toy, "known", breaks)
    table = alone(toy.GAME)
    assert table.ended is None
    while table.asked:
        ((seat, question),) = table.asked.items()
        table.replica_state.run.check_answer = lambda *_: None  # type: ignore[method-assign]
        table.answer(seat, question.default)
    assert "the rules of Toy broke (support/games/toy.py, line " in str(table.ended)


def test_events_are_told_while_the_script_rests_at_them() -> None:
    seen: list[tuple[Event, int]] = []
    tabletop = Tabletop(toy.GAME, 2, {"rounds": "2"}, seed=1)
    table = Table(
        tabletop.charter, toy.GAME, on_event=lambda e: seen.append((e, table.state.round))
    )
    table.start()
    for message in tabletop.run().tables[0].messages():
        table.receive(message.payload, message.signature)
    assert [event for event, _ in seen] == table.events
    assert [round for event, round in seen if event["kind"] == "rolled"] == [1, 2]


Reads = Callable[[Table], object]


@pytest.mark.parametrize(
    "read",
    [lambda t: t.observation("Ana").faces, lambda t: t.faces(None), lambda t: t.state],
    ids=["observation", "faces", "state"],
)
def test_looking_changes_nothing(read: Reads) -> None:
    tabletop = Tabletop(toy.GAME, 2, seed=1)
    tabletop.run(lambda: bool([read(table) for table in tabletop.tables]) and False)
    assert tabletop.transcripts() == Tabletop(toy.GAME, 2, seed=1).run().transcripts()
