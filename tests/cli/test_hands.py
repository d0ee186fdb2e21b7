"""The hand in the order that its player likes: what is shown, and what `#n` then means."""

from __future__ import annotations

import pytest
from support.clients.sessions import lives_table
from support.clients.situations import exchange

from sobremesa.cli.words.grammar import Play, read
from sobremesa.cli.words.hands import ORDERS, Order, arranged, shown_places
from sobremesa.core.questions import Answer
from sobremesa.core.views import Cards, Hand, Headline, View

DEALT = ("QC", "QS", "8H", "3C", "2D")


@pytest.mark.parametrize(
    ("order", "shown"),
    [
        ("suit", "QS 8H 2D 3C QC"),
        ("rank", "2D 3C 8H QS QC"),
        ("dealt", "QC QS 8H 3C 2D"),
    ],
)
def test_cards_are_shown_by_suit_by_rank_or_as_they_were_dealt(order: Order, shown: str) -> None:
    cards = Cards(DEALT, playable=(0, 3))
    view = arranged(View("now", (Headline("first"), Hand("Your hand", cards))), order)
    hand = view.blocks[1]
    assert isinstance(hand, Hand)
    assert isinstance(hand.content, Cards)
    assert " ".join(map(str, hand.content.values)) == shown
    playable = hand.content.playable
    assert playable is not None
    assert {hand.content.values[place] for place in playable} == {"QC", "3C"}


def test_numbers_come_by_size_then_what_is_none_and_what_is_hidden_stays() -> None:
    words = ["SKIP", "10", "=0", "2"]
    assert [words[place] for place in shown_places(words, "suit")] == ["2", "10", "=0", "SKIP"]
    assert shown_places(["KH", None, "2S"], "suit") == [0, 1, 2]


@pytest.mark.parametrize("order", ORDERS)
def test_a_place_is_the_place_as_shown(order: Order) -> None:
    session = lives_table()
    question, faces = session.question, session.faces()
    assert question is not None
    for number, place in enumerate(shown_places(DEALT, order), 1):
        for typed in (f"#{number}", f"play #{number}"):
            command = read(typed, {}, question, faces, order=order)
            assert command == Play(Answer("play", (place + 1,)))


def test_several_places_are_the_places_as_shown() -> None:
    found = exchange()
    cards = found.question.moves(found.faces)[0].fields[0].shown(found.faces)
    shown = [cards[place] for place in shown_places([str(card) for card in cards], "suit")]
    command = read("#1 #2", {}, found.question, found.faces, order="suit")
    assert isinstance(command, Play)
    (places,) = command.answer.args
    assert isinstance(places, tuple)
    assert sorted(str(cards[place - 1]) for place in places) == sorted(map(str, shown[:2]))
