"""Home in line mode: typed lines, and sentences."""

from __future__ import annotations

import asyncio
import io
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from support.clients.home import KEPT, ROWS, Neighbourhood
from support.clients.sessions import finished, kitchen_table, waiting_room

from sobremesa.cli.draw.theme import Theme
from sobremesa.cli.lines import home as home_module
from sobremesa.cli.lines.home import run_home
from sobremesa.cli.lines.output import Output
from sobremesa.cli.lines.typed import Typed
from sobremesa.cli.session.moments import Over
from sobremesa.cli.words.services import HostOrder, PlayOrder, TableRow
from sobremesa.core.errors import LocalError
from sobremesa.plugins.dudo import GAME

from .test_plain import join_reader

PATIENCE = 5.0
PLAY = PlayOrder(GAME, 3, GAME.read_options({}))


class AtHome:
    """Somebody at home, between two pipes."""

    def __init__(self, write_to: int, said: io.StringIO) -> None:
        self._write_to = write_to
        self._said = said
        self.client: asyncio.Task[int]
        self.closed = False

    @property
    def text(self) -> str:
        return self._said.getvalue()

    def type(self, *lines: str) -> None:
        os.write(self._write_to, "".join(f"{line}\n" for line in lines).encode())

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            os.close(self._write_to)

    async def hear(self, *texts: str) -> None:
        for text in texts:
            try:
                async with asyncio.timeout(PATIENCE):
                    while text not in self.text:  # noqa: ASYNC110
                        await asyncio.sleep(0.005)
            except TimeoutError:
                raise AssertionError(f"never heard: {text}\n{self.text}") from None

    async def ended(self) -> int:
        return await asyncio.wait_for(asyncio.shield(self.client), PATIENCE)


@asynccontextmanager
async def at_home(services: Neighbourhood) -> AsyncIterator[AtHome]:
    read_from, write_to = os.pipe()
    said = io.StringIO()
    with os.fdopen(read_from) as stdin:
        one = AtHome(write_to, said)
        run = run_home(services, services.own, Typed(stdin), Output(said, Theme(), False))
        one.client = asyncio.ensure_future(run)
        try:
            yield one
        finally:
            one.close()
            await asyncio.wait((one.client,), timeout=PATIENCE)
            one.client.cancel()
            join_reader()


async def test_home_is_said_and_a_number_a_letter_or_a_name_is_enough() -> None:
    services = Neighbourhood()
    services.kept = KEPT[:1]
    services.session.feed(waiting_room())
    async with at_home(services) as one:
        await one.hear(
            "Sobremesa. You are Cai.",
            "You have a seat at Kitchen: House of Jokers with Bea and Cai, left 5 minutes ago. To "
            "go back to it: resume 1.",
            "1 Kitchen table: dudo, 3 of 5, code needed. Ana opened it, dice 5, 3 ms.",
            "Against bots, as last time: d Liar's Dice (Dudo) (3 bots, dice 5, palifico on).",
        )
        one.type("garden")
        await one.hear(
            "Several tables may be meant by garden: type the number (3 Garden, 4 garden)."
        )
        one.type("3")
        await one.hear("Joining Garden...", "Table Kitchen table")
        assert services.done == ["open", ("join", 3, None), "close"]


async def test_lines_typed_ahead_go_where_one_has_come_to_and_home_is_there_again() -> None:
    services = Neighbourhood()
    services.session.feed(*kitchen_table().moments)
    async with at_home(services) as one:
        one.type("d", "4x4", "quit", "y", "name Zoe", "quit")
        assert await one.ended() == 0
        assert ("play", PLAY) in services.done
        assert services.session.done == [("answer", "4x4"), ("step out",)]
        assert one.text.count("Sobremesa. You are Cai.") == 2
        assert services.name == "Zoe"


async def test_who_ends_the_input_ends_home() -> None:
    async with at_home(Neighbourhood()) as one:
        await one.hear("You are Cai.")
        one.close()
        assert await one.ended() == 0


async def test_the_input_that_ended_at_a_table_ends_home_too() -> None:
    services = Neighbourhood()
    services.session.feed(waiting_room())
    async with at_home(services) as one:
        one.type("play dudo")
        one.close()
        await one.hear("The input has ended and nobody can answer for you")
        assert await one.ended() == 0


@pytest.mark.parametrize("where", ["home", "table"])
async def test_a_signal_ends_it_from_anywhere(where: str) -> None:
    services = Neighbourhood()
    services.session.feed(*kitchen_table().moments)
    async with at_home(services) as one:
        await one.hear("You are Cai.")
        if where == "table":
            one.type("play")
            await one.hear("Your turn")
        signal.raise_signal(signal.SIGTERM)
        assert await one.ended() == 128 + signal.SIGTERM
        assert "close" in services.done


