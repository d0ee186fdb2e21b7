"""The commands about games and their records: games, rules, verify, replay, scenario."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, BinaryIO

from sobremesa.core.errors import BadTranscript, LocalError
from sobremesa.core.game import Game
from sobremesa.core.pieces import Face, Faces, Piece, Seat
from sobremesa.core.replica.audit import audit, reopen
from sobremesa.core.replica.charter import BadCharter
from sobremesa.core.replica.faults import PeerError
from sobremesa.core.replica.table import Table
from sobremesa.core.requests import Event
from sobremesa.core.scenario import differences, exit_status, play_scenario, read_scenario
from sobremesa.plugins import Games, load_games

from .exits import DONE, FAILED
from .pages import spoken_page
from .printing import complain, say, say_object
from .speech import Company, sentence, speak_places
from .theme import one_line

MOST_BYTES = 1 << 28
"""No game fills such a file; /dev/zero would."""


class Unreadable(LocalError):
    """A file that cannot be read, or that is not what it should be."""


def run(args: argparse.Namespace) -> int:
    """Run one of these commands; returns the exit status."""
    games = load_games()
    match args.verb:
        case "games" if args.check is not None:
            from .checking import check

            return check(games.find(args.check), as_json=args.json)
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
        say_object({"games": rows, "broken": games.broken})
        return DONE
    for id, game in sorted(games.games.items()):
        least, most = game.seats[0], game.seats[-1]
        say(f"{id}: {game.title}, {least} to {most} players ({games.origins[id]}). {game.about}")
        for option in game.options:
            choices = "|".join(map(str, option.choices))
            about = f"{sentence(option.help)} Default: {option.default}."
            say(f"    --option {option.key}={choices}  {about}")
    for line in games.broken:
        complain(line)
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
    for line in spoken_page(page):
        say(line)
    return DONE


def verify(games: Games, path: Path) -> int:
    """Check a transcript; what is wrong is one line, with the culprit named."""
    report = audit(_read(path), games.find)
    charter, game, outcome = report.charter, report.game, report.outcome
    if report.trouble is not None or charter is None or game is None or outcome is None:
        say(f"{path}: NOT VERIFIED: {report.trouble}.")
        return FAILED
    say(f"{path}: verified. {game.title} at {charter.name}: {', '.join(charter.seat_names)}.")
    say(f"{report.steps} steps, all signed, all by the rules, all made again from the seeds.")
    keys = ", ".join(f"{peer.name} {peer.key.hex()[:8]}" for peer in charter.peers)
    say(f"The keys that signed: {keys}.")
    say(speak_places(outcome.places, outcome.together, Company()))
    return DONE


def replay(games: Games, path: Path, seat: Seat | None, *, show_all: bool, as_json: bool) -> int:
    """Tell a saved game again, with what a seat saw, with everything open, or as a spectator."""
    shown: set[Piece] = set()

    def told(table: Table, event: Event) -> None:
        viewer = _viewer(table, seat)
        hands = _new_hands(table, viewer, shown, show_all=show_all)
        if as_json:
            say_object({**event, "hands": hands})
            return
        for name, faces in hands.items():
            say(f"  {name} has {' '.join(map(str, faces))}")
        say(sentence(table.game.tell(event, viewer)))

    try:
        reopen(_read(path), games.find, told)
    except (PeerError, BadTranscript, BadCharter) as error:
        complain(f"{path}: NOT VERIFIED: {error}.")
        return FAILED
    return DONE


def _viewer(table: Table, seat: Seat | None) -> Seat | None:
    """:raises LocalError: if nobody of that name sits at the table"""
    names = {name.casefold(): name for name in table.charter.seat_names}
    if seat is not None and seat.casefold() not in names:
        who = ", ".join(table.charter.seat_names)
        raise LocalError(f"nobody at this table is called {seat!r}; there are: {who}")
    return None if seat is None else names[seat.casefold()]


def _new_hands(
    table: Table, viewer: Seat | None, shown: set[Piece], *, show_all: bool
) -> dict[Seat, list[Face]]:
    """What came to lie before each seat since the last event, as far as the viewer may see it;
    `shown` grows by it."""
    known: Faces = table.replica_state.known if show_all else table.faces(viewer) if viewer else {}
    hands: dict[Seat, list[Face]] = {}
    if table.state is not None:
        for seat, pieces in table.game.pieces(table.state).items():
            new = [p for p in pieces if p is not None and p in known and p not in shown]
            shown.update(new)
            if new:
                hands[seat] = [known[piece] for piece in new]
    return hands


def scenario(games: Games, file: str) -> int:
    """Play a scenario file and print the state that it leads to.

    :raises LocalError: if it cannot be read or played
    """
    name = "the standard input" if file == "-" else file
    data = _limited(sys.stdin.buffer, name) if file == "-" else _read(Path(file))
    try:
        given = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise Unreadable(f"{name} is not UTF-8 text (byte {error.start})") from error
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{name} is not JSON: {error}") from error
    played = read_scenario(given, games.find)
    output = play_scenario(played)
    say_object(output, indent=1)
    unexpected = differences(played.expect, output) if played.expect is not None else []
    for line in unexpected:
        print(one_line(line), file=sys.stderr)
    return exit_status(played, output, unexpected)


def _read(path: Path) -> bytes:
    """:raises Unreadable: if there is no such file, or it is not ours to read, or too large"""
    try:
        with path.open("rb") as file:
            return _limited(file, str(path))
    except OSError as error:
        raise Unreadable(f"cannot read {path}: {error.strerror}") from error


def _limited(file: BinaryIO, name: str) -> bytes:
    """:raises Unreadable: if there is more in it than any game fills"""
    data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise Unreadable(f"{name} is too large: more than {MOST_BYTES >> 20} MiB")
    return data
