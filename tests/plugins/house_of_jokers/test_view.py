"""What players see and hear."""

from __future__ import annotations

import pytest
from support.games.dealt import (
    assert_told,
    block,
    deal,
    hands,
    kinds_told,
    play,
    texts,
    view,
)

from sobremesa.cli.draw.layout import LOG_NARROW
from sobremesa.cli.draw.talk import render_log
from sobremesa.cli.draw.theme import Theme
from sobremesa.cli.words.story import Said
from sobremesa.core.open_table import OpenTable
from sobremesa.core.playout import give
from sobremesa.core.requests import Event
from sobremesa.core.views import Board, Cards, Counter, Grid, Headline, Seats, Spot, Text, View
from sobremesa.plugins.house_of_jokers import GAME
from sobremesa.plugins.house_of_jokers.questions import Flip
from sobremesa.plugins.house_of_jokers.state import DEALT, Ending
from sobremesa.plugins.house_of_jokers.state import Board as Laid
from sobremesa.plugins.playing_cards import RANKS

THREE = ["Ana", "Bea", "Cai"]
DECK = (
    "8H KD KC 6S 5S QC 8S JD JC KS 10D 10C QS 9D 9C JS 2D 2C 10S 3D 3C 9S 4D 4C KH 5D 5C QH QD "
    "8C JH 6D 6C 10H 8D AC 9H AD AS 2H 2S 3S 3H 4S 4H 5H 6H AH"
)
"""Ana holds 8H 6S 8S, Bea KD 5S JD, Cai KC QC JC."""


def sit(*moves: str, chosen: bool = True, **options: str) -> OpenTable:
    """Ana begins. Everybody has chosen the first cards of the hand."""
    table = deal(GAME, THREE, tosses={"starter": 0}, decks=[DECK], options=options)
    if chosen:
        give(table, [(seat, question.default) for seat, question in table.asked.items()])
    return play(table, *moves)


def grids(view: View) -> tuple[Board, Grid]:
    """The board and the counters."""
    return block(view, Board), block(view, Grid)


FLIPPED = ("Ana play 8H", "Ana refill KS", "Bea flip 5S", "Cai flip KC")


def test_choosing_shows_the_whole_hand() -> None:
    drawn = view(sit(chosen=False), "Bea")
    assert drawn.phase == "choosing"
    assert block(drawn, Headline) == Headline("Everybody chooses 3 action cards", "opened together")
    hand = hands(drawn)["Your hand"]
    assert hand.values[:3] == ("KD", "5S", "JD")
    assert hand.playable == tuple(range(16))
    assert texts(drawn) == []
    assert list(hands(drawn)) == ["Your hand"]


def test_board_shows_cards_jokers_and_places_that_wait() -> None:
    board, counters = grids(view(sit(*FLIPPED), None))
    rows = {name: spots for name, spots, _ in board.rows}
    assert board.columns == RANKS
    far, waits, held = Spot(), Spot(state="open"), Spot(state="blocked")
    hearts = [*[far] * 5, waits, Spot("7H"), Spot("8H", "JOKER"), held, *[far] * 4]
    assert list(rows["♥"]) == hearts
    assert list(rows["♠"][5:8]) == [waits, Spot("7S"), waits]
    assert [remark for _, _, remark in board.rows] == ["1/13", "2/13", "1/13", "1/13"]
    assert "hearts 7 to 8, joker on 8, next 6" in board.spoken
    assert board.spoken.startswith("Spades only 7, next 6 or 8")
    assert counters.rows == (
        ("house", Counter(5, 52, "bar"), "jokers out", Counter(0, 2, "pips"), "joker moves",
         Counter(0, 3)),
    )  # fmt: skip
    assert counters.spoken == (
        "5 of 52 cards placed; 0 of 2 jokers removed; 0 joker moves in a row, 3 allowed"
    )


def test_complete_suit_is_spoken_as_such_and_has_no_place_left() -> None:
    table = sit()
    whole = {"S": 7, "H": 1, "D": 7, "C": 7}, {"S": 7, "H": 13, "D": 7, "C": 7}
    table.run.state.board = Laid(*whole, (), 0, 2)
    board, counters = grids(view(table, None))
    assert "hearts complete" in board.spoken
    assert all(spot.card for spot in board.rows[1][1])
    assert counters.rows[0][3] == Counter(2, 2, "pips")


