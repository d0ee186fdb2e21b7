"""Messages before their step is due: what they cost, and what of them is looked at."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest
from support.games import toy
from support.peers.tabletop import Tabletop, key, make_charter

from sobremesa.core.encoding import frame, pack
from sobremesa.core.errors import BadMessage
from sobremesa.core.replica import transcript
from sobremesa.core.replica.audit import audit
from sobremesa.core.replica.bodies import BODY_LIMITS, LARGEST
from sobremesa.core.replica.faults import Malformed
from sobremesa.core.replica.history import History, Placement
from sobremesa.core.replica.poll import Ballot, write_stand
from sobremesa.core.replica.table import Table
from sobremesa.core.replica.transcript import ENVELOPE, MAGIC, Message, next_head
from sobremesa.core.schema import (
    Bool,
    Bytes,
    Int,
    Kinds,
    ListOf,
    Maybe,
    Row,
    Spec,
    Text,
    Word,
    read_whole,
)
from sobremesa.net.links.frames import LIMIT, SCHEMA

CHARTER = make_charter(toy.GAME, 3)


def started() -> Table:
    table = Table(CHARTER, toy.GAME)
    table.start()
    return table


def largest(spec: Spec) -> Any:
    """The longest value that a spec allows."""
    match spec:
        case Int(_, high):
            return high
        case Bytes(_, high):
            return bytes(high)
        case Text(high):
            return "\U0001f0a1" * high
        case Word(words):
            return max(words, key=len)
        case Bool():
            return True
        case Maybe(inner):
            return largest(inner)
        case ListOf(inner, high):
            return [largest(inner)] * high
        case Row(specs):
            return [largest(inner) for inner in specs]
        case Kinds(rows):
            values = [[kind, *map(largest, specs)] for kind, specs in rows.items()]
            return max(values, key=lambda value: len(pack(value)))
        case _:
            raise AssertionError(spec)


@pytest.mark.parametrize(
    "spec", [*LARGEST.values(), *(spec for row in SCHEMA.values() for spec in row.values())]
)
def test_a_spec_knows_the_most_bytes_that_it_takes(spec: Spec) -> None:
    value = largest(spec)
    data = pack(value)
    assert read_whole(spec, data) == value
    assert len(data) == spec.most


def test_the_largest_message_of_each_kind_goes_into_one_frame() -> None:
    for kind, spec in LARGEST.items():
        body = pack(largest(spec))
        message = Message.make(CHARTER, 999_999, 2, kind, bytes(64), body, key(2).sign)
        assert len(message.payload) <= ENVELOPE.most
        assert Message.read(CHARTER, message.payload, message.signature).body == body
    assert 2 * ENVELOPE.most < LIMIT < 1 << 19, "two make a proof"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({0: b"another table id"}, "a message from another table"),
        ({0: b"x"}, "not a message"),
        ({2: 3}, "a message of nobody at this table"),
        ({2: 8}, "not a message"),
        ({3: "note"}, "not a message"),
        ({4: b"x"}, "not a message"),
        ({5: None}, "not a message"),
        ({5: bytes(BODY_LIMITS["sign"] + 1)}, "a message larger than its kind can be"),
        ({3: "answer", 5: bytes(100_000)}, "a message larger than its kind can be"),
        ({3: "shares", 5: bytes(BODY_LIMITS["shares"] + 1)}, "not a message"),
    ],
)
def test_what_can_be_no_message_is_refused_before_its_signature_is_checked(
    change: dict[int, Any], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def checked(*_: object) -> bool:
        raise AssertionError("the signature was checked")

    monkeypatch.setattr(transcript, "signed_by", checked)
    values = [CHARTER.table, 0, 1, "sign", CHARTER.root(), b"x"]
    payload = pack([change.get(place, value) for place, value in enumerate(values)])
    with pytest.raises(BadMessage, match=f"^{why}$"):
        started().receive(payload, bytes(64))


def test_what_waits_for_its_step_costs_its_bytes_and_no_more() -> None:
    table = started()
    body = b"\xdd\x00\x02\x00\x00" + b"\x90" * 0x20000
    message = Message.make(CHARTER, 7, 1, "shares", bytes(64), body, key(1).sign)
    payload, signature = message.payload, message.signature
    tracemalloc.start()
    assert table.receive(payload, signature) is not None
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 16 * 1024, "the bytes themselves are ours"
    assert peak < 4 * len(payload)


def test_what_waited_convicts_its_signer_when_its_step_shows_that_it_is_none() -> None:
    played = Tabletop(toy.GAME, 3, seed=1)
    played.run(lambda: played.tables[0].step >= 1)
    first = [message for message in played.tables[0].messages() if message.step == 0]
    head, table = next_head(CHARTER.root(), first), started()
    waits = Message.make(CHARTER, 1, 1, "mark", head, b"\xdd\xff\xff\xff\xff", key(1).sign)
    assert table.receive(waits.payload, waits.signature) is not None
    assert table.live
    for message in first:
        table.receive(message.payload, message.signature)
    found = table.convicted[1]
    assert (type(found), found.peer, found.step) == (Malformed, "Bea", 1)
    assert table.leaving() == {1}


def test_a_certificate_shows_the_earliest_fault_of_each_that_it_names() -> None:
    """Whichever of two bad messages came first to whom, all records hold the same one."""
    root, stand = CHARTER.root(), write_stand((Ballot(frozenset({2})),))

    def said(peer: int, kind: str, step: int, body: object) -> Message:
        return Message.make(CHARTER, step, peer, kind, root, pack(body), key(peer).sign)

    def record(*faults: Message) -> list[Message]:
        history = History(root, 3)
        for fault in faults:
            history.convict(fault)
        for peer in (0, 1):
            history.add(said(peer, "stand", 0, stand), Placement.STANDS)
        history.complete(frozenset({2}))
        return history.certificate(0)

    early, late = said(2, "mark", 3, []), said(2, "mark", 5, [])
    assert record(early, late) == record(late, early)
    assert [message for message in record(early, late) if message.peer == 2] == [early]


@pytest.mark.parametrize(
    "rest",
    [
        b"\x90" * (4 << 20),
        b"\xdd\x00\x40\x00\x00" + b"\x90" * (4 << 20),
        pack(["message", b"\x90" * (4 << 20), bytes(64)]),
        pack(["message", pack([[]] * 100_000), bytes(64)]) * 40,
        b"\x91" * (4 << 20),
    ],
    ids=["records", "one list", "a message", "messages", "deep"],
)
def test_a_small_file_does_not_fill_the_memory(rest: bytes) -> None:
    data = MAGIC + pack(["charter", CHARTER.encode()]) + rest
    tracemalloc.start()
    report = audit(data, lambda _: toy.GAME)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "record 1" in str(report.trouble)
    assert peak < 1 << 20


def test_what_a_signature_covers_is_the_packed_body() -> None:
    table = started()
    body = b"\xd9\x01x"  # not in its shortest form: a text, but not as anybody honest packs it
    head = table.replica_state.head
    payload = pack([CHARTER.table, 0, 1, "sign", head, body])
    table.receive(payload, key(1).sign(frame("message", payload)))
    assert type(table.fault) is Malformed
