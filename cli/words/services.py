"""What home asks of this machine and its network, and what it is told."""

from __future__ import annotations

import abc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from sobremesa.cli.session.session import Session
from sobremesa.cli.session.tallies import Listing
from sobremesa.core.game import Game, OptionValue

Way = Literal["play", "host"]

PLAYING = "playing"
"""The state of a table whose game has begun."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One table in the list. `ping` is in milliseconds, `why_not` says why we cannot join."""

    number: int
    table: str
    game: str
    host: str
    seats: str
    """ "3/5"."""
    options: str = ""
    open: bool = False
    ping: int | None = None
    state: str = "waiting"
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat that is kept here; `about` says at which table, of what, with whom. `busy`: another
    window has it."""

    number: int
    table: str
    about: str
    busy: bool = False


@dataclass(frozen=True, slots=True)
class HostOrder:
    """A table to be opened. `code` "" lets the table choose one; `settings` are those of every
    table (`core.game.SETTINGS`), as text, where they differ from the default."""

    game: Game[Any]
    table: str
    seats: int
    bots: int = 0
    open: bool = False
    code: str = ""
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    bot: str = ""
    """Which of the game's bots plays; its first if that is empty."""


@dataclass(frozen=True, slots=True)
class PlayOrder:
    """A game against so many bots; `bot` as in `HostOrder`."""

    game: Game[Any]
    bots: int
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    bot: str = ""


class LobbyServices(abc.ABC):
    """What the lobby needs from the network and from this machine.

    Every `async` method may raise a `SobremesaError`, whose one line is shown.
    """

    name: str
    """What the others call us."""
    games: Sequence[Game[Any]]
    trouble: str = ""
    """Why nothing can be found, in one line; discovery goes on as far as it can."""
    latest: str = ""
    """The last game that was kept here, and how many there are, once that is known."""

    @abc.abstractmethod
    async def open(self) -> None:
        """Begin to look for tables; the lobby is on the screen."""

    @abc.abstractmethod
    async def close(self) -> None:
        """Look no more; the lobby is not on the screen."""

    @abc.abstractmethod
    async def refresh(self) -> None:
        """Look anew."""

    @abc.abstractmethod
    def seats(self) -> Sequence[SeatRow]:
        """The seats that were kept here when the lobby was opened, the last one first."""

    @abc.abstractmethod
    def tables(self) -> Sequence[TableRow]:
        """The list as it is now, in the order in which it is shown."""

    @abc.abstractmethod
    def looked(self) -> float:
        """For how many seconds we have been looking."""

    @abc.abstractmethod
    def last(self, way: Way, game: str) -> Mapping[str, str]:
        """How this game was played, or opened, the last time: the habits of its form."""

    @abc.abstractmethod
    def remember(self, way: Way, game: str, habits: Mapping[str, str]) -> None:
        """Keep how it is played, or opened, now."""

    @abc.abstractmethod
    def prefer(self, key: str, value: Any) -> None:
        """A setting that was chosen, and is kept already: it holds for the tables to come."""

    @abc.abstractmethod
    async def resume(self, seat: SeatRow) -> Session:
        """Sit down again in a seat that is kept."""

    @abc.abstractmethod
    async def play(self, order: PlayOrder) -> Session:
        """A game against the computer, at once."""

    @abc.abstractmethod
    async def host(self, order: HostOrder) -> Session:
        """Open a table."""

    @abc.abstractmethod
    async def join(self, target: TableRow | str, code: str | None) -> Session:
        """Sit down at a table of the list, or at HOST:PORT."""

    @abc.abstractmethod
    async def watch(self, target: TableRow | str, code: str | None) -> Session:
        """Look on at a table of the list, or at HOST:PORT, and wait for a seat in the next game."""

    @abc.abstractmethod
    async def records(self) -> Listing:
        """The kept games."""
