"""A man in the middle for tests: passes bytes between a dialler and a listener, and harms them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from sobremesa.net.links.addresses import Address
from sobremesa.net.links.tls import Certificate, client_context

Harm = Callable[[bytes, int], list[bytes] | None]
"""`harm(chunk, offset)`: what to pass on instead of a chunk that starts at this byte of the stream
towards the listener; None: hang up."""


@asynccontextmanager
async def tap(
    target: Address, harm: Harm, *, inside_tls: bool = False
) -> AsyncIterator[tuple[Address, list[bytes]]]:
    """A door before the door: its address, and what it heard from the dialler. `inside_tls`: it
    ends the dialler's TLS with a certificate of its own and begins another with the listener."""
    heard: list[bytes] = []
    tasks: set[asyncio.Task[None]] = set()
    certificate = Certificate() if inside_tls else None

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        tasks.add(task)
        if inside_tls:
            beyond = await asyncio.open_connection(
                *target, ssl=client_context(), server_hostname="x"
            )
        else:
            beyond = await asyncio.open_connection(*target)
        try:
            # The end of the test cancels us, which the library would report as an error.
            with contextlib.suppress(asyncio.CancelledError):
                async with asyncio.TaskGroup() as pumps:
                    pumps.create_task(pump(reader, beyond[1], harm, heard))
                    pumps.create_task(pump(beyond[0], writer, lambda chunk, _: [chunk], []))
        except* (OSError, EOFError):
            pass  # one side hung up: so do we, on both
        finally:
            writer.transport.abort()
            beyond[1].transport.abort()
            await asyncio.sleep(0)

    server = await asyncio.start_server(
        serve, "127.0.0.1", 0, ssl=certificate.context if certificate else None
    )
    try:
        yield Address("127.0.0.1", server.sockets[0].getsockname()[1]), heard
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(*tasks, return_exceptions=True)


async def pump(
    source: asyncio.StreamReader, sink: asyncio.StreamWriter, harm: Harm, heard: list[bytes]
) -> None:
    offset = 0
    while chunk := await source.read(65536):
        heard.append(chunk)
        passed = harm(chunk, offset)
        if passed is None:
            break
        offset += len(chunk)
        for part in passed:
            sink.write(part)
            await sink.drain()
    raise EOFError
