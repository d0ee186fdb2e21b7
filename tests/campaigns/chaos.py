"""A campaign: bot games over the five games, among peers that are cut off, stopped, killed,
restarted or leave at any moment, on links that are slow and break, with a liar in every third.

    python tests/campaigns/chaos.py --games 500          # some at a time: --first 250

All is made from the number of the game: cards and proofs are real, the clock is not. In *gentle*
games a next peer is lost only when the one before is back, or the others have gone on without it
and can lose another; a majority is always kept, and all who are left must finish. In *wild* games
anything may happen at any moment; then what can be healed is healed, and players who are asked go
on without whom they may. In both

- no two tables that are present to each other may stand at different heads (forks; who was lied to
  is excused until both versions have met),
- nobody honest may be named by a fault, and no honest link be refused,
- all that finish have one transcript, which `audit` accepts with the outcome that they saw,
- whoever does not finish waits for somebody, and its screen says for whom.

The one way to be stuck with a majority is the window of docs/protocol.md (a crash between the
others' signatures and its own, while the one they named comes back), and what is like it in wild
games: one that was named, came back, and is lost again in one step. Those are counted.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from support.peers import ballot_cheats as ballots
from support.peers import cheats
from support.peers.cheats import Cheat
from support.peers.meshes import Meshes
from support.peers.tabletop import FULL, NAMES, key, links, make_charter, seed_of

from sobremesa.core.crypto.slices import Work, finish
from sobremesa.core.encoding import Rand, pack
from sobremesa.core.errors import BadMessage, TooFarAhead
from sobremesa.core.game import Game
from sobremesa.core.replica.audit import audit
from sobremesa.core.replica.charter import LEAST_PATIENCE, Settings
from sobremesa.core.replica.faults import Equivocation, Finding
from sobremesa.core.replica.phase import Phase
from sobremesa.core.replica.restore import restore
from sobremesa.core.replica.steps import Body, Step
from sobremesa.core.replica.table import Table
from sobremesa.net.links.frames import Frame
from sobremesa.net.match import LINGER, SEEN_OFF
from sobremesa.net.mesh import Mesh
from sobremesa.net.voting import Voting
from sobremesa.plugins.loader import load_games

TURNS = ("cinco-vidas", "dudo", "intriga", "house-of-jokers", "five-alive", "dudo", "intriga",
         "house-of-jokers")  # fmt: skip
"""Which game it is by turns: those with more cards take longer."""
QUICK = {"dudo": {"dice": "3"}, "five-alive": {"sudden_death": "on"}}
"""Short games: they break as well as long ones."""
TICK = 0.25
ROUNDS = 4
"""Turns that each link has in a tick."""
SLICES = 20
"""Slices of long work that a machine does in a tick."""
DROPPED = 4.0
"""Seconds after which a silent link is dropped."""
REDIAL = 1.0
CHAOS = 45.0
"""Seconds in which things break."""
HEALED = 90.0
"""Seconds that all have to finish when what can be healed is healed; silence takes 30."""

EQUIVOCATES = ("mark", "answer", "toss-commit", "roll-commit", "end")
WITHHELD = ("toss-open", "roll-open", "reveal", "shares", "shuffle", "mark", "end", "seed")


def vice(rng: random.Random, me: int, peers: int) -> Cheat:
    """A vice, and what it needs to know."""
    others = [peer for peer in range(peers) if peer != me]
    some = rng.sample(others, rng.randrange(1, len(others)))
    since, victim = rng.randrange(2, 30), rng.choice(others)
    made: Sequence[Callable[[], Cheat]] = (
        lambda: ballots.VotesAgainstTheLiving(since, victim),
        lambda: ballots.VotesTwice(since, victim),
        lambda: ballots.DecidesAlone(since, victim),
        lambda: ballots.HoldsNothing(since, victim),
        lambda: ballots.VotesAgainstWhomItHolds(since, victim),
        lambda: cheats.FallsSilent(rng.choice(WITHHELD)),
        lambda: cheats.FallsSilent(rng.choice(WITHHELD)),
        lambda: cheats.Equivocates(rng.choice(EQUIVOCATES), some),
        lambda: cheats.LeavesForSome(rng.choice(("mark", "answer")), some),
        lambda: cheats.SaysBoth(rng.choice(EQUIVOCATES[:1])),
        lambda: cheats.SignsOverAnotherHead(rng.choice(("mark", "answer"))),
        cheats.SendsAnotherDigest,
        cheats.RevealsAnotherSeed,
        cheats.AnswersInRubbish,
    )
    return rng.choice(made)()


class Checks:
    """Long checks, each done once for all replicas: it is a matter of bytes that all of them have.
    Who comes later still takes several slices for it."""

    def __init__(self) -> None:
        self._found: dict[tuple[object, ...], Finding | None] = {}

    def of(self, table: Callable[[], Table]) -> Callable[[Step, int, Body], Work[None] | None]:
        """How one table judges messages."""

        def check(step: Step, peer: int, body: Body) -> Work[None] | None:
            name = (table().history.head, step.kind, peer, pack(body))
            if name in self._found:
                return _repeated(self._found[name])
            work = step.check(peer, body)
            return None if work is None else self._first(name, work)

        return check

    def _first(self, name: tuple[object, ...], work: Work[None]) -> Work[None]:
        try:
            yield from work
        except Finding as finding:
            self._found[name] = finding
            raise
        self._found[name] = None


def _repeated(found: Finding | None) -> Work[None]:
    for _ in range(4):
        yield
    if found is not None:
        raise found


class Chaos(Meshes):
    """One game of the campaign, `number` says which. `wrong` is what must not be."""

    def __init__(self, number: int, games: Sequence[Game[Any]]) -> None:
        self.number = number
        self.chance = random.Random(f"chaos {number}")
        game = games[number % len(games)]
        peers = self.chance.choice([n for n in (3, 3, 4, 5) if n in game.seats])
        self.gentle = self.chance.random() < 0.6
        self.liars: dict[int, Cheat] = {}
        self.checks = Checks()
        if number % 3 == 2:
            liar = self.chance.randrange(peers)
            self.liars[liar] = vice(self.chance, liar, peers)
        self.wrong: list[str] = []
        self.faults: Counter[str] = Counter()
        self.answers: list[dict[tuple[int, str], str]] = [{} for _ in range(peers)]
        self.down: dict[int, float] = {}
        """Who is crashed, and until when."""
        self.frozen: dict[int, float] = {}
        self.cuts: dict[frozenset[int], float] = {}
        """The pairs between which nothing passes, and until when."""
        self.slow: dict[frozenset[int], float] = {}
        """Seconds on the way between a pair."""
        self.doomed: dict[int, bool] = {}
        """Who dies with its next message, and whether that goes to the disk before."""
        self.leaving: dict[int, float] = {}
        self.ended_at: dict[int, float] = {}
        self.blocked: dict[frozenset[int], float] = {}
        """Since when nothing passes on a link that still stands."""
        self.unlinked: dict[frozenset[int], float] = {}
        self.due: dict[tuple[int, int], list[float]] = {}
        """When what is on a link arrives."""
        self.next_fault = 0.0
        charter = make_charter(game, peers, QUICK.get(game.id))
        charter = replace(charter, settings=Settings(patience=LEAST_PATIENCE))
        super().__init__(game, peers, links(FULL, peers), number, charter)

    # Machines.

    def sit(self, peer: int, rand: Rand, born: int = -1) -> None:
        table = self._table(peer, rand)
        self.meshes.append(Mesh(table, peer, key(peer).sign, self.now, bytes([peer]) * 32, born))
        if peer in self.liars:
            self.liars[peer].sit(table, peer, key(peer).sign)
        table.start()
        self.votings.append(Voting(table, self.meshes[-1], self.now))
        self.release(peer)

    def _table(self, peer: int, rand: Rand) -> Table:
        table = Table(
            self.charter,
            self.game,
            me=peer,
            sign=key(peer).sign,
            vault={peer: rand},
            check=self.checks.of(lambda: table),
            at_once=False,
        )
        return table

    def come_back(self, peer: int) -> None:
        """A crashed machine starts again from what is on its disk."""
        old = self.meshes[peer]
        del self.down[peer]
        kept = [(m.payload, m.signature) for m in old.table.log[: old.released]]
        table = self._table(peer, Rand(seed_of(peer, self.number)))
        finish(restore(table, kept, self.answers[peer]))
        born, window = int(self.now * 1000) + 1, self.chance.randbytes(32)
        mesh = Mesh(table, peer, key(peer).sign, self.now, window, born)
        mesh.released = len(table.log)
        self.meshes[peer], self.votings[peer] = mesh, Voting(table, mesh, self.now)

    def release(self, peer: int) -> None:
        mesh = self.meshes[peer]
        new = mesh.table.log[mesh.released :]
        if peer in self.doomed and any(m.peer == peer for m in new):
            if self.doomed.pop(peer):
                super().release(peer)
            self.crash(peer)
        elif peer not in self.down:
            super().release(peer)

    def crash(self, peer: int, back: float = 0.0) -> None:
        self.down[peer] = self.now + (back or self._while())
        self._unlink(peer)

    def _unlink(self, peer: int) -> None:
        for pair in {frozenset(way) for way in self.ends if peer in way}:
            self.drop(pair)

    def drop(self, pair: frozenset[int]) -> None:
        """A link breaks; what is on it is lost."""
        i, j = sorted(pair)
        if (i, j) in self.ends:
            self.cut(i, j)
            self.due.pop((i, j), None)
            self.due.pop((j, i), None)
        self.blocked.pop(pair, None)
        self.unlinked[pair] = self.now + self.chance.uniform(0, REDIAL)

    def here(self, peer: int) -> bool:
        """Whether a machine runs."""
        return peer not in self.dead and peer not in self.down and peer not in self.frozen

    def is_open(self, pair: frozenset[int]) -> bool:
        return pair not in self.cuts and all(map(self.here, pair))

    @property
    def honest(self) -> Iterator[int]:
        return (peer for peer in range(len(self.meshes)) if peer not in self.liars)

    # What happens in a tick.

    def tick(self) -> None:
        self.now = round(self.now + TICK, 3)
        self._end_what_is_over()
        self._mend_links()
        for _ in range(ROUNDS):
            for way in self.chance.sample(list(self.ends), len(self.ends)):
                if way in self.ends and self.is_open(frozenset(way)):
                    self._carry(*way)
            self._work()
        self._answer()
        for peer in filter(self.here, range(len(self.meshes))):
            self._clock(peer)
        self._check()

    def _end_what_is_over(self) -> None:
        for peer in [p for p, at in self.down.items() if at <= self.now]:
            self.come_back(peer)
        for peer in [p for p, at in self.frozen.items() if at <= self.now]:
            del self.frozen[peer]
            self.votings[peer].slept(self.now)
            self._unlink(peer)
        for pair in [p for p, at in self.cuts.items() if at <= self.now]:
            del self.cuts[pair]

    def _mend_links(self) -> None:
        for i, j in combinations(range(len(self.meshes)), 2):
            pair = frozenset({i, j})
            if (i, j) in self.ends:
                if self.is_open(pair):
                    self.blocked.pop(pair, None)
                elif self.now - self.blocked.setdefault(pair, self.now) > DROPPED:
                    self.drop(pair)
            elif self.is_open(pair) and self.unlinked.get(pair, 0) <= self.now:
                self.link(i, j)
                for peer in pair:
                    self.meshes[peer].beat()

    def _carry(self, i: int, j: int) -> None:
        """Put what one end has onto a link, and let arrive what is due."""
        due = self.due.setdefault((i, j), [])
        end = self.ends[i, j]
        while len(end.on_way) < 8 and self.pull(i, j):
            arrives = self.now + self.slow.get(frozenset({i, j}), 0.0)
            due += [arrives] * (len(end.on_way) - len(due))
        while due and due[0] <= self.now:
            due.pop(0)
            try:
                frame = self.deliver(i, j)
            except BadMessage as error:
                if i not in self.liars and j not in self.liars:
                    self.wrong.append(f"{NAMES[i]}'s link to {NAMES[j]} was refused: {error}")
                self.drop(frozenset({i, j}))
                return
            except TooFarAhead:
                self.drop(frozenset({i, j}))
                return
            table = self.tables[j]
            if frame.kind == "all" and table.silent:
                table.speak()
                self.release(j)
            if self.ends.get((i, j)) is not end:
                return

    def pull(self, i: int, j: int) -> bool:
        liar = self.liars.get(i)
        if liar is None:
            return super().pull(i, j)
        end, mesh = self.ends[i, j], self.meshes[i]
        frame = mesh.next_frame(end.feed)
        if frame is None:
            return False
        if frame.kind == "msg":
            message = mesh.table.history.find(frame["payload"], frame["sig"])
            assert message is not None
            told = liar.say(message, self.meshes[j].me)
            end.on_way.extend(Frame.make("msg", payload=m.payload, sig=m.signature) for m in told)
        elif frame.kind != "proof":  # it does not tell on itself
            end.on_way.append(frame)
        return True

    def _work(self) -> None:
        for peer in filter(self.here, range(len(self.meshes))):
            table = self.tables[peer]
            for _ in range(SLICES):
                if not (table.busy and self.here(peer)):
                    break
                table.work()
                self.release(peer)

    def _answer(self) -> None:
        for peer in filter(self.here, range(len(self.meshes))):
            table = self.tables[peer]
            for seat in list(table.asked):
                if self.chance.random() < 0.7:
                    question = table.asked[seat]
                    observation = table.observation(seat)
                    chooser = self.liars.get(peer, Cheat())
                    answer = chooser.choose(observation, question, self.chance.randrange)
                    self.answers[peer][table.step, seat] = question.write(answer)
                    table.answer(seat, answer)
                    self.release(peer)

    def _clock(self, peer: int) -> None:
        """A machine's clock: heartbeats, votes, and its end when nobody needs it any more."""
        mesh, table = self.meshes[peer], self.tables[peer]
        news = table.live and table.started and self.votings[peer].look(self.now)
        self.release(peer)
        if not self.here(peer):
            return
        if news or self.now % 1 == 0:
            mesh.beat()
        if table.live:
            if self.leaving.get(peer, self.now) < self.now:
                self.kill(peer)
            return
        since = self.ended_at.setdefault(peer, self.now)
        if table.ended is not None and not table.history.left:
            table.leave()
            self.release(peer)
        level = all(map(mesh.settled, mesh.feeds.values()))
        if self.now - since > LINGER or (self.now - since > 1 and level and not mesh.unfinished()):
            self.kill(peer)

    def kill(self, peer: int) -> None:
        self._unlink(peer)
        self.dead.add(peer)

    # What breaks.

    def settled(self) -> bool:
        """Whether everybody is there, and the next may be lost."""
        tables = [self.tables[p] for p in range(len(self.meshes)) if p not in self.dead]
        tables = [table for table in tables if table.live]
        if not tables or not all(table.started and not table.silent for table in tables):
            return False
        present = tables[0].present
        ledger = tables[0].replica_state.ledger
        return (
            {table.present for table in tables} == {present}
            and all(map(self.here, present))
            and all(self.tables[peer].live for peer in present)
            and not (self.cuts or self.doomed or present & self.leaving.keys())
            and all(len(self.meshes[p].feeds) >= len(present) - 1 for p in present)
            and all(f.open for p in present for f in self.meshes[p].feeds.values())
            and not any(self.votings[p].absences(self.now) for p in present)
            and (not ledger.keys or bool(ledger.key_shares) or len(present) < 3)
        )

    def break_something(self) -> None:
        """A fault, if it is time for one."""
        live = [p for p in range(len(self.meshes)) if self.here(p) and self.tables[p].live]
        if self.now < self.next_fault or not live or not all(t.started for t in self.tables):
            return
        if self.gentle and not self.settled():
            return
        chance = self.chance
        self.next_fault = self.now + chance.expovariate(1 / (2.0 if self.gentle else 4.0))
        fault = chance.choice((*self._passing, *(self._for_good if self._may_lose() else ())))
        honest = [peer for peer in live if peer not in self.liars]
        if honest:
            self.faults[fault.__name__.strip("_")] += 1
            fault(chance.choice(honest))

    @property
    def _passing(self) -> tuple[Callable[[int], None], ...]:
        alone = (self._cut_off, self._stop, self._restart, self._crash_in_a_step, self._flap)
        return (*alone, self._slow_down) if self.gentle else (*alone, self._slow_down, self._part)

    @property
    def _for_good(self) -> tuple[Callable[[int], None], ...]:
        return self._kill, self._leave

    def _may_lose(self) -> bool:
        """Whether somebody may be lost for good."""
        if not self.gentle:
            return len(self.dead | self.leaving.keys()) < len(self.meshes) - 1
        tables = (self.tables[peer] for peer in range(len(self.meshes)) if self.here(peer))
        return not self.liars and all(len(table.present) > 2 for table in tables if table.live)

    def _while(self) -> float:
        """How long something lasts."""
        short = self.gentle and self.liars  # the liar may be lost at any time
        return self.chance.uniform(0.5, 3 if short else 12)

    def _cut_off(self, peer: int) -> None:
        until = self.now + self._while()
        for other in range(len(self.meshes)):
            if other != peer:
                self.cuts[frozenset({peer, other})] = until
        if self.chance.random() < 0.5:
            self._unlink(peer)

    def _part(self, peer: int) -> None:
        """Two groups; a liar stands in the middle."""
        until = self.now + self._while()
        many = [p for p in range(len(self.meshes)) if p not in self.liars]
        group = set(self.chance.sample(many, self.chance.randrange(1, len(many))))
        for i, j in combinations(many, 2):
            if (i in group) != (j in group):
                self.cuts[frozenset({i, j})] = until

    def _stop(self, peer: int) -> None:
        self.frozen[peer] = self.now + self._while()

    def _restart(self, peer: int) -> None:
        self.crash(peer, self._while())

    def _crash_in_a_step(self, peer: int) -> None:
        self.doomed[peer] = self.chance.random() < 0.5

    def _flap(self, peer: int) -> None:
        others = [way for way in self.ends if peer in way]
        if others:
            self.drop(frozenset(self.chance.choice(others)))

    def _slow_down(self, peer: int) -> None:
        for other in range(len(self.meshes)):
            slow = self.chance.choice((0.0, 0.0, 0.25, 0.5))
            self.slow[frozenset({peer, other})] = slow

    def _kill(self, peer: int) -> None:
        self.kill(peer)

    def _leave(self, peer: int) -> None:
        if not self.tables[peer].silent:
            self.leave(peer)
            self.leaving[peer] = self.now + SEEN_OFF

    def heal(self) -> None:
        """Everything that can be healed is."""
        self.cuts.clear()
        self.doomed.clear()
        self.slow.clear()
        for waits in (self.down, self.frozen):
            for peer in waits:
                waits[peer] = self.now

    # The game.

    def play(self) -> None:
        """Play while things break; then heal, let players say what they are asked, and wait."""
        self._until(CHAOS, self.break_something)
        self.heal()
        self._until(HEALED)
        self._until(HEALED, self._decide)

    def _until(self, seconds: float, also: Callable[[], None] = lambda: None) -> None:
        end = self.now + seconds
        while self.now < end and self.waiting and not self.wrong:
            also()
            self.tick()

    @property
    def waiting(self) -> list[int]:
        """The honest who have not finished, and may yet: not those without whom all others have,
        and have gone home."""
        finished = [self.tables[p].present for p in self.honest if self.tables[p].over]
        live = [p for p in self.honest if p not in self.dead and self.tables[p].live]
        return [p for p in live if all(p in present for present in finished)]

    def _decide(self) -> None:
        """Players go on without whom they may."""
        for peer in self.waiting:
            for absence in self.votings[peer].absences(self.now) if self.here(peer) else ():
                if absence.choice:
                    self.votings[peer].go_on_without(self.charter.owner(absence.name))

    # What must not be.

    @property
    def lied(self) -> bool:
        """Whether honest peers may have been told two histories."""
        two = (cheats.Equivocates, cheats.LeavesForSome, cheats.SaysBoth, ballots.VotesTwice)
        return any(isinstance(cheat, two) for cheat in self.liars.values())

    def _check(self) -> None:
        liars = {NAMES[peer] for peer in self.liars}
        for peer in self.honest:
            table = self.tables[peer]
            found = [table.fault, table.late_fault, *table.convicted.values()]
            named = {fault.peer for fault in found if fault is not None}
            if named - liars:
                self.wrong.append(f"{NAMES[peer]} names an innocent: {found}")
            if table.broken:
                self.wrong.append(f"{NAMES[peer]}'s rules broke: {table.broken}")
        if not self.lied:
            self.check_forks(self.honest)

    def check_forks(self, peers: Iterable[int]) -> None:
        """See that no two of these that are present to each other stand at different heads."""
        for i, j in combinations(peers, 2):
            one, other = self.tables[i], self.tables[j]
            if any(isinstance(table.fault, Equivocation) for table in (one, other)):
                continue
            step = min(one.step, other.step)
            if j not in one.present or i not in other.present:
                continue
            if one.history.head_before(step) != other.history.head_before(step):
                self.wrong.append(f"{NAMES[i]} and {NAMES[j]} have two heads for step {step}")

    def judge(self) -> str:
        """How it came out; what is wrong goes to `wrong`."""
        self.check_forks(self.waiting)  # those who were told two histories have met
        over = [self.tables[p] for p in self.honest if self.tables[p].phase is Phase.OVER]
        if not self.wrong:
            self._judge_records(over)
        if self.wrong:
            return "wrong"
        if not self.waiting:
            return self._how_it_ended(over)
        return self._why_paused()

    def _judge_records(self, over: Sequence[Table]) -> None:
        if len({table.transcript() for table in over}) > 1:
            self.wrong.append("those that finished have different transcripts")
        for table in over[:1]:
            report = audit(table.transcript(), lambda _: self.game)
            lied = report.culprit in {NAMES[peer] for peer in self.liars}
            if not (report.ok or lied):
                self.wrong.append(f"the audit says {report.trouble or report.unchecked}")
            elif report.outcome != table.outcome:
                self.wrong.append(f"the outcome is {table.outcome}, by the record {report.outcome}")

    def _how_it_ended(self, over: Sequence[Table]) -> str:
        if over:
            return "finished"
        tables = [self.tables[peer] for peer in self.honest if peer not in self.leaving]
        if any(table.fault for table in tables):
            return "ended by a proof"
        if self.gentle and not self.liars:
            states = [(t.phase.value, str(t.ended)) for t in self.tables]
            self.wrong.append(f"nobody finished: {states}")
            return "wrong"
        return "ended without a result"

    def _why_paused(self) -> str:
        """Why those who wait do, which their screens must tell."""
        for peer in self.waiting:
            if not self.votings[peer].absences(self.now):
                self.wrong.append(f"{NAMES[peer]} waits, and its screen does not say for whom")
                return "wrong"
        present = self.tables[self.waiting[0]].present
        up = [peer for peer in present if peer not in self.dead]
        if 2 * len(up) <= len(present):
            kind = "paused without a majority"
        elif any(self._in_the_window(peer) for peer in self.waiting):
            kind = "paused in the window"
        elif any(self._is_held(self.tables[peer]) for peer in self.waiting):
            kind = "paused for one who was back and is lost again"
        elif self.liars:
            kind = "paused by a liar"
        else:
            kind = "stuck"
        if kind == "stuck" or (self.gentle and kind != "paused by a liar"):
            said = {NAMES[p]: self.votings[p].absences(self.now) for p in self.waiting}
            self.wrong.append(f"{kind}: {said}")
            return "wrong"
        return kind

    def _in_the_window(self, peer: int) -> bool:
        """Whether a ballot waits for somebody who crashed, and names somebody who is there."""
        poll = self.tables[peer]._poll
        return any(
            (poll.present - gone) & self.dead and gone - self.dead for gone in poll._not_dead(peer)
        )

    def _is_held(self, table: Table) -> bool:
        """Whether somebody who is there holds something of one who is not: no ballot can name it,
        and its signature is needed."""
        return any(p in self.dead and by not in self.dead for by, p in table._poll.holds())


