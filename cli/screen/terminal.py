"""The prompt_toolkit application: the rows of the screen that is shown, the input line, the footer,
what lies over them, and the keys.

Rule 1: the input line has the focus whenever no dialog and no help is open, and what is typed in
it survives whatever happens on the screen.
"""

from __future__ import annotations

import string
import sys
from collections.abc import Callable
from functools import partial

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

from sobremesa.cli.draw.theme import Theme
from sobremesa.cli.exits import LOST
from sobremesa.cli.signals import mute
from sobremesa.cli.words.speech import sentence
from sobremesa.core.errors import SobremesaError

from .base import Page, Screen
from .burst import Burst
from .dialog import Dialog
from .fragments import fragments
from .frames import Frames
from .help import Help
from .input_line import InputLine
from .job import job_keys

QUICK_KEYS = (
    *" ", *string.punctuation, "up", "down", "left", "right", "home", "end", "tab",
)  # fmt: skip
"""What a screen may use as a key that acts at one press while nothing is typed: letters and digits
begin a line."""

LAST_FRAMES = 0.5
"""Seconds in which a terminal takes what gives it back; one that does not is left as it is."""


class Terminal:
    """What is on the terminal, beginning with `screen`. `help` is called for the keys that open a
    page of help."""

    def __init__(
        self,
        screen: Screen,
        theme: Theme,
        help: Callable[[str], None],
        input: Input | None,
        output: Output | None,
    ) -> None:
        self.line = InputLine(screen)
        self._theme = theme
        self._help = help
        self._frames = None
        if output is None:
            self._frames = Frames(sys.stdout, self._repaint, self._break)
            output = self._frames.output()
        self.stops: Callable[[], None] = lambda: None
        self.returns: Callable[[], None] = lambda: None
        """Called before the program is stopped by its player, and when it goes on."""
        self._title = ""
        self._floats: list[Float] = []
        self._app = self._application(input, output)
        self._styles = _style(self._theme, self._app.color_depth)

    def _application(self, input: Input | None, output: Output | None) -> Application[int]:
        line = BufferControl(
            self.line.buffer,
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
            key_bindings=job_keys(lambda: self.stops(), self._drain, self._go_on),
            mouse_support=Condition(lambda: self._theme.mouse),
            color_depth=self._color_depth,
            min_redraw_interval=0.03,
            input=input,
            output=output,
        )
        app.ttimeoutlen = 0.05
        app.timeoutlen = 0.3
        return app

    def _color_depth(self) -> ColorDepth | None:
        return ColorDepth.DEPTH_1_BIT if self._theme.colors == "mono" else None

    @property
    def screen(self) -> Screen:
        """The screen that is shown."""
        return self.line.screen

    # Beginning and end.

    async def run(self, begin: Callable[[], None]) -> int:
        """Show screens until `stop`; returns its status, or that of a terminal that went away."""
        try:
            return await self._app.run_async(
                pre_run=begin, handle_sigint=False, set_exception_handler=False
            )
        except (EOFError, OSError):  # nothing to read, nowhere to write
            self._mute()
            return LOST

    def stop(self, status: int) -> None:
        """Show nothing any more."""
        if self._app.is_running and not self._app.is_done:
            if self._frames is not None:
                self._frames.skips = False
            self._app.exit(result=status)

    async def give_back(self) -> None:
        """The terminal is not ours any more: clear its title, and let the last of it be painted, if
        it takes anything."""
        try:
            self._app.output.clear_title()
            self._app.output.flush()
        except OSError:
            self._mute()
        if self._frames is not None:
            await self._frames.outlet.finish(LAST_FRAMES)

    def _break(self, error: OSError) -> None:
        """The terminal takes nothing any more, and never will."""
        if self._app.is_running and not self._app.is_done:
            self._app.exit(exception=error)

    def _repaint(self) -> None:
        """The terminal takes frames again: some never reached it."""
        self._app.output.set_title(self._title)
        self.redraw()

    def print_below(self, line: str) -> None:
        """Print a line when no screen is shown any more."""
        try:
            self._app.output.write(f"{self._theme.text(line)}\r\n")
            self._app.output.flush()
        except OSError:
            self._mute()

    def _mute(self) -> None:
        if self._frames is not None:
            mute(sys.stdout)

    # What is shown.

    def show(self, screen: Screen) -> None:
        """Show another screen; what is half typed stays."""
        self.line.screen = screen
        self.line.be_quiet()
        self.refresh()

    def refresh(self) -> None:
        """Something on the screen may have changed."""
        self._app.invalidate()

    def redraw(self) -> None:
        """Paint the whole screen anew."""
        self._app.renderer.reset()  # which leaves the screen, and enters it again to paint
        self.refresh()

    def restyle(self, theme: Theme) -> None:
        """Paint the whole screen anew by another theme."""
        self._theme = theme
        self._styles = _style(self._theme, self._app.color_depth)
        self.redraw()

    def say(self, text: str, role: str) -> None:
        """Say something in the footer until something else is typed."""
        self.line.say(text, role)
        self.refresh()

    def ask(self, question: str, act: Callable[[], None]) -> None:
        """Ask; `act` only if the answer is y."""
        self._open(
            Dialog(question, self._theme, partial(self._do, act), self._close, self._size()[0])
        )

    def open_help(
        self, pages: list[Page], first: str, standing: Callable[[], str], closed: Callable[[], None]
    ) -> None:
        """Open these pages of help, with a row that says how the game stands; `closed` is called
        when they are read."""

        def close() -> None:
            self._close()
            closed()

        self._open(Help(pages, first, self._theme, close, self._size, standing))

    def notify(self, title: str, *, ring: bool) -> None:
        """Set the title of the terminal, and ring its bell."""
        if ring:
            self._app.output.bell()
        if title != self._title:
            self._title = title
            self._app.output.set_title(title)
        self._app.output.flush()

    def _open(self, overlay: Dialog | Help) -> None:
        self._floats[:] = [overlay.float]
        self._app.layout.focus(overlay.window)

    def _close(self) -> None:
        self._floats.clear()
        self._app.layout.focus(self._input_window)

    # Rows and keys.

    def _size(self) -> tuple[int, int]:
        size = self._app.output.get_size()
        return size.columns, size.rows

    def above(self) -> StyleAndTextTuples:
        """The rows above the input line."""
        width, height = self._size()
        return fragments(self.screen.lines(width, height))

    def click(self, x: int, y: int) -> None:
        """A click at a cell of these rows."""
        if not self._floats:
            self._do(partial(self.screen.click, x, y))
            self.refresh()

    def _below(self) -> StyleAndTextTuples:
        return fragments([self.line.footer(self._size()[0], self._theme)])

    def _keys(self) -> KeyBindings:
        """Keys of the input line; a dialog and the help have their own and let none through."""
        keys = KeyBindings()
        for key, act in (
            ("tab", partial(self.line.complete, 1)),
            ("s-tab", partial(self.line.complete, -1)),
            ("pageup", lambda: self.screen.scroll(1)),
            ("pagedown", lambda: self.screen.scroll(-1)),
            ("f1", partial(self._help, "")),
            ("f4", lambda: self.screen.switch_pane()),
            ("f6", partial(self._help, "proof")),
            ("c-l", self.redraw),
            ("c-c", lambda: self.screen.leave()),
        ):
            keys.add(key)(self._on_key(act))
        keys.add(Keys.BracketedPaste)(self._paste)
        at_once = Condition(Burst().takes_enter)
        keys.add("enter", filter=at_once, eager=True)(self._on_key(self.line.hold))
        keys.add("escape", eager=True)(self._on_key(self.line.escape))
        for key in QUICK_KEYS:
            acts = Condition(partial(self.line.takes, key))
            keys.add(key, filter=acts)(self._on_key(partial(self.line.press, key)))
        return keys

    def _go_on(self) -> None:
        """The shell gives the terminal back."""
        self.returns()
        self.redraw()

    async def _drain(self) -> None:
        if self._frames is not None:
            await self._frames.outlet.drain(LAST_FRAMES)

    def _paste(self, event: KeyPressEvent) -> None:
        """What is pasted is one line here, whatever it was."""
        self.line.paste(event.data)

    def _on_key(self, act: Callable[[], None]) -> Callable[[KeyPressEvent], None]:
        return lambda event: self._do(act)

    def _do(self, act: Callable[[], None]) -> None:
        """Act; what cannot be is said."""
        try:
            act()
        except SobremesaError as error:
            self.say(sentence(str(error)), "error")


_COLOURS = {ColorDepth.DEPTH_1_BIT: 2, ColorDepth.DEPTH_4_BIT: 16}


def _style(theme: Theme, depth: ColorDepth) -> Style:
    """What the roles look like on a terminal that can do so much."""
    return Style.from_dict(dict(theme.styles(_COLOURS.get(depth, 256))))


class _Rows(FormattedTextControl):
    """The rows above the input line; with `--mouse` the wheel turns the log, a click points."""

    def __init__(self, terminal: Terminal) -> None:
        super().__init__(terminal.above)
        self.terminal = terminal

    def mouse_handler(self, mouse_event: MouseEvent) -> object:
        turns = {MouseEventType.SCROLL_UP: 1, MouseEventType.SCROLL_DOWN: -1}
        if mouse_event.event_type is MouseEventType.MOUSE_UP:
            self.terminal.click(mouse_event.position.x, mouse_event.position.y)
            return None
        if mouse_event.event_type not in turns:
            return NotImplemented
        self.terminal.screen.scroll(turns[mouse_event.event_type])
        return None
