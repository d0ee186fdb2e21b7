"""The game in short: lives round by round, and who bid how well."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sobremesa import (
    Event,
    Recap,
    Rounds,
    Seat,
    Shares,
    Voice,
    counted,
    counts_said,
    facts,
)

from .state import LIVES


def recap(seats: tuple[Seat, ...], events: Sequence[Event], seat: Seat | None) -> Recap:
    """Count it from the events, as said to a seat (None: to a spectator)."""
    voice = Voice(seat)
    rounds, exact = Rounds(seats, LIVES), Shares()
    tricks: Counter[Seat] = Counter()
    run: Counter[Seat] = Counter()
    longest: Counter[Seat] = Counter()
    dearest: Counter[Seat] = Counter()
    for event in events:
        match event:
            case {"kind": "round", "round": number} if number > 1:
                rounds.end()
            case {"kind": "round_over", "lost": losses, "won": won}:
                tricks.update(won)
                for who, lost in losses.items():
                    exact.add(who, not lost)
                    run[who] = 0 if lost else run[who] + 1
                    longest[who] = max(longest[who], run[who])
                    dearest[who] = max(dearest[who], lost)
                    rounds.now[who] = max(0, rounds.now[who] - lost)
            case {"kind": "back", "seats": back}:
                rounds.now.update(dict.fromkeys(back, 1))
            case {"kind": "left", "seat": who}:
                rounds.now[who] = 0
    rounds.end()
    told = facts(
        ("Rounds exact", exact.said(voice)),
        ("Longest exact run", _best(longest, "round", voice, least=2)),
        ("Dearest round", _best(dearest, "life", voice, "lives")),
        ("Tricks", counts_said(tricks, voice)),
    )
    return Recap("lives", rounds.all(), told)


def _best(counts: Counter[Seat], thing: str, voice: Voice, things: str = "", least: int = 1) -> str:
    """Who has most of something, if that is enough: `3 rounds, Ana and you`."""
    most = max(counts.values(), default=0)
    if most < least:
        return ""
    much = f"{most} {things}" if things and most > 1 else counted(most, thing)
    return f"{much}, {voice.names([seat for seat in counts if counts[seat] == most])}"
