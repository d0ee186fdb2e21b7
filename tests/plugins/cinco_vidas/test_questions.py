"""What may be bid, said and played, how it is typed, and what a player is told."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sobremesa.core.errors import IllegalAnswer, InvalidAnswer
from sobremesa.core.pieces import Card, Faces
from sobremesa.core.questions import Answer, Question
from sobremesa.plugins.cinco_vidas.questions import BID, LOSE, PLAY, WIN, Bid, Decide, Play
from sobremesa.plugins.cinco_vidas.state import barred


def cards(*serials: int) -> tuple[Card, ...]:
    return tuple(map(Card, serials))


def hand(*faces: str) -> Faces:
    return dict(zip(cards(*range(len(faces))), faces, strict=True))


def bid(n: int = 5, total: int = 0, no: int | None = None, players: int = 4) -> Bid:
    return Bid(n, total, no, cards(*range(n)), players)


def decide(wins: int = 0, no: int | None = None, before: int = 1, after: int = 1) -> Decide:
    others = cards(*range(before + after))
    return Decide(wins, no, others[:before], others[before:], forced=no is not None)


def play(n: int = 3, table: tuple[str, ...] = (), after: int = 2, need: int = 1) -> Play:
    return Play(cards(*range(n)), table, after, need)


@pytest.mark.parametrize(
    ("n", "total", "no"),
    [(5, 0, 5), (5, 3, 2), (5, 5, 0), (5, 6, None), (2, 0, 2), (2, 1, 1), (2, 3, None),
     (1, 0, 1), (1, 1, 0), (1, 2, None), (1, 7, None)],
)  # fmt: skip
def test_last_bid_may_not_close_the_sum(n: int, total: int, no: int | None) -> None:
    assert barred(n, total) == no
    if n > 1 or total < 2:
        assert barred(n, total, literal=True) == no


@pytest.mark.parametrize("wins", range(2, 8))
def test_literal_table_bars_a_win_after_two(wins: int) -> None:
    assert barred(1, wins, literal=True) == 1


QUESTIONS: list[Question] = [
    bid(),
    bid(no=5),
    bid(total=5, no=0),
    bid(2, 1, 1),
    decide(),
    decide(0, 1),
    decide(1, 0),
    decide(2, 1),
    play(),
    play(1, ("KH",), 0, -1),
    play(5, ("KH", "2S"), 1, 0),
]


@pytest.mark.parametrize("question", QUESTIONS, ids=repr)
def test_answers_are_just_the_legal_ones_and_read_back(question: Question) -> None:
    answers = list(question.answers({}))
    assert all(question.why_not(answer, {}) is None for answer in answers)
    assert [question.read_notation(question.write(answer)) for answer in answers] == answers
    for move in question.moves():
        if move.hint:
            question.check(question.read_notation(move.hint), {})


@pytest.mark.parametrize("question", QUESTIONS, ids=repr)
def test_default_is_the_first_legal_answer(question: Question) -> None:
    question.check(question.default, {})
    assert question.default in question.answers({})


@given(st.integers(0, 5), st.integers(0, 1000))
def test_sample_is_legal(total: int, seed: int) -> None:
    question = bid(total=total, no=barred(5, total))
    answer = question.sample(random.Random(seed).randrange, {})
    assert question.why_not(answer, {}) is None


def test_barred_number_is_the_only_one_missing() -> None:
    assert [a.args[0] for a in bid(total=3, no=2).answers({})] == [0, 1, 3, 4, 5]
    assert [a.args[0] for a in bid(total=6).answers({})] == [0, 1, 2, 3, 4, 5]


@pytest.mark.rule("CV-R20")
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (bid(), Answer(BID, (0,))),
        (bid(total=5, no=0), Answer(BID, (1,))),
        (bid(total=4, no=1), Answer(BID, (0,))),
        (decide(), Answer(LOSE)),
        (decide(0, 1), Answer(LOSE)),
        (decide(1, 0), Answer(WIN)),
    ],
)
def test_late_player_makes_the_lowest_legal_bid(question: Question, answer: Answer) -> None:
    assert question.default == answer
    assert question.late(hand("KS", "2H", "3D", "4C", "5S")) == answer


@pytest.mark.rule("CV-R20")
def test_late_player_plays_the_lowest_card() -> None:
    assert play().late(hand("KS", "AD", "2H")) == Answer(PLAY, (2,))
    assert play().late(hand("3S", "9D", "3H")) == Answer(PLAY, (1,))


@pytest.mark.parametrize(
    ("question", "forced"),
    [(decide(), None), (decide(2), None), (decide(0, 1), LOSE), (decide(1, 0), WIN),
     (decide(3, 1), LOSE)],
)  # fmt: skip
def test_only_a_choice_of_one_is_forced(question: Question, forced: str | None) -> None:
    assert question.only_answer({}) == (Answer(forced) if forced else None)


def test_nothing_else_is_forced() -> None:
    assert play(1).only_answer(hand("KS")) is None
    assert bid().only_answer({}) is None


@pytest.mark.parametrize("text", ["bid 2", "2", "b 2", "Bid  2", "BID 2"])
def test_bid_may_be_typed_as(text: str) -> None:
    assert bid().read(text) == Answer(BID, (2,))


@pytest.mark.parametrize(
    ("text", "move"),
    [("win", WIN), ("w", WIN), ("I win", WIN), ("lose", LOSE), ("L", LOSE), ("i lose", LOSE)],
)
def test_win_and_lose_may_be_typed_as(text: str, move: str) -> None:
    assert decide().read(text) == Answer(move)


@pytest.mark.parametrize("text", ["play KH", "kh", "KH", "p KH", "play k", "#2", "play #2"])
def test_card_may_be_typed_as(text: str) -> None:
    assert play().read(text, hand("2S", "KH", "10D")) == Answer(PLAY, (2,))


def test_played_card_is_written_by_place_for_all_and_by_face_for_its_owner() -> None:
    question = play()
    assert question.write(Answer(PLAY, (2,))) == "play #2"
    assert question.write(Answer(PLAY, (2,)), hand("2S", "KH", "10D")) == "play KH"


@pytest.mark.parametrize(
    ("question", "text", "said"),
    [
        (bid(), "6", "tricks must be 0 to 5 (you typed 6)"),
        (bid(3), "bid 4", "tricks must be 0 to 3 (you typed 4)"),
        (bid(), "bid", "Bid needs tricks, for example: bid 0"),
        (bid(no=0), "bid", "Bid needs tricks, for example: bid 1"),
        (decide(), "lost", "I don't know 'lost'. Did you mean 'lose'?"),
        (play(), "QS", "card must be one of yours: 2S, KH, 10D (you typed QS)"),
        (play(), "#4", "card must be #1 to #3, each once (you typed #4)"),
    ],
)
def test_what_is_not_understood_is_explained(question: Question, text: str, said: str) -> None:
    with pytest.raises(InvalidAnswer) as caught:
        question.read(text, hand("2S", "KH", "10D"))
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("question", "answer", "said"),
    [
        (
            bid(total=3, no=2),
            Answer(BID, (2,)),
            "you bid last and may not bid 2: the bids would add up to 5, and somebody has to miss",
        ),
        (
            bid(3),
            Answer(BID, (4,)),
            "there are 3 tricks in this round, so you can bid 0 to 3",
        ),
        (bid(3), Answer(BID, (-1,)), "there are 3 tricks in this round, so you can bid 0 to 3"),
        (
            decide(0, 1),
            Answer(WIN),
            "nobody has said win, so 'win' would make the bids add up to the one trick",
        ),
        (
            decide(1, 0),
            Answer(LOSE),
            "one player has said win, so 'lose' would make the bids add up to the one trick",
        ),
        (
            decide(3, 1),
            Answer(WIN),
            "3 players have said win, and at this table only lose is left to the last then",
        ),
        (play(), Answer(PLAY, (4,)), "you hold no such card"),
        (play(), Answer(PLAY, (0,)), "you hold no such card"),
    ],
)
def test_what_the_rules_refuse_is_explained(question: Question, answer: Answer, said: str) -> None:
    with pytest.raises(IllegalAnswer) as caught:
        question.check(answer, {})
    assert str(caught.value) == said


def test_move_that_is_barred_carries_the_reason() -> None:
    win, lose = decide(0, 1).moves()
    assert win.disabled == (
        "nobody has said win, so 'win' would make the bids add up to the one trick"
    )
    assert lose.disabled is None
    assert [move.disabled for move in decide(2).moves()] == [None, None]


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        (bid(total=3), "How many of the 5 tricks will you win? 3 bid so far"),
        (
            bid(total=3, no=2),
            "How many of the 5 tricks will you win? 3 bid so far, and you may not bid 2",
        ),
        (decide(2), "Will your card win the trick? So far 2 players have said win"),
        (play(), "Lead a card: you need 1 trick more"),
        (play(table=("KH",), need=2), "Play a card: you need 2 tricks more"),
        (play(need=0), "Lead a card: you have all the tricks you bid"),
        (play(need=-1), "Lead a card: you have 1 trick too many"),
    ],
)
def test_question_says_how_things_stand(question: Question, asked: str) -> None:
    assert question.text == asked


def test_hint_of_a_bid_tells_what_the_hand_may_bring_and_the_sum() -> None:
    faces = hand("KS", "KH", "AD", "2C", "3S")
    assert bid(total=3).hint(Answer(BID, (2,)), faces) == (
        "Your hand may bring about 1.9. That makes 5 bid for 5."
    )
    assert bid().hint(Answer(BID, (2,)), {}) is None
    assert bid().hint(Answer(BID), faces) is None


def test_hint_of_the_one_card_round_is_the_chance_from_what_is_seen() -> None:
    # Better than a nine before and a five after: nines of three suits and four times 10 to king.
    seen = hand("9S", "5H")
    assert decide().hint(Answer(WIN), seen) == "From what you see, your card wins with 38%."
    assert decide().hint(Answer(WIN), {Card(0): "9S"}) is None


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (play(), "It is the highest so far, and 2 more will play."),
        (play(table=("9S",), after=0), "It wins the trick."),
        (play(table=("KS", "3H"), after=1), "It loses to the king of spades."),
        (play(table=("JS",), after=0), "It wins the trick."),
    ],
)
def test_hint_of_a_card_tells_what_it_does_in_the_trick(question: Play, said: str) -> None:
    assert question.hint(Answer(PLAY, (2,)), hand("2S", "JH", "3D")) == said


def test_no_hint_for_half_a_move_or_an_unseen_card() -> None:
    faces = hand("2S", "JH", "3D")
    assert play().hint(Answer(PLAY), faces) is None
    assert play().hint(Answer(PLAY, (4,)), faces) is None
    assert play().hint(Answer(PLAY, (2,)), {}) is None
