"""The commands that come to a table: the lobby, play, host, join, resume, watch. From flags to a
session to a client."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sobremesa.cli.draw.theme import Theme, theme_from
from sobremesa.cli.exits import DONE
from sobremesa.cli.lines.printing import has_screen, say
from sobremesa.cli.session.defaults import (
    ALONE,
    AT_NETWORK,
    Preferences,
    bots_alone,
    choose,
    seats_at_network,
)
from sobremesa.cli.session.seats import describe_seat, find_seat, forget, kept_seats, resume
from sobremesa.cli.session.session import Session
from sobremesa.cli.settings import account_name
from sobremesa.core.errors import LocalError
from sobremesa.core.names import NAME_WIDTH, clean_name
from sobremesa.core.typed import key
from sobremesa.net.text import read_code
from sobremesa.plugins.loader import load_games

if TYPE_CHECKING:  # who sits down at a table from a command line loads no discovery
    from .lobby import Services

Sit = Callable[[], Awaitable[Session]]


def run(args: argparse.Namespace) -> int:
    """Sit down as the flags say; returns the exit status.

    :raises LocalError: if the flags make no table
    """
    theme = theme_from(args)
    plain = args.plain or not has_screen()
    if args.verb in (None, "lobby") or (args.verb == "resume" and not plain and _must_choose(args)):
        return _lobby(args, theme, plain=plain)
    save = _writable(args.save)
    name, told = _name(args.name)
    preferences = Preferences(
        name, _pace(args.pace, theme), args.auto, save, told=told, slow=theme.slow
    )
    if args.verb == "resume" and args.forget:
        return _forget(args, preferences)
    way = {"play": _play, "host": _host, "join": _join, "resume": _resume, "watch": _watch}[
        args.verb
    ]
    sit = way(args, preferences)
    try:
        return _sit_down(sit, args, theme, plain)
    except LocalError as error:
        if args.verb != "join" or not _looks_on_instead(args, error):
            raise
    return _sit_down(_look_on(args, preferences, seat=True), args, theme, plain)


def _looks_on_instead(args: argparse.Namespace, error: LocalError) -> bool:
    """Ask who wants to join a game that has begun; a script is not asked."""
    from sobremesa.net.tables import HasBegun  # who plays alone loads no sockets

    if not isinstance(error, HasBegun) or args.auto or args.json:
        return False
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    say(f"The game at {error.label} has begun. Look on, and wait for a seat in the next?")
    say("Press Enter for yes, or type n for no.")
    typed = sys.stdin.readline()
    return bool(typed) and typed.strip().casefold() in ("", "y", "yes")


def _sit_down(sit: Sit, args: argparse.Namespace, theme: Theme, plain: bool) -> int:
    """Live a session to its end in the client that is wanted; returns the exit status."""
    if plain:
        from sobremesa.cli.lines.plain import run_plain

        return asyncio.run(_in_lines(sit, args, theme, run_plain))
    if args.json:
        raise LocalError("--json goes with --plain")
    from sobremesa.cli.screen.app import run_app

    return asyncio.run(run_app(sit, theme, args.own))


async def _in_lines(
    sit: Sit, args: argparse.Namespace, theme: Theme, client: Callable[..., Awaitable[int]]
) -> int:
    session = await sit()
    return await client(
        session,
        auto=args.auto,
        as_json=args.json,
        stdin=None if args.auto else sys.stdin,
        stdout=sys.stdout,
        theme=theme,
        own=args.own,
    )


def _lobby(args: argparse.Namespace, theme: Theme, *, plain: bool) -> int:
    from .lobby import Services

    name, told = _name(args.name)
    preferences = Preferences(name, _pace(args.pace, theme), told=told, slow=theme.slow)
    services = Services(load_games(), preferences, args.own)
    if plain:
        return asyncio.run(_home_in_lines(services, args, theme))
    from sobremesa.cli.screen.app import run_lobby

    return asyncio.run(run_lobby(services, theme, args.own))


async def _home_in_lines(services: Services, args: argparse.Namespace, theme: Theme) -> int:
    from sobremesa.cli.lines.home import run_home
    from sobremesa.cli.lines.output import Output
    from sobremesa.cli.lines.typed import Typed

    out = Output(sys.stdout, theme, getattr(args, "json", False))
    return await run_home(services, args.own, Typed(sys.stdin), out)


def _must_choose(args: argparse.Namespace) -> bool:
    """Whether several seats are kept, and none of them was named."""
    return args.target is None and sum(not seat.busy for seat in kept_seats()) > 1


def _pace(seconds: float, theme: Theme) -> float:
    return seconds * 2 if theme.slow else seconds


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
    # A file that is there is left alone: the record goes beside it.
    if not os.access(path if path.exists() and not path.is_file() else path.parent, os.W_OK):
        raise LocalError(f"--save {path}: it may not be written there")
    return path


def _name(given: str) -> tuple[str, str]:
    """The player's name, and what its owner should hear of it if it is shown as another."""
    if not given:
        return account_name(), ""
    name = clean_name(given)
    if key(name) == key(given):
        return name, ""
    why = f"a name has up to {NAME_WIDTH} letters, and no signs that screens use"
    return name, f"You are called {name} here: {why}. --name gives another."


