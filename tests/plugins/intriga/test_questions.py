"""What is asked, how answers are typed, and what a player is told."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sobremesa.core.errors import IllegalAnswer, InvalidAnswer
from sobremesa.core.pieces import Card, Faces
from sobremesa.core.questions import Answer, Question
from sobremesa.plugins.intriga.cards import ACTIONS, ROLES
from sobremesa.plugins.intriga.questions import (
    CONCEDE,
    KEEP,
    LIAR,
    LOSE,
    PASS,
    SHOW,
    Act,
    Block,
    Cast,
    Doubt,
    Keep,
    Lose,
    Prove,
)

HAND = (Card(0), Card(1))
FOUR = tuple(Card(serial) for serial in range(4))


def sees(*roles: str) -> Faces:
    """The faces of the first cards."""
    return {Card(serial): role for serial, role in enumerate(roles)}


def act(coins: int = 2, face_up: tuple[str, ...] = (), **purses: int) -> Act:
    return Act(coins, purses or {"Bea": 2, "Cai": 1, "Big Al": 5}, Cast(HAND, face_up))


def doubt(role: str = "banker", hidden: int = 2, face_up: tuple[str, ...] = ()) -> Doubt:
    return Doubt("Ana", role, hidden, Cast(HAND, face_up), "Ana claims something")


def block(*roles: str, face_up: tuple[str, ...] = ()) -> Block:
    return Block(roles or ("lady",), Cast(HAND, face_up), "Ana does something")


QUESTIONS: list[Question] = [
    *(act(coins) for coins in (0, 2, 3, 7, 9, 10, 14)),
    doubt(),
    block(),
    block("banker"),
    block("corsair", "ambassador"),
    Prove("lady", HAND),
    Prove("lady", HAND[:1]),
    Lose(HAND),
    Keep(FOUR, 2),
    Keep(FOUR[:3], 1),
]


@pytest.mark.parametrize("question", QUESTIONS, ids=repr)
def test_every_answer_reads_back_from_its_notation(question: Question) -> None:
    answers = list(question.answers({}))
    assert answers
    for answer in answers:
        assert question.read_notation(question.write(answer)) == answer


@pytest.mark.parametrize("question", QUESTIONS, ids=repr)
def test_default_is_legal_and_hints_can_be_typed(question: Question) -> None:
    question.check(question.default, {})
    assert question.default in list(question.answers({}))
    for move in question.moves():
        if move.hint:
            answer = question.read_notation(move.hint)
            assert answer.move == move.id
            assert (question.why_not(answer, {}) is None) == (move.disabled is None)
        if move.disabled is not None:
            assert not any(answer.move == move.id for answer in question.answers({}))


@pytest.mark.parametrize("question", QUESTIONS, ids=repr)
def test_moves_have_different_keys_and_labels(question: Question) -> None:
    moves = question.moves()
    for names in ([m.hotkey for m in moves], [m.label for m in moves], [m.id for m in moves]):
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("question", QUESTIONS, ids=repr)
def test_sample_is_legal_and_reaches_every_kind(question: Question) -> None:
    pick = random.Random(1).randrange
    samples = [question.sample(pick, {}) for _ in range(200)]
    assert all(question.why_not(answer, {}) is None for answer in samples)
    assert {answer.move for answer in samples} == {a.move for a in question.answers({})}


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        (act(), "income", Answer("income")),
        (act(), "i", Answer("income")),
        (act(), "foreign aid", Answer("aid")),
        (act(), "f", Answer("aid")),
        (act(), "steal Bea", Answer("steal", ("Bea",))),
        (act(), "steal from big al", Answer("steal", ("Big Al",))),
        (act(), "s ca", Answer("steal", ("Cai",))),
        (act(3), "kill bea", Answer("assassinate", ("Bea",))),
        (act(7), "c big", Answer("coup", ("Big Al",))),
        (doubt(), "Liar!", Answer(LIAR)),
        (doubt(), "let it pass", Answer(PASS)),
        (doubt(), "p", Answer(PASS)),
        (block(), "block lady", Answer("lady")),
        (block(), "block as Lady", Answer("lady")),
        (block(), "block", Answer("lady")),
        (block("corsair", "ambassador"), "block corsair", Answer("corsair")),
        (block("corsair", "ambassador"), "a", Answer("ambassador")),
        (Lose(HAND), "lose #2", Answer(LOSE, (2,))),
        (Keep(FOUR, 2), "keep #4 #2", Answer(KEEP, ((2, 4),))),
    ],
)
def test_answer_may_be_typed_as(question: Question, text: str, answer: Answer) -> None:
    assert question.read(text) == answer


def test_cards_may_be_typed_by_their_faces_to_who_sees_them() -> None:
    faces = sees("lady", "banker", "corsair", "lady")
    assert Lose(HAND).read("lose banker", faces) == Answer(LOSE, (2,))
    assert Lose(HAND).read("lose lad", faces) == Answer(LOSE, (1,))
    assert Keep(FOUR, 2).read("keep lady lady", faces) == Answer(KEEP, ((1, 4),))
    assert Keep(FOUR, 2).write(Answer(KEEP, ((1, 3),)), faces) == "keep lady corsair"
    assert Keep(FOUR, 2).write(Answer(KEEP, ((1, 3),))) == "keep #1 #3"


@pytest.mark.parametrize(
    ("question", "text", "said"),
    [
        (act(), "steal", "Steal needs target, for example: steal Big Al"),
        (act(), "steal Ana", "target must be one of Bea, Cai, Big Al (you typed Ana)"),
        (act(), "steal b", "target must be one of Bea, Cai, Big Al (you typed b)"),
        (act(), "incom", "I don't know 'incom'. Did you mean 'income'?"),
        (block(), "block corsair", "this is blocked as Lady"),
        (block("corsair", "ambassador"), "block", "this is blocked as Corsair or Ambassador"),
        (Lose(HAND), "lose #3", "card must be #1 to #2, each once (you typed #3)"),
        (Keep(FOUR, 2), "keep #1", "cards: name 2 (you named 1)"),
    ],
)
def test_what_is_not_understood_is_explained(question: Question, text: str, said: str) -> None:
    with pytest.raises(InvalidAnswer) as caught:
        question.read(text)
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("question", "answer", "said"),
    [
        (act(10), Answer("income"), "with 10 coins or more you must make a coup (you have 10)"),
        (act(6), Answer("coup", ("Bea",)), "the coup costs 7 coins (you have 6)"),
        (act(2), Answer("assassinate", ("Bea",)), "the assassination costs 3 coins (you have 2)"),
        (
            act(9),
            Answer("coup", ("Ana",)),
            "the target must be another player who is still in, not Ana",
        ),
        (Lose(HAND), Answer(LOSE, (3,)), "you have no such card"),
        (Lose(HAND), Answer(LOSE, (0,)), "you have no such card"),
        (Keep(FOUR, 2), Answer(KEEP, ((1,),)), "keep exactly 2"),
        (Keep(FOUR, 2), Answer(KEEP, ((1, 1),)), "keep exactly 2"),
        (Keep(FOUR, 2), Answer(KEEP, ((1, 5),)), "keep exactly 2"),
        (Keep(FOUR[:3], 1), Answer(KEEP, ((1, 2),)), "keep exactly 1"),
        (Prove("lady", HAND), Answer(SHOW, (3,)), "you have no such card"),
    ],
)
def test_what_the_rules_refuse_is_explained(question: Question, answer: Answer, said: str) -> None:
    with pytest.raises(IllegalAnswer) as caught:
        question.check(answer, {})
    assert str(caught.value) == said


@given(st.integers(0, 15))
def test_actions_that_can_be_chosen_are_those_that_can_be_paid(coins: int) -> None:
    chosen = {answer.move for answer in act(coins).answers({})}
    affordable = {action.id for action in ACTIONS.values() if action.cost <= coins}
    assert chosen == ({"coup"} if coins >= 10 else affordable)


def test_late_player_takes_income_or_makes_the_coup_on_the_richest() -> None:
    assert act(9).default == Answer("income")
    assert act(10).default == Answer("coup", ("Big Al",))
    assert act(10, Bea=3, Cai=3).default == Answer("coup", ("Bea",))
    assert doubt().default == block().default == Answer(PASS)
    assert Lose(HAND).late(sees("lady", "banker")) == Answer(LOSE, (1,))
    assert Keep(FOUR, 2).late(sees("lady", "lady", "banker", "corsair")) == Answer(KEEP, ((1, 2),))


def test_windows_have_quick_keys() -> None:
    assert {move.id: move.quick for move in doubt().moves()} == {LIAR: "!", PASS: " "}
    assert [move.id for move in block().moves() if move.quick] == [PASS]


def test_player_who_must_make_a_coup_is_told_so() -> None:
    question = act(11)
    assert question.text == "Name the target of your coup"
    assert {m.id for m in question.moves() if m.disabled is None} == {"coup"}
    assert act(1).text == "Choose your action"


# The proof of a claim.


@given(st.lists(st.sampled_from(ROLES), min_size=1, max_size=2), st.sampled_from(ROLES))
def test_proof_is_always_forced_to_the_first_card_or_a_concession(
    hand: list[str], role: str
) -> None:
    question = Prove(role, FOUR[: len(hand)])
    expected = Answer(SHOW, (hand.index(role) + 1,)) if role in hand else Answer(CONCEDE)
    assert question.only_answer(sees(*hand)) == expected
    assert question.forced
    assert question.private


def test_proof_is_refused_by_who_sees_that_it_is_none() -> None:
    question, faces = Prove("lady", HAND), sees("lady", "lady")
    assert question.why_not(Answer(CONCEDE), faces) == "you hold the Lady, so it is shown"
    assert question.why_not(Answer(SHOW, (2,)), faces) == "the first Lady is shown"
    assert question.why_not(Answer(SHOW, (1,)), sees("banker")) == "that card is not the Lady"


def test_proof_is_let_pass_by_who_sees_nothing() -> None:
    question = Prove("lady", HAND)
    for answer in (Answer(CONCEDE), Answer(SHOW, (1,)), Answer(SHOW, (2,))):
        assert question.why_not(answer, {}) is None
        assert question.settled(answer, {}) is None


@pytest.mark.parametrize(
    ("answer", "faces", "true"),
    [
        (Answer(SHOW, (1,)), sees("lady"), True),
        (Answer(SHOW, (1,)), sees("banker"), False),
        (Answer(SHOW, (2,)), sees("lady"), None),
        (Answer(CONCEDE), sees("banker"), None),
        (Answer(CONCEDE), sees("lady"), False),
        (Answer(CONCEDE), sees("banker", "lady"), False),
        (Answer(CONCEDE), sees("banker", "corsair"), True),
    ],
)
def test_proof_is_settled_as_soon_as_the_faces_tell(
    answer: Answer, faces: Faces, true: bool | None
) -> None:
    assert Prove("lady", HAND).settled(answer, faces) is true


def test_choice_between_equal_cards_is_not_given_away_by_a_forced_answer() -> None:
    faces = sees("lady", "lady", "lady")
    assert Lose(HAND).only_answer(faces) is None
    assert Keep(FOUR[:3], 1).only_answer(faces) is None


# Hints.


def test_hint_tells_what_is_held_and_what_is_a_bluff() -> None:
    faces = sees("banker", "lady")
    assert act().hint(Answer("tax"), faces) == (
        "You hold the Banker. It brings 3 coins, and nobody can block it."
    )
    assert act(face_up=("assassin",)).hint(Answer("assassinate", ("Bea",)), faces) == (
        "You do not hold the Assassin, so this is a bluff; 1 of 3 lie face up. "
        "It costs the target a card, unless the Lady blocks it."
    )
    assert act().hint(Answer("steal", ("Cai",)), faces) == (
        "You do not hold the Corsair, so this is a bluff; none lies face up. Cai has 1 coin. "
        "It brings up to 2 coins, unless the Corsair or the Ambassador blocks it."
    )
    assert act().hint(Answer("income"), faces) == "It brings 1 coin, and nobody can block it."
    assert act().hint(Answer("exchange"), faces) == (
        "You do not hold the Ambassador, so this is a bluff; none lies face up. "
        "You choose among two more cards."
    )
    assert block().hint(Answer("lady"), faces) == "You hold the Lady."
    assert block().hint(Answer(PASS), faces) == "Then it is carried out."


def test_hint_of_cards_says_what_those_do_that_stay() -> None:
    faces = sees("banker", "lady", "lady", "corsair")
    assert Lose(HAND).hint(Answer(LOSE, (1,)), faces) == "You keep Lady: blocks an assassination."
    assert Keep(FOUR, 2).hint(Answer(KEEP, ((2, 3),)), faces) == (
        "You keep Lady: blocks an assassination."
    )
    assert Keep(FOUR, 2).hint(Answer(KEEP, ((1, 4),)), faces) == (
        "You keep Banker: tax, blocks foreign aid; Corsair: steals, blocks a steal."
    )
    assert Keep(FOUR, 2).hint(Answer(KEEP, ((1, 4),)), {}) is None
    assert Keep(FOUR, 2).hint(Answer(KEEP, ((1,),)), faces) is None


def test_hint_of_a_doubt_counts_what_is_seen() -> None:
    faces = sees("banker", "lady")
    assert doubt().hint(Answer(LIAR), faces) == (
        "Banker: 0 face up, 1 with you, 2 unseen. By chance alone Ana holds it in 29% of deals."
    )
    assert doubt(face_up=("banker", "banker")).hint(Answer(LIAR), faces) == (
        "Banker: 2 face up, 1 with you, 0 unseen. Ana cannot hold it."
    )
    assert doubt().hint(Answer(PASS), faces) == "The claim stands."
