"""The lobby: what is open on this network, and the way to a table."""

from __future__ import annotations

import abc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sobremesa.cli import grammar
from sobremesa.cli.cells import Line, wrap
from sobremesa.cli.frame import SMALLEST, Facts, render_page, render_status, too_small
from sobremesa.cli.grammar import Do, Enter, NotNow, Play, Say, Word
from sobremesa.cli.render import text_columns
from sobremesa.cli.session import Session
from sobremesa.core.errors import LocalError
from sobremesa.core.game import Game, OptionValue
from sobremesa.net.text import read_code

from .base import Page, Screen, Stage

GAMES = Word("games", "the games that are installed here")
HOST = Word("host", "open a table for others to join", "[GAME]")
PLAY = Word("play", "play at once against the computer", "[GAME]")
JOIN = Word("join", "sit down at a table; a number or a name alone does it too", "TABLE [CODE]")
REFRESH = Word("refresh", "look anew")
QUIT = Word("quit", "leave the program")

LOBBY_PAGE = """
# The lobby
Tables on this network appear by themselves. Type the number or the name of one, then Enter.

- `host` opens a table of your own: others see it in their lobby.
- `play` starts a game against the computer at once.
- `join HOST:PORT` reaches a table that is not in the list; the opener's screen shows its address.
- A table with a code asks for it; the code stands on the opener's screen.

# When nothing appears
- Both machines must be in the same network; guest networks often keep machines apart.
- A firewall may stop discovery (port 5353/udp). Joining by address works without it.
"""


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


class LobbyServices(abc.ABC):
    """What the lobby needs from the network and from this machine.

    Every method but `tables` and `looked` may raise a `SobremesaError`, whose one line is shown.
    """

    name: str
    """What the others call us."""
    games: Sequence[Game[Any]]
    trouble: str = ""
    """Why nothing can be found, in one line; discovery goes on as far as it can."""

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
    def tables(self) -> Sequence[TableRow]:
        """The list as it is now, in the order in which it is shown."""

    @abc.abstractmethod
    def looked(self) -> float:
        """For how many seconds we have been looking."""

    @abc.abstractmethod
    async def play(self, game: Game[Any]) -> Session:
        """A game against the computer, at once."""

    @abc.abstractmethod
    async def host(self, order: HostOrder) -> Session:
        """Open a table."""

    @abc.abstractmethod
    async def join(self, target: TableRow | str, code: str | None) -> Session:
        """Sit down at a table of the list, or at HOST:PORT."""


