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
    view,
    views_at,
)
from support.games.playouts import NAMES

from sobremesa.core.open_table import OpenTable
from sobremesa.core.pieces import Seat
from sobremesa.core.requests import Event
from sobremesa.core.views import (
    Cards,
    Counter,
    Figure,
    Grid,
    Headline,
    Meter,
    Seats,
    Text,
    View,
)
from sobremesa.plugins.five_alive import GAME
from sobremesa.plugins.five_alive.cards import EFFECTS, name

BEA = "5 0 pass 7 6 6 4 4 4 4"
CAI = "3 3 3 3 3 3 3 3 2 2"
DECK = f"=21 5 redeal 1 1 1 1 1 1 1 {BEA} {CAI} bomb"
FULL = Counter(5, 5, letters="ALIVE")
FOUR = Counter(4, 5, letters="ALIVE")


def sit(
    deck: str = DECK, seats: int = 3, on_event: OnEvent | None = None, **options: str
) -> OpenTable:
    given = {"tosses": {"starter": 0}, "decks": [deck], "options": options}
    return deal(GAME, NAMES[:seats], on_event, **given)


def watch(kind: str, seat: Seat | None, *moves: str, **given: Any) -> View:
    """The view in the moment of the last event of a kind."""
    return views_at(kind, seat, partial(sit, **given), *moves)[-1]


def test_total_is_the_headline_with_what_is_safe_a_figure_and_a_meter() -> None:
    table = sit()
    play(table, "Ana 5", "Bea 4")
    drawn = view(table, "Cai")
    assert drawn.phase == "hand 1"
    said = Headline("Total 9: up to 12 more is safe", "Bea played 4")
    assert block(drawn, Headline) == said
    assert block(drawn, Figure) == Figure("9", Cards(("4",)), "of 21")
    assert block(drawn, Meter) == Meter(9, 21)


def test_seats_show_alive_cards_hand_sizes_latest_card_and_turn() -> None:
    table = sit()
    play(table, "Ana 5", "Bea pass", "Cai 3")
    seats = block(view(table, "Cai"), Seats)
    assert (seats.columns, seats.said) == (("alive", "cards"), "played")
    assert [row.cells for row in seats.rows] == [(FULL, 9)] * 3
    assert [row.said for row in seats.rows] == ["5", "PASS ME BY", "3"]
    assert [row.seat for row in seats.rows if row.turn] == ["Ana"]


def test_top_card_direction_and_pile_are_said() -> None:
    table = sit()
    assert Text("Going clockwise, 47 to draw, then Bea.", "dim") in view(table, "Ana").blocks
    assert block(view(table, "Ana"), Headline).sub == ""
    play(table, "Ana 5", "Bea pass")
    assert Text("Going clockwise, 47 to draw, then you.", "dim") in view(table, "Ana").blocks
    assert block(view(table, "Ana"), Headline).sub == "Bea played PASS ME BY"


def test_a_bomb_is_a_figure_until_it_has_done_its_work() -> None:
    deck = "bomb 5 1 1 1 1 1 1 1 1 7 6 6 5 5 5 4 4 4 4 3 3 3 3 3 3 3 3 2 2"
    drawn = watch("play", "Bea", "Ana bomb", deck=deck)
    assert block(drawn, Figure) == Figure("BOOM!", role="bad")
    table = sit(deck)
    play(table, "Ana bomb")
    assert block(view(table, "Bea"), Figure).text == "0"


def test_own_hand_says_what_each_card_makes_in_turn() -> None:
    table = sit()
    assert hands(view(table, "Bea")) == {"Your hand": Cards(tuple(BEA.split()))}
    play(table, "Ana =21")
    notes = ("bust", "→ 21", "→ 21", *["bust"] * 7)
    assert hands(view(table, "Bea")) == {
        "Your hand": Cards(tuple(BEA.split()), (1, 2), notes=notes)
    }
    assert hands(view(table, None)) == {}


def test_cheat_sheet_shows_the_wild_cards_that_one_holds_and_all_to_who_looks_on() -> None:
    def shown(seat: Seat | None) -> set[str | None]:
        sheet = block(view(sit(), seat), Grid)
        assert sheet.area == "side"
        found = {cell.values[0] for row in sheet.rows for cell in row if isinstance(cell, Cards)}
        assert all(f"{name(str(face))}: {EFFECTS[str(face)]}" in sheet.spoken for face in found)
        return found

    assert shown("Ana") == {"=21", "redeal"}
    assert shown(None) == set(EFFECTS)


