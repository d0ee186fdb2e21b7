"""Properties of whole games, for any number of seats, options and chance."""

from __future__ import annotations

from support.games.playouts import Whole, mostly, of_kind, whole_games

from sobremesa.core.open_table import OpenTable
from sobremesa.core.pieces import Seat
from sobremesa.core.requests import Event
from sobremesa.plugins.cinco_vidas import GAME


@whole_games(GAME, 40, mostly(4))
def test_game_ends_and_ranks_every_seat_once(whole: Whole) -> None:
    table = whole.play()
    assert table.outcome is not None
    winners, *others = table.outcome.places
    ranked = [seat for place in (winners, *others) for seat in place]
    assert sorted(ranked) == list(whole.names)
    told = {event["seat"]: event["place"] for event in of_kind(table, "out")}
    assert told == {
        seat: ranked.index(place[0]) + 1 for place in others for seat in place
    }  # a shared place counts all who share it


@whole_games(GAME, 40, mostly(4))
def test_tricks_are_all_won_and_never_come_out_even_with_the_bids(whole: Whole) -> None:
    table = whole.play()
    for over in of_kind(table, "round_over"):
        bids, won, lost = over["bids"], over["won"], over["lost"]
        assert over["cards"] == (5, 4, 3, 2, 1)[(over["round"] - 1) % 5]
        assert bids.keys() == won.keys() == lost.keys()
        assert sum(won.values()) == over["cards"]
        assert sum(bids.values()) != over["cards"]
        assert any(lost.values())
        assert lost == {seat: abs(bids[seat] - won[seat]) for seat in bids}
        assert all(0 <= bid <= over["cards"] for bid in bids.values())


@whole_games(GAME, 40, mostly(4))
def test_lives_fall_as_told_and_rise_only_in_a_replay(whole: Whole) -> None:
    lives = dict.fromkeys(whole.names, 5)

    def each(table: OpenTable) -> None:
        assert len(table.asked) == 1
        assert GAME.public(table.run.state)["lives"] == lives

    def watch(event: Event) -> None:
        match event:
            case {"kind": "loss", "seat": seat, "lost": lost, "left": left}:
                assert lost > 0
                lives[seat] = max(0, lives[seat] - lost)
                assert lives[seat] == left
            case {"kind": "back", "seats": back}:
                assert whole.options["wipeout"] == "replay"
                assert set(lives.values()) == {0}
                lives.update(dict.fromkeys(back, 1))
            case {"kind": "wipeout"}:
                assert set(lives.values()) == {0}

    table = whole.play(each, watch)
    assert len(of_kind(table, "wipeout")) <= (whole.options["wipeout"] == "rank")
    assert table.outcome is not None
    survivors = tuple(seat for seat, left in lives.items() if left)
    assert len(survivors) <= 1
    assert survivors in ((), table.outcome.places[0])


@whole_games(GAME, 30, mostly(4))
def test_deal_and_turns_go_clockwise_among_the_living(whole: Whole) -> None:
    names = whole.names
    living = list(names)
    order: list[Seat] = []
    dealer: Seat | None = None
    leader: Seat | None = None
    played: Seat | None = None

    def after(seat: Seat) -> Seat:
        place = names.index(seat)
        return next(s for s in (*names[place + 1 :], *names[: place + 1]) if s in living)

    def watch(event: Event) -> None:
        nonlocal dealer, leader, played
        match event:
            case {"kind": "round"}:
                assert dealer is None or event["dealer"] == after(dealer)
                dealer, leader = event["dealer"], after(event["dealer"])
                order.clear()
                assert event["first"] == leader
            case {"kind": "bid", "seat": seat}:
                assert seat == (after(order[-1]) if order else leader)
                order.append(seat)
                played = None
            case {"kind": "play", "seat": seat}:
                assert len(order) == len(living)
                assert order[-1] == dealer
                assert seat == (after(played) if played else leader)
                played = seat
            case {"kind": "trick", "seat": seat}:
                leader, played = seat, None
            case {"kind": "out", "seat": seat}:
                living.remove(seat)
            case {"kind": "back", "seats": back}:
                assert back == living

    whole.play(on_event=watch)


@whole_games(GAME, 20, mostly(4))
def test_each_card_is_in_one_hand_only_and_a_seat_sees_what_the_round_lets_it_see(
    whole: Whole,
) -> None:
    def each(table: OpenTable) -> None:
        state = table.run.state
        held = [card for hand in state.hands.values() for card in hand]
        assert len({table.all_faces[card] for card in held}) == len(held)
        rest = state.cards - state.tricks
        for seat, hand in state.hands.items():
            assert len(hand) in (rest, rest - 1)
            for other in table.seats:
                one_card = state.cards == 1 and other != seat and other in state.hands
                may = one_card or (state.cards > 1 and other == seat)
                assert all((card in table.faces(other)) == may for card in hand)
            assert not any(card in table.faces(None) for card in hand)

    whole.play(each)
