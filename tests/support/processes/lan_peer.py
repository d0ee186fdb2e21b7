"""A peer without a game, for tests of the network: hosts a table, lists tables, or joins one.

lan_peer.py host NAME [ADVERTISED_NAME_IN_HEX]     prints {"port", "code", "key"}, then each guest
lan_peer.py list                 prints {"tables": [...]} at every change
lan_peer.py join TABLE_NAME      finds it by name and joins; prints {"joined": seconds}
lan_peer.py dial HOST:PORT       joins by address
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
import time

from sobremesa.core.encoding import pack
from sobremesa.core.replica.charter import PROTOCOL
from sobremesa.net.finding.discovery import Advert, Browser
from sobremesa.net.identity import Identity
from sobremesa.net.links.addresses import Address
from sobremesa.net.links.dial import DialFailed, dial
from sobremesa.net.links.link import Link
from sobremesa.net.links.listen import Listener

CODE = "271828"


def say(**values: object) -> None:
    print(json.dumps(values), flush=True)


class Gate:
    """A table with one code that nobody renews."""

    code: str | None = CODE
    watched: bytes | None = None

    def __init__(self, name: str, key: bytes) -> None:
        self.table: bytes | None = os.urandom(16)
        self.name = name
        self.key = key

    def listing(self) -> bytes:
        return pack(
            {
                "v": PROTOCOL,
                "table": self.table,
                "name": self.name,
                "game": "dudo",
                "game_title": "Dudo",
                "taken": 1,
                "seats": 4,
                "open": False,
                "options": "dice 5",
                "state": "waiting",
                "opener": self.name,
                "pub": self.key,
            }
        )

    def knows(self, address: str) -> bool:
        return False

    def admit(self, mode: str, key: bytes | None) -> str | None:
        return None

    def sits(self, table: bytes, key: bytes) -> bool:
        return False

    def guessed(self) -> None:
        say(guessed=True)


async def host(name: str) -> None:
    me = Identity.fresh()
    gate = Gate(name, me.key)
    links: set[asyncio.Task[None]] = set()

    async def keep(link: Link) -> None:
        async for _ in link.frames():
            pass

    def on_link(link: Link) -> None:
        say(guest=link.address)
        links.add(asyncio.create_task(keep(link)))

    listener = Listener.open(me, gate, on_link)
    assert gate.table
    advert = Advert(me.key, gate.table, listener.port, name, "dudo", "1/4", open=False)
    say(port=listener.port, trouble=await advert.start(), key=me.key.hex())
    try:
        await asyncio.Event().wait()
    finally:
        await advert.stop()
        await listener.close()


async def list_tables() -> None:
    browser = Browser()

    def show() -> None:
        say(
            tables=[
                {"name": t.label, "key": t.key.hex(), "at": [a.host for a in t.addresses]}
                for t in browser.tables
            ]
        )

    browser = Browser(show)
    say(trouble=await browser.start(), tables=[])
    try:
        await asyncio.Event().wait()
    finally:
        await browser.stop()


async def join(name: str) -> None:
    start = time.monotonic()
    browser = Browser()
    await browser.start()
    try:
        while True:
            for table in browser.tables:
                if name in (table.label, table.key.hex()):
                    await visit(list(table.addresses), start, table.key)
                    return
            await asyncio.sleep(0.05)
    finally:
        await browser.stop()


async def visit(addresses: list[Address], start: float, key: bytes | None) -> None:
    try:
        link = await dial(Identity.fresh(), addresses, "join", code=CODE, whom=key)
    except DialFailed as error:
        say(failed=error.code, text=str(error))
        return
    say(joined=time.monotonic() - start, at=link.address)
    await link.close("leave", "bye")


async def main(verb: str, *words: str) -> None:
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    assert task
    loop.add_signal_handler(signal.SIGTERM, task.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        if verb == "host":
            await host(*words)
        elif verb == "list":
            await list_tables()
        elif verb == "join":
            await join(*words)
        else:
            await visit([Address.read(words[0])], time.monotonic(), None)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
