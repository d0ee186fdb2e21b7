"""The sentences of the game, as they are said to one seat, on a screen or aloud.

Rule 1: a sentence is complete by itself and names everybody; "you" is the seat it is said to.
"""

from __future__ import annotations

from collections.abc import Sequence

from sobremesa import Brief, Event, Seat, Voice, capital, counted, listed

from .cards import ACTIONS, ASSASSINATE, COUP, EXCHANGE, INCOME, STEAL, TAX, TITLES, coins, the
from .state import BLOCK, Claimed, Deed


def announced(voice: Voice, actor: Seat, action: str, target: Seat | None) -> str:
    """The action as it is announced, what it claims and what it is for."""
    aim = voice.name(target) if target is not None else ""
    does = voice.does
    match action:
        case "income":
            return does(actor, "takes income", "take income")
        case "aid":
            return does(actor, "asks for foreign aid", "ask for foreign aid")
        case "coup":
            pays = does(actor, "pays", "pay")
            return f"{pays} {coins(ACTIONS[COUP].cost)} for a coup against {aim}"
        case "assassinate":
            pays = does(actor, "pays", "pay")
            claims = "claim" if actor == voice.seat else "claims"
            cost = coins(ACTIONS[ASSASSINATE].cost)
            return f"{pays} {cost} and {claims} the Assassin, to assassinate {aim}"
    purpose = {
        TAX: f"to take {coins(ACTIONS[TAX].gain)}",
        STEAL: f"to steal from {aim}",
        EXCHANGE: "to exchange cards",
    }[action]
    role = ACTIONS[action].role
    assert role is not None
    return f"{does(actor, 'claims', 'claim')} {the(role)}, {purpose}"


def deed_said(seat: Seat | None, deed: Deed) -> str:
    """The action of this turn, as said to a seat."""
    return capital(announced(Voice(seat), deed.actor, deed.action.id, deed.target))


def claim_said(seat: Seat | None, deed: Deed, claim: Claimed) -> str:
    """A claim and what it is for, as said to a seat: `Bea claims the Lady, to block your steal`."""
    if claim.deed != BLOCK:
        return deed_said(seat, deed)
    voice = Voice(seat)
    claims = capital(voice.does(claim.seat, "claims", "claim"))
    return f"{claims} {the(claim.role)}, to block {voice.of(deed.actor)} {noun(deed.action.id)}"


def noun(action: str) -> str:
    """The action after a possessive: `Ana's steal`."""
    return ACTIONS[action].noun.removeprefix("the ")


def describe(event: Event, seat: Seat | None) -> str:
    """The sentence for an event, as said to a seat (None: to a spectator)."""
    return capital(_sentence(event, Voice(seat)))


def _sentence(event: Event, voice: Voice) -> str:
    match event["kind"]:
        case "start" | "turn" | "action" | "gain" | "stolen" | "exchanged" | "void":
            return _describe_action(event, voice)
        case "liar" | "block" | "shown" | "redrawn" | "caught" | "refund" | "blocked":
            return _describe_claim(event, voice)
        case "lost" | "left" | "out" | "over":
            return _describe_loss(event, voice)
    raise ValueError(f"no such event in this game: {event['kind']!r}")


def _describe_action(event: Event, voice: Voice) -> str:
    does = voice.does
    match event:
        case {"kind": "start", "starter": who, "coins": purse}:
            begins = does(who, "begins", "begin")
            if purse[who] != 1:
                return f"Everybody has two cards and {coins(purse[who])}, and {begins}."
            (other,) = (seat for seat in purse if seat != who)
            return (
                f"Both have two cards; {begins} with {coins(purse[who])}, "
                f"and {does(other, 'has', 'have')} {coins(purse[other])}."
            )
        case {"kind": "turn", "seat": who, "coins": purse, "coup": coup}:
            must = ": only a coup is allowed" if coup else ""
            return f"It is {voice.of(who)} turn, with {coins(purse)}{must}."
        case {"kind": "action", "seat": who, "action": action, "target": target}:
            return f"{announced(voice, who, action, target)}."
        case {"kind": "gain", "seat": who, "action": action, "amount": amount, "coins": purse}:
            source = "as income" if action == INCOME else f"of {noun(action)}"
            now = f"and {'have' if who == voice.seat else 'has'} {purse} now"
            return f"{does(who, 'takes', 'take')} {coins(amount)} {source} {now}."
        case {"kind": "stolen", "seat": who, "target": target, "amount": 0}:
            return f"{does(who, 'finds', 'find')} nothing to steal from {voice.name(target)}."
        case {"kind": "stolen", "seat": who, "target": target, "amount": amount, "coins": purse}:
            now = f"and {'have' if who == voice.seat else 'has'} {purse} now"
            takes = does(who, "steals", "steal")
            return f"{takes} {coins(amount)} from {voice.name(target)} {now}."
        case {"kind": "exchanged", "seat": who, "cards": kept}:
            keeps = does(who, "keeps", "keep")
            puts = "put" if who == voice.seat else "puts"
            return f"{keeps} {counted(kept, 'card')} and {puts} 2 cards back into the deck."
        case {"kind": "void", "seat": who, "action": action, "target": target}:
            is_out = does(target, "is", "are")
            return f"{voice.of(who)} {noun(action)} has no effect, since {is_out} out already."
    raise AssertionError(event)


