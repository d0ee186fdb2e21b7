"""The computer player: it weighs what others can hold, lies in measure and doubts what hurts.

Rule 1: it knows its own cards, the public state and nothing else (C11).
Rule 2: how often it lies is set so that doubting it pays neither more nor less than believing it:
if an action is worth `a` cards to stop, one claim in 2 + a may be a lie.
Rule 3: a claim that nobody challenged makes the next one like it more believable, until the
player shows that card or exchanges; a proven lie is remembered as long.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from sobremesa import Answer, Bot, Observation, Pick, Question, Seat

from . import odds
from .cards import (
    ACTIONS,
    AID,
    AMBASSADOR,
    ASSASSIN,
    ASSASSINATE,
    BANKER,
    CORSAIR,
    COUP,
    DECK,
    EXCHANGE,
    INCOME,
    LADY,
    STEAL,
    TAX,
    Action,
)
from .questions import KEEP, LIAR, LOSE, PASS, Act, Block, Doubt, Keep, Lose
from .state import BLOCK, LIED, OPEN, PROVED, Claimed, Deed, State

CLAIM_WEIGHT = 3
"""How much likelier one who claims a character is to hold it: by what the odds are multiplied."""
MOST_WEIGHED = 3
"""Further claims of the same character say nothing new."""

STAKES = {
    AID: Fraction(3, 10),
    TAX: Fraction(2, 5),
    EXCHANGE: Fraction(1, 5),
    STEAL: Fraction(3, 5),
    ASSASSINATE: Fraction(1),
}
"""What it is worth, in cards, to stop an action."""

COIN = 14
"""What a coin is worth, in hundredths of a card: seven of them are a coup."""
CARD = 100
RISKS = {TAX: 15, EXCHANGE: 10, STEAL: 20, ASSASSINATE: 35}
"""How often, in hundredths, a lie for this is doubted."""
DESPERATE = 60
"""The same for an assassination of a last card: its owner has nothing to lose."""
MOST_LIES = 750
"""Never more lies than so many of a thousand: two who always stole from each other would play
for ever."""
POOR_CARD = 7
"""A hand worth no more a card than this is worth exchanging."""
WORTH = {BANKER: 9, ASSASSIN: 9, CORSAIR: 8, LADY: 8, AMBASSADOR: 6}
"""What a character is worth to hold; a second copy is worth `SECOND`."""
SECOND = 3


def choose(observation: Observation[State], question: Question, pick: Pick) -> Answer:
    """The bot's answer."""
    mind = _Mind.of(observation)
    match question:
        case Act():
            return mind.act(question, pick)
        case Doubt():
            return Answer(LIAR) if mind.doubts(pick) else Answer(PASS)
        case Block():
            return Answer(mind.block(question.roles, pick) or PASS)
        case Lose():
            place = 2 if worth(mind.own[1:]) < worth(mind.own[:1]) else 1
            return Answer(LOSE, (place,))
        case Keep(count=count):
            hands = combinations(range(1, len(mind.own) + 1), count)
            best = max(hands, key=lambda hand: worth([mind.own[n - 1] for n in hand]))
            return Answer(KEEP, (best,))
        case _:  # a proof: there is no choice
            return question.only_answer(observation.faces) or question.default


def worth(hand: Sequence[str]) -> int:
    """What a hand is worth; two characters are better than one twice."""
    copies = Counter(hand)
    return sum(WORTH[role] + SECOND * (number - 1) for role, number in copies.items())


