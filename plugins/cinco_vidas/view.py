"""What a seat sees of the table.

Rule 1: only the faces handed in are shown, and those of cards that lie open. In the one-card round
a player sees all cards but one, so covered and open ones stand side by side.
Rule 2: whoever bids can read off what all others said (CV-R19): the sum, and what is barred.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sobremesa import (
    Block,
    Cards,
    Cell,
    Counter,
    Face,
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
    if state.losses:
        return _round_over(state, faces, voice)
    blocks = _table(state, seat, faces, voice)
    if state.trick and state.turn is None:
        # The last card lies there for a beat before somebody takes the trick.
        best = state.trick[winning([played.face for played in state.trick])].seat
        before = dict(state.won) | {best: state.won[best] - 1}
        beat = _table(state, seat, faces, voice, won=before, open_trick=True)
        return View(_phase(state), blocks, (beat,))
    return View(_phase(state), blocks)


def _table(
    state: State,
    seat: Seat | None,
    faces: Faces,
    voice: Voice,
    *,
    won: Mapping[Seat, int] | None = None,
    open_trick: bool = False,
) -> tuple[Block, ...]:
    blocks: list[Block] = [_headline(state, voice, open_trick=open_trick), *_remarks(state, voice)]
    blocks += [Gap(), _seats(state, faces, state.won if won is None else won)]
    blocks += _beside(state, voice)
    if seat is not None and state.hands.get(seat):
        blocks += _hand(state, seat, faces)
    return tuple(blocks)


def _phase(state: State) -> str:
    n = "one card" if state.cards == 1 else f"{state.cards} cards"
    return f"round {state.round}, {n}"


def _is_bidding(state: State) -> bool:
    return len(state.bids) < len(state.won)


# Before and while the cards are played.


def _headline(state: State, voice: Voice, *, open_trick: bool) -> Headline:
    if _is_bidding(state):
        what = "One-card round" if state.cards == 1 else "Bidding"
        return Headline(what, f"{bid_sum(state.total, state.cards)} so far")
    if state.trick:
        return _trick(state, voice, open_trick=open_trick)
    if state.turn is not None:
        leads = voice.does(state.turn, "leads", "lead")
        return Headline(f"Trick {state.tricks + 1} of {state.cards}", leads)
    return Headline("Everybody has spoken", bid_sum(state.total, state.cards))


def _trick(state: State, voice: Voice, *, open_trick: bool) -> Headline:
    if state.cards == 1:
        return Headline("The cards are open", bid_sum(state.total, state.cards))
    number = state.cards - len(state.hands[state.trick[0].seat])
    head = f"Trick {number} of {state.cards}"
    if open_trick:
        return Headline(head, "all cards are there")
    best = state.trick[winning([played.face for played in state.trick])]
    takes = f"{voice.of(best.seat)} {card_name(best.face)} takes it"
    return Headline(head, takes + ("" if state.turn is None else " so far"))


def _remarks(state: State, voice: Voice) -> Iterator[Block]:
    if _is_bidding(state):
        yield from _last_bidder(state, voice)
    yield from _forced(state, voice)


def _forced(state: State, voice: Voice) -> Iterator[Block]:
    """Why the last of a one-card round had no choice, until the round is over (CV-R9)."""
    if state.forced is not None:
        who, wins, must = state.forced
        has = capital(voice.does(who, "has", "have"))
        yield Text(f"{has} to say {must}: {why_forced(wins)}.", "warn")


def _beside(state: State, voice: Voice) -> Iterator[Block]:
    """The trick before this one, and how the bids stand to the tricks."""
    if state.cards == 1 or _is_bidding(state):
        return
    if state.last_trick:
        cards = tuple(played.face for played in state.last_trick)
        winner = state.last_trick[winning(cards)].seat
        yield Hand("Last trick", Cards(cards), area="side")
        yield Text(f"went to {voice.name(winner)}", "dim", "side")
        yield Gap("side")
    spare = state.total - state.cards
    much = f"{spare} too many" if spare > 0 else f"{-spare} too few" if spare else "even"
    yield Text(f"{bid_sum(state.total, state.cards)}: {much}.", area="side")


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


def _seats(state: State, faces: Faces, won: Mapping[Seat, int]) -> Seats:
    """A line for each seat: how it stands, and its card, where cards are played."""
    bidding, one = _is_bidding(state), state.cards == 1
    columns = ("bid", "won", "", "lives") if not (bidding or one) else ("bid", "lives")
    rows = []
    for seat in state.seats:
        cells: list[Cell] = [_bid(state, seat)]
        if len(columns) == 4:
            cells += _tricks(state.bids.get(seat), won.get(seat, 0))
        cells.append(Counter(max(0, state.lives[seat]), LIVES, "lives"))
        lies = _lies(state, seat, faces) if one or not bidding else None
        badge = "deals" if seat == state.dealer else ""
        rows.append(
            Row(seat, tuple(cells), seat == state.turn, state.lives[seat] <= 0,
                lies=lies, badge=badge)
        )  # fmt: skip
    lies_there = one or not bidding
    return Seats(columns, tuple(rows), lies=("card" if one else "plays") * lies_there)


def _tricks(bid: int | None, won: int) -> tuple[Cell, Cell]:
    """The tricks that a seat has won of those that it bid, and what that comes to."""
    if bid is None:
        return "", ""
    if won > bid:
        return Counter(won, bid, "boxes"), f"{won - bid} over"
    return Counter(won, bid, "boxes"), "exact" if won == bid else f"needs {bid - won}"


def _lies(state: State, seat: Seat, faces: Faces) -> Cards:
    """The card of a seat in this trick, or its only card, seen or covered."""
    covered = state.hands.get(seat, ()) if state.cards == 1 else ()
    trick = state.trick or (state.last_trick if state.cards == 1 else ())
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
    notes = tuple(_note(state, face) for face in own) if can_play and state.trick else ()
    playable = tuple(range(len(own))) if can_play else None
    return [Hand("Your hand", Cards(own, playable, notes=notes))]


def _note(state: State, face: Face | None) -> str:
    """What a card would do to the trick as it lies."""
    if face is None:
        return ""
    trick = [played.face for played in state.trick]
    return "high" if winning([*trick, face]) == len(trick) else "low"


# When a round is over: the bids against the tricks, then what they cost.


def _round_over(state: State, faces: Faces, voice: Voice) -> View:
    head = Headline(f"Round {state.round} is over", bid_sum(state.total, state.cards))
    cost = Text(_cost(state, voice), "headline")
    before = {seat: lives + state.losses.get(seat, 0) for seat, lives in state.lives.items()}
    forced = tuple(_forced(state, voice))

    def shown(lives: Mapping[Seat, int], *middle: Block, loses: bool = True) -> tuple[Block, ...]:
        return (head, *middle, *forced, Gap(), _results(state, faces, lives, loses=loses))

    beats = (shown(before, loses=False), shown(before, cost))
    return View(_phase(state), shown(state.lives, cost), beats)


def _results(state: State, faces: Faces, lives: Mapping[Seat, int], *, loses: bool) -> Seats:
    one, rows = state.cards == 1, []
    for seat in state.seats:
        bid, won = state.bids.get(seat), state.won.get(seat, 0)
        lost = state.losses.get(seat)
        said = "" if lost is None or not loses else f"loses {lost}" if lost else "exact"
        cells = (_bid(state, seat), "" if bid is None else won,
                 Counter(max(0, lives[seat]), LIVES, "lives"))  # fmt: skip
        lies = _lies(state, seat, faces) if one else None
        rows.append(Row(seat, cells, out=lives[seat] <= 0, said=said, lies=lies))
    return Seats(("bid", "won", "lives"), tuple(rows), said="result", lies="card" * one)


def _cost(state: State, voice: Voice) -> str:
    """Who missed and what it costs, in one sentence."""
    missed = [seat for seat, lost in state.losses.items() if lost]
    costs = [f"{voice.name(seat)} {state.losses[seat]}" for seat in missed]
    return f"Lives lost: {', '.join(costs)}."


# When all is over.


def _winners(state: State, voice: Voice) -> Headline:
    return Headline(capital(voice.win(state.places[0])))


def _ranking(state: State) -> Seats:
    ranks = state.ranks()
    lives = {seat: Counter(max(0, n), LIVES, "lives") for seat, n in state.lives.items()}
    rows = (Row(seat, (ranks[seat], lives[seat])) for seat in state.seats)
    return Seats(("place", "lives"), tuple(rows))
