"""Dialling: the right peer is found among useless addresses, and a failure is explained."""

from __future__ import annotations

import asyncio
import errno
import re
import socket
import ssl
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from support.peers.links import CODE, TABLE, TestGate, opened, silence
from support.peers.tap import tap

from sobremesa.net.identity import Identity
from sobremesa.net.links import dial as module
from sobremesa.net.links.addresses import Address
from sobremesa.net.links.dial import DialFailed, Patience, Redial, dial, knock, probe
from sobremesa.net.links.frames import Frame
from sobremesa.net.links.limits import Limits
from sobremesa.net.links.link import Link
from sobremesa.net.links.tls import Certificate

QUICK = Patience(stagger=0.05, connect=0.5, handshake=3.0)


async def join(
    *addresses: Address,
    code: str | None = CODE,
    table: bytes | None = None,
    whom: bytes | None = None,
) -> Link:
    return await dial(
        Identity.fresh(),
        addresses,
        "join",
        code=code,
        table=table,
        whom=whom,
        patience=QUICK,
    )


async def end(link: Link) -> None:
    link.abort("closed", "the test is over")
    await asyncio.sleep(0)


async def failing(*addresses: Address, code: str | None = CODE) -> DialFailed:
    with pytest.raises(DialFailed) as caught:
        await join(*addresses, code=code)
    text = str(caught.value)
    assert "\n" not in text
    assert text.endswith((".", "?", ")"))
    return caught.value


def closed_port() -> Address:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return Address("127.0.0.1", taken.getsockname()[1])


