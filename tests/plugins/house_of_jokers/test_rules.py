"""The rules that a scenario file cannot show: leaving, being late, lies, and what returns."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from support.games.dealt import deal, play
from support.games.playouts import NAMES, open_table
from support.games.rigged import Stand, honest, once, rigged
from support.peers.card_cheats import Lies
from support.peers.tabletop import Tabletop

from sobremesa.core.errors import DisprovedClaim
from sobremesa.core.game import Outcome
from sobremesa.core.open_table import OpenTable
from sobremesa.core.pieces import Face, Faces, Seat
from sobremesa.core.playout import late, play_on
from sobremesa.core.questions import Answer, Question
from sobremesa.core.replica.faults import FalseClaim
from sobremesa.core.requests import Event
from sobremesa.plugins.house_of_jokers import GAME
from sobremesa.plugins.house_of_jokers.questions import GIVE_UP, PLAY, STUCK, Turn
from sobremesa.plugins.house_of_jokers.state import DEALT

# Bea and Cai hold nothing near a seven, and two action cards lie before everybody.
STUCK_TWO = ("8H 6S KS QS JS KH QH 8S", "KD QD 6D JD 10D 9D 2D 3D", "KC QC JC 10C 9C 2C 3C 4C")


def deck(*hands: str) -> list[Face]:
    """The pack in an order in which the hands of the seats begin as given."""
    tops = [hand.split() for hand in hands]
    rest = [face for face in DEALT if not any(face in top for top in tops)]
    size = len(DEALT) // len(tops)
    full = [[*top, *(rest.pop(0) for _ in range(size - len(top)))] for top in tops]
    return [full[place % len(tops)][place // len(tops)] for place in range(len(DEALT))]


def sit(
    *hands: str,
    gone: Sequence[Seat] = (),
    stand: Stand = honest,
    on_event: Callable[[Event], None] | None = None,
    difficulty: str = "hard",
) -> OpenTable:
    """Three players who have chosen the first cards of their hands; the first begins."""
    given = {"decks": [deck(*(hands or STUCK_TWO))], "options": {"difficulty": difficulty}}
    game, starter = rigged(GAME, gone, stand), {"starter": 0}
    table = deal(game, NAMES[:3], on_event, tosses=starter, **given)
    if not gone:
        choose(table)
    return table


def choose(table: OpenTable) -> None:
    for seat, question in list(table.asked.items()):
        table.answer(seat, question.default)


# Leaving.


@pytest.mark.rule("HJ-R20")
@pytest.mark.rule("O46")
def test_leaver_while_choosing_ends_the_game_for_all() -> None:
    table = sit(gone=["Bea"])
    choose(table)
    reason = "Bea left the game, and the room is canceled"
    assert table.outcome == Outcome((NAMES[:3],), reason, "lost")
    assert table.events[-1] == {"kind": "over", "how": "left", "seat": "Bea", "placed": 4}
    assert table.run.state.slots == dict.fromkeys(NAMES[:3], ())


@pytest.mark.rule("HJ-R20")
def test_leaver_ends_the_game_for_all_whoever_is_to_move() -> None:
    gone: list[Seat] = []
    table = sit(gone=gone)
    gone.append("Cai")
    play(table, "Ana play 8H")
    assert table.outcome is not None
    assert table.outcome.reason == "Cai left the game, and the room is canceled"
    assert table.asked == {}


# Nobody answers.


@pytest.mark.rule("O22")
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_table_of_players_who_never_answer_goes_on_to_the_end(seats: int) -> None:
    table = open_table(GAME, seats, seed=seats)
    play_on(table, late)
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


def test_seat_that_only_its_own_table_can_judge_gives_up_if_that_is_silent() -> None:
    """Its table would have answered by its clock, so it is gone. Nothing else is legal whatever
    it holds."""
    table = sit(*FIVE)
    play(table, WAITING.format("5S"))
    assert table.asked["Bea"].default == Answer(GIVE_UP)


# Lies about face-down cards. An honest table lets nobody tell them, so here it is tampered with.


def lies(who: Seat, answer: Answer) -> Stand:
    """The first time that only its own table knows whether a seat can move, it answers so."""
    return once(
        answer,
        lambda seat, question: seat == who and isinstance(question, Turn) and not question.is_open,
    )


# Bea turns down a card; then all move jokers until they must stay, and only Bea knows what fits.
WAITING = (
    "Ana play 8H; Ana refill KS; Bea flip {}; Cai play 8C; Cai refill QC; Ana play 6S; "
    "Ana refill QS; Bea joker 8H 6S; Cai joker 8C 8H; Ana joker 6S 8C"
)
ANA, CAI = "8H 6S KS QS JS", "8C KC QC JC 10C"
FIVE, QUEEN = (ANA, "KD 5S JD 10D 9D", CAI), (ANA, "KD QD JD 10D 9D", CAI)


def test_who_has_a_face_down_card_that_fits_is_asked() -> None:
    table = sit(*FIVE)
    play(table, WAITING.format("5S"))
    assert list(table.asked) == ["Bea"]
    question = table.asked["Bea"]
    assert question.write(question.late(table.faces("Bea")), table.faces("Bea")) == "play 5S"
    assert question.why_not(Answer(STUCK), table.faces("Bea")) == "you can play the five of spades"


def test_who_has_none_takes_the_penalty_without_a_question() -> None:
    table = sit(*QUEEN)
    play(table, WAITING.format("QD"))
    assert table.events[-1] == {"kind": "flip", "seat": "Bea", "card": "KD", "left": 0}
    assert list(table.asked) == ["Cai"]


def test_penalty_with_a_card_that_fits_is_named_as_soon_as_that_card_is_played() -> None:
    table = sit(*FIVE, stand=lies("Bea", Answer(STUCK)))
    play(table, WAITING.format("5S"))
    play(table, "Cai joker 8H 6S; Ana joker 6S 8H")
    with pytest.raises(DisprovedClaim, match="no card of mine fits") as caught:
        play(table, "Bea play 5S")
    assert caught.value.seat == "Bea"


def test_penalty_with_a_card_that_fits_is_named_at_the_end_if_it_is_never_played() -> None:
    table = sit(*FIVE, stand=lies("Bea", Answer(STUCK)))
    play(table, WAITING.format("5S"))
    with pytest.raises(DisprovedClaim, match="no card of mine fits") as caught:
        play(table, "Cai give up")
    assert caught.value.seat == "Bea"


def test_true_penalty_is_accepted_to_the_end() -> None:
    table = sit(*QUEEN)
    play(table, WAITING.format("QD") + "; Cai give up")
    assert table.outcome is not None


def test_card_that_does_not_fit_is_named_when_it_is_opened() -> None:
    table = sit(*QUEEN, stand=lies("Bea", Answer(PLAY, (2,))))
    with pytest.raises(DisprovedClaim, match="this card fits") as caught:
        play(table, WAITING.format("QD"))
    assert caught.value.seat == "Bea"


def never_plays_face_down(question: Question, faces: Faces) -> str | None:
    """Says that nothing fits whenever only its own cards can tell."""
    if isinstance(question, Turn) and not question.is_open:
        return question.write(Answer(STUCK))
    return None


def test_peer_that_takes_a_penalty_with_a_valid_move_is_named_by_the_others() -> None:
    # With this seed the occasion comes, and what Bea kept back is opened later.
    table = Tabletop(GAME, 3, seed=3, cheats={1: Lies(never_plays_face_down)})
    first, _, third = table.run().tables
    for replica in (first, third):
        assert isinstance(replica.convicted[1], FalseClaim)
        assert [(one.name, one.why) for one in replica.departures] == [("Bea", "convicted")]


# What was shown, and when.


@pytest.mark.rule("HJ-R3")
def test_clients_rest_when_the_action_cards_are_opened() -> None:
    assert GAME.pauses == ("reveal",)
    table = sit()
    assert [event["kind"] for event in table.events] == ["deal", "reveal", "starter"]


@pytest.mark.rule("HJ-R19")
def test_card_turned_down_is_forgotten_by_all_but_its_owner() -> None:
    table = sit(*FIVE)
    play(table, "Ana play 8H; Ana refill KS; Bea flip 5S")
    (_, slot) = table.run.state.slots["Bea"]
    assert slot.face is None
    assert "5S" not in repr(table.run.state)
    assert slot.card not in table.faces("Ana")
    assert slot.card not in table.faces(None)
    assert table.faces("Bea")[slot.card] == "5S"
