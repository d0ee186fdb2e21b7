"""The one sentence for each event, as it is said to one seat, on a screen or aloud.

Rule 1: a sentence is complete by itself and names everybody; "you" is the seat it is said to.
Rule 2: every card that is played is told with the running total (FA-R16).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sobremesa import Brief, Event, Face, Seat, Voice, capital, counted, listed

from .cards import MOST, is_number, name
from .state import BOMBED, BUST


def way(direction: int) -> str:
    return "clockwise" if direction == 1 else "counter-clockwise"


def describe(event: Event, seat: Seat | None) -> str:
    """The sentence for an event, as said to a seat (None: to a spectator)."""
    return capital(_sentence(event, Voice(seat)))


def _sentence(event: Event, voice: Voice) -> str:
    does = voice.does
    match event:
        case {"kind": "teams", "teams": teams}:
            who = [f"team {n} is {voice.names(team)}" for n, team in enumerate(teams, 1)]
            return f"There are two teams: {listed(who)}."
        case {"kind": "no_teams", "least": least}:
            return f"Teams need {least} players, so everybody plays alone."
        case {"kind": "hand", "hand": number, "starter": who, "cards": cards}:
            starts = does(who, "starts", "start")
            return f"Hand {number}, {cards} cards each: the total is 0 and {starts}."
        case {"kind": "play", "seat": who, "card": card, "total": total, "left": 0}:
            made = f"makes it {total}" if is_number(card) else "has no effect any more"
            plays = does(who, "plays the last card in hand", "play your last card")
            return f"{plays}, {name(card)}, which {made}: the hand is over."
        case {"kind": "play", "seat": who, "card": card, "total": total, "left": left}:
            plays = does(who, "plays", "play")
            return f"{plays} {name(card)}: the total is {total}{_low(left, who, voice)}."
        case {"kind": "reverse", "direction": direction, "living": living}:
            if living == 2:
                return "Between two players REVERSE only passes the turn."
            return f"Play now goes {way(direction)}."
        case {"kind": "skip", "seat": who}:
            return f"{does(who, 'is', 'are')} skipped."
        case {"kind": "draw", "drawn": drawn, "count": count}:
            return _drawn(drawn, count, voice)
        case {"kind": "reshuffle", "cards": cards}:
            new = "is the new one" if cards == 1 else "are shuffled into a new one"
            return f"The draw pile is empty: {counted(cards, 'discard')} {new}."
        case {"kind": "redeal", "seat": who, "cards": cards, "dealt": dealt}:
            shares = listed([f"{voice.name(s)} {n}" for s, n in dealt.items()])
            return f"All hands, {cards} cards, are shuffled and dealt again: {shares}."
        case {"kind": "zeros", "seats": seats}:
            return f"{voice.do(seats, 'discards', 'discard')} a 0 because of the BOMB."
        case {"kind": "emptied", "seats": seats}:
            have = voice.do(seats, "has", "have")
            return f"{have} no card left after the BOMB: the hand is over."
        case {"kind": "opened", "hands": hands}:
            return f"The hands are opened: {_held(hands, voice)}."
        case {"kind": "flip"}:
            return _flipped(event, voice)
        case {"kind": "left", "seat": who}:
            return f"{does(who, 'has', 'have')} left the table for good."
        case {"kind": "out", "seat": who, "place": place}:
            return f"{voice.out(who, place)}."
        case {"kind": "sudden", "standing": standing}:
            return _standing(standing, voice)
        case {"kind": "over", "winners": []}:
            return "Nobody is left, so nobody wins."
        case {"kind": "over", "winners": winners}:
            return f"{voice.win(winners, ' the game')}."
    raise ValueError(f"no such event in this game: {event['kind']!r}")


def _low(left: int, who: Seat, voice: Voice) -> str:
    """That a player is about to end the hand."""
    if left > 2:
        return ""
    return f", and {voice.does(who, 'has', 'have')} {counted(left, 'card')} left"


def _drawn(drawn: Mapping[Seat, int], count: int, voice: Voice) -> str:
    full = [seat for seat, got in drawn.items() if got == count]
    short = {seat: got for seat, got in drawn.items() if got < count}
    each = " each" if len(full) > 1 else ""
    parts = [f"{voice.do(full, 'draws', 'draw')} {counted(count, 'card')}{each}"] if full else []
    parts += [f"{voice.does(s, 'draws', 'draw')} {got or 'none'}" for s, got in short.items()]
    why = ", for there are no more cards" if short else ""
    return f"{listed(parts)}{why}."


def _held(hands: Mapping[Seat, Sequence[Face]], voice: Voice) -> str:
    return "; ".join(
        f"{voice.does(seat, 'held', 'held')} {listed([name(face) for face in faces])}"
        for seat, faces in hands.items()
    )


def _flipped(event: Event, voice: Voice) -> str:
    """Why ALIVE cards are flipped, by whom, and how many are left."""
    sides: list[Mapping[str, Any]] = event["sides"]
    seats: list[Seat] = event["seats"]
    flips = listed([_side_flips(side, voice) for side in sides])
    if event["reason"] == BUST:
        has = voice.does(seats[0], "has", "have")
        why = f"At {event['total']} {has} only cards that go over {MOST}"
        return f"{why}: {flips}, and the total is 0."
    if event["reason"] == BOMBED:
        return f"{voice.do(seats, 'has', 'have')} no 0 for the BOMB: {flips}."
    return f"The hand is over: {flips}."


def _side_flips(side: Mapping[str, Any], voice: Voice) -> str:
    if side["team"]:
        who = "your team" if voice.seat in side["seats"] else side["name"]
        flips = f"{who} flips"
    else:
        flips = voice.does(side["name"], "flips", "flip")
    cards = "an ALIVE card" if side["flipped"] == 1 else f"{side['flipped']} ALIVE cards"
    return f"{flips} {cards} ({side['left']} left)"


def _standing(standing: Mapping[Seat, Sequence[int]], voice: Voice) -> str:
    shares = [
        f"{voice.does(seat, 'has', 'have')} {counted(alive, 'ALIVE card')} "
        f"and numbers worth {held} in hand"
        for seat, (alive, held) in standing.items()
    ]
    return f"Sudden death ends the game: {'; '.join(shares)}."


def brief(event: Event, seat: Seat | None) -> Brief | None:
    """The short form of that sentence: a card and the total it makes."""
    who = Voice(seat).name
    match event:
        case {"kind": "hand", "hand": number}:
            return Brief(f"Hand {number}")
        case {"kind": "play", "seat": player, "card": card, "total": total, "left": left}:
            return Brief(
                f"{who(player)} {name(card)} = {total}{'' if left else ', hand over'}", "card"
            )
        case {"kind": "reverse", "direction": direction, "living": living} if living > 2:
            return Brief(way(direction), "card", ", ")
        case {"kind": "skip", "seat": player}:
            return Brief(f"{who(player)} skipped", "card", ", ")
    return None
