"""Properties of whole games, for any number of seats, options and chance."""

from __future__ import annotations

import pytest
from support.games.playouts import Whole, open_table, play_out, whole_games

from sobremesa.core.open_table import OpenTable
from sobremesa.core.pieces import Seat
from sobremesa.core.requests import Event
from sobremesa.plugins.intriga import GAME
from sobremesa.plugins.intriga.cards import DECK
from sobremesa.plugins.intriga.state import KEEPING


@whole_games(GAME, 40)
def test_game_ends_and_ranks_every_seat_once(whole: Whole) -> None:
    table = whole.play()
    assert table.outcome is not None
    assert sorted(table.outcome.places) == [(name,) for name in whole.names]
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
@whole_games(GAME, 40)
def test_cards_and_coins_are_never_lost_or_made(whole: Whole) -> None:
    def each(table: OpenTable) -> None:
        state, public = table.run.state, GAME.public(table.run.state)
        before = [card for cards in GAME.pieces(state).values() for card in cards]
        cards = [*before, *state.deck]
        assert len(set(cards)) == len(cards) == 15
        assert sorted(table.all_faces[card] for card in cards) == sorted(DECK)
        drawn = 2 if state.stage == KEEPING else 0
        assert public["deck"] == 15 - 2 * whole.seats - drawn >= 1
        for seat in table.seats:
            up = public["face_up"][seat]
            assert [table.run.faces[card] for card in state.open_cards[seat]] == up
            assert public["influence"][seat] + len(up) == 2
            assert 0 <= public["coins"][seat] <= 12
            assert public["influence"][seat] or not public["coins"][seat]
            assert not table.asked.keys() - set(state.living())

    whole.play(each)


@whole_games(GAME, 40)
def test_every_change_of_coins_is_told(whole: Whole) -> None:
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

    whole.play(each, watch)


@whole_games(GAME, 40)
def test_faces_seen_are_the_own_hand_and_what_lies_open(whole: Whole) -> None:
    def each(table: OpenTable) -> None:
        state = table.run.state
        for looker in (*table.seats, None):
            faces = table.faces(looker)
            for owner in table.seats:
                assert all(card in faces for card in state.open_cards[owner])
                own = owner == looker
                assert all((card in faces) == own for card in state.hands[owner])
            assert not any(card in faces for card in state.deck)

    whole.play(each)
