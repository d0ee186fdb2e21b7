"""Where a liar tells two histories, no order of links and messages convicts anybody else, and none
keeps the proof from anybody who is linked."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from support.peers.histories import LIAR, LINKS, Link, Model, State, reached

MOST = 2500
"""States of each search: enough for every wrong rule here to show."""


def innocents(model: Model) -> Iterator[State]:
    """The states in which an honest peer is convicted."""
    for state in reached(model, MOST):
        if any(life.convicted - {LIAR} for life in state.lives):
            yield state


def kept_from_some(model: Model) -> Iterator[tuple[State, tuple[Link, ...]]]:
    """The states in which both versions are told and some links that join all honest peers do not
    bring the proof to all."""
    for state in reached(model, MOST):
        if len({life.first for life in state.lives} - {None}) > 1:
            for chain in itertools.combinations(LINKS, 2):
                if not model.is_proof_everywhere(state, chain):
                    yield state, chain


def test_no_order_of_links_and_messages_convicts_an_honest_peer() -> None:
    assert next(innocents(Model()), None) is None


def test_the_proof_reaches_all_who_are_linked() -> None:
    assert next(kept_from_some(Model()), None) is None


def test_if_a_head_convicted_its_author_honest_peers_would_convict_each_other() -> None:
    assert next(innocents(Model(strays_convict=True)), None) is not None


def test_if_two_ends_did_not_show_what_parts_them_the_proof_would_not_come_about() -> None:
    assert next(kept_from_some(Model(parted_are_mute=True)), None) is not None
