"""The `sobremesa` command: what may be typed, and what each word starts.

Rule 1: exit status 0 done, 1 a check failed, 2 usage, 3 table lost or left, 4 a record cannot be
checked here, 130 interrupted.
Rule 2: an error is one line on stderr that says what, why and what now. A traceback is a bug, and
even a bug shows none: its details go to the log.
Rule 3: nothing heavy is imported before a command needs it: the first question comes within a
second.
"""

from __future__ import annotations

import argparse
import io
import logging
import os
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn

import sobremesa
from sobremesa.cli.draw.theme import add_theme_arguments, one_line
from sobremesa.cli.lines.printing import complain
from sobremesa.core.errors import LocalError, SobremesaError

from .dates import read_day
from .exits import DONE, INTERRUPTED, USAGE
from .settings import OwnSettings, read_pace

PRINTED = ("tables", "games", "rules", "records", "verify", "replay")
"""Commands that print lines and ask nothing."""


class CommandLine(argparse.ArgumentParser):
    """A parser that says in one line what is wrong."""

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE, f"{one_line(f'{self.prog}: {message}. See {self.prog} --help')}\n")


def parser(own: OwnSettings | None = None) -> argparse.ArgumentParser:
    """The whole command line; where it says nothing, what `own` says holds."""
    own = own or OwnSettings()
    top = CommandLine(
        prog="sobremesa",
        description="Card and dice games on the local network, with nobody to trust.",
        epilog="Without a command: what is open on this network, and what can be played at once. "
        "What you choose there (set) holds wherever a flag says nothing else.",
    )
    top.add_argument("--version", action="version", version=f"sobremesa {sobremesa.__version__}")
    _person(top)
    add_theme_arguments(top)
    top.set_defaults(own=own, plain=False, **own.flags())
    verbs = top.add_subparsers(dest="verb", metavar="COMMAND")

    home = verbs.add_parser("lobby", help="the same as no command: what there is to play")
    play = verbs.add_parser("play", help="play at once, against the computer, on this machine")
    play.add_argument("game", metavar="GAME")
    play.add_argument(
        "--bots", type=_count, default=None, metavar="N", help="how many (default: 3)"
    )

    host = verbs.add_parser("host", help="open a table on this network")
    host.add_argument("game", metavar="GAME")
    host.add_argument("--table", metavar="NAME", help="what the table is called")
    host.add_argument("--seats", type=_count, default=None, metavar="N", help="chairs (default: 4)")
    host.add_argument("--bots", type=_count, default=0, metavar="N", help="chairs for bots")
    entry = host.add_mutually_exclusive_group()
    entry.add_argument("--open", action="store_true", help="no code is needed to join")
    entry.add_argument("--code", metavar="CODE", help="the code to join with, 6 or 8 digits")
    host.add_argument("--port", type=_port, default=0, metavar="P", help="TCP port (default: any)")

    join = verbs.add_parser("join", help="sit down at a table")
    join.add_argument(
        "target",
        nargs="?",
        metavar="TABLE | HOST:PORT",
        help="its name, or where it is (default: the only one there is)",
    )
    join.add_argument("--code", metavar="CODE", help="the code on the opener's screen")

    resume = verbs.add_parser("resume", help="back to a seat that is kept on this machine")
    resume.add_argument(
        "target",
        nargs="?",
        metavar="TABLE",
        help="its name, or its number in the list (default: the only one there is)",
    )
    resume.add_argument(
        "--forget", action="store_true", help="give the seat up for good instead (asks first)"
    )

    watch = verbs.add_parser("watch", help="look on at a game: what everybody sees")
    watch.add_argument(
        "target",
        nargs="?",
        metavar="TABLE | HOST:PORT",
        help="its name, or where it is (default: the only one that plays)",
    )
    watch.add_argument("--code", metavar="CODE", help="the code that the players came in with")
    watch.add_argument(
        "--seat", action="store_true", help="and wait for a seat in the next game there"
    )
    watch.set_defaults(auto=False)

    for command in (play, host):
        command.add_argument(
            "--option",
            action="append",
            default=[],
            metavar="KEY=VALUE",
            help="an option of the game, or of the table: backup, seconds, patience",
        )
        command.add_argument(
            "--bot",
            action="append",
            default=[],
            metavar="ID",
            help="which of the game's bots plays where one does, yours first with --auto; of "
            "several, like A,B, each in turn (default: the game's first)",
        )
    for command in (home, play, host, join, resume, watch):
        # Given before the command, these hold unless they are given again after it.
        _person(command)
        add_theme_arguments(command, again=True)
        if command not in (home, watch):
            command.add_argument("--auto", action="store_true", help="a bot plays this seat")
        command.add_argument("--save", type=Path, metavar="FILE", help="write a copy of the record")
        command.add_argument("--json", action="store_true", help="with --plain: events as JSON")

    tables = verbs.add_parser("tables", help="what is open on this network")
    tables.add_argument(
        "--seconds", type=_seconds, default=3.0, metavar="S", help="how long to look"
    )
    tables.add_argument("--json", action="store_true")

    games = verbs.add_parser("games", help="the games installed here, and their options")
    games.add_argument("--json", action="store_true")
    games.add_argument(
        "--check", metavar="GAME", help="try the game of a plugin: exit 1 if anything is wrong"
    )

    rules = verbs.add_parser("rules", help="how a game is played")
    rules.add_argument("game", metavar="GAME")
    page = rules.add_mutually_exclusive_group()
    page.add_argument("--tips", action="store_true", help="tips and strategy instead")
    page.add_argument("--faq", action="store_true", help="questions and answers instead")

    records = verbs.add_parser("records", help="the games that were kept, and what they add up to")
    records.add_argument("--game", metavar="GAME", help="only those of this game")
    records.add_argument(
        "--with", dest="person", metavar="NAME", help="only those with this player"
    )
    records.add_argument(
        "--since", type=_date, metavar="DATE", help="only those from this day on, like 2026-01-31"
    )
    _printed(records)

    which = "a file, or the number or name of a record that is kept (sobremesa records)"
    verify = verbs.add_parser(
        "verify",
        help="check a saved game: exit 1 if anything is wrong, 4 if it cannot be checked here (the "
        "game is not installed, or another copy of it)",
    )
    verify.add_argument("file", type=Path, metavar="FILE | NUMBER", help=which)

    replay = verbs.add_parser("replay", help="see a saved game again")
    replay.add_argument("file", type=Path, metavar="FILE | NUMBER", help=which)
    whose = replay.add_mutually_exclusive_group()
    whose.add_argument("--seat", metavar="NAME", help="as lines, with what this player saw")
    whose.add_argument("--all", action="store_true", help="as lines, with everything open")
    _printed(replay)

    scenario = verbs.add_parser("scenario", help="play a scenario file, and print what follows")
    scenario.add_argument("file", metavar="FILE", help="JSON; - is standard input")

    bench = verbs.add_parser("bench", help="measure this machine")
    bench.add_argument("--json", action="store_true")
    return top


