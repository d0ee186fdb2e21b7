"""The rules that a scenario file cannot show: leaving, being late, and lies about hidden hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from support.games.dealt import deal, play
from support.games.playouts import NAMES, of_kind
from support.games.rigged import Stand, honest, once, rigged
from support.peers.card_cheats import Lies
from support.peers.cheats import Cheat
from support.peers.tabletop import Tabletop

from sobremesa.core.encoding import Pick
from sobremesa.core.errors import DisprovedClaim
from sobremesa.core.game import Observation, Outcome
from sobremesa.core.open_table import OpenTable
from sobremesa.core.pieces import Faces, Seat
from sobremesa.core.playout import late, play_on
from sobremesa.core.questions import Answer, Question
from sobremesa.core.replica.faults import FalseClaim
from sobremesa.plugins.five_alive import GAME, state
from sobremesa.plugins.five_alive.cards import BOMB, DECK
from sobremesa.plugins.five_alive.questions import DISCARD, FLIP, PLAY, Bombed, Play

HIGH = "7 6 6 5 5 5 5 4 4 4"


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
    stand: Stand = honest,
    **options: str,
) -> OpenTable:
    """The first seat starts, and the decks begin as given."""
    game, starter = rigged(GAME, gone, stand), {"starter": 0}
    return deal(game, NAMES[:seats], tosses=starter, decks=decks, options=options)


def play_late(table: OpenTable) -> None:
    """Play to the end as a table of players does who never answer."""
    play_on(table, late)


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
    assert [event["place"] for event in of_kind(table, "out")] == [3]
    assert [event["kind"] for event in table.events][-3:] == ["left", "out", "play"]


def test_leavers_answer_is_not_carried_out() -> None:
    gone: list[Seat] = []
    table = sit(3, hands(3, "5", "4"), gone=gone)
    play(table, "Ana 5")
    gone.append("Bea")
    play(table, "Bea 4")
    assert public(table)["total"] == 5
    assert of_kind(table, "play")[-1]["seat"] == "Ana"
    assert of_kind(table, "flip") == []
    assert list(table.asked) == ["Cai"]


def test_leaver_under_a_bomb_neither_discards_nor_flips() -> None:
    gone: list[Seat] = []

    def leave(seat: Seat, question: Question) -> Answer | None:
        if isinstance(question, Bombed) and seat == "Bea":
            gone.append("Bea")
        return None

    table = sit(3, hands(3, "bomb", "0 0", "0 1"), gone=gone, stand=leave)
    play(table, "Ana bomb")
    assert of_kind(table, "zeros") == [{"kind": "zeros", "seats": ["Cai"]}]
    assert of_kind(table, "flip") == []
    assert [event["seat"] for event in of_kind(table, "left")] == ["Bea"]
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
    assert of_kind(table, "over")[-1]["winners"] == []


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
    assert of_kind(table, "out") == []
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


def with_zeros_left(**options: Any) -> OpenTable:
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
    assert of_kind(table, "emptied") == [{"kind": "emptied", "seats": ["Bea", "Cai", "Dan"]}]
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


# Lies about hidden hands. An honest table lets nobody tell them, so here it is tampered with.


def lies(who: Seat, kind: type[Question], answer: Answer) -> Stand:
    """The first time that a seat is asked this, it answers so."""
    return once(answer, lambda seat, question: seat == who and isinstance(question, kind))


def test_card_over_21_is_found_when_it_is_opened() -> None:
    stand = lies("Bea", Play, Answer(PLAY, (1,)))
    table = sit(2, hands(2, "=21", "5 0"), stand=stand)
    with pytest.raises(DisprovedClaim, match="this card can be played") as caught:
        play(table, "Ana =21")
    assert caught.value.seat == "Bea"


def test_flip_with_a_playable_card_is_found_as_soon_as_that_card_is_played() -> None:
    stand = lies("Bea", Play, Answer(FLIP))
    table = sit(2, hands(2, "=21 1", "0 " + HIGH[:-2]), stand=stand)
    play(table, "Ana =21", "Ana 1")
    assert public(table)["alive"]["Bea"] == 4
    with pytest.raises(DisprovedClaim, match="no card of mine can be played") as caught:
        play(table, "Bea 0")
    assert caught.value.seat == "Bea"


def test_flip_with_a_playable_card_is_found_when_the_hand_is_opened() -> None:
    """Bea keeps the 0 to the end of the hand."""
    stand = lies("Bea", Play, Answer(FLIP))
    table = sit(2, hands(2, "=21 0 0 0 0 0 0 0 4 4", "0 1 1 1 1 1 2 2 2 3"), stand=stand)
    play(table, "Ana =21")
    for card in "1111122":
        play(table, "Ana 0", f"Bea {card}")
    play(table, "Ana 4", "Bea 2")
    with pytest.raises(DisprovedClaim, match="no card of mine can be played") as caught:
        play(table, "Ana 4")
    assert caught.value.seat == "Bea"


def test_zero_kept_from_a_bomb_is_found_as_soon_as_it_is_played() -> None:
    stand = lies("Bea", Bombed, Answer(FLIP))
    table = sit(2, hands(2, "bomb", "0 1"), stand=stand)
    play(table, "Ana bomb")
    with pytest.raises(DisprovedClaim, match="I hold no 0") as caught:
        play(table, "Bea 0")
    assert caught.value.seat == "Bea"


def test_other_card_than_a_zero_is_found_when_it_is_discarded() -> None:
    stand = lies("Bea", Bombed, Answer(DISCARD, (2,)))
    table = sit(2, hands(2, "bomb", "0 1"), stand=stand)
    with pytest.raises(DisprovedClaim, match="this card is a 0") as caught:
        play(table, "Ana bomb")
    assert caught.value.seat == "Bea"


def test_lie_about_a_hand_that_a_redeal_took_is_found_when_the_game_is_over() -> None:
    stand = lies("Bea", Play, Answer(FLIP))
    table = sit(2, hands(2, "=21 redeal", "0 " + HIGH[:-2]), stand=stand)
    play(table, "Ana =21", "Ana redeal")
    with pytest.raises(DisprovedClaim, match="no card of mine can be played") as caught:
        play_late(table)
    assert caught.value.seat == "Bea"
    assert table.outcome is not None


def flips_at_once(question: Question, faces: Faces) -> str:
    """Flips although it holds cards that can be played."""
    return FLIP


def keeps_its_zero(question: Question, faces: Faces) -> str | None:
    """Says under every BOMB that it has no 0."""
    return FLIP if isinstance(question, Bombed) else None


class ThrowsBombs(Cheat):
    """Honest, and plays the BOMB as soon as it has it."""

    def choose(self, observation: Observation[Any], question: Question, pick: Pick) -> Answer:
        assert isinstance(question, Play)
        for place in question.places(observation.faces):
            if observation.faces[question.hand[place - 1]] == BOMB:
                return Answer(PLAY, (place,))
        return super().choose(observation, question, pick)


def test_peer_that_flips_with_a_playable_card_is_named() -> None:
    table = Tabletop(GAME, 2, seed=1, cheats={1: Lies(flips_at_once)}).run()
    for replica in table.honest:
        assert type(replica.fault) is FalseClaim
        assert replica.fault is not None
        assert replica.fault.peer == "Bea"


def test_peer_that_keeps_its_zero_from_a_bomb_is_named() -> None:
    cheats = {0: ThrowsBombs(), 1: Lies(keeps_its_zero)}
    first, _ = Tabletop(GAME, 2, seed=1, cheats=cheats).run().tables
    assert type(first.fault) is FalseClaim
    assert first.fault is not None
    assert first.fault.peer == "Bea"
