"""What a typed line does at home, where one is at no table: the one way from text to deed, for both
clients, and what there is to choose.

Rule 1: words come before names, or a table called "quit" would be one.
Rule 2: whatever cannot be is raised, in words for the player; the client says it its own way.
Rule 3: an empty line does what the client has pointed at, and nothing if it points at nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, Protocol

from sobremesa.cli.session.tallies import Listing
from sobremesa.core.errors import LocalError
from sobremesa.core.game import Game
from sobremesa.core.typed import fold, key, meant

from . import grammar
from .door import Door, meant_row
from .form import Form
from .games import Games, Sit
from .grammar import Do, NotNow, Say, Word, Words
from .services import PLAYING, LobbyServices, SeatRow, TableRow

HOME_PAGE = """
# Home
Tables on this network appear by themselves. Type the number or the name of one, then Enter.

- A letter beside something, then Enter, is enough; so are the arrows and Enter.
- `host` opens a table of your own: others see it at home.
- `play` starts a game against the computer at once, as you played it last; `options` changes how.
- `watch` looks on at a game that has begun, and waits for a seat in the next.
- `join HOST:PORT` reaches a table that is not in the list; the opener's screen shows its address.
- A table with a code asks for it; the code stands on the opener's screen.
- A game that you went away from stands on top: Enter alone, or `resume`, is the way back to it.
- `records` shows the games you have played, and who won how often.

# What is kept
What you choose in `settings`, or by `set bell off`, holds from then on, and how you last played or
opened each game as well. It is one file of lines, in the folder of your identity. What a command
line says comes first.

