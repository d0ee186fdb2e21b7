"""The queue of long proofs: ours to make, others' to check.

Rule 1: one job after another, each in slices, so that nobody has to wait for one.
Rule 2: a queue that works at once does so in a loop, not in depth: a job that is added by another
waits for its turn.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sobremesa.core.crypto.slices import Work


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """Long work, and what is given its result."""

    work: Work[Any]
    finished: Callable[[Any], None]


class WorkQueue:
    """Jobs in the order in which they came. `at_once` False leaves them to calls of `work`."""

    def __init__(self, at_once: bool) -> None:
        self._at_once = at_once
        self._working = False
        self._jobs: deque[Job] = deque()

    def __bool__(self) -> bool:
        """Whether there is something to do."""
        return bool(self._jobs)

    def add(self, job: Job) -> None:
        """Take up a job."""
        self._jobs.append(job)
        if self._at_once and not self._working:
            self._working = True
            try:
                while self.work():
                    pass
            finally:
                self._working = False

    def work(self) -> bool:
        """Do one slice; whether there is more."""
        if not self._jobs:
            return False
        job = self._jobs[0]
        try:
            next(job.work)
        except StopIteration as stop:
            self._jobs.popleft()
            job.finished(stop.value)
        return bool(self._jobs)

    def clear(self) -> None:
        """Nothing of it is wanted any more."""
        self._jobs.clear()
