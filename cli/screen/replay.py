"""A record, looked at event by event.

Rule 1: the first of it is shown at once, and the rest is read in slices meanwhile.
Rule 2: what was hidden is shown only as far as the seeds in the record tell it, and may be covered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from sobremesa.cli.draw.cells import Line, line_width, wrap
from sobremesa.cli.draw.layout import Facts, Scene, compose, log_width
from sobremesa.cli.session.replay import Replay
from sobremesa.cli.words.grammar import Word
from sobremesa.cli.words.speech import Players, sentence
from sobremesa.cli.words.story import Said
from sobremesa.core.errors import LocalError
from sobremesa.core.views import View

from .aside import AsideScreen
from .base import Screen, Stage

SLICE = 0.02
"""Seconds that are read at a time."""
FOLLOWING = 3
"""One part in so many of the list is for what comes."""
BEFORE = 60
"""So many events before the one that is looked at fill any list."""

PAGE = """
# A replay
What happened, and what everybody could see then. Hands are open if the seeds are in the record.

- Left and Right: one event back or on. Home and End: the first, the last.
- Page Up and Page Down, or [ and ]: one round back or on.
- Up and Down choose a line of the list; Enter goes there. A number and Enter: that event.
- Space covers the hands, or opens them.
- F4 shows the list where only one pane has room. Esc goes back.

