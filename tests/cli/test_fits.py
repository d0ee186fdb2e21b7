"""Full tables of every game on a terminal of 80x24: nothing is left out and nothing scrolls."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from support.clients.sessions import OpenSession
from support.clients.situations import Situation, screen_of

from sobremesa.cli.draw.cells import line_text
from sobremesa.cli.draw.theme import Theme
from sobremesa.cli.session.moments import Asked, Started, Told
from sobremesa.core.game import Game
from sobremesa.core.scenario import GivenChance, read_scenario
from sobremesa.core.views import Cards, Hand, View
from sobremesa.plugins import cinco_vidas, dudo, five_alive, house_of_jokers, intriga
from sobremesa.plugins.playing_cards import PACK

NAMES = ("Ana", "Bento", "Cai", "Maximiliana", "Eva", "Fay", "Gil", "Hugo")
LEFT_OUT = " more lines"

FULL = [
    (dudo.GAME, {}),
    (cinco_vidas.GAME, {}),
    (intriga.GAME, {}),
    (five_alive.GAME, {}),
    (five_alive.GAME, {"teams": "on"}),
    (house_of_jokers.GAME, {"difficulty": "easy", "jokers": 3}),
]


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(("game", "options"), FULL)
def test_a_full_table_fits_a_small_terminal(
    game: Game[Any], options: dict[str, object], seed: int
) -> None:
    seats = NAMES[: game.seats[-1]]
    given = {"game": game.id, "seats": seats, "options": options, "seed": seed}
    read = read_scenario(json.loads(json.dumps(given)), lambda name: game)
    chosen = {key: str(value) for key, value in read.options.items()}
    session = OpenSession(game, "Cai", seats, GivenChance(read), chosen)
    chance = random.Random(seed)
    seen, looked = 0, set()
    while session.table.outcome is None:
        seat, question = next(iter(session.table.asked.items()))
        faces = session.table.faces(seat)
        session.play(f"{seat}: {question.write(question.sample(chance.randrange, faces), faces)}")
        new, seen = session.moments[seen:], len(session.moments)
        for moment in new:
            if isinstance(moment, Told | Asked) and moment.view not in looked:
                looked.add(moment.view)
                text = drawn(game, session, moment)
                assert LEFT_OUT not in text, text
                for name in own_cards(game, moment.view):
                    assert name in text, (name, text)
    assert len(looked) > 20


def own_cards(game: Game[Any], view: View) -> Iterator[str]:
    """What has to be read of each card that Cai holds: its rank, or what is printed on it."""
    for block in view.blocks:
        if isinstance(block, Hand) and block.area == "hand" and isinstance(block.content, Cards):
            for code in block.content.values:
                if code is not None:
                    printed = game.card_marks.get(code) or game.card_names.get(code)
                    yield printed or (code[:-1] if code in PACK else code)


def drawn(game: Game[Any], session: OpenSession, moment: Told | Asked) -> str:
    started = Started(game, session.seats, "Cai")
    screen = screen_of(Situation([started, moment], game, session.faces()), Theme())
    return "\n".join(line_text(line) for line in screen.lines(80, 24))
