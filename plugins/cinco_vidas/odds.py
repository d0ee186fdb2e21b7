"""What cards are worth: how many tricks a hand may bring, and how good an unseen card is.

Rule 1: for bots and hints only; nothing that the rules decide comes from here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import prod, sqrt

from sobremesa import PACK, RANKS, SUITS, Face, card_rank


def stands(rank: int, opponents: int) -> float:
    """The chance that a card of this strength (1 to 13) wins against so many others.

    Others do not play at random but keep what they can use, so they count for three quarters.
    """
    root = sqrt((rank - 0.5) / len(RANKS))
    return prod([root * sqrt(root)] * opponents)  # `**` differs in the last bit between machines


def worth(hand: Iterable[Face], players: int) -> float:
    """The tricks to expect from a hand."""
    return sum(stands(card_rank(face), players - 1) for face in hand)


def miss(hand: Iterable[Face], need: int, players: int) -> float:
    """By how many tricks a hand is expected to miss what is needed, each card winning or losing
    for itself."""
    chances = [1.0]
    """Of so many tricks, from 0."""
    for face in hand:
        wins = stands(card_rank(face), players - 1)
        chances = [
            more * (1 - wins) + fewer * wins
            for more, fewer in zip([*chances, 0.0], [0.0, *chances], strict=True)
        ]
    return sum(chance * abs(need - tricks) for tricks, chance in enumerate(chances))


def unseen_wins(before: Sequence[Face], after: Sequence[Face]) -> Fraction:
    """The chance that a card nobody showed us wins, between the cards played before it, which it
    need only equal, and those after it, which it must beat (CV-R10)."""
    visible = Counter(map(card_rank, (*before, *after)))
    equal = max(map(card_rank, before), default=0)
    beat = max(map(card_rank, after), default=0)
    good = sum(
        len(SUITS) - visible[rank]
        for rank in range(1, len(RANKS) + 1)
        if rank >= equal and rank > beat
    )
    return Fraction(good, len(PACK) - len(before) - len(after))
