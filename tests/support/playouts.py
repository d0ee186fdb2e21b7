"""Random games on the open table, for whoever tests a game."""

from __future__ import annotations

import random
from collections.abc import Callable

from sobremesa.core.game import Game
from sobremesa.core.open_table import FairChance, OpenTable
from sobremesa.core.requests import Event

NAMES = ("Ana", "Bea", "Cai", "Dan", "Eva", "Fin", "Gil", "Hal")


def open_table(
    game: Game,
    seats: int,
    seed: int,
    options: dict[str, str] | None = None,
    on_event: Callable[[Event], None] | None = None,
) -> OpenTable:
    """A table with fair chance made from a seed."""
    chance = FairChance(random.Random(seed).randrange)
    return OpenTable(game, NAMES[:seats], game.read_options(options or {}), chance, on_event)


def play_out(
    table: OpenTable, seed: int, each: Callable[[OpenTable], None] = lambda table: None
) -> None:
    """Answer everything by chance until the game is over; `each` is called before an answer.

    The answers depend on the seed and the public state, never on a hidden face.
    """
    pick = random.Random(seed).randrange
    while table.outcome is None:
        each(table)
        seat, question = next(iter(table.asked.items()))
        table.answer(seat, question.sample(pick, {}))
