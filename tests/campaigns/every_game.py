"""A campaign: every game, with every number of players and every choice of its options.

    python tests/campaigns/every_game.py               every table, one line each
    python tests/campaigns/every_game.py five-alive    those of one game

Each table is played by bots, by the command that people type, and its record is given to `verify`,
which must say of each bot that it moved by itself.
`tests/cli/test_every_game.py` has the quick ones of these.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]
from typing import Any

from support.processes.commands import Ran
from support.processes.machines import Machine, machine

from sobremesa.core.game import Game, OptionValue
from sobremesa.core.replica.transcript import read_transcript
from sobremesa.plugins.loader import load_games

BY_ITSELF = re.compile(
    r"\w+ \(bot [a-z]+\) "
    r"(moved by itself: (\d+) of \2 answers are its own|was never left a choice)\."
)
RESULT = re.compile(r"Ranking: 1 .+\.|All players have (won|lost) together\.")

Run = Callable[..., Ran]
"""Runs `sobremesa` with these words to its end."""


@dataclass(frozen=True, slots=True)
class Table:
    """A game for so many players. `chosen` are the options that are not at their defaults."""

    game: Game[Any]
    seats: int
    chosen: dict[str, OptionValue] = field(default_factory=dict)

    def __str__(self) -> str:
        return " ".join([self.game.id, f"of {self.seats}", *self.flags])

    @property
    def flags(self) -> list[str]:
        """The options as they are typed: `teams=on`."""
        return [f"{key}={value}" for key, value in self.chosen.items()]


def choices(game: Game[Any]) -> list[dict[str, OptionValue]]:
    """Every choice of every option that is not its default, one at a time."""
    return [
        {option.key: choice}
        for option in game.options
        for choice in option.choices
        if choice != option.default
    ]


def every_table(game: Game[Any]) -> Iterator[Table]:
    """Every number of players, with the defaults and with each choice."""
    for seats in game.seats:
        for chosen in ({}, *choices(game)):
            yield Table(game, seats, chosen)


def play_and_verify(table: Table, run: Run, file: Path) -> Ran:
    """Play a table to its end and verify the record, which is saved in `file`; what `play` said.

    :raises AssertionError: if anything is not as it should be
    """
    options = [word for flag in table.flags for word in ("--option", flag)]
    played = run(
        *("play", table.game.id, "--bots", str(table.seats - 1), *options, "--name", "Ana"),
        *("--auto", "--plain", "--pace", "0", "--save", str(file)),
    )
    _must_end_well(played)
    *_, result, checked = played.lines
    if not RESULT.fullmatch(result):
        raise AssertionError(f"the last words are {result!r}")
    _must_be(checked, "The record of the game is verified.")
    charter, _, _ = read_transcript(file.read_bytes())
    _must_be(dict(charter.options), table.game.read_options({}) | table.chosen)
    _must_be(len(charter.seats), table.seats)
    verified = run("verify", str(file))
    _must_end_well(verified)
    _must_be(sum(map(bool, map(BY_ITSELF.fullmatch, verified.lines))), table.seats - 1)
    _must_be(verified.lines[-1], result.replace(" (bot)", "").replace("you", "Ana"))
    return played


def _must_end_well(ran: Ran) -> None:
    if ran.status or ran.err:
        raise AssertionError(f"status {ran.status}, {(ran.err or ran.out).splitlines()[-1]}")


def _must_be(found: object, right: object) -> None:
    if found != right:
        raise AssertionError(f"{found!r} should be {right!r}")


def by_processes(here: Machine) -> Run:
    """Commands as processes on a machine; `verify` hashes otherwise than the rest."""

    def run(*words: str) -> Ran:
        command = here.run(*words, PYTHONHASHSEED="2" if words[0] == "verify" else "1")
        status = command.wait(LONGEST)
        return Ran(status, "\n".join(command.lines), "\n".join(command.errors))

    return run


LONGEST = 120.0


def main(argv: list[str] | None = None) -> int:
    """Play them; the status is 1 if one was not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", help="which games (default: all)")
    wanted = parser.parse_args(argv).games
    games = load_games([])
    failed = 0
    for game in [games.named(name) for name in wanted] or games.games.values():
        for table in every_table(game):
            began = time.monotonic()
            with tempfile.TemporaryDirectory() as folder, machine(Path(folder)) as here:
                try:
                    said = play_and_verify(table, by_processes(here), Path(folder) / "game")
                except AssertionError as error:
                    failed += 1
                    print(f"{table}: WRONG: {error}", flush=True)
                else:
                    took = f"{time.monotonic() - began:.1f} s"
                    print(f"{table}: {took}, verified. {said.lines[-2]}", flush=True)
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
