"""A replica that comes back: made again from what it kept, which is charter, seed, log and answers.

Rule 1: what we signed over, we had checked: the steps before our last own message need no second
check of signatures and proofs. The record is our own word; who can write it can read the seed and
the key beside it. What came later is checked like anything from elsewhere, and so are the steps on
which there was a vote: what convicted somebody stands there.
Rule 2: nothing is signed here. The record may lack the end of what we said, so whoever holds the
table first hears from another peer what that holds of us, and has it `speak` then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sobremesa.core.crypto.slices import Work
from sobremesa.core.pieces import Seat

from .table import Table
from .transcript import LEAVE, STAND, Message, Record


def restore(
    table: Table, records: Sequence[Record], answers: Mapping[tuple[int, Seat], str]
) -> Work[None]:
    """Start a table that has not begun, silent, and bring it to where the `records` of its log end.
    `answers` are those that our players gave, by step and seat."""
    messages = [Message.recall(*record) for record in records]
    ours = [m.step for m in messages if m.peer == table.me and m.kind != LEAVE]
    checked = max(ours, default=0)
    voted = {m.step for m in messages if m.kind == STAND}
    table.start(answers, silent=True)
    for message in messages:
        if message.step < checked and message.step not in voted:
            table.recall(message)
        else:
            table.receive(message.payload, message.signature)
        while table.busy:
            table.work()
            yield
        yield
    table.forced.clear()
