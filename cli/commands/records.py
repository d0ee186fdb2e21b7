"""The commands about records of games that were played: records, verify, replay.

Rule 1: at a terminal records and replay open in full screen; elsewhere, and with --plain or --json,
they print lines.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC
from functools import cache
from pathlib import Path
from typing import Any

from sobremesa.cli.draw.theme import Theme, theme_from
from sobremesa.cli.exits import DONE, FAILED, UNCHECKED
from sobremesa.cli.lines.printing import Counter, complain, has_screen, say, say_object
from sobremesa.cli.session.news import plain_words
from sobremesa.cli.session.replay import Replay
from sobremesa.cli.session.tallies import OWN, Sum, Wanted, owner_of, read_listing
from sobremesa.cli.words.fingerprint import fingerprint
from sobremesa.cli.words.played import AnyCopy, NotInstalled, played_game
from sobremesa.cli.words.records import HOW_TO, NOTHING, speak_records, speak_sums
from sobremesa.cli.words.speech import Players, sentence, speak_places
from sobremesa.core import typed
from sobremesa.core.errors import BadTranscript, LocalError
from sobremesa.core.parts import PartBroke, own_code
from sobremesa.core.pieces import Face, Faces, Piece, Seat
from sobremesa.core.replica.audit import Report, audit, reopen
from sobremesa.core.replica.bots import BotPlay
from sobremesa.core.replica.charter import BadCharter, Charter
from sobremesa.core.replica.faults import PeerError
from sobremesa.core.replica.table import Table
from sobremesa.core.replica.transcript import MOST_TRANSCRIPT
from sobremesa.core.requests import Event
from sobremesa.net.kept import MOST, Kept, KeptGames
from sobremesa.plugins.copies import MissingSources
from sobremesa.plugins.loader import load_games
from sobremesa.plugins.voice import listed

from .files import read


def run(args: argparse.Namespace) -> int:
    """Run one of these commands; returns the exit status."""
    if args.verb == "verify":
        return verify(args.file)
    on_screen = has_screen() and not (args.plain or args.json)
    if args.verb == "records":
        return _look_at_records(args) if on_screen else records(args)
    if on_screen and not (args.seat or args.all):
        return _look_at(args.file, theme_from(args))
    return replay(args.file, args.seat, show_all=args.all, as_json=args.json)


def _look_at_records(args: argparse.Namespace) -> int:
    from sobremesa.cli.screen.app import run_screen
    from sobremesa.cli.screen.records import RecordsScreen

    wanted = Wanted(args.game, args.person, args.since)
    games = cache(load_games)
    listing = read_listing(lambda name: games().find(name))
    return asyncio.run(
        run_screen(lambda stage: RecordsScreen(stage, listing, wanted=wanted), theme_from(args))
    )


def _look_at(path: Path, theme: Theme) -> int:
    from sobremesa.cli.screen.app import run_screen
    from sobremesa.cli.screen.replay import ReplayScreen

    copy = AnyCopy()
    try:
        replay = Replay(read(_found(path), MOST_TRANSCRIPT), copy.find)
    except (NotInstalled, MissingSources) as error:
        complain(f"{path}: cannot be told here: {error}.")
        return UNCHECKED
    except (BadTranscript, BadCharter) as error:
        complain(f"{path}: NOT VERIFIED: {error}.")
        return FAILED
    if copy.trouble is not None:
        replay.remarks.append(f"Told by another copy than it was played by: {copy.trouble}.")
    status = asyncio.run(run_screen(lambda stage: ReplayScreen(stage, replay), theme))
    if copy.trouble is not None:
        return UNCHECKED
    return FAILED if replay.trouble is not None else status


def records(args: argparse.Namespace) -> int:
    """List the kept games that are wanted, the newest first, and what these add up to."""
    folder = KeptGames().folder
    games = cache(load_games)  # wanted only where an index is missing
    everything = read_listing(lambda name: games().find(name))
    listing = everything.only(Wanted(args.game, args.person, args.since))
    wanted = listing.games
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
        report = audit(read(file, MOST_TRANSCRIPT), played_game, counter.show)
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


def replay(path: Path, seat: Seat | None, *, show_all: bool, as_json: bool) -> int:
    """Tell a saved game again, with what a seat saw, with everything open, or as a spectator."""
    shown: set[Piece] = set()
    copy = AnyCopy()
    how_far = "told"
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
            reopen(read(_found(path), MOST_TRANSCRIPT), copy.find, told, counter.show)
    except (NotInstalled, MissingSources) as error:
        complain(f"{path}: cannot be told here: {error}.")
        return UNCHECKED
    except (PeerError, BadTranscript, BadCharter) as error:
        if copy.trouble is None:
            complain(f"{path}: NOT VERIFIED: {error}.")
            return FAILED
        how_far = "told as far as it goes"
    if copy.trouble is not None:
        complain(f"{path}: {how_far} by another copy than it was played by: {copy.trouble}.")
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
