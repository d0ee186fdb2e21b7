"""After a game, in line mode: whether the player wants another with the same people.

Rule 1: only an empty line, or a word for leaving, declines; whatever else is typed is chat, or is
explained.
Rule 2: who waits for the others can still change their mind.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from sobremesa.cli.session.session import Again, Session
from sobremesa.cli.words import grammar
from sobremesa.cli.words.controller import in_time
from sobremesa.cli.words.grammar import QUITTING
from sobremesa.core.errors import LocalError, SobremesaError
from sobremesa.core.typed import key

from .output import Output
from .typed import expect_typed

LEAVING = ("", "leave", "quit", *QUITTING)


class Offer:
    """One more game than the session's, offered to `out`. `changed` is called when there is
    something to look at."""

    def __init__(
        self, session: Session, again: Again, out: Output, changed: Callable[[], None]
    ) -> None:
        self._session = session
        self._again = again
        self._out = out
        self._changed = changed
        self._declined = False
        self._sitting: asyncio.Future[Session | None] | None = None
        self._offer = f"Type again to {again.what}, or press Enter to leave."
        self._out.say(self._offer)
        self._hearing = asyncio.ensure_future(self._hear())

    @property
    def stands(self) -> bool:
        """Whether the player has still to make up their mind, or waits for the others."""
        seated = self._sitting is not None and self._sitting.done()
        return not self._declined and not seated

    def take(self, line: str) -> None:
        """A line was typed."""
        try:
            expect_typed(line)
        except LocalError as error:
            self._out.complain(str(error))
            return
        word = key(line).removeprefix("/")
        if word in LEAVING:
            self._declined = True
        elif word == "again":
            if self._sitting is None:
                self._out.say(f"One moment: {self._again.what}. Enter leaves.")
                self._sitting = asyncio.ensure_future(self._sit())
        else:
            try:
                self._say(line.strip())
            except LocalError as error:
                self._out.complain(str(error))

    def _say(self, text: str) -> None:
        """:raises LocalError: if it is no chat, or nobody hears it"""
        if text.startswith("'"):
            self._session.say(grammar.chat(text[1:]))
        else:
            raise LocalError(f"the game is over, so '{text[:40]}' means nothing now. {self._offer}")

    async def settle(self) -> Session | None:
        """The next session, if the player has one."""
        self._hearing.cancel()
        sitting = self._sitting
        if not self._declined and sitting is not None and sitting.done():
            return sitting.result()
        if sitting is not None:
            sitting.cancel()
        await in_time(self._again.decline())
        return None

    async def _sit(self) -> Session | None:
        try:
            return await self._again.sit()
        except SobremesaError as error:
            self._out.complain(str(error))
            self._sitting = None
            return None
        finally:
            self._changed()

    async def _hear(self) -> None:
        try:
            await self._again.begin(self._out.say)
        except SobremesaError as error:
            self._out.complain(str(error))
            self._declined = True
            self._changed()
