"""The game in short: dice round by round, and who was right about what.

Rule 1: a bid is judged when the cups are lifted over it, and only then.
"""

from __future__ import annotations

from collections.abc import Sequence

from sobremesa import Event, Recap, Rounds, Seat, Shares, Voice, facts

from .state import Bid


def recap(seats: tuple[Seat, ...], events: Sequence[Event], seat: Seat | None) -> Recap:
    """Count it from the events, as said to a seat (None: to a spectator)."""
    voice = Voice(seat)
    rounds = Rounds(seats, 0)
    doubts, exacts, bids = Shares(), Shares(), Shares()
    highest: tuple[Seat, Bid] | None = None
    for event in events:
        match event:
            case {"kind": "round", "round": number, "dice": dice}:
                if number > 1:
                    rounds.end()
                rounds.now.update(dice)
            case {"kind": "bid", "seat": who, "bid": bid}:
                if highest is None or bid[0] > highest[1].quantity:
                    highest = who, Bid(*bid)
            case {"kind": "reveal", "call": call, "caller": who, "right": right}:
                (doubts if call == "doubt" else exacts).add(who, right)
                bids.add(event["bidder"], event["count"] >= event["bid"][0])
            case {"kind": "loss" | "gain", "seat": who, "left": left}:
                rounds.now[who] = left
            case {"kind": "left", "seat": who}:
                rounds.now[who] = 0
    rounds.end()
    told = facts(
        ("Right to doubt", doubts.said(voice)),
        ("Right to call exact", exacts.said(voice)),
        ("Bids that stood", bids.said(voice)),
        ("Most dice bid", f"{voice.name(highest[0])}, {highest[1]}" if highest else ""),
    )
    return Recap("dice", rounds.all(), told)
