"""What players see and hear."""

from __future__ import annotations

from functools import partial

import pytest
from support.games.dealt import OnEvent, assert_told, block, deal, kinds_told, play, view, views_at

from sobremesa.core.open_table import OpenTable
from sobremesa.core.requests import Event
from sobremesa.core.views import Chances, Dice, Figure, Grid, Hand, Headline, Seats, Text, View
from sobremesa.plugins.dudo import GAME


def sit(
    seats: list[str],
    rolls: list[dict[str, list[int]]],
    on_event: OnEvent | None = None,
    **options: object,
) -> OpenTable:
    """The first seat opens; the dice are those given."""
    return deal(GAME, seats, on_event, rolls=rolls, tosses={"opener": 0}, options=options)


FOUR = ["Ana", "Bea", "Cai", "Dan"]
FIVES = {"Ana": [2, 3, 4, 5, 6], "Bea": [2] * 5, "Cai": [4] * 5, "Dan": [6] * 5}


def test_twenty_dice_with_five_own_expect_five_more_and_half_of_it_for_ones() -> None:
    """The check value of the rules: 15 hidden dice, a third of them, and a sixth for ones."""
    grid = block(view(sit(FOUR, [FIVES]), "Ana"), Grid)
    assert grid.columns == ("", "1s", "2s", "3s", "4s", "5s", "6s")
    assert grid.rows == (
        ("you hold", 0, 1, 1, 1, 1, 1),
        ("expect", "2.5", "6.0", "6.0", "6.0", "6.0", "6.0"),
    )


def test_expectations_count_own_ones_as_every_face_and_are_spoken() -> None:
    grid = block(view(sit(["Ana", "Bea"], [{"Ana": [1, 1, 3, 5, 6]}]), "Ana"), Grid)
    assert grid.rows == (
        ("you hold", 2, 2, 3, 2, 3, 3),
        ("expect", "2.8", "3.7", "4.7", "3.7", "4.7", "4.7"),
    )
    assert "threes: you hold 3, expect about 4.7" in grid.spoken


PALIFICO = [
    {"Ana": [2] * 3, "Bea": [2] * 3, "Cai": [2] * 3},
    {"Ana": [2] * 2, "Bea": [2] * 3, "Cai": [2] * 3},
    {"Ana": [1], "Bea": [2] * 3, "Cai": [2] * 3},
]


def test_expectations_of_a_palifico_know_no_wild_ones() -> None:
    table = sit(["Ana", "Bea", "Cai"], PALIFICO, dice=3)
    play(table, "Ana 1x6", "Bea dudo", "Ana 1x6", "Bea dudo")
    drawn = view(table, "Ana")
    assert block(drawn, Grid).rows == (
        ("you hold", 1, 0, 0, 0, 0, 0),
        ("expect", "2.0", "1.0", "1.0", "1.0", "1.0", "1.0"),
    )
    assert block(drawn, Text).text == "Palifico: ones are not wild, the face stays."
    assert drawn.phase == "round 3, palifico"


def test_table_shows_bids_turn_and_covered_cups() -> None:
    table = sit(FOUR, [FIVES])
    play(table, "Ana 4x3", "Bea 5x2")
    drawn = view(table, "Cai")
    assert block(drawn, Headline) == Headline("Bea bids 5 twos", "among 20 dice")
    assert block(drawn, Figure) == Figure("5x", Dice((2,), (0,)))
    rows = block(drawn, Seats).rows
    assert [row.cells for row in rows] == [(Dice((None,) * 5),)] * 4
    assert [row.said for row in rows] == ["4 threes", "5 twos", "", ""]
    assert [row.badge for row in rows] == ["opened", "", "", ""]
    assert [row.seat for row in rows if row.turn] == ["Cai"]
    assert block(drawn, Hand).content == Dice((4,) * 5, (), ("",) * 5)


def test_bidder_reads_that_the_bid_is_their_own() -> None:
    table = sit(FOUR, [FIVES])
    assert block(view(table, "Ana"), Headline).text == "You open the round"
    assert block(view(table, "Bea"), Headline).text == "Ana opens the round"
    play(table, "Ana 4x3")
    assert block(view(table, "Ana"), Headline).text == "You bid 4 threes"


def test_spectator_sees_no_hand_and_no_die() -> None:
    drawn = view(sit(FOUR, [FIVES]), None)
    assert not any(isinstance(block, Hand | Grid) for block in drawn.blocks)
    assert all(row.cells[0] == Dice((None,) * 5) for row in block(drawn, Seats).rows)


def test_seat_whose_dice_cannot_be_seen_is_drawn_like_a_spectator() -> None:
    """A saved game is replayed without the players' secrets."""
    table = sit(FOUR, [FIVES])
    assert not any(
        isinstance(block, Hand | Grid) for block in GAME.view(table.run.state, "Ana", {}).blocks
    )


