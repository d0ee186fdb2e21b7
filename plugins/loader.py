"""Finding the games: the built-in ones by an explicit list, others by entry points.

Rule 1: each plugin is loaded in its own `try`; a broken one is named with its error and brings
nothing at all, and the rest goes on.
Rule 2: no code ever comes over the network.
Rule 3: an entry point is called by the id of the game that its plugin brings, so that one game can
be had without running the code of others.
Rule 4: of several plugins that bring one game the same is taken on every machine: the built-in one,
else that of the package whose name comes first. The others are named to whoever plays it.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from typing import Any

import pluggy

from sobremesa.core import hookspecs, typed
from sobremesa.core.errors import LocalError
from sobremesa.core.game import Bot, Game
from sobremesa.core.hookspecs import ENTRY_POINTS, PROJECT
from sobremesa.core.parts import place_of
from sobremesa.core.replica.charter import Copy
from sobremesa.core.requests import Event

from .copies import Source, copy_of

# A bare checkout has no entry points, so the built-in games are named here.
BUILT_IN = ("cinco_vidas", "dudo", "five_alive", "house_of_jokers", "intriga")


class UnknownGame(LocalError):
    """No game of that name is installed."""


@dataclass(slots=True)
class Games:
    """The games of this machine: `games` by id, `sources` where each comes from, `left_out` further
    packages that bring a game, and `broken`, one line for each plugin that could not be loaded."""

    games: dict[str, Game[Any]] = field(default_factory=dict)
    sources: dict[str, Source] = field(default_factory=dict)
    left_out: dict[str, list[str]] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)
    manager: pluggy.PluginManager = field(default_factory=lambda: pluggy.PluginManager(PROJECT))

    def find(self, game_id: str) -> Game[Any]:
        """The game with exactly this id, as other machines and records give it.

        :raises UnknownGame: if there is none
        """
        if game_id in self.games:
            return self.games[game_id]
        raise self._unknown(game_id[:40])

    def named(self, name: str) -> Game[Any]:
        """The game that a person calls so: by id or title, or the only one that begins so.

        :raises UnknownGame: if there is none, or several begin so
        """
        games, wanted = list(self.games.values()), typed.fold(name.replace("_", "-"))[:40]
        found = typed.meant(wanted, games, lambda game: game.names)
        if len(found) == 1:
            return found[0]
        if found:
            several = " or ".join(sorted(game.id for game in found))
            raise UnknownGame(f"which game is {wanted!r}: {several}?")
        raise self._unknown(wanted)

    def _unknown(self, wanted: str) -> UnknownGame:
        have = ", ".join(sorted(self.games)) or "none"
        broken = f" ({'; '.join(self.broken)})" if self.broken else ""
        return UnknownGame(f"no game is called {wanted!r}; installed here: {have}{broken}")

    def copy(self, game: Game[Any]) -> Copy:
        """This machine's copy of one of the games.

        :raises MissingSources: if its Python files are not there
        """
        return copy_of(game, self.sources[game.id])

    def said_of_choice(self, game_id: str) -> str:
        """That several packages bring a game, and which is played; "" if only one does."""
        others = self.left_out.get(game_id, ())
        if not others:
            return ""
        title, source = self.games[game_id].title, self.sources[game_id]
        ours = f"the {source.label} one" if source.built_in else f"that of {source.label}"
        return f"{title} is here more than once: {ours} is played, not that of {', '.join(others)}."

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


@dataclass(frozen=True, slots=True)
class Plugin:
    """A plugin before it is loaded: the ids of the games that it may bring (its entry points'
    names), its package, that one's version, and what loads its module."""

    names: tuple[str, ...]
    package: str
    version: str
    load: Callable[[], Any]
    built_in: bool = False


