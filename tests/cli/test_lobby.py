"""The lobby and the form for a new table, through keys and a screen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output
from support.clients.home import KEPT, ROWS, Neighbourhood
from support.clients.sessions import ScriptedSession, kitchen_table, waiting_room
from support.clients.terminal import (
    CTRL_C,
    ENTER,
    ESC,
    F1,
    F6,
    RIGHT,
    TAB,
    Terminal,
    terminal,
)

from sobremesa.cli.draw.theme import Theme
from sobremesa.cli.screen.app import run_lobby
from sobremesa.cli.session.moments import Over
from sobremesa.cli.session.session import Again
from sobremesa.cli.words.services import HostOrder, PlayOrder, TableRow
from sobremesa.core.errors import LocalError
from sobremesa.core.game import Game
from sobremesa.plugins.dudo import GAME
from sobremesa.plugins.loader import load_games


@asynccontextmanager
async def lobby(
    services: Neighbourhood, columns: int = 80, rows: int = 24
) -> AsyncIterator[Terminal]:
    async def run(keys: Input, screen: Output) -> int:
        return await run_lobby(services, Theme(), services.own, input=keys, output=screen)

    async with terminal(run, columns, rows) as window:
        yield window


PLAY = PlayOrder(GAME, 3, GAME.read_options({}))


async def test_tables_are_listed_and_a_number_joins_an_open_one() -> None:
    services = Neighbourhood()
    services.session.feed(waiting_room())
    async with lobby(services) as window:
        await window.see(
            "4 tables here", "Kitchen table", "3 of 5, code needed", "3 ms", "2 of 5, open"
        )
        window.type("3" + ENTER)
        await window.see("waiting room", "(you)")
        await window.until(lambda: "close" in services.done, "the end of looking")
        assert services.done == ["open", ("join", 3, None), "close"]


async def test_a_table_with_a_code_asks_for_it() -> None:
    services = Neighbourhood()
    services.session.feed(waiting_room())
    async with lobby(services) as window:
        await window.see("Kitchen table")
        window.type("kitchen table" + ENTER)
        await window.see("type the code from the opener's screen", "code>")
        window.type("12" + ENTER)
        await window.see("A code is 6 or 8 digits (you gave '12').")
        assert window.input_line == "code> 12"
        services.refusal = LocalError("that is not the table's code")
        window.type(ESC + "654 321" + ENTER)
        await window.see("That is not the table's code.", "code>")
        services.refusal = None
        window.type("١٢٣-456" + ENTER)
        await window.see("waiting room")
        assert services.done[1:3] == [("join", 1, "654321"), ("join", 1, "123456")]


async def test_escape_gives_up_a_code() -> None:
    async with lobby(Neighbourhood()) as window:
        await window.see("Kitchen table")
        window.type("1" + ENTER)
        await window.see("code>")
        window.type(ESC)
        await window.see_gone("code>")


async def test_what_cannot_be_joined_says_why_and_keeps_the_line() -> None:
    services = Neighbourhood()
    async with lobby(services) as window:
        await window.see("full (5/5)")
        window.type("2" + ENTER)
        await window.see("Full house: full (5/5).")
        assert window.input_line == "> 2"
        window.type(ESC + "garden" + ENTER)
        await window.see("Several tables may be meant by garden: type the number (3 Garden, 4")
        window.type(ESC + "pley" + ENTER)
        await window.see("I don't know 'pley'. Did you mean 'play'?")
        assert "chat" not in window.footer
        window.type(ESC + "nowhere" + ENTER)
        await window.see("I don't know 'nowhere': no table and no word. Type help.")
        assert services.done == ["open"]


async def test_an_address_joins_with_and_without_a_code() -> None:
    services = Neighbourhood(())
    services.refusal = LocalError("nobody listens at 10.0.0.1:4711")
    async with lobby(services) as window:
        await window.see("No tables yet, 12 s. Same Wi-Fi? Firewall port 5353/udp? Or: join")
        window.type("join 10.0.0.1:4711" + ENTER)
        await window.see("Nobody listens at 10.0.0.1:4711.")
        window.type("join 10.0.0.1:4711 123456" + ENTER)
        await window.until(lambda: len(services.done) == 3, "a second try")
        assert services.done[1:] == [
            ("join", "10.0.0.1:4711", None),
            ("join", "10.0.0.1:4711", "123456"),
        ]


async def test_one_table_at_a_time_is_joined() -> None:
    services = Neighbourhood()
    services.door.clear()
    services.session.feed(waiting_room())
    async with lobby(services) as window:
        await window.see("Garden")
        window.type("3" + ENTER)
        await window.see("Joining Garden...")
        window.type("play" + ENTER)
        await window.see("You are on your way to a table already.")
        services.door.set()
        await window.see("waiting room")
        assert len([deed for deed in services.done if isinstance(deed, tuple)]) == 1


async def test_after_a_game_the_lobby_is_there_again() -> None:
    services = Neighbourhood()
    services.session.feed(*kitchen_table().moments, Over("Ana wins.", 0, (("Ana",),), True))
    async with lobby(services) as window:
        await window.see("4 tables")
        window.type("play dudo" + ENTER)
        await window.see("1. Ana")
        window.type(ENTER)
        await window.see("4 tables")
        await window.until(lambda: services.done.count("open") == 2, "looking again")
        window.type(CTRL_C)
        assert await window.ended() == 0
        assert services.done == ["open", ("play", PLAY), "close", "open", "close"]


async def test_who_leaves_while_the_table_is_opened_again_does_not_come_to_it() -> None:
    services, gone = Neighbourhood(), asyncio.Event()
    services.session.feed(*kitchen_table().moments, Over("Ana wins.", 0, (("Ana",),), True))

    async def again() -> ScriptedSession:
        try:
            await asyncio.sleep(60)
        finally:
            gone.set()
        raise AssertionError

    services.session.again = Again(again)
    async with lobby(services) as window:
        await window.see("4 tables")
        window.type("play dudo" + ENTER)
        await window.see("1. Ana")
        window.type("again" + ENTER)
        await window.see("One moment")
        window.type("leave" + ENTER)
        await window.see("4 tables")
        await window.until(gone.is_set, "no more waiting")


async def test_leaving_a_game_comes_back_to_the_lobby() -> None:
    services = Neighbourhood()
    services.session.feed(*kitchen_table().moments)
    async with lobby(services) as window:
        await window.see("4 tables")
        window.type("play" + ENTER)
        await window.see("Moves [b]")
        window.type(CTRL_C)
        await window.see("[y] yes")
        window.type("y")
        await window.see("4 tables")
        assert services.session.done == [("leave",)]
        window.type("quit" + ENTER)
        assert await window.ended() == 0


async def test_the_form_opens_a_table_as_it_was_filled_in() -> None:
    services = Neighbourhood()
    services.session.feed(waiting_room("Cai", opener=True))
    async with lobby(services) as window:
        await window.see("4 tables")
        window.type("host" + ENTER)
        await window.see("Open a table", "palifico", "the special round", "chairs, 2 to 8")
        for line in ("seats 3", "bots 1", "dice 3", "code 246810", "seconds 30", "table Attic"):
            window.type(line + ENTER)
        await window.see("Attic", "246810")
        window.type("open" + ENTER)
        await window.see("waiting room")
        order = HostOrder(
            game=GAME,
            table="Attic",
            seats=3,
            bots=1,
            open=False,
            code="246810",
            options={"dice": 3, "palifico": "on"},
            settings={"seconds": "30"},
        )
        assert services.done[1] == ("host", order)


@pytest.mark.parametrize("game", load_games().games.values(), ids=lambda game: game.id)
async def test_the_form_opens_a_table_of_every_game_with_what_is_usual(game: Game[Any]) -> None:
    services = Neighbourhood()
    services.games = (game,)
    services.session.feed(waiting_room("Cai", opener=True))
    async with lobby(services) as window:
        await window.see("4 tables")
        window.type("host" + ENTER)
        await window.see("Open a table")
        window.type("open" + ENTER)
        await window.see("waiting room")
        ((verb, order),) = [deed for deed in services.done if isinstance(deed, tuple)]
        assert verb == "host"
        assert order.options == game.read_options({})
        assert order.settings == {}


async def test_a_table_cannot_take_a_word_of_the_lobby() -> None:
    named = [replace(ROWS[0], table="play"), replace(ROWS[2], number=2, table="quit")]
    services = Neighbourhood(named)
    services.session.feed(*kitchen_table().moments)
    async with lobby(services) as window:
        await window.see("2 tables")
        window.type("play" + ENTER)
        await window.see("Moves [b]")
        assert services.done[1] == ("play", PLAY)


async def test_the_form_refuses_what_cannot_be() -> None:
    services = Neighbourhood()
    async with lobby(services) as window:
        await window.see("4 tables")
        window.type("host dudo" + ENTER)
        await window.see("Open a table")
        for line, why in (
            ("seats 9", "Seats must be 2 to 8 (you typed 9)."),
            ("bots 4", "Bots must be 0 to 3 (you typed 4)."),
            ("dice 7", "Option dice must be one of 5, 3"),
            ("code 12", "Code must be new, off, or 6 or 8 digits (you typed 12)."),
            ("seconds x", "Option seconds must be 0 to 3600 seconds"),
            ("colour red", "No game is called 'colour red'. There are: dudo."),
            ("seats", "Seats needs a value: chairs, 2 to 8, yours among them."),
        ):
            window.type(line + ENTER)
            await window.see(why)
            assert window.input_line == f"> {line}"
            window.type(ESC)
            await window.until(lambda: window.input_line == ">", "an empty line")
        window.type(ESC)
        await window.see("4 tables")
        assert services.done == ["open"]


async def test_tab_offers_fields_choices_and_games() -> None:
    async with lobby(Neighbourhood()) as window:
        await window.see("4 tables")
        window.type("host " + TAB)
        await window.until(lambda: window.input_line == "> host dudo", "the game")
        window.type(ENTER)
        await window.see("Open a table")
        window.type("palifico " + TAB + TAB)
        await window.until(lambda: window.input_line == "> palifico off", "off")


async def test_help_of_the_lobby_has_its_pages() -> None:
    async with lobby(Neighbourhood()) as window:
        await window.see("4 tables")
        window.type(F6)
        await window.see("There is no page 'proof'.")
        window.type(F1)
        await window.see("[Home]", "What is kept")
        window.type(RIGHT)
        await window.see("[Games]", "Liar's Dice (Dudo)")


async def test_the_list_fits_small_windows() -> None:
    rows = [TableRow(n, f"Table {n} 日本" + "x" * 50, "dudo", "Ana", "1/8") for n in range(40)]
    async with lobby(Neighbourhood(rows), 41, 12) as window:
        await window.see("40 tables here", "more", "1 of 8")
        assert window.lines[-2] == ">"
        window.resize(20, 5)
        await window.see("Window too small")


async def test_the_kept_games_have_a_screen_of_their_own() -> None:
    services = Neighbourhood(())
    async with lobby(services) as window:
        await window.see("No tables yet")
        window.type("rec" + TAB + ENTER)
        await window.see("Records · all games", "► 1", "won of played")
        window.type(ESC)
        await window.see("No tables yet")
        await window.until(lambda: services.done == ["open", "records", "close", "open"])


async def test_a_seat_that_is_kept_stands_on_top_and_enter_is_the_way_back() -> None:
    services = Neighbourhood()
    services.kept = KEPT
    services.session.feed(waiting_room())
    async with lobby(services) as window:
        await window.see(
            "You have a seat at Kitchen: House of Jokers with Bea and Cai, left 5 minutes",
            "Enter = back to it",
            "Garden: Intriga with Flo",
            "Kitchen table",
        )
        window.type(ENTER)
        await window.see("waiting room")
        assert ("resume", 1) in services.done


async def test_another_seat_is_taken_by_its_number_or_name_and_none_twice() -> None:
    services = Neighbourhood()
    services.kept = KEPT
    services.session.feed(waiting_room())
    async with lobby(services) as window:
        await window.see("You have a seat at Kitchen")
        window.type("resume 3" + ENTER)
        await window.see("Cellar is open in another window here: close that one first.")
        window.type(ESC + "resume attic" + ENTER)
        await window.see("No seat is kept at 'attic'.")
        window.type(ESC + "resume garden" + ENTER)
        await window.see("waiting room")
        assert ("resume", 2) in services.done


async def test_a_game_under_way_is_in_the_lobby_and_its_number_offers_to_look_on() -> None:
    rows = (TableRow(1, "Kitchen", "dudo", "Ana", "3/3", open=True, state="playing"),)
    services = Neighbourhood(rows)
    services.session = ScriptedSession()
    async with lobby(services) as window:
        await window.see("Kitchen", "game going: look on")
        window.type("1" + ENTER)
        await window.see(
            "The game at Kitchen has begun. Look on, and wait for a", "seat in the next?"
        )
        window.type("y")
        await window.until(lambda: ("watch", 1, None) in services.done, "looking on")


async def test_the_lobby_asks_for_the_code_of_a_game_under_way() -> None:
    rows = (
        TableRow(1, "Kitchen", "dudo", "Ana", "3/3", state="playing"),
        TableRow(2, "Garden", "dudo", "Bo", "1/3"),
    )
    services = Neighbourhood(rows)
    async with lobby(services) as window:
        await window.see("2 tables")
        window.type("watch 2" + ENTER)
        await window.see("The game at Garden has not begun")
        window.type("\x15" + "watch Kitchen" + ENTER)
        await window.see("Kitchen: type the code")
        window.type("123456" + ENTER)
        await window.until(lambda: ("watch", 1, "123456") in services.done, "looking on")
