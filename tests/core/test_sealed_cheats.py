"""Peers that cheat with sealed cards: refused before the card is used and named by every honest
peer, at the table and in the audit; what no table can see, the audit finds."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise
from typing import Any

import pytest
from support.games.flowers import GAME
from support.peers import card_cheats as vices
from support.peers import cheats
from support.peers.card_tables import CardTable
from support.peers.cheats import Cheat
from support.peers.tabletop import LINE, NAMES, Wires

from sobremesa.core.crypto.group import NEUTRAL, Q, add, base, total
from sobremesa.core.encoding import unpack
from sobremesa.core.replica.audit import audit
from sobremesa.core.replica.faults import (
    BadComplaint,
    BadKey,
    BadKeyShare,
    BadProof,
    Equivocation,
    FalseClaim,
    Malformed,
    PeerError,
    PlayedIllegally,
)

ORDER_EIGHT = bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa")
"""A point outside the prime-order subgroup, of order 8."""
NOT_CANONICAL = bytes([0xEE]) + bytes([0xFF]) * 30 + bytes([0x7F])
"""y = p + 1: the neutral point, written in another way."""


def in_front(bad: bytes) -> Callable[[bytes], bytes]:
    """Puts other bytes in place of the first point or scalar."""
    return lambda data: bad + data[len(bad) :]


def with_torsion(data: bytes) -> bytes:
    return add(data[:32], ORDER_EIGHT) + data[32:]


def unreduced(data: bytes) -> bytes:
    """The same first scalar, plus Q."""
    return (int.from_bytes(data[:32], "little") + Q).to_bytes(32, "little") + data[32:]


def table_with(cheat: Cheat, peers: int = 3, who: int = 1, seed: int = 1) -> CardTable:
    wires = Wires(LINE if peers == 4 else "full", delay=True)
    return CardTable(GAME, peers, seed=seed, wires=wires, cheats={who: cheat}).run()


def assert_named(table: CardTable, who: int, fault: type[PeerError], kind: str) -> None:
    """All honest peers stand in the step of that message with this fault of this peer."""
    for replica in table.honest:
        assert type(replica.fault) is fault, replica.fault
        assert replica.fault.peer == NAMES[who]
        assert not replica.live
        assert "\n" not in str(replica.fault)
        (proof,) = replica.fault.proof[-1:]
        assert (proof.peer, proof.kind, proof.step) == (who, kind, replica.step)
    assert len({(t.fault.step, str(t.fault)) for t in table.honest if t.fault}) == 1
    report = audit(table.honest[0].transcript(), lambda _: GAME)
    assert report.culprit == NAMES[who]
    assert report.trouble == str(table.honest[0].fault)


def splits(peers: int, who: int) -> list[tuple[int, ...]]:
    """Every way to tell some, but not all, of the others another version."""
    others = [peer for peer in range(peers) if peer != who]
    return [group for size in range(1, len(others)) for group in combinations(others, size)]


SHUFFLES = [
    vices.DuplicatesCard,
    vices.SwapsCardIn,
    vices.MasksWrongly,
    vices.ScalesCard,
    vices.SwapsHalves,
    vices.ShiftsTwoCards,
    vices.MixesLinearly,
    vices.ShufflesAnotherList,
]


@pytest.mark.parametrize("cheat", SHUFFLES)
@pytest.mark.parametrize(("peers", "who"), [(3, 1), (4, 0), (4, 3), (5, 2)])
def test_false_shuffle_is_refused(cheat: Callable[[], Cheat], peers: int, who: int) -> None:
    table = table_with(cheat(), peers, who)
    assert_named(table, who, BadProof, "shuffle")
    assert not any(replica.replica_state.ledger.cards for replica in table.honest), (
        "no card was dealt"
    )


@pytest.mark.parametrize(
    ("peers", "who", "others"),
    [
        *((3, who, others) for who in range(3) for others in splits(3, who)),
        *((4, who, others) for who in (0, 3) for others in splits(4, who)),
        *((5, 2, others) for others in [(0,), (3, 4)]),
    ],
    ids=str,
)
def test_two_true_shuffles_for_one_step_are_named_by_every_honest_peer(
    peers: int, who: int, others: tuple[int, ...]
) -> None:
    """All take what the cheat itself says to them before they hear of each other's version."""
    cheat = vices.ShufflesTwice(others)
    table = CardTable(GAME, peers, seed=1, cheats={who: cheat})
    table.run(lambda: cheat.step is not None)
    for way in [(who, peer) for peer in range(peers) if peer != who]:
        while table.lines[way].queue:
            table.deliver(way)
    table.run()
    for replica in table.honest:
        assert type(replica.fault) is Equivocation
        assert replica.fault.peer == NAMES[who]
        taken, second = replica.fault.proof
        assert (taken.kind, taken.step) == (second.kind, second.step) == ("shuffle", cheat.step)
        assert cheat.second in (unpack(taken.body), unpack(second.body))
        assert replica.step > taken.step, "the shuffle that it was told stood the check"
        report = audit(replica.transcript(), lambda _: GAME)
        assert (report.culprit, report.trouble) == (NAMES[who], str(replica.fault))


