"""The game of a record: the very copy that everybody at its table played by, or in words why there
is none here.

Rule 1: of all plugins only the one that brings the record's game is loaded: no other code runs.
Rule 2: nobody is convicted by another copy of the game than the one that was played.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sobremesa.cli.session.copies import named
from sobremesa.core.errors import LocalError
from sobremesa.core.game import Game
from sobremesa.core.pieces import Seat
from sobremesa.core.replica.audit import Report, audit
from sobremesa.core.replica.charter import Charter, Copy
from sobremesa.net.kept import KeptGames
from sobremesa.plugins.loader import Games, load_game
from sobremesa.plugins.voice import listed

from .fingerprint import fingerprint


class NotInstalled(LocalError):
    """The game of a record is not here."""


class OtherCopy(LocalError):
    """The game is here, but not by the very code that played it."""


def played_game(charter: Charter) -> Game[Any]:
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


class AnyCopy:
    """Finds the game of a record by whatever copy is here; `trouble` is why it is another one."""

    def __init__(self) -> None:
        self.trouble: OtherCopy | None = None

    def find(self, charter: Charter) -> Game[Any]:
        """The game of a table.

        :raises NotInstalled: if it is not here
        :raises MissingSources: if nobody can tell by which copy it was played
        """
        games, game = _installed(charter)
        try:
            _expect_copy(games.copy(game), game, charter)
        except OtherCopy as error:
            self.trouble = error
        return game


def check(path: Path) -> Report:
    """Check a kept record, and note whether it holds.

    :raises LocalError: if it cannot be read
    """
    try:
        report = audit(path.read_bytes(), played_game)
    except OSError as error:
        raise LocalError(f"cannot read {path.name}: {error.strerror}") from error
    if report.unchecked is None:
        KeptGames().judge(path, report.ok)
    return report
