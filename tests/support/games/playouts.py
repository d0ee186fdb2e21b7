"""Random games on the open table, for whoever tests a game.

Rule 1: nothing is random but what is made from a seed, so that a game can be had again.
"""

from __future__ import annotations

import ast
import os
import random
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from sobremesa.core import playout
from sobremesa.core.encoding import Pick, digest, pack
from sobremesa.core.errors import BadOption
from sobremesa.core.game import Bot, Game, Observation
from sobremesa.core.open_table import FairChance, OpenTable
from sobremesa.core.pieces import Seat
from sobremesa.core.playout import Policy, play_on
from sobremesa.core.questions import Answer, Question
from sobremesa.core.requests import Event

NAMES = ("Ana", "Bea", "Cai", "Dan", "Eva", "Fin", "Gil", "Hal")

ByBot = Callable[[Seat, Pick], bool]
"""Whether a seat's next answer is the bot's."""


SEEDS = st.integers(0, 2**32)


def never(seat: Seat, pick: Pick) -> bool:
    """Every answer is any legal one."""
    return False


def mostly(of: int) -> ByBot:
    """The bot answers but for one time in `of`, so that games are long and yet not all alike."""
    return lambda seat, pick: pick(of) > 0


def legal(observation: Observation[Any], question: Question, pick: Pick) -> Answer:
    """Any legal answer."""
    return question.sample(pick, observation.faces)


def played_at_random(game: Game[Any]) -> Game[Any]:
    """The game with a bot that gives any legal answer, so that what comes to pass in a test does
    not hang on how the game's own bot plays."""
    return replace(game, bots=(Bot("random", "Anything legal", legal),))


def picks(seed: int) -> Pick:
    """Numbers made from a seed."""
    return random.Random(seed).randrange


def open_table(
    game: Game[Any],
    seats: int,
    seed: int,
    options: Mapping[str, str] | None = None,
    on_event: Callable[[Event], None] | None = None,
) -> OpenTable:
    """A table with fair chance made from a seed."""
    chosen = game.read_options(options or {})
    return OpenTable(game, NAMES[:seats], chosen, FairChance(picks(seed)), on_event)


def looking(each: Callable[[OpenTable], object], policy: Policy) -> Policy:
    """The policy, with a look at the table before every answer."""

    def choose(table: OpenTable, seat: Seat, question: Question) -> Answer | None:
        each(table)
        return policy(table, seat, question)

    return choose


def mixed(pick: Pick, by_bot: ByBot) -> Policy:
    """The bot's answers where they are its, and any legal ones elsewhere."""
    bot, chance = playout.by_bot(pick), playout.by_chance(pick)

    def choose(table: OpenTable, seat: Seat, question: Question) -> Answer | None:
        return (bot if by_bot(seat, pick) else chance)(table, seat, question)

    return choose


def play_out(
    table: OpenTable,
    seed: int,
    each: Callable[[OpenTable], object] = lambda table: None,
    by_bot: ByBot = never,
) -> list[tuple[Seat, Answer]]:
    """Play to the end, by the bot or by any move that is legal as far as its seat sees, with
    chance made from a seed; returns all the answers. `each` is called before an answer."""
    return play_on(table, looking(each, mixed(picks(seed), by_bot)))


@dataclass(frozen=True)
class Whole:
    """A whole game to play, and how often the bot answers in it."""

    game: Game[Any]
    seats: int
    options: Mapping[str, str]
    seed: int
    by_bot: ByBot

    @property
    def names(self) -> tuple[Seat, ...]:
        return NAMES[: self.seats]

    def play(
        self,
        each: Callable[[OpenTable], object] = lambda table: None,
        on_event: Callable[[Event], None] | None = None,
    ) -> OpenTable:
        """Play it to its end. `each` is called before an answer."""
        table = open_table(self.game, self.seats, self.seed, self.options, on_event)
        play_out(table, self.seed, each, self.by_bot)
        return table


def refused(game: Game[Any], given: Mapping[str, str]) -> bool:
    """Whether a game is not played with these options."""
    try:
        game.read_options(given)
    except BadOption:
        return True
    return False


def fitting(game: Game[Any], wanted: Mapping[str, str]) -> dict[str, str]:
    """Of these options those that go together, the first first."""
    chosen: dict[str, str] = {}
    for key, value in wanted.items():
        if not refused(game, {**chosen, key: value}):
            chosen[key] = value
    return chosen


def whole_games(
    game: Game[Any], examples: int, by_bot: ByBot | SearchStrategy[ByBot] = never
) -> Callable[[Callable[[Whole], None]], Callable[[], None]]:
    """A test of so many games, with any number of seats, options and chance."""
    options = {option.key: st.sampled_from(option.choices).map(str) for option in game.options}
    bots = by_bot if isinstance(by_bot, SearchStrategy) else st.just(by_bot)
    chosen = st.fixed_dictionaries(options).filter(lambda given: not refused(game, given))
    tables = (st.sampled_from(game.seats), chosen, SEEDS, bots)
    wholes = st.builds(Whole, st.just(game), *tables)
    return lambda test: settings(max_examples=examples)(given(wholes)(test))


def of_kind(table: OpenTable, kind: str) -> list[Event]:
    """The events of one kind, in order."""
    return [event for event in table.events if event["kind"] == kind]


def fingerprint(game: Game[Any], seats: int, options: Mapping[str, str], seed: int) -> str:
    """One digest over the public state at every question and over all that was told."""
    states: list[bytes] = []
    table = open_table(game, seats, seed, options)
    play_out(
        table, seed, lambda table: states.append(pack(game.public(table.run.state))), mostly(4)
    )
    assert table.outcome is not None
    return digest("game", *states, pack(table.events), pack(table.outcome.places)).hex()


def fingerprints_under(
    hash_seed: int, game: str, tables: Sequence[tuple[int, Mapping[str, str], int]]
) -> list[str]:
    """The `fingerprint` of some tables (seats, options, seed) of a game, by its id, in a process
    of its own whose sets are in another order."""
    root = Path(__file__).parents[3]
    code = f"""
from sobremesa.plugins.loader import load_games
from support.games.playouts import fingerprint
print([fingerprint(load_games([]).find({game!r}), *table) for table in {tables!r}])
"""
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={
            **os.environ,
            "PYTHONHASHSEED": str(hash_seed),
            "PYTHONPATH": os.pathsep.join([str(root), str(root / "tests")]),
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    found: list[str] = ast.literal_eval(run.stdout)
    return found
