"""The full-screen client: one prompt_toolkit application that shows one screen at a time.

Rule 1: the input line has the focus whenever no dialog and no help is open, and what is typed in
it survives whatever happens on the screen.
Rule 2: moments go through one reducer (`Story.take`) on the loop, then the screen is invalidated;
nothing else redraws but the ticker, once a second, and only while something is counting.
Rule 3: whatever ends it (the player, a signal, a closed terminal, a broken task) the table is
left and the terminal is as it was.
"""

from __future__ import annotations

import asyncio
import logging
import string
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import (
    BufferControl,
    Float,
    FloatContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    ScrollOffsets,
    Window,
)
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import DynamicStyle, Style

from sobremesa.cli.draw.theme import Colors, Theme, draws_wide, writes_only_ascii
from sobremesa.cli.exits import DONE, LOST
from sobremesa.cli.session.moments import Asked, Chat, Moment, Working
from sobremesa.cli.session.session import Session
from sobremesa.cli.signals import INTERRUPT, STOP, mute, on_signals
from sobremesa.cli.words.controller import leave_in_time
from sobremesa.cli.words.progress import SHOWN_AFTER
from sobremesa.cli.words.speech import sentence
from sobremesa.cli.words.story import Story
from sobremesa.core.errors import LocalError, SobremesaError

from .base import Screen
from .dialog import Dialog
from .fragments import fragments
from .help import Help
from .host_form import HostForm
from .input_line import InputLine
from .lobby import Lobby
from .opening import Opening
from .result import ResultScreen
from .room import RoomScreen
from .services import LobbyServices
from .session import SessionState
from .table import TableScreen

TICK = 1.0
TITLE = "Sobremesa"
QUICK_SIGNS = " " + string.punctuation
"""What a game may use as a key that acts at one press: letters and digits begin a typed line."""

logger = logging.getLogger(__name__)


async def run_app(
    sit: Callable[[], Awaitable[Session]],
    theme: Theme,
    *,
    input: Input | None = None,
    output: Output | None = None,
) -> int:
    """Open at a table that `sit` comes to; returns the exit status.

    :raises SobremesaError: if there is no coming to the table, or the client broke
    """
    client = Client(theme, input, output)
    return await client.run(lambda: client.come(sit, "One moment..."))


async def run_lobby(
    services: LobbyServices,
    theme: Theme,
    *,
    input: Input | None = None,
    output: Output | None = None,
) -> int:
    """Open in the lobby, and come back to it after each table; returns the exit status.

    :raises SobremesaError: if the client broke
    """
    client = Client(theme, input, output, services)
    return await client.run(client.home)


