"""House of Jokers as a plugin: one `Game` value."""

from __future__ import annotations

from importlib.resources import files

from sobremesa.core.game import Game, Help, Option
from sobremesa.core.hookspecs import hookimpl

from . import rules, state
from .bot import BOT
from .view import view
from .words import tell

_HELP = files(__name__) / "help"

GAME = Game(
    id="house-of-jokers",
    title="House of Jokers",
    seats=range(3, 6),
    rules_version=1,
    play=rules.play,
    public=state.public,
    view=view,
    pieces=state.pieces,
    tell=tell,
    help=Help(*((_HELP / f"{page}.md").read_text("utf-8") for page in ("rules", "tips", "faq"))),
    bots=(BOT,),
    options=(
        Option("difficulty", "normal", ("easy", "normal", "hard"), "4, 3 or 2 action cards each"),
        Option("jokers", 2, (2, 3), "jokers in the game"),
        Option(
            "joker_rounds",
            1,
            (1, 2),
            "rounds in which everybody may only move jokers, before they have to stay",
        ),
    ),
    pauses=("reveal",),
    about="Build all four suits together, from ace to king, past the jokers. All win or all lose.",
)


@hookimpl
def sobremesa_games() -> tuple[Game, ...]:
    return (GAME,)
