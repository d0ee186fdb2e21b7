"""A form on the screen: a field a row, values that are stepped through or typed.

Rule 1: arrows act with nothing typed: up and down change the field, left and right its value. What
is typed goes into the field by Enter; Enter alone sends the form.
Rule 2: Esc goes back, and what was filled in is there the next time.
Rule 3: the screen behind a form goes on as if it were shown, and takes its place when it changes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sobremesa.cli.draw.cells import Line
from sobremesa.cli.draw.form import render_form
from sobremesa.cli.draw.layout import BELOW, SMALLEST, Facts, render_status, too_small
from sobremesa.cli.draw.pages import render_page
from sobremesa.cli.settings import SETTINGS, account_name, check
from sobremesa.cli.words import grammar
from sobremesa.cli.words.form import Field, Form
from sobremesa.cli.words.grammar import Do, NotNow, NotUnderstood, Word, Words
from sobremesa.core.errors import LocalError

from .base import Page, Screen, Stage

FORM_PAGE = """
# Filling in
Up and Down choose a field, Left and Right its value. Or type a value, then Enter: it goes into the
field; so does a field's name with a value, like `seats 3`. Enter alone does what the form is for.

- Esc, or `back`, goes back. What you filled in is there when you come again.
- `reset` puts everything back to what is usual.
- What you played or opened the last time is filled in already.
"""


class FormScreen(Screen):
    """A form, over the screen that one goes back to."""

    def __init__(self, stage: Stage, form: Form, behind: Screen) -> None:
        super().__init__(stage)
        self.form = form
        self.behind = behind
        self.at = next(iter(form.fields))
        """The field that is pointed at."""
        self._words = grammar.words(
            Word(form.word, "do it, as it is here", lambda _: form.send()),
            *(Word(f.name, f.about, partial(self._set, f.name), "VALUE", tuple(f.steps))
              for f in form.fields.values()),
            Word("reset", "everything as it is usual", lambda _: form.clear()),
            grammar.help_word(lambda page: stage.help(page)),
            Word("back", "back, and nothing is done", lambda _: self.leave()),
        )  # fmt: skip

    @property
    def words(self) -> Words:
        return self._words

    @property
    def counting(self) -> bool:
        return self.behind.counting

    def lines(self, width: int, height: int) -> list[Line]:
        if width < SMALLEST[0] or height < SMALLEST[1]:
            return too_small(width, height, self.theme)
        number = list(self.form.fields).index(self.at) + 1
        where = f"field {number} of {len(self.form.fields)}"
        status = render_status(Facts(game=self.form.title, turn=where), width, self.theme)
        return [status, *render_form(self.form, self.at, width, height - BELOW - 1, self.theme)]

    def keys(self) -> str:
        arrows = self.theme.text("↑↓ field  ←→ value")
        return f"{arrows}  or type it  Enter {self.form.word}  Esc back  F1 help"

    def quick(self, key: str) -> Callable[[], None] | None:
        return {
            "up": partial(self._go, -1),
            "down": partial(self._go, 1),
            "left": partial(self._step, -1),
            "right": partial(self._step, 1),
        }.get(key)

    def _go(self, by: int) -> None:
        names = list(self.form.fields)
        self.at = names[(names.index(self.at) + by) % len(names)]
        self.stage.message("")

    def _step(self, by: int) -> None:
        self.form.step(self.at, by)
        self.stage.message("")

    def submit(self, typed: str) -> None:
        text = typed.strip()
        if not text:
            self.form.send()
            return
        try:
            command = grammar.read(text, self.words, None)
        except (NotNow, NotUnderstood):
            self.form.set(self.at, text)
            return
        if not isinstance(command, Do):
            raise LocalError("there is nobody to talk to in a form")
        command.word.act(command.rest)

    def _set(self, name: str, value: str) -> None:
        self.form.set(name, value)
        self.at = name

    def pages(self) -> list[Page]:
        pages = [Page("Form", lambda width: render_page(FORM_PAGE, width, self.theme))]
        if rules := self.form.rules:
            pages.append(Page("Rules", lambda width: render_page(rules, width, self.theme)))
        return pages

    def leave(self) -> None:
        self.stage.show(self.behind)

    def escape(self) -> None:
        self.leave()


def settings_screen(stage: Stage, behind: Screen) -> FormScreen:
    """All that a player may choose; each choice holds as soon as it is made."""
    form = Form("Settings", "done", lambda _: stage.show(behind))
    for key, setting in SETTINGS.items():
        form.add(
            Field(
                key,
                stage.own.text(key) or account_name(),
                setting.about,
                partial(check, key),
                setting.choices,
                then=lambda text, key=key: stage.choose(f"{key} {text}"),  # type: ignore[misc]
            )
        )
    return FormScreen(stage, form, behind)
