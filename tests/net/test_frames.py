"""Frames: what fits the schema comes through unchanged, and nothing else comes through at all."""

from __future__ import annotations

import tracemalloc
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sobremesa.core.encoding import pack, unpack
from sobremesa.core.schema import Bool, Bytes, Int, ListOf, Maybe, Row, Spec, Text, Word
from sobremesa.net.links.frames import (
    LIMIT,
    SCHEMA,
    STRANGER_LIMIT,
    BadFrame,
    Frame,
    FrameReader,
)


def fitting(spec: Spec) -> st.SearchStrategy[Any]:
    """Values that the spec allows, its limits among them."""
    match spec:
        case Int(low, high):
            return st.integers(low, high) | st.sampled_from([low, high])
        case Bytes(low, high):
            return st.binary(min_size=low, max_size=min(high, low + 300))
        case Text(high):
            return st.text(st.characters(exclude_categories=["Cs"]), max_size=high)
        case Word(words):
            return st.sampled_from(words)
        case Bool():
            return st.booleans()
        case Maybe(inner):
            return st.none() | fitting(inner)
        case ListOf(inner, high):
            return st.lists(fitting(inner), max_size=min(high, 20))
        case Row(specs):
            return st.tuples(*map(fitting, specs)).map(list)
        case _:
            raise AssertionError(spec)


@st.composite
def frames(draw: st.DrawFn) -> Frame:
    kind = draw(st.sampled_from(sorted(SCHEMA)))
    return Frame.make(kind, **{name: draw(fitting(s)) for name, s in SCHEMA[kind].items()})


def read(data: bytes, limit: int = LIMIT) -> list[Frame]:
    reader = FrameReader(limit)
    reader.add(data)
    found = []
    while (frame := reader.next()) is not None:
        found.append(frame)
    return found


def packed(value: Any) -> bytes:
    payload: bytes = msgpack.packb(value)
    return len(payload).to_bytes(4, "big") + payload


def say(text: str) -> Frame:
    return Frame.make("calloff", text=text)


@given(frames())
def test_every_frame_is_canonical_msgpack_and_reads_back_as_itself(frame: Frame) -> None:
    assert unpack(frame.payload) == [frame.kind, *frame.values.values()]
    assert read(frame.encoded) == [frame]


@given(st.lists(frames(), max_size=4), st.data())
def test_the_cuts_of_the_network_change_nothing(sent: list[Frame], data: st.DataObject) -> None:
    stream = b"".join(frame.encoded for frame in sent)
    reader = FrameReader(LIMIT)
    found: list[Frame] = []
    while stream:
        cut = data.draw(st.integers(1, len(stream)))
        reader.add(stream[:cut])
        stream = stream[cut:]
        while (frame := reader.next()) is not None:
            found.append(frame)
    assert found == sent


@given(frames(), st.data())
def test_a_flipped_bit_is_refused_or_gives_another_valid_frame(
    frame: Frame, data: st.DataObject
) -> None:
    damaged = bytearray(frame.payload)
    place = data.draw(st.integers(0, len(damaged) * 8 - 1))
    damaged[place // 8] ^= 1 << place % 8
    try:
        other = Frame.read(bytes(damaged))
    except BadFrame:
        return
    assert other != frame
    assert Frame.make(other.kind, **other.values).payload == bytes(damaged)


@given(frames(), st.data())
def test_a_frame_cut_short_is_refused(frame: Frame, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(frame.payload) - 1))
    with pytest.raises(BadFrame):
        Frame.read(frame.payload[:cut])


@given(st.binary(max_size=200))
def test_random_bytes_are_refused_or_canonical(data: bytes) -> None:
    try:
        frame = Frame.read(data)
    except BadFrame:
        return
    assert pack([frame.kind, *frame.values.values()]) == data


