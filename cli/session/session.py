"""A session at one table, as a client lives it: moments in order, and a few verbs.

Rule 1: a client only iterates `moments()` and calls the verbs here; it knows no socket and no
transcript, so the line mode, the full screen and `--auto` are the same session.
"""

from __future__ import annotations

import abc
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

from sobremesa.core.errors import LocalError
from sobremesa.core.game import Game
from sobremesa.core.parts import own_code
from sobremesa.core.pieces import Faces, Seat
from sobremesa.core.questions import Answer, Question

from .moments import Moment, Status

Tell = Callable[[str], None]
"""Tells the player a sentence."""


class Again:
    """The way to one more game; `sit` takes it. `what` it is follows "Type again to", `short` is
    what is read beside the word."""

    what = "play once more with the same people"
    short = "Once more together"

    def __init__(self, sit: Callable[[], Awaitable[Session]]) -> None:
        self._sit = sit
        self.standing = ""
        """Who wants another game, and whom it waits for: a sentence, once there is one."""

    async def begin(self, tell: Tell) -> None:
        """The game is over, and its player is looking at the result: tell what the others do.

        :raises SobremesaError: if there can be no other game any more
        """

    async def sit(self) -> Session:
        """Sit down once more, and be ready for it.

        :raises SobremesaError: if that cannot be now
        """
        return await self._sit()

    def say(self, text: str) -> None:
        """Chat with those who want another game.

        :raises LocalError: if nobody can hear us
        """
        raise LocalError("nobody hears you here: type again, and talk at the next table")

    async def decline(self) -> None:
        """We want no other game."""


class Session(abc.ABC):
    """One session. `question` is what we are asked now, or None; `me` is our seat, "" for who
    `looks_on`."""

    looks_on = False
    game: Game[Any]
    me: Seat
    status: Status
    question: Question | None = None
    again: Again | None = None
    """When this is over, the way to sit down once more with the same people, if there is one."""

    @abc.abstractmethod
    def moments(self) -> AsyncIterator[Moment]:
        """All that happens, in order, to `Over`; rests after a `Told` that says so."""

    @abc.abstractmethod
    def go_on(self) -> None:
        """End the rest at a reveal."""

    @property
    def seconds_left(self) -> int | None:
        """Of our own question, now; None if no time is set."""
        return self.status.seconds_left

    def hold(self) -> bool:
        """Our player looks elsewhere: let time stand if nobody else waits. Whether it stands."""
        return False

    def let_go(self) -> None:
        """Our player is back: time runs on."""
        return

    @abc.abstractmethod
    def answer(self, answer: Answer) -> None:
        """Answer our question.

        :raises IllegalAnswer: if the rules refuse it, or we are not asked
        """

    @abc.abstractmethod
    def faces(self) -> Faces:
        """The faces that our seat sees now: with them, cards can be typed and shown by face."""

    def hint(self, text: str) -> str | None:
        """What the table can say about a half-made answer, or None."""
        if self.question is None:
            return None
        with suppress(LocalError), own_code(self.game.title, "hint"):
            return self.hint_for(self.question.read(text, self.faces()))
        return None

    def hint_for(self, answer: Answer) -> str | None:
        """The same for an answer; it may be one that the rules refuse."""
        if self.question is None:
            return None
        with suppress(LocalError), own_code(self.game.title, "hint"):
            return self.question.hint(answer, self.faces())
        return None

    @abc.abstractmethod
    def say(self, text: str) -> None:
        """Chat.

        :raises LocalError: if the game is over, and nobody can hear us
        """

    @abc.abstractmethod
    def without(self, name: Seat) -> None:
        """Say that we would go on without somebody who is absent.

        :raises LocalError: if that cannot be now
        """

    @abc.abstractmethod
    def stay(self, name: Seat) -> None:
        """Wait on for somebody, whatever we said before.

        :raises LocalError: if the table does not wait for that one
        """

    @abc.abstractmethod
    def ready(self, ready: bool = True) -> None:
        """In the waiting room: we are (not) ready."""

    @abc.abstractmethod
    def slow(self, slow: bool = True) -> None:
        """In the waiting room: ask for twice the time for all answers, or not any more.

        :raises LocalError: if the game has begun
        """

    @abc.abstractmethod
    def start(self) -> None:
        """In the waiting room, for the opener: start with those who are there.

        :raises LocalError: if we may not, or too few are there
        """

    @abc.abstractmethod
    def add_bot(self) -> None:
        """In the waiting room, for the opener: seat a bot on this machine.

        :raises LocalError: if we may not, or the table is full
        """

    @abc.abstractmethod
    def remove(self, name: Seat, reason: str = "") -> None:
        """In the waiting room, for the opener: free a bot's chair, or a guest's, who hears the
        reason and may not come back.

        :raises LocalError: if we may not, or nobody is called so
        """

    def transcript(self) -> bytes:
        """The record of the game as it stands, as a file.

        :raises LocalError: if there is none
        """
        raise LocalError("no record of this game is here")

    @abc.abstractmethod
    def change(self, given: Mapping[str, str]) -> None:
        """In the waiting room, for the opener: other chairs ("seats"), options or settings, by
        their names. Nobody is ready any more then.

        :raises LocalError: if we may not, or that cannot be
        """

    def wish(self) -> None:
        """For who looks on: wait for a seat in the next game.

        :raises LocalError: if we have one
        """
        raise LocalError("you sit at this table")

    @property
    @abc.abstractmethod
    def kept(self) -> str:
        """What is kept if we step out now, and how to come back to it, in words; or nothing."""

    @abc.abstractmethod
    async def step_out(self) -> None:
        """Go away. What can be kept is; a chair in the waiting room is given up. `moments()` ends
        with `Over`, status 3."""

    @abc.abstractmethod
    def renew_code(self) -> None:
        """In the waiting room, for the opener: another, longer code for those who come from now on.

        :raises LocalError: if we may not, or the table asks for none
        """

    @abc.abstractmethod
    async def leave(self) -> None:
        """Leave for good; others are told. `moments()` ends with `Over`, status 3."""