def test_false_shuffle_of_returned_cards_is_refused() -> None:
    class LaterDuplicates(vices.DuplicatesCard):
        nth = 1

    table = table_with(LaterDuplicates(), peers=3, who=2)
    assert_named(table, 2, BadProof, "shuffle")
    assert table.honest[0].replica_state.ledger.cards


def test_false_shuffle_of_a_seats_own_hand_is_refused() -> None:
    class SwapsInItsHand(vices.SwapsCardIn):
        nth = 1  # after the deck: Bea concedes and shuffles what she holds

    for seed in range(20):
        table = table_with(SwapsInItsHand(), seed=seed)
        plan = table.honest[0]._plan
        assert plan is not None
        if plan.progress == (1, 1):
            assert_named(table, 1, BadProof, "shuffle")
            return
    pytest.fail("Bea never shuffled alone")


NOT_PROVEN = {"keys": BadKey, "key-shares": BadKey, "shuffle": BadProof, "shares": BadProof}


@pytest.mark.parametrize("kind", NOT_PROVEN)
@pytest.mark.parametrize(
    ("peers", "change", "value"),
    [(3, "step", 99), (4, "table", b"another table id"), (5, "peer", 0), (3, "head", b"h" * 64)],
    ids=["step", "table", "peer", "head"],
)
def test_proof_for_another_place_is_refused(
    kind: str, peers: int, change: str, value: int | bytes
) -> None:
    cheat = vices.ProvesElsewhere(kind, **{change: value})
    assert_named(table_with(cheat, peers), 1, NOT_PROVEN[kind], kind)


SHARES = [
    vices.GivesWrongShare,
    vices.GivesShareOfAnotherPoint,
    vices.HidesSharesWrongly,
]


@pytest.mark.parametrize("cheat", SHARES)
@pytest.mark.parametrize(("peers", "who"), [(3, 0), (4, 2), (5, 4)])
def test_wrong_share_is_refused(cheat: Callable[[], Cheat], peers: int, who: int) -> None:
    table = table_with(cheat(), peers, who)
    assert_named(table, who, BadProof, "shares")
    for replica in table.honest:
        assert not any(who in given for given in replica.replica_state.ledger.shares.values())
        assert not replica.replica_state.known


def test_replayed_private_share_is_refused() -> None:
    """Ana gives Cai a private share of her hand card and, a step later, Bea one."""
    asked = CardTable(GAME, 3, seed=1).run()
    shares = [m for m in asked.tables[0].messages() if m.kind == "shares" and m.peer == 0]
    (second,) = [
        n
        for n, (old, new) in enumerate(pairwise(shares), 1)
        if (unpack(old.body)[0], unpack(new.body)[0]) == (b"", b"")
    ]
    table = table_with(vices.ReplaysShares(second), who=0)
    assert_named(table, 0, BadProof, "shares")


@pytest.mark.parametrize("peers", [3, 4, 5])
def test_rogue_key_is_refused(peers: int) -> None:
    honest = CardTable(GAME, peers, seed=1)
    honest.settle()
    *others, owned = (base(honest.keys(peer).x) for peer in range(peers))
    table = table_with(vices.TakesRogueKey(others), peers, peers - 1)
    assert_named(table, peers - 1, BadKey, "keys")
    fault = table.honest[0].fault
    assert fault is not None
    said = unpack(fault.proof[-1].body)[0]
    assert total((*others, said)) == owned, "its joint key would be its own"


