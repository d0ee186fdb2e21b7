"""Real tables among peers that are cut off, killed, come back, leave, vote as they like, and lie.

A `Company` is a `Tabletop` in which nothing happens by itself: each move is one call. What is wrong
with it at any moment, and what it comes to when nothing more goes wrong, it says itself.

Rule 1: on a wire everything comes in the order of its sender's log; what else may be tried, `throw`
does, and a table may refuse it.
Rule 2: a peer signs any ballot that its table lets it: when to, is a matter of clocks.
Rule 3: who comes back has all that it has sent, is silent, and speaks when a link has told it all.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from support.games.scripts import Pick, outcome, toy
from support.peers.ballots import Ending, named, subsets, why_paused
from support.peers.cheats import Cheat
from support.peers.tabletop import Tabletop

from sobremesa.core.crypto.slices import finish
from sobremesa.core.errors import BadMessage, TooFarAhead
from sobremesa.core.game import Outcome
from sobremesa.core.pieces import Seat
from sobremesa.core.replica.audit import audit
from sobremesa.core.replica.faults import Equivocation
from sobremesa.core.replica.phase import Phase
from sobremesa.core.replica.poll import Peers, begins_with, read_stand
from sobremesa.core.replica.restore import restore
from sobremesa.core.replica.table import Table
from sobremesa.core.replica.transcript import STAND, Message
from sobremesa.core.requests import Ask, AskAll, Mark, Script, Toss


def evening(asked: Peers) -> Callable[..., Script[Outcome]]:
    """A mark, a toss, sealed answers of some peers, an open one of another."""

    def play(seats: tuple[Seat, ...], options: Any) -> Script[Outcome]:
        yield Mark(1)
        yield Toss(6, "first")
        yield AskAll({seats[peer]: Pick() for peer in sorted(asked)})
        yield Ask(seats[1], Pick())
        return outcome(*seats)

    return play


SEALED = 4
"""The step in which the sealed answers are due."""


class Company(Tabletop):
    """So many peers, of which some have a vice."""

    def __init__(
        self,
        peers: int,
        asked: Peers = frozenset({0, 2}),
        *,
        seed: int = 0,
        cheats: Mapping[int, Cheat] | None = None,
    ) -> None:
        self.dead: set[int] = set()
        self._sent: set[tuple[int, bytes]] = set()
        """What has come from a peer to anybody, by peer and payload."""
        self._whole: dict[tuple[int, int], int] = {}
        """How much of a wire must still come until all was told that a link began with."""
        game = replace(toy(evening(asked)), seats=range(1, 9))
        super().__init__(game, peers, seed=seed, cheats=cheats)

    # What can happen.

    @property
    def live(self) -> list[int]:
        return [peer for peer in range(len(self.tables)) if peer not in self.dead]

    def full(self) -> list[tuple[int, int]]:
        """Wires on which something can come."""
        return [way for way, wire in self.lines.items() if wire.queue and way[1] not in self.dead]

    def asked(self) -> list[tuple[int, Seat]]:
        return [(peer, seat) for peer in self.live for seat in self.tables[peer].asked]

    def ballots(self, peer: int) -> list[Peers]:
        """All that a peer may sign."""
        table = self.tables[peer]
        return [gone for gone in subsets(table.present) if table.may_vote(gone)]

    def deliver(self, way: tuple[int, int], index: int = 0, *, keep: bool = False) -> None:
        said = self.lines[way].queue[index]
        if isinstance(said, Message):
            self._sent.add((way[0], said.payload))
        super().deliver(way, index, keep=keep)
        if not keep and way in self._whole:
            self._whole[way] -= 1
            self._let_speak(way)

    def _let_speak(self, way: tuple[int, int]) -> None:
        if self._whole.get(way) == 0:
            del self._whole[way]
            if self.tables[way[1]].silent:
                self.tables[way[1]].speak()
                self.pump()

    def throw(self, sender: int, to: int, index: int) -> None:
        """Something that a peer knows comes to another one out of all order."""
        message = self.tables[sender].log[index]
        self._sent.add((sender, message.payload))
        with suppress(BadMessage, TooFarAhead):
            self.tables[to].receive(message.payload, message.signature)
        self.pump()

    def sign(self, peer: int, gone: Peers) -> bool:
        """A peer votes, if it may."""
        signed = self.tables[peer].vote(gone)
        self.pump()
        return signed

    def leave(self, peer: int) -> None:
        self.tables[peer].leave()
        self.pump()

    def cut(self, pair: tuple[int, int]) -> None:
        super().cut(pair)
        for way in (pair, pair[::-1]):
            self._whole.pop(way, None)

    def heal(self, pair: tuple[int, int]) -> None:
        super().heal(pair)
        for way in (pair, pair[::-1]):
            if self.lines[way].agreed:
                self._whole[way] = len(self.lines[way].queue)
                self._let_speak(way)

    def kill(self, peer: int) -> None:
        """A peer dies; what it has sent may still come."""
        self.dead.add(peer)

    def come_back(self, peer: int, torn: int = 0) -> None:
        """A peer that died comes back without the last records of its log, of those that it had not
        sent yet. It has no links."""
        log = list(self.tables[peer].log)
        while torn and log and (peer, log[-1].payload) not in self._sent:
            log.pop()
            torn -= 1
        for pair in self.links:
            if peer in pair:
                self.cut(pair)
        self.dead.discard(peer)
        self.tables[peer] = table = self.replica(peer)
        records = [(message.payload, message.signature) for message in log]
        finish(restore(table, records, self.recorded[peer]))
        for way, wire in self.lines.items():
            if way[0] == peer:
                wire.cursor = len(table.log)

    def broken(self) -> list[tuple[int, int]]:
        """Links that can be made again."""
        pairs = [pair for pair in self.links if not self.dead & set(pair)]
        return [pair for pair in pairs if not self.lines[pair].whole]

    # What must not be.

    def wrong(self) -> str | None:
        """What is wrong, if anything is."""
        honest = [peer for peer in range(len(self.tables)) if peer not in self.cheats]
        for receiver, sender, why in self.refused:
            if sender in honest and receiver in honest:
                return f"{receiver} refuses what {sender} passes on: {why}"
        for peer in honest:
            table = self.tables[peer]
            faults = [table.fault, table.late_fault, *table.convicted.values()]
            if any(fault and self.charter.owner(fault.peer) in honest for fault in faults):
                return f"{peer} convicts an innocent: {faults}"
        return self._contradicted(honest) or self._parted(honest)

    def _contradicted(self, honest: list[int]) -> str | None:
        """Two stands of an honest peer of which neither goes on with the other."""
        said = {m.payload: m for table in self.tables for m in table.log if m.kind == STAND}
        by_author: dict[tuple[int, int], list[Message]] = {}
        for message in said.values():
            if message.peer in honest:
                by_author.setdefault((message.step, message.peer), []).append(message)
        for (step, peer), some in by_author.items():
            stands = sorted((read_stand(message.body) for message in some), key=len)
            if not all(begins_with(b, a) for a, b in itertools.pairwise(stands)):
                return f"{peer} contradicts itself in step {step}"
        return None

    def _parted(self, honest: list[int]) -> str | None:
        for p, q in itertools.combinations(honest, 2):
            one, other = self.tables[p], self.tables[q]
            common = min(one.step, other.step)
            if one.history.head_before(common) == other.history.head_before(common):
                continue
            if self._is_liar_caught(one, other):
                continue
            without = q not in one.present, p not in other.present
            if not any(without):
                return f"fork of {p} and {q}"
            if all(without) and p not in one.history.left and q not in other.history.left:
                return f"split of {p} and {q}"
        return None

    def _is_liar_caught(self, one: Table, other: Table) -> bool:
        """Whether what two know of a liar contradicts itself."""
        known = [table.history._by_payload.values() for table in (one, other)]
        ours, theirs = ([m for m in some if m.peer in self.cheats] for some in known)
        return any(a.contradicts(b) for a in ours for b in theirs)

    # What it comes to.

    def settle(self) -> None:
        """Nothing more goes wrong: all links are there, all is heard and answered, and those vote
        who would name the same peers."""
        for pair in self.links:
            if self.dead & set(pair):
                self.cut(pair)
        while self._hear_all() or self._vote():
            pass

    def _hear_all(self) -> bool:
        for pair in self.broken():
            self.heal(pair)
        for peer in self.live:
            self.tables[peer].lose(self._would(peer))
        heard = False
        while full := self.full():
            self.deliver(full[0])
            heard = True
        for peer, seat in self.asked():
            self.answer(peer, seat)
        return heard or bool(self.full())

    def _vote(self) -> bool:
        would = {peer: self._would(peer) for peer in self.live}
        for me in self.live:
            others = self.tables[me].present - would[me]
            agree = all(
                other in would
                and (self.tables[other].step, would[other]) == (self.tables[me].step, would[me])
                for other in others
            )
            if would[me] and agree and self.sign(me, would[me]):
                return True
        return False

    def _would(self, me: int) -> Peers:
        """Whom a peer names when it has waited long enough (`net/voting`)."""
        table = self.tables[me]
        if me not in table.present:
            return frozenset()
        lost = table.leaving() | (
            self.dead | self.cheats.keys() if len(table.present) > 2 else set()
        )
        return table.nameable(lost - {me})

    def ending(self) -> Ending | None:
        """What it has come to for those honest peers who are there. None if it never began, or a
        proof has ended it."""
        waiting = {
            peer: self.tables[peer]
            for peer in self.live
            if self.tables[peer].live
            and peer not in self.tables[peer].history.left
            and peer not in self.cheats
        }
        if any(table.phase is Phase.SIGNING for table in waiting.values()):
            return None
        ends = [self.tables[p].fault for p in self.live if p not in self.cheats]
        if any(isinstance(end, Equivocation) for end in ends):
            return None
        if not waiting:
            return Ending.DECIDED
        away = frozenset(self.dead | self.cheats.keys())
        polls = {peer: table._poll for peer, table in waiting.items()}
        lost = away.union(*(named(poll) for poll in polls.values()))
        lost |= {peer for table in self.tables for peer in table.history.left}
        if any(2 * len(poll.present - lost) <= len(poll.present) for poll in polls.values()):
            return Ending.FEW
        return why_paused(polls, away)

    def why_no_record(self) -> str | None:
        """Why what the honest peers keep at the end is no record of one game, if it is not."""
        over = [p for p, t in enumerate(self.tables) if t.over and p not in self.cheats]
        for p, q in itertools.combinations(over, 2):
            one, other = self.tables[p], self.tables[q]
            together = q in one.present and p in other.present
            if together and one.transcript() != other.transcript():
                return f"{p} and {q} keep two records"
        for peer in over:
            report = audit(self.tables[peer].transcript(), lambda _: self.game)
            innocent = (
                report.culprit is None or self.charter.owner(report.culprit) not in self.cheats
            )
            if report.trouble is not None and innocent:
                return f"{peer}'s record: {report.trouble}"
        return None


def stroll(company: Company, rng: random.Random, moves: int) -> None:
    """Some of the moves that can be made, one after another, until something is wrong."""
    for _ in range(moves):
        rng.choices(WAYS, WEIGHTS)[0](company, rng)
        if company.wrong():
            return


def _deliver(company: Company, rng: random.Random) -> None:
    if full := company.full():
        company.deliver(rng.choice(full), keep=rng.random() < 0.1)


def _answer(company: Company, rng: random.Random) -> None:
    if asked := company.asked():
        company.answer(*rng.choice(asked))


def _sign(company: Company, rng: random.Random) -> None:
    peer = rng.choice(company.live)
    if ballots := company.ballots(peer):
        company.sign(peer, rng.choice(ballots))


def _throw(company: Company, rng: random.Random) -> None:
    sender, to = rng.sample(range(len(company.tables)), 2)
    log = company.tables[sender].log
    if log and not company.dead & {sender, to}:
        company.throw(sender, to, rng.randrange(len(log)))


def _cut(company: Company, rng: random.Random) -> None:
    company.cut(rng.choice(company.links))


def _heal(company: Company, rng: random.Random) -> None:
    if broken := company.broken():
        company.heal(rng.choice(broken))


def _leave(company: Company, rng: random.Random) -> None:
    company.leave(rng.choice(company.live))


def _kill(company: Company, rng: random.Random) -> None:
    mortal = [peer for peer in company.live if peer not in company.cheats]
    if len(mortal) > 1:
        company.kill(rng.choice(mortal))


def _come_back(company: Company, rng: random.Random) -> None:
    if company.dead:
        company.come_back(rng.choice(sorted(company.dead)), rng.randrange(3))


WAYS = (_deliver, _answer, _sign, _throw, _cut, _heal, _leave, _kill, _come_back)
WEIGHTS = (60, 10, 15, 4, 1.5, 4, 0.4, 1.5, 4)
