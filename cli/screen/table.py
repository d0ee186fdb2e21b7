"""The table while a game is played."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from sobremesa.cli.draw.cells import Line
from sobremesa.cli.draw.layout import Facts, Frame, Scene
from sobremesa.cli.words.absence import banner, clock
from sobremesa.cli.words.grammar import NotNow, TooLate, Words
from sobremesa.cli.words.speech import sentence
from sobremesa.core.pieces import Seat
from sobremesa.core.questions import Answer, Move
from sobremesa.plugins.voice import listed

from .base import Stage
from .pointer import Pointer
from .session import SessionScreen, SessionState

GRACE = 0.6
"""Seconds after a window opened in which one key press is no answer: it was meant for what stood
there before."""


class TableScreen(SessionScreen):
    """The table."""

    place = "table"

    @property
    def counting(self) -> bool:
        state = self.state
        ends = (state.deadline, state.rest_until)
        waits = self.story.working.who or self.story.absent.absences or self._others()
        return bool(waits) or any(end is not None for end in ends)

    @property
    def words(self) -> Words:
        names = tuple(absence.name for absence in self.story.absent.absences)
        words = super().words
        without = words.get("without")  # who looks on has no such word
        return {**words, "without": replace(without, choices=names)} if without else words

    def __init__(self, stage: Stage, state: SessionState) -> None:
        super().__init__(stage, state)
        self.pointer = Pointer(self.story, self.control, stage.refresh)

    def drawn(self, frame: Frame) -> None:
        self.pointer.spots, self.pointer.chips = frame.spots, frame.chips

    def facts(self) -> Facts:
        status, view, asked = self.session.status, self.story.view, self.story.asked
        if asked is not None:
            turn = "speak now" if asked.is_window else "your turn"
        else:
            turn = "" if self.story.resting is not None else self._waiting_text()
        return Facts(
            game=self.session.game.title,
            table=status.table,
            phase=view.phase if view is not None else "",
            verified=status.verified,
            seats=status.seats,
            turn=turn,
            seconds=None if asked is None else self.state.left(self.state.deadline),
            ours=asked is not None,
        )

    def scene(self) -> Scene:
        pointer, view, now = self.pointer, self.story.view, self.state.now()
        pointer.follow()
        shown = self.state.spotlight.shown(view, now) if view is not None else None
        return Scene(
            facts=self.facts(),
            players=self.story.players,
            view=shown,
            hint=pointer.hint() or (sentence(self.question.text) if self.question else ""),
            pointed=pointer.pointed(view) if view is not None else None,
            at=pointer.move,
            way=pointer.way(),
            ahead=pointer.ahead(view) if view is not None else None,
            lit=self.state.spotlight.lit(now),
            question=self.question,
            faces=self.faces,
            react_in=self._react_in(),
            prompt=self._prompt(),
            banner=banner(self.story.absent, self.state.now()),
            log=self.story.in_short,
            back=self.state.back,
            only_log=self.state.only_log,
        )

    def _prompt(self) -> Line:
        resting = self.story.resting
        if resting is not None and resting.event["kind"] in self.session.game.pauses:
            seconds = self.state.left(self.state.rest_until) or 0
            return (("key", f"Going on in {seconds} s, Enter = ready"),)
        if self.question is not None:
            return ()
        if self.story.working.who:
            now = asyncio.get_running_loop().time()
            progress = self.state.progress.line(now, self.story.players)
            if progress:
                return (("hint", self.theme.text(progress)),)
        others = self._others()
        are = "is to play" if len(others) == 1 else "are to answer"
        if self.session.looks_on:
            text = f"You are looking on: {listed(others)} {are}" if others else "You are looking on"
            return (("dim", self.theme.text(text)),)
        whose = f"{listed(others)} {are}" if others else "wait a moment"
        return (("dim", self.theme.text(f"Moves  not now: {whose}")),)

    def _others(self) -> tuple[Seat, ...]:
        """The others that are to answer."""
        return tuple(seat for seat in self.session.status.asked if seat != self.session.me)

    def _waiting_text(self) -> str:
        """Whom the table waits for, and how long: "Bea's turn · 0:34 of 1:00"."""
        others, status = self._others(), self.session.status
        if not others:
            return ""
        whose = f"{others[0]}'s turn" if len(others) == 1 else f"{len(others)} to answer"
        spent = clock(self.state.now() - status.asked_at)
        return (
            f"{whose} · {spent} of {clock(status.seconds)}"
            if status.seconds
            else f"{whose}, {spent}"
        )

    def _react_in(self) -> int | None:
        """The seconds left of a window, or None if there is none."""
        asked = self.story.asked
        if asked is None or not asked.is_window:
            return None
        left = self.state.left(self.state.deadline)
        return asked.seconds if left is None else left

    def keys(self) -> str:
        asked = self.story.asked
        if asked is not None and asked.is_window:
            signs = [move.quick for move in asked.question.moves() if move.quick]
            names = listed(["Space" if sign == " " else sign for sign in signs])
            answer = "answers" if len(signs) == 1 else "answer"
            return f"{names} {answer} at one press, words with Enter  '...chat  F1 help"
        if self.session.looks_on:
            return "seat waits for one in the next game  F1 help  F4 panes  Ctrl-C leaves"
        if self.story.resting is not None:
            return "Enter = ready  '...chat  F1 help  F4 panes  Ctrl-C leave"
        if self.pointer.move:
            return "Enter plays it  arrows choose another  Esc nothing  '...chat  F1 help"
        if self.question is not None:
            return "arrows choose  Enter plays  Tab completes  '...chat  F1 help  F4 panes"
        return "Tab completes  '...chat  F1 help  F4 panes  Ctrl-C leave"

    def hint(self, typed: str) -> str | None:
        if self.question is None or not typed.strip() or typed.startswith(("'", "/")):
            return None
        return self.session.hint(typed)

    def submit(self, typed: str) -> None:
        if not typed.strip() and self._plays_on():
            return
        try:
            super().submit(typed)
        except NotNow as error:
            if self.story.resting is None or isinstance(error, TooLate):
                raise
            self.session.go_on()
            raise NotNow("Ready. Your line is kept: Enter again when it is your turn.") from error

    def _plays_on(self) -> bool:
        """Enter alone: what is pointed at, or the last beat of what is shown."""
        if self.state.spotlight.plays(self.state.now()):
            self.state.spotlight.skip()
            self.stage.refresh()
            return True
        return self.pointer.enter()

    def escape(self) -> None:
        if not self.pointer.clear():
            super().escape()

    def click(self, x: int, y: int) -> None:
        self.pointer.click(x, y, self.story.view)

    def quick(self, key: str) -> Callable[[], None] | None:
        asked = self.story.asked
        if asked is None or not asked.is_window:
            return self.pointer.key(key)
        moves = asked.question.moves(self.faces)
        meant = [move for move in moves if move.quick == key and move.disabled is None]
        return partial(self._react, meant[0]) if meant else self.pointer.key(key)

    def _react(self, move: Move) -> None:
        if asyncio.get_running_loop().time() < self.state.asked_at + GRACE:
            self.stage.message("That was quick. Press it again if you mean this question.")
        else:
            self.control.play(Answer(move.id))
