"""A small card game that makes every request of cards there is, for whoever tests sealed tables.

Each round: a new deck; each seat gets a hand card that it alone sees and a brow card that all but
itself see, in one deal; one card is opened. Each seat in turn is asked whether it holds the open
face (private: the truth is the only legal answer). Who shows its card returns it, the rest is
shuffled again, and it draws another. Who concedes in an odd place draws a card, shuffles both
alone and puts one of them back, so that nobody can tell which it kept. Each says (and claims) what
it holds. The first hand is shown to the last seat, then to the second; all guess their brows,
sealed; then everything is opened but the last seat's hand in the last round.

Rule 1: honest players answer by `sample`; other answers exist, for cheats to give.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from support.games.playouts import legal
from support.games.toy import describe

from sobremesa.core.encoding import Pick
from sobremesa.core.game import Bot, Game, Help, Option, Options, Outcome
from sobremesa.core.pieces import Card, Faces, Piece, Seat
from sobremesa.core.questions import NO_FACES, Answer, CardField, Choice, Move, Question
from sobremesa.core.requests import (
    Ask,
    AskAll,
    Claim,
    Mark,
    Reveal,
    Script,
    Show,
    Shuffle,
    Tell,
)
from sobremesa.core.views import Text, View

FLOWERS = ("lily", "oak", "rose", "vine")


@dataclass(slots=True)
class Challenge(Question):
    """Do you hold the open face?"""

    card: Card
    face: str
    private = True

    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        return (Move("show", "Show it", ("show",), "s"), Move("no", "Concede", ("concede",), "c"))

    @property
    def default(self) -> Answer:
        return Answer("no")

    def why_not(self, answer: Answer, faces: Faces) -> str | None:
        if self.card not in faces or (answer.move == "show") == (faces[self.card] == self.face):
            return None
        return f"you do{'' if answer.move == 'no' else ' not'} hold the {self.face}"


@dataclass(slots=True)
class Say(Question):
    """What do you hold? Any answer is legal; it is claimed."""

    card: Card

    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        return (Move("say", "Say", ("{flower}",), "s", (Choice("flower", FLOWERS),)),)

    @property
    def default(self) -> Answer:
        return Answer("say", FLOWERS[:1])

    def why_not(self, answer: Answer, faces: Faces) -> str | None:
        return None

    def sample(self, pick: Pick, faces: Faces) -> Answer:
        return Answer("say", (faces[self.card],))


@dataclass(slots=True)
class Guess(Say):
    """What is on your brow? Nobody can know."""

    def sample(self, pick: Pick, faces: Faces) -> Answer:
        assert self.card not in faces
        return Answer("say", (FLOWERS[pick(len(FLOWERS))],))


@dataclass(slots=True)
class Keep(Question):
    """Which of your cards do you keep?"""

    cards: tuple[Card, ...]

    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        return (Move("keep", "Keep", ("keep {card}",), "k", (CardField("card", self.cards),)),)

    @property
    def default(self) -> Answer:
        return Answer("keep", (1,))

    def why_not(self, answer: Answer, faces: Faces) -> str | None:
        return None


@dataclass(slots=True)
class State:
    """What everybody at the table knows."""

    seats: tuple[Seat, ...]
    scores: dict[Seat, int]
    round: int = 0
    rest: tuple[Card, ...] = ()
    hands: dict[Seat, Card] = field(default_factory=dict)
    brows: dict[Seat, Card] = field(default_factory=dict)


def play(seats: tuple[Seat, ...], options: Options) -> Script[Outcome]:
    """The whole game."""
    state = State(seats, dict.fromkeys(seats, 0))
    for state.round in range(1, int(options["rounds"]) + 1):
        yield Mark(state)
        yield from _deal(state)
        top = state.rest[0]
        (face,) = yield Reveal((top,))
        state.rest = state.rest[1:]
        yield Tell("open", face=face)
        for place, seat in enumerate(seats):
            yield from _take_turn(state, seat, place, face)
        yield from _peek(state)
        yield from _finish_round(state, last=state.round == options["rounds"])
    ranking = sorted(set(state.scores.values()), reverse=True)
    places = tuple(tuple(s for s in seats if state.scores[s] == score) for score in ranking)
    return Outcome(places, f"{' and '.join(places[0])} guessed best")


def _deal(state: State) -> Script[None]:
    seats = len(state.seats)
    faces = [FLOWERS[place % len(FLOWERS)] for place in range(3 * seats + 1)]
    deck: tuple[Card, ...] = yield Shuffle(faces)
    state.hands = dict(zip(state.seats, deck, strict=False))
    state.brows = dict(zip(state.seats, deck[seats:], strict=False))
    state.rest = deck[2 * seats :]
    others = {seat: tuple(o for o in state.seats if o != seat) for seat in state.seats}
    shown: dict[Piece, tuple[Seat, ...]] = {card: (seat,) for seat, card in state.hands.items()}
    yield Show(shown | {card: others[seat] for seat, card in state.brows.items()})


def _take_turn(state: State, seat: Seat, place: int, face: str) -> Script[None]:
    hand = state.hands[seat]
    answer: Answer = yield Ask(seat, Challenge(hand, face))
    if answer.move == "show":
        yield Reveal((hand,))
        deck: tuple[Card, ...] = yield Shuffle((*state.rest, hand))
        state.hands[seat], state.rest = deck[0], deck[1:]
        yield Show({deck[0]: (seat,)})
    elif place % 2:
        drawn, rest = state.rest[0], state.rest[1:]
        yield Show({drawn: (seat,)})
        pool: tuple[Card, ...] = yield Shuffle((hand, drawn), by=(seat,))
        kept: Answer = yield Ask(seat, Keep(pool))
        state.hands[seat] = pool[kept.args[0] - 1]
        put_back = pool[2 - kept.args[0]]
        state.rest = yield Shuffle((*rest, put_back))
    yield Tell("challenged", seat=seat, answer=answer.move)
    said: Answer = yield Ask(seat, Say(state.hands[seat]))
    yield _claim(seat, state.hands[seat], said.args[0])
    yield Tell("said", seat=seat, face=said.args[0])


def _claim(seat: Seat, card: Card, face: str) -> Claim:
    def holds(faces: Faces) -> bool | None:
        return faces[card] == face if card in faces else None

    return Claim(seat, f"I hold a {face}", holds)


def _peek(state: State) -> Script[None]:
    """One card becomes visible to more and more."""
    first, last = state.seats[0], state.seats[-1]
    yield Show({state.hands[first]: (last,)})
    if len(state.seats) > 1:
        yield Show({state.hands[first]: (state.seats[1],)})


def _finish_round(state: State, last: bool) -> Script[None]:
    guesses = yield AskAll({seat: Guess(card) for seat, card in state.brows.items()})
    brows = yield Reveal({seat: (card,) for seat, card in state.brows.items()})
    for seat, guess in guesses.items():
        state.scores[seat] += guess.args == brows[seat]
        yield Tell("brow", seat=seat, guess=guess.args[0], face=brows[seat][0])
    opened = state.seats[:-1] if last else state.seats
    hands = yield Reveal([state.hands[seat] for seat in opened])
    yield Tell("hands", faces=list(hands))


def public(state: State) -> dict[str, Any]:
    return {"round": state.round, "scores": dict(state.scores)}


def view(state: State | None, seat: Seat | None, faces: Faces) -> View:
    return View("round", (Text(f"{seat} sees {sorted(faces.values())}"),))


GAME = Game(
    id="flowers",
    title="Flowers",
    seats=range(1, 9),
    rules_version=1,
    play=play,
    public=public,
    view=view,
    describe=describe,
    help=Help("rules", "tips", "faq"),
    cards=True,
    bots=(Bot("legal", "Anything legal", legal),),
    options=(Option("rounds", 1, (1, 2, 3), "how many rounds"),),
)
