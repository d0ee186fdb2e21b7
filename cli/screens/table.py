"""The table while a game is played."""

from __future__ import annotations

from sobremesa.cli import grammar
from sobremesa.cli.cells import Line
from sobremesa.cli.frame import Facts, Scene
from sobremesa.cli.grammar import NotNow
from sobremesa.core.errors import LocalError
from sobremesa.core.questions import Question

from .sitting import COMMON, MOVES, SittingScreen


class TableScreen(SittingScreen):
    """The table."""

    words = grammar.words(MOVES, *COMMON)

    @property
    def question(self) -> Question | None:
        return self.story.asked.question if self.story.asked is not None else None

    @property
    def counting(self) -> bool:
        return self.chair.deadline is not None or self.chair.rest_until is not None

    def facts(self) -> Facts:
        status, view = self.session.status, self.story.sight
        if self.question is not None:
            turn = "your turn"
        elif self.story.resting is not None or status.turn in (None, self.session.me):
            turn = ""
        else:
            turn = f"{status.turn}'s turn"
        return Facts(
            game=self.session.game.title,
            table=status.table,
            phase=view.phase if view is not None else "",
            verified=status.verified,
            seats=status.seats,
            turn=turn,
            seconds=self.chair.left(self.chair.deadline),
        )

    def scene(self) -> Scene:
        return Scene(
            facts=self.facts(),
            company=self.story.company,
            view=self.story.sight,
            question=self.question,
            prompt=self._prompt(),
            banner=self.story.banner,
            log=self.story.log,
            back=self.chair.back,
            only_log=self.chair.only_log,
        )

    def _prompt(self) -> Line:
        if self.story.resting is not None:
            seconds = self.chair.left(self.chair.rest_until) or 0
            return (("key", f"Next round in {seconds} s, Enter = ready"),)
        if self.question is not None:
            return ()
        turn = self.session.status.turn
        whose = f"{turn} is to play" if turn and turn != self.session.me else "wait a moment"
        return (("dim", self.theme.text(f"Moves  not now: {whose}")),)

    def keys(self) -> str:
        if self.story.resting is not None:
            return "Enter = ready  '...chat  F1 help  F4 panes  Ctrl-C leave"
        return "Enter plays  Tab completes  '...chat  F1 help  F4 panes  Ctrl-C leave"

    def hint(self, typed: str) -> str | None:
        if self.question is None or not typed.strip() or typed.startswith(("'", "/")):
            return None
        return self.session.hint(typed)

    def submit(self, typed: str) -> None:
        try:
            super().submit(typed)
        except NotNow as error:
            if self.story.resting is None:
                raise
            self.session.go_on()
            raise NotNow("Ready. Your line is kept: Enter again when it is your turn.") from error

    def enter(self) -> None:
        if self.story.resting is not None:
            self.session.go_on()

    def play(self, text: str) -> None:
        if self.question is None:
            raise LocalError("there is nothing to answer now")
        sure = grammar.confirmation(self.question, text)
        if sure:
            self.stage.ask(sure, lambda: self._answer(text))
        else:
            self._answer(text)

    def _answer(self, text: str) -> None:
        self.session.answer(text)
        self.story.answered()
