"""One random game, watched: what is shown, told, asked and answered in it.

Rule 1: half of the answers are a bot's, the others any legal ones.
"""

from __future__ import annotations

import json
from typing import Any

from sobremesa.core.encoding import Pick, blocks, picking
from sobremesa.core.errors import SobremesaError
from sobremesa.core.game import Bot, Game, Options
from sobremesa.core.open_table import FairChance, OpenTable
from sobremesa.core.pieces import Faces, Seat
from sobremesa.core.questions import Answer, Question
from sobremesa.core.requests import Event
from sobremesa.core.views import View

from .leaks import Answers, Redealt, apart
from .questions import QuestionCheck
from .reports import Findings
from .views import check_recap, check_view

NAMES = ("Ana", "Big Al", "Zoë", "Ana Maria", "王芳", "D'Arcy", "Eva-2", "3rd Hal")
"""Names as people have them: with blanks and signs, and one that begins like another."""

MOST_ANSWERS = 20_000
"""A game that takes more answers than this does not end."""


def _pick(number: int, purpose: str) -> Pick:
    """Chance from the stream of a game's number and a purpose."""
    return picking(blocks(b"check", number, purpose))


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
        game: Game[Any],
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
        self.seen: list[str] = []
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
        self._recap(table)
        self._deal_again()

    # What is shown and told.

    def look(self, table: OpenTable, event: Event) -> None:
        """An event: it and all that is drawn and told of it."""
        self.findings.check_plain(event, f"event {event['kind']!r}")
        self.seen.append(json.dumps(event, default=repr))
        for viewer in (None, *self.seats):
            with self.findings.catch(f"describe({event['kind']!r})"):
                told = self.game.describe(event, viewer)
                self.findings.check_line(told, f"describe({event['kind']!r})")
                self.seen.append(told)
        self._draw(table)

    def _recap(self, table: OpenTable) -> None:
        """The game in short, as everybody is told it."""
        if self.game.recap is None:
            return
        for viewer in (None, *self.seats):
            with self.findings.catch("recap()"):
                recap = self.game.recap(self.seats, table.events, viewer)
                check_recap(recap, self.seats, self.findings)
                self.seen.append(repr(recap))

    def _draw(self, table: OpenTable) -> None:
        """What everybody sees now. Looking must change nothing, for anybody."""
        state = table.run.state
        if state is None:
            return
        with self.findings.catch("public(state)"):
            public = self.game.public(state)
            self.findings.check_plain(public, "public(state)")
            self.seen.append(json.dumps(public, default=repr))
            views = {viewer: self._view(table, viewer) for viewer in (None, *self.seats)}
            again = [self._view(table, viewer, views[viewer]) for viewer in reversed(views)]
            self.seen += map(repr, views.values())
            if list(views.values()) != again[::-1] or self.game.public(state) != public:
                self.findings.add("drawing a view changes what is seen: view() must only look")
        with self.findings.catch("pieces(state)"):
            for seat, pieces in self.game.pieces(state).items():
                self._placed = self._placed or bool(pieces)
                if seat not in self.seats or any(
                    piece is not None and piece not in table.all_faces for piece in pieces
                ):
                    self.findings.add("pieces(state) names a seat or a piece that is not there")

    def _view(
        self, table: OpenTable, viewer: Seat | None, checked: View | None = None
    ) -> View | None:
        """What a seat sees, checked if it is another than was."""
        view = None
        with self.findings.catch("view()" if viewer else "view() of a spectator"):
            view = self.game.view(table.run.state, viewer, table.faces(viewer))
            if not isinstance(view, View):
                self.findings.add(f"view() returns {type(view).__name__} and no View")
                return None
            if view != checked:
                check_view(view, self.findings)
        return view

    # What is asked and answered.

    def _choose(self, table: OpenTable, seat: Seat, question: Question) -> Answer | None:
        """Look at a question, and answer it by a bot or by chance. None if that cannot be done."""
        faces, public = table.faces(seat), table.run.faces
        self._hidden = self._hidden or len(faces) > len(public)
        check = QuestionCheck(question, faces, public, self.findings)
        name = check.name
        with self.findings.catch(f"{name}: the question"):
            check.run()
        answer = None
        if self._pick(2):
            bots = self.game.bots
            bot = bots[self._pick(len(bots))]
            who = f"bot {bot.id}"
            with self.findings.catch(f"{name}: {who}"):
                answer = self._by_bot(table, bot, seat, question)
        else:
            who = "sample()"
            with self.findings.catch(f"{name}: {who}"):
                answer = question.sample(self._pick, faces)
        if answer is None:
            return None
        with self.findings.catch(f"{name}: the answer of {who}", repr(answer)):
            if not check.check_legal(f"{who} gives", answer):
                return None
            check.check_notation(answer)
            self.seen.append(question.write(answer))
            return answer
        return None

    def _by_bot(self, table: OpenTable, bot: Bot[Any], seat: Seat, question: Question) -> Answer:
        """A bot's answer. The audit of a game asks it again: it must then answer the same."""
        purpose = f"bot {len(self.answers)}"
        answer, again = (
            bot.choose(table.observation(seat), question, _pick(self.number, purpose))
            for _ in range(2)
        )
        if again != answer:
            self.findings.add(
                f"bot {bot.id} answers otherwise when it is asked the same again: has it a memory, "
                "a clock, or chance of its own?",
                f"{question.write(answer)!r}, then {question.write(again)!r}",
            )
        return answer

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
                    continue  # this deal could not have been: see `leaks`
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
