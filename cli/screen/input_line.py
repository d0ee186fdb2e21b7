"""The line that is typed in, and the footer below it: an error, completions, a hint, or keys.

Rule 1: what was wrong stays in the line, and what was said about it stays until it is changed.
Rule 2: lines that came at once, as when they were pasted, become one line, which Enter alone plays.
Rule 3: what may be a move and comes before one is asked is made ready for the next turn; Esc with
nothing typed takes it back.
Rule 4: completions stand in the footer, in one line; they cover nothing.
"""

from __future__ import annotations

from typing import Protocol

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.history import InMemoryHistory

from sobremesa.cli.draw.cells import Line, fit_line
from sobremesa.cli.draw.moves import render_strip
from sobremesa.cli.draw.theme import Theme
from sobremesa.cli.words import grammar
from sobremesa.cli.words.grammar import NotNow, NotUnderstood, TooLate
from sobremesa.cli.words.speech import sentence
from sobremesa.core.errors import SobremesaError

from .base import Screen


class Readying(Protocol):
    """Keeps a move for our next turn."""

    @property
    def readied(self) -> str:
        """The move that is kept, as it was typed, or nothing."""

    def make_ready(self, typed: str) -> str:
        """Keep this one; what is to be said of that.

        :raises NotUnderstood: if it can be no move
        """

    def take_back(self) -> str:
        """Keep none; what is to be said of that.

        :raises LocalError: if none is kept
        """


class InputLine:
    """The input line of the screen that is shown. Its text outlives every screen."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.readying: Readying | None = None
        self._said: Line = ()
        self._candidates: list[str] = []
        self._chosen = -1
        self._completing = False
        self._accepted = False
        self._begun = False
        """Whether Enter has begun another line."""
        self.buffer = Buffer(
            multiline=False,
            history=InMemoryHistory(),
            accept_handler=self._accept,
            on_text_changed=self._changed,
        )

    def say(self, text: str, role: str) -> None:
        """Say something in the footer until the line changes; nothing ends what was said."""
        self._said = ((role, f" {text}"),) if text else ()

    def begin(self, line: str) -> None:
        """Put the beginning of a line here, in the place of what was typed."""
        self._begun = True
        self.buffer.text = line
        self.buffer.cursor_position = len(line)

    def paste(self, text: str) -> None:
        """Put what came at once here, as one line."""
        self.buffer.insert_text(" ".join(text.split()))

    def hold(self) -> None:
        """Another line came with this one: it is a part of it."""
        if not self.buffer.text.endswith(" "):
            self.buffer.insert_text(" ")
        self.say(
            "Several lines came at once: Enter plays them as one, Esc takes them back.", "warn"
        )

    def be_quiet(self) -> None:
        """What was said, or offered, is over."""
        self._said, self._candidates = (), []

    def footer(self, width: int, theme: Theme) -> Line:
        """The footer."""
        if self._candidates:
            return render_strip(self._candidates, self._chosen, width, theme)
        line = self._said
        if not line:
            hint = self.screen.hint(self.buffer.text) or self._kept()
            line = (("hint", f" {hint}"),) if hint else (("dim", f" {self.screen.keys()}"),)
        return fit_line([(role, theme.text(text)) for role, text in line], width, theme.more)

    def _kept(self) -> str:
        """What is kept for our turn, while nothing else is typed."""
        kept = self.readying.readied if self.readying is not None else ""
        return (
            f"Ready for your turn: {kept}. Esc takes it back."
            if kept and not self.buffer.text
            else ""
        )

    def complete(self, by: int) -> None:
        """Put the next (1) or previous (-1) completion into the line."""
        if not self._candidates:
            screen = self.screen
            self._candidates = grammar.complete(
                self.buffer.text, screen.words, screen.question, screen.faces, screen.order
            )
            self._chosen = -1 if by > 0 else 0
            if not self._candidates:
                self.say("Nothing that is possible now begins like this.", "hint")
                return
        self._chosen = (self._chosen + by) % len(self._candidates)
        self._completing = True
        self.buffer.text = self._candidates[self._chosen]
        self.buffer.cursor_position = len(self.buffer.text)
        self._completing = False
        if len(self._candidates) == 1:
            self._candidates = []

    def takes(self, key: str) -> bool:
        """Whether this key acts at one press now, since nothing is typed."""
        return not self.buffer.text.strip() and self.screen.quick(key) is not None

    def press(self, key: str) -> None:
        """Do what the key does at one press."""
        act = self.screen.quick(key)
        if act is not None:
            self.buffer.reset()
            self.be_quiet()
            act()

    def escape(self) -> None:
        """Empty the line; if it is empty the screen decides."""
        if self.buffer.text:
            self.buffer.reset()
            self.be_quiet()
        elif self.readying is not None and self.readying.readied:
            self.say(self.readying.take_back(), "hint")
        else:
            self.screen.escape()

    def _accept(self, buffer: Buffer) -> bool:
        """Enter: do what was typed. Returns whether the text stays, because that cannot be."""
        typed = buffer.text
        self._begun = False
        self.be_quiet()
        try:
            self._submit(typed)
        except SobremesaError as error:
            self.say(sentence(str(error)), "error")
            return True
        self._accepted = bool(typed) and not self._begun
        return self._begun

    def _submit(self, typed: str) -> None:
        """:raises SobremesaError: if that cannot be"""
        try:
            self.screen.submit(typed)
        except NotNow as error:
            if self.readying is None or isinstance(error, TooLate):
                raise
            try:
                self.readying.make_ready(typed)  # the footer says so as long as it is
            except NotUnderstood:
                raise error from None

    def _changed(self, buffer: Buffer) -> None:
        if self._accepted:  # it is the emptying after Enter, and the footer speaks of that
            self._accepted = False
        elif not self._completing:
            self.be_quiet()
