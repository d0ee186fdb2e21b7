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
    Board,
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
    Spot,
    Text,
    View,
    Voice,
    capital,
    card_code,
    card_name,
    counted,
)

from .questions import Turn
from .state import ALL, JOKER_CARD, KING, State

SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
"""The suits as a row of the board is called."""


def view(state: State, seat: Seat | None, faces: Faces) -> View:
    """Draw the table for a seat; None is a spectator."""
    blocks = [_board(state), _counters(state), *_headlines(state, Voice(seat)), _seats(state)]
    if state.ending is not None:
        blocks = [*_headlines(state, Voice(seat)), Gap(), _board(state), _counters(state)]
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
        if remark := does.get(state.stage, "an extra turn" if state.extra else ""):
            yield Headline(whose, remark)


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


def _board(state: State) -> Board:
    """A row for each suit, the ranks from ace to king, jokers on the cards that they hold."""
    rows = tuple(
        (SIGNS[suit], tuple(_spot(state, suit, r + 1) for r in range(KING)), _placed(state, suit))
        for suit in SUITS
    )
    spoken = "; ".join(_spoken(state, suit) for suit in SUITS)
    return Board(RANKS, rows, spoken[0].upper() + spoken[1:] + ".")


def _placed(state: State, suit: str) -> str:
    board = state.board
    return f"{board.high[suit] - board.low[suit] + 1}/{KING}"


def _spot(state: State, suit: str, rank: int) -> Spot:
    board = state.board
    card = card_code(suit, rank)
    if board.low[suit] <= rank <= board.high[suit]:
        return Spot(card, "JOKER" if card in board.jokers else "")
    ends = dict(board.next_cards(suit))
    if card not in ends:
        return Spot()
    return Spot(state="blocked" if ends[card] in board.jokers else "open")


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
        "house",
        Counter(board.placed, ALL, "bar"),
        "jokers out",
        Counter(board.removed, state.jokers, "pips"),
        "joker moves",
        Counter(state.stall, state.limit) if state.rounds else state.stall,
    )
    spoken = (
        f"{board.placed} of {ALL} cards placed; {board.removed} of {state.jokers} jokers removed; "
        f"{counted(state.stall, 'joker move')} in a row, {state.limit or 'any number'} allowed"
    )
    return Grid(("",) * len(row), (row,), spoken=spoken)


def _seats(state: State) -> Seats:
    """Everybody's action cards, with those that fit now, how many cards are left in hand, and the
    card or joker that moved last."""
    rows = (
        Row(
            seat,
            (_open_cards(state, seat), len(state.hands[seat])),
            turn=seat == state.turn,
            out=state.turn is not None and seat not in state.holders(),
            said=_latest(state, seat),
        )
        for seat in state.seats
    )
    return Seats(("action cards", "hand"), tuple(rows), said="played")


def _latest(state: State, seat: Seat) -> str:
    face = state.latest.get(seat)
    if face is None:
        return ""
    return "a joker" if face == JOKER_CARD else card_name(face)


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
    notes: tuple[str, ...] = ()
    if marked is not None:
        notes = tuple(_note(face, place, marked, state.stage) for place, face in enumerate(seen))
    yield Hand("Actions", Cards(seen, marked, notes=notes))
    if state.stage == "playing" and not fitting and turn.joker_moves and not state.extra:
        yield Text("None of your action cards fits: you can only move a joker.", "warn")


def _note(face: str | None, place: int, marked: tuple[int, ...], stage: str) -> str:
    """What is to be said of an action card in one's turn: whether it can be played or flipped."""
    if face is None or stage == "flipping":
        return "flip" if place in marked else ""
    return "fits" if place in marked else "no"
