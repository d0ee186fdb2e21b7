"""What a player is asked: a bid, win or lose in the one-card round, and a card.

Rule 1: a question holds what is public and the handles of cards. Legality needs no hidden face.
Rule 2: the last to bid is told what is barred and why, before and after trying it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sobremesa import (
    NO_FACES,
    Answer,
    Card,
    CardField,
    Face,
    Faces,
    Move,
    Number,
    Question,
    card_name,
    card_rank,
    counted,
    percent,
)

from . import odds
from .state import winning

BID, WIN, LOSE, PLAY = "bid", "win", "lose", "play"

SAID = (LOSE, WIN)
"""What a bid of 0 and of 1 is called in the one-card round."""


def wins_said(wins: int) -> str:
    """How many have said win: `nobody has said win`."""
    if wins < 2:
        return ("nobody has said win", "one player has said win")[wins]
    return f"{wins} players have said win"


def why_forced(wins: int) -> str:
    """Why the last of a one-card round has no choice after so many wins, as a clause."""
    if wins >= 2:
        return f"{wins_said(wins)}, and at this table only lose is left to the last then"
    return f"{wins_said(wins)}, so '{SAID[1 - wins]}' would make the bids add up to the one trick"


@dataclass(slots=True)
class Bid(Question):
    """How many tricks of a round of two cards or more. `total` is what was bid so far."""

    cards: int
    total: int
    barred: int | None
    hand: tuple[Card, ...]
    players: int
    text: str = field(init=False)

    def __post_init__(self) -> None:
        self.text = f"How many of the {self.cards} tricks will you win? {self.total} bid so far"
        if self.barred is not None:
            self.text += f", and you may not bid {self.barred}"

    def _lowest(self) -> int:
        return 1 if self.barred == 0 else 0

    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        tricks = Number("tricks", 0, self.cards)
        return (
            Move(BID, "Bid", ("bid {tricks}", "{tricks}"), "b", (tricks,),
                 hint=f"bid {self._lowest()}"),
        )  # fmt: skip

    @property
    def default(self) -> Answer:
        return Answer(BID, (self._lowest(),))

    def why_not(self, answer: Answer, faces: Faces) -> str | None:
        (tricks,) = answer.args
        if not 0 <= tricks <= self.cards:
            return f"there are {self.cards} tricks in this round, so you can bid 0 to {self.cards}"
        if tricks == self.barred:
            return (
                f"you bid last and may not bid {tricks}: the bids would add up to {self.cards}, "
                "and somebody has to miss"
            )
        return None

    def hint(self, answer: Answer, faces: Faces) -> str | None:
        if len(answer.args) != 1 or any(card not in faces for card in self.hand):
            return None
        total = self.total + answer.args[0]
        worth = odds.worth((faces[card] for card in self.hand), self.players)
        return f"Your hand may bring about {worth:.1f}. That makes {total} bid for {self.cards}."


@dataclass(slots=True)
class Decide(Question):
    """Win or lose, in the one-card round (CV-R8). `before` and `after` are the others' cards that
    are played before and after one's own. The last is `forced` where only one answer is left."""

    wins: int
    barred: int | None
    before: tuple[Card, ...]
    after: tuple[Card, ...]
    forced: bool = False
    text: str = field(init=False)

    def __post_init__(self) -> None:
        self.text = f"Will your card win the trick? So far {wins_said(self.wins)}"

    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        reason = why_forced(self.wins)
        return tuple(
            Move(said, f"I {said}", (said, f"i {said}"), said[0],
                 disabled=reason if self.barred == tricks else None)
            for said, tricks in ((WIN, 1), (LOSE, 0))
        )  # fmt: skip

    @property
    def default(self) -> Answer:
        return Answer(WIN if self.barred == 0 else LOSE)

    def why_not(self, answer: Answer, faces: Faces) -> str | None:
        return why_forced(self.wins) if SAID.index(answer.move) == self.barred else None

    def hint(self, answer: Answer, faces: Faces) -> str | None:
        if any(card not in faces for card in (*self.before, *self.after)):
            return None
        before, after = ([faces[card] for card in some] for some in (self.before, self.after))
        chance = percent(odds.unseen_wins(before, after))
        return f"From what you see, your card wins with {chance}%."


@dataclass(slots=True)
class Play(Question):
    """Any card of the hand (CV-R11). `table` is what lies in this trick, in order; `after` is how
    many play after this; `need` is how many tricks the bid still lacks."""

    hand: tuple[Card, ...]
    table: Sequence[Face]
    after: int
    need: int
    text: str = field(init=False)

    def __post_init__(self) -> None:
        lead = "Play a card" if self.table else "Lead a card"
        if self.need < 0:
            self.text = f"{lead}: you have {counted(-self.need, 'trick')} too many"
        elif self.need == 0:
            self.text = f"{lead}: you have all the tricks you bid"
        else:
            self.text = f"{lead}: you need {counted(self.need, 'trick')} more"

    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        card = CardField("card", self.hand)
        return (Move(PLAY, "Play", ("play {card}", "{card}"), "p", (card,), hint="play #1"),)

    @property
    def default(self) -> Answer:
        return Answer(PLAY, (1,))

    def late(self, faces: Faces) -> Answer:
        return Answer(PLAY, (self.places_by_strength(faces)[0],))

    def places_by_strength(self, faces: Faces) -> list[int]:
        """The places of the hand's cards, from 1, lowest card first; equal cards as they lie."""
        places = range(1, len(self.hand) + 1)
        return sorted(places, key=lambda place: card_rank(faces[self.hand[place - 1]]))

    def why_not(self, answer: Answer, faces: Faces) -> str | None:
        (place,) = answer.args
        return None if 1 <= place <= len(self.hand) else "you hold no such card"

    def hint(self, answer: Answer, faces: Faces) -> str | None:
        if len(answer.args) != 1 or self.why_not(answer, faces) is not None:
            return None
        card = self.hand[answer.args[0] - 1]
        if card not in faces:
            return None
        played = [*self.table, faces[card]]
        best = winning(played)
        if best != len(self.table):
            return f"It loses to the {card_name(played[best])}."
        if not self.after:
            return "It wins the trick."
        return f"It is the highest so far, and {self.after} more will play."
