"""What a seat sees of the table.

Rule 1: only the faces handed in are shown. A player's own dice lie in the hand, and every cup on
the table stays covered until all are lifted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sobremesa import (
    Block,
    Chances,
    Dice,
    Faces,
    Figure,
    Gap,
    Grid,
    Hand,
    Headline,
    Row,
    Seat,
    Seats,
    Text,
    View,
    capital,
    percent,
)

from . import odds
from .state import FACES, Bid, Showdown, State, one, plural
from .words import DudoVoice, counted

SHOWN = 6
"""How many counts from the bid on have their chance shown."""


def view(state: State, seat: Seat | None, faces: Faces) -> View:
    """Draw the table for a seat; None is a spectator."""
    voice = DudoVoice(seat)
    if state.places:
        return View("game over", (_winner(state, voice), Gap(), _ranking(state)))
    if state.showdown:
        return _told(state, state.showdown, voice)
    blocks = (*_bid(state, voice), Gap(), _seats(state, _covered(state), _bids(state)))
    own = _own_dice(state, seat, faces)
    return View(_phase(state), (*blocks, *_own(state, own)) if own else blocks)


def _own_dice(state: State, seat: Seat | None, faces: Faces) -> tuple[int, ...]:
    """The dice under the seat's own cup in order, if there are any and they can be seen."""
    cup = () if seat is None else state.cups.get(seat, ())
    return tuple(sorted(faces[die] for die in cup if die in faces))


def _phase(state: State) -> str:
    if state.showdown:
        return "cups lifted"
    return f"round {state.round}, palifico" if state.palifico else f"round {state.round}"


# While people bid.


def _bid(state: State, voice: DudoVoice) -> Iterator[Block]:
    """The bid that stands, and among how many dice."""
    if state.bid is None or state.bidder is None:
        opener = state.turn or state.opener
        opens = capital(voice.does(opener, "opens", "open"))
        yield Headline(f"{opens} the round", f"{state.total} dice on the table")
    else:
        yield Figure(f"{state.bid.quantity}x", Dice((state.bid.face,), (0,)))
        bids = capital(voice.does(state.bidder, "bids", "bid"))
        yield Headline(f"{bids} {state.bid}", f"among {state.total} dice")
    if state.palifico:
        yield Text("Palifico: ones are not wild, the face stays.", "warn")
    else:
        yield Text("Ones are wild.", "dim")


def _own(state: State, own: tuple[int, ...]) -> Iterator[Block]:
    """One's own dice, those that count for the bid marked, and what to expect of all."""
    if state.bid is None:
        yield Hand("Your dice", Dice(own))
        yield _expectations(state, own)
        return
    face = state.bid.face
    hits = tuple(i for i, die in enumerate(own) if odds.counts(die, face, state.palifico))
    wild = face != 1 and not state.palifico
    notes = tuple(
        ("wild" if die == 1 and wild else one(face)) if place in hits else ""
        for place, die in enumerate(own)
    )
    yield Hand("Your dice", Dice(own, hits, notes))
    yield _chances(state, state.bid, own)


def _chances(state: State, bid: Bid, own: tuple[int, ...]) -> Chances:
    """How likely so many of the bid's face are, from the bid on."""
    hidden, palifico = state.total - len(own), state.palifico
    held = odds.matching(own, bid.face, palifico)
    among = odds.one_in(bid.face, palifico)
    counts = range(bid.quantity, bid.quantity + SHOWN)
    bars = tuple(
        (f"≥ {count}" if count < 10 else f"≥{count}",
         percent(odds.at_least(count - held, hidden, among)) if count > held else 100)
        for count in counts
    )  # fmt: skip
    expect = odds.expected(held, hidden, among)
    label = f"{plural(bid.face)}: you hold {held}, expect {expect}"
    return Chances(label, bars, 1, _expectations(state, own).spoken)


def _seats(state: State, cups: Mapping[Seat, Dice], said: Mapping[Seat, str]) -> Seats:
    rows = (
        Row(
            seat,
            (cups[seat],),
            turn=seat == state.turn,
            out=not state.dice[seat],
            said=said.get(seat, ""),
            badge="opened" if seat == state.opener and state.bids else "",
        )
        for seat in state.seats
    )
    return Seats(("dice",), tuple(rows), said="last bid")


