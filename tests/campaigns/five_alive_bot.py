"""Campaign: the 5 Alive bot against random legal players.

    python tests/campaigns/five_alive_bot.py [--games 1000] [--others 1] [--seed 0]

Prints the share of games that the bot wins; exit status 1 if it is under 85 %, or against several
under twice the share that is anybody's.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from campaigns import against_random

from sobremesa.plugins.five_alive import GAME

WANTED = 0.85
"""Against one; against several it is twice what is anybody's share."""

win_rate = partial(against_random.win_rate, GAME)


def wanted(others: int) -> float:
    return WANTED if others == 1 else 2 / (others + 1)


main = partial(against_random.main, GAME, wanted)

if __name__ == "__main__":
    sys.exit(main())
