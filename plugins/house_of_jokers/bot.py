"""bot"""

from __future__ import annotations

from sobremesa.core.game import Bot
from sobremesa.core.questions import Answer

from .board import SEVEN, closes, rank_of, PACK
from .rollout import Rollout, number, Q
from .questions import CHOOSE, FLIP, JOKER, PLAY, REFILL, Choose, Flip, Refill, Turn


def choose(sight, question, pick):
    state = sight.state
    match question:
        case Choose():
            faces = [sight.faces[card] for card in question.hand]
            places = sorted(range(len(faces)), key=lambda p: abs(rank_of(faces[p]) - SEVEN))
            return Answer(CHOOSE, (tuple(sorted(p + 1 for p in places[: question.count])),))
        case Turn():
            return Table(sight, state, pick).turn(question)
        case Refill():
            return Table(sight, state, pick).refill(question)
        case Flip():
            place = max(question.face_up(), key=lambda p: distance(state.board, question.slots[p - 1].face))
            return Answer(FLIP, (place,))
    raise ValueError


def distance(board, face):
    suit, rank = face[-1], rank_of(face)
    return board.low[suit] - rank if rank < SEVEN else rank - board.high[suit]


class Table:
    def __init__(self, sight, state, pick):
        self.sight, self.state = sight, state
        place = state.seats.index(sight.seat)
        self.order = list(state.seats[place:] + state.seats[:place])
        known = set()
        b = state.board
        self.base = {}
        self.down = set()
        self.need = []
        for p, seat in enumerate(self.order):
            for slot in state.slots[seat]:
                face = slot.face or (sight.faces[slot.card] if p == 0 else None)
                if face:
                    self.base[number(face)] = p
                    known.add(number(face))
                    if not slot.face: self.down.add(number(face))
        self.hand = [number(sight.faces[c]) for c in state.hands[sight.seat]]
        known |= set(self.hand)
        pool = [number(f) for f in PACK if number(f) not in known and not b.low[f[-1]] <= rank_of(f) <= b.high[f[-1]]]
        self.worlds = []
        for _ in range(Q["D"]):
            deck = list(pool)
            for i in range(len(deck) - 1, 0, -1):
                j = pick(i + 1); deck[i], deck[j] = deck[j], deck[i]
            where, down, hands = dict(self.base), set(self.down), [list(self.hand)]
            for p, seat in enumerate(self.order[1:], 1):
                for slot in state.slots[seat]:
                    if not slot.face:
                        c = deck.pop(); where[c] = p; down.add(c)
                n = len(state.hands[seat])
                hands.append([deck.pop() for _ in range(n)])
            self.worlds.append((where, down, hands))

    def world(self, w, board, stall):
        where, down, hands = w
        return Rollout(board, dict(where), set(down), [list(h) for h in hands], stall, self.state.rounds)

    def turn(self, q):
        answers = list(q.going_on(self.sight.faces))
        if len(answers) == 1: return answers[0]
        best, bv = None, None
        for a in answers:
            total = 0.0
            for w in self.worlds:
                if a.move == JOKER:
                    b = q.board.move_joker(*a.args)
                    ex = rank_of(a.args[1]) == SEVEN
                    r = self.world(w, b, 0 if ex else self.state.stall + 1)
                    v = r.run(1)
                else:
                    slot = q.slots[a.args[0] - 1]
                    face = slot.face or self.sight.faces[slot.card]
                    r = self.world(w, q.board, 0)
                    c = number(face)
                    end = (c >> 4) * 2 + (rank_of(face) > 7)
                    closed = r.play(0, end)
                    if closed and any(r.where.get(r.nxt(e)) == 0 and not r.blocked[e] for e in range(8)): v = r.run(0)
                    else: v = r.run(1)
                total += v * 10 + r.placed * 0.02 - r.flips * .1
            if a.move == PLAY: total += 0.01
            if bv is None or total > bv: best, bv = a, total
        return best

    def refill(self, q):
        vs = []
        for i, g in enumerate(self.hand):
            total = 0.0
            for w in self.worlds:
                r = self.world(w, q.board, 0)
                r.hands[0].remove(g); r.where[g] = 0
                if not q.face_up: r.down.add(g)
                v = r.run(1)
                total += v * 10 + r.placed * 0.02 - r.flips * .1
            vs.append(total - r.dist(g) * .001)
        return Answer(REFILL, (max(range(len(vs)), key=lambda i: vs[i]) + 1,))


BOT = Bot("helper", "Looks at what it leaves the others", choose)
