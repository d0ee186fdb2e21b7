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
from support.peers.tabletop import FULL, NAMES, STAR, Wires

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
from sobremesa.core.replica.phase import Phase
from sobremesa.core.replica.table import Table

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
    # Who is found out passes on nothing more: the others have ways beside it.
    wires = Wires(STAR if peers == 4 and who else FULL, delay=True)
    return CardTable(GAME, peers, seed=seed, wires=wires, cheats={who: cheat}).run()


def found_by(replica: Table, who: int) -> PeerError:
    """The fault of this peer that a table knows."""
    found = replica.fault or replica.convicted[who]
    assert found.peer == NAMES[who]
    return found


def assert_named(table: CardTable, who: int, fault: type[PeerError], kind: str) -> PeerError:
    """All honest peers name this fault of this peer in that message, and without it came to one
    end, which their file tells."""
    found = found_by(table.honest[0], who)
    assert type(found) is fault
    assert "\n" not in str(found)
    proof = found.proof[-1]
    assert (proof.peer, proof.kind, proof.step) == (who, kind, found.step)
    assert {str(found_by(replica, who)) for replica in table.honest} == {str(found)}
    for replica in table.honest:
        assert who not in {message.peer for message in replica.history.of_step(found.step)}
    assert_played_on(table, who, found)
    return found


def assert_played_on(table: CardTable, who: int, found: PeerError) -> None:
    """The honest ones played on without a peer, whose keys they took over or had no need of."""
    (departure,) = table.honest[0].departures
    assert (departure.peer, departure.why, departure.fault) == (who, "convicted", found.why)
    for replica in table.honest:
        assert (replica.phase, replica.fault, replica.ended) == (Phase.OVER, None, None)
        assert replica.departures == [departure]
        assert replica.outcome == table.honest[0].outcome
    (data,) = {replica.transcript() for replica in table.honest}
    report = audit(data, lambda _: GAME)
    assert (report.trouble, report.culprit) == (None, None)
    assert report.departures == (departure,)


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
    found = assert_named(table, 2, BadProof, "shuffle")
    first = next(m for m in table.honest[0].messages() if m.kind == "shuffle" and m.peer == 2)
    assert first.step < found.step


def test_false_shuffle_of_a_seats_own_hand_is_refused() -> None:
    class SwapsInItsHand(vices.SwapsCardIn):
        nth = 1  # after the deck: Bea concedes and shuffles what she holds

    for seed in range(20):
        table = table_with(SwapsInItsHand(), seed=seed)
        found = found_by(table.honest[0], 1)
        if len(unpack(found.proof[-1].body)[0]) == 2 * 2 * 32:
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
    found = assert_named(table, peers - 1, BadKey, "keys")
    said = unpack(found.proof[-1].body)[0]
    assert total((*others, said)) == owned, "its joint key would be its own"


@pytest.mark.parametrize(("peers", "who"), [(3, 0), (4, 3)])
def test_bad_piece_convicts_its_giver_and_not_who_complains(peers: int, who: int) -> None:
    table = table_with(vices.GivesBadKeyShare(), peers, who)
    found = found_by(table.honest[0], who)
    assert type(found) is BadKeyShare
    assert_played_on(table, who, found)


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
            assert isinstance(found_by(replica, 1), Malformed), body
            assert replica.over == (peers == 3)


@pytest.mark.parametrize("kind", ["keys", "key-shares", "shuffle", "shares"])
def test_two_versions_of_one_step_are_named(kind: str) -> None:
    table = table_with(cheats.SaysBoth(kind))
    for replica in table.honest:
        assert type(replica.fault) is Equivocation
        assert replica.fault.peer == "Bea"


def test_withheld_share_convicts_nobody_and_its_peer_is_given_up_with_its_name() -> None:
    table = table_with(vices.WithholdsShares())
    for replica in table.honest:
        assert replica.live
        assert replica.waiting_for() == (1,)
        assert replica._plan is not None
        assert replica._plan.kind == "shares"
        assert not any(replica.replica_state.known), "nobody's card can be opened without it"
        assert replica.vote(frozenset({1}))
    table.pump()
    table.run()
    for replica in table.honest:
        assert replica.over, "the others had shares of its key"
        (departure,) = replica.departures
        assert str(departure).startswith("Bea was away and did not give its shares of cards")


def concession(who: int) -> CardTable:
    """A game in which that peer concedes a challenge although it holds the card."""
    for seed in range(40):
        table = CardTable(
            GAME, 3, seed=seed, cheats={who: vices.Lies(vices.concedes_while_holding)}
        ).run()
        first = table.honest[0]
        if first.convicted or audit(first.transcript(), lambda _: GAME).trouble:
            return table
    raise AssertionError("the cheat never held the card")


def test_conceding_while_holding_is_named_when_the_card_becomes_public() -> None:
    table = concession(0)
    found = found_by(table.honest[0], 0)
    assert type(found) is PlayedIllegally
    assert "its own cards do not allow" in str(found)
    assert_played_on(table, 0, found)


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
    found = found_by(table.honest[0], 0)
    assert type(found) is FalseClaim
    assert_played_on(table, 0, found)


def test_claim_about_a_hand_that_stays_closed_is_judged_by_the_audit() -> None:
    table = CardTable(GAME, 3, seed=1, cheats={2: vices.Lies(vices.says_another_flower)}).run()
    assert all(replica.over and not replica.convicted for replica in table.honest)
    assert audit(table.honest[0].transcript(), lambda _: GAME).culprit == "Cai"


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
