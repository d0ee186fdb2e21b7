"""The commands about records of games that were played: verify, replay."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sobremesa.cli.exits import DONE, FAILED
from sobremesa.cli.lines.printing import Counter, complain, say, say_object
from sobremesa.cli.session.news import plain_words
from sobremesa.cli.words.fingerprint import fingerprint
from sobremesa.cli.words.speech import Players, listed, sentence, speak_places
from sobremesa.core.errors import BadTranscript, LocalError
from sobremesa.core.parts import PartBroke, own_code
from sobremesa.core.pieces import Face, Faces, Piece, Seat
from sobremesa.core.replica.audit import audit, reopen
from sobremesa.core.replica.bots import BotPlay
from sobremesa.core.replica.charter import BadCharter
from sobremesa.core.replica.faults import PeerError
from sobremesa.core.replica.table import Table
from sobremesa.core.replica.transcript import MOST_TRANSCRIPT
from sobremesa.core.requests import Event
from sobremesa.plugins.loader import Games, load_games

from .files import read


def run(args: argparse.Namespace) -> int:
    """Run one of these commands; returns the exit status."""
    games = load_games()
    if args.verb == "verify":
        return verify(games, args.file)
    return replay(games, args.file, args.seat, show_all=args.all, as_json=args.json)


def verify(games: Games, path: Path) -> int:
    """Check a transcript; what is wrong is one line, with the culprit named."""
    with Counter("Checking") as counter:
        report = audit(read(path, MOST_TRANSCRIPT), games.find, counter.show)
    charter, game, outcome = report.charter, report.game, report.outcome
    if report.trouble is not None or charter is None or game is None or outcome is None:
        say(f"{path}: NOT VERIFIED: {report.trouble}.")
        return FAILED
    say(f"{path}: verified. {game.title} at {charter.name}: {', '.join(charter.seat_names)}.")
    say(f"{report.steps} steps, all signed, all by the rules, all made again from the seeds.")
    if len(charter.peers) == 1:
        say("One machine played every seat and chose all chance: nobody else added to it.")
    for index, peer in enumerate(charter.peers):
        say(f"The key that signed for {charter.name_of(index)}: {fingerprint(peer.key)}.")
    for play in report.bots:
        say(speak_bot(play))
    say(speak_places(outcome.places, outcome.together, Players()))
    return DONE


MOST_STEPS = 5
"""So many steps are named; of more, only how many there are."""


def speak_bot(play: BotPlay) -> str:
    """Whether a bot moved by itself. What it did not choose accuses nobody."""
    who = f"{play.seat} (bot {play.bot})"
    if not play.installed:
        return f"{who}: whether it moved by itself cannot be told here: there is no such bot."
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


def replay(games: Games, path: Path, seat: Seat | None, *, show_all: bool, as_json: bool) -> int:
    """Tell a saved game again, with what a seat saw, with everything open, or as a spectator."""
    shown: set[Piece] = set()
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
            reopen(read(path, MOST_TRANSCRIPT), games.find, told, counter.show)
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
