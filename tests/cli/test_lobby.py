"""The lobby and the form for a new table, through keys and a screen."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output
from support.clients.home import KEPT, ROWS, Neighbourhood
from support.clients.sessions import ScriptedSession, kitchen_table, waiting_room
from support.clients.terminal import (
    CTRL_C,
    DOWN,
    ENTER,
    ESC,
    F1,
    F6,
    LEFT,
    RIGHT,
    TAB,
    UP,
    Terminal,
    terminal,
)

from sobremesa.cli.draw.theme import Theme
from sobremesa.cli.main import parser
from sobremesa.cli.screen.app import run_lobby
from sobremesa.cli.session.defaults import AT_NETWORK, choose
from sobremesa.cli.session.moments import Over
from sobremesa.cli.session.session import Again
from sobremesa.cli.words.form import host_command, host_form, host_order
from sobremesa.cli.words.home import letters
from sobremesa.cli.words.services import HostOrder, PlayOrder, TableRow
from sobremesa.core.errors import LocalError
from sobremesa.core.game import Game
from sobremesa.core.replica.charter import Settings
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
        await window.see("b Raise")
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
        await window.see("Open a table", "palifico", "chairs, 2 to 8")
        for line in ("seats 3", "bots 1", "dice 3", "code 246810", "seconds 30", "table Attic"):
            window.type(line + ENTER)
            await window.see(f"► {line.split()[0]}")
        await window.see("Attic", "246810")
        await window.until(lambda: window.input_line == ">", "an empty line")
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
        await window.until(lambda: window.input_line == ">", "an empty line")
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
        await window.see("b Raise")
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
        await window.see("Records  all games", "► 1", "won of played")
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


# What is pointed at.


async def test_nothing_is_pointed_at_by_itself_so_enter_alone_begins_nothing() -> None:
    services = Neighbourhood()
    async with lobby(services) as window:
        await window.see("4 tables")
        window.type(ENTER)
        await window.settle()
        assert "►" not in window.text
        assert services.done == ["open"]


async def test_arrows_point_at_everything_in_turn_and_enter_takes_it() -> None:
    services = Neighbourhood()
    services.session.feed(waiting_room())
    async with lobby(services) as window:
        await window.see("4 tables")
        window.type(DOWN)
        await window.see("►1 Kitchen table")
        window.type(UP)
        await window.see("►q quit")
        window.type(DOWN + DOWN + DOWN)
        await window.see("►3 Garden", "Enter takes it")
        window.type("x")
        await window.see("> x")
        window.type(DOWN)  # a line that is not empty has its own arrows
        await window.settle()
        assert "►3 Garden" in window.text
        window.type(ESC + ENTER)
        await window.see("waiting room")
        assert ("join", 3, None) in services.done


async def test_what_is_pointed_at_stays_while_others_come_and_go() -> None:
    services = Neighbourhood(ROWS[:3])
    async with lobby(services) as window:
        await window.see("3 tables")
        window.type(DOWN + DOWN + DOWN)
        await window.see("►3 Garden")
        services.rows = (ROWS[2], ROWS[3])
        await window.see("2 tables", "►3 Garden")
        services.rows = ROWS[:1]
        await window.see_gone("►")
        window.type(ENTER)
        await window.settle()
        assert services.done == ["open"]


def points_at(window: Terminal, name: str) -> bool:
    return any("►" in line and name in line for line in window.lines)


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (60, 20), (100, 30), (41, 12)])
async def test_everything_can_be_pointed_at_in_every_size(columns: int, rows: int) -> None:
    services = Neighbourhood()
    services.games = tuple(load_games().games.values())
    services.kept = KEPT
    async with lobby(services, columns, rows) as window:
        await window.see("4 tables")
        names = [*(row.about[:12] for row in KEPT), *(row.table[:9] for row in ROWS)]
        names += [game.title[:9] for game in services.games]
        for name in [*names, "open a table", "join", "records", "settings", "name", "quit"]:
            await window.until(partial(points_at, window, name), name)
            window.type(DOWN)


@pytest.mark.parametrize(
    ("key", "seen"),
    [
        ("h", "Open a table"),
        ("s", "Settings"),
        ("r", "Records  all games"),
        ("n", "> name"),
        ("@", "> join"),
        ("options dudo", "Play Liar's Dice"),
    ],
)
async def test_a_letter_and_enter_is_enough(key: str, seen: str) -> None:
    async with lobby(Neighbourhood()) as window:
        await window.see("4 tables")
        window.type(key + ENTER)
        await window.see(seen)


async def test_a_line_that_was_begun_for_the_player_is_typed_on() -> None:
    services = Neighbourhood()
    services.session.feed(waiting_room())
    async with lobby(services) as window:
        await window.see("you are Cai")
        window.type("n" + ENTER)
        await window.see("> name", "Type what the others are to call you, then Enter.")
        window.type("Zoë" + ENTER)
        await window.see("you are Zoë", "From now on: name Zoë.")
        window.type("@" + ENTER)
        await window.see("> join")
        window.type("10.0.0.1:4711" + ENTER)
        await window.until(lambda: ("join", "10.0.0.1:4711", None) in services.done, "the way")


async def test_q_quits() -> None:
    async with lobby(Neighbourhood()) as window:
        await window.see("4 tables")
        window.type("q" + ENTER)
        assert await window.ended() == 0


async def test_a_game_is_played_as_last_time_and_otherwise_if_that_is_wanted() -> None:
    services = Neighbourhood()
    services.own.remember("play", "dudo", {"bots": "5", "dice": "3", "gone": "x", "palifico": "?"})
    services.session.feed(*kitchen_table().moments)
    async with lobby(services) as window:
        await window.see("4 tables")
        window.type("options dudo" + ENTER)
        await window.see("[5]", "[3]", "[on]")
        window.type(RIGHT + ENTER)
        await window.see("b Raise")
        options = GAME.read_options({"dice": "3"})
        assert ("play", PlayOrder(GAME, 6, options)) in services.done
        assert services.own.last("play", "dudo") == {"bots": "6", "dice": "3"}


async def test_o_chooses_otherwise_for_the_game_that_is_pointed_at() -> None:
    services = Neighbourhood(())
    services.games = tuple(load_games().games.values())
    async with lobby(services) as window:
        await window.see("0 tables")
        window.type("o" + ENTER)
        await window.see("Which game? There are: cinco-vidas, dudo")
        window.type(ESC + DOWN + DOWN)
        await window.see("►d Liar's Dice", "o options", "3 bots, dice 5, palifico on")
        window.type("o" + ENTER)
        await window.see("Play Liar's Dice")


async def test_trouble_with_the_settings_is_told_when_home_is_shown() -> None:
    services = Neighbourhood()
    services.own.trouble = "Left out of your settings in settings: line 1. All else holds."
    async with lobby(services) as window:
        await window.see("Left out of your settings in settings: line 1. All else holds.")


# Forms.


async def test_arrows_fill_in_a_form_and_enter_alone_sends_it() -> None:
    services = Neighbourhood()
    services.session.feed(waiting_room("Cai", opener=True))
    async with lobby(services) as window:
        await window.see("4 tables")
        window.type("h" + ENTER)
        await window.see("► game", "field 1 of 10", "1 of 4", "code needed")
        window.type(DOWN + DOWN + RIGHT)
        await window.see("► seats          [5]", "1 of 5", "--seats 5")
        window.type(DOWN + LEFT)
        await window.see("Bots must be 0 to 4 (you typed 7).")
        window.type(RIGHT)
        await window.see("► bots           [1]", "2 of 5", "--bots 1")
        window.type(DOWN + RIGHT)
        await window.see("► dice            5 [3]")
        window.type(UP + UP + "3" + ENTER)
        await window.see("► seats          [3]")
        window.type(ENTER)
        await window.see("waiting room")
        order = services.done[1]
        assert isinstance(order, tuple)
        assert (order[1].seats, order[1].bots, order[1].options["dice"]) == (3, 1, 3)


async def test_a_form_that_was_left_by_escape_keeps_its_draft() -> None:
    services = Neighbourhood()
    async with lobby(services) as window:
        await window.see("4 tables")
        window.type("h" + ENTER)
        await window.see("Open a table")
        window.type("table Attic" + ENTER + ESC)
        await window.see("4 tables")
        window.type("h" + ENTER)
        await window.see("[Attic]")
        window.type("reset" + ENTER)
        await window.see("[Cai's table]")
        window.type(CTRL_C)
        await window.see("4 tables")


async def test_another_game_turns_to_its_own_form_and_back() -> None:
    services = Neighbourhood()
    services.games = tuple(load_games().games.values())
    services.own.remember("host", "dudo", {"table": "Attic"})
    async with lobby(services) as window:
        await window.see("4 tables")
        window.type("h" + ENTER)  # the one that was opened before
        await window.see("Liar's Dice", "[Attic]")
        window.type("intriga" + ENTER)
        await window.see("Open a table: Intriga", "[Cai's table]", "late_block")
        window.type("game dudo" + ENTER)
        await window.see("Liar's Dice", "[Attic]")


async def test_a_field_that_has_to_be_typed_says_so() -> None:
    async with lobby(Neighbourhood()) as window:
        await window.see("4 tables")
        window.type("h" + ENTER)
        await window.see("Open a table")
        window.type(DOWN + RIGHT)
        await window.see("Type what table is to be, then Enter.")
        window.type("'hello" + ENTER)
        await window.see("There is nobody to talk to in a form.")


async def test_the_field_that_is_pointed_at_is_in_sight_in_the_smallest_window() -> None:
    async with lobby(Neighbourhood(), 41, 12) as window:
        await window.see("4 tables")
        window.type("h" + ENTER)
        for name in ("game", "table", "seats", "bots", "dice", "palifico", "backup", "seconds"):
            await window.see(f"► {name}", f" {name}: ")
            window.type(DOWN)
        await window.see("► patience", "more")
        window.resize(20, 5)
        await window.see("Window too small")


async def test_each_setting_holds_as_soon_as_it_is_chosen() -> None:
    services = Neighbourhood()
    async with lobby(services) as window:
        await window.see("4 tables")
        window.type("s" + ENTER)
        await window.see("Settings", "► name", "what the others call you")
        window.type("Eva" + ENTER)
        await window.see("From now on: name Eva.", "[Eva]")
        window.type("ascii on" + ENTER)
        await window.see("> ascii", "[on] off")
        window.type("bell gong" + ENTER)
        await window.see("Bell must be off, or some of turn, join, chat")
        window.type(ESC + ENTER)
        await window.see("4 tables", "you are Eva")
        assert window.text.isascii()
        assert services.own.value("ascii") is True


def test_the_command_that_a_form_shows_opens_the_same_table() -> None:
    for game in load_games().games.values():
        form = host_form(game, "Cai", lambda form: None, (game,), lambda other: None)
        for one in form.fields.values():
            if one.name not in ("game", "seats", "bots", "code"):
                with suppress(LocalError):
                    form.step(one.name, 1)
        form.set("seats", str(game.seats[-1]))
        form.set("bots", "1")
        form.set("table", 'Zoë\'s "attic"')
        form.set("code", "246810")
        if game.id == "five-alive":  # both of its options on
            with pytest.raises(LocalError, match="no sudden death between teams"):
                host_order(form, game)
            form.set("teams", "off")
        order = host_order(form, game)
        args = parser().parse_args(shlex.split(host_command(form, game))[1:])
        choice = choose(load_games(), args.game, args.option, AT_NETWORK, args.bot)
        assert (args.table, args.seats, args.bots) == (order.table, order.seats, order.bots)
        assert (args.code, args.open) == (order.code, order.open)
        assert choice.options == order.options
        assert choice.settings == Settings.read(dict(order.settings), AT_NETWORK)


def test_letters_are_those_of_words_and_none_means_two_things() -> None:
    ids = ["dudo", "cinco-vidas", "five-alive", "house-of-jokers", "intriga", "dud", "ddd"]
    found = letters(ids, taken="ho")
    assert found == {
        "dudo": "d", "cinco-vidas": "c", "five-alive": "f", "house-of-jokers": "j",
        "intriga": "i", "dud": "u", "ddd": "",
    }  # fmt: skip
