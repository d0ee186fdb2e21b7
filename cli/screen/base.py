"""What every screen is: rows to look at, one line to type in, words with what they do.

Rule 1: a screen draws nothing but lines (`draw.layout`) and is told what was typed; keys, focus
and the terminal are the app's.
Rule 2: what is wrong with a typed line is raised, so that the line stays for correction.
"""

from __future__ import annotations

import abc
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from sobremesa.cli.draw.cells import Line
from sobremesa.cli.draw.theme import Theme
from sobremesa.cli.session.session import Session
from sobremesa.cli.settings import OwnSettings
from sobremesa.cli.words.grammar import Words
from sobremesa.cli.words.hands import Order
from sobremesa.core.pieces import Faces
from sobremesa.core.questions import NO_FACES, Question


@dataclass(frozen=True, slots=True)
class Page:
    """One page of help: its title and, for a width, its lines."""

    title: str
    lines: Callable[[int], list[Line]]


class Stage(Protocol):
    """What the app does for its screens."""

    theme: Theme
    own: OwnSettings

    def show(self, screen: Screen) -> None:
        """Show another screen; what is half typed stays."""

    def ask(self, question: str, act: Callable[[], None]) -> None:
        """Ask; `act` only if the answer is y."""

    def help(self, page: str = "") -> None:
        """Open the help of the screen, at a page by its title."""

    def message(self, text: str, role: str = "hint") -> None:
        """Say something in the footer until something else is typed."""

    def tell(self, text: str) -> None:
        """Say in the footer what came of a word."""

    def work(self, what: Awaitable[None]) -> None:
        """Do something that takes a while; a `SobremesaError` from it is said in the footer."""

    def come(self, sit: Callable[[], Awaitable[Session]], saying: str) -> None:
        """Come to a table and live there; `saying` stands in the footer meanwhile.

        :raises LocalError: if we are on our way to one already
        """

    def refresh(self) -> None:
        """Something on the screen may have changed."""

    def redraw(self) -> None:
        """Paint the whole screen anew."""

    def choose(self, typed: str) -> None:
        """Choose a setting for good: its name, and its value. It holds at once.

        :raises LocalError: if that cannot be
        """

    def begin(self, line: str) -> None:
        """Put the beginning of a line into the input line, to be typed on."""

    def leave_table(self) -> None:
        """Leave the session for good, and go where one came from."""

    def step_out(self) -> None:
        """Go away from the session, and out; what can be kept is."""

    def home(self) -> None:
        """Go back to the lobby or, if there is none, out."""


class Screen(abc.ABC):
    """One screen."""

    prompt = "> "
    stays = False
    """Whether what goes wrong behind it is said on it, and no more: there is nothing to lose."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    @property
    def theme(self) -> Theme:
        """How it looks: whatever the player chose last."""
        return self.stage.theme

    @property
    def words(self) -> Words:
        """What can be typed beside moves."""
        return {}

    @property
    def question(self) -> Question | None:
        """What moves are typed for."""
        return None

    @property
    def faces(self) -> Faces:
        """The faces by which cards are typed."""
        return NO_FACES

    @property
    def order(self) -> Order:
        """The order in which cards are shown."""
        return "dealt"

    @property
    def counting(self) -> bool:
        """Whether something on the screen changes with time alone."""
        return False

    @abc.abstractmethod
    def lines(self, width: int, height: int) -> list[Line]:
        """The rows above the input line, for a screen of this size."""

    @abc.abstractmethod
    def keys(self) -> str:
        """The footer while there is nothing else to say in it."""

    @abc.abstractmethod
    def submit(self, typed: str) -> None:
        """Do what was typed.

        :raises SobremesaError: if that cannot be; the line stays
        """

    @abc.abstractmethod
    def leave(self) -> None:
        """Ctrl-C."""

    @abc.abstractmethod
    def pages(self) -> list[Page]:
        """The pages of the help."""

    def hint(self, typed: str) -> str | None:
        """What can be said about a line that is being typed."""
        return None

    def scroll(self, pages: int) -> None:
        """Turn the log back, or forward if negative."""
        return

    def switch_pane(self) -> None:
        """Show the log alone, or the rest again."""
        return

    def escape(self) -> None:
        """Esc on an empty line."""
        return

    def click(self, x: int, y: int) -> None:
        """A click at a cell of the rows; errors as of `submit`."""
        return

    def quick(self, key: str) -> Callable[[], None] | None:
        """What this key, a sign or an arrow by its name, does at one press, with nothing typed;
        None if it is only typed, or goes through the line."""
        return None