def test_seats_show_action_cards_what_fits_and_hands() -> None:
    seats = block(view(sit(*FLIPPED), None), Seats)
    assert (seats.columns, seats.said) == (("action cards", "hand"), "played")
    assert [row.cells for row in seats.rows] == [
        (Cards(("KS", "6S", "8S"), (1, 2)), 12),
        (Cards(("KD", None, "JD"), ()), 13),
        (Cards((None, "QC", "JC"), ()), 13),
    ]
    assert [row.said for row in seats.rows] == ["eight of hearts", "", ""]
    assert [row.seat for row in seats.rows if row.turn] == ["Ana"]
    assert not any(row.out for row in seats.rows)


def test_turn_marks_what_can_be_played() -> None:
    table = sit(*FLIPPED)
    mine, theirs = view(table, "Ana"), view(table, "Bea")
    assert mine.phase == "5 of 52 placed"
    assert not any(isinstance(b, Headline) for b in (*mine.blocks, *theirs.blocks))
    notes = ("no", "fits", "fits")
    assert hands(mine)["Actions"] == Cards(("KS", "6S", "8S"), (1, 2), notes=notes)
    assert hands(theirs)["Actions"] == Cards(("KD", None, "JD"))


@pytest.mark.rule("HJ-R19")
def test_own_face_down_cards_are_shown_on_ones_own_turn_only() -> None:
    table = sit(*FLIPPED)
    assert hands(view(table, "Bea"))["Actions"] == Cards(("KD", None, "JD"))
    play = ("Ana play 6S", "Ana refill QS")  # Bea cannot move: there is no end for a joker
    table = sit(*FLIPPED, *play)
    assert table.run.state.stage == "flipping"
    assert hands(view(table, "Bea"))["Actions"] == Cards(
        ("KD", "5S", "JD"), (0, 2), notes=("flip", "", "flip")
    )
    for looker in ("Ana", "Cai", None):
        assert block(view(table, looker), Seats).rows[1].cells[0] == Cards(("KD", None, "JD"), ())
    assert block(view(table, "Ana"), Headline) == Headline(
        "Bea's turn", "no valid move: a card goes face down"
    )


def test_refill_marks_the_hand() -> None:
    drawn = view(sit("Ana play 8H"), "Ana")
    assert block(drawn, Headline) == Headline("Your turn", "a hand card takes the empty place")
    assert hands(drawn)["Your hand"].playable == tuple(range(13))
    assert hands(drawn)["Actions"] == Cards(("6S", "8S"))


def test_hint_says_when_only_joker_moves_are_valid() -> None:
    play = ("Ana play 6S", "Ana refill QS", "Bea flip JD", "Cai flip JC", "Ana play 8S")
    table = sit(*FLIPPED, *play, "Ana refill 9H")
    assert list(table.asked) == ["Bea"]
    (said,) = texts(view(table, "Bea"))
    assert said == Text("None of your action cards fits: you can only move a joker.", "warn")
    assert texts(view(table, "Ana")) == []
    stalled = sit(*FLIPPED, *play, "Ana refill 9H", "Bea joker 6S 8S")
    assert grids(view(stalled, None))[1].rows[0][5] == Counter(1, 3)


def test_what_everybody_did_last_is_shown() -> None:
    def last(*moves: str) -> list[str]:
        return [row.said for row in block(view(sit(*FLIPPED, *moves), None), Seats).rows]

    play = ("Ana play 6S", "Ana refill QS", "Bea flip JD", "Cai flip JC", "Ana play 8S")
    assert last(*play, "Ana refill 9H") == ["eight of spades", "", ""]
    moved = last(*play, "Ana refill 9H", "Bea joker 6S 8S")
    assert moved == ["eight of spades", "a joker", ""]


def test_penalty_takes_what_was_done_last_out_of_sight() -> None:
    table = sit("Ana play 8H")
    table.run.state.latest["Bea"] = "6S"
    table.answer("Ana", table.asked["Ana"].read("refill KS", table.faces("Ana")))
    assert isinstance(table.asked["Bea"], Flip)
    assert [row.said for row in block(view(table, None), Seats).rows][:2] == ["eight of hearts", ""]


