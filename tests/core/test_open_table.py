"""The open table and the script's door, shown with toy games."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from support.games.scripts import SEATS, Given, Pick, outcome, toy

from sobremesa.core.errors import DisprovedAnswer, DisprovedClaim, IllegalAnswer, ScriptError
from sobremesa.core.game import Outcome
from sobremesa.core.open_table import FairChance, OpenTable
from sobremesa.core.pieces import Die, Faces, Seat
from sobremesa.core.questions import Answer
from sobremesa.core.requests import (
    Ask,
    AskAll,
    Claim,
    Event,
    Gone,
    Mark,
    Reveal,
    Roll,
    Script,
    Show,
    Shuffle,
    Tell,
    Toss,
)

Play = Callable[[tuple[Seat, ...], Any], Script[Outcome]]


def sit(play: Play, chance: Given | None = None, **kwargs: Any) -> OpenTable:
    return OpenTable(toy(play), SEATS, {}, chance or Given(), **kwargs)


def pick(number: int) -> Answer:
    return Answer("pick", (number,))


# Requests and their results.


def test_script_gets_the_results_of_its_requests() -> None:
    got: list[Any] = []

    def play(seats: tuple[Seat, ...], options: Any) -> Script[Outcome]:
        got.append((yield Mark("state")))
        got.append((yield Toss(10, "first")))
        got.append((yield Gone()))
        got.append((yield Ask("Ana", Pick())))
        got.append((yield Tell("thing")))
        return outcome()

    table = sit(play, Given({"first": 7}))
    assert table.run.state == "state"
    assert list(table.asked) == ["Ana"]
    table.answer("Ana", pick(3))
    assert got == [None, 7, (), pick(3), None]
    assert table.outcome == outcome()
    assert table.asked == {}
    assert table.events == [{"kind": "thing"}]


def test_reveal_gives_faces_in_the_shape_asked_for() -> None:
    got: list[Any] = []

    def play(seats: tuple[Seat, ...], options: Any) -> Script[Outcome]:
        cups = yield Roll({"Ana": 2, "Bea": 1})
        got.append(cups)
        got.append((yield Reveal(cups)))
        got.append((yield Reveal(cups["Bea"] + cups["Ana"])))
        return outcome()

    sit(play, Given(Ana=(4, 6), Bea=(1,)))
    ana, bea = (Die("Ana", 0, 0), Die("Ana", 0, 1)), (Die("Bea", 0, 0),)
    assert got == [{"Ana": ana, "Bea": bea}, {"Ana": (4, 6), "Bea": (1,)}, (1, 4, 6)]


def test_all_who_are_asked_at_once_answer_in_any_order_and_the_script_sees_seat_order() -> None:
    got: list[dict[Seat, Answer]] = []

    def play(seats: tuple[Seat, ...], options: Any) -> Script[Outcome]:
        got.append((yield AskAll({seat: Pick() for seat in seats})))
        return outcome()

    table = sit(play)
    table.answer("Cai", pick(3))
    table.answer("Ana", pick(1))
    assert list(table.asked) == ["Bea"]
    assert got == []
    with pytest.raises(IllegalAnswer, match="it is not Cai's turn"):
        table.answer("Cai", pick(4))
    table.answer("Bea", pick(2))
    assert list(got[0].items()) == [("Ana", pick(1)), ("Bea", pick(2)), ("Cai", pick(3))]


def test_answer_that_is_refused_changes_nothing() -> None:
    def play(seats: tuple[Seat, ...], options: Any) -> Script[Outcome]:
        cups = yield Roll({"Ana": 1})
        yield Ask("Ana", Pick(cup=cups["Ana"]))
        return outcome()

    table = sit(play, Given(Ana=(4,)))
    with pytest.raises(IllegalAnswer, match="you hold no such die"):
        table.answer("Ana", pick(3))
    with pytest.raises(IllegalAnswer, match="it is not Bea's turn"):
        table.answer("Bea", pick(4))
    assert list(table.asked) == ["Ana"]
    table.answer("Ana", pick(4))
    assert table.outcome


def test_seat_sees_its_own_dice_and_what_is_public() -> None:
    def play(seats: tuple[Seat, ...], options: Any) -> Script[Outcome]:
        cups = yield Roll({"Ana": 1, "Bea": 1})
        yield Ask("Ana", Pick())
        yield Show(dict.fromkeys(cups["Bea"], seats))
        yield Ask("Ana", Pick())
        return outcome()

    table = sit(play, Given(Ana=(4,), Bea=(5,)))
    ana, bea = Die("Ana", 0, 0), Die("Bea", 0, 0)
    assert table.faces("Ana") == {ana: 4}
    assert table.faces("Cai") == table.faces(None) == {}
    table.answer("Ana", pick(1))
    assert table.faces("Ana") == {ana: 4, bea: 5}
    assert table.faces(None) == {bea: 5}
    observation = table.observation("Cai")
    assert (observation.seat, observation.seats, observation.faces) == ("Cai", SEATS, {bea: 5})


def test_forced_answers_are_given_by_the_table() -> None:
    def play(seats: tuple[Seat, ...], options: Any) -> Script[Outcome]:
        cups = yield Roll({"Ana": 2, "Bea": 2})
        questions = {seat: Pick(cup=cup, forced=True) for seat, cup in cups.items()}
        answers = yield AskAll(questions)
        yield Tell("answers", said=[answers["Ana"].args[0], answers["Bea"].args[0]])
        return outcome()

    table = sit(play, Given(Ana=(4, 4), Bea=(2, 3)))
    assert list(table.asked) == ["Bea"]
    table.answer("Bea", pick(3))
    assert table.events == [{"kind": "answers", "said": [4, 3]}]
    assert sit(play, Given(Ana=(4, 4), Bea=(2, 2))).events == [{"kind": "answers", "said": [4, 2]}]


def test_event_is_told_while_the_script_rests_at_it() -> None:
    def play(seats: tuple[Seat, ...], options: Any) -> Script[Outcome]:
        state = {"dice": 5}
        yield Mark(state)
        yield Ask("Ana", Pick())
        yield Tell("loss")
        state["dice"] = 4
        yield Ask("Ana", Pick())
        return outcome()

    then: list[tuple[str, int]] = []

    def told(event: Event) -> None:
        then.append((event["kind"], table.run.state["dice"]))

    table = sit(play, on_event=told)
    table.answer("Ana", pick(1))
    assert then == [("loss", 5)]
    assert table.run.state == {"dice": 4}


def test_fair_chance_gives_every_face() -> None:
    numbers = iter(range(1000))
    chance = FairChance(lambda n: next(numbers) % n)
    assert chance.toss(4, "x") == 0
    rolled = chance.roll({"Ana": 6, "Bea": 6}, 6)
    assert sorted(rolled["Ana"]) == sorted(rolled["Bea"]) == [1, 2, 3, 4, 5, 6]


# Claims and private answers, judged when faces are public.


def claiming(holds: Callable[[Faces], bool | None], show: bool) -> Play:
    def play(seats: tuple[Seat, ...], options: Any) -> Script[Outcome]:
        cups = yield Roll({"Ana": 1})
        yield Claim("Ana", "I hold no four", holds)
        yield Ask("Bea", Pick())
        if show:
            yield Reveal(cups)
        yield Ask("Cai", Pick())
        return outcome()

    return play


def no_four(faces: Faces) -> bool | None:
    die = Die("Ana", 0, 0)
    return faces[die] != 4 if die in faces else None


def test_false_claim_is_found_as_soon_as_the_dice_are_public() -> None:
    table = sit(claiming(no_four, show=True), Given(Ana=(4,)))
    with pytest.raises(
        DisprovedClaim, match='Ana claimed "I hold no four", which was not true'
    ) as caught:
        table.answer("Bea", pick(1))
    assert caught.value.seat == "Ana"


def test_true_claim_goes_by_without_a_word() -> None:
    table = sit(claiming(no_four, show=True), Given(Ana=(3,)))
    table.answer("Bea", pick(1))
    table.answer("Cai", pick(1))
    assert table.outcome


def test_claim_about_dice_that_stay_covered_is_judged_when_the_game_is_over() -> None:
    table = sit(claiming(no_four, show=False), Given(Ana=(4,)))
    table.answer("Bea", pick(1))
    with pytest.raises(DisprovedClaim):
        table.answer("Cai", pick(1))


def test_claim_that_public_faces_settle_is_judged_at_once() -> None:
    with pytest.raises(DisprovedClaim):
        sit(claiming(lambda faces: False, show=False), Given(Ana=(1,)))


def test_private_answer_is_judged_again_when_its_dice_are_public() -> None:
    """As at another table, which could not see the die when the answer came."""

    def play(seats: tuple[Seat, ...], options: Any) -> Script[Outcome]:
        cups = yield Roll({"Ana": 1})
        yield Ask("Ana", Pick(cup=cups["Ana"]))
        yield Reveal(cups)
        return outcome()

    table = sit(play, Given(Ana=(4,)))
    run, question, die = table.run, table.asked["Ana"], Die("Ana", 0, 0)
    run.check_answer("Ana", question, pick(3), {})
    run.remember_answer("Ana", question, pick(3), (die,))
    run.judge({})
    with pytest.raises(DisprovedAnswer, match="Ana played pick 3, which its own") as caught:
        run.publish({die: 4})
    assert caught.value.seat == "Ana"


# The door: a broken script is named, whatever it does.


def yielding(*requests: Any, end: Any = None) -> Play:
    def play(seats: tuple[Seat, ...], options: Any) -> Script[Outcome]:
        yield from requests
        return outcome() if end is None else end

    return play


def after_roll(ask: Callable[[dict[Seat, tuple[Die, ...]]], Any]) -> Play:
    def play(seats: tuple[Seat, ...], options: Any) -> Script[Outcome]:
        cups = yield Roll({"Ana": 2, "Bea": 1})
        yield ask(cups)
        return outcome()

    return play


def opening_all_of(rolls: int) -> Play:
    def play(seats: tuple[Seat, ...], options: Any) -> Script[Outcome]:
        dice: list[Die] = []
        for _ in range(rolls):
            dice += (yield Roll({"Ana": 1}))["Ana"]
        yield Reveal(dice)
        return outcome()

    return play


AT_THE_END = ("ends", "places", "not every", "more than one place")
"""What a script does wrong when it is at no line any more."""


@pytest.mark.parametrize(
    ("play", "what"),
    [
        (yielding("ask Ana"), "yields 'ask Ana', which is no request"),
        (yielding(Ask("Zoe", Pick())), "speaks of a seat that is not here: 'Zoe'"),
        (yielding(Ask("Ana", "well?")), "asks something that is no Question"),  # type: ignore[arg-type]
        (yielding(AskAll({})), "asks nobody"),
        (yielding(AskAll({"Zoe": Pick()})), "seat that is not here"),
        (yielding(Toss(0, "coin")), "tosses for nothing"),
        (yielding(Toss(2, "")), "without a label"),
        (yielding(Roll({})), "rolls no dice"),
        (yielding(Roll({"Ana": 0})), "rolls no dice"),
        (yielding(Roll({"Ana": 1}, sides=1)), "dice without sides"),
        (yielding(Roll({"Zoe": 1})), "seat that is not here"),
        (yielding(Shuffle(["a"] * 201)), "needs over 200 cards or 64 cups at once"),
        (opening_all_of(65), "needs over 200 cards or 64 cups at once"),
        (yielding(Reveal((Die("Ana", 0, 0),))), "opens a die that was never rolled"),
        (after_roll(lambda cups: Reveal(cups["Ana"][:1])), "opens a part of a cup"),
        (after_roll(lambda cups: Show({cups["Bea"][0]: ["Ana"]})), "only to all or to nobody"),
        (yielding(end="Ana won"), "ends without an Outcome"),
        (yielding(end=outcome("Ana", "Bea")), "places that are not every seat once"),
        (yielding(end=outcome("Ana", "Bea", "Cai", "Cai")), "not every seat once"),
        (
            yielding(end=replace(outcome("Ana", "Bea", "Cai"), together="won")),
            "more than one place",
        ),
    ],
)
def test_broken_script_is_named_with_what_it_did(play: Play, what: str) -> None:
    with pytest.raises(ScriptError) as caught:
        sit(play, Given(Ana=(1, 2), Bea=(3,)))
    found = re.match(r"the rules of Toy broke \((.*: )?the script (.*)\)$", str(caught.value))
    assert found is not None
    assert what in found[2]
    if not what.startswith(AT_THE_END):
        assert re.fullmatch(r"tests/core/test_open_table.py, line \d+: ", found[1])


def test_a_game_that_shuffles_says_that_it_has_cards() -> None:
    game = replace(toy(yielding(Shuffle(("a", "b")))), cards=False)
    with pytest.raises(ScriptError, match="shuffles, but its Game does not say cards=True"):
        OpenTable(game, SEATS, {}, Given())


def test_error_inside_a_script_names_the_game_and_the_error() -> None:
    def play(seats: tuple[Seat, ...], options: Any) -> Script[Outcome]:
        yield Mark(None)
        raise KeyError("pot")

    line = play.__code__.co_firstlineno + 2
    with pytest.raises(ScriptError, match=rf"_open_table.py, line {line}: KeyError: 'pot'\)$"):
        sit(play)


def test_error_inside_a_question_names_the_game_and_the_error() -> None:
    class Broken(Pick):
        def why_not(self, answer: Answer, faces: Faces) -> str | None:
            raise ZeroDivisionError("odds")

    table = sit(yielding(Ask("Ana", Broken())))
    with pytest.raises(ScriptError, match="ZeroDivisionError: odds"):
        table.answer("Ana", pick(1))


def test_too_many_players_are_refused_before_the_script_begins() -> None:
    with pytest.raises(ScriptError, match="Toy is for 1 to 4 players, not 5"):
        OpenTable(toy(yielding()), ("A", "B", "C", "D", "E"), {}, Given())
