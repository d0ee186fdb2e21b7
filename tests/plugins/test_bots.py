"""What holds for every bot of every game: it is chosen by its id, and can do no harm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest
from support.games.playouts import open_table, play_out

from sobremesa.core.encoding import Pick
from sobremesa.core.game import Bot, Game, Observation, UnknownBot
from sobremesa.core.questions import Answer, Question
from sobremesa.plugins.loader import load_games

GAMES = load_games([]).games


def spoil(thing: Any, done: set[int]) -> None:
    """Empty all that can be reached from here, and take every attribute away."""
    if id(thing) in done or isinstance(thing, str | int | None):
        return
    done.add(id(thing))
    names = [field.name for field in fields(thing)] if is_dataclass(thing) else []
    inner = [getattr(thing, name) for name in names]
    if isinstance(thing, Mapping):
        inner += thing.values()
    elif isinstance(thing, list | tuple):
        inner += thing
    for one in inner:
        spoil(one, done)
    if isinstance(thing, dict | list):
        thing.clear()
    for name in names:
        object.__setattr__(thing, name, None)


def legal(observation: Observation[Any], question: Question, pick: Pick) -> Answer:
    return question.sample(pick, observation.faces)


def vandal(observation: Observation[Any], question: Question, pick: Pick) -> Answer:
    """The same answer, and then nothing is left whole."""
    answer = legal(observation, question, pick)
    for event in observation.events:
        spoil(event, set())
    done = {id(observation.faces), id(observation.options)}
    for mapping in (observation.faces, observation.options):
        with pytest.raises(AttributeError):
            mapping.clear()  # type: ignore[union-attr]
    spoil(question, done)
    spoil(observation.state, done)
    return answer


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_bot_that_spoils_all_it_is_given_changes_nothing(game: Game[Any]) -> None:
    played = []
    for strategy in (legal, vandal):
        bots = (Bot("any", "Anything legal", strategy),)
        table = open_table(replace(game, bots=bots), game.seats[-1], seed=7)
        answers = play_out(table, 7, by_bot=lambda seat, pick: True)
        played.append((answers, table.events, table.outcome))
    assert played[0] == played[1]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_bot_of_a_game_is_found_by_its_id(game: Game[Any]) -> None:
    second = replace(game.bots[0], id="second")
    both = replace(game, bots=(*game.bots, second))
    assert both.bot("second") is second
    assert both.bot(game.bots[0].id) is game.bots[0]
    with pytest.raises(UnknownBot) as refused:
        both.bot("third")
    have = f"{game.bots[0].id}, second"
    assert str(refused.value) == f"{game.title} has no bot called 'third' (it has: {have})"


def test_bots_take_turns_as_they_are_wanted_and_the_first_where_none_is() -> None:
    game = GAMES["dudo"]
    own = game.bots[0]
    second = replace(own, id="second")
    both = replace(game, bots=(own, second))
    assert [both.bot_in_turn((), turn) for turn in range(3)] == [own, own, own]
    wanted = ("second", "second", own.id)
    assert [both.bot_in_turn(wanted, turn) for turn in range(4)] == [second, second, own, second]


@pytest.mark.parametrize("id", ["", "b" * 32, "a,b", "A", "a b", "b\n"])
def test_an_id_that_cannot_be_typed_is_no_bots(id: str) -> None:
    with pytest.raises(ValueError, match="a bot's id is 1 to 31 of a-z, 0-9, _ and -"):
        replace(GAMES["dudo"].bots[0], id=id)


def test_two_bots_of_a_game_have_two_ids() -> None:
    game = GAMES["dudo"]
    with pytest.raises(ValueError, match="dudo: two bots have one id"):
        replace(game, bots=(*game.bots, *game.bots))
