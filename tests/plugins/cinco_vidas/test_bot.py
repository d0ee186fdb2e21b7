"""The computer player: what it knows, and that it is worth playing against."""

from __future__ import annotations

import pytest
from campaigns import cinco_vidas_bot
from hypothesis import given
from hypothesis import strategies as st

from sobremesa.core.pieces import Card
from sobremesa.plugins.cinco_vidas import GAME, bot
from sobremesa.plugins.cinco_vidas.questions import LOSE, WIN, Bid, Decide, Play
from sobremesa.plugins.cinco_vidas.state import winning
from sobremesa.plugins.playing_cards import PACK, card_rank

BOT = GAME.bots[0]


def bids(hand: str, total: int = 0, no: int | None = None, players: int = 4) -> int:
    faces = hand.split()
    cards = tuple(map(Card, range(len(faces))))
    question = Bid(len(faces), total, no, cards, players)
    return bot.bid(question, dict(zip(cards, faces, strict=True)))


def says(before: str, after: str, wins: int = 0, no: int | None = None) -> str:
    first, last = before.split(), after.split()
    cards = tuple(map(Card, range(len(first) + len(last))))
    question = Decide(wins, no, cards[: len(first)], cards[len(first) :], no is not None)
    return bot.decide(question, dict(zip(cards, first + last, strict=True))).move


def plays(hand: str, table: str = "", after: int = 2, need: int = 1, players: int = 3) -> str:
    faces = hand.split()
    cards = tuple(map(Card, range(len(faces))))
    question = Play(cards, table.split(), after, need)
    return faces[bot.card(question, dict(zip(cards, faces, strict=True)), players) - 1]


def test_bids_what_the_hand_is_worth() -> None:
    assert bids("AS 2S 3S AD 2D") == 0
    assert bids("KS KH 2S 3S AD") == 2
    assert bids("KS KH KD KC QS") == 4


def test_same_hand_is_worth_more_against_fewer() -> None:
    assert bids("9S 10S JS JH 9D", players=2) > bids("9S 10S JS JH 9D", players=8)


def test_dealer_goes_to_the_nearest_number_that_is_not_barred() -> None:
    assert bids("KS KH 2S 3S AD", total=3, no=2) == 1
    assert bids("AS 2S 3S AD 2D", total=5, no=0) == 1


@pytest.mark.rule("O29")
@pytest.mark.parametrize("players", range(2, 9))
def test_hooked_dealer_with_two_kings_never_bids_zero(players: int) -> None:
    assert bids("KS KH", total=1, no=1, players=players) == 2


@pytest.mark.rule("O29")
def test_hooked_dealer_does_not_bid_below_a_sure_trick() -> None:
    assert bids("KS AH", total=1, no=1) == 2
    assert bids("QS AH", total=1, no=1) == 0


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("", "5S 4H", WIN),
        ("5S 4H", "", WIN),
        ("", "KS 4H", LOSE),
        ("KS", "4H", LOSE),
        ("7S", "", WIN),  # it wins against an equal one before it
        ("", "7S", LOSE),  # and not against one after it
    ],
)
def test_says_win_if_that_is_likelier_than_not(before: str, after: str, said: str) -> None:
    assert says(before, after) == said


def test_says_what_it_must() -> None:
    assert says("5S 4H", "", wins=0, no=1) == LOSE
    assert says("KS KH", "", wins=1, no=0) == WIN
    assert says("5S 4H", "", wins=2, no=1) == LOSE


@pytest.mark.rule("O31")
def test_leads_high_when_it_needs_every_trick() -> None:
    assert plays("KS QS 4S", need=3) == "KS"
    assert plays("4S QS KS", need=3) == "KS"


def test_takes_as_cheaply_as_it_can_when_it_needs_all_and_plays_last() -> None:
    assert plays("KS QS 4S", table="JH 2H", after=0, need=3) == "QS"
    assert plays("KS QS 4S", table="QH 2H", after=0, need=3) == "QS"


def test_gives_its_lowest_to_a_trick_that_is_lost() -> None:
    assert plays("QS JS 4S", table="KH", after=1, need=3) == "4S"


def test_throws_its_highest_loser_once_it_has_what_it_bid() -> None:
    assert plays("KS QS 4S", table="KH", after=1, need=0) == "QS"
    assert plays("KS 9S 4S", table="10H KD", after=0, need=-1) == "9S"


def test_leads_low_once_it_has_what_it_bid() -> None:
    assert plays("KS 9S 4S", need=0) == "4S"


def test_parts_with_its_highest_card_where_it_has_to_win_anyway() -> None:
    assert plays("KS 9S", table="4H 2H", after=0, need=0) == "KS"


HANDS = st.lists(st.sampled_from(PACK), min_size=4, max_size=9, unique=True)


@pytest.mark.rule("O30")
@given(HANDS, st.integers(1, 3), st.integers(-2, 0))
def test_last_with_bid_met_never_takes_a_trick_that_it_can_lose(
    cards: list[str], on_table: int, need: int
) -> None:
    table, hand = cards[:on_table], cards[on_table:]
    played = plays(" ".join(hand), " ".join(table), after=0, need=need)
    losers = [face for face in hand if winning([*table, face]) < on_table]
    if losers:
        assert card_rank(played) == max(map(card_rank, losers))


@given(HANDS, st.integers(1, 3))
def test_last_who_needs_all_takes_every_trick_that_it_can(cards: list[str], on_table: int) -> None:
    table, hand = cards[:on_table], cards[on_table:]
    played = plays(" ".join(hand), " ".join(table), after=0, need=len(hand))
    takers = [face for face in hand if winning([*table, face]) == on_table]
    if takers:
        assert card_rank(played) == min(map(card_rank, takers))


def test_takes_the_one_trick_it_needs_when_it_is_sure() -> None:
    assert plays("9S 2S 3S", table="8H 7H", after=0, need=1) == "9S"


def test_throws_what_is_too_much_under_a_higher_card() -> None:
    assert plays("KS QS 2S", table="9H KD", after=1, need=1) == "QS"


def test_leads_low_while_it_can_choose_its_tricks() -> None:
    assert plays("KS 9S 4S", need=1) == "4S"


def test_bot_beats_a_random_player_in_nine_games_of_ten() -> None:
    assert cinco_vidas_bot.win_rate(games=60) >= 0.9


def test_bot_beats_three_random_players_in_nine_games_of_ten() -> None:
    assert cinco_vidas_bot.win_rate(games=40, others=3) >= 0.9


def test_campaign_reports_the_rate_and_fails_below_the_mark(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cinco_vidas_bot.main(["--games", "10"]) == 0
    assert "% of 10 games against 1 random player " in capsys.readouterr().out
    monkeypatch.setattr(cinco_vidas_bot, "WANTED", 1.01)
    assert cinco_vidas_bot.main(["--games", "10", "--others", "2"]) == 1
    assert "against 2 random players" in capsys.readouterr().out
