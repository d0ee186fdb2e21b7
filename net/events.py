"""What the links of a match tell whoever sits at it: the interface to the screens.

Rule 1: every text is clean and in the player's words; whoever listens only shows it.
"""

from __future__ import annotations

from typing import Literal, Protocol

Role = Literal["sys", "good", "warn", "bad"]

Giver = Literal["player", "clock", "bot"]
"""Who gave an answer for a seat of ours: its player, the end of the time for it, or a bot."""


class LinkEvents(Protocol):
    """Whoever sits at this machine, as links know of it."""

    def chatted(self, name: str, text: str) -> None:
        """Somebody said something."""

    def noticed(self, text: str, role: Role) -> None:
        """Something that a player should know."""

    def away(self, names: list[str]) -> None:
        """Who cannot be reached now; empty when all can."""

    def broke(self, error: BaseException) -> None:
        """This machine cannot go on."""

    def lost(self, why: str) -> None:
        """This peer is out for good, for a reason that is nobody's fault."""