# When nothing appears
- Both machines must be in the same network; guest networks often keep machines apart.
- A firewall may stop discovery (port 5353/udp). Joining by address works without it.
"""

Group = Literal["seat", "table", "game", "menu"]


@dataclass(frozen=True, slots=True)
class Item:
    """Something to choose: `key` is what is typed for it, `act` does it. `about` says what it is in
    short, `side` what counts most, `more` the rest. `id` stays while others come and go."""

    group: Group
    id: str
    key: str
    name: str
    act: Callable[[], None]
    about: str = ""
    side: str = ""
    more: str = ""
    off: bool = False
    """Whether it can only say why it cannot be."""


class Client(Protocol):
    """What a client does in its own way."""

    def ask(self, question: str, act: Callable[[], None]) -> None:
        """Ask; `act` only if the answer is yes."""

    def come(self, sit: Sit, saying: str) -> None:
        """Come to a table and live there; `saying` is said meanwhile.

        :raises LocalError: if we are on our way to one already
        """

    def fill_in(self, form: Form) -> None:
        """Have the player fill in a form."""

    def begin(self, line: str, what: str) -> None:
        """Let the player type the rest of a line: `what` that is."""

    def records(self, listing: Listing) -> None:
        """Show the games that were kept."""

    def work(self, what: Awaitable[None]) -> None:
        """Do something that takes a while; a `SobremesaError` from it is said."""

    def message(self, text: str) -> None:
        """Say something."""

    def help(self, page: str = "") -> None:
        """Show how to type, or one page.

        :raises LocalError: if there is no such page
        """

    def settings(self) -> None:
        """Have the player fill in the settings."""

    def choose(self, typed: str) -> None:
        """Choose a setting: its name, and its value.

        :raises LocalError: if that cannot be
        """

    def go(self) -> None:
        """Go, out of the program."""


class Home:
    """Acts for a player who is at no table."""

    def __init__(self, services: LobbyServices, client: Client) -> None:
        self.services = services
        self.client = client
        self.door = Door(services, client.come, client.ask)
        self.games = Games(services, client.come, client.fill_in)
        self.pointed: Callable[[], str] = lambda: ""
        """The id of the game that is pointed at, or nothing."""
        self.words = self._words()

    def _words(self) -> Words:
        client = self.client
        games = tuple(game.id for game in self.services.games)
        joins = "sit down at a table; a number or a name alone does it too"
        lasting = "choose a setting for good, like: set bell off"
        return grammar.words(
            Word("play", "play against the computer, as last time", self._play, "[GAME]", games),
            Word("options", "play otherwise", self._options, "[GAME]", games, ("o",)),
            Word("host", "open a table for others", self._host, "[GAME]", games, ("h",)),
            Word("join", joins, self._join, "TABLE [CODE]", (), ("@",)),
            Word("watch", "look on at a game that has begun", self._watch, "TABLE [CODE]"),
            Word("resume", "back to a seat that is kept for you", self._resume, "[TABLE]"),
            Word("refresh", "look anew", lambda _: self._refresh()),
            Word("games", "the games that are installed here", lambda _: client.help("games")),
            Word("records", "the games that were kept", self._open_records, "", (), ("r",)),
            Word("settings", "name, looks, pace", lambda _: client.settings(), "", (), ("s",)),
            Word("set", lasting, client.choose, "SETTING VALUE"),
            Word("name", "what the others call you", self._name, "NAME", (), ("n",)),
            grammar.help_word(lambda page: client.help(page)),
            Word("quit", "leave the program", lambda _: client.go(), "", (), grammar.QUITTING),
        )

    # What there is to choose.

    def items(self) -> list[Item]:
        """All of it, in order."""
        return [*self._seats(), *self._tables(), *self._games(), *self._menu()]

    def _seats(self) -> list[Item]:
        return [
            Item(
                "seat",
                f"seat {row.number}",
                f"resume {row.number}",
                row.about,
                partial(self._take_seat, row),
                off=row.busy,
            )
            for row in self.services.seats()
        ]

    def _tables(self) -> list[Item]:
        def of(row: TableRow) -> Item:
            door = "open" if row.open else "code needed"
            door = "game going: look on" if row.state == PLAYING else door
            ping = "" if row.ping is None else f"{row.ping} ms"
            more = ", ".join(filter(None, (f"{row.host} opened it", row.options, ping)))
            side = row.why_not or f"{row.seats.replace('/', ' of ')}, {door}"
            act = partial(self.door.join, row)
            identity = f"table {row.number} {row.table}"
            return Item(
                "table", identity, str(row.number), row.table, act, row.game, side, more,
                bool(row.why_not),
            )  # fmt: skip

        return [of(row) for row in self.services.tables()]

    def _games(self) -> list[Item]:
        keys = letters([game.id for game in self.services.games], taken="hrsnqo")
        return [
            Item(
                "game",
                f"game {game.id}",
                keys[game.id],
                game.title,
                partial(self._play, game.id),
                game.about.partition(". ")[0].rstrip("."),
                more=self.games.in_short(game),
            )
            for game in self.services.games
        ]

    def _menu(self) -> list[Item]:
        rows = (
            ("h", "open a table", "host"), ("@", "join by address", "join"),
            ("r", "records", "records"), ("s", "settings", "settings"),
            ("n", "name", "name"), ("q", "quit", "quit"),
        )  # fmt: skip
        return [
            Item("menu", name, key, name, partial(self.words[word].act, ""))
            for key, name, word in rows
        ]

    def nothing_text(self) -> str:
        """That no table was found, and what can be done about it."""
        return (
            f"No tables yet, {self.services.looked():.0f} s. Same Wi-Fi? Firewall port 5353/udp? "
            "Or: join HOST:PORT."
        )

    # What is typed.

    def take(self, typed: str) -> None:
        """Do what a line says.

        :raises LocalError: if that cannot be
        """
        text = fold(typed)
        if self.door.wanted is not None:
            self.door.enter_code(text)
            return
        item = next((item for item in self.items() if item.key == key(text)), None)
        if item is not None:
            item.act()
            return
        try:
            command = grammar.read(text, self.words, None)
        except LocalError as error:
            row = meant_row(self.services.tables(), text)
            if row is not None:
                self.door.join(row)
                return
            if not isinstance(error, NotNow):
                raise
            raise LocalError(
                f"I don't know '{text[:40]}': no table and no word. Type help."
            ) from error
        match command:
            case Do(word, rest):
                word.act(rest)
            case Say():
                raise LocalError("there is nobody to talk to at home")

    # Games.

    def _meant(self, name: str) -> Game[Any]:
        return meant_game(self.services.games, name)

    def _play(self, rest: str) -> None:
        self.games.play(self._meant(rest))

    def _options(self, rest: str) -> None:
        self.games.options(self._meant(rest or self.pointed()))

    def _host(self, rest: str) -> None:
        self.games.host(self._meant(rest) if rest else self.games.last_opened())

    # Tables.

    def _resume(self, rest: str) -> None:
        seats = self.services.seats()
        found = [row for row in seats if rest in ("", str(row.number))]
        found = found or meant(rest, seats, lambda row: [row.table])
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
        self.client.come(lambda: self.services.resume(row), f"Back to {row.table}...")

    def _join(self, rest: str) -> None:
        if rest:
            self.door.join_typed(rest)
        else:
            self.client.begin("join ", "a table's number or name, or HOST:PORT")

    def _watch(self, rest: str) -> None:
        if not rest:
            raise LocalError("watch what? Type its number, its name, or HOST:PORT")
        self.door.watch_typed(rest)

    # The rest.

    def _name(self, rest: str) -> None:
        if rest:
            self.client.choose(f"name {rest}")
        else:
            self.client.begin("name ", "what the others are to call you")

    def _open_records(self, rest: str) -> None:
        self.client.work(self._show_records())

    async def _show_records(self) -> None:
        self.client.records(await self.services.records())

    def _refresh(self) -> None:
        self.client.message("Looking anew.")
        self.client.work(self.services.refresh())


def letters(ids: Sequence[str], taken: str) -> dict[str, str]:
    """A letter for each id: the first letter of one of its words that is free, or any of it; none
    if there is none."""
    found: dict[str, str] = {}
    for id in ids:
        wanted = [word[0] for word in id.replace("_", "-").split("-") if word] + list(id)
        free = (letter for letter in wanted if letter.isalpha() and letter not in taken)
        found[id] = next(free, "")
        taken += found[id]
    return found


def meant_game(games: Sequence[Game[Any]], name: str) -> Game[Any]:
    """The game of that name, or the only one.

    :raises LocalError: if there is none, or no name among several
    """
    found = meant(name.replace("_", "-"), games, lambda game: game.names)
    if not name and len(games) == 1:
        found = list(games)
    if not found:
        wrong = f"no game is called {name[:20]!r}." if name else "which game?"
        there = ", ".join(game.id for game in games)
        raise LocalError(f"{wrong} There are: {there}")
    if len(found) > 1:
        several = " or ".join(sorted(game.id for game in found))
        raise LocalError(f"which game is {name[:20]!r}: {several}?")
    return found[0]