class Lobby(Screen):
    """The list, and what may be typed beside it."""

    counting = True

    def __init__(self, stage: Stage, services: LobbyServices) -> None:
        super().__init__(stage)
        self.services = services
        self.wanted: TableRow | None = None
        """The table whose code is being typed."""
        self.words = grammar.words(
            Word("host", HOST.about, HOST.args, tuple(game.id for game in services.games)),
            Word("play", PLAY.about, PLAY.args, tuple(game.id for game in services.games)),
            JOIN, REFRESH, GAMES, grammar.HELP, QUIT,
        )  # fmt: skip

    @property
    def prompt(self) -> str:  # type: ignore[override]
        return "code> " if self.wanted is not None else "> "

    def lines(self, width: int, height: int) -> list[Line]:
        if width < SMALLEST[0] or height < SMALLEST[1]:
            return too_small(width, height, self.theme)
        rows = self.services.tables()
        count = f"{len(rows)} table{'' if len(rows) == 1 else 's'}"
        facts = Facts(game="Sobremesa", table=f"you are {self.services.name}", phase="lobby")
        facts = Facts(game=facts.game, table=facts.table, phase=facts.phase, turn=count)
        lines: list[Line] = [render_status(facts, width, self.theme), ()]
        lines += self._list(rows, width, height - 6) if rows else self._nothing(width)
        for note in filter(None, (self.services.trouble, self._wanted_text())):
            lines.append(())
            lines += [(("warn", line),) for line in wrap(self.theme.text(note), width)]
        return lines

    def _list(self, rows: Sequence[TableRow], width: int, most: int) -> list[Line]:
        heads: tuple[str, ...] = (
            "",
            "table",
            "game",
            "host",
            "seats",
            "options",
            "code",
            "ping",
            "",
        )
        cells: list[tuple[str, ...]] = [
            (
                f"{row.number:3}", row.table, row.game, row.host, row.seats, row.options,
                "open" if row.open else "code", "" if row.ping is None else f"{row.ping} ms",
                row.why_not or row.state,
            )
            for row in rows[: max(1, most)]
        ]  # fmt: skip
        if width < 72:  # the least needed to choose
            keep = (0, 1, 2, 4, 8)
            heads = tuple(heads[place] for place in keep)
            cells = [tuple(row[place] for place in keep) for row in cells]
        lines = text_columns(heads, cells, width, self.theme)
        if len(rows) > len(cells):
            lines.append((("dim", f"{len(rows) - len(cells)} more: join by name"),))
        return lines

    def _nothing(self, width: int) -> list[Line]:
        text = (
            f"No tables yet, {self.services.looked():.0f} s. Same Wi-Fi? Firewall port 5353/udp? "
            "Or: join HOST:PORT. Or type host to open a table, play to play against the computer."
        )
        return [(("", line),) for line in wrap(self.theme.text(text), width)]

    def _wanted_text(self) -> str:
        if self.wanted is None:
            return ""
        return f"{self.wanted.table}: type the code from the opener's screen. Esc: another table."

    def keys(self) -> str:
        if self.wanted is not None:
            return "the six digits on the opener's screen, then Enter  Esc another table"
        return "number or name joins  host  play  Tab completes  F1 help  Ctrl-C quits"

    def pages(self) -> list[Page]:
        items = [
            f"- {' '.join(filter(None, (word.name, word.args)))}: {word.about}"
            for word in self.words.values()
        ]
        lobby = "\n".join([LOBBY_PAGE, "# Words", *items])
        games = "\n".join(
            f"# {game.title}\n{game.about}\n- type `play {game.id}` or `host {game.id}`"
            for game in self.services.games
        )
        return [
            Page("Lobby", lambda width: render_page(lobby, width, self.theme)),
            Page("Games", lambda width: render_page(games, width, self.theme)),
        ]

    def submit(self, typed: str) -> None:
        if self.wanted is not None:
            self._enter_code(typed.strip())
            return
        text = typed.strip()
        row = self._row(text) if text.isdecimal() else None
        if row is not None:
            self._join_row(row, None)
            return
        try:
            command = grammar.read(text, self.words, None)
        except LocalError as error:  # words come first, or a table called "quit" would be one
            row = self._row(text)
            if row is not None:
                self._join_row(row, None)
                return
            if not isinstance(error, NotNow):
                raise
            raise LocalError(f"I don't know '{text[:40]}': no table and no word. F1 helps.") from (
                error
            )
        match command:
            case Do(name, rest):
                getattr(self, f"_do_{name}")(rest)
            case Say():
                raise LocalError("there is nobody to talk to in the lobby")
            case Enter() | Play():
                pass

    def _row(self, name: str) -> TableRow | None:
        """The table with this number or name, or None.

        :raises LocalError: if several are called so
        """
        rows = self.services.tables()
        found = [row for row in rows if name == str(row.number)]
        found = found or [row for row in rows if row.table.casefold() == name.casefold()]
        if len(found) > 1:
            numbers = ", ".join(str(row.number) for row in found)
            raise LocalError(f"several tables are called {name}: type the number ({numbers})")
        return found[0] if found else None

    def _join_row(self, row: TableRow, code: str | None) -> None:
        if row.why_not:
            raise LocalError(f"{row.table}: {row.why_not}")
        if row.open or code is not None:
            self._sit_down(row, code)
        else:
            self.wanted = row

    def _enter_code(self, code: str) -> None:
        assert self.wanted is not None
        # It stays wanted: after a wrong code the next one is typed.
        self._sit_down(self.wanted, read_code(code))

    def _sit_down(self, target: TableRow | str, code: str | None) -> None:
        name = target if isinstance(target, str) else target.table
        self.stage.come(lambda: self.services.join(target, code), f"Joining {name}...")

    def _game(self, name: str) -> Game[Any]:
        """The game of that name, or the only one.

        :raises LocalError: if there is none, or no name among several
        """
        games = self.services.games
        wanted = name.casefold()
        found = [game for game in games if wanted in (game.id, game.title.casefold())]
        if not name and len(games) == 1:
            found = list(games)
        if not found:
            wrong = f"no game is called {name[:20]!r}." if name else "which game?"
            example = f" For example: host {games[0].id}." if games else ""
            raise LocalError(f"{wrong}{example} F1 lists the games.")
        return found[0]

    def _do_play(self, rest: str) -> None:
        game = self._game(rest)
        self.stage.come(lambda: self.services.play(game), "One moment...")

    def _do_host(self, rest: str) -> None:
        from .host_form import HostForm

        self.stage.show(HostForm(self.stage, self.services, self._game(rest), self))

    def _do_join(self, rest: str) -> None:
        if not rest:
            raise LocalError("join what? Type its number, its name, or HOST:PORT")
        row = self._row(rest)
        if row is not None:
            self._join_row(row, None)
            return
        target, _, code = rest.rpartition(" ")
        if target and code.isdecimal():
            code = read_code(code)
            row = self._row(target)
            if row is not None:
                self._join_row(row, code)
            else:
                self._sit_down(target, code)
        else:
            self._sit_down(rest, None)

    def _do_refresh(self, rest: str) -> None:
        self.stage.message("Looking anew.")
        self.stage.work(self.services.refresh())

    def _do_games(self, rest: str) -> None:
        self.stage.help("games")

    def _do_help(self, rest: str) -> None:
        self.stage.help(rest)

    def _do_quit(self, rest: str) -> None:
        self.leave()

    def leave(self) -> None:
        self.stage.home()

    def escape(self) -> None:
        self.wanted = None
