"""The board and the questions by themselves: what fits, what is said, and what can be known."""

from __future__ import annotations

import random

import pytest

from sobremesa.core.errors import InvalidAnswer
from sobremesa.core.pieces import Card, Faces
from sobremesa.core.questions import Answer, Question
from sobremesa.plugins.house_of_jokers import GAME
from sobremesa.plugins.house_of_jokers.questions import (
    GIVE_UP,
    JOKER,
    PLAY,
    STUCK,
    Choose,
    Flip,
    Refill,
    Turn,
)
from sobremesa.plugins.house_of_jokers.state import DEALT, Board, Slot
from sobremesa.plugins.playing_cards import card_name

START = Board.laid_out(2)
OPEN = START.lay("8H").lay("6S").lay("8D")
"""Jokers on the eight of hearts and the six of spades."""

UP_9D, DOWN, DOWN_TOO = Slot(Card(0), "9D"), Slot(Card(1), None), Slot(Card(2), None)


def sees(*faces: str) -> Faces:
    """The faces of the first cards; "" is one that is not seen."""
    return {Card(serial): face for serial, face in enumerate(faces) if face}


def turn(*slots: Slot, board: Board = OPEN, shift: bool = True, extra: bool = False) -> Turn:
    return Turn(board, slots, shift, extra)


# The board.


def test_pack_is_all_cards_but_the_sevens() -> None:
    assert len(set(DEALT)) == 48
    assert not any(face.startswith("7") for face in DEALT)
    assert DEALT[:3] == ("AS", "2S", "3S")


def test_each_end_grows_by_itself() -> None:
    assert (OPEN.low, OPEN.high) == (
        {"S": 6, "H": 7, "D": 7, "C": 7},
        {"S": 7, "H": 8, "D": 8, "C": 7},
    )
    assert OPEN.placed == 7
    assert START.placed == 4  # a board is a value: it has not changed


def test_cards_that_fit_are_those_beyond_free_ends() -> None:
    assert OPEN.wanted() == ("8S", "6H", "6D", "9D", "6C", "8C")
    for face in DEALT:
        assert OPEN.fits(face) == (face in OPEN.wanted()) == (OPEN.why_not(face) is None)


def test_jokers_go_to_free_open_ends_and_not_beside_sevens() -> None:
    assert OPEN.jokers == ("8H", "6S")
    assert OPEN.joker_moves(shift=True) == (("8H", "8D"), ("6S", "8D"))
    assert OPEN.joker_moves(shift=False) == ()
    assert OPEN.move_joker("8H", "8D").jokers == ("6S", "8D")


def test_reason_and_list_of_joker_moves_agree() -> None:
    board = Board(
        {"S": 1, "H": 1, "D": 5, "C": 7}, {"S": 13, "H": 10, "D": 8, "C": 9}, ("10H", "5D"), 0, 0
    )
    for shift in (True, False):
        legal = set(board.joker_moves(shift))
        for joker in ("10H", "5D", "8D"):
            for end in board.places():
                fine = board.why_no_joker(joker, end, shift) is None
                assert fine == ((joker, end) in legal), (joker, end)


def test_cards_have_names() -> None:
    assert (card_name("10H"), card_name("AS")) == ("ten of hearts", "ace of spades")


# The questions.


def test_choice_is_of_so_many_different_cards() -> None:
    question = Choose(tuple(map(Card, range(5))), 3)
    assert question.why_not(Answer("choose", ((1, 2, 5),)), {}) is None
    for places in ((1, 2), (1, 1, 2), (1, 2, 6), (1, 2, 3, 4)):
        assert question.why_not(Answer("choose", (places,)), {}) == "choose exactly 3 of your cards"
    pick = random.Random(1).randrange
    samples = {question.sample(pick, {}) for _ in range(200)}
    assert len(samples) == 10
    assert not any(question.why_not(answer, {}) for answer in samples)


def test_leaving_is_asked_about_in_the_words_of_the_rules() -> None:
    assert GAME.leaving == (
        "Are you sure? Do you really want to leave? The entire game will be lost."
    )


def test_giving_up_can_always_be_asked_for_and_is_confirmed_and_never_sampled() -> None:
    hand = (Card(0), Card(1), Card(2))
    questions = (
        Choose(hand, 2),
        turn(UP_9D, DOWN),
        Refill(hand, True, OPEN),
        Flip((UP_9D, DOWN), OPEN),
    )
    pick = random.Random(1).randrange
    for question in questions:
        assert question.read("give up") == question.read("g") == Answer(GIVE_UP)
        assert question.why_not(Answer(GIVE_UP), {}) is None
        assert question.move(GIVE_UP).confirm == (
            "Give Up? Are you sure you want to give up? This ends the game for everyone."
        )
        faces: Faces = {Card(1): "6C"}
        assert all(question.sample(pick, faces).move != GIVE_UP for _ in range(30))


