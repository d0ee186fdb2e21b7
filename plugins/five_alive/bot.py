"""The computer player: numbers first, the largest that fits; zeros and wild cards are insurance.

Rule 1: it knows what its seat sees and the public state, nothing else (C11).
Tournaments of such players chose its ways.
"""

from __future__ import annotations

from sobremesa import Answer, Bot, Face, Observation, Pick, Question, Seat

from .cards import (
    BOMB,
    DRAW_1,
    DRAW_2,
    PASS,
    REDEAL,
    REVERSE,
    SKIP,
    TO_0,
    TO_10,
    TO_21,
    ZERO,
    is_number,
)
from .questions import PLAY, Play
from .state import State

FEW = 2
"""An opponent with so few cards is about to end the hand."""

LAST_CARDS = 4
"""With so few of its own the bot is after the end of the hand itself."""

WHEN_FORCED = (TO_21, PASS, REVERSE, SKIP, DRAW_2, DRAW_1, ZERO, TO_10, TO_0, BOMB, REDEAL)
AGAINST_FEW = (DRAW_2, DRAW_1, REDEAL, BOMB)


def choose(observation: Observation[State], question: Question, pick: Pick) -> Answer:
    """The bot's answer."""
    del pick  # the cards alone decide
    if not isinstance(question, Play):
        raise ValueError(f"a question that this game does not ask: {question!r}")
    state = observation.state
    places = question.places(observation.faces)
    faces = {place: observation.faces[question.hand[place - 1]] for place in places}
    wanted = _wanted(state, observation.seat)
    return Answer(PLAY, (min(places, key=lambda place: _cost(faces[place], wanted)),))


def _wanted(state: State, seat: Seat) -> tuple[Face, ...]:
    """What to play before any number: what keeps an opponent from the end of the hand, and
    between two players near one's own end a SKIP, for it is a card more at once."""
    side = state.side(seat).seats
    living = state.living()
    near = any(len(state.hands[other]) <= FEW for other in living if other not in side)
    quick = len(living) == 2 and len(state.hands[seat]) <= LAST_CARDS
    return (*(AGAINST_FEW if near else ()), *((SKIP,) if quick else ()))


def _cost(face: Face, wanted: tuple[Face, ...]) -> tuple[int, int]:
    """Cards in the order in which the bot likes to part with them."""
    if face in wanted:
        return 0, wanted.index(face)
    if is_number(face) and face != ZERO:
        return 1, -int(face)
    return 2, WHEN_FORCED.index(face)


BOT = Bot("keeper", "Plays large numbers and keeps zeros and wild cards", choose)
