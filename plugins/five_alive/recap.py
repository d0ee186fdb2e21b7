"""The game in short: ALIVE cards hand by hand, and what the cards did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sobremesa import Event, Recap, Rounds, Seat, Voice, counts_said, facts

from .cards import BOMB, MOST
from .state import BUST, LIVES


def recap(seats: tuple[Seat, ...], events: Sequence[Event], seat: Seat | None) -> Recap:
    """Count it from the events, as said to a seat (None: to a spectator)."""
    voice = Voice(seat)
    rounds = Rounds(seats, LIVES)
    teams: list[list[Seat]] = [[one] for one in seats]
    gone: set[Seat] = set()
    busts: Counter[Seat] = Counter()
    bombs: Counter[Seat] = Counter()
    ended: Counter[Seat] = Counter()
    hits: Counter[Seat] = Counter()
    before = 0
    for event in events:
        match event:
            case {"kind": "teams", "teams": teams}:
                pass
            case {"kind": "hand", "hand": number}:
                before = 0
                if number > 1:
                    rounds.end()
            case {"kind": "play", "seat": who, "card": card, "total": total, "left": left}:
                hits[who] += total == MOST != before
                bombs[who] += card == BOMB and left > 0
                ended[who] += not left
                before = total
            case {"kind": "emptied", "seats": some}:
                ended.update(some)
            case {"kind": "flip", "reason": reason, "seats": some, "sides": sides}:
                if reason == BUST:
                    busts.update(some)
                    before = 0
                for side in sides:
                    rounds.now.update(dict.fromkeys(side["seats"], side["left"]))
            case {"kind": "left", "seat": who}:
                gone.add(who)
                for team in teams:
                    if gone.issuperset(team):
                        rounds.now.update(dict.fromkeys(team, 0))
    rounds.end()
    told = facts(
        ("Bust", counts_said(busts, voice)),
        ("BOMBs thrown", counts_said(bombs, voice)),
        ("Hands ended", counts_said(ended, voice)),
        (f"Hit {MOST}", counts_said(hits, voice)),
    )
    return Recap("ALIVE cards", rounds.all(), told)
