"""The kit that checks a game: random games, and at each moment all that the contract asks.

What it finds is what would else show in mid-game, on one machine and not on another, or to one
player and not to the next: a view that breaks, a move that cannot be typed back, an answer that
other tables refuse, a face that shines through.

Rule 1: whatever game code raises is a finding; the check itself raises nothing of it.
Rule 2: all chance comes from numbered streams, so that what was found is found again.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from sobremesa.core.encoding import digest
from sobremesa.core.game import Game, Options

from .kit import NAMES, Playout
from .reports import Examination, Findings

GAMES = 20


def check_game(game: Game[Any], games: int = GAMES) -> list[str]:
    """Check a game by so many random ones, with every number of seats and every choice of every
    option at least once. Returns what is wrong, a line each."""
    return list(examine(game, games).findings)


def examine(game: Game[Any], games: int = GAMES) -> Examination:
    """The same as `check_game`, with the fingerprint."""
    findings = Findings()
    choices, counts = _every_option(game), game.seats
    once = max(len(choices), len(counts))
    numbers = range(max(games, once))
    seen: list[str] = []
    for number in numbers:
        count = counts[number % len(counts)]
        options = choices[(number + number // once) % len(choices)]
        playout = Playout(game, NAMES[:count], options, number, findings)
        with findings.catch("the game", f"with {count} seats and {dict(options)}"):
            playout.run()
        seen += playout.seen
    for page in fields(game.help):
        if not getattr(game.help, page.name).strip():
            findings.add(f"the help page {page.name} is empty")
    return Examination(findings.lines(), len(numbers), digest("check", *seen).hex())


def _every_option(game: Game[Any]) -> list[Options]:
    """The default options, and with each other choice of each."""
    default = game.read_options({})
    others = [
        {**default, option.key: choice}
        for option in game.options
        for choice in option.choices
        if choice != option.default
    ]
    return [default, *others]
