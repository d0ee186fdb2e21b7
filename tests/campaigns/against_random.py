"""What the campaigns of single games share: their bot against random legal players.

Rule 1: the bot sits in another place in every game, and a shared first place is its part of one.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Sequence
from typing import Any

from support.games.playouts import mixed

from sobremesa.core.game import Game
from sobremesa.core.open_table import FairChance, OpenTable
from sobremesa.core.playout import play_on


def bot_wins(game: Game[Any], seed: int, others: int) -> float:
    """Play one game and return the bot's part of the first place."""
    pick = random.Random(seed).randrange
    names = [f"random {number}" for number in range(1, others + 1)]
    names.insert(seed % (others + 1), "bot")
    table = OpenTable(game, tuple(names), game.read_options({}), FairChance(pick))
    play_on(table, mixed(pick, lambda seat, pick: seat == "bot"))
    assert table.outcome is not None
    winners = table.outcome.places[0]
    return ("bot" in winners) / len(winners)


def win_rate(game: Game[Any], games: int, others: int = 1, seed: int = 0) -> float:
    """The share of games that the bot wins."""
    return sum(bot_wins(game, seed + number, others) for number in range(games)) / games


def main(
    game: Game[Any],
    wanted: Callable[[int], float],
    argv: Sequence[str] | None = None,
    most: int | None = None,
) -> int:
    """Play as many games as the command line says against so many others, at `most` as many as
    fit; 1 if the bot wins less than is `wanted` against them."""
    most = most or game.seats[-1] - 1
    parser = argparse.ArgumentParser(description=f"{game.title} bot against random legal players")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--others", type=int, default=1, choices=range(1, most + 1))
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(argv)
    rate, mark = win_rate(game, options.games, options.others, options.seed), wanted(options.others)
    against = "1 random player" if options.others == 1 else f"{options.others} random players"
    print(f"the bot won {rate:.1%} of {options.games} games against {against} (wanted: {mark:.0%})")
    return 0 if rate >= mark else 1
