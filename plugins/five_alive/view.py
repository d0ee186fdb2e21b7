"""What a seat sees of the table.

Rule 1: only the faces handed in are shown, and those of cards that lie open.
Rule 2: the running total is the headline, and what each wild card does is always in view.
"""

from __future__ import annotations

from collections import Counter as Counts
from collections.abc import Iterator, Sequence

from sobremesa import (
    Block,
    Cards,
    Cell,
    Counter,
    Face,
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
)

from .cards import EFFECTS, MOST, fits, is_number, name, place_in_order
from .questions import room
from .state import LIVES, State
from .words import way


def view(state: State, seat: Seat | None, faces: Faces) -> View:
    """Draw the table for a seat; None is a spectator."""
    voice = Voice(seat)
    if state.places:
        return View("game over", (_winners(state, voice), Gap(), _ranking(state)))
    blocks: list[Block] = [_headline(state), *_bar(state), Gap(), _seats(state)]
    if state.opened:
        blocks += [Gap(), *_held(state, voice)]
    else:
        blocks += [Text(_moment(state)), Gap(), _cheat_sheet()]
        if seat is not None and state.hands.get(seat):
            blocks += _hand(state, seat, faces)
    return View(f"hand {state.hand_no}", tuple(blocks))


def _headline(state: State) -> Headline:
    if state.opened:
        return Headline(f"Hand {state.hand_no} is over", f"the total was {state.total}")
    return Headline(f"Total {state.total} of {MOST}")


def _bar(state: State) -> Iterator[Block]:
    if not state.opened:
        safe = room(state.total)
        yield Grid(("", ""), ((Counter(state.total, MOST, "bar"), safe),), spoken=safe)


def _moment(state: State) -> str:
    """What lies on top, which way play goes, and how many cards are left to draw."""
    top = f"Top: {name(state.discard[-1])}. " if state.discard else ""
    return f"{top}Going {way(state.direction)}, {len(state.pile)} to draw."


def _seats(state: State) -> Seats:
    """A line for each player: ALIVE cards, cards in hand, and the card played last."""
    rows = []
    for seat in state.seats:
        side = state.side(seat)
        team: tuple[Cell, ...] = (state.sides.index(side) + 1,) if state.teams else ()
        latest = (state.latest[seat],) if seat in state.latest else ()
        cells = (*team, _alive(side.alive), len(state.hands.get(seat, ())), Cards(latest))
        rows.append(Row(seat, cells, seat == state.turn, not state.lives(seat)))
    return Seats((*["team"] * state.teams, "alive", "cards", "played"), tuple(rows))


def _alive(cards: int) -> Counter:
    return Counter(cards, LIVES, "pips")


def _cheat_sheet() -> Grid:
    """The wild cards, two to a line."""
    sheet = [(Cards((face,)), effect) for face, effect in EFFECTS.items()]
    half = (len(sheet) + 1) // 2
    rows = tuple((*left, *right) for left, right in zip(sheet[:half], sheet[half:], strict=True))
    spoken = "; ".join(f"{name(face)}: {effect}" for face, effect in EFFECTS.items())
    return Grid(("", "", "", ""), rows, spoken=f"Wild cards: {spoken}")


def _held(state: State, voice: Voice) -> Iterator[Block]:
    """What everybody still held when the hand was over."""
    for seat in state.seats:
        if seat in state.opened:
            who = capital(voice.does(seat, "held", "held"))
            yield Hand(who, Cards(state.opened[seat]), area="table")


def _hand(state: State, seat: Seat, faces: Faces) -> Iterator[Block]:
    """The hand as it was dealt, for its places are what is played, and once more in order."""
    cards = state.hands[seat]
    own = tuple(faces[card] for card in cards if card in faces)
    if len(own) < len(cards):
        yield Hand("Your hand", Cards(tuple(faces.get(card) for card in cards)))
        return
    playable: tuple[int, ...] | None = None
    if seat == state.turn:
        playable = tuple(p for p, face in enumerate(own) if fits(face, state.total))
    yield Hand("Your hand", Cards(own, playable))
    yield Text(f"In order: {_in_order(own)}", "dim", "hand")


def _in_order(faces: Sequence[Face]) -> str:
    """`0 1 1 5, PASS ME BY (2), =21`."""
    ordered = sorted(faces, key=place_in_order)
    numbers = " ".join(face for face in ordered if is_number(face))
    wild = Counts(face for face in ordered if not is_number(face))
    names = [f"{name(face)} ({n})" if n > 1 else name(face) for face, n in wild.items()]
    return ", ".join([numbers, *names] if numbers else names)


# When all is over.


def _winners(state: State, voice: Voice) -> Headline:
    if not state.surviving():
        return Headline("Everybody has left")
    return Headline(capital(voice.win(state.places[0])))


def _ranking(state: State) -> Seats:
    ranks = state.ranks()
    rows = tuple(Row(seat, (ranks[seat], _alive(state.side(seat).alive))) for seat in state.seats)
    return Seats(("place", "alive"), rows)
