"""Long work is cut: between two rests there are never many multiplications, counted, not timed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import nacl.bindings as sodium
import pytest
from support.games.flowers import GAME
from support.games.scripts import outcome, toy
from support.peers.tabletop import Tabletop, key, make_charter, seed_of

from sobremesa.core.crypto.group import add, base, hash_to_point
from sobremesa.core.crypto.shuffle import (
    generator,
    read_points,
    shuffle,
    verify_shuffle,
    write_pairs,
)
from sobremesa.core.crypto.slices import SLICE, Work, finish
from sobremesa.core.encoding import Rand
from sobremesa.core.game import Outcome
from sobremesa.core.pieces import Seat
from sobremesa.core.replica.table import Table
from sobremesa.core.requests import Mark, Script, Shuffle

COSTS = {
    "crypto_scalarmult_ed25519_noclamp": 1.0,
    "crypto_scalarmult_ed25519_base_noclamp": 0.25,
    "crypto_core_ed25519_is_valid_point": 0.5,
    "crypto_core_ed25519_from_uniform": 0.5,
    "crypto_core_ed25519_add": 0.2,
    "crypto_core_ed25519_sub": 0.2,
}
"""What a call costs, rounded up, in multiplications."""


@dataclass(slots=True)
class Counter:
    """The cost of what was finish since it was last asked."""

    spent: float = 0.0

    def take(self) -> float:
        spent, self.spent = self.spent, 0.0
        return spent


@pytest.fixture
def counter(monkeypatch: pytest.MonkeyPatch) -> Counter:
    counter = Counter()

    def counted(name: str, cost: float) -> Callable[..., Any]:
        real = getattr(sodium, name)

        def call(*args: Any) -> Any:
            counter.spent += cost
            return real(*args)

        return call

    for name, cost in COSTS.items():
        monkeypatch.setattr(sodium, name, counted(name, cost))
    return counter


def costs(work: Work[Any], counter: Counter) -> tuple[list[float], Any]:
    """The cost of each slice, and what the work returns."""
    slices: list[float] = []

    def watched() -> Work[Any]:
        while True:
            counter.take()
            try:
                next(work)
            except StopIteration as stop:
                slices.append(counter.take())
                return stop.value
            slices.append(counter.take())
            yield

    result = finish(watched())
    return slices, result


@pytest.mark.parametrize("count", [1, 15, 52, 109])
def test_no_slice_of_a_shuffle_is_long(count: int, counter: Counter) -> None:
    joint = base(7)
    cards = [(base(n + 1), add(hash_to_point("card", n), joint)) for n in range(count)]
    for index in range(count + 1):
        generator(index)  # once for all shuffles
    made_in, made = costs(shuffle(b"c", joint, cards, b"s" * 32), counter)
    read_in, _ = costs(read_points(write_pairs(made.cards), 2 * count), counter)
    checked_in, holds = costs(verify_shuffle(b"c", joint, cards, made.cards, made.proof), counter)
    assert holds
    sums = 0.4 * count  # of all commitments and generators, which is not worth a rest
    for slices in (made_in, read_in, checked_in):
        assert max(slices) <= 2 * SLICE + sums
        assert len(slices) >= sum(slices) / (2 * SLICE) - 2
    assert sum(made_in) >= 8 * count
    assert len(made_in) >= 8 * count / SLICE


def test_a_table_never_works_long_without_a_rest(counter: Counter) -> None:
    """Four peers; each call of `receive`, `answer` and `work` counts."""
    charter = make_charter(GAME, 4)
    tables = [
        Table(charter, GAME, me=i, sign=key(i).sign, vault={i: Rand(seed_of(i, 3))}, at_once=False)
        for i in range(4)
    ]
    sent = [[0] * 4 for _ in tables]
    longest = total = 0.0

    def call(action: Callable[..., Any], *args: Any) -> None:
        nonlocal longest, total
        counter.take()
        action(*args)
        spent = counter.take()
        longest, total = max(longest, spent), total + spent

    for table in tables:
        call(table.start)
    while not all(table.over for table in tables):
        busy = [table for table in tables if table.busy]
        for table in busy:
            call(table.work)
        for i, table in enumerate(tables):
            for j, other in enumerate(tables):
                while i != j and sent[i][j] < len(table.log):
                    message = table.log[sent[i][j]]
                    sent[i][j] += 1
                    call(other.receive, message.payload, message.signature)
            for seat, question in list(table.asked.items()):
                answer = question.sample(lambda n: 0, table.faces(seat))
                call(table.answer, seat, answer)
        assert all(table.fault is None and table.ended is None for table in tables)
    assert len({table.transcript() for table in tables}) == 1
    assert total > 1000
    assert longest <= 2.5 * SLICE


def test_any_number_of_shuffles_in_a_row_is_done_at_once() -> None:
    """Alone nothing comes from outside: one step follows from the other."""

    def play(seats: tuple[Seat, ...], options: Any) -> Script[Outcome]:
        yield Mark(None)
        cards = yield Shuffle(("a", "b"))
        for _ in range(300):
            cards = yield Shuffle(cards)
        return outcome(*seats)

    (table,) = Tabletop(toy(play), 1).run().tables
    assert table.over
    assert table.step > 300
