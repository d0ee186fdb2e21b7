"""The lobby: what is open on this network, and the way to a table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from sobremesa.cli.draw.blocks import text_columns
from sobremesa.cli.draw.cells import Line, wrap
from sobremesa.cli.draw.layout import (
    SMALLEST,
    Facts,
    render_page,
    render_status,
    too_small,
)
from sobremesa.cli.draw.theme import Theme
from sobremesa.cli.session.session import Session
from sobremesa.cli.words import grammar
from sobremesa.cli.words.grammar import Do, Enter, NotNow, Play, Say, Word, Words
from sobremesa.core import typed
from sobremesa.core.errors import LocalError
from sobremesa.core.game import Game
from sobremesa.net.text import read_code

from .base import Page, Screen, Stage
from .host_form import HostForm
from .records import RecordsScreen
from .services import PLAYING, LobbyServices, SeatRow, TableRow

Way = Callable[[TableRow | str, str | None], Awaitable[Session]]
"""To a table of the list, or at HOST:PORT, with a code if it wants one."""

MOST_KEPT = 3
"""Seats that are listed beside the first."""

LOBBY_PAGE = """
# The lobby
Tables on this network appear by themselves. Type the number or the name of one, then Enter.

- `host` opens a table of your own: others see it in their lobby.
- `play` starts a game against the computer at once.
- `records` shows the games you have played, and who won how often.
- `watch` looks on at a game that has begun, and waits for a seat in the next.
- `join HOST:PORT` reaches a table that is not in the list; the opener's screen shows its address.
- A table with a code asks for it; the code stands on the opener's screen.
- A game that you went away from stands on top: Enter alone, or `resume`, is the way back to it.

