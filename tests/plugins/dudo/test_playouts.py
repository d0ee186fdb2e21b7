"""Properties of whole games, for any number of seats, options and chance."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import partial

from hypothesis import given, settings
from hypothesis import strategies as st
from support.games import playouts
from support.games.playouts import NAMES, fingerprints_under, open_table, play_out

from sobremesa.core.open_table import FairChance, OpenTable
from sobremesa.core.pieces import Face, Seat
from sobremesa.core.requests import Event
from sobremesa.plugins.dudo import GAME

SEATS = st.integers(2, 8)
OPTIONS = st.fixed_dictionaries(
    {"dice": st.sampled_from(["3", "5"]), "palifico": st.sampled_from(["on", "off"])}
)
SEEDS = st.integers(0, 2**32)

fingerprint = partial(playouts.fingerprint, GAME)


@given(SEATS, OPTIONS, SEEDS)
@settings(max_examples=30, deadline=None)
def test_game_ends_and_ranks_every_seat_once(
    seats: int, options: dict[str, str], seed: int
) -> None:
    table = open_table(GAME, seats, seed, options)
    play_out(table, seed)
    assert table.outcome is not None
    assert sorted(table.outcome.places) == [(name,) for name in NAMES[:seats]]
    outs = [event["seat"] for event in table.events if event["kind"] == "out"]
    assert [place[0] for place in table.outcome.places[:0:-1]] == outs


@given(SEATS, OPTIONS, SEEDS)
@settings(max_examples=30, deadline=None)
def test_dice_change_by_one_a_round_and_only_as_told(
    seats: int, options: dict[str, str], seed: int
) -> None:
    told = dict.fromkeys(NAMES[:seats], int(options["dice"]))

    def each(table: OpenTable) -> None:
        state = table.run.state
        assert state.dice == told
        assert {seat: len(cup) for seat, cup in state.cups.items()} == {
            seat: count for seat, count in told.items() if count
        }

    def watch(event: Event) -> None:
        if event["kind"] in ("loss", "gain"):
            told[event["seat"]] += 1 if event["kind"] == "gain" else -1
            assert told[event["seat"]] == event["left"] <= int(options["dice"])

    table = open_table(GAME, seats, seed, options, watch)
    play_out(table, seed, each)
    kinds = [event["kind"] for event in table.events]
    assert kinds.count("reveal") == sum(map(kinds.count, ("loss", "gain", "full")))


@given(SEATS, OPTIONS, SEEDS)
@settings(max_examples=30, deadline=None)
def test_palificos_are_one_a_player_and_none_between_two(
    seats: int, options: dict[str, str], seed: int
) -> None:
    table = open_table(GAME, seats, seed, options)
    play_out(table, seed)
    rounds = [event for event in table.events if event["kind"] == "round"]
    palificos = [event for event in rounds if event["palifico"]]
    openers = [event["opener"] for event in palificos]
    assert len(set(openers)) == len(openers)
    assert all(event["dice"][event["opener"]] == 1 for event in palificos)
    assert all(len(event["dice"]) > 2 for event in palificos)
    assert options["palifico"] == "on" or not palificos


class DealtDifferently:
    """Fair chance, but from one roll on the dice of all but one seat are others."""

    def __init__(self, seed: int, seat: Seat | None, roll: int) -> None:
        self._fair = FairChance(random.Random(seed).randrange)
        self._other = FairChance(random.Random(seed + 1).randrange)
        self._seat = seat
        self._left = roll

    def toss(self, n: int, label: str) -> int:
        return self._fair.toss(n, label)

    def roll(self, dice: Mapping[Seat, int], sides: int) -> Mapping[Seat, tuple[Face, ...]]:
        shown = self._fair.roll(dice, sides)
        self._left -= 1
        if self._left >= 0:
            return shown
        other = self._other.roll(dice, sides)
        return {seat: (shown if seat == self._seat else other)[seat] for seat in dice}


@given(SEATS, OPTIONS, SEEDS, st.integers(0, 5), st.booleans())
@settings(max_examples=40, deadline=None)
def test_nothing_seen_or_told_depends_on_hidden_dice(
    seats: int, options: dict[str, str], seed: int, roll: int, spectator: bool
) -> None:
    """Two tables with the same answers, until the dice that were dealt differently are shown."""
    names = NAMES[:seats]
    seat = None if spectator else names[seed % seats]
    chosen = GAME.read_options(options)
    one = open_table(GAME, seats, seed, options)
    two = OpenTable(GAME, names, chosen, DealtDifferently(seed, seat, roll))
    pick = random.Random(seed).randrange
    while one.outcome is None and one.run.state.round <= roll + 1:
        assert one.events == two.events
        for event in one.events:
            assert GAME.tell(event, seat) == GAME.tell(event, seat)
        assert [GAME.view(t.run.state, seat, t.faces(seat)) for t in (one, two)] == [
            GAME.view(one.run.state, seat, one.faces(seat))
        ] * 2
        assert one.asked.keys() == two.asked.keys()
        ((asked, question),) = one.asked.items()
        answer = question.sample(pick, {})
        one.answer(asked, answer)
        two.answer(asked, answer)


@given(SEATS, OPTIONS, SEEDS)
@settings(max_examples=10, deadline=None)
def test_same_chance_and_answers_give_the_same_digest(
    seats: int, options: dict[str, str], seed: int
) -> None:
    assert fingerprint(seats, options, seed) == fingerprint(seats, options, seed)
    assert fingerprint(seats, options, seed) != fingerprint(seats, options, seed + 1)


def test_hash_seed_of_the_interpreter_changes_nothing() -> None:
    games = [(n, {"dice": "5"}, n) for n in (2, 4, 8)]
    first, second = (fingerprints_under(seed, __file__, games) for seed in (1, 2))
    assert first == second
    assert len(set(first)) == 3
