"""The form for a new table: each field with its value and one line of help, set by typing it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from sobremesa.cli.draw.blocks import text_columns
from sobremesa.cli.draw.cells import Line, wrap
from sobremesa.cli.draw.layout import SMALLEST, Facts, render_page, render_status, too_small
from sobremesa.cli.session.defaults import AT_NETWORK, seats_at_network
from sobremesa.cli.words import grammar
from sobremesa.cli.words.grammar import Do, NotNow, Word, Words
from sobremesa.core.errors import LocalError
from sobremesa.core.game import Game
from sobremesa.core.replica.charter import Settings
from sobremesa.net.text import read_code

from .base import Page, Screen, Stage
from .services import HostOrder, LobbyServices

FORM_PAGE = """
# A new table
Type the name of a field and its new value, for example `seats 3`, then Enter. When all is as you
like it, type `open`.

- Esc, or `back`, goes back to the lobby; nothing was opened then.
- The code is read aloud to those who shall come in. With `code off` everybody in this network can.
"""

USUAL = "usual"
_SETTING_HELP = {
    "seconds": "seconds for an answer, 0: no limit",
    "patience": "seconds to wait for who is away before the rest go on",
    "backup": "on, off: the others together hold pieces of each card key",
}


@dataclass(slots=True)
class FormField:
    """One field: `check` says what is wrong with a value by raising."""

    name: str
    value: str
    about: str
    check: Callable[[str], None]
    choices: tuple[str, ...] = ()


class HostForm(Screen):
    """The form."""

    def __init__(
        self, stage: Stage, services: LobbyServices, game: Game[Any], lobby: Screen
    ) -> None:
        super().__init__(stage)
        self.services = services
        self.game = game
        self.lobby = lobby
        own = {option.key for option in game.options}
        self.settings = tuple(key for key in _SETTING_HELP if key not in own)
        """The table's settings that the game leaves to the table."""
        self.fields = {field.name: field for field in self._fields()}
        self._words = grammar.words(
            Word("open", "open the table as it is here", lambda _: self._open()),
            *(
                Word(f.name, f.about, partial(self._set, f), "VALUE", f.choices)
                for f in self.fields.values()
            ),
            grammar.help_word(stage.help),
            Word("back", "back to the lobby, nothing is opened", lambda _: self.leave()),
        )

    @property
    def words(self) -> Words:
        return self._words

    def _fields(self) -> list[FormField]:
        least, most = self.game.seats[0], self.game.seats[-1]
        fields = [
            FormField("table", f"{self.services.name}'s table", "what it is called", _any_text),
            FormField(
                "seats", str(seats_at_network(self.game)), f"chairs, {least} to {most}", self._seats
            ),
            FormField("bots", "0", "chairs for bots of this machine", self._bots),
            FormField(
                "code",
                "new",
                "new, off (none is needed), or 6 or 8 digits of your own",
                _code,
                ("new", "off"),
            ),
        ]
        for option in self.game.options:
            names = tuple(map(str, option.choices))
            about = f"{', '.join(names)}: {option.help}"

            def check(text: str, read: Callable[[str], object] = option.read) -> None:
                read(text)

            fields.append(FormField(option.key, str(option.default), about, check, names))
        for key in self.settings:

            def setting(text: str, key: str = key) -> None:
                if text != USUAL:
                    Settings.read({key: text}, Settings())

            usual = getattr(AT_NETWORK, key)
            shown = ("off", "on")[usual] if isinstance(usual, bool) else usual
            about = f"usual is {shown}; {_SETTING_HELP[key]}"
            fields.append(FormField(key, USUAL, about, setting, (USUAL,)))
        return fields

    def _seats(self, text: str) -> None:
        least, most = self.game.seats[0], self.game.seats[-1]
        if text not in map(str, self.game.seats):
            raise LocalError(f"seats must be {least} to {most} (you typed {text})")
        if int(text) <= int(self.fields["bots"].value):
            raise LocalError("bots would fill every chair but yours must stay free: fewer bots")

    def _bots(self, text: str) -> None:
        most = int(self.fields["seats"].value) - 1
        if text not in map(str, range(most + 1)):
            raise LocalError(f"bots must be 0 to {most} (you typed {text})")

    def lines(self, width: int, height: int) -> list[Line]:
        if width < SMALLEST[0] or height < SMALLEST[1]:
            return too_small(width, height, self.theme)
        facts = Facts(game=self.game.title, phase="a new table")
        rows = [(f"  {f.name}", f.value, f.about) for f in self.fields.values()]
        lines = [render_status(facts, width, self.theme), ()]
        lines += text_columns(("  field", "value", ""), rows, width, self.theme)
        lines.append(())
        text = "Type a field and its value, like: seats 3. Then: open."
        return lines + [(("key", line),) for line in wrap(text, width)]

    def keys(self) -> str:
        return "open  FIELD VALUE  Tab completes  F1 help  Esc back to the lobby"

    def submit(self, typed: str) -> None:
        if not typed.strip():
            return
        try:
            command = grammar.read(typed, self.words, None)
        except NotNow as error:
            first = typed.split()[0][:40]
            raise LocalError(f"there is no field '{first}'. F1 helps.") from error
        if not isinstance(command, Do):
            raise LocalError("there is nobody to talk to yet")
        command.word.act(command.rest)

    def _set(self, field: FormField, value: str) -> None:
        if not value:
            raise LocalError(f"{field.name} needs a value: {field.about}")
        field.check(value)
        field.value = value

    def _open(self) -> None:
        value = {name: field.value for name, field in self.fields.items()}
        given = {option.key: value[option.key] for option in self.game.options}
        order = HostOrder(
            game=self.game,
            table=value["table"],
            seats=int(value["seats"]),
            bots=int(value["bots"]),
            open=value["code"] == "off",
            code="" if value["code"] in ("new", "off") else read_code(value["code"]),
            options=self.game.read_options(given),
            settings={key: value[key] for key in self.settings if value[key] != USUAL},
        )
        self.stage.come(lambda: self.services.host(order), "Opening the table...")

    def pages(self) -> list[Page]:
        return [
            Page("Form", lambda width: render_page(FORM_PAGE, width, self.theme)),
            Page("Rules", lambda width: render_page(self.game.help.rules, width, self.theme)),
        ]

    def leave(self) -> None:
        self.stage.show(self.lobby)

    def escape(self) -> None:
        self.leave()


def _any_text(text: str) -> None:
    del text


def _code(text: str) -> None:
    if text not in ("new", "off"):
        try:
            read_code(text)
        except LocalError as error:
            raise LocalError(
                f"code must be new, off, or 6 or 8 digits (you typed {text})"
            ) from error
