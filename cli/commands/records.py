"""The commands about records of games that were played: verify, replay.

Rule 1: of all plugins only the one that brings the record's game is loaded: no other code runs.
Rule 2: nobody is convicted by another copy of the game than the one that was played.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from sobremesa.cli.exits import DONE, FAILED, UNCHECKED
from sobremesa.cli.lines.printing import complain, say, say_object
from sobremesa.cli.session.copies import named
from sobremesa.cli.words.fingerprint import fingerprint
from sobremesa.cli.words.speech import Players, sentence, speak_places
from sobremesa.core.errors import BadTranscript, LocalError
from sobremesa.core.game import Game
from sobremesa.core.pieces import Face, Faces, Piece, Seat
from sobremesa.core.replica.audit import audit, reopen
from sobremesa.core.replica.charter import BadCharter, Charter
from sobremesa.core.replica.faults import PeerError
from sobremesa.core.replica.table import Table
from sobremesa.core.requests import Event
from sobremesa.plugins.copies import MissingSources
from sobremesa.plugins.loader import Games, UnknownGame, load_game
from sobremesa.plugins.voice import listed

from .files import read


class OtherCopy(LocalError):
    """The game is here, but not by the very code that played it."""


def run(args: argparse.Namespace) -> int:
    """Run one of these commands; returns the exit status."""
    if args.verb == "verify":
        return verify(args.file)
    return replay(args.file, args.seat, show_all=args.all, as_json=args.json)


def verify(path: Path) -> int:
    """Check a transcript; what is wrong is one line, with the culprit named."""
    report = audit(read(path), _played)
    charter, game, outcome = report.charter, report.game, report.outcome
    if charter is not None and report.unchecked is not None:
        say(f"{path}: cannot be checked here. {sentence(report.unchecked)}")
        say(f"{report.steps} steps, all signed, in one order, over one history that all began.")
        _say_keys(charter)
        return UNCHECKED
    if report.trouble is not None or charter is None or game is None or outcome is None:
        say(f"{path}: NOT VERIFIED: {report.trouble}.")
        return FAILED
    say(f"{path}: verified. {game.title} at {charter.name}: {', '.join(charter.seat_names)}.")
    say(f"{report.steps} steps, all signed, all by the rules, all made again from the seeds.")
    if len(charter.peers) == 1:
        say("One machine played every seat and chose all chance: nobody else added to it.")
    _say_keys(charter)
    say(speak_places(outcome.places, outcome.together, Players()))
    return DONE


def _say_keys(charter: Charter) -> None:
    for index, peer in enumerate(charter.peers):
        say(f"The key that signed for {charter.name_of(index)}: {fingerprint(peer.key)}.")


def _played(charter: Charter) -> Game[Any]:
    """The copy of the game that everybody at this table played by.

    :raises UnknownGame: if the game is not installed
    :raises OtherCopy: if ours is another one
    """
    games = load_game(charter.game)
    game = games.find(charter.game)
    _expect_copy(games, game, charter)
    return game


def _expect_copy(games: Games, game: Game[Any], charter: Charter) -> None:
    """:raises OtherCopy: if somebody at this table played by another copy than ours"""
    ours = games.copy(game)
    players: dict[bytes, list[Seat]] = {}
    for index, peer in enumerate(charter.peers):
        if peer.rules != ours.fingerprint:
            players.setdefault(peer.rules, []).append(charter.name_of(index))
    if players:
        theirs = " and ".join(
            f"{listed(names)} by the copy {fingerprint(rules)}" for rules, names in players.items()
        )
        versions = f"rules {charter.rules_version} there, {game.rules_version} here; "
        raise OtherCopy(
            f"{game.title} was played {theirs}; "
            + (versions if charter.rules_version != game.rules_version else "")
            + f"yours, of {named(ours)}, is {fingerprint(ours.fingerprint)}"
        )


def replay(path: Path, seat: Seat | None, *, show_all: bool, as_json: bool) -> int:
    """Tell a saved game again, with what a seat saw, with everything open, or as a spectator."""
    shown: set[Piece] = set()
    other: list[LocalError] = []
    how_far = "told"

    def find(charter: Charter) -> Game[Any]:
        games = load_game(charter.game)
        game = games.find(charter.game)
        try:
            _expect_copy(games, game, charter)
        except OtherCopy as error:
            other.append(error)
        return game

    def told(table: Table, event: Event) -> None:
        viewer = _viewer(table, seat)
        hands = _new_hands(table, viewer, shown, show_all=show_all)
        if as_json:
            say_object({**event, "hands": hands})
            return
        for name, faces in hands.items():
            say(f"  {name} has {' '.join(map(str, faces))}")
        say(sentence(table.game.describe(event, viewer)))

    try:
        reopen(read(path), find, told)
    except (UnknownGame, MissingSources) as error:
        complain(f"{path}: cannot be told here: {error}")
        return UNCHECKED
    except (PeerError, BadTranscript, BadCharter) as error:
        if not other:
            complain(f"{path}: NOT VERIFIED: {error}.")
            return FAILED
        how_far = "told as far as it goes"
    if other:
        complain(f"{path}: {how_far} by another copy than it was played by: {other[0]}.")
        return UNCHECKED
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
