"""The whole contract between Sobremesa and a plugin package.

A plugin is a module with functions of these names, marked with `hookimpl`, and named by an entry
point in the group `sobremesa.games` that is called by the id of its game, or by one for each of its
games; one that brings none may call it as it likes. See docs/writing-a-game.md.
"""

from __future__ import annotations

from typing import Any

import pluggy

from .game import Bot, Game
from .requests import Event

PROJECT = "sobremesa"
ENTRY_POINTS = "sobremesa.games"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def sobremesa_games() -> tuple[Game[Any], ...]:  # type: ignore[empty-body]
    """The games that this plugin brings. Called once, at start.

    A game whose id is taken already is left out, and the player is told by whom.
    """


@hookspec
def sobremesa_bots() -> tuple[tuple[str, Bot[Any]], ...]:  # type: ignore[empty-body]
    """More bots for games that exist, as (game id, bot). Called once, at start.

    A bot for a game that is not installed is left out without a word. One that is added stands
    after the game's own, and plays where it is named by its id.
    """


@hookspec
def sobremesa_event(game: Game[Any], event: Event) -> None:
    """Something public happened at a table of this machine: for sound, statistics, logs.

    Called when the player here is told, so after the rest at a reveal before it. What it returns
    is ignored; what it raises is logged and the game goes on.
    """
