"""Intriga as a plugin: one `Game` value."""

from __future__ import annotations

from sobremesa import Game, Option, help_pages, hookimpl

from . import rules, state
from .bot import BOT
from .cards import TINTS, TITLES
from .recap import recap
from .state import State
from .view import view
from .words import brief, describe

GAME = Game(
    id="intriga",
    title="Intriga",
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
        Option("window", 10, (5, 10, 20, 0), "seconds to say Liar! or to block; 0: no limit"),
        Option(
            "late_block",
            "off",
            ("off", "on"),
            "may who wrongly doubted their own assassin still block with a Lady",
        ),
    ),
    pauses=("shown", "lost"),
    card_names=TITLES,
    card_tints=TINTS,
    about="Claim characters you may not hold, and catch the others lying. The last one in wins.",
)


@hookimpl
def sobremesa_games() -> tuple[Game[State], ...]:
    return (GAME,)