def test_turn_says_what_can_be_done() -> None:
    assert turn(UP_9D).text == "Play an action card or move a joker"
    assert turn(Slot(Card(0), "KD")).text == "None of your action cards fits, so move a joker"
    assert turn(UP_9D, board=START).text == "Play an action card"
    assert turn(UP_9D, extra=True).text == "Extra turn: play an action card or move a joker"


def test_moves_that_cannot_be_are_shown_with_their_reason() -> None:
    reasons = {move.id: move.disabled for move in turn(Slot(Card(0), "KD")).moves()}
    assert reasons == {PLAY: "none of your action cards fits", JOKER: None, GIVE_UP: None}
    reasons = {move.id: move.disabled for move in turn(UP_9D, board=START).moves()}
    assert reasons[JOKER] == "there is no joker on the table"
    assert turn(UP_9D, shift=False).move(JOKER).disabled == "no joker can go anywhere"


def test_moves_that_only_their_player_can_judge_are_open_to_the_others() -> None:
    question = turn(DOWN, DOWN_TOO, shift=False)
    fits, none = sees("", "KS", "6C"), sees("", "KS", "KC")

    def reasons(faces: Faces) -> dict[str, str | None]:
        return {move.id: move.disabled for move in question.moves(faces)}

    assert reasons({})[PLAY] is reasons({})[STUCK] is None
    assert reasons(fits)[PLAY] is None
    assert reasons(fits)[STUCK] == "you can play the six of clubs"
    assert [m.hint for m in question.moves(fits) if m.id == PLAY] == ["play #2"]
    assert reasons(none)[PLAY] == "none of your action cards fits"
    assert reasons(none)[STUCK] is None


def test_joker_moves_are_read_by_their_cards() -> None:
    question = turn(UP_9D)
    assert question.read("joker 8h 8d") == question.read("j 8H 8D") == Answer(JOKER, ("8H", "8D"))
    with pytest.raises(InvalidAnswer, match="joker must be one of 8H, 6S"):
        question.read("joker 9D 8D")


def test_own_table_knows_what_fits_and_others_know_what_lies_open() -> None:
    question = turn(DOWN, DOWN_TOO, shift=False)
    fits, none = sees("", "KS", "6C"), sees("", "KS", "KC")
    assert not question.is_open
    assert not question.is_hopeless
    assert question.only_answer(fits) is None
    assert question.only_answer(none) == Answer(STUCK)
    assert question.only_answer({}) is None
    assert question.why_not(Answer(STUCK), {}) is None
    assert question.why_not(Answer(STUCK), fits) == "you can play the six of clubs"
    assert question.why_not(Answer(PLAY, (1,)), {}) is None
    assert str(question.why_not(Answer(PLAY, (1,)), fits)).startswith("the king of spades does not")
    assert question.why_not(Answer(PLAY, (3,)), {}) == "you have no such action card"


def test_who_can_move_a_joker_is_never_stuck() -> None:
    assert turn(DOWN).is_open
    assert turn(DOWN).why_not(Answer(STUCK), {}) == "you can move a joker"
    assert turn(DOWN).only_answer({Card(1): "KS"}) is None


def test_one_legal_card_is_still_asked_for() -> None:
    assert turn(UP_9D, shift=False).only_answer({}) is None


@pytest.mark.rule("HJ-R10")
def test_extra_turn_needs_a_card_that_fits_even_to_move_a_joker() -> None:
    question = turn(DOWN, extra=True)
    move = Answer(JOKER, ("8H", "8D"))
    fits, none = sees("", "6C"), sees("", "KC")
    assert question.why_not(move, {}) is None
    assert question.why_not(move, fits) is None
    assert question.why_not(move, none) == "an extra turn needs an action card that fits"
    assert question.said(move) == "a card of mine fits"
    assert [question.holds(move, faces) for faces in ({}, fits, none)] == [None, True, False]
    assert question.only_answer(none) == Answer(STUCK)


def test_claims_are_settled_by_the_faces_they_are_about() -> None:
    question = turn(DOWN, DOWN_TOO, shift=False)
    stuck, play = Answer(STUCK), Answer(PLAY, (2,))
    assert question.said(stuck) == "no card of mine fits"
    one, both, fits = sees("", "KS"), sees("", "KS", "KC"), sees("", "", "6C")
    assert [question.holds(stuck, f) for f in ({}, one, both, fits)] == [None, None, True, False]
    assert question.said(play) == "this card fits"
    assert [question.holds(play, f) for f in ({}, both, fits)] == [None, False, True]
    assert turn(UP_9D, DOWN).said(Answer(PLAY, (1,))) is None
    assert turn(UP_9D, DOWN).said(Answer(JOKER, ("8H", "8D"))) is None


