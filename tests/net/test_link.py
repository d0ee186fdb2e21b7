"""Links over real sockets: what is sent arrives, and every way of ending is noticed and named."""

from __future__ import annotations

import asyncio

import pytest
from support.peers.links import CODE, linked, opened

from sobremesa.core.replica.transcript import ENVELOPE
from sobremesa.net.identity import Identity
from sobremesa.net.links.dial import dial
from sobremesa.net.links.frames import Frame
from sobremesa.net.links.link import Ending, Link, Pace

QUICK = Pace(silence=0.4, stall=0.4, farewell=0.5)


def say(text: str) -> Frame:
    return Frame.make("calloff", text=text)


async def read_all(link: Link) -> list[Frame]:
    return [frame async for frame in link.frames()]


async def test_frames_arrive_in_order_both_ways() -> None:
    async with linked() as (here, there):
        for n in range(50):
            await here.send(say(f"to {n}"))
            await there.send(say(f"fro {n}"))
        to = [await there.receive() for _ in range(50)]
        fro = [await here.receive() for _ in range(50)]
        assert to == [say(f"to {n}") for n in range(50)]
        assert fro == [say(f"fro {n}") for n in range(50)]


async def test_both_ends_know_each_other() -> None:
    async with opened() as host:
        me = Identity.fresh()
        here = await dial(me, [host.address], "join", code=CODE)
        there = await host.links.get()
        assert (here.key, here.dialled, here.mode) == (host.me.key, True, "join")
        assert (there.key, there.dialled, there.mode) == (me.key, False, "join")
        assert here.table == there.table == host.gate.table
        assert here.address == there.address == "127.0.0.1"
        here.abort("closed", "")


async def test_the_largest_message_arrives_whole() -> None:
    async with linked() as (here, there):
        big = Frame.make("msg", payload=bytes(ENVELOPE.most), sig=bytes(64))
        sending = asyncio.create_task(here.send(big))
        assert await there.receive() == big
        await sending


async def test_goodbye_is_heard_after_everything_said_before_it() -> None:
    async with linked() as (here, there):
        for n in range(20):
            await here.send(say(str(n)))
        closing = asyncio.create_task(here.close("leave", "Ana leaves the table."))
        heard = await read_all(there)
        await closing
        assert heard == [say(str(n)) for n in range(20)]
        assert there.closed_why == Ending("leave", "Ana leaves the table.")
        assert here.closed_why == Ending("closed", "Ana leaves the table.")


async def test_two_goodbyes_that_cross_end_at_once() -> None:
    async with linked(Pace(silence=60, farewell=60)) as (here, there):
        async with asyncio.timeout(10):
            await asyncio.gather(here.close("a", "a"), there.close("b", "b"))


async def test_goodbye_to_a_frozen_peer_ends_in_time() -> None:
    async with linked(Pace(silence=60, farewell=0.3)) as (here, _frozen):
        async with asyncio.timeout(10):
            await here.close("leave", "bye")
        assert await here.receive() is None


async def test_a_silent_link_is_dropped_and_says_so() -> None:
    async with linked(QUICK) as (here, _silent):
        assert await here.receive() is None
        assert here.closed_why is not None
        assert here.closed_why.code == "silent"


async def test_a_link_on_which_something_is_heard_is_kept() -> None:
    async with linked(QUICK) as (here, there):
        for _ in range(4):
            await asyncio.sleep(QUICK.silence / 2)
            await there.send(say("here"))
            assert await here.receive() == say("here")


async def test_a_reader_that_stopped_stalls_the_writer_and_no_longer() -> None:
    pace = Pace(silence=60, stall=0.5)
    async with linked(pace) as (here, _stopped):
        big = Frame.make("msg", payload=bytes(ENVELOPE.most), sig=bytes(64))
        async with asyncio.timeout(30):
            for _ in range(700):
                await here.send(big)
                if here.closed_why:
                    break
        assert here.closed_why is not None
        assert here.closed_why.code == "stalled"
        await here.send(big)  # nothing happens on a link that ended


async def test_a_broken_connection_is_noticed() -> None:
    async with linked() as (here, there):
        there.abort("closed", "pulled")
        assert await here.receive() is None
        assert here.closed_why is not None
        assert here.closed_why.code == "lost"


@pytest.mark.parametrize(
    "rubbish",
    [
        b"\x7f\xff\xff\xff",
        bytes(4),
        b"\x00\x10\x00\x01",
        b"\x00\x00\x00\x05hello",
        b"\x00\x00\x27\x10" + b"\x91" * 10_000,
    ],
    ids=["two gibibytes", "nothing", "over the limit", "no list", "ten thousand deep"],
)
async def test_a_link_that_carries_rubbish_is_closed_with_the_reason(rubbish: bytes) -> None:
    async with linked() as (here, there):
        there._stream._writer.write(rubbish)
        assert await here.receive() is None
        assert here.closed_why is not None
        assert here.closed_why.code == "bad"
        assert await there.receive() is None
        assert there.closed_why is not None
        assert there.closed_why.code == "bad"
        assert there.closed_why.text.startswith("You sent ")
