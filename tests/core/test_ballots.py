"""The rules of one step hold in whatever order peers hear of each other, and each is needed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest
from support.peers.ballots import (
    NOBODY,
    Ending,
    Impossible,
    Model,
    Said,
    endings,
    message,
    play,
    search,
    walk,
)
from support.peers.other_rules import NEEDED, TRACES, ZERO, Another, peers

from sobremesa.core.replica.poll import Act, Ballot, Done, Hold, Peers, Poll, Stand

WHOLE = {
    "one is expected": Model(3, (ZERO,)),
    "two are expected": Model(3, (peers(0, 1),)),
    "who is expected lies": Model(3, (ZERO,), liar=0, lies=1),
    "another one lies": Model(3, (ZERO,), liar=2, lies=1),
}
"""Everything that can happen among three."""

PARTS = {
    "somebody may leave": Model(3, (ZERO,), leaving=True),
    "two steps": Model(3, (ZERO, peers(1))),
    "four peers": Model(4, (ZERO,)),
    "a liar among four": Model(4, (ZERO,), liar=3),
    "a liar may leave": Model(3, (ZERO,), leaving=True, liar=2),
}
"""Too much for a test; the campaign looks further."""


@pytest.mark.parametrize("model", WHOLE.values(), ids=WHOLE)
def test_nothing_that_can_happen_among_three_parts_honest_peers(model: Model) -> None:
    seen = search(model, most=100_000)
    assert seen.fault is None, seen.trace
    assert seen.is_whole


@pytest.mark.parametrize("model", PARTS.values(), ids=PARTS)
def test_nothing_that_happens_first_parts_honest_peers(model: Model) -> None:
    seen = search(model, most=2000)
    assert seen.fault is None, seen.trace


@pytest.mark.parametrize(
    "model",
    [
        Model(5, (peers(0, 1),), leaving=True),
        Model(5, (peers(0, 1),), liar=4),
        Model(4, (ZERO, peers(0, 1), peers(3)), leaving=True),
    ],
    ids=["five", "a liar among five", "three steps"],
)
def test_no_walk_among_more_parts_honest_peers(model: Model) -> None:
    for seed in range(20):
        state, moves = walk(model, random.Random(seed), 60)
        assert model.fault(state) is None, moves


@pytest.mark.parametrize("liar", [None, 3])
def test_what_an_honest_peer_says_is_right_for_all_who_know_what_it_knew(liar: int | None) -> None:
    """A walk that passes on its logs raises where somebody would refuse what another has said."""
    model = Model(4, (ZERO, peers(2)), leaving=liar is None, liar=liar, ordered=True)
    said: Counter[str] = Counter()
    for seed in range(60):
        _, moves = walk(model, random.Random(seed), 80)
        said.update(move.verb for move in moves)
    assert min(said[verb] for verb in ("sign", "hold", "decide")) > 0


# Each rule is needed.


@pytest.mark.parametrize("rule", NEEDED, ids=lambda rule: rule.__name__)
def test_with_another_rule_honest_peers_part(rule: type[Poll]) -> None:
    seen = search(replace(NEEDED[rule], poll=rule), most=20_000)
    assert seen.fault is not None


@pytest.mark.parametrize("rule", TRACES, ids=lambda rule: rule.__name__)
def test_a_way_that_parts_honest_peers_is_closed_by_one_rule(rule: type[Poll]) -> None:
    model, moves = TRACES[rule]
    other = replace(model, poll=rule)
    assert other.fault(play(other, moves)) is not None
    with pytest.raises(Impossible):
        play(model, moves)


class TakesAnything(Another):
    """What a peer says is not measured by the rules."""

    def follows(self, peer: int, stand: Stand, known: Mapping[int, bytes]) -> bool:
        return True


@pytest.mark.parametrize("lie", [Hold(0, message(0)), Done(NOBODY)], ids=["hold", "done"])
def test_who_goes_back_on_its_ballot_is_not_believed(lie: Act) -> None:
    """Of three who sign Ana away, one has what it takes to take it back, for one of the others."""
    moves: list[Said] = [
        ("send", 0, None),
        *(("sign", peer, ZERO) for peer in (1, 2)),
        ("hear", 1, (3, (Ballot(ZERO),))),
        ("hear", 1, ("stand", 2)),
        ("decide", 1, ZERO),
        ("hear", 2, ("message", 0)),
        ("hear", 2, (3, (Ballot(ZERO), lie))),
        ("decide", 2, NOBODY),
    ]
    model = Model(4, (ZERO,), liar=3)
    other = replace(model, poll=TakesAnything)
    assert other.fault(play(other, moves)) is not None
    with pytest.raises(Impossible, match="2 cannot hear"):
        play(model, moves)


# Nobody waits for ever.


class NeverHolds(Another):
    """Nobody says that a message is here."""

    def owed_holds(self, me: int, lost: Peers = NOBODY) -> list[Hold]:
        return []


class NeverFollows(Another):
    """Nobody follows those who have decided."""

    def _told(self, me: int) -> Iterator[Peers]:
        return iter(())


def remembering(expected: Peers, number: int = 3, leaving: bool = False) -> Model:
    return Model(number, (expected,), leaving=leaving, forgetful=False)


FAIR = {
    "one is expected": (remembering(ZERO), 2000),
    "two are expected": (remembering(peers(0, 1)), 500),
    "somebody may leave": (remembering(ZERO, leaving=True), 2000),
    "four": (remembering(peers(0, 3), 4), 150),
}


@pytest.mark.parametrize(("model", "most"), FAIR.values(), ids=FAIR)
def test_who_has_a_majority_and_lost_one_at_most_decides_but_for_one_window(
    model: Model, most: int
) -> None:
    seen = endings(model, search(model, most).states)
    assert seen[Ending.DECIDED] > seen[Ending.WINDOW] > 0
    assert seen[Ending.STUCK] == 0


TWO_LOST = {
    "of whom one owes nothing": (remembering(ZERO, 5), 300),
    "of whom one may have spoken": (remembering(peers(0, 1), 5), 300),
}


@pytest.mark.parametrize(("model", "most"), TWO_LOST.values(), ids=TWO_LOST)
def test_three_of_five_go_on_without_two_that_are_lost_in_one_step(model: Model, most: int) -> None:
    seen = endings(model, search(model, most).states, lost=2, agreed=True)
    assert seen[Ending.DECIDED] > seen[Ending.WINDOW] + seen[Ending.HELD]
    assert seen[Ending.STUCK] == 0


@pytest.mark.parametrize(
    ("rule", "model", "most"),
    [
        (NeverHolds, remembering(peers(0, 3), 4), 300),
        (NeverFollows, remembering(ZERO), 2000),
    ],
)
def test_with_another_rule_somebody_waits_for_ever(
    rule: type[Poll], model: Model, most: int
) -> None:
    other = replace(model, poll=rule)
    assert endings(other, search(other, most).states)[Ending.STUCK] > 0
