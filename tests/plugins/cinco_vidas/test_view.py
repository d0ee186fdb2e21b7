"""What players see and hear."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from support.games.dealt import (
    OnEvent,
    assert_told,
    block,
    deal,
    hands,
    kinds_told,
    play,
    texts,
    view,
    views_at,
)

from sobremesa.core.open_table import OpenTable
from sobremesa.core.pieces import Seat
from sobremesa.core.playout import play_on
from sobremesa.core.questions import Answer, Question
from sobremesa.core.requests import Event
from sobremesa.core.views import Cards, Counter, Headline, Seats, Text, View
from sobremesa.plugins.cinco_vidas import GAME
from sobremesa.plugins.cinco_vidas.questions import Play

THREE = ["Ana", "Bea", "Cai"]
FIVES = "KS QS JS 10S 9S 8H 2H 3H 4H 5H 8D 2D 3D 4D 5D"
LATER = ["KS QS JS 10S 2H 3H 4H 5H 2D 3D 4D 5D", "KS QS JS 2H 3H 4H 2D 3D 4D", "KS QS 2H 3H 2D 3D"]


def sit(
    *decks: str, seats: list[str] = THREE, on_event: OnEvent | None = None, **options: str
) -> OpenTable:
    """The last seat deals first, so the first one begins."""
    dealer = {"dealer": len(seats) - 1}
    return deal(GAME, seats, on_event, tosses=dealer, decks=decks, options=options)


def first_cards(table: OpenTable, seat: Seat, question: Question) -> Answer | None:
    """Play first cards until somebody is asked for something else."""
    return question.default if isinstance(question, Play) else None


def one_card_round(deck: str, **options: Any) -> OpenTable:
    """The fifth round: Bea begins, then Cai, and Ana decides last."""
    table = sit(FIVES, *LATER, deck, **options)
    for cards in (5, 4, 3, 2):
        first, second, dealer = table.run.state.bidders()
        play(table, f"{first} {cards}", f"{second} 0", f"{dealer} 1")
        play_on(table, first_cards)
    return table


def column(view: View, name: str) -> list[Any]:
    seats = block(view, Seats)
    if name and name == seats.lies:
        return [row.lies for row in seats.rows]
    if name and name == seats.said:
        return [row.said for row in seats.rows]
    place = seats.columns.index(name)
    return [row.cells[place] for row in seats.rows]


FULL = Counter(5, 5, "lives")


def test_bidding_shows_bids_their_sum_and_whose_turn_it_is() -> None:
    table = sit(FIVES)
    play(table, "Ana 2")
    drawn = view(table, "Cai")
    assert drawn.phase == "round 1, 5 cards"
    assert block(drawn, Headline) == Headline("Bidding", "2 bid for 5 tricks so far")
    assert block(drawn, Seats).columns == ("bid", "lives")
    rows = block(drawn, Seats).rows
    assert [row.cells for row in rows] == [(2, FULL), ("", FULL), ("", FULL)]
    assert [row.badge for row in rows] == ["", "", "deals"]
    assert [row.seat for row in rows if row.turn] == ["Bea"]
    assert texts(drawn) == [Text("You deal and bid last: the total may not be 5.")]
    assert texts(view(table, "Ana")) == [Text("Cai deals and bids last: the total may not be 5.")]


def test_dealer_sees_which_number_is_barred() -> None:
    table = sit(FIVES)
    play(table, "Ana 2", "Bea 1")
    assert texts(view(table, "Cai")) == [
        Text("You bid last and may not say 2: the total would be 5.", "warn")
    ]
    assert texts(view(table, None)) == [
        Text("Cai bids last and may not say 2: the total would be 5.", "warn")
    ]


def test_dealer_sees_that_no_number_is_barred() -> None:
    table = sit(FIVES)
    play(table, "Ana 4", "Bea 2")
    assert texts(view(table, "Cai")) == [
        Text("You bid last and may say any number: 6 bid for 5 tricks.")
    ]


def test_trick_shows_its_cards_the_trick_before_and_the_sum() -> None:
    table = sit(FIVES)
    play(table, "Ana 5", "Bea 1", "Cai 0", "Ana KS", "Bea 8H", "Cai 8D", "Ana QS")
    drawn = view(table, "Bea")
    takes = "Ana's queen of spades takes it so far"
    assert block(drawn, Headline) == Headline("Trick 2 of 5", takes)
    assert block(drawn, Seats).columns == ("bid", "won", "", "lives")
    assert column(drawn, "plays") == [Cards(("QS",)), Cards(()), Cards(())]
    assert column(drawn, "won") == [
        Counter(1, 5, "boxes"), Counter(0, 1, "boxes"), Counter(0, 0, "boxes"),
    ]  # fmt: skip
    assert column(drawn, "") == ["needs 4", "needs 1", "exact"]
    assert texts(drawn) == [
        Text("went to Ana", "dim", "side"),
        Text("6 bid for 5 tricks: 1 too many.", area="side"),
    ]
    assert hands(drawn) == {
        "Last trick": Cards(("KS", "8H", "8D")),
        "Your hand": Cards(("2H", "3H", "4H", "5H"), (0, 1, 2, 3), notes=("low",) * 4),
    }


def test_cards_may_be_played_in_turn_only() -> None:
    table = sit(FIVES)
    assert hands(view(table, "Ana"))["Your hand"].playable is None
    play(table, "Ana 0", "Bea 1", "Cai 0")
    assert hands(view(table, "Ana"))["Your hand"].playable == (0, 1, 2, 3, 4)
    assert hands(view(table, "Bea"))["Your hand"].playable is None
    assert block(view(table, "Ana"), Headline) == Headline("Trick 1 of 5", "you lead")
    assert block(view(table, "Bea"), Headline) == Headline("Trick 1 of 5", "Ana leads")
    assert texts(view(table, "Bea")) == [Text("1 bid for 5 tricks: 4 too few.", area="side")]


def first_round(kind: str, seat: Seat | None, *moves: str) -> View:
    """The view at the first event of a kind, once the moves and then first cards are played."""
    return views_at(kind, seat, partial(sit, FIVES), *moves, then=first_cards)[0]


def one_card(kind: str, seat: Seat | None, *moves: str) -> View:
    """The view at the last event of a kind in a one-card round of these moves."""
    return views_at(kind, seat, partial(one_card_round, "KS 9D 2C"), *moves)[-1]


def test_whole_trick_lies_there_when_it_is_won() -> None:
    drawn = first_round("trick", "Ana", "Ana 5", "Bea 1", "Cai 0")
    assert block(drawn, Headline) == Headline("Trick 1 of 5", "your king of spades takes it")
    assert column(drawn, "plays") == [Cards(("KS",)), Cards(("8H",)), Cards(("8D",))]
    assert not any(row.turn for row in block(drawn, Seats).rows)


def test_new_hand_and_first_bidder_are_in_sight_when_a_round_is_told() -> None:
    table, moves = partial(sit, FIVES, LATER[0]), ("Ana 5", "Bea 1", "Cai 0")
    (drawn,) = views_at("round", "Bea", table, *moves, then=first_cards)
    assert hands(drawn) == {"Your hand": Cards(("KS", "QS", "JS", "10S"))}
    assert [row.seat for row in block(drawn, Seats).rows if row.turn] == ["Bea"]
    assert block(drawn, Headline).text == "Bidding"


def test_turn_has_moved_on_when_a_bid_or_a_card_is_told() -> None:
    def turns(kind: str, *moves: str) -> list[list[Seat]]:
        views = views_at(kind, None, partial(sit, FIVES), *moves)
        return [[row.seat for row in block(v, Seats).rows if row.turn] for v in views]

    bids = ("Ana 5", "Bea 1", "Cai 0")
    assert turns("bid", *bids) == [["Bea"], ["Cai"], []]
    assert turns("play", *bids, "Ana KS", "Bea 8H", "Cai 8D") == [["Bea"], ["Cai"], []]


def test_when_everybody_has_bid_the_sum_is_the_headline() -> None:
    *_, last = views_at("bid", "Ana", partial(sit, FIVES), "Ana 5", "Bea 1", "Cai 0")
    said = Headline("Everybody has spoken", "6 bid for 5 tricks")
    assert block(last, Headline) == said


def test_end_of_a_round_shows_bids_tricks_losses_and_lives() -> None:
    drawn = first_round("round_over", "Bea", "Ana 5", "Bea 2", "Cai 5")
    assert block(drawn, Headline) == Headline("Round 1 is over", "12 bid for 5 tricks")
    assert block(drawn, Seats).columns == ("bid", "won", "lives")
    assert [row.cells for row in block(drawn, Seats).rows] == [
        (5, 5, FULL),
        (2, 0, Counter(3, 5, "lives")),
        (5, 0, Counter(0, 5, "lives")),
    ]
    assert column(drawn, "result") == ["exact", "loses 2", "loses 5"]
    assert [row.seat for row in block(drawn, Seats).rows if row.out] == ["Cai"]
    assert texts(drawn) == [Text("Lives lost: you 2, Cai 5.", "headline")]
    assert hands(drawn) == {}


def test_one_card_round_shows_every_card_but_ones_own() -> None:
    table = one_card_round("KS 9D 2C")
    drawn = view(table, "Cai")
    assert drawn.phase == "round 5, one card"
    assert block(drawn, Headline) == Headline("One-card round", "0 wins said so far")
    assert column(drawn, "card") == [Cards(("2C",)), Cards(("KS",)), Cards((None,))]
    assert hands(drawn) == {
        "You see": Cards(("KS", "2C"), labels=("Bea", "Ana")),
        "Your card": Cards((None,)),
    }
    assert texts(drawn) == [Text("Ana deals and decides last: the wins said may not be 1.")]
    spectated = view(table, None)
    assert column(spectated, "card") == [Cards((None,))] * 3
    assert hands(spectated) == {}


def test_one_card_round_of_a_literal_table_says_so() -> None:
    table = one_card_round("KS 9D 2C", one_card_last="literal")
    assert texts(view(table, "Ana")) == [
        Text("You deal and decide last: the wins said may not be 1, and after 2 only lose is left.")
    ]


def test_what_was_said_is_shown_in_words() -> None:
    table = one_card_round("KS 9D 2C")
    play(table, "Bea win")
    drawn = view(table, "Cai")
    assert column(drawn, "bid") == ["", "win", ""]
    assert block(drawn, Headline).sub == "1 win said so far"


@pytest.mark.parametrize("kind", ["forced", "bid", "reveal", "trick", "round_over"])
def test_reason_of_a_forced_answer_stays_in_view_until_the_round_is_over(kind: str) -> None:
    why = "one player has said win, so 'lose' would make the bids add up to the one trick."
    moves = ("Bea win", "Cai lose")
    assert Text(f"You have to say win: {why}", "warn") in texts(one_card(kind, "Ana", *moves))
    assert Text(f"Ana has to say win: {why}", "warn") in texts(one_card(kind, None, *moves))


def test_reason_of_a_forced_answer_is_gone_in_the_next_round() -> None:
    table = one_card_round("KS 9D 2C")
    play(table, "Bea win", "Cai lose")
    assert [text.role for text in texts(view(table, "Ana"))] == ["plain"]


@pytest.mark.parametrize("kind", ["reveal", "trick", "round_over"])
def test_cards_of_the_one_card_round_lie_open_until_it_is_over(kind: str) -> None:
    drawn = one_card(kind, "Cai", "Bea win", "Cai lose")
    assert column(drawn, "card") == [Cards(("2C",)), Cards(("KS",)), Cards(("9D",))]
    assert column(drawn, "bid") == ["win", "win", "lose"]
    assert hands(drawn) == {}


def test_own_card_is_shown_only_when_all_are() -> None:
    drawn = one_card("bid", "Cai", "Bea win", "Cai lose")  # the last bid, Ana's
    assert column(drawn, "card")[2] == Cards((None,))


def test_seat_whose_cards_cannot_be_seen_is_drawn_covered() -> None:
    """A saved game is replayed without the players' secrets."""
    table = sit(FIVES)
    drawn = GAME.view(table.run.state, "Ana", {})
    assert hands(drawn) == {"Your hand": Cards((None,) * 5)}


