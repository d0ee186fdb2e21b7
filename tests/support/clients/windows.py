"""Clients at a table on a virtual screen, as tests of the full screen open them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from sobremesa.cli.draw.theme import Theme
from sobremesa.cli.screen.app import run_app
from sobremesa.cli.session.moments import Moment
from sobremesa.cli.session.session import Session

from .sessions import ScriptedSession, at_the_table
from .terminal import Terminal, terminal


@asynccontextmanager
async def opened(
    session: ScriptedSession, columns: int = 80, rows: int = 24, theme: Theme | None = None
) -> AsyncIterator[Terminal]:
    async def sit() -> Session:
        return session

    async def run(keys: Input, screen: Output) -> int:
        return await run_app(sit, theme or Theme(), input=keys, output=screen)

    async with terminal(run, columns, rows) as window:
        yield window


@asynccontextmanager
async def asked(
    *after: Moment, theme: Theme | None = None
) -> AsyncIterator[tuple[ScriptedSession, Terminal]]:
    """Cai's session and window when a bid is asked for."""
    session = at_the_table(*after)
    async with opened(session, theme=theme) as window:
        await window.see("b Raise")
        yield session, window
