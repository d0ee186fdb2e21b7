"""Morra for Sobremesa: a whole game in one file, the first example of
docs/writing-a-game.md.

All players show 0 to 5 fingers at once and call what the sum will be. Who alone calls it right
scores a point; the first to three points wins.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sobremesa import (
    NO_FACES,
    Answer,
    AskAll,
    Bot,
    Event,
    Faces,
    Game,
    Gap,
    Headline,
    Help,
    Mark,
    Move,
    Number,
    Observation,
    Option,
    Options,
    Outcome,
    Pick,
    Question,
    Row,
    Script,
    Seat,
    Seats,
    Tell,
    View,
    hookimpl,
    ranked,
)

MOST = 5


@dataclass
class State:
    """The public state. Faces never stand here, and a script's locals hold only control flow."""

    points: dict[Seat, int]
    round: int = 0
    shown: dict[Seat, tuple[int, int]] = field(default_factory=dict)
    """What each seat showed and called in the last throw."""


class Throw(Question):
    """Show fingers and call the sum of all. It describes what may be answered; nobody lists it."""

    text = "Show fingers and call the sum of everybody's"

    def __init__(self, players: int) -> None:
        self.players = players

    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        fields = (Number("fingers", 0, MOST), Number("sum", 0, MOST * self.players))
        return (
            Move(
                "throw",
                "Throw",
                ("{fingers} call {sum}", "{fingers} {sum}"),
                "t",
                fields,
                hint=f"3 call {2 * self.players}",
            ),
        )

    @property
    def default(self) -> Answer:
        return Answer("throw", (0, 0))

    def why_not(self, answer: Answer, faces: Faces) -> str | None:
        fingers, total = answer.args
        least, most = int(fingers), int(fingers) + MOST * (self.players - 1)
        if not least <= int(total) <= most:
            return f"with your {fingers} the sum is {least} to {most}"
        return None


def play(seats: tuple[Seat, ...], options: Options) -> Script[Outcome]:
    """The rules, read from top to bottom."""
    state = State(dict.fromkeys(seats, 0))
    while max(state.points.values()) < int(options["points"]):
        state.round += 1
        yield Mark(state)
        throws = yield AskAll({seat: Throw(len(seats)) for seat in seats})
        state.shown = {seat: (a.args[0], a.args[1]) for seat, a in throws.items()}
        total = sum(fingers for fingers, _ in state.shown.values())
        right = [seat for seat, (_, call) in state.shown.items() if call == total]
        winner = right[0] if len(right) == 1 else None
        if winner:
            state.points[winner] += 1
        yield Tell("throw", shown=state.shown, total=total, winner=winner)
    places = ranked(seats, lambda seat: -state.points[seat])
    first = places[0][0]
    return Outcome(places, f"{first} has {state.points[first]} points")


def public(state: State) -> dict[str, Any]:
    return {"round": state.round, "points": state.points}


def view(state: State, seat: Seat | None, faces: Faces) -> View:
    rows = tuple(
        Row(name, (points, " call ".join(map(str, state.shown.get(name, ())))))
        for name, points in state.points.items()
    )
    top = Headline(f"Throw {state.round}", "everybody at once")
    return View(f"throw {state.round}", (top, Gap(), Seats(("points", "last throw"), rows)))


def describe(event: Event, seat: Seat | None) -> str:
    throws = ", ".join(f"{name} {f} call {s}" for name, (f, s) in event["shown"].items())
    score = f"{event['winner']} scores" if event["winner"] else "nobody scores"
    return f"{throws}: the sum is {event['total']}, {score}."


def choose(observation: Observation[State], question: Question, pick: Pick) -> Answer:
    """Show anything, and expect two and a half from everybody else."""
    fingers = pick(MOST + 1)
    return Answer("throw", (fingers, fingers + sum(pick(MOST + 1) for _ in observation.seats[1:])))


GAME = Game(
    id="morra",
    title="Morra",
    seats=range(2, 9),
    rules_version=1,
    play=play,
    public=public,
    view=view,
    describe=describe,
    help=Help(
        "# Morra\n\nShow 0 to 5 fingers and call the sum: `3 call 7`.",
        "# Tips\n\nVary.",
        "# Questions\n\nTwo right calls? Nobody scores.",
    ),
    bots=(Bot("chance", "plays by chance", choose),),
    options=(Option("points", 3, (1, 3, 5), "points to win"),),
    about="Show fingers and call the sum of everybody's.",
)


@hookimpl
def sobremesa_games() -> tuple[Game[State], ...]:
    return (GAME,)
