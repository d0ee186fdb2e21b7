"""What strangers may take of this machine: places at the door, and tries at the code.

Pure: time is passed in, and who is turned away is told by a call.

Rule 1: places that nobody speaks from are the first to be taken back, the oldest before the others:
silence must not shut the door.
Rule 2: those who sit at the table have places of their own, that no stranger can take.
Rule 3: an IPv6 /64 is one address; whoever has one has all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .addresses import network_of


@dataclass(frozen=True, slots=True)
class Limits:
    """Handshakes at once per address, in all, and besides for those who sit at the table; seconds
    of silence at first, and for a whole handshake; seconds between two tries at the code, and
    wrong tries for one code."""

    per_address: int = 8
    in_all: int = 64
    for_members: int = 16
    silence: float = 1.0
    handshake: float = 5.0
    between_tries: float = 2.0
    wrong_tries: int = 5


@dataclass(slots=True, eq=False)
class Place:
    """A handshake under way. `turn_away` ends it; `spoke` is whether anything came in yet."""

    network: str
    member: bool
    turn_away: Callable[[], object] = lambda: None
    spoke: bool = False


class Handshakes:
    """The handshakes under way."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._places: list[Place] = []
        """The oldest first."""

    def enter(self, address: str, *, member: bool = False) -> Place | None:
        """A place for one more handshake, until `leave`; None if there is none. `member`: whether
        the address is that of somebody who sits at the table."""
        limits, network = self._limits, network_of(address)
        same = [place for place in self._places if place.network == network]
        if len(same) >= limits.per_address and not self._make_room(same):
            return None
        pool = [place for place in self._places if place.member == member]
        most = limits.for_members if member else limits.in_all
        if len(pool) >= most and not self._make_room(pool):
            return None
        place = Place(network, member)
        self._places.append(place)
        return place

    def leave(self, place: Place) -> None:
        """A handshake has ended; one that was turned away had left before."""
        if place in self._places:
            self._places.remove(place)

    def _make_room(self, places: Sequence[Place]) -> bool:
        """Turn away the oldest of these that has said nothing, if there is one."""
        silent = next((place for place in places if not place.spoke), None)
        if silent is None:
            return False
        self._places.remove(silent)
        silent.turn_away()
        return True


class Tries:
    """Counts the tries at the code. Times are seconds of one clock."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._free_at: dict[str, float] = {}
        self._wrong = 0

    def begin(self, address: str, now: float) -> float:
        """Seconds until this address may try; 0: its try has begun. The next one waits for the
        answer or for the time between two tries."""
        network = network_of(address)
        self._free_at = {key: time for key, time in self._free_at.items() if time > now}
        wait = self._free_at.get(network, now) - now
        if not wait:
            self._free_at[network] = now + self._limits.between_tries
        return wait

    def right(self, address: str) -> None:
        """The try that this address began was right; the next need not wait."""
        self._free_at.pop(network_of(address), None)

    def wrong(self) -> bool:
        """Count a wrong try; True if it is time for another code."""
        self._wrong += 1
        if self._wrong < self._limits.wrong_tries:
            return False
        self._wrong = 0
        return True
