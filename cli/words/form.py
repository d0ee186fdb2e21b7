"""A form: fields with their values, filled in by typing, or by stepping from one value to the next.
The same in both clients, and for all that is chosen from many things: a table, a game against bots,
what is changed in a room, a player's settings.

Rule 1: a value that cannot be never gets into a form; why is raised, in words for the player.
Rule 2: a form does nothing until it is sent.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from sobremesa.cli.session.defaults import AT_NETWORK, bots_alone, seats_at_network
from sobremesa.core.errors import LocalError
from sobremesa.core.game import Game
from sobremesa.core.replica.charter import Settings
from sobremesa.net.text import read_code

from .services import HostOrder, PlayOrder

WHO, RULES, TABLE = "Who and where", "The rules of {}", "The table"

_SETTINGS = {
    "seconds": ("seconds for an answer, 0: no limit", ("0", "30", "60", "90", "180")),
    "patience": (
        "seconds that a seat is kept for who is away; then the others choose",
        ("10", "30", "60", "120", "300"),
    ),
    "backup": (
        "the game survives a lost machine; the others together hold pieces of each card key",
        ("on", "off"),
    ),
}
"""What each setting of a table is for, and values to step through."""

NEW, OFF = "new", "off"


@dataclass(slots=True)
class Field:
    """One field. `check` says what is wrong with a value by raising; `steps` are the values one
    comes to by stepping, all of them if `closed`; those that are `fleeting` are no habit."""

    name: str
    value: str
    about: str
    check: Callable[[str], object]
    steps: Sequence[str] = ()
    head: str = ""
    usual: str = ""
    fleeting: Callable[[str], bool] = lambda value: False
    then: Callable[[str], None] = lambda value: None
    """What follows from a value."""

    def __post_init__(self) -> None:
        self.usual = self.usual or self.value


@dataclass(slots=True)
class Form:
    """A form. `word` is what sends it, `done` does that; `notes` are said below the fields: what it
    is, and a text for the form as it is now."""

    title: str
    word: str
    done: Callable[[Form], None]
    fields: dict[str, Field] = field(default_factory=dict)
    notes: Callable[[Form], Sequence[tuple[str, str]]] = lambda form: ()
    rules: str = ""
    """A page of help beside that of forms."""

    def add(self, *fields: Field) -> None:
        """Add fields at the end."""
        self.fields |= {one.name: one for one in fields}

    def __getitem__(self, name: str) -> str:
        return self.fields[name].value

    def set(self, name: str, text: str) -> None:
        """Put a text into a field.

        :raises LocalError: if there is nothing, or it cannot be the value
        """
        one = self.fields[name]
        text = text.strip()
        if not text:
            raise LocalError(f"{name} needs a value: {one.about}")
        one.check(text)
        same = [step for step in one.steps if step.casefold() == text.casefold()]
        one.value = same[0] if same else text
        one.then(one.value)

    def step(self, name: str, by: int) -> None:
        """Go to the next value of a field, or back.

        :raises LocalError: if it has to be typed, or the next one cannot be
        """
        one = self.fields[name]
        if not one.steps:
            raise LocalError(f"type what {name} is to be, then Enter")
        here = one.steps.index(one.value) if one.value in one.steps else -1 if by > 0 else 0
        self.set(name, one.steps[(here + by) % len(one.steps)])

    def take_up(self, values: Mapping[str, str]) -> None:
        """Put in what was there the last time, as far as it can still be."""
        for name, text in values.items():
            if name in self.fields:
                try:
                    self.set(name, text)
                except LocalError:  # the game has changed since
                    continue

    def clear(self) -> None:
        """Everything as it is usual."""
        for one in self.fields.values():
            one.value = one.usual

    def changed(self, *names: str) -> dict[str, str]:
        """What is not as usual, of these fields or of all."""
        wanted = [self.fields[name] for name in names or self.fields]
        return {one.name: one.value for one in wanted if one.value != one.usual}

    def habits(self) -> dict[str, str]:
        """What is to be there the next time."""
        changed = self.changed().items()
        return {name: text for name, text in changed if not self.fields[name].fleeting(text)}

    def send(self) -> None:
        """Do what it is for.

        :raises LocalError: if that cannot be
        """
        self.done(self)


def play_form(game: Game[Any], done: Callable[[Form], None]) -> Form:
    """A game against the computer."""
    form = Form(f"Play {game.title}", "play", done, rules=game.help.rules)
    most = game.seats[-1] - 1
    bots = tuple(map(str, range(game.seats[0] - 1, most + 1)))
    form.add(
        Field(
            "bots",
            str(bots_alone(game)),
            f"who plays against you, {bots[0]} to {most}",
            partial(_expect, "bots", bots),
            bots,
            WHO,
        ),
        *_bot_fields(game),
        *_option_fields(game),
    )
    return form


def play_order(form: Form, game: Game[Any]) -> PlayOrder:
    """The game that a form asks for."""
    options = game.read_options({option.key: form[option.key] for option in game.options})
    return PlayOrder(game, int(form["bots"]), options, _bot(form))


def host_form(
    game: Game[Any],
    name: str,
    done: Callable[[Form], None],
    games: Sequence[Game[Any]],
    turn_to: Callable[[Game[Any]], None],
) -> Form:
    """A table that somebody of this name opens; who wants another of the games is turned to that
    one's form."""
    form = Form(
        f"Open a table: {game.title}",
        "open",
        done,
        notes=lambda form: _host_notes(form, game),
        rules=game.help.rules,
    )
    least, most = game.seats[0], game.seats[-1]
    seats, bots = tuple(map(str, game.seats)), tuple(map(str, range(most)))

    def check_seats(text: str) -> None:
        _expect("seats", seats, text)
        if int(text) <= int(form["bots"]):
            raise LocalError("bots would fill every chair but yours must stay free: fewer bots")

    def check_bots(text: str) -> None:
        _expect("bots", bots[: int(form["seats"])], text)

    def turn(id: str) -> None:
        form.fields["game"].value = game.id
        if id != game.id:
            turn_to(next(one for one in games if one.id == id))

    ids = tuple(one.id for one in games)
    form.add(
        Field("game", game.id, game.about, partial(_expect_game, ids), ids, WHO, then=turn),
        Field("table", f"{name}'s table", "what the others read in their list", _any_text, (), WHO),
        Field(
            "seats",
            str(seats_at_network(game)),
            f"chairs, {least} to {most}, yours among them",
            check_seats,
            seats,
            WHO,
        ),
        Field("bots", "0", "chairs for bots of this machine", check_bots, bots, WHO),
        *_bot_fields(game),
        *_option_fields(game),
        *setting_fields(AT_NETWORK),
        Field(
            "code",
            NEW,
            "new, off, or 6 or 8 digits of your own; off: nobody is asked for one",
            _expect_code,
            (NEW, OFF),
            TABLE,
            fleeting=lambda text: text not in (NEW, OFF),
        ),
    )
    return form


