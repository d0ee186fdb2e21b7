"""What home and its forms look like, in each size, in Unicode, ASCII, words.

`UPDATE_GOLDEN=1 pytest tests/cli/test_home_goldens.py` writes them anew; look at the difference.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable
from dataclasses import replace
from typing import cast

import pytest
from support.clients.home import KEPT, Neighbourhood
from support.clients.situations import NoStage

from sobremesa.cli.draw.cells import line_text, line_width
from sobremesa.cli.draw.layout import BELOW
from sobremesa.cli.draw.theme import Theme
from sobremesa.cli.lines.home import run_home
from sobremesa.cli.lines.output import Output
from sobremesa.cli.lines.typed import Typed
from sobremesa.cli.screen.base import Screen, Stage
from sobremesa.cli.screen.form import FormScreen, settings_screen
from sobremesa.cli.screen.lobby import Lobby
from sobremesa.cli.words.form import Form
from sobremesa.cli.words.games import Games
from sobremesa.cli.words.services import TableRow
from sobremesa.plugins.loader import load_games

from .test_goldens import DRAWN, compare

SIZES = ((80, 24), (100, 30), (60, 20), (41, 12))
TABLES = (
    TableRow(1, "Kitchen", "Liar's Dice (Dudo)", "Bea", "3/5", "dice 5, palifico on", False, 3),
    TableRow(2, "Garden", "Intriga", "Flo", "4/4", "seconds 10", True, 12, "playing"),
    TableRow(3, "Jokers near the sea", "Truco", "Zoë", "1/4", why_not="Truco is not here"),
)


def services(*, busy: bool) -> Neighbourhood:
    """Home in a house full of tables, or in an empty one."""
    found = Neighbourhood(TABLES if busy else ())
    found.games = tuple(load_games().games.values())
    found.own.choose("name Cai")
    found.own.remember("play", "dudo", {"bots": "5", "dice": "3"})
    if busy:
        found.kept = KEPT[:2]
        found.latest = "Last: Intriga with Bea and Carl, you came 2nd. 17 kept, 9 won"
    return found


def home(stage: Stage, *, busy: bool) -> Screen:
    return Lobby(stage, services(busy=busy))


def form(stage: Stage, game: str, field: str) -> Screen:
    forms: list[Form] = []
    found = services(busy=False)
    games = Games(found, lambda sit, saying: None, forms.append)
    games.host(next(one for one in found.games if one.id == game))
    screen = FormScreen(stage, forms[0], Lobby(stage, found))
    screen.at = field
    return screen


PAGES: dict[str, Callable[[Stage], Screen]] = {
    "home": lambda stage: home(stage, busy=True),
    "empty": lambda stage: home(stage, busy=False),
    "host": lambda stage: form(stage, "dudo", "dice"),
    "host-jokers": lambda stage: form(stage, "house-of-jokers", "patience"),
    "settings": lambda stage: settings_screen(stage, Lobby(stage, services(busy=False))),
}


def stage_of(theme: Theme) -> Stage:
    stage = NoStage(theme)
    stage.own.choose("name Cai")
    return cast(Stage, stage)


def drawn(page: str, theme: Theme) -> str:
    screen = PAGES[page](stage_of(theme))
    parts = []
    for width, height in SIZES:
        rows = "\n".join(line_text(line).rstrip() for line in screen.lines(width, height))
        parts.append(f"=== {width}x{height}\n{rows}\n {screen.keys()[: width - 1]}\n")
    return "".join(parts)


@pytest.mark.parametrize("page", PAGES)
def test_page_looks_as_it_did(page: str) -> None:
    compare(f"home/{page}.unicode.txt", drawn(page, Theme()))


@pytest.mark.parametrize("page", PAGES)
def test_ascii_page_looks_as_it_did_and_is_pure(page: str) -> None:
    text = drawn(page, Theme(ascii=True))
    assert text.isascii()
    compare(f"home/{page}.ascii.txt", text)


@pytest.mark.parametrize("theme", [Theme(), Theme(ascii=True)])
@pytest.mark.parametrize("page", PAGES)
def test_rows_of_a_page_fill_every_size_and_none_is_wider(page: str, theme: Theme) -> None:
    screen = PAGES[page](stage_of(theme))
    for width in (1, 2, 7, 39, 40, 41, 55, 60, 71, 72, 80, 99, 100, 120, 200):
        for height in (1, 2, 3, 11, 12, 13, 20, 24, 30, 40):
            lines = screen.lines(width, height)
            assert len(lines) <= max(0, height - BELOW)
            assert all(line_width(line) <= width for line in lines), (width, height)
            if width >= 40 and height >= 12:
                assert len(lines) == height - BELOW


@pytest.mark.parametrize("busy", [True, False])
async def test_home_in_words_is_as_it_was_and_without_drawing(busy: bool) -> None:
    said = io.StringIO()
    found = services(busy=busy)
    stdin = io.StringIO("host dudo\nback\nsettings\nhelp\n")
    typed = Typed(None)
    typed.take_back(stdin.read().splitlines())
    await asyncio.wait_for(run_home(found, found.own, typed, Output(said, Theme(), False)), 5)
    text = said.getvalue()
    assert not DRAWN.search(text)
    compare(f"home/{'home' if busy else 'empty'}.plain.txt", text)


def test_a_name_of_any_width_stays_in_its_column() -> None:
    rows = [replace(TABLES[0], number=n, table=f"日本{n}" * 9) for n in range(1, 20)]
    screen = Lobby(stage_of(Theme()), Neighbourhood(rows))
    for width, height in SIZES:
        assert all(line_width(line) <= width for line in screen.lines(width, height))
