"""What a player may answer in turn: raise, doubt, or call it exact.

Rule 1: `lowest` says what the rule book says, face by face; everything about legality derives
from it. That the legal bids rise along one line, so that a round must end, is proven by a test.
Rule 2: nothing here needs a hidden face, except the hint that a player gets about their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sobremesa import NO_FACES, Answer, Faces, Move, Number, Pick, Piece, Question, percent

from . import odds
from .state import COUNT_WORDS, FACE_WORDS, FACES, Bid, plural, rank

BID, DUDO, EXACT = "bid", "dudo", "exact"


@dataclass(slots=True)
class Turn(Question):
    """What a player may do in turn. `cup` are their own dice, `total` all dice on the table."""

    total: int
    cup: tuple[Piece, ...]
    bid: Bid | None
    palifico: bool
    text: str = field(init=False)

    def __post_init__(self) -> None:
        self.text = "Raise, doubt or call it exact" if self.bid else "Open the round with a bid"

    def lowest(self, face: int) -> int | None:
        """The lowest count that may be bid on a face, above `total` if there are too few dice;
        None if the face is barred (LD-R6, LD-R7, LD-R17)."""
        if self.bid is None:
            return None if face == 1 and not self.palifico else 1
        count, last = self.bid
        if self.palifico:
            return count + 1 if face == last else None
        if last == 1:
            return count + 1 if face == 1 else 2 * count + 1
        if face == 1:
            return (count + 1) // 2
        return count if face > last else count + 1

    def raises(self) -> dict[int, int]:
        """The faces that can still be bid, each with its lowest count."""
        lows = ((face, self.lowest(face)) for face in FACES)
        return {face: low for face, low in lows if low is not None and low <= self.total}

    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        raises = self.raises()
        no_bid = None if self.bid else "nobody has bid yet"
        bid = Move(
            BID,
            "Bid" if self.bid is None else "Raise",
            ("{count}x{face}", "{count} x {face}", "{count} {face}"),
            "b",
            (
                Number("count", min(raises.values(), default=1), self.total, COUNT_WORDS),
                Number("face", FACES[0], FACES[-1], FACE_WORDS),
            ),
            hint=_written(self._next_bid(raises)) if raises else "",
            disabled=None if raises else "no higher bid is possible",
        )
        doubt = Move(DUDO, "Dudo!", ("dudo", "dudo!", "doubt", "liar"), "d", disabled=no_bid)
        exact = Move(EXACT, "Exact", ("exact", "exact!", "exactly"), "e", disabled=no_bid)
        return (bid, doubt, exact)

    @property
    def default(self) -> Answer:
        return Answer(DUDO) if self.bid else Answer(BID, self._next_bid(self.raises()))

    @staticmethod
    def _next_bid(raises: dict[int, int]) -> Bid:
        return min((Bid(low, face) for face, low in raises.items()), key=rank)

    def why_not(self, answer: Answer, faces: Faces) -> str | None:
        if answer.move in (DUDO, EXACT):
            return None if self.bid else "nobody has bid yet, so you have to open with a bid"
        count, face = map(int, answer.args)
        if not 1 <= count <= self.total:
            return f"there are {self.total} dice on the table, so you can bid 1 to {self.total}"
        if face not in FACES:
            return "a die has the faces 1 to 6"
        low = self.lowest(face)
        if low is None:
            if self.bid is None:
                return "ones are wild, so a round cannot open on ones"
            return f"in a palifico the face stays: {plural(self.bid.face)}"
        if count >= low:
            return None
        if low > self.total:
            return (
                f"after {self.bid} a bid on {plural(face)} would need {low}, "
                f"and there are only {self.total} dice"
            )
        return f"{Bid(count, face)} is too low: after {self.bid} you need {Bid(low, face)} or more"

    def bids(self) -> list[Bid]:
        """Every legal bid, lowest first."""
        legal = (
            Bid(count, face)
            for face, low in self.raises().items()
            for count in range(low, self.total + 1)
        )
        return sorted(legal, key=rank)

    def answers(self, faces: Faces) -> Iterator[Answer]:
        if self.bid:
            yield Answer(DUDO)
            yield Answer(EXACT)
        for bid in self.bids():
            yield Answer(BID, bid)

    def sample(self, pick: Pick, faces: Faces) -> Answer:
        raises = self.raises()
        kinds = [BID] * bool(raises) + [DUDO, EXACT] * bool(self.bid)
        kind = kinds[pick(len(kinds))]
        if kind != BID:
            return Answer(kind)
        face = list(raises)[pick(len(raises))]
        return Answer(BID, (raises[face] + pick(self.total - raises[face] + 1), face))

    def hint(self, answer: Answer, faces: Faces) -> str | None:
        if any(die not in faces for die in self.cup):
            return None
        if answer.move != BID:
            return self._hint_of_call(answer.move, faces)
        if len(answer.args) != 2:
            return None
        count, face = map(int, answer.args)
        own = odds.matching((faces[die] for die in self.cup), face, self.palifico)
        hidden = self.total - len(self.cup)
        one_in = odds.one_in(face, self.palifico)
        chance = percent(odds.at_least(count - own, hidden, one_in))
        return (
            f"At least {count}: {chance}%. "
            f"You hold {own} of the {plural(face)}{odds.with_ones(face, self.palifico)}, "
            f"expect about {odds.expected(own, hidden, one_in)}."
        )

    def _hint_of_call(self, call: str, faces: Faces) -> str | None:
        """How likely it is that the last bid holds, or is exact."""
        if self.bid is None:
            return None
        count, face = self.bid
        own = odds.matching((faces[die] for die in self.cup), face, self.palifico)
        chance = odds.at_least if call == DUDO else odds.exactly
        hidden, one_in = self.total - len(self.cup), odds.one_in(face, self.palifico)
        told = percent(chance(count - own, hidden, one_in))
        return f"{self.bid} {'or more' if call == DUDO else 'exactly'}: {told}%."


def _written(bid: Bid) -> str:
    return f"{bid.quantity}x{bid.face}"
