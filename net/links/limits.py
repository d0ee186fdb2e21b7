"""What strangers may take of this machine: places at the door, and tries at the code.

Pure: time is passed in, and whose turn it is, or who is turned away, is told by a call.

Rule 1: places that nobody speaks from are the first to be taken back, of the address that came
most, the oldest before the others: silence must not shut the door.
Rule 2: an address is known by its visits, those that came to nothing and those under way. Who came
more often gives way: at the door when it is full, and in the line before the code.
Rule 3: all strangers together have one budget of tries at the code; a right one is given back.
Rule 4: those who sit at the table have places of their own, that no stranger can take.
Rule 5: an IPv6 /64 is one address; whoever has one has all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .addresses import network_of

MOST_REMEMBERED = 4096
"""Addresses whose visits are counted; of more, those that came last."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Handshakes at once per address, in all, and besides for those who sit at the table; seconds
    of silence at first, and for a whole handshake; seconds between two tries at the code, of
    whomever."""

    per_address: int = 8
    in_all: int = 64
    for_members: int = 16
    silence: float = 1.0
    handshake: float = 5.0
    between_tries: float = 2.0


@dataclass(slots=True, eq=False)
class Place:
    """A handshake under way. `turn_away` ends it; `spoke` is whether anything came in yet, `served`
    whether it had what it came for."""

    network: str
    member: bool
    turn_away: Callable[[], object] = lambda: None
    spoke: bool = False
    served: bool = False

    @property
    def idle(self) -> bool:
        """Whether nothing is lost with it."""
        return self.served or not self.spoke


class Handshakes:
    """The handshakes under way."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._places: list[Place] = []
        """The oldest first."""
        self._visits: dict[str, int] = {}
        """By address; the one that came last stands last."""

    def enter(self, address: str, *, member: bool = False) -> Place | None:
        """A place for one more handshake, until `leave`; None if there is none. `member`: whether
        the address is that of somebody who sits at the table."""
        place = Place(network_of(address), member)
        self._count(place.network)
        limits = self._limits
        same = [other for other in self._places if other.network == place.network]
        idle = [other for other in same if other.idle]
        if len(same) >= limits.per_address and not self._turn_one_away(idle):
            return None
        pool = [other for other in self._places if other.member == member]
        visits = self.visits(place)
        worse = [other for other in pool if other.idle or self.visits(other) >= visits]
        most = limits.for_members if member else limits.in_all
        if len(pool) >= most and not self._turn_one_away(worse):
            return None
        self._places.append(place)
        return place

    def leave(self, place: Place) -> None:
        """A handshake has ended; one that was turned away had left before."""
        if place in self._places:
            self._places.remove(place)
        if place.served and place.network in self._visits:
            self._visits[place.network] -= 1

    def visits(self, place: Place) -> int:
        """How often somebody of this place's address came and has not had what it came for."""
        return self._visits.get(place.network, 0)

    def _count(self, network: str) -> None:
        self._visits[network] = self._visits.pop(network, 0) + 1
        if len(self._visits) > MOST_REMEMBERED:
            del self._visits[next(iter(self._visits))]

    def _turn_one_away(self, places: Sequence[Place]) -> bool:
        """Turn the one of these away that has the least to lose, if there is one."""
        if not places:
            return False
        worst = max(places, key=lambda place: (place.idle, self.visits(place)))
        self._places.remove(worst)
        worst.turn_away()
        return True


@dataclass(slots=True, eq=False)
class Try:
    """A try at the code; `begin` is called when its turn has come."""

    place: Place
    begin: Callable[[], object]


class Tries:
    """The line before the code: one try at a time, and then nobody for a while. Times are seconds
    of one clock."""

    def __init__(self, limits: Limits, visits: Callable[[Place], int]) -> None:
        self._between = limits.between_tries
        self._visits = visits
        self._line: list[Try] = []
        """The newest first."""
        self._free_at = 0.0

    def join(self, one: Try) -> None:
        """Stand in the line."""
        self._line.insert(0, one)

    def give_up(self, one: Try) -> None:
        """Stand in the line no longer, if it was not its turn yet."""
        if one in self._line:
            self._line.remove(one)

    def advance(self, now: float) -> float | None:
        """Let the next one begin if it is time. Seconds until it is time again; None if nobody
        stands in the line."""
        if self._line and now >= self._free_at:
            # A try counts from here on: nobody may start sixty and show them all at once.
            self._free_at = now + self._between
            one = min(self._line, key=lambda one: self._visits(one.place))
            self._line.remove(one)
            one.begin()
        return self._free_at - now if self._line else None

    def give_back(self) -> None:
        """A try was right: it is as if it had not been."""
        self._free_at -= self._between