def _printed(command: argparse.ArgumentParser) -> None:
    """A command that opens in full screen at a terminal, and prints otherwise."""
    add_theme_arguments(command, again=True)
    command.add_argument("--plain", action="store_true", help="print lines, also at a terminal")
    command.add_argument("--json", action="store_true", help="print objects, for programs")


def _person(command: argparse.ArgumentParser) -> None:
    usual: Any = argparse.SUPPRESS
    command.add_argument("--name", metavar="NAME", default=usual, help="what the others call you")
    command.add_argument(
        "--pace",
        type=_seconds,
        default=usual,
        metavar="SECONDS",
        help="how long a reveal stands, and bots take a quarter of it (default: 5)",
    )
    command.add_argument(
        "--plain", action="store_true", default=usual, help="line mode: one sentence an event"
    )


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise argparse.ArgumentTypeError(f"a number of players is wanted (you gave {text!r})")
    return int(text)


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"a port is 0 to 65535 (you gave {text!r})")
    return int(text)


def _seconds(text: str) -> float:
    try:
        return read_pace(text)
    except LocalError as error:
        raise argparse.ArgumentTypeError(f"{error} (you gave {text!r})") from error


def _date(text: str) -> datetime:
    try:
        return read_day(text)
    except LocalError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status."""
    _open_closed_streams()
    try:
        status = _run(argv)
        sys.stdout.flush()  # while there is somebody who can say that it failed
        return status
    except SobremesaError as error:
        complain(error)
        return USAGE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _mute()  # whoever read our output has enough
        return DONE
    except OSError as error:
        _mute()
        complain(f"cannot go on: {error.strerror or error}")
        return USAGE
    except Exception as error:
        logging.getLogger(__name__).exception("a command broke")
        complain(
            f"this is a bug: {type(error).__name__}: {error}. "
            "Run it again with SOBREMESA_LOG=FILE, and the file says where it is"
        )
        return USAGE


def _run(argv: Sequence[str] | None) -> int:
    try:
        own = OwnSettings.of_home()
        args = parser(own).parse_args(argv)
    except SystemExit as end:  # after --help, --version or an error of usage, said already
        return end.code if isinstance(end.code, int) else DONE
    _log_to_file()
    if own.trouble and args.verb in PRINTED:
        complain(own.trouble)
    if args.ascii and args.verb in PRINTED and isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="ascii")  # `printing` sees what the stream can carry
    match args.verb:
        case None | "lobby" | "play" | "host" | "join" | "resume" | "watch":
            from sobremesa.cli.commands.play import run as sit

            return sit(args)
        case "bench":
            from sobremesa.cli.commands.bench import run as bench

            return bench(as_json=args.json)
        case "tables":
            from sobremesa.cli.commands.tables import run as tables

            return tables(args.seconds, as_json=args.json)
        case "records" | "verify" | "replay":
            from sobremesa.cli.commands.records import run as records

            return records(args)
        case _:
            from sobremesa.cli.commands.games import run as games

            return games(args)


def _open_closed_streams() -> None:
    """Started without a standard stream (by cron, with `>&-`), we read and write nothing there."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nothing = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(nothing, mode, encoding="utf-8"))


def _mute() -> None:
    from .signals import mute

    mute(sys.stdout)


def _log_to_file() -> None:
    """Warnings go to a file if the player names one, and nowhere else: a screen is not a log.

    :raises LocalError: if that file cannot be written
    """
    path = os.environ.get("SOBREMESA_LOG")
    try:
        handler: logging.Handler = (
            logging.FileHandler(path, encoding="utf-8") if path else logging.NullHandler()
        )
    except OSError as error:
        raise LocalError(
            f"the log cannot be written to {path}: {error.strerror}. SOBREMESA_LOG names it"
        ) from error
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    logging.captureWarnings(True)
