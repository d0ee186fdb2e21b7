"""To a game from home: against the computer at once, or at a table that is opened for others.

Rule 1: each game is played, and opened, as it was the last time, until the player chooses otherwise
in its form.
Rule 2: a form that was begun is there as it was left, until it is sent.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from sobremesa.cli.session.session import Session
from sobremesa.core.game import Game

from .form import Form, host_form, host_order, play_form, play_order
from .services import LobbyServices, Way

Sit = Callable[[], Awaitable[Session]]


class Games:
    """Begins games. `come` brings the player to a session, with something to say meanwhile;
    `fill_in` has a form filled in."""

    def __init__(
        self,
        services: LobbyServices,
        come: Callable[[Sit, str], None],
        fill_in: Callable[[Form], None],
    ) -> None:
        self._services = services
        self._come = come
        self._fill_in = fill_in
        self._drafts: dict[tuple[Way, str], Form] = {}

    def play(self, game: Game[Any]) -> None:
        """Play at once, as last time."""
        self._play_form(game).send()

    def options(self, game: Game[Any]) -> None:
        """Play otherwise than last time."""
        self._fill_in(self._drafts.setdefault(("play", game.id), self._play_form(game)))

    def host(self, game: Game[Any]) -> None:
        """Open a table."""
        self._fill_in(self._drafts.setdefault(("host", game.id), self._host_form(game)))

    def last_opened(self) -> Game[Any]:
        """A game that was opened before, if there is one."""
        games = self._services.games
        return next((game for game in games if self._services.last("host", game.id)), games[0])

    def in_short(self, game: Game[Any]) -> str:
        """A game against the computer as it would be now: "3 bots, dice 5, palifico on"."""
        form = self._play_form(game)
        rest = (f"{name} {one.value}" for name, one in form.fields.items() if name != "bots")
        bots = form["bots"]
        return ", ".join((f"{bots} bot{'' if bots == '1' else 's'}", *rest))

    def _play_form(self, game: Game[Any]) -> Form:
        form = play_form(game, lambda form: self._start(form, game))
        form.take_up(self._services.last("play", game.id))
        return form

    def _host_form(self, game: Game[Any]) -> Form:
        services = self._services
        form = host_form(
            game, services.name, lambda form: self._open(form, game), services.games, self.host
        )
        form.take_up(services.last("host", game.id))
        return form

    def _start(self, form: Form, game: Game[Any]) -> None:
        order = play_order(form, game)
        self._come(lambda: self._services.play(order), "One moment...")
        self._sent("play", form, game)

    def _open(self, form: Form, game: Game[Any]) -> None:
        order = host_order(form, game)
        self._come(lambda: self._services.host(order), "Opening the table...")
        self._sent("host", form, game)

    def _sent(self, way: Way, form: Form, game: Game[Any]) -> None:
        self._services.remember(way, game.id, form.habits())
        self._drafts.pop((way, game.id), None)
