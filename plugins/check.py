"""The kit that checks a game: random games, and at each moment all that the contract asks.

What it finds is what would else show in mid-game, on one machine and not on another, or to one
player and not to the next: a view that breaks, a move that cannot be typed back, an answer that
other tables refuse, a face that shines through.

Rule 1: whatever game code raises is a finding; the check itself raises nothing of it.
Rule 2: all chance comes from numbered streams, so that what was found is found again.
Rule 3: a thing is said once, however often and with whatever values it is met.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, get_args

from sobremesa.core.encoding import Pick, below, blocks, digest
from sobremesa.core.errors import LocalError, SobremesaError
from sobremesa.core.game import Game, Options
from sobremesa.core.open_table import FairChance, OpenTable
from sobremesa.core.pieces import Faces, Seat
from sobremesa.core.questions import NO_FACES, Answer, Move, Question
from sobremesa.core.requests import Event
from sobremesa.core.views import Block, Cards, Cell, Dice, Grid, Hand, Seats, View

from .redeal import Answers, Redealt, apart

NAMES = ("Ana", "Big Al", "Zoë", "Ana Maria", "王芳", "D'Arcy", "Eva-2", "3rd Hal")
"""Names as people have them: with blanks and signs, and one that begins like another."""

GAMES = 20
MOST_ANSWERS = 20_000
"""A game that takes more answers than this does not end."""

LISTED = 5
"""So many of a question's legal answers are looked at."""


@dataclass(frozen=True, slots=True)
class Examination:
    """What a check came to: `findings`, a line each; how many `games` it took; `fingerprint`, a
    digest of all that was seen, which must be the same in every process."""

    findings: tuple[str, ...]
    games: int
    fingerprint: str


def check_game(game: Game, games: int = GAMES) -> list[str]:
    """Check a game by so many random ones, with every number of seats and every choice of every
    option at least once. Returns what is wrong, a line each."""
    return list(examine(game, games).findings)


