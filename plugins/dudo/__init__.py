"""Liar's Dice (Dudo) as a plugin: one `Game` value."""

from __future__ import annotations

from sobremesa import Game, Option, help_pages, hookimpl

from . import rules, state
from .bot import BOT
from .recap import recap
from .state import State
from .view import view
from .words import brief, describe

GAME = Game(
    id="dudo",
    title="Liar's Dice (Dudo)",
    seats=range(2, 9),
    rules_version=1,
    play=rules.play,
    public=state.public,
    view=view,
    pieces=state.pieces,
    describe=describe,
    brief=brief,
    recap=recap,
    help=help_pages(__name__),
    bots=(BOT,),
    options=(
        Option("dice", 5, (5, 3), "dice each player starts with; 3 is the quick game"),
        Option("palifico", "on", ("on", "off"), "the special round of a player down to one die"),
    ),
    pauses=("reveal",),
    about="Bid on all the dice while you see only your own. The last player with dice wins.",
)


@hookimpl
def sobremesa_games() -> tuple[Game[State], ...]:
    return (GAME,)