@asynccontextmanager
async def stranger(
    answer: bytes | None, *, tls: bool = False, newest: ssl.TLSVersion | None = None
) -> AsyncIterator[Address]:
    """Something else that listens; it says `answer` at once, or nothing at all."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if answer is not None:
            writer.write(answer)
        try:
            await reader.read()
        except OSError:
            pass
        finally:
            writer.transport.abort()

    context = Certificate().context if tls else None
    if context and newest:
        context.minimum_version = context.maximum_version = newest
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    yield Address("127.0.0.1", server.sockets[0].getsockname()[1])
    server.close()
    await asyncio.sleep(0.05)


async def test_a_link_comes_to_be_in_spite_of_useless_addresses() -> None:
    async with opened() as host, stranger(None) as deaf, stranger(b"220 mail\r\n") as mail:
        start = time.monotonic()
        link = await join(deaf, closed_port(), mail, host.address)
        assert link.key == host.me.key
        assert time.monotonic() - start < 3
        await end(link)


async def test_no_list_of_addresses_makes_us_sweep_a_network() -> None:
    async with silence() as strangers:
        assert (await failing(*strangers.addresses(1, 20))).code == "timeout"
        assert (strangers.most, strangers.tries) == (3, 16)


async def test_the_right_table_is_found_behind_another_one() -> None:
    other = TestGate(table=bytes(16), code=None)
    async with opened(other) as wrong, opened(TestGate(code=None)) as right:
        link = await join(wrong.address, right.address, code=None, table=TABLE)
        assert link.table == TABLE
        await end(link)
        link = await join(wrong.address, right.address, code=None, whom=right.me.key)
        assert link.key == right.me.key
        await end(link)


async def test_one_join_is_one_try_at_the_code_whatever_the_number_of_addresses() -> None:
    async with opened(limits=Limits(between_tries=0.01)) as host:
        twice = Address("127.0.0.2", host.listener.port)
        assert (await failing(host.address, twice, code="000000")).code == "code"
        assert host.gate.wrong_tries == 1


async def test_no_stranger_at_one_of_its_addresses_keeps_us_from_a_peer() -> None:
    me, bye = Identity.fresh(), Frame.bye("full", "Nobody is here.").encoded
    async with (
        opened(TestGate(peers=frozenset({me.key}))) as host,
        stranger(bye, tls=True) as liar,
    ):
        link = await dial(
            me, [liar, host.address], "peer", table=TABLE, whom=host.me.key, patience=QUICK
        )
        assert link.key == host.me.key
        await end(link)


async def test_a_guest_comes_again_to_a_door_that_is_crowded() -> None:
    async with opened(limits=Limits(between_tries=1.5, handshake=0.6)) as host:
        assert (await failing(host.address, code="000000")).code == "code"
        assert (await failing(host.address)).code == "lost"
        assert (await failing(host.address, code=None)).code == "code"
        link = await knock(Identity.fresh(), [host.address], code=CODE)
        await end(link)
        with pytest.raises(DialFailed, match="not the table's code"):
            await knock(Identity.fresh(), [host.address], code="000000")


async def test_each_kind_of_failure_has_its_words() -> None:
    error = await failing(closed_port())
    assert (error.code, "Nobody listens at 127.0.0.1:" in str(error)) == ("closed", True)
    async with stranger(b"SSH-2.0-x\r\n") as ssh:
        assert (await failing(ssh)).code == "stranger"
    async with stranger(b"HTTP/1.1 400 Bad Request\r\n\r\n", tls=True) as web:
        assert (await failing(web)).code == "stranger"
    async with stranger(None) as deaf:
        assert (await failing(deaf)).code == "timeout"
    assert (await failing()).code == "nowhere"
    async with opened(TestGate(refusal="Table full (4/4)")) as full:
        error = await failing(full.address)
        assert (error.code, str(error)) == ("refused", "Table full (4/4)")
    async with opened() as host:
        assert (await failing(host.address, code="000000")).code == "code"
        assert (await failing(host.address, code=None)).code == "code"
    async with opened(TestGate(code=None)) as host:
        assert (await failing(host.address)).code == "open"


async def test_the_tables_answer_tells_more_than_a_dead_address() -> None:
    async with opened(TestGate(refusal="Table full (4/4)")) as full, stranger(None) as deaf:
        assert (await failing(closed_port(), deaf, full.address)).code == "refused"


async def test_another_table_tells_more_than_a_dead_address() -> None:
    async with opened(TestGate(code=None)) as other, stranger(None) as deaf:
        with pytest.raises(DialFailed) as caught:
            await join(other.address, deaf, code=None, table=bytes(16))
        assert caught.value.code == "table"


async def test_an_old_tls_is_not_spoken() -> None:
    async with stranger(None, tls=True, newest=ssl.TLSVersion.TLSv1_2) as old:
        assert (await failing(old)).code in ("stranger", "lost")


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (OSError(errno.EHOSTUNREACH, "x"), "unreachable", "No way to h:1"),
        (OSError(errno.ENETUNREACH, "x"), "unreachable", "on the same network"),
        (OSError(errno.EMFILE, "x"), "unreachable", "Cannot dial h:1: Too many open files."),
        (socket.gaierror(socket.EAI_NONAME, "x"), "name", "no machine called h"),
        (ConnectionResetError(), "lost", "hung up"),
    ],
)
def test_errors_of_the_system_are_told_in_the_players_words(
    error: OSError, code: str, words: str
) -> None:
    failure = module._explain(Address("h", 1), error)
    assert failure.code == code
    assert words in str(failure)


def test_a_mac_is_told_of_the_local_network_permission(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    failure = module._explain(Address("h", 1), OSError(errno.EHOSTUNREACH, "x"))
    assert re.search("System Settings.*Local Network", str(failure))


async def test_a_relay_that_ends_tls_in_the_middle_is_refused_by_both() -> None:
    for code in (CODE, None):
        async with (
            opened(TestGate(code=code)) as host,
            tap(host.address, lambda chunk, _: [chunk], inside_tls=True) as (middle, _),
        ):
            assert (await failing(middle, code=code)).code == "key"
            await asyncio.sleep(0.1)
            assert host.links.empty()


async def test_a_recorded_visit_cannot_be_replayed() -> None:
    async with opened() as host, tap(host.address, lambda chunk, _: [chunk]) as (middle, heard):
        await end(await join(middle))
        await host.links.get()
        reader, writer = await asyncio.open_connection(*host.address)
        writer.write(b"".join(heard))
        async with asyncio.timeout(10):
            try:
                while await reader.read(65536):
                    pass
            except ConnectionError:
                pass
        writer.transport.abort()
        await asyncio.sleep(0)
        assert host.links.empty()


async def talk_through(host_address: Address, harm: object) -> str:
    """Join through a tap that harms bytes, and say ten things; how it ended."""
    async with tap(host_address, harm) as (middle, _):  # type: ignore[arg-type]
        try:
            link = await join(middle)
        except DialFailed as error:
            return f"no link: {error.code}"
        for n in range(10):
            await link.send(Frame.make("calloff", text=f"{n} " + "x" * 100))
        await asyncio.sleep(0.02)
        await end(link)
        return "linked"


async def heard_through(harm: object) -> list[Frame]:
    """What the listener hears of somebody who talks through the tap, to the end of the link."""
    async with opened(limits=Limits(handshake=0.5)) as host:
        await talk_through(host.address, harm)
        async with asyncio.timeout(10):
            if host.links.empty():
                return []
            link = await host.links.get()
            return [frame async for frame in link.frames()]


def flip(at: int) -> object:
    def harm(chunk: bytes, offset: int) -> list[bytes]:
        damaged = bytearray(chunk)
        if offset <= at < offset + len(chunk):
            damaged[at - offset] ^= 0x10
        return [bytes(damaged)]

    return harm


def cut(at: int) -> object:
    return lambda chunk, offset: None if offset + len(chunk) > at else [chunk]


def twice(at: int) -> object:
    return lambda chunk, offset: [chunk] * (2 if offset <= at < offset + len(chunk) else 1)


def drop(at: int) -> object:
    return lambda chunk, offset: [] if offset <= at < offset + len(chunk) else [chunk]


def swap(at: int) -> object:
    held: list[bytes] = []

    def harm(chunk: bytes, offset: int) -> list[bytes]:
        if offset <= at < offset + len(chunk):
            held.append(chunk)
            return []
        return [chunk, *[held.pop() for _ in range(len(held))]]

    return harm


@pytest.mark.parametrize("harm", [flip, cut, twice, drop, swap])
async def test_harmed_bytes_end_the_link_and_never_become_other_frames(harm: object) -> None:
    said = [Frame.make("calloff", text=f"{n} " + "x" * 100) for n in range(10)]

    for at in (0, 3, 100, 250, 400, 500, 600, 700, 900, 1100, 1500):
        heard = await heard_through(harm(at))  # type: ignore[operator]
        assert heard == said[: len(heard)]


async def test_unharmed_bytes_arrive_through_the_tap() -> None:
    assert len(await heard_through(lambda chunk, _: [chunk])) == 10


async def test_a_probe_is_answered_by_the_address_that_works() -> None:
    async with opened() as host:
        listing, seconds, address = await probe([closed_port(), host.address], QUICK)
        assert (listing, address) == (b"a listing", host.address)
        assert 0 <= seconds < 30


def test_a_peer_is_redialled_at_once_and_then_ever_more_rarely() -> None:
    redial = Redial()
    assert [redial.next(0) for _ in range(7)] == [0, 0.5, 1, 2, 2, 2, 2]
    redial.reset()
    assert redial.next(1) == 0
    assert [redial.next(1), redial.next(-1)] == [0.625, 0.75]
