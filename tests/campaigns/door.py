"""Strangers at the door, from few addresses and for as long as they like.

A process of its own keeps 64 connections to every door and renews each as soon as it ends. Of each
kind of stranger: those that are silent, that say one byte a second before or after TLS, that ask
for the listing and stay, and that guess the code. Meanwhile guests with the code join a waiting
room and ask for its listing, each once, and the links of a game that is under way all break at
once. Prints what was measured; exit status 1 if a guest or a probe was not answered, a guest or the
game waited too long, or more guesses were answered than there may be.

    python tests/campaigns/door.py [--guests N] [--kinds KIND...]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from support.peers.players import CODE, Player, company, cut, until  # noqa: E402

from sobremesa.core.errors import SobremesaError  # noqa: E402
from sobremesa.net.identity import Identity  # noqa: E402
from sobremesa.net.links.addresses import Address  # noqa: E402
from sobremesa.net.links.dial import knock, probe  # noqa: E402
from sobremesa.net.links.handshake import Dialler  # noqa: E402
from sobremesa.net.links.limits import Limits  # noqa: E402
from sobremesa.net.links.stream import FrameStream  # noqa: E402
from sobremesa.net.links.tls import NAME, certificate_hash, client_context  # noqa: E402

SOURCES = {"silent": 8, "drip": 8, "slow": 8, "ask": 8, "guess": 60}
"""Kinds of strangers, and from how many addresses they come."""
CONNECTIONS = 64
MOST_WAITING = 5.0
"""Seconds for a guest, and for the game to be whole again."""
ALL_NEW = 15.0
"""Seconds for a guest that comes while sixty guessers do so for the first time, too."""


@dataclass
class Result:
    """Seconds that guests needed to join and probes to be answered, those that failed; seconds
    until all links of the game were back; wrong tries at the code, and how many there may be."""

    kind: str
    joins: list[float] = field(default_factory=list)
    probes: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    whole: float = 0.0
    guesses: int = 0
    most_guesses: float = 0.0

    def faults(self) -> list[str]:
        """What is not as it should be."""
        found = list(self.failures)
        most = ALL_NEW if self.kind == "guess" else MOST_WAITING
        if max(self.joins, default=0) > most or statistics.median(self.joins) > MOST_WAITING:
            found.append("a guest waited too long")
        if self.whole > MOST_WAITING:
            found.append("the game waited too long for its links")
        if self.guesses > self.most_guesses:
            found.append("too many guesses were answered")
        return found


# The strangers' process.


async def visit(kind: str, target: Address, source: str) -> None:
    """Be one stranger until the door has had enough of it."""
    loop = asyncio.get_running_loop()
    connection = socket.socket()
    try:
        connection.setblocking(False)
        connection.bind((source, 0))
        await loop.sock_connect(connection, tuple(target))
        if kind == "silent":
            await loop.sock_recv(connection, 1)
        elif kind == "drip":
            # The head of a TLS record, and then never all of it.
            await drip(b"\x16\x03\x01\x01\x00", lambda data: loop.sock_sendall(connection, data))
        else:
            await talk(kind, connection)
    finally:
        connection.close()


async def talk(kind: str, connection: socket.socket) -> None:
    """Be a stranger that speaks TLS."""
    reader, writer = await asyncio.open_connection(
        sock=connection, ssl=client_context(), server_hostname=NAME
    )
    try:
        certificate = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
        stream = FrameStream(reader, writer, certificate_hash(certificate))
        mode = "info" if kind == "ask" else "join"
        dialler = Dialler(Identity.fresh(), stream.certificate, mode, code="000000")
        if kind == "slow":

            async def send(data: bytes) -> None:
                writer.write(data)
                await writer.drain()

            await drip(dialler.hello.encoded, send)
        await stream.send(dialler.hello)
        if kind == "guess":
            welcome = await stream.receive()
            if welcome is not None:
                await stream.send(dialler.auth(welcome))
        while await stream.receive():
            pass
    finally:
        writer.transport.abort()


async def drip(data: bytes, send: Callable[[bytes], Awaitable[None]]) -> None:
    """Say one byte a second, without end."""
    for byte in data + bytes(1000):
        await send(bytes([byte]))
        await asyncio.sleep(1)


async def strangers(kind: str, ports: list[int]) -> None:
    """Keep all doors busy for ever."""

    async def one(number: int, target: Address) -> None:
        while True:
            with contextlib.suppress(OSError, SobremesaError):
                await visit(kind, target, f"127.0.1.{1 + number % SOURCES[kind]}")
            await asyncio.sleep(0.01)

    await asyncio.gather(
        *(one(n, Address("127.0.0.1", port)) for port in ports for n in range(CONNECTIONS))
    )


# The tables, and those who want to come in.


@contextlib.asynccontextmanager
async def besieged(kind: str, *players: Player) -> AsyncIterator[None]:
    """Strangers of this kind stand at the doors of these players."""
    ports = [str(player.node.port) for player in players]
    process = await asyncio.create_subprocess_exec(
        sys.executable, __file__, "--be", kind, "--ports", *ports
    )
    try:
        await asyncio.sleep(2.0)
        yield
    finally:
        process.kill()
        await process.wait()


async def visitors(result: Result, target: Address, guests: int) -> None:
    """Let so many guests join, and as many ask, one after the other."""
    for _ in range(guests):
        for times, come in ((result.joins, joined), (result.probes, answered)):
            start = time.monotonic()
            try:
                await come(target)
            except SobremesaError as error:
                result.failures.append(f"{come.__name__}: {error}")
            times.append(time.monotonic() - start)


async def joined(target: Address) -> None:
    link = await knock(Identity.fresh(), [target], code=CODE)
    link.abort("closed", "")


async def answered(target: Address) -> None:
    listing, _, _ = await probe([target])
    assert listing


async def siege(kind: str, guests: int, home: Path) -> Result:
    """Run it with one kind of strangers."""
    result = Result(kind)
    host, *players = [
        Player(name, home / name, quick=False) for name in ("Hal", "Ana", "Bea", "Cai")
    ]
    async with company(host, *players):
        host.host(8)
        players[0].host(3)
        for guest in players[1:]:
            await guest.join(players[0])
        await until(lambda: all(is_whole(player) for player in players))
        start = time.monotonic()
        host.node.guessed = lambda: count(result)  # type: ignore[method-assign]
        async with besieged(kind, host, *players):
            await visitors(result, host.address, guests)
            result.most_guesses = 1 + (time.monotonic() - start) / Limits().between_tries
            broke = time.monotonic()
            for player in players:
                cut(player)
            await until(lambda: not any(is_whole(player) for player in players))
            await until(lambda: all(is_whole(player) for player in players), 30)
            result.whole = time.monotonic() - broke
    return result


def count(result: Result) -> None:
    result.guesses += 1


def is_whole(player: Player) -> bool:
    """Whether a player of three has all links."""
    return player.began and len(player.links.mesh.feeds) == 2


def main(argv: list[str] | None = None) -> int:
    """The campaign; the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--guests", type=int, default=20)
    parser.add_argument("--kinds", nargs="*", choices=SOURCES, default=list(SOURCES))
    parser.add_argument("--be", choices=SOURCES, help=argparse.SUPPRESS)
    parser.add_argument("--ports", nargs="*", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    if args.be:
        asyncio.run(strangers(args.be, args.ports))
    os.environ["SOBREMESA_LOOPBACK"] = "1"
    trouble = False
    for kind in args.kinds:
        with tempfile.TemporaryDirectory() as home:
            result = asyncio.run(siege(kind, args.guests, Path(home)))
        failed = len(result.failures)
        print(
            f"{kind}: {2 * args.guests - failed} of {2 * args.guests} guests and probes came "
            f"through, the slowest in {max(result.joins):.2f} and {max(result.probes):.2f} s; the "
            f"game was whole again after {result.whole:.2f} s; {result.guesses} wrong tries "
            f"(at most {result.most_guesses:.0f})",
            flush=True,
        )
        for fault in result.faults():
            print(f"FAILED: {fault}", file=sys.stderr)
        trouble |= bool(result.faults())
    return 1 if trouble else 0


if __name__ == "__main__":
    sys.exit(main())
