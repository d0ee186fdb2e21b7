"""Who is there: what peers say of themselves in signed heartbeats, and what follows from it.

Rule 1: who is away is told by the links that peers report, not by who talks to us: a guest behind a
firewall is there as long as somebody reaches it. A link counts when both ends report it.
Rule 2: what a peer reports it signs, so that nobody who passes it on can change it; what it says on
its own link is not corrected by hearsay.
Rule 3: whom a peer would vote gone it says here too, without binding itself (`voting`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sobremesa.core.errors import BadMessage
from sobremesa.core.replica.charter import Charter
from sobremesa.core.replica.transcript import Sign

from .statements import Presence, expect_signed

MOST_CHECKED = 64
"""Signatures of heartbeats that one link may have us check in a second. More come to nothing: eight
peers at the end of a game send each other 40."""

AWAY_AFTER = 1.5
"""Seconds without a way to a peer before the others are told: a redial takes less."""

OLD_NEWS = 3.0
"""Seconds after which the others have told that they lost the same link, if they have."""

NOBODY: frozenset[int] = frozenset()


@dataclass(slots=True, eq=False)
class Hearing:
    """What one link has told of its other end."""

    heard: int = -1
    """The last of its own heartbeats that the other side sent here; a new process counts anew."""
    checked: int = 0
    since: float = 0.0

    def may_check(self, now: float) -> bool:
        """Whether we check one more heartbeat for this link; it counts then."""
        if now - self.since >= 1.0:
            self.since, self.checked = now, 0
        self.checked += 1
        return self.checked <= MOST_CHECKED


class Presences:
    """What we know of everybody at a table. Our own heartbeats are counted from `born`."""

    def __init__(self, charter: Charter, me: int, sign: Sign, now: float, born: int) -> None:
        peers = range(len(charter.peers))
        self.last = {peer: Presence() for peer in peers} | {me: Presence(born)}
        """What each said last."""
        self.reached = dict.fromkeys(peers, now)
        """When there was a way to each last."""
        self.through: dict[int, frozenset[int]] = dict.fromkeys(peers, NOBODY)
        """Those through whom that way led; nobody where it was a link of ours."""
        self._linked = dict.fromkeys(peers, now)
        """When we had a link to each last."""
        self._charter = charter
        self._me = me
        self._sign = sign

    def speak(self, step: int, done: bool, links: Collection[int], would: Collection[int]) -> None:
        """Say anew where we are."""
        seq = self.last[self._me].seq + 1
        mine = Presence(seq, step, done, frozenset(links), frozenset(would))
        signature = self._sign(mine.statement(self._charter.table, self._me))
        self.last[self._me] = replace(mine, signature=signature)

    def entries(self) -> list[list[Any]]:
        """What everybody said last, for a frame."""
        return [
            [peer, p.seq, p.step, p.done, sorted(p.links), sorted(p.would), p.signature]
            for peer, p in self.last.items()
            if p.seq >= 0
        ]

    def take(
        self,
        teller: int,
        hearing: Hearing,
        entries: Sequence[Sequence[Any]],
        linked: Collection[int],
        now: float,
    ) -> None:
        """Take a heartbeat that came on the link to `teller`; `linked` are those to whom we have
        links ourselves.

        :raises BadMessage: if it says what its peer did not sign
        """
        for peer, seq, step, done, links, would, signature in entries:
            if not {peer, *links, *would} <= self.last.keys():
                raise BadMessage("a heartbeat of nobody at this table")
            if peer == teller:
                old = seq <= hearing.heard
            else:
                old = peer in linked or seq <= self.last[peer].seq
            if peer == self._me or old or not hearing.may_check(now):
                continue
            told = Presence(seq, step, done, frozenset(links), frozenset(would), signature)
            statement = told.statement(self._charter.table, peer)
            expect_signed(self._charter, "a heartbeat", peer, statement, signature)
            self.last[peer] = told
            if peer == teller:
                hearing.heard = seq

    # Ways.

    def reachable(self, linked: Collection[int]) -> set[int]:
        """The peers that a message of ours can reach now, ourselves included."""
        found = {self._me}
        border = [self._me]
        while border:
            here = border.pop()
            for peer in linked if here == self._me else self.last[here].links:
                # Of our own links we know at once; others count when both ends report them.
                back = here == self._me or here in self.last[peer].links
                if peer not in found and back:
                    found.add(peer)
                    border.append(peer)
        return found

    def look(self, linked: Collection[int], now: float) -> set[int]:
        """Note who can be reached now, and how. Returns them."""
        found = self.reachable(linked)
        for peer in found - {self._me}:
            self.reached[peer] = now
            if peer in linked:
                self._linked[peer], self.through[peer] = now, NOBODY
            elif now - self._linked[peer] > OLD_NEWS:
                self.through[peer] = self._beside(peer)
        return found

    def _beside(self, peer: int) -> frozenset[int]:
        """Those who have a link to a peer."""
        return frozenset(p for p, said in self.last.items() if peer in said.links and p != peer)

    def is_away(self, peer: int, now: float) -> bool:
        """Whether there was no way to a peer for `AWAY_AFTER` seconds, when last looked."""
        return peer != self._me and now - self.reached[peer] > AWAY_AFTER

    def agree(self, peers: Collection[int], step: int, would: frozenset[int]) -> bool:
        """Whether these all say that they are in this step, and would name these peers gone."""
        said = (self.last[peer] for peer in peers if peer != self._me)
        return all((one.step, one.would) == (step, would) for one in said)
