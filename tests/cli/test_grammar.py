"""What typed lines mean, and what can be typed."""

from __future__ import annotations

import re

import pytest
from support.clients.sessions import (
    DudoSession,
    FixedChance,
    OpenSession,
    intrigue_table,
    kitchen_table,
    lives_table,
)
from support.clients.situations import exchange, losing

from sobremesa.cli.words import grammar
from sobremesa.cli.words.grammar import (
    Do,
    Enter,
    NotNow,
    NotUnderstood,
    Play,
    Say,
    Word,
    complete,
    read,
)
from sobremesa.core.errors import InvalidAnswer
from sobremesa.core.pieces import Faces
from sobremesa.core.questions import Answer, Question


def nothing(rest: str) -> None:
    """These words are only read."""


WORDS = grammar.words(
    grammar.help_word(nothing),
    *(Word(name, "a word", nothing) for name in ("say", "leave", "ready")),
    Word("exact", "a word like a move", nothing),
)


def do(name: str, rest: str = "") -> Do:
    return Do(WORDS[name], rest)


def raising() -> Question:
    """Cai may raise 4 threes, 20 dice on the table."""
    question = kitchen_table().question
    assert question is not None
    return question


def opening() -> Question:
    dice = {"Ana": (1, 2, 3, 4, 5), "Cai": (1, 2, 3, 4, 5)}
    question = DudoSession("Cai", ("Ana", "Cai"), FixedChance(1, dice)).question
    assert question is not None
    return question


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("", Enter()),
        ("   ", Enter()),
        ("?", do("help")),
        ("help rules", do("help", "rules")),
        ("/HELP  rules", do("help", "rules")),
        ("'hello there", Say("hello there")),
        ("'  two\nlines ", Say("two lines")),
        ("/say hello", do("say", "hello")),
        ("say hello", do("say", "hello")),
        ("dudo", Play(Answer("dudo"))),
        ("d", Play(Answer("dudo"))),
        ("5 threes", Play(Answer("bid", (5, 3)))),
        ("b 5 3", Play(Answer("bid", (5, 3)))),
        ("5×3", Play(Answer("bid", (5, 3)))),
        ("\ufeff５ ｘ ３", Play(Answer("bid", (5, 3)))),
        ("bid 5 threes", Play(Answer("bid", (5, 3)))),
        ("raise 5x3", Play(Answer("bid", (5, 3)))),
        ("’it’s me  ×", Say("it’s me ×")),
        ("/say it’s me", do("say", "it’s me")),
        ("Dudo!", Play(Answer("dudo"))),
        ("exact", Play(Answer("exact"))),
        ("/exact", do("exact")),
        ("leave", do("leave")),
    ],
)
def test_line_means(typed: str, command: grammar.Command) -> None:
    assert read(typed, WORDS, raising()) == command


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("/leev", "I don't know '/leev'. Did you mean '/leave'?"),
        ("reddy", "I don't know 'reddy'. Did you mean 'ready'? To chat, start with '."),
        ("dudoo", "I don't know 'dudoo'. Did you mean 'dudo'? To chat, start with '."),
        ("good morning", "I don't know 'good morning'. To chat, start with '."),
        ("/xyzzy", "I don't know '/xyzzy'. Try /help."),
        ("'", "Nothing to say: type the words after the ' sign."),
    ],
)
def test_what_is_not_understood_is_said_and_never_sent(typed: str, why: str) -> None:
    with pytest.raises(NotUnderstood) as error:
        read(typed, WORDS, raising())
    assert str(error.value) == why


@pytest.mark.parametrize("typed", ["99 threes", "bid"])
def test_a_move_with_something_wrong_in_it_is_explained_by_the_question(typed: str) -> None:
    with pytest.raises(InvalidAnswer) as error:
        read(typed, WORDS, raising())
    with pytest.raises(InvalidAnswer, match=re.escape(str(error.value))):
        raising().read(typed)


def test_a_move_when_nobody_asks_is_not_now() -> None:
    with pytest.raises(NotNow, match="not asked for a move now"):
        read("dudo", WORDS, None)


def test_an_answer_to_what_was_missed_is_too_late() -> None:
    with pytest.raises(grammar.TooLate, match="your time had run out before 'dudo' came"):
        read("dudo", WORDS, None, missed=raising())
    with pytest.raises(NotUnderstood, match="Did you mean 'ready'"):
        read("redy", WORDS, None, missed=raising())
    assert read("dudo", WORDS, raising(), missed=raising()) == Play(Answer("dudo"))


def test_a_near_word_is_offered_also_when_nobody_asks() -> None:
    with pytest.raises(NotUnderstood, match="Did you mean 'ready'"):
        read("redy", WORDS, None)


def test_completion_of_nothing_is_an_example_of_each_move() -> None:
    assert complete("", WORDS, raising()) == ["4x4", "dudo", "exact"]
    assert complete("", WORDS, opening()) == ["1x2"]