def _play(args: argparse.Namespace, preferences: Preferences) -> Sit:
    games = load_games()
    choice = choose(games, args.game, args.option, ALONE, args.bot)
    preferences = replace(preferences, bot_ids=choice.bot_ids)
    bots = args.bots
    if bots is None:
        bots = bots_alone(choice.game)

    async def sit() -> Session:
        from sobremesa.cli.session.alone import play

        return play(games, choice.game, preferences, bots, choice.options, choice.settings)

    return sit


def _host(args: argparse.Namespace, preferences: Preferences) -> Sit:
    games = load_games()
    choice = choose(games, args.game, args.option, AT_NETWORK, args.bot)
    preferences = replace(preferences, bot_ids=choice.bot_ids)
    seats = args.seats
    if seats is None:
        seats = seats_at_network(choice.game)
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

    async def sit() -> Session:
        from sobremesa.cli.session.network import host

        return await host(
            games,
            choice.game,
            preferences,
            table=args.table or f"{preferences.name}'s table",
            seats=seats,
            bots=args.bots,
            options=choice.options,
            settings=choice.settings,
            code=code,
            is_open=args.open,
            port=args.port,
        )

    return sit


def _resume(args: argparse.Namespace, preferences: Preferences) -> Sit:
    games = load_games()
    seat = find_seat(games, kept_seats(), args.target)
    return lambda: resume(games, preferences, seat)


def _forget(args: argparse.Namespace, preferences: Preferences) -> int:
    games = load_games()
    seat = find_seat(games, kept_seats(), args.target)
    say(f"Give up your seat at {describe_seat(games, seat)}? Nobody can come back to it.")
    say("Type y for yes, anything else for no.")
    if sys.stdin.readline().strip().casefold() not in ("y", "yes"):
        say("No, then: it is kept.")
        return DONE
    told = asyncio.run(forget(games, preferences, seat))
    say("It is given up, and the others were told." if told else "It is given up.")
    return DONE


def _join(args: argparse.Namespace, preferences: Preferences) -> Sit:
    games = load_games()

    async def sit() -> Session:
        from sobremesa.cli.session.network import join

        return await join(games, preferences, args.target, args.code)

    return sit


def _watch(args: argparse.Namespace, preferences: Preferences) -> Sit:
    return _look_on(args, preferences, seat=args.seat)


def _look_on(args: argparse.Namespace, preferences: Preferences, *, seat: bool) -> Sit:
    games = load_games()

    async def sit() -> Session:
        from sobremesa.cli.session.shown import watch

        return await watch(games, preferences, args.target, args.code, seat=seat)

    return sit
