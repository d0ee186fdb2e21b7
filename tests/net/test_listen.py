"""The gate: what strangers may take, and that guests get in all the same."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import ssl
import time
from asyncio.sslproto import SSLProtocol
from collections import deque
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import pytest
from support.peers.links import CODE, Opened, TestGate, opened

from sobremesa.net.identity import Identity
from sobremesa.net.links.addresses import Address
from sobremesa.net.links.dial import DialFailed, dial, probe
from sobremesa.net.links.frames import Frame, FrameReader
from sobremesa.net.links.handshake import Dialler
from sobremesa.net.links.limits import Handshakes, Limits, Place, Tries, Try
from sobremesa.net.links.listen import BACKLOG, CannotListen, Listener
from sobremesa.net.links.tls import client_context

SHORT = Limits(handshake=1.0, between_tries=0.2)


# The counting, with the time passed in.


def spoken(handshakes: Handshakes, address: str, *, member: bool = False) -> Place | None:
    """A place from which somebody has spoken."""
    place = handshakes.enter(address, member=member)
    if place is not None:
        place.spoke = True
    return place


def test_eight_may_speak_per_address_and_sixty_four_in_all() -> None:
    handshakes = Handshakes(Limits())
    places = [spoken(handshakes, "a") for _ in range(9)]
    assert None not in places[:8]
    assert places[8] is None
    others = [spoken(handshakes, f"b{n}") for n in range(56)]
    assert None not in others
    assert spoken(handshakes, "a") is None
    assert places[0] is not None
    handshakes.leave(places[0])
    assert spoken(handshakes, "c") is not None


def test_the_oldest_that_has_said_nothing_gives_its_place_up() -> None:
    handshakes = Handshakes(Limits(per_address=2, in_all=4))
    gone: list[str] = []

    def silent(address: str, name: str) -> None:
        place = handshakes.enter(address)
        assert place is not None
        place.turn_away = lambda: gone.append(name)

    silent("a", "a1")
    silent("a", "a2")
    silent("a", "a3")  # its own address is full: its own oldest goes
    assert gone == ["a1"]
    assert spoken(handshakes, "b") is not None
    silent("c", "c1")
    assert spoken(handshakes, "d") is not None  # all is full: the oldest silent one goes
    assert gone == ["a1", "a2"]
    assert spoken(handshakes, "e") is not None
    assert spoken(handshakes, "f") is not None
    assert gone == ["a1", "a2", "a3", "c1"]
    assert handshakes.enter("a") is None  # who speaks is not thrown out for who came more often


def test_of_those_that_speak_the_one_whose_address_came_most_goes() -> None:
    handshakes = Handshakes(Limits(in_all=4))
    gone: list[str] = []

    def speaks(name: str) -> bool:
        place = spoken(handshakes, name[0])
        if place is not None:
            place.turn_away = partial(gone.append, name)
        return place is not None

    assert all(map(speaks, ("a1", "b1", "b2", "b3")))
    assert all(map(speaks, ("c1", "c2")))
    assert gone == ["b1", "b2"]
    assert all(map(speaks, ("d1", "e1")))
    assert gone[2:] == ["b3", "c1"]
    assert not speaks("b4")  # b came four times, and none of these as often


def test_where_each_address_came_once_the_one_that_speaks_longest_goes() -> None:
    # Else so many addresses that say a byte a second would shut the door.
    handshakes = Handshakes(Limits(in_all=2))
    places = [spoken(handshakes, address) for address in ("a", "b")]
    gone: list[str] = []
    assert places[0] is not None
    places[0].turn_away = lambda: gone.append("a")
    assert spoken(handshakes, "c") is not None
    assert gone == ["a"]


def test_who_had_what_it_came_for_keeps_no_place_from_others_and_has_not_come() -> None:
    handshakes = Handshakes(Limits(in_all=1))
    asker = spoken(handshakes, "a")
    assert asker is not None
    asker.served = True
    guest = spoken(handshakes, "b")
    assert guest is not None
    guest.served = True
    assert (handshakes.visits(asker), handshakes.visits(guest)) == (1, 1)
    for place in (asker, guest):
        handshakes.leave(place)
    assert (handshakes.visits(asker), handshakes.visits(guest)) == (0, 0)


def test_those_who_sit_at_the_table_have_places_that_no_stranger_takes() -> None:
    handshakes = Handshakes(Limits(in_all=2, for_members=1))
    member = spoken(handshakes, "a", member=True)
    assert member is not None
    member.turn_away = lambda: pytest.fail("a stranger took it")
    assert None not in [spoken(handshakes, f"b{n}") for n in range(5)]
    handshakes.leave(member)
    assert spoken(handshakes, "d", member=True) is not None


def test_an_ipv6_network_of_64_bits_is_one_address() -> None:
    handshakes = Handshakes(Limits(per_address=1))
    assert spoken(handshakes, "2001:db8::1") is not None
    assert spoken(handshakes, "2001:db8::2:3:4:5") is None
    assert spoken(handshakes, "2001:db8:0:1::1") is not None
    assert spoken(handshakes, "::ffff:10.0.0.1") is not None
    assert spoken(handshakes, "10.0.0.1") is None
    assert handshakes.visits(Place("2001:db8::/64", member=False)) == 2


class Line:
    """The line before the code, of addresses that came so often."""

    def __init__(self, **visits: int) -> None:
        self.tries = Tries(Limits(), lambda place: visits[place.network])
        self.begun: list[str] = []

    def join(self, *networks: str) -> list[Try]:
        line = []
        for network in networks:
            one = Try(Place(network, member=False), partial(self.begun.append, network))
            self.tries.join(one)
            line.append(one)
        return line


def test_all_strangers_together_try_once_in_two_seconds() -> None:
    line = Line(a=1, b=1, c=1)
    assert line.tries.advance(100.0) is None
    line.join("a")
    assert line.tries.advance(100.0) is None
    line.join("b", "c")
    assert line.tries.advance(100.5) == 1.5
    assert line.tries.advance(101.9) == pytest.approx(0.1)
    assert line.begun == ["a"]
    assert line.tries.advance(102.0) == 2.0
    assert line.tries.advance(104.0) is None
    assert len(line.begun) == 3


def test_a_right_try_keeps_nobody_waiting_and_saves_none_up() -> None:
    line = Line(a=1, b=1, c=1)
    line.join("a", "b", "c")
    line.tries.advance(100.0)
    line.tries.give_back()
    assert line.tries.advance(100.1) == 2.0
    assert len(line.begun) == 2
    line.tries.give_back()
    line.tries.give_back()
    line.tries.advance(109.0)
    line.join("a", "b")
    assert line.tries.advance(109.1) == pytest.approx(1.9)


def test_who_came_less_often_tries_before_the_others_and_of_equals_the_newest() -> None:
    line = Line(often=30, twice=2, old=1, new=1)
    gone = line.join("often", "old", "twice", "new")[1]
    line.tries.advance(100.0)
    line.tries.give_up(gone)
    line.tries.advance(102.0)
    line.tries.advance(104.0)
    assert line.begun == ["new", "twice", "often"]


# Over real sockets.


async def raw(host: Opened, source: str = "127.0.0.1") -> socket.socket:
    """A bare TCP connection to the gate."""
    loop = asyncio.get_running_loop()
    connection = socket.socket()
    connection.setblocking(False)
    connection.bind((source, 0))
    await loop.sock_connect(connection, tuple(host.address))
    return connection


async def closed_after(connection: socket.socket) -> float:
    """Seconds until the other side hangs up."""
    start = time.monotonic()
    async with asyncio.timeout(20):
        with contextlib.suppress(ConnectionError):
            while await asyncio.get_running_loop().sock_recv(connection, 4096):
                pass
    connection.close()
    return time.monotonic() - start


@contextlib.asynccontextmanager
async def encrypted(
    host: Opened, source: str = "127.0.0.1"
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection(
        *host.address, ssl=client_context(), server_hostname="x", local_addr=(source, 0)
    )
    try:
        yield reader, writer
    finally:
        writer.transport.abort()
        await asyncio.sleep(0)


async def last_words(reader: asyncio.StreamReader) -> Frame | None:
    """The last frame before the other side hangs up."""
    async with asyncio.timeout(20):
        with contextlib.suppress(ConnectionError):
            frames = FrameReader()
            last = None
            while data := await reader.read(4096):
                frames.add(data)
                while (frame := frames.next()) is not None:
                    last = frame
    return last


async def joins(host: Opened, code: str = CODE) -> float:
    """Seconds that a guest needs to join."""
    start = time.monotonic()
    link = await dial(Identity.fresh(), [host.address], "join", code=code)
    link.abort("closed", "")
    await asyncio.sleep(0)
    return time.monotonic() - start


async def refused(host: Opened, code: str | None) -> str:
    with pytest.raises(DialFailed) as caught:
        await dial(Identity.fresh(), [host.address], "join", code=code)
    return caught.value.code


async def test_silence_before_tls_is_ended_in_time() -> None:
    async with opened(limits=SHORT) as host:
        assert 0.5 < await closed_after(await raw(host)) < 5


async def test_silence_after_tls_is_ended_in_time() -> None:
    async with opened(limits=SHORT) as host, encrypted(host) as (reader, _):
        start = time.monotonic()
        assert await last_words(reader) is None
        assert 0.5 < time.monotonic() - start < 5


async def test_a_hello_that_drips_in_is_ended_in_time() -> None:
    async with opened(limits=SHORT) as host, encrypted(host) as (reader, writer):
        start = time.monotonic()

        async def drip() -> None:
            for byte in b"\x00\x00\x00\x80" + bytes(100):
                writer.write(bytes([byte]))
                await asyncio.sleep(0.05)

        dripping = asyncio.create_task(drip())
        await last_words(reader)
        assert 0.5 < time.monotonic() - start < 5
        dripping.cancel()


async def test_a_guest_joins_while_strangers_are_silent() -> None:
    async with opened() as host:
        strangers = [await raw(host, "127.0.0.2") for _ in range(20)]
        strangers += [await raw(host, "127.0.0.3") for _ in range(20)]
        assert await joins(host) < 3
        for stranger in strangers:
            stranger.close()


async def test_the_ninth_of_one_address_takes_the_place_of_its_oldest_silent_one() -> None:
    async with opened(limits=Limits(silence=15.0, handshake=15.0)) as host:
        first, second, *others = [await raw(host) for _ in range(9)]
        assert await closed_after(first) < 10
        with pytest.raises(BlockingIOError):
            second.recv(1)
        for stranger in (second, *others):
            stranger.close()


async def test_who_speaks_is_not_thrown_out_for_who_comes_later() -> None:
    limits = Limits(per_address=1, handshake=15.0)
    async with opened(limits=limits) as host, encrypted(host) as (_, writer):
        later = await raw(host)
        assert await closed_after(later) < 10
        assert not writer.transport.is_closing()


async def test_guests_join_while_silence_from_eight_addresses_fills_every_place() -> None:
    async with opened(limits=Limits(silence=15.0, handshake=15.0)) as host:
        strangers: deque[socket.socket] = deque()
        enough = asyncio.Event()

        async def fill() -> None:
            while not enough.is_set():
                for number in range(64):
                    strangers.append(await raw(host, f"127.0.0.{2 + number % 8}"))
                while len(strangers) > 128:
                    strangers.popleft().close()
                await asyncio.sleep(0.05)

        filling = asyncio.create_task(fill())
        await asyncio.sleep(0.2)
        assert max([await joins(host) for _ in range(8)]) < 3
        enough.set()
        await filling
        for stranger in strangers:
            stranger.close()


async def test_a_peer_of_the_table_comes_in_while_strangers_that_speak_take_every_place() -> None:
    gate = TestGate(known=frozenset({"127.0.0.1"}))
    limits = Limits(in_all=2, handshake=15.0)
    async with opened(gate, limits=limits) as host:
        speaking = [await raw(host, f"127.0.0.{n}") for n in (2, 3)]
        for stranger in speaking:
            await asyncio.get_running_loop().sock_sendall(stranger, b"\x16\x03")
        await asyncio.sleep(0.2)
        assert await closed_after(await raw(host, "127.0.0.4")) < 10
        assert await joins(host) < 3
        for stranger in speaking:
            stranger.close()


async def test_who_is_turned_away_as_tls_stands_leaves_nothing_in_the_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The loop went on to read from the number of a closed socket, which the next one had by then.
    troubles: list[str] = []
    asyncio.get_running_loop().set_exception_handler(
        lambda _, context: troubles.append(str(context.get("exception")))
    )
    async with opened() as host:
        protocol: Any = SSLProtocol
        complete = protocol._on_handshake_complete

        def turn_away(side: Any, error: Any) -> None:
            complete(side, error)
            if side._server_side:
                host.listener._handshakes._places[0].turn_away()

        with monkeypatch.context() as patch:
            patch.setattr(protocol, "_on_handshake_complete", turn_away)
            async with encrypted(host) as (reader, _):
                assert await last_words(reader) is None
                others = [await raw(host) for _ in range(3)]
        await joins(host)
        for other in others:
            other.close()
    assert troubles == []


async def test_a_place_at_the_gate_is_free_again_when_a_stranger_goes() -> None:
    async with opened() as host:
        for stranger in [await raw(host) for _ in range(8)]:
            stranger.close()
        await asyncio.sleep(0.2)
        assert await joins(host) < 3


@pytest.mark.parametrize(
    "rubbish",
    [
        b"\x80\x00\x00\x00",
        bytes(4),
        b"\x00\x00\x10\x01",
        b"\x00\x00\x00\x09" + b"\xff" * 9,
        b"\x00\x00\x0f\xff" + b"\x91" * 4095,
    ],
    ids=["two gibibytes", "nothing", "over the limit", "random", "deep"],
)
def test_rubbish_is_answered_at_once_with_the_reason_and_one_log_line(
    rubbish: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        async with opened() as host, encrypted(host) as (reader, writer):
            start = time.monotonic()
            writer.write(rubbish)
            answer = await last_words(reader)
            assert time.monotonic() - start < 3
            assert answer is not None
            assert (answer.kind, answer["code"]) == ("bye", "bad")
            assert answer["text"].startswith("You sent a")

    with caplog.at_level(logging.INFO, "sobremesa"):
        asyncio.run(main())
    assert len([r for r in caplog.records if r.name.startswith("sobremesa")]) == 1


async def test_plain_text_at_the_gate_is_closed_at_once() -> None:
    async with opened() as host:
        connection = await raw(host)
        connection.send(b"GET / HTTP/1.1\r\n\r\n")
        assert await closed_after(connection) < 3


async def test_wrong_codes_are_told_and_change_nothing() -> None:
    async with opened(limits=Limits(between_tries=0.05)) as host:
        for _ in range(6):
            assert await refused(host, "000000") == "code"
        assert host.gate.wrong_tries == 6
        await joins(host)


async def test_a_right_code_does_not_count_as_a_wrong_try() -> None:
    async with opened(limits=Limits(between_tries=30)) as host:
        for _ in range(6):
            assert await joins(host) < 5
        assert host.gate.wrong_tries == 0


async def test_a_second_try_waits_its_turn_whichever_address_it_is_made_from() -> None:
    async with opened(limits=Limits(between_tries=1.0)) as host:
        assert await refused(host, "000000") == "code"
        assert await joins(host) > 0.5


@contextlib.asynccontextmanager
async def guessing(host: Opened, source: str) -> AsyncIterator[None]:
    """Somebody at this address who guesses all the time and never shows what it got."""

    async def guess() -> None:
        while True:
            with contextlib.suppress(OSError):
                async with encrypted(host, source) as (reader, writer):
                    writer.write(
                        Dialler(Identity.fresh(), bytes(32), "join", code=CODE).hello.encoded
                    )
                    await last_words(reader)

    task = asyncio.create_task(guess())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_guests_come_in_while_others_guess_and_the_pake_is_answered_seldom() -> None:
    limits = Limits(between_tries=0.5)
    async with opened(limits=limits) as host, contextlib.AsyncExitStack() as stack:
        for number in range(20):
            await stack.enter_async_context(guessing(host, f"127.0.0.{2 + number}"))
        start = time.monotonic()
        await asyncio.sleep(0.5)
        waits = [await joins(host) for _ in range(4)]
        assert max(waits) < 3
        seconds = time.monotonic() - start
        assert host.gate.wrong_tries <= 1 + seconds / 0.5


async def test_who_leaves_the_line_has_made_no_try() -> None:
    async with opened(limits=Limits(between_tries=30, handshake=0.5)) as host:
        assert await refused(host, "000000") == "code"
        assert await refused(host, "000000") == "lost"
        assert host.gate.wrong_tries == 1


async def test_a_code_renewed_during_a_handshake_ends_it() -> None:
    async with opened() as host, encrypted(host) as (reader, writer):
        writer.write(Dialler(Identity.fresh(), bytes(32), "join", code=CODE).hello.encoded)
        await asyncio.sleep(0.3)
        host.gate.code = "65432109"
        writer.write(Frame.make("auth", sig=bytes(64), mac=bytes(64)).encoded)
        answer = await last_words(reader)
        assert answer is not None
        assert answer["text"].startswith("The table has another code now")


async def test_info_is_answered_with_the_listing_even_where_nobody_may_join() -> None:
    async with opened(TestGate(table=None, refusal="Table full (4/4).")) as host:
        listing, seconds, address = await probe([host.address])
        assert (listing, address) == (b"a listing", host.address)
        assert 0 <= seconds < 30
        assert host.gate.asked == []


async def test_a_refused_key_never_becomes_a_link() -> None:
    async with opened(TestGate(refusal="Table full (4/4).")) as host:
        with pytest.raises(DialFailed, match=r"Table full \(4/4\)") as caught:
            await dial(Identity.fresh(), [host.address], "join", code=CODE)
        assert caught.value.code == "refused"
        assert host.links.empty()


async def test_strangers_without_end_are_refused_by_so_many_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Flooded:
        """A socket at which the next stranger always waits already; every one is this too."""

        accepted = closed = 0

        def accept(self) -> tuple[Flooded, str]:
            # A loop without end must end for the test to fail.
            assert self.accepted < 10 * BACKLOG
            self.accepted += 1
            return self, ""

        def close(self) -> None:
            self.closed += 1

    flooded = Flooded()
    async with opened() as host:
        with monkeypatch.context() as patch:
            patch.setattr(host.listener, "_socket", flooded)
            host.listener._refuse_with_spare()
    assert flooded.accepted == flooded.closed == BACKLOG


async def test_it_listens_on_ipv6_too() -> None:
    with socket.socket(socket.AF_INET6) as probe_socket:
        try:
            probe_socket.bind(("::1", 0))
        except OSError:
            pytest.skip("no IPv6 here")
    async with opened() as host:
        link = await dial(Identity.fresh(), [Address("::1", host.listener.port)], "join", code=CODE)
        assert link.address == "::1"
        link.abort("closed", "")
        await asyncio.sleep(0)


async def test_a_port_that_is_taken_is_named() -> None:
    async with opened() as host:
        with pytest.raises(CannotListen, match=f"Port {host.listener.port} is taken"):
            Listener.open(Identity.fresh(), TestGate(), print, host.listener.port)


async def test_a_port_that_cannot_be_is_named() -> None:
    with pytest.raises(CannotListen, match="Port 70000 cannot be"):
        Listener.open(Identity.fresh(), TestGate(), print, 70000)


async def test_closing_ends_handshakes_and_frees_the_port() -> None:
    async with opened() as host:
        port = host.listener.port
        stranger = await raw(host)
        await asyncio.sleep(0.1)
    assert await closed_after(stranger) < 4  # and not after the five seconds of a handshake
    again = Listener.open(Identity.fresh(), TestGate(), print, port)
    await again.close()


async def test_only_tls_1_3_is_spoken() -> None:
    old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    old.check_hostname = False
    old.verify_mode = ssl.CERT_NONE
    old.maximum_version = ssl.TLSVersion.TLSv1_2

    async with opened() as host:
        with pytest.raises(OSError):  # noqa: PT011 - it differs by system
            await asyncio.open_connection(*host.address, ssl=old, server_hostname="x")


@pytest.mark.parametrize("turns", range(7))
def test_whoever_comes_while_the_gate_closes_is_hung_up_on(
    turns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection that was accepted and belongs to nobody yet would stay open."""
    accepted: list[socket.socket] = []
    accept = socket.socket.accept

    def watched(listening: socket.socket) -> tuple[socket.socket, object]:
        connection, address = accept(listening)
        accepted.append(connection)
        return connection, address

    monkeypatch.setattr(socket.socket, "accept", watched)

    async def main() -> None:
        async with opened() as host:
            await asyncio.sleep(0.01)
            with socket.create_connection((host.address.host, host.address.port)):
                for _ in range(turns):
                    await asyncio.sleep(0)
                await host.listener.close()
                await asyncio.sleep(0)

    asyncio.run(main())
    assert all(connection.fileno() == -1 for connection in accepted)
