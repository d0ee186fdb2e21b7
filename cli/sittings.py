"""The commands that sit down: the lobby, play, host, join. From flags to a sitting to a client."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path

from sobremesa.core.errors import BadOption, LocalError
from sobremesa.core.game import SETTINGS, Game, OptionValue
from sobremesa.core.replica.charter import Settings
from sobremesa.net.text import clean_name, read_code
from sobremesa.plugins import Games, load_games

from .sitting import Habits, Sitting
from .theme import Theme, theme_from

AT_NETWORK = Settings(seconds=90)
ALONE = Settings(backup=False, seconds=0)
"""Alone nobody waits for us, so there is no limit."""

Sit = Callable[[], Awaitable[Sitting]]


def run(args: argparse.Namespace) -> int:
    """Sit down as the flags say; returns the exit status.

    :raises LocalError: if the flags make no table
    """
    theme = theme_from(args)
    if args.verb is None:
        return _lobby(args, theme)
    save = _writable(args.save)
    habits = Habits(_name(args.name), _pace(args.pace, theme), args.auto, save)
    sit = {"play": _play, "host": _host, "join": _join}[args.verb](args, habits)
    if args.plain or _no_screen():
        from .plain import run_plain

        return asyncio.run(_in_lines(sit, args, theme, run_plain))
    if args.json:
        raise LocalError("--json goes with --plain")
    from .app import run_app

    return asyncio.run(run_app(sit, theme))


async def _in_lines(
    sit: Sit, args: argparse.Namespace, theme: Theme, client: Callable[..., Awaitable[int]]
) -> int:
    sitting = await sit()
    return await client(
        sitting,
        auto=args.auto,
        as_json=args.json,
        stdin=None if args.auto else sys.stdin,
        stdout=sys.stdout,
        theme=theme,
    )


def _lobby(args: argparse.Namespace, theme: Theme) -> int:
    if _no_screen():
        raise LocalError("the lobby needs a terminal. Try: sobremesa play dudo --plain, or --help")
    from .app import run_lobby
    from .services import Services

    habits = Habits(_name(args.name))
    habits = replace(habits, pace=_pace(habits.pace, theme))
    return asyncio.run(run_lobby(Services(load_games(), habits), theme))


def _pace(seconds: float, theme: Theme) -> float:
    return seconds * 2 if theme.slow else seconds


def _no_screen() -> bool:
    dumb = os.environ.get("TERM", "dumb") == "dumb" and os.name != "nt"
    return dumb or not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty())


def _writable(path: Path | None) -> Path | None:
    """Where the transcript goes. Said now if it cannot, and not when the game is over.

    :raises LocalError: if no file can be written there
    """
    if path is None:
        return None
    path = path.absolute()
    if path.is_dir():
        raise LocalError(f"--save {path}: that is a folder; name a file")
    if not path.parent.is_dir():
        raise LocalError(f"--save {path}: there is no folder {path.parent}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise LocalError(f"--save {path}: it may not be written there")
    return path


def _name(given: str | None) -> str:
    """The player's name: as given, or the one of the account."""
    if given is None:
        try:
            given = getpass.getuser().capitalize()
        except (KeyError, OSError):
            given = "Player"
    return clean_name(given)


@dataclass(frozen=True, slots=True)
class Choice:
    """A game with its options and the table's settings, as flags chose them."""

    game: Game
    options: dict[str, OptionValue]
    settings: Settings


def choose(games: Games, name: str, given: list[str], default: Settings) -> Choice:
    """Read `--option` flags for a game.

    :raises LocalError: if the game is unknown, or an option or its value is
    """
    game = games.find(name)
    for_game: dict[str, str] = {}
    for_table: dict[str, str] = {}
    for flag in given:
        key, sign, value = flag.partition("=")
        if not sign:
            raise BadOption(f"an option is KEY=VALUE (you gave {flag!r})")
        key = key.strip()
        ours = key in SETTINGS and all(key != option.key for option in game.options)
        (for_table if ours else for_game)[key] = value.strip().lower()
    return Choice(game, game.read_options(for_game), Settings.read(for_table, default))


def bots_alone(game: Game) -> int:
    """How many bots sit down with somebody who did not say."""
    return min(max(3, game.seats[0] - 1), game.seats[-1] - 1)


def _play(args: argparse.Namespace, habits: Habits) -> Sit:
    games = load_games()
    choice = choose(games, args.game, args.option, ALONE)
    bots = args.bots
    if bots is None:
        bots = bots_alone(choice.game)

    async def sit() -> Sitting:
        from .local import play_locally

        return play_locally(games, choice.game, habits, bots, choice.options, choice.settings)

    return sit


def _host(args: argparse.Namespace, habits: Habits) -> Sit:
    games = load_games()
    choice = choose(games, args.game, args.option, AT_NETWORK)
    seats = args.seats
    if seats is None:
        seats = min(max(4, choice.game.seats[0]), choice.game.seats[-1])
    if seats not in choice.game.seats:
        least, most = choice.game.seats[0], choice.game.seats[-1]
        raise LocalError(
            f"{choice.game.title} is for {least} to {most} players: --seats says {seats}"
        )
    if not 0 <= args.bots < seats:
        raise LocalError(
            f"of {seats} chairs 0 to {seats - 1} can be for bots (you gave {args.bots})"
        )
    code = None if args.code is None else read_code(args.code)

    async def sit() -> Sitting:
        from .networked import host

        return await host(
            games,
            choice.game,
            habits,
            table=args.table or f"{habits.name}'s table",
            seats=seats,
            bots=args.bots,
            options=choice.options,
            settings=choice.settings,
            code=code,
            is_open=args.open,
            port=args.port,
        )

    return sit


def _join(args: argparse.Namespace, habits: Habits) -> Sit:
    games = load_games()

    async def sit() -> Sitting:
        from .networked import join

        return await join(games, habits, args.target, args.code)

    return sit
