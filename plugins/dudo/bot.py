"""The computer player: it counts what it holds, reckons the rest, and listens to the bids.

Rule 1: it knows its own dice, the public state and nothing else (C11).
Its constants come from tournaments of such players: cautious openings and late doubts win most.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sobremesa import Answer, Bot, Observation, Pick, Question, Seat

from . import odds
from .questions import BID, DUDO, EXACT, Turn
from .state import Bid, State

SAFE = Fraction(3, 4)
"""An opening bid should be true with this chance."""
MARGIN = Fraction(3, 10)
"""A doubt must be better than the best raise by this much."""
LATE_MARGIN = Fraction(3, 20)
LATE = 6
"""The margin is smaller with this many dice on the table or fewer."""
EXACT_FROM = Fraction(2, 5)
BLUFF_ONE_IN = 8
"""One opening in so many is on a face chosen by chance."""


def choose(observation: Observation[State], question: Question, pick: Pick) -> Answer:
    """The bot's answer."""
    assert isinstance(question, Turn)
    mind = _Mind.of(observation, question)
    if question.bid is None:
        return Answer(BID, mind.opening(pick))
    return mind.reply(question.bid)


@dataclass(frozen=True, slots=True)
class _Mind:
    seat: Seat
    state: State
    turn: Turn
    own: tuple[int, ...]

    @classmethod
    def of(cls, observation: Observation[State], turn: Turn) -> _Mind:
        own = tuple(observation.faces[die] for die in turn.cup)
        return cls(observation.seat, observation.state, turn, own)

    def opening(self, pick: Pick) -> Bid:
        """The highest count that is safe, on the best face; now and then on any face."""
        lows = self.turn.raises()
        faces = list(lows)
        if pick(BLUFF_ONE_IN) == 0:
            face = faces[pick(len(faces))]
        else:
            held = {f: odds.matching(self.own, f, self.turn.palifico) for f in faces}
            best = [f for f in faces if held[f] == max(held.values())]
            face = best[pick(len(best))]
        safe = (n for n in range(self.turn.total, 0, -1) if self.truth(Bid(n, face)) >= SAFE)
        return Bid(max(next(safe, 1), lows[face]), face)

    def reply(self, bid: Bid) -> Answer:
        """Call it exact if that is likely and wins a die, else doubt or raise."""
        exact, false = self.exactness(bid), 1 - self.truth(bid)
        if exact > EXACT_FROM and self.state.dice[self.seat] < self.state.cap:
            return Answer(EXACT)
        raises = [Bid(low, face) for face, low in self.turn.raises().items()]
        if not raises:
            return Answer(DUDO) if false >= exact else Answer(EXACT)
        best = max(raises, key=self.truth)
        margin = LATE_MARGIN if self.turn.total <= LATE else MARGIN
        return Answer(DUDO) if false > self.truth(best) + margin else Answer(BID, best)

    def truth(self, bid: Bid) -> Fraction:
        """The chance that a bid holds."""
        return self._chance(bid, odds.at_least)

    def exactness(self, bid: Bid) -> Fraction:
        """The chance that a bid is exact."""
        return self._chance(bid, odds.exactly)

    def _chance(self, bid: Bid, odds_of: odds.Odds) -> Fraction:
        """Reckon with what is held, and with half a die of the face for each other bidder on it.

        An odd half is reckoned as the mean of with and without.
        """
        held = odds.matching(self.own, bid.face, self.turn.palifico)
        hidden = self.turn.total - len(self.own)
        one_in = odds.one_in(bid.face, self.turn.palifico)
        bidders = {who for who, earlier in self.state.bids if earlier.face == bid.face}
        halves = len(bidders - {self.seat})
        known = min(halves // 2, hidden), min((halves + 1) // 2, hidden)
        few, many = (odds_of(bid.quantity - held - n, hidden - n, one_in) for n in known)
        return (few + many) / 2


BOT = Bot("odds", "Counts and reckons", choose)
