"""What players are asked: which action cards, a turn, a refill, and which card to turn down.

Rule 1: nobody else knows a face-down card, so only its owner's table can tell that nothing fits.
It does so by itself, and a `Claim` makes it accountable; a player who can move is always asked.
Rule 2: anybody who is asked may give up instead, which ends the game for all (HJ-R20).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sobremesa import (
    NO_FACES,
    Answer,
    Card,
    CardField,
    CardsField,
    Choice,
    Faces,
    Move,
    Pick,
    Question,
    card_name,
    counted,
)

from .state import Board, Slot, closes

CHOOSE, PLAY, JOKER, STUCK = "choose", "play", "joker", "stuck"
REFILL, FLIP, GIVE_UP = "refill", "flip", "give_up"

_GIVE_UP = Move(
    GIVE_UP,
    "Give up",
    ("give up",),
    "g",
    confirm="Give Up? Are you sure you want to give up? This ends the game for everyone.",
)


class Asked(Question):
    """A question that can be answered by giving up, which no random player does."""

    def options(self, faces: Faces) -> tuple[Move, ...]:
        """The moves besides giving up."""
        raise NotImplementedError

    def refusal(self, answer: Answer, faces: Faces) -> str | None:
        """`why_not`, for every answer but giving up."""
        raise NotImplementedError

    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        return (*self.options(faces), _GIVE_UP)

    def why_not(self, answer: Answer, faces: Faces) -> str | None:
        return None if answer.move == GIVE_UP else self.refusal(answer, faces)

    def going_on(self, faces: Faces) -> Iterator[Answer]:
        """Every legal answer that does not give up."""
        return (answer for answer in self.answers(faces) if answer.move != GIVE_UP)

    def sample(self, pick: Pick, faces: Faces) -> Answer:
        every = list(self.going_on(faces))
        kinds = sorted({answer.move for answer in every})
        kind = kinds[pick(len(kinds))]
        same = [answer for answer in every if answer.move == kind]
        return same[pick(len(same))]


def _by_distance(board: Board, hand: Sequence[Card], faces: Faces) -> list[int]:
    """The places of a hand's cards, from 1, first those that can be laid soonest; as they lie
    where they are not all seen."""
    places = range(1, len(hand) + 1)
    if any(card not in faces for card in hand):
        return list(places)
    return sorted(places, key=lambda place: board.distance(faces[hand[place - 1]]))


@dataclass(slots=True)
class Choose(Asked):
    """The action cards, exactly `count` of the hand (HJ-R3)."""

    hand: tuple[Card, ...]
    count: int
    text: str = field(init=False)

    def __post_init__(self) -> None:
        self.text = f"Choose {self.count} action cards; all players open theirs together"

    def options(self, faces: Faces) -> tuple[Move, ...]:
        cards = CardsField("cards", self.hand, self.count, self.count)
        hint = "choose " + " ".join(f"#{place}" for place in self.soonest(faces))
        return (Move(CHOOSE, "Choose", ("choose {cards}",), "c", (cards,), hint=hint),)

    def soonest(self, faces: Faces) -> tuple[int, ...]:
        """The places of the cards nearest to their sevens, as far as these faces tell."""
        return tuple(sorted(_by_distance(Board.laid_out(0), self.hand, faces)[: self.count]))

    @property
    def default(self) -> Answer:
        return Answer(CHOOSE, (tuple(range(1, self.count + 1)),))

    def refusal(self, answer: Answer, faces: Faces) -> str | None:
        places = set(answer.args[0])
        within = places <= set(range(1, len(self.hand) + 1))
        if within and len(places) == len(answer.args[0]) == self.count:
            return None
        return f"choose exactly {self.count} of your cards"

    def hint(self, answer: Answer, faces: Faces) -> str | None:
        if answer.move != CHOOSE or self.refusal(answer, faces) is not None:
            return None
        known = [faces[self.hand[p - 1]] for p in answer.args[0] if self.hand[p - 1] in faces]
        return _all_of("; ".join(_when(Board.laid_out(0), face) for face in known))

    def sample(self, pick: Pick, faces: Faces) -> Answer:
        # There are too many choices to list them all.
        left = list(range(1, len(self.hand) + 1))
        return Answer(
            CHOOSE, (tuple(sorted(left.pop(pick(len(left))) for _ in range(self.count))),)
        )


@dataclass(slots=True)
class Turn(Asked):
    """A turn: play an action card, or move a joker (HJ-R5). An `extra` turn is only for who has
    an action card that fits (HJ-R10)."""

    board: Board
    slots: tuple[Slot, ...]
    shift: bool
    """Whether a joker may move to another end (HJ-R14)."""
    extra: bool
    repeats: bool = False
    """Whether all is as it was at an earlier turn: there is no end to that, unless somebody lays a
    card or gives up."""
    text: str = field(init=False)
    joker_moves: tuple[tuple[str, str], ...] = field(init=False)

    forced = True
    private = True

    def __post_init__(self) -> None:
        self.joker_moves = self.board.joker_moves(self.shift)
        what = "play an action card or move a joker"
        if not self.joker_moves:
            what = "play an action card"
        elif not self.open_fits() and not self.covered():
            what = "none of your action cards fits, so move a joker"
        if self.repeats:
            what += "; all is as it was before, so you may as well give up"
        self.text = f"Extra turn: {what}" if self.extra else what[0].upper() + what[1:]

    # What is known of the action cards.

    def covered(self) -> list[int]:
        """The places of face-down cards, from 1."""
        return [place for place, slot in enumerate(self.slots, 1) if slot.face is None]

    def open_fits(self) -> list[int]:
        """The places of face-up cards that fit."""
        return [
            place
            for place, slot in enumerate(self.slots, 1)
            if slot.face is not None and self.board.fits(slot.face)
        ]

    def _face(self, place: int, faces: Faces) -> str | None:
        slot = self.slots[place - 1]
        face: str | None = slot.face if slot.face is not None else faces.get(slot.card)
        return face

    def fitting(self, faces: Faces) -> list[int]:
        """The places of all cards that fit, as far as these faces tell."""
        known = ((place, self._face(place, faces)) for place in range(1, len(self.slots) + 1))
        return [place for place, face in known if face is not None and self.board.fits(face)]

    def _all_known(self, faces: Faces) -> bool:
        return all(self.slots[place - 1].card in faces for place in self.covered())

    @property
    def is_open(self) -> bool:
        """Whether everybody can see that there is a valid move."""
        return bool(self.open_fits()) or (bool(self.joker_moves) and not self.extra)

    @property
    def is_hopeless(self) -> bool:
        """Whether everybody can see that there is none."""
        return not self.is_open and not self.covered()

    # The question.

    def options(self, faces: Faces) -> tuple[Move, ...]:
        card = CardField("card", tuple(slot.card for slot in self.slots))
        fitting = self.fitting(faces)
        hopeless = not fitting and self._all_known(faces)
        nothing = "none of your action cards fits" if hopeless else None
        hint = f"play #{fitting[0]}" if fitting else ""
        play = Move(PLAY, "Play", ("play {card}",), "p", (card,), hint=hint, disabled=nothing)
        joker = self._joker_move(known_to_move=self.is_open or bool(fitting))
        return (play, joker, *(() if self.is_open else (self._stuck_move(faces),)))

    def _joker_move(self, *, known_to_move: bool) -> Move:
        fields = (Choice("joker", self.board.jokers), Choice("end", self.board.places()))
        disabled, hint = None, ""
        if not self.board.jokers:
            disabled = "there is no joker on the table"
        elif not self.joker_moves:
            disabled = "no joker can go anywhere"
        elif known_to_move:
            hint = "joker {} {}".format(*self.joker_moves[0])
        return Move(JOKER, "Move a joker", ("joker {joker} {end}",), "j", fields, hint=hint,
                    disabled=disabled)  # fmt: skip

    def _stuck_move(self, faces: Faces) -> Move:
        why = self.refusal(Answer(STUCK), faces)
        return Move(STUCK, "No valid move", ("no move",), "n", disabled=why, automatic=True)

    def refusal(self, answer: Answer, faces: Faces) -> str | None:
        if answer.move == PLAY:
            return self._why_no_play(answer.args[0], faces)
        if answer.move == JOKER:
            joker, end = answer.args
            return self._why_no_joker(joker, end, faces)
        fitting = self.fitting(faces)
        if fitting:
            return f"you can play the {card_name(self._face(fitting[0], faces) or '')}"
        return "you can move a joker" if self.is_open else None

    def _why_no_play(self, place: int, faces: Faces) -> str | None:
        if not 1 <= place <= len(self.slots):
            return "you have no such action card"
        face = self._face(place, faces)
        return None if face is None else self.board.why_not(face)

    def _why_no_joker(self, joker: str, end: str, faces: Faces) -> str | None:
        why = self.board.why_no_joker(joker, end, self.shift)
        if why is None and self.extra and not self.fitting(faces) and self._all_known(faces):
            return "an extra turn needs an action card that fits"
        return why

    @property
    def default(self) -> Answer:
        if open_fits := self.open_fits():
            return Answer(PLAY, (open_fits[0],))
        if self.is_open and not self.repeats:
            return Answer(JOKER, self.joker_moves[0])
        # Whether there is a move only the seat's own table knows, and that would have answered
        # by its clock: it is gone, which ends the game (HJ-R20).
        return Answer(GIVE_UP)

    def late(self, faces: Faces) -> Answer:
        return Answer(GIVE_UP) if self.is_vain(faces) else next(self.going_on(faces))

    def sample(self, pick: Pick, faces: Faces) -> Answer:
        return Answer(GIVE_UP) if self.is_vain(faces) else Asked.sample(self, pick, faces)

    def is_vain(self, faces: Faces) -> bool:
        """Whether one can but go round in a circle once more."""
        return self.repeats and not self.fitting(faces)

    def only_answer(self, faces: Faces) -> Answer | None:
        if self.is_open or self.fitting(faces) or not self._all_known(faces):
            return None
        return Answer(STUCK)

    def hint(self, answer: Answer, faces: Faces) -> str | None:
        wanted = {PLAY: 1, JOKER: 2}.get(answer.move)
        if len(answer.args) != wanted or self.refusal(answer, faces) is not None:
            return None
        if answer.move == PLAY:
            face = self._face(answer.args[0], faces)
            return None if face is None else self._hint_of_play(face)
        joker, end = answer.args
        if end in self.board.exits():
            return "The joker leaves the game for good."
        opened = self._opened(self.board.move_joker(joker, end))
        return f"Nothing follows the {card_name(end)} while it is there. {opened}".strip()

    def _hint_of_play(self, face: str) -> str:
        after = self.board.lay(face)
        if face in after.jokers:
            return "A joker comes to lie on it: nothing follows it until that moves."
        if closes(face):
            return "It closes that end: an extra turn, if another of your cards fits."
        return self._opened(after)

    def _opened(self, after: Board) -> str:
        """What fits on this board and does not now."""
        cards = [card for card in after.wanted() if card not in self.board.wanted()]
        return f"Then the {' and the '.join(map(card_name, cards))} can follow." if cards else ""

    # What an answer says about cards that the others cannot see.

    def said(self, answer: Answer) -> str | None:
        """What the answer claims about face-down cards, or None if it claims nothing."""
        if answer.move == STUCK:
            return "no card of mine fits"
        if answer.move == PLAY and self.slots[answer.args[0] - 1].face is None:
            return "this card fits"
        if answer.move == JOKER and not self.is_open:
            return "a card of mine fits"
        return None

    def holds(self, answer: Answer, faces: Faces) -> bool | None:
        """Whether that is true, or None while these faces do not settle it."""
        if answer.move == PLAY:
            face = self._face(answer.args[0], faces)
            return None if face is None else self.board.fits(face)
        fits = True if self.fitting(faces) else False if self._all_known(faces) else None
        return fits if fits is None or answer.move == JOKER else not fits


@dataclass(slots=True)
class Refill(Asked):
    """The hand card that fills the empty slot (HJ-R8)."""

    hand: tuple[Card, ...]
    face_up: bool
    board: Board
    text: str = field(init=False)

    def __post_init__(self) -> None:
        self.text = f"Choose a hand card to refill with, {self._how}"

    @property
    def _how(self) -> str:
        return "face up" if self.face_up else "face down"

    def options(self, faces: Faces) -> tuple[Move, ...]:
        card = CardField("card", self.hand)
        hint = f"refill #{self.soonest(faces)}"
        return (Move(REFILL, "Refill", ("refill {card}",), "r", (card,), hint=hint),)

    def soonest(self, faces: Faces) -> int:
        """The place of the card that can be laid soonest, as far as these faces tell."""
        return _by_distance(self.board, self.hand, faces)[0]

    @property
    def default(self) -> Answer:
        return Answer(REFILL, (1,))

    def refusal(self, answer: Answer, faces: Faces) -> str | None:
        return None if 1 <= answer.args[0] <= len(self.hand) else "you hold no such card"

    def hint(self, answer: Answer, faces: Faces) -> str | None:
        if answer.move != REFILL or not answer.args or self.refusal(answer, faces) is not None:
            return None
        face = faces.get(self.hand[answer.args[0] - 1])
        if face is None:
            return None
        fits = "fits now" if self.board.fits(face) else "does not fit now"
        return f"The {card_name(face)} {fits}; it will lie {self._how}."


@dataclass(slots=True)
class Flip(Asked):
    """The penalty: a face-up action card to turn face down (HJ-R15)."""

    slots: tuple[Slot, ...]
    board: Board

    text = "You have no valid move: choose a face-up action card to turn face down"

    def options(self, faces: Faces) -> tuple[Move, ...]:
        card = CardField("card", tuple(slot.card for slot in self.slots))
        hint = f"flip #{self.farthest()}"
        return (Move(FLIP, "Turn face down", ("flip {card}",), "f", (card,), hint=hint),)

    def face_up(self) -> list[int]:
        """The places of the face-up cards, from 1."""
        return [place for place, slot in enumerate(self.slots, 1) if slot.face is not None]

    def farthest(self) -> int:
        """The place of the face-up card that will be the last to fit."""
        ways = {
            place: self.board.distance(slot.face)
            for place, slot in enumerate(self.slots, 1)
            if slot.face is not None
        }
        return max(ways, key=ways.__getitem__)

    @property
    def default(self) -> Answer:
        return Answer(FLIP, (self.face_up()[0],))

    def refusal(self, answer: Answer, faces: Faces) -> str | None:
        (place,) = answer.args
        if not 1 <= place <= len(self.slots):
            return "you have no such action card"
        return None if place in self.face_up() else "that card lies face down already"

    def hint(self, answer: Answer, faces: Faces) -> str | None:
        if answer.move != FLIP or self.refusal(answer, faces) is not None:
            return None
        face = self.slots[answer.args[0] - 1].face
        return _all_of(_when(self.board, face)) if face is not None else None


def _when(board: Board, face: str) -> str:
    """When a card can be laid: `the king of clubs after 5 others`."""
    before = board.distance(face) - 1
    how = "at once" if board.fits(face) else f"after {counted(before, 'other')}"
    if not before and not board.fits(face):
        how = "when a joker goes away"
    return f"the {card_name(face)} {how}"


def _all_of(cards: str) -> str:
    return f"Can be laid: {cards}."
