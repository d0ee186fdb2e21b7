"""5 Alive as a plugin: one `Game` value."""

from __future__ import annotations

from sobremesa import Game, Option, help_pages, hookimpl

from . import rules, state
from .bot import BOT
from .cards import MARKS, NAMES
from .recap import recap
from .state import State
from .view import view
from .words import brief, describe

GAME = Game(
    id="five-alive",
    title="5 Alive",
    seats=range(2, 7),
    rules_version=1,
    play=rules.play,
    public=state.public,
    view=view,
    pieces=state.pieces,
    cards=True,
    describe=describe,
    brief=brief,
    recap=recap,
    help=help_pages(__name__),
    bots=(BOT,),
    options=(
        Option(
            "sudden_death",
            "off",
            ("off", "on"),
            "the game ends when a first player has flipped all ALIVE cards; not in teams",
        ),
        Option(
            "teams",
            "off",
            ("off", "on"),
            "two teams in alternate seats, one set of ALIVE cards each; from 4 players",
        ),
    ),
    refused=rules.refused,
    pauses=("flip",),
    card_names=NAMES,
    card_marks=MARKS,
    about="Keep the total at 21 or below. Whoever cannot flips one of five ALIVE cards.",
)


@hookimpl
def sobremesa_games() -> tuple[Game[State], ...]:
    return (GAME,)
