"""Liar's Dice (Dudo) as a plugin: one `Game` value."""

from __future__ import annotations

from importlib.resources import files

from sobremesa.core.game import Game, Help, Option
from sobremesa.core.hookspecs import hookimpl

from . import rules
from .bot import BOT
from .view import view
from .words import tell

_HELP = files(__name__) / "help"

GAME = Game(
    id="dudo",
    title="Liar's Dice (Dudo)",
    seats=range(2, 9),
    rules_version=1,
    play=rules.play,
    public=rules.public,
    view=view,
    pieces=rules.pieces,
    tell=tell,
    help=Help(*((_HELP / f"{page}.md").read_text("utf-8") for page in ("rules", "tips", "faq"))),
    bots=(BOT,),
    options=(
        Option("dice", 5, (5, 3), "dice each player starts with; 3 is the quick game"),
        Option("palifico", "on", ("on", "off"), "the special round of a player down to one die"),
    ),
    pauses=("reveal",),
    about="Bid on all the dice while you see only your own. The last player with dice wins.",
)


@hookimpl
def sobremesa_games() -> tuple[Game, ...]:
    return (GAME,)
