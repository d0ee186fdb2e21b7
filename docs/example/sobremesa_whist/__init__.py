"""Little Whist for Sobremesa: a whole card game in one file, the second example of
docs/writing-a-game.md.

Everybody holds five cards. One leads, the others follow suit if they can, and the highest card of
the suit that was led takes the trick and leads the next. Most tricks win.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sobremesa import (
    NO_FACES,
    RANKS,
    SUITS,
    Answer,
    Ask,
    Bot,
    Card,
    CardField,
    Cards,
    Event,
    Faces,
    Game,
    Gap,
    Hand,
    Headline,
    Help,
    Mark,
    Move,
    Observation,
    Options,
    Outcome,
    Pick,
    Question,
    Reveal,
    Row,
    Script,
    Seat,
    Seats,
    Show,
    Shuffle,
    Tell,
    Toss,
    View,
    card_name,
    clockwise,
    hookimpl,
    ranked,
)

DECK = tuple(rank + suit for suit in SUITS for rank in (*RANKS[1:], "A"))
"""The 52 cards, each suit from two to ace."""
HAND = 5


@dataclass
class State:
    """The public state: hands as handles, and the faces of cards that lie open."""

    hands: dict[Seat, tuple[Card, ...]]
    taken: dict[Seat, int]
    turn: Seat
    trick: int = 0
    laid: dict[Seat, str] = field(default_factory=dict)
    """What lies in this trick, in the order in which it was laid."""


def taker(laid: Mapping[Seat, str]) -> Seat:
    """Who takes the trick as it lies: the highest card of the suit that was led."""
    led = next(iter(laid.values()))[-1]
    return max(laid, key=lambda seat: (laid[seat][-1] == led, DECK.index(laid[seat])))


class Lay(Question):
    """Lay a card: of the suit that was led, if one is held."""

    private = True

    def __init__(self, seat: Seat, hand: tuple[Card, ...], laid: Mapping[Seat, str]) -> None:
        self.seat = seat
        self.hand = hand
        self.laid = dict(laid)
        self.led = next(iter(laid.values()), "")[-1:]
        self.text = f"Follow {SUITS[self.led]} if you can" if self.led else "Lead a card"

    def fitting(self, faces: Faces) -> tuple[int, ...]:
        """The places of the cards that may be laid, as far as these faces tell."""
        places = range(1, len(self.hand) + 1)
        held = {place: faces.get(self.hand[place - 1], self.led) for place in places}
        return tuple(p for p in places if held[p].endswith(self.led)) or tuple(places)

    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        card, example = CardField("card", self.hand), f"lay #{self.fitting(faces)[0]}"
        return (Move("lay", "Lay", ("lay {card}", "{card}"), "l", (card,), hint=example),)

    @property
    def default(self) -> Answer:
        return Answer("lay", (1,))

    def late(self, faces: Faces) -> Answer:
        return Answer("lay", (self.fitting(faces)[0],))

    def why_not(self, answer: Answer, faces: Faces) -> str | None:
        if answer.args[0] in self.fitting(faces):
            return None
        return f"you hold {SUITS[self.led]} and must follow suit"

    def hint(self, answer: Answer, faces: Faces) -> str | None:
        card = self.hand[answer.args[0] - 1]
        if not self.laid or card not in faces:
            return None
        takes = taker({**self.laid, self.seat: faces[card]}) == self.seat
        return "That is the best card so far." if takes else "That does not take the trick."


def play(seats: tuple[Seat, ...], options: Options) -> Script[Outcome]:
    """The rules, read from top to bottom."""
    deck = yield Shuffle(DECK)
    hands = {seat: deck[n * HAND : (n + 1) * HAND] for n, seat in enumerate(seats)}
    yield Show({card: (seat,) for seat, hand in hands.items() for card in hand})
    leader = yield Toss(len(seats), "who leads")
    state = State(hands, dict.fromkeys(seats, 0), seats[leader])
    for trick in range(1, HAND + 1):
        state.trick, state.laid = trick, {}
        yield Mark(state)
        yield Tell("leads", seat=state.turn, trick=trick)
        for seat in clockwise(seats, state.turn):
            state.turn = seat
            hand = state.hands[seat]
            answer = yield Ask(seat, Lay(seat, hand, state.laid))
            card = hand[answer.args[0] - 1]
            (face,) = yield Reveal((card,))
            state.hands[seat] = tuple(other for other in hand if other != card)
            state.laid[seat] = face
            yield Tell("laid", seat=seat, card=face)
        state.turn = taker(state.laid)
        state.taken[state.turn] += 1
        yield Tell("taken", seat=state.turn, card=state.laid[state.turn])
    places = ranked(seats, lambda seat: -state.taken[seat])
    return Outcome(places, f"the most tricks are {max(state.taken.values())}")


def public(state: State) -> dict[str, Any]:
    return {"trick": state.trick, "laid": state.laid, "taken": state.taken, "turn": state.turn}


def view(state: State, seat: Seat | None, faces: Faces) -> View:
    rows = []
    for who, tricks in state.taken.items():
        card = (state.laid[who],) if who in state.laid else ()
        rows.append(Row(who, (Cards(card), tricks), turn=who == state.turn))
    phase = f"trick {state.trick} of {HAND}"
    blocks = (Headline(phase.capitalize()), Gap(), Seats(("lays", "tricks"), tuple(rows)))
    if seat is None:
        return View(phase, blocks)
    hand, playable = state.hands[seat], None
    if seat == state.turn and seat not in state.laid:
        playable = tuple(place - 1 for place in Lay(seat, hand, state.laid).fitting(faces))
    held = Cards(tuple(faces.get(card) for card in hand), playable)
    return View(phase, (*blocks, Hand("Your hand", held)))


def describe(event: Event, seat: Seat | None) -> str:
    who, s = ("You", "") if event["seat"] == seat else (event["seat"], "s")
    if event["kind"] == "leads":
        return f"{who} lead{s} trick {event['trick']}."
    card = card_name(event["card"])
    if event["kind"] == "laid":
        return f"{who} lay{s} the {card}."
    return f"{who} take{s} the trick with the {card}."


def choose(observation: Observation[State], question: Question, pick: Pick) -> Answer:
    """Lay anything that is legal."""
    return question.sample(pick, observation.faces)


GAME = Game(
    id="little-whist",
    title="Little Whist",
    seats=range(2, 7),
    rules_version=1,
    play=play,
    public=public,
    view=view,
    describe=describe,
    help=Help(
        "# Little Whist\n\nFollow suit if you can. The highest card of the suit that was led "
        "takes the trick. Most tricks win.",
        "# Tips\n\n- Lead from your longest suit.",
        "# Questions\n\nIs there a trump? No.",
    ),
    bots=(Bot("chance", "plays by chance", choose),),
    pieces=lambda state: state.hands,
    cards=True,
    pauses=("taken",),
    about="Five cards each: follow suit, and take the most tricks.",
)


@hookimpl
def sobremesa_games() -> tuple[Game[State], ...]:
    return (GAME,)
