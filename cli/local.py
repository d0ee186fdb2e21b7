"""A game at once on this machine, against bots.

It is a table like any other, with one peer that plays every seat, so that `--save` gives a
transcript that `verify` accepts and a client sees no difference (docs/protocol.md).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sobremesa.core.encoding import Rand
from sobremesa.core.errors import LocalError
from sobremesa.core.game import Game, OptionValue
from sobremesa.core.replica.charter import Charter, Peer, SeatPlan, Settings
from sobremesa.core.replica.table import Table
from sobremesa.net.lobby import BOT_NAMES
from sobremesa.net.text import name_key
from sobremesa.plugins import Games

from .session import Chat, Over
from .sitting import Habits, Sitting


class LocalSitting(Sitting):
    """One person, or nobody, and bots."""

    def say(self, text: str) -> None:
        self._push(Chat(self.me, text))

    async def leave(self) -> None:
        self.close(Over("You left the table.", 3))


def play_locally(
    games: Games,
    game: Game,
    habits: Habits,
    bots: int,
    options: Mapping[str, OptionValue],
    settings: Settings,
) -> LocalSitting:
    """Sit down with bots; the game begins at once.

    :raises LocalError: if the game is not for so many
    """
    if bots + 1 not in game.seats:
        least, most = game.seats[0], game.seats[-1]
        raise LocalError(
            f"{game.title} is for {least} to {most} players: --bots {least - 1} to {most - 1}"
        )
    key = Ed25519PrivateKey.generate()
    names = [name for name in BOT_NAMES if name_key(name) != name_key(habits.name)][:bots]
    charter = Charter(
        os.urandom(16),
        "This machine",
        game.id,
        game.rules_version,
        tuple(sorted(options.items())),
        settings,
        (Peer(key.public_key().public_bytes_raw(), habits.name),),
        (SeatPlan(habits.name, 0), *(SeatPlan(name, 0, game.bots[0].id) for name in names)),
    )
    sitting = LocalSitting(games, game, habits)
    table = Table(
        charter,
        game,
        me=0,
        sign=key.sign,
        vault={0: Rand(os.urandom(32))},
        on_event=sitting.told,
        at_once=False,
    )
    sitting.seat(table)
    sitting.again = partial(_at_once, games, game, habits, bots, options, settings)
    table.start()
    sitting.changed()
    return sitting


async def _at_once(*table: Any) -> LocalSitting:
    return play_locally(*table)
