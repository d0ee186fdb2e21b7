"""Finding the games: the built-in ones by an explicit list, others by entry points.

Rule 1: each plugin is loaded in its own `try`; a broken one is named with its error and brings
nothing at all, and the rest goes on.
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
from sobremesa.core.game import Bot, Game
from sobremesa.core.hookspecs import ENTRY_POINTS, PROJECT
from sobremesa.core.parts import place_of
from sobremesa.core.requests import Event

# A bare checkout has no entry points, so the built-in games are named here.
BUILT_IN = ("cinco_vidas", "dudo", "five_alive", "house_of_jokers", "intriga")


class UnknownGame(LocalError):
    """No game of that name is installed."""


@dataclass(slots=True)
class Games:
    """The games of this machine: `games` by id, `origins` where each comes from, and `broken`,
    one line for each plugin that could not be loaded."""

    games: dict[str, Game[Any]] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)
    manager: pluggy.PluginManager = field(default_factory=lambda: pluggy.PluginManager(PROJECT))

    def find(self, name: str) -> Game[Any]:
        """The game with this id or title.

        :raises UnknownGame: if there is none
        """
        wanted = name.casefold()
        for game in self.games.values():
            if wanted in (game.id, game.title.casefold()):
                return game
        have = ", ".join(sorted(self.games)) or "none"
        broken = f" ({'; '.join(self.broken)})" if self.broken else ""
        raise UnknownGame(f"no game is called {name!r}; installed here: {have}{broken}")

    def notify_observers(self, game: Game[Any], event: Event) -> None:
        """Let plugins that watch know of an event.

        :raises ExceptionGroup: of whatever such plugins raise, when all have been told
        """
        errors: list[Exception] = []
        for watch in self.manager.hook.sobremesa_event.get_hookimpls():
            # One by one: called as a hook, the first that breaks would keep it from the others.
            arguments = {"game": game, "event": event}
            try:
                watch.function(*(arguments[name] for name in watch.argnames))
            except Exception as error:
                errors.append(error)
        if errors:
            raise ExceptionGroup("plugins that watch broke", errors)


def load_games(others: Iterable[EntryPoint] | None = None) -> Games:
    """Load every plugin there is. `others` None means the entry points of this environment."""
    found = Games()
    found.manager.add_hookspecs(hookspecs)
    for name in BUILT_IN:
        _load(found, name, "built in", partial(importlib.import_module, f"{__package__}.{name}"))
    for point in sorted(
        entry_points(group=ENTRY_POINTS) if others is None else others, key=lambda p: p.name
    ):
        origin = f"package {point.dist.name}" if point.dist else "package"
        _load(found, point.name, origin, point.load)
    _add_bots(found)
    return found


def _load(found: Games, name: str, origin: str, load: Callable[[], Any]) -> None:
    """Load one plugin with its games. What it brings is looked at whole before any is taken."""
    manager = found.manager
    registered = None
    try:
        module = load()
        if manager.is_registered(module):
            raise ValueError(f"it is loaded already, as {manager.get_name(module)}")
        registered = f"{origin} {name}"
        manager.register(module, registered)
        if not manager.get_hookcallers(module):
            raise ValueError("nothing in it is marked with hookimpl, so it brings nothing")
        manager.check_pending()
        games = _games(module, manager, found)
    except (Exception, SystemExit) as error:  # anything a stranger's module may raise
        if registered is not None and manager.has_plugin(registered):
            manager.unregister(name=registered)
        found.broken.append(_named(name, origin, "could not be loaded", error))
    else:
        found.games.update(games)
        found.origins.update(dict.fromkeys(games, origin))


def _games(module: Any, manager: pluggy.PluginManager, found: Games) -> dict[str, Game[Any]]:
    """The games that a plugin brings, by id.

    :raises Exception: if it breaks, or brings something else, or what is there already
    """
    games: dict[str, Game[Any]] = {}
    for hook in manager.hook.sobremesa_games.get_hookimpls():
        brought: Any = hook.function() if hook.plugin is module else ()
        for game in brought:
            if not isinstance(game, Game):
                raise TypeError(f"sobremesa_games returns {game!r}, which is no Game")
            if game.id in found.games or game.id in games:
                there = found.origins.get(game.id, "the same plugin")
                raise ValueError(f"game {game.id} is there already ({there})")
            games[game.id] = game
    return games


def _add_bots(found: Games) -> None:
    """Let each plugin add bots to the games that are there."""
    for hook in found.manager.hook.sobremesa_bots.get_hookimpls():
        try:
            more = _bots(hook.function(), found)
        except Exception as error:  # as in _load
            found.broken.append(_named(hook.plugin_name, "", "has unusable bots", error))
        else:
            found.games.update(more)


def _bots(given: Any, found: Games) -> dict[str, Game[Any]]:
    """Games with the bots that one plugin adds, by id.

    :raises Exception: if it brings something else, or a bot that is there already
    """
    games: dict[str, Game[Any]] = {}
    for game_id, bot in given:
        if not isinstance(bot, Bot):
            raise TypeError(f"sobremesa_bots returns {bot!r}, which is no Bot")
        game = games.get(game_id) or found.games.get(game_id)
        if game is None:
            continue
        if bot.id in [other.id for other in game.bots]:
            raise ValueError(f"{game_id} has a bot {bot.id} already")
        games[game_id] = replace(game, bots=(*game.bots, bot))
    return games


def _named(name: str, origin: str, what: str, error: BaseException) -> str:
    """What is wrong with a plugin, in one line."""
    reason = " ".join(str(error).split())
    where = f" ({origin})" if origin else ""
    place = place_of(error)
    at = f" ({place})" if place else ""
    return f"plugin {name}{where} {what}: {type(error).__name__}: {reason}{at}"