def test_teams_are_numbered_and_share_their_alive_cards() -> None:
    deck = f"=21 5 1 1 1 1 1 1 1 1 7 6 6 5 5 5 4 4 4 4 {CAI}"
    table = sit(deck, seats=4, teams="on")
    play(table, "Ana =21")
    seats = block(view(table, "Ana"), Seats)
    assert seats.columns == ("team", "alive", "cards")
    assert [row.cells[:2] for row in seats.rows] == [
        (1, FULL), (2, FOUR), (1, FULL), (2, FOUR),
    ]  # fmt: skip


ZEROS = "0 0 0 0 0 0 0 0 1 2"
WAIT = "pass pass pass pass =0 =0 =0 reverse reverse reverse"
LAST = [
    move
    for own, other in zip(ZEROS.split()[:9], WAIT.split(), strict=False)
    for move in (f"Ana {own}", f"Bea {other}")
]
"""Ana has a 2 left then, and Bea a REVERSE."""


def test_end_of_a_hand_shows_what_was_held_and_who_flipped() -> None:
    drawn = watch("flip", "Bea", *LAST, "Ana 2", deck=f"{ZEROS} {WAIT}", seats=2)
    assert block(drawn, Headline) == Headline("Hand 1 is over", "the total was 3")
    assert block(drawn, Grid).rows == (("You held", Cards(("reverse",))),)
    assert [row.cells[0] for row in block(drawn, Seats).rows] == [
        FULL,
        Counter(4, 5, letters="ALIVE"),
    ]
    assert not any(row.turn for row in block(drawn, Seats).rows)


def test_new_hand_shows_nothing_of_the_one_before() -> None:
    table = sit(f"{ZEROS} {WAIT}", seats=2)
    play(table, *LAST, "Ana 2")
    drawn = view(table, "Bea")
    assert drawn.phase == "hand 2"
    assert [row.said for row in block(drawn, Seats).rows] == ["", ""]
    assert list(hands(drawn)) == ["Your hand"]


def whose_turn(drawn: View) -> list[Seat]:
    return [row.seat for row in block(drawn, Seats).rows if row.turn]


def test_turn_has_moved_on_when_a_card_is_told() -> None:
    assert whose_turn(watch("play", None, "Ana 5")) == ["Bea"]
    assert whose_turn(watch("play", None, "Ana =21")) == ["Bea"]


@pytest.mark.parametrize(
    ("card", "deed", "following"),
    [("reverse", "reverse", "Cai"), ("skip", "skip", "Cai"), ("draw1", "draw", "Bea"),
     ("draw2", "draw", "Bea"), ("redeal", "redeal", "Bea"), ("bomb", "flip", "Bea")],
)  # fmt: skip
def test_what_a_wild_card_does_is_told_before_anybody_is_to_play(
    card: str, deed: str, following: str
) -> None:
    """Or the next player would hear what can be played before knowing who is to play."""
    deck = f"{card} 5 1 1 1 1 1 1 1 1 7 6 6 5 5 5 4 4 4 4 3 3 3 3 3 3 3 3 2 2"
    for kind in ("play", deed):
        drawn = watch(kind, following, f"Ana {card}", deck=deck)
        assert whose_turn(drawn) == []
        assert hands(drawn)["Your hand"].playable is None
    table = sit(deck)
    play(table, f"Ana {card}")
    assert whose_turn(view(table, following)) == [following]


def test_seat_whose_cards_cannot_be_seen_is_drawn_covered() -> None:
    """A saved game is replayed without the players' secrets."""
    table = sit()
    drawn = GAME.view(table.run.state, "Ana", {})
    assert hands(drawn) == {"Your hand": Cards((None,) * 10)}


def finished(**options: Any) -> OpenTable:
    """Bea brings it to 21 until Ana, who has nothing for it, is out."""
    deck = "=21 =21 =21 =21 =21 3 3 3 3 3 7 6 6 5 5 5 5 4 4 4"
    table = sit(deck, seats=2, **options)
    play(table, *["Ana =21"] * 5)
    return table


