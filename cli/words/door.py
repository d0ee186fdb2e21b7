"""To a table that others opened, of the list or at an address: its code, then a seat, or a place to
look on from.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from sobremesa.cli.session.session import Session
from sobremesa.core.errors import LocalError
from sobremesa.core.typed import meant
from sobremesa.net.text import read_code

from .games import Sit
from .services import PLAYING, LobbyServices, TableRow

WayTo = Callable[[TableRow | str, str | None], Awaitable[Session]]
"""To a table of the list, or at HOST:PORT, with a code if it wants one."""


class Door:
    """Brings the player to tables. `come` is the way to a session, with something to say
    meanwhile; `ask` asks, and acts only if the answer is yes. `wanted` is the table whose code is
    being typed."""

    def __init__(
        self,
        services: LobbyServices,
        come: Callable[[Sit, str], None],
        ask: Callable[[str, Callable[[], None]], None],
    ) -> None:
        self.wanted: TableRow | None = None
        self._services = services
        self._come = come
        self._ask = ask
        self._way: WayTo = services.join
        """What the code is for."""

    def wanted_text(self) -> str:
        """What is to be typed for the table whose code is wanted."""
        if self.wanted is None:
            return ""
        return f"{self.wanted.table}: type the code from the opener's screen. Esc: another table."

    def give_up(self) -> None:
        """Another table, then."""
        self.wanted = None

    def join_typed(self, typed: str) -> None:
        """Sit down at a table by its number, name or address, with the code behind it if there is
        one.

        :raises LocalError: if that cannot be
        """
        self._go_where(typed, self.join, self._services.join)

    def watch_typed(self, typed: str) -> None:
        """Look on, as with `join_typed`."""
        self._go_where(typed, self.watch, self._services.watch)

    def join(self, row: TableRow, code: str | None = None) -> None:
        """Sit down at a table of the list, or look on there.

        :raises LocalError: if neither can be
        """
        if row.why_not:
            raise LocalError(f"{row.table}: {row.why_not}")
        if row.state == PLAYING:
            sure = f"The game at {row.table} has begun. Look on, and wait for a seat in the next?"
            self._ask(sure, lambda: self._come_to(row, code, self._services.watch))
        else:
            self._come_to(row, code, self._services.join)

    def watch(self, row: TableRow, code: str | None = None) -> None:
        """Look on at a table of the list.

        :raises LocalError: if that cannot be
        """
        if row.why_not:
            raise LocalError(f"{row.table}: {row.why_not}")
        if row.state != PLAYING:
            raise LocalError(f"the game at {row.table} has not begun: join sits down at it")
        self._come_to(row, code, self._services.watch)

    def _come_to(self, row: TableRow, code: str | None, way: WayTo) -> None:
        """Go to a table, with its code where it wants one."""
        self._way = way
        if row.open or code is not None:
            self._go(row, code)
        else:
            self.wanted = row

    def enter_code(self, code: str) -> None:
        """The code for the table that wants one was typed.

        :raises LocalError: if it is none
        """
        assert self.wanted is not None
        # It stays wanted: after a wrong code the next one is typed.
        self._go(self.wanted, read_code(code))

    def _go(self, target: TableRow | str, code: str | None) -> None:
        name = target if isinstance(target, str) else target.table
        way = self._way
        doing = "Looking on at" if way == self._services.watch else "Joining"
        self._come(lambda: way(target, code), f"{doing} {name}...")

    def _go_where(
        self, typed: str, to_row: Callable[[TableRow, str | None], None], way: WayTo
    ) -> None:
        """Go to the table that was typed, with the code behind it if there is one."""
        rows = self._services.tables()
        target, _, code = typed.rpartition(" ")
        if meant_row(rows, typed) is not None or not (target and code.isdecimal()):
            target, code = typed, ""
        row, digits = meant_row(rows, target), read_code(code) if code else None
        if row is not None:
            to_row(row, digits)
        else:
            self._way = way
            self._go(target, digits)


def meant_row(rows: Sequence[TableRow], name: str) -> TableRow | None:
    """The table with this number or name, or None.

    :raises LocalError: if several are called so
    """
    found = [row for row in rows if name == str(row.number)]
    found = found or meant(name, rows, lambda row: [row.table])
    if len(found) > 1:
        numbers = ", ".join(f"{row.number} {row.table}" for row in found)
        raise LocalError(f"several tables may be meant by {name}: type the number ({numbers})")
    return found[0] if found else None
