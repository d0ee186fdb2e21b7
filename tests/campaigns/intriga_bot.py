"""Campaign: the Intriga bot against random legal players, one bot at each table.

    python tests/campaigns/intriga_bot.py [--games 1000] [--seed 0] [--seats 2 4 6]

Prints the share of games that the bot wins at tables of each size; exit status 1 if one of them
is under 80 %.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from campaigns import against_random

from sobremesa.plugins.intriga import GAME

WANTED = 0.8
"""At every table; by chance it would be one game in as many as there are seats."""


def win_rate(seats: int, games: int, seed: int = 0) -> float:
    """The share of games that the bot wins."""
    return against_random.win_rate(GAME, games, seats - 1, seed)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Intriga bot against random legal players")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seats", type=int, nargs="+", default=[2, 4, 6], choices=GAME.seats)
    options = parser.parse_args(argv)
    failed = 0
    for seats in options.seats:
        rate = win_rate(seats, options.games, options.seed)
        print(f"{seats} seats: the bot won {rate:.1%} of {options.games} games")
        failed += rate < WANTED
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
