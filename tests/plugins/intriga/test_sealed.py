"""Intriga among peers that trust nobody: whoever cheats is named by all, or by the audit."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from support.games.playouts import played_at_random
from support.peers.card_cheats import BreaksTheRules, Case, GivesWrongShare, Lies, assert_named
from support.peers.tabletop import Tabletop

from sobremesa.core.pieces import Card, Faces
from sobremesa.core.questions import Question
from sobremesa.core.replica.audit import audit
from sobremesa.core.replica.faults import BadProof, FalseClaim, Malformed, PlayedIllegally
from sobremesa.plugins.intriga import GAME
from sobremesa.plugins.intriga.cards import ACTIONS, COUP
from sobremesa.plugins.intriga.questions import Act, Keep, Lose, Prove


def holds(question: Prove, faces: Faces) -> bool:
    return any(faces[card] == question.role for card in question.cards)


def shows_another_card(question: Question, faces: Faces) -> str | None:
    if isinstance(question, Prove) and not holds(question, faces):
        return "show #1"
    return None


def concedes_while_holding(question: Question, faces: Faces) -> str | None:
    return "concede" if isinstance(question, Prove) and holds(question, faces) else None


class ConcedesAndHides:
    """Concedes while holding, and puts that card back into the deck before anybody sees it."""

    role: str | None = None

    def __call__(self, question: Question, faces: Faces) -> str | None:
        match question:
            case Prove(role=role) if self.role is None and holds(question, faces):
                self.role = role
                return "concede"
            case Act(cast=cast) if self.role in cast.own(faces):
                return "exchange"
            case Lose(cards) if self.role is not None:
                return f"lose #{self.others_first(cards, faces)[0]}"
            case Keep(cards, count) if self.role is not None:
                kept = sorted(self.others_first(cards, faces)[:count])
                return "keep " + " ".join(f"#{place}" for place in kept)
        return None

    def others_first(self, cards: Sequence[Card], faces: Faces) -> list[int]:
        """The places of the cards, that of the one to hide last."""
        return sorted(range(1, len(cards) + 1), key=lambda n: faces[cards[n - 1]] == self.role)


def turns_up_a_card_that_it_lacks(question: Question, faces: Faces) -> str | None:
    return f"lose #{len(question.cards) + 1}" if isinstance(question, Lose) else None


def pays_with_coins_that_it_lacks(question: Question, faces: Faces) -> str | None:
    if isinstance(question, Act) and question.coins < ACTIONS[COUP].cost:
        return f"coup {next(iter(question.purses))}"
    return None


CHEATS = {
    "shows another card": Case(
        lambda: Lies(shows_another_card), 3, 1, 0, FalseClaim, 'claimed "I hold the Corsair"'
    ),
    "shows another card, its last": Case(
        lambda: Lies(shows_another_card), 3, 2, 2, PlayedIllegally, "played show #1"
    ),
    "concedes and turns it up": Case(
        lambda: Lies(concedes_while_holding),
        3, 1, 4, FalseClaim, 'claimed "I do not hold the Corsair"',
    ),
    "concedes and turns it up, its last": Case(
        lambda: Lies(concedes_while_holding), 3, 2, 1, PlayedIllegally, "played concede"
    ),
    "turns up a card that it lacks": Case(
        lambda: BreaksTheRules(turns_up_a_card_that_it_lacks),
        4, 3, 1, Malformed, "answered with something that is no move",
    ),
    "pays with coins that it lacks": Case(
        lambda: BreaksTheRules(pays_with_coins_that_it_lacks),
        4, 3, 0, PlayedIllegally, "answered coup Ana: ",
    ),
    "deals a wrong share": Case(GivesWrongShare, 4, 1, 1, BadProof, "gave a share of a card"),
}  # fmt: skip


@pytest.mark.parametrize("case", CHEATS.values(), ids=CHEATS)
def test_cheat_is_named_by_every_honest_peer(case: Case) -> None:
    assert_named(GAME, case)


def test_conceding_while_holding_is_found_by_the_audit_where_nobody_ever_sees_the_card() -> None:
    cheat = Lies(ConcedesAndHides())
    table = Tabletop(played_at_random(GAME), 3, seed=12, cheats={0: cheat}).run()
    assert all(replica.over and replica.fault is None for replica in table.honest)
    (record,) = {replica.transcript() for replica in table.honest}
    report = audit(record, lambda _: GAME)
    assert report.culprit == "Ana"
    assert report.trouble is not None
    assert "answered concede: you hold the Corsair" in report.trouble
