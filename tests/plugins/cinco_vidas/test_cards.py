"""The pack, which card wins, and what cards are worth."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from sobremesa.plugins.cinco_vidas import odds
from sobremesa.plugins.cinco_vidas.state import winning
from sobremesa.plugins.playing_cards import PACK, card_name, card_rank


def test_pack_has_every_card_once() -> None:
    assert len(set(PACK)) == len(PACK) == 52
    assert {"KH", "10D", "AS", "2C"} < set(PACK)


def test_ranks_rise_from_ace_to_king() -> None:
    spades = PACK[:13]
    assert spades[0] == "AS"
    assert spades[-1] == "KS"
    assert list(map(card_rank, spades)) == list(range(1, 14))


@pytest.mark.parametrize(
    ("trick", "place"),
    [
        ("9S KS 4S KD", 3),
        ("KS KH 3S KD", 3),
        ("AS 2S", 1),
        ("2S AS", 0),
        ("10H JS 9D", 1),
        ("QS QH", 1),
        ("5S", 0),
    ],
)
def test_highest_wins_and_of_equal_cards_the_last(trick: str, place: int) -> None:
    assert winning(trick.split()) == place


@pytest.mark.parametrize(
    ("face", "said"),
    [("KH", "king of hearts"), ("10D", "ten of diamonds"), ("AS", "ace of spades"),
     ("2C", "two of clubs"), ("JS", "jack of spades")],
)  # fmt: skip
def test_card_is_named_in_words(face: str, said: str) -> None:
    assert card_name(face) == said


@pytest.mark.parametrize(
    ("before", "after"),
    [("", ""), ("9S", "5H"), ("KS", ""), ("", "KS"), ("KS", "KH"), ("QS 3H", "QD 2C"),
     ("", "2S 2H 2D 2C"), ("KS KH KD KC", "")],
)  # fmt: skip
def test_chance_of_an_unseen_card_is_that_of_plain_counting(before: str, after: str) -> None:
    first, last = before.split(), after.split()
    unseen = [face for face in PACK if face not in (*first, *last)]
    wins = sum(winning([*first, face, *last]) == len(first) for face in unseen)
    assert odds.unseen_wins(first, last) == Fraction(wins, len(unseen))


def test_worth_rises_with_every_rank_and_falls_with_every_opponent() -> None:
    for low, high in itertools.pairwise(range(1, 14)):
        assert odds.stands(low, 3) < odds.stands(high, 3) < odds.stands(high, 2) < 1
    assert odds.worth(["KS", "AS"], 4) == pytest.approx(odds.stands(13, 3) + odds.stands(1, 3))


def test_last_to_play_is_sure_of_a_card_that_is_high_enough() -> None:
    assert odds.stands(5, 0) == 1


@pytest.mark.parametrize("need", range(-1, 4))
def test_expected_miss_is_that_of_counting_every_outcome(need: int) -> None:
    hand = ["KS", "9S", "2S"]
    wins = [odds.stands(card_rank(face), 3) for face in hand]
    expected = 0.0
    for outcome in itertools.product((0, 1), repeat=3):
        chance = 1.0
        for won, win in zip(outcome, wins, strict=True):
            chance *= win if won else 1 - win
        expected += chance * abs(need - sum(outcome))
    assert odds.miss(hand, need, 4) == pytest.approx(expected)
