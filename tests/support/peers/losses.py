"""Exchanges and whole games by hand: everybody's honest messages, with peers lost in chosen steps
as a certificate would have it.

Rule 1: one state knows all seeds, so one replica speaks for everybody. What a seat sees it still
computes from that peer's own secrets and from what was said.
Rule 2: a peer is lost as the table will have it: it is named before the step goes on, its message
is dropped though it was there, and later steps do not wait for it. Somebody always stays.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from support.peers.tabletop import make_charter, seed_of

from sobremesa.core.crypto import shuffle as shuffle_module
from sobremesa.core.crypto.slices import Work, finish, is_work
from sobremesa.core.encoding import Rand, pack
from sobremesa.core.game import Game, Outcome
from sobremesa.core.replica import card_keys as card_keys_module
from sobremesa.core.replica import cards as cards_module
from sobremesa.core.replica.dispatch import exchange
from sobremesa.core.replica.life import closing
from sobremesa.core.replica.state import ReplicaState
from sobremesa.core.replica.steps import Bodies, Body, Choices, Exchange, Step
from sobremesa.core.requests import Request
from sobremesa.core.script import ScriptRun

Losses = Callable[[int, Step], Collection[int]]
"""Who is lost in a step, by its number from 0."""


def at_steps(lost: Mapping[int, Collection[int]]) -> Losses:
    """Losses in steps of these numbers."""
    return lambda number, step: lost.get(number, ())


class HandTable:
    """A table of honest peers that is driven by hand. `steps` are the kinds of its steps with the
    peers that were called for. `answers` are given by seat; other seats answer at random. Messages
    are checked, unless `checked` is False."""

    def __init__(
        self,
        game: Game[Any],
        owners: Sequence[int],
        options: Mapping[str, str] | None = None,
        *,
        seed: int = 0,
        backup: bool = True,
        lost: Losses = lambda number, step: (),
        checked: bool = True,
    ) -> None:
        peers = max(owners) + 1
        charter = make_charter(game, peers, options, owners)
        charter = replace(charter, settings=replace(charter.settings, backup=backup))
        run = ScriptRun(game, charter.seat_names, dict(charter.options))
        self.rands = {peer: Rand(seed_of(peer, seed)) for peer in range(peers)}
        self.state = ReplicaState(charter, run, self.rands)
        self.steps: list[tuple[str, tuple[int, ...]]] = []
        self.answers: dict[str, str] = {}
        self.bodies: list[Bodies] = []
        self.lost = lost
        self.checked = checked
        self._pick = random.Random(f"by hand {seed}").randrange

    def do(self, request: Request | Exchange[Any]) -> Any:
        """The result of a request, or of an exchange."""
        life = request if hasattr(request, "send") else exchange(self.state, request)  # type: ignore[arg-type]
        choices: dict[str, str] = dict(self.answers)
        bodies: Bodies | None = None
        while True:
            try:
                step = life.send(bodies)  # type: ignore[arg-type]
            except StopIteration as stop:
                return stop.value
            bodies = self._take(step, choices)

    def play(self) -> Outcome:
        """The whole game, until all have said how it ended."""
        run = self.state.run
        run.start()
        while run.outcome is None:
            assert run.request is not None
            run.resume(self.do(run.request))
        self.do(closing(self.state, run.outcome))
        return run.outcome

    def _take(self, step: Step, choices: dict[str, str]) -> Bodies:
        state = self.state
        wanted = tuple(peer for peer in step.peers if peer in state.present)
        if not wanted:
            return {}
        gone = self._gone(step)
        self.steps.append((step.kind, wanted))
        self._choose(step, choices)
        bodies = {p: self._body(step, p, choices) for p in wanted if p not in gone}
        self.bodies.append(bodies)
        state.step += 1
        state.lose(gone)
        return bodies

    def _gone(self, step: Step) -> frozenset[int]:
        named = set(self.lost(len(self.steps), step)).intersection(self.state.present)
        names = {fault.peer for fault in self.state.convicted}
        named |= {p for p in self.state.present if self.state.charter.name_of(p) in names}
        return frozenset(named if len(named) < len(self.state.present) else ())

    def _choose(self, step: Step, choices: dict[str, str]) -> None:
        for seat, question in step.asks.items():
            if seat not in choices:
                faces = self.state.faces(seat)
                answer = question.only_answer(faces) or question.sample(self._pick, faces)
                choices[seat] = question.write(answer)

    def _body(self, step: Step, peer: int, choices: Choices) -> Body:
        made = step.owe(peer, self.rands[peer], choices)
        body = finish(made) if is_work(made) else made
        if self.checked:
            assert step.read(peer, pack(body)) == body
            check = step.check(peer, body)
            if check is not None:
                finish(check)
        return body


@contextmanager
def without_proofs() -> Iterator[None]:
    """Nobody proves anything, for whole games in a moment: for tables that are not `checked`."""

    def prove(*statement: Any) -> Work[bytes]:
        return b""
        yield

    def prove_shuffle(*statement: Any) -> Work[list[bytes]]:
        return [b"", b"", b""]
        yield

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cards_module, "prove", prove)
        patch.setattr(card_keys_module, "prove", prove)
        patch.setattr(shuffle_module, "_prove", prove_shuffle)
        yield
