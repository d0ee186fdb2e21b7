"""What typed lines mean, and what can be typed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import pytest
from support.clients import situations
from support.clients.sessions import (
    DudoSession,
    FixedChance,
    OpenSession,
    intrigue_table,
    kitchen_table,
    lives_table,
)
from support.clients.situations import Situation, exchange, losing

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
from sobremesa.core.questions import Answer, CardField, CardsField, Question
from sobremesa.plugins.playing_cards import spoken_card


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
    with pytest.raises(InvalidAnswer, match="which queen"):
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


def as_answer(
    question: Question, typed: str, faces: Faces, names: Mapping[str, str] | None = None
) -> Answer:
    command = read(typed, WORDS, question, faces, None, names or {})
    assert isinstance(command, Play)
    return command.answer


@pytest.mark.parametrize(
    ("at", "typed", "notation"),
    [
        (situations.asked, "raise 6x4", "6x4"),
        (situations.asked, "raise six fours.", "6x4"),
        (situations.asked, "five threes", "5x3"),
        (situations.asked, "6 x 4", "6x4"),
        (situations.asked, "６×４", "6x4"),
        (situations.asked, "\ufeff\u00a0bid\u200b 6\u3000✕ 4 ", "6x4"),
        (situations.asked, "Dudo!", "dudo"),
        (situations.bid, "bid three", "bid 3"),
        (situations.bid, "3 tricks", "bid 3"),
        (situations.one_card, "I win.", "win"),
        (situations.trick, "the queen of clubs", "play QC"),
        (situations.trick, "play 8 of hearts", "play 8H"),
        (situations.trick, "Play: the eight", "play 8H"),
        (situations.trick, "three", "play 3C"),
        (situations.trick, "a diamond", "play 2D"),
        (situations.trick, "Q♣", "play QC"),
        (situations.losing, "turn up the Lady", "lose lady"),
        (situations.exchange, "the assassin, the lady", "keep lady assassin"),
        (situations.claimed, "Let it pass.", "pass"),
        (situations.action, "Steal from the Ana", "steal Ana"),
        (situations.alive_tight, "a two", "play 2"),
        (situations.jokers_choosing, "choose the king of clubs, the queen and the jack",
         "choose KC QC JC"),
        (situations.jokers_choosing, "choose ace of diamonds and fives", "choose 5S 5H AD"),
        (situations.jokers_turn, "move the joker on the six of clubs to the eight of hearts",
         "joker 6C 8H"),
        (situations.jokers_penalty, "Turn face down the king", "flip KC"),
    ],
)  # fmt: skip
def test_moves_are_read_in_the_words_in_which_they_are_spoken(
    at: Callable[[], Situation], typed: str, notation: str
) -> None:
    found = at()
    names = found.game.card_names
    command = read(typed, WORDS, found.question, found.faces, None, names)
    assert isinstance(command, Play)
    assert found.question.write(command.answer, found.faces) == notation


@pytest.mark.parametrize("at", [situations.trick, situations.alive_tight, situations.exchange,
                                situations.losing, situations.jokers_choosing])  # fmt: skip
def test_every_card_of_a_hand_is_read_by_the_name_that_is_spoken(
    at: Callable[[], Situation],
) -> None:
    found = at()
    names, question = found.game.card_names, found.question
    (move,) = (move for move in question.moves(found.faces) if move.id in
               ("play", "keep", "lose", "choose"))  # fmt: skip
    (field,) = move.fields
    assert isinstance(field, CardField | CardsField)
    least = field.least if isinstance(field, CardsField) else 1
    for place in range(len(field.cards) - least + 1):
        some = [found.faces[card] for card in field.cards[place : place + least]]
        line = f"{move.label} the {' and the '.join(spoken_card(face, names) for face in some)}"
        answer = as_answer(question, line, found.faces, names)
        assert question.write(answer, found.faces) == move.write(
            question.read(f"{move.id} {' '.join(some)}", found.faces), found.faces
        )


def test_part_of_a_name_that_may_mean_several_cards_names_them() -> None:
    found = situations.trick()
    for typed in ("queen", "play the queen", "queens"):
        with pytest.raises((InvalidAnswer, NotUnderstood)) as error:
            read(typed, WORDS, found.question, found.faces)
        assert "which queen: the queen of clubs or the queen of spades?" in str(error.value)


def test_of_several_cards_the_one_that_can_be_played_is_meant() -> None:
    found = situations.jokers_turn()
    answer = as_answer(found.question, "play the four", found.faces)
    assert found.question.write(answer, found.faces) == "play 4D"  # a joker holds the hearts


@pytest.mark.parametrize("typed", ["8", "q", "5", "3"])
def test_a_key_or_a_number_alone_is_no_card(typed: str) -> None:
    found = situations.trick()
    with pytest.raises((InvalidAnswer, NotUnderstood)):
        read(typed, WORDS, found.question, found.faces)


def test_a_card_that_is_called_but_not_there_is_said_to_be_missing() -> None:
    found = situations.trick()
    with pytest.raises(NotUnderstood, match=r"one of yours: .* \(you typed KH\)"):
        read("king of hearts", WORDS, found.question, found.faces)


@pytest.mark.parametrize("typed", ["’hello  “there” １", "‘hello  “there” １", "＇hello “there” １",
                                   "\ufeff'hello “there” １"])  # fmt: skip
def test_chat_is_recognized_by_any_quote_and_stays_as_it_was_written(typed: str) -> None:
    assert read(typed, WORDS, None) == Say("hello “there” １")


@pytest.mark.parametrize("typed", ["quit", "q", "Exit", "ＱＵＩＴ"])
def test_to_quit_is_never_a_move(typed: str) -> None:
    words = grammar.words(Word("quit", "", nothing, aliases=grammar.QUITTING))
    for at in (situations.asked, situations.trick, situations.action, situations.jokers_turn):
        found = at()
        assert read(typed, words, found.question, found.faces) == Do(words["quit"])


@pytest.mark.parametrize(
    ("at", "typed"),
    [(situations.asked, "exit"), (situations.jokers_turn, "giv"), (situations.jokers_turn, "up")],
)
def test_a_slip_is_not_answered_with_what_cannot_be_taken_back(
    at: Callable[[], Situation], typed: str
) -> None:
    found = at()
    with pytest.raises((InvalidAnswer, NotUnderstood)) as error:
        read(typed, grammar.words(), found.question, found.faces)
    assert "Did you mean" not in str(error.value)
