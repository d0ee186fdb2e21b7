"""The coach: a tip of the game for each turn, for who is new to it.

Rule 1: one tip a turn, each once, in the order of the game's own page of tips; when all were given
the coach is silent.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from sobremesa.core.errors import LocalError
from sobremesa.core.game import Game

from .pages import parts

OFF = "Type set coach off for no more tips."


COACHING = ("first", "always", "off")
"""When a player wants a coach: in the first game of each kind, always, or never."""


class Own(Protocol):
    """What the player has chosen for good, and is known of them."""

    def value(self, key: str) -> Any:
        """A setting; that of `coach` is one of `COACHING`."""

    def knows(self, game: str) -> bool:
        """Whether the player has played this game to its end before."""

    def learn(self, game: str) -> None:
        """The player has done so now.

        :raises LocalError: if that cannot be kept
        """


class Coach:
    """Speaks as the player's own settings want it, at one game after another."""

    def __init__(self, own: Own) -> None:
        self._own = own
        self._game = ""
        self._tips: Iterator[str] = iter(())
        self._heard = False
        """Whether the player knows how to be rid of the coach."""

    def begin(self, game: Game[Any]) -> None:
        """A game begins."""
        self._game = game.id
        self._tips = _tips(game.help.tips)

    @property
    def speaks(self) -> bool:
        """Whether the player wants to be told something at this game."""
        wanted = self._own.value("coach")
        return wanted == "always" or (wanted == "first" and not self._own.knows(self._game))

    def tip(self) -> str:
        """What is to be said at this turn; nothing if all was said, or is not wanted."""
        text = next(self._tips, "") if self.speaks else ""
        if not text:
            return ""
        ending = "" if self._heard else f" {OFF}"
        self._heard = True
        return f"Tip: {text}{ending}"

    def end(self) -> str:
        """The game came to its end: the player knows it now. Why that is not kept, or nothing."""
        try:
            self._own.learn(self._game)
        except LocalError as error:
            return f"The coach will speak again at this game: {error}"
        return ""


def _tips(page: str) -> Iterator[str]:
    return (part.text for part in parts(page) if part.kind == "item")
