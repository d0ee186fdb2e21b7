"""What screens beside the tables have in common: words, numbers, and the way back.

Rule 1: the way back is where it was opened from; of a screen that the program was opened with, out.
"""

from __future__ import annotations

import abc

from sobremesa.cli.draw.pages import render_page
from sobremesa.cli.words import grammar
from sobremesa.cli.words.grammar import Do, Enter, NotNow, Play, Say, Word, Words
from sobremesa.core.errors import LocalError

from .base import Page, Screen, Stage


class AsideScreen(Screen):
    """A screen on which nothing is played. `back` is where it was opened from; None is out."""

    stays = True
    title = ""
    page = ""
    """Its page of help."""

    def __init__(self, stage: Stage, back: Screen | None, *words: Word) -> None:
        super().__init__(stage)
        self._back = back
        about = f"leave the {self.title.lower()} (so does Esc)"
        self._words = grammar.words(
            *words,
            grammar.help_word(stage.help),
            Word("back", about, lambda _: self.leave(), aliases=("q",)),
        )

    @property
    def words(self) -> Words:
        return self._words

    @abc.abstractmethod
    def enter(self) -> None:
        """Enter on an empty line."""

    @abc.abstractmethod
    def take_number(self, typed: str) -> None:
        """A number alone was typed.

        :raises LocalError: if it means nothing
        """

    def submit(self, typed: str) -> None:
        if typed.strip().isdecimal():
            self.take_number(typed.strip())
            return
        try:
            command = grammar.read(typed, self.words, None)
        except NotNow as error:
            raise LocalError(f"I don't know '{typed.strip()[:40]}'. F1 helps.") from error
        match command:
            case Do(word, rest):
                word.act(rest)
            case Enter():
                self.enter()
            case Say():
                raise LocalError("there is nobody to talk to here")
            case Play():
                pass

    def escape(self) -> None:
        self.leave()

    def leave(self) -> None:
        if self._back is None:
            self.stage.home()
        else:
            self.stage.show(self._back)

    def pages(self) -> list[Page]:
        return [Page(self.title, lambda width: render_page(self.page, width, self.theme))]
