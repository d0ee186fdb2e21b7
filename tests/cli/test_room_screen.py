"""The waiting room on the screen: what may be done there, by keys and by words."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

import pytest
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output
from support.clients.sessions import ScriptedSession, kitchen_table, waiting_room
from support.clients.terminal import (
    DOWN,
    ENTER,
    ESC,
    LEFT,
    RIGHT,
    TAB,
    UP,
    Terminal,
    terminal,
)

from sobremesa.cli.draw.theme import Theme
from sobremesa.cli.screen.app import run_app
from sobremesa.cli.session.moments import RoomChanged
from sobremesa.cli.session.session import Session
from sobremesa.core.errors import LocalError

TERMS = (
    ("seats", "4"),
    ("dice", "5"),
    ("palifico", "on"),
    ("backup", "on"),
    ("seconds", "90"),
    ("patience", "60"),
)


def opened_room(**ready: bool) -> RoomChanged:
    """The room of Ana, who opened it."""
    return RoomChanged(replace(waiting_room("Ana", opener=True, **ready).room, terms=TERMS))


@asynccontextmanager
async def in_room(
    room: RoomChanged, columns: int = 80, rows: int = 24
) -> AsyncIterator[tuple[ScriptedSession, Terminal]]:
    session = ScriptedSession(next(seat.name for seat in room.room.seats if seat.you))
    session.feed(room)

    async def sit() -> Session:
        return session

    async def run(keys: Input, screen: Output) -> int:
        return await run_app(sit, Theme(), input=keys, output=screen)

    async with terminal(run, columns, rows) as window:
        await window.see("waiting room")
        yield session, window


async def done(session: ScriptedSession, window: Terminal, *deeds: tuple[str, ...]) -> None:
    await window.until(lambda: session.done == list(deeds), f"{deeds}, not {session.done}")


async def test_enter_is_ready_and_takes_it_back_again() -> None:
    async with in_room(waiting_room()) as (session, window):
        await window.see("[ready]", "It begins when every seat is taken and all are ready.")
        window.type(ENTER)
        await done(session, window, ("ready",))
        session.feed(waiting_room(Cai=True))
        await window.see("[not ready after all]")
        window.type(ENTER)
        await done(session, window, ("ready",), ("unready",))


async def test_a_guest_is_offered_nothing_of_the_openers() -> None:
    async with in_room(waiting_room()) as (session, window):
        await window.see("[ready]")
        for text in ("Join code", "start with", "add a bot", "remove", "change", "►"):
            assert not window.shows(text), text
        window.type(DOWN + RIGHT)
        for word in ("change", "remove Ana", "seats 5", "o", "x"):
            window.type(ESC + word + ENTER)
            await window.see(f"'{word.split()[0]}")
        assert session.done == []
        session.refuses["change"] = LocalError("only the one who opened the table can change it")
        window.type(ESC + "set dice 3" + ENTER)
        await window.see("Only the one who opened the table can change it.")


@pytest.mark.parametrize(
    ("rights", "deed"),
    [(0, ("ready",)), (1, ("start",)), (2, ("bot",)), (5, ("ready",)), (6, ("start",))],
)
async def test_arrows_choose_what_enter_does(rights: int, deed: tuple[str, ...]) -> None:
    async with in_room(opened_room()) as (session, window):
        await window.see("[ready]", "start with 3", "add a bot", "remove", "change")
        window.type(RIGHT * rights + ENTER)
        await done(session, window, deed)


async def test_left_from_the_first_is_the_last() -> None:
    async with in_room(opened_room()) as (session, window):
        await window.see("[ready]")
        window.type(LEFT)
        await window.see("[change]")
        window.type(ENTER)
        await window.see("Change the table", "► seats          [4]")
        assert session.done == []


@pytest.mark.parametrize(("letter", "deed"), [("s", "start"), ("b", "bot")])
async def test_a_letter_and_enter_is_enough_for_the_opener(letter: str, deed: str) -> None:
    async with in_room(opened_room()) as (session, window):
        await window.see("[ready]")
        window.type(letter + ENTER)
        await done(session, window, (deed,))


async def test_the_opener_points_at_a_bot_or_guest_to_remove_it() -> None:
    async with in_room(opened_room()) as (session, window):
        await window.see("► 1", "Ana (you, opened the table)")
        window.type("x" + ENTER)
        await window.see("Remove whom?: type the name or the number of one of these: 2 Bento")
        window.type(ESC + DOWN + "x" + ENTER)  # a bot goes without a question
        await done(session, window, ("remove", "Bento", ""))
        window.type(DOWN)
        await window.see("► 3")
        window.type("x" + ENTER)
        await window.see("Remove Cai? That machine cannot come back to this table.")
        window.type("n")
        await window.see_gone("[y] yes")
        window.type(UP + UP + UP)
        await window.see("► 4")
        window.type(UP + "x" + ENTER)
        await window.see("Remove Cai?")
        window.type("y")
        await done(session, window, ("remove", "Bento", ""), ("remove", "Cai", ""))


async def test_the_opener_changes_seats_and_options_by_words() -> None:
    async with in_room(opened_room()) as (session, window):
        window.type("set d" + TAB)
        await window.until(lambda: window.input_line == "> set dice", "the option")
        window.type(" 3" + ENTER)
        await done(session, window, ("change", "dice 3"))
        window.type("seats 5" + ENTER)
        await done(session, window, ("change", "dice 3"), ("change", "seats 5"))
        session.refuses["change"] = LocalError("seats must be 3 to 8, 3 are taken (you typed 2)")
        window.type("seats 2" + ENTER)
        await window.see("Seats must be 3 to 8, 3 are taken (you typed 2).")
        assert window.input_line == "> seats 2"


async def test_the_opener_changes_several_things_at_once_in_a_form() -> None:
    async with in_room(opened_room()) as (session, window):
        await window.see("[ready]")
        window.type("o" + ENTER)
        await window.see("Change the table", "► seats", "[5] 3", "[60]")
        window.type(RIGHT + DOWN + RIGHT + "patience 30" + ENTER)
        await window.see("[5]", " 5 [3]", "► patience       [30]")
        session.refuses["change"] = LocalError("the game is starting already")
        window.type(ENTER)
        await window.see("The game is starting already.", "Change the table")
        session.refuses.clear()
        window.type(ENTER)
        await done(session, window, ("change", "seats 5", "dice 3", "patience 30"))
        await window.see("waiting room")
        window.type("o" + ENTER)
        await window.see("Change the table")
        window.type(ENTER)  # nothing is other than it was
        await window.see("waiting room")
        assert len(session.done) == 1


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (66, 20)])
async def test_a_change_is_told_and_nobody_is_ready_any_more(columns: int, rows: int) -> None:
    async with in_room(waiting_room(Ana=True, Cai=True), columns, rows) as (session, window):
        await window.see("Enter not ready")
        room = waiting_room().room
        session.feed(RoomChanged(replace(room, options="dice 3, palifico on")))
        news = "Ana changed the table: dice 3. Nobody is ready any more."
        await window.see("[ready]", news)
        assert window.footer == news


async def test_a_form_over_the_room_gives_way_to_the_game_and_to_nothing_before() -> None:
    async with in_room(opened_room()) as (session, window):
        await window.see("[ready]")
        window.type("o" + ENTER)
        await window.see("Change the table")
        session.feed(opened_room(Cai=True))
        await window.settle()
        assert window.shows("Change the table")
        session.feed(*kitchen_table().moments)
        await window.see("b Raise")
        assert not window.shows("Change the table")


async def test_settings_of_ones_own_are_chosen_at_a_table_without_leaving_it() -> None:
    async with in_room(waiting_room()) as (session, window):
        window.type("set bell off" + ENTER)
        await window.see("From now on: bell off.")
        window.type("settings" + ENTER)
        await window.see("► name", "[off]")
        window.type(ESC)
        await window.see("waiting room")
        assert session.done == []


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (60, 20), (41, 12)])
async def test_code_seats_and_what_can_be_done_are_in_sight_in_every_size(
    columns: int, rows: int
) -> None:
    async with in_room(opened_room(), columns, rows) as (_, window):
        await window.see("123456", "Ana", "Bento", "Cai", "(free)")
        for _ in range(5):
            await window.until(partial(_chosen, window), "what is chosen")
            window.type(RIGHT)


def _chosen(window: Terminal) -> bool:
    line = window.lines[-3]
    return "[" in line and "]" in line
