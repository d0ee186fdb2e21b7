"""How it ended: the ranking round by round, what is true of the game, its last board, and who wants
another one.

Rule 1: Enter takes the way that is chosen, which at first is another game where one is offered;
leaving has a word and a key of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sobremesa.cli.draw.blocks import Look, render_table
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
MOST_ROWS = 99
"""More than any board has."""
BOARD_LEAST = 3
FACTS_LEAST = 2
"""Rows of facts that the board leaves."""
GAPS = 4


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
        frame = compose(scene, width, height, self.theme)
        self.state.back = frame.back
        return frame.lines

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
            asked = [(("turn", line),) for line in wrap(text, width)]
        return result_lines(self.story, width, rows, self.theme, asked, bars=bars)

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


def result_lines(
    story: Story, width: int, rows: int, theme: Theme, asked: list[Line], *, bars: bool
) -> list[Line]:
    """The end in so many rows: how it ended, who came in which place, what is true of the game, its
    last board, and at the bottom what is `asked`. `bars` only where all the rest has room."""
    over, players = story.over, story.players
    assert over is not None
    head = _ending(story, width, theme)
    rank = partial(render_ranking, over.recap, over.places or (), players, width, theme)
    ranking = rank() if over.places is not None and not over.together else []
    facts = render_facts(over.recap, width, theme) if over.recap is not None else []
    left = rows - len(head) - len(ranking) - len(asked)
    board = _board(story)
    whole = render_table(board, width, MOST_ROWS, Look(theme, players)) if board is not None else []
    facts = facts[: max(FACTS_LEAST, left - 1 - len([line for line in whole if line]))]
    board_rows = min(left - len(facts) - 1, len(whole))
    if board is None or board_rows < BOARD_LEAST:
        shown: list[Line] = []
    else:
        heading: Line = (("dim", theme.text(f"The last board: {board.phase}")),)
        shown = [heading, *render_table(board, width, board_rows, Look(theme, players))]
    spare = left - len(facts) - len(shown)
    if bars and ranking and spare >= len(ranking) + GAPS:
        ranking = rank(bars=True)
    return _stacked([head, ranking, facts, shown, asked], rows)


def _stacked(parts: list[list[Line]], rows: int) -> list[Line]:
    """Parts below each other in so many rows, the first gaps between them as far as they fit; the
    last part is never cut."""
    *above, last = [part for part in parts if part] or [[]]
    spare = rows - sum(map(len, parts))
    lines: list[Line] = []
    for part in above:
        if lines and spare > 0:
            lines.append(())
            spare -= 1
        lines += part
    lines = lines[: max(0, rows - len(last))]
    return [*lines, *([()] if lines and spare > 0 else []), *last]


def _ending(story: Story, width: int, theme: Theme) -> list[Line]:
    """How it ended, and where we came in."""
    over = story.over
    assert over is not None
    lines: list[Line] = []
    if over.together and story.view is not None:
        words = tuple(block for block in story.view.blocks if isinstance(block, Headline | Text))
        lines = render_table(View("", words), width, len(words) + 2, Look(theme, story.players))
    lines += [(("bold", line),) for line in wrap(theme.text(sentence(over.text)), width)]
    if own := speak_own_place(over.places, over.together, story.players):
        role = {"won": "good", "lost": "bad"}.get(over.together, "turn")
        lines += [((role, line),) for line in wrap(theme.text(own), width)]
    if over.verified is False:
        lines.append((("bad", theme.text("! The record is NOT verified. F6 says why.")),))
    return lines


def _board(story: Story) -> View | None:
    """The last board: what was seen before the view of the end, if the game came to one."""
    ended = story.over is not None and story.over.places is not None
    return story.board if ended and story.board is not None else story.view
