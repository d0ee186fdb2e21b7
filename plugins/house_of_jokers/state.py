"""What everybody at the table knows: the board, the action cards that lie face up, and counts.

Rule 1: handles only; a face is here when it was revealed to all and lies open, and not before. A
card that was turned face down is forgotten here.
Rule 2: a board is a value: laying a card or moving a joker makes another one, so that a question
keeps the board it was asked about, and a bot can try things out.
Rule 3: a joker has no code; it is named by the end card it sits on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from sobremesa import PACK, SUITS, Card, Piece, Seat, card_code, card_name, card_rank, from_left_of

ACE, SEVEN, KING = 1, 7, 13

DEALT = tuple(card for card in PACK if card_rank(card) != SEVEN)
"""All but the sevens (HJ-R2)."""

ALL = len(PACK)

Stage = Literal["dealing", "choosing", "playing", "refilling", "flipping", "moving"]
"""What is being asked; while a move is carried out nothing is."""

HIDDEN = "??"
JOKER_CARD = "JK"


def closes(face: str) -> bool:
    """Whether the card closes its end (HJ-R9)."""
    return card_rank(face) in (ACE, KING)


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
            yield card_code(suit, low - 1), card_code(suit, low)
        if high < KING:
            yield card_code(suit, high + 1), card_code(suit, high)

    def wanted(self) -> tuple[str, ...]:
        """The cards that fit now (HJ-R6)."""
        pairs = (pair for suit in SUITS for pair in self.next_cards(suit))
        return tuple(card for card, end in pairs if end not in self.jokers)

    def fits(self, face: str) -> bool:
        suit, rank = face[-1], card_rank(face)
        if rank == self.low[suit] - 1:
            return card_code(suit, self.low[suit]) not in self.jokers
        return rank == self.high[suit] + 1 and card_code(suit, self.high[suit]) not in self.jokers

    def why_not(self, face: str) -> str | None:
        """Why a card cannot be laid, as a clause, or None if it can."""
        suit = face[-1]
        pairs = dict(self.next_cards(suit))
        if face in pairs:
            end = pairs[face]
            return (
                f"a joker on the {card_name(end)} blocks the {card_name(face)}"
                if self._held(end)
                else None
            )
        wanted = " or ".join(f"the {card_name(card)}" for card in pairs)
        return f"the {card_name(face)} does not fit: {SUITS[suit]} go on with {wanted}"

    def distance(self, face: str) -> int:
        """How many cards must be laid until this one is: 1 if it is the next of its end."""
        suit, rank = face[-1], card_rank(face)
        return self.low[suit] - rank if rank < SEVEN else rank - self.high[suit]

    def lay(self, face: str) -> Board:
        """The board with a card that fits, and on it a joker if one is still to place (HJ-R7)."""
        suit, rank = face[-1], card_rank(face)
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
            card_code(suit, rank)
            for suit in SUITS
            for rank, bounds in ((self.low[suit], (ACE, SEVEN)), (self.high[suit], (SEVEN, KING)))
            if rank not in bounds
        )
        return tuple(end for end in ends if not self._held(end))

    def exits(self) -> tuple[str, ...]:
        """The sevens of complete suits, by which jokers leave for good."""
        return tuple(card_code(suit, SEVEN) for suit in SUITS if self.is_complete(suit))

    def places(self) -> tuple[str, ...]:
        """Every card that somebody may think of as a place for a joker: all ends, all sevens."""
        cards = (
            card_code(suit, rank)
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
        suit, rank = end[-1], card_rank(end)
        if not self._held(joker):
            return f"there is no joker on the {card_name(joker)}"
        if end in self.exits():
            return None
        if rank == SEVEN:
            return f"a joker goes to a seven only when {SUITS[suit]} are complete"
        if self._held(end):
            return f"the {card_name(end)} holds a joker already"
        if closes(end):
            return f"{SUITS[suit]} are closed at the {card_name(end)}"
        if not shift:
            return (
                "jokers have moved about for long enough: until a card is played, a joker is "
                "removed or a penalty is taken, they can only leave by the seven of a complete suit"
            )
        return None

    def move_joker(self, joker: str, end: str) -> Board:
        """The board with a joker moved, or removed if `end` is a seven (HJ-R11)."""
        others = tuple(card for card in self.jokers if card != joker)
        if card_rank(end) == SEVEN:
            return replace(self, jokers=others, removed=self.removed + 1)
        return replace(self, jokers=(*others, end))


@dataclass(frozen=True, slots=True)
class Slot:
    """An action card before a player. `face` None means that it lies face down."""

    card: Card
    face: str | None


@dataclass(frozen=True, slots=True)
class Ending:
    """How the game ended for everybody (HJ-R21); `seat` is who could not go on, gave up or left."""

    kind: Literal["won", "lost", "gave_up", "left"]
    seat: Seat | None = None


@dataclass(slots=True)
class State:
    """The table."""

    seats: tuple[Seat, ...]
    count: int
    """Action cards of each player (HJ-R3)."""
    jokers: int
    rounds: int
    """Rounds in which all may move jokers, before they must stay (HJ-R14); 0 is no limit."""
    board: Board
    hands: dict[Seat, tuple[Card, ...]] = field(default_factory=dict)
    slots: dict[Seat, tuple[Slot, ...]] = field(default_factory=dict)
    latest: dict[Seat, str] = field(default_factory=dict)
    """What each player did last: a card played, or a joker moved; nothing if it was a penalty."""
    turn: Seat | None = None
    extra: bool = False
    """Whether this is an extra turn, or may be one."""
    stage: Stage = "dealing"
    stall: int = 0
    """Turns in a row that did nothing but move a joker."""
    visited: list[tuple[Seat, tuple[str, ...]]] = field(default_factory=list)
    """Whose turn it was where the jokers lay, in these turns."""
    ending: Ending | None = None

    def holders(self) -> list[Seat]:
        """The seats that still have cards."""
        return [seat for seat in self.seats if self.slots[seat] or self.hands[seat]]

    def after(self, seat: Seat) -> list[Seat]:
        """Every seat that still has cards, clockwise from the left of this one, itself last."""
        holders = self.holders()
        return [other for other in from_left_of(self.seats, seat) if other in holders]

    @property
    def limit(self) -> int:
        """How many turns in a row may be spent on moving jokers about (HJ-R14)."""
        return self.rounds * len(self.holders())

    @property
    def may_shift(self) -> bool:
        """Whether a joker may move to another end now."""
        return not self.rounds or self.stall < self.limit

    def repeats(self, seat: Seat) -> bool:
        """Whether a turn finds everything as it found it before, with no card placed since, where
        nothing but the players ends that. Notes the turn."""
        here = seat, tuple(sorted(self.board.jokers))
        been = here in self.visited
        self.visited.append(here)
        return been and not self.rounds

    def goes_on(self) -> None:
        """Something else than a joker's move has happened (HJ-R14)."""
        self.stall = 0
        self.visited.clear()

    def face_up(self, seat: Seat) -> list[str]:
        """The faces of a player's open action cards."""
        return [slot.face for slot in self.slots.get(seat, ()) if slot.face is not None]


def public(state: State) -> dict[str, Any]:
    """The public state as plain values."""
    board = state.board
    return {
        "low": dict(board.low),
        "high": dict(board.high),
        "jokers": list(board.jokers),
        "jokers_to_place": board.to_place,
        "jokers_removed": board.removed,
        "action": {
            seat: [slot.face or HIDDEN for slot in state.slots.get(seat, ())]
            for seat in state.seats
        },
        "hand": {seat: len(state.hands.get(seat, ())) for seat in state.seats},
        "placed": board.placed,
        "turn": state.turn,
        "stall": state.stall,
    }


def pieces(state: State) -> Mapping[Seat, tuple[Piece | None, ...]]:
    """The hand of each seat, then its action cards. One that lies face down is covered even for
    its owner, unless it is the owner's turn (HJ-R19)."""
    return {
        seat: (
            *state.hands.get(seat, ()),
            *(
                slot.card if slot.face is not None or seat == state.turn else None
                for slot in state.slots.get(seat, ())
            ),
        )
        for seat in state.seats
    }
