"""The computer player: what it knows, and that it is worth playing against."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from campaigns import five_alive_bot
from support.games.playouts import open_table

from sobremesa.core.encoding import Pick
from sobremesa.core.game import Observation
from sobremesa.core.pieces import Card, Faces
from sobremesa.core.playout import by_bot, play_on
from sobremesa.plugins.five_alive import GAME
from sobremesa.plugins.five_alive.questions import Play
from sobremesa.plugins.five_alive.state import State, seated

BOT = GAME.bots[0]


def no_chance(n: int) -> int:
    raise AssertionError("the cards alone decide")


NO_CHANCE: Pick = no_chance


def plays(hand: str, total: int = 0, others: int = 5, teams: bool = False, players: int = 4) -> str:
    """The card that the bot, Ana, plays of a hand; `others` are the cards of each other player."""
    seats = ("Ana", "Bea", "Cai", "Dan")[:players]
    faces = hand.split()
    cards = tuple(map(Card, range(len(faces))))
    state = State(seats, seated(seats, teams), teams, False, "Ana", turn="Ana", total=total)
    state.hands = {seat: tuple(map(Card, range(100, 100 + others))) for seat in seats}
    state.hands["Ana"] = cards
    if teams:
        state.hands["Cai"] = (Card(200),)
    known: Faces = dict(zip(cards, faces, strict=True))
    observation = Observation("Ana", seats, GAME.read_options({}), state, known, ())
    answer = BOT.choose(observation, Play(cards, total), NO_CHANCE)
    place: int = answer.args[0]
    return faces[place - 1]


def test_plays_the_largest_number_that_fits() -> None:
    assert plays("1 5 3 0 =21 bomb") == "5"
    assert plays("1 5 3 0 =21 bomb", total=18) == "3"


def test_keeps_zeros_and_wild_cards_while_a_number_fits() -> None:
    assert plays("0 1 pass =0 =10 =21", total=20) == "1"


@pytest.mark.parametrize(
    ("hand", "card"),
    [("=0 =10 0 draw2 skip reverse pass =21", "=21"), ("=0 =10 0 skip reverse pass", "pass"),
     ("=0 =10 0 skip reverse", "reverse"), ("=0 =10 0 draw2 skip", "skip"), ("=0 0 draw2", "draw2"),
     ("=0 =10 0", "0"), ("bomb =0 =10", "=10"), ("=0 7", "=0"), ("redeal bomb", "bomb")],
)  # fmt: skip
def test_parts_with_the_weakest_way_out_first(hand: str, card: str) -> None:
    assert plays(hand, total=21) == card


@pytest.mark.parametrize(
    ("hand", "card"),
    [("5 draw1 draw2 redeal bomb", "draw2"), ("5 draw1 redeal bomb", "draw1"),
     ("5 redeal bomb", "redeal"), ("5 bomb", "bomb"), ("5 0", "5")],
)  # fmt: skip
def test_stops_an_opponent_who_is_about_to_end_the_hand(hand: str, card: str) -> None:
    assert plays(hand, others=2) == card
    assert plays(hand, others=3) == "5"


def test_does_not_stop_a_teammate() -> None:
    assert plays("5 draw2 bomb", teams=True) == "5"
    assert plays("5 draw2 bomb", others=1, teams=True) == "draw2"


def test_sheds_a_skip_first_between_two_players_near_the_end_of_its_hand() -> None:
    assert plays("5 skip 3 =21", players=2) == "skip"
    assert plays("5 skip 3 =21 0", players=2) == "5"
    assert plays("5 skip 3 =21", players=3) == "5"
    assert plays("5 skip draw1", players=2, others=2) == "draw1"


def test_bot_needs_no_chance_in_a_whole_game() -> None:
    for seed, options in enumerate(({}, {"teams": "on"}, {"sudden_death": "on"})):
        table = open_table(GAME, 4, seed, options)
        play_on(table, by_bot(NO_CHANCE))
        assert table.outcome is not None


def test_bot_beats_a_random_player_in_more_than_four_games_of_five() -> None:
    assert five_alive_bot.win_rate(games=150) > 0.8


def test_bot_beats_three_random_players_in_more_than_every_second_game() -> None:
    assert five_alive_bot.win_rate(games=40, others=3) > 0.5


def test_campaign_reports_the_rate_and_fails_below_the_mark(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert five_alive_bot.main(["--games", "20"]) == 0
    assert "% of 20 games against 1 random player " in capsys.readouterr().out
    assert five_alive_bot.main(["--games", "10", "--others", "5"]) == 0
    assert "against 5 random players (wanted: 33%)" in capsys.readouterr().out
    monkeypatch.setattr(five_alive_bot, "WANTED", 1.01)
    assert five_alive_bot.main(["--games", "4"]) == 1


def test_bot_is_asked_for_cards_only() -> None:
    observation = open_table(GAME, 2, 0).observation("Ana")
    with pytest.raises(ValueError, match="does not ask"):
        BOT.choose(replace(observation), object(), random.Random(0).randrange)  # type: ignore[arg-type]
