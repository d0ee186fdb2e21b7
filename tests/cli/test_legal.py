"""All that may be answered now, in words."""

from __future__ import annotations

from support.clients.sessions import (
    FIVES,
    FOUR,
    FixedChance,
    OpenSession,
    kitchen_table,
    lives_table,
)

from sobremesa.cli.words.legal import speak_legal, speak_odds
from sobremesa.cli.words.speech import Players
from sobremesa.core.questions import Answer
from sobremesa.plugins import cinco_vidas, house_of_jokers
from sobremesa.plugins.cinco_vidas.questions import Decide


def spoken(session: OpenSession) -> str:
    assert session.question is not None
    return speak_legal(session.question, session.faces(), "suit", Players(session.me))


def test_every_legal_bid_is_said_as_a_span() -> None:
    session = kitchen_table()
    said = spoken(session)
    assert said == (
        "You can: Raise (b): 2x1 to 20x1, 4x4 to 20x4, 4x5 to 20x5, 4x6 to 20x6, 5x2 to 20x2, "
        "5x3 to 20x3; Dudo! (d); Exact (e)."
    )
    question = session.question
    assert question is not None
    legal = [answer for answer in question.answers({}) if answer.move == "bid"]
    assert len(legal) == 19 + 3 * 17 + 2 * 16
    assert question.why_not(Answer("bid", (4, 3)), {}) is not None


def test_a_gap_between_numbers_ends_a_span() -> None:
    bidding = OpenSession(cinco_vidas.GAME, "Dora", FOUR, FixedChance(3, FIVES))
    bidding.play("bid 1", "bid 1", "bid 1")
    assert spoken(bidding) == "You can: Bid (b): bid 0 to bid 1, bid 3 to bid 5."


def test_odds_are_of_each_card_where_one_is_to_be_named() -> None:
    session = lives_table()
    question, faces = session.question, session.faces()
    assert question is not None
    players = Players(session.me)
    first = speak_odds(question, faces, lambda one: question.hint(one, faces), players)
    assert first == ["Play queen of clubs: It is the highest so far, and 1 more will play."]
    every = speak_odds(question, faces, lambda one: question.hint(one, faces), players, whole=True)
    assert every == [
        "Play queen of clubs or queen of spades: It is the highest so far, and 1 more will play.",
        "Play eight of hearts or three of clubs or two of diamonds: "
        "It loses to the jack of spades.",
    ]


def test_odds_that_two_moves_share_are_said_once() -> None:
    question = Decide(0, None, (), ())
    said = speak_odds(question, {}, lambda one: question.hint(one, {}), Players("Cai"))
    assert len(said) == 1
    assert said[0].startswith("I win or I lose: From what you see, your card wins with")


def test_cards_to_choose_from_are_said_by_suit() -> None:
    deal = tuple(f"{rank}{suit}" for suit in "CDHS" for rank in ("K", "Q", "J"))
    session = OpenSession(house_of_jokers.GAME, "Ana", FOUR, FixedChance(0, deal))
    said = spoken(session)
    assert said.startswith("You can: Choose (c) 3 cards: ")
    assert said.index("spades") < said.index("hearts") < said.index("diamonds")
