"""Campaign: the Dudo bot against a random legal player, one to one.

    python -m tests.campaigns.dudo_bot [--games 1000] [--seed 0]

Prints the share of games that the bot wins; exit status 1 if it is under 90 %.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence

from sobremesa.core.open_table import FairChance, OpenTable
from sobremesa.plugins.dudo import GAME

WANTED = 0.9
SEATS = ("bot", "random")


def bot_wins(seed: int) -> bool:
    """Play one game; each of the two players sits first in every other game."""
    pick = random.Random(seed).randrange
    seats = SEATS if seed % 2 else SEATS[::-1]
    table = OpenTable(GAME, seats, GAME.read_options({}), FairChance(pick))
    while table.outcome is None:
        ((seat, question),) = table.asked.items()
        if seat == "bot":
            answer = GAME.bots[0].choose(table.sight(seat), question, pick)
        else:
            answer = question.sample(pick, table.faces(seat))
        table.answer(seat, answer)
    return table.outcome.places[0] == ("bot",)


def win_rate(games: int, seed: int = 0) -> float:
    """The share of games that the bot wins."""
    return sum(bot_wins(seed + number) for number in range(games)) / games


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Dudo bot against a random legal player")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(argv)
    rate = win_rate(options.games, options.seed)
    print(f"the bot won {rate:.1%} of {options.games} games (wanted: {WANTED:.0%})")
    return 0 if rate >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
