"""Whole games that lose peers at any moment: each ends as its rules say, names nobody, and opens
no face that it should not."""

from __future__ import annotations

import random
from collections.abc import Collection
from contextlib import suppress

import pytest
from support.peers.losses import HandTable, Losses, without_proofs

from sobremesa.core.errors import TableEnded
from sobremesa.core.replica.steps import Step
from sobremesa.plugins.loader import load_games

GAMES = load_games([]).games
SEEDS = range(6)


def table_of(name: str, seed: int, least: int) -> tuple[HandTable, random.Random]:
    """A table of some size for a game, with bots at some of its peers."""
    rng = random.Random(f"losses {name} {seed}")
    game = GAMES[name]
    peers = rng.randint(least, min(5, game.seats[-1]))
    seats = rng.randint(max(peers, game.seats[0]), min(game.seats[-1], peers + 1))
    owners = (*range(peers), *(rng.randrange(peers) for _ in range(seats - peers)))
    return HandTable(game, owners, seed=seed, checked=False), rng


def often(table: HandTable, rng: random.Random) -> Losses:
    """Anybody in any step, several at once as well."""
    rarely = rng.choice((3, 10, 40)) * len(table.rands)
    return lambda number, step: [p for p in table.rands if not rng.randrange(rarely)]


def bearable(table: HandTable, rng: random.Random) -> Losses:
    """One at a time, while the others hold shares of its key or nobody needs one."""
    rarely = rng.choice((3, 10, 30))

    def lost(number: int, step: Step) -> Collection[int]:
        ledger, present = table.state.ledger, table.state.present
        may = len(present) > 2 and (ledger.key_shares or not ledger.keys)
        may = may and step.kind != "end"
        return [rng.choice(present)] if may and not rng.randrange(rarely) else []

    return lost


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", sorted(GAMES))
def test_game_that_loses_anybody_ends_or_has_lost_its_keys(name: str, seed: int) -> None:
    table, rng = table_of(name, seed, 2)
    table.lost = often(table, rng)
    with without_proofs(), suppress(TableEnded):
        table.play()
    assert table.state.run.outcome is not None or table.state.ledger.lost
    assert table.state.convicted == []


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", sorted(GAMES))
def test_game_that_loses_one_after_another_ends_by_its_rules(name: str, seed: int) -> None:
    table, rng = table_of(name, seed, 3)
    table.lost = bearable(table, rng)
    with without_proofs():
        outcome = table.play()
    assert table.state.convicted == []
    here = {plan.name for plan in table.state.charter.seats if plan.peer in table.state.present}
    if name not in (
        "house-of-jokers",
        "cinco-vidas",
    ):  # all lose there; all may go out at once here
        assert here.issuperset(outcome.places[0]), "who is gone does not win"
