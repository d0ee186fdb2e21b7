"""Home: tables on this network, games to play at once, seats that are kept, and all else that one
may do at no table.

Rule 1: an arrow, with nothing typed, points at something; Enter does it. Nothing is pointed at by
itself but a seat that is kept, so that Enter by accident begins nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from sobremesa.cli.draw.cells import Line
from sobremesa.cli.draw.home import HomePage, render_home
from sobremesa.cli.draw.layout import BELOW, SMALLEST, Facts, render_status, too_small
from sobremesa.cli.draw.pages import render_page
from sobremesa.cli.session.tallies import Listing
from sobremesa.cli.words.form import Form
from sobremesa.cli.words.games import Sit
from sobremesa.cli.words.grammar import Words
from sobremesa.cli.words.home import HOME_PAGE, Home, Item
from sobremesa.cli.words.services import LobbyServices

from .base import Page, Screen, Stage
from .form import FormScreen, settings_screen
from .records import RecordsScreen


class Lobby(Screen):
    """The home screen (home.Client)."""

    counting = True

    def __init__(self, stage: Stage, services: LobbyServices) -> None:
        super().__init__(stage)
        self.services = services
        self.home = Home(services, self)
        self.home.pointed = self._game
        self._at: str | None = None
        """The id of what the player has pointed at; None before."""

    @property
    def words(self) -> Words:
        return self.home.words

    @property
    def prompt(self) -> str:  # type: ignore[override]
        return "code> " if self.home.door.wanted is not None else "> "

    def lines(self, width: int, height: int) -> list[Line]:
        if width < SMALLEST[0] or height < SMALLEST[1]:
            return too_small(width, height, self.theme)
        items = self.home.items()
        count = len(self.services.tables())
        near = f"{count} table{'' if count == 1 else 's'} here"
        facts = Facts(game="Sobremesa", table=f"you are {self.services.name}", turn=near)
        here = self._here(items)
        page = HomePage(
            items,
            here.id if here is not None else "",
            self.home.nothing_text(),
            tuple(filter(None, (self.home.door.wanted_text(), self.services.trouble))),
            self.services.latest,
        )
        status = render_status(facts, width, self.theme)
        return [status, *render_home(page, width, height, height - BELOW - 1, self.theme)]

    def _here(self, items: Sequence[Item]) -> Item | None:
        """What Enter would do."""
        if self.home.door.wanted is not None:
            return None
        if self._at is None:
            first = items[0]
            return first if first.group == "seat" else None
        return next((item for item in items if item.id == self._at), None)

    def _game(self) -> str:
        here = self._here(self.home.items())
        return here.id.partition(" ")[2] if here is not None and here.group == "game" else ""

    def keys(self) -> str:
        if self.home.door.wanted is not None:
            return "the digits on the opener's screen, then Enter  Esc another table"
        here = self._here(self.home.items())
        seat = here is not None and here.group == "seat"
        enter = "Enter back to your seat" if seat else "Enter takes it" if here else "letter, Enter"
        enter += "  o options" if self._game() else ""
        arrows = self.theme.text("↑↓")
        return f"{arrows} choose  {enter}  or type: host dudo  F1 help  Ctrl-C quits"

    def quick(self, key: str) -> Callable[[], None] | None:
        by = {"up": -1, "down": 1}.get(key)
        return partial(self._point, by) if by and self.home.door.wanted is None else None

    def _point(self, by: int) -> None:
        items = self.home.items()
        here = self._here(items)
        place = items.index(here) + by if here is not None else min(0, by)
        self._at = items[place % len(items)].id
        self.message("")

    def submit(self, typed: str) -> None:
        if typed.strip() or self.home.door.wanted is not None:
            self.home.take(typed)
        elif here := self._here(self.home.items()):
            here.act()

    def leave(self) -> None:
        self.stage.home()

    def escape(self) -> None:
        self.home.door.give_up()
        self._at = None

    def pages(self) -> list[Page]:
        items = [
            f"- {' '.join(filter(None, (word.name, word.args)))}: {word.about}"
            for word in self.words.values()
        ]
        home = "\n".join([HOME_PAGE, "# Words", *items])
        games = "\n".join(
            f"# {game.title}\n{game.about}\n- type `play {game.id}` or `host {game.id}`"
            for game in self.services.games
        )
        return [
            Page("Home", lambda width: render_page(home, width, self.theme)),
            Page("Games", lambda width: render_page(games, width, self.theme)),
        ]

    # What the home of both clients wants (home.Client).

    def ask(self, question: str, act: Callable[[], None]) -> None:
        self.stage.ask(question, act)

    def come(self, sit: Sit, saying: str) -> None:
        self.stage.come(sit, saying)

    def fill_in(self, form: Form) -> None:
        self.stage.show(FormScreen(self.stage, form, self))

    def begin(self, line: str, what: str) -> None:
        self.stage.begin(line)
        self.stage.message(f"Type {what}, then Enter.")

    def records(self, listing: Listing) -> None:
        self.stage.show(RecordsScreen(self.stage, listing, self))

    def work(self, what: Awaitable[None]) -> None:
        self.stage.work(what)

    def message(self, text: str) -> None:
        self.stage.message(text)

    def help(self, page: str = "") -> None:
        self.stage.help(page)

    def settings(self) -> None:
        self.stage.show(settings_screen(self.stage, self))

    def choose(self, typed: str) -> None:
        self.stage.choose(typed)

    def go(self) -> None:
        self.leave()
