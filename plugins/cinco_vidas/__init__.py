"""Cinco Vidas as a plugin: one `Game` value."""

from __future__ import annotations

from sobremesa import Game, Option, help_pages, hookimpl

from . import rules, state
from .bot import BOT
from .recap import recap
from .state import State
from .view import view
from .words import brief, describe

GAME = Game(
    id="cinco-vidas",
    title="Cinco Vidas",
    seats=range(2, 9),
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
            "one_card_last",
            "total",
            ("total", "literal"),
            "one-card round, two wins said: total leaves the last free, literal makes them lose",
        ),
        Option(
            "wipeout",
            "rank",
            ("rank", "replay"),
            "everybody falls at once: rank them, or replay with 1 life each",
        ),
    ),
    pauses=("round_over",),
    about="Say how many tricks you will win. Every trick you are off costs one of five lives.",
)


@hookimpl
def sobremesa_games() -> tuple[Game[State], ...]:
    return (GAME,)
