"""Finding tables on the network: telling that one is here, and the list of those that are.

Rule 1: mDNS is a hint. A table is listed when it has answered over TCP itself, and for as long as
it goes on answering.
Rule 2: a name on the network is never used twice and says nothing about the machine: the service
is named after the table, its host after the peer's key.
Rule 3: networks come and go while we run. Our addresses are looked at every two seconds, and an
empty list asks again every ten.
Rule 4: discovery may fail for a dozen reasons, and a game never does because of it: `trouble` says
what is wrong, and the address and port can always be typed.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
from collections.abc import Callable, Coroutine
from typing import Any

from zeroconf import Error as ZeroconfError
from zeroconf import IPVersion, NonUniqueNameException, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from sobremesa.core.encoding import digest
from sobremesa.core.replica.charter import PROTOCOL
from sobremesa.core.text import clean_text
from sobremesa.net.links.addresses import (
    Address,
    heard_addresses,
    own_addresses,
    told_addresses,
)
from sobremesa.net.links.dial import DialFailed, Patience, probe

from .listing import BadListing, Listing, read_listing
from .sightings import MOST, Emptiness, Sightings

SERVICE = "_sobremesa._tcp.local."
LABEL_BYTES = 40
POLL = 2.0
"""Seconds between two looks at our addresses."""
TICK = 0.2
"""Seconds between two looks at what is due in the list."""
CLOSING = 2.0
"""Seconds that taking leave of the network may take."""
RESOLVING = 3000
"""Milliseconds to learn the addresses behind a name."""
PROBES_AT_ONCE = 8
MOST_PROBED = 8
"""Addresses of one name that are tried."""
PROBING = Patience(stagger=0.1)
SWITCH = "SOBREMESA_NO_MDNS"

DISCOVERY_ERRORS = (OSError, RuntimeError, ZeroconfError, TimeoutError)
"""What the library raises when the network is not as it should be."""


def instance_name(label: str, key: bytes, table: bytes, again: int = 0) -> str:
    """The name of a table's service: its label, as much as fits, and six digits of its own.
    `again` counts the times that somebody else had the name already."""
    own = digest("service", key, table, again).hex()[:6]
    short = clean_text(label, LABEL_BYTES).encode()[:LABEL_BYTES].decode(errors="ignore")
    return f"{short}·{own}.{SERVICE}"


def server_name(key: bytes) -> str:
    """The name of our host, which is not the machine's: two machines may have the same."""
    return f"{key.hex()[:16]}.local."


class _Zeroconf:
    """One stay on the network: sockets on all interfaces, renewed when our addresses change."""

    def __init__(self) -> None:
        self.here: AsyncZeroconf | None = None
        self.addresses: tuple[str, ...] = ()

    async def renew(self) -> bool:
        """Open, or follow our addresses; whether anything changed.

        :raises OSError, RuntimeError, ZeroconfError: if the network does not let us
        """
        addresses = told_addresses(own_addresses())
        if self.here is None:
            self.here = _open()
            await self.here.zeroconf.async_wait_for_start()
        elif addresses == self.addresses:
            return False
        else:
            await self.here.async_update_interfaces()
        self.addresses = addresses
        return True

    async def close(self) -> None:
        """Take leave."""
        if self.here is not None:
            here, self.here = self.here, None
            with contextlib.suppress(*DISCOVERY_ERRORS):
                async with asyncio.timeout(CLOSING):
                    await here.async_close()


def _open() -> AsyncZeroconf:
    try:
        return AsyncZeroconf(ip_version=IPVersion.All)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise
        return AsyncZeroconf(ip_version=IPVersion.V4Only)


