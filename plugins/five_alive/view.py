"""What a seat sees of the table.

Rule 1: only the faces handed in are shown, and those of cards that lie open.
Rule 2: the running total is the headline, and what each wild card does is always in view.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sobremesa import (
    Block,
    Cards,
    Cell,
    Counter,
    Face,
    Faces,
    Figure,
    Gap,
    Grid,
    Hand,
    Headline,
    Meter,
    Row,
    Seat,
    Seats,
    Text,
    View,
    Voice,
    capital,
)

from .cards import BOMB, EFFECTS, MOST, fits, name, total_after
from .questions import room
from .state import LIVES, State
from .words import way


def view(state: State, seat: Seat | None, faces: Faces) -> View:
    """Draw the table for a seat; None is a spectator."""
    voice = Voice(seat)
    if state.places:
        return View("game over", (_winners(state, voice), Gap(), _ranking(state)))
    phase = f"hand {state.hand_no}"
    if state.opened:
        head = Headline(f"Hand {state.hand_no} is over", f"the total was {state.total}")
        return View(phase, (head, Gap(), _seats(state), Gap(), _held(state, voice)))
    own = [] if seat is None else [faces.get(card) for card in state.hands.get(seat, ())]
    blocks: list[Block] = [*_pile(state, voice), Gap(), _seats(state), *_cheat_sheet(own)]
    if seat is not None and state.hands.get(seat):
        blocks += _hand(state, seat, faces)
    return View(phase, tuple(blocks))


def _pile(state: State, voice: Voice) -> Iterator[Block]:
    """The running total in large, what lies on top and by whom, what is safe, and whose turn."""
    top = state.discard[-1] if state.discard else None
    if state.turn is None and top == BOMB:
        yield Figure("BOOM!", role="bad")
    else:
        yield Figure(str(state.total), Cards((top,)) if top is not None else None, f"of {MOST}")
    yield Headline(f"Total {state.total}: {room(state.total)}", _last_played(state, voice))
    goes = f"{way(state.direction)}, {len(state.pile)} to draw"
    if state.turn is not None and len(state.living()) > 1:
        follows = state.next(state.turn)
        goes = f"{goes}, then {voice.name(follows)}"
    yield Text(f"Going {goes}.", "dim")
    yield Meter(state.total, MOST)


def _last_played(state: State, voice: Voice) -> str:
    if not state.latest:
        return ""
    seat, face = list(state.latest.items())[-1]
    return f"{voice.does(seat, 'played', 'played')} {name(face)}"


def _seats(state: State) -> Seats:
    """A line for each player: ALIVE cards, cards in hand, and the card played last."""
    rows = []
    for seat in state.seats:
        side = state.side(seat)
        team: tuple[Cell, ...] = (state.sides.index(side) + 1,) if state.teams else ()
        said = name(state.latest[seat]) if seat in state.latest else ""
        cells = (*team, _alive(side.alive), len(state.hands.get(seat, ())))
        rows.append(Row(seat, cells, seat == state.turn, not state.lives(seat), said))
    return Seats((*["team"] * state.teams, "alive", "cards"), tuple(rows), said="played")


def _alive(cards: int) -> Counter:
    return Counter(cards, LIVES, letters="ALIVE")


def _cheat_sheet(own: Sequence[Face | None]) -> Iterator[Grid]:
    """What the wild cards do that one holds; all of them for who holds none to see."""
    held = {face: effect for face, effect in EFFECTS.items() if not own or face in own}
    if held:
        rows = tuple((Cards((face,)), effect) for face, effect in held.items())
        spoken = "; ".join(f"{name(face)}: {effect}" for face, effect in held.items())
        yield Grid(("", ""), rows, spoken=f"Wild cards: {spoken}", area="side")


def _held(state: State, voice: Voice) -> Grid:
    """What everybody still held when the hand was over."""
    rows = tuple(
        (capital(voice.does(seat, "held", "held")), Cards(state.opened[seat]))
        for seat in state.seats
        if seat in state.opened
    )
    return Grid(("", ""), rows)


def _hand(state: State, seat: Seat, faces: Faces) -> Iterator[Block]:
    """The hand, in one's turn with the total that each card would make."""
    cards = state.hands[seat]
    own = tuple(faces.get(card) for card in cards)
    playable: tuple[int, ...] | None = None
    notes: tuple[str, ...] = ()
    if seat == state.turn and None not in own:
        playable = tuple(p for p, face in enumerate(own) if face and fits(face, state.total))
        notes = tuple(_makes(face, state.total) for face in own if face is not None)
    yield Hand("Your hand", Cards(own, playable, notes=notes))


def _makes(face: Face, total: int) -> str:
    return f"→ {total_after(face, total)}" if fits(face, total) else "bust"


# When all is over.


def _winners(state: State, voice: Voice) -> Headline:
    if not state.surviving():
        return Headline("Everybody has left")
    return Headline(capital(voice.win(state.places[0])))


def _ranking(state: State) -> Seats:
    ranks = state.ranks()
    rows = tuple(Row(seat, (ranks[seat], _alive(state.side(seat).alive))) for seat in state.seats)
    return Seats(("place", "alive"), rows)
