"""The rules that a scenario file cannot show: leaving, being late, and lies about hidden hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from support.cheats import Cheat
from support.playouts import NAMES, open_table
from support.tabletop import Tabletop

from sobremesa.core.encoding import Pick
from sobremesa.core.errors import DisprovedClaim
from sobremesa.core.game import Game, Options, Outcome, Sight
from sobremesa.core.open_table import OpenTable
from sobremesa.core.pieces import Face, Seat
from sobremesa.core.questions import Answer, Question
from sobremesa.core.replica.faults import FalseClaim
from sobremesa.core.replica.steps import Step
from sobremesa.core.replica.table import Table
from sobremesa.core.requests import Ask, AskAll, Event, Gone, Script
from sobremesa.plugins.five_alive import GAME, rules, state
from sobremesa.plugins.five_alive.cards import BOMB, DECK
from sobremesa.plugins.five_alive.questions import DISCARD, FLIP, PLAY, Bombed, Play

Stand = Callable[[Seat, Question], Answer | None]
"""What the tampered table of a seat answers, or None where it is honest."""

HIGH = "7 6 6 5 5 5 5 4 4 4"


class Dealt:
    """The first seat starts, and the decks begin as given."""

    def __init__(self, *decks: str) -> None:
        self._decks = [deck.split() for deck in decks]

    def toss(self, n: int, label: str) -> int:
        return 0

    def roll(self, dice: Mapping[Seat, int], sides: int) -> Mapping[Seat, tuple[Face, ...]]:
        raise AssertionError("this game has no dice")

    def shuffle(self, faces: Sequence[Face]) -> Sequence[Face]:
        top = self._decks.pop(0) if self._decks else []
        return [*top, *(Counter(faces) - Counter(top)).elements()]


def game_at(gone: Sequence[Seat], stand: Stand) -> Game:
    """The game at a table where the seats in `gone`, which may grow, have left for good and
    answer with the default, and where some answers are not honest."""

    def play(seats: tuple[Seat, ...], options: Options) -> Script[Outcome]:
        script = rules.play(seats, options)
        result: Any = None
        while True:
            try:
                request = script.send(result)
            except StopIteration as stop:
                return stop.value
            match request:
                case Gone():
                    result = tuple(seat for seat in seats if seat in gone)
                case Ask(seat, question) if given := _given(seat, question):
                    result = given
                case AskAll(questions):
                    settled = {seat: _given(seat, q) for seat, q in questions.items()}
                    open_ones = {s: q for s, q in questions.items() if settled[s] is None}
                    told = (yield AskAll(open_ones)) if open_ones else {}
                    result = {seat: settled[seat] or told[seat] for seat in questions}
                case _:
                    result = yield request

    def _given(seat: Seat, question: Question) -> Answer | None:
        return question.default if seat in gone else stand(seat, question)

    return replace(GAME, play=play)


def hands(seats: int, *given: str, pile: str = "") -> str:
    """A deck that deals these hands, filled up with what is left of the numbers from 3 down."""
    left = Counter(DECK)
    left.subtract(" ".join((*given, pile)).split())
    assert min(left.values()) >= 0
    filling = [face for face in "32145670" for _ in range(left[face])]
    dealt: list[str] = []
    for place in range(seats):
        hand = given[place].split() if place < len(given) else []
        while len(hand) < 10:
            hand.append(filling.pop(0))
        dealt += hand
    return " ".join((*dealt, pile))


def sit(
    seats: int,
    *decks: str,
    gone: Sequence[Seat] = (),
    stand: Stand = lambda seat, question: None,
    **options: str,
) -> OpenTable:
    game = game_at(gone, stand)
    return OpenTable(game, NAMES[:seats], game.read_options(options), Dealt(*decks))


def play(table: OpenTable, *moves: str) -> None:
    for move in moves:
        seat, _, text = move.partition(" ")
        table.answer(seat, table.asked[seat].read(text, table.faces(seat)))


def play_late(table: OpenTable) -> None:
    """Play to the end as a table of players does who never answer."""
    while table.outcome is None:
        ((seat, question),) = table.asked.items()
        table.answer(seat, question.late(table.faces(seat)))


def events(table: OpenTable, kind: str) -> list[Event]:
    return [event for event in table.events if event["kind"] == kind]


def public(table: OpenTable) -> dict[str, Any]:
    plain = state.public(table.run.state)
    held = sum(plain["hand"].values())
    assert held + plain["draw"] + len(plain["discard"]) == len(DECK)
    return plain


# Leaving (C7).


def test_leaver_is_out_at_once_and_the_hand_lies_under_the_discards() -> None:
    gone: list[Seat] = []
    table = sit(3, hands(3, "1", HIGH), gone=gone)
    gone.append("Bea")
    play(table, "Ana 1")
    assert public(table)["discard"] == [*HIGH.split(), "1"]
    assert public(table)["hand"] == {"Ana": 9, "Bea": 0, "Cai": 10}
    assert public(table)["alive"] == {"Ana": 5, "Bea": 0, "Cai": 5}
    assert list(table.asked) == ["Cai"]
    assert [event["place"] for event in events(table, "out")] == [3]
    assert [event["kind"] for event in table.events][-3:] == ["left", "out", "play"]


def test_leavers_answer_is_not_carried_out() -> None:
    gone: list[Seat] = []
    table = sit(3, hands(3, "5", "4"), gone=gone)
    play(table, "Ana 5")
    gone.append("Bea")
    play(table, "Bea 4")
    assert public(table)["total"] == 5
    assert events(table, "play")[-1]["seat"] == "Ana"
    assert events(table, "flip") == []
    assert list(table.asked) == ["Cai"]


def test_leaver_under_a_bomb_neither_discards_nor_flips() -> None:
    gone: list[Seat] = []

    def leave(seat: Seat, question: Question) -> Answer | None:
        if isinstance(question, Bombed) and seat == "Bea":
            gone.append("Bea")
        return None

    table = sit(3, hands(3, "bomb", "0 0", "0 1"), gone=gone, stand=leave)
    play(table, "Ana bomb")
    assert events(table, "zeros") == [{"kind": "zeros", "seats": ["Cai"]}]
    assert events(table, "flip") == []
    assert [event["seat"] for event in events(table, "left")] == ["Bea"]
    assert public(table)["hand"] == {"Ana": 9, "Bea": 0, "Cai": 9}
    assert list(table.asked) == ["Cai"]


def test_last_who_stays_wins_at_once() -> None:
    gone: list[Seat] = []
    table = sit(3, hands(3), gone=gone)
    gone += ["Bea", "Cai"]
    play(table, "Ana 3")
    assert table.outcome == Outcome((("Ana",), ("Bea", "Cai")), "Ana is the last one alive")
    assert public(table)["turn"] is None


def test_table_that_everybody_leaves_has_no_winner() -> None:
    gone: list[Seat] = []
    table = sit(2, hands(2), gone=gone)
    gone += ["Ana", "Bea"]
    play(table, "Ana 3")
    assert table.outcome == Outcome((("Ana", "Bea"),), "everybody has left")
    assert events(table, "over")[-1]["winners"] == []


def test_leaver_does_not_bring_sudden_death() -> None:
    gone: list[Seat] = []
    table = sit(3, hands(3), gone=gone, sudden_death="on")
    gone.append("Cai")
    play(table, "Ana 3")
    assert table.outcome is None


def test_team_plays_on_while_it_has_a_player() -> None:
    gone: list[Seat] = []
    table = sit(4, hands(4, "1", "1", "1"), gone=gone, teams="on")
    gone.append("Bea")
    play(table, "Ana 1")
    assert public(table)["alive"] == {"team 1": 5, "team 2": 5}
    assert list(table.asked) == ["Cai"]
    assert events(table, "out") == []
    gone.append("Dan")
    play(table, "Cai 1")
    assert table.outcome is not None
    assert table.outcome.places == (("Ana", "Cai"), ("Bea", "Dan"))
    assert public(table)["alive"] == {"team 1": 5, "team 2": 0}


def test_all_players_of_the_team_that_wins_are_named() -> None:
    gone: list[Seat] = []
    table = sit(5, hands(5, "3", "", "pass pass pass"), gone=gone, teams="on")
    gone += ["Bea", "Dan"]
    play(table, "Ana 3")
    reason = "Ana, Cai and Eva are the team that is still alive"
    assert table.outcome == Outcome((("Ana", "Cai", "Eva"), ("Bea", "Dan")), reason)


def test_teams_that_everybody_leaves_share_the_place() -> None:
    gone: list[Seat] = []
    table = sit(4, hands(4), gone=gone, teams="on")
    gone += NAMES[:4]
    play(table, "Ana 3")
    assert table.outcome == Outcome((NAMES[:4],), "everybody has left")


# A BOMB that leaves three players without cards (FA-R11).


def with_zeros_left(**options: str) -> OpenTable:
    """Ana throws the BOMB when all others hold just a 0."""
    dealt = hands(
        4,
        "0 0 0 =0 0 pass =0 =10 bomb 7",
        "1 1 1 1 1 1 1 1 =0 0",
        "2 2 2 2 2 2 2 2 pass 0",
        "3 3 3 3 3 3 3 skip 3 0",
    )
    table = sit(4, dealt, **options)
    for first in ("0", "0", "0", "=0", "0", "pass", "=0"):
        play(table, f"Ana {first}", "Bea 1", "Cai 2", "Dan 3")
    play(table, "Ana =10", "Bea 1", "Cai 2", "Dan skip", "Bea =0", "Cai pass", "Dan 3", "Ana bomb")
    assert events(table, "emptied") == [{"kind": "emptied", "seats": ["Bea", "Cai", "Dan"]}]
    return table


def test_only_the_bomber_flips_if_all_others_are_emptied() -> None:
    table = with_zeros_left()
    assert public(table)["alive"] == {"Ana": 4, "Bea": 5, "Cai": 5, "Dan": 5}
    assert public(table)["hand_no"] == 2


def test_neither_team_pays_if_players_of_both_are_emptied() -> None:
    table = with_zeros_left(teams="on")
    assert public(table)["alive"] == {"team 1": 5, "team 2": 5}
    assert public(table)["hand_no"] == 2


# Being late.


@pytest.mark.rule("O22")
@pytest.mark.parametrize("seats", [2, 4, 6])
@pytest.mark.parametrize("options", [{}, {"teams": "on"}])
def test_table_of_players_who_are_always_late_goes_on_to_the_end(
    seats: int, options: dict[str, str]
) -> None:
    table = open_table(GAME, seats, seats, options)
    play_late(table)
    assert table.outcome is not None
    assert sum(map(len, table.outcome.places)) == seats


# Lies about hidden hands. An honest table lets nobody tell them, so here it is tampered with.


def lie_once(who: Seat, kind: type[Question], answer: Answer) -> Stand:
    """The first time that a seat is asked this, it answers so."""
    left = [answer]

    def stand(seat: Seat, question: Question) -> Answer | None:
        return left.pop() if left and seat == who and isinstance(question, kind) else None

    return stand


def test_card_over_21_is_found_when_it_is_opened() -> None:
    stand = lie_once("Bea", Play, Answer(PLAY, (1,)))
    table = sit(2, hands(2, "=21", "5 0"), stand=stand)
    with pytest.raises(DisprovedClaim, match="this card can be played") as caught:
        play(table, "Ana =21")
    assert caught.value.seat == "Bea"


def test_flip_with_a_playable_card_is_found_as_soon_as_that_card_is_played() -> None:
    stand = lie_once("Bea", Play, Answer(FLIP))
    table = sit(2, hands(2, "=21 1", "0 " + HIGH[:-2]), stand=stand)
    play(table, "Ana =21", "Ana 1")
    assert public(table)["alive"]["Bea"] == 4
    with pytest.raises(DisprovedClaim, match="no card of mine can be played") as caught:
        play(table, "Bea 0")
    assert caught.value.seat == "Bea"


def test_flip_with_a_playable_card_is_found_when_the_hand_is_opened() -> None:
    """Bea keeps the 0 to the end of the hand."""
    stand = lie_once("Bea", Play, Answer(FLIP))
    table = sit(2, hands(2, "=21 0 0 0 0 0 0 0 4 4", "0 1 1 1 1 1 2 2 2 3"), stand=stand)
    play(table, "Ana =21")
    for card in "1111122":
        play(table, "Ana 0", f"Bea {card}")
    play(table, "Ana 4", "Bea 2")
    with pytest.raises(DisprovedClaim, match="no card of mine can be played") as caught:
        play(table, "Ana 4")
    assert caught.value.seat == "Bea"


def test_zero_kept_from_a_bomb_is_found_as_soon_as_it_is_played() -> None:
    stand = lie_once("Bea", Bombed, Answer(FLIP))
    table = sit(2, hands(2, "bomb", "0 1"), stand=stand)
    play(table, "Ana bomb")
    with pytest.raises(DisprovedClaim, match="I hold no 0") as caught:
        play(table, "Bea 0")
    assert caught.value.seat == "Bea"


def test_other_card_than_a_zero_is_found_when_it_is_discarded() -> None:
    stand = lie_once("Bea", Bombed, Answer(DISCARD, (2,)))
    table = sit(2, hands(2, "bomb", "0 1"), stand=stand)
    with pytest.raises(DisprovedClaim, match="this card is a 0") as caught:
        play(table, "Ana bomb")
    assert caught.value.seat == "Bea"


def test_lie_about_a_hand_that_a_redeal_took_is_found_when_the_game_is_over() -> None:
    stand = lie_once("Bea", Play, Answer(FLIP))
    table = sit(2, hands(2, "=21 redeal", "0 " + HIGH[:-2]), stand=stand)
    play(table, "Ana =21", "Ana redeal")
    with pytest.raises(DisprovedClaim, match="no card of mine can be played") as caught:
        play_late(table)
    assert caught.value.seat == "Bea"
    assert table.outcome is not None


class Trusting(Cheat):
    """A peer whose own replica lets it answer as it likes."""

    def sit(self, table: Table, me: int, sign: Callable[[bytes], bytes]) -> None:
        super().sit(table, me, sign)
        table.replica_state.run.check_answer = lambda *_: None  # type: ignore[method-assign]


class FlipsAtOnce(Trusting):
    """Flips although it holds cards that can be played."""

    def choose(self, sight: Sight, question: Question, pick: Pick) -> Answer:
        return Answer(FLIP)


class KeepsItsZero(Trusting):
    """Says under every BOMB that it has no 0."""

    def sit(self, table: Table, me: int, sign: Callable[[bytes], bytes]) -> None:
        super().sit(table, me, sign)
        honest = table.own.open_questions

        def bent(plan: Step) -> dict[Seat, Question]:
            for seat in table.replica_state.among(me, plan.asks):
                if isinstance(plan.asks[seat], Bombed):
                    table.own.choices.setdefault(seat, FLIP)
            return honest(plan)

        table.own.open_questions = bent  # type: ignore[method-assign]


class ThrowsBombs(Cheat):
    """Honest, and plays the BOMB as soon as it has it."""

    def choose(self, sight: Sight, question: Question, pick: Pick) -> Answer:
        assert isinstance(question, Play)
        for place in question.places(sight.faces):
            if sight.faces[question.hand[place - 1]] == BOMB:
                return Answer(PLAY, (place,))
        return super().choose(sight, question, pick)


def test_peer_that_flips_with_a_playable_card_is_named() -> None:
    table = Tabletop(GAME, 2, seed=1, cheats={1: FlipsAtOnce()}).run()
    for replica in table.honest:
        assert type(replica.fault) is FalseClaim
        assert replica.fault is not None
        assert replica.fault.peer == "Bea"


def test_peer_that_keeps_its_zero_from_a_bomb_is_named() -> None:
    cheats = {0: ThrowsBombs(), 1: KeepsItsZero()}
    first, _ = Tabletop(GAME, 2, seed=0, cheats=cheats).run().tables
    assert type(first.fault) is FalseClaim
    assert first.fault is not None
    assert first.fault.peer == "Bea"
