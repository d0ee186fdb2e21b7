"""What a seat sees of the table.

Rule 1: face-down action cards are shown to nobody but their owner, and to the owner only during
its own turn (HJ-R19), whatever faces are handed in.
Rule 2: with five players everything fits the 17 rows of a small terminal.
"""

from __future__ import annotations

from collections.abc import Iterator

from sobremesa import (
    RANKS,
    SUITS,
    Block,
    Cards,
    Cell,
    Counter,
    Faces,
    Gap,
    Grid,
    Hand,
    Headline,
    Row,
    Seat,
    Seats,
    Text,
    View,
    Voice,
    capital,
    card_code,
    counted,
)

from .questions import Turn
from .state import ALL, JOKER_CARD, KING, State


def view(state: State, seat: Seat | None, faces: Faces) -> View:
    """Draw the table for a seat; None is a spectator."""
    blocks = [*_headlines(state, Voice(seat)), Gap(), _board(state), Gap(), _seats(state)]
    blocks += [Gap(), _counters(state)]
    if seat is not None and state.ending is None:
        blocks += _own(state, seat, faces)
    return View(_phase(state), tuple(blocks))


def _phase(state: State) -> str:
    if state.ending is not None:
        return "game over"
    if state.turn is None:
        return state.stage
    return f"{state.board.placed} of {ALL} placed"


def _headlines(state: State, voice: Voice) -> Iterator[Block]:
    if state.ending is not None:
        yield from _end(state, voice)
    elif state.turn is None:
        cards = counted(state.count, "action card")
        yield Headline(
            "The cards are dealt" if state.stage == "dealing" else f"Everybody chooses {cards}",
            "" if state.stage == "dealing" else "opened together",
        )
    else:
        whose = capital(f"{voice.of(state.turn)} turn")
        does = {
            "refilling": "a hand card takes the empty place",
            "flipping": "no valid move: a card goes face down",
        }
        yield Headline(whose, does.get(state.stage, "an extra turn" if state.extra else ""))


def _end(state: State, voice: Voice) -> Iterator[Block]:
    ending = state.ending
    assert ending is not None
    if ending.kind == "won":
        whom = "the players" if voice.seat is None else "you"
        yield Headline("YOU WON!" if voice.seat is not None else "THE PLAYERS WON!")
        yield Text(f"Congratulations, {whom} won the game together!", "good")
        return
    if ending.kind == "left":
        yield Headline("Room Canceled", "Someone left the game...")
        return
    assert ending.seat is not None
    yield Headline("GAME OVER", "You lost..." if voice.seat is not None else "The players lost...")
    if ending.kind == "lost":
        has = voice.does(ending.seat, "has", "have")
        yield Text(f"The Joker Wins! {capital(has)} no card left to turn face down.", "bad")
    else:
        yield Text(capital(voice.does(ending.seat, "gave", "gave")) + " up.", "bad")


# The board.


def _board(state: State) -> Grid:
    """A row for each suit: cards laid, jokers in the places they block, places that wait.

    Each head is as wide as the cards of its rank, so that nothing moves sideways when one is laid.
    """
    heads = (f"{rank} " for rank in RANKS)
    rows = tuple((SUITS[s], *(_place(state, s, r + 1) for r in range(KING))) for s in SUITS)
    spoken = "; ".join(_spoken(state, suit) for suit in SUITS)
    return Grid(("", *heads), rows, spoken=spoken[0].upper() + spoken[1:] + ".")


def _place(state: State, suit: str, rank: int) -> Cell:
    board = state.board
    if board.low[suit] <= rank <= board.high[suit]:
        return Cards((card_code(suit, rank),))
    ends = dict(board.next_cards(suit))
    if (card := card_code(suit, rank)) not in ends:
        return "."
    # As a card the joker would be drawn wider than its column.
    return Cards((JOKER_CARD,)) if ends[card] in board.jokers else "[]"


