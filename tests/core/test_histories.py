"""Where a liar tells two histories, no order of links and messages convicts anybody else, and none
keeps the proof from anybody who is linked."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from support.peers.histories import LIAR, LINKS, Model, State, reached

ALL = 100_000
"""More states than there are."""
FEW = 2500
"""States in which a wrong rule shows."""
PART = 5
"""Of so many states that come after one another, one is seen through to its end."""


def has_convicted_an_innocent(state: State) -> bool:
    return any(life.convicted - {LIAR} for life in state.lives)


def is_kept_from_somebody(model: Model, states: Iterable[State]) -> bool:
    """Whether both versions are told and some links that join all honest peers do not bring the
    proof to all."""
    return any(
        not model.is_proof_everywhere(state, chain)
        for state in states
        if len({life.first for life in state.lives} - {None}) > 1
        for chain in itertools.combinations(LINKS, 2)
    )


def test_no_order_of_links_and_messages_convicts_an_honest_peer_or_hides_the_liar() -> None:
    model = Model()
    states = list(reached(model, ALL))
    assert len(states) < ALL
    assert not any(map(has_convicted_an_innocent, states))
    assert not is_kept_from_somebody(model, states[::PART])


def test_if_a_head_convicted_its_author_honest_peers_would_convict_each_other() -> None:
    assert any(map(has_convicted_an_innocent, reached(Model(strays_convict=True), FEW)))


def test_if_two_ends_did_not_show_what_parts_them_the_proof_would_not_come_about() -> None:
    model = Model(parted_are_mute=True)
    assert is_kept_from_somebody(model, reached(model, FEW))