def host_order(form: Form, game: Game[Any]) -> HostOrder:
    """The table that a form asks for."""
    code = form["code"]
    return HostOrder(
        game=game,
        table=form["table"],
        seats=int(form["seats"]),
        bots=int(form["bots"]),
        open=code == OFF,
        code="" if code in (NEW, OFF) else read_code(code),
        options=game.read_options({option.key: form[option.key] for option in game.options}),
        settings=form.changed(*(one.name for one in setting_fields(AT_NETWORK))),
        bot=_bot(form),
    )


def host_command(form: Form, game: Game[Any]) -> str:
    """The same table as one line that can be typed at a shell."""
    changed = form.changed()
    words = ["sobremesa", "host", game.id, "--table", form["table"]]
    words += ["--seats", form["seats"], *(["--bots", form["bots"]] if "bots" in changed else [])]
    if "bot" in changed:
        words += ["--bot", form["bot"]]
    code = form["code"]
    words += [] if code == NEW else ["--open"] if code == OFF else ["--code", read_code(code)]
    ours = [option.key for option in game.options] + list(_SETTINGS)
    for key in (key for key in ours if key in changed):
        words += ["--option", f"{key}={changed[key]}"]
    return shlex.join(words)


def room_form(
    game: Game[Any], terms: Sequence[tuple[str, str]], done: Callable[[Form], None]
) -> Form:
    """What the opener may change in the room; `terms` are its names with the values of now."""
    form = Form("Change the table", "change", done, rules=game.help.rules)
    seats = tuple(map(str, game.seats))
    chairs = Field("seats", "", "chairs, those that are taken among them", _any_text, seats, WHO)
    fields = [chairs, *_option_fields(game), *setting_fields(Settings())]
    now = dict(terms)
    for one in fields:
        one.value = one.usual = now.get(one.name, one.value)
    form.add(*fields)
    return form


def setting_fields(usual: Settings) -> list[Field]:
    """The settings of any table."""
    return [Field(key, value, *_setting(key), TABLE) for key, value in usual.texts()]


def _setting(key: str) -> tuple[str, Callable[[str], object], Sequence[str]]:
    about, steps = _SETTINGS[key]
    return about, lambda text: Settings.read({key: text}, Settings()), steps


def _option_fields(game: Game[Any]) -> list[Field]:
    return [
        Field(
            option.key,
            str(option.default),
            option.help,
            option.read,
            tuple(map(str, option.choices)),
            RULES.format(game.title),
        )
        for option in game.options
    ]


def _bot_fields(game: Game[Any]) -> list[Field]:
    """Which bots play, where there are several."""
    ids = tuple(bot.id for bot in game.bots)
    if len(ids) < 2:
        return []
    return [Field("bot", ids[0], "which of the game's bots play", game.bot, ids, WHO)]


def _bot(form: Form) -> str:
    return form.changed().get("bot", "")


def _host_notes(form: Form, game: Game[Any]) -> list[tuple[str, str]]:
    taken = 1 + int(form["bots"])
    door = "open to all" if form["code"] == OFF else "code needed"
    listed = f"{form['table']} · {game.title} · {taken} of {form['seats']} · {door}"
    return [("the others will read", listed), ("in one line", host_command(form, game))]


def _expect(name: str, values: Sequence[str], text: str) -> None:
    if text not in values:
        raise LocalError(f"{name} must be {values[0]} to {values[-1]} (you typed {text[:20]})")


def _expect_game(ids: Sequence[str], text: str) -> None:
    if text.casefold() not in ids:
        raise LocalError(f"no game is called {text[:20]!r}. There are: {', '.join(ids)}")


def _any_text(text: str) -> None:
    del text


def _expect_code(text: str) -> None:
    if text not in (NEW, OFF):
        try:
            read_code(text)
        except LocalError as error:
            raise LocalError(
                f"code must be new, off, or 6 or 8 digits (you typed {text[:20]})"
            ) from error