def _describe_claim(event: Event, voice: Voice) -> str:
    does = voice.does
    match event:
        case {"kind": "liar", "seat": who, "claimant": claimant, "role": role, "others": others}:
            says = does(who, "says", "say")
            said = f"{says} Liar! to {voice.of(claimant)} {TITLES[role]}"
            return f"{said}{_first_of(voice, who, others)}."
        case {"kind": "block", "seat": who, "role": role, "actor": actor, "others": others}:
            blocks = does(who, "blocks", "block")
            said = f"{blocks} {voice.of(actor)} {noun(event['action'])} as {TITLES[role]}"
            return f"{said}{_first_of(voice, who, others)}."
        case {"kind": "shown", "seat": who, "role": role, "challenger": doubter}:
            shows = does(who, "shows", "show")
            return f"{shows} {the(role)}, so {does(doubter, 'was', 'were')} wrong to doubt it."
        case {"kind": "redrawn", "seat": who, "role": role}:
            puts = does(who, "shuffles", "shuffle")
            draws = "draw" if who == voice.seat else "draws"
            return f"{puts} {the(role)} back into the deck and {draws} a new card."
        case {"kind": "caught", "seat": who, "role": role, "challenger": doubter}:
            lacks = does(who, "does not hold", "do not hold")
            return f"{lacks} {the(role)}, so {does(doubter, 'was', 'were')} right to doubt it."
        case {"kind": "refund", "seat": who, "amount": amount, "coins": purse}:
            now = f"and {'have' if who == voice.seat else 'has'} {purse} now"
            return f"{does(who, 'gets', 'get')} the {coins(amount)} back {now}."
        case {"kind": "blocked", "seat": who, "action": action, "actor": actor}:
            gone = f", and the {coins(cost)} are gone" if (cost := ACTIONS[action].cost) else ""
            fails = f"{voice.of(actor)} {noun(action)} fails{gone}"
            return f"{voice.of(who)} block stands, so {fails}."
    raise AssertionError(event)


def _describe_loss(event: Event, voice: Voice) -> str:
    does = voice.does
    match event:
        case {"kind": "lost", "seat": who, "card": role, "left": 0}:
            last = "your last card" if who == voice.seat else "the last card"
            return f"{does(who, 'turns', 'turn')} up {the(role)}, {last}."
        case {"kind": "lost", "seat": who, "card": role, "left": left}:
            now = f"{'have' if who == voice.seat else 'has'} {counted(left, 'card')} left"
            return f"{does(who, 'turns', 'turn')} up {the(role)} and {now}."
        case {"kind": "left", "seat": who, "cards": roles}:
            gone = does(who, "has left the table and turns", "have left the table and turn")
            return f"{gone} up {listed([the(role) for role in roles])}."
        case {"kind": "out", "seat": who, "place": place}:
            return f"{voice.out(who, place)}."
        case {"kind": "over", "winners": []}:
            return "The game is over, since everybody has left."
        case {"kind": "over", "winners": winners}:
            return f"{voice.win(winners, ' the game')}."
    raise AssertionError(event)


def _first_of(voice: Voice, who: Seat, others: Sequence[Seat]) -> str:
    """That others wanted the same, and why they do not count (IN-R15, IN-R18)."""
    if not others:
        return ""
    return f"; so did {voice.names(others)}, but {voice.does(who, 'is', 'are')} first in turn"


def brief(event: Event, seat: Seat | None) -> Brief | None:
    """The short form of that sentence: what was done to whom, and what it came to, in one line."""
    name = Voice(seat).name
    match event:
        case {"kind": "turn"}:
            return Brief("")
        case {"kind": "action", "seat": who, "action": action, "target": target}:
            aim = f" {name(target)}" if target is not None else ""
            return Brief(f"{name(who)} {noun(action)}{aim}", "deed")
        case {"kind": "gain", "seat": who, "action": "income", "amount": amount}:
            return Brief(f"{name(who)} income, +{amount}", "deed")
        case {"kind": "gain", "amount": amount}:
            return Brief(f"+{amount}", "deed", ", ")
        case {"kind": "stolen", "amount": amount}:
            return Brief(f"+{amount}", "deed", ", ")
        case {"kind": "liar", "seat": who}:
            return Brief(f"{name(who)} Liar!", "deed", ", ")
        case {"kind": "block", "seat": who, "role": role}:
            return Brief(f"{name(who)} blocks as {TITLES[role]}", "deed", ", ")
        case {"kind": "shown", "role": role}:
            return Brief(f"true: {TITLES[role]}", "deed", ", ")
        case {"kind": "caught"}:
            return Brief("a lie", "deed", ", ")
        case {"kind": "redrawn" | "exchanged" | "blocked"}:
            return Brief("")
        case {"kind": "lost", "seat": who, "card": role}:
            return Brief(f"{name(who)} lost {TITLES[role]}", "deed", ", ")
    return None
