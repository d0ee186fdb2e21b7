"""The short forms of what happens, for a log with little room."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.clients.sessions import ScriptedSession, kitchen_table
from support.games.playouts import mostly, open_table, play_out

from sobremesa.cli.session.moments import Told
from sobremesa.cli.settings import OwnSettings
from sobremesa.cli.words.coach import Coach
from sobremesa.cli.words.story import InShort, Said, Story
from sobremesa.core.game import Brief, Game
from sobremesa.core.views import View
from sobremesa.plugins import cinco_vidas, five_alive
from sobremesa.plugins.loader import load_games

GAMES = tuple(load_games([]).games.values())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
@pytest.mark.parametrize("seed", range(3))
def test_every_short_form_is_shorter_than_its_sentence(game: Game[Any], seed: int) -> None:
    brief = game.brief
    assert brief is not None
    table = open_table(game, game.seats[-1 - seed % len(game.seats)], seed)
    play_out(table, seed, by_bot=mostly(4))
    short = 0
    for event in table.events:
        for seat in ("Ana", "Bea", None):
            told = brief(event, seat)
            if told is not None:
                assert len(told.text) < len(game.describe(event, seat))
                assert told.text.isprintable()
                short += 1
    assert short > len(table.events)  # of three times as many


def test_a_trick_is_one_line_and_the_next_one_another() -> None:
    events: list[dict[str, Any]] = [
        {"kind": "round", "round": 1, "cards": 2, "dealer": "Bea", "first": "Ana"},
        {"kind": "bid", "seat": "Ana", "bid": 1, "total": 1, "cards": 2},
        {"kind": "bid", "seat": "Bea", "bid": 0, "total": 1, "cards": 2},
        {"kind": "play", "seat": "Ana", "card": "4C"},
        {"kind": "play", "seat": "Bea", "card": "KH"},
        {"kind": "trick", "seat": "Bea", "card": "KH", "cards": 2, "won": 1, "bid": 0},
        {"kind": "play", "seat": "Bea", "card": "10S"},
        {"kind": "play", "seat": "Ana", "card": "2D"},
        {"kind": "trick", "seat": "Bea", "card": "10S", "cards": 2, "won": 2, "bid": 0},
    ]
    brief = cinco_vidas.GAME.brief
    assert brief is not None
    log = [Said("", "whole", short=brief(event, "Ana")) for event in events]
    assert [said.text for said in InShort(log)] == [
        "Round 1, 2 cards, you 1, Bea 0",
        "You 4♣  Bea K♥: Bea takes it",
        "Bea 10♠  you 2♦: Bea takes it",
    ]


def test_chat_and_whole_sentences_stay_in_their_place() -> None:
    log = [
        Said("", "x", short=Brief("Ana 4♣", "trick", "  ")),
        Said("turn", "Your turn: play a card.", short=Brief("")),
        Said("", "y", short=Brief("you K♥", "trick", "  ")),
        Said("chat", "Ana: hello", "Ana"),
        Said("", "z", short=Brief("Bea 2♦", "trick", "  ")),
        Said("sys", "Bea is away."),
    ]
    assert [said.text for said in InShort(log)] == [
        "Ana 4♣  you K♥", "Ana: hello", "Bea 2♦", "Bea is away.",
    ]  # fmt: skip


def test_a_client_gets_the_short_form_beside_the_sentence() -> None:
    five = five_alive.GAME
    assert five.brief is not None
    event = {"kind": "play", "seat": "Ana", "card": "5", "total": 10, "left": 3}
    story = Story(ScriptedSession(game=five))
    (said,) = story.take(Told(event, "Ana plays 5.", View("Hand 1"), short=five.brief(event, None)))
    assert (said.text, InShort([said])[0].text) == ("Ana plays 5.", "Ana 5 = 10")


def test_a_tip_is_one_sentence_where_there_is_little_room(tmp_path: Path) -> None:
    table = kitchen_table()
    story = Story(ScriptedSession(), coach=Coach(OwnSettings(tmp_path / "settings")))
    for moment in table.moments:
        story.take(moment)
    whole, short = story.log[-1].text, InShort(story.log)[-1].text
    assert whole.startswith(f"{short} ")
    assert short == "Tip: Most players bid on what they have."
