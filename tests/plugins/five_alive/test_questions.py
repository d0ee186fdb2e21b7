"""What is asked, how answers are typed, and what a player is told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sobremesa.core.errors import InvalidAnswer
from sobremesa.core.pieces import Card, Faces
from sobremesa.core.questions import Answer
from sobremesa.plugins.five_alive.cards import DECK, fits
from sobremesa.plugins.five_alive.questions import DISCARD, FLIP, PLAY, Bombed, Play

HANDS = st.lists(st.sampled_from(DECK), min_size=1, max_size=12)
TOTALS = st.integers(0, 21)


def sees(hand: str) -> tuple[tuple[Card, ...], Faces]:
    cards = tuple(map(Card, range(len(hand.split()))))
    return cards, dict(zip(cards, hand.split(), strict=True))


def play(hand: str, total: int) -> tuple[Play, Faces]:
    cards, faces = sees(hand)
    return Play(cards, total), faces


def bombed(hand: str) -> tuple[Bombed, Faces]:
    cards, faces = sees(hand)
    return Bombed(cards), faces


@given(HANDS, TOTALS)
def test_legal_are_the_cards_that_fit_and_a_flip_without_any(hand: list[str], total: int) -> None:
    question, faces = play(" ".join(hand), total)
    good = [place for place, face in enumerate(hand, 1) if fits(face, total)]
    legal = [Answer(PLAY, (place,)) for place in good] or [Answer(FLIP)]
    assert list(question.answers(faces)) == legal
    possible = {move.id for move in question.moves(faces) if move.disabled is None}
    assert possible == {answer.move for answer in legal}
    assert (question.why_not(Answer(FLIP), faces) is None) == (not good)
    for place in range(1, len(hand) + 1):
        assert (question.why_not(Answer(PLAY, (place,)), faces) is None) == (place in good)


@pytest.mark.rule("FA-R4")
@given(HANDS, TOTALS)
def test_table_answers_only_if_nothing_fits(hand: list[str], total: int) -> None:
    question, faces = play(" ".join(hand), total)
    forced = not any(fits(face, total) for face in hand)
    assert question.only_answer(faces) == (Answer(FLIP) if forced else None)


def test_table_that_does_not_see_the_hand_answers_nothing() -> None:
    question, _ = play("7 6", 21)
    assert question.only_answer({}) is None
    assert question.only_answer({Card(0): "7"}) is None


def test_others_let_pass_what_they_cannot_see_and_refuse_what_they_can() -> None:
    question, _ = play("7 pass", 21)
    assert question.why_not(Answer(PLAY, (1,)), {}) is None
    assert question.why_not(Answer(FLIP), {}) is None
    assert question.why_not(Answer(FLIP), {Card(0): "7"}) is None
    assert question.why_not(Answer(FLIP), {Card(1): "pass"}) is not None
    assert question.why_not(Answer(PLAY, (3,)), {}) == "you hold no such card"


@given(HANDS, TOTALS, st.data())
def test_claim_is_settled_by_the_first_faces_that_tell(
    hand: list[str], total: int, data: st.DataObject
) -> None:
    question, faces = play(" ".join(hand), total)
    known = {card: face for card, face in faces.items() if data.draw(st.booleans())}
    fitting = [card for card, face in known.items() if fits(face, total)]
    settled = False if fitting else True if len(known) == len(hand) else None
    assert question.holds(Answer(FLIP), known) is settled
    for place, face in enumerate(hand, 1):
        expected = fits(face, total) if Card(place - 1) in known else None
        assert question.holds(Answer(PLAY, (place,)), known) is expected


@given(HANDS, TOTALS)
def test_late_player_plays_the_lowest_number_that_fits_or_the_first_wild_card(
    hand: list[str], total: int
) -> None:
    question, faces = play(" ".join(hand), total)
    late = question.late(faces)
    good = [face for face in hand if fits(face, total)]
    if not good:
        assert late == Answer(FLIP)
    else:
        assert hand[late.args[0] - 1] == min(good, key=DECK.index)


@pytest.mark.parametrize(
    ("typed", "notation"),
    [("5", "play 5"), ("play 5", "play 5"), ("p 5", "play 5"), ("#2", "play =21"),
     ("=2", "play =21"), ("play draw 1", "play draw1"), ("Pass me by", "play pass"),
     ("re-deal", "play redeal"), ("rev", "play reverse"), ("flip", "flip"), ("f", "flip")],
)  # fmt: skip
def test_answer_is_typed_as_one_likes(typed: str, notation: str) -> None:
    question, faces = play("5 =21 draw1 pass redeal reverse 0", 3)
    assert question.write(question.read(typed, faces), faces) == notation


def test_transcript_holds_the_place_and_not_the_card() -> None:
    question, faces = play("5 =21", 3)
    answer = question.read("=21", faces)
    assert question.write(answer) == "play #2"
    assert question.read_notation("play #2") == answer
    with pytest.raises(InvalidAnswer):
        question.read_notation("play =21")


def test_card_that_is_not_in_the_hand_is_named_with_those_that_are() -> None:
    question, faces = play("5 =21", 3)
    with pytest.raises(InvalidAnswer, match=r"one of yours: 5, =21 \(you typed bomb\)"):
        question.read("bomb", faces)


@pytest.mark.parametrize(
    ("total", "text"),
    [(0, "The total is 0: play a card (up to 21 more is safe)"),
     (17, "The total is 17: play a card (up to 4 more is safe)"),
     (21, "The total is 21: play a card (only a 0 or a wild is safe)")],
)  # fmt: skip
def test_question_says_the_total_and_what_is_safe(total: int, text: str) -> None:
    assert play("5", total)[0].text == text


def test_hint_says_what_a_card_makes_of_the_total() -> None:
    question, faces = play("5 4 =10 7", 16)
    hints = [question.hint(Answer(PLAY, (place,)), faces) for place in range(1, 5)]
    assert hints == [
        "That makes 21 (only a 0 or a wild is safe).",
        "That makes 20 (up to 1 more is safe).",
        "=10: total is 10.",
        None,
    ]
    assert question.hint(Answer(PLAY, (1,)), {}) is None
    assert question.hint(Answer(FLIP), faces) is None


def test_example_for_others_is_given_only_while_any_card_fits() -> None:
    assert play("5", 14)[0].move(PLAY).hint == "play #1"
    assert play("5", 15)[0].move(PLAY).hint == ""


@pytest.mark.parametrize(
    ("hand", "total", "hint"),
    [("redeal =21 5 3 4", 0, "play #4"), ("redeal 3 =21 5", 19, "play #3"),
     ("7 0 1", 21, "play #2"), ("7 6", 20, "")],
)  # fmt: skip
def test_example_for_the_player_is_the_card_that_costs_least(
    hand: str, total: int, hint: str
) -> None:
    question, faces = play(hand, total)
    (shown,) = (move.hint for move in question.moves(faces) if move.id == PLAY)
    assert shown == hint


@pytest.mark.rule("FA-R9")
@given(HANDS)
def test_bomb_takes_the_first_zero_or_a_flip(hand: list[str]) -> None:
    question, faces = bombed(" ".join(hand))
    right = Answer(DISCARD, (hand.index("0") + 1,)) if "0" in hand else Answer(FLIP)
    assert question.only_answer(faces) == right
    assert question.why_not(right, {}) is None
    assert question.holds(right, faces) is True


def test_bomb_refuses_another_card_and_a_flip_with_a_zero() -> None:
    question, faces = bombed("5 =0 0 0")
    refusals = [question.why_not(Answer(DISCARD, (place,)), faces) for place in range(1, 6)]
    assert refusals == [
        "only a 0 can be discarded",
        "only a 0 can be discarded",
        None,
        "your first 0 is discarded",
        "you hold no such card",
    ]
    assert question.why_not(Answer(FLIP), faces) == "you hold a 0, which must be discarded"
