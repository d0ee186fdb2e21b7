"""Full tables of every game on a terminal of 80x24: nothing is left out and nothing scrolls."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from support.clients.sessions import OpenSession
from support.clients.situations import Situation, screen_of

from sobremesa.cli.draw.cells import line_text
from sobremesa.cli.draw.theme import Theme
from sobremesa.cli.session.moments import Asked, Started, Told
from sobremesa.core.game import Game
from sobremesa.core.scenario import GivenChance, read_scenario
from sobremesa.core.views import Hand
from sobremesa.plugins import cinco_vidas, dudo, five_alive, house_of_jokers, intriga

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
                own = [b for b in moment.view.blocks if isinstance(b, Hand) and b.area == "hand"]
                assert all(hand.label in text for hand in own), text
    assert len(looked) > 20


def drawn(game: Game[Any], session: OpenSession, moment: Told | Asked) -> str:
    started = Started(game, session.seats, "Cai")
    screen = screen_of(Situation([started, moment], game, session.faces()), Theme())
    return "\n".join(line_text(line) for line in screen.lines(80, 24))