HELLO: list[Any] = ["hello", 1, "join", None, bytes(32), bytes(32), None]


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ([], "a row of a wrong length"),
        ({}, "a value that is not a list"),
        (["dance"], "an unknown word"),
        ([7], "a value that is not a text"),
        (["x" * 21], "a text that is too long"),
        (["ready"], "a ready of a wrong length"),
        (["ready", True], "a ready of a wrong length"),
        (["ready", 1, bytes(32)], "a value that is not true or false"),
        (["ready", None, bytes(32)], "a value that is not true or false"),
        (["calloff", b"bytes"], "a value that is not a text"),
        (["calloff", "x" * 501], "a text that is too long"),
        (["calloff", "x" * 3000], "a text that is too long"),
        (["chat", -1, 0, "x", bytes(64)], "a value that is not a number"),
        (["chat", 8, 0, "x", bytes(64)], "a number out of range"),
        (["chat", 1.0, 0, "x", bytes(64)], "a value that is not a number"),
        (["chat", True, 0, "x", bytes(64)], "a value that is not a number"),
        (["chat", 1, 0, "x", bytes(63)], "bytes of a wrong length"),
        (["chat", 1, 0, "x", "x" * 64], "a value that is not bytes"),
        (["have", 2**32, bytes(64), bytes(32)], "a number out of range"),
        (["agreed", [bytes(32)] * 1025], "a list that is too long"),
        (["beat", [[0, 0, 0, True]]], "a row of a wrong length"),
        (["beat", [0]], "a value that is not a list"),
        ([*HELLO[:2], "look", *HELLO[3:]], "an unknown word"),
        ([*HELLO[:3], bytes(15), *HELLO[4:]], "bytes of a wrong length"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_reason(value: Any, why: str) -> None:
    with pytest.raises(BadFrame, match=f"^{why}$"):
        read(packed(value))


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        (msgpack.packb(["wish"]) + b"\0", "bytes left over"),
        (b"\x92\xd9\x05ready\xc3", "a value that is not in its shortest form"),
        (b"\xdc\x00\x02\xa5ready\xc3", "a value that is not in its shortest form"),
        (
            b"\x95\xa4chat\xcc\x01\x00\xa0\xc4\x40" + bytes(64),
            "a value that is not in its shortest form",
        ),
        (b"\x92\xa7calloff\xa2x", "bytes that end too early"),
        (b"\x92\xa7calloff\xa1\xff", "a text that is not UTF-8"),
        (b"\x92\xa7calloff\xa3\xed\xa0\x80", "a text that is not UTF-8"),
    ],
)
def test_bytes_have_one_reading(payload: bytes, why: str) -> None:
    with pytest.raises(BadFrame, match=f"^{why}$"):
        Frame.read(payload)


def test_lengths_that_cannot_be_are_refused_at_once() -> None:
    with pytest.raises(BadFrame, match="an empty frame"):
        read(bytes(4))
    with pytest.raises(BadFrame, match=f"a frame of more than {LIMIT} bytes"):
        read(b"\xff\xff\xff\xff")


def test_strangers_may_send_four_kibibytes_and_peers_more() -> None:
    big = Frame.make("msg", payload=bytes(STRANGER_LIMIT), sig=bytes(64)).encoded
    with pytest.raises(BadFrame, match="more than 4096 bytes"):
        read(big, STRANGER_LIMIT)
    assert len(read(big, LIMIT)) == 1


def test_the_limit_can_be_raised_between_two_frames() -> None:
    big = Frame.make("msg", payload=bytes(STRANGER_LIMIT), sig=bytes(64))
    reader = FrameReader()
    reader.add(say("first").encoded + big.encoded)
    assert reader.next() == say("first")
    reader.limit = LIMIT
    assert reader.next() == big


def test_a_frame_that_does_not_fit_is_never_made() -> None:
    with pytest.raises(ValueError, match="cannot hold a text that is too long"):
        say("x" * 501)
    with pytest.raises(ValueError, match="has text and nothing else"):
        Frame.make("calloff", word="x")


@pytest.mark.parametrize(
    "attack",
    [
        b"\x80\x00\x00\x00",
        b"\x7f\xff\xff\xff" + bytes(1000),
        (LIMIT + 1).to_bytes(4, "big") + bytes(1000),
        LIMIT.to_bytes(4, "big") + b"\x91" * LIMIT,
        LIMIT.to_bytes(4, "big") + b"\xdd\xff\xff\xff\xff" + b"\x90" * (LIMIT - 5),
        LIMIT.to_bytes(4, "big") + b"\x92\xa7calloff\xdb\xff\xff\xff\xff" + bytes(LIMIT - 10),
        LIMIT.to_bytes(4, "big") + b"\x92\xa4beat\xdd\x00\x0f\x00\x00" + b"\x90" * (LIMIT - 11),
        (10_000).to_bytes(4, "big") + b"\x81\xa1x" * 3333 + b"\xc0",
    ],
    ids=["2 GiB", "2 GiB less one", "over", "deep", "wide", "long text", "many rows", "deep maps"],
)
def test_no_attack_costs_memory_beyond_its_own_bytes(attack: bytes) -> None:
    reader = FrameReader(LIMIT)
    reader.add(attack)
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    with pytest.raises(BadFrame):
        reader.next()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak - before < len(attack) + 64 * 1024


def test_what_is_said_of_bad_bytes_does_not_repeat_them() -> None:
    with pytest.raises(BadFrame) as caught:
        read(packed(["\x1b[2Jevil"]))
    assert "evil" not in str(caught.value)
