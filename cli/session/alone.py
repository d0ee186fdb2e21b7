"""To a session at a table of this machine alone; the game begins at once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from sobremesa.core.game import Game, OptionValue
from sobremesa.core.replica.charter import Settings
from sobremesa.net.alone import play_alone
from sobremesa.plugins.loader import Games

from .defaults import Preferences
from .table_session import TableSession


def play(
    games: Games,
    game: Game[Any],
    preferences: Preferences,
    bots: int,
    options: Mapping[str, OptionValue],
    settings: Settings,
) -> TableSession:
    """Sit down with bots; the game begins at once.

    :raises LocalError: if the game is not for so many
    """
    session = TableSession(games, game, preferences)
    session.match = play_alone(
        game,
        session,
        copy=games.copy(game),
        name=preferences.name,
        bots=bots,
        bot_ids=preferences.bot_ids_beside,
        options=options,
        settings=settings,
    )
    session.again = partial(_play_again, games, game, preferences, bots, options, settings)
    session.match.begin()
    return session


async def _play_again(*table: Any) -> TableSession:
    return play(*table)