def test_end_shows_the_places() -> None:
    table = finished()
    assert view(table, "Ana").phase == "game over"
    assert block(view(table, "Ana"), Headline) == Headline("You win")
    assert block(view(table, "Bea"), Headline) == Headline("Ana wins")
    assert [row.cells for row in block(view(table, "Bea"), Seats).rows] == [
        (1, FULL), (2, Counter(0, 5, letters="ALIVE")),
    ]  # fmt: skip


SIDE = {"name": "Ana", "team": False, "seats": ["Ana"], "flipped": 1, "left": 3}
TEAM = {"name": "team 1", "team": True, "seats": ["Ana", "Cai"], "flipped": 2, "left": 3}

EVENTS: list[tuple[Event, str, str]] = [
    (
        {"kind": "teams", "teams": [["Ana", "Cai"], ["Bea", "Dan"]]},
        "There are two teams: team 1 is you and Cai and team 2 is Bea and Dan.",
        "There are two teams: team 1 is Ana and Cai and team 2 is Bea and Dan.",
    ),
    (
        {"kind": "no_teams", "least": 4},
        "Teams need 4 players, so everybody plays alone.",
        "Teams need 4 players, so everybody plays alone.",
    ),
    (
        {"kind": "hand", "hand": 2, "starter": "Ana", "cards": 10},
        "Hand 2, 10 cards each: the total is 0 and you start.",
        "Hand 2, 10 cards each: the total is 0 and Ana starts.",
    ),
    (
        {"kind": "play", "seat": "Ana", "card": "5", "total": 17, "left": 7},
        "You play 5: the total is 17.",
        "Ana plays 5: the total is 17.",
    ),
    (
        {"kind": "play", "seat": "Ana", "card": "pass", "total": 17, "left": 1},
        "You play PASS ME BY: the total is 17, and you have 1 card left.",
        "Ana plays PASS ME BY: the total is 17, and Ana has 1 card left.",
    ),
    (
        {"kind": "play", "seat": "Ana", "card": "5", "total": 17, "left": 0},
        "You play your last card, 5, which makes it 17: the hand is over.",
        "Ana plays the last card in hand, 5, which makes it 17: the hand is over.",
    ),
    (
        {"kind": "play", "seat": "Ana", "card": "redeal", "total": 17, "left": 0},
        "You play your last card, RE-DEAL, which has no effect any more: the hand is over.",
        "Ana plays the last card in hand, RE-DEAL, which has no effect any more: the hand is over.",
    ),
    (
        {"kind": "reverse", "direction": -1, "living": 3},
        "Play now goes counter-clockwise.",
        "Play now goes counter-clockwise.",
    ),
    (
        {"kind": "reverse", "direction": 1, "living": 2},
        "Between two players REVERSE only passes the turn.",
        "Between two players REVERSE only passes the turn.",
    ),
    ({"kind": "skip", "seat": "Ana"}, "You are skipped.", "Ana is skipped."),
    (
        {"kind": "draw", "drawn": {"Ana": 2, "Bea": 2}, "count": 2},
        "You and Bea draw 2 cards each.",
        "Ana and Bea draw 2 cards each.",
    ),
    (
        {"kind": "draw", "drawn": {"Bea": 2, "Ana": 1, "Cai": 0}, "count": 2},
        "Bea draws 2 cards, you draw 1 and Cai draws none, for there are no more cards.",
        "Bea draws 2 cards, Ana draws 1 and Cai draws none, for there are no more cards.",
    ),
    (
        {"kind": "reshuffle", "cards": 12},
        "The draw pile is empty: 12 discards are shuffled into a new one.",
        "The draw pile is empty: 12 discards are shuffled into a new one.",
    ),
    (
        {"kind": "reshuffle", "cards": 1},
        "The draw pile is empty: 1 discard is the new one.",
        "The draw pile is empty: 1 discard is the new one.",
    ),
    (
        {"kind": "redeal", "seat": "Bea", "cards": 7, "dealt": {"Ana": 4, "Bea": 3}},
        "All hands, 7 cards, are shuffled and dealt again: you 4 and Bea 3.",
        "All hands, 7 cards, are shuffled and dealt again: Ana 4 and Bea 3.",
    ),
    (
        {"kind": "zeros", "seats": ["Ana", "Bea"]},
        "You and Bea discard a 0 because of the BOMB.",
        "Ana and Bea discard a 0 because of the BOMB.",
    ),
    (
        {"kind": "emptied", "seats": ["Ana"]},
        "You have no card left after the BOMB: the hand is over.",
        "Ana has no card left after the BOMB: the hand is over.",
    ),
    (
        {"kind": "opened", "hands": {"Ana": ["5", "pass"], "Bea": ["=0"]}},
        "The hands are opened: you held 5 and PASS ME BY; Bea held =0.",
        "The hands are opened: Ana held 5 and PASS ME BY; Bea held =0.",
    ),
    (
        {"kind": "flip", "reason": "bust", "seats": ["Ana"], "total": 20, "sides": [SIDE]},
        "At 20 you have only cards that go over 21: you flip an ALIVE card (3 left), "
        "and the total is 0.",
        "At 20 Ana has only cards that go over 21: Ana flips an ALIVE card (3 left), "
        "and the total is 0.",
    ),
    (
        {"kind": "flip", "reason": "bomb", "seats": ["Ana", "Cai"], "total": 0, "sides": [TEAM]},
        "You and Cai have no 0 for the BOMB: your team flips 2 ALIVE cards (3 left).",
        "Ana and Cai have no 0 for the BOMB: team 1 flips 2 ALIVE cards (3 left).",
    ),
    (
        {"kind": "flip", "reason": "hand over", "seats": ["Ana"], "total": 0, "sides": [SIDE]},
        "The hand is over: you flip an ALIVE card (3 left).",
        "The hand is over: Ana flips an ALIVE card (3 left).",
    ),
    (
        {"kind": "left", "seat": "Ana"},
        "You have left the table for good.",
        "Ana has left the table for good.",
    ),
    (
        {"kind": "out", "seat": "Ana", "place": 3},
        "You are out, in third place.",
        "Ana is out, in third place.",
    ),
    (
        {"kind": "sudden", "standing": {"Ana": [2, 9], "Bea": [1, 0]}},
        "Sudden death ends the game: you have 2 ALIVE cards and numbers worth 9 in hand; Bea has "
        "1 ALIVE card and numbers worth 0 in hand.",
        "Sudden death ends the game: Ana has 2 ALIVE cards and numbers worth 9 in hand; Bea has "
        "1 ALIVE card and numbers worth 0 in hand.",
    ),
    (
        {"kind": "over", "winners": ["Ana"], "places": []},
        "You win the game.",
        "Ana wins the game.",
    ),
    (
        {"kind": "over", "winners": ["Ana", "Bea"], "places": []},
        "You and Bea win the game together.",
        "Ana and Bea win the game together.",
    ),
    (
        {"kind": "over", "winners": [], "places": []},
        "Nobody is left, so nobody wins.",
        "Nobody is left, so nobody wins.",
    ),
]


