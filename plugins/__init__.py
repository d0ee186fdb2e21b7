"""Finding the games: the built-in ones by an explicit list, others by entry points.

Rule 1: each plugin is loaded in its own `try`; a broken one is named with its error, and the
rest goes on.
Rule 2: no code ever comes over the network.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from typing import Any

import pluggy

from sobremesa.core import hookspecs
from sobremesa.core.errors import LocalError
from sobremesa.core.game import Game
from sobremesa.core.hookspecs import ENTRY_POINTS, PROJECT
from sobremesa.core.requests import Event

# A bare checkout has no entry points, so the built-in games are named here.
BUILT_IN = ("cinco_vidas", "dudo", "intriga")


class UnknownGame(LocalError):
    """No game of that name is installed."""


@dataclass(slots=True)
class Games:
    """The games of this machine: `games` by id, `origins` where each comes from, and `broken`,
    one line for each plugin that could not be loaded."""

    games: dict[str, Game] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)
    manager: pluggy.PluginManager = field(default_factory=lambda: pluggy.PluginManager(PROJECT))

    def find(self, name: str) -> Game:
        """The game with this id or title.

        :raises UnknownGame: if there is none
        """
        wanted = name.casefold()
        for game in self.games.values():
            if wanted in (game.id, game.title.casefold()):
                return game
        have = ", ".join(sorted(self.games)) or "none"
        raise UnknownGame(f"no game is called {name!r}; installed here: {have}")

    def tell_observers(self, game: Game, event: Event) -> None:
        """Let plugins that watch know of an event.

        :raises Exception: whatever such a plugin raises
        """
        self.manager.hook.sobremesa_event(game=game, event=event)


def load_games(others: Iterable[EntryPoint] | None = None) -> Games:
    """Load every plugin there is. `others` None means the entry points of this environment."""
    found = Games()
    found.manager.add_hookspecs(hookspecs)
    for name in BUILT_IN:
        _load(found, name, "built in", partial(importlib.import_module, f"{__name__}.{name}"))
    for point in sorted(
        entry_points(group=ENTRY_POINTS) if others is None else others, key=lambda p: p.name
    ):
        origin = f"package {point.dist.name}" if point.dist else "package"
        _load(found, point.name, origin, point.load)
    _add_bots(found)
    return found


def _load(found: Games, name: str, origin: str, load: Callable[[], Any]) -> None:
    manager = found.manager
    module = None
    try:
        module = load()
        manager.register(module, name=f"{origin} {name}")
        manager.check_pending()
        hook = getattr(module, "sobremesa_games", None)
        for game in hook() if hook else ():
            if not isinstance(game, Game):
                raise TypeError(f"{game!r} is no Game")
            if game.id in found.games:
                raise ValueError(f"game {game.id} is there already ({found.origins[game.id]})")
            found.games[game.id] = game
            found.origins[game.id] = origin
    except Exception as error:  # anything a stranger's module may raise
        if module is not None and manager.is_registered(module):
            manager.unregister(module)
        found.broken.append(
            f"plugin {name} ({origin}) could not be loaded: {type(error).__name__}: {error}"
        )


def _add_bots(found: Games) -> None:
    for bots in found.manager.hook.sobremesa_bots():
        for game_id, bot in bots:
            game = found.games.get(game_id)
            if game is not None:
                found.games[game_id] = replace(game, bots=(*game.bots, bot))
