"""Campaign: how often a table of House of Jokers bots wins, for each difficulty.

    python -m tests.campaigns.house_of_jokers_bot [--games 300] [--seed 0] [--seats 3 4 5]

Prints the share of games won, with 2 and with 3 jokers; exit status 1 if one of them is under its
mark, which is what a greedy bot that looks one move ahead was once measured to win.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence

from sobremesa.core.open_table import FairChance, OpenTable
from sobremesa.core.questions import Answer
from sobremesa.plugins.house_of_jokers import GAME

NAMES = ("Ana", "Bea", "Cai", "Dan", "Eva")

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


def wins(seats: int, difficulty: str, jokers: int, seed: int, bots: bool = True) -> bool:
    """Play one game, by bots or by random legal moves."""
    pick = random.Random(seed).randrange
    options = GAME.read_options({"difficulty": difficulty, "jokers": str(jokers)})
    table = OpenTable(GAME, NAMES[:seats], options, FairChance(pick))
    while table.outcome is None:
        seat, question = next(iter(table.asked.items()))
        answer: Answer
        if bots:
            answer = GAME.bots[0].choose(table.sight(seat), question, pick)
        else:
            answer = question.sample(pick, table.faces(seat))
        table.answer(seat, answer)
    return bool(table.run.state.ending.kind == "won")


def win_rate(
    seats: int, difficulty: str, jokers: int, games: int, seed: int = 0, bots: bool = True
) -> float:
    """The share of games won."""
    won = sum(wins(seats, difficulty, jokers, seed + n, bots) for n in range(games))
    return won / games


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="How often House of Jokers bots win together")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seats", type=int, nargs="+", default=[3, 4, 5], choices=[3, 4, 5])
    options = parser.parse_args(argv)
    failed = 0
    for (seats, difficulty), marks in WANTED.items():
        if seats not in options.seats:
            continue
        for jokers, wanted in zip((2, 3), marks, strict=True):
            rate = win_rate(seats, difficulty, jokers, options.games, options.seed)
            print(
                f"{seats} seats, {difficulty}, {jokers} jokers: {rate:.1%} of {options.games} "
                f"games won (wanted: {wanted:.0%})"
            )
            failed += rate < wanted
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