def test_who_is_out_sees_the_table_and_no_hand() -> None:
    table = sit(FIVES)
    play(table, "Ana 5", "Bea 5", "Cai 0")
    play_on(table, first_cards)
    drawn = view(table, "Bea")
    rows = block(drawn, Seats).rows
    assert [row.seat for row in rows if row.out] == ["Bea"]
    assert rows[1].cells == ("", Counter(0, 5, "lives"))
    assert hands(drawn) == {}


def test_end_shows_the_places_and_who_shares_them() -> None:
    table = sit(FIVES)
    play(table, "Ana 5", "Bea 5", "Cai 5")
    play_on(table, first_cards)
    drawn = view(table, "Bea")
    assert drawn.phase == "game over"
    assert block(drawn, Headline) == Headline("Ana wins")
    assert block(view(table, "Ana"), Headline) == Headline("You win")
    assert block(drawn, Seats).columns == ("place", "lives")
    assert column(drawn, "place") == [1, 2, 2]


def test_joint_winners_are_named_together() -> None:
    table = sit(FIVES, "KS 3S 4S 5S 2H QH JH 10H")
    play(table, "Ana 1", "Bea 4", "Cai 5")
    play_on(table, first_cards)
    play(table, "Bea 0", "Ana 2")
    play_on(table, first_cards)
    assert block(view(table, "Ana"), Headline) == Headline("You and Bea win together")
    assert block(view(table, None), Headline) == Headline("Ana and Bea win together")
    assert column(view(table, None), "place") == [1, 1, 3]


