"""Cinco Vidas as its rule book tells it. The numbers are those of the rules, CV-R1 to CV-R20.

Rule 1: every change is told as it happens, so that log and screen need nothing else.
"""

from __future__ import annotations

from sobremesa import (
    PACK,
    Answer,
    Ask,
    Card,
    Face,
    Gone,
    Mark,
    Options,
    Outcome,
    Reveal,
    Script,
    Seat,
    Show,
    Shuffle,
    Tell,
    Toss,
    card_rank,
    listed,
    ranked,
)

from .questions import BID, SAID, Bid, Decide, Play
from .state import LIVES, MOST_CARDS, Forced, Played, State, winning


def play(seats: tuple[Seat, ...], options: Options) -> Script[Outcome]:
    """The whole game: rounds until no more than one player has lives."""
    dealer = yield Toss(len(seats), "dealer")  # CV-R4
    literal, replay = options["one_card_last"] == "literal", options["wipeout"] == "replay"
    state = State(seats, literal, replay, seats[dealer], dict.fromkeys(seats, LIVES))
    while len(state.playing()) > 1:
        yield from _deal(state)
        yield from _bidding(state)
        if state.cards == 1:
            yield from _open_cards(state)
        else:
            leader = next(iter(state.bids))  # CV-R11
            for _ in range(state.cards):
                leader = yield from _play_trick(state, leader)
        yield from _settle(state)
    return (yield from _finish(state))


def _deal(state: State) -> Script[None]:
    if state.round:
        state.dealer = state.left_of(state.dealer)  # CV-R4
    state.cards = MOST_CARDS - state.round % MOST_CARDS  # CV-R3
    state.round += 1
    state.hands, state.bids, state.losses = {}, {}, {}
    state.won = dict.fromkeys(state.playing(), 0)
    state.forced = None
    state.last_trick = ()
    order = state.bidders()
    yield Mark(state)
    pack: tuple[Card, ...] = yield Shuffle(PACK)
    n = state.cards
    hands = {seat: pack[place * n : (place + 1) * n] for place, seat in enumerate(order)}
    if n == 1:  # CV-R8
        seers = {seat: tuple(other for other in order if other != seat) for seat in order}
    else:
        seers = {seat: (seat,) for seat in order}
    yield Show({card: seers[seat] for seat, hand in hands.items() for card in hand})
    state.hands = hands
    state.turn = order[0]
    # Told only now, so that the hands are in sight, and the round before until they are.
    yield Tell("round", round=state.round, cards=state.cards, dealer=state.dealer, first=order[0])


def _bidding(state: State) -> Script[None]:
    order = state.bidders()
    for seat, following in zip(order, (*order[1:], None), strict=True):
        question = _decision(state, order) if state.cards == 1 else _bid(state, order)
        if isinstance(question, Decide) and question.forced:
            state.forced = Forced(seat, state.total, question.default.move)
            yield Tell("forced", **state.forced._asdict())
        answer: Answer = yield Ask(seat, question)
        bid = answer.args[0] if answer.move == BID else SAID.index(answer.move)
        state.bids[seat] = bid
        state.turn = following
        yield Tell("bid", seat=seat, bid=bid, total=state.total, cards=state.cards)


def _bid(state: State, order: list[Seat]) -> Bid:
    seat = order[len(state.bids)]
    return Bid(state.cards, state.total, state.barred(), state.hands[seat], len(order))


def _decision(state: State, order: list[Seat]) -> Decide:
    place = len(state.bids)
    cards = [state.hands[seat][0] for seat in order]
    no = state.barred()
    before, after = tuple(cards[:place]), tuple(cards[place + 1 :])
    return Decide(state.total, no, before, after, forced=no is not None)


def _open_cards(state: State) -> Script[None]:
    """Nobody plays: the cards are opened and stand in the order of the bids (CV-R10)."""
    order = list(state.bids)
    cards = [state.hands[seat][0] for seat in order]
    faces: tuple[Face, ...] = yield Reveal(cards)
    state.hands = dict.fromkeys(order, ())
    state.trick = [Played(*played) for played in zip(order, cards, faces, strict=True)]
    yield Tell("reveal", cards=[[played.seat, played.face] for played in state.trick])
    yield from _take_trick(state)


