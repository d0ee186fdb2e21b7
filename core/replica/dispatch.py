"""From a script's request to the exchange that does it among peers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sobremesa.core.pieces import Card, Die, Seat
from sobremesa.core.requests import Ask, AskAll, Gone, Mark, Reveal, Roll, Show, Shuffle, Toss
from sobremesa.core.script import PeerRequest

from .answers import ask, ask_all
from .card_keys import share_keys
from .cards import show_cards, shuffle_cards
from .dice import open_cups, roll
from .life import mark
from .state import ReplicaState
from .steps import Exchange
from .toss import toss


def exchange(state: ReplicaState, request: PeerRequest) -> Exchange[Any]:
    """The steps of a request. Before them those who took over a key share theirs anew: the sooner,
    the shorter is the time in which a second loss would take the keys of all cards."""
    if state.ledger.keys and state.backup and not state.ledger.key_shares:
        yield from share_keys(state)
    return (yield from _exchange(state, request))


def _exchange(state: ReplicaState, request: PeerRequest) -> Exchange[Any]:
    match request:
        case Ask():
            return ask(state, request)
        case AskAll():
            return ask_all(state, request)
        case Toss():
            return toss(state, request)
        case Roll():
            return roll(state, request)
        case Shuffle():
            return shuffle_cards(state, request)
        case Reveal():
            return reveal(state, request)
        case Show():
            return show(state, request)
        case Mark():
            return mark(state, request)
        case Gone():
            return gone(state)


def reveal(state: ReplicaState, request: Reveal) -> Exchange[Any]:
    """Open dice and cards to everybody; the faces come in the shape in which they were given."""
    pieces = request.flat()
    yield from open_cups(state, tuple(piece for piece in pieces if isinstance(piece, Die)))
    cards = [piece for piece in pieces if isinstance(piece, Card)]
    yield from show_cards(state, dict.fromkeys(cards, state.run.seats))
    return request.shaped(state.run.faces)


def show(state: ReplicaState, request: Show) -> Exchange[None]:
    """Let some seats see some pieces. Dice that only their owner may see need no message."""
    shown = request.seats.items()
    dice = tuple(die for die, who in shown if isinstance(die, Die) and set(who) - {die.seat})
    cards: dict[Card, Sequence[Seat]] = {card: who for card, who in shown if isinstance(card, Card)}
    yield from open_cups(state, dice)
    yield from show_cards(state, cards)


def gone(state: ReplicaState) -> Exchange[tuple[Seat, ...]]:
    """The seats of peers that certificates declared gone; it needs no message."""
    return tuple(plan.name for plan in state.charter.seats if plan.peer not in state.present)
    yield  # an exchange of no steps
