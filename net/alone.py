"""A table of this machine alone: one person, or nobody, and bots.

It is a table like any other, with one peer that plays every seat, so that its record verifies and
whoever sits at it sees no difference (docs/protocol.md).
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from sobremesa.core.errors import LocalError
from sobremesa.core.game import Game, OptionValue
from sobremesa.core.names import BOT_NAMES, are_alike, free_name
from sobremesa.core.replica.charter import Charter, Copy, Peer, SeatPlan, Settings

from .identity import Identity
from .match import Match, MatchEvents


def play_alone(
    game: Game[Any],
    events: MatchEvents,
    *,
    copy: Copy,
    name: str,
    bots: int,
    bot_ids: Sequence[str] = (),
    options: Mapping[str, OptionValue],
    settings: Settings,
) -> Match:
    """A match against so many bots, not begun yet. `bot_ids` are dealt to their seats in turn
    (`Game.bot_in_turn`).

    :raises LocalError: if the game is not for so many
    :raises UnknownBot: if it has no such bot
    """
    if bots + 1 not in game.seats:
        least, most = game.seats[0], game.seats[-1]
        raise LocalError(
            f"{game.title} is for {least} to {most} players: --bots {least - 1} to {most - 1}"
        )
    me = Identity.fresh()
    name = free_name(name)
    names = [bot for bot in BOT_NAMES if not are_alike(bot, name)][:bots]
    charter = Charter(
        os.urandom(16),
        "This machine",
        game.id,
        game.rules_version,
        tuple(sorted(options.items())),
        settings,
        (Peer(me.key, copy.fingerprint),),
        (
            SeatPlan(name, 0),
            *(
                SeatPlan(bot, 0, game.bot_in_turn(bot_ids, turn).id)
                for turn, bot in enumerate(names)
            ),
        ),
    )
    return Match(charter, game, me, os.urandom(32), events)
