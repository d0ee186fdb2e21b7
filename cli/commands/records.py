"""The commands about records of games that were played: records, verify, replay.

Rule 1: of all plugins only the one that brings the record's game is loaded: no other code runs.
Rule 2: nobody is convicted by another copy of the game than the one that was played.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC
from functools import cache
from pathlib import Path
from typing import Any

from sobremesa.cli.exits import DONE, FAILED, UNCHECKED
from sobremesa.cli.lines.printing import Counter, complain, say, say_object
from sobremesa.cli.session.copies import named
from sobremesa.cli.session.news import plain_words
from sobremesa.cli.session.tallies import OWN, Listing, Sum, owner_of, read_listing
from sobremesa.cli.words.fingerprint import fingerprint
from sobremesa.cli.words.records import HOW_TO, NOTHING, speak_records, speak_sums
from sobremesa.cli.words.speech import Players, sentence, speak_places
from sobremesa.core import typed
from sobremesa.core.errors import BadTranscript, LocalError
from sobremesa.core.game import Game
from sobremesa.core.names import are_alike
from sobremesa.core.parts import PartBroke, own_code
from sobremesa.core.pieces import Face, Faces, Piece, Seat
from sobremesa.core.replica.audit import Report, audit, reopen
from sobremesa.core.replica.bots import BotPlay
from sobremesa.core.replica.charter import BadCharter, Charter, Copy
from sobremesa.core.replica.faults import PeerError
from sobremesa.core.replica.table import Table
from sobremesa.core.replica.transcript import MOST_TRANSCRIPT
from sobremesa.core.requests import Event
from sobremesa.net.kept import MOST, Kept, KeptGames
from sobremesa.plugins.copies import MissingSources
from sobremesa.plugins.loader import Games, load_game, load_games
from sobremesa.plugins.voice import listed

from .files import read


class NotInstalled(LocalError):
    """The game of a record is not here."""


class OtherCopy(LocalError):
    """The game is here, but not by the very code that played it."""


def run(args: argparse.Namespace) -> int:
    """Run one of these commands; returns the exit status."""
    if args.verb == "records":
        return records(args)
    if args.verb == "verify":
        return verify(args.file)
    return replay(args.file, args.seat, show_all=args.all, as_json=args.json)


def records(args: argparse.Namespace) -> int:
    """List the kept games that are wanted, the newest first, and what these add up to."""
    folder = KeptGames().folder
    games = cache(load_games)  # wanted only where an index is missing
    everything = read_listing(lambda name: games().find(name))
    wanted = [(number, kept) for number, kept in everything.games if _is_wanted(kept, args)]
    listing = Listing(wanted, everything.own)
    if args.json:
        say_object(
            {
                "folder": str(folder),
                "records": [_record_object(n, kept, listing.own) for n, kept in wanted],
                "sums": [_sum_object(sum) for sum in listing.sums],
            }
        )
        return DONE
    if not wanted:
        count = len(everything.games)
        say(f"None of the {count} games that are kept is such a one." if count else NOTHING)
        return DONE
    for (_, kept), line in zip(wanted, speak_records(listing), strict=True):
        say(f"{line} {kept.path.name}")
    for title, lines in speak_sums(listing.sums):
        say()
        say(title)
        for line in lines:
            say(f"  {line}")
    say()
    say(f"The last {MOST} games are kept in {folder}. {HOW_TO}")
    return DONE


def _is_wanted(kept: Kept, args: argparse.Namespace) -> bool:
    if args.since is not None and kept.when < args.since:
        return False
    summary = kept.summary
    if summary is None:
        return args.game is None and args.person is None
    if args.game is not None and not typed.meant(
        args.game.replace("_", "-"),
        [summary],
        lambda one: (one.game, one.title, one.game.replace("-", " ")),
    ):
        return False
    return args.person is None or any(are_alike(args.person, seat) for _, seat in summary.people)


def _record_object(number: int, kept: Kept, own: bytes | None) -> dict[str, Any]:
    told: dict[str, Any] = {
        "number": number,
        "file": kept.path.name,
        "when": kept.when.astimezone(UTC).isoformat(),
        "watched": kept.watched,
    }
    summary = kept.summary
    if summary is None:
        return {**told, "end": "damaged", "why": kept.trouble}
    return {
        **told,
        "game": summary.game,
        "title": summary.title,
        "table": summary.name,
        "people": [
            {"key": key.hex(), "name": seat, "you": owner_of(summary, key, own) == OWN}
            for key, seat in summary.people
        ],
        "bots": list(summary.bots),
        "end": summary.end,
        "why": summary.why,
        "places": [list(seats) for seats in summary.places],
        "together": summary.together,
        "verified": summary.verified,
    }


def _sum_object(sum: Sum) -> dict[str, Any]:
    return {
        "game": sum.game or None,
        "played": sum.played,
        "without_result": sum.without_result,
        "people": [
            {
                "key": tally.key.hex() or None,
                "name": tally.name,
                "you": tally.key == OWN,
                "played": tally.played,
                "won": tally.won,
                "places": {str(place): n for place, n in sorted(tally.places.items())},
                "longest_run": tally.run,
            }
            for tally in sum.people
        ],
    }


def _found(given: Path) -> Path:
    """The record that is meant: a file, or one of those kept here, by its number or its name.

    :raises LocalError: if there is none of that number
    """
    name = str(given)
    if os.path.exists(given) or given.name != name:
        return given
    paths = KeptGames().paths()
    if re.fullmatch("[0-9]{1,6}", name):
        if not 1 <= int(name) <= len(paths):
            raise LocalError(
                f"there is no record {name}: {len(paths)} are kept here; "
                "sobremesa records lists them"
            )
        return paths[int(name) - 1]
    return next((path for path in paths if name in (path.name, path.stem)), given)


def verify(path: Path) -> int:
    """Check a transcript; what is wrong is one line, with the culprit named."""
    file = _found(path)
    with Counter("Checking") as counter:
        report = audit(read(file, MOST_TRANSCRIPT), _played, counter.show)
    if report.unchecked is None:
        KeptGames().judge(file, report.ok)
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
    for line in speak_checked(report):
        say(line)
    if len(charter.peers) == 1:
        say("One machine played every seat and chose all chance: nobody else added to it.")
    _say_keys(charter)
    for play in report.bots:
        say(speak_bot(play))
    say(speak_places(outcome.places, outcome.together, Players()))
    return DONE


def speak_checked(report: Report) -> list[str]:
    """What was checked of a game that is right, and of whom not all could be."""
    gone = report.departures
    whose = f"those of all but {listed([one.name for one in gone])}" if gone else "all"
    said = f"{report.steps} steps, all signed, all by the rules, {whose} made again from the seeds."
    went_on = [
        f"From step {one.step} the game went on without {one.name}, who {one.clause}."
        for one in gone
    ]
    return [said, *went_on]


MOST_STEPS = 5
"""So many steps are named; of more, only how many there are."""


def speak_bot(play: BotPlay) -> str:
    """Whether a bot moved by itself. What it did not choose accuses nobody."""
    who = f"{play.seat} (bot {play.bot})"
    if not play.installed:
        return f"{who}: no bot of the game's own package, so nobody can tell whether it chose."
    if not play.answers:
        return f"{who} was never left a choice."
    own = play.answers - len(play.other) - len(play.broken)
    by_itself = " moved by itself" if own == play.answers else ""
    told = [f"{who}{by_itself}: {own} of {play.answers} answers are its own"]
    if play.other:
        told.append(
            f"at {_steps(play.other)} this machine's bot answers otherwise (a person may have "
            "chosen, or another version of the bot)"
        )
    if play.broken:
        told.append(f"at {_steps(play.broken)} it breaks on this machine")
    return "; ".join(told) + "."


def _steps(steps: tuple[int, ...]) -> str:
    if len(steps) > MOST_STEPS:
        return f"{len(steps)} steps"
    return f"step{'s' * (len(steps) > 1)} {listed([str(step) for step in steps])}"


def _say_keys(charter: Charter) -> None:
    for index, peer in enumerate(charter.peers):
        say(f"The key that signed for {charter.name_of(index)}: {fingerprint(peer.key)}.")


def _played(charter: Charter) -> Game[Any]:
    """The copy of the game that everybody at this table played by.

    :raises NotInstalled: if the game is not here
    :raises OtherCopy: if ours is another one
    :raises MissingSources: if nobody can tell
    """
    games, game = _installed(charter)
    _expect_copy(games.copy(game), game, charter)
    return game


def _installed(charter: Charter) -> tuple[Games, Game[Any]]:
    """The game of a table, loaded alone.

    :raises NotInstalled: if it is not here
    """
    games = load_game(charter.game)
    if charter.game not in games.games:
        everybody = [charter.name_of(index) for index in range(len(charter.peers))]
        broken = "".join(f"; {line}" for line in games.broken)
        raise NotInstalled(
            f"the game {charter.game} is not installed here{broken}; it was played "
            + _by_copies(charter, everybody)
        )
    return games, games.games[charter.game]


def _expect_copy(ours: Copy, game: Game[Any], charter: Charter) -> None:
    """:raises OtherCopy: if somebody at this table played by another copy than ours"""
    rules = [peer.rules for peer in charter.peers]
    others = [charter.name_of(i) for i, copy in enumerate(rules) if copy != ours.fingerprint]
    if others:
        versions = f"rules {charter.rules_version} there, {game.rules_version} here; "
        raise OtherCopy(
            f"{game.title} was played {_by_copies(charter, others)}; "
            + (versions if charter.rules_version != game.rules_version else "")
            + f"yours, of {named(ours)}, is {fingerprint(ours.fingerprint)}"
        )


def _by_copies(charter: Charter, names: Sequence[Seat]) -> str:
    """By which copies these played: "by the copy ... (Ana and Bea)"."""
    players: dict[bytes, list[Seat]] = {}
    for index, peer in enumerate(charter.peers):
        if charter.name_of(index) in names:
            players.setdefault(peer.rules, []).append(charter.name_of(index))
    return " and ".join(
        f"by the copy {fingerprint(rules)} ({listed(owners)})" for rules, owners in players.items()
    )


def replay(path: Path, seat: Seat | None, *, show_all: bool, as_json: bool) -> int:
    """Tell a saved game again, with what a seat saw, with everything open, or as a spectator."""
    shown: set[Piece] = set()
    other: list[LocalError] = []
    how_far = "told"

    def find(charter: Charter) -> Game[Any]:
        games, game = _installed(charter)
        try:
            _expect_copy(games.copy(game), game, charter)
        except OtherCopy as error:
            other.append(error)
        return game

    broken: set[str] = set()

    @contextmanager
    def can_do_without(part: str, table: Table) -> Iterator[None]:
        """Say once that a part of the game broke, and go on without it."""
        try:
            with own_code(table.game.title, part):
                yield
        except PartBroke as error:
            if part not in broken:
                complain(error)
            broken.add(part)

    def told(table: Table, event: Event) -> None:
        counter.clear()
        viewer = _viewer(table, seat)
        hands: dict[Seat, list[Face]] = {}
        with can_do_without("pieces", table):
            hands = _new_hands(table, viewer, shown, show_all=show_all)
        if as_json:
            say_object({**event, "hands": hands})
            return
        for name, faces in hands.items():
            say(f"  {name} has {' '.join(map(str, faces))}")
        text = plain_words(event)
        with can_do_without("words", table):
            text = table.game.describe(event, viewer)
        say(sentence(text))

    try:
        with Counter("Checking", shown=not as_json) as counter:
            reopen(read(_found(path), MOST_TRANSCRIPT), find, told, counter.show)
    except (NotInstalled, MissingSources) as error:
        complain(f"{path}: cannot be told here: {error}.")
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
    names = {typed.key(name): name for name in table.charter.seat_names}
    if seat is not None and typed.key(seat) not in names:
        who = ", ".join(table.charter.seat_names)
        raise LocalError(f"nobody at this table is called {seat!r}; there are: {who}")
    return None if seat is None else names[typed.key(seat)]


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
