"""When to vote that a peer is gone: by clocks, links and what our player says.

What a vote is, and what follows from one, is `core/replica/poll`.

Rule 1: a peer first says whom it would name, in its heartbeats, and takes that back when one of
them is reached again. It signs only while it reaches everybody else who is present, and all of them
say the same, or have signed it already. Who leaves does not wait for that: it signs against who is
away now, since its signature may be needed when it is gone.
Rule 2: who has said farewell, or is convicted, is named at once. Who is away, or does not send what
its machine owes, is named when the table's patience is over, counted from when the step began or
the last way to it was lost, whichever is later; sooner if our player says so, and not while it says
that it waits. Where the step waits for one of them, the others who are away are named too, since
they could not sign.
Rule 3: nobody signs by the clock alone against a peer to whom the last known way led only through
others that would sign, or whose message over another history it holds: its player is asked.
Rule 4: of two that are present nobody can be voted gone; a farewell is enough there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from sobremesa.core.replica.table import Table

from .events import Absence
from .mesh import Mesh

SILENCE = 30
"""Seconds at least before a peer that can be reached, and sends nothing, counts as silent: its
machine may be slow."""

CLOSE = 1.0
"""Seconds before the clock decides in which nobody needs to hear who has decided before it."""


@dataclass(frozen=True, slots=True)
class Stillness:
    """Why a peer may be voted gone: since when it is, and until when the clock waits (None: for
    ever, or our player is to say)."""

    since: float
    until: float | None


class Voting:
    """Our part in the votes of a table that we play at."""

    def __init__(self, table: Table, mesh: Mesh, now: float) -> None:
        self.table = table
        self.mesh = mesh
        self.chosen: set[int] = set()
        """Those without whom our player would go on now."""
        self.kept: set[int] = set()
        """Those for whom our player waits, whatever the clock says."""
        self._step = table.step
        self._since = now

    def look(self, now: float) -> bool:
        """See whom we would vote gone, and sign it if all others would. Whether anything of that
        is new: then a heartbeat should tell it, or a message of ours waits."""
        table, mesh = self.table, self.mesh
        reached = mesh.presences.look(mesh.feeds.keys(), now)
        if table.step != self._step:
            self._step, self._since = table.step, now
        would = self._would(now)
        news, mesh.would = would != mesh.would, would
        table.lose(would)
        self._tell_those_behind()
        others = table.present - would - table.signers(would)
        agreed = others <= reached and mesh.presences.agree(others, table.step, would)
        if would and (agreed or table.me in table.history.left):
            return table.vote(would) or news
        return news

    def _tell_those_behind(self) -> None:
        """Tell who would name somebody in a step that we have decided how we did: who knows of a
        fault before it has decided a step does not count what who knew of it later did count."""
        for peer, said in self.mesh.presences.last.items():
            if said.would and peer in self.table.present and said.step < self.table.step:
                self.table.tell_how(said.step)

    def slept(self, now: float) -> None:
        """This machine slept: what its clock says of the others is worth nothing."""
        self._since = now

    # Our player's word.

    def go_on_without(self, peer: int) -> None:
        """Our player would go on without a peer now."""
        self.chosen.add(peer)
        self.kept.discard(peer)

    def wait_for(self, peer: int) -> None:
        """Our player waits for a peer."""
        self.kept.add(peer)
        self.chosen.discard(peer)

    # Whom, and why.

    def _would(self, now: float) -> frozenset[int]:
        table = self.table
        if table.me not in table.present:
            return frozenset()
        if table.me in table.history.left:
            away = frozenset(p for p in self._still(now) if self.mesh.presences.is_away(p, now))
            # Without one for whom the step waits, they can only be named together with us.
            return table.nameable(away) or (table.nameable(away | {table.me}) if away else away)
        lost = table.leaving()
        if len(table.present) > 2:
            lost |= {p for p, found in self._still(now).items() if self._is_due(p, found, now)}
        return table.nameable(lost)

    def _still(self, now: float) -> dict[int, Stillness]:
        """Who may be voted gone, leavers and convicts aside, if the step waits for one of them."""
        others = sorted(self.table.present - self.table.leaving() - {self.table.me})
        found = ((peer, self._stillness(peer, now)) for peer in others)
        return {peer: one for peer, one in found if one is not None}

    def _is_due(self, peer: int, found: Stillness, now: float) -> bool:
        if peer in self.chosen:
            return True
        return peer not in self.kept and found.until is not None and now >= found.until

    def _stillness(self, peer: int, now: float) -> Stillness | None:
        """Why a peer may be voted gone, or None if it may not."""
        patience = self.table.charter.settings.patience
        asks = self._to_look_at(peer)
        if self.mesh.presences.is_away(peer, now):
            since = max(self.mesh.presences.reached[peer], self._since)
            return Stillness(since, None if asks else since + patience)
        if peer not in self.table.lacking():
            return None
        thinks = peer in self._thinking()
        seconds = self.table.seconds()
        if thinks and not seconds:
            return None  # a person may take all the time there is
        rest = max(patience, SILENCE) + (seconds if thinks else 0)
        since = self._since + rest
        if now < since:
            return None
        return Stillness(since, None if asks else since)

    def _thinking(self) -> set[int]:
        """The peers whose own player is asked, and has not answered over another history."""
        charter, strays = self.table.charter, self.table.history.strays
        names = {charter.name_of(peer): peer for peer in range(len(charter.peers))}
        asked = {names[seat] for seat in self.table.asked_seats() if seat in names}
        return {peer for peer in asked if (self.table.step, peer) not in strays}

    def _to_look_at(self, peer: int) -> bool:
        """Whether a player should see for himself that a peer is gone (rule 3)."""
        return bool(self._through(peer)) or any(
            stray.peer == peer for stray in self.table.history.strays.values()
        )

    def _through(self, peer: int) -> frozenset[int]:
        """Those through whom alone the last way to a peer led, if they would all sign."""
        through = self.mesh.presences.through[peer]
        return through if through <= self.table.present else frozenset()

    # What people should know.

    def absences(self, now: float) -> list[Absence]:
        """Whom the table waits for, or a vote would, and why; nobody while all goes well."""
        table, presences = self.table, self.mesh.presences
        if not table.live or table.me not in table.present:
            return []
        leaving, still, found = table.leaving(), self._still(now), list[Absence]()
        gone = table.nameable(leaving.union(still))
        can = len(table.present) > 2 and (table.may_vote(gone) or table.me in table.signers(gone))
        for peer in sorted(leaving.union(still)):
            name, needed = table.charter.name_of(peer), peer in table.lacking()
            if peer in leaving:
                left = peer in table.history.left
                why: Literal["left", "convicted"] = "left" if left else "convicted"
                needed = peer in table.waiting_for()
                found.append(Absence(name, self._since, None, False, why, needed=needed))
                continue
            may = can and peer in gone
            until = still[peer].until if may and peer not in self.kept else None
            agreed = self._agreed(peer) if until is None or now < until - CLOSE else []
            found.append(
                Absence(
                    name,
                    still[peer].since,
                    until,
                    may and peer not in self.chosen,
                    "away" if presences.is_away(peer, now) else "silent",
                    self._names(self._through(peer)) if may else (),
                    self._names(agreed),
                    needed=needed,
                )
            )
        return found

    @property
    def alone(self) -> bool:
        """Whether we reach none of the others that have not left: our own network is the likelier
        cause."""
        others = self.table.present - {self.table.me} - self.table.leaving()
        return bool(others) and not others & self.mesh.reachable()

    def _agreed(self, peer: int) -> list[int]:
        said = self.mesh.presences.last
        return [p for p, one in said.items() if one.step == self._step and peer in one.would]

    def _names(self, peers: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.table.charter.name_of(peer) for peer in sorted(peers))
