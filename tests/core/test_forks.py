"""Two histories at one table: whoever told them is named, and never who believed one of them."""

from __future__ import annotations

import itertools

import pytest
from support.games import toy
from support.peers import cheats
from support.peers.tabletop import LINE, NAMES, Tabletop, Wires, key

from sobremesa.core.encoding import digest, unpack
from sobremesa.core.errors import BadMessage
from sobremesa.core.replica.audit import audit
from sobremesa.core.replica.bodies import BODY_LIMITS
from sobremesa.core.replica.faults import Equivocation, Fork, OutOfTurn
from sobremesa.core.replica.history import FUTURE_STEPS
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
    table, message = tabletop.tables[way[1]], tabletop.lines[way].queue[0]
    if table.fault is not None or message.payload in table.history._by_payload:
        return message.payload in {m.payload for m in table.history.strays.values()}
    return True


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
            *(tuple(m.payload for m in wire.queue) for wire in tabletop.lines.values()),
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
    assert {peer for _, peer in ana.history.strays} == {2}
    assert {peer for _, peer in cai.history.strays} == {0}
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
    assert tabletop.tables[0].receive(second.payload, second.signature, via=2) is not None
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
    cheat = cheats.Cheat()
    cheat.sit(tabletop.tables[peer], peer, key(peer).sign)
    last = [m for m in tabletop.tables[peer].log if m.peer == peer][-1]
    return cheat.sign_other(last, **changes)


def test_a_stray_convicts_when_its_author_sends_it_on_its_own_link() -> None:
    tabletop = Tabletop(toy.GAME, 3, seed=1)
    tabletop.run(lambda: all(table.asked == {} and table.step >= 3 for table in tabletop.tables))
    ana = tabletop.tables[0]
    stray = told(tabletop, 1, step=ana.step, head=digest("another history"))
    if ana.history.due_messages():
        ana.history.due.clear()
    assert ana.receive(stray.payload, stray.signature, via=2) is not None
    assert ana.live
    assert ana.receive(stray.payload, stray.signature, via=1) is None
    assert type(ana.fault) is Fork
    assert ana.fault.peer == "Bea"


def test_late_message_over_our_own_history_is_out_of_turn_and_over_another_a_stray() -> None:
    tabletop = Tabletop(toy.GAME, 3, seed=1)
    tabletop.run(lambda: any(m.kind == "answer" for m in tabletop.tables[0].messages()))
    tabletop.run(lambda: all(t.step >= tabletop.tables[0].step for t in tabletop.tables))
    ana = tabletop.tables[0]
    answer = next(m for m in ana.messages() if m.kind == "answer")
    silent = next(peer for peer in (1, 2) if peer != answer.peer)
    assert ana.step > answer.step
    for head, fault in ((digest("another"), type(None)), (answer.head, OutOfTurn)):
        late = told(tabletop, silent, step=answer.step, kind="answer", head=head, body="sum 5")
        if fault is OutOfTurn:
            ana.history.strays.clear()
        ana.receive(late.payload, late.signature, via=0)
        assert type(ana.fault) is fault


def test_nobody_can_fill_the_room_of_others_with_messages_from_the_future() -> None:
    tabletop = Tabletop(toy.GAME, 3, seed=1)
    ana = tabletop.tables[0]
    far = [told(tabletop, 2, step=step, **LARGEST) for step in range(10, 15)]
    for message in far[:4]:
        assert ana.receive(message.payload, message.signature, via=2) is not None
    with pytest.raises(BadMessage, match="too far ahead"):
        ana.receive(far[4].payload, far[4].signature, via=2)
    late = told(tabletop, 1, step=15, **LARGEST)
    assert ana.receive(late.payload, late.signature, via=1) is not None
    beyond = told(tabletop, 1, step=FUTURE_STEPS + 1)
    with pytest.raises(BadMessage, match="too far ahead"):
        ana.receive(beyond.payload, beyond.signature)


@pytest.mark.parametrize(("via", "convicts"), [(1, False), (2, True)])
def test_peer_on_whose_link_a_message_was_refused_is_not_convicted_of_a_fork(
    via: int, convicts: bool
) -> None:
    """What Bea passed on and we refused may have been the proof that explains her head. What Cai
    sent of her own is none."""
    tabletop = Tabletop(toy.GAME, 3, seed=1)
    ana = tabletop.tables[0]
    beyond = told(tabletop, 2, step=FUTURE_STEPS + 1)
    with pytest.raises(BadMessage):
        ana.receive(beyond.payload, beyond.signature, via=via)
    stray = told(tabletop, 1, step=0, head=digest("another history"))
    ana.receive(stray.payload, stray.signature, via=1)
    assert (ana.fault is not None) == convicts
    assert (0, 1) in ana.history.strays


def test_nobody_can_fill_the_room_of_others_with_messages_over_other_histories() -> None:
    tabletop = Tabletop(DUDO, 3, seed=1)
    tabletop.run(lambda: tabletop.tables[0].step >= 30)
    ana = tabletop.tables[0]
    head = digest("another history")
    theirs = [
        step
        for step in range(ana.step)
        if not any(m.step == step and m.peer == 1 for m in ana.messages())
    ]
    assert len(theirs) > 4
    for step in theirs[:4]:
        stray = told(tabletop, 1, step=step, head=head, **LARGEST)
        assert ana.receive(stray.payload, stray.signature, via=2) is not None
    stray = told(tabletop, 1, step=theirs[4], head=head, **LARGEST)
    with pytest.raises(BadMessage, match="too large"):
        ana.receive(stray.payload, stray.signature, via=2)
    assert ana.live
    ana.receive(stray.payload, stray.signature, via=1)  # on its own link it convicts, kept or not
    assert type(ana.fault) is Fork


def test_equivocation_about_a_step_to_come_is_kept_as_proof() -> None:
    tabletop = Tabletop(toy.GAME, 3, seed=1)
    ana = tabletop.tables[0]
    for body in (b"x", b"y"):
        ahead = told(tabletop, 2, step=5, body=body)
        ana.receive(ahead.payload, ahead.signature, via=2)
    assert type(ana.fault) is Equivocation
    assert [unpack(m.body) for m in ana.evidence] == [b"x", b"y"]
    assert audit(ana.transcript(), lambda _: toy.GAME).culprit == "Cai"
