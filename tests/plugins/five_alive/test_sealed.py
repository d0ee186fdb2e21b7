"""5 Alive among peers that trust nobody: whoever cheats is named by all.

Cards kept back from the table, by a flip with a playable card or without a 0 under a BOMB, are in
`test_rules`.
"""

from __future__ import annotations

import pytest
from support.peers.card_cheats import BreaksTheRules, Case, GivesWrongShare, Lies, assert_named

from sobremesa.core.pieces import Faces
from sobremesa.core.questions import Question
from sobremesa.core.replica.faults import BadProof, FalseClaim, Malformed
from sobremesa.plugins.five_alive import GAME
from sobremesa.plugins.five_alive.questions import Bombed, Play


def plays_a_card_that_is_too_high(question: Question, faces: Faces) -> str | None:
    if isinstance(question, Play):
        for place, card in enumerate(question.hand, 1):
            if not question.will_do(faces[card]):
                return f"play #{place}"
    return None


def discards_another_card_than_a_zero(question: Question, faces: Faces) -> str | None:
    if isinstance(question, Bombed):
        for place, card in enumerate(question.hand, 1):
            if not question.will_do(faces[card]):
                return f"discard #{place}"
    return None


def plays_a_card_that_it_lacks(question: Question, faces: Faces) -> str | None:
    return f"play #{len(question.hand) + 1}" if isinstance(question, Play) else None


CHEATS = {
    "plays a card that is too high": Case(
        lambda: Lies(plays_a_card_that_is_too_high),
        3, 2, 0, FalseClaim, 'claimed "this card can be played"',
    ),
    "discards another card than a 0": Case(
        lambda: Lies(discards_another_card_than_a_zero),
        3, 1, 0, FalseClaim, 'claimed "this card is a 0"',
    ),
    "plays a card that it lacks": Case(
        lambda: BreaksTheRules(plays_a_card_that_it_lacks),
        3, 0, 1, Malformed, "answered with something that is no move",
    ),
    "deals a wrong share": Case(GivesWrongShare, 3, 2, 1, BadProof, "gave a share of a card"),
}  # fmt: skip


@pytest.mark.parametrize("case", CHEATS.values(), ids=CHEATS)
def test_cheat_is_named_by_every_honest_peer(case: Case) -> None:
    assert_named(GAME, case)
