"""The player's hand in the order in which it is to be seen: sorted, or as it was dealt.

Rule 1: only what is shown and what is typed follows it; at the table cards keep their places.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Literal, get_args

from sobremesa.core.pieces import Card, Faces
from sobremesa.core.questions import CardField, CardsField, Field, Move, Value
from sobremesa.core.views import Block, Cards, Hand, View
from sobremesa.plugins.playing_cards import PACK, RANKS, SUITS

Order = Literal["suit", "rank", "dealt"]
ORDERS: tuple[Order, ...] = get_args(Order)

PLACE = re.compile(r"#([0-9]{1,3})")


def shown_places(faces: Sequence[str | None], order: Order) -> list[int]:
    """The places of these cards, from 0, in the order in which they are shown. What somebody may
    not see themselves stays where it was dealt."""
    places = list(range(len(faces)))
    if order == "dealt" or None in faces:
        return places
    return sorted(places, key=lambda place: _key(str(faces[place]), order))


def _key(face: str, order: Order) -> tuple[int, int, int, str]:
    """Playing cards by suit or rank; then what is a number, then what is none."""
    if face in PACK:
        suit, rank = list(SUITS).index(face[-1]), RANKS.index(face[:-1])
        return (0, suit, rank, "") if order == "suit" else (0, rank, suit, "")
    return (1, int(face), 0, "") if face.isdecimal() else (2, 0, 0, face)


def arranged(view: View, order: Order) -> View:
    """A view with its hands in this order."""
    stage = tuple(_arranged(beat, order) for beat in view.stage)
    return replace(view, blocks=_arranged(view.blocks, order), stage=stage)


def _arranged(blocks: Sequence[Block], order: Order) -> tuple[Block, ...]:
    return tuple(
        replace(block, content=_sorted(block.content, order))
        if isinstance(block, Hand) and isinstance(block.content, Cards)
        else block
        for block in blocks
    )


def _sorted(cards: Cards, order: Order) -> Cards:
    if cards.labels:
        return cards
    places = shown_places(cards.values, order)
    playable = cards.playable
    if playable is not None:
        playable = tuple(n for n, place in enumerate(places) if place in playable)
    return replace(
        cards,
        values=tuple(cards.values[place] for place in places),
        playable=playable,
        notes=tuple(cards.notes[place] for place in places) if cards.notes else (),
    )


def as_dealt(move: Move, text: str, faces: Faces, order: Order) -> str:
    """A text with each `#n` as the table counts it, if it is meant for this move."""
    hands = {f.cards for f in move.fields if isinstance(f, CardField | CardsField)}
    return _renumbered(text, hands.pop(), faces, order) if len(hands) == 1 else text


def shown_values(field: Field, faces: Faces, order: Order) -> Sequence[Value]:
    """All that a field can be, cards in the order in which they are shown."""
    if not isinstance(field, CardField | CardsField):
        return field.values()
    shown = [place + 1 for place in shown_places([faces.get(c) for c in field.cards], order)]
    if isinstance(field, CardField):
        return shown
    sizes = range(field.least, field.most + 1)
    combined = (some for size in sizes for some in combinations(shown, size))
    return [tuple(sorted(some)) for some in combined]


def _renumbered(text: str, hand: Sequence[Card], faces: Faces, order: Order) -> str:
    shown = shown_places([faces.get(card) for card in hand], order)

    def dealt(match: re.Match[str]) -> str:
        number = int(match[1])
        return f"#{shown[number - 1] + 1}" if 1 <= number <= len(shown) else match[0]

    return PLACE.sub(dealt, text)
