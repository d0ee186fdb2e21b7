"""Random games on the open table, for whoever tests a game."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

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


def under_hash_seed(seed: int, file: str, expression: str) -> str:
    """What an expression about a test's own module comes to in a process of its own, as text."""
    root = Path(__file__).parents[2]
    code = f"""
import importlib.util
spec = importlib.util.spec_from_file_location("module", {file!r})
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
print({expression})
"""
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={
            **os.environ,
            "PYTHONHASHSEED": str(seed),
            "PYTHONPATH": os.pathsep.join([str(root), str(root / "tests")]),
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return run.stdout
