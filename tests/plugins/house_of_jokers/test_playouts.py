"""Properties of whole games, for any number of seats, options and chance."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st
from support.games.playouts import ByBot, Whole, open_table, whole_games

from sobremesa.core.open_table import OpenTable
from sobremesa.core.pieces import Seat
from sobremesa.core.playout import play_on
from sobremesa.core.questions import Answer, Question
from sobremesa.core.requests import Event
from sobremesa.plugins.house_of_jokers import GAME
from sobremesa.plugins.house_of_jokers.questions import Turn
from sobremesa.plugins.house_of_jokers.state import DEALT
from sobremesa.plugins.playing_cards import SUITS, card_code, card_rank


def skilled(skill: int) -> ByBot:
    """The bot gives so many of ten answers."""
    return lambda seat, pick: pick(10) < skill


SKILLS = st.integers(0, 10).map(skilled)
"""Random players hardly ever win."""


@pytest.mark.rule("HJ-R18")
@pytest.mark.rule("HJ-R21")
@whole_games(GAME, 40, SKILLS)
def test_game_ends_for_all_alike_with_all_cards_placed_or_nobody_able_to_pay(whole: Whole) -> None:
    table = whole.play()
    assert table.outcome is not None
    assert table.outcome.places == (whole.names,)
    state = table.run.state
    assert (state.ending.kind == "won") == (state.board.placed == 52)
    if state.ending.kind == "won":
        assert state.board.jokers == ()
        assert not state.holders()
    elif state.ending.kind == "gave_up":
        assert whole.options["joker_rounds"] == "0", "nobody gives up where there is another end"
        assert state.board.joker_moves(state.may_shift)
    else:
        loser = state.ending.seat
        faces = [table.all_faces[slot.card] for slot in state.slots[loser]]
        assert faces
        assert state.face_up(loser) == []
        assert not any(state.board.fits(face) for face in faces)
        assert not state.board.joker_moves(state.may_shift)


@pytest.mark.rule("edge-07")
@whole_games(GAME, 40, SKILLS)
def test_cards_are_placed_or_held_and_jokers_sit_on_open_ends(whole: Whole) -> None:
    def each(table: OpenTable) -> None:
        state = table.run.state
        board = state.board
        laid = [card_code(s, r) for s in SUITS for r in range(board.low[s], board.high[s] + 1)]
        held = [card for seat in table.seats for card in state.hands[seat]]
        held += [slot.card for seat in table.seats for slot in state.slots[seat]]
        assert sorted(laid + [table.all_faces[c] for c in held]) == sorted(
            [*DEALT, *(card_code(s, 7) for s in SUITS)]
        )
        assert board.placed == len(laid)
        ends = [card_code(s, rank) for s in SUITS for rank in (board.low[s], board.high[s])]
        assert len(set(board.jokers)) == len(board.jokers)
        for joker in board.jokers:
            assert joker in ends
            assert card_rank(joker) not in (1, 7, 13)
        assert len(board.jokers) + board.to_place + board.removed == int(whole.options["jokers"])
        for seat in table.seats:
            slots, hand = state.slots[seat], state.hands[seat]
            for slot in slots:
                assert slot.face in (None, table.all_faces[slot.card])
            if state.stage == "playing" and hand:
                assert len(slots) == state.count
        assert 0 <= state.stall <= (state.limit or state.stall)

    whole.play(each)


@pytest.mark.rule("HJ-R5")
@pytest.mark.rule("HJ-R13")
@whole_games(GAME, 40, SKILLS)
def test_penalties_are_for_those_who_have_no_valid_move_and_for_nobody_else(whole: Whole) -> None:
    last: list[OpenTable] = []

    def watch(event: Event) -> None:
        if event["kind"] == "flip":
            state, seat = last[0].run.state, event["seat"]
            faces = [last[0].all_faces[slot.card] for slot in state.slots[seat]]
            assert not any(state.board.fits(face) for face in faces)
            assert not state.board.jokers or not state.board.exits()

    def each(table: OpenTable) -> None:
        last.append(table)
        for seat, question in table.asked.items():
            if isinstance(question, Turn):
                assert question.fitting(table.faces(seat)) or question.joker_moves

    whole.play(each, watch)


@pytest.mark.rule("HJ-R14")
@pytest.mark.parametrize("rounds", ["1", "2"])
def test_game_of_joker_moves_alone_does_not_go_on_for_ever(rounds: str) -> None:
    """Who can move a joker does; everything else is done only where nothing else can be."""

    def jokers_first(table: OpenTable, seat: Seat, question: Question) -> Answer:
        faces = table.faces(seat)
        if isinstance(question, Turn) and question.joker_moves:
            for way in question.going_on(faces):
                if way.move == "joker":
                    return way
        return question.late(faces)

    for seed in range(20):
        table = open_table(GAME, 3 + seed % 3, seed, {"joker_rounds": rounds})
        turns = len(play_on(table, jokers_first))
        # 48 plays with a refill each, 20 penalties, 3 removals, and joker moves before each.
        assert turns < (48 + 20 + 3) * (1 + int(rounds) * 5) + 48


@whole_games(GAME, 25, SKILLS)
def test_faces_of_hands_and_face_down_cards_are_their_owners_alone(whole: Whole) -> None:
    def each(table: OpenTable) -> None:
        state = table.run.state
        for looker in (*table.seats, None):
            faces = table.faces(looker)
            for owner in table.seats:
                own = owner == looker
                assert all((card in faces) == own for card in state.hands[owner])
                for slot in state.slots[owner]:
                    assert (slot.card in faces) == (own or slot.face is not None)

    whole.play(each)


@pytest.mark.rule("HJ-R14")
def test_without_a_limit_who_can_but_go_round_in_a_circle_gives_up() -> None:
    def jokers_first(table: OpenTable, seat: Seat, question: Question) -> Answer:
        faces = table.faces(seat)
        ways = list(question.going_on(faces)) if isinstance(question, Turn) else []
        jokers = [way for way in ways if way.move == "joker"]
        if jokers and isinstance(question, Turn) and not question.is_vain(faces):
            return jokers[0]
        return question.late(faces)

    endings = set()
    for seed in range(20):
        table = open_table(GAME, 3 + seed % 3, seed, {"joker_rounds": "0"})
        play_on(table, jokers_first)
        assert table.run.state.ending is not None
        endings.add(table.run.state.ending.kind)
    assert "gave_up" in endings
