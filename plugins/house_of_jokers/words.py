"""The one sentence for each event, as it is said to one seat, on a screen or aloud.

Rule 1: a sentence is complete by itself and names everybody; "you" is the seat it is said to.
Rule 2: what lies face down is never named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sobremesa import (
    SUITS,
    Brief,
    Event,
    Seat,
    Voice,
    capital,
    card_name,
    card_sign,
    counted,
    listed,
)

from .state import ALL


def describe(event: Event, seat: Seat | None) -> str:
    """The sentence for an event, as said to a seat (None: to a spectator)."""
    return capital(_sentence(event, Voice(seat)))


def _sentence(event: Event, voice: Voice) -> str:
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
            return f"{does(who, 'has', 'have')} an extra turn."
        case {"kind": "play", "seat": who, "card": card}:
            return f"{does(who, 'plays', 'play')} the {card_name(card)}{_further(event, voice)}."
        case {"kind": "refill", "seat": who, "card": card, "left": left}:
            refills = does(who, "refills", "refill")
            if card is None:
                return f"{refills} face down{'' if left else ' with the last card in hand'}."
            return (
                f"{refills} with the {card_name(card)}{'' if left else ', the last card in hand'}."
            )
        case {"kind": "joker", "seat": who, "joker": joker, "end": end, "stall": stall}:
            moves = does(who, "moves", "move")
            stay = ", and now jokers must stay" if stall == event["limit"] else ""
            return f"{moves} the joker on the {card_name(joker)} to the {card_name(end)}{stay}."
        case {"kind": "joker_removed", "seat": who, "joker": joker, "end": end, "left": left}:
            takes = does(who, "moves", "move")
            gone = f"out of the game by the {card_name(end)}"
            rest = "none is left" if not left else f"{counted(left, 'joker')} left"
            return f"{takes} the joker on the {card_name(joker)} {gone}: {rest}."
        case {"kind": "flip", "seat": who, "card": card, "left": left}:
            turns = does(who, "has no valid move and turns", "have no valid move and turn")
            still = f"{left} still face up" if left else "none is face up now"
            return f"{turns} the {card_name(card)} face down: {still}."
        case {"kind": "over"}:
            return _over(event, voice)
    raise ValueError(f"no such event in this game: {event['kind']!r}")


def _over(event: Event, voice: Voice) -> str:
    """How the game ended, in the words that the screen has for it."""
    all_players = "the players" if voice.seat is None else "you"
    match event:
        case {"how": "won"}:
            return (
                f"{all_players.capitalize()} won! All {ALL} cards are placed: congratulations, "
                f"{all_players} won the game together!"
            )
        case {"how": "lost", "seat": who, "placed": placed}:
            has = voice.does(who, "has", "have")
            return (
                f"The Joker wins! Game over, {all_players} lost: {has} no valid move and no "
                f"face-up card to turn down, with {placed} of {ALL} cards placed."
            )
        case {"how": "gave_up", "seat": who}:
            return f"Game over, {all_players} lost: {voice.does(who, 'gives', 'give')} up."
    return f"Room canceled, {all_players} lost: someone left the game."


def _hands(cards: Mapping[Seat, int], voice: Voice) -> str:
    most, least = max(cards.values()), min(cards.values())
    if most == least:
        return f"{most} each"
    more = listed([voice.name(seat) for seat, count in cards.items() if count == most])
    return f"{most} to {more} and {least} to the others"


def _cards(faces: Sequence[str]) -> str:
    return listed([card_name(face) for face in faces])


def _further(event: Event, voice: Voice) -> str:
    """What else there is to say about a card that was played."""
    said = ", which lay face down" if event["covered"] else ""
    if event["joker"]:
        said += ", with a joker on top"
    if event["closes"]:
        closes = "close" if event["seat"] == voice.seat else "closes"
        comma = "," if said else ""
        said += f"{comma} and {closes} {SUITS[event['card'][-1]]} at that end"
    return said


def brief(event: Event, seat: Seat | None) -> Brief | None:
    """The short form of that sentence: a turn, which is a card and its refill, in one line."""
    name = Voice(seat).name
    match event:
        case {"kind": "reveal", "cards": cards}:
            opened = (f"{name(who)} {_signs(shown)}" for who, shown in cards.items())
            return Brief(f"Opened: {'; '.join(opened)}")
        case {"kind": "extra"}:
            return Brief("extra turn", "turn", ", ")
        case {"kind": "play", "seat": who, "card": card, "joker": joker}:
            return Brief(f"{name(who)} {card_sign(card)}{' with a joker' if joker else ''}", "turn")
        case {"kind": "refill", "card": card}:
            return Brief(
                f"refills {'face down' if card is None else card_sign(card)}", "turn", ", "
            )
        case {"kind": "joker", "seat": who, "joker": joker, "end": end}:
            return Brief(f"{name(who)} joker {card_sign(joker)} to {card_sign(end)}")
        case {"kind": "joker_removed", "seat": who, "joker": joker, "left": left}:
            return Brief(f"{name(who)} joker {card_sign(joker)} out, {left} left")
        case {"kind": "flip", "seat": who, "card": card}:
            return Brief(f"{name(who)} {card_sign(card)} face down")
    return None


def _signs(faces: Sequence[str]) -> str:
    return " ".join(map(card_sign, faces))
