"""How it ended: the ranking round by round, what is true of the game, its last board, and who wants
another one.

Rule 1: Enter takes the way that is chosen, which at first is another game where one is offered;
leaving has a word and a key of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sobremesa.cli.draw.blocks import render_table
from sobremesa.cli.draw.cells import Line, wrap
from sobremesa.cli.draw.layout import BELOW, ROOMY, Facts, Scene, compose
from sobremesa.cli.draw.recap import render_facts, render_ranking
from sobremesa.cli.draw.theme import Theme
from sobremesa.cli.session.replay import Replay
from sobremesa.cli.words import grammar
from sobremesa.cli.words.grammar import Word
from sobremesa.cli.words.played import AnyCopy
from sobremesa.cli.words.recap import speak_own_place
from sobremesa.cli.words.speech import sentence
from sobremesa.cli.words.story import Story
from sobremesa.core.errors import LocalError
from sobremesa.core.views import Headline, Text, View

from .base import Stage
from .replay import ReplayScreen
from .session import SessionScreen, SessionState

AROUND = 3
"""Rows beside those of the result: status, rule and the ways on."""
LEAST_BOARD = 3


class ResultScreen(SessionScreen):
    """The result."""

    place = "result"
    stays = True

    def __init__(self, stage: Stage, state: SessionState) -> None:
        super().__init__(stage, state)
        assert state.story.over is not None
        self.over = state.story.over
        self.wanted = "again"
        """Which of the ways on Enter takes, as long as there is such a way."""

    def own_words(self) -> tuple[Word, ...]:
        again = self.session.again
        replay = Word("replay", "see the game again", lambda _: self._replay(), aliases=("p",))
        about = "leave the others (so does Ctrl-C)"
        leave = Word("leave", about, lambda _: self.leave(), aliases=("l",))
        if again is None:
            return (*super().own_words(), replay, leave)
        once_more = Word("again", again.what, lambda _: self._once_more(), aliases=("a",))
        say = Word("say", "say something to those who want another game", self._say, "TEXT")
        return (*super().own_words(), replay, leave, once_more, say)

    def facts(self) -> Facts:
        over, status = self.over, self.session.status
        return Facts(
            game=self.session.game.title,
            table=status.table,
            phase="game over" if over.places else "the table is over",
            verified=over.verified,
            seats=status.seats,
            turn="result",
        )

    def lines(self, width: int, height: int) -> list[Line]:
        rows = height - BELOW - AROUND
        bars = width >= ROOMY[0] and height >= ROOMY[1]
        scene = self.scene(partial(self._middle, rows=rows, bars=bars))
        lines, self.state.back = compose(scene, width, height, self.theme)
        return lines

    def scene(self, middle: Callable[[int], list[Line]] | None = None) -> Scene:
        return Scene(
            facts=self.facts(),
            players=self.story.players,
            middle=middle,
            prompt=self._offer(),
            log=self.story.log,
            back=self.state.back,
            only_log=self.state.only_log,
        )

    def _middle(self, width: int, rows: int, bars: bool) -> list[Line]:
        asked: list[Line] = []
        if self.session.again is not None:
            said = self.session.again.standing or "Enter says yes."
            text = self.theme.text(f"Play again? {said}")
            asked = [(), *((("turn", line),) for line in wrap(text, width))]
        told = result_lines(self.story, width, self.theme, bars=bars)
        told += board_lines(self.story, width, rows - len(told) - len(asked), self.theme)
        told = told[: max(0, rows - len(asked))]
        return [*told, *asked]

    def _ways(self) -> list[tuple[str, str, Callable[[], None]]]:
        """What can be done now: a word, what it is in short, and the deed."""
        again = self.session.again
        once_more = [("again", again.short, self._once_more)] if again is not None else []
        replay = ("replay", "See it again", self._replay)
        return [*once_more, replay, ("leave", "Leave", self.leave)]

    def _chosen(self) -> int:
        words = [word for word, _, _ in self._ways()]
        return words.index(self.wanted if self.wanted in words else "leave")

    def _offer(self) -> Line:
        spans: list[tuple[str, str]] = []
        for place, (word, short, _) in enumerate(self._ways()):
            role = "selected" if place == self._chosen() else "key"
            spans += [(role, f"[{word}]"), ("", f" {short}  ")]
        return tuple(spans)

    def quick(self, key: str) -> Callable[[], None] | None:
        turns = {"left": -1, "right": 1}
        return partial(self._choose, turns[key]) if key in turns else None

    def _choose(self, by: int) -> None:
        ways = self._ways()
        self.wanted = ways[(self._chosen() + by) % len(ways)][0]

    def _once_more(self) -> None:
        if self.session.again is None:
            raise LocalError("there is no other game at this table")
        self.stage.come(self.session.again.sit, f"One moment: {self.session.again.what}...")

    def _replay(self) -> None:
        replay = Replay(self.session.transcript(), AnyCopy().find)
        self.stage.show(ReplayScreen(self.stage, replay, self))

    def _say(self, rest: str) -> None:
        self.session.say(grammar.chat(rest))

    def keys(self) -> str:
        word = self._ways()[self._chosen()][0]
        return f"Enter {word}  ←→ choose  l leave  p replay  '...chat  F1 help  F4 panes"

    def submit(self, typed: str) -> None:
        if typed.strip():
            super().submit(typed)
        else:
            self._ways()[self._chosen()][2]()

    def leave(self) -> None:
        self.stage.home()


def result_lines(story: Story, width: int, theme: Theme, *, bars: bool = False) -> list[Line]:
    """The end as lines: how it ended, who came in which place, what is true of the game."""
    over, players = story.over, story.players
    assert over is not None
    lines: list[Line] = []
    if over.together and story.view is not None:
        words = tuple(block for block in story.view.blocks if isinstance(block, Headline | Text))
        lines = [*render_table(View("", words), width, len(words) + 2, theme, players), ()]
    lines += [(("bold", line),) for line in wrap(theme.text(sentence(over.text)), width)]
    if own := speak_own_place(over.places, over.together, players):
        role = {"won": "good", "lost": "bad"}.get(over.together, "turn")
        lines += [((role, line),) for line in wrap(theme.text(own), width)]
    if over.verified is False:
        lines += [(("bad", theme.text("! The record is NOT verified. F6 says why.")),)]
    if over.places is not None and not over.together:
        lines.append(())
        lines += render_ranking(over.recap, over.places, players, width, theme, bars=bars)
    if over.recap is not None and over.recap.facts:
        lines += [(), *render_facts(over.recap, width, theme)]
    return lines


def board_lines(story: Story, width: int, rows: int, theme: Theme) -> list[Line]:
    """The last board, where there is room for it."""
    over = story.over is not None and story.over.places is not None
    board = story.board if over and story.board is not None else story.view
    if board is None or rows < LEAST_BOARD + 2:
        return []
    head: Line = (("dim", theme.text(f"The last board: {board.phase}")),)
    return [(), head, *render_table(board, width, rows - 2, theme, story.players)]