def _spoken(state: State, suit: str) -> str:
    """`spades from 5 to 9, a joker on the 9, waiting for the 4`."""
    board = state.board
    if board.is_complete(suit):
        return f"{SUITS[suit]} complete"
    low, high = RANKS[board.low[suit] - 1], RANKS[board.high[suit] - 1]
    said = [f"{SUITS[suit]} {low} to {high}" if low != high else f"{SUITS[suit]} only {low}"]
    ends = dict(board.next_cards(suit))
    held = [end[:-1] for end in ends.values() if end in board.jokers]
    said += [f"joker on {' and '.join(held)}"] if held else []
    waits = [card[:-1] for card, end in ends.items() if end not in board.jokers]
    said += [f"next {' or '.join(waits)}"] if waits else []
    return ", ".join(said)


def _counters(state: State) -> Grid:
    board = state.board
    row: tuple[Cell, ...] = (
        Counter(board.placed, ALL, "bar"),
        Counter(board.removed, state.jokers, "pips"),
        Counter(state.stall, state.limit),
    )
    spoken = (
        f"{board.placed} of {ALL} cards placed; {board.removed} of {state.jokers} jokers removed; "
        f"{counted(state.stall, 'joker move')} in a row, {state.limit} allowed"
    )
    return Grid(("house", "jokers out", "joker moves"), (row,), spoken=spoken)


def _seats(state: State) -> Seats:
    """Everybody's action cards, with those that fit now, how many cards are left in hand, and the
    card or joker that moved last."""
    rows = (
        Row(
            seat,
            (
                _open_cards(state, seat),
                len(state.hands[seat]),
                Cards((state.latest[seat],) if seat in state.latest else ()),
            ),
            turn=seat == state.turn,
            out=state.turn is not None and seat not in state.holders(),
        )
        for seat in state.seats
    )
    return Seats(("action cards", "hand", "played"), tuple(rows))


def _open_cards(state: State, seat: Seat) -> Cards:
    cards = tuple(slot.face for slot in state.slots[seat])
    if state.turn is None:
        return Cards(cards)
    fit = (place for place, face in enumerate(cards) if face and state.board.fits(face))
    return Cards(cards, tuple(fit))


# What is one's own.


def _own(state: State, seat: Seat, faces: Faces) -> Iterator[Block]:
    hand = tuple(faces.get(card) for card in state.hands[seat])
    choosing = state.stage == "choosing" or (state.turn == seat and state.stage == "refilling")
    if state.slots[seat]:
        yield from _action_cards(state, seat, faces)
    if hand:
        yield Hand("Your hand", Cards(hand, tuple(range(len(hand))) if choosing else None))
    if state.stage == "choosing":
        yield Text(_by_suit(hand), "dim", "hand")


def _action_cards(state: State, seat: Seat, faces: Faces) -> Iterator[Block]:
    slots = state.slots[seat]
    if state.turn != seat:
        yield Hand("Actions", Cards(tuple(slot.face for slot in slots)))
        return
    seen = tuple(slot.face or faces.get(slot.card) for slot in slots)
    turn = Turn(state.board, slots, state.may_shift, state.extra)
    fitting = tuple(place - 1 for place in turn.fitting(faces))
    marked: tuple[int, ...] | None = None
    if state.stage == "flipping":
        marked = tuple(place for place, slot in enumerate(slots) if slot.face is not None)
    elif state.stage == "playing":
        marked = fitting
    yield Hand("Actions", Cards(seen, marked))
    if state.stage == "playing" and not fitting and turn.joker_moves and not state.extra:
        yield Text("None of your action cards fits: you can only move a joker.", "warn")


def _by_suit(hand: tuple[str | None, ...]) -> str:
    """The hand once more, sorted: `Spades 2 9 K, hearts 8`."""
    suits = []
    for suit in SUITS:
        ranks = sorted(RANKS.index(face[:-1]) for face in hand if face and face[-1] == suit)
        if ranks:
            suits.append(f"{SUITS[suit]} {' '.join(RANKS[rank] for rank in ranks)}")
    text = ", ".join(suits)
    return text[:1].upper() + text[1:]
