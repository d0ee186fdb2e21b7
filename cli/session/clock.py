"""The time for an answer: it runs from the moment the player is told of the question."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from sobremesa.core.questions import Question

from .pacing import now


class AnswerClock:
    """`run_out` is called with the question whose time is over, and `on_done` hears of each timer
    that came to its end."""

    def __init__(
        self,
        run_out: Callable[[Question], None],
        on_done: Callable[[asyncio.Future[None]], None],
    ) -> None:
        self._run_out = run_out
        self._on_done = on_done
        self._timer: asyncio.Future[None] | None = None
        self._deadline: float | None = None

    def start(self, question: Question, seconds: int) -> None:
        """Count down; 0 seconds is no limit."""
        if seconds:
            self._deadline = now() + seconds
            self._timer = asyncio.ensure_future(self._wait(question, seconds))
            self._timer.add_done_callback(self._on_done)

    @property
    def seconds_left(self) -> int | None:
        """Whole seconds, or None while no time runs."""
        return None if self._deadline is None else max(0, round(self._deadline - now()))

    def stop(self) -> None:
        """The question is answered, or nobody waits for it any more."""
        timer, self._timer = self._timer, None
        self._deadline = None
        if timer is not None and timer is not asyncio.current_task():
            timer.cancel()

    async def _wait(self, question: Question, seconds: int) -> None:
        await asyncio.sleep(seconds)
        self._run_out(question)
