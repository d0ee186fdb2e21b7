"""What a seat sees of the table.

Rule 1: only the faces handed in are shown. A player's own dice lie in the hand, and every cup on
the table stays covered until all are lifted.
"""

from __future__ import annotations

from sobremesa import (
    Block,
    Dice,
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
    capital,
)

from . import odds
from .state import FACES, Showdown, State, plural
from .words import DudoVoice, counted


def view(state: State, seat: Seat | None, faces: Faces) -> View:
    """Draw the table for a seat; None is a spectator."""
    voice = DudoVoice(seat)
    blocks: list[Block] = [_headline(state, voice)]
    if state.palifico:
        blocks.append(Text("Palifico: ones are not wild, and the face stays.", "warn"))
    blocks += [Gap(), _seats(state)]
    if state.showdown:
        blocks += [Gap(), Text(_settlement(state.showdown, voice), "headline")]
    elif own := _own_dice(state, seat, faces):
        blocks += [Hand("Your dice", Dice(own)), _expectations(state, own)]
    return View(_phase(state), tuple(blocks))


def _own_dice(state: State, seat: Seat | None, faces: Faces) -> tuple[int, ...]:
    """The dice under the seat's own cup, if there are any and they can be seen."""
    cup = () if seat is None or state.places else state.cups.get(seat, ())
    return tuple(faces[die] for die in cup if die in faces)


def _phase(state: State) -> str:
    if state.places:
        return "game over"
    if state.showdown:
        return "cups lifted"
    return f"round {state.round}, palifico" if state.palifico else f"round {state.round}"


def _headline(state: State, voice: DudoVoice) -> Headline:
    if state.places:
        if not state.playing():
            return Headline("Everybody has left")
        return Headline(capital(voice.win(state.places[0])))
    on_table = f"{state.total} dice on the table"
    if state.bid is None or state.bidder is None:
        opener = state.turn or state.opener
        opens = capital(voice.does(opener, "opens", "open"))
        return Headline(f"{opens} the round", on_table)
    if state.showdown:
        caller, call = state.showdown.caller, state.showdown.call
        deed = ("doubts", "doubt") if call == "doubt" else ("calls exact:", "call exact:")
        calls = capital(voice.does(caller, *deed))
        asked = f"{calls} {voice.of(state.bidder)} {state.bid}"
        found = counted(state.showdown.count, state.bid, state.palifico)
        return Headline(found, asked)
    return Headline(str(state.bid), f"bid by {voice.name(state.bidder)}, {on_table}")


def _seats(state: State) -> Seats:
    if state.places:
        ranks = state.ranks()
        ended = (Row(seat, (ranks[seat], state.dice[seat])) for seat in state.seats)
        return Seats(("place", "dice"), tuple(ended))
    last = dict(state.bids)
    return Seats(
        ("dice", "last bid"),
        tuple(
            Row(
                seat,
                (_cup(state, seat), str(last.get(seat, ""))),
                turn=seat == state.turn,
                out=not state.dice[seat],
            )
            for seat in state.seats
        ),
    )


def _cup(state: State, seat: Seat) -> Dice:
    """A cup as everybody sees it: covered, or lifted with the dice that count marked."""
    shown = state.showdown.faces.get(seat) if state.showdown else None
    if shown is None or state.bid is None:
        return Dice((None,) * state.dice[seat])
    face = state.bid.face
    hits = (i for i, die in enumerate(shown) if odds.counts(die, face, state.palifico))
    return Dice(shown, tuple(hits))


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
        columns=("", *map(plural, FACES)),
        rows=(("you hold", *holds), ("expect", *expects)),
        label=f"Of {state.total} dice, {wild}",
        spoken=f"Of {state.total} dice, {wild}: {spoken}.",
        area="hand",
    )
