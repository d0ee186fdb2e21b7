"""Dialling: from a handful of addresses, some of them useless, to one link with the right peer.

Rule 1: all addresses are tried, the likeliest first, each a quarter of a second after the one
before, each for two seconds; the first that proves to be the peer wins.
No more than three are open at once, wherever the addresses come from.
Rule 2: only one connection at a time is asked to prove itself, so that one join is one try at the
code.
Rule 3: when nothing comes of it, the player hears the most telling reason and what to do.
"""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import ssl
import sys
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from sobremesa.core.errors import SobremesaError
from sobremesa.core.replica.charter import PROTOCOL
from sobremesa.net.identity import Identity

from .addresses import Address, OwnAddress, dial_order, own_addresses
from .frames import BadFrame, Frame
from .handshake import Dialler, HandshakeFailed, goodbye
from .link import Link, Pace
from .stream import PIECE, FrameStream
from .tls import NAME, certificate_hash, client_context

T = TypeVar("T")

AT_ONCE = 3
"""Connections to one peer at a time: nobody is made to sweep a network."""
KNOCKS = 3
"""Times that a guest comes to a crowded door; five seconds each, where many guess the code."""


class DialFailed(SobremesaError):
    """Nobody at those addresses can be linked with.

    `code` says why in one word: a code of `HandshakeFailed`, or closed (nobody listens there),
    unreachable, timeout, stranger (something else listens there), name, lost, nowhere.
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds between the starts of two tries, for one connection, and for one handshake (the
    listener may keep us waiting for our turn at the code)."""

    stagger: float = 0.25
    connect: float = 2.0
    handshake: float = 6.0


class Redial:
    """When to dial a peer again whose link broke: at once, then after 0.5, 1, 2, 2 … seconds,
    each up to a quarter more or less, so that two peers do not meet in step. Longer waits would
    keep people waiting when the network is there again."""

    STEPS = (0.0, 0.5, 1.0, 2.0)

    def __init__(self) -> None:
        self._tries = 0

    def next(self, jitter: float) -> float:
        """Seconds from the start of the last try to that of the next. `jitter` is chance in
        [-1, 1]."""
        step = self.STEPS[min(self._tries, len(self.STEPS) - 1)]
        self._tries += 1
        return step * (1 + jitter / 4)

    def reset(self) -> None:
        """A link came to be."""
        self._tries = 0


async def dial(
    me: Identity,
    addresses: Iterable[Address],
    mode: str,
    *,
    table: bytes | None = None,
    code: str | None = None,
    whom: bytes | None = None,
    patience: Patience | None = None,
    pace: Pace | None = None,
) -> Link:
    """A link with the peer that listens at these addresses.

    `table`: with that table only. `code`: prove that we know it, and have the other side prove
    it. `whom`: only the peer with this key. Between peers table and key must be given.

    :raises DialFailed: if none came to be
    """

    async def prove(stream: FrameStream, address: Address) -> Link:
        side = Dialler(me, stream.certificate, mode, table=table, code=code, whom=whom)
        await stream.send(side.hello)
        await stream.send(side.auth(await _answer(stream)))
        side.confirm(await _answer(stream))
        return Link(stream, side.key, side.table, mode, dialled=True, pace=pace or Pace())

    return await _first(addresses, prove, patience or Patience(), once=mode != "peer")


async def knock(
    me: Identity,
    addresses: Sequence[Address],
    mode: str = "join",
    *,
    table: bytes | None = None,
    code: str | None = None,
    whom: bytes | None = None,
) -> Link:
    """A link with the table that we want to join or look on at, as of `dial`; a door that hangs up
    before it has answered is crowded, and we come again.

    :raises DialFailed: if none came to be
    """
    for _ in range(KNOCKS - 1):
        try:
            return await dial(me, addresses, mode, table=table, code=code, whom=whom)
        except DialFailed as error:
            if error.code != "lost":
                raise
    return await dial(me, addresses, mode, table=table, code=code, whom=whom)


async def probe(
    addresses: Iterable[Address], patience: Patience | None = None
) -> tuple[bytes, float, Address]:
    """The listing of the table at these addresses, as bytes, the seconds that the answer took, and
    the address that gave it.

    :raises DialFailed: if none answers
    """

    async def ask(stream: FrameStream, address: Address) -> tuple[bytes, float, Address]:
        # A question is not a visit: it names no key.
        hello = Frame.make(
            "hello", v=PROTOCOL, mode="info", table=None, pub=bytes(32), nonce=bytes(32), pake=None
        )
        start = time.monotonic()
        await stream.send(hello)
        answer = await _answer(stream)
        seconds = time.monotonic() - start
        if answer.kind == "bye":
            raise goodbye(answer)
        if answer.kind != "listing":
            raise HandshakeFailed("bad", "The other side does not keep to the protocol.")
        stream.abort()
        return answer["listing"], seconds, address

    return await _first(addresses, ask, patience or Patience())


