"""House of Jokers as a plugin: one `Game` value."""

from __future__ import annotations

from sobremesa import Game, Option, help_pages, hookimpl

from . import rules, state
from .bot import BOT
from .recap import recap
from .state import State
from .view import view
from .words import brief, describe

GAME = Game(
    id="house-of-jokers",
    title="House of Jokers",
    seats=range(3, 6),
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
        Option("difficulty", "normal", ("easy", "normal", "hard"), "4, 3 or 2 action cards each"),
        Option("jokers", 2, (2, 3), "jokers in the game"),
        Option(
            "joker_rounds",
            1,
            (1, 2, 0),
            "rounds of nothing but joker moves before jokers have to stay; 0: they never have to",
        ),
    ),
    leaving="Are you sure? Do you really want to leave? The entire game will be lost.",
    broken_off="Room Canceled. Someone left the game...",
    pauses=("reveal",),
    about="Build all four suits together, from ace to king, past the jokers. All win or all lose.",
)


@hookimpl
def sobremesa_games() -> tuple[Game[State], ...]:
    return (GAME,)