def _covered(state: State) -> dict[Seat, Dice]:
    return {seat: Dice((None,) * state.dice[seat]) for seat in state.seats}


def _bids(state: State) -> dict[Seat, str]:
    return {seat: str(bid) for seat, bid in state.bids}


# When the cups are lifted (C9): the call, the dice, the count, and what it costs.


def _told(state: State, showdown: Showdown, voice: DudoVoice) -> View:
    bid = state.bid
    assert bid is not None
    assert state.bidder is not None
    caller, count = showdown.caller, showdown.count
    deed = ("doubts", "doubt") if showdown.call == "doubt" else ("calls exact:", "call exact:")
    asked = Headline(f"{capital(voice.does(caller, *deed))} {voice.of(state.bidder)} {bid}")
    call = "Dudo!" if showdown.call == "doubt" else "Exact!"
    said = _bids(state) | {caller: call}
    down = _covered(state) | {s: Dice((None,) * len(dice)) for s, dice in showdown.faces.items()}
    up = down | {s: Dice(tuple(sorted(dice))) for s, dice in showdown.faces.items()}
    marked = down | {s: _lifted(bid, dice, state.palifico) for s, dice in showdown.faces.items()}
    wanted = Figure(f"{bid.quantity}x", Dice((bid.face,), (0,)))
    found = counted(count, bid, state.palifico)
    right = showdown.loser != caller
    verdict = Text(_settlement(showdown, voice), "headline")
    figure = Figure(str(count), Dice((bid.face,), (0,)), role="good" if right else "bad")

    def shown(cups: Mapping[Seat, Dice], *middle: Block) -> tuple[Block, ...]:
        return (*middle, Gap(), _seats(state, cups, said))

    last = (figure, Headline(f"Counted: {found}", asked.text), verdict)
    return View(
        _phase(state),
        shown(marked, *last),
        (shown(down, wanted, asked), shown(up, wanted, asked), shown(marked, *last[:2])),
    )


def _lifted(bid: Bid, dice: Sequence[int], palifico: bool) -> Dice:
    """A cup that is lifted, with the dice that count marked."""
    shown = tuple(sorted(dice))
    return Dice(
        shown, tuple(i for i, die in enumerate(shown) if odds.counts(die, bid.face, palifico))
    )


def _settlement(showdown: Showdown, voice: DudoVoice) -> str:
    """Who was right and what it costs, in one sentence."""
    caller, loser = showdown.caller, showdown.loser
    verdict = voice.verdict(caller, showdown.call, right=loser != caller)
    if loser is None:
        pays = f"{voice.does(caller, 'opens', 'open')} the next round"
    else:
        pays = f"{voice.does(loser, 'loses', 'lose')} a die"
    return capital(f"{verdict}, so {pays}.")


def _expectations(state: State, own: tuple[int, ...]) -> Grid:
    """For every face: how many the player holds, and how many to expect on the whole table."""
    hidden = state.total - len(own)
    holds = [odds.matching(own, face, state.palifico) for face in FACES]
    expects = [
        odds.expected(held, hidden, odds.one_in(face, state.palifico))
        for face, held in zip(FACES, holds, strict=True)
    ]
    spoken = "; ".join(
        f"{plural(face)}: you hold {held}, expect about {expect}"
        for face, held, expect in zip(FACES, holds, expects, strict=True)
    )
    wild = "ones are not wild" if state.palifico else "ones counted in"
    return Grid(
        columns=("", *(f"{face}s" for face in FACES)),
        rows=(("you hold", *holds), ("expect", *expects)),
        label=f"Of {state.total} dice, {wild}",
        spoken=f"Of {state.total} dice, {wild}: {spoken}.",
        area="hand",
    )


# When all is over.


def _winner(state: State, voice: DudoVoice) -> Headline:
    if not state.playing():
        return Headline("Everybody has left")
    return Headline(capital(voice.win(state.places[0])))


def _ranking(state: State) -> Seats:
    ranks = state.ranks()
    rows = tuple(Row(seat, (ranks[seat], state.dice[seat])) for seat in state.seats)
    return Seats(("place", "dice"), rows)