async def _answer(stream: FrameStream) -> Frame:
    frame = await stream.receive()
    if frame is None:
        raise ConnectionResetError
    return frame


async def _first(
    addresses: Iterable[Address],
    prove: Callable[[FrameStream, Address], Awaitable[T]],
    patience: Patience,
    *,
    once: bool = False,
) -> T:
    """What `prove` makes of the first connection that it accepts. `once`: an answer that refuses
    us for good ends it. Anybody could give it, so it does only where each try counts."""
    candidates = dial_order(addresses, _own_addresses())
    failures = [DialFailed("nowhere", "No address to dial: is this machine on a network?")]
    free = asyncio.Semaphore(AT_ONCE)
    tries = [
        asyncio.create_task(_take_turn(free, address, place * patience.stagger, patience.connect))
        for place, address in enumerate(candidates)
    ]
    won: FrameStream | None = None
    try:
        for attempt in asyncio.as_completed(tries):
            try:
                stream, address = await attempt
            except DialFailed as error:
                failures.append(error)
                continue
            try:
                # Until it has failed to prove itself, a connection keeps its place.
                async with asyncio.timeout(patience.handshake):
                    result = await prove(stream, address)
                won = stream
                return result
            except HandshakeFailed as error:
                failures.append(DialFailed(error.code, str(error)))
                if once and error.code not in ELSEWHERE:
                    break
            except (BadFrame, OSError) as error:
                failures.append(_explain(address, error))
            stream.abort()
            free.release()
    finally:
        for task in tries:
            task.cancel()
        for outcome in await asyncio.gather(*tries, return_exceptions=True):
            if isinstance(outcome, tuple) and outcome[0] is not won:
                outcome[0].abort()
    raise min(failures, key=_vagueness)


ELSEWHERE = ("table", "key", "self", "bad")
"""Answers after which the peer may still be found at another of its addresses."""

VAGUER = (*ELSEWHERE, "lost", "stranger", "timeout", "closed", "name", "unreachable", "nowhere")
"""Reasons that tell less than what the right table answered, the most telling first."""


def _vagueness(failure: DialFailed) -> int:
    return VAGUER.index(failure.code) if failure.code in VAGUER else -1


async def _take_turn(
    free: asyncio.Semaphore, address: Address, delay: float, seconds: float
) -> tuple[FrameStream, Address]:
    """A connection, after so many seconds and when there is a place for it, which it keeps.

    :raises DialFailed: if there is none in time; its place is free then
    """
    await asyncio.sleep(delay)
    await free.acquire()
    try:
        return await _connect(address, seconds), address
    except DialFailed:
        free.release()
        raise


async def _connect(address: Address, seconds: float) -> FrameStream:
    """:raises DialFailed: if there is no TLS connection in time"""
    try:
        async with asyncio.timeout(seconds):
            reader, writer = await asyncio.open_connection(
                *address, ssl=client_context(), server_hostname=NAME, limit=PIECE
            )
    except OSError as error:
        raise _explain(address, error) from error
    except UnicodeError as error:  # a name that no name server could be asked for
        raise DialFailed("name", NO_SUCH_NAME.format(address.host)) from error
    certificate = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    return FrameStream(reader, writer, certificate_hash(certificate))


NO_SUCH_NAME = "There is no machine called {} on this network."


def _explain(address: Address, error: BadFrame | OSError) -> DialFailed:
    """An error of the system in the player's words."""
    if isinstance(error, BadFrame | ssl.SSLError):
        return DialFailed("stranger", f"What listens at {address} is no Sobremesa table.")
    if isinstance(error, socket.gaierror):
        return DialFailed("name", NO_SUCH_NAME.format(address.host))
    if isinstance(error, TimeoutError):
        return DialFailed(
            "timeout", f"{address} does not answer: is it on this network, behind a firewall?"
        )
    if isinstance(error, ConnectionRefusedError):
        return DialFailed("closed", f"Nobody listens at {address}: is the table still open?")
    if isinstance(error, ConnectionError):
        return DialFailed("lost", f"{address} hung up: its door may be crowded; try again.")
    if error.errno in (errno.EHOSTUNREACH, errno.ENETUNREACH, errno.ENETDOWN):
        hint = "is this machine on the same network?"
        if sys.platform == "darwin" and error.errno == errno.EHOSTUNREACH:
            hint = (
                "allow this terminal in System Settings, Privacy & Security, Local Network, or "
                "check that both are on the same network."
            )
        return DialFailed("unreachable", f"No way to {address}: {hint}")
    return DialFailed("unreachable", f"Cannot dial {address}: {os.strerror(error.errno or 0)}.")


def _own_addresses() -> tuple[OwnAddress, ...]:
    try:
        return own_addresses()
    except OSError:
        # Only the order of dialling depends on them.
        return ()
