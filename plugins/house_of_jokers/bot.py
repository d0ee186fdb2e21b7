"""bot"""

from __future__ import annotations

from sobremesa.core.encoding import Pick
from sobremesa.core.game import Bot, Sight
from sobremesa.core.questions import Answer, Question

from .board import SEVEN, Board, closes, rank_of
from .outlook import Outlook, number, Q
from .questions import CHOOSE, FLIP, JOKER, PLAY, REFILL, Choose, Flip, Refill, Turn
from .state import State


def choose(sight: Sight, question: Question, pick: Pick) -> Answer:
    state: State = sight.state
    match question:
        case Choose():
            faces = [sight.faces[card] for card in question.hand]
            places = sorted(range(len(faces)), key=lambda p: abs(rank_of(faces[p]) - SEVEN))
            return Answer(CHOOSE, (tuple(sorted(p + 1 for p in places[: question.count])),))
        case Turn():
            return Table(sight, state).turn(question)
        case Refill():
            return Table(sight, state).refill(question)
        case Flip():
            place = max(
                question.face_up(), key=lambda p: distance(state.board, question.slots[p - 1].face)
            )
            return Answer(FLIP, (place,))
    raise ValueError


def distance(board, face):
    suit, rank = face[-1], rank_of(face)
    return board.low[suit] - rank if rank < SEVEN else rank - board.high[suit]


class Table:
    def __init__(self, sight: Sight, state: State):
        self.sight, self.state = sight, state
        self.order = [sight.seat] + [s for s in state.after(sight.seat) if s != sight.seat]
        self.holder = {}
        self.up, self.covered = [], []
        for p, seat in enumerate(self.order):
            self.up.append(0)
            self.covered.append(0)
            for slot in state.slots[seat]:
                face = slot.face or (sight.faces.get(slot.card) if p == 0 else None)
                if slot.face:
                    self.up[p] += 1
                else:
                    self.covered[p] += 1
                if face:
                    self.holder[number(face)] = p
        self.hand = [sight.faces[c] for c in state.hands[sight.seat]]

    def value(self, board: Board, stall: int, lost=None, gained=None, first=1) -> float:
        holder = dict(self.holder)
        up = list(self.up)
        if lost:
            holder.pop(number(lost), None)
        if gained:
            holder[number(gained)] = 0
        out = Outlook(board, holder, up, self.covered, stall, self.state.limit)
        n = len(self.order)
        return out.run(first, int(Q["turns"] * n))

    def turn(self, q: Turn) -> Answer:
        best, bv = None, None
        for a in q.going_on(self.sight.faces):
            if a.move == JOKER:
                b = q.board.move_joker(*a.args)
                ex = rank_of(a.args[1]) == SEVEN
                v = self.value(b, 0 if ex else self.state.stall + 1) - (Q["exit"] if ex else 0)
            else:
                slot = q.slots[a.args[0] - 1]
                face = slot.face or self.sight.faces[slot.card]
                b = q.board.lay(face)
                v = (
                    Q["play"]
                    + (Q["close"] if closes(face) else 0)
                    + max(
                        self.value(b, 0, face, g, self.first_after(b, face, g))
                        for g in (self.hand or [None])
                    )
                )
            if bv is None or v > bv:
                best, bv = a, v
        return best

    def first_after(self, board, face, gained):
        if not closes(face):
            return 1
        own = {c for c, p in self.holder.items() if p == 0} - {number(face)}
        if gained:
            own.add(number(gained))
        return 0 if any(number(w) in own for w in board.wanted()) else 1

    def refill(self, q: Refill) -> Answer:
        hand = self.hand
        v = [
            self.value(q.board, 0, None, g, 1)
            - 0.01 * distance(q.board, g)
            + Q["bal"] / 4 * (12 - q.board.high[g[-1]] + q.board.low[g[-1]])
            for g in hand
        ]
        return Answer(REFILL, (max(range(len(hand)), key=lambda i: v[i]) + 1,))


BOT = Bot("helper", "Looks at what it leaves the others", choose)
