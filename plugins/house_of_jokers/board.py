"""The four suits on the table, with their ends and the jokers on them.

Rule 1: a board is a value: laying a card or moving a joker makes another one, so that a question
keeps the board it was asked about, and a bot can try things out.
Rule 2: a card is its code, rank and suit: `6S`, `10D`. A joker has no code; it is named by the
end card it sits on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

SUITS = "SHDC"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
ACE, SEVEN, KING = 1, 7, 13

PACK = tuple(rank + suit for suit in SUITS for rank in RANKS if rank != "7")
"""The cards that are dealt: all but the sevens (HJ-R2)."""

ALL = len(SUITS) * len(RANKS)

_RANK_NAMES = ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
               "jack", "queen", "king")  # fmt: skip
SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


def code(suit: str, rank: int) -> str:
    return RANKS[rank - 1] + suit


def rank_of(face: str) -> int:
    """A card's rank as a number: 1, an ace, to 13, a king."""
    return RANKS.index(face[:-1]) + 1


def name(face: str) -> str:
    """The card as people say it: `king of hearts`."""
    return f"{_RANK_NAMES[rank_of(face) - 1]} of {SUIT_NAMES[face[-1]]}"


def closes(face: str) -> bool:
    """Whether the card closes its end (HJ-R9)."""
    return rank_of(face) in (ACE, KING)


@dataclass(frozen=True, slots=True)
class Board:
    """`low` and `high` are the ranks at the two ends of each suit; `jokers` are the end cards
    that hold one, in the order in which they got it."""

    low: Mapping[str, int]
    high: Mapping[str, int]
    jokers: tuple[str, ...]
    to_place: int
    """Jokers that the next cards get."""
    removed: int

    @classmethod
    def laid_out(cls, jokers: int) -> Board:
        """The four sevens (HJ-R2)."""
        sevens = dict.fromkeys(SUITS, SEVEN)
        return cls(sevens, sevens, (), jokers, 0)

    @property
    def placed(self) -> int:
        """Cards on the table, the sevens included."""
        return sum(self.high[suit] - self.low[suit] + 1 for suit in SUITS)

    def is_complete(self, suit: str) -> bool:
        return self.low[suit] == ACE and self.high[suit] == KING

    # Cards.

    def next_cards(self, suit: str) -> Iterator[tuple[str, str]]:
        """The cards that a suit's two ends wait for, each with the end card it goes beside; a
        closed end waits for none."""
        low, high = self.low[suit], self.high[suit]
        if low > ACE:
            yield code(suit, low - 1), code(suit, low)
        if high < KING:
            yield code(suit, high + 1), code(suit, high)

    def wanted(self) -> tuple[str, ...]:
        """The cards that fit now (HJ-R6)."""
        pairs = (pair for suit in SUITS for pair in self.next_cards(suit))
        return tuple(card for card, end in pairs if end not in self.jokers)

    def fits(self, face: str) -> bool:
        suit, rank = face[-1], rank_of(face)
        if rank == self.low[suit] - 1:
            return code(suit, self.low[suit]) not in self.jokers
        return rank == self.high[suit] + 1 and code(suit, self.high[suit]) not in self.jokers

    def why_not(self, face: str) -> str | None:
        """Why a card cannot be laid, as a clause, or None if it can."""
        suit = face[-1]
        pairs = dict(self.next_cards(suit))
        if face in pairs:
            end = pairs[face]
            return (
                f"a joker on the {name(end)} blocks the {name(face)}" if self._held(end) else None
            )
        wanted = " or ".join(f"the {name(card)}" for card in pairs)
        return f"the {name(face)} does not fit: {SUIT_NAMES[suit]} go on with {wanted}"

    def distance(self, face: str) -> int:
        """How many cards must be laid until this one is: 1 if it is the next of its end."""
        suit, rank = face[-1], rank_of(face)
        return self.low[suit] - rank if rank < SEVEN else rank - self.high[suit]

    def lay(self, face: str) -> Board:
        """The board with a card that fits, and on it a joker if one is still to place (HJ-R7)."""
        suit, rank = face[-1], rank_of(face)
        low, high = self.low, self.high
        if rank < low[suit]:
            low = {**low, suit: rank}
        else:
            high = {**high, suit: rank}
        if self.to_place:
            return Board(low, high, (*self.jokers, face), self.to_place - 1, self.removed)
        return Board(low, high, self.jokers, 0, self.removed)

    # Jokers.

    def _held(self, end: str) -> bool:
        return end in self.jokers

    def open_ends(self) -> tuple[str, ...]:
        """The ends that a joker may move to: neither bare nor closed, and free (HJ-R11)."""
        ends = (
            code(suit, rank)
            for suit in SUITS
            for rank, bounds in ((self.low[suit], (ACE, SEVEN)), (self.high[suit], (SEVEN, KING)))
            if rank not in bounds
        )
        return tuple(end for end in ends if not self._held(end))

    def exits(self) -> tuple[str, ...]:
        """The sevens of complete suits, by which jokers leave for good."""
        return tuple(code(suit, SEVEN) for suit in SUITS if self.is_complete(suit))

    def places(self) -> tuple[str, ...]:
        """Every card that somebody may think of as a place for a joker: all ends, all sevens."""
        cards = (
            code(suit, rank)
            for suit in SUITS
            for rank in dict.fromkeys((self.low[suit], SEVEN, self.high[suit]))
        )
        return tuple(cards)

    def joker_moves(self, shift: bool) -> tuple[tuple[str, str], ...]:
        """From where to where jokers may move; without `shift` only off the board (HJ-R14)."""
        targets = (*(self.open_ends() if shift else ()), *self.exits())
        return tuple((joker, end) for joker in self.jokers for end in targets)

    def why_no_joker(self, joker: str, end: str, shift: bool) -> str | None:
        """Why a joker cannot move there, as a clause, or None if it can."""
        suit, rank = end[-1], rank_of(end)
        if not self._held(joker):
            return f"there is no joker on the {name(joker)}"
        if end in self.exits():
            return None
        if rank == SEVEN:
            return f"a joker goes to a seven only when {SUIT_NAMES[suit]} are complete"
        if self._held(end):
            return f"the {name(end)} holds a joker already"
        if closes(end):
            return f"{SUIT_NAMES[suit]} are closed at the {name(end)}"
        if not shift:
            return (
                "jokers have moved about for long enough: until a card is played, a joker is "
                "removed or a penalty is taken, they can only leave by the seven of a complete suit"
            )
        return None

    def move_joker(self, joker: str, end: str) -> Board:
        """The board with a joker moved, or removed if `end` is a seven (HJ-R11)."""
        others = tuple(card for card in self.jokers if card != joker)
        if rank_of(end) == SEVEN:
            return replace(self, jokers=others, removed=self.removed + 1)
        return replace(self, jokers=(*others, end))
