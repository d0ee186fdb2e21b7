"""A state machine of real tables: whatever peers, links and one liar do, nobody parts, no innocent
is convicted, and in the end those who are enough have one record of one game."""

from __future__ import annotations

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)
from support.peers.ballots import Ending
from support.peers.company import Company
from support.peers.vices import VICES

ANY = st.integers(0, 1000)
"""One of what there is, counted round."""


class Tables(RuleBasedStateMachine):
    """A `Company` in which anything may happen."""

    company: Company

    @initialize(peers=st.integers(3, 5), vice=st.sampled_from([None, *VICES]), gathered=ANY)
    def start(self, peers: int, vice: str | None, gathered: int) -> None:
        """Of some games the beginning goes well."""
        liars = {peers - 1: VICES[vice]()} if vice else {}
        self.company = Company(peers, seed=gathered, cheats=liars)
        while gathered % 8 and (full := self.company.full()):
            if min(table.step for table in self.company.tables) > 0:
                break
            self.company.deliver(full[0])

    def _live(self, number: int) -> int:
        return self.company.live[number % len(self.company.live)]

    @precondition(lambda self: self.company.full())
    @rule(numbers=st.lists(ANY, min_size=1, max_size=12))
    def deliver(self, numbers: list[int]) -> None:
        """Something comes, on links in any order; now and then again."""
        for number in numbers:
            if full := self.company.full():
                self.company.deliver(full[number % len(full)], keep=number % 11 == 0)

    @precondition(lambda self: self.company.asked())
    @rule(number=ANY)
    def answer(self, number: int) -> None:
        asked = self.company.asked()
        self.company.answer(*asked[number % len(asked)])

    @rule(who=ANY, number=ANY)
    def sign(self, who: int, number: int) -> None:
        peer = self._live(who)
        if ballots := self.company.ballots(peer):
            self.company.sign(peer, ballots[number % len(ballots)])

    @rule(who=ANY, to=ANY, number=ANY)
    def throw(self, who: int, to: int, number: int) -> None:
        """Something comes out of all order."""
        sender, receiver = self._live(who), self._live(to)
        log = self.company.tables[sender].log
        if log and sender != receiver:
            self.company.throw(sender, receiver, number % len(log))

    @rule(number=ANY)
    def cut(self, number: int) -> None:
        links = self.company.links
        self.company.cut(links[number % len(links)])

    @precondition(lambda self: self.company.broken())
    @rule(number=ANY)
    def heal(self, number: int) -> None:
        broken = self.company.broken()
        self.company.heal(broken[number % len(broken)])

    @rule(who=ANY)
    def leave(self, who: int) -> None:
        self.company.leave(self._live(who))

    @rule(who=ANY)
    def kill(self, who: int) -> None:
        peer = self._live(who)
        if peer not in self.company.cheats and len(self.company.live) > 1:
            self.company.kill(peer)

    @precondition(lambda self: self.company.dead)
    @rule(number=ANY, torn=st.integers(0, 2))
    def come_back(self, number: int, torn: int) -> None:
        dead = sorted(self.company.dead)
        self.company.come_back(dead[number % len(dead)], torn)

    @invariant()
    def nothing_is_wrong(self) -> None:
        if hasattr(self, "company"):
            assert self.company.wrong() is None

    def teardown(self) -> None:
        """Nothing more goes wrong."""
        if not hasattr(self, "company"):
            return
        self.company.settle()
        assert (self.company.wrong(), self.company.why_no_record()) == (None, None)
        assert self.company.ending() is not Ending.STUCK


TestTables = Tables.TestCase
TestTables.settings = settings(
    max_examples=60, stateful_step_count=40, suppress_health_check=list(HealthCheck)
)