def at_reveal(seat: str | None, moves: list[str]) -> View:
    rolls = [{"Ana": [3, 1, 2, 2, 6], "Bea": [3, 3, 5, 5, 1]}]
    (found,) = views_at("reveal", seat, partial(sit, ["Ana", "Bea"], rolls), *moves)
    return found


def test_reveal_shows_all_dice_with_those_that_count_marked() -> None:
    drawn = at_reveal("Ana", ["Ana 4x3", "Bea dudo"])
    assert [row.cells[0] for row in block(drawn, Seats).rows] == [
        Dice((1, 2, 2, 3, 6), hits=(0, 3)),
        Dice((1, 3, 3, 5, 5), hits=(0, 1, 2)),
    ]
    assert drawn.phase == "cups lifted"
    assert not any(row.turn for row in block(drawn, Seats).rows)
    assert not any(isinstance(block, Hand | Grid) for block in drawn.blocks)
    said = Headline("Counted: 5 threes (with ones)", "Bea doubts your 4 threes")
    assert block(drawn, Headline) == said
    assert block(drawn, Figure) == Figure("5", Dice((3,), (0,)), role="bad")


def test_cups_are_lifted_in_beats_before_anything_is_counted() -> None:
    drawn = at_reveal("Ana", ["Ana 4x3", "Bea dudo"])
    down, up, counted = (View("", beat) for beat in drawn.stage)
    dice = [[row.cells[0] for row in block(v, Seats).rows] for v in (down, up, counted, drawn)]
    assert dice[0] == [Dice((None,) * 5)] * 2
    assert dice[1] == [Dice((1, 2, 2, 3, 6)), Dice((1, 3, 3, 5, 5))]
    assert dice[2] == dice[3]
    assert [row.said for row in block(down, Seats).rows] == ["4 threes", "Dudo!"]
    assert not any(isinstance(b, Text) for b in counted.blocks), "the verdict comes last"


def test_own_dice_are_in_order_with_those_that_count_and_the_chances_of_more() -> None:
    table = sit(["Ana", "Bea"], [{"Ana": [3, 1, 2, 2, 6], "Bea": [4] * 5}])
    play(table, "Ana 2x3")
    drawn = view(table, "Ana")
    notes = ("wild", "", "", "three", "")
    assert block(drawn, Hand).content == Dice((1, 2, 2, 3, 6), (0, 3), notes)
    chances = block(drawn, Chances)
    assert chances.label == "threes: you hold 2, expect 3.7"
    assert chances.bars[:3] == (("≥ 2", 100), ("≥ 3", 87), ("≥ 4", 54))
    assert chances.at == 1
    assert "sixes: you hold 2, expect about 3.7" in chances.spoken


@pytest.mark.parametrize(
    ("seat", "moves", "said"),
    [
        ("Ana", ["Ana 4x3", "Bea dudo"], "Bea was wrong to doubt, so Bea loses a die."),
        ("Bea", ["Ana 4x3", "Bea dudo"], "You were wrong to doubt, so you lose a die."),
        (None, ["Ana 6x3", "Bea dudo"], "Bea was right to doubt, so Ana loses a die."),
        ("Ana", ["Ana 6x3", "Bea dudo"], "Bea was right to doubt, so you lose a die."),
        (
            "Bea",
            ["Ana 5x3", "Bea exact"],
            "You were right to call it exact, so you open the next round.",
        ),
        (
            "Ana",
            ["Ana 5x3", "Bea exact"],
            "Bea was right to call it exact, so Bea opens the next round.",
        ),
        ("Ana", ["Ana 6x3", "Bea exact"], "Bea was wrong to call it exact, so Bea loses a die."),
    ],
)  # fmt: skip
def test_reveal_says_who_was_right_in_one_sentence(
    seat: str | None, moves: list[str], said: str
) -> None:
    assert block(at_reveal(seat, moves), Text) == Text(said, "headline")


def test_new_round_begins_with_an_empty_hand() -> None:
    """The dice of the round before are gone before the new ones are cast."""
    views: list[View] = []

    def watch(event: Event) -> None:
        if event["kind"] == "round" and event["round"] == 2:
            views.append(view(table, "Ana"))

    table = sit(["Ana", "Bea"], PALIFICO_OF_TWO, watch, dice=3)
    play(table, "Ana 1x6", "Bea dudo")
    assert not any(isinstance(block, Hand | Grid) for block in views[0].blocks)
    assert [row.cells[0] for row in block(views[0], Seats).rows] == [
        Dice((None,) * 2),
        Dice((None,) * 3),
    ]


def test_end_without_anybody_has_no_winner() -> None:
    table = sit(["Ana", "Bea"], [{"Ana": [2] * 5, "Bea": [3] * 5}])
    state = table.run.state
    state.dice, state.places = {"Ana": 0, "Bea": 0}, (("Ana", "Bea"),)
    assert block(view(table, "Ana"), Headline).text == "Everybody has left"


