"""Driving a game's script: one request at a time, each checked as it comes.

Rule 1: nothing is thrown into a script; it is resumed with results only.
Rule 2: what a script yields is checked before anybody acts on it, and what it raises is a broken
part of the game (`parts`): a broken plugin is not a broken table.
Rule 3: claims and answers that depend on hidden faces are judged when those faces are public.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from .errors import Disproof, DisprovedAnswer, DisprovedClaim, ScriptError
from .game import Game, Options, Outcome
from .parts import PartBroke, broke, own_code, place_in
from .pieces import MOST_CARDS, MOST_CUPS, Card, Die, Face, Faces, Piece, Seat
from .questions import Answer, Question
from .requests import (
    Ask,
    AskAll,
    Claim,
    Event,
    Gone,
    Mark,
    Request,
    Reveal,
    Roll,
    Show,
    Shuffle,
    Tell,
    Toss,
)

PeerRequest = Ask | AskAll | Toss | Roll | Shuffle | Reveal | Show | Mark | Gone
"""The requests that a table must act on; the others are dealt with here."""

RULES = "rules"
"""What this part of a game is called."""


@dataclass(slots=True)
class _Pending:
    """Something that hidden faces will settle: a claim, or an answer to a private question."""

    seat: Seat
    why: str
    judge: Callable[[Faces], bool | None]
    disproof: type[Disproof]


class ScriptRun:
    """A script in progress: the request it waits on, what it told, and what became public.

    `on_event` is called while the script rests at a `Tell`, so that a view drawn inside shows the
    very moment of the event.
    """

    def __init__(
        self,
        game: Game[Any],
        seats: tuple[Seat, ...],
        options: Options,
        on_event: Callable[[Event], None] | None = None,
    ) -> None:
        if len(seats) not in game.seats:
            least, most = game.seats[0], game.seats[-1]
            raise ScriptError(f"{game.title} is for {least} to {most} players, not {len(seats)}")
        self.game = game
        self.seats = seats
        self.options = dict(options)
        self.state: Any = None
        self.events: list[Event] = []
        self.faces: dict[Piece, Face] = {}
        """What is public."""
        self.request: PeerRequest | None = None
        self.outcome: Outcome | None = None
        self.rounds = 0
        """How many have begun: marks that were set."""
        self.on_disproof: Callable[[Disproof], None] = _refuse
        """What is done with what faces disprove. It is judged once; the script keeps its place if
        this returns."""
        self._on_event = on_event
        self._pending: list[_Pending] = []
        self._rolls = 0
        self._cards = 0
        self._cups: dict[Die, tuple[Die, ...]] = {}
        self._live: set[Card] = set()
        with self.game_code():
            self._script = game.play(seats, self.options)

    def start(self) -> None:
        """Run to the first request."""
        self._advance(None)

    def resume(self, result: Any) -> None:
        """Hand the script the result of its request and run to the next one.

        :raises ScriptError: if the script breaks
        """
        self._advance(result)

    # Results, and where each request is checked.

    def check_answer(self, seat: Seat, question: Question, answer: Answer, faces: Faces) -> None:
        """:raises IllegalAnswer: if these faces show that the rules refuse it"""
        with self.game_code():
            question.check(answer, faces)

    def remember_answer(
        self, seat: Seat, question: Question, answer: Answer, seen: Iterable[Piece]
    ) -> None:
        """Judge an answer again once all the pieces that its owner saw are public."""
        if question.private:
            seen = tuple(seen)
            missing = list(seen)

            def judge(faces: Faces) -> bool | None:
                while missing and missing[-1] in faces:
                    missing.pop()
                if missing:
                    return None
                return question.why_not(answer, {piece: faces[piece] for piece in seen}) is None

            with self.game_code():
                text = f"played {question.write(answer)}, which its own cards do not allow"
            self._pending.append(_Pending(seat, text, judge, DisprovedAnswer))

    def rolled(self, roll: Roll) -> dict[Seat, tuple[Die, ...]]:
        """The handles of a roll. The script is not resumed yet."""
        dice: dict[Seat, tuple[Die, ...]] = {}
        for seat, count in roll.dice.items():
            cup = tuple(Die(seat, self._rolls, place) for place in range(count))
            self._cups.update(dict.fromkeys(cup, cup))
            dice[seat] = cup
        self._rolls += 1
        return dice

    def shuffled(self, shuffle: Shuffle) -> tuple[Card, ...]:
        """The handles of a shuffle; those it was given are dead. The script is not resumed yet."""
        first = self._cards
        self._cards += len(shuffle.cards)
        self._live.difference_update(c for c in shuffle.cards if isinstance(c, Card))
        made = tuple(Card(serial) for serial in range(first, self._cards))
        self._live.update(made)
        return made

    def publish(self, faces: Faces) -> None:
        """These faces are public from now on, and settle claims and answers."""
        self.faces.update(faces)
        self.judge(self.faces)

    def judge(self, faces: Faces) -> None:
        """Judge what these faces settle; in the audit they are all the faces there were. What they
        disprove goes to `on_disproof`."""
        judged, self._pending = self._pending, []
        disproved: list[_Pending] = []
        for pending in judged:
            with self.game_code():
                verdict = pending.judge(faces)
            if verdict is None:
                self._pending.append(pending)
            elif not verdict:
                disproved.append(pending)
        for pending in disproved:
            self.on_disproof(pending.disproof(pending.seat, pending.why))

    def game_code(self) -> AbstractContextManager[None]:
        """Around every call of the rules' own code (`parts.own_code`)."""
        return own_code(self.game.title, RULES)

    # Requests, checked as they come.

    def _advance(self, result: Any) -> None:
        self.request = None
        while True:
            try:
                request = self._script.send(result)
            except StopIteration as stop:
                self.outcome = self._checked_outcome(stop.value)
                return
            except ScriptError:
                raise
            except Exception as error:
                raise broke(self.game.title, RULES, error) from error
            result = None
            if isinstance(request, Tell):
                self.events.append(request.event)
                if self._on_event is not None:
                    self._on_event(request.event)
            elif isinstance(request, Claim):
                self._claim(request)
            else:
                self.request = self._checked(request)
                return

    def _claim(self, claim: Claim) -> None:
        text = f'claimed "{claim.text}", which was not true'
        self._pending.append(_Pending(claim.seat, text, claim.holds, DisprovedClaim))
        self.judge(self.faces)

    def _checked(self, request: Request) -> PeerRequest:
        """The request, if the table can act on it."""
        if isinstance(request, Shuffle | Reveal | Show) and _too_many(request):
            raise self._wrong(f"needs over {MOST_CARDS} cards or {MOST_CUPS} cups at once")
        match request:
            case Ask(seat, question):
                self._known(seat)
                if not isinstance(question, Question):
                    raise self._wrong(f"asks something that is no Question: {question!r}")
            case AskAll(questions):
                if not questions:
                    raise self._wrong("asks nobody")
                self._known(*questions)
            case Toss(n, label, by):
                self._makers(by)
                if n < 1 or not label:
                    raise self._wrong("tosses for nothing or without a label")
            case Roll(dice, sides, by):
                self._known(*dice)
                self._makers(by)
                if not dice or min(dice.values()) < 1 or not 2 <= sides <= 1000:
                    raise self._wrong("rolls no dice, or dice without sides")
                if by is not None and not set(by).issuperset(dice):
                    raise self._wrong("has somebody's dice rolled without them")
            case Shuffle(cards, by):
                if not self.game.cards:
                    raise self._wrong("shuffles, but its Game does not say cards=True")
                self._shufflable(cards, by)
            case Reveal():
                self._whole_cups(request.flat())
            case Show(seats):
                self._whole_cups(tuple(seats))
                for piece, who in seats.items():
                    self._known(*who)
                    if isinstance(piece, Die) and self.hides(piece, who):
                        raise self._wrong("shows dice to some: only to all or to nobody")
            case Mark(state):
                self.state = state
                self.rounds += 1
            case Gone():
                pass
            case _:
                raise self._wrong(f"yields {request!r}, which is no request")
        return request

    def hides(self, piece: Die, seats: Sequence[Seat]) -> bool:
        """Whether dice would be shown to others than their owner and yet not to all."""
        return bool(set(seats) - {piece.seat}) and set(seats) != set(self.seats)

    def _shufflable(self, cards: Sequence[Any], by: tuple[Seat, ...] | None) -> None:
        if not cards or len({type(card) for card in cards}) != 1:
            raise self._wrong("shuffles nothing, or faces together with cards")
        self._makers(by)
        if isinstance(cards[0], Card):
            if len(set(cards)) != len(cards) or not self._live.issuperset(cards):
                raise self._wrong("shuffles a card twice, or one that was shuffled away")
        elif not isinstance(cards[0], str):
            raise self._wrong("shuffles something that is no card")

    def _makers(self, by: tuple[Seat, ...] | None) -> None:
        if by is not None:
            if not by:
                raise self._wrong("has nobody shuffle, toss or roll")
            self._known(*by)

    def _known(self, *seats: Seat) -> None:
        for seat in seats:
            if seat not in self.seats:
                raise self._wrong(f"speaks of a seat that is not here: {seat!r}")

    def _whole_cups(self, pieces: tuple[Piece, ...]) -> None:
        given = set(pieces)
        for piece in pieces:
            if isinstance(piece, Card):
                if piece not in self._live:
                    raise self._wrong("opens a card that was shuffled away")
                continue
            if piece not in self._cups:
                raise self._wrong("opens a die that was never rolled")
            if not given.issuperset(self._cups[piece]):
                raise self._wrong("opens a part of a cup: a cup is opened whole")

    def _checked_outcome(self, outcome: Any) -> Outcome:
        if not isinstance(outcome, Outcome):
            raise self._wrong("ends without an Outcome")
        placed = [seat for place in outcome.places for seat in place]
        if sorted(placed) != sorted(self.seats):
            raise self._wrong("ends with places that are not every seat once")
        if outcome.together and len(outcome.places) != 1:
            raise self._wrong("ends for all together, but in more than one place")
        return outcome

    def _wrong(self, what: str) -> PartBroke:
        return PartBroke(self.game.title, RULES, f"the script {what}", place_in(self._script))


def _refuse(disproof: Disproof) -> None:
    raise disproof


def _too_many(request: Shuffle | Reveal | Show) -> bool:
    """Whether no message can hold what a request needs of a peer."""
    match request:
        case Shuffle(cards):
            return len(cards) > MOST_CARDS
        case Reveal():
            pieces: Iterable[Piece] = request.flat()
        case Show(seats):
            pieces = seats
    cups = {die[:2] for die in pieces if isinstance(die, Die)}
    return len(cups) > MOST_CUPS or sum(isinstance(p, Card) for p in pieces) > MOST_CARDS
