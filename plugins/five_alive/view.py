"""What a seat sees of the table.

Rule 1: only the faces handed in are shown, and those of cards that lie open.
Rule 2: the running total is the headline, and what each wild card does is always in view.
"""

from __future__ import annotations

from collections.abc import Iterator

from sobremesa.core.pieces import Faces, Seat
from sobremesa.core.views import (
    Block,
    Cards,
    Cell,
    Counter,
    Gap,
    Grid,
    Hand,
    Headline,
    Row,
    Seats,
    Text,
    View,
)

from .cards import EFFECTS, MOST, fits, name
from .questions import room
from .state import LIVES, State
from .words import Voice, capital, way


def view(state: State, seat: Seat | None, faces: Faces) -> View:
    """Draw the table for a seat; None is a spectator."""
    voice = Voice(seat)
    if state.places:
        return View("game over", (_winners(state, voice), Gap(), _ranking(state)))
    blocks: list[Block] = [_headline(state), *_bar(state), Gap(), _seats(state, voice)]
    blocks += [*_teams(state, voice), Text(_moment(state, voice)), Gap()]
    blocks += _held(state) if state.opened else [_cheat_sheet()]
    if seat is not None and state.hands.get(seat) and not state.opened:
        blocks.append(_hand(state, seat, faces))
    return View(f"hand {state.hand_no}", tuple(blocks))


def _headline(state: State) -> Headline:
    if state.opened:
        return Headline(f"Hand {state.hand_no} is over", f"the total was {state.total}")
    return Headline(f"Total {state.total} of {MOST}", room(state.total))


def _bar(state: State) -> Iterator[Block]:
    if not state.opened:
        yield Grid(("", ""), (("Total", Counter(state.total, MOST, "bar")),),
                   spoken=f"Total {state.total} of {MOST}")  # fmt: skip


def _moment(state: State, voice: Voice) -> str:
    """What lies on top, which way it goes, and who is next."""
    top = f"On top: {name(state.discard[-1])}. " if state.discard else ""
    going = f"Play goes {way(state.direction)}. " if not state.opened else ""
    return f"{top}{going}{len(state.pile)} to draw, {len(state.discard)} discarded."


def _seats(state: State, voice: Voice) -> Seats:
    """A line for each player: ALIVE cards, cards in hand, and the card played last."""
    heads = ("team" if state.teams else "alive", "cards", "played")
    rows = []
    for seat in state.seats:
        side = state.side(seat)
        alive: Cell = state.sides.index(side) + 1 if state.teams else _alive(side.alive)
        latest = (state.latest[seat],) if seat in state.latest else ()
        cells: tuple[Cell, ...] = (alive, len(state.hands.get(seat, ())), Cards(latest))
        rows.append(Row(seat, cells, seat == state.turn, not state.lives(seat)))
    return Seats(heads, tuple(rows))


def _alive(cards: int) -> Counter:
    return Counter(cards, LIVES, "pips")


def _teams(state: State, voice: Voice) -> Iterator[Block]:
    if state.teams:
        rows = tuple(
            (_team(side.seats, n, voice), _alive(side.alive))
            for n, side in enumerate(state.sides, 1)
        )
        yield Grid(("", "alive"), rows)


def _team(seats: tuple[Seat, ...], number: int, voice: Voice) -> str:
    return f"Team {number} (yours)" if voice.seat in seats else f"Team {number}"


def _cheat_sheet() -> Grid:
    """The wild cards, two to a line."""
    sheet = [(Cards((face,)), effect) for face, effect in EFFECTS.items()]
    half = (len(sheet) + 1) // 2
    rows = tuple((*left, *right) for left, right in zip(sheet[:half], sheet[half:], strict=True))
    spoken = "; ".join(f"{name(face)}: {effect}" for face, effect in EFFECTS.items())
    return Grid(("", "", "", ""), rows, spoken=f"Wild cards: {spoken}")


def _held(state: State) -> list[Block]:
    return [
        Hand(capital(f"{seat} held"), Cards(faces), area="table")
        for seat, faces in state.opened.items()
    ]


def _hand(state: State, seat: Seat, faces: Faces) -> Hand:
    own = tuple(faces.get(card) for card in state.hands[seat])
    playable: tuple[int, ...] = ()
    if seat == state.turn:
        playable = tuple(
            place
            for place, face in enumerate(own)
            if face is not None and fits(face, state.total)
        )
    return Hand("Your hand", Cards(own, playable))


# When all is over.


def _winners(state: State, voice: Voice) -> Headline:
    if not state.surviving():
        return Headline("Everybody has left")
    winners = state.places[0]
    together = " together" if len(winners) > 1 else ""
    return Headline(capital(voice.do(winners, "wins", "win")) + together)


def _ranking(state: State) -> Seats:
    ranks: dict[Seat, int] = {}
    for place in state.places:
        ranks.update(dict.fromkeys(place, len(ranks) + 1))
    rows = tuple(
        Row(seat, (ranks[seat], _alive(state.side(seat).alive))) for seat in state.seats
    )
    return Seats(("place", "alive"), rows)
