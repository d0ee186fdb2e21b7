"""The commands about games and their records: games, rules, verify, replay, scenario."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from sobremesa.core.audit import audit, reopen
from sobremesa.core.errors import BadTranscript, LocalError, PeerError
from sobremesa.core.game import Game
from sobremesa.core.pieces import Face, Piece, Seat
from sobremesa.core.requests import Event
from sobremesa.core.scenario import differences, exit_status, play_scenario, read_scenario
from sobremesa.core.table import Table
from sobremesa.plugins import Games, load_games

from .main import DONE, FAILED, USAGE
from .pages import spoken_page
from .speech import speak


class Unreadable(LocalError):
    """A file that cannot be read."""


def run(args: argparse.Namespace) -> int:
    """Run one of these commands; returns the exit status."""
    games = load_games()
    match args.verb:
        case "games":
            return list_games(games, as_json=args.json)
        case "rules":
            return show_rules(games.find(args.game), tips=args.tips, faq=args.faq)
        case "verify":
            return verify(games, args.file)
        case "replay":
            return replay(games, args.file, args.seat, show_all=args.all, as_json=args.json)
        case "scenario":
            return scenario(games, args.file)
        case verb:
            raise AssertionError(verb)


def list_games(games: Games, *, as_json: bool) -> int:
    """What is installed, with options and origin; what could not be loaded, with the reason."""
    if as_json:
        rows = [_game_object(game, games.origins[id]) for id, game in sorted(games.games.items())]
        print(json.dumps({"games": rows, "broken": games.broken}, ensure_ascii=False))
        return DONE
    for id, game in sorted(games.games.items()):
        least, most = game.seats[0], game.seats[-1]
        print(f"{id}: {game.title}, {least} to {most} players ({games.origins[id]}). {game.about}")
        for option in game.options:
            choices = "|".join(map(str, option.choices))
            print(f"    --option {option.key}={choices}  {option.help} Default: {option.default}.")
    for line in games.broken:
        print(f"sobremesa: {line}", file=sys.stderr)
    return DONE


def _game_object(game: Game, origin: str) -> dict[str, Any]:
    return {
        "id": game.id,
        "title": game.title,
        "about": game.about,
        "seats": [game.seats[0], game.seats[-1]],
        "rules_version": game.rules_version,
        "origin": origin,
        "bots": [bot.id for bot in game.bots],
        "options": [
            {"key": o.key, "default": o.default, "choices": list(o.choices), "help": o.help}
            for o in game.options
        ],
    }


def show_rules(game: Game, *, tips: bool, faq: bool) -> int:
    """A help page as text."""
    page = game.help.tips if tips else game.help.faq if faq else game.help.rules
    print("\n".join(spoken_page(page)))
    return DONE


def verify(games: Games, path: Path) -> int:
    """Check a transcript; what is wrong is one line, with the culprit named."""
    report = audit(_read(path), games.find)
    if not report.ok:
        print(f"{path}: NOT VERIFIED: {report.trouble}.")
        return FAILED
    assert report.charter is not None and report.game is not None and report.outcome is not None
    seats = ", ".join(report.charter.seat_names)
    print(f"{path}: verified. {report.game.title} at {report.charter.name}: {seats}.")
    print(f"{report.steps} steps, all signed, all by the rules, all made again from the seeds.")
    for place, who in enumerate(report.outcome.places, 1):
        print(f"{place}. {', '.join(who)}")
    return DONE


def replay(games: Games, path: Path, seat: Seat | None, *, show_all: bool, as_json: bool) -> int:
    """Tell a saved game again, with what a seat saw, with everything open, or as a spectator."""

    def told(table: Table, event: Event, known: dict[Piece, Face]) -> None:
        viewer = _viewer(table, seat)
        if as_json:
            line: dict[str, Any] = {**event}
            if show_all or viewer:
                line["known"] = _known(table, viewer)
            print(json.dumps(line, ensure_ascii=False))
            return
        print(table.game.tell(event, viewer))
        if show_all and known and event["kind"] in _rounds(table):
            for name, faces in _known(table, None).items():
                print(f"  {name}: {' '.join(map(str, faces))}")

    try:
        table = reopen(_read(path), games.find, told)
    except PeerError as error:
        print(f"{path}: NOT VERIFIED: {error}.")
        return FAILED
    except BadTranscript as error:
        print(f"{path}: {error}.")
        return FAILED
    _viewer(table, seat)
    if not as_json and seat is not None and table.state is not None:
        print("\n".join(speak(table.game.view(table.state, seat, table.faces(seat)), seat)))
    return DONE


def _rounds(table: Table) -> set[str]:
    """The events at which everything is open to see: where a round begins."""
    return {table.events[0]["kind"]} if table.events else set()


def _viewer(table: Table, seat: Seat | None) -> Seat | None:
    """:raises LocalError: if nobody of that name sits at the table"""
    names = {name.casefold(): name for name in table.charter.seat_names}
    if seat is not None and seat.casefold() not in names:
        who = ", ".join(table.charter.seat_names)
        raise LocalError(f"nobody at this table is called {seat!r}; there are: {who}")
    return None if seat is None else names[seat.casefold()]


def _known(table: Table, viewer: Seat | None) -> dict[Seat, list[Face]]:
    """The faces of the latest pieces of each seat that the viewer (None: the audit) knows."""
    known = table.desk.known if viewer is None else table.faces(viewer)
    shown: dict[Seat, list[Face]] = {}
    latest = max((piece.roll for piece in table.desk.cups), default=-1)
    for piece, face in sorted(known.items()):
        if piece.roll == latest:
            shown.setdefault(piece.seat, []).append(face)
    return shown


def scenario(games: Games, file: str) -> int:
    """Play a scenario file and print the state that it leads to."""
    text = sys.stdin.read() if file == "-" else _read(Path(file)).decode("utf-8", "replace")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        print(f"sobremesa: {file} is not JSON: {error}", file=sys.stderr)
        return USAGE
    played = read_scenario(data, games.find)
    output = play_scenario(played)
    print(json.dumps(output, ensure_ascii=False, indent=1))
    unexpected = differences(played.expect, output) if played.expect is not None else []
    for line in unexpected:
        print(line, file=sys.stderr)
    return exit_status(played, output, unexpected)


def _read(path: Path) -> bytes:
    """:raises Unreadable: if there is no such file, or it is not ours to read"""
    try:
        return path.read_bytes()
    except OSError as error:
        raise Unreadable(f"cannot read {path}: {error.strerror}") from error
