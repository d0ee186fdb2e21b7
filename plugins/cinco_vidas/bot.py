"""The computer player: it bids what its hand is worth and then plays for just that.

Rule 1: it knows what its seat sees and the public state, nothing else (C11).
Tournaments of such players chose its ways: no correction of a bid by those of others wins more
than the plain one, and a low lead beats a high or a middle one.
"""

from __future__ import annotations

from fractions import Fraction

from sobremesa import RANKS, Answer, Bot, Face, Faces, Observation, Pick, Question, card_rank

from . import odds
from .questions import BID, LOSE, PLAY, WIN, Bid, Decide, Play
from .state import State


def choose(observation: Observation[State], question: Question, pick: Pick) -> Answer:
    """The bot's answer."""
    del pick  # the cards alone decide
    state = observation.state
    match question:
        case Bid():
            return Answer(BID, (bid(question, observation.faces),))
        case Decide():
            return decide(question, observation.faces)
        case Play():
            return Answer(PLAY, (card(question, observation.faces, len(state.playing())),))
    raise ValueError(f"a question that this game does not ask: {question!r}")


def bid(question: Bid, faces: Faces) -> int:
    """The legal bid nearest to what the hand is worth, the lower of two, but not 0 with a king:
    the dealer, whose bid alone can be barred, plays last to the first trick and takes it."""
    hand = [faces[card] for card in question.hand]
    worth = odds.worth(hand, question.players)
    least = 1 if any(card_rank(face) == len(RANKS) for face in hand) else 0
    bids = (n for n in range(least, question.cards + 1) if n != question.barred)
    return min(bids, key=lambda n: (abs(n - worth), n))


def decide(question: Decide, faces: Faces) -> Answer:
    """Win if that is more likely than not, unless only the other may be said."""
    before, after = ([faces[card] for card in some] for some in (question.before, question.after))
    wish = Answer(WIN if odds.unseen_wins(before, after) > Fraction(1, 2) else LOSE)
    return wish if question.why_not(wish, faces) is None else question.default


def card(question: Play, faces: Faces, players: int) -> int:
    """The place of the card to play, from 1.

    Who leads shows the lowest card, or the highest if every trick must be won. Who follows plays
    the card after which the bid is least likely to be missed: the highest that loses once it is
    met, and the cheapest that wins for one who plays last and needs them all.
    """
    hand = [faces[card] for card in question.hand]
    places = question.places_by_strength(faces)
    if not question.table:
        return places[-1] if question.need >= len(hand) else places[0]
    return min(places, key=lambda place: _strays(question, hand, place, players))


def _strays(question: Play, hand: list[Face], place: int, players: int) -> float:
    """By how much the bid is expected to be missed, if this card is played."""
    rank = card_rank(hand[place - 1])
    best = max(map(card_rank, question.table), default=0)
    wins = odds.stands(rank, question.after) if rank >= best else 0.0
    rest = (*hand[: place - 1], *hand[place:])
    won, lost = (odds.miss(rest, need, players) for need in (question.need - 1, question.need))
    return wins * won + (1 - wins) * lost


BOT = Bot("reckoner", "Bids what its hand is worth", choose)
