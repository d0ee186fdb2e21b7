"""The rules that a scenario file cannot show: leaving, being late, lies, and what returns."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from support.cheats import Cheat
from support.playouts import NAMES, open_table
from support.tabletop import Tabletop

from sobremesa.core.encoding import Pick
from sobremesa.core.errors import FalseClaim, PlayedIllegally
from sobremesa.core.game import Game, Options, Outcome, Sight
from sobremesa.core.open_table import OpenTable
from sobremesa.core.pieces import Face, Seat
from sobremesa.core.questions import Answer, Question
from sobremesa.core.requests import Ask, Event, Gone, Reveal, Script
from sobremesa.core.table import Table
from sobremesa.core.views import View
from sobremesa.plugins.house_of_jokers import GAME, rules
from sobremesa.plugins.house_of_jokers.board import PACK
from sobremesa.plugins.house_of_jokers.questions import PLAY, STUCK, Turn

Stand = Callable[[Seat, Question], Answer | None]
"""Answers in a seat's place, past its own table; None lets the table ask."""


class Dealt:
    """The first seat begins; the hands of the seats begin as given."""

    def __init__(self, *hands: str) -> None:
        tops = [hand.split() for hand in hands]
        rest = [face for face in PACK if not any(face in top for top in tops)]
        size = len(PACK) // len(tops)
        full = [[*top, *(rest.pop(0) for _ in range(size - len(top)))] for top in tops]
        self._deck = [full[place % len(tops)][place // len(tops)] for place in range(len(PACK))]

    def toss(self, n: int, label: str) -> int:
        return 0

    def roll(self, dice: Mapping[Seat, int], sides: int) -> Mapping[Seat, tuple[Face, ...]]:
        raise AssertionError("this game has no dice")

    def shuffle(self, faces: Sequence[Face]) -> Sequence[Face]:
        return self._deck


# Bea and Cai hold nothing near a seven, and two action cards lie before everybody.
STUCK_TWO = ("8H 6S KS QS JS KH QH 8S", "KD QD 6D JD 10D 9D 2D 3D", "KC QC JC 10C 9C 2C 3C 4C")


def tampered(gone: Sequence[Seat], stand: Stand) -> Game:
    """The game at a table where the seats in `gone`, which may grow, have left for good, and
    `stand` answers in the place of some."""

    def play(seats: tuple[Seat, ...], options: Options) -> Script[Outcome]:
        script = rules.play(seats, options)
        result: Any = None
        while True:
            try:
                request = script.send(result)
            except StopIteration as stop:
                return stop.value
            if isinstance(request, Gone):
                result = tuple(seat for seat in seats if seat in gone)
            elif isinstance(request, Ask) and (said := stand(request.seat, request.question)):
                result = said
            else:
                result = yield request

    return replace(GAME, play=play)


def sit(
    *hands: str,
    gone: Sequence[Seat] = (),
    stand: Stand = lambda seat, question: None,
    on_event: Callable[[Event], None] | None = None,
    difficulty: str = "hard",
) -> OpenTable:
    """Three players who have chosen the first cards of their hands."""
    options = GAME.read_options({"difficulty": difficulty})
    game, deal = tampered(gone, stand), Dealt(*(hands or STUCK_TWO))
    table = OpenTable(game, NAMES[:3], options, deal, on_event)
    if not gone:
        choose(table)
    return table


def choose(table: OpenTable) -> None:
    for seat, question in list(table.asked.items()):
        table.answer(seat, question.default)


def play(table: OpenTable, moves: str) -> None:
    for move in moves.split(";"):
        seat, _, text = move.strip().partition(" ")
        table.answer(seat, table.asked[seat].read(text, table.faces(seat)))


# Leaving.


@pytest.mark.rule("HJ-R20")
@pytest.mark.rule("O46")
def test_leaver_while_choosing_ends_the_game_for_all() -> None:
    table = sit(gone=["Bea"])
    choose(table)
    reason = "Bea left the game, and the room is canceled"
    assert table.outcome == Outcome((NAMES[:3],), reason)
    assert table.events[-1] == {"kind": "over", "how": "left", "seat": "Bea", "placed": 4}
    assert table.run.state.slots == dict.fromkeys(NAMES[:3], ())


@pytest.mark.rule("HJ-R20")
def test_leaver_ends_the_game_for_all_whoever_is_to_move() -> None:
    gone: list[Seat] = []
    table = sit(gone=gone)
    choose(table)
    gone.append("Cai")
    play(table, "Ana play 8H")
    assert table.outcome is not None
    assert table.outcome.reason == "Cai left the game, and the room is canceled"
    assert table.asked == {}


# Nobody answers.


@pytest.mark.rule("O22")
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_table_of_players_who_never_answer_goes_on_to_the_end(seats: int) -> None:
    table, asked = open_table(GAME, seats, seed=seats), 0
    while table.outcome is None:
        seat, question = next(iter(table.asked.items()))
        table.answer(seat, question.late(table.faces(seat)))
        asked += 1
    assert asked > seats
    assert table.run.state.ending.kind in ("won", "lost")


def test_late_answer_is_the_first_that_is_legal_in_the_order_play_joker() -> None:
    table = sit()
    question = table.asked["Ana"]
    assert question.late(table.faces("Ana")) == question.default == Answer(PLAY, (1,))
    table = sit("8H 6S KS QS", "8D KD 6D JD 10D", "6C KC QC JC")
    play(table, "Ana play 8H; Ana refill KS; Bea play 8D; Bea refill JD; Cai play 6C")
    play(table, "Cai refill QC; Ana play 6S; Ana refill QS")
    question = table.asked["Bea"]
    assert question.late(table.faces("Bea")) == question.default == Answer("joker", ("8H", "6S"))


def test_seat_that_cannot_be_judged_by_others_and_never_answers_ends_the_game() -> None:
    """Its table would have answered, so it is gone; nothing else is legal whatever it holds."""
    seen: list[Question] = []

    def stand(seat: Seat, question: Question) -> Answer | None:
        if isinstance(question, Turn) and not question.is_open:
            seen.append(question)
        return None

    table = sit(stand=stand)
    play(table, "Ana play 8H; Ana refill KS; Bea flip KD; Cai flip KC; Ana play 6S; Ana refill QS")
    assert [question.default.move for question in seen] == ["give_up"] * len(seen)
    assert len(seen) == 2  # Bea and Cai, whose tables said that nothing fits
    assert [e["seat"] for e in table.events if e["kind"] == "flip"] == ["Bea", "Cai", "Bea", "Cai"]


# Lies about face-down cards. An honest table lets nobody tell them, so here it is tampered with.


def lie_once(who: Seat, answer: Answer) -> Stand:
    """The first time that only its own table knows whether a seat can move, it answers so."""
    left = [answer]

    def stand(seat: Seat, question: Question) -> Answer | None:
        unknown = isinstance(question, Turn) and not question.is_open
        return left.pop() if left and seat == who and unknown else None

    return stand


# Bea turns down the five of spades, and then the six of spades is played.
FIVE_DOWN = ("8H 6S 8S QS JS KH QH", "KD 5S JD 10D 9D 2D 3D", "KC QC JC 10C 9C 2C 3C 4C")
LYING = "Ana play 6S; Ana refill JS; Bea flip 5S; Cai flip KC; Ana play 8H; Ana refill QS"


def test_penalty_with_a_card_that_fits_is_named_as_soon_as_that_card_is_played() -> None:
    # The joker on the six moves when a third end is open, so that the five fits; Bea says no.
    hands = ("6S 8H QS KS JS", "8D 5S KD JD 10D", "KC QC JC 10C")
    table = sit(*hands)
    del table
    left = [True]

    def stand(seat: Seat, question: Question) -> Answer | None:
        if seat != "Bea" or not isinstance(question, Turn) or not left:
            return None
        fits = [p for p in question.covered() if question.board.fits("5S")]
        return Answer(STUCK) if fits and not question.is_open and left.pop() else None

    moves = hopeless_then_open()
    table = sit(*moves[0], stand=stand)
    with pytest.raises(FalseClaim, match="no card of mine fits") as caught:
        play(table, moves[1])
    assert caught.value.peer == "Bea"


def hopeless_then_open() -> tuple[tuple[str, ...], str]:
    raise NotImplementedError
