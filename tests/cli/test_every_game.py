"""All games from the command to the saved file: numbers of players and options, bots at each seat.

`tests/campaigns/every_game.py` combines every number of players with every option.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from campaigns.every_game import Table, by_processes, choices, play_and_verify
from support.processes.commands import Commands
from support.processes.machines import machine

from sobremesa.core.game import Game
from sobremesa.plugins.loader import load_games

GAMES = tuple(load_games([]).games.values())

SLOW = ("cinco-vidas", "five-alive")
"""Games that shuffle a deck for every round, several seconds in all. The numbers of players
between the least and the most are left to the campaign."""


def tables(game: Game[Any]) -> Iterator[Table]:
    """Every number of players, then each choice of an option, at a small and at a large table."""
    ends = (game.seats[0], game.seats[-1])
    for seats in ends if game.id in SLOW else game.seats:
        yield Table(game, seats)
    for seats, chosen in zip(cycle(ends), choices(game), strict=False):
        yield Table(game, seats, chosen)


@pytest.mark.parametrize("table", [table for game in GAMES for table in tables(game)], ids=str)
def test_bots_play_it_to_a_result_and_its_record_is_verified(
    table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play_and_verify(table, Commands(tmp_path, capsys).run, tmp_path / "game")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_it_is_the_same_as_a_command_of_its_own(game: Game[Any], tmp_path: Path) -> None:
    with machine(tmp_path) as here:
        play_and_verify(Table(game, game.seats[0]), by_processes(here), tmp_path / "game")
