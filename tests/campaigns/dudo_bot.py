"""Campaign: the Dudo bot against a random legal player, one to one.

    python tests/campaigns/dudo_bot.py [--games 1000] [--seed 0]

Prints the share of games that the bot wins; exit status 1 if it is under 90 %.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from campaigns import against_random

from sobremesa.plugins.dudo import GAME

WANTED = 0.9

win_rate = partial(against_random.win_rate, GAME)
main = partial(against_random.main, GAME, lambda others: WANTED, most=1)

if __name__ == "__main__":
    sys.exit(main())