# When nothing appears
- Both machines must be in the same network; guest networks often keep machines apart.
- A firewall may stop discovery (port 5353/udp). Joining by address works without it.
"""


class Lobby(Screen):
    """The list, and what may be typed beside it."""

    counting = True

    def __init__(self, stage: Stage, services: LobbyServices) -> None:
        super().__init__(stage)
        self.services = services
        self.wanted: TableRow | None = None
        """The table whose code is being typed."""
        self._way: Way = services.join
        """What the code is for."""
        games = tuple(game.id for game in services.games)
        joins = "sit down at a table; a number or a name alone does it too"
        self._words = grammar.words(
            Word("host", "open a table for others to join", self._host, "[GAME]", games),
            Word("play", "play at once against the computer", self._play, "[GAME]", games),
            Word("join", joins, self._join, "TABLE [CODE]"),
            Word("watch", "look on at a game that has begun", self._watch, "TABLE [CODE]"),
            Word("resume", "back to a seat that is kept for you", self._resume, "[TABLE]"),
            Word("refresh", "look anew", lambda _: self._refresh()),
            Word("games", "the games that are installed here", lambda _: self.stage.help("games")),
            Word(
                "records", "the games that were kept, and what they add up to", self._open_records
            ),
            grammar.help_word(stage.help),
            Word("quit", "leave the program", lambda _: self.leave(), aliases=grammar.QUITTING),
        )

    @property
    def words(self) -> Words:
        return self._words

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
        lines += self._kept(width)
        most = height - 4 - len(lines)
        lines += _table_lines(rows, width, most, self.theme) if rows else self._nothing(width)
        for note in filter(None, (self.services.trouble, self._wanted_text())):
            lines.append(())
            lines += [(("warn", line),) for line in wrap(self.theme.text(note), width)]
        return lines

    def _kept(self, width: int) -> list[Line]:
        """The seats that wait for us, the last one first."""
        seats = self.services.seats()
        if not seats:
            return []
        first, *more = seats
        back = "It cannot be taken here." if first.busy else "Enter = back to it"
        texts = [f"You have a seat at {first.about}. {back}"]
        texts += [f"  {row.number} {row.about}: resume {row.number}" for row in more[:MOST_KEPT]]
        role = "turn"
        wrapped = [line for text in texts for line in wrap(self.theme.text(text), width)]
        return [*(((role, line),) for line in wrapped), ()]

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
            return "the digits on the opener's screen, then Enter  Esc another table"
        return "number or name joins  host  play  records  Tab completes  F1 help  Ctrl-C quits"

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
            case Do(word, rest):
                word.act(rest)
            case Say():
                raise LocalError("there is nobody to talk to in the lobby")
            case Enter() if seats := self.services.seats():
                self._take_seat(seats[0])
            case Enter() | Play():
                pass

    def _resume(self, rest: str) -> None:
        seats = self.services.seats()
        found = [row for row in seats if rest in ("", str(row.number))]
        found = found or typed.meant(rest, seats, lambda row: [row.table])
        if not found:
            where = f"at {rest[:40]!r}" if rest else "here"
            raise LocalError(f"no seat is kept {where}")
        if rest and len(found) > 1:
            numbers = ", ".join(str(row.number) for row in found)
            raise LocalError(f"several seats are kept at {rest}: type the number ({numbers})")
        self._take_seat(found[0])

    def _take_seat(self, row: SeatRow) -> None:
        if row.busy:
            raise LocalError(f"{row.table} is open in another window here: close that one first")
        self.stage.come(lambda: self.services.resume(row), f"Back to {row.table}...")

    def _row(self, name: str) -> TableRow | None:
        """As `meant_row`, of those in the list now."""
        return meant_row(self.services.tables(), name)

    def _join_row(self, row: TableRow, code: str | None) -> None:
        if row.why_not:
            raise LocalError(f"{row.table}: {row.why_not}")
        if row.state == PLAYING:
            sure = f"The game at {row.table} has begun. Look on, and wait for a seat in the next?"
            self.stage.ask(sure, lambda: self._come_to(row, code, self.services.watch))
        else:
            self._come_to(row, code, self.services.join)

    def _watch_row(self, row: TableRow, code: str | None) -> None:
        if row.why_not:
            raise LocalError(f"{row.table}: {row.why_not}")
        if row.state != PLAYING:
            raise LocalError(f"the game at {row.table} has not begun: join sits down at it")
        self._come_to(row, code, self.services.watch)

    def _come_to(self, row: TableRow, code: str | None, way: Way) -> None:
        """Go to a table, with its code where it wants one."""
        self._way = way
        if row.open or code is not None:
            self._go(row, code)
        else:
            self.wanted = row

    def _enter_code(self, code: str) -> None:
        assert self.wanted is not None
        # It stays wanted: after a wrong code the next one is typed.
        self._go(self.wanted, read_code(code))

    def _go(self, target: TableRow | str, code: str | None) -> None:
        name = target if isinstance(target, str) else target.table
        way = self._way
        doing = "Looking on at" if way == self.services.watch else "Joining"
        self.stage.come(lambda: way(target, code), f"{doing} {name}...")

    def _play(self, rest: str) -> None:
        game = meant_game(self.services.games, rest)
        self.stage.come(lambda: self.services.play(game), "One moment...")

    def _host(self, rest: str) -> None:
        self.stage.show(
            HostForm(self.stage, self.services, meant_game(self.services.games, rest), self)
        )

    def _join(self, rest: str) -> None:
        if not rest:
            raise LocalError("join what? Type its number, its name, or HOST:PORT")
        self._go_where(rest, self._join_row, self.services.join)

    def _watch(self, rest: str) -> None:
        if not rest:
            raise LocalError("watch what? Type its number, its name, or HOST:PORT")
        self._go_where(rest, self._watch_row, self.services.watch)

    def _go_where(
        self, typed: str, to_row: Callable[[TableRow, str | None], None], way: Way
    ) -> None:
        """Go to the table that was typed, with the code behind it if there is one."""
        target, _, code = typed.rpartition(" ")
        if self._row(typed) is not None or not (target and code.isdecimal()):
            target, code = typed, ""
        row, digits = self._row(target), read_code(code) if code else None
        if row is not None:
            to_row(row, digits)
        else:
            self._way = way
            self._go(target, digits)

    def _open_records(self, rest: str) -> None:
        self.stage.work(self._show_records())

    async def _show_records(self) -> None:
        listing = await self.services.records()
        self.stage.show(RecordsScreen(self.stage, listing, self))

    def _refresh(self) -> None:
        self.stage.message("Looking anew.")
        self.stage.work(self.services.refresh())

    def leave(self) -> None:
        self.stage.home()

    def escape(self) -> None:
        self.wanted = None


def meant_row(rows: Sequence[TableRow], name: str) -> TableRow | None:
    """The table with this number or name, or None.

    :raises LocalError: if several are called so
    """
    found = [row for row in rows if name == str(row.number)]
    found = found or typed.meant(name, rows, lambda row: [row.table])
    if len(found) > 1:
        numbers = ", ".join(f"{row.number} {row.table}" for row in found)
        raise LocalError(f"several tables may be meant by {name}: type the number ({numbers})")
    return found[0] if found else None


def meant_game(games: Sequence[Game[Any]], name: str) -> Game[Any]:
    """The game of that name, or the only one.

    :raises LocalError: if there is none, or no name among several
    """
    found = typed.meant(name.replace("_", "-"), games, lambda game: game.names)
    if not name and len(games) == 1:
        found = list(games)
    if not found:
        wrong = f"no game is called {name[:20]!r}." if name else "which game?"
        example = f" For example: host {games[0].id}." if games else ""
        raise LocalError(f"{wrong}{example} F1 lists the games.")
    if len(found) > 1:
        several = " or ".join(sorted(game.id for game in found))
        raise LocalError(f"which game is {name[:20]!r}: {several}?")
    return found[0]


def _table_lines(rows: Sequence[TableRow], width: int, most: int, theme: Theme) -> list[Line]:
    """The tables in columns, the first `most` of them."""
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
    lines = text_columns(heads, cells, width, theme)
    if len(rows) > len(cells):
        lines.append((("dim", f"{len(rows) - len(cells)} more: join by name"),))
    return lines