async def test_a_table_is_opened_by_naming_fields_and_values() -> None:
    services = Neighbourhood()
    services.session.feed(waiting_room("Cai", opener=True))
    async with at_home(services) as one:
        one.type("host")
        await one.hear(
            "Open a table: Liar's Dice (Dudo): game dudo, table Cai's table, seats 4, bots 0, dice "
            "5, palifico on, backup on, seconds 90, patience 60, code new.",
            "in one line: sobremesa host dudo",
            "Say a name and its value, then open.",
        )
        one.type("seats 9", "colour red", "", "seats 3", "dice 3", "help", "look", "code off")
        await one.hear(
            "Seats must be 2 to 8 (you typed 9).",
            "There is no 'colour' here: open, game, table,",
            "Say open, back, or a name and its value.",
            "seats 3.",
            "patience: seconds that a seat is kept for who is away; then the others choose.",
            "code off.",
        )
        one.type("open")
        await one.hear("Opening the table...", "Table Kitchen table")
        order = HostOrder(GAME, "Cai's table", 3, 0, True, "", {"dice": 3, "palifico": "on"})
        assert ("host", order) in services.done
        assert services.own.last("host", "dudo") == {"seats": "3", "dice": "3", "code": "off"}


async def test_a_form_that_was_left_is_as_it_was() -> None:
    async with at_home(Neighbourhood()) as one:
        one.type("options dudo", "bots 5", "back", "options dudo")
        await one.hear("Back at home.", "Play Liar's Dice (Dudo): bots 5, dice 5, palifico on.")
        one.type("reset")
        await one.hear("Play Liar's Dice (Dudo): bots 3, dice 5, palifico on.")


async def test_a_code_is_asked_for_and_an_empty_line_gives_it_up() -> None:
    services = Neighbourhood()
    services.refusal = LocalError("that is not the table's code")
    async with at_home(services) as one:
        one.type("1", "12", "123456")
        await one.hear(
            "Kitchen table wants the code from the opener's screen: type it, or nothing.",
            "A code is 6 or 8 digits (you gave '12').",
            "Joining Kitchen table...",
            "That is not the table's code.",
        )
        one.type("", "records")
        assert one.text.count("You are Cai.") == 1, "nothing is said twice"
        await one.hear("Another table, then.", "The newest of the last 200 games")


async def test_what_comes_and_goes_is_news_and_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home_module, "NEWS", 0.01)
    services = Neighbourhood(ROWS[:1])
    async with at_home(services) as one:
        await one.hear("1 Kitchen table")
        services.rows = (ROWS[2],)
        await one.hear("3 Garden: dudo, 2 of 5, open.", "Kitchen table is not there any more.")
        one.type("refresh")
        await one.hear("Looking anew.")
        assert one.text.count("3 Garden") == one.text.count("not there any more") == 1


async def test_settings_are_said_and_set_at_home_and_at_a_table() -> None:
    services = Neighbourhood()
    services.session.feed(*kitchen_table().moments)
    async with at_home(services) as one:
        one.type("settings", "set colors 7", "set pace 2", "n", "play", "set bell off", "settings")
        await one.hear(
            "pace 5: seconds that a reveal stands",
            "Colors must be 4 or 2 or mono (you gave '7').",
            "From now on: pace 2.",
            "Type name, then what the others are to call you.",
            "From now on: bell off.",
            "bell off: ring for these, or off.",
        )
        assert ("pace", 2.0) in services.done
        assert services.own.value("bell") == frozenset()


async def test_a_question_at_home_is_answered_by_y_alone() -> None:
    services = Neighbourhood(
        (TableRow(1, "Attic", "dudo", "Bo", "3/3", "", True, None, "playing"),)
    )
    services.session.feed(Over("It is over.", 3))
    async with at_home(services) as one:
        one.type("attic", "no", "attic", "y")
        await one.hear("Look on, and wait for a seat in the next? Type y for yes", "No, then.")
        await one.hear("Looking on at Attic...")
        assert ("watch", 1, None) in services.done


async def test_after_a_game_home_comes_once_another_is_declined() -> None:
    services = Neighbourhood()
    services.session, offer = finished()
    async with at_home(services) as one:
        one.type("play")
        await one.hear("Ana wins.")
        await one.hear("Sobremesa. You are Cai.")
        one.type("quit")
        assert await one.ended() == 0
        assert not offer.declined, "a script is offered none"
