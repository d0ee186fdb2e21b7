"""What a player has chosen for all tables to come: name, looks, pace, and what was played last.

One file in the home folder, a `name = value` a line, that can be read and changed by hand.

Rule 1: a command line comes first, then this file, then what is usual.
Rule 2: a line that makes no sense is left out, and told in one sentence; all others hold.
Rule 3: it is written as soon as something is chosen, whole or not at all.
"""

from __future__ import annotations

import getpass
import os
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sobremesa.cli.draw.theme import BELLS, COLORS, GROUNDS, one_line, read_bells
from sobremesa.cli.words.coach import COACHING
from sobremesa.cli.words.hands import ORDERS
from sobremesa.core.errors import LocalError
from sobremesa.net.home import home_folder, make_folder, write_whole

FILE = "settings"
MOST_BYTES = 1 << 16
"""Bytes of the file that are read; ours has a few hundred."""

LONGEST_PACE = 600.0

KNOWN = "known"
"""The line of the file that names the games whose player needs no coach any more."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing to choose: what it is, what is usual, and how its text is read. `choices` are all
    that there is to choose from, or examples."""

    about: str
    usual: str
    read: Callable[[str], Any]
    choices: tuple[str, ...] = ()


def _switch(text: str) -> bool:
    return _one_of("on", "off")(text) == "on"