class Client:
    """The application and what lies behind it: screens, dialog and help, one session at most."""

    def __init__(
        self,
        theme: Theme,
        input: Input | None = None,
        output: Output | None = None,
        services: LobbyServices | None = None,
    ) -> None:
        self.theme = _fitting(theme) if input is None else theme
        self.services = services
        self._own_terminal = output is None
        self.screen: Screen = Opening(self)
        self.session: Session | None = None
        self._looking = False
        self._coming: asyncio.Future[None] | None = None
        self._living: asyncio.Future[None] | None = None
        self._trouble: BaseException | None = None
        self._tasks: set[asyncio.Future[None]] = set()
        self._title = ""
        self._floats: list[Float] = []
        self._styles = Style.from_dict(self.theme.styles())
        self._line = InputLine(self.screen)
        self.app: Application[int] = self._application(input, output)

    def _application(self, input: Input | None, output: Output | None) -> Application[int]:
        line = BufferControl(
            self._line.buffer,
            input_processors=[BeforeInput(lambda: self.screen.prompt)],
            key_bindings=self._keys(),
        )
        # Or the prompt would stay away once a long line has scrolled it out of sight.
        offsets = ScrollOffsets(left=len(Screen.prompt) + 4)
        self._input_window = Window(line, height=1, scroll_offsets=offsets)
        above = Window(_Rows(self), always_hide_cursor=True)
        footer = Window(FormattedTextControl(self._below), height=1)
        rows = HSplit(
            [above, self._input_window, footer],
            window_too_small=Window(FormattedTextControl("Window too small")),
        )
        root = FloatContainer(rows, self._floats)
        app: Application[int] = Application(
            layout=Layout(root, focused_element=self._input_window),
            style=DynamicStyle(lambda: self._styles),
            full_screen=True,
            mouse_support=self.theme.mouse,
            color_depth=self._color_depth,
            min_redraw_interval=0.03,
            input=input,
            output=output,
        )
        app.ttimeoutlen = 0.05
        app.timeoutlen = 0.3
        return app

    def _color_depth(self) -> ColorDepth | None:
        return ColorDepth.DEPTH_1_BIT if self.theme.colors == "mono" else None

    # Running.

    async def run(self, begin: Callable[[], None]) -> int:
        """Show the screen until it is left; returns the exit status."""
        loop = asyncio.get_running_loop()
        before = loop.get_exception_handler()
        loop.set_exception_handler(self._stray)

        def start() -> None:
            self.work(self._tick())
            begin()

        try:
            with on_signals(STOP + INTERRUPT, self._stop):
                status = await self.app.run_async(
                    pre_run=start, handle_sigint=False, set_exception_handler=False
                )
        except (EOFError, OSError):  # the terminal went away: nothing to read, nowhere to write
            status = LOST
            self._mute_output()
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

    def _mute_output(self) -> None:
        if self._own_terminal:
            mute(sys.stdout)

    async def _clear_up(self) -> None:
        try:
            self.app.output.clear_title()
            self.app.output.flush()
        except OSError:
            self._mute_output()
        tasks = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._leave_session()
        if self._looking and self.services is not None:
            await self.services.close()

    async def _leave_session(self) -> None:
        session, self.session = self.session, None
        if session is not None and not await leave_in_time(session):
            logger.warning("the table did not take note of our leaving in time")

    def _stop(self, status: int) -> None:
        if self.app.is_running and not self.app.is_done:
            self.app.exit(result=status)

    def _stray(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Something broke that nobody waits for: note it, never on the screen."""
        logger.error("%s", context.get("message"), exc_info=context.get("exception"))

    def _break(self, error: BaseException) -> None:
        """Something broke that the client cannot do without."""
        logger.error("the client broke", exc_info=error)
        self._trouble = error
        self._stop(LOST)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            if self.screen.counting:
                self.app.invalidate()

    # What screens may do (screens.base.Stage).

    def show(self, screen: Screen) -> None:
        self.screen = self._line.screen = screen
        self._line.be_quiet()
        in_lobby = isinstance(screen, Lobby | HostForm)
        if self.services is not None and in_lobby != self._looking:
            self._looking = in_lobby
            self.work(self.services.open() if in_lobby else self.services.close())
        self.app.invalidate()

    def ask(self, question: str, act: Callable[[], None]) -> None:
        self._open(Dialog(question, self.theme, act, self._close, self._size()[0]))

    def help(self, page: str = "") -> None:
        pages = self.screen.pages()
        titles = [shown.title.casefold() for shown in pages]
        if page and page.casefold() not in titles:
            raise LocalError(f"there is no page '{page[:40]}'. There are: {', '.join(titles)}")
        self._open(Help(pages, page, self.theme, self._close, self._size))

    def message(self, text: str, role: str = "hint") -> None:
        self._line.say(text, role)
        self.app.invalidate()

    def work(self, what: Awaitable[None]) -> None:
        task = asyncio.ensure_future(what)
        self._tasks.add(task)
        task.add_done_callback(self._worked)

    def _worked(self, task: asyncio.Future[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        can_stay = self.services is not None or isinstance(self.screen, ResultScreen)
        if isinstance(error, SobremesaError) and can_stay:
            self.message(sentence(str(error)), "error")
        elif error is not None:
            self._break(error)

    def come(self, sit: Callable[[], Awaitable[Session]], saying: str) -> None:
        if self._coming is not None:
            raise LocalError("you are on your way to a table already")
        self._coming = asyncio.ensure_future(self._come(sit))
        self.work(self._coming)
        self.message(saying)

    async def _come(self, sit: Callable[[], Awaitable[Session]]) -> None:
        try:
            self.session = await sit()
        finally:
            self._coming = None
        self._living = asyncio.ensure_future(self._live(SessionState(Story(self.session))))
        self.work(self._living)

    def leave_table(self) -> None:
        self.work(self._leave_table())

    async def _leave_table(self) -> None:
        await self._leave_session()
        if self._living is not None:
            self._living.cancel()
        if self.services is not None:
            self.show(Lobby(self, self.services))
        else:
            self._stop(LOST)

    def redraw(self) -> None:
        self.app.renderer.clear()
        self.app.invalidate()

    def restyle(self, colors: Colors) -> None:
        self.theme = replace(self.theme, colors=colors)
        self.screen.theme = self.theme
        self._styles = Style.from_dict(self.theme.styles())
        self.redraw()

    def home(self) -> None:
        screen = self.screen
        if self._coming is not None:
            self._coming.cancel()
        if self.services is not None and not isinstance(screen, Lobby):
            self.show(Lobby(self, self.services))
        elif isinstance(screen, ResultScreen):
            self._stop(screen.over.status)
        else:
            self._stop(LOST if isinstance(screen, Opening) else DONE)

    # A session.

    async def _live(self, state: SessionState) -> None:
        """One session from its first moment to its last."""
        story = state.story
        self.show(RoomScreen(self, state))
        async for moment in story.session.moments():
            if story.session is not self.session:  # we are leaving: nothing is shown any more
                continue
            entries, people = len(story.log), _people(story)
            story.take(moment)
            if state.back:  # who reads older lines keeps them in sight
                state.back += len(story.log) - entries
            state.took(moment)
            if isinstance(moment, Working):  # when it has lasted long enough it is shown
                asyncio.get_running_loop().call_later(SHOWN_AFTER, self.app.invalidate)
            if isinstance(moment, Asked):  # what was said about another moment is over
                self._line.be_quiet()
            self._attend(moment, story, joined=len(_people(story) - people) > 0)
            kind = ResultScreen if story.over else TableScreen if story.game else RoomScreen
            if type(self.screen) is not kind:
                self.show(kind(self, state))
            self.app.invalidate()
        if story.session is self.session:
            self.session = None

    def _attend(self, moment: Moment, story: Story, *, joined: bool) -> None:
        """Ring, and say in the terminal's title whose turn it is."""
        heard = {"turn"} if isinstance(moment, Asked) else set()
        if isinstance(moment, Chat) and moment.name != story.me:
            heard.add("chat")
        if joined:
            heard.add("join")
        if heard & self.theme.bell:
            self.app.output.bell()
        title = f"your turn - {TITLE}" if story.asked is not None else TITLE
        if title != self._title:
            self._title = title
            self.app.output.set_title(title)
        self.app.output.flush()

    # Rows and keys.

    def _size(self) -> tuple[int, int]:
        size = self.app.output.get_size()
        return size.columns, size.rows

    def _above(self) -> StyleAndTextTuples:
        width, height = self._size()
        return fragments(self.screen.lines(width, height))

    def _below(self) -> StyleAndTextTuples:
        return fragments([self._line.footer(self._size()[0], self.theme)])

    def _open(self, overlay: Dialog | Help) -> None:
        self._floats[:] = [overlay.float]
        self.app.layout.focus(overlay.window)

    def _close(self) -> None:
        self._floats.clear()
        self.app.layout.focus(self._input_window)

    def _keys(self) -> KeyBindings:
        """Keys of the input line; a dialog and the help have their own and let none through."""
        keys = KeyBindings()
        for key, act in (
            ("tab", partial(self._line.complete, 1)),
            ("s-tab", partial(self._line.complete, -1)),
            ("pageup", lambda: self.screen.scroll(1)),
            ("pagedown", lambda: self.screen.scroll(-1)),
            ("f1", self.help),
            ("f4", lambda: self.screen.switch_pane()),
            ("f6", partial(self.help, "proof")),
            ("c-l", self.redraw),
            ("c-c", lambda: self.screen.leave()),
        ):
            keys.add(key)(self._on_key(act))
        keys.add(Keys.BracketedPaste)(self._paste)
        keys.add("escape", eager=True)(self._on_key(self._line.escape))
        for sign in QUICK_SIGNS:
            acts = Condition(partial(self._line.takes, sign))
            keys.add(sign, filter=acts)(self._on_key(partial(self._line.press, sign)))
        return keys

    def _paste(self, event: KeyPressEvent) -> None:
        """What is pasted is one line here, whatever it was."""
        event.current_buffer.insert_text(" ".join(event.data.split()))

    def _on_key(self, act: Callable[[], None]) -> Callable[[KeyPressEvent], None]:
        def pressed(event: KeyPressEvent) -> None:
            try:
                act()
            except SobremesaError as error:
                self.message(sentence(str(error)), "error")

        return pressed


def _people(story: Story) -> set[str]:
    return {seat.name for seat in story.room.seats if seat.name} if story.room else set()


def _fitting(theme: Theme) -> Theme:
    """The theme, in ASCII where this terminal could not show the glyphs of the screens."""
    if theme.ascii or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return theme
    wide = writes_only_ascii(sys.stdout) or draws_wide(sys.stdin.fileno(), sys.stdout.fileno())
    return replace(theme, ascii=True) if wide else theme


class _Rows(FormattedTextControl):
    """The rows above the input line; with `--mouse` the wheel turns the log."""

    def __init__(self, client: Client) -> None:
        super().__init__(client._above)
        self.client = client

    def mouse_handler(self, mouse_event: MouseEvent) -> object:
        turns = {MouseEventType.SCROLL_UP: 1, MouseEventType.SCROLL_DOWN: -1}
        if mouse_event.event_type not in turns:
            return NotImplemented
        self.client.screen.scroll(turns[mouse_event.event_type])
        return None
