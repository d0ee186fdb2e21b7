"""A small game that makes every request there is, for whoever tests the table.

Each round: a mark, a toss, dice for all; everybody says at once, sealed, whether its first die is
odd; then each in turn says its sum (open, believed for now, and claimed), plays one of its own
faces (a private question) and its highest die (private and forced). One cup is shown, the others
are opened, but the last seat's in the last round stays closed: only an audit can judge it.

Rule 1: whoever plays `legal` answers is honest here; other answers exist, for cheats to give.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from support.games.playouts import legal

from sobremesa.core.encoding import Pick
from sobremesa.core.game import Bot, Game, Help, Option, Options, Outcome
from sobremesa.core.pieces import Die, Faces, Piece, Seat
from sobremesa.core.questions import NO_FACES, Answer, Choice, Move, Number, Question
from sobremesa.core.requests import (
    Ask,
    AskAll,
    Claim,
    Event,
    Gone,
    Mark,
    Reveal,
    Roll,
    Script,
    Show,
    Tell,
    Toss,
)
from sobremesa.core.views import Text, View


def known(cup: tuple[Piece, ...], faces: Faces) -> tuple[int, ...] | None:
    """The cup's dice, or None while they are hidden."""
    return tuple(faces[die] for die in cup) if all(die in faces for die in cup) else None


@dataclass(slots=True)
class Parity(Question):
    """Is your first die odd or even? The truth is the only legal answer, but it is not forced."""

    cup: tuple[Piece, ...]
    private = True

    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        return (Move("say", "Say", ("{parity}",), "s", (Choice("parity", ("odd", "even")),)),)

    @property
    def default(self) -> Answer:
        return Answer("say", ("odd",))

    def why_not(self, answer: Answer, faces: Faces) -> str | None:
        dice = known(self.cup, faces)
        truth = None if dice is None else "odd" if dice[0] % 2 else "even"
        return None if truth in (None, answer.args[0]) else f"the first die is {truth}"


@dataclass(slots=True)
class Sum(Question):
    """What is your sum? Any answer is legal; it is claimed, and judged when the cup is open."""

    cup: tuple[Piece, ...]
    most: int

    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        total = Number("total", len(self.cup), self.most * len(self.cup))
        return (Move("sum", "Sum", ("sum {total}",), "s", (total,)),)

    @property
    def default(self) -> Answer:
        return Answer("sum", (len(self.cup),))

    def why_not(self, answer: Answer, faces: Faces) -> str | None:
        return None

    def sample(self, pick: Pick, faces: Faces) -> Answer:
        return Answer("sum", (sum(faces[die] for die in self.cup),))


@dataclass(slots=True)
class Play(Question):
    """Play a face that you hold; with `forced`, your highest."""

    cup: tuple[Piece, ...]
    most: int
    forced: bool = False
    private = True

    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        return (Move("play", "Play", ("play {face}",), "p", (Number("face", 1, self.most),)),)

    @property
    def default(self) -> Answer:
        return Answer("play", (1,))

    def why_not(self, answer: Answer, faces: Faces) -> str | None:
        dice = known(self.cup, faces)
        if dice is None:
            return None
        may = (max(dice),) if self.forced else dice
        return None if answer.args[0] in may else "you do not hold that"


@dataclass(slots=True)
class State:
    """What everybody at the table knows."""

    seats: tuple[Seat, ...]
    scores: dict[Seat, int]
    round: int = 0
    log: list[str] = field(default_factory=list)


def public(state: State) -> dict[str, Any]:
    return {"round": state.round, "scores": dict(state.scores), "log": list(state.log)}


def _claim(seat: Seat, cup: tuple[Piece, ...], total: int) -> Claim:
    def holds(faces: Faces) -> bool | None:
        dice = known(cup, faces)
        return None if dice is None else sum(dice) == total

    return Claim(seat, f"my dice make {total}", holds)


def _note(state: State, seat: Seat, text: str) -> Tell:
    state.log.append(f"{seat}: {text}")
    return Tell("said", seat=seat, text=text)


def play(seats: tuple[Seat, ...], options: Options) -> Script[Outcome]:
    """The whole game."""
    state = State(seats, dict.fromkeys(seats, 0))
    rounds, sides = int(options["rounds"]), int(options["sides"])
    for state.round in range(1, rounds + 1):
        yield Mark(state)
        gone = yield Gone()
        here = tuple(seat for seat in seats if seat not in gone)
        first = yield Toss(len(here), "first")
        turns = here[first:] + here[:first]
        cups = yield Roll(dict.fromkeys(here, 2), sides)
        yield Tell("rolled", seats=list(here))
        parities = yield AskAll({seat: Parity(cups[seat]) for seat in here})
        for seat, answer in parities.items():
            yield _note(state, seat, answer.args[0])
        for seat in turns:
            total = yield Ask(seat, Sum(cups[seat], sides))
            yield _claim(seat, cups[seat], total.args[0])
            face = yield Ask(seat, Play(cups[seat], sides))
            high = yield Ask(seat, Play(cups[seat], sides, forced=True))
            yield _note(state, seat, f"{total.args[0]} {face.args[0]} {high.args[0]}")
        yield Show(dict.fromkeys(cups[turns[-1]], (turns[-1],)))
        yield Show(dict.fromkeys(cups[turns[0]], seats))
        last = state.round == rounds
        opened = yield Reveal({seat: cups[seat] for seat in (turns[:-1] if last else turns)})
        for seat, dice in opened.items():
            state.scores[seat] += sum(dice)
            yield Tell("opened", seat=seat, dice=list(dice))
    ranking = sorted(set(state.scores.values()), reverse=True)
    places = tuple(tuple(s for s in seats if state.scores[s] == score) for score in ranking)
    return Outcome(places, f"{' and '.join(places[0])} rolled most")


def view(state: State | None, seat: Seat | None, faces: Faces) -> View:
    dice = {die: face for die, face in faces.items() if isinstance(die, Die)}
    held = sorted(face for die, face in dice.items() if die.seat == seat)
    return View(f"round {state.round if state else 0}", (Text(f"{seat} sees {held}"),))


def describe(event: Event, seat: Seat | None) -> str:
    return ", ".join(str(value) for value in event.values())


GAME = Game(
    id="toy",
    title="Toy",
    seats=range(1, 9),
    rules_version=1,
    play=play,
    public=public,
    view=view,
    describe=describe,
    help=Help("rules", "tips", "faq"),
    bots=(Bot("legal", "Anything legal", legal),),
    options=(
        Option("rounds", 1, (1, 2, 3), "how many rounds"),
        Option("sides", 6, (6, 2, 20), "sides of a die"),
    ),
)