@pytest.mark.parametrize(("peers", "who"), [(3, 0), (4, 3)])
def test_bad_piece_convicts_its_giver_and_not_who_complains(peers: int, who: int) -> None:
    table = table_with(vices.GivesBadKeyShare(), peers, who)
    for replica in table.honest:
        assert type(replica.fault) is BadKeyShare
        assert replica.fault.peer == NAMES[who]
        assert not replica.replica_state.ledger.cards
    report = audit(table.honest[0].transcript(), lambda _: GAME)
    assert (report.culprit, report.trouble) == (NAMES[who], str(table.honest[0].fault))


@pytest.mark.parametrize(("peers", "who"), [(3, 0), (4, 2)])
def test_false_complaint_convicts_who_complains(peers: int, who: int) -> None:
    assert_named(table_with(vices.ComplainsFalsely(), peers, who), who, BadComplaint, "complaints")


@pytest.mark.parametrize("peers", [3, 4, 5])
def test_complaint_without_the_means_to_check_it_convicts_who_complains(peers: int) -> None:
    assert_named(table_with(vices.ComplainsWithoutMeans(), peers), 1, BadKey, "complaints")


@pytest.mark.parametrize("peers", [3, 4, 5])
def test_pieces_that_do_not_sum_to_the_key_are_refused(peers: int) -> None:
    assert_named(table_with(vices.GivesSharesOfAnotherKey(), peers), 1, BadKeyShare, "key-shares")


