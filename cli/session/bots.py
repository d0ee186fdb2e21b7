"""The bots of this machine: for each seat that is asked, one of them thinks and answers.

Rule 1: a bot moves only when the client has caught up, and after a part of the pace, so that a
person can follow.
Rule 2: a bot has no chance but that of its table, so that an audit can say whether it moved.
Rule 3: where a bot breaks, the question's own default is given, as when time runs out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from sobremesa.core.errors import LocalError
from sobremesa.core.game import Bot, Game
from sobremesa.core.parts import PartBroke, own_code
from sobremesa.core.pieces import Seat
from sobremesa.core.questions import Answer, Question
from sobremesa.core.replica.charter import Charter
from sobremesa.core.replica.table import Table
from sobremesa.net.match import Match

from .defaults import Preferences

if TYPE_CHECKING:  # who plays alone loads no sockets
    from sobremesa.net.watching import Watch

THINKING = 0.25
"""A bot takes this part of the pace for a move."""


class Bots:
    """`caught_up` waits for the client, `warn` hears what is wrong with a bot, and `on_done` of
    each task that came to its end. The own seat is a bot's, too, if the person prefers that."""

    def __init__(
        self,
        game: Game[Any],
        preferences: Preferences,
        caught_up: Callable[[], Awaitable[None]],
        warn: Callable[[str], None],
        on_done: Callable[[asyncio.Future[None]], None],
    ) -> None:
        self._game = game
        self._preferences = preferences
        self._caught_up = caught_up
        self._warn = warn
        self._broken: set[Seat] = set()
        """Seats whose bot has broken, which was said."""
        self._on_done = on_done
        self.haste = 1.0
        """The part of the usual pace that holds now."""
        self._thinking: dict[Seat, asyncio.Future[None]] = {}

    def follow(self, match: Match | Watch) -> None:
        """Let the bots of the seats that are asked think, and no others."""
        asked = match.table.asked
        for seat in [seat for seat in self._thinking if seat not in asked]:
            self._thinking.pop(seat).cancel()
        for seat, question in asked.items():
            bot = self._bot(match.table.charter, seat)
            if bot is not None and seat not in self._thinking:
                task = asyncio.ensure_future(self._think(match, seat, question, bot))
                task.add_done_callback(self._on_done)
                self._thinking[seat] = task

    def _bot(self, charter: Charter, seat: Seat) -> Bot[Any] | None:
        """The bot that plays a seat of ours, or None for the person."""
        plan = next(plan for plan in charter.seats if plan.name == seat)
        if plan.bot:
            return self._game.bot(plan.bot)
        preferences = self._preferences
        return self._game.bot_in_turn(preferences.bot_ids, 0) if preferences.auto else None

    async def _think(
        self, match: Match | Watch, seat: Seat, question: Question, bot: Bot[Any]
    ) -> None:
        await self._caught_up()
        if self._preferences.pace:
            await asyncio.sleep(self._preferences.pace * self.haste * THINKING)
        self._thinking.pop(seat, None)
        table = match.table
        if table.asked.get(seat) is question:
            match.answer(seat, self._answer(table, seat, question, bot), "bot")

    def _answer(self, table: Table, seat: Seat, question: Question, bot: Bot[Any]) -> Answer:
        try:
            with own_code(self._game.title, f"bot {bot.id}"):
                answer = table.bot_answer(bot, seat, question)
                question.check(answer, table.faces(seat))
                return answer
        except LocalError as error:
            if seat not in self._broken:
                self._broken.add(seat)
                broke = isinstance(error, PartBroke)
                what = error if broke else f"the bot {bot.id} wants what the rules refuse: {error}"
                self._warn(f"{what}; {seat} plays what it would if its time ran out")
            return question.late(table.faces(seat))

    def stop(self) -> None:
        """Let nobody think any further."""
        for task in self._thinking.values():
            if task is not asyncio.current_task():
                task.cancel()
