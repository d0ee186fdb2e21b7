"""What every game owes to its players, shown over all games, numbers of seats and options.

What only one game promises is in its own folder.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from support.games.playouts import (
    NAMES,
    SEEDS,
    fingerprint,
    fingerprints_under,
    fitting,
    looking,
    mixed,
    mostly,
    open_table,
    picks,
    play_out,
)

from sobremesa.core.errors import SobremesaError
from sobremesa.core.game import Game
from sobremesa.core.open_table import FairChance, OpenTable
from sobremesa.core.pieces import Seat
from sobremesa.core.playout import by_bot, give, late, play_on
from sobremesa.core.questions import Answer, Question
from sobremesa.core.requests import Event
from sobremesa.core.views import View
from sobremesa.plugins.check.leaks import Redealt, apart
from sobremesa.plugins.loader import load_games

GAMES = load_games([]).games
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def seats_of(game: Game[Any]) -> tuple[int, int, int]:
    """Few players, some, and many."""
    counts = game.seats
    return counts[0], counts[len(counts) // 2], counts[-1]


def any_options(game: Game[Any], chance: random.Random) -> dict[str, str]:
    """A choice for every option, as it is typed."""
    every = {option.key: str(chance.choice(option.choices)) for option in game.options}
    return fitting(game, every)


def furthest(game: Game[Any]) -> dict[str, str]:
    """The last choice of every option."""
    return fitting(game, {option.key: str(option.choices[-1]) for option in game.options})


def drawn(game: Game[Any], seed: int) -> tuple[int, dict[str, str]]:
    """A number of seats and options."""
    chance = random.Random(seed)
    return chance.choice(game.seats), any_options(game, chance)


# Whole games.


@every_game
@given(SEEDS)
@settings(max_examples=40)
def test_game_ends_and_ranks_every_seat_once(game: Game[Any], seed: int) -> None:
    seats, options = drawn(game, seed)
    table = open_table(game, seats, seed, options)
    play_out(table, seed, by_bot=mostly(3))
    assert table.outcome is not None
    assert sorted(seat for place in table.outcome.places for seat in place) == list(NAMES[:seats])


@pytest.mark.rule("O22")
@every_game
@pytest.mark.parametrize("few", [0, 1, 2])
@pytest.mark.parametrize("far", [False, True], ids=["default", "furthest"])
def test_table_of_players_who_never_answer_goes_on_to_the_end(
    game: Game[Any], few: int, far: bool
) -> None:
    seats = seats_of(game)[few]
    table = open_table(game, seats, seats, furthest(game) if far else {})
    assert len(play_on(table, late)) > seats
    assert table.outcome is not None
    assert sorted(seat for place in table.outcome.places for seat in place) == list(NAMES[:seats])


@every_game
@given(SEEDS)
@settings(max_examples=12)
def test_bot_plays_whole_games_legally_and_from_its_sight_alone(game: Game[Any], seed: int) -> None:
    """A bot that knows only the faces of the pieces before the players now, and of these what its
    seat sees, and nothing that was told, answers the same."""
    bot = game.bots[0]

    def choose(table: OpenTable, seat: Seat, question: Question) -> Answer:
        observation = table.observation(seat)
        before = [piece for held in game.pieces(table.run.state).values() for piece in held]
        faces = {
            p: observation.faces[p] for p in before if p is not None and p in observation.faces
        }
        blind = replace(observation, faces=faces, events=())
        answer = bot.choose(observation, question, picks(seed))
        assert answer == bot.choose(blind, question, picks(seed))
        return answer

    seats, options = drawn(game, seed)
    table = open_table(game, seats, seed, options)
    play_on(table, choose)
    assert table.outcome is not None


# The same again.


@every_game
@given(SEEDS)
@settings(max_examples=8)
def test_same_chance_and_answers_give_the_same_digest(game: Game[Any], seed: int) -> None:
    seats, options = drawn(game, seed)
    assert fingerprint(game, seats, options, seed) == fingerprint(game, seats, options, seed)
    assert fingerprint(game, seats, options, seed) != fingerprint(game, seats, options, seed + 1)


@every_game
def test_hash_seed_of_the_interpreter_changes_nothing(game: Game[Any]) -> None:
    tables = [(seats, furthest(game), seats) for seats in seats_of(game)]
    first, second = (fingerprints_under(seed, game.id, tables) for seed in (1, 2))
    assert first == second
    assert len(set(first)) == 3


@pytest.mark.rule("O42")
@pytest.mark.rule("CV-R19")
@every_game
def test_player_who_comes_back_sees_what_was_on_the_screen_and_nothing_else(
    game: Game[Any],
) -> None:
    """Coming back means running the script again on what was answered so far."""

    def screen(table: OpenTable) -> tuple[View, list[str]]:
        view = game.view(table.run.state, "Ana", table.faces("Ana"))
        return view, [game.describe(event, "Ana") for event in table.events]

    seats, screens = seats_of(game)[1], []
    table = open_table(game, seats, seed=4)
    bot = looking(lambda table: screens.append(screen(table)), by_bot(picks(4)))
    answers = play_on(table, bot)
    assert len(answers) > 25
    for length in range(0, len(answers), 7):
        again = open_table(game, seats, seed=4)
        give(again, answers[:length])
        assert screen(again) == screens[length]


# What nobody may know.


class Watched(Redealt):
    """A table dealt again that also keeps the events and the state, what is asked of others, and
    what the bot in the viewer's seat answers; `given` are all answers, those too that tables gave
    by themselves."""

    def __init__(self, *args: Any) -> None:
        self.given: list[tuple[Seat, Answer]] = []
        super().__init__(*args)

    def answer(self, seat: Seat, answer: Answer) -> None:
        self.given.append((seat, answer))
        super().answer(seat, answer)

    def _told(self, event: Event) -> None:
        self.moments.append(repr(event))
        super()._told(event)

    def _look(self) -> None:
        super()._look()
        self.moments.append(f"{self.run.state!r} {self.asked!r}")
        if self._viewer in self.asked:
            observation, question = self.observation(self._viewer), self.asked[self._viewer]
            self.moments.append(repr(self.game.bots[0].choose(observation, question, picks(7))))


DEALS = 30


@pytest.mark.rule("HJ-R19")
@every_game
def test_nothing_shown_told_or_asked_depends_on_what_a_seat_cannot_see(game: Game[Any]) -> None:
    """Two tables with the same answers, up to a moment, and other dice and cards wherever the seat
    has seen none until then."""
    compared = 0
    for number in range(DEALS):
        chance = random.Random(number)
        seats, options = drawn(game, number)
        viewer = chance.choice((*NAMES[:seats], None))
        answers = play_on(open_table(game, seats, number, options), mixed(picks(number), mostly(3)))
        answers = answers[: chance.randrange(len(answers))]
        compared += tell_apart(game, seats, number, options, answers, viewer)
    assert compared > DEALS / 2


def tell_apart(
    game: Game[Any],
    seats: int,
    seed: int,
    options: Mapping[str, str],
    answers: list[tuple[Seat, Answer]],
    viewer: Seat | None,
) -> int:
    """Deal a few times again; how many deals could have been and were compared."""

    def watched(*other: Any) -> Watched:
        chance, chosen = FairChance(picks(seed)), game.read_options(options)
        return Watched(game, NAMES[:seats], chosen, chance, answers, viewer, *other)

    first, compared = watched(), 0
    seen, pick = dict(first.faces(viewer)), picks(seed + 1)
    for _ in range(3):
        try:
            other = watched(seen, pick)
        except SobremesaError:
            continue  # somebody could not have played like that with those cards
        if other.given == first.given:  # or else somebody's forced answer says it, as it may
            assert apart(first, other) is None
            compared += first.all_faces != other.all_faces
    return compared
