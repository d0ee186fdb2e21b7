"""Campaign: the 5 Alive bot against random legal players.

    python -m tests.campaigns.five_alive_bot [--games 1000] [--others 1] [--seed 0]

Prints the share of games that the bot wins, a shared first place counted as its part of one; exit
status 1 if it is under 85 %, or against several under twice the share that is anybody's.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence

from sobremesa.core.open_table import FairChance, OpenTable
from sobremesa.plugins.five_alive import GAME

WANTED = 0.85
"""Against one; against several it is twice what is anybody's share."""


def bot_wins(seed: int, others: int = 1) -> float:
    """Play one game and return the bot's part of the first place; it sits anywhere."""
    pick = random.Random(seed).randrange
    names = [f"random {number}" for number in range(1, others + 1)]
    names.insert(seed % (others + 1), "bot")
    table = OpenTable(GAME, tuple(names), GAME.read_options({}), FairChance(pick))
    while table.outcome is None:
        ((seat, question),) = table.asked.items()
        if seat == "bot":
            answer = GAME.bots[0].choose(table.sight(seat), question, pick)
        else:
            answer = question.sample(pick, table.faces(seat))
        table.answer(seat, answer)
    winners = table.outcome.places[0]
    return ("bot" in winners) / len(winners)


def win_rate(games: int, others: int = 1, seed: int = 0) -> float:
    """The share of games that the bot wins."""
    return sum(bot_wins(seed + number, others) for number in range(games)) / games


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="5 Alive bot against random legal players")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--others", type=int, default=1, choices=range(1, 6))
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(argv)
    rate = win_rate(options.games, options.others, options.seed)
    against = "1 random player" if options.others == 1 else f"{options.others} random players"
    wanted = WANTED if options.others == 1 else 2 / (options.others + 1)
    print(
        f"the bot won {rate:.1%} of {options.games} games against {against} (wanted: {wanted:.0%})"
    )
    return 0 if rate >= wanted else 1


if __name__ == "__main__":
    sys.exit(main())
