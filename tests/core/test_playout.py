"""Playouts: who answers, what ends them, and that they are the same again."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support.games import toy
from support.games.playouts import looking, open_table, picks

from sobremesa.core.encoding import Pick
from sobremesa.core.errors import IllegalAnswer
from sobremesa.core.open_table import OpenTable
from sobremesa.core.pieces import Seat
from sobremesa.core.playout import Policy, by_bot, by_chance, give, late, play_on
from sobremesa.core.questions import Answer, Question


def table() -> OpenTable:
    return open_table(toy.GAME, 3, seed=1)


@pytest.mark.parametrize("make", [by_chance, by_bot])
def test_game_is_played_to_its_end_and_the_same_again(
    make: Callable[[Pick], Policy],
) -> None:
    one, two = table(), table()
    assert play_on(one, make(picks(2))) == play_on(two, make(picks(2)))
    assert one.outcome is not None
    assert one.events == two.events


def test_answers_given_again_lead_to_the_same_moment() -> None:
    one, two = table(), table()
    answers = play_on(one, by_chance(picks(2)))
    give(two, answers[:5])
    assert two.outcome is None
    assert two.events == one.events[: len(two.events)]
    give(two, answers[5:])
    assert two.events == one.events


def test_policy_without_an_answer_leaves_the_table_as_it_is() -> None:
    left = [3]

    def three(table: OpenTable, seat: Seat, question: Question) -> Answer | None:
        left[0] -= 1
        return question.sample(picks(2), table.faces(seat)) if left[0] >= 0 else None

    here = table()
    assert len(play_on(here, three)) == 3
    assert here.outcome is None
    assert here.asked


def test_first_who_is_asked_answers_first() -> None:
    asked: list[list[Seat]] = []
    here = table()
    answers = play_on(here, looking(lambda t: asked.append(list(t.asked)), by_chance(picks(2))))
    assert asked[0] == ["Ana", "Bea", "Cai"]
    assert [seat for seat, _ in answers] == [seats[0] for seats in asked]


def test_answer_that_the_rules_refuse_is_raised() -> None:
    with pytest.raises(IllegalAnswer):
        play_on(table(), lambda table, seat, question: Answer("say", ("neither",)))
    with pytest.raises(IllegalAnswer):
        give(table(), [("Dan", Answer("say", ("odd",)))])


def test_late_seat_is_answered_for_by_its_table() -> None:
    here = table()
    seat, question = next(iter(here.asked.items()))
    assert late(here, seat, question) == question.late(here.faces(seat))
