"""Whether bots moved by themselves: in the audit each is asked again, at each of its questions.

It sees what its seat saw then, and has the same chance, which the seed of its peer tells now.

Rule 1: what differs is a remark and convicts nobody. A person may have chosen the answer; so may
another version of the bot, or a machine that reckons otherwise.
Rule 2: whatever a bot raises here is a remark, too.
Rule 3: an answer that the rules left no choice about is nobody's, and does not count.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sobremesa.core.game import Bot, Game
from sobremesa.core.pieces import Seat
from sobremesa.core.questions import Question

from .charter import Charter
from .steps import Choices, Step
from .table import Table


@dataclass(frozen=True, slots=True)
class BotPlay:
    """How a seat with a bot was played: so many `answers` of its choice, of which those to the
    questions of the steps `other` are not what the bot gives here, and in the steps `broken` it
    gives none. Not `installed`: none of this can be told."""

    seat: Seat
    bot: str
    installed: bool
    answers: int
    other: tuple[int, ...]
    broken: tuple[int, ...]


class BotWitness:
    """Follows an audit's table, which knows what all seats saw (`look`), and tells (`plays`)."""

    def __init__(self, charter: Charter, game: Game[Any]) -> None:
        bots = {bot.id: bot for bot in game.bots}
        self._plans = [plan for plan in charter.seats if plan.bot]
        self._bots = {plan.name: bots.get(plan.bot) for plan in self._plans}
        self._wanted: dict[Seat, tuple[int, str | None]] = {}
        """What a bot would answer to a question whose answer was not seen yet, and its step; None
        if it breaks."""
        self._found: dict[Seat, dict[int, bool | None]] = {plan.name: {} for plan in self._plans}
        """For each step whether the answer was the bot's; None if it breaks."""

    def look(self, table: Table, step: Step, peer: int, choices: Choices) -> None:
        """A message of a peer in the step that is due: its bots' part of what is asked there, and
        the answers that it shows, in notation. Nothing is told of whose seed is not there."""
        if peer not in table.replica_state.vault:
            return
        for seat in table.replica_state.among(peer, step.asks):
            bot = self._bots.get(seat)
            if bot is not None:
                self._ask(table, bot, seat, step.asks[seat])
        for seat, text in choices.items():
            if seat in self._wanted:
                asked, wanted = self._wanted.pop(seat)
                self._found[seat][asked] = None if wanted is None else wanted == text

    def _ask(self, table: Table, bot: Bot[Any], seat: Seat, question: Question) -> None:
        wanted: str | None = None
        try:
            if question.only_answer(table.faces(seat)) is not None:
                return
            wanted = question.write(table.bot_answer(bot, seat, question))
        except Exception:  # whatever a bot may raise
            wanted = None
        self._wanted[seat] = table.step, wanted

    def plays(self) -> tuple[BotPlay, ...]:
        """What was found, in seat order."""
        return tuple(
            BotPlay(
                plan.name,
                plan.bot,
                self._bots[plan.name] is not None,
                len(self._found[plan.name]),
                _steps(self._found[plan.name], False),
                _steps(self._found[plan.name], None),
            )
            for plan in self._plans
        )


def _steps(found: Mapping[int, bool | None], wanted: bool | None) -> tuple[int, ...]:
    return tuple(step for step, own in found.items() if own is wanted)