class _Discovery:
    """What telling and listing have in common: a task that keeps at it, and what is wrong."""

    what_now = ""
    """What somebody can do while discovery is off."""

    def __init__(self) -> None:
        self.trouble: str | None = None
        self.switched_off = bool(os.environ.get(SWITCH))
        """Whether nothing will ever be found, and not only now."""
        self._network = _Zeroconf()
        self._keeper: asyncio.Task[None] | None = None

    async def start(self) -> str | None:
        """Begin, and go on in the background. Returns what is wrong at first, or None."""
        if self.switched_off:
            self.trouble = f"Discovery is switched off ({SWITCH}); {self.what_now}."
            return self.trouble
        await self._attempt(self._renew())
        self._keeper = asyncio.create_task(self._keep())
        return self.trouble

    async def stop(self) -> None:
        """End, within two seconds."""
        if self._keeper:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)
        await self._network.close()

    async def _renew(self) -> None:
        raise NotImplementedError

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(POLL)
            await self._attempt(self._renew())

    async def _attempt(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
            self.trouble = None
        except DISCOVERY_ERRORS as error:
            self.trouble = f"{_explain(error)}; {self.what_now}."
            await self._network.close()


def _explain(error: Exception) -> str:
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        why = "port 5353 is taken by another program"
    elif isinstance(error, OSError) and error.errno:
        why = os.strerror(error.errno)
    else:
        why = "this machine is on no network"
    return f"Discovery is off ({why})"


class Advert(_Discovery):
    """Tells the network that a table is here."""

    what_now = "the game goes on, and others can join by HOST:PORT"

    def __init__(
        self, key: bytes, table: bytes, port: int, label: str, game: str, seats: str, *, open: bool
    ) -> None:
        """`key` is the opener's, `seats` as "3/5", `open` whether no code is asked for."""
        super().__init__()
        self._key = key
        self._table = table
        self._port = port
        self._label = label
        self._game = game
        self._seats = seats
        self._open = open
        self._again = 0
        self._told: AsyncServiceInfo | None = None
        self._changed = asyncio.Event()

    def update(self, seats: str) -> None:
        """Tell that seats were taken or given up."""
        if seats != self._seats:
            self._seats = seats
            self._changed.set()

    async def _keep(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(POLL):
                    await self._changed.wait()
            # Before the attempt: one that fails without waiting must not be made again at once.
            self._changed.clear()
            await self._attempt(self._renew())

    async def _renew(self) -> None:
        known = self._network.here
        moved = await self._network.renew()
        here = self._network.here
        info = self._info()
        if here is None or (not moved and self._told and self._told.text == info.text):
            return
        if here is known and self._told is not None:
            await (await here.async_update_service(info))
        else:
            try:
                await (await here.async_register_service(info))
            except NonUniqueNameException:
                self._again += 1
                raise
        self._told = info

    def _info(self) -> AsyncServiceInfo:
        return AsyncServiceInfo(
            SERVICE,
            instance_name(self._label, self._key, self._table, self._again),
            port=self._port,
            server=server_name(self._key),
            parsed_addresses=list(self._network.addresses),
            properties=txt_record(self._table, self._game, self._seats, self._port, self._open),
        )


def txt_record(table: bytes, game: str, seats: str, port: int, open: bool) -> dict[str, str]:
    """What a service says of itself; well below 400 bytes, since more gets lost on the way."""
    return {
        "v": str(PROTOCOL),
        "table": table.hex(),
        "game": game[:31],
        "seats": seats[:7],
        "open": "1" if open else "0",
        "port": str(port),
    }


class Browser(_Discovery):
    """The list of tables on the network. `tables` is the list now; `on_change` is called when it
    changes."""

    what_now = "join by the HOST:PORT on the opener's screen"

    def __init__(self, on_change: Callable[[], None] | None = None) -> None:
        super().__init__()
        self.tables: tuple[Listing, ...] = ()
        self._on_change = on_change
        self._sightings = Sightings()
        self._emptiness = Emptiness()
        self._browser: AsyncServiceBrowser | None = None
        self._looks: dict[str, asyncio.Task[None]] = {}
        self._probing = asyncio.Semaphore(PROBES_AT_ONCE)
        self._lister: asyncio.Task[None] | None = None

    async def start(self) -> str | None:
        """Begin, and go on in the background. Returns what is wrong at first, or None."""
        trouble = await super().start()
        self._lister = asyncio.create_task(self._list())
        return trouble

    async def stop(self) -> None:
        """End, within two seconds."""
        tasks = [task for task in (self._lister, *self._looks.values()) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._stop_browsing()
        await super().stop()

    async def refresh(self) -> None:
        """Ask everybody again."""
        self._sightings.all_due(_now())
        if self._network.here:
            await self._attempt(self._browse(self._network.here))

    async def _renew(self) -> None:
        moved = await self._network.renew()
        here = self._network.here
        if here and (moved or self._emptiness.due(bool(self.tables), _now())):
            await self._browse(here)

    async def _browse(self, here: AsyncZeroconf) -> None:
        await self._stop_browsing()
        self._browser = AsyncServiceBrowser(here.zeroconf, SERVICE, handlers=[self._heard])

    async def _stop_browsing(self) -> None:
        if self._browser:
            browser, self._browser = self._browser, None
            await browser.async_cancel()

    def _heard(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        if state_change is ServiceStateChange.Removed:
            self._sightings.taken_back(name, _now())
        else:
            self._sightings.heard(name, _now())

    async def _list(self) -> None:
        while True:
            for name in self._sightings.due(_now()):
                # Names may come and go faster than they can be looked at.
                if name not in self._looks and len(self._looks) < MOST:
                    self._looks[name] = asyncio.create_task(self._look(name))
            await asyncio.sleep(TICK)

    async def _look(self, name: str) -> None:
        """See whether the table behind a name is there."""
        try:
            async with self._probing:
                found = await self._ask(name)
        except (DialFailed, BadListing, *DISCOVERY_ERRORS):
            found = None
        finally:
            del self._looks[name]
        if found:
            self._sightings.answered(name, found, _now())
        else:
            self._sightings.failed(name, _now())
        self._publish()

    async def _ask(self, name: str) -> Listing | None:
        known = self._sightings.begin(name)
        if known:
            # Where it answered last, it will again; if not, the next look tries all addresses.
            addresses, table = known.addresses, known.table.hex()
            answer = await probe(addresses[:1], PROBING)
        elif self._network.here:
            info = AsyncServiceInfo(SERVICE, name)
            if not await info.async_request(self._network.here.zeroconf, RESOLVING):
                return None
            hosts = info.parsed_scoped_addresses()[:MOST_PROBED]
            addresses = heard_addresses(Address(host, info.port or 0) for host in hosts)
            table = info.decoded_properties.get("table") or ""
            answer = await probe(addresses, PROBING)
        else:
            return None
        found = read_listing(addresses, *answer)
        # A port may belong to another table by now, which has a name of its own.
        return found if found.table.hex() == table else None

    def _publish(self) -> None:
        tables = self._sightings.listed()
        if tables != self.tables:
            self.tables = tables
            if self._on_change:
                self._on_change()


def _now() -> float:
    return asyncio.get_running_loop().time()
