"""The rules that a scenario file cannot show: leaving, being late, what rests and what returns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from support.games.dealt import deal, kinds, play
from support.games.playouts import NAMES, of_kind
from support.games.rigged import rigged

from sobremesa.core.game import Outcome
from sobremesa.core.open_table import OpenTable
from sobremesa.core.pieces import Seat
from sobremesa.core.playout import play_on
from sobremesa.core.questions import Answer, Question
from sobremesa.core.requests import Event
from sobremesa.plugins.cinco_vidas import GAME
from sobremesa.plugins.cinco_vidas.questions import Play


def sit(
    seats: int,
    *decks: str,
    gone: Sequence[Seat] = (),
    on_event: Callable[[Event], None] | None = None,
    **options: str,
) -> OpenTable:
    """The last seat deals first, and the decks begin as given."""
    dealer = {"dealer": seats - 1}
    game = rigged(GAME, gone)
    return deal(game, NAMES[:seats], on_event, tosses=dealer, decks=decks, options=options)


def first_cards(table: OpenTable, seat: Seat, question: Question) -> Answer | None:
    """Play first cards until somebody is asked for something else."""
    return question.default if isinstance(question, Play) else None


def places(table: OpenTable) -> list[tuple[Seat, int]]:
    return [(event["seat"], event["place"]) for event in of_kind(table, "out")]


# Ana's tricks, all five of them.
SWEEP = "KS QS JS 10S 9S 8H 2H 3H 4H 5H 8D 2D 3D 4D 5D"


@pytest.mark.rule("CV-R20")
def test_leaver_bids_lowest_and_plays_the_lowest_card_to_the_end_of_the_round() -> None:
    gone: list[Seat] = []
    table = sit(3, SWEEP, gone=gone)
    gone.append("Bea")
    play(table, "Ana bid 5")
    assert table.run.state.bids == {"Ana": 5, "Bea": 0}
    play(table, "Cai bid 1")
    play_on(table, first_cards)
    played = [event["card"] for event in of_kind(table, "play") if event["seat"] == "Bea"]
    assert played == ["2H", "3H", "4H", "5H", "8H"]


@pytest.mark.rule("CV-R20")
def test_leaver_who_deals_bids_the_lowest_that_is_not_barred() -> None:
    gone = ["Cai"]
    table = sit(3, SWEEP, gone=gone)
    play(table, "Ana bid 3", "Bea bid 2")
    assert table.run.state.bids["Cai"] == 1


def test_leaver_is_out_when_the_round_is_over_and_not_before() -> None:
    gone = ["Bea"]
    table = sit(3, SWEEP, gone=gone)
    play(table, "Ana bid 5", "Cai bid 1")
    assert table.run.state.lives["Bea"] == 5
    play_on(table, first_cards)
    assert GAME.public(table.run.state)["lives"] == {"Ana": 5, "Bea": 0, "Cai": 4}
    assert {"kind": "left", "seat": "Bea", "lost": 5} in table.events
    assert places(table) == [("Bea", 3)]
    assert list(table.asked) == ["Cai"]


def test_hands_of_those_who_stay_are_not_opened_for_a_leaver() -> None:
    table = sit(3, SWEEP, gone=["Bea"])
    play(table, "Ana bid 5", "Cai bid 1", "Ana KS")
    state, seen = table.run.state, table.faces(None)
    assert all(card in seen for card in state.hands["Bea"])
    assert not any(card in seen for seat in ("Ana", "Cai") for card in state.hands[seat])


def test_leaver_and_loser_of_one_round_are_ranked_by_the_lives_they_had() -> None:
    table = sit(4, SWEEP + " 8C 2C 3C 4C 5C", gone=["Bea"])
    play(table, "Ana bid 5", "Cai bid 5", "Dan bid 1")
    play_on(table, first_cards)
    assert places(table) == [("Cai", 4), ("Bea", 3)]


def test_two_leavers_with_as_many_lives_share_a_place() -> None:
    table = sit(4, SWEEP + " 8C 2C 3C 4C 5C", gone=["Bea", "Cai"])
    play(table, "Ana bid 5", "Dan bid 1")
    play_on(table, first_cards)
    assert places(table) == [("Bea", 3), ("Cai", 3)]


def test_last_who_stays_wins_when_the_round_is_over() -> None:
    table = sit(3, SWEEP, gone=["Bea", "Cai"])
    play(table, "Ana bid 5")  # so that Cai, who deals, may not bid 0 and loses a life
    play_on(table, first_cards)
    assert table.outcome == Outcome((("Ana",), ("Bea",), ("Cai",)), "Ana is the last with lives")


def test_game_that_everybody_leaves_ranks_by_lives() -> None:
    gone: list[Seat] = []
    table = sit(3, SWEEP, gone=gone)
    gone.extend(("Ana", "Bea", "Cai"))
    play(table, "Ana bid 4")
    assert table.outcome is not None
    assert table.outcome.places == (("Bea", "Cai"), ("Ana",))
    assert table.outcome.reason == "nobody is left, and Bea and Cai stand highest"


def test_replay_brings_no_leaver_back() -> None:
    gone: list[Seat] = []
    table = sit(3, SWEEP, "KH QH JH 10H 2S 3S 4S 5S 2D 3D 4D 5D", gone=gone, wipeout="replay")
    play(table, "Ana bid 1", "Bea bid 4", "Cai bid 4")
    play_on(table, first_cards)
    gone.append("Cai")
    play(table, "Bea bid 2")  # Cai bids 0 and has a life left; Ana wins nothing
    play(table, "Ana bid 1")
    play_on(table, first_cards)
    assert of_kind(table, "left") == [{"kind": "left", "seat": "Cai", "lost": 1}]
    assert table.outcome is not None
    assert table.outcome.places == (("Cai",), ("Ana",), ("Bea",))


def test_replay_of_a_round_in_which_a_leaver_fell_goes_on_without_them() -> None:
    gone: list[Seat] = []
    table = sit(3, SWEEP, "2S 3S 4S 5S KH QH JH 10H 2D 3D 4D 5D", gone=gone, wipeout="replay")
    play(table, "Ana bid 1", "Bea bid 4", "Cai bid 4")
    play_on(table, first_cards)
    gone.append("Cai")
    play(table, "Bea bid 2", "Ana bid 1")
    play_on(table, first_cards)
    assert of_kind(table, "back") == [{"kind": "back", "seats": ["Ana", "Bea"]}]
    assert places(table) == [("Cai", 3)]
    assert GAME.public(table.run.state)["lives"] == {"Ana": 1, "Bea": 1, "Cai": 0}


def test_leaver_decides_the_one_card_round_by_the_lowest_legal_answer() -> None:
    gone: list[Seat] = []
    table = to_the_one_card_round(gone, "KS 9D 2C")
    gone.append("Ana")
    play(table, "Bea win", "Cai lose")
    assert of_kind(table, "bid")[-1] == {
        "kind": "bid", "seat": "Ana", "bid": 1, "total": 2, "cards": 1,
    }  # fmt: skip
    assert of_kind(table, "reveal") == [
        {"kind": "reveal", "cards": [["Bea", "KS"], ["Cai", "9D"], ["Ana", "2C"]]}
    ]


def to_the_one_card_round(gone: Sequence[Seat], deck: str, **options: Any) -> OpenTable:
    """A table of three before the fifth round; who plays first there is Bea, then Cai and Ana."""
    quiet = ["KS QS JS 10S 9S 2H 3H 4H 5H 6H 2D 3D 4D 5D 6D",
             "KS QS JS 10S 2H 3H 4H 5H 2D 3D 4D 5D",
             "KS QS JS 2H 3H 4H 2D 3D 4D",
             "KS QS 2H 3H 2D 3D"]  # fmt: skip
    table = sit(3, *quiet, deck, gone=gone, **options)
    for cards in (5, 4, 3, 2):
        first, second, dealer = table.run.state.bidders()
        play(table, f"{first} bid {cards}", f"{second} bid 0", f"{dealer} bid 1")
        play_on(table, first_cards)
    assert table.run.state.cards == 1
    return table


@pytest.mark.rule("CV-R15")
def test_clients_rest_where_bids_tricks_losses_and_lives_are_all_in_view() -> None:
    lives_then: list[dict[Seat, int]] = []

    def watch(event: Event) -> None:
        if event["kind"] == "round_over":
            lives_then.append(dict(table.run.state.lives))

    table = sit(3, SWEEP, on_event=watch)
    play(table, "Ana bid 5", "Bea bid 2", "Cai bid 0")
    play_on(table, first_cards)
    assert lives_then == [{"Ana": 5, "Bea": 3, "Cai": 5}]
    assert GAME.pauses == ("round_over",)
    assert kinds(table)[-4:] == ["trick", "round_over", "loss", "round"]


@pytest.mark.rule("CV-R9")
def test_forced_answer_is_given_by_the_table_and_its_reason_told_before() -> None:
    table = to_the_one_card_round([], "KS 9D 2C")
    play(table, "Bea win", "Cai lose")
    told = kinds(table)
    start = len(told) - told[::-1].index("forced") - 1
    assert told[start : start + 3] == ["forced", "bid", "reveal"]
    assert table.events[start] == {"kind": "forced", "seat": "Ana", "wins": 1, "must": "win"}
