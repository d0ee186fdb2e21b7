"""The game in short: what everybody did for the house."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sobremesa import Event, Recap, Seat, Voice, counts_said, facts


def recap(seats: tuple[Seat, ...], events: Sequence[Event], seat: Seat | None) -> Recap:
    """Count it from the events, as said to a seat (None: to a spectator)."""
    voice = Voice(seat)
    placed: Counter[Seat] = Counter()
    covered: Counter[Seat] = Counter()
    jokers: Counter[Seat] = Counter()
    penalties: Counter[Seat] = Counter()
    for event in events:
        match event:
            case {"kind": "play", "seat": who, "covered": was_covered}:
                placed[who] += 1
                covered[who] += was_covered
            case {"kind": "joker" | "joker_removed", "seat": who}:
                jokers[who] += 1
            case {"kind": "flip", "seat": who}:
                penalties[who] += 1
    told = facts(
        ("Cards placed", counts_said(placed, voice)),
        ("From face down", counts_said(covered, voice)),
        ("Jokers moved", counts_said(jokers, voice)),
        ("Turned face down", counts_said(penalties, voice)),
    )
    return Recap(facts=told)
