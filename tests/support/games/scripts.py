"""Small games for tests of the core: a script becomes a `Game` with everything else plain."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sobremesa.core.game import Bot, Game, Help, Option, Outcome
from sobremesa.core.open_table import FairChance
from sobremesa.core.pieces import Die, Face, Faces, Piece, Seat
from sobremesa.core.questions import NO_FACES, Answer, Move, Number, Question, SeatField
from sobremesa.core.requests import Script
from sobremesa.core.views import View

SEATS = ("Ana", "Bea", "Cai")


@dataclass(slots=True)
class Pick(Question):
    """Name a number. With `cup`, only a face that lies under it: a private question."""

    low: int = 1
    high: int = 6
    cup: tuple[Die, ...] = ()
    forced: bool = False
    private: bool = field(init=False)

    def __post_init__(self) -> None:
        self.private = bool(self.cup)

    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        return (
            Move("pick", "Pick", ("pick {number}",), "p", (Number("number", self.low, self.high),)),
            Move("pass", "Pass", ("pass",), "s", disabled="nobody may pass here"),
        )

    @property
    def default(self) -> Answer:
        return Answer("pick", (self.low,))

    def why_not(self, answer: Answer, faces: Faces) -> str | None:
        if answer.move == "pass":
            return "nobody may pass here"
        if not all(die in faces for die in self.cup):
            return None
        held = [faces[die] for die in self.cup]
        return None if not self.cup or answer.args[0] in held else "you hold no such die"


@dataclass(slots=True)
class Steal(Question):
    """Name another player."""

    victims: tuple[Seat, ...] = ("Ana", "Bea", "Ben", "Big Al")

    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        fields = (SeatField("player", self.victims),)
        return (Move("steal", "Steal", ("steal {player}", "steal from {player}"), "t", fields),)

    @property
    def default(self) -> Answer:
        return Answer("steal", (self.victims[0],))

    def why_not(self, answer: Answer, faces: Faces) -> str | None:
        return None


def outcome(*seats: Seat) -> Outcome:
    """First to last as given."""
    return Outcome(tuple((seat,) for seat in seats or SEATS), "the toy is over")


def toy(
    play: Callable[..., Script[Outcome]],
    options: tuple[Option, ...] = (),
    public: Callable[[Any], dict[str, Any]] = lambda state: {"state": state},
    pieces: Callable[[Any], Mapping[Seat, Sequence[Piece]]] = lambda state: {},
) -> Game[Any]:
    """A game with this script."""
    return Game(
        id="toy",
        title="Toy",
        seats=range(1, 5),
        rules_version=1,
        play=play,
        public=public,
        view=lambda state, seat, faces: View("toy"),
        describe=lambda event, seat: f"{event['kind']}.",
        help=Help("", "", ""),
        bots=(Bot("first", "First", lambda observation, question, pick: question.default),),
        options=options,
        pieces=pieces,
        cards=True,
    )


class Given(FairChance):
    """Chance as listed: tosses by label, dice by seat, the same for every roll."""

    def __init__(self, tosses: dict[str, int] | None = None, **dice: tuple[int, ...]) -> None:
        super().__init__(lambda n: 0)
        self._tosses = tosses or {}
        self._dice = dice

    def toss(self, n: int, label: str) -> int:
        return self._tosses[label]

    def roll(self, dice: Mapping[Seat, int], sides: int) -> Mapping[Seat, tuple[Face, ...]]:
        return {seat: self._dice[seat][:count] for seat, count in dice.items()}
