"""Real links on loopback: a gate that does what the test says, and both ends of a link."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from sobremesa.net.identity import Identity
from sobremesa.net.links.addresses import Address
from sobremesa.net.links.dial import dial
from sobremesa.net.links.limits import Limits
from sobremesa.net.links.link import Link, Pace
from sobremesa.net.links.listen import Listener

TABLE = bytes(range(16))
CODE = "123456"


@dataclass
class TestGate:
    """A gate with everything open, unless the test closes it."""

    __test__ = False

    table: bytes | None = TABLE
    watched: bytes | None = None
    code: str | None = CODE
    refusal: str | None = None
    wrong_tries: int = 0
    known: frozenset[str] = frozenset()
    peers: frozenset[bytes] = frozenset()
    asked: list[bytes | None] = field(default_factory=list)

    def listing(self) -> bytes:
        return b"a listing"

    def admit(self, mode: str, key: bytes | None) -> str | None:
        self.asked.append(key)
        return self.refusal

    def sits(self, table: bytes, key: bytes) -> bool:
        return table == TABLE and key in self.peers

    def knows(self, address: str) -> bool:
        return address in self.known

    def guessed(self) -> None:
        self.wrong_tries += 1


@dataclass
class Silence:
    """Strangers on all addresses of this machine, who let in whoever dials and say nothing."""

    port: int = 0
    open: int = 0
    most: int = 0
    """The most connections that were open at once."""
    tries: int = 0

    def addresses(self, first: int, count: int) -> list[Address]:
        """So many of their addresses, from a number on."""
        return [Address(f"127.0.1.{first + i}", self.port) for i in range(count)]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.tries += 1
        self.open += 1
        self.most = max(self.most, self.open)
        try:
            while await reader.read(4096):
                pass
        except OSError:
            pass
        finally:
            self.open -= 1
            writer.transport.abort()


@asynccontextmanager
async def silence() -> AsyncIterator[Silence]:
    """Strangers, for the length of a test."""
    strangers = Silence()
    server = await asyncio.start_server(strangers.serve, "0.0.0.0", 0)
    strangers.port = server.sockets[0].getsockname()[1]
    yield strangers
    server.close()
    while strangers.open:  # noqa: ASYNC110
        await asyncio.sleep(0.01)


@dataclass
class Opened:
    """A listener, its gate, its identity, and the links that came to be."""

    listener: Listener
    gate: TestGate
    me: Identity
    links: asyncio.Queue[Link]

    @property
    def address(self) -> Address:
        return Address("127.0.0.1", self.listener.port)


@asynccontextmanager
async def opened(
    gate: TestGate | None = None, limits: Limits | None = None, pace: Pace | None = None
) -> AsyncIterator[Opened]:
    """A listener on a free port; it and its links are closed at the end."""
    gate = gate or TestGate()
    me = Identity.fresh()
    links: asyncio.Queue[Link] = asyncio.Queue()
    made: list[Link] = []

    def on_link(link: Link) -> None:
        made.append(link)
        links.put_nowait(link)

    listener = Listener.open(me, gate, on_link, limits=limits, pace=pace)
    try:
        yield Opened(listener, gate, me, links)
    finally:
        for link in made:
            link.abort("closed", "the test is over")
        await listener.close()
        await asyncio.sleep(0)


@asynccontextmanager
async def linked(pace: Pace | None = None) -> AsyncIterator[tuple[Link, Link]]:
    """Both ends of a link: the dialler's and the listener's."""
    async with opened(pace=pace) as host:
        ours = await dial(Identity.fresh(), [host.address], "join", code=CODE, pace=pace)
        try:
            yield ours, await host.links.get()
        finally:
            ours.abort("closed", "the test is over")