def _one_of(*choices: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text.lower() not in choices:
            raise LocalError(f"must be {' or '.join(choices)}")
        return text.lower()

    return read


def read_pace(text: str) -> float:
    """Seconds.

    :raises LocalError: if there cannot be so many
    """
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= LONGEST_PACE:
        raise LocalError(f"must be 0 to {LONGEST_PACE:.0f} seconds")
    return seconds


def account_name() -> str:
    """What the account on this machine is called, for who has chosen no name."""
    try:
        return cleaned(getpass.getuser().capitalize())
    except (KeyError, OSError):
        return "Player"


def cleaned(name: str) -> str:
    """A name as it may be at a table."""
    from sobremesa.core.names import clean_name  # it loads how wide every letter is

    return clean_name(name)


_ON_OFF = ("on", "off")
SPEECH = ("full", "brief")

SETTINGS: Mapping[str, Setting] = {
    "name": Setting("what the others call you", "", str),
    "colors": Setting("colours of the suits, or none anywhere", "4", _one_of(*COLORS), COLORS),
    "ground": Setting(
        "the ground of your terminal: ask it, dark, light", "ask", _one_of(*GROUNDS), GROUNDS
    ),
    "ascii": Setting("nothing but ASCII characters", "off", _switch, _ON_OFF),
    "pips": Setting("dice as pips instead of [1]", "off", _switch, _ON_OFF),
    "bell": Setting("ring for these, or off", "turn", read_bells, ("turn", *BELLS[1:], "off")),
    "pace": Setting("seconds that a reveal stands; bots take a quarter", "5", read_pace),
    "slow": Setting("twice the time, for all at your tables", "off", _switch,
                    _ON_OFF),
    "mouse": Setting("let the program have the mouse", "off", _switch, _ON_OFF),
    "sort": Setting("your hand by suit, by rank, or as dealt", "suit", _one_of(*ORDERS), ORDERS),
    "speech": Setting("line mode with moves and odds, or brief", "full", _one_of(*SPEECH),
                      SPEECH),
    "coach": Setting("tips: in first games, always, or off", "first",
                     _one_of(*COACHING), COACHING),
}  # fmt: skip
"""All of them, by name."""

LOOKS = frozenset(SETTINGS) - {"name", "pace", "sort", "speech", "coach"}
"""Those that are fields of `theme.Theme`."""


def check(key: str, text: str) -> None:
    """:raises LocalError: if a setting cannot be that"""
    try:
        SETTINGS[key].read(text)
    except LocalError as error:
        raise LocalError(f"{key} {error} (you gave {text[:40]!r})") from error


class OwnSettings:
    """What was chosen, kept at `path`; without one it is kept nowhere. `trouble` is what was wrong
    with the file, in one sentence."""

    def __init__(self, path: Path | None = None) -> None:
        self.trouble = ""
        self._path = path
        self._chosen: dict[str, str] = {}

    @classmethod
    def of_home(cls) -> OwnSettings:
        """Those of this machine's user."""
        return cls.at(home_folder() / FILE)

    @classmethod
    def at(cls, path: Path) -> OwnSettings:
        """Those that are kept at this path."""
        own = cls(path)
        own._load()
        return own

    def text(self, key: str) -> str:
        """What holds, as it is typed."""
        return self._chosen.get(key, SETTINGS[key].usual)

    def value(self, key: str) -> Any:
        """What holds, as it is used."""
        return SETTINGS[key].read(self.text(key))

    def spoken(self) -> list[str]:
        """All of them, in sentences."""
        texts = {key: self.text(key) or account_name() for key in SETTINGS}
        lines = [f"{key} {texts[key]}: {one.about}." for key, one in SETTINGS.items()]
        return [*lines, "To choose another: set NAME VALUE."]

    def flags(self) -> dict[str, Any]:
        """What holds, for a command line that says nothing else; no name if none was chosen."""
        return {key: self.value(key) for key in SETTINGS}

    def choose(self, typed: str) -> tuple[str, Any]:
        """Choose something from now on: "bell off". Its name, and its value as it is used.

        :raises LocalError: if there is no such setting, or it cannot be that; or it holds for this
            time alone, because it cannot be kept
        """
        key, _, text = one_line(typed).strip().partition(" ")
        key = key.casefold()
        if key in SETTINGS and not text.strip():
            raise LocalError(f"{key} is {self.text(key)}: {SETTINGS[key].about}. {key} what?")
        self._take(key, cleaned(text) if key == "name" else text.strip())
        self._save()
        return key, self.value(key)

    def knows(self, game: str) -> bool:
        """Whether the player has played this game to its end before. Where nothing is kept nobody
        can tell, so it is no first game."""
        return self._path is None or game in self._chosen.get(KNOWN, "").split()

    def learn(self, game: str) -> None:
        """The player has played this game to its end; errors as of `choose`."""
        if not self.knows(game):
            self._take(KNOWN, f"{self._chosen.get(KNOWN, '')} {game}".strip())
            self._save()

    def last(self, way: str, game: str) -> dict[str, str]:
        """How this game was played or opened the last time: texts by the names of what they are
        for. It is from a file: whoever takes them up reads them as if they had been typed."""
        words = shlex.split(self._chosen.get(f"{way} {game}", ""))
        return dict(word.split("=", 1) for word in words)

    def remember(self, way: str, game: str, chosen: Mapping[str, str]) -> None:
        """Keep how a game is played or opened now; errors as of `choose`."""
        pairs = [f"{key}={one_line(text)}" for key, text in chosen.items()]
        self._take(f"{way} {game}", shlex.join(pairs))
        self._save()

    def _take(self, key: str, text: str) -> None:
        if key.startswith(("play ", "host ")):
            _expect_pairs(text)
        elif key == KNOWN:
            pass  # ids; one of no game means nothing
        elif key in SETTINGS:
            check(key, text)
        else:
            wrong = f"no setting is called {key[:20]!r}." if key else "set what?"
            raise LocalError(f"{wrong} There are: {', '.join(SETTINGS)}")
        self._chosen[key] = text

    def _load(self) -> None:
        assert self._path is not None
        try:
            with self._path.open("rb") as file:
                text = file.read(MOST_BYTES).decode()
        except FileNotFoundError:
            return
        except (OSError, UnicodeDecodeError) as error:
            why = os.strerror(error.errno or 0) if isinstance(error, OSError) else "it is no text"
            self.trouble = f"Your settings in {self._path} cannot be read ({why}); the usual hold."
            return
        lines = enumerate(text.splitlines(), 1)
        wrong = [number for number, line in lines if not self._reads(line)]
        if wrong:
            which = f"line{'s' * (len(wrong) > 1)} {', '.join(map(str, wrong[:5]))}"
            self.trouble = f"Left out of your settings in {self._path}: {which}. All else holds."

    def _reads(self, line: str) -> bool:
        """Take a line of the file; whether it makes sense."""
        key, sign, text = (part.strip() for part in line.partition("="))
        if not key or key.startswith("#"):
            return not sign or key.startswith("#")
        try:
            self._take(key, one_line(text))
        except LocalError:
            return False
        return bool(sign)

    def _save(self) -> None:
        if self._path is None:
            return
        lines = [f"{key} = {text}\n" for key, text in self._chosen.items()]
        try:
            make_folder(self._path.parent)
            write_whole(self._path, "".join(lines).encode())
        except OSError as error:
            why = os.strerror(error.errno or 0)
            raise LocalError(
                f"it holds for now, and cannot be kept in {self._path}: {why}"
            ) from error


def _expect_pairs(text: str) -> None:
    """:raises LocalError: if a text is not `key=value`, as a shell splits it"""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise LocalError("quotes without their end") from error
    if not all("=" in word for word in words):
        raise LocalError("something without a value")
