"""What may be bid, how it is typed, and what a player is told when it cannot be."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sobremesa.core.errors import IllegalAnswer, InvalidAnswer
from sobremesa.core.pieces import Die
from sobremesa.core.questions import Answer
from sobremesa.plugins.dudo.questions import BID, DUDO, EXACT, Turn
from sobremesa.plugins.dudo.state import Bid


def turn(bid: Bid | None = None, total: int = 10, palifico: bool = False, cup: int = 5) -> Turn:
    return Turn(total, tuple(Die("Ana", 0, index) for index in range(cup)), bid, palifico)


def every_bid(total: int) -> list[Bid]:
    return [Bid(count, face) for count in range(1, total + 1) for face in range(1, 7)]


def legal(question: Turn, bid: Bid) -> bool:
    return question.why_not(Answer(BID, bid), {}) is None


def key(bid: Bid) -> tuple[int, int]:
    """The order of LD-R7, written down a second time on purpose."""
    return (bid.quantity, bid.face) if bid.face != 1 else (2 * bid.quantity, 7)


@pytest.mark.rule("O24")
@pytest.mark.parametrize("total", [2, 3, 10, 17, 40])
def test_raise_is_legal_just_when_its_key_is_higher(total: int) -> None:
    for last in every_bid(total):
        question = turn(last, total)
        for bid in every_bid(total):
            assert legal(question, bid) == (key(bid) > key(last)), (last, bid)


@pytest.mark.parametrize("total", [3, 10, 40])
def test_palifico_raise_is_legal_just_with_the_face_and_more(total: int) -> None:
    for last in every_bid(total):
        question = turn(last, total, palifico=True)
        for bid in every_bid(total):
            wanted = bid.face == last.face and bid.quantity > last.quantity
            assert legal(question, bid) == wanted, (last, bid)


@pytest.mark.parametrize("palifico", [False, True])
def test_opening_is_legal_on_any_face_but_wild_ones(palifico: bool) -> None:
    question = turn(None, palifico=palifico)
    for bid in every_bid(10):
        assert legal(question, bid) == (palifico or bid.face != 1)


def questions() -> st.SearchStrategy[Turn]:
    totals = st.integers(2, 40)
    return totals.flatmap(
        lambda total: st.builds(
            turn,
            st.none() | st.builds(Bid, st.integers(1, total), st.integers(1, 6)),
            st.just(total),
            st.booleans(),
            st.just(1),
        )
    )


@given(questions())
def test_answers_are_just_the_legal_ones_lowest_first(question: Turn) -> None:
    answers = list(question.answers({}))
    bids = [Bid(*map(int, answer.args)) for answer in answers if answer.move == BID]
    assert sorted(bids) == [bid for bid in every_bid(question.total) if legal(question, bid)]
    assert bids == sorted(bids, key=key)
    assert [answer.move for answer in answers if answer.move != BID] == (
        [DUDO, EXACT] if question.bid else []
    )


@given(questions(), st.integers(0, 1000))
def test_sample_is_legal_and_reaches_every_kind(question: Turn, seed: int) -> None:
    pick = random.Random(seed).randrange
    samples = [question.sample(pick, {}) for _ in range(60)]
    assert all(question.why_not(answer, {}) is None for answer in samples)
    assert {answer.move for answer in samples} == {a.move for a in question.answers({})}


@given(questions())
def test_default_is_legal_and_hints_parse_to_legal_moves(question: Turn) -> None:
    question.check(question.default, {})
    for move in question.moves():
        if move.hint:
            question.check(question.read_notation(move.hint), {})
        if move.disabled is None:
            continue
        assert not any(answer.move == move.id for answer in question.answers({}))


@given(questions())
def test_notation_of_every_answer_reads_back_to_it(question: Turn) -> None:
    for answer in question.answers({}):
        assert question.read_notation(question.write(answer)) == answer


@pytest.mark.rule("LD-R20")
def test_default_is_doubt_or_the_lowest_opening() -> None:
    assert turn(Bid(4, 3)).default == Answer(DUDO)
    assert turn(None).default == Answer(BID, (1, 2))
    assert turn(None, palifico=True).default.move == BID


@pytest.mark.parametrize(
    "text",
    ["4x3", "4X3", "4 x 3", "4 3", "4 threes", "4 three", "four threes", "Four  Threes", "4x3s",
     "4 3s", "b 4x3", "b 4 threes", "bid four threes"],
)  # fmt: skip
def test_bid_may_be_typed_as(text: str) -> None:
    assert turn().read(text) == Answer(BID, (4, 3))


def test_large_counts_may_be_typed_in_words() -> None:
    question = turn(total=40)
    assert question.read("twenty-one sixes") == Answer(BID, (21, 6))
    assert question.read("twenty one sixes") == Answer(BID, (21, 6))
    assert question.read("forty ones") == Answer(BID, (40, 1))
    assert question.read("one six") == Answer(BID, (1, 6))


@pytest.mark.parametrize("text", ["dudo", "Dudo!", "doubt", "d", "D", "liar"])
def test_doubt_may_be_typed_as(text: str) -> None:
    assert turn(Bid(1, 2)).read(text) == Answer(DUDO)


@pytest.mark.parametrize("text", ["exact", "exactly", "e", "Exact!"])
def test_exact_may_be_typed_as(text: str) -> None:
    assert turn(Bid(1, 2)).read(text) == Answer(EXACT)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("99x3", "count must be 4 to 16 (you typed 99)"),
        ("3x3", "count must be 4 to 16 (you typed 3)"),
        ("4x9", "face must be 1 to 6 (you typed 9)"),
        ("dido", "I don't know 'dido'. Did you mean 'dudo'?"),
        ("b", "Raise needs count and face, for example: 7x3"),
        ("", "nothing typed"),
        ("4", "I don't know '4'."),
    ],
)
def test_what_is_not_understood_is_explained(text: str, said: str) -> None:
    with pytest.raises(InvalidAnswer) as caught:
        turn(Bid(7, 2), total=16).read(text)
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("question", "text", "said"),
    [
        (turn(), "dudo", "nobody has bid yet, so you have to open with a bid"),
        (turn(), "exact", "nobody has bid yet, so you have to open with a bid"),
        (turn(), "2x1", "ones are wild, so a round cannot open on ones"),
        (turn(Bid(4, 3)), "4x2", "4 twos is too low: after 4 threes you need 5 twos or more"),
        (turn(Bid(7, 3)), "4 sixes", "4 sixes is too low: after 7 threes you need 7 sixes or more"),
        (turn(Bid(1, 1)), "2x6", "2 sixes is too low: after 1 one you need 3 sixes or more"),
        (turn(Bid(1, 3), palifico=True), "2x4", "in a palifico the face stays: threes"),
        (
            turn(Bid(5, 1)),
            "9x6",
            "after 5 ones a bid on sixes would need 11, and there are only 10 dice",
        ),
    ],
)  # fmt: skip
def test_what_the_rules_refuse_is_explained(question: Turn, text: str, said: str) -> None:
    with pytest.raises(IllegalAnswer) as caught:
        question.check(question.read(text), {})
    assert str(caught.value) == said


@pytest.mark.parametrize("args", [(0, 2), (11, 2), (-1, 3), (3, 0), (3, 7)])
def test_bid_that_no_typing_gives_is_refused_all_the_same(args: tuple[int, int]) -> None:
    assert turn().why_not(Answer(BID, args), {}) is not None


def test_hint_tells_what_is_held_and_what_to_expect() -> None:
    question = turn(Bid(3, 3), total=16)
    faces = dict(zip(question.cup, (1, 3, 3, 5, 6), strict=True))
    assert question.hint(Answer(BID, (4, 3)), faces) == (
        "At least 4: 99%. You hold 3 of the threes (with ones), expect about 6.7."
    )
    assert question.hint(Answer(BID, (4, 1)), faces) == (
        "At least 4: 27%. You hold 1 of the ones, expect about 2.8."
    )


def test_hint_of_a_palifico_knows_no_wild_ones() -> None:
    question = turn(Bid(3, 3), total=17, palifico=True)
    faces = dict(zip(question.cup, (1, 3, 3, 5, 6), strict=True))
    assert question.hint(Answer(BID, (4, 3)), faces) == (
        "At least 4: 62%. You hold 2 of the threes, expect about 4.0."
    )


def test_no_hint_without_sight_of_the_dice_or_for_half_a_bid() -> None:
    question = turn(Bid(3, 3), total=16)
    assert question.hint(Answer(BID, (4, 3)), {}) is None
    faces = dict.fromkeys(question.cup, 2)
    assert question.hint(Answer(BID, (4,)), faces) is None
    assert question.hint(Answer(DUDO), {}) is None
    assert turn().hint(Answer(DUDO), faces) is None


def test_hint_of_a_call_is_the_chance_of_the_bid() -> None:
    question = turn(Bid(8, 3), total=16)
    faces = dict(zip(question.cup, (1, 3, 3, 5, 6), strict=True))
    more, just = (question.hint(Answer(call), faces) for call in (DUDO, EXACT))
    assert (more, just) == ("8 threes or more: 29%.", "8 threes exactly: 17%.")
    sure = turn(Bid(3, 3), total=16)
    assert sure.hint(Answer(DUDO), dict(zip(sure.cup, (1, 3, 3, 5, 6), strict=True))) == (
        "3 threes or more: 100%."
    )
