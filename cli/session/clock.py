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
        self._question: Question | None = None
        """What the time is for."""
        self._held_at: float | None = None

    def start(self, question: Question, seconds: int) -> None:
        """Count down; 0 seconds is no limit."""
        if seconds:
            self._question, self._deadline = question, now() + seconds
            if self._held_at is None:
                self._run()
            else:
                self._held_at = now()

    def hold(self) -> None:
        """Let the time stand still, also for what is asked meanwhile."""
        self._held_at = now()
        if self._timer is not None:
            self._timer.cancel()

    def go_on(self) -> None:
        """Let it run again from where it stood."""
        if self._held_at is not None and self._deadline is not None:
            self._deadline += now() - self._held_at
            self._run()
        self._held_at = None

    def _run(self) -> None:
        assert self._deadline is not None
        assert self._question is not None
        left = self._deadline - now()
        self._timer = asyncio.ensure_future(self._wait(self._question, left))
        self._timer.add_done_callback(self._on_done)

    @property
    def seconds_left(self) -> int | None:
        """Whole seconds, or None while no time is set."""
        at = now() if self._held_at is None else self._held_at
        return None if self._deadline is None else max(0, round(self._deadline - at))

    def stop(self) -> None:
        """The question is answered, or nobody waits for it any more."""
        timer, self._timer = self._timer, None
        self._deadline = self._question = None
        if timer is not None and timer is not asyncio.current_task():
            timer.cancel()

    async def _wait(self, question: Question, seconds: float) -> None:
        await asyncio.sleep(seconds)
        self._run_out(question)