POINTS = {
    "torsion": in_front(ORDER_EIGHT),
    "mixed": with_torsion,
    "neutral": in_front(NEUTRAL),
    "not canonical": in_front(NOT_CANONICAL),
    "off the curve": in_front(bytes([2]) + bytes(31)),
    "cut": lambda data: data[:-1],
    "long": lambda data: data + data[:32],
    "nothing": lambda data: b"",
    "huge": lambda data: bytes(3000),
    "text": lambda data: "x" * 32,
    "list": lambda data: [data],
    "none": lambda data: None,
}
PLACES = {
    "keys X": ("keys", (0,)),
    "keys V": ("keys", (1,)),
    "key share S": ("key-shares", (0, 0, 0)),
    "key share E": ("key-shares", (0, 1, 1)),
    "cards": ("shuffle", (0,)),
    "shares": ("shares", (0,)),
    "private shares": ("shares", (1,)),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("point", ["mixed", "not canonical", "huge"])
def test_what_is_no_point_of_the_group_is_refused_at_the_door(place: str, point: str) -> None:
    kind, path = PLACES[place]
    assert_named(table_with(vices.Sends(kind, path, POINTS[point])), 1, Malformed, kind)


@pytest.mark.parametrize("point", POINTS)
def test_anything_in_place_of_cards_is_refused_at_the_door(point: str) -> None:
    cheat = vices.Sends("shuffle", (0,), POINTS[point])
    assert_named(table_with(cheat, who=0), 0, Malformed, "shuffle")


PROOFS = {
    "keys": ("keys", (2,)),
    "key-shares": ("key-shares", (1,)),
    "commitments": ("shuffle", (1,)),
    "chain": ("shuffle", (2,)),
    "shuffle": ("shuffle", (3,)),
    "shares": ("shares", (2,)),
}


@pytest.mark.parametrize("place", PROOFS)
def test_anything_in_place_of_a_proof_is_refused(place: str) -> None:
    kind, path = PROOFS[place]
    false = with_torsion if place in ("commitments", "chain") else unreduced
    changes = [
        (false, NOT_PROVEN[kind]),
        (lambda data: None, Malformed),
        (lambda data: bytes(3000), Malformed),
    ]
    for peers, (change, fault) in zip((3, 4, 5), changes, strict=True):
        assert_named(table_with(vices.Sends(kind, path, change), peers), 1, fault, kind)


@pytest.mark.parametrize("kind", ["keys", "key-shares", "complaints", "shuffle", "shares"])
def test_rubbish_in_a_message_about_cards_convicts_its_sender(kind: str) -> None:
    rubbish: list[Any] = [None, 0, 1.5, b"", "x", [], {}, [[]], [[], b""], [b"", b"", b""]]
    rubbish += [
        [[1, b"", b""]],
        [b""] * 4,
        [[True, b"", b""]],
        [[[[]]]] * 3,
        [[-1, b"x" * 32, b""]],
    ]
    if kind == "complaints":
        rubbish.remove([])
    peers = 3 if kind in ("key-shares", "complaints") else 2  # two peers keep no backup
    for number, body in enumerate(rubbish):
        table = table_with(cheats.SendsBody(kind, body), peers, seed=number)
        for replica in table.honest:
            assert isinstance(replica.fault, Malformed), (body, replica.fault)
            assert replica.fault.peer == "Bea"


@pytest.mark.parametrize("kind", ["keys", "key-shares", "shuffle", "shares"])
def test_two_versions_of_one_step_are_named(kind: str) -> None:
    table = table_with(cheats.SaysBoth(kind))
    for replica in table.honest:
        assert isinstance(replica.fault, Equivocation | BadProof | BadKey | Malformed | BadKeyShare)
        assert replica.fault.peer == "Bea"
    assert any(type(replica.fault) is Equivocation for replica in table.honest)


def test_withheld_share_makes_the_table_wait_for_its_peer_and_convicts_nobody() -> None:
    table = table_with(vices.WithholdsShares())
    for replica in table.honest:
        assert replica.live
        assert replica.waiting_for() == (1,)
        assert replica._plan is not None
        assert replica._plan.kind == "shares"
        assert not any(replica.replica_state.known), "nobody's card can be opened without it"


def concession(who: int) -> CardTable:
    """A game in which that peer concedes a challenge although it holds the card."""
    for seed in range(40):
        table = CardTable(
            GAME, 3, seed=seed, cheats={who: vices.Lies(vices.concedes_while_holding)}
        ).run()
        first = table.honest[0]
        if first.fault or audit(first.transcript(), lambda _: GAME).trouble:
            return table
    raise AssertionError("the cheat never held the card")


def test_conceding_while_holding_is_named_when_the_card_becomes_public() -> None:
    table = concession(0)
    for replica in table.honest:
        assert type(replica.fault) is PlayedIllegally
        assert replica.fault.peer == "Ana"
    assert "its own cards do not allow" in str(table.honest[0].fault)


@pytest.mark.parametrize("who", [1, 2])
def test_conceding_while_holding_is_found_by_the_audit_when_the_card_is_never_shown(
    who: int,
) -> None:
    """Bea's card was shuffled away, Cai's hand stays closed."""
    table = concession(who)
    assert all(replica.over for replica in table.honest)
    report = audit(table.honest[0].transcript(), lambda _: GAME)
    assert report.culprit == NAMES[who]
    assert report.trouble is not None
    assert "you do hold the" in report.trouble


def test_showing_another_card_than_claimed_is_named_when_it_is_shown() -> None:
    table = table_with(vices.Lies(vices.says_another_flower), who=0)
    for replica in table.honest:
        assert type(replica.fault) is FalseClaim
        assert replica.fault.peer == "Ana"


@pytest.mark.parametrize("who", [0, 2])
def test_claim_about_a_hand_that_stays_closed_is_judged_by_the_audit(who: int) -> None:
    table = CardTable(GAME, 3, seed=1, cheats={who: vices.Lies(vices.says_another_flower)}).run()
    assert all(replica.over for replica in table.honest) == (who == 2)
    assert audit(table.honest[0].transcript(), lambda _: GAME).culprit == NAMES[who]


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("shuffle", "shuffle"),
        ("card-keys", "keys"),
        ("key-shares", "key-shares"),
        ("private-shares", "shares"),
        ("share-proof", "shares"),
    ],
)
def test_chance_of_its_own_choice_is_found_by_the_audit_only(statement: str, kind: str) -> None:
    table = CardTable(GAME, 3, seed=1, cheats={1: cheats.ChoosesItsSecret(statement)}).run()
    assert all(replica.over for replica in table.tables), "no table can see it during the game"
    (data,) = table.transcripts()
    first = next(m for m in table.tables[0].messages() if m.kind == kind and m.peer == 1)
    report = audit(data, lambda _: GAME)
    assert (report.culprit, report.trouble) == (
        "Bea",
        f"Bea sent a message that its own seed does not explain (step {first.step})",
    )
