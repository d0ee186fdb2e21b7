"""What the screens of one session share: the log, chat, leaving, and who is who."""

from __future__ import annotations

import abc
from collections.abc import Callable
from dataclasses import dataclass, field

from sobremesa.cli.draw.cells import Line, wrap
from sobremesa.cli.draw.layout import Facts, Frame, Scene, compose
from sobremesa.cli.draw.pages import render_page
from sobremesa.cli.draw.theme import COLORS
from sobremesa.cli.session.moments import Asked, Moment, Seen, Told, Working
from sobremesa.cli.session.pacing import now
from sobremesa.cli.words import grammar
from sobremesa.cli.words.controller import Controller
from sobremesa.cli.words.grammar import Place, Word, Words
from sobremesa.cli.words.hands import Order
from sobremesa.cli.words.progress import Progress
from sobremesa.cli.words.speech import sentence, speak_keys, speak_moves
from sobremesa.cli.words.story import Story
from sobremesa.core.pieces import Faces
from sobremesa.core.questions import Question

from .base import Page, Screen, Stage
from .form import settings_screen
from .spotlight import Spotlight

ORDER = (
    "again", "replay", "seat", "ready", "unready", "start", "bot", "remove", "seats", "set",
    "newcode", "moves", "help", "rules", "tips", "faq", "say", "proof", "keys", "panes", "redraw",
    "colors", "sort", "coach", "slow", "settings", "cancel", "without", "wait", "quit", "leave",
)  # fmt: skip
"""The words, as the help lists them."""

TYPING = """
# How to type
Letters or words, then Enter. Whatever needs no move can also be typed with a / before it.

- Tab and Shift-Tab complete what you began; only what is possible is offered.
- A card is typed by its face or by its place: KH is the king of hearts, 10D the ten of diamonds,
  #2 your second card from the left. Where all you can do is to choose cards, they are enough.
- Where seconds are left and a key like [!] or [Space] stands by a move, pressing it is the
  answer, without Enter. It works with nothing typed. The word or its first letter works too.
- Up and Down bring back earlier lines, Page Up and Page Down turn the log.
- 'hello says hello to the table. Nothing else is ever sent as chat.
- F1 or ? help, F4 panes, F6 why this table is verified, Ctrl-L redraw.
- Esc closes help or empties the line. Ctrl-C leaves, and asks first.
"""


@dataclass(slots=True)
class SessionState:
    """A session as this client lives it: the story, its clocks, and how the log is turned."""

    story: Story
    now: Callable[[], float] = now
    deadline: float | None = None
    """When our time to answer is over, by the loop's clock."""
    asked_at: float = 0.0
    rest_until: float | None = None
    progress: Progress = field(default_factory=Progress)
    back: int = 0
    only_log: bool = False
    spotlight: Spotlight = field(default_factory=Spotlight)

    def took(self, moment: Moment) -> None:
        """Set the clocks by what has just happened."""
        now = self.now()
        resting = self.story.resting
        if isinstance(moment, Told | Seen | Asked) and self.story.view is not None:
            beat = moment.beat if isinstance(moment, Told) else 0.0
            self.spotlight.took(self.story.view, now, beat)
        if resting is None:
            self.rest_until = None
        elif resting is moment:
            self.rest_until = now + resting.rest
        match moment:
            case Asked(seconds=seconds):
                self.asked_at = now
                left = self.story.session.status.seconds_left
                self.deadline = now + (seconds if left is None else left) if seconds else None
            case Working():
                self.progress.took(moment, now)
        if self.story.asked is None:
            self.deadline = None

    def left(self, until: float | None) -> int | None:
        """Whole seconds until then."""
        return None if until is None else max(0, round(until - self.now()))


class SessionScreen(Screen):
    """A screen at a table, whatever is going on there."""

    def __init__(self, stage: Stage, state: SessionState) -> None:
        super().__init__(stage)
        self.state = state
        self.story = state.story
        self.session = state.story.session
        self.control = Controller(self.story, stage)
        known = grammar.words(*self.control.words(), *self.own_words())
        self._words = [known[name] for name in ORDER if name in known]

    @property
    @abc.abstractmethod
    def place(self) -> Place:
        """Where in a session this is."""

    @property
    def words(self) -> Words:
        return grammar.words(*(word for word in self._words if self.place in word.places))

    def own_words(self) -> tuple[Word, ...]:
        """The words of this client, beside those of the controller."""
        panes = "where only one has room: the table, or log and chat (F4)"
        return (
            Word("rules", "the rules of the game", lambda _: self.stage.help("rules")),
            Word("tips", "tips and strategy", lambda _: self.stage.help("tips")),
            Word("faq", "questions and answers", lambda _: self.stage.help("faq")),
            Word("panes", panes, lambda _: self.switch_pane()),
            Word("redraw", "paint the screen anew (Ctrl-L)", lambda _: self.stage.redraw()),
            Word("colors", "colours of the suits, or none", self._recolor, "4|2|mono", COLORS),
            Word("settings", "name, looks, pace: all that can be set", self._open_settings),
        )

    @property
    def question(self) -> Question | None:
        return self.control.question

    @property
    def faces(self) -> Faces:
        return self.session.faces()

    @property
    def order(self) -> Order:
        return self.story.order

    def facts(self) -> Facts:
        """The status line."""
        status = self.session.status
        return Facts(
            game=self.session.game.title,
            table=status.table,
            verified=status.verified,
            seats=status.seats,
        )

    @abc.abstractmethod
    def scene(self) -> Scene:
        """What is to be shown."""

    def lines(self, width: int, height: int) -> list[Line]:
        frame = compose(self.scene(), width, height, self.theme)
        self.state.back = frame.back
        self.drawn(frame)
        return frame.lines

    def drawn(self, frame: Frame) -> None:
        """So much is to be seen now."""
        return

    def submit(self, typed: str) -> None:
        self.control.do(self.control.read(typed, self.words))

    def leave(self) -> None:
        self.control.leave()

    def scroll(self, pages: int) -> None:
        self.state.back = max(0, self.state.back + 10 * pages)

    def switch_pane(self) -> None:
        self.state.only_log = not self.state.only_log

    def pages(self) -> list[Page]:
        game = self.session.game
        return [
            Page("Moves", self._moves_page),
            Page("Rules", lambda width: render_page(game.help.rules, width, self.theme)),
            Page("Tips", lambda width: render_page(game.help.tips, width, self.theme)),
            Page("FAQ", lambda width: render_page(game.help.faq, width, self.theme)),
            Page("Proof", self._proof_page),
            Page("Keys", self._keys_page),
        ]

    def _moves_page(self, width: int) -> list[Line]:
        question = self.question
        now = speak_moves(question, self.faces) if question else "You are not asked for a move now."
        items = [
            f"- {' '.join(filter(None, (word.name, word.args)))}: {word.about}"
            for word in self.words.values()
        ]
        text = "\n".join(["# Moves now", now, TYPING, "# Words", *items])
        return render_page(text, width, self.theme)

    def _proof_page(self, width: int) -> list[Line]:
        text = self.session.status.proof or "Nothing was checked yet."
        return [(("", line),) for line in wrap(self.theme.text(sentence(text)), width)]

    def _keys_page(self, width: int) -> list[Line]:
        text = "\n".join(speak_keys(self.story.room))
        return render_page(text, width, self.theme)

    def _recolor(self, colors: str) -> None:
        self.stage.choose(f"colors {colors}")

    def _open_settings(self, rest: str) -> None:
        self.stage.show(settings_screen(self.stage, self))
