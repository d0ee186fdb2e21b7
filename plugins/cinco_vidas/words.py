"""The one sentence for each event, as it is said to one seat, on a screen or aloud.

Rule 1: a sentence is complete by itself and names everybody; "you" is the seat it is said to.
"""

from __future__ import annotations

from sobremesa import Brief, Event, Seat, Voice, capital, card_name, card_sign, counted, listed

from .questions import SAID, why_forced


def bid_sum(total: int, cards: int) -> str:
    """The running sum: `3 bid for 5 tricks`, or `1 win said` where there is one card."""
    return f"{counted(total, 'win')} said" if cards == 1 else f"{total} bid for {cards} tricks"


def describe(event: Event, seat: Seat | None) -> str:
    """The sentence for an event, as said to a seat (None: to a spectator)."""
    return capital(_sentence(event, Voice(seat)))


def _sentence(event: Event, voice: Voice) -> str:
    does = voice.does
    match event:
        case {"kind": "round", "round": number, "cards": 1, "dealer": dealer, "first": first}:
            return (
                f"Round {number}, one card each: players see every card but their own, "
                f"{does(first, 'decides', 'decide')} first and {does(dealer, 'deals', 'deal')}."
            )
        case {"kind": "round", "round": number, "cards": n, "dealer": dealer, "first": first}:
            deals = does(dealer, "deals", "deal")
            return f"Round {number}, {n} cards each: {deals}, {does(first, 'bids', 'bid')} first."
        case {"kind": "forced", "seat": who, "wins": wins, "must": must}:
            decides = does(who, "decides", "decide")
            return f"{decides} last and can only say {must}: {why_forced(wins)}."
        case {"kind": "bid", "seat": who, "bid": bid, "total": total, "cards": n}:
            said = does(who, "says", "say") if n == 1 else does(who, "bids", "bid")
            bid = SAID[bid] if n == 1 else bid
            return f"{said} {bid}: {bid_sum(total, n)} so far."
        case {"kind": "play", "seat": who, "card": card}:
            return f"{does(who, 'plays', 'play')} the {card_name(card)}."
        case {"kind": "reveal", "cards": cards}:
            shown = listed([f"{voice.name(who)} the {card_name(card)}" for who, card in cards])
            return f"The cards are opened: {shown}."
        case {"kind": "trick", "seat": who, "card": card, "cards": 1}:
            return f"{does(who, 'wins', 'win')} the trick with the {card_name(card)}."
        case {"kind": "trick", "seat": who, "card": card, "won": won, "bid": bid}:
            wins = does(who, "wins", "win")
            return f"{wins} the trick with the {card_name(card)} ({won} won, {bid} bid)."
        case {"kind": "round_over", "round": number, "bids": bids}:
            results = "; ".join(_result(event, who, voice) for who in bids)
            return f"Round {number} is over: {results}."
        case {"kind": "loss", "seat": who, "left": 0}:
            return f"{does(who, 'has', 'have')} no lives left."
        case {"kind": "loss", "seat": who, "lost": lost, "left": left}:
            loses = does(who, "loses", "lose")
            has = "have" if who == voice.seat else "has"
            return f"{loses} {_lives(lost)} and {has} {left} left."
        case {"kind": "left", "seat": who, "lost": lost}:
            gone = does(who, "has left the table and loses", "have left the table and lose")
            return f"{gone} {'the last life' if lost == 1 else f'all {lost} lives'}."
        case {"kind": "back", "seats": seats}:
            play = voice.do(seats, "plays", "play")
            return f"{play} on with 1 life, since nobody had any left."
        case {"kind": "wipeout", "levels": levels}:
            stands = listed([f"{voice.name(who)} {_level(at)}" for who, at in levels.items()])
            return f"Nobody is left in the game, so this round decides the places: {stands}."
        case {"kind": "out", "seat": who, "place": place}:
            return f"{voice.out(who, place)}."
        case {"kind": "over", "winners": winners}:
            return f"{voice.win(winners, ' the game')}."
    raise ValueError(f"no such event in this game: {event['kind']!r}")


def _result(event: Event, who: Seat, voice: Voice) -> str:
    """What one player said and got: `Ana bid 2 and won 0, minus 2 lives`."""
    bid, won, lost = (event[key][who] for key in ("bids", "won", "lost"))
    if event["cards"] == 1:
        was = voice.does(who, "was", "were")
        deed = f"{was} {'wrong' if lost else 'right'} to say {SAID[bid]}"
    else:
        deed = f"{voice.name(who)} bid {bid} and won {won}"
    return f"{deed}, minus {_lives(lost)}" if lost else deed


def _lives(number: int) -> str:
    return "1 life" if number == 1 else f"{number} lives"


def _level(lives: int) -> str:
    """How far somebody is from having no lives: `at 0`, `2 below 0`, `with 3 lives`."""
    if lives > 0:
        return f"with {_lives(lives)}"
    return f"{-lives} below 0" if lives else "at 0"


def brief(event: Event, seat: Seat | None) -> Brief | None:
    """The short form of that sentence: the bids of a round in one line, and each trick in one."""
    name = Voice(seat).name
    match event:
        case {"kind": "round", "round": number, "cards": cards}:
            return Brief(f"Round {number}, {counted(cards, 'card')}", "bids")
        case {"kind": "forced"}:
            return Brief("")
        case {"kind": "bid", "seat": who, "bid": bid, "cards": cards}:
            return Brief(f"{name(who)} {SAID[bid] if cards == 1 else bid}", "bids", ", ")
        case {"kind": "play", "seat": who, "card": card}:
            return Brief(f"{name(who)} {card_sign(card)}", "trick", "  ")
        case {"kind": "trick", "seat": who}:
            return Brief(
                f"{name(who)} {'take' if who == seat else 'takes'} it", "trick", ": ", last=True
            )
        case {"kind": "round_over", "round": number}:
            return Brief(f"Round {number} over", "end")
        case {"kind": "loss", "seat": who, "lost": lost, "left": left}:
            return Brief(f"{name(who)} -{lost} ({left} left)", "end", ", ")
    return None
