"""How it ended: the ranking, and whether the record holds."""

from __future__ import annotations

from sobremesa.cli.draw.blocks import render_table
from sobremesa.cli.draw.cells import Line, wrap
from sobremesa.cli.draw.layout import Facts, Scene
from sobremesa.cli.draw.theme import Theme
from sobremesa.cli.words import grammar
from sobremesa.cli.words.grammar import Word
from sobremesa.cli.words.speech import sentence, speak_shared
from sobremesa.cli.words.story import Story
from sobremesa.core.errors import LocalError
from sobremesa.core.views import Headline, Text, View

from .base import Stage
from .session import SessionScreen, SessionState


class ResultScreen(SessionScreen):
    """The result."""

    place = "result"

    def __init__(self, stage: Stage, state: SessionState) -> None:
        super().__init__(stage, state)
        assert state.story.over is not None
        self.over = state.story.over

    def own_words(self) -> tuple[Word, ...]:
        leaving = "leave this screen (so does Enter on an empty line)"
        leave = Word("leave", leaving, lambda _: self.leave())
        again = self.session.again
        if again is None:
            return (*super().own_words(), leave)
        once_more = Word("again", again.what, lambda _: self._once_more())
        say = Word("say", "say something to those who want another game", self._say, "TEXT")
        return (*super().own_words(), leave, once_more, say)

    def facts(self) -> Facts:
        over, status = self.over, self.session.status
        return Facts(
            game=self.session.game.title,
            table=status.table,
            phase="game over" if over.places else "the table is over",
            verified=over.verified,
            seats=status.seats,
        )

    def scene(self) -> Scene:
        return Scene(
            facts=self.facts(),
            players=self.story.players,
            middle=lambda width: result_lines(self.story, width, self.theme),
            prompt=self._offer(),
            log=self.story.log,
            back=self.state.back,
            only_log=self.state.only_log,
        )

    def _offer(self) -> Line:
        again = self.session.again
        once_more: Line = (("key", "[again]"), ("", f" {again.short}  ")) if again else ()
        return (*once_more, ("key", "[Enter]"), ("", " Leave"))

    def _once_more(self) -> None:
        if self.session.again is None:
            raise LocalError("there is no other game at this table")
        self.stage.come(self.session.again.sit, f"One moment: {self.session.again.what}...")

    def _say(self, rest: str) -> None:
        self.session.say(grammar.chat(rest))

    def keys(self) -> str:
        return "Enter leaves  PgUp log  F1 help  F4 panes  F6 proof"

    def submit(self, typed: str) -> None:
        if typed.strip():
            super().submit(typed)
        else:
            self.stage.home()

    def leave(self) -> None:
        self.stage.home()


def result_lines(story: Story, width: int, theme: Theme) -> list[Line]:
    """The end as lines: the game's own words for it, what happened, who came in which place,
    whether the record holds."""
    over, players = story.over, story.players
    assert over is not None
    lines: list[Line] = []
    if over.places is not None and story.view is not None:
        words = tuple(block for block in story.view.blocks if isinstance(block, Headline | Text))
        lines = [*render_table(View("", words), width, len(words) + 2, theme, players), ()]
    lines += [(("bold", line),) for line in wrap(theme.text(sentence(over.text)), width)]
    place = 1
    places = over.places or ()
    if places:
        lines.append(())
    if shared := speak_shared(places, over.together):
        role = {"won": "good", "lost": "bad"}.get(over.together, "bold")
        lines.append(((role, shared),))
        places = ()
    for seats in places:
        for seat in seats:
            mine = seat == players.me
            name = "you" if mine else f"{seat} [bot]" if seat in players.bots else seat
            role = "turn" if place == 1 else "you" if mine else ""
            lines.append(((role, theme.text(f"{place:3}. {name}")),))
        place += len(seats)
    lines.append(())
    if over.verified:
        lines.append((("good", theme.text("✓ The record of the game is verified.")),))
    elif over.verified is not None:
        lines.append((("bad", "! The record is NOT verified. F6 says why."),))
    return lines
