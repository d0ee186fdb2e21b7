"""The rules that a scenario file cannot show: leaving, being late, lying about a proof, time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from support.games.dealt import deal, kinds, play
from support.games.playouts import NAMES, looking, open_table, picks
from support.games.rigged import Stand, honest, once, rigged

from sobremesa.core.errors import DisprovedClaim
from sobremesa.core.game import Outcome
from sobremesa.core.open_table import OpenTable
from sobremesa.core.pieces import Seat
from sobremesa.core.playout import by_bot, play_on
from sobremesa.core.questions import Answer, Question
from sobremesa.core.requests import Ask, AskAll, Request
from sobremesa.plugins.intriga import GAME
from sobremesa.plugins.intriga.cards import DECK, ROLES
from sobremesa.plugins.intriga.questions import CONCEDE, SHOW, Block, Doubt, Prove
from sobremesa.plugins.intriga.state import LIED, PROVED, TURNED_UP

HANDS = ["banker", "assassin", "lady", "corsair", "ambassador", "banker", "lady", "corsair"]
"""Ana, Bea, Cai and Dan; a fourth player's hand is the deck's top at a table of three."""


def sit(
    seats: int,
    gone: Sequence[Seat] = (),
    deck: Sequence[str] = HANDS,
    stand: Stand = honest,
    requests: list[Request] | None = None,
    **options: str,
) -> OpenTable:
    """A table where Ana begins and the deck is as given."""
    game = rigged(GAME, gone, stand, requests)
    return deal(game, NAMES[:seats], tosses={"starter": 0}, decks=[deck], options=options)


def public(table: OpenTable) -> dict[str, Any]:
    return GAME.public(table.run.state)


INCOMES = "Ana income; Bea income; Cai income; "


@pytest.mark.rule("IN-R1")
def test_deck_has_three_of_each_of_five_and_two_to_six_play() -> None:
    assert {role: DECK.count(role) for role in ROLES} == dict.fromkeys(ROLES, 3)
    assert len(ROLES) == 5
    assert list(GAME.seats) == [2, 3, 4, 5, 6]


# Time.


def windows(requests: Sequence[Request]) -> list[AskAll]:
    return [request for request in requests if isinstance(request, AskAll)]


@pytest.mark.rule("O14")
def test_every_window_of_a_turn_has_its_own_full_time() -> None:
    requests: list[Request] = []
    table = sit(3, requests=requests)
    play(table, "Ana steal Bea; Bea pass; Cai pass; Bea block corsair; Ana pass; Cai pass")
    asked = windows(requests)
    assert [window.seconds for window in asked] == [10, 10, 10]
    assert [type(next(iter(window.questions.values()))) for window in asked] == [
        Doubt,
        Block,
        Doubt,
    ]


@pytest.mark.rule("IN-R29")
@pytest.mark.parametrize("seconds", [5, 10, 20, 0])
def test_option_sets_the_seconds_of_the_windows_and_of_nothing_else(seconds: int) -> None:
    requests: list[Request] = []
    table = sit(3, requests=requests, window=str(seconds))
    play(table, "Ana tax; Bea liar; Cai pass; Bea lose lady")
    assert [window.seconds for window in windows(requests)] == [seconds]
    asks = [request for request in requests if isinstance(request, Ask)]
    assert len(asks) == 4
    assert {ask.seconds for ask in asks} == {None}


def test_window_asks_everybody_at_once_so_that_answers_stay_sealed() -> None:
    requests: list[Request] = []
    table = sit(4, requests=requests)
    play(table, "Ana tax")
    assert list(windows(requests)[-1].questions) == ["Bea", "Cai", "Dan"]
    play(table, "Dan liar; Cai pass")
    assert "liar" not in kinds(table)
    play(table, "Bea pass")
    assert "liar" in kinds(table)


@pytest.mark.rule("O22")
@pytest.mark.rule("edge-18")
def test_silence_of_a_lost_player_counts_as_a_pass_when_the_time_is_up() -> None:
    table = sit(3)
    play(table, "Ana tax; Cai pass")
    question = table.asked["Bea"]
    table.answer("Bea", question.late(table.faces("Bea")))
    assert public(table)["coins"]["Ana"] == 5
    assert public(table)["turn"] == "Bea"


# Lying about a proof.


def proves(answer: Answer) -> Stand:
    """Somebody whose table was tampered with answers the first challenge like this."""
    return once(answer, lambda seat, question: isinstance(question, Prove))


def test_showing_another_card_than_claimed_is_found_when_it_is_opened() -> None:
    table = sit(3, stand=proves(Answer(SHOW, (2,))))
    play(table, "Ana tax; Bea liar")
    with pytest.raises(DisprovedClaim, match="I hold the Banker") as caught:
        play(table, "Cai pass")
    assert caught.value.seat == "Ana"


def test_conceding_with_the_card_is_found_as_soon_as_it_is_turned_up() -> None:
    table = sit(3, stand=proves(Answer(CONCEDE)))
    play(table, "Ana tax; Bea liar; Cai pass")
    with pytest.raises(DisprovedClaim, match="I do not hold the Banker") as caught:
        play(table, "Ana lose banker")
    assert caught.value.seat == "Ana"


def test_conceding_with_the_card_is_found_at_the_end_if_it_is_never_turned_up() -> None:
    table = sit(2, stand=proves(Answer(CONCEDE)))
    play(table, "Ana tax; Bea liar; Ana lose assassin; Bea tax; Ana liar; Bea lose lady")
    play(table, "Ana tax; Bea pass; Bea income; Ana tax; Bea pass; Bea income")
    with pytest.raises(DisprovedClaim) as caught:
        play(table, "Ana coup Bea")
    assert caught.value.seat == "Ana"


def test_honest_concession_is_accepted_to_the_end() -> None:
    table = sit(2, deck=["corsair", "assassin", "lady", "corsair"])
    play(table, "Ana tax; Bea liar; Ana lose assassin; Bea steal Ana; Ana pass; Ana pass")
    play(table, "Ana tax; Bea liar")
    assert table.outcome == Outcome((("Bea",), ("Ana",)), "Bea is the last with influence")


# Leaving for good.


def test_leaver_turns_up_all_cards_and_the_coins_go_back() -> None:
    gone: list[Seat] = []
    table = sit(3, gone)
    gone.append("Cai")
    play(table, "Ana income")
    state = public(table)
    assert state["face_up"]["Cai"] == ["ambassador", "banker"]
    assert (state["influence"]["Cai"], state["coins"]["Cai"]) == (0, 0)
    assert {"kind": "left", "seat": "Cai", "cards": ["ambassador", "banker"]} in table.events
    assert {"kind": "out", "seat": "Cai", "place": 3} in table.events


def test_leaver_gets_no_turn_and_no_window() -> None:
    gone: list[Seat] = []
    table = sit(4, gone)
    gone.append("Bea")
    play(table, "Ana tax; Cai pass; Dan pass")
    assert list(table.asked) == ["Cai"]
    play(table, "Cai tax")
    assert list(table.asked) == ["Dan", "Ana"]


def test_action_of_one_who_leaves_lapses_unjudged() -> None:
    gone: list[Seat] = []
    table = sit(3, gone)
    play(table, "Ana tax; Bea liar")
    gone.append("Ana")
    play(table, "Cai pass")
    assert public(table)["influence"] == {"Ana": 0, "Bea": 2, "Cai": 2}
    assert not {"liar", "gain", "caught", "shown", "refund"} & set(kinds(table))
    assert list(table.asked) == ["Bea"]


def test_doubt_of_one_who_leaves_does_not_count() -> None:
    gone: list[Seat] = []
    table = sit(4, gone)
    play(table, "Ana tax; Bea liar; Dan pass")
    gone.append("Bea")
    play(table, "Cai liar")
    (liar,) = (event for event in table.events if event["kind"] == "liar")
    assert (liar["seat"], liar["others"]) == ("Cai", [])


def leave_when(gone: list[Seat], kind: type[Question]) -> Stand:
    """Whoever is asked such a question leaves before answering."""

    def stand(seat: Seat, question: Question) -> Answer | None:
        if isinstance(question, kind):
            gone.append(seat)
            return question.default
        return None

    return stand


def test_claimant_who_leaves_before_the_proof_is_not_judged() -> None:
    gone: list[Seat] = []
    table = sit(3, gone, stand=leave_when(gone, Prove))
    play(table, "Ana tax; Bea liar; Cai pass")
    assert public(table)["influence"] == {"Ana": 0, "Bea": 2, "Cai": 2}
    assert not {"caught", "shown", "lost", "gain"} & set(kinds(table))


def test_block_of_one_who_leaves_falls_and_the_action_goes_on() -> None:
    gone: list[Seat] = []
    table = sit(3, gone, stand=leave_when(gone, Prove))
    play(table, "Ana aid; Bea pass; Cai block banker; Ana liar; Bea pass")
    assert public(table)["coins"] == {"Ana": 4, "Bea": 2, "Cai": 0}
    assert list(table.asked) == ["Bea"]


def test_target_who_leaves_makes_the_assassination_void() -> None:
    gone: list[Seat] = []
    table = sit(3, gone)
    play(table, INCOMES + "Ana assassinate Bea; Cai pass")
    gone.append("Bea")
    # Bea's own answer was given before.
    play(table, "Bea pass")
    assert kinds(table)[-4:-1] == ["left", "out", "void"]
    assert public(table)["coins"]["Ana"] == 0


def test_who_leaves_instead_of_choosing_a_card_loses_no_third_one() -> None:
    gone: list[Seat] = []
    table = sit(3, gone)
    play(table, "Ana exchange; Bea liar; Cai pass")
    gone.append("Ana")
    play(table, "Ana lose banker")
    assert public(table)["face_up"]["Ana"] == ["banker", "assassin"]
    assert kinds(table).count("lost") == 0
    assert public(table)["turn"] == "Bea"


def test_who_leaves_in_an_exchange_turns_up_only_what_was_kept() -> None:
    gone: list[Seat] = []
    table = sit(3, gone)
    play(table, "Ana exchange; Bea pass; Cai pass")
    gone.append("Ana")
    play(table, "Ana keep lady corsair")
    state = public(table)
    assert state["face_up"]["Ana"] == ["lady", "corsair"]
    assert (state["deck"], state["turn"]) == (9, "Bea")


def test_all_who_leave_at_once_share_a_place() -> None:
    gone: list[Seat] = []
    table = sit(4, gone)
    gone.extend(("Bea", "Dan"))
    play(table, "Ana income")
    assert [e["place"] for e in table.events if e["kind"] == "out"] == [3, 3]
    gone.append("Cai")
    play(table, "Cai income")
    assert table.outcome == Outcome(
        (("Ana",), ("Cai",), ("Bea", "Dan")), "Ana is the last with influence"
    )


def test_game_that_everybody_leaves_has_no_single_winner() -> None:
    gone: list[Seat] = []
    table = sit(2, gone)
    gone.extend(("Ana", "Bea"))
    play(table, "Ana income")
    assert table.outcome == Outcome((("Ana", "Bea"),), "everybody has left")
    assert table.events[-1]["winners"] == []


def test_who_has_left_before_the_first_turn_is_out_in_it() -> None:
    table = sit(3, ["Ana"])
    assert list(table.asked) == ["Bea"]
    assert public(table)["influence"]["Ana"] == 0


# What rests and what returns.


@pytest.mark.parametrize("place", [1, 2])
def test_only_the_shown_card_is_replaced(place: int) -> None:
    deck = ["banker", "assassin"] if place == 1 else ["assassin", "banker"]
    table = sit(2, deck=[*deck, "lady", "corsair"])
    before = table.run.state.hands["Ana"]
    play(table, "Ana tax; Bea liar; Bea lose lady")
    after = table.run.state.hands["Ana"]
    assert [old == new for old, new in zip(before, after, strict=True)] == [place == 2, place == 1]


def test_nobody_can_tell_which_cards_an_exchange_kept() -> None:
    table = sit(3)
    before = {*table.run.state.hands["Ana"], *table.run.state.deck}
    play(table, "Ana exchange; Bea pass; Cai pass; Ana keep banker assassin")
    state = table.run.state
    assert not before & {*state.hands["Ana"], *state.deck}


def test_claim_says_what_became_of_it() -> None:
    table = sit(3)
    play(table, "Ana tax; Bea pass; Cai pass; Bea exchange; Cai liar; Ana pass; Bea lose lady")
    play(table, "Cai tax; Ana liar; Bea pass; Ana lose banker")
    fates = {s: [(c.role, c.fate) for c in table.run.state.claims[s]] for s in table.seats}
    assert fates == {
        "Ana": [("banker", TURNED_UP)],
        "Bea": [("ambassador", LIED)],
        "Cai": [("banker", PROVED)],
    }


def test_clients_rest_at_what_was_shown() -> None:
    assert GAME.pauses == ("shown", "lost")


@pytest.mark.rule("O19")
def test_one_demand_takes_one_card_and_none_from_who_has_none() -> None:
    table = open_table(GAME, 6, seed=3)

    def each(table: OpenTable) -> None:
        assert table.run.state.hands[next(iter(table.asked))]

    play_on(table, looking(each, by_bot(picks(3))))
    lost = [event["seat"] for event in table.events if event["kind"] == "lost"]
    assert {seat: lost.count(seat) for seat in NAMES[:6]} == {
        seat: 2 - public(table)["influence"][seat] for seat in NAMES[:6]
    }
