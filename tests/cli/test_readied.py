"""Moves that are made ready while others think."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.clients.sessions import ScriptedSession, kitchen_table, lives_table

from sobremesa.cli.session.moments import Asked, Over, Settled, Started, Told
from sobremesa.cli.words.readied import judged, make_ready
from sobremesa.cli.words.story import Story
from sobremesa.core.errors import LocalError


def story_of_lives(*, asked: bool) -> Story:
    """Cinco Vidas: Cai has bid, and is asked for a card or waits for that."""
    table = lives_table()
    session = ScriptedSession(game=table.game)
    session.seen = table.faces()
    story = Story(session)
    for moment in table.moments if asked else table.moments[:-1]:
        story.take(moment)
    return story


@pytest.mark.parametrize("text", ["QC", "queen of clubs", "play qc", "#2", "bid 1"])
def test_what_may_be_a_move_is_kept(text: str) -> None:
    story = story_of_lives(asked=False)
    assert make_ready(story, text) == f"Ready for your turn: {text}. Type cancel to take it back."
    assert story.readied == text


@pytest.mark.parametrize("text", ["good morning", "who is next", "qx " * 40])
def test_what_is_no_move_is_not_kept(text: str) -> None:
    story = story_of_lives(asked=False)
    with pytest.raises(LocalError):
        make_ready(story, text)
    assert story.readied == ""


def test_at_a_reveal_nothing_is_kept() -> None:
    story = story_of_lives(asked=False)
    told = next(moment for moment in lives_table().moments if isinstance(moment, Told))
    story.take(replace(told, rest=4.0))
    with pytest.raises(LocalError):
        make_ready(story, "QC")
    assert story.readied == ""


def test_it_is_judged_once_when_the_turn_comes() -> None:
    story = story_of_lives(asked=False)
    make_ready(story, "queen of clubs")
    assert judged(story) is None  # we are not asked yet
    story.take(lives_table().last(Asked))
    play = judged(story)
    assert play is not None
    assert play.answer.move == "play"
    assert story.readied == ""
    assert judged(story) is None


@pytest.mark.parametrize(("text", "why"), [("KH", "must be one of yours"), ("bid 1", "don't know")])
def test_what_is_no_move_any_more_is_not_played_and_that_is_said(text: str, why: str) -> None:
    story = story_of_lives(asked=True)
    story.readied = text
    with pytest.raises(LocalError, match=f"{text}, made ready, is not played: .*{why}"):
        judged(story)
    assert story.readied == ""


def test_a_yes_is_never_given_unseen() -> None:
    story = story_of_lives(asked=True)
    asked = story.asked
    assert asked is not None
    sure = replace(asked.question.move("play"), confirm="Really?")
    story.readied = "QC"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(asked.question), "move", lambda self, id: sure)
        with pytest.raises(LocalError, match="that asks you first, so type it again"):
            judged(story)


def test_nothing_is_kept_beyond_a_game() -> None:
    for end in (Over("You left.", 3), Started(kitchen_table().game, ("Cai",), "Cai")):
        story = story_of_lives(asked=False)
        story.readied = "QC"
        story.take(Settled("bid 1", "player"))
        assert story.readied == "QC"
        story.take(end)
        assert story.readied == ""