@pytest.mark.parametrize(("event", "to_ana", "to_others"), EVENTS, ids=lambda e: str(e)[:40])
def test_event_is_told_in_one_sentence(event: Event, to_ana: str, to_others: str) -> None:
    assert_told(GAME, event, to_ana, to_others)


@pytest.mark.rule("FA-R16")
def test_running_total_is_told_with_every_card() -> None:
    told: list[str] = []
    table = sit(on_event=lambda event: told.append(GAME.describe(event, None)))
    play(table, "Ana 5", "Bea 4", "Cai 3", "Ana =21", "Bea 0")
    assert told[1:] == [
        "Ana plays 5: the total is 5.",
        "Bea plays 4: the total is 9.",
        "Cai plays 3: the total is 12.",
        "Ana plays =21: the total is 21.",
        "Bea plays 0: the total is 21.",
        "At 21 Cai has only cards that go over 21: Cai flips an ALIVE card (4 left), "
        "and the total is 0.",
    ]


def test_every_pause_is_an_event_of_the_game() -> None:
    assert set(GAME.pauses) <= {event["kind"] for event, _, _ in EVENTS}


def test_every_event_of_whole_games_can_be_told_and_every_moment_drawn() -> None:
    found = (
        kinds_told(GAME, 12)
        | kinds_told(GAME, 4, sudden_death="on")
        | kinds_told(GAME, 4, teams="on")
    )
    rare = {"left", "emptied", "reshuffle", "teams"}
    assert found | rare == {event["kind"] for event, _, _ in EVENTS}
