"""How something long among the peers gets on: whose turn it is, for how long, and what is unusual.

Rule 1: pure; the time, in seconds of any clock, is handed in.
Rule 2: what is short is not worth a word: nothing is shown before `SHOWN_AFTER` seconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median

from sobremesa.cli.session.moments import Working

from .speech import Players

SHOWN_AFTER = 0.5
USUAL = 3.0
"""Seconds of a turn that count as usual until some were seen."""
BAR = 8


@dataclass(slots=True)
class Progress:
    """The work that is under way, if `now.who` is anybody, and how long turns usually take."""

    now: Working = field(default_factory=Working)
    _began: float = 0.0
    _turn_began: float = 0.0
    _turns: list[float] = field(default_factory=list)

    def took(self, working: Working, time: float) -> None:
        """Somebody else is at it now, or it is over."""
        if self.now.who:
            self._turns.append(time - self._turn_began)
        else:
            self._began = time
        self._turn_began = time
        self.now = working

    def line(self, time: float, players: Players) -> str:
        """How it stands, in one line, or nothing while that is not worth a line."""
        who, number, of = self.now.who, self.now.number, self.now.of
        if not who or time - self._began < SHOWN_AFTER:
            return ""
        full = BAR * number // max(1, of)
        bar = "█" * full + "░" * (BAR - full)
        seconds = time - self._turn_began
        usual = max(1.0, median(self._turns)) if self._turns else USUAL
        spent = f" ({seconds:.0f} s)" if seconds >= 1 else ""
        if seconds > 2 * usual:
            at_it = ("you are" if who == players.me else f"{who} is") + f" slow{spent}"
        else:
            at_it = f"{players.name(who)} now{spent}"
        return f"Shuffling {number} of {of}  {bar}  {at_it}"
