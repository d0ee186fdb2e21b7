"""From a script's request to the protocol that does it among peers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .commit import ask, ask_all, mark, open_cups, roll, toss
from .pieces import Card, Die, Seat
from .requests import Ask, AskAll, Gone, Mark, Reveal, Roll, Show, Shuffle, Toss
from .script import Waiting
from .sealed import show_cards, shuffle_cards
from .steps import Protocol

if TYPE_CHECKING:
    from .desk import Desk


def protocol(desk: Desk, request: Waiting) -> Protocol[Any]:
    """The steps of a request."""
    match request:
        case Ask():
            return ask(desk, request)
        case AskAll():
            return ask_all(desk, request)
        case Toss():
            return toss(desk, request)
        case Roll():
            return roll(desk, request)
        case Shuffle():
            return shuffle_cards(desk, request)
        case Reveal():
            return reveal(desk, request)
        case Show():
            return show(desk, request)
        case Mark():
            return mark(desk, request)
        case Gone():
            return gone(desk)


def reveal(desk: Desk, request: Reveal) -> Protocol[Any]:
    """Open dice and cards to everybody; the faces come in the shape in which they were given."""
    pieces = request.flat()
    yield from open_cups(desk, tuple(piece for piece in pieces if isinstance(piece, Die)))
    cards = [piece for piece in pieces if isinstance(piece, Card)]
    yield from show_cards(desk, dict.fromkeys(cards, desk.run.seats))
    return request.shaped(desk.run.faces)


def show(desk: Desk, request: Show) -> Protocol[None]:
    """Let some seats see some pieces. Dice that only their owner may see need no message."""
    shown = request.seats.items()
    dice = tuple(die for die, who in shown if isinstance(die, Die) and set(who) - {die.seat})
    cards: dict[Card, Sequence[Seat]] = {card: who for card, who in shown if isinstance(card, Card)}
    yield from open_cups(desk, dice)
    yield from show_cards(desk, cards)


def gone(desk: Desk) -> Protocol[tuple[Seat, ...]]:
    """The seats of peers that certificates declared gone; it needs no message."""
    return tuple(plan.name for plan in desk.charter.seats if plan.peer not in desk.present)
    yield  # a protocol of no steps
