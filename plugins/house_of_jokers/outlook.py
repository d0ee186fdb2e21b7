"""What may come of a position, if everybody makes the obvious moves with the cards that are known.

Rule 1: cards that nobody is known to hold are never played; what is not known is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .board import ACE, KING, SEVEN, SUITS, Board, rank_of

Q = dict(
    play=1.0,
    flip=2.5,
    bare=12.0,
    decay=0.93,
    exit=1.5,
    turns=2.0,
    close=0.3,
    covered=0.5,
    bal=0.1,
    pbal=0.1,
)


def number(face: str) -> int:
    return SUITS.index(face[-1]) * 16 + rank_of(face)


@dataclass(slots=True)
class Player:
    up: int
    covered: int
    more: bool


class Outlook:
    """A position, in numbers: `ranks` of the eight ends, low and high of each suit in turn."""

    def __init__(
        self,
        board: Board,
        holder: Mapping[int, int],
        up: Sequence[int],
        covered: Sequence[int],
        stall: int,
        limit: int,
    ) -> None:
        self.ranks = [r for s in SUITS for r in (board.low[s], board.high[s])]
        self.blocked = [False] * 8
        for face in board.jokers:
            self.blocked[2 * SUITS.index(face[-1]) + (rank_of(face) > SEVEN)] = True
        self.to_place = board.to_place
        self.holder = dict(holder)
        self.up = list(up)
        self.covered = list(covered)
        self.stall = stall
        self.limit = limit

    def next_card(self, end: int) -> int:
        """The card an end waits for, 0 if it is closed."""
        rank = self.ranks[end]
        if end & 1:
            return 0 if rank == KING else (end >> 1) * 16 + rank + 1
        return 0 if rank == ACE else (end >> 1) * 16 + rank - 1

    def run(self, first: int, turns: int) -> float:
        """Play on from a player; how well it goes."""
        score, weight, players = 0.0, 1.0, len(self.up)
        decay = Q["decay"]
        for turn in range(turns):
            score += weight * self.turn((first + turn) % players)
            weight *= decay
        return score

    def turn(self, player: int) -> float:
        holder = self.holder
        best, best_value = -1, -1.0
        players = len(self.up)
        for end in range(8):
            if self.blocked[end]:
                continue
            card = self.next_card(end)
            if card and holder.get(card) == player:
                follow = card + (1 if end & 1 else -1)
                closing = follow & 15 in (0, 14)
                who = holder.get(follow)
                value = (
                    1.0
                    if closing
                    else 0.0
                    if who is None
                    else 2.0 - ((who - player - 1) % players) / players
                )
                low = end & ~1
                left = 12 - self.ranks[low + 1] + self.ranks[low]
                value += Q["pbal"] * left
                if value > best_value:
                    best, best_value = end, value
        if best >= 0:
            card = self.next_card(best)
            self.ranks[best] += 1 if best & 1 else -1
            del holder[card]
            self.up[player] -= 1
            self.stall = 0
            if self.to_place:
                self.to_place -= 1
                self.blocked[best] = True
            low = best & ~1
            left = 13 - self.ranks[low + 1] + self.ranks[low]
            return (
                Q["play"] + Q["bal"] * left + (Q["close"] if self.ranks[best] in (ACE, KING) else 0)
            )
        if self.stall < self.limit and self.shift(player):
            self.stall += 1
            return 0.0
        if self.exit(player):
            self.stall = 0
            return -Q["exit"]
        self.stall = 0
        if self.up[player]:
            self.up[player] -= 1
            self.covered[player] += 1
            return -Q["flip"]
        if self.covered[player]:
            return -Q["bare"]
        return 0.0

    def worth(self, end: int, player: int) -> float:
        """How much an end is wanted: the sooner its next card could be played the more."""
        who = self.holder.get(self.next_card(end))
        players = len(self.up)
        return 0.0 if who is None else 2.0 - ((who - player - 1) % players) / players

    def shift(self, player: int) -> bool:
        froms = [end for end in range(8) if self.blocked[end]]
        tos = [
            end
            for end in range(8)
            if not self.blocked[end] and self.ranks[end] not in (ACE, SEVEN, KING)
        ]
        if not froms or not tos:
            return False
        a = max(froms, key=lambda e: self.worth(e, player))
        b = min(tos, key=lambda e: self.worth(e, player))
        self.blocked[a], self.blocked[b] = False, True
        return True

    def exit(self, player: int) -> bool:
        if not any(self.ranks[2 * s] == ACE and self.ranks[2 * s + 1] == KING for s in range(4)):
            return False
        froms = [end for end in range(8) if self.blocked[end]]
        if not froms:
            return False
        self.blocked[max(froms, key=lambda e: self.worth(e, player))] = False
        return True
