"""The turns of speech that the built-in games share."""

from __future__ import annotations

from typing import Any

import pytest

from sobremesa.core.game import Game
from sobremesa.plugins.loader import load_games
from sobremesa.plugins.voice import Voice, addressed, capital, counted, listed


def test_words_are_listed_as_people_do() -> None:
    assert listed(["Ana"]) == "Ana"
    assert listed(["Ana", "Bea"]) == "Ana and Bea"
    assert listed(["Ana", "Bea", "Cai", "Dan"]) == "Ana, Bea, Cai and Dan"


def test_things_are_counted() -> None:
    assert [counted(n, "card") for n in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]


@pytest.mark.parametrize(
    ("within", "begins"),
    [("you play 5", "You play 5"), ("your turn", "Your turn"), ("you, Bea win", "You, Bea win"),
     ("ann plays 5", "ann plays 5"), ("young Tom plays 5", "young Tom plays 5")],
)  # fmt: skip
def test_sentence_begins_with_a_capital_and_a_name_as_it_is_written(
    within: str, begins: str
) -> None:
    assert capital(within) == begins


def test_seat_that_listens_is_you_and_a_spectator_is_nobody() -> None:
    to_ana, to_all = Voice("Ana"), Voice(None)
    assert to_ana.names(["Ana", "Bea", "Cai"]) == "you, Bea and Cai"
    assert to_all.names(["Ana", "Bea", "Cai"]) == "Ana, Bea and Cai"
    assert [to_ana.does(who, "bids", "bid") for who in ("Ana", "Bea")] == ["you bid", "Bea bids"]
    assert to_ana.do(["Ana"], "bids", "bid") == "you bid"
    assert to_ana.do(["Bea"], "bids", "bid") == "Bea bids"
    assert to_ana.do(["Bea", "Ana"], "bids", "bid") == "Bea and you bid"
    assert [to_ana.of(who) for who in ("Ana", "Bea")] == ["your", "Bea's"]
    assert to_all.out("Ana", 2) == "Ana is out, in second place"
    assert to_ana.out("Ana", 3) == "you are out, in third place"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Ana", "you are the last with dice, and Anabel stands highest: you stand by Bea"),
        ("Anabel", "Ana is the last with dice, and you stand highest: Ana stands by Bea"),
        ("Bea", None),
        ("last", None),
        ("", None),
        (None, None),
    ],
)
def test_a_text_for_all_says_you_to_the_one_that_it_is_about(
    name: str | None, said: str | None
) -> None:
    text = "Ana is the last with dice, and Anabel stands highest: Ana stands by Bea"
    assert addressed(text, name) == (said or text)


@pytest.mark.parametrize("game", load_games().games.values(), ids=lambda game: game.id)
def test_unknown_event_is_an_error_and_not_silence(game: Game[Any]) -> None:
    with pytest.raises(ValueError, match="no such event"):
        game.describe({"kind": "thunder"}, None)
