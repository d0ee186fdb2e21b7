"""A flood of silent strangers at a table's door (fault 11 of the network's list).

A table runs in a process that may open few files. Strangers connect from other addresses, say
nothing, and are replaced as fast as they can be; meanwhile a guest who sits there is answered, and
others join. Prints what was measured; exit status 1 if a guest waited too long, the one who sits
there did, or the table's memory grew.

    python tests/campaigns/flood.py [--seconds S] [--strangers N] [--rate N] [--sources N]
                                    [--files N]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import resource
import socket
import sys
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from support.peers.links import CODE, opened  # noqa: E402

from sobremesa.net.identity import Identity  # noqa: E402
from sobremesa.net.links.addresses import Address  # noqa: E402
from sobremesa.net.links.dial import DialFailed, dial  # noqa: E402
from sobremesa.net.links.frames import Frame  # noqa: E402
from sobremesa.net.links.link import Link  # noqa: E402

TICK = 0.05
MOST_WAITING = 3.0
MOST_ANSWERING = 3.0
MOST_MEMORY = 20.0
"""Seconds and mebibytes; a third of one is what TLS takes for each stranger."""


@dataclass
class Result:
    """Seconds that guests needed to join, seconds of the slowest answer to the one who sits there,
    mebibytes that the table grew, and strangers that were sent."""

    joins: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    memory: float = 0.0
    strangers: int = 0

    def faults(self) -> list[str]:
        """What is not as it should be."""
        found = []
        if not self.joins or max(self.joins) > MOST_WAITING:
            found.append("a guest waited too long")
        if not self.answers or max(self.answers) > MOST_ANSWERING:
            found.append("the guest at the table waited too long")
        if self.memory > MOST_MEMORY:
            found.append("the table's memory grew")
        return found


async def table(files: int) -> None:
    """The table's process: prints its port and echoes what its guests say, until stdin ends."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))

    async def echo(link: Link) -> None:
        async for frame in link.frames():
            await link.send(frame)

    async with opened() as host:
        print(host.listener.port, flush=True)
        echoes: set[asyncio.Task[None]] = set()

        async def serve() -> None:
            while True:
                echoes.add(asyncio.create_task(echo(await host.links.get())))

        serving = asyncio.create_task(serve())
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
        serving.cancel()


async def strangers(target: Address, count: int, rate: int, sources: int, result: Result) -> None:
    """Keep so many silent connections from so many addresses, and renew them for ever."""
    standing: deque[socket.socket] = deque()
    start = time.monotonic()
    try:
        while True:
            passed = time.monotonic() - start
            while result.strangers < min(count, 5 * rate * passed) + rate * passed:
                stranger = socket.socket()
                stranger.setblocking(False)
                stranger.bind((f"127.0.1.{1 + result.strangers % sources}", 0))
                with contextlib.suppress(BlockingIOError):
                    stranger.connect(tuple(target))
                standing.append(stranger)
                result.strangers += 1
                if len(standing) > count:
                    standing.popleft().close()
            await asyncio.sleep(TICK)
    finally:
        for stranger in standing:
            stranger.close()


async def sits(target: Address, result: Result) -> None:
    """Somebody at the table, who is answered."""
    link = await dial(Identity.fresh(), [target], "join", code=CODE)
    try:
        while True:
            start = time.monotonic()
            try:
                await link.send(Frame.make("calloff", text="still here?"))
                if await link.receive() is None:
                    raise ConnectionError(f"the guest lost the table: {link.closed_why}")
            finally:  # an answer that never came counts, too
                result.answers.append(time.monotonic() - start)
            await asyncio.sleep(TICK)
    finally:
        link.abort("closed", "")


async def comes(target: Address) -> float:
    """Somebody who wants to join; seconds until that is so."""
    start = time.monotonic()
    while True:
        with contextlib.suppress(DialFailed):
            link = await dial(Identity.fresh(), [target], "join", code=CODE)
            link.abort("closed", "")
            return time.monotonic() - start
        await asyncio.sleep(0.2)


def memory_of(pid: int) -> float:
    """Resident mebibytes of a process."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


async def flood(
    seconds: float, count: int, rate: int, sources: int, files: int, *, join_after: bool = False
) -> Result:
    """Run it. `join_after`: guests come only when the strangers have gone."""
    result = Result()
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        __file__,
        "--table",
        str(files),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout
    assert process.stdin
    try:
        target = Address("127.0.0.1", int(await process.stdout.readline()))
        guest = asyncio.create_task(sits(target, result))
        await asyncio.sleep(0.5)
        before = memory_of(process.pid)
        attack = asyncio.create_task(strangers(target, count, rate, sources, result))
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            await asyncio.sleep(0.5)
            result.memory = max(result.memory, memory_of(process.pid) - before)
            if not join_after:
                result.joins.append(await comes(target))
        attack.cancel()
        await asyncio.gather(attack, return_exceptions=True)
        if join_after:
            await asyncio.sleep(0.5)
            result.joins.append(await comes(target))
        if guest.done():
            guest.result()
        guest.cancel()
        await asyncio.gather(guest, return_exceptions=True)
    finally:
        process.stdin.close()
        await process.wait()
    return result


def main(argv: list[str] | None = None) -> int:
    """The campaign; the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--strangers", type=int, default=1000)
    parser.add_argument("--rate", type=int, default=200)
    parser.add_argument("--sources", type=int, default=1)
    parser.add_argument("--files", type=int, default=256)
    parser.add_argument("--table", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    if args.table:
        asyncio.run(table(args.table))
        return 0
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if args.strangers + 100 > hard:
        parser.error(f"this machine allows {hard} open files: fewer strangers, please")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, args.strangers + 100), hard))
    result = asyncio.run(flood(args.seconds, args.strangers, args.rate, args.sources, args.files))
    print(
        f"{result.strangers} strangers; {len(result.joins)} guests joined, the slowest in "
        f"{max(result.joins, default=0):.2f} s; slowest answer at the table "
        f"{1000 * max(result.answers, default=0):.0f} ms; memory + {result.memory:.1f} MiB"
    )
    for fault in result.faults():
        print(f"FAILED: {fault}", file=sys.stderr)
    return 1 if result.faults() else 0


if __name__ == "__main__":
    sys.exit(main())
