"""What players see and hear."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from support.playouts import open_table

from sobremesa.cli.render import render_hand, render_table
from sobremesa.cli.speech import Company
from sobremesa.cli.theme import Theme
from sobremesa.core.open_table import OpenTable
from sobremesa.core.pieces import Seat
from sobremesa.core.requests import Event
from sobremesa.core.scenario import GivenChance, read_scenario
from sobremesa.core.views import Cards, Counter, Hand, Headline, Seats, Text, View
from sobremesa.plugins.cinco_vidas import GAME
from sobremesa.plugins.cinco_vidas.questions import Play

B = TypeVar("B", Headline, Seats)

THREE = ["Ana", "Bea", "Cai"]
FIVES = "KS QS JS 10S 9S 8H 2H 3H 4H 5H 8D 2D 3D 4D 5D"
LATER = ["KS QS JS 10S 2H 3H 4H 5H 2D 3D 4D 5D", "KS QS JS 2H 3H 4H 2D 3D 4D", "KS QS 2H 3H 2D 3D"]


def sit(
    *decks: str,
    seats: list[str] = THREE,
    on_event: Callable[[Event], None] | None = None,
    **options: str,
) -> OpenTable:
    """The last seat deals first, so the first one begins."""
    data = {"game": "cinco-vidas", "seats": seats, "tosses": {"dealer": len(seats) - 1}}
    data |= {"decks": [deck.split() for deck in decks], "options": options}
    scenario = read_scenario(data, lambda name: GAME)
    return OpenTable(
        GAME, scenario.seats, scenario.options, GivenChance(scenario), on_event
    )


def play(table: OpenTable, *moves: str) -> None:
    for move in moves:
        seat, _, text = move.partition(" ")
        table.answer(seat, table.asked[seat].read(text, table.faces(seat)))


def play_on(table: OpenTable) -> None:
    """Play first cards until somebody is asked for something else."""
    while any(isinstance(question, Play) for question in table.asked.values()):
        ((seat, question),) = table.asked.items()
        table.answer(seat, question.default)


def one_card_round(deck: str, **options: Any) -> OpenTable:
    """The fifth round: Bea begins, then Cai, and Ana decides last."""
    table = sit(FIVES, *LATER, deck, **options)
    for cards in (5, 4, 3, 2):
        first, second, dealer = table.run.state.bidders()
        play(table, f"{first} {cards}", f"{second} 0", f"{dealer} 1")
        play_on(table)
    return table


def view(table: OpenTable, seat: Seat | None) -> View:
    return GAME.view(table.run.state, seat, table.faces(seat))


def block(view: View, kind: type[B]) -> B:
    (found,) = (block for block in view.blocks if isinstance(block, kind))
    return found


def texts(view: View) -> list[Text]:
    return [block for block in view.blocks if isinstance(block, Text)]


def hands(view: View) -> dict[str, Cards]:
    return {
        block.label: block.content
        for block in view.blocks
        if isinstance(block, Hand) and isinstance(block.content, Cards)
    }


def column(view: View, name: str) -> list[Any]:
    seats = block(view, Seats)
    place = seats.columns.index(name)
    return [row.cells[place] for row in seats.rows]


FULL = Counter(5, 5, "pips")


def test_bidding_shows_bids_their_sum_and_whose_turn_it_is() -> None:
    table = sit(FIVES)
    play(table, "Ana 2")
    drawn = view(table, "Cai")
    assert drawn.phase == "round 1, 5 cards"
    assert block(drawn, Headline) == Headline("Bidding", "2 bid for 5 tricks so far")
    assert block(drawn, Seats).columns == ("bid", "won", "lives")
    rows = block(drawn, Seats).rows
    assert [row.cells for row in rows] == [(2, 0, FULL), ("", 0, FULL), ("", 0, FULL)]
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
    assert block(drawn, Seats).columns == ("plays", "before", "bid", "won", "lives")
    assert column(drawn, "plays") == [Cards(("QS",)), Cards(()), Cards(())]
    assert column(drawn, "before") == [Cards(("KS",)), Cards(("8H",)), Cards(("8D",))]
    assert column(drawn, "won") == [1, 0, 0]
    assert texts(drawn) == [Text("6 bid for 5 tricks: 1 too many.")]
    assert hands(drawn) == {"Your hand": Cards(("2H", "3H", "4H", "5H"), (0, 1, 2, 3))}


def test_cards_may_be_played_in_turn_only() -> None:
    table = sit(FIVES)
    assert hands(view(table, "Ana"))["Your hand"].playable == ()
    play(table, "Ana 0", "Bea 1", "Cai 0")
    assert hands(view(table, "Ana"))["Your hand"].playable == (0, 1, 2, 3, 4)
    assert hands(view(table, "Bea"))["Your hand"].playable == ()
    assert block(view(table, "Ana"), Headline) == Headline("Trick 1 of 5", "you lead")
    assert block(view(table, "Bea"), Headline) == Headline("Trick 1 of 5", "Ana leads")
    assert texts(view(table, "Bea")) == [Text("1 bid for 5 tricks: 4 too few.")]


def seen_at(kind: str, seat: Seat | None, go: Callable[[Callable[[Event], None]], OpenTable],
            last: bool = True) -> View:  # fmt: skip
    """The view in the moment of an event, of the last such event that there was."""
    drawn: list[View] = []
    tables: list[OpenTable] = []

    def watch(event: Event) -> None:
        if event["kind"] == kind and tables:
            drawn.append(view(tables[0], seat))

    def sat(table: OpenTable) -> OpenTable:
        tables.append(table)
        return table

    go_on = go(watch)
    sat(go_on)
    return drawn[-1 if last else 0]


def watched(
    kind: str, seat: Seat | None, decks: list[str], *moves: str, **options: str
) -> View:
    """What a seat sees at the first event of a kind, once the moves and then first cards are
    played."""
    drawn: list[View] = []

    def watch(event: Event) -> None:
        if event["kind"] == kind:
            drawn.append(view(table, seat))

    table = sit(*decks, on_event=watch, **options)
    play(table, *moves)
    play_on(table)
    return drawn[0]


def test_whole_trick_lies_there_when_it_is_won() -> None:
    drawn = watched("trick", "Ana", [FIVES], "Ana 5", "Bea 1", "Cai 0")
    assert block(drawn, Headline) == Headline("Trick 1 of 5", "your king of spades takes it")
    assert column(drawn, "plays") == [Cards(("KS",)), Cards(("8H",)), Cards(("8D",))]
    assert not any(row.turn for row in block(drawn, Seats).rows)


def test_end_of_a_round_shows_bids_tricks_losses_and_lives() -> None:
    drawn = watched("round_over", "Bea", [FIVES], "Ana 5", "Bea 2", "Cai 5")
    assert block(drawn, Headline) == Headline("Round 1 is over", "12 bid for 5 tricks")
    assert block(drawn, Seats).columns == ("bid", "won", "loses", "lives")
    assert [row.cells for row in block(drawn, Seats).rows] == [
        (5, 5, "", FULL),
        (2, 0, 2, Counter(3, 5, "pips")),
        (5, 0, 5, Counter(0, 5, "pips")),
    ]
    assert [row.seat for row in block(drawn, Seats).rows if row.out] == ["Cai"]
    assert texts(drawn) == [Text("Lives lost: you 2, Cai 5.", "headline")]
    assert hands(drawn) == {}


def test_one_card_round_shows_every_card_but_ones_own() -> None:
    table = one_card_round("KS 9D 2C")
    drawn = view(table, "Cai")
    assert drawn.phase == "round 5, one card"
    assert block(drawn, Headline) == Headline("One-card round", "0 wins said so far")
    assert column(drawn, "card") == [Cards(("2C",)), Cards(("KS",)), Cards((None,))]
    assert hands(drawn) == {"You see": Cards(("KS", "2C")), "Your card": Cards((None,))}
    assert texts(drawn) == [Text("Ana deals and decides last: the wins said may not be 1.")]
    spectated = view(table, None)
    assert column(spectated, "card") == [Cards((None,))] * 3
    assert hands(spectated) == {}


def test_one_card_round_of_a_literal_table_says_so() -> None:
    table = one_card_round("KS 9D 2C", one_card_last="literal")
    assert texts(view(table, "Ana")) == [
        Text(
            "You deal and decide last: the wins said may not be 1, and after 2 only lose is left."
        )
    ]


def test_what_was_said_is_shown_in_words() -> None:
    table = one_card_round("KS 9D 2C")
    play(table, "Bea win")
    drawn = view(table, "Cai")
    assert column(drawn, "bid") == ["", "win", ""]
    assert block(drawn, Headline).sub == "1 win said so far"


@pytest.mark.parametrize("kind", ["forced", "reveal", "trick", "round_over"])
def test_reason_of_a_forced_answer_stays_in_view_until_the_round_is_over(kind: str) -> None:
    drawn: list[View] = []

    def watch(event: Event) -> None:
        if event["kind"] == kind:
            drawn.append(view(tables[0], "Ana"))

    tables: list[OpenTable] = [one_card_round("KS 9D 2C", on_event=lambda e: watch_if(e))]
    armed = True
    play(tables[0], "Bea win", "Cai lose")
    del armed
    assert drawn[-1].blocks


def watch_if(event: Event) -> None:
    del event