EVENTS: list[tuple[Event, str, str]] = [
    (
        {"kind": "round", "round": 3, "cards": 3, "dealer": "Ana", "first": "Bea"},
        "Round 3, 3 cards each: you deal, Bea bids first.",
        "Round 3, 3 cards each: Ana deals, Bea bids first.",
    ),
    (
        {"kind": "round", "round": 5, "cards": 1, "dealer": "Bea", "first": "Ana"},
        "Round 5, one card each: players see every card but their own, "
        "you decide first and Bea deals.",
        "Round 5, one card each: players see every card but their own, "
        "Ana decides first and Bea deals.",
    ),
    (
        {"kind": "forced", "seat": "Ana", "wins": 0, "must": "lose"},
        "You decide last and can only say lose: nobody has said win, so 'win' would make the "
        "bids add up to the one trick.",
        "Ana decides last and can only say lose: nobody has said win, so 'win' would make the "
        "bids add up to the one trick.",
    ),
    (
        {"kind": "forced", "seat": "Ana", "wins": 3, "must": "lose"},
        "You decide last and can only say lose: 3 players have said win, and at this table only "
        "lose is left to the last then.",
        "Ana decides last and can only say lose: 3 players have said win, and at this table only "
        "lose is left to the last then.",
    ),
    (
        {"kind": "bid", "seat": "Ana", "bid": 0, "total": 3, "cards": 5},
        "You bid 0: 3 bid for 5 tricks so far.",
        "Ana bids 0: 3 bid for 5 tricks so far.",
    ),
    (
        {"kind": "bid", "seat": "Ana", "bid": 1, "total": 1, "cards": 1},
        "You say win: 1 win said so far.",
        "Ana says win: 1 win said so far.",
    ),
    (
        {"kind": "bid", "seat": "Ana", "bid": 0, "total": 2, "cards": 1},
        "You say lose: 2 wins said so far.",
        "Ana says lose: 2 wins said so far.",
    ),
    (
        {"kind": "play", "seat": "Ana", "card": "10D"},
        "You play the ten of diamonds.",
        "Ana plays the ten of diamonds.",
    ),
    (
        {"kind": "reveal", "cards": [["Bea", "KH"], ["Ana", "AS"], ["Cai", "9C"]]},
        "The cards are opened: Bea the king of hearts, you the ace of spades and "
        "Cai the nine of clubs.",
        "The cards are opened: Bea the king of hearts, Ana the ace of spades and "
        "Cai the nine of clubs.",
    ),
    (
        {"kind": "trick", "seat": "Ana", "card": "KH", "won": 1, "bid": 1, "cards": 1},
        "You win the trick with the king of hearts.",
        "Ana wins the trick with the king of hearts.",
    ),
    (
        {"kind": "trick", "seat": "Ana", "card": "KH", "won": 2, "bid": 3, "cards": 5},
        "You win the trick with the king of hearts (2 won, 3 bid).",
        "Ana wins the trick with the king of hearts (2 won, 3 bid).",
    ),
    (
        {"kind": "round_over", "round": 2, "cards": 4, "bids": {"Ana": 3, "Bea": 0},
         "won": {"Ana": 4, "Bea": 0}, "lost": {"Ana": 1, "Bea": 0}},
        "Round 2 is over: you bid 3 and won 4, minus 1 life; Bea bid 0 and won 0.",
        "Round 2 is over: Ana bid 3 and won 4, minus 1 life; Bea bid 0 and won 0.",
    ),
    (
        {"kind": "round_over", "round": 5, "cards": 1, "bids": {"Ana": 1, "Bea": 1},
         "won": {"Ana": 0, "Bea": 1}, "lost": {"Ana": 1, "Bea": 0}},
        "Round 5 is over: you were wrong to say win, minus 1 life; Bea was right to say win.",
        "Round 5 is over: Ana was wrong to say win, minus 1 life; Bea was right to say win.",
    ),
    (
        {"kind": "loss", "seat": "Ana", "lost": 2, "left": 3},
        "You lose 2 lives and have 3 left.",
        "Ana loses 2 lives and has 3 left.",
    ),
    (
        {"kind": "loss", "seat": "Ana", "lost": 1, "left": 0},
        "You have no lives left.",
        "Ana has no lives left.",
    ),
    (
        {"kind": "left", "seat": "Ana", "lost": 3},
        "You have left the table and lose all 3 lives.",
        "Ana has left the table and loses all 3 lives.",
    ),
    (
        {"kind": "left", "seat": "Ana", "lost": 1},
        "You have left the table and lose the last life.",
        "Ana has left the table and loses the last life.",
    ),
    (
        {"kind": "back", "seats": ["Ana", "Bea"]},
        "You and Bea play on with 1 life, since nobody had any left.",
        "Ana and Bea play on with 1 life, since nobody had any left.",
    ),
    (
        {"kind": "back", "seats": ["Ana"]},
        "You play on with 1 life, since nobody had any left.",
        "Ana plays on with 1 life, since nobody had any left.",
    ),
    (
        {"kind": "wipeout", "levels": {"Ana": 0, "Bea": -2, "Cai": 1}},
        "Nobody is left in the game, so this round decides the places: you at 0, "
        "Bea 2 below 0 and Cai with 1 life.",
        "Nobody is left in the game, so this round decides the places: Ana at 0, "
        "Bea 2 below 0 and Cai with 1 life.",
    ),
    (
        {"kind": "out", "seat": "Ana", "place": 8},
        "You are out, in eighth place.",
        "Ana is out, in eighth place.",
    ),
    ({"kind": "over", "winners": ["Ana"], "places": []}, "You win the game.", "Ana wins the game."),
    (
        {"kind": "over", "winners": ["Bea", "Ana"], "places": []},
        "Bea and you win the game together.",
        "Bea and Ana win the game together.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("event", "yours", "theirs"), EVENTS)
def test_event_is_one_sentence_to_its_player_and_to_others(
    event: Event, yours: str, theirs: str
) -> None:
    assert_told(GAME, event, yours, theirs)


def test_every_event_of_whole_games_can_be_told_to_everybody() -> None:
    found = kinds_told(GAME, 10, bots=True) | kinds_told(GAME, 10, bots=True, wipeout="replay")
    assert found == {event["kind"] for event, _, _ in EVENTS} - {"left"}


def test_a_round_over_is_told_in_beats_that_end_in_what_it_cost() -> None:
    drawn = first_round("round_over", "Bea", "Ana 5", "Bea 2", "Cai 5")
    tricks, misses = (View("", beat) for beat in drawn.stage)
    assert [texts(view) for view in (tricks, misses)] == [[], texts(drawn)]
    assert column(tricks, "result") == [""] * 3
    assert column(misses, "result") == column(drawn, "result")
    assert column(tricks, "lives") == column(misses, "lives") == [FULL] * 3


def test_a_trick_lies_there_for_a_beat_before_it_is_taken() -> None:
    drawn = first_round("trick", "Ana", "Ana 5", "Bea 1", "Cai 0")
    (beat,) = (View("", blocks) for blocks in drawn.stage)
    assert block(beat, Headline).sub == "all cards are there"
    assert column(beat, "plays") == column(drawn, "plays")
    assert column(beat, "won")[0] == Counter(0, 5, "boxes")
    assert column(drawn, "won")[0] == Counter(1, 5, "boxes")
