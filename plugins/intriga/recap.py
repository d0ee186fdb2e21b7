"""The game in short: influence, loss by loss, and who believed whom.

Rule 1: a claim that nobody doubted is counted as one; whether it was true is not in the events.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sobremesa import Event, Recap, Rounds, Seat, Shares, Voice, counts_said, facts

from .cards import COUP

CARDS = 2


def recap(seats: tuple[Seat, ...], events: Sequence[Event], seat: Seat | None) -> Recap:
    """Count it from the events, as said to a seat (None: to a spectator)."""
    voice = Voice(seat)
    rounds, doubts = Rounds(seats, CARDS), Shares()
    claims: Counter[Seat] = Counter()
    caught: Counter[Seat] = Counter()
    stolen: Counter[Seat] = Counter()
    coups: Counter[Seat] = Counter()
    for event in events:
        match event:
            case {"kind": "action", "seat": who, "action": action, "role": role}:
                claims[who] += role is not None
                coups[who] += action == COUP
            case {"kind": "block", "seat": who}:
                claims[who] += 1
            case {"kind": "caught", "seat": who, "challenger": doubter}:
                caught[who] += 1
                doubts.add(doubter, right=True)
            case {"kind": "shown", "challenger": doubter}:
                doubts.add(doubter, right=False)
            case {"kind": "stolen", "seat": who, "amount": amount}:
                stolen[who] += amount
            case {"kind": "lost", "seat": who, "left": left}:
                rounds.now[who] = left
                rounds.end()
            case {"kind": "left", "seat": who}:
                rounds.now[who] = 0
                rounds.end()
    lies = ", ".join(
        f"{voice.name(who)} {caught[who]} of {claims[who]}"
        for who in sorted(claims, key=lambda who: -caught[who])
        if claims[who]
    )
    told = facts(
        ("Right to doubt", doubts.said(voice)),
        ("Caught lying", lies and f"{lies} claims"),
        ("Coins stolen", counts_said(stolen, voice)),
        ("Coups", counts_said(coups, voice)),
    )
    return Recap("influence", rounds.all(), told)
