"""Campaign: how often a table of House of Jokers bots wins, and whether hard tables win less.

    python tests/campaigns/house_of_jokers_bot.py [--games 300] [--seed 0] [--seats 3 4 5]

Prints the share of games won at each difficulty, from most to least: by the bots, and by careless
ones, who leave one choice of a hand card in four to chance. Exit status 1 if the bots are under a
mark, which is what a greedy bot that looks one move ahead was once measured to win, or if the
careless do not win less where it is harder. The bots' own order is printed and nothing more: they
choose their cards so well that it hardly matters how many lie before them.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from support.games.playouts import NAMES, mixed, mostly

from sobremesa.core.encoding import Pick
from sobremesa.core.open_table import FairChance, OpenTable
from sobremesa.core.pieces import Seat
from sobremesa.core.playout import play_on
from sobremesa.plugins.house_of_jokers import GAME
from sobremesa.plugins.house_of_jokers.questions import Choose, Refill

Players = Literal["bots", "careless bots", "random players"]

PLAYERS: tuple[Players, ...] = ("bots", "careless bots")

DIFFICULTIES = ("easy", "normal", "hard")
WANTED = {
    (3, "easy"): (0.83, 0.76),
    (3, "normal"): (0.66, 0.63),
    (3, "hard"): (0.61, 0.43),
    (4, "easy"): (0.70, 0.71),
    (4, "normal"): (0.65, 0.56),
    (4, "hard"): (0.55, 0.48),
    (5, "easy"): (0.61, 0.65),
    (5, "normal"): (0.63, 0.65),
    (5, "hard"): (0.43, 0.40),
}
"""By seats and difficulty, with 2 and with 3 jokers."""

carefully = mostly(4)


def wins(seats: int, difficulty: str, jokers: int, seed: int, players: Players = "bots") -> bool:
    """Play one game."""
    pick = random.Random(seed).randrange
    options = GAME.read_options({"difficulty": difficulty, "jokers": str(jokers)})
    table = OpenTable(GAME, NAMES[:seats], options, FairChance(pick))

    def by_bot(seat: Seat, pick: Pick) -> bool:
        if players == "careless bots" and isinstance(table.asked[seat], Choose | Refill):
            return carefully(seat, pick)
        return players != "random players"

    play_on(table, mixed(pick, by_bot))
    return bool(table.run.state.ending.kind == "won")


def win_rate(
    seats: int,
    difficulty: str,
    jokers: int,
    games: int,
    seed: int = 0,
    players: Players = "bots",
) -> float:
    """The share of games won."""
    won = sum(wins(seats, difficulty, jokers, seed + n, players) for n in range(games))
    return won / games


def is_in_order(rates: Mapping[str, float]) -> bool:
    """Whether less was won where it is harder."""
    return rates["easy"] > rates["normal"] > rates["hard"]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="How often House of Jokers bots win together")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seats", type=int, nargs="+", default=[3, 4, 5], choices=[3, 4, 5])
    options = parser.parse_args(argv)
    failed = False
    for seats, jokers in itertools.product(options.seats, (2, 3)):
        marks = {difficulty: WANTED[seats, difficulty][jokers - 2] for difficulty in DIFFICULTIES}
        for players in PLAYERS:
            rates = {
                difficulty: win_rate(
                    seats, difficulty, jokers, options.games, options.seed, players
                )
                for difficulty in DIFFICULTIES
            }
            shares = ", ".join(
                f"{difficulty} {rates[difficulty]:.1%}"
                + (f" (wanted: {marks[difficulty]:.0%})" if players == "bots" else "")
                for difficulty in sorted(DIFFICULTIES, key=rates.__getitem__, reverse=True)
            )
            print(f"{seats} {players}, {jokers} jokers, of {options.games} games won: {shares}")
            if players == "bots":
                failed |= any(rates[difficulty] < mark for difficulty, mark in marks.items())
            else:
                failed |= not is_in_order(rates)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
