"""Properties of whole games, for any number of seats, options and chance."""

from __future__ import annotations

from collections import Counter

from support.games.playouts import Whole, mostly, of_kind, whole_games

from sobremesa.core.open_table import OpenTable
from sobremesa.core.pieces import Seat
from sobremesa.core.requests import Event
from sobremesa.plugins.five_alive import GAME
from sobremesa.plugins.five_alive.cards import DECK, fits, is_number, total_after


@whole_games(GAME, 20, mostly(3))
def test_game_ends_and_ranks_every_seat_once(whole: Whole) -> None:
    table = whole.play()
    assert table.outcome is not None
    winners, *others = table.outcome.places
    ranked = [seat for place in (winners, *others) for seat in place]
    assert sorted(ranked) == list(whole.names)
    state = table.run.state
    assert all(state.side(seat).alive > 0 for seat in winners)
    if state.teams:
        assert [len(state.sides), len(others)] == [2, 1]
        assert state.side(others[0][0]).alive == 0
    elif not state.sudden_death:
        assert len(winners) == 1
        told = {event["seat"]: event["place"] for event in of_kind(table, "out")}
        assert told == {seat: ranked.index(place[0]) + 1 for place in others for seat in place}


@whole_games(GAME, 20, mostly(3))
def test_all_77_cards_are_there_whatever_happens(whole: Whole) -> None:
    def check(table: OpenTable) -> None:
        state = table.run.state
        held = [card for hand in state.hands.values() for card in hand]
        hidden = [table.all_faces[card] for card in (*held, *state.pile)]
        assert Counter([*hidden, *state.discard]) == Counter(DECK)
        assert 0 <= state.total <= 21
        assert all(0 <= side.alive <= 5 for side in state.sides)
        assert all(len(state.hands[seat]) > 0 for seat in state.living())

    whole.play(check)


@whole_games(GAME, 20, mostly(3))
def test_total_and_flips_are_as_told(whole: Whole) -> None:
    total = 0
    left: dict[str, int] = {}

    def watch(event: Event) -> None:
        nonlocal total
        match event:
            case {"kind": "hand"}:
                total = 0
            case {"kind": "play", "card": card, "left": rest}:
                assert fits(card, total)
                if rest or is_number(card):
                    total = total_after(card, total)
                assert event["total"] == total
            case {"kind": "flip", "reason": reason, "sides": sides}:
                for side in sides:
                    before = left.get(side["name"], 5)
                    assert before - side["flipped"] == side["left"] >= 0
                    left[side["name"]] = side["left"]
                if reason == "bust":
                    assert event["total"] == total > 14
                    total = 0

    table = whole.play(on_event=watch)
    assert {**dict.fromkeys(table.run.state.unflipped(), 5), **left} == (
        table.run.state.unflipped()
    )


@whole_games(GAME, 20, mostly(3))
def test_who_is_asked_can_play_and_who_flips_cannot(whole: Whole) -> None:
    asked: list[Seat] = []

    def each(table: OpenTable) -> None:
        ((seat, _),) = table.asked.items()
        asked.append(seat)
        state = table.run.state
        assert seat == state.turn
        assert state.lives(seat)
        assert any(fits(table.all_faces[card], state.total) for card in state.hands[seat])

    table = whole.play(each)
    assert asked == [event["seat"] for event in of_kind(table, "play")]


@whole_games(GAME, 20, mostly(3))
def test_a_seat_sees_its_own_hand_only_while_the_hand_lasts(whole: Whole) -> None:
    def each(table: OpenTable) -> None:
        state = table.run.state
        for viewer in (None, *table.seats):
            faces = table.faces(viewer)
            for seat, hand in state.hands.items():
                assert all((card in faces) == (seat == viewer) for card in hand)
            assert not any(card in faces for card in state.pile)

    whole.play(each)


@whole_games(GAME, 20, mostly(3))
def test_hands_are_opened_whenever_one_is_over(whole: Whole) -> None:
    table = whole.play()
    kinds = [event["kind"] for event in table.events if event["kind"] in ("hand", "opened")]
    assert kinds == ["hand", "opened"] * (len(kinds) // 2)
    assert all(card in table.run.faces for hand in table.run.state.hands.values() for card in hand)
