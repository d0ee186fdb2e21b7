"""Liar's Dice as its rule book tells it. The numbers are those of the rules, LD-R1 to LD-R20.

Rule 1: every change is told before or as it happens, so that log and screen need nothing else.
"""

from __future__ import annotations

from sobremesa import (
    Ask,
    Face,
    Gone,
    Mark,
    Options,
    Outcome,
    Reveal,
    Roll,
    Script,
    Seat,
    Tell,
    Toss,
    leavers,
)

from . import odds
from .questions import BID, DUDO, Turn
from .state import Bid, Showdown, State


def play(seats: tuple[Seat, ...], options: Options) -> Script[Outcome]:
    """The whole game: rounds until one player has dice."""
    cap = int(options["dice"])
    opener = yield Toss(len(seats), "opener")  # LD-R3
    state = State(seats, cap, options["palifico"] == "on", seats[opener], dict.fromkeys(seats, cap))
    while len(state.playing()) > 1:
        yield from _begin_round(state)
        caller, call = yield from _bidding(state)
        if caller is not None:
            yield from _lift_cups(state, caller, call)
        yield from _dismiss_leavers(state)
    return (yield from _finish(state))


def _begin_round(state: State) -> Script[None]:
    if not state.dice[state.opener]:  # LD-R12: out, so the next player opens
        state.opener = state.next(state.opener)
    # LD-R14 to LD-R16. The right does not wait: whoever lost the die opens this very round.
    state.palifico = state.palifico_due == state.opener and len(state.playing()) > 2
    state.palifico_due = None
    state.round += 1
    state.turn = state.opener
    state.bids = []
    state.cups = {}
    state.showdown = None
    yield Mark(state)
    yield Tell(
        "round",
        round=state.round,
        opener=state.opener,
        dice={seat: state.dice[seat] for seat in state.playing()},
        palifico=state.palifico,
    )
    if state.palifico:
        yield Tell("palifico", seat=state.opener)
    dice = {seat: state.dice[seat] for seat in state.playing()}
    state.cups = yield Roll(dice, by=tuple(dice))  # LD-R2


def _bidding(state: State) -> Script[tuple[Seat | None, str]]:
    """Turn after turn, until somebody doubts or calls it exact: who, and which of the two.

    Nobody calls (None) if all but one have left the table.
    """
    seat = state.opener
    while True:
        gone = yield Gone()
        if len(set(state.playing()) - set(gone)) < 2:
            return None, ""
        while seat in gone:  # LD-R20: who has left gets no turn
            seat = state.next(seat)
        state.turn = seat
        turn = Turn(state.total, state.cups[seat], state.bid, state.palifico)
        answer = yield Ask(seat, turn)
        if (yield from leavers((seat,))):
            continue  # left in its own turn, and has not had it
        if answer.move != BID:
            return seat, answer.move
        bid = Bid(*answer.args)
        state.bids.append((seat, bid))
        state.turn = seat = state.next(seat)
        yield Tell("bid", seat=state.bidder, bid=list(bid))


def _lift_cups(state: State, caller: Seat, call: str) -> Script[None]:
    assert state.bid is not None
    assert state.bidder is not None
    bid, bidder = state.bid, state.bidder
    state.turn = None
    kind = "doubt" if call == DUDO else "exact"
    yield Tell(kind, seat=caller, bid=list(bid), bidder=bidder)

    # Nobody can open the cup of a player who has left, so its dice count for nothing.
    faces: dict[Seat, tuple[Face, ...]] = yield Reveal(state.cups)
    count = sum(odds.matching(dice, bid.face, state.palifico) for dice in faces.values())  # LD-R9
    if call == DUDO:  # LD-R10
        loser: Seat | None = caller if count >= bid.quantity else bidder
    else:  # LD-R11
        loser = None if count == bid.quantity else caller
    state.showdown = Showdown(caller, kind, faces, count, loser)
    yield Tell(
        "reveal",
        call=kind,
        caller=caller,
        bid=list(bid),
        bidder=bidder,
        palifico=state.palifico,
        faces={seat: list(dice) for seat, dice in faces.items()},
        count=count,
        right=loser != caller,
        loser=loser,
    )
    if loser is None:
        yield from _win_die_back(state, caller)
        state.opener = caller  # LD-R12
    else:
        yield from _lose_die(state, loser)
        state.opener = loser


def _win_die_back(state: State, seat: Seat) -> Script[None]:
    if state.dice[seat] == state.cap:
        yield Tell("full", seat=seat, left=state.cap)
    else:
        state.dice[seat] += 1
        yield Tell("gain", seat=seat, left=state.dice[seat])


def _lose_die(state: State, seat: Seat) -> Script[None]:
    state.dice[seat] -= 1
    left = state.dice[seat]
    yield Tell("loss", seat=seat, left=left)
    if not left:
        yield from state.go_out((seat,), len(state.playing()))
    elif left == 1 and state.palificos and seat not in state.palificos_used:
        state.palificos_used.append(seat)
        state.palifico_due = seat


def _dismiss_leavers(state: State) -> Script[None]:
    """Who has left loses all dice now that the round is over (LD-R20)."""
    left = yield from leavers(state.playing())
    for seat in left:
        lost, state.dice[seat] = state.dice[seat], 0
        yield Tell("left", seat=seat, lost=lost)
    if left:
        yield from state.go_out(left, len(state.playing()))


def _finish(state: State) -> Script[Outcome]:
    winners = tuple(state.playing())
    state.turn = None
    state.showdown = None
    state.rank(winners)  # LD-R13
    yield state.over(winners)
    reason = f"{winners[0]} is the last with dice" if winners else "everybody has left"
    return Outcome(state.places, reason)
