"""Whole games in line mode, by what was spoken alone: a player that knows no game types nothing but
what `moves` has just said."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.processes.machines import environment

from sobremesa.plugins.loader import load_games

GAMES = sorted(load_games([]).games)

MOST_LINES = 5000
"""Lines after which a game is none that comes to its end."""

ASKED = re.compile(r"Your turn|Speak now|Choose your|Name the")
"""How a line begins that asks for something."""
MOVE = re.compile(r"(?P<label>[^;]*?) \((?P<key>.)\)(?: (?P<count>\d+) cards?)?(?:: (?P<rest>.*))?")
SUIT = re.compile(r"(spades|hearts|diamonds|clubs) (.*)")


@contextmanager
def listening(game: str, home: Path) -> Iterator[subprocess.Popen[str]]:
    """A game against two bots, in line mode."""
    words = ["play", game, "--plain", "--name", "Ana", "--bots", "2", "--pace", "0"]
    with subprocess.Popen(
        [sys.executable, "-m", "sobremesa", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        bufsize=1,
        env=environment(home),
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def named(said: str) -> list[str]:
    """The cards, or whole answers, that were listed after a move, as one would say them again."""
    things = []
    for group in said.split("; "):
        suit = SUIT.fullmatch(group)
        listed = (suit[2] if suit else group).split(", ")
        things += [f"{one} of {suit[1]}" if suit else one for one in listed]
    return things


def choose(said: str, rng: random.Random) -> str:
    """One of the answers in "You can: ...", as it is typed."""
    possible = said.removeprefix("You can: ").split(". Not now:")[0].rstrip(".")
    moves = [MOVE.fullmatch(part) for part in re.split(r"; (?=[A-Z][^;]*? \(.\))", possible)]
    move = rng.choice([move for move in moves if move and move["label"] != "Give up"])
    if not move["rest"]:
        return move["key"]
    things = named(move["rest"])
    if move["count"]:
        return f"{move['key']} " + ", ".join(rng.sample(things, int(move["count"])))
    thing = rng.choice(things)
    span = re.fullmatch(r"(.*\d\S*) to (.*\d\S*)", thing)
    whole = re.match(r"\d+x|bid |steal |coup |assassinate |joker ", thing)
    return rng.choice(span.groups()) if span else thing if whole else f"{move['key']} {thing}"


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_by_what_was_spoken_alone(game: str, tmp_path: Path) -> None:
    rng = random.Random(7)
    heard: list[str] = []
    typed = 0
    with listening(game, tmp_path) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line in map(str.rstrip, process.stdout):
            heard.append(line)
            assert len(heard) < MOST_LINES, heard[-20:]
            assert not line.startswith("I don't know"), heard[-12:]
            assert " must be " not in line or line.startswith(("Your", "Tip", "You can")), heard[
                -5:
            ]
            if ASKED.match(line):
                process.stdin.write("moves\n")
            elif line.startswith("You can: "):
                typed += 1
                process.stdin.write(choose(line, rng) + "\n")
            if line.startswith("The record of the game"):
                break
    assert heard[-1] == "The record of the game is verified."
    assert typed
