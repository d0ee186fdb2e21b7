"""House of Jokers among peers that trust nobody: whoever cheats is named by all.

A penalty taken with a card that fits is in `test_rules`.
"""

from __future__ import annotations

import pytest
from support.peers.card_cheats import (
    BreaksTheRules,
    Case,
    GivesWrongShare,
    Lies,
    SwapsCardIn,
    assert_named,
    at,
)

from sobremesa.core.pieces import Faces
from sobremesa.core.questions import Question
from sobremesa.core.replica.faults import BadProof, FalseClaim, Malformed, PlayedIllegally
from sobremesa.plugins.house_of_jokers import GAME
from sobremesa.plugins.house_of_jokers.questions import Refill, Turn


def plays_an_open_card_that_does_not_fit(question: Question, faces: Faces) -> str | None:
    if isinstance(question, Turn):
        for place, slot in enumerate(question.slots, 1):
            if slot.face is not None and not question.board.fits(slot.face):
                return f"play #{place}"
    return None


def plays_a_covered_card_that_does_not_fit(question: Question, faces: Faces) -> str | None:
    if isinstance(question, Turn):
        for place in question.covered():
            if not question.board.fits(faces[question.slots[place - 1].card]):
                return f"play #{place}"
    return None


def moves_a_joker_to_where_one_is(question: Question, faces: Faces) -> str | None:
    if isinstance(question, Turn) and question.board.jokers:
        joker = question.board.jokers[0]
        return f"joker {joker} {joker}"
    return None


def refills_with_a_card_that_it_lacks(question: Question, faces: Faces) -> str | None:
    return f"refill #{len(question.hand) + 1}" if isinstance(question, Refill) else None


CHEATS = {
    "plays an open card that does not fit": Case(
        lambda: BreaksTheRules(plays_an_open_card_that_does_not_fit),
        3, 0, 135, PlayedIllegally, "answered play #1: the ace of diamonds ",
    ),
    "plays a covered card that does not fit": Case(
        lambda: Lies(plays_a_covered_card_that_does_not_fit),
        3, 1, 2, FalseClaim, 'claimed "this card fits"',
    ),
    "moves a joker to where one is": Case(
        lambda: BreaksTheRules(moves_a_joker_to_where_one_is),
        3, 1, 7, PlayedIllegally, "answered joker 8D 8D: ",
    ),
    "refills with a card that it lacks": Case(
        lambda: BreaksTheRules(refills_with_a_card_that_it_lacks),
        3, 0, 1, Malformed, "answered with something that is no move",
    ),
    "deals a wrong share": Case(GivesWrongShare, 3, 2, 1, BadProof, "gave a share of a card"),
    "turns down another card than it was": Case(
        lambda: at(1, SwapsCardIn()), 3, 2, 0, BadProof, "did not prove its shuffle"
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CHEATS.values(), ids=CHEATS)
def test_cheat_is_named_by_every_honest_peer(case: Case) -> None:
    assert_named(GAME, case)
