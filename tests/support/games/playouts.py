"""Random games on the open table, for whoever tests a game.

Rule 1: nothing is random but what is made from a seed, so that a game can be had again.
"""

from __future__ import annotations

import ast
import os
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from sobremesa.core.encoding import Pick, digest, pack
from sobremesa.core.game import Bot, Game, Sight
from sobremesa.core.open_table import FairChance, OpenTable
from sobremesa.core.pieces import Seat
from sobremesa.core.questions import Answer, Question
from sobremesa.core.requests import Event

NAMES = ("Ana", "Bea", "Cai", "Dan", "Eva", "Fin", "Gil", "Hal")

ByBot = Callable[[Seat, Pick], bool]
"""Whether a seat's next answer is the bot's."""


def never(seat: Seat, pick: Pick) -> bool:
    """Every answer is any legal one."""
    return False


def mostly(of: int) -> ByBot:
    """The bot answers but for one time in `of`, so that games are long and yet not all alike."""
    return lambda seat, pick: pick(of) > 0


def played_at_random(game: Game) -> Game:
    """The game with a bot that gives any legal answer, so that what comes to pass in a test does
    not hang on how the game's own bot plays."""

    def choose(sight: Sight, question: Question, pick: Pick) -> Answer:
        return question.sample(pick, sight.faces)

    return replace(game, bots=(Bot("random", "Anything legal", choose),))


def open_table(
    game: Game,
    seats: int,
    seed: int,
    options: dict[str, str] | None = None,
    on_event: Callable[[Event], None] | None = None,
) -> OpenTable:
    """A table with fair chance made from a seed."""
    chance = FairChance(random.Random(seed).randrange)
    return OpenTable(game, NAMES[:seats], game.read_options(options or {}), chance, on_event)


def play_on(
    table: OpenTable,
    pick: Pick,
    each: Callable[[OpenTable], None] = lambda table: None,
    by_bot: ByBot = never,
) -> list[tuple[Seat, Answer]]:
    """Play to the end, by the bot or by any move that is legal as far as its seat sees; returns
    all the answers. `each` is called before an answer."""
    answers: list[tuple[Seat, Answer]] = []
    while table.outcome is None:
        each(table)
        seat, question = next(iter(table.asked.items()))
        if by_bot(seat, pick):
            answer = table.game.bots[0].choose(table.sight(seat), question, pick)
        else:
            answer = question.sample(pick, table.faces(seat))
        answers.append((seat, answer))
        table.answer(seat, answer)
    return answers


def play_out(
    table: OpenTable,
    seed: int,
    each: Callable[[OpenTable], None] = lambda table: None,
    by_bot: ByBot = never,
) -> list[tuple[Seat, Answer]]:
    """The same, with answers made from a seed."""
    return play_on(table, random.Random(seed).randrange, each, by_bot)


def of_kind(table: OpenTable, kind: str) -> list[Event]:
    """The events of one kind, in order."""
    return [event for event in table.events if event["kind"] == kind]


def fingerprint(
    game: Game, seats: int, options: dict[str, str], seed: int, by_bot: ByBot = never
) -> str:
    """One digest over the public state at every question and over all that was told."""
    states: list[bytes] = []
    table = open_table(game, seats, seed, options)
    play_out(table, seed, lambda table: states.append(pack(game.public(table.run.state))), by_bot)
    assert table.outcome is not None
    return digest("game", *states, pack(table.events), pack(table.outcome.places)).hex()


def fingerprints_under(
    hash_seed: int, file: str, games: Sequence[tuple[int, dict[str, str], int]]
) -> list[str]:
    """What `fingerprint` of a test's own module makes of some games (seats, options, seed), in a
    process of its own whose sets are in another order."""
    root = Path(__file__).parents[3]
    code = f"""
import importlib.util
spec = importlib.util.spec_from_file_location("module", {file!r})
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
print([module.fingerprint(*game) for game in {games!r}])
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


def assert_one_sentence(text: str, ends: str | tuple[str, ...] = ".") -> None:
    """What a game tells is one line that begins and ends as a sentence."""
    assert text[0].isupper()
    assert text.endswith(ends)
    assert "\n" not in text
