"""The cursor at a table: arrows and the mouse beside the typed word.

Rule 1: it acts only with an empty line, and what it plays goes the way of a typed move.
Rule 2: a click is two: the first points, the second at the same plays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from sobremesa.cli.draw.hand import Pointed, Spot, own_hands
from sobremesa.cli.draw.moves import ChipSpot
from sobremesa.cli.words.controller import Controller
from sobremesa.cli.words.hands import shown_places
from sobremesa.cli.words.pointing import Pointing
from sobremesa.cli.words.story import Story
from sobremesa.core.errors import LocalError
from sobremesa.core.pieces import Card, Faces
from sobremesa.core.views import Cards, Hand, View

ARROWS = {"left": -1, "right": 1, "up": -1, "down": 1}
_MAKES = re.compile(r"→ (\d+)")


class Pointer:
    """Points at what its player is asked."""

    def __init__(self, story: Story, control: Controller, refresh: Callable[[], None]) -> None:
        self.pointing = Pointing()
        self.spots: Sequence[Spot] = ()
        """Where the cards of one's own were drawn last."""
        self.chips: Sequence[ChipSpot] = ()
        """Where the moves were drawn last."""
        self._story = story
        self._control = control
        self._refresh = refresh

    # What is to be seen of it.

    def follow(self) -> None:
        """Another question is asked, or none."""
        self.pointing.follow(self._control.question)

    @property
    def move(self) -> str:
        """The id of the move that is pointed at, or nothing."""
        return self.pointing.move

    def way(self) -> str:
        """How it would be typed, or nothing."""
        return self.pointing.text(self._faces, self._story.order)

    def hint(self) -> str:
        """What is to be said of it."""
        if not self.move:
            return ""
        missing = self.pointing.missing(self._faces)
        typed = self.way()
        return missing or (typed and self._story.session.hint(typed)) or ""

    def pointed(self, view: View) -> Pointed | None:
        """The card, as the view shows it."""
        place = self._hand_of(view, self.pointing.hand(self._faces))
        if place is None or self.pointing.at < 0:
            return None
        return Pointed(place, self.pointing.at, tuple(self.pointing.taken))

    def ahead(self, view: View) -> int | None:
        """What a meter would show after it, if the card says so itself."""
        found = self.pointed(view)
        if found is None or found.place is None:
            return None
        held = own_hands(view)[found.hand].content
        note = held.notes[found.place] if found.place < len(held.notes) else ""
        makes = _MAKES.search(note)
        return int(makes[1]) if makes else None

    # What it does.

    def key(self, key: str) -> Callable[[], None] | None:
        """What a key does with an empty line, or None if that is nothing."""
        if self._control.question is None:
            return None
        if key in ARROWS:
            return partial(self._turn, key)
        if key == " " and self.pointing.takes_several(self._faces):
            return self._take
        return None

    def enter(self) -> bool:
        """Play what is pointed at; whether something was.

        :raises LocalError: if something is missing, or it is not legal
        """
        if not self.move:
            return False
        answer = self.pointing.answer(self._faces, self._story.order)
        if answer is None:
            missing = self.pointing.missing(self._faces) or "choose first, with the arrows"
            raise LocalError(missing)
        self._control.play(answer)
        return True

    def clear(self) -> bool:
        """Point at nothing; whether something was pointed at."""
        was = bool(self.move)
        self.pointing.clear()
        return was

    def click(self, x: int, y: int, view: View | None) -> None:
        """A click at a cell of the screen; errors as of `enter`."""
        if view is None or self._control.question is None:
            return
        for spot in self.spots:
            if spot.x <= x < spot.x + spot.wide and spot.y <= y < spot.y + spot.high:
                self._click_card(spot, view)
                return
        for chip in self.chips:
            if chip.y == y and chip.x <= x < chip.x + chip.wide:
                self._click_move(chip.move)
                return

    def _click_card(self, spot: Spot, view: View) -> None:
        before = self.pointed(view)
        same = before is not None and (before.hand, before.place) == (spot.hand, spot.place)
        hands = own_hands(view)
        held = hands[spot.hand] if spot.hand < len(hands) else None
        cards = self._cards_of(held)
        if cards is None or not self.pointing.point((spot.hand, spot.place), cards, self._faces):
            return
        if not self.pointing.take(self._faces) and same:
            self.enter()

    def _click_move(self, move: str) -> None:
        same = self.move == move
        if not same:
            self.pointing.turn_to(move, self._faces, self._story.order)
        else:
            self.enter()

    def _turn(self, key: str) -> None:
        walk = self.pointing.step if key in ("left", "right") else self.pointing.walk
        walk(ARROWS[key], self._faces, self._story.order)
        self._refresh()

    def _take(self) -> None:
        self.pointing.take(self._faces)
        self._refresh()

    @property
    def _faces(self) -> Faces:
        return self._story.session.faces()

    def _shown(self, cards: Sequence[Card]) -> tuple[str | None, ...]:
        faces = [self._faces.get(card) for card in cards]
        known = [str(face) if face is not None else None for face in faces]
        return tuple(known[place] for place in shown_places(known, self._story.order))

    def _hand_of(self, view: View, cards: Sequence[Card]) -> int | None:
        """The number of the hand that shows these cards."""
        shown = self._shown(cards)
        for number, hand in enumerate(own_hands(view)):
            if cards and hand.content.values == shown:
                return number
        return None

    def _cards_of(self, hand: Hand | None) -> tuple[Card, ...] | None:
        """The cards that a move could take from a hand."""
        question = self._control.question
        if hand is None or question is None or not isinstance(hand.content, Cards):
            return None
        for cards in self.pointing.choices(self._faces):
            if self._shown(cards) == hand.content.values:
                return cards
        return None