def test_end_shows_the_places() -> None:
    table = sit(["Ana", "Bea"], PALIFICO_OF_TWO, dice=3)
    play(table, *["Ana 1x6", "Bea dudo"] * 3)
    drawn = view(table, "Ana")
    assert drawn.phase == "game over"
    assert block(drawn, Headline).text == "Bea wins"
    assert block(view(table, "Bea"), Headline).text == "You win"
    assert not any(isinstance(block, Hand | Grid | Text) for block in view(table, "Bea").blocks)
    assert [(row.seat, row.cells) for row in block(drawn, Seats).rows] == [
        ("Ana", (2, 0)),
        ("Bea", (1, 3)),
    ]


PALIFICO_OF_TWO = [{"Ana": [2] * n, "Bea": [2] * 3} for n in (3, 2, 1)]


EVENTS: list[tuple[Event, str, str]] = [
    (
        {"kind": "round", "round": 3, "opener": "Ana", "dice": {"Ana": 2, "Bea": 5}},
        "Round 3: 7 dice on the table, you open.",
        "Round 3: 7 dice on the table, Ana opens.",
    ),
    (
        {"kind": "palifico", "seat": "Ana"},
        "You have one die left, so this is a palifico: no wild ones, and the face stays.",
        "Ana has one die left, so this is a palifico: no wild ones, and the face stays.",
    ),
    ({"kind": "bid", "seat": "Ana", "bid": [1, 6]}, "You bid 1 six.", "Ana bids 1 six."),
    (
        {"kind": "doubt", "seat": "Bea", "bid": [4, 3], "bidder": "Ana"},
        "Bea doubts your 4 threes.",
        "Bea doubts Ana's 4 threes.",
    ),
    (
        {"kind": "exact", "seat": "Ana", "bid": [4, 3], "bidder": "Bea"},
        "You call Bea's 4 threes exact.",
        "Ana calls Bea's 4 threes exact.",
    ),
    (
        {"kind": "reveal", "call": "doubt", "caller": "Ana", "bid": [4, 3], "bidder": "Bea",
         "palifico": False, "faces": {"Ana": [5, 3, 1], "Bea": [3, 3]}, "count": 4,
         "right": False, "loser": "Ana"},
        "The cups show you 1 3 5, Bea 3 3: 4 threes (with ones), and you were wrong to doubt.",
        "The cups show Ana 1 3 5, Bea 3 3: 4 threes (with ones), and Ana was wrong to doubt.",
    ),
    (
        {"kind": "reveal", "call": "exact", "caller": "Ana", "bid": [1, 1], "bidder": "Bea",
         "palifico": False, "faces": {"Ana": [5, 3, 1]}, "count": 1, "right": True, "loser": None},
        "The cups show you 1 3 5: 1 one, and you were right to call it exact.",
        "The cups show Ana 1 3 5: 1 one, and Ana was right to call it exact.",
    ),
    (
        {"kind": "loss", "seat": "Ana", "left": 4},
        "You lose a die and have 4 left.",
        "Ana loses a die and has 4 left.",
    ),
    (
        {"kind": "loss", "seat": "Ana", "left": 0},
        "You lose your last die.",
        "Ana loses the last die.",
    ),
    (
        {"kind": "gain", "seat": "Ana", "left": 3},
        "You win a die back and have 3 now.",
        "Ana wins a die back and has 3 now.",
    ),
    (
        {"kind": "full", "seat": "Ana", "left": 5},
        "You keep 5 dice: nobody can have more.",
        "Ana keeps 5 dice: nobody can have more.",
    ),
    (
        {"kind": "left", "seat": "Ana", "lost": 3},
        "You have left the table and lose all 3 dice.",
        "Ana has left the table and loses all 3 dice.",
    ),
    (
        {"kind": "left", "seat": "Ana", "lost": 1},
        "You have left the table and lose the last die.",
        "Ana has left the table and loses the last die.",
    ),
    (
        {"kind": "out", "seat": "Ana", "place": 8},
        "You are out, in eighth place.",
        "Ana is out, in eighth place.",
    ),
    ({"kind": "over", "winners": ["Ana"], "places": []}, "You win the game.", "Ana wins the game."),
    (
        {"kind": "over", "winners": [], "places": []},
        "The game is over: everybody has left.",
        "The game is over: everybody has left.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("event", "yours", "theirs"), EVENTS)
def test_event_is_one_sentence_to_its_player_and_to_others(
    event: Event, yours: str, theirs: str
) -> None:
    assert_told(GAME, event, yours, theirs)


def test_every_event_and_every_view_of_a_whole_game_can_be_told_and_drawn() -> None:
    assert kinds_told(GAME, 12) == {event["kind"] for event, _, _ in EVENTS} - {"left"}
