"""To a session at a table of this machine alone; the game begins at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from sobremesa.core.game import Game, OptionValue
from sobremesa.core.replica.charter import Settings
from sobremesa.net.alone import play_alone
from sobremesa.net.store import CannotStore, Store
from sobremesa.plugins.loader import Games

from .defaults import Preferences
from .session import Again
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
    settings = replace(settings, slow=preferences.slow)
    sit = partial(
        play_alone,
        game,
        session,
        copy=games.copy(game),
        name=preferences.name,
        bots=bots,
        bot_ids=preferences.bot_ids_beside,
        options=options,
        settings=settings,
    )
    try:
        session.match = sit(store=Store())
    except CannotStore as error:
        session.match = sit(store=None)
        session.noticed(f"Nobody can come back to this game. {error}", "warn")
    session.again = Again(partial(_play_again, games, game, preferences, bots, options, settings))
    session.match.begin()
    return session


async def _play_again(*table: Any) -> TableSession:
    return play(*table)
