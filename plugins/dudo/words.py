"""The one sentence for each event, as it is said to one seat, on a screen or aloud.

Rule 1: a sentence is complete by itself and names everybody; "you" is the seat it is said to.
"""

from __future__ import annotations

from sobremesa import Brief, Event, Seat, Voice, capital

from . import odds
from .state import Bid


class DudoVoice(Voice):
    """The common voice, with what this game says besides."""

    __slots__ = ()

    def verdict(self, caller: Seat, call: str, right: bool) -> str:
        """`Ana was right to doubt`; `call` is doubt or exact."""
        deed = "to doubt" if call == "doubt" else "to call it exact"
        return f"{self.does(caller, 'was', 'were')} {'right' if right else 'wrong'} {deed}"


def counted(count: int, bid: Bid, palifico: bool) -> str:
    """What was found on the table: `5 threes (with ones)`."""
    return f"{Bid(count, bid.face)}{odds.with_ones(bid.face, palifico)}"


def describe(event: Event, seat: Seat | None) -> str:
    """The sentence for an event, as said to a seat (None: to a spectator)."""
    return capital(_sentence(event, DudoVoice(seat)))


def _sentence(event: Event, voice: DudoVoice) -> str:
    does = voice.does
    match event:
        case {"kind": "round", "round": number, "opener": opener, "dice": dice}:
            opens = does(opener, "opens", "open")
            return f"Round {number}: {sum(dice.values())} dice on the table, {opens}."
        case {"kind": "palifico", "seat": who}:
            have = does(who, "has", "have")
            return f"{have} one die left, so this is a palifico: no wild ones, and the face stays."
        case {"kind": "bid", "seat": who, "bid": bid}:
            return f"{does(who, 'bids', 'bid')} {Bid(*bid)}."
        case {"kind": "doubt", "seat": who, "bid": bid, "bidder": bidder}:
            return f"{does(who, 'doubts', 'doubt')} {voice.of(bidder)} {Bid(*bid)}."
        case {"kind": "exact", "seat": who, "bid": bid, "bidder": bidder}:
            return f"{does(who, 'calls', 'call')} {voice.of(bidder)} {Bid(*bid)} exact."
        case {"kind": "reveal", "caller": caller, "call": call, "right": right}:
            cups = ", ".join(
                f"{voice.name(who)} {' '.join(map(str, sorted(dice)))}"
                for who, dice in event["faces"].items()
            )
            found = counted(event["count"], Bid(*event["bid"]), event["palifico"])
            return f"The cups show {cups}: {found}, and {voice.verdict(caller, call, right)}."
        case {"kind": "loss", "seat": who, "left": 0}:
            return f"{does(who, 'loses the', 'lose your')} last die."
        case {"kind": "loss", "seat": who, "left": left}:
            return f"{does(who, 'loses a die and has', 'lose a die and have')} {left} left."
        case {"kind": "gain", "seat": who, "left": left}:
            return f"{does(who, 'wins a die back and has', 'win a die back and have')} {left} now."
        case {"kind": "full", "seat": who, "left": left}:
            return f"{does(who, 'keeps', 'keep')} {left} dice: nobody can have more."
        case {"kind": "left", "seat": who, "lost": lost}:
            gone = does(who, "has left the table and loses", "have left the table and lose")
            return f"{gone} {'the last die' if lost == 1 else f'all {lost} dice'}."
        case {"kind": "out", "seat": who, "place": place}:
            return f"{voice.out(who, place)}."
        case {"kind": "over", "winners": []}:
            return "The game is over: everybody has left."
        case {"kind": "over", "winners": winners}:
            return f"{voice.win(winners, ' the game')}."
    raise ValueError(f"no such event in this game: {event['kind']!r}")


def brief(event: Event, seat: Seat | None) -> Brief | None:
    """The short form of that sentence: the bids of a round in one line."""
    name = DudoVoice(seat).name
    match event:
        case {"kind": "round", "round": number}:
            return Brief(f"Round {number}", "bids")
        case {"kind": "palifico"}:
            return Brief("palifico", "bids", ", ")
        case {"kind": "bid", "seat": who, "bid": bid}:
            return Brief(f"{name(who)} {Bid(*bid)}", "bids", ", ")
        case {"kind": "doubt", "seat": who}:
            return Brief(f"{name(who)} Dudo!", "bids", ", ")
        case {"kind": "exact", "seat": who}:
            return Brief(f"{name(who)} exact", "bids", ", ")
        case {"kind": "reveal", "count": count, "bid": bid}:
            return Brief(f"Found: {Bid(count, bid[1])}", "cups")
        case {"kind": "loss", "seat": who, "left": left}:
            return Brief(f"{name(who)} {left} left", "cups", ", ")
        case {"kind": "gain", "seat": who, "left": left}:
            return Brief(f"{name(who)} {left} now", "cups", ", ")
    return None