@pytest.mark.parametrize(
    ("typed", "lines"),
    [
        ("4 ", ["4 ones", "4 fours", "4 fives", "4 sixes"]),
        ("4x", ["4x1", "4x4", "4x5", "4x6"]),
        ("5 thr", ["5 threes"]),
        ("five thr", ["five threes"]),
        ("b 5 t", ["b 5 twos", "b 5 threes"]),
        ("bid 5 t", ["bid 5 twos", "bid 5 threes"]),
        ("du", ["dudo"]),
        ("/le", ["/leave"]),
        ("/help r", ["/help rules"]),
        ("help ", ["help moves", "help rules", "help tips", "help faq"]),
        ("le", ["leave"]),
        ("'du", []),
        ("1 ", ["1 ones"]),
        ("zz", []),
    ],
)
def test_completion(typed: str, lines: list[str]) -> None:
    found = complete(typed, WORDS, raising())
    expected = [line for line in lines if line != "1 ones"]
    assert found == expected


@pytest.mark.parametrize("typed", ["", "1", "4", "5 ", "b ", "2", "20 ", "four ", "e", "d"])
@pytest.mark.parametrize("ask", [raising, opening])
def test_every_completed_move_is_legal(ask, typed: str) -> None:  # type: ignore[no-untyped-def]
    question = ask()
    for line in complete(typed, grammar.words(), question):
        assert question.why_not(question.read(line), {}) is None, line


def test_completion_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grammar, "MOST_CANDIDATES", 7)
    assert len(complete("1", WORDS, raising())) == 7


def asked_of(session: OpenSession) -> tuple[Question, Faces]:
    question = session.question
    assert question is not None
    return question, session.faces()


@pytest.mark.parametrize("typed", ["QS", "qs", "play qs", "p QS", "#2", "play #2", "p #2"])
def test_cards_are_typed_by_face_and_by_place(typed: str) -> None:
    question, faces = asked_of(lives_table())
    command = read(typed, WORDS, question, faces)
    assert command == Play(Answer("play", (2,)))


@pytest.mark.parametrize(
    ("typed", "place"),
    [
        ("queen of spades", 2),
        ("play Queen  of Spades", 2),
        ("p queen spades", 2),
        ("eight", 3),
        ("play eight of hearts", 3),
    ],
)
def test_cards_are_typed_as_they_are_spoken_of(typed: str, place: int) -> None:
    question, faces = asked_of(lives_table())
    assert read(typed, WORDS, question, faces) == Play(Answer("play", (place,)))


def test_of_two_cards_that_are_called_so_nobody_guesses_one() -> None:
    question, faces = asked_of(lives_table())
    with pytest.raises(InvalidAnswer, match="must be one of yours"):
        read("play queen", WORDS, question, faces)


def test_a_card_is_typed_as_its_game_calls_it() -> None:
    session = intrigue_table().play("Bento: pass", "Cai: liar", "Dora: pass")
    question, faces = asked_of(session)
    names = {"lady": "Grande Dame", "corsair": "Corsair"}
    command = read("grande dame", WORDS, question, faces, cards=names)
    assert command == Play(Answer("lose", (1,)))


@pytest.mark.parametrize("typed", ["lady", "Lady", "la", "#1", "lose lady", "l #1"])
def test_cards_alone_are_meant_for_the_only_move_that_takes_some(typed: str) -> None:
    session = intrigue_table().play("Bento: pass", "Cai: liar", "Dora: pass")
    question, faces = asked_of(session)
    command = read(typed, WORDS, question, faces)
    assert command == Play(Answer("lose", (1,)))


def test_several_cards_alone_are_meant_so_too() -> None:
    found = exchange()
    question = found.question
    command = read("assassin lady", WORDS, question, found.faces)
    assert command == Play(Answer("keep", ((1, 4),)))


def test_a_card_that_is_not_ours_is_explained_in_one_sentence_each() -> None:
    question, faces = asked_of(lives_table())
    with pytest.raises(InvalidAnswer, match="card must be one of yours"):
        read("play KH", WORDS, question, faces)
    with pytest.raises(NotUnderstood) as error:
        read("KH", WORDS, question, faces)
    assert str(error.value) == (
        "card must be one of yours: QC, QS, 8H, 3C, 2D (you typed KH). To chat, start with '."
    )


@pytest.mark.parametrize(
    ("typed", "lines"),
    [
        ("", ["QC", "QS", "8H", "3C", "2D"]),
        ("q", ["QC", "QS"]),
        ("play 8", ["play 8H"]),
        ("p ", ["p QC", "p QS", "p 8H", "p 3C", "p 2D"]),
    ],
)
def test_completion_offers_cards_by_their_faces(typed: str, lines: list[str]) -> None:
    question, faces = asked_of(lives_table())
    assert complete(typed, grammar.words(), question, faces) == lines


def test_completion_after_a_moves_name_does_not_say_it_twice() -> None:
    found = losing()
    assert complete("lose ", grammar.words(), found.question, found.faces) == [
        "lose lady",
        "lose corsair",
    ]
    assert complete("l ", grammar.words(), found.question, found.faces) == ["l lady", "l corsair"]


def test_examples_show_faces_where_they_are_seen() -> None:
    question, faces = asked_of(lives_table())
    (move,) = question.moves()
    assert grammar.example(move, faces) == "play QC"
    assert grammar.example(move, {}) == "play #1"
    assert grammar.example(raising().move("bid"), {}) == "4x4"
