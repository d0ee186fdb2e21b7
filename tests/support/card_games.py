"""A small card game that makes every request of cards there is, and tables that play such games.

Each round: a new deck; each seat gets a hand card that it alone sees and a brow card that all but
itself see, in one deal; one card is opened. Each seat in turn is asked whether it holds the open
face (private: the truth is the only legal answer). Who shows its card returns it, the rest is
shuffled again, and it draws another. Who concedes in an odd place draws a card, shuffles both
alone and puts one of them back, so that nobody can tell which it kept. Each says (and claims) what
it holds. The first hand is shown to the last seat, then to the second; all guess their brows,
sealed; then everything is opened but the last seat's hand in the last round.

Rule 1: honest players answer by `sample`; other answers exist, for cheats to give.
Rule 2: a `CardTable` keeps what chance gave, so that a `Twin` can play the same game openly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from support.tabletop import Tabletop

from sobremesa.core.crypto.group import Q, multiply, subtract
from sobremesa.core.encoding import Pick, Rand
from sobremesa.core.game import Bot, Game, Help, Option, Options, Outcome, Sight
from sobremesa.core.open_table import OpenTable
from sobremesa.core.pieces import Card, Face, Faces, Piece, Seat
from sobremesa.core.questions import NO_FACES, Answer, CardField, Choice, Move, Question
from sobremesa.core.replica.charter import Charter
from sobremesa.core.replica.ledger import Keys
from sobremesa.core.replica.table import Table
from sobremesa.core.requests import (
    Ask,
    AskAll,
    Claim,
    Event,
    Mark,
    Reveal,
    Script,
    Show,
    Shuffle,
    Tell,
    Toss,
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
    yield Show(
        {card: (seat,) for seat, card in state.hands.items()}
        | {card: others[seat] for seat, card in state.brows.items()}
    )


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


def tell(event: Event, seat: Seat | None) -> str:
    return ", ".join(str(value) for value in event.values())


def legal(sight: Sight, question: Question, pick: Pick) -> Answer:
    """Any legal answer."""
    return question.sample(pick, sight.faces)


GAME = Game(
    id="flowers",
    title="Flowers",
    seats=range(1, 9),
    rules_version=1,
    play=play,
    public=public,
    view=view,
    tell=tell,
    help=Help("rules", "tips", "faq"),
    bots=(Bot("legal", "Anything legal", legal),),
    options=(Option("rounds", 1, (1, 2, 3), "how many rounds"),),
)


# Tables.


class CardTable(Tabletop):
    """Peers at a sealed table, with or without backup of their keys."""

    def __init__(self, *args: Any, backup: bool = True, **more: Any) -> None:
        self._backup = backup
        self.chances: list[Any] = []
        """What chance gave so far: numbers tossed, faces of shuffled cards in their order."""
        super().__init__(*args, **more)

    @property
    def charter(self) -> Charter:
        return self._charter

    @charter.setter
    def charter(self, charter: Charter) -> None:
        settings = replace(charter.settings, backup=self._backup)
        self._charter = replace(charter, settings=settings)

    def replica(self, peer: int) -> Table:
        table = super().replica(peer)
        if peer == 0:
            self._keep_chances(table)
        return table

    def keys(self, peer: int) -> Keys:
        """The secrets of a peer, which only a test may know of all."""
        backup = self._backup and len(self.seeds) > 2
        others = [i for i in self.seeds if i != peer and backup]
        cheat, seed = self.cheats.get(peer), self.seeds[peer]
        return Keys(cheat.rand(seed) if cheat else Rand(seed), self.charter.table, others)

    def face(self, table: Table, card: Card) -> Face:
        """What a live card is, by everybody's secrets."""
        a, b = table.replica_state.ledger.cards[card]
        everybodys = sum(self.keys(peer).x for peer in self.seeds) % Q
        return table.replica_state.ledger.faces[subtract(b, multiply(everybodys, a))]

    def _keep_chances(self, table: Table) -> None:
        run, self.chances = table.replica_state.run, []
        resume = run.resume

        def told(result: Any) -> None:
            if isinstance(run.request, Shuffle):
                self.chances.append([self.face(table, card) for card in result])
            elif isinstance(run.request, Toss):
                self.chances.append(result)
            resume(result)

        run.resume = told

    def settle(self) -> None:
        """Deliver everything, so that all rest at the same questions."""
        while full := [way for way, wire in self.lines.items() if wire.queue]:
            self.deliver(full[0])

    def pauses(self, most: int | None = None) -> Iterator[Pause]:
        """Play the game, at most so many pauses of it. Who asks sees each moment at which
        everybody waits for players."""
        self.settle()
        for _ in count() if most is None else range(most):
            asked = [(i, seat) for i, table in enumerate(self.tables) for seat in table.asked]
            if not asked:
                return
            pause = Pause({seat: dict(self.tables[i].faces(seat)) for i, seat in self.owned()})
            yield pause
            for i, seat in asked:
                question, step = self.tables[i].asked[seat], self.tables[i].step
                self.answer(i, seat)
                pause.answers[seat] = question.read_notation(self.recorded[i][step, seat])
            self.settle()

    def owned(self) -> list[tuple[int, Seat]]:
        """Each seat with its peer."""
        return [(plan.peer, plan.name) for plan in self.charter.seats]


@dataclass(slots=True)
class Pause:
    """A moment of a sealed table at which all wait for players: the faces that each seat sees,
    and the answers that were given then."""

    faces: dict[Seat, dict[Piece, Face]]
    answers: dict[Seat, Answer] = field(default_factory=dict)


class Twin(OpenTable):
    """The open table with the chances of a sealed one."""

    def __init__(self, game: Game, seats: tuple[Seat, ...], options: Options, chances: list[Any]):
        self._chances = iter(chances)
        super().__init__(game, seats, options, _AsGiven(self._chances))

    def _shuffle(self, shuffle: Shuffle) -> tuple[Card, ...]:
        made = super()._shuffle(shuffle)
        order: Sequence[Face] = next(self._chances)
        assert sorted(order) == sorted(self.all_faces[card] for card in made), "not these cards"
        for card, face in zip(made, order, strict=True):
            self.all_faces[card] = face
            for seen in self._seen.values():
                if card in seen:
                    seen[card] = face
        return made


class _AsGiven:
    """Tosses as they came; shuffles are put right by the twin."""

    def __init__(self, chances: Iterator[Any]) -> None:
        self._chances = chances

    def toss(self, n: int, label: str) -> int:
        return next(self._chances)

    def roll(self, dice: Mapping[Seat, int], sides: int) -> Mapping[Seat, tuple[Face, ...]]:
        raise AssertionError("a card game rolls no dice")

    def shuffle(self, faces: Sequence[Face]) -> Sequence[Face]:
        return faces


def play_openly(
    table: CardTable, pauses: Sequence[Pause], look: Callable[[int, Twin], None]
) -> Twin:
    """Play what was played at a sealed table on the open one, with the same chance and answers;
    `look(number, twin)` is called at each pause."""
    charter = table.charter
    twin = Twin(table.game, charter.seat_names, dict(charter.options), table.chances)
    for number, pause in enumerate(pauses):
        assert twin.asked.keys() == pause.answers.keys()
        look(number, twin)
        for seat, answer in pause.answers.items():
            twin.answer(seat, answer)
    return twin
