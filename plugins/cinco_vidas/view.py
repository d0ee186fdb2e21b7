"""What a seat sees of the table.

Rule 1: only the faces handed in are shown, and those of cards that lie open. In the one-card round
a player sees all cards but one, so covered and open ones stand side by side.
Rule 2: whoever bids can read off what all others said (CV-R19): the sum, and what is barred.
"""

from __future__ import annotations

from collections.abc import Iterator

from sobremesa import (
    Block,
    Cards,
    Cell,
    Counter,
    Faces,
    Gap,
    Hand,
    Headline,
    Row,
    Seat,
    Seats,
    Text,
    View,
    Voice,
    capital,
    card_name,
)

from .questions import SAID, why_forced
from .state import LIVES, State, winning
from .words import bid_sum


def view(state: State, seat: Seat | None, faces: Faces) -> View:
    """Draw the table for a seat; None is a spectator."""
    voice = Voice(seat)
    if state.places:
        return View("game over", (_winners(state, voice), Gap(), _ranking(state)))
    blocks: list[Block] = [_headline(state, voice), Gap(), _seats(state, faces), Gap()]
    blocks += _remarks(state, voice)
    if seat is not None and state.hands.get(seat):
        blocks += _hand(state, seat, faces)
    return View(_phase(state), tuple(blocks))


def _phase(state: State) -> str:
    n = "one card" if state.cards == 1 else f"{state.cards} cards"
    return f"round {state.round}, {n}"


def _is_bidding(state: State) -> bool:
    return not state.losses and len(state.bids) < len(state.won)


# Before and while the cards are played.


def _headline(state: State, voice: Voice) -> Headline:
    if state.losses:
        return Headline(f"Round {state.round} is over", bid_sum(state.total, state.cards))
    if _is_bidding(state):
        what = "One-card round" if state.cards == 1 else "Bidding"
        return Headline(what, f"{bid_sum(state.total, state.cards)} so far")
    if state.trick:
        return _trick(state, voice)
    if state.turn is not None:
        leads = voice.does(state.turn, "leads", "lead")
        return Headline(f"Trick {state.tricks + 1} of {state.cards}", leads)
    return Headline("Everybody has spoken", bid_sum(state.total, state.cards))


def _trick(state: State, voice: Voice) -> Headline:
    if state.cards == 1:
        return Headline("The cards are open", bid_sum(state.total, state.cards))
    best = state.trick[winning([played.face for played in state.trick])]
    takes = f"{voice.of(best.seat)} {card_name(best.face)} takes it"
    number = state.cards - len(state.hands[state.trick[0].seat])
    so_far = "" if state.turn is None else " so far"
    return Headline(f"Trick {number} of {state.cards}", takes + so_far)


def _remarks(state: State, voice: Voice) -> Iterator[Block]:
    if state.losses:
        yield Text(_cost(state, voice), "headline")
    elif _is_bidding(state):
        yield from _last_bidder(state, voice)
    elif state.cards > 1:
        spare = state.total - state.cards
        much = f"{spare} too many" if spare > 0 else f"{-spare} too few"
        yield Text(f"{bid_sum(state.total, state.cards)}: {much}.")
    if state.forced is not None:
        who, wins, must = state.forced
        has = capital(voice.does(who, "has", "have"))
        yield Text(f"{has} to say {must}: {why_forced(wins)}.", "warn")


def _last_bidder(state: State, voice: Voice) -> Iterator[Block]:
    """What the one who speaks last may not say (CV-R7, CV-R9)."""
    dealer = state.dealer
    if state.turn != dealer:
        if state.cards > 1:
            last = voice.does(dealer, "deals and bids", "deal and bid")
            yield Text(capital(f"{last} last: the total may not be {state.cards}."))
        else:
            last = voice.does(dealer, "deals and decides", "deal and decide")
            after_two = ", and after 2 only lose is left" if state.literal else ""
            yield Text(capital(f"{last} last: the wins said may not be 1{after_two}."))
    elif state.cards > 1:
        barred = state.barred()
        last = capital(voice.does(dealer, "bids", "bid"))
        if barred is None:
            yield Text(f"{last} last and may say any number: {bid_sum(state.total, state.cards)}.")
        else:
            yield Text(f"{last} last and may not say {barred}: the total would be {state.cards}.",
                       "warn")  # fmt: skip


def _cost(state: State, voice: Voice) -> str:
    """Who missed and what it costs, in one sentence."""
    missed = [seat for seat, lost in state.losses.items() if lost]
    costs = [f"{voice.name(seat)} {state.losses[seat]}" for seat in missed]
    return f"Lives lost: {', '.join(costs)}."


def _seats(state: State, faces: Faces) -> Seats:
    """A line for each seat: its cards, where cards are played, then how it stands."""
    columns: list[str] = []
    if state.cards == 1:
        columns = ["card"]
    elif not (state.losses or _is_bidding(state)):
        columns = ["plays", "before"]
    heads = (*columns, "bid", "won", *["loses"] * bool(state.losses), "lives")
    rows = []
    for seat in state.seats:
        cells: list[Cell] = [_cards(state, seat, column, faces) for column in columns]
        cells += [_bid(state, seat), state.won.get(seat, "")]
        if state.losses:
            cells.append(state.losses.get(seat) or "")
        cells.append(Counter(max(0, state.lives[seat]), LIVES, "pips"))
        rows.append(Row(seat, tuple(cells), seat == state.turn, state.lives[seat] <= 0))
    return Seats(heads, tuple(rows))


def _cards(state: State, seat: Seat, column: str, faces: Faces) -> Cards:
    """The card of a seat in this trick or the one before, or its only card, seen or covered."""
    covered = state.hands.get(seat, ()) if column == "card" else ()
    trick = state.last_trick if column == "before" else state.trick
    if column == "card":
        trick = state.trick or state.last_trick
    lies = tuple(played.face for played in trick if played.seat == seat)
    return Cards(lies or tuple(faces.get(card) for card in covered))


def _bid(state: State, seat: Seat) -> Cell:
    bid = state.bids.get(seat)
    if bid is None:
        return ""
    return SAID[bid] if state.cards == 1 else bid


def _hand(state: State, seat: Seat, faces: Faces) -> list[Block]:
    hand = state.hands[seat]
    own = tuple(faces.get(card) for card in hand)
    if state.cards == 1:
        others = tuple(s for s in state.bidders() if s != seat)
        seen = Cards(tuple(faces.get(state.hands[s][0]) for s in others), labels=others)
        return [Hand("You see", seen), Hand("Your card", Cards(own))]
    can_play = state.turn == seat and not _is_bidding(state)
    return [Hand("Your hand", Cards(own, tuple(range(len(own))) if can_play else None))]


# When all is over.


def _winners(state: State, voice: Voice) -> Headline:
    return Headline(capital(voice.win(state.places[0])))


def _ranking(state: State) -> Seats:
    ranks = state.ranks()
    lives = {seat: Counter(max(0, n), LIVES, "pips") for seat, n in state.lives.items()}
    rows = (Row(seat, (ranks[seat], lives[seat])) for seat in state.seats)
    return Seats(("place", "lives"), tuple(rows))
