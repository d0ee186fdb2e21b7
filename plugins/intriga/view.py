"""What a seat sees of the table.

Rule 1: only the faces handed in are shown, and of those only what lies in the seat's own hand;
all else comes from what is public.
Rule 2: with six players everything fits the 17 rows of a small terminal.
"""

from __future__ import annotations

from sobremesa import (
    Block,
    Cards,
    Cell,
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

from .cards import COPIES, COUP_FROM, POWERS, ROLES, TITLES, coins, either
from .state import BLOCKING, DOUBTING, KEEPING, LIED, LOSING, Claimed, State
from .words import claim_said, deed_said


def view(state: State, seat: Seat | None, faces: Faces) -> View:
    """Draw the table for a seat; None is a spectator."""
    if state.places:
        return _end(state, Voice(seat))
    own = _own(state, seat, faces)
    blocks: list[Block] = [_headline(state, Voice(seat)), Gap(), _counts(state, own), Gap()]
    blocks.append(_seats(state))
    if history := _history(state, Voice(seat)):
        blocks += [Gap(), history]
    if seat is not None and own:
        choosing = state.chooser == seat
        blocks.append(Hand("Your cards", Cards(own, tuple(range(len(own))) if choosing else None)))
        blocks.append(Text(_powers(own), "dim", "hand"))
    return View(f"turn {state.turns}" if state.turns else "dealing", tuple(blocks))


def _own(state: State, seat: Seat | None, faces: Faces) -> tuple[str, ...]:
    """The seat's own face-down cards, as far as they can be seen."""
    hand = () if seat is None else state.hands[seat]
    return tuple(faces[card] for card in hand if card in faces)


def _powers(own: tuple[str, ...]) -> str:
    """What one can do with these cards without lying."""
    return ". ".join(f"{TITLES[role]}: {POWERS[role]}" for role in dict.fromkeys(own)) + "."


def _headline(state: State, voice: Voice) -> Headline:
    deed, claim, chooser = state.deed, state.claim, state.chooser
    if state.stage == LOSING and chooser is not None:
        loses = capital(voice.does(chooser, "loses", "lose"))
        return Headline(f"{loses} an influence", "which card?")
    if state.stage == KEEPING and chooser is not None:
        exchanges = capital(voice.does(chooser, "exchanges", "exchange"))
        return Headline(f"{exchanges} cards", "which to keep?")
    if deed is not None and claim is not None:
        said, _, purpose = claim_said(voice.seat, deed, claim).rpartition(", ")
        unless = ", unless: Liar!" if state.stage == DOUBTING else ""
        return Headline(said, purpose + unless)
    if deed is not None:
        blocks = either(TITLES[role] for role in deed.action.blockers)
        unless = f"unless blocked as {blocks}" if state.stage == BLOCKING else ""
        return Headline(deed_said(voice.seat, deed), unless)
    if state.turn is None or not state.turns:
        return Headline("The cards are dealt")
    purse = state.coins[state.turn]
    must = ", so it must be a coup" if purse >= COUP_FROM else ""
    return Headline(f"It is {voice.of(state.turn)} turn", f"with {coins(purse)}{must}")


def _seats(state: State) -> Seats:
    rows = (
        Row(
            seat,
            (state.coins[seat], Cards((*(None for _ in state.hands[seat]), *state.face_up[seat]))),
            turn=seat == state.turn,
            out=not state.hands[seat] and state.turns > 0,
        )
        for seat in state.seats
    )
    return Seats(("coins", "cards"), tuple(rows))


def _counts(state: State, own: tuple[str, ...]) -> Grid:
    """How many of each character lie face up, and how many this seat has not seen."""
    up = state.all_face_up()
    seen = [*own, *up]
    left = [COPIES - seen.count(role) for role in ROLES]
    rows: list[tuple[Cell, ...]] = [("face up", *map(up.count, ROLES)), ("unseen", *left)]
    lying = ", ".join(f"{TITLES[role]} {up.count(role)}" for role in ROLES if role in up)
    return Grid(
        ("", *TITLES.values()),
        tuple(rows),
        spoken=f"Face up: {lying or 'none'}; unseen: "
        + ", ".join(f"{TITLES[role]} {n}" for role, n in zip(ROLES, left, strict=True)),
    )


def _history(state: State, voice: Voice) -> Grid | None:
    """What everybody still in has claimed, the latest first."""
    claims = {seat: _tally(state.claims[seat]) for seat in state.living() if state.claims[seat]}
    if not claims:
        return None
    spoken = (f"{voice.does(s, 'has', 'have')} claimed {said}" for s, said in claims.items())
    rows = tuple((voice.does(s, "claimed", "claimed"), said) for s, said in claims.items())
    return Grid(("", ""), rows, spoken="; ".join(spoken))


def _tally(claims: list[Claimed]) -> str:
    """`Corsair 2 (1 lie), Banker 1`: how often each was claimed, and how often proven a lie."""
    told = []
    for role in dict.fromkeys(claim.role for claim in reversed(claims)):
        fates = [claim.fate for claim in claims if claim.role == role]
        lies = fates.count(LIED)
        lied = f" ({lies} lie{'s' if lies > 1 else ''})" if lies else ""
        told.append(f"{TITLES[role]} {len(fates)}{lied}")
    return ", ".join(told)


def _end(state: State, voice: Voice) -> View:
    won = capital(voice.win(state.places[0]))
    ranks = state.ranks()
    rows = (
        Row(
            seat,
            (ranks[seat], Cards((*(None for _ in state.hands[seat]), *state.face_up[seat]))),
            out=not state.hands[seat],
        )
        for seat in state.seats
    )
    everybody_left = not state.living()
    head = Headline("Everybody has left" if everybody_left else won)
    return View("game over", (head, Gap(), Seats(("place", "cards"), tuple(rows))))
