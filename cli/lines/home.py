"""Home in line mode: what there is to choose, in sentences, and a way back to it after each table.

Rule 1: what is said of a list stands; afterwards only what comes and goes is news.
Rule 2: one line is done after the other. What was typed ahead waits, and goes to the table that one
comes to meanwhile; what a table has not taken is for home again.
Rule 3: when the input has ended, and nothing more can be typed, home is left.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from sobremesa.cli.exits import DONE
from sobremesa.cli.session.session import Session
from sobremesa.cli.session.tallies import Listing
from sobremesa.cli.settings import OwnSettings
from sobremesa.cli.signals import INTERRUPT, STOP, on_signals
from sobremesa.cli.words import grammar
from sobremesa.cli.words.form import Form
from sobremesa.cli.words.games import Sit
from sobremesa.cli.words.grammar import Do, NotNow, NotUnderstood, Word, Words
from sobremesa.cli.words.home import Home, Item
from sobremesa.cli.words.pages import spoken_parts
from sobremesa.cli.words.records import records_page
from sobremesa.cli.words.services import LobbyServices
from sobremesa.cli.words.speech import sentence
from sobremesa.core.errors import LocalError, SobremesaError

from .output import Output
from .plain import LAST_LINES, live
from .typed import Typed, expect_typed

NEWS = 1.0
"""Seconds between two looks at what has come and gone."""


async def run_home(services: LobbyServices, own: OwnSettings, typed: Typed, out: Output) -> int:
    """Be at home, and come back to it after each table; returns the exit status."""
    status = await _PlainHome(services, own, typed, out).run()
    await out.finish(LAST_LINES)
    return status


class _PlainHome:
    """Home (home.Client)."""

    def __init__(
        self, services: LobbyServices, own: OwnSettings, typed: Typed, out: Output
    ) -> None:
        self.services = services
        self.own = own
        self.typed = typed
        self.out = out
        self.home = Home(services, self)
        look = Word("look", "what there is to choose, as it is now", lambda _: self.look())
        self.home.words = grammar.words(look, *self.home.words.values())
        self.status: int | None = None
        """That of the command, once it is over."""
        self.form: Form | None = None
        """What is being filled in."""
        self.unsure: Callable[[], None] | None = None
        """What a `y` will do."""
        self.going: tuple[Sit, str] | None = None
        """Where the last line leads to."""
        self.working: Awaitable[None] | None = None
        """What it takes a while to do."""
        self.told: dict[str, str] = {}
        """The tables that were told of, by their ids."""

    async def run(self) -> int:
        while self.status is None:
            session = await self._be_at_home()
            if session is not None:
                self.status = await live(session, self.own, self.out, self.typed)
        return self.status

    # At home.

    async def _be_at_home(self) -> Session | None:
        """Take lines until one leads to a table, or away."""
        await self.services.open()
        if self.own.trouble:
            self.out.complain(self.own.trouble)
            self.own.trouble = ""
        self.look()
        news = asyncio.ensure_future(self._tell_news())
        taking = asyncio.ensure_future(self._take_lines())

        def stop(status: int) -> None:
            self.status = status
            taking.cancel()

        try:
            with on_signals(STOP + INTERRUPT, stop):
                return await taking
        except asyncio.CancelledError:
            if self.status is None:
                raise
            return None
        finally:
            news.cancel()
            await self.services.close()

    async def _take_lines(self) -> Session | None:
        while self.status is None:
            line = await self.typed.next()
            if line is None:
                self.go()
                break
            try:
                self._take(line)
                if self.working is not None:
                    working, self.working = self.working, None
                    await working
                if self.going is not None:
                    (sit, saying), self.going = self.going, None
                    self.out.say(saying)
                    session = await sit()
                    self.home.door.give_up()
                    return session
            except SobremesaError as error:
                self.out.complain(str(error))
        return None

    def _take(self, line: str) -> None:
        """:raises LocalError: if it means nothing, or cannot be done"""
        expect_typed(line)
        if self.unsure is not None:
            act, self.unsure = self.unsure, None
            if line.strip().casefold() in ("y", "yes"):
                act()
            else:
                self.out.report("cancelled", "No, then.")
        elif self.form is not None:
            self._fill(self.form, line.strip())
        elif self.home.door.wanted is not None and not line.strip():
            self.home.door.give_up()
            self.out.report("cancelled", "Another table, then.")
        elif line.strip():
            self.home.take(line)
            if self.home.door.wanted is not None and self.going is None:
                table = self.home.door.wanted.table
                text = f"{table} wants the code from the opener's screen: type it, or nothing."
                self.out.report("code", text)

    # What is said.

    def look(self) -> None:
        """Say what there is to choose."""
        items = self.home.items()
        tables = {item.id: _sentence(item) for item in items if item.group == "table"}
        self.told = tables
        games = [f"{item.key} {item.name} ({item.more})" for item in items if item.group == "game"]
        lines = [f"Sobremesa. You are {self.services.name}."]
        lines += [
            f"You have a seat at {item.name}. To go back to it: {item.key}."
            for item in items
            if item.group == "seat"
        ]
        lines += tables.values() if tables else [self.home.nothing_text()]
        lines += [f"Against bots, as last time: {'; '.join(games)}."]
        lines += [sentence(self.services.latest)] if self.services.latest else []
        lines += [self.services.trouble] if self.services.trouble else []
        self.out.answer(
            "home", [*lines, "Say a number, a letter, or help for all that can be said."]
        )

    async def _tell_news(self) -> None:
        while True:
            await asyncio.sleep(NEWS)
            before, items = self.told, self.home.items()
            self.told = {item.id: _sentence(item) for item in items if item.group == "table"}
            names = {id: id.split(" ", 2)[2] for id in before}
            for id, text in self.told.items():
                if before.get(id) != text:
                    self.out.report("table", text)
            for id in before.keys() - self.told.keys():
                self.out.report("table", f"{names[id]} is not there any more.")

    # A form.

    def _fill(self, form: Form, text: str) -> None:
        words = self._form_words(form)
        if not text:
            raise LocalError(f"say {form.word}, back, or a name and its value")
        try:
            command = grammar.read(text, words, None)
        except (NotNow, NotUnderstood) as error:
            first = text.split()[0][:40]
            raise LocalError(f"there is no '{first}' here: {', '.join(words)}") from error
        if not isinstance(command, Do):
            raise LocalError("there is nobody to talk to at home")
        command.word.act(command.rest)

    def _form_words(self, form: Form) -> Words:
        def set(name: str, value: str) -> None:
            form.set(name, value)
            if self.form is form:
                self.out.report("set", f"{name} {form[name]}.")

        return grammar.words(
            Word(form.word, "do it, as it is", lambda _: self._send(form)),
            *(Word(f.name, f.about, partial(set, f.name), "VALUE") for f in form.fields.values()),
            Word("reset", "everything as it is usual", lambda _: self._say_form(form, form.clear)),
            Word("look", "all that is filled in", lambda _: self._say_form(form)),
            Word("help", "what each is for", lambda _: self._explain(form)),
            Word("back", "back, and nothing is done", lambda _: self._close_form()),
        )

    def _send(self, form: Form) -> None:
        form.send()
        self.form = None

    def _close_form(self) -> None:
        self.form = None
        self.out.report("home", "Back at home.")

    def _say_form(self, form: Form, first: Callable[[], None] = lambda: None) -> None:
        first()
        fields = ", ".join(f"{one.name} {one.value}" for one in form.fields.values())
        notes = [f"{label}: {text}" for label, text in form.notes(form)]
        do = f"Say a name and its value, then {form.word}. back does nothing; help explains."
        self.out.answer("form", [f"{form.title}: {fields}.", *notes, do])

    def _explain(self, form: Form) -> None:
        self.out.answer(
            "help", [f"{one.name}: {one.about.rstrip('.')}." for one in form.fields.values()]
        )

    # What the home of both clients wants (home.Client).

    def ask(self, question: str, act: Callable[[], None]) -> None:
        self.out.report("confirm", f"{question} Type y for yes, anything else for no.")
        self.unsure = act

    def come(self, sit: Sit, saying: str) -> None:
        self.going = (sit, saying)

    def fill_in(self, form: Form) -> None:
        self.form = form
        self._say_form(form)

    def begin(self, line: str, what: str) -> None:
        self.out.say(f"Type {line.strip()}, then {what}.")

    def records(self, listing: Listing) -> None:
        self.out.answer("records", spoken_parts(records_page(listing)))

    def work(self, what: Awaitable[None]) -> None:
        self.working = what

    def message(self, text: str) -> None:
        self.out.say(text)

    def help(self, page: str = "") -> None:
        if page.casefold() == "games":
            lines = [f"{game.title}: {game.about} play {game.id}, or host {game.id}."
                     for game in self.services.games]  # fmt: skip
        elif page:
            raise LocalError(f"there is no page '{page[:40]}'. There are: games")
        else:
            words = self.home.words.values()
            lines = [f"{f'{w.name} {w.args}'.strip()}: {w.about}." for w in words]
        self.out.answer("help", lines)

    def settings(self) -> None:
        self.out.answer("settings", self.own.spoken())

    def choose(self, typed: str) -> None:
        self.services.prefer(*self.out.choose(self.own, typed))

    def go(self) -> None:
        self.status = DONE


def _sentence(item: Item) -> str:
    return f"{item.key} {item.name}: {item.about}, {item.side}. {item.more}."
