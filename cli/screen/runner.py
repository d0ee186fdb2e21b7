"""The sessions of this client: the way to one, what is lived there on the screen, and the way
out.

Rule 1: there is one session at most, and one way to a table at a time.
Rule 2: moments go through one reducer (`Story.take`) on the loop, then the screen is refreshed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from sobremesa.cli.session.moments import Asked, RoomChanged, Working
from sobremesa.cli.session.pacing import now
from sobremesa.cli.session.session import Again, Session
from sobremesa.cli.words.coach import Coach
from sobremesa.cli.words.controller import Controller, in_time
from sobremesa.cli.words.grammar import NotUnderstood
from sobremesa.cli.words.progress import SHOWN_AFTER
from sobremesa.cli.words.readied import take_back
from sobremesa.cli.words.speech import sentence
from sobremesa.cli.words.story import Said, Story, speak_standing
from sobremesa.core.errors import LocalError, SobremesaError

from .base import Stage
from .form import FormScreen
from .result import ResultScreen
from .room import RoomScreen
from .session import SessionState
from .table import TableScreen
from .terminal import Terminal

TITLE = "Sobremesa"

logger = logging.getLogger(__name__)


class SessionRunner:
    """Lives sessions on a stage."""

    def __init__(self, stage: Stage, terminal: Terminal) -> None:
        self._stage = stage
        self._terminal = terminal
        self._session: Session | None = None
        self._offer: Again | None = None
        """One more game, while we are asked whether we want it."""
        self._hearing: asyncio.Future[None] | None = None
        """What the others do about it."""
        self._coming: asyncio.Future[None] | None = None
        self._living: asyncio.Future[None] | None = None
        self._state: SessionState | None = None
        """The session that is lived, as it is shown."""
        self._held_at: float | None = None
        """Since when time stands, by the loop's clock."""
        self._looks_away = 0
        """For how many reasons the player does not look: help, the shell."""

    def come(self, sit: Callable[[], Awaitable[Session]]) -> None:
        """Come to a table and live there.

        :raises LocalError: if we are on our way to one already
        """
        if self._coming is not None:
            raise LocalError("you are on your way to a table already")
        self._coming = asyncio.ensure_future(self._come(sit))
        self._stage.work(self._coming)

    def turn_back(self) -> None:
        """Come to no table after all."""
        if self._coming is not None:
            self._coming.cancel()

    async def leave(self) -> None:
        """Leave the session for good, and live no more of it."""
        if self._session is not None:
            await self._end(self._session.leave())

    async def step_out(self) -> str:
        """Go away from the session, and live no more of it. What is kept, in words."""
        session = self._session
        await self.decline()
        if session is None:
            return ""
        await self._end(session.step_out())
        return session.kept

    async def decline(self) -> None:
        """We want no other game, if one is offered."""
        offer = self._take_offer()
        if offer is not None and not await in_time(offer.decline()):
            logger.warning("the next table was not closed in time")

    def _take_offer(self) -> Again | None:
        offer, self._offer = self._offer, None
        if self._hearing is not None:
            self._hearing.cancel()
        return offer

    def hold(self) -> None:
        """The player reads: let time stand, where nobody else waits."""
        self._looks_away += 1
        if self._session is not None and self._looks_away == 1 and self._session.hold():
            self._held_at = now()

    def let_go(self) -> None:
        """The player is back at the table."""
        self._looks_away -= 1
        if self._looks_away:
            return
        state, held_at = self._state, self._held_at
        self._held_at = None
        if self._session is None or state is None or held_at is None:
            return
        self._session.let_go()
        for clock in ("deadline", "rest_until"):
            until = getattr(state, clock)
            if until is not None:
                setattr(state, clock, until + now() - held_at)
        self._terminal.refresh()

    def standing(self) -> str:
        """Whose turn it is and how long, for who does not see the table."""
        session, state = self._session, self._state
        if session is None or state is None or not state.story.playing:
            return ""
        return speak_standing(state.story, session, stands=self._held_at is not None)

    # Moves for the next turn (input_line.Readying).

    @property
    def readied(self) -> str:
        """The move that is kept, as it was typed, or nothing."""
        return self._state.story.readied if self._state is not None else ""

    def make_ready(self, typed: str) -> str:
        """Keep a move for our next turn."""
        story = self._state.story if self._state is not None else None
        if story is None or not story.playing or story.session.looks_on:
            raise NotUnderstood("No game is under way here.")
        return Controller(story, self._stage).make_ready(typed)

    def take_back(self) -> str:
        """Keep none."""
        if self._state is None:
            raise LocalError("no game is under way here")
        return take_back(self._state.story)

    def _play_readied(self, story: Story) -> None:
        """We are asked: play what was made ready, and say if that cannot be."""
        try:
            Controller(story, self._stage).play_readied()
        except LocalError as error:
            self._stage.message(sentence(str(error)), "error")

    async def _end(self, going: Awaitable[None]) -> None:
        self._session = None
        if not await in_time(going):
            logger.warning("the table did not take note of our leaving in time")
        if self._living is not None:
            self._living.cancel()

    async def _come(self, sit: Callable[[], Awaitable[Session]]) -> None:
        try:
            self._session = await sit()
        finally:
            self._coming = None
        self._take_offer()
        own = self._stage.own
        story = Story(self._session, order=own.value("sort"), coach=Coach(own))
        self._living = asyncio.ensure_future(self._live(SessionState(story)))
        self._stage.work(self._living)

    async def _live(self, state: SessionState) -> None:
        """One session from its first moment to its last."""
        story = state.story
        self._state = state
        self._stage.show(RoomScreen(self._stage, state))
        async for moment in story.session.moments():
            if story.session is not self._session:  # we are leaving: nothing is shown any more
                continue
            entries = len(story.in_short)
            said = story.take(moment)
            if isinstance(moment, RoomChanged):  # a window may have no room for the log
                for news in said:
                    if news.role == "warn":
                        self._stage.message(news.text, "warn")
            if state.back:  # who reads older lines keeps them in sight
                state.back += len(story.in_short) - entries
            state.took(moment)
            for seconds in state.spotlight.changes():
                asyncio.get_running_loop().call_later(seconds, self._terminal.refresh)
            if isinstance(moment, Working):  # when it has lasted long enough it is shown
                asyncio.get_running_loop().call_later(SHOWN_AFTER, self._terminal.refresh)
            if isinstance(moment, Asked):  # what was said about another moment is over
                self._terminal.line.be_quiet()
                self._play_readied(story)
            self._attend(story)
            kind = ResultScreen if story.over else TableScreen if story.game else RoomScreen
            shown = self._terminal.screen
            if type(shown.behind if isinstance(shown, FormScreen) else shown) is not kind:
                self._stage.show(kind(self._stage, state))
            self._terminal.refresh()
        if story.session is self._session:
            self._session = None
            self._hearing = asyncio.ensure_future(self._hear_of_another(story))
            self._stage.work(self._hearing)

    async def _hear_of_another(self, story: Story) -> None:
        """Tell what becomes of one more game, until we have made up our mind."""
        session = story.session

        def tell(text: str) -> None:
            story.note(Said("sys", text))
            self._stage.message(text)
            self._terminal.refresh()

        self._offer = session.again
        if self._offer is not None:
            try:
                await self._offer.begin(tell)
            except SobremesaError as error:
                session.again = self._offer = None
                self.turn_back()
                tell(sentence(str(error)))

    def _attend(self, story: Story) -> None:
        """Ring, and say in the terminal's title whose turn it is."""
        title = f"your turn - {TITLE}" if story.asked is not None else TITLE
        self._terminal.notify(title, ring=bool(story.rings & self._stage.theme.bell))
