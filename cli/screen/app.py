"""The full-screen client: one application that shows one screen at a time, and what lies behind it.

Rule 1: nothing is redrawn but for what happens at the table or is typed, and by the ticker, once a
second, only while something is counting.
Rule 2: whatever ends it (the player, a signal, a closed terminal, a broken task) the terminal is as
it was, and a seat in a game is kept: only who leaves, and says yes to that, gives it up.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from sobremesa.cli.draw.theme import Theme, writes_only_ascii
from sobremesa.cli.exits import DONE, LOST
from sobremesa.cli.session.session import Session
from sobremesa.cli.settings import LOOKS, OwnSettings
from sobremesa.cli.signals import INTERRUPT, STOP, on_signals
from sobremesa.cli.words.services import LobbyServices
from sobremesa.cli.words.speech import sentence
from sobremesa.core.errors import LocalError, SobremesaError

from .asking import draws_wide, is_light
from .base import Screen, Stage
from .form import FormScreen
from .lobby import Lobby
from .opening import Opening
from .result import ResultScreen
from .runner import SessionRunner
from .terminal import Terminal

TICK = 1.0

logger = logging.getLogger(__name__)


async def run_app(
    sit: Callable[[], Awaitable[Session]],
    theme: Theme,
    own: OwnSettings | None = None,
    *,
    input: Input | None = None,
    output: Output | None = None,
) -> int:
    """Open at a table that `sit` comes to; returns the exit status.

    :raises SobremesaError: if there is no coming to the table, or the client broke
    """
    client = Client(theme, input, output, own=own)
    return await client.run(lambda: client.come(sit, "One moment..."))


async def run_lobby(
    services: LobbyServices,
    theme: Theme,
    own: OwnSettings | None = None,
    *,
    input: Input | None = None,
    output: Output | None = None,
) -> int:
    """Open in the lobby, and come back to it after each table; returns the exit status.

    :raises SobremesaError: if the client broke
    """
    client = Client(theme, input, output, services, own)
    return await client.run(client.home)


async def run_screen(
    begin: Callable[[Stage], Screen],
    theme: Theme,
    *,
    input: Input | None = None,
    output: Output | None = None,
) -> int:
    """Open with one screen of no table, until it is left; returns the exit status.

    :raises SobremesaError: if the client broke
    """
    client = Client(theme, input, output)
    return await client.run(lambda: client.show(begin(client)))


class Client:
    """The stage of all screens (base.Stage), with the tasks that it has begun."""

    def __init__(
        self,
        theme: Theme,
        input: Input | None = None,
        output: Output | None = None,
        services: LobbyServices | None = None,
        own: OwnSettings | None = None,
    ) -> None:
        self.theme = _fitting(theme) if input is None else theme
        self.own = own or OwnSettings()
        self.services = services
        self.terminal = Terminal(Opening(self), self.theme, self.help, input, output)
        self.runner = SessionRunner(self, self.terminal)
        self.terminal.line.readying = self.runner
        self.terminal.stops, self.terminal.returns = self.runner.hold, self.runner.let_go
        self._looking = False
        self._trouble: BaseException | None = None
        self._tasks: set[asyncio.Future[None]] = set()

    @property
    def screen(self) -> Screen:
        """The screen that is shown."""
        return self.terminal.screen

    # Running.

    async def run(self, begin: Callable[[], None]) -> int:
        """Show the screen until it is left; returns the exit status."""
        loop = asyncio.get_running_loop()
        before = loop.get_exception_handler()
        loop.set_exception_handler(self._stray)

        def start() -> None:
            self.work(self._tick())
            begin()
            if self.own.trouble:
                self.message(self.own.trouble, "error")

        try:
            with on_signals(STOP + INTERRUPT, self.terminal.stop):
                status = await self.terminal.run(start)
        finally:
            await self._clear_up()
            loop.set_exception_handler(before)
        if isinstance(self._trouble, SobremesaError):
            raise self._trouble
        if self._trouble is not None:
            kind = type(self._trouble).__name__
            raise LocalError(
                f"the client broke ({kind}: {self._trouble}). Start again; SOBREMESA_LOG=FILE "
                "keeps the details"
            ) from self._trouble
        return status

    async def _clear_up(self) -> None:
        tasks = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        kept = await self.runner.step_out()
        if kept:
            self.terminal.print_below(sentence(kept))
        if self._looking and self.services is not None:
            await self.services.close()
        await self.terminal.give_back()

    def _stray(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Something broke that nobody waits for: note it, never on the screen."""
        logger.error("%s", context.get("message"), exc_info=context.get("exception"))

    def _break(self, error: BaseException) -> None:
        """Something broke that the client cannot do without."""
        logger.error("the client broke", exc_info=error)
        self._trouble = error
        self.terminal.stop(LOST)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            if self.screen.counting:
                self.terminal.refresh()

    # What screens may do (base.Stage).

    def show(self, screen: Screen) -> None:
        self.terminal.show(screen)
        behind = screen.behind if isinstance(screen, FormScreen) else screen
        in_lobby = isinstance(behind, Lobby)
        if self.services is not None and in_lobby != self._looking:
            self._looking = in_lobby
            self.work(self.services.open() if in_lobby else self.services.close())

    def ask(self, question: str, act: Callable[[], None]) -> None:
        self.terminal.ask(question, act)

    def help(self, page: str = "") -> None:
        pages = self.screen.pages()
        titles = [shown.title.casefold() for shown in pages]
        if page and page.casefold() not in titles:
            raise LocalError(f"there is no page '{page[:40]}'. There are: {', '.join(titles)}")
        self.runner.hold()
        self.terminal.open_help(pages, page, self.runner.standing, self.runner.let_go)

    def message(self, text: str, role: str = "hint") -> None:
        self.terminal.say(text, role)

    def tell(self, text: str) -> None:
        self.message(text)

    def work(self, what: Awaitable[None]) -> None:
        task = asyncio.ensure_future(what)
        self._tasks.add(task)
        task.add_done_callback(self._worked)

    def _worked(self, task: asyncio.Future[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        can_stay = self.services is not None or self.screen.stays
        if isinstance(error, SobremesaError) and can_stay:
            self.message(sentence(str(error)), "error")
        elif error is not None:
            self._break(error)

    def come(self, sit: Callable[[], Awaitable[Session]], saying: str) -> None:
        self.runner.come(sit)
        self.message(saying)

    def leave_table(self) -> None:
        self.work(self._leave_table())

    async def _leave_table(self) -> None:
        await self.runner.leave()
        if self.services is not None:
            self.show(Lobby(self, self.services))
        else:
            self.terminal.stop(LOST)

    def step_out(self) -> None:
        self.terminal.stop(LOST)

    def refresh(self) -> None:
        self.terminal.refresh()

    def redraw(self) -> None:
        self.terminal.redraw()

    def choose(self, typed: str) -> None:
        key, value = self.own.choose(typed)
        if key in LOOKS:
            self.theme = replace(self.theme, **{key: value})
            self.terminal.restyle(self.theme)
        if self.services is not None:
            self.services.prefer(key, value)
        self.message(f"From now on: {key} {self.own.text(key)}.")

    def begin(self, line: str) -> None:
        self.terminal.line.begin(line)

    def home(self) -> None:
        screen = self.screen
        self.runner.turn_back()
        if self.services is not None and not isinstance(screen, Lobby):
            self.work(self.runner.decline())
            self.show(Lobby(self, self.services))
        elif isinstance(screen, ResultScreen):
            self.terminal.stop(screen.over.status)
        else:
            self.terminal.stop(LOST if isinstance(screen, Opening) else DONE)


def _fitting(theme: Theme) -> Theme:
    """The theme as this terminal can show it: in ASCII if it draws signs too wide, and for its own
    ground."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return theme
    terminal = sys.stdin.fileno(), sys.stdout.fileno()
    if not theme.ascii:
        theme = replace(theme, ascii=writes_only_ascii(sys.stdout) or draws_wide(*terminal))
    if theme.ground == "ask" and theme.colors != "mono":
        theme = replace(theme, ground="light" if is_light(*terminal) else "dark")
    return theme