def examine(game: Game, games: int = GAMES) -> Examination:
    """The same as `check_game`, with the fingerprint."""
    findings = Findings()
    choices, counts = _every_option(game), game.seats
    once = max(len(choices), len(counts))
    numbers = range(max(games, once))
    marks: list[str] = []
    for number in numbers:
        count = counts[number % len(counts)]
        options = choices[(number + number // once) % len(choices)]
        playout = Playout(game, NAMES[:count], options, number, findings)
        with findings.catch("the game", f"with {count} seats and {dict(options)}"):
            playout.run()
        marks += playout.marks
    for page in fields(game.help):
        if not getattr(game.help, page.name).strip():
            findings.add(f"the help page {page.name} is empty")
    return Examination(findings.lines(), len(numbers), digest("check", *marks).hex())


def _every_option(game: Game) -> list[Options]:
    """The default options, and with each other choice of each."""
    default = game.read_options({})
    others = [
        {**default, option.key: choice}
        for option in game.options
        for choice in option.choices
        if choice != option.default
    ]
    return [default, *others]


class Findings:
    """What is wrong, each thing once, with the first example that was met."""

    def __init__(self) -> None:
        self._lines: dict[str, str] = {}

    def add(self, what: str, example: str = "") -> None:
        line = f"{what}: {example}" if example else what
        self._lines.setdefault(what, " ".join(line.split()))

    def lines(self) -> tuple[str, ...]:
        """A line each, in the order in which they were met."""
        return tuple(self._lines.values())

    @contextmanager
    def catch(self, what: str, example: str = "") -> Iterator[None]:
        """What is raised within is a finding: `what` breaks."""
        try:
            yield
        except SobremesaError as error:
            self.add(f"{what} breaks: {error}", example)
        except Exception as error:  # whatever game code may raise
            self.add(f"{what} breaks: {type(error).__name__}: {error}", example)


def _pick(number: int, purpose: str) -> Pick:
    """Chance from the stream of a game's number and a purpose."""
    stream = blocks(b"check", number, purpose)
    return lambda n: below(n, stream)


class Watched(OpenTable):
    """A table whose playout looks at every event while the script rests there."""

    def __init__(self, playout: Playout) -> None:
        game, seats, options = playout.game, playout.seats, playout.options
        super().__init__(
            game, seats, options, playout.chance(), lambda event: playout.look(self, event)
        )


class Playout:
    """One random game, half of it played by the game's bots, and all that is looked at in it."""

    def __init__(
        self,
        game: Game,
        seats: tuple[Seat, ...],
        options: Options,
        number: int,
        findings: Findings,
    ) -> None:
        self.game = game
        self.seats = seats
        self.options = options
        self.number = number
        self.findings = findings
        self.marks: list[str] = []
        self.answers: list[tuple[Seat, Answer]] = []
        self._hidden = False
        """Whether somebody saw what others did not."""
        self._placed = False
        """Whether `pieces` named anything."""
        self._pick = _pick(number, "answers")

    def chance(self) -> FairChance:
        """The chance of this game, from its beginning."""
        return FairChance(_pick(self.number, "chance"))

    def run(self) -> None:
        """Play to the end, then deal again.

        :raises Exception: whatever the script raises
        """
        table = Watched(self)
        request = None
        while table.outcome is None:
            if table.run.request is not request:
                request = table.run.request
                self._draw(table)
            if len(self.answers) == MOST_ANSWERS:
                self.findings.add(f"after {MOST_ANSWERS} answers the game is not over")
                return
            seat, question = next(iter(table.asked.items()))
            answer = self._choose(table, seat, question)
            if answer is None:
                return
            self.answers.append((seat, answer))
            table.answer(seat, answer)
        if self._hidden and not self._placed:
            self.findings.add(
                "players hold hidden dice or cards, but pieces(state) names none: `replay --all` "
                "and scenarios show no hands"
            )
        self._deal_again()

    # What is shown and told.

    def look(self, table: OpenTable, event: Event) -> None:
        """An event: it and all that is drawn and told of it."""
        self._plain(event, f"event {event['kind']!r}")
        self.marks.append(json.dumps(event, default=repr))
        for viewer in (None, *self.seats):
            with self.findings.catch(f"tell({event['kind']!r})"):
                told = self.game.tell(event, viewer)
                self._one_line(told, f"tell({event['kind']!r})")
                self.marks.append(told)
        self._draw(table)

    def _draw(self, table: OpenTable) -> None:
        """What everybody sees now. Looking must change nothing, for anybody."""
        state = table.run.state
        if state is None:
            return
        with self.findings.catch("public(state)"):
            public = self.game.public(state)
            self._plain(public, "public(state)")
            self.marks.append(json.dumps(public, default=repr))
            views = [self._view(table, viewer) for viewer in (None, *self.seats)]
            again = [self._view(table, viewer) for viewer in reversed((None, *self.seats))]
            self.marks += map(repr, views)
            if views != again[::-1] or self.game.public(state) != public:
                self.findings.add("drawing a view changes what is seen: view() must only look")
        with self.findings.catch("pieces(state)"):
            for seat, pieces in self.game.pieces(state).items():
                self._placed = self._placed or bool(pieces)
                if seat not in self.seats or any(
                    piece is not None and piece not in table.all_faces for piece in pieces
                ):
                    self.findings.add("pieces(state) names a seat or a piece that is not there")

    def _view(self, table: OpenTable, viewer: Seat | None) -> View | None:
        view = None
        with self.findings.catch("view()" if viewer else "view() of a spectator"):
            view = self.game.view(table.run.state, viewer, table.faces(viewer))
            if not isinstance(view, View):
                self.findings.add(f"view() returns {type(view).__name__} and no View")
                return None
            self._plain(view, "view()")
            for block in view.blocks:
                self._block(block)
        return view

    def _block(self, block: Block) -> None:
        name = type(block).__name__
        rows: list[tuple[Cell, ...]] = []
        match block:
            case Seats(columns):
                rows = [row.cells for row in block.rows]
            case Grid(columns):
                rows = list(block.rows)
            case Hand(_, content):
                self._cell(content, name)
            case _ if not isinstance(block, get_args(Block)):
                self.findings.add(f"view() has a block of the kind {name}")
        for row in rows:
            if len(row) != len(columns):
                self.findings.add(
                    f"view(): a row of {name} has {len(row)} cells for {len(columns)} columns"
                )
            for cell in row:
                self._cell(cell, name)

    def _cell(self, cell: Cell, block: str) -> None:
        places: tuple[int, ...] = ()
        match cell:
            case Cards(values, playable, labels):
                places = playable or ()
                if labels and len(labels) != len(values):
                    self.findings.add("view(): Cards.labels are not one for each card")
            case Dice(values, hits):
                places = hits
            case _ if not isinstance(cell, get_args(Cell)):
                self.findings.add(f"view(): {block} has a cell of the kind {type(cell).__name__}")
        if any(place not in range(len(values)) for place in places):
            self.findings.add(
                f"view(): {type(cell).__name__} names a place that is not there (they count from 0)"
            )

    # What is asked and answered.

    def _choose(self, table: OpenTable, seat: Seat, question: Question) -> Answer | None:
        """Look at a question, and answer it by a bot or by chance. None if that cannot be done."""
        faces, public = table.faces(seat), table.run.faces
        self._hidden = self._hidden or len(faces) > len(public)
        name = type(question).__name__
        with self.findings.catch(f"{name}: the question"):
            self._question(name, question, faces, public)
        answer = None
        if self._pick(2):
            bots = self.game.bots
            bot = bots[self._pick(len(bots))]
            who = f"bot {bot.id}"
            with self.findings.catch(f"{name}: {who}"):
                answer = bot.choose(table.sight(seat), question, self._pick)
        else:
            who = "sample()"
            with self.findings.catch(f"{name}: {who}"):
                answer = question.sample(self._pick, faces)
        if answer is None:
            return None
        with self.findings.catch(f"{name}: the answer of {who}", repr(answer)):
            if not self._legal(f"{name}: {who} gives", question, answer, faces, public):
                return None
            self._notation(name, question, answer, faces)
            self.marks.append(question.write(answer))
            return answer
        return None

    def _question(self, name: str, question: Question, faces: Faces, public: Faces) -> None:
        moves = question.moves(faces)
        self._one_line(question.text, f"{name}.text")
        for what, keys in (
            ("moves of one id", [move.id for move in moves]),
            ("moves with one hotkey", [move.hotkey.casefold() for move in moves]),
        ):
            if len(set(keys)) != len(keys):
                self.findings.add(f"{name} has two {what}", ", ".join(keys))
        for move in moves:
            self._move(name, question, move, faces)
        # Whoever is gone answers by default: its hidden faces are lost, and judge nothing.
        self._legal(f"{name}: the default is", question, question.default, public, NO_FACES)
        self._legal(f"{name}: the late answer is", question, question.late(faces), faces, public)
        self._notation(name, question, question.default, faces)
        self._notation(name, question, question.late(faces), faces)
        for answer in itertools.islice(question.answers(faces), LISTED):
            self._legal(f"{name}: answers() lists", question, answer, faces, public)
            hint = question.hint(answer, faces)
            if hint is not None:
                self._one_line(hint, f"{name}.hint()")

    def _move(self, name: str, question: Question, move: Move, faces: Faces) -> None:
        self._plain(move.label + move.hint + (move.disabled or ""), f"{name}: move {move.id}")
        if len(move.hotkey) != 1 or not move.label or not move.notation:
            self.findings.add(f"{name}: move {move.id} lacks a hotkey, a label or a notation")
        if not move.fields:
            reason = question.why_not(Answer(move.id), faces)
            if (reason is None) != (move.disabled is None):
                says = "disabled" if move.disabled else "open"
                self.findings.add(
                    f"{name}: move {move.id} is {says}, but why_not says otherwise", repr(reason)
                )
            if question.read(move.hotkey, faces) != Answer(move.id):
                self.findings.add(f"{name}: the key {move.hotkey} is not read as {move.id}")
        elif move.disabled is None and move.hint:
            self._example(name, question, move, faces)
        elif move.disabled is None and _is_possible(question, move, faces):
            self.findings.add(
                f"{name}: move {move.id} has fields and no hint: players are not shown how to "
                "write it"
            )

    def _example(self, name: str, question: Question, move: Move, faces: Faces) -> None:
        what = f"{name}: the hint of {move.id} is"
        try:
            answer = question.read(move.hint, faces)
        except LocalError as error:
            self.findings.add(f"{what} no move", str(error))
            return
        if answer.move != move.id:
            self.findings.add(f"{what} read as {answer.move}")
        reason = question.why_not(answer, faces)
        if reason is not None:
            self.findings.add(f"{what} not legal", reason)

    def _legal(
        self, what: str, question: Question, answer: Answer, faces: Faces, public: Faces
    ) -> bool:
        """Whether an answer is legal for its owner, and so for those who see less."""
        who, reason = "the rules", question.why_not(answer, faces)
        if reason is None:
            who, reason = "other tables", question.why_not(answer, public)
        if reason is None:
            return True
        self._one_line(reason, "why_not()")
        example = f"{question.write(answer)!r}, because {reason}"
        self.findings.add(f"{what} an answer that {who} refuse", example)
        return False

    def _notation(self, name: str, question: Question, answer: Answer, faces: Faces) -> None:
        """What is written is read back: for the transcript, and as its player would type it."""
        public, own = question.write(answer), question.write(answer, faces)
        what = f"{name}: what is written for {answer.move}"
        try:
            # Two cards of one face are one card to whoever types it, so words are compared.
            typed = question.write(question.read(own, faces), faces)
            same = question.read_notation(public) == answer
            same = same and sorted(typed.split()) == sorted(own.split())
        except LocalError as error:
            self.findings.add(f"{what} cannot be read", f"{own!r}, because {error}")
        else:
            if not same:
                self.findings.add(f"{what} is read as another answer", repr(own))

    # What may not be seen.

    def _deal_again(self) -> None:
        """Up to some moment, for some viewer, all the same but what it cannot see."""
        pick = _pick(self.number, "other deals")
        viewer = (None, *self.seats)[pick(len(self.seats) + 1)]
        answers = self.answers[: pick(len(self.answers) + 1)]
        with self.findings.catch("playing the same game again"):
            first = self._again(answers, viewer)
            seen = dict(first.faces(viewer))
            for _ in range(2):
                try:
                    other = self._again(answers, viewer, seen, pick)
                except SobremesaError:
                    continue  # this deal could not have been: see `redeal`
                place = apart(first, other)
                if place is not None:
                    who = "a seat" if viewer else "a spectator"
                    self.findings.add(f"{who} can tell hidden faces apart", place)

    def _again(
        self,
        answers: Answers,
        viewer: Seat | None,
        seen: Faces | None = None,
        pick: Pick | None = None,
    ) -> Redealt:
        chance = self.chance()
        return Redealt(self.game, self.seats, self.options, chance, answers, viewer, seen, pick)

    # Values and words.

    def _plain(self, value: Any, where: str) -> None:
        for trouble in _troubles(value):
            self.findings.add(f"{where} holds {trouble}")

    def _one_line(self, text: Any, where: str) -> None:
        if not isinstance(text, str) or not text.strip():
            self.findings.add(f"{where} says nothing")
        self._plain(text, where)


def _is_possible(question: Question, move: Move, faces: Faces) -> bool:
    """Whether some answer by this move is legal now."""
    values = itertools.product(*(field.values() for field in move.fields))
    return any(question.why_not(Answer(move.id, args), faces) is None for args in values)


def _troubles(value: Any, place: str = "") -> Iterator[str]:
    """What in a value is not plain, which is: texts of visible characters, whole numbers, lists,
    objects. Each by its kind and its place, which is the first key or the last field."""
    at = f" in {place}" if place else ""
    if isinstance(value, str):
        for character in sorted({one for one in value if not one.isprintable()}):
            yield f"a character that is not for showing{at}: {character!r}"
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _troubles(item, place)
    elif isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                yield f"a key{at} that is no text but of the kind {type(key).__name__}"
            yield from _troubles(item, place or str(key))
    elif is_dataclass(value) and not isinstance(value, type):
        kind = type(value).__name__
        for name in value.__dataclass_fields__:
            yield from _troubles(getattr(value, name), f"{kind}.{name}")
    elif value is not None and not isinstance(value, int):
        yield f"a {type(value).__name__}{at}"