Whether the record holds is another question: `sobremesa verify` checks every proof.
"""


class ReplayScreen(AsideScreen):
    """A replay."""

    title = "Replay"
    page = PAGE

    def __init__(self, stage: Stage, replay: Replay, back: Screen | None = None) -> None:
        super().__init__(
            stage,
            back,
            Word("go", "to the event of this number", self.take_number, "NUMBER"),
            Word("round", "to the beginning of this round", self._go_to_round, "NUMBER"),
            Word("hands", "cover the hands, or open them", lambda _: self._turn_hands()),
        )
        self.replay = replay
        self.at = 0
        """The event that is shown."""
        self.line = 0
        """The line of the list that is chosen."""
        self.open_hands = True
        self.only_log = False
        self._left = False
        charter = replay.charter
        bots = [plan.name for plan in charter.seats if plan.bot]
        self._players = Players(
            None,
            bots,
            cards=replay.game.card_names,
            tints=replay.game.card_tints,
            marks=replay.game.card_marks,
        )
        stage.work(self._read())

    async def _read(self) -> None:
        while not self._left and self.replay.read(SLICE):
            self.stage.refresh()
            await asyncio.sleep(0)
        self.stage.refresh()

    @property
    def _last(self) -> int:
        return max(0, len(self.replay.frames) - 1)

    # What is shown.

    def lines(self, width: int, height: int) -> list[Line]:
        return compose(self._scene(width, height), width, height, self.theme)[0]

    def _scene(self, width: int, height: int) -> Scene:
        replay = self.replay
        frame = replay.frames[self.at] if replay.frames else None
        hands = (frame.hands,) if frame and frame.hands and self.open_hands else ()
        return Scene(
            facts=self._facts(frame.view.phase if frame else ""),
            players=self._players,
            view=View(frame.view.phase, (*frame.view.blocks, *hands)) if frame else None,
            middle=lambda width: self._nothing(width),
            prompt=self._time_line(width),
            banner=self._banner(),
            log=self._list(width, height),
            only_log=self.only_log,
            listed=True,
        )

    def _facts(self, phase: str) -> Facts:
        replay = self.replay
        shown = "hands open" if self.open_hands else "hands covered"
        hands = shown if replay.opens else "no seeds: hands stay covered"
        return Facts(
            game=f"Replay · {replay.game.title}",
            table=replay.charter.name,
            phase=phase,
            turn=hands if replay.done >= 1 else f"reading {replay.done:.0%}",
        )

    def _nothing(self, width: int) -> list[Line]:
        said = "Nothing happened in this game." if self.replay.done >= 1 else "One moment..."
        return [(("", line),) for line in wrap(said, width)]

    def _banner(self) -> list[str]:
        trouble = self.replay.trouble
        said = [sentence(str(trouble))] if trouble is not None else self.replay.remarks
        return said[:1]

    def _list(self, width: int, height: int) -> list[Said]:
        """The events around the chosen line, what comes after the one that is shown dimmed."""
        pane = log_width(width, height) or width
        room, end = height // FOLLOWING, self.line + 1
        while end < len(self.replay.frames) and room > 0:
            text = self.theme.text(self.replay.frames[end].text)
            room -= len(wrap(text, pane - 1, 2))
            end += room >= 0
        first = max(0, self.line - BEFORE)
        shown = self.replay.frames[first:end]
        return [self._entry(place, frame.text) for place, frame in enumerate(shown, first)]

    def _entry(self, place: int, text: str) -> Said:
        mark = "► " if place == self.line else ""
        if place == self.at:
            return Said("selected", mark + sentence(text))
        role = "turn" if place == self.line else "dim" if place > self.at else ""
        return Said(role, mark + sentence(text))

    def _time_line(self, width: int) -> Line:
        """Where we are: the round, a bar with a part for each, the event."""
        replay = self.replay
        if not replay.frames:
            return ()
        at_round, rounds = replay.round_at(self.at), len(replay.starts)
        left = self.theme.text(f"round {at_round + 1} of {rounds}  ")
        right = self.theme.text(f"  event {self.at + 1} of {len(replay.frames)}")
        bar = self._bar(width - line_width((("", left), ("", right))))
        return (("bold", left), *bar, ("", right))

    def _bar(self, width: int) -> Line:
        starts, total = self.replay.starts, len(self.replay.frames)
        if width < 3:
            return ()
        apart = len(starts) * 3 <= width
        ends = [*starts[1:], total]
        cells = width - (len(starts) - 1) * apart
        spans: list[tuple[str, str]] = []
        drawn = 0
        for start, end in zip(starts, ends, strict=True):
            wide = cells * end // total - drawn
            drawn += wide
            past = max(0, min(wide, wide * (self.at + 1 - start) // max(1, end - start)))
            role = "turn" if start <= self.at < end else "good"
            gap = " " if apart and end < total else ""
            spans.append((role, self.theme.text("█" * past)))
            spans.append(("dim", self.theme.text("░" * (wide - past)) + gap))
        return tuple(spans)

    def keys(self) -> str:
        return "←→ event  PgUp PgDn round  ↑↓ Enter line  Space hands  Home End  Esc back  F1"

    # What is done.

    def _move(self, to: int) -> None:
        self.at = self.line = max(0, min(self._last, to))

    def _choose(self, by: int) -> None:
        self.line = max(0, min(self._last, self.line + by))

    def _turn_hands(self) -> None:
        if not self.replay.opens:
            raise LocalError("this record has no seeds that would tell what was hidden")
        self.open_hands = not self.open_hands

    def _by_round(self, by: int) -> None:
        """To the beginning of the round before or after; back from within a round to its own."""
        starts = self.replay.starts
        if starts:
            here = self.replay.round_at(self.at)
            within = by < 0 and self.at > starts[here]
            to = here + by + within
            self._move(self._last if to >= len(starts) else starts[max(0, to)])

    def take_number(self, typed: str) -> None:
        self._move(_number(typed, len(self.replay.frames), "event") - 1)

    def _go_to_round(self, rest: str) -> None:
        starts = self.replay.starts
        self._move(starts[_number(rest, len(starts), "round") - 1])

    def quick(self, key: str) -> Callable[[], None] | None:
        acts: dict[str, Callable[[], None]] = {
            "left": partial(self._move, self.at - 1),
            "right": partial(self._move, self.at + 1),
            "up": partial(self._choose, -1),
            "down": partial(self._choose, 1),
            "home": partial(self._move, 0),
            "end": partial(self._move, self._last),
            "[": partial(self._by_round, -1),
            "]": partial(self._by_round, 1),
            " ": self._turn_hands,
        }
        return acts.get(key)

    def scroll(self, pages: int) -> None:
        self._by_round(-pages)

    def switch_pane(self) -> None:
        self.only_log = not self.only_log

    def enter(self) -> None:
        self._move(self.line)

    def leave(self) -> None:
        self._left = True
        super().leave()


def _number(typed: str, most: int, what: str) -> int:
    """:raises LocalError: if it is no number from 1 to `most`"""
    if not (typed.isdecimal() and len(typed) < 9 and 1 <= int(typed) <= most):
        raise LocalError(f"{what} must be 1 to {most} (you typed {typed[:20] or 'nothing'})")
    return int(typed)
