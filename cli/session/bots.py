"""The bots of this machine: for each seat that is asked, one of them thinks and answers.

Rule 1: a bot moves only when the client has caught up, and after a part of the pace, so that a
person can follow.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from sobremesa.core.game import Bot
from sobremesa.core.pieces import Seat
from sobremesa.core.questions import Question
from sobremesa.net.match import Match

THINKING = 0.25
"""A bot takes this part of the pace for a move."""


class Bots:
    """`caught_up` waits for the client, and `on_done` hears of each task that came to its end."""

    def __init__(
        self,
        pace: float,
        caught_up: Callable[[], Awaitable[None]],
        on_done: Callable[[asyncio.Future[None]], None],
    ) -> None:
        self._pace = pace
        self._caught_up = caught_up
        self._on_done = on_done
        self._thinking: dict[Seat, asyncio.Future[None]] = {}

    def follow(self, match: Match, asked: Mapping[Seat, Bot[Any]]) -> None:
        """Let the bots of these seats think, and no others."""
        for seat in [seat for seat in self._thinking if seat not in asked]:
            self._thinking.pop(seat).cancel()
        for seat, bot in asked.items():
            if seat not in self._thinking:
                question = match.table.asked[seat]
                task = asyncio.ensure_future(self._think(match, seat, question, bot))
                task.add_done_callback(self._on_done)
                self._thinking[seat] = task

    async def _think(self, match: Match, seat: Seat, question: Question, bot: Bot[Any]) -> None:
        await self._caught_up()
        if self._pace:
            await asyncio.sleep(self._pace * THINKING)
        self._thinking.pop(seat, None)
        table = match.table
        if table.asked.get(seat) is question:
            match.answer(
                seat, bot.choose(table.observation(seat), question, secrets.randbelow), "bot"
            )

    def stop(self) -> None:
        """Let nobody think any further."""
        for task in self._thinking.values():
            if task is not asyncio.current_task():
                task.cancel()
