"""Peers that lie about who is gone.

Rule 1: as in `cheats`, a vice is one class, and all else is an honest peer's. What is said beside
the messages of the game is said once, with the message for the first step from `since` on.
"""

from __future__ import annotations

from collections.abc import Iterable

from support.peers.cheats import Cheat

from sobremesa.core.replica.poll import Act, Ballot, Done, Hold, write_stand
from sobremesa.core.replica.transcript import STAND, Message


class Votes(Cheat):
    """Says something of who is gone where it sends its first message from step `since` on."""

    def __init__(self, since: int, victim: int) -> None:
        self.since, self.victim = since, victim
        self.step: int | None = None
        self.told: set[int] = set()

    def say(self, message: Message, to: int) -> Iterable[Message]:
        said = tuple(super().say(message, to))
        ours = message.peer == self.me and message.kind != STAND
        if self.step is None and ours and message.step >= self.since:
            self.step = message.step
        if not ours or message.step != self.step or to in self.told:
            return said
        self.told.add(to)
        return (self.sign_other(message, kind=STAND, body=write_stand(self.acts(to))), *said)

    def acts(self, to: int) -> tuple[Act, ...]:
        """What it tells a peer."""
        raise NotImplementedError


class VotesAgainstTheLiving(Votes):
    """Signs that somebody is gone who is there."""

    def acts(self, to: int) -> tuple[Act, ...]:
        return (Ballot(frozenset({self.victim})),)


class VotesTwice(Votes):
    """Signs two ballots of which neither goes on with the other, each for some."""

    def acts(self, to: int) -> tuple[Act, ...]:
        others = sorted(set(range(len(self.table.charter.peers))) - {self.me})
        return (Ballot(frozenset({others[to % 2]})),)


class DecidesAlone(Votes):
    """Says that it has decided the step without somebody."""

    def acts(self, to: int) -> tuple[Act, ...]:
        return (Done(frozenset({self.victim})),)


class HoldsNothing(Votes):
    """Holds a message that nobody has sent."""

    def acts(self, to: int) -> tuple[Act, ...]:
        return (Hold(self.victim, bytes(32)),)


class VotesAgainstWhomItHolds(Votes):
    """Signs what no honest peer signs, whatever it knows."""

    def acts(self, to: int) -> tuple[Act, ...]:
        return (Hold(self.victim, bytes(32)), Ballot(frozenset({self.victim})))
