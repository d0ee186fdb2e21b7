"""The computer player: it plays whatever fits, and opens the way for those who move next.

Rule 1: it knows what its seat sees and the public state, nothing else (C11): of the others' action
cards those that lie face up now, and no card that it saw before it was turned down.
Rule 2: a joker on the table is worth keeping. While one can move, nobody has to take a penalty; so
it leaves the game only when there is nothing else to do.

Such players win about nine games in ten at every difficulty, since action cards that are well
chosen need not be many. With one choice in four left to chance they win about eight of ten easy
games, and two to five of ten hard ones.
"""

from __future__ import annotations

from sobremesa import SUITS, Answer, Bot, Observation, Pick, Question, card_code, card_rank

from .questions import CHOOSE, FLIP, GIVE_UP, JOKER, PLAY, REFILL, Choose, Flip, Refill, Turn
from .state import KING, SEVEN, State, closes

CLOSING = 1.0
"""What it is worth to close an end, where to open the way for the next player is worth 2."""

LEAVING = 100.0
"""What it costs to send a joker off the table: more than anything else."""

BEHIND = 0.4
"""What each card that a suit still lacks adds to laying one there. A last suit alone would leave
too little to play, so all four should grow together."""


def choose(observation: Observation[State], question: Question, pick: Pick) -> Answer:
    """The bot's answer."""
    del pick  # the cards alone decide
    match question:
        case Choose():
            return Answer(CHOOSE, (question.soonest(observation.faces),))
        case Turn():
            return _Player(observation).turn(question)
        case Refill():
            return Answer(REFILL, (question.soonest(observation.faces),))
        case Flip():
            return Answer(FLIP, (question.farthest(),))
    raise ValueError(f"a question that this game does not ask: {question!r}")


class _Player:
    """What one seat knows at its turn: who holds which action card."""

    def __init__(self, observation: Observation[State]) -> None:
        state = observation.state
        self.faces = observation.faces
        self.board = state.board
        self.players = len(state.seats)
        order = state.after(observation.seat)
        self.waits: dict[str, int] = {}
        """How many turns from now the holder of a card moves."""
        for wait, seat in enumerate(order, 1):
            self.waits.update(dict.fromkeys(state.face_up(seat), wait))
            if seat == observation.seat:
                covered = (slot.card for slot in state.slots[seat] if slot.face is None)
                self.waits.update((self.faces[card], wait) for card in covered)

    def turn(self, question: Turn) -> Answer:
        fitting = {
            question.slots[place - 1].face or self.faces[question.slots[place - 1].card]: place
            for place in question.fitting(self.faces)
        }
        if fitting:
            return Answer(PLAY, (fitting[max(fitting, key=self.gain)],))
        if question.is_vain(self.faces):
            return Answer(GIVE_UP)
        moves = question.joker_moves
        return Answer(JOKER, max(moves, key=lambda move: self.relief(*move)))

    def gain(self, face: str) -> float:
        """What it is worth to lay a card that fits: the sooner somebody can go on from it the
        better, and suits that are behind first."""
        suit, rank = face[-1], card_rank(face)
        behind = KING - self.board.high[suit] + self.board.low[suit] - 1
        if closes(face):
            return CLOSING + BEHIND * behind
        follow = card_code(suit, rank - 1 if rank < SEVEN else rank + 1)
        return self.need(follow) + BEHIND * behind

    def need(self, face: str) -> float:
        """How much it helps that a card can be laid: more if its holder moves soon."""
        wait = self.waits.get(face)
        return 0.0 if wait is None else 2 - (wait - 1) / self.players

    def relief(self, joker: str, end: str) -> float:
        """What it is worth to move a joker: what it sets free less what it blocks."""
        beyond = {e: card for suit in SUITS for card, e in self.board.next_cards(suit)}
        blocks = LEAVING if card_rank(end) == SEVEN else self.need(beyond[end])
        return self.need(beyond[joker]) - blocks


BOT = Bot("helper", "Opens the way for the next ones", choose)
