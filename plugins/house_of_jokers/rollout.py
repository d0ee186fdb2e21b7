from __future__ import annotations
from .board import ACE, KING, SEVEN, SUITS, Board, rank_of

Q = dict(D=6, pbal=0.15, keep=1.0, win=1.0, top=6, exitp=0.0)

def number(face): return SUITS.index(face[-1]) * 16 + rank_of(face)

class Rollout:
    __slots__ = ("ranks", "blocked", "to_place", "where", "down", "hands", "up", "stall", "rounds", "n", "placed", "flips")

    def __init__(self, board, where, down, hands, stall, rounds):
        self.ranks = [r for s in SUITS for r in (board.low[s], board.high[s])]
        self.blocked = [False] * 8
        for face in board.jokers:
            self.blocked[2 * SUITS.index(face[-1]) + (rank_of(face) > SEVEN)] = True
        self.to_place = board.to_place
        self.where = where      # action card -> player
        self.down = down        # set of face-down action cards
        self.hands = hands      # per player list
        self.n = len(hands)
        self.stall = stall
        self.rounds = rounds
        self.placed = board.placed
        self.flips = 0

    def nxt(self, end):
        rank = self.ranks[end]
        if end & 1:
            return 0 if rank == KING else (end >> 1) * 16 + rank + 1
        return 0 if rank == ACE else (end >> 1) * 16 + rank - 1

    def run(self, player):
        extra = False
        while self.placed < 52:
            if not extra:
                for _ in range(self.n):
                    if self.hands[player] or player in self.where.values(): break
                    player = (player + 1) % self.n
            r = self.turn(player, extra)
            if r < 0: return 0.0
            extra = r == 1
            if not extra: player = (player + 1) % self.n
        return 1.0

    def after(self, card, end, player):
        """value of card's availability"""
        who = self.where.get(card)
        return 0.0 if who is None else 2.0 - ((who - player - 1) % self.n) / self.n

    def turn(self, player, extra):
        where = self.where; ranks = self.ranks
        best, bv = -1, -9.0
        for end in range(8):
            if self.blocked[end]: continue
            card = self.nxt(end)
            if card and where.get(card) == player:
                follow = card + (1 if end & 1 else -1)
                low = end & 6
                v = 1.0 if follow & 15 in (0, 14) else self.after(follow, end, player)
                v += Q["pbal"] * (12 - ranks[low + 1] + ranks[low])
                if v > bv: best, bv = end, v
        if best >= 0:
            return self.play(player, best)
        if extra: return 0
        if self.stall < self.rounds * len(set(where.values())) and self.shift(player):
            self.stall += 1
            return 0
        self.stall = 0
        if self.exit(player): return 0
        mine = [c for c, p in where.items() if p == player and c not in self.down]
        if not mine: return -1
        self.flips += 1
        self.down.add(max(mine, key=self.dist))
        return 0

    def dist(self, card):
        rank = card & 15; low = (card >> 4) * 2
        return self.ranks[low] - rank if rank < 7 else rank - self.ranks[low + 1]

    def play(self, player, end, refill=None):
        card = self.nxt(end)
        self.ranks[end] += 1 if end & 1 else -1
        self.placed += 1
        del self.where[card]
        self.stall = 0
        if self.to_place:
            self.to_place -= 1
            self.blocked[end] = True
        hand = self.hands[player]
        if hand:
            new = refill or min(hand, key=self.dist)
            hand.remove(new)
            self.where[new] = player
            if card in self.down: self.down.add(new)
        self.down.discard(card)
        return 1 if self.ranks[end] in (ACE, KING) else 0

    def worth(self, end, player):
        who = self.where.get(self.nxt(end))
        return 0.0 if who is None else 2.0 - ((who - player - 1) % self.n) / self.n

    def shift(self, player):
        ranks, blocked = self.ranks, self.blocked
        froms = [e for e in range(8) if blocked[e]]
        if not froms: return False
        tos = [e for e in range(8) if not blocked[e] and ranks[e] not in (1, 7, 13)]
        if not tos: return False
        a = max(froms, key=lambda e: self.worth(e, player))
        b = min(tos, key=lambda e: self.worth(e, player))
        blocked[a], blocked[b] = False, True
        return True

    def exit(self, player):
        r = self.ranks
        if not any(r[s] == 1 and r[s + 1] == 13 for s in (0, 2, 4, 6)): return False
        froms = [e for e in range(8) if self.blocked[e]]
        if not froms: return False
        self.blocked[max(froms, key=lambda e: self.worth(e, player))] = False
        return True
