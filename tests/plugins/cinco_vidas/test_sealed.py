"""Cinco Vidas among peers that trust nobody: whoever cheats is named by all."""

from __future__ import annotations

import pytest
from support.peers.card_cheats import BreaksTheRules, Case, GivesWrongShare, assert_named, at

from sobremesa.core.pieces import Faces
from sobremesa.core.questions import Question
from sobremesa.core.replica.faults import BadProof, Malformed, PlayedIllegally
from sobremesa.plugins.cinco_vidas import GAME
from sobremesa.plugins.cinco_vidas.questions import SAID, Bid, Decide, Play


def bids_what_is_barred(question: Question, faces: Faces) -> str | None:
    if isinstance(question, Bid) and question.barred is not None:
        return f"bid {question.barred}"
    return None


def bids_more_than_there_are(question: Question, faces: Faces) -> str | None:
    return f"bid {question.cards + 1}" if isinstance(question, Bid) else None


def says_what_is_barred(question: Question, faces: Faces) -> str | None:
    if isinstance(question, Decide) and question.barred is not None:
        return SAID[question.barred]
    return None


def plays_a_card_that_it_lacks(question: Question, faces: Faces) -> str | None:
    return f"play #{len(question.hand) + 1}" if isinstance(question, Play) else None


NO_MOVE = "answered with something that is no move"
WRONG_SHARE = "gave a share of a card that is not its key's"
CHEATS = {
    "bids what is barred": Case(
        lambda: BreaksTheRules(bids_what_is_barred),
        3, 2, 0, PlayedIllegally, "answered bid 0: ",
    ),
    "bids more than there are": Case(
        lambda: BreaksTheRules(bids_more_than_there_are), 3, 0, 1, Malformed, NO_MOVE
    ),
    "says win where that is barred": Case(
        lambda: BreaksTheRules(says_what_is_barred),
        2, 1, 16, PlayedIllegally, "answered win: ",
    ),
    "plays a card that it lacks": Case(
        lambda: BreaksTheRules(plays_a_card_that_it_lacks), 3, 1, 1, Malformed, NO_MOVE
    ),
    "deals a wrong share": Case(GivesWrongShare, 4, 3, 1, BadProof, WRONG_SHARE),
    "opens another card than it plays": Case(
        lambda: at(1, GivesWrongShare()), 3, 1, 1, BadProof, WRONG_SHARE
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CHEATS.values(), ids=CHEATS)
def test_cheat_is_named_by_every_honest_peer(case: Case) -> None:
    assert_named(GAME, case)
