"""The one sentence for each event, as it is said to one seat, on a screen or aloud.

Rule 1: a sentence is complete by itself and names everybody; "you" is the seat it is said to.
Rule 2: what lies face down is never named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sobremesa.core.pieces import Seat
from sobremesa.core.requests import Event
from sobremesa.plugins.voice import Voice

from .board import ALL, SUIT_NAMES, name


def listed(words: Sequence[str]) -> str:
    """`Ana, Bea and Cai`."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def capital(text: str) -> str:
    """The text as the beginning of a sentence. Only our own "you" is changed, never a name."""
    return "Y" + text[1:] if text.startswith("you ") else text


def counted(number: int, thing: str) -> str:
    """`1 card`, `2 cards`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def tell(event: Event, seat: Seat | None) -> str:
    """The sentence for an event, as said to a seat (None: to a spectator)."""
    return capital(_told(event, Voice(seat)))


def _told(event: Event, voice: Voice) -> str:
    does = voice.does
    match event:
        case {"kind": "deal", "cards": cards, "choose": choose, "jokers": jokers}:
            action = f"{choose} of them become action cards, and there are {jokers} jokers"
            return f"The cards are dealt, {_hands(cards, voice)}: {action}."
        case {"kind": "reveal", "cards": cards}:
            opened = (f"{voice.name(who)} the {_cards(shown)}" for who, shown in cards.items())
            return f"The action cards are opened: {'; '.join(opened)}."
        case {"kind": "starter", "seat": who}:
            return f"{does(who, 'begins', 'begin')}."
        case {"kind": "extra", "seat": who}:
            return f"{does(who, 'has', 'have')} another card that fits and an extra turn."
        case {"kind": "play", "seat": who, "card": card}:
            return f"{does(who, 'plays', 'play')} the {name(card)}{_further(event, voice)}."
        case {"kind": "refill", "seat": who, "card": None, "left": left}:
            puts = does(who, "puts", "put")
            return f"{puts} a hand card face down in its place{_left(left)}."
        case {"kind": "refill", "seat": who, "card": card, "left": left}:
            puts = does(who, "puts", "put")
            return f"{puts} the {name(card)} face up in its place{_left(left)}."
        case {"kind": "joker", "seat": who, "joker": joker, "end": end, "stall": stall}:
            moves = does(who, "moves", "move")
            row = "" if stall == 1 else f", the {_nth(stall)} turn in a row without a card"
            if stall == event["limit"]:
                row += ", so now jokers must stay until something else happens"
            return f"{moves} the joker on the {name(joker)} to the {name(end)}{row}."
        case {"kind": "joker_removed", "seat": who, "joker": joker, "end": end, "left": left}:
            takes = does(who, "moves", "move")
            gone = f"out of the game by the {name(end)}"
            rest = "none is left" if not left else f"{counted(left, 'joker')} left"
            return f"{takes} the joker on the {name(joker)} {gone}: {rest}."
        case {"kind": "flip", "seat": who, "card": card, "left": left}:
            has, turns = ("has", "turns") if who != voice.seat else ("have", "turn")
            still = (
                f"{counted(left, 'action card')} still face up" if left else "none is face up now"
            )
            return (
                f"{voice.name(who)} {has} no valid move and {turns} the {name(card)} face down: "
                f"{still}."
            )
        case {"kind": "over", "how": "won"}:
            whom = "the players" if voice.seat is None else "you"
            return f"All {ALL} cards are placed: congratulations, {whom} won the game together!"
        case {"kind": "over", "how": "lost", "seat": who, "placed": placed}:
            has = does(who, "has", "have")
            return (
                f"The Joker wins: {has} no valid move and no face-up card to turn down, so the "
                f"game is lost with {placed} of {ALL} cards placed."
            )
        case {"kind": "over", "how": "gave_up", "seat": who}:
            gives = does(who, "gives", "give")
            return f"{gives} up, so the game is lost for everyone."
        case {"kind": "over", "how": "left"}:
            return "Someone left the game, so the room is canceled and the game is lost."
    raise ValueError(f"no such event in this game: {event['kind']!r}")


def _hands(cards: Mapping[Seat, int], voice: Voice) -> str:
    most, least = max(cards.values()), min(cards.values())
    if most == least:
        return f"{most} each"
    more = listed([voice.name(seat) for seat, count in cards.items() if count == most])
    return f"{most} to {more} and {least} to the others"


def _cards(faces: Sequence[str]) -> str:
    return listed([name(face) for face in faces])


def _further(event: Event, voice: Voice) -> str:
    """What else there is to say about a card that was played."""
    said = ", which lay face down" if event["covered"] else ""
    if event["joker"]:
        said += ", with a joker on top"
    if event["closes"]:
        closes = "close" if event["seat"] == voice.seat else "closes"
        comma = "," if said else ""
        said += f"{comma} and {closes} {SUIT_NAMES[event['card'][-1]]} at that end"
    return said


def _left(hand: int) -> str:
    return f", {counted(hand, 'card')} left in hand" if hand else ", the last one in hand"


def _nth(number: int) -> str:
    return {2: "2nd", 3: "3rd"}.get(number, f"{number}th")
