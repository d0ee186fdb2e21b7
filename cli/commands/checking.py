"""`sobremesa games --check GAME`: the check kit, and the same games once more in a process that
hashes otherwise and lives in another time zone.

A game that walks through a set, or sorts by `hash` or `id`, plays the same within one process and
differently on two machines. One that looks at a clock, or has chance of its own, differs between
any two runs.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

from sobremesa.cli.exits import DONE, FAILED
from sobremesa.cli.lines.printing import say, say_object
from sobremesa.core.errors import LocalError
from sobremesa.core.game import Game
from sobremesa.plugins.check import GAMES, examine
from sobremesa.plugins.check.reports import Examination

ELSEWHERE = """
import sys
from sobremesa.plugins.loader import load_games
from sobremesa.plugins.check import examine
game = load_games().find(sys.argv[1])
sys.stdout.write(examine(game, int(sys.argv[2])).fingerprint)
"""

OTHERWISE = {"PYTHONHASHSEED": ("1", "2"), "TZ": ("EAST-12:30", "WEST+12:30")}
"""What is set for the other process: of two values the first that is not ours. The zones, as POSIX
writes them, are half a day and half an hour from UTC: hour and minute are other ones there."""


class NotChecked(LocalError):
    """The other process did not come to an end."""


def check(game: Game[Any], *, as_json: bool, games: int = GAMES) -> int:
    """Check an installed game and print what was found.

    :raises NotChecked: if that cannot be done
    """
    with _elsewhere(game, games) as other:
        try:
            found = examine(game, games)
            findings = [*found.findings, *_otherwise(other, found)]
        finally:
            other.kill()
    if as_json:
        say_object({"game": game.id, "games": found.games, "findings": findings})
    else:
        for line in findings:
            say(line)
        verdict = "not right yet" if findings else "nothing is wrong"
        say(f"{game.title}: {found.games} random games, then again elsewhere: {verdict}.")
    return FAILED if findings else DONE


def _elsewhere(game: Game[Any], games: int) -> subprocess.Popen[str]:
    """The same check in a process that is set otherwise."""
    there = {
        name: next(value for value in values if value != os.environ.get(name))
        for name, values in OTHERWISE.items()
    }
    return subprocess.Popen(
        [sys.executable, "-c", ELSEWHERE, game.id, str(games)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **there},
    )


def _otherwise(other: subprocess.Popen[str], found: Examination) -> list[str]:
    """:raises NotChecked: if the other process broke"""
    fingerprint, errors = other.communicate()
    if other.returncode:
        last = errors.strip().splitlines()[-1:]
        raise NotChecked(f"the check broke in the other process: {' '.join(last)}")
    if fingerprint == found.fingerprint:
        return []
    return [
        "another process plays the same game differently: is there a clock, chance of its own, or "
        "the order of a set, a hash or an id?"
    ]