def test_turns_of_four_others_fit_the_log_of_a_small_terminal() -> None:
    """Room for 16 lines beside the table, so that one sees what happened since the own turn."""
    for face in DEALT:
        play = {"kind": "play", "seat": "Bento", "card": face, "covered": False, "closes": False,
                "joker": False, "placed": 9}  # fmt: skip
        refill = {"kind": "refill", "seat": "Bento", "card": face, "left": 3}
        joker = {
            "kind": "joker",
            "seat": "Bento",
            "joker": face,
            "end": face,
            "stall": 2,
            "limit": 5,
        }
        turns = [[play, refill], [play, {**refill, "card": None}], [joker]]
        for turn in turns:
            lines, _ = render_log(
                [Said("", GAME.describe(e, "Ana")) for e in turn], LOG_NARROW, 9, Theme()
            )
            assert len(lines) <= 4


def test_seat_whose_cards_cannot_be_seen_is_drawn_covered() -> None:
    """A saved game is replayed without the players' secrets."""
    table = sit(*FLIPPED)
    drawn = GAME.view(table.run.state, "Ana", table.run.faces)
    assert hands(drawn)["Your hand"] == Cards((None,) * 12)
    assert list(hands(view(table, None))) == []


ENDS = [
    (
        Ending("won"),
        Headline("YOU WON!"),
        ["Congratulations, you won the game together!"],
        Headline("THE PLAYERS WON!"),
    ),
    (
        Ending("lost", "Ana"),
        Headline("GAME OVER", "You lost..."),
        ["The Joker Wins! You have no card left to turn face down."],
        Headline("GAME OVER", "The players lost..."),
    ),
    (
        Ending("gave_up", "Bea"),
        Headline("GAME OVER", "You lost..."),
        ["Bea gave up."],
        Headline("GAME OVER", "The players lost..."),
    ),
    (
        Ending("left", "Bea"),
        Headline("Room Canceled", "Someone left the game..."),
        [],
        Headline("Room Canceled", "Someone left the game..."),
    ),
]


@pytest.mark.parametrize(("ending", "head", "said", "spectated"), ENDS)
def test_end_is_announced(
    ending: Ending, head: Headline, said: list[str], spectated: Headline
) -> None:
    table = sit(*FLIPPED)
    table.run.state.ending, table.run.state.turn = ending, None
    drawn = view(table, "Ana")
    assert drawn.phase == "game over"
    assert block(drawn, Headline) == head
    assert [text.text for text in texts(drawn)] == said
    assert block(view(table, None), Headline) == spectated
    assert hands(drawn) == {}


def test_table_is_drawn_before_anything_is_dealt() -> None:
    table = sit(chosen=False)
    state = table.run.state
    state.stage, state.hands = "dealing", dict.fromkeys(THREE, ())
    drawn = GAME.view(state, "Ana", {})
    assert (drawn.phase, block(drawn, Headline)) == ("dealing", Headline("The cards are dealt"))