def _play_trick(state: State, leader: Seat) -> Script[Seat]:
    """A card from everybody; the winner leads the next trick (CV-R11)."""
    order = state.playing_from(leader)
    state.turn = leader
    for place, seat in enumerate(order, 1):
        card, face = yield from _play_card(state, seat, len(order) - place)
        state.hands[seat] = tuple(other for other in state.hands[seat] if other != card)
        state.trick.append(Played(seat, card, face))
        state.turn = order[place] if place < len(order) else None
        yield Tell("play", seat=seat, card=face)
    return (yield from _take_trick(state))


def _play_card(state: State, seat: Seat, after: int) -> Script[tuple[Card, Face]]:
    hand = state.hands[seat]
    table = tuple(played.face for played in state.trick)
    answer: Answer = yield Ask(seat, Play(hand, table, after, state.bids[seat] - state.won[seat]))
    gone = yield Gone()
    if seat in gone:
        # CV-R20: the lowest card; which one that is shows only when all are opened.
        faces: tuple[Face, ...] = yield Reveal(hand)
        return min(zip(hand, faces, strict=True), key=lambda pair: card_rank(pair[1]))
    card = hand[answer.args[0] - 1]
    (face,) = yield Reveal([card])
    return card, face


def _take_trick(state: State) -> Script[Seat]:
    best = state.trick[winning([played.face for played in state.trick])]
    state.won[best.seat] += 1
    yield Tell(
        "trick",
        seat=best.seat,
        card=best.face,
        won=state.won[best.seat],
        bid=state.bids[best.seat],
        cards=state.cards,
    )
    state.last_trick, state.trick = tuple(state.trick), []
    return best.seat


def _settle(state: State) -> Script[None]:
    """Everybody pays for the difference between bid and tricks (CV-R13)."""
    in_round = state.playing()
    state.losses = {seat: abs(state.bids[seat] - state.won[seat]) for seat in in_round}
    for seat, lost in state.losses.items():
        state.lives[seat] -= lost
    yield Tell(
        "round_over",
        round=state.round,
        cards=state.cards,
        bids=dict(state.bids),
        won=dict(state.won),
        lost=dict(state.losses),
    )
    for seat, lost in state.losses.items():
        if lost:
            yield Tell("loss", seat=seat, lost=lost, left=max(0, state.lives[seat]))
    yield from _dismiss(state, in_round)


def _dismiss(state: State, in_round: list[Seat]) -> Script[None]:
    """Who has no lives left goes out, and so does who has left the table (CV-R14, CV-R20)."""
    gone = yield Gone()
    if state.replay and not state.playing():  # CV-R17
        back = [seat for seat in in_round if seat not in gone]
        state.lives.update(dict.fromkeys(back, 1))
        if back:
            yield Tell("back", seats=back)
    levels = {s: state.lives[s] for s in in_round if s in gone or state.lives[s] <= 0}
    for seat, lives in levels.items():
        if lives > 0:
            state.lives[seat] = 0
            yield Tell("left", seat=seat, lost=lives)
    if not state.playing():  # CV-R17
        yield Tell("wipeout", levels=levels)
    # CV-R18: whoever fell less ranks better, equals share a place.
    groups = list(ranked(levels, levels.__getitem__))
    best = groups.pop() if not state.playing() else ()  # the best of a wipeout win
    left = len(in_round)
    for group in groups:
        left -= len(group)
        yield from state.go_out(group, left)
    if best:
        state.out.append(best)


def _finish(state: State) -> Script[Outcome]:
    survivors = tuple(state.playing())  # CV-R16
    winners = survivors or state.out.pop()
    state.rank(winners)
    yield state.over(winners)
    names = listed(winners)
    if survivors:
        return Outcome(state.places, f"{names} is the last with lives")
    stand = "stands" if len(winners) == 1 else "stand"
    return Outcome(state.places, f"nobody is left, and {names} {stand} highest")
