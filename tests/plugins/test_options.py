"""Options of one game beside each other: none is dropped without a word."""

from __future__ import annotations

import random
from itertools import combinations, product
from typing import Any

import pytest
from support.games.playouts import open_table

from sobremesa.core.errors import BadOption
from sobremesa.core.game import Game
from sobremesa.core.playout import by_bot, play_on
from sobremesa.plugins.loader import load_games

GAMES = load_games([]).games

REFUSED = {("five-alive", "sudden_death", "on", "teams", "on")}
"""Pairs that are not played together, and say why before the start."""

PAIRS = [
    (game.id, one.key, str(this), other.key, str(that))
    for game in GAMES.values()
    for one, other in combinations(game.options, 2)
    for this, that in product(one.choices, other.choices)
]


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_every_pair_of_choices_is_played_to_the_end_or_refused_with_its_reason(
    pair: tuple[str, str, str, str, str],
) -> None:
    name, one, this, other, that = pair
    game: Game[Any] = GAMES[name]
    given = {one: this, other: that}
    if pair in REFUSED:
        with pytest.raises(BadOption, match=r"cannot be played so: .+; choose one of the two"):
            game.read_options(given)
        return
    table = open_table(game, game.seats[-1], 1, given)
    chance = random.Random(1)
    play_on(table, by_bot(chance.randrange))
    assert table.outcome is not None


def test_table_of_another_machine_with_such_a_pair_is_refused_as_well() -> None:
    options = GAMES["five-alive"].read_options({"teams": "on"}) | {"sudden_death": "on"}
    with pytest.raises(BadOption):
        GAMES["five-alive"].check_options(options)
