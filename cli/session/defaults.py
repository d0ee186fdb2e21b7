"""What a table is like when nobody says otherwise, and what a person may say: the preferences,
a game's options, the table's settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sobremesa.core import typed
from sobremesa.core.errors import BadOption
from sobremesa.core.game import SETTINGS, Game, OptionValue
from sobremesa.core.replica.charter import Settings
from sobremesa.plugins.loader import Games

AT_NETWORK = Settings(seconds=90)
ALONE = Settings(backup=False, seconds=0)
"""Alone nobody waits for us, so there is no limit."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """How this person sits at tables: name, pace in seconds (0: as fast as it goes), whether a
    bot plays the seat, where the transcript goes, and the ids of the bots that play here: they are
    dealt to the seats in turn, first to the own one if a bot plays it. None is the game's first.
    `slow`: they ask for twice the time for answers, for everybody."""

    name: str
    pace: float = 5.0
    auto: bool = False
    save: Path | None = None
    bot_ids: tuple[str, ...] = ()
    told: str = ""
    """What the player should hear of their name."""
    slow: bool = False

    @property
    def bot_ids_beside(self) -> tuple[str, ...]:
        """Those of the other seats, in turn."""
        return self.bot_ids[1:] + self.bot_ids[:1] if self.auto else self.bot_ids


@dataclass(frozen=True, slots=True)
class Choice:
    """A game with its options, the table's settings and its bots' ids, as flags chose them."""

    game: Game[Any]
    options: dict[str, OptionValue]
    settings: Settings
    bot_ids: tuple[str, ...] = ()


def choose(
    games: Games, name: str, given: list[str], default: Settings, bots: Sequence[str] = ()
) -> Choice:
    """Read `--option` and `--bot` flags for a game.

    :raises LocalError: if the game is unknown, or an option, its value or a bot is
    """
    game = games.named(name)
    for_game: dict[str, str] = {}
    for_table: dict[str, str] = {}
    for flag in given:
        key, sign, value = typed.fold(flag).partition("=")
        if not sign:
            raise BadOption(f"an option is KEY=VALUE (you gave {flag!r})")
        key = key.strip()
        (for_table if key in SETTINGS else for_game)[key] = typed.key(value)
    options = game.read_options(for_game)
    wanted = [typed.key(id) for flag in bots for id in flag.split(",")]
    bot_ids = tuple(game.bot(id).id for id in wanted)
    return Choice(game, options, Settings.read(for_table, default), bot_ids)


def seats_at_network(game: Game[Any]) -> int:
    """How many seats a table on the network has when its opener did not say."""
    return min(max(4, game.seats[0]), game.seats[-1])


def bots_alone(game: Game[Any]) -> int:
    """How many bots sit down with somebody who did not say."""
    return min(max(3, game.seats[0] - 1), game.seats[-1] - 1)