@dataclass(frozen=True, slots=True)
class _Mind:
    seat: Seat
    state: State
    own: tuple[str, ...]
    face_up: tuple[str, ...]

    @classmethod
    def of(cls, observation: Observation[State]) -> _Mind:
        state = observation.state
        own = tuple(observation.faces[card] for card in state.hands[observation.seat])
        return cls(observation.seat, state, own, state.all_face_up())

    # What others hold.

    def others(self) -> list[Seat]:
        return self.state.after(self.seat)

    @property
    def duel(self) -> bool:
        return len(self.state.living()) == 2

    def leader(self, seats: Sequence[Seat]) -> Seat:
        """Who is nearest to winning."""
        state = self.state
        return max(seats, key=lambda seat: (len(state.hands[seat]), state.coins[seat]))

    def belief(self, who: Seat, role: str, current: Claimed | None = None) -> Fraction:
        """The chance that somebody holds a character, who may be claiming it right now."""
        memory = _Memory.of(self.state.claims[who], current)
        share = odds.chance(role, len(self.state.hands[who]), [*self.own, *self.face_up])
        if role in memory.lies or not share:
            return Fraction(0)
        if share == 1:
            return share
        claims = memory.claims[role] + (current is not None)
        weight = CLAIM_WEIGHT ** min(MOST_WEIGHED, claims)
        so_many = Fraction(share / (1 - share) * weight)
        return so_many / (1 + so_many)

    def somebody_else(self, role: str) -> Fraction:
        """The chance that any other player holds a character, taken one by one."""
        nobody = Fraction(1)
        for who in self.others():
            nobody *= 1 - self.belief(who, role)
        return 1 - nobody

    # Lying.

    def lies(self, role: str, stake: Fraction, pick: Pick) -> bool:
        """Whether to claim a character that is not held: so often that the others, who know what
        lies face up, cannot gain by always doubting or always believing."""
        memory = _Memory.of(self.state.claims[self.seat], None)
        share = odds.one_of(
            odds.unseen(role, self.face_up),
            len(self.own),
            len(DECK) - len(self.face_up),
        )
        if role in memory.lies or not odds.unseen(role, [*self.own, *self.face_up]):
            return False
        lies = 1 / (2 + stake)
        often = lies / (1 - lies) * share / (1 - share) * (1 + memory.claims[role])
        return pick(1000) < min(MOST_LIES, int(1000 * often))

    # The action.

    def act(self, question: Act, pick: Pick) -> Answer:
        """A coup as soon as it can be paid, else what promises most."""
        rivals = list(question.purses)
        if question.coins >= ACTIONS[COUP].cost:
            return Answer(COUP, (self.leader(rivals),))
        best, most = Answer(INCOME), COIN
        for action in (TAX, ASSASSINATE, STEAL, EXCHANGE, AID):
            if ACTIONS[action].cost > question.coins:
                continue
            for target in rivals if ACTIONS[action].targeted else (None,):
                promise = self._promise(ACTIONS[action], target)
                if promise > most and self._dares(ACTIONS[action], pick):
                    best = Answer(action, (target,) if target is not None else ())
                    most = promise
        return best

    def _dares(self, action: Action, pick: Pick) -> bool:
        if action.role is None or action.role in self.own:
            return True
        return self.lies(action.role, STAKES[action.id], pick)

    def _promise(self, action: Action, target: Seat | None) -> int:
        """What an action is worth, in hundredths of a card."""
        gain = Fraction(COIN * action.gain)
        if action.id == EXCHANGE:
            gain = Fraction(2 * COIN if worth(self.own) <= POOR_CARD * len(self.own) else COIN // 2)
        elif action.id == AID:
            gain *= 1 - self.somebody_else(BANKER)
        elif target is not None:
            gain = self._against(action, target)
        if action.role is not None and action.role not in self.own:
            last = target is not None and len(self.state.hands[target]) == 1
            risk = DESPERATE if action.id == ASSASSINATE and last else RISKS[action.id]
            gain = gain * (100 - risk) / 100 - risk * CARD // 100
        return int(gain)

    def _against(self, action: Action, target: Seat) -> Fraction:
        """What an action against one player is worth; more against the one nearest to winning."""
        blocked = max(self.belief(target, role) for role in action.blockers)
        if action.id == STEAL:
            gain = Fraction(2 * COIN * min(action.gain, self.state.coins[target]))
            gain -= 0 if self.duel else gain / 4
        else:
            gain = Fraction(CARD)
        leads = target == self.leader(self.others())
        return gain * (1 - blocked) * (1 if leads else Fraction(4, 5)) - COIN * action.cost

    # Doubts and blocks.

    def doubts(self, pick: Pick) -> bool:
        """Whether to say Liar!: always if it is certain, else if the action hurts enough."""
        claim, deed = self.state.claim, self.state.deed
        assert claim is not None
        assert deed is not None
        bluff = 1 - self.belief(claim.seat, claim.role, claim)
        if bluff == 1:
            return True
        if claim.deed == ASSASSINATE and deed.target == self.seat:
            return self._doubts_assassin(bluff)
        stake = self._stake(claim, deed)
        price = Fraction(3, 2) if len(self.own) == 1 else Fraction(1)
        if not stake or bluff * (1 + stake) <= (1 - bluff) * price:
            return False
        # Somebody else may as well do it, unless it is all about us.
        return self.seat in (deed.target, deed.actor) or self.duel or pick(2) == 0

    def _doubts_assassin(self, bluff: Fraction) -> bool:
        """A wrong doubt costs two cards here; a Lady, held or claimed, is the other way out."""
        if LADY in self.own:
            return False
        if len(self.own) == 1:
            hopeless = not odds.unseen(LADY, [*self.own, *self.face_up])
            return hopeless or bluff > Fraction(1, 2)
        return bluff * (1 + STAKES[ASSASSINATE]) > 1 - bluff

    def _stake(self, claim: Claimed, deed: Deed) -> Fraction:
        """What it is worth to us to stop this, in cards."""
        nothing = Fraction(0)
        if claim.deed == BLOCK:
            return STAKES[deed.action.id] if deed.actor == self.seat else nothing
        if deed.action.targeted:
            if deed.target != self.seat:
                return nothing
            return STAKES[STEAL] * min(2, self.state.coins[self.seat]) / 2
        hurts = self.duel or claim.seat == self.leader(self.state.living())
        return STAKES[claim.deed] if hurts else nothing

    def block(self, roles: Sequence[str], pick: Pick) -> str | None:
        """The character to block as, if any."""
        deed = self.state.deed
        assert deed is not None
        for role in roles:
            if role in self.own:
                return role
        if deed.action.id == ASSASSINATE and len(self.own) == 1:
            return LADY  # nothing to lose
        if deed.action.id == STEAL and not self.state.coins[self.seat]:
            return None
        hurts = deed.target == self.seat or self.duel
        role = max(roles, key=_Memory.of(self.state.claims[self.seat], None).claims.__getitem__)
        return role if hurts and self.lies(role, STAKES[deed.action.id], pick) else None


@dataclass(frozen=True, slots=True)
class _Memory:
    """What a player's claims say about the cards they hold now."""

    claims: Counter[str]
    """Claims of each character that nobody challenged."""
    lies: frozenset[str]
    """Characters that they cannot have drawn since they were caught with them."""

    @classmethod
    def of(cls, history: Sequence[Claimed], current: Claimed | None) -> _Memory:
        claims: Counter[str] = Counter()
        lies: set[str] = set()
        for claim in history:
            if claim is current:
                continue
            if claim.fate == LIED:
                lies.add(claim.role)
                claims[claim.role] = 0
            elif claim.fate == PROVED:
                lies.clear()
                claims[claim.role] = 0
            elif claim.deed == EXCHANGE:
                lies.clear()
                claims.clear()
            elif claim.fate == OPEN:
                claims[claim.role] += 1
        return cls(claims, frozenset(lies))


BOT = Bot("schemer", "Bluffs and doubts", choose)
