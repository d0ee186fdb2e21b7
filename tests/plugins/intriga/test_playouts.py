"""Properties of whole games, for any number of seats, options and chance."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.games import playouts
from support.games.playouts import NAMES, fingerprints_under, open_table, play_out

from sobremesa.core.open_table import FairChance, OpenTable
from sobremesa.core.pieces import Face, Seat
from sobremesa.core.requests import Event
from sobremesa.plugins.intriga import GAME
from sobremesa.plugins.intriga.roles import DECK
from sobremesa.plugins.intriga.state import KEEPING

SEATS = st.integers(2, 6)
OPTIONS = st.fixed_dictionaries(
    {
        "late_block": st.sampled_from(["on", "off"]),
        "seconds": st.sampled_from(["5", "10", "20", "0"]),
    }
)
SEEDS = st.integers(0, 2**32)

fingerprint = partial(playouts.fingerprint, GAME)


@given(SEATS, OPTIONS, SEEDS)
@settings(max_examples=40, deadline=None)
def test_game_ends_and_ranks_every_seat_once(
    seats: int, options: dict[str, str], seed: int
) -> None:
    table = open_table(GAME, seats, seed, options)
    play_out(table, seed)
    assert table.outcome is not None
    assert sorted(table.outcome.places) == [(name,) for name in NAMES[:seats]]
    outs = [event["seat"] for event in table.events if event["kind"] == "out"]
    assert [place[0] for place in table.outcome.places[:0:-1]] == outs


@pytest.mark.rule("O21")
def test_thousand_random_games_of_three_to_six_end_within_500_turns() -> None:
    longest = 0
    for seed in range(1000):
        table = open_table(GAME, 3 + seed % 4, seed)
        play_out(table, seed)
        assert table.outcome is not None
        longest = max(longest, table.run.state.turns)
    assert 10 < longest < 500


@pytest.mark.rule("IN-R27")
@pytest.mark.rule("IN-R28")
@given(SEATS, OPTIONS, SEEDS)
@settings(max_examples=40, deadline=None)
def test_cards_and_coins_are_never_lost_or_made(
    seats: int, options: dict[str, str], seed: int
) -> None:
    def each(table: OpenTable) -> None:
        state, public = table.run.state, GAME.public(table.run.state)
        before = [card for cards in GAME.pieces(state).values() for card in cards]
        cards = [*before, *state.deck]
        assert len(set(cards)) == len(cards) == 15
        assert sorted(table.all_faces[card] for card in cards) == sorted(DECK)
        drawn = 2 if state.stage == KEEPING else 0
        assert public["deck"] == 15 - 2 * seats - drawn >= 1
        for seat in table.seats:
            up = public["face_up"][seat]
            assert [table.run.faces[card] for card in state.open_cards[seat]] == up
            assert public["influence"][seat] + len(up) == 2
            assert 0 <= public["coins"][seat] <= 12
            assert public["influence"][seat] or not public["coins"][seat]
            assert not table.asked.keys() - set(state.living())

    play_out(open_table(GAME, seats, seed, options), seed, each)


@given(SEATS, OPTIONS, SEEDS)
@settings(max_examples=40, deadline=None)
def test_every_change_of_coins_is_told(seats: int, options: dict[str, str], seed: int) -> None:
    told: dict[Seat, int] = {}

    def watch(event: Event) -> None:
        match event:
            case {"kind": "start", "coins": coins}:
                told.update(coins)
            case {"kind": "action" | "refund" | "gain", "seat": seat, "coins": coins}:
                told[seat] = coins
            case {"kind": "stolen", "seat": seat, "coins": coins}:
                told[event["target"]] -= event["amount"]
                told[seat] = coins
            case {"kind": "out", "seat": seat}:
                told[seat] = 0

    def each(table: OpenTable) -> None:
        assert table.run.state.coins == told

    play_out(open_table(GAME, seats, seed, options, watch), seed, each)


@given(SEATS, OPTIONS, SEEDS)
@settings(max_examples=40, deadline=None)
def test_faces_seen_are_the_own_hand_and_what_lies_open(
    seats: int, options: dict[str, str], seed: int
) -> None:
    def each(table: OpenTable) -> None:
        state = table.run.state
        for looker in (*table.seats, None):
            faces = table.faces(looker)
            for owner in table.seats:
                assert all(card in faces for card in state.open_cards[owner])
                own = owner == looker
                assert all((card in faces) == own for card in state.hands[owner])
            assert not any(card in faces for card in state.deck)

    play_out(open_table(GAME, seats, seed, options), seed, each)


class DealtDifferently:
    """Fair chance, but in the first deck, or in one later deck, all cards lie in another order,
    except those that one seat is dealt at the start."""

    def __init__(self, seed: int, kept: Sequence[int], number: int) -> None:
        self._fair = FairChance(random.Random(seed).randrange)
        self._other = FairChance(random.Random(seed + 1).randrange)
        self._kept = kept
        self._left = number

    def toss(self, n: int, label: str) -> int:
        return self._fair.toss(n, label)

    def roll(self, dice: Mapping[Seat, int], sides: int) -> Mapping[Seat, tuple[Face, ...]]:
        raise AssertionError("this game rolls no dice")

    def shuffle(self, faces: Sequence[Face]) -> Sequence[Face]:
        deck = list(self._fair.shuffle(faces))
        self._left -= 1
        if self._left != -1:
            return deck
        kept = self._kept if len(deck) == len(DECK) else ()
        free = [place for place in range(len(deck)) if place not in kept]
        for place, face in zip(free, self._other.shuffle([deck[p] for p in free]), strict=True):
            deck[place] = face
        return deck


REVEALING = {"shown", "caught", "lost"}


@given(SEATS, OPTIONS, SEEDS, st.integers(0, 2), st.booleans())
@settings(max_examples=60, deadline=None)
def test_nothing_seen_or_told_depends_on_hidden_cards(
    seats: int, options: dict[str, str], seed: int, number: int, spectator: bool
) -> None:
    """Two tables with the same answers, until a card that lies differently is shown to all or
    comes into the seat's own hand."""
    names = NAMES[:seats]
    place = seed % seats
    seat = None if spectator else names[place]
    kept = () if spectator else (2 * place, 2 * place + 1)
    chosen = GAME.read_options(options)
    one = open_table(GAME, seats, seed, options)
    two = OpenTable(GAME, names, chosen, DealtDifferently(seed, kept, number))
    pick = random.Random(seed).randrange
    while one.outcome is None:
        hand = one.run.state.hands[seat] if seat is not None else ()
        if any(one.all_faces[card] != two.all_faces[card] for card in hand):
            return
        if one.events != two.events:
            pairs = zip(one.events, two.events, strict=False)
            differing = next(pair for pair in pairs if pair[0] != pair[1])
            assert {event["kind"] for event in differing} <= REVEALING
            return
        assert repr(one.run.state) == repr(two.run.state)
        assert one.asked.keys() == two.asked.keys()
        assert repr(one.asked) == repr(two.asked)
        assert GAME.view(one.run.state, seat, one.faces(seat)) == GAME.view(
            two.run.state, seat, two.faces(seat)
        )
        asked, question = next(iter(one.asked.items()))
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
    games = [(n, {"late_block": "on"}, n) for n in (2, 4, 6)]
    first, second = (fingerprints_under(seed, __file__, games) for seed in (1, 2))
    assert first == second
    assert len(set(first)) == 3