def load_games(others: Iterable[EntryPoint] | None = None) -> Games:
    """Load every plugin there is. `others` None means the entry points of this environment."""
    found = _nothing_yet()
    for plugin in (*_built_in(), *_installed(others)):
        _load(found, plugin)
    _add_bots(found)
    return found


def load_game(game_id: str, others: Iterable[EntryPoint] | None = None) -> Games:
    """Load the plugin that brings this game, and nothing else: no other plugin's code runs."""
    found = _nothing_yet()
    for plugin in (*_built_in(), *_installed(others)):
        if game_id in plugin.names and game_id not in found.games:
            _load(found, plugin)
    return found


def _nothing_yet() -> Games:
    found = Games()
    found.manager.add_hookspecs(hookspecs)
    return found


def _built_in() -> list[Plugin]:
    face = importlib.import_module(PROJECT)  # it stands on this file
    return [
        Plugin(
            (module.replace("_", "-"),),
            PROJECT,
            face.__version__,
            partial(importlib.import_module, f"{__package__}.{module}"),
            built_in=True,
        )
        for module in BUILT_IN
    ]


def _installed(others: Iterable[EntryPoint] | None) -> list[Plugin]:
    """The plugins of packages, in an order that is the same on every machine."""
    named: dict[tuple[str, str], list[EntryPoint]] = {}
    for point in entry_points(group=ENTRY_POINTS) if others is None else others:
        package = _normalised(point.dist.name) if point.dist else ""
        named.setdefault((package, point.value), []).append(point)
    return [
        Plugin(
            tuple(sorted({point.name for point in points})),
            package,
            points[0].dist.version if points[0].dist else "",
            points[0].load,
        )
        for (package, _), points in sorted(named.items())
    ]


def _normalised(package: str) -> str:
    """A package's name as indexes compare it (PEP 503)."""
    return re.sub("[-_.]+", "-", package).lower()


def _load(found: Games, plugin: Plugin) -> None:
    """Load one plugin with its games. What it brings is looked at whole before any is taken."""
    manager = found.manager
    origin = "built in" if plugin.built_in else f"package {plugin.package}".rstrip()
    name = ", ".join(plugin.names)
    registered = None
    try:
        module = plugin.load()
        if manager.is_registered(module):
            raise ValueError(f"it is loaded already, as {manager.get_name(module)}")
        registered = f"{origin} {name}"
        manager.register(module, registered)
        if not manager.get_hookcallers(module):
            raise ValueError("nothing in it is marked with hookimpl, so it brings nothing")
        manager.check_pending()
        games = _games(module, plugin, found)
    except (Exception, SystemExit) as error:  # anything a stranger's module may raise
        if registered is not None and manager.has_plugin(registered):
            manager.unregister(name=registered)
        found.broken.append(_named(name, origin, "could not be loaded", error))
    else:
        source = Source(module, plugin.package, plugin.version, plugin.built_in)
        found.games.update(games)
        found.sources.update(dict.fromkeys(games, source))


def _games(module: Any, plugin: Plugin, found: Games) -> dict[str, Game[Any]]:
    """The games that a plugin brings, by id.

    :raises Exception: if it breaks, or brings something else, or what is there already, or a game
        by whose id no entry point is called
    """
    games: dict[str, Game[Any]] = {}
    for hook in found.manager.hook.sobremesa_games.get_hookimpls():
        brought: Any = hook.function() if hook.plugin is module else ()
        for game in brought:
            if not isinstance(game, Game):
                raise TypeError(f"sobremesa_games returns {game!r}, which is no Game")
            if game.id in games:
                raise ValueError(f"game {game.id} is there already (the same plugin)")
            if game.id in found.games:
                found.left_out.setdefault(game.id, []).append(f"package {plugin.package}")
                there = found.sources[game.id].label
                raise ValueError(f"game {game.id} is there already ({there})")
            games[game.id] = game
    for game_id in games.keys() - set(plugin.names):
        raise ValueError(f"game {game_id} needs an entry point that is called {game_id}")
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
