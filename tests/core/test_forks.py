"""Two histories at one table: whoever told them is named, and never who believed one of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.games import toy
from support.peers import cheats
from support.peers.tabletop import LINE, NAMES, Tabletop, Wires, key

from sobremesa.core.encoding import digest, unpack
from sobremesa.core.errors import BadMessage, TooFarAhead
from sobremesa.core.replica.audit import audit
from sobremesa.core.replica.bodies import BODY_LIMITS
from sobremesa.core.replica.comparison import Comparison, Said
from sobremesa.core.replica.faults import Equivocation, OutOfTurn
from sobremesa.core.replica.history import FUTURE_STEPS, History
from sobremesa.core.replica.table import Table
from sobremesa.core.replica.transcript import Message
from sobremesa.plugins.dudo import GAME as DUDO

KINDS = ("sign", "toss-commit", "roll-commit", "answer-commit", "answer")


def splits(peers: int) -> list[tuple[int, ...]]:
    """Every way to tell some, but not all, of the honest peers another version."""
    honest = range(peers - 1)
    return [group for size in range(1, peers - 1) for group in itertools.combinations(honest, size)]


def assert_only_the_liar(tabletop: Tabletop, liar: str) -> None:
    for table in tabletop.honest:
        assert type(table.fault) is Equivocation
        assert table.fault.peer == liar
        one, other = table.fault.proof
        assert (one.step, one.peer) == (other.step, other.peer)
        assert one.payload != other.payload
        report = audit(table.transcript(), lambda _: toy.GAME)
        assert report.culprit == liar
        assert report.trouble == str(table.fault)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("peers", "group"), [(n, group) for n in (3, 4) for group in splits(n)], ids=str
)
def test_equivocator_is_named_for_every_split(
    kind: str, peers: int, group: tuple[int, ...]
) -> None:
    for seed in range(6):
        liar = cheats.Equivocates(kind, group)
        tabletop = Tabletop(
            toy.GAME, peers, seed=seed, wires=Wires(delay=True), cheats={peers - 1: liar}
        ).run()
        assert_only_the_liar(tabletop, NAMES[peers - 1])


def useful(tabletop: Tabletop, way: tuple[int, int]) -> bool:
    """Whether the first message of a wire is news; else it may be delivered at any time, since
    nothing depends on it."""
    table, said = tabletop.tables[way[1]], tabletop.lines[way].queue[0]
    known = isinstance(said, Message) and said.payload in table.history._by_payload
    return table.fault is None and not known


def drain(tabletop: Tabletop) -> list[tuple[int, int]]:
    """Deliver what is no news; the wires that have news."""
    while True:
        full = [way for way, wire in tabletop.lines.items() if wire.queue]
        idle = [way for way in full if not useful(tabletop, way)]
        if not idle:
            return full
        for way in idle:
            tabletop.deliver(way)


def test_equivocator_is_named_in_every_order_of_delivery() -> None:
    """All orders among three peers, the liar passing on each honest peer's messages to the
    other as fast or as slow as it likes."""
    seen: set[bytes] = set()
    ends = 0
    stack: list[tuple[tuple[int, int], ...]] = [()]
    while stack:
        path = stack.pop()
        liar = cheats.Equivocates("sign", (1,))
        tabletop = Tabletop(toy.GAME, 3, cheats={2: liar})
        for way in path:
            drain(tabletop)
            tabletop.deliver(way)
        ways = drain(tabletop)
        for table in tabletop.honest:
            assert table.fault is None or table.fault.peer == "Cai", path
        state = (
            *(tuple(m.payload for m in table.log) for table in tabletop.tables),
            *(repr(wire.queue) for wire in tabletop.lines.values()),
        )
        known = digest("state", repr(state))
        if known in seen:
            continue
        seen.add(known)
        if all(table.fault for table in tabletop.honest):
            ends += 1
        else:
            assert ways, "an order of delivery that names nobody"
            stack.extend((*path, way) for way in ways)
    assert ends > 10


@pytest.mark.parametrize("seed", range(10))
def test_who_sits_between_two_peers_cannot_turn_them_on_each_other(seed: int) -> None:
    """Ana and Cai are linked through Bea alone, who tells them two histories and carries their
    messages. No proof can reach them, so nobody is named, and each sees whose messages do not
    fit; a game with a liar in the middle stops."""
    tabletop = Tabletop(
        toy.GAME,
        3,
        seed=seed,
        wires=Wires(LINE, delay=True),
        cheats={1: cheats.Equivocates("sign", (0,))},
    ).run()
    ana, cai = tabletop.honest
    assert ana.fault is None
    assert cai.fault is None
    assert 2 in ana.waiting_for()
    assert audit(ana.transcript(), lambda _: toy.GAME).culprit is None


def test_a_cut_link_that_heals_brings_the_proof_before_what_it_explains() -> None:
    """Ana and Bea hear two versions while the link between them is down."""
    tabletop = Tabletop(toy.GAME, 3, seed=1, cheats={2: cheats.Equivocates("sign", (1,))})
    tabletop.deliver((0, 1))
    tabletop.deliver((1, 0))
    tabletop.cut((0, 1))
    tabletop.deliver((2, 0))
    tabletop.deliver((2, 1))
    assert [table.step for table in tabletop.honest] == [1, 1]
    assert tabletop.tables[0].replica_state.head != tabletop.tables[1].replica_state.head
    tabletop.heal((0, 1))
    tabletop.run()
    assert_only_the_liar(tabletop, "Cai")


def test_a_proof_found_while_a_link_is_cut_comes_over_it_when_it_heals() -> None:
    """The proof is about a step that both ends have long completed alike."""
    tabletop = Tabletop(toy.GAME, 3, seed=1)
    tabletop.run(lambda: all(table.step == 5 for table in tabletop.tables))
    tabletop.cut((0, 1))
    second = told(tabletop, 2, step=3, body=b"another")
    assert tabletop.tables[0].receive(second.payload, second.signature) is not None
    assert tabletop.tables[0].fault is not None
    for way in ((0, 2), (2, 0), (2, 1), (1, 2)):
        tabletop.lines[way].queue.clear()
    assert tabletop.tables[1].live
    tabletop.heal((0, 1))
    tabletop.run()
    assert type(tabletop.tables[1].fault) is Equivocation


LARGEST = {"kind": "shares", "body": bytes(BODY_LIMITS["shares"] - 5)}
"""The largest message there is: four of them may wait, of one peer."""


def told(tabletop: Tabletop, peer: int, **changes: object) -> Message:
    """A message that a peer signed, like its last one but for the changes."""
    return told_by(tabletop.tables[peer], peer, **changes)


def told_by(table: Table, peer: int, **changes: object) -> Message:
    cheat = cheats.Cheat()
    cheat.sit(table, peer, key(peer).sign)
    last = [m for m in table.log if m.peer == peer][-1]
    return cheat.sign_other(last, **changes)


def test_a_head_that_is_not_ours_convicts_nobody_and_is_kept_against_a_second_message() -> None:
    """Whoever signed it may have been lied to; only a second message for the step tells."""
    ana, bea, _ = Tabletop(toy.GAME, 3, seed=1).tables
    honest = bea.log[0]
    stray = told_by(bea, 1, head=digest("another history"))
    assert ana.receive(stray.payload, stray.signature) is not None
    assert ana.receive(stray.payload, stray.signature) is None
    assert ana.live
    assert len(ana.log) == 1, "what we cannot explain we do not pass on"
    ana.receive(honest.payload, honest.signature)
    assert type(ana.fault) is Equivocation
    assert ana.fault.peer == "Bea"


@pytest.mark.parametrize("ours", [False, True])
def test_late_message_over_our_own_history_is_out_of_turn_and_over_another_a_stray(
    ours: bool,
) -> None:
    tabletop = Tabletop(toy.GAME, 3, seed=1)
    tabletop.run(lambda: any(m.kind == "answer" for m in tabletop.tables[0].messages()))
    tabletop.run(lambda: all(t.step >= tabletop.tables[0].step for t in tabletop.tables))
    ana = tabletop.tables[0]
    answer = next(m for m in ana.messages() if m.kind == "answer")
    silent = next(peer for peer in (1, 2) if peer != answer.peer)
    assert ana.step > answer.step
    head = answer.head if ours else digest("another")
    late = told(tabletop, silent, step=answer.step, kind="answer", head=head, body="sum 5")
    ana.receive(late.payload, late.signature)
    assert ana.fault is None
    assert [type(fault) for fault in ana.convicted.values()] == ([OutOfTurn] if ours else [])
    assert ana.leaving() <= ({silent} if ours else set())


def test_nobody_can_fill_the_room_of_others_with_messages_from_the_future() -> None:
    tabletop = Tabletop(toy.GAME, 3, seed=1)
    ana = tabletop.tables[0]
    far = [told(tabletop, 2, step=step, **LARGEST) for step in range(10, 15)]
    for message in far[:4]:
        assert ana.receive(message.payload, message.signature) is not None
    with pytest.raises(TooFarAhead):
        ana.receive(far[4].payload, far[4].signature)
    late = told(tabletop, 1, step=15, **LARGEST)
    assert ana.receive(late.payload, late.signature) is not None
    beyond = told(tabletop, 1, step=FUTURE_STEPS + 1)
    with pytest.raises(TooFarAhead):
        ana.receive(beyond.payload, beyond.signature)


def test_nobody_can_fill_the_room_of_others_with_messages_over_other_histories() -> None:
    tabletop = Tabletop(DUDO, 3, seed=1)
    tabletop.run(lambda: tabletop.tables[0].step >= 30)
    ana = tabletop.tables[0]
    head = digest("another history")
    theirs = [step for step in range(ana.step) if ana.history.held(step, 1) is None]
    assert len(theirs) > 4
    for step in theirs[:4]:
        stray = told(tabletop, 1, step=step, head=head, **LARGEST)
        assert ana.receive(stray.payload, stray.signature) is not None
    stray = told(tabletop, 1, step=theirs[4], head=head, **LARGEST)
    with pytest.raises(TooFarAhead):
        ana.receive(stray.payload, stray.signature)
    assert ana.live


def test_equivocation_about_a_step_to_come_is_kept_as_proof() -> None:
    tabletop = Tabletop(toy.GAME, 3, seed=1)
    ana = tabletop.tables[0]
    for body in (b"x", b"y"):
        ahead = told(tabletop, 2, step=5, body=body)
        ana.receive(ahead.payload, ahead.signature)
    assert type(ana.fault) is Equivocation
    assert {unpack(m.body) for m in ana.evidence} == {b"x", b"y"}
    assert audit(ana.transcript(), lambda _: toy.GAME).culprit == "Cai"


@pytest.mark.parametrize("order", [*itertools.permutations(range(3))])
def test_two_signatures_replace_every_other_verdict_and_of_two_liars_all_name_one(
    order: tuple[int, ...],
) -> None:
    tabletop = Tabletop(toy.GAME, 3, seed=1)
    ana = tabletop.tables[0]
    head = ana.replica_state.head
    proofs = [[told(tabletop, peer, step=9, body=body) for body in (b"x", b"y")] for peer in (1, 2)]
    wrong = told(tabletop, 2, step=0, head=head, kind="sign", body=b"no hash")
    for index in order:
        if index == 2:
            ana.receive(wrong.payload, wrong.signature)
        else:
            ana.receive_proof(*[(message.payload, message.signature) for message in proofs[index]])
    assert type(ana.fault) is Equivocation
    assert ana.fault.peer == "Bea"


def test_a_proof_that_proves_nothing_is_refused() -> None:
    tabletop = Tabletop(toy.GAME, 3, seed=1)
    one, other, cais = (told(tabletop, peer, step=step) for peer, step in ((1, 4), (1, 5), (2, 4)))
    for second in (one, other, cais):
        with pytest.raises(BadMessage, match="proves nothing"):
            tabletop.tables[0].receive_proof(
                (one.payload, one.signature), (second.payload, second.signature)
            )
    assert tabletop.tables[0].live


# Comparing two histories.


def history_of(*heads: str) -> History:
    """A history with these heads after its steps."""
    history = History(digest("root"), 3)
    history._heads += [digest(head) for head in heads]
    history._steps += [{} for _ in heads]
    return history


def compared(one: Comparison, other: Comparison) -> int:
    """Carry what two ends say until neither has more to say; how many heads that took."""
    ours, theirs = one.meet(*other.opening), other.meet(*one.opening)
    carried = 0
    while ours or theirs:
        carried += len(ours) + len(theirs)
        ours, theirs = list(heard(one, theirs)), list(heard(other, ours))
    return carried


def heard(end: Comparison, heads: list[Said]) -> Iterator[Said]:
    for head in heads:
        yield from end.hear(*head)


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40))
def test_a_comparison_finds_the_step_after_which_two_histories_differ(
    same: int, ours: int, theirs: int
) -> None:
    common = [f"step {step}" for step in range(same)]
    one, other = (
        Comparison(history_of(*common, *(f"{who} {step}" for step in range(more))))
        for who, more in (("ours", ours), ("theirs", theirs))
    )
    carried = compared(one, other)
    for end in (one, other):
        parted = same if ours and theirs else None
        assert end.parted == parted
        assert end.agreed == (same if parted is None else None)
    assert carried <= 2 * 7


def test_a_liar_gets_no_more_than_21_heads_out_of_a_comparison() -> None:
    history = history_of()
    history._heads = [digest("root")] * 1_000_001
    history._steps = [{}] * 1_000_000
    end = Comparison(history)
    said = end.meet(1_000_000, digest("a lie"))
    heads = 0
    while said:
        heads += 1
        ((step, _),) = said
        said = end.hear(step, digest("another lie"))
    assert end.parted == 0
    assert heads < 21


@pytest.mark.parametrize(
    ("said", "lie"),
    [
        ((3, "another"), (2, "two")),  # not the step whose head is due
        ((3, "three"), (3, "three")),  # nothing is due any more
        ((9, "nine"), (4, "four")),
    ],
)
def test_who_does_not_keep_to_the_comparison_is_refused(
    said: tuple[int, str], lie: tuple[int, str]
) -> None:
    end = Comparison(history_of("one", "two", "three"))
    with pytest.raises(BadMessage, match="not due"):
        end.hear(lie[0], digest(lie[1]))
    end.meet(said[0], digest(said[1]))
    with pytest.raises(BadMessage, match="not due"):
        end.hear(lie[0], digest(lie[1]))
    with pytest.raises(BadMessage, match="second word"):
        end.meet(said[0], digest(said[1]))
    with pytest.raises(BadMessage, match="another table"):
        Comparison(history_of("one")).meet(0, digest("another table"))
