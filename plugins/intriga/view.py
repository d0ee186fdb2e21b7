"""What a seat sees of the table.

Rule 1: only the faces handed in are shown, and of those only what lies in the seat's own hand;
all else comes from what is public.
Rule 2: with six players everything fits the 17 rows of a small terminal.
"""

from __future__ import annotations

from sobremesa import (
    Block,
    Cards,
    Counter,
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
    Voice,
    capital,
)

from .cards import COPIES, COUP_FROM, POWERS, ROLES, TITLES, coins, either
from .state import BLOCKING, DOUBTING, KEEPING, LIED, LOSING, PROVED, Claimed, State
from .words import claim_said, deed_said


def view(state: State, seat: Seat | None, faces: Faces) -> View:
    """Draw the table for a seat; None is a spectator."""
    voice = Voice(seat)
    if state.places:
        return _end(state, voice)
    own = _own(state, seat, faces)
    phase = f"turn {state.turns}" if state.turns else "dealing"
    rest: list[Block] = [Gap(), _seats(state), _counts(state, own)]
    if seat is not None and own:
        choosing = state.chooser == seat
        playable = tuple(range(len(own))) if choosing else None
        notes = tuple(POWERS[role].split(", ")[0] for role in own)
        rest.append(Hand("Your cards", Cards(own, playable, notes=notes)))
        rest.append(Text(_powers(own), "dim", "hand"))
    verdict = _verdict(state, voice)
    if verdict is None:
        return View(phase, (_headline(state, voice), *rest))
    doubted = (Figure("", Cards((None,))), Headline("Liar!", _said(state, voice)), *rest)
    return View(phase, (*verdict, *rest), (doubted,))


def _said(state: State, voice: Voice) -> str:
    """The claim that is open, as it was said."""
    assert state.deed is not None
    assert state.claim is not None
    return claim_said(voice.seat, state.deed, state.claim)


def _verdict(state: State, voice: Voice) -> tuple[Block, ...] | None:
    """What came out of a doubt: the card, whether it was true, and who pays."""
    claim = state.claim
    if claim is None or claim.fate not in (PROVED, LIED) or state.stage in (BLOCKING, KEEPING):
        return None
    true = claim.fate == PROVED
    whose = capital(f"{voice.of(claim.seat)} {TITLES[claim.role]}")
    shown = Cards((claim.role if true else None,))
    pays = _headline(state, voice) if state.stage == LOSING else None
    text = pays.text if pays is not None else _said(state, voice)
    return (
        Figure("TRUE" if true else "A LIE", shown, role="good" if true else "bad"),
        Headline(f"{whose} was {'true' if true else 'a lie'}", text),
    )


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
            (
                Counter(state.coins[seat], COUP_FROM, "coins"),
                Cards((*(None for _ in state.hands[seat]), *state.face_up[seat])),
            ),
            turn=seat == state.turn,
            out=not state.hands[seat] and state.turns > 0,
            said=_tally(state.claims[seat]) if state.hands[seat] else "",
        )
        for seat in state.seats
    )
    return Seats(("coins", "cards"), tuple(rows), said="claimed")


def _counts(state: State, own: tuple[str, ...]) -> Grid:
    """How many of each character lie face up, and how many this seat has not seen."""
    up = state.all_face_up()
    seen = [*own, *up]
    rows = tuple(
        (TITLES[role], Counter(up.count(role), COPIES, "pips"), "you" if role in own else "")
        for role in ROLES
    )
    lying = ", ".join(f"{TITLES[role]} {up.count(role)}" for role in ROLES if role in up)
    unseen = ", ".join(f"{TITLES[role]} {COPIES - seen.count(role)}" for role in ROLES)
    return Grid(
        ("", "", ""),
        rows,
        label=f"face up, of {COPIES} each",
        spoken=f"Face up: {lying or 'none'}; unseen: {unseen}",
        area="side",
    )


def _tally(claims: list[Claimed]) -> str:
    """`Corsair 2 (1 lie), Banker`: what was claimed, the latest first, and what was a lie."""
    told = []
    for role in dict.fromkeys(claim.role for claim in reversed(claims)):
        fates = [claim.fate for claim in claims if claim.role == role]
        lies = fates.count(LIED)
        lied = f" ({lies} lie{'s' if lies > 1 else ''})" if lies else ""
        often = f" {len(fates)}" if len(fates) > 1 else ""
        told.append(f"{TITLES[role]}{often}{lied}")
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
