"""Scenario files: what they show, what they compare, and what is said about a bad one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.games.scripts import Pick, outcome, toy

from sobremesa.core.errors import LocalError
from sobremesa.core.game import Game, Outcome
from sobremesa.core.requests import AskAll, Mark, Reveal, Roll, Script, Tell, Toss
from sobremesa.core.scenario import (
    UnusableScenario,
    differences,
    exit_status,
    play_scenario,
    read_scenario,
)
from sobremesa.plugins.dudo import GAME as DUDO


def play_toy(seats: tuple[str, ...], options: Any) -> Script[Outcome]:
    """Two tosses, a roll, one question to all at once, and the cups are opened."""
    state: dict[str, Any] = {"tosses": [], "cups": {}}
    yield Mark(state)
    for _ in range(2):
        state["tosses"].append((yield Toss(6, "coin")))
    cups = state["cups"] = yield Roll({seats[0]: 1, seats[1]: 2})
    answers = yield AskAll({seat: Pick(1, 500) for seat in seats})
    yield Tell("picked", numbers=[answers[seat].args[0] for seat in seats])
    yield Reveal(cups)
    return outcome(*seats)


TOY = toy(
    play_toy,
    public=lambda state: {"tosses": tuple(state["tosses"])},
    pieces=lambda state: state["cups"],
)


def find_game(name: str) -> Game[Any]:
    for game in (TOY, DUDO):
        if game.id == name:
            return game
    raise LocalError(f"no game is called {name!r}")


def play(**data: Any) -> dict[str, Any]:
    return play_scenario(read_scenario(data, find_game))


def status(**data: Any) -> int:
    scenario = read_scenario(data, find_game)
    output = play_scenario(scenario)
    return exit_status(scenario, output, differences(scenario.expect or {}, output))


DUDO_FILE: dict[str, Any] = {
    "game": "dudo",
    "seats": ["Ana", "Bea"],
    "tosses": {"opener": 0},
    "rolls": [{"Ana": [3, 3, 1, 5, 6], "Bea": [2, 2, 2, 4, 1]}],
}


# The output.


def test_output_has_all_parts_and_is_plain_json() -> None:
    output = play(**DUDO_FILE, moves=["Ana 10x6"])
    assert list(output) == ["to_move", "public", "sees", "events", "result", "refused"]
    assert json.loads(json.dumps(output)) == output
    assert output["to_move"] == [
        {
            "seat": "Bea",
            "moves": ["dudo", "exact", "5x1", "6x1", "7x1", "8x1", "9x1", "10x1"],
            "forms": [
                {
                    "move": "bid",
                    "notation": "{count}x{face}",
                    "fields": {"count": [5, 6, 7, 8, 9, 10], "face": [1, 2, 3, 4, 5, 6]},
                    "disabled": None,
                },
                {"move": "dudo", "notation": "dudo", "fields": {}, "disabled": None},
                {"move": "exact", "notation": "exact", "fields": {}, "disabled": None},
            ],
        }
    ]
    assert output["public"]["bid"] == [10, 6]
    assert output["sees"]["Bea"] == {"Ana": ["??"] * 5, "Bea": [2, 2, 2, 4, 1]}
    assert [event["kind"] for event in output["events"]] == ["round", "bid"]
    assert output["result"] is None
    assert output["refused"] is None


def test_long_list_of_moves_is_cut_and_says_so() -> None:
    (entry, *others) = play(game="toy", seats=["Ana", "Bea"])["to_move"]
    assert entry["seat"] == "Ana"
    assert len(entry["moves"]) == 100
    assert entry["more"] is True
    assert [other["seat"] for other in others] == ["Bea"]
    assert "more" not in play(**DUDO_FILE)["to_move"][0]


def test_seats_asked_at_once_move_in_any_order_until_the_end() -> None:
    output = play(game="toy", seats=["Ana", "Bea"], moves=["Bea pick 7", "Ana pick 400"])
    assert output["events"] == [{"kind": "picked", "numbers": [400, 7]}]
    assert output["to_move"] == []
    assert output["result"] == {"places": [["Ana"], ["Bea"]], "reason": "the toy is over"}


def test_opened_cups_are_seen_by_all_and_a_seat_without_dice_has_none() -> None:
    rolls = [{"Ana": [4], "Bea": [5, 6]}]
    seats = ["Ana", "Bea", "Cai"]
    before = play(game="toy", seats=seats, rolls=rolls)
    assert before["sees"]["Ana"] == {"Ana": [4], "Bea": ["??", "??"], "Cai": []}
    assert before["sees"]["Cai"] == {"Ana": ["??"], "Bea": ["??", "??"], "Cai": []}
    moves = ["Ana pick 1", "Bea pick 1", "Cai pick 1"]
    after = play(game="toy", seats=seats, rolls=rolls, moves=moves)
    assert after["sees"]["Cai"] == {"Ana": [4], "Bea": [5, 6], "Cai": []}


def test_play_stops_at_the_first_refused_move_and_shows_the_state_before_it() -> None:
    output = play(**DUDO_FILE, moves=["Ana 4x3", "Bea 2x3", "Bea dudo"])
    assert output["refused"] == {
        "index": 1,
        "move": "Bea 2x3",
        "why": "2 threes is too low: after 4 threes you need 5 threes or more",
    }
    assert output["public"]["turn"] == "Bea"
    assert [event["kind"] for event in output["events"]] == ["round", "bid"]


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("Bea dudo", "it is not Bea's turn"),
        ("Ana dido", "I don't know 'dido'. Did you mean 'dudo'?"),
        ("Ana 4x9", "face must be 1 to 6 (you typed 9)"),
        ("Ana 2x1", "ones are wild, so a round cannot open on ones"),
    ],
)
def test_refusal_says_why(move: str, why: str) -> None:
    refused = play(**DUDO_FILE, moves=[move])["refused"]
    assert refused == {"index": 0, "move": move, "why": why}


def test_move_after_the_end_is_refused() -> None:
    moves = ["Ana pick 1", "Bea pick 1", "Ana pick 1"]
    refused = play(game="toy", seats=["Ana", "Bea"], moves=moves)["refused"]
    assert refused == {"index": 2, "move": "Ana pick 1", "why": "the game is over"}


def test_names_may_have_blanks_and_begin_one_another() -> None:
    output = play(game="toy", seats=["Ana", "Ana Bea"], moves=["Ana Bea pick 2", "Ana  pick 1 "])
    assert output["events"] == [{"kind": "picked", "numbers": [1, 2]}]


# Chance.


def test_what_is_not_given_comes_from_the_seed_and_is_the_same_everywhere() -> None:
    """The values are pinned: another machine must make up the same."""
    assert play(game="toy", seats=["Ana", "Bea"])["public"] == {"tosses": TOSSES_OF_SEED_0}
    assert play(game="dudo", seats=["Ana", "Bea"], seed=1)["sees"]["Ana"]["Ana"] == DICE_OF_SEED_1
    assert play(game="dudo", seats=["Ana", "Bea"]) == play(
        game="dudo", seats=["Ana", "Bea"], seed=0
    )


TOSSES_OF_SEED_0 = [0, 4]
DICE_OF_SEED_1 = [3, 5, 4, 6, 1]


def test_seeds_differ_and_so_do_repeated_tosses_of_one_label() -> None:
    tosses = [
        play(game="toy", seats=["Ana", "Bea"], seed=seed)["public"]["tosses"] for seed in range(20)
    ]
    assert len({tuple(pair) for pair in tosses}) > 10
    assert any(first != second for first, second in tosses)


def test_given_toss_holds_for_its_label_and_given_dice_for_their_seat() -> None:
    output = play(game="toy", seats=["Ana", "Bea"], tosses={"coin": 5}, rolls=[{"Bea": [6, 1]}])
    assert output["public"] == {"tosses": [5, 5]}
    assert output["sees"]["Bea"]["Bea"] == [6, 1]
    assert (
        output["sees"]["Ana"]["Ana"] == play(game="toy", seats=["Ana", "Bea"])["sees"]["Ana"]["Ana"]
    )


def test_rolls_are_used_in_the_order_of_the_rounds() -> None:
    second = {"Ana": [1, 1, 1, 1, 1], "Bea": [6, 6, 6, 6]}
    data = {**DUDO_FILE, "rolls": [*DUDO_FILE["rolls"], second]}
    output = play(**data, moves=["Ana 1x2", "Bea dudo"])
    assert output["sees"]["Ana"]["Ana"] == [1, 1, 1, 1, 1]
    assert output["sees"]["Bea"]["Bea"] == [6, 6, 6, 6]


def test_one_scenario_can_be_played_twice() -> None:
    scenario = read_scenario({**DUDO_FILE, "moves": ["Ana 4x3", "Bea dudo"]}, find_game)
    assert play_scenario(scenario) == play_scenario(scenario)


# Expectations and exit statuses.

OUTPUT: dict[str, Any] = {
    "public": {"dice": {"Ana": 5, "Bea": 4}, "bid": [4, 3], "turn": None, "palifico": False},
    "events": [{"kind": "bid", "n": 1}, {"kind": "loss", "n": 2}, {"kind": "bid", "n": 3}],
    "to_move": [{"seat": "Ana", "moves": ["a", "b", "c"]}],
}


@pytest.mark.parametrize(
    "expect",
    [
        {},
        {"public": {}},
        {"public": {"dice": {"Ana": 5}}},
        {"public": {"bid": [4, 3], "turn": None}},
        {"events": [{"kind": "bid"}, {"kind": "bid"}]},
        {"events": [{"kind": "loss"}, {"n": 3}]},
        {"events": []},
        {"to_move": [{"moves": ["a", "c"]}]},
    ],
)
def test_part_of_the_output_is_as_expected(expect: dict[str, Any]) -> None:
    assert differences(expect, OUTPUT) == []


@pytest.mark.parametrize(
    ("expect", "lines"),
    [
        ({"public": {"dice": {"Ana": 4}}}, ["- public.dice.Ana: 4", "+ public.dice.Ana: 5"]),
        ({"public": {"round": 1}}, ["- public.round: 1", "+ public.round: (no such key)"]),
        ({"result": None}, ["- result: null", "+ result: (no such key)"]),
        ({"public": {"bid": [4]}}, ["- public.bid: [4]", "+ public.bid: [4, 3]"]),
        ({"public": {"bid": [5, 3]}}, ["- public.bid[0]: 5", "+ public.bid[0]: 4"]),
        ({"public": {"turn": {}}}, ["- public.turn: {}", "+ public.turn: null"]),
        ({"public": {"palifico": 0}}, ["- public.palifico: 0", "+ public.palifico: false"]),
        (
            {"to_move": []},
            ["- to_move: []", '+ to_move: [{"seat": "Ana", "moves": ["a", "b", "c"]}]'],
        ),
        (
            {"events": [{"kind": "gain"}]},
            ['- events[0]: {"kind": "gain"}', "+ events: (nothing like that in it)"],
        ),
        (
            {"events": [{"n": 2}, {"n": 1}]},
            ['- events[1]: {"n": 1}', "+ events: (nothing like that after the one before)"],
        ),
        (
            {"to_move": [{"moves": ["c", "a"]}]},
            ['- to_move[0].moves[1]: "a"',
             "+ to_move[0].moves: (nothing like that after the one before)"],
        ),
    ],
)  # fmt: skip
def test_what_differs_is_shown_with_its_place(expect: dict[str, Any], lines: list[str]) -> None:
    assert differences(expect, OUTPUT) == lines


def test_every_difference_is_shown() -> None:
    expect = {"public": {"dice": {"Ana": 1, "Bea": 1}, "bid": [4, 4]}}
    assert len(differences(expect, OUTPUT)) == 6


@pytest.mark.parametrize(
    ("moves", "expect", "wanted"),
    [
        (["Ana 4x3"], None, 0),
        (["Ana 4x3"], {"public": {"bid": [4, 3]}}, 0),
        (["Ana 4x3"], {"public": {"bid": [4, 4]}}, 1),
        (["Ana 0x3"], None, 3),
        (["Ana 0x3"], {"public": {"bid": None}}, 3),
        (["Ana 0x3"], {"refused": {"index": 0}}, 0),
        (["Ana 0x3"], {"refused": {"index": 1}}, 1),
        (["Ana 0x3"], {"refused": None}, 1),
        (["Ana 4x3"], {"refused": {"index": 0}}, 1),
        (["Ana 4x3"], {"refused": None}, 0),
    ],
)
def test_exit_status(moves: list[str], expect: dict[str, Any] | None, wanted: int) -> None:
    assert status(**DUDO_FILE, moves=moves, expect=expect) == wanted


# Unusable files.


SEATS = "seats must be a list of names, 1 to 100 letters, no blanks at their ends"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"game": None}, "game must be the name of a game"),
        ({"game": "chess"}, "game: no game is called 'chess'"),
        ({"seats": None}, SEATS),
        ({"seats": "Ana"}, SEATS),
        ({"seats": ["Ana", 3]}, SEATS),
        ({"seats": ["Ana", ""]}, SEATS),
        ({"seats": ["Ana", "B" * 101]}, SEATS),
        ({"game": "x" * 101}, "game must be the name of a game"),
        ({"seats": ["Ana", " B"]}, SEATS),
        ({"seats": ["Ana", "B\n"]}, SEATS),
        ({"seats": ["Ana", "Ana"]}, "seats must have different names"),
        ({"seats": ["Ana"]}, "seats: Liar's Dice (Dudo) is for 2 to 8 players (these are 1)"),
        (
            {"seats": list("ABCDEFGHI")},
            "seats: Liar's Dice (Dudo) is for 2 to 8 players (these are 9)",
        ),
        ({"options": []}, "options must be an object of texts and whole numbers"),
        ({"options": {"dice": True}}, "options must be an object of texts and whole numbers"),
        ({"options": {"dice": 4}}, "options: option dice must be one of 5, 3 (you gave '4')"),
        (
            {"options": {"wild": 1}},
            "options: Liar's Dice (Dudo) has no option 'wild' (it has: dice, palifico)",
        ),
        ({"seed": "x"}, "seed must be a whole number, not negative and below 2^64"),
        ({"seed": -1}, "seed must be a whole number, not negative and below 2^64"),
        ({"seed": 1.5}, "seed must be a whole number, not negative and below 2^64"),
        ({"seed": True}, "seed must be a whole number, not negative and below 2^64"),
        ({"seed": 2**64}, "seed must be a whole number, not negative and below 2^64"),
        ({"tosses": [0]}, "tosses must be an object of whole numbers by label"),
        ({"tosses": {"opener": "Ana"}}, "tosses must be an object of whole numbers by label"),
        ({"tosses": {"opener": 2}}, "tosses.opener must be 0 to 1 (it is 2)"),
        ({"tosses": {"opener": -1}}, "tosses.opener must be 0 to 1 (it is -1)"),
        ({"tosses": {"opner": 1}}, 'tosses: no toss is called "opner" (there is: opener)'),
        ({"rolls": {}}, "rolls must be a list, one object of dice by name for each roll"),
        ({"rolls": [[1]]}, "rolls[0] must be an object of dice by name"),
        ({"rolls": [{"Zoe": [1]}]}, 'rolls[0]: nobody here is called "Zoe"'),
        ({"rolls": [{}, {"Ana": 5}]}, "rolls[1].Ana must be a list of faces"),
        ({"rolls": [{"Ana": []}]}, "rolls[0].Ana must be a list of faces"),
        ({"rolls": [{"Ana": [1, 2, 3, 4, "5"]}]}, "rolls[0].Ana must be a list of faces"),
        ({"rolls": [{"Ana": [1, 2, 3]}]}, "rolls[0].Ana must have 5 dice (it has 3)"),
        ({"rolls": [{"Ana": [1, 2, 3, 4, 7]}]}, "rolls[0].Ana: a die shows 1 to 6 (not 7)"),
        ({"rolls": [{"Ana": [1, 2, 3, 4, 0]}]}, "rolls[0].Ana: a die shows 1 to 6 (not 0)"),
        ({"decks": ["KH"]}, "decks must be a list of decks, each a list of faces, top first"),
        ({"decks": None}, "decks must be a list of decks, each a list of faces, top first"),
        ({"moves": "Ana 4x3"}, "moves must be a list of texts, each NAME NOTATION"),
        (
            {"moves": ["Ana 4x3", "dudo"]},
            'moves[1] must be NAME NOTATION with one of the names Ana, Bea (it is "dudo")',
        ),
        (
            {"moves": ["Ana"]},
            'moves[0] must be NAME NOTATION with one of the names Ana, Bea (it is "Ana")',
        ),
        (
            {"moves": ["Ana  "]},
            'moves[0] must be NAME NOTATION with one of the names Ana, Bea (it is "Ana  ")',
        ),
        (
            {"moves": [["Ana", "4x3"]]},
            "moves[0] must be NAME NOTATION with one of the names Ana, Bea "
            '(it is ["Ana", "4x3"])',
        ),
        ({"expect": [1]}, "expect must be an object, a part of the output"),
        (
            {"move": []},
            'unknown key "move" (known: game, seats, options, seed, tosses, rolls, decks, '
            "moves, expect)",
        ),
    ],
)  # fmt: skip
def test_unusable_file_is_explained_in_one_line(change: dict[str, Any], said: str) -> None:
    with pytest.raises(UnusableScenario) as caught:
        play(**{**DUDO_FILE, "rolls": [], **change})
    assert str(caught.value) == said


@pytest.mark.parametrize("key", ["game", "seats"])
def test_file_without_game_or_seats_is_unusable(key: str) -> None:
    data = {k: v for k, v in DUDO_FILE.items() if k != key}
    with pytest.raises(UnusableScenario, match=f"the key '{key}' is missing"):
        play(**data)


@pytest.mark.parametrize("data", [None, [], 3, "dudo", [DUDO_FILE]])
def test_file_that_is_no_object_is_unusable(data: object) -> None:
    with pytest.raises(UnusableScenario, match="a scenario is one JSON object"):
        read_scenario(data, find_game)


def test_dice_for_a_player_who_is_out_are_unusable() -> None:
    rolls = [{"Ana": [2] * n, "Bea": [2] * 3, "Cai": [2] * 3} for n in (3, 2, 1, 1)]
    with pytest.raises(UnusableScenario, match=r"rolls\[3\]: Ana has no dice in this roll"):
        play(
            game="dudo",
            seats=["Ana", "Bea", "Cai"],
            options={"dice": 3},
            tosses={"opener": 0},
            rolls=rolls,
            moves=["Ana 1x6", "Bea dudo"] * 3,
        )


def test_toss_after_a_refused_move_is_no_fault_of_the_file() -> None:
    data = {**DUDO_FILE, "tosses": {"opener": 0, "later": 1}}
    assert play(**data, moves=["Ana 0x3"])["refused"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
KEYS = ("game", "seats", "options", "seed", "tosses", "rolls", "decks", "moves", "expect")
NOTATIONS = st.sampled_from(["4x3", "1x2", "dudo", "exact", "9x9", "b", "", "4 threes"])
MOVES = st.lists(st.builds("{} {}".format, st.sampled_from(["Ana", "Bea", "Zoe"]), NOTATIONS))


@given(st.dictionaries(st.sampled_from(KEYS), JSON), MOVES)
@example({"moves": ["Ana 4x3\ud800"]}, [])
@settings(max_examples=150, deadline=None)
def test_whatever_stands_in_a_file_it_is_played_or_explained_in_one_line(
    change: dict[str, Any], moves: list[str]
) -> None:
    played = attempt({**DUDO_FILE, "moves": moves, **change})
    if isinstance(played, UnusableScenario):
        assert "\n" not in str(played)
        assert len(str(played)) < 500
    else:
        assert played in (0, 1, 3)


def attempt(data: dict[str, Any]) -> UnusableScenario | int:
    try:
        return status(**data)
    except UnusableScenario as error:
        return error
