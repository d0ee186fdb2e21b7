"""Questions: what may be typed, what it means, and what is said when it means nothing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from operator import mod

import pytest
from support.games.scripts import Pick, Steal

from sobremesa.core.errors import InvalidAnswer
from sobremesa.core.pieces import Card, Die, Faces
from sobremesa.core.questions import (
    NO_FACES,
    Answer,
    CardField,
    Choice,
    Move,
    Number,
    Question,
)

CUP = (Die("Ana", 0, 0), Die("Ana", 0, 1))


@dataclass(slots=True)
class Paint(Question):
    """A move with a choice, and one whose notation has two fields."""

    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        colour = Choice("colour", ("red", "green", "grey"))
        count = Number("count", 1, 9, {2: ("two", "a pair")})
        return (
            Move("paint", "Paint", ("paint {colour}",), "p", (colour,), hint="paint red"),
            Move("mix", "Mix", ("mix {count} of {colour}",), "m", (count, colour)),
            Move("stop", "Stop", ("stop", "enough"), "s"),
        )

    @property
    def default(self) -> Answer:
        return Answer("stop")

    def why_not(self, answer: Answer, faces: Faces) -> str | None:
        return "we have no grey" if "grey" in answer.args else None


@dataclass(slots=True)
class Lay(Question):
    """A card, which may be typed alone; laying is impossible when no face is seen."""

    cards: tuple[Card, ...] = (Card(0), Card(1), Card(2), Card(3))

    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        nothing = None if faces else "nothing is seen"
        card = CardField("card", self.cards)
        return (
            Move("lay", "Lay", ("lay {card}", "{card}"), "l", (card,), "lay #1", nothing),
            Move("give_up", "Give up", ("give up",), "g"),
        )

    @property
    def default(self) -> Answer:
        return Answer("give_up")

    def why_not(self, answer: Answer, faces: Faces) -> str | None:
        return None


SEEN: Faces = {Card(0): "lady", Card(1): "10S", Card(2): "KH", Card(3): "pass"}


@pytest.mark.parametrize(
    ("text", "place"),
    [("lay la", 1), ("l la", 1), ("la", 1), ("lay 1", 2), ("10s", 2), ("#2", 2), ("lay k", 3),
     ("kh", 3), ("lay p", 4), ("pa", 4)],
)  # fmt: skip
def test_card_is_typed_by_its_face_or_the_start_of_it(text: str, place: int) -> None:
    assert Lay().read(text, SEEN) == Answer("lay", (place,))


@pytest.mark.parametrize("text", ["k", "1", "10", "p", "lay x", "#5"])
def test_single_key_or_number_alone_lays_no_card(text: str) -> None:
    """It was typed for something else: a hotkey of another moment, a bid that came late."""
    with pytest.raises(InvalidAnswer, match="must be"):
        Lay().read(text, SEEN)


def test_move_that_is_only_named_says_what_it_needs_or_why_it_cannot_be() -> None:
    for named in ("l", "lay", "L"):
        with pytest.raises(InvalidAnswer, match=r"^Lay needs card, for example: lay #1$"):
            Lay().read(named, SEEN)
        with pytest.raises(InvalidAnswer, match=r"^Lay: not now, nothing is seen$"):
            Lay().read(named)


def test_disabled_moves_depend_on_the_faces_that_are_seen() -> None:
    assert list(Lay().answers({})) == [Answer("give_up")]
    assert len(list(Lay().answers(SEEN))) == 5


class Resign(Lay):
    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        return Lay.moves(self, faces)[1:]


def test_part_of_a_move_of_several_words_is_completed() -> None:
    with pytest.raises(InvalidAnswer, match="Did you mean 'give up'"):
        Resign().read("give")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("paint red", Answer("paint", ("red",))),
        ("  PAINT   Red ", Answer("paint", ("red",))),
        ("paint re", Answer("paint", ("red",))),
        ("p red", Answer("paint", ("red",))),
        ("P re", Answer("paint", ("red",))),
        ("m 2 of green", Answer("mix", (2, "green"))),
        ("mix 3 of green", Answer("mix", (3, "green"))),
        ("mix two of green", Answer("mix", (2, "green"))),
        ("mix Two of green", Answer("mix", (2, "green"))),
        ("mix a pair of green", Answer("mix", (2, "green"))),
        ("stop", Answer("stop")),
        ("enough", Answer("stop")),
        ("s", Answer("stop")),
        ("S", Answer("stop")),
    ],
)
def test_typed_text_is_read_as(text: str, answer: Answer) -> None:
    assert Paint().read(text) == answer


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("paint gr", "colour must be one of red, green, grey (you typed gr)"),
        ("paint blue", "colour must be one of red, green, grey (you typed blue)"),
        ("mix 10 of red", "count must be 1 to 9 (you typed 10)"),
        ("mix 0 of red", "count must be 1 to 9 (you typed 0)"),
        ("mix ٣ of red", "count must be 1 to 9 (you typed ٣)"),
        ("pait red", "I don't know 'pait red'. Did you mean 'paint'?"),
        ("xyzzy", "I don't know 'xyzzy'."),
        ("s red", "I don't know 's red'."),
        ("p stop", "colour must be one of red, green, grey (you typed stop)"),
        ("p", "Paint needs colour, for example: paint red"),
        ("m", "Mix needs count and colour"),
        ("   ", "nothing typed"),
        ("stop it", "I don't know 'stop it'. Did you mean 'stop'?"),
    ],
)
def test_text_that_means_nothing_is_answered_with(text: str, said: str) -> None:
    with pytest.raises(InvalidAnswer) as caught:
        Paint().read(text)
    assert str(caught.value) == said


def test_range_of_one_number_is_named_as_that_number() -> None:
    with pytest.raises(InvalidAnswer, match=r"^number must be 4 \(you typed 5\)$"):
        Pick(4, 4).read("pick 5")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("steal Bea", "Bea"),
        ("steal bea", "Bea"),
        ("steal from Ben", "Ben"),
        ("steal an", "Ana"),
        ("steal big al", "Big Al"),
        ("steal Big", "Big Al"),
        ("t Ana", "Ana"),
    ],
)
def test_seat_is_found_by_its_name_or_the_start_of_it(text: str, name: str) -> None:
    assert Steal().read(text) == Answer("steal", (name,))


def test_start_of_a_name_that_two_seats_share_is_refused() -> None:
    with pytest.raises(InvalidAnswer, match="player must be one of Ana, Bea, Ben, Big Al"):
        Steal().read("steal be")


def test_whole_name_counts_although_it_begins_another() -> None:
    assert Steal(("Al", "Alba")).read("steal Al") == Answer("steal", ("Al",))


def test_notation_is_one_and_nothing_else() -> None:
    question = Paint()
    assert question.write(Answer("mix", (2, "green"))) == "mix 2 of green"
    assert question.read_notation("mix 2 of green") == Answer("mix", (2, "green"))
    for other in ("mix two of green", "mix 02 of green", "MIX 2 of green", "m 2 of green", " stop",
                  "enough", "s", "x" * 10_000):  # fmt: skip
        with pytest.raises(InvalidAnswer):
            question.read_notation(other)


def test_unknown_move_has_no_notation() -> None:
    with pytest.raises(InvalidAnswer, match="no move is called 'fly' here"):
        Paint().write(Answer("fly"))


def test_answers_are_all_the_legal_ones_and_none_of_a_disabled_move() -> None:
    answers = list(Paint().answers({}))
    assert Answer("stop") in answers
    assert len(answers) == 2 + 9 * 2 + 1
    assert [answer.move for answer in Pick(1, 3).answers({})] == ["pick"] * 3


def test_why_not_names_the_reason() -> None:
    assert Paint().why_not(Answer("paint", ("grey",)), {}) == "we have no grey"
    assert Paint().why_not(Answer("paint", ("red",)), {}) is None


def test_sample_is_legal_and_gives_every_kind_its_share() -> None:
    samples = [Paint().sample(partial(mod, number), {}) for number in range(60)]
    assert all(Paint().why_not(answer, {}) is None for answer in samples)
    assert [sum(a.move == kind for a in samples) for kind in ("mix", "paint", "stop")] == [20] * 3


def test_private_question_is_judged_by_the_faces_given_and_passes_what_they_leave_open() -> None:
    question = Pick(cup=CUP)
    assert question.why_not(Answer("pick", (5,)), {}) is None
    assert question.why_not(Answer("pick", (5,)), {CUP[0]: 5}) is None
    faces: Faces = {CUP[0]: 5, CUP[1]: 2}
    assert question.why_not(Answer("pick", (5,)), faces) is None
    assert question.why_not(Answer("pick", (3,)), faces) == "you hold no such die"
    assert [answer.args for answer in question.answers(faces)] == [(2,), (5,)]


def test_forced_question_with_one_legal_answer_has_only_that() -> None:
    question = Pick(cup=CUP, forced=True)
    assert question.only_answer({CUP[0]: 4, CUP[1]: 4}) == Answer("pick", (4,))
    assert question.only_answer({CUP[0]: 4, CUP[1]: 5}) is None


def test_question_that_is_not_forced_leaves_the_move_to_the_player() -> None:
    assert Pick(cup=CUP).only_answer({CUP[0]: 4, CUP[1]: 4}) is None