EVENTS: list[tuple[Event, str, str]] = [
    (
        {"kind": "deal", "cards": {"Ana": 16, "Bea": 16, "Cai": 16}, "choose": 3, "jokers": 2},
        "The cards are dealt, 16 each: 3 of them become action cards, and there are 2 jokers.",
        "The cards are dealt, 16 each: 3 of them become action cards, and there are 2 jokers.",
    ),
    (
        {
            "kind": "deal",
            "cards": {"Ana": 10, "Bea": 9, "Cai": 9, "Dan": 10, "Eva": 10},
            "choose": 2,
            "jokers": 3,
        },
        "The cards are dealt, 10 to you, Dan and Eva and 9 to the others: 2 of them become "
        "action cards, and there are 3 jokers.",
        "The cards are dealt, 10 to Ana, Dan and Eva and 9 to the others: 2 of them become "
        "action cards, and there are 3 jokers.",
    ),
    (
        {"kind": "reveal", "cards": {"Ana": ["6S", "KD"], "Bea": ["10H", "AC"]}},
        "The action cards are opened: you the six of spades and king of diamonds; Bea the ten of "
        "hearts and ace of clubs.",
        "The action cards are opened: Ana the six of spades and king of diamonds; Bea the ten of "
        "hearts and ace of clubs.",
    ),
    ({"kind": "starter", "seat": "Ana"}, "You begin.", "Ana begins."),
    (
        {"kind": "extra", "seat": "Ana"},
        "You have an extra turn.",
        "Ana has an extra turn.",
    ),
    (
        {"kind": "play", "seat": "Ana", "card": "6S", "covered": False, "closes": False,
         "joker": True, "placed": 5},
        "You play the six of spades, with a joker on top.",
        "Ana plays the six of spades, with a joker on top.",
    ),
    (
        {"kind": "play", "seat": "Ana", "card": "KH", "covered": True, "closes": True,
         "joker": False, "placed": 40},
        "You play the king of hearts, which lay face down, and close hearts at that end.",
        "Ana plays the king of hearts, which lay face down, and closes hearts at that end.",
    ),
    (
        {"kind": "play", "seat": "Ana", "card": "AS", "covered": False, "closes": True,
         "joker": False, "placed": 40},
        "You play the ace of spades and close spades at that end.",
        "Ana plays the ace of spades and closes spades at that end.",
    ),
    (
        {"kind": "refill", "seat": "Ana", "card": "QD", "left": 2},
        "You refill with the queen of diamonds.",
        "Ana refills with the queen of diamonds.",
    ),
    (
        {"kind": "refill", "seat": "Ana", "card": None, "left": 0},
        "You refill face down with the last card in hand.",
        "Ana refills face down with the last card in hand.",
    ),
    (
        {"kind": "refill", "seat": "Ana", "card": "QD", "left": 0},
        "You refill with the queen of diamonds, the last card in hand.",
        "Ana refills with the queen of diamonds, the last card in hand.",
    ),
    (
        {"kind": "refill", "seat": "Ana", "card": None, "left": 3},
        "You refill face down.",
        "Ana refills face down.",
    ),
    (
        {"kind": "joker", "seat": "Ana", "joker": "8H", "end": "6D", "stall": 1, "limit": 3},
        "You move the joker on the eight of hearts to the six of diamonds.",
        "Ana moves the joker on the eight of hearts to the six of diamonds.",
    ),
    (
        {"kind": "joker", "seat": "Ana", "joker": "8H", "end": "6D", "stall": 3, "limit": 3},
        "You move the joker on the eight of hearts to the six of diamonds, and now jokers must "
        "stay.",
        "Ana moves the joker on the eight of hearts to the six of diamonds, and now jokers must "
        "stay.",
    ),
    (
        {"kind": "joker_removed", "seat": "Ana", "joker": "8H", "end": "7S", "left": 1},
        "You move the joker on the eight of hearts out of the game by the seven of spades: "
        "1 joker left.",
        "Ana moves the joker on the eight of hearts out of the game by the seven of spades: "
        "1 joker left.",
    ),
    (
        {"kind": "joker_removed", "seat": "Ana", "joker": "8H", "end": "7S", "left": 0},
        "You move the joker on the eight of hearts out of the game by the seven of spades: "
        "none is left.",
        "Ana moves the joker on the eight of hearts out of the game by the seven of spades: "
        "none is left.",
    ),
    (
        {"kind": "flip", "seat": "Ana", "card": "9D", "left": 1},
        "You have no valid move and turn the nine of diamonds face down: 1 still face up.",
        "Ana has no valid move and turns the nine of diamonds face down: 1 still face up.",
    ),
    (
        {"kind": "flip", "seat": "Ana", "card": "9D", "left": 0},
        "You have no valid move and turn the nine of diamonds face down: none is face up now.",
        "Ana has no valid move and turns the nine of diamonds face down: none is face up now.",
    ),
    (
        {"kind": "over", "how": "won", "seat": None, "placed": 52},
        "You won! All 52 cards are placed: congratulations, you won the game together!",
        "The players won! All 52 cards are placed: congratulations, the players won the game "
        "together!",
    ),
    (
        {"kind": "over", "how": "lost", "seat": "Ana", "placed": 40},
        "The Joker wins! Game over, you lost: you have no valid move and no face-up card to turn "
        "down, with 40 of 52 cards placed.",
        "The Joker wins! Game over, the players lost: Ana has no valid move and no face-up card "
        "to turn down, with 40 of 52 cards placed.",
    ),
    (
        {"kind": "over", "how": "gave_up", "seat": "Ana", "placed": 9},
        "Game over, you lost: you give up.",
        "Game over, the players lost: Ana gives up.",
    ),
    (
        {"kind": "over", "how": "left", "seat": "Bea", "placed": 9},
        "Room canceled, you lost: someone left the game.",
        "Room canceled, the players lost: someone left the game.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("event", "yours", "theirs"), EVENTS)
def test_event_is_one_sentence_to_its_player_and_to_others(
    event: Event, yours: str, theirs: str
) -> None:
    assert_told(GAME, event, yours, theirs, [None])


def test_every_event_of_whole_games_can_be_told() -> None:
    found = kinds_told(GAME, 16, bots=True, ends=(".", "!"))
    assert found == {event["kind"] for event, _, _ in EVENTS}
