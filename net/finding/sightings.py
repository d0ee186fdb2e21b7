"""Which names on the network are looked at, and when: the timing behind the list of tables.

Rule 1: no socket and no clock: times are passed in, seconds of one clock.
Rule 2: a table is dropped when it failed to answer twice, or once after its name was taken back: a
goodbye is anybody's word, and only silence is the table's own. Its name is looked at again, ever
more rarely, since it may come back without another word.
"""

from __future__ import annotations

from dataclasses import dataclass

from .listing import Listing

MOST = 64
"""Names that are kept, and so tables that are listed."""

AGAIN = 5.0
"""Seconds between two looks at a table that answers."""

SOON = 2.0
"""Seconds to the second look at one that did not."""

DOUBTS = 2
"""Looks at a table that somebody said is gone: it may say so itself a moment before it goes."""

ONCE_MORE = 1.0
"""Seconds between these."""

SELDOM = 60.0
"""Seconds, at most, between two looks at one that has not answered for long."""

EMPTY = 10.0
"""Seconds that an empty list waits before it asks anew."""


@dataclass(slots=True)
class Sighting:
    """A name, the table that answered behind it if one did, and when to look again."""

    due: float
    table: Listing | None = None
    failures: int = 0
    changed: bool = False
    """Something was announced since the last look began."""
    doubts: int = 0
    """Looks still to come of which one that fails is enough: somebody said that it is gone."""


class Sightings:
    """All names heard of."""

    def __init__(self) -> None:
        self._names: dict[str, Sighting] = {}

    def heard(self, name: str, now: float) -> None:
        """The name was announced, or something about it changed: look at it at once."""
        sighting = self._names.get(name)
        if sighting:
            sighting.due = now
            sighting.changed = True
        elif len(self._names) < MOST or self._make_room():
            self._names[name] = Sighting(now)

    def taken_back(self, name: str, now: float) -> None:
        """Somebody took the name back: look at once, for anybody can say so in another's name."""
        sighting = self._names.get(name)
        if sighting:
            sighting.due = now
            sighting.doubts = DOUBTS

    def due(self, now: float) -> list[str]:
        """The names to look at now."""
        return [name for name, sighting in self._names.items() if sighting.due <= now]

    def all_due(self, now: float) -> None:
        """Look at every name now."""
        for sighting in self._names.values():
            sighting.due = now

    def begin(self, name: str) -> Listing | None:
        """A look begins. The table, if it can be expected where it answered last time."""
        sighting = self._names.get(name)
        if sighting is None:
            return None
        expected = sighting.table if not sighting.failures and not sighting.changed else None
        sighting.changed = False
        return expected

    def answered(self, name: str, table: Listing, now: float) -> None:
        """A table answered."""
        sighting = self._names.get(name)
        if sighting:
            doubts = max(0, sighting.doubts - 1)
            again = now if sighting.changed else now + (ONCE_MORE if doubts else AGAIN)
            self._names[name] = Sighting(again, table, changed=sighting.changed, doubts=doubts)

    def failed(self, name: str, now: float) -> None:
        """Nobody answered."""
        sighting = self._names.get(name)
        if sighting and sighting.doubts:
            del self._names[name]
        elif sighting:
            sighting.failures += 1
            sighting.due = now + min(SOON * 2 ** (sighting.failures - 1), SELDOM)
            if sighting.failures >= 2:
                sighting.table = None

    def listed(self) -> tuple[Listing, ...]:
        """The tables there are, each once, in a steady order."""
        tables = {(s.table.key, s.table.table): s.table for s in self._names.values() if s.table}
        return tuple(sorted(tables.values(), key=lambda table: (table.label, table.table)))

    def _make_room(self) -> bool:
        """Forget the name that has failed most, if any has."""
        worst = max(self._names, key=lambda name: self._names[name].failures)
        if not self._names[worst].failures:
            return False
        del self._names[worst]
        return True


class Emptiness:
    """When an empty list asks everybody anew."""

    def __init__(self) -> None:
        self._since: float | None = None

    def due(self, filled: bool, now: float) -> bool:
        """Whether the list has now been empty for ten seconds since it was filled or asked."""
        if filled:
            self._since = None
            return False
        if self._since is None:
            self._since = now
        if now - self._since < EMPTY:
            return False
        self._since = now
        return True