def test_refill_says_whether_the_card_fits_and_how_it_will_lie() -> None:
    hand, faces = (Card(0), Card(1)), sees("9D", "KS")
    up, down = Refill(hand, True, OPEN), Refill(hand, False, OPEN)
    assert up.hint(Answer("refill", (1,)), faces) == (
        "The nine of diamonds fits now; it will lie face up."
    )
    assert down.hint(Answer("refill", (2,)), faces) == (
        "The king of spades does not fit now; it will lie face down."
    )
    assert up.hint(Answer("refill", (3,)), faces) is None
    assert up.hint(Answer("refill", (1,)), {}) is None
    assert up.hint(Answer(GIVE_UP), faces) is None
    assert up.why_not(Answer("refill", (3,)), {}) == "you hold no such card"


def test_joker_that_leaves_is_pointed_out() -> None:
    whole = Board({**OPEN.low, "C": 1}, {**OPEN.high, "C": 13}, OPEN.jokers, 0, 0)
    question = turn(UP_9D, board=whole)
    assert question.hint(Answer(JOKER, ("8H", "7C")), {}) == "The joker leaves the game for good."
    assert question.hint(Answer(JOKER, ("8H", "8D")), {}) == (
        "Nothing follows the eight of diamonds while it is there. "
        "Then the nine of hearts can follow."
    )
    assert question.hint(Answer(JOKER, ("8H", "8H")), {}) is None  # where it is already
    assert question.hint(Answer(JOKER, ("8H",)), {}) is None


def test_hint_of_a_card_says_what_comes_of_it() -> None:
    slots = (UP_9D, Slot(Card(1), "6H"), Slot(Card(2), "KC"))
    assert turn(*slots).hint(Answer(PLAY, (1,)), {}) == "Then the ten of diamonds can follow."
    first = Turn(START, (Slot(Card(0), "6H"),), True, False)
    assert first.hint(Answer(PLAY, (1,)), {}) == (
        "A joker comes to lie on it: nothing follows it until that moves."
    )
    whole = Board(OPEN.low, {**OPEN.high, "C": 12}, OPEN.jokers, 0, 0)
    assert turn(*slots, board=whole).hint(Answer(PLAY, (3,)), {}) == (
        "It closes that end: an extra turn, if another of your cards fits."
    )
    assert turn(*slots).hint(Answer(PLAY, (3,)), {}) is None  # it does not fit
    assert turn(DOWN, UP_9D).hint(Answer(PLAY, (1,)), {}) is None  # nobody knows what it is


def test_hint_of_a_choice_says_when_each_card_can_be_laid() -> None:
    question = Choose(tuple(map(Card, range(3))), 2)
    assert question.hint(Answer("choose", ((1, 2),)), sees("6C", "KS")) == (
        "Can be laid: the six of clubs at once; the king of spades after 5 others."
    )
    assert question.hint(Answer("choose", ((1,),)), sees("6C", "KS")) is None
    penalty = Flip((DOWN, UP_9D, Slot(Card(2), "9H")), OPEN)
    assert penalty.hint(Answer("flip", (3,)), {}) == (
        "Can be laid: the nine of hearts when a joker goes away."
    )
    assert penalty.hint(Answer("flip", (1,)), {}) is None


def hint(question: Question, faces: Faces) -> str:
    """The example of the first move, as its player sees it."""
    return question.moves(faces)[0].hint


def test_example_of_choosing_is_the_cards_nearest_to_their_sevens() -> None:
    question = Choose(tuple(map(Card, range(6))), 3)
    faces: Faces = dict(zip(question.hand, ("KS", "8S", "2H", "5D", "6C", "AS"), strict=True))
    assert hint(question, faces) == "choose #2 #4 #5"
    assert hint(question, {}) == "choose #1 #2 #3"


def test_example_of_refilling_is_the_card_that_can_be_laid_soonest() -> None:
    question = Refill((Card(0), Card(1), Card(2)), True, OPEN)
    assert hint(question, {Card(0): "KS", Card(1): "10D", Card(2): "6H"}) == "refill #3"
    assert hint(question, {Card(2): "6H"}) == "refill #1"


def test_example_of_the_penalty_is_the_card_that_will_be_the_last_to_fit() -> None:
    assert (
        hint(Flip((DOWN, UP_9D, Slot(Card(2), "KC"), Slot(Card(3), "6H")), OPEN), {}) == "flip #3"
    )


def test_only_face_up_cards_can_be_turned_down() -> None:
    question = Flip((DOWN, UP_9D), OPEN)
    assert question.default == Answer("flip", (2,))
    assert question.why_not(Answer("flip", (1,)), {}) == "that card lies face down already"
    assert question.why_not(Answer("flip", (3,)), {}) == "you have no such action card"
