"""What a player is asked: a card in its turn, and a 0 under a BOMB.

Rule 1: a question holds handles; only the owner's own table knows whether a card fits, or whether
there is a 0. The others learn it as the faces become public, and judge it then by `holds`.
Rule 2: where there is nothing to decide, the player's table answers. A player who holds a card
that may be played is always asked, even if it is the only one: that it is the only one is nobody
else's business.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sobremesa import NO_FACES, Answer, Card, CardField, Face, Faces, Move, Question

from .cards import EFFECTS, MOST, ZERO, all_fit, fits, is_number, name, place_in_order, spelled

PLAY, DISCARD, FLIP = "play", "discard", "flip"


class HandCard(CardField):
    """A card of the hand, called by its code or by what is printed on it: `pass me by`."""

    __slots__ = ()

    def pattern(self) -> str:
        return r".+"

    def read(self, text: str, faces: Faces = NO_FACES, *, whole: bool = False) -> int:
        """:raises InvalidAnswer: if the player has no such card"""
        return CardField.read(self, spelled(text), faces, whole=whole)


class _FromHand(Question):
    """A card of the hand, or an ALIVE card flipped for want of one that will do."""

    hand: tuple[Card, ...]
    forced = True
    # Not `private`: the rules claim what `holds` says of each answer. That is judged as soon as
    # faces of this hand tell, and not of somebody who is gone.

    def will_do(self, face: Face) -> bool:
        """Whether a card is one that is asked for."""
        raise NotImplementedError

    @property
    def default(self) -> Answer:
        # Whoever is gone is out, so this is never carried out.
        return Answer(FLIP)

    def places(self, faces: Faces) -> list[int]:
        """The places, from 1, of the cards that are known to do."""
        return [
            place
            for place, card in enumerate(self.hand, 1)
            if card in faces and self.will_do(faces[card])
        ]

    def sees_all(self, faces: Faces) -> bool:
        """Whether these are the faces of somebody who sees the whole hand."""
        return all(card in faces for card in self.hand)

    def holds(self, answer: Answer, faces: Faces) -> bool | None:
        """Whether an answer was true to the hand, as soon as these faces tell."""
        if answer.move == FLIP:
            return False if self.places(faces) else True if self.sees_all(faces) else None
        card = self.hand[answer.args[0] - 1]
        return self.will_do(faces[card]) if card in faces else None


@dataclass(slots=True)
class Play(_FromHand):
    """One card of the hand (FA-R3), or a forced flip (FA-R4)."""

    hand: tuple[Card, ...]
    total: int
    text: str = field(init=False)

    def __post_init__(self) -> None:
        self.text = f"The total is {self.total}: play a card ({room(self.total)})"

    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        card = HandCard("card", self.hand)
        hint = "play #1" if all_fit(self.total) else ""
        if (late := self.late(faces)).move == PLAY:
            hint = f"play #{late.args[0]}"
        over = f"all your cards go over {MOST}" if self.only_answer(faces) else None
        return (
            Move(PLAY, "Play", ("play {card}", "{card}"), "p", (card,), hint=hint, disabled=over),
            Move(
                FLIP,
                "Flip",
                (FLIP,),
                "f",
                disabled=self.why_not(Answer(FLIP), faces),
                automatic=True,
            ),
        )

    def will_do(self, face: Face) -> bool:
        return fits(face, self.total)

    def late(self, faces: Faces) -> Answer:
        lowest = min(self.places(faces), key=lambda place: self._order(place, faces), default=None)
        return self.default if lowest is None else Answer(PLAY, (lowest,))

    def _order(self, place: int, faces: Faces) -> int:
        return place_in_order(faces[self.hand[place - 1]])

    def only_answer(self, faces: Faces) -> Answer | None:
        return Answer(FLIP) if self.sees_all(faces) and not self.places(faces) else None

    def why_not(self, answer: Answer, faces: Faces) -> str | None:
        if answer.move == FLIP:
            if not (playable := self.places(faces)):
                return None
            card = name(faces[self.hand[playable[0] - 1]])
            return f"you may flip only when no card can be played, and you hold {card}"
        (place,) = answer.args
        if not 1 <= place <= len(self.hand):
            return "you hold no such card"
        face = faces.get(self.hand[place - 1])
        if face is None or self.will_do(face):
            return None
        return f"{face} would make it {self.total + int(face)}, which is over {MOST}"

    def hint(self, answer: Answer, faces: Faces) -> str | None:
        if answer.move != PLAY or len(answer.args) != 1 or self.why_not(answer, faces):
            return None
        face = faces.get(self.hand[answer.args[0] - 1])
        if face is None:
            return None
        if is_number(face):
            total = self.total + int(face)
            return f"That makes {total} ({room(total)})."
        return f"{name(face)}: {EFFECTS[face]}."


@dataclass(slots=True)
class Bombed(_FromHand):
    """A 0 for the BOMB, or a flip (FA-R9). One answer is right, so the table gives it."""

    hand: tuple[Card, ...]

    text = "BOMB: discard a 0, or flip an ALIVE card"

    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        card = HandCard("card", self.hand)
        none = "you hold no 0" if self.sees_all(faces) and not self.places(faces) else None
        return (
            Move(DISCARD, "Discard", ("discard {card}",), "d", (card,), disabled=none),
            Move(
                FLIP,
                "Flip",
                (FLIP,),
                "f",
                disabled=self.why_not(Answer(FLIP), faces),
                automatic=True,
            ),
        )

    def will_do(self, face: Face) -> bool:
        return bool(face == ZERO)

    def why_not(self, answer: Answer, faces: Faces) -> str | None:
        zeros = self.places(faces)
        if answer.move == FLIP:
            return "you hold a 0, which must be discarded" if zeros else None
        (place,) = answer.args
        if not 1 <= place <= len(self.hand):
            return "you hold no such card"
        if not self.will_do(faces.get(self.hand[place - 1], ZERO)):
            return "only a 0 can be discarded"
        return "your first 0 is discarded" if zeros and zeros[0] < place else None


def room(total: int) -> str:
    """How much more is safe: `up to 4 more is safe`."""
    left = MOST - total
    return f"up to {left} more is safe" if left else "only a 0 or a wild is safe"