def play(number: int, games: Sequence[Game[Any]]) -> tuple[str, Chaos]:
    """Play one game: how it came out."""
    chaos = Chaos(number, games)
    try:
        chaos.play()
        return chaos.judge(), chaos
    except Exception as error:
        raise RuntimeError(f"game {number}") from error


def main(argv: Sequence[str] | None = None) -> int:
    """Run the campaign; 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=500, help="how many")
    parser.add_argument("--first", type=int, default=0, help="the number of the first")
    parser.add_argument("--of", nargs="*", default=[], metavar="GAME", help="of these only")
    parser.add_argument("--verbose", action="store_true", help="a line for each game")
    chosen = parser.parse_args(argv)
    known = load_games([])
    games = [known.find(name) for name in chosen.of or TURNS]
    ends: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    began = time.monotonic()
    for number in range(chosen.first, chosen.first + chosen.games):
        start = time.monotonic()
        end, chaos = play(number, games)
        ends[f"{'gentle' if chaos.gentle else 'wild'}, {end}"] += 1
        faults += chaos.faults
        if chaos.wrong or chosen.verbose:
            kind = "gentle" if chaos.gentle else "wild"
            vices = "".join(f", {type(c).__name__} {NAMES[p]}" for p, c in chaos.liars.items())
            took = f"{chaos.now:.0f} s in {time.monotonic() - start:.1f}"
            print(
                f"game {number}: {kind} {chaos.game.id} of {len(chaos.meshes)}{vices}, "
                f"{chaos.tables[0].step} steps, {took}: {end} {' '.join(chaos.wrong[:2])}",
                flush=True,
            )
    wrong = sum(count for end, count in ends.items() if end.endswith("wrong"))
    print(f"{chosen.games} games in {time.monotonic() - began:.0f} s, {wrong} wrong")
    print("; ".join(f"{count} {end}" for end, count in ends.most_common()))
    print(f"faults: {', '.join(f'{count} {fault}' for fault, count in faults.most_common())}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
