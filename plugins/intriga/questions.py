"""What players are asked: an action, whether they believe it, a block, a proof, and which cards.

Rule 1: in the windows everybody is asked at once and sealed; that only the nearest counts is the
business of `rules`.
Rule 2: which card is shown, lost or kept is answered by its place, and nothing in a question says
what it is. Only the proof of a claim depends on hidden faces.
Rule 3: a choice between two equal cards is asked like any other: a table that answered by itself
would tell everybody that they are equal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sobremesa import (
    NO_FACES,
    Answer,
    Card,
    CardField,
    CardsField,
    Faces,
    Move,
    Question,
    Seat,
    SeatField,
    percent,
)

from . import odds
from .cards import (
    ACTIONS,
    COPIES,
    COUP,
    COUP_FROM,
    EXCHANGE,
    INCOME,
    POWERS,
    STEAL,
    TITLES,
    Action,
    coins,
    either,
    the,
)
from .state import State

LIAR, PASS = "liar", "pass"
SHOW, CONCEDE, LOSE, KEEP = "show", "concede", "lose", "keep"

_PASS = Move(PASS, "Let it pass", (PASS, "let it pass"), "p", quick=" ")


@dataclass(frozen=True, slots=True)
class Cast:
    """What one player can reckon with: the own cards, and all characters that lie face up."""

    cards: tuple[Card, ...]
    face_up: tuple[str, ...]

    @classmethod
    def of(cls, state: State, seat: Seat) -> Cast:
        return cls(state.hands[seat], state.all_face_up())

    def own(self, faces: Faces) -> list[str]:
        """The own characters, as far as these faces tell."""
        return [faces[card] for card in self.cards if card in faces]

    def seen(self, faces: Faces) -> list[str]:
        """Every character that this player sees."""
        return [*self.own(faces), *self.face_up]

    def on_claiming(self, role: str, faces: Faces) -> str:
        """What there is to say to somebody who is about to claim a character."""
        if role in self.own(faces):
            return f"You hold {the(role)}."
        up = self.face_up.count(role)
        known = f"{up} of {COPIES} lie face up" if up else "none lies face up"
        return f"You do not hold {the(role)}, so this is a bluff; {known}."

    def on_doubting(self, who: Seat, hidden: int, role: str, faces: Faces) -> str:
        """What there is to say to somebody who is about to doubt a claim."""
        own, up = self.own(faces).count(role), self.face_up.count(role)
        known = f"{TITLES[role]}: {up} face up, {own} with you, {COPIES - own - up} unseen."
        share = odds.chance(role, hidden, self.seen(faces))
        if not share:
            return f"{known} {who} cannot hold it."
        return f"{known} By chance alone {who} holds it in {percent(share)}% of deals."


@dataclass(slots=True)
class Act(Question):
    """The action of a turn (IN-R3). `purses` are the coins of every other player still in, the
    nearest to the left first."""

    coins: int
    purses: Mapping[Seat, int]
    cast: Cast
    text: str = field(init=False)

    def __post_init__(self) -> None:
        # How many coins there are, and that they force a coup, has just been told.
        self.text = "Name the target of your coup" if self.must_coup else "Choose your action"

    @property
    def must_coup(self) -> bool:
        return self.coins >= COUP_FROM

    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        return tuple(self._move(action) for action in ACTIONS.values())

    def _move(self, action: Action) -> Move:
        fields = (SeatField("target", tuple(self.purses)),) if action.targeted else ()
        return Move(
            action.id,
            action.label,
            action.notation,
            action.hotkey,
            fields,
            hint=f"{action.id} {self._richest()}" if action.targeted else "",
            disabled=self._barred(action),
        )

    def _richest(self) -> Seat:
        return max(self.purses, key=lambda seat: self.purses[seat])

    def _barred(self, action: Action) -> str | None:
        """Why the action cannot be chosen now, whoever is its target (IN-R4, IN-R7, IN-R9)."""
        if self.must_coup and action.id != COUP:
            return f"with {COUP_FROM} coins or more you must make a coup (you have {self.coins})"
        if action.cost > self.coins:
            return f"{action.noun} costs {coins(action.cost)} (you have {self.coins})"
        return None

    @property
    def default(self) -> Answer:
        return Answer(COUP, (self._richest(),)) if self.must_coup else Answer(INCOME)

    def why_not(self, answer: Answer, faces: Faces) -> str | None:
        action = ACTIONS[answer.move]
        if action.targeted and answer.args[0] not in self.purses:  # IN-R12
            return f"the target must be another player who is still in, not {answer.args[0]}"
        return self._barred(action)

    def hint(self, answer: Answer, faces: Faces) -> str | None:
        action = ACTIONS[answer.move]
        said = [self.cast.on_claiming(action.role, faces)] if action.role is not None else []
        if action.id == STEAL and answer.args:
            target = answer.args[0]
            said.append(f"{target} has {coins(self.purses[target])}.")
        return " ".join([*said, _effect(action)])


@dataclass(slots=True)
class Doubt(Question):
    """Liar!, or let it pass (IN-R14). `hidden` is how many face-down cards the claimant has."""

    claimant: Seat
    role: str
    hidden: int
    cast: Cast
    text: str

    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        liar = Move(LIAR, "Liar!", (LIAR, "liar!", "challenge", "doubt"), "l", quick="!")
        return (liar, _PASS)

    @property
    def default(self) -> Answer:
        return Answer(PASS)

    def why_not(self, answer: Answer, faces: Faces) -> str | None:
        return None

    def hint(self, answer: Answer, faces: Faces) -> str | None:
        if answer.move != LIAR:
            return "The claim stands."
        return self.cast.on_doubting(self.claimant, self.hidden, self.role, faces)


@dataclass(slots=True)
class Block(Question):
    """Block as one of these characters, or let it pass (IN-R18). A move is named after the
    character that it claims."""

    roles: tuple[str, ...]
    cast: Cast
    text: str

    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        return (*(self._move(role) for role in self.roles), _PASS)

    def _move(self, role: str) -> Move:
        short = ("block",) if len(self.roles) == 1 else ()
        notation = (f"block {role}", f"block as {role}", role, *short)
        return Move(role, f"Block as {TITLES[role]}", notation, role[0])

    @property
    def default(self) -> Answer:
        return Answer(PASS)

    def why_not(self, answer: Answer, faces: Faces) -> str | None:
        return None

    def hint(self, answer: Answer, faces: Faces) -> str | None:
        if answer.move == PASS:
            return "Then it is carried out."
        return self.cast.on_claiming(answer.move, faces)

    def _unknown(self, text: str) -> str:
        known = Question._unknown(self, text)
        if text.split()[0].casefold() != "block":
            return known
        return f"this is blocked as {either(TITLES[role] for role in self.roles)}"


@dataclass(slots=True)
class Prove(Question):
    """A claim was challenged: show the card, or concede for lack of it (IN-R17).

    Exactly one answer is legal, so the claimant's own table gives it.
    """

    role: str
    cards: tuple[Card, ...]
    text: str = field(init=False)

    forced = True
    private = True

    def __post_init__(self) -> None:
        self.text = f"Show {the(self.role)} or concede"

    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        card = CardField("card", self.cards)
        return (
            Move(SHOW, "Show", ("show {card}",), "s", (card,), hint="show #1"),
            Move(CONCEDE, "Concede", (CONCEDE,), "c"),
        )

    @property
    def default(self) -> Answer:
        return Answer(CONCEDE)

    def why_not(self, answer: Answer, faces: Faces) -> str | None:
        held = [n for n, card in enumerate(self.cards, 1) if faces.get(card) == self.role]
        if answer.move == CONCEDE:
            return f"you hold {the(self.role)}, so it is shown" if held else None
        place = answer.args[0]
        if not 1 <= place <= len(self.cards):
            return "you have no such card"
        if faces.get(self.cards[place - 1], self.role) != self.role:
            return f"that card is not {the(self.role)}"
        return f"the first {TITLES[self.role]} is shown" if held and held[0] < place else None

    def settled(self, answer: Answer, faces: Faces) -> bool | None:
        """Whether the answer was true, as soon as these faces tell."""
        claimed = self.cards if answer.move == CONCEDE else (self.cards[answer.args[0] - 1],)
        known = [faces[card] == self.role for card in claimed if card in faces]
        if answer.move == SHOW:
            return known[0] if known else None
        return False if any(known) else True if len(known) == len(claimed) else None


@dataclass(slots=True)
class Lose(Question):
    """Which card to turn up (IN-R22); asked only of who has two."""

    cards: tuple[Card, ...]

    text = "You lose an influence: choose the card to turn up"

    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        card = CardField("card", self.cards)
        return (Move(LOSE, "Turn up", ("lose {card}",), "l", (card,), hint="lose #1"),)

    @property
    def default(self) -> Answer:
        return Answer(LOSE, (1,))

    def why_not(self, answer: Answer, faces: Faces) -> str | None:
        within = 1 <= answer.args[0] <= len(self.cards)
        return None if within else "you have no such card"

    def hint(self, answer: Answer, faces: Faces) -> str | None:
        return _kept(
            [c for place, c in enumerate(self.cards, 1) if place not in answer.args], faces
        )


@dataclass(slots=True)
class Keep(Question):
    """Which cards to keep in an exchange (IN-R11): as many as there were before."""

    cards: tuple[Card, ...]
    count: int
    text: str = field(init=False)

    def __post_init__(self) -> None:
        keep = "the card" if self.count == 1 else f"the {self.count} cards"
        self.text = f"Choose {keep} that you keep; the others go back into the deck"

    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        cards = CardsField("cards", self.cards, self.count, self.count)
        hint = "keep " + " ".join(f"#{place}" for place in self._leftmost())
        return (Move(KEEP, "Keep", ("keep {cards}",), "k", (cards,), hint=hint),)

    def _leftmost(self) -> Sequence[int]:
        return range(1, self.count + 1)

    @property
    def default(self) -> Answer:
        return Answer(KEEP, (tuple(self._leftmost()),))

    def why_not(self, answer: Answer, faces: Faces) -> str | None:
        places = set(answer.args[0])
        if len(answer.args[0]) == len(places) == self.count and places <= {
            *range(1, len(self.cards) + 1)
        }:
            return None
        return f"keep exactly {self.count}"

    def hint(self, answer: Answer, faces: Faces) -> str | None:
        if self.why_not(answer, faces) is not None:
            return None
        return _kept([self.cards[place - 1] for place in answer.args[0]], faces)


def _effect(action: Action) -> str:
    """What an action comes to, and who may stop it, whatever is claimed for it."""
    if action.id == EXCHANGE:
        return "You choose among two more cards."
    most = "up to " if action.targeted else ""
    does = f"It brings {most}{coins(action.gain)}" if action.gain else "It costs the target a card"
    if action.blockers:
        return f"{does}, unless {either(map(the, action.blockers))} blocks it."
    return f"{does}, and nobody can block it."


def _kept(cards: Sequence[Card], faces: Faces) -> str | None:
    """What the cards can do that are kept, if they are seen."""
    if any(card not in faces for card in cards):
        return None
    powers = dict.fromkeys(f"{TITLES[faces[card]]}: {POWERS[faces[card]]}" for card in cards)
    return f"You keep {'; '.join(powers)}."
