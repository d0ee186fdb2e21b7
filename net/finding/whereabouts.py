"""Where a table is: what the network is told of it by one of its machines, and what it tells one
that reaches none of the others.

Rule 1: it is a hint like all of discovery: who is found is dialled by the key that it should have.
Rule 2: telling and looking begin and end one after the other, and nothing waits for them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sobremesa.net.links.addresses import Address

from .discovery import Advert, Browser
from .listing import Listing

Found = Callable[[bytes, Sequence[Address]], None]
"""Told where the owner of a key can be dialled."""


@dataclass(frozen=True, slots=True)
class Search:
    """A look for the machines of a `table`: `found` is told where one is, `elsewhere` of each other
    table that is there, its key and its name."""

    table: bytes
    found: Found
    elsewhere: Callable[[bytes, str], None]

    def look(self, listings: Sequence[Listing]) -> None:
        """Take the list of the network's tables."""
        for listing in listings:
            if listing.table == self.table:
                self.found(listing.key, listing.addresses)
            else:
                self.elsewhere(listing.key, listing.label)


class Whereabouts:
    """The advert of one machine's table, while there is one, and its look for the others."""

    def __init__(self) -> None:
        self.advert: Advert | None = None
        self.browser: Browser | None = None
        self._change: asyncio.Task[None] | None = None
        self._closed = False

    async def tell(self, advert: Advert) -> str | None:
        """Tell the network of our table. Returns what is wrong, or None."""
        self.advert = advert
        return await advert.start()

    def go_on(self, advert: Callable[[], Advert] | None, search: Search | None) -> None:
        """Tell by this advert from now on, or not any more; search, or not any more."""
        changing = self._change is not None and not self._change.done()
        as_it_is = (self.advert is None, self.browser is None) == (advert is None, search is None)
        if not (changing or as_it_is or self._closed):
            self._change = asyncio.ensure_future(self._go_on(advert, search))

    async def _go_on(self, advert: Callable[[], Advert] | None, search: Search | None) -> None:
        if advert is None:
            await self._tell_no_more()
        elif self.advert is None:
            await self.tell(advert())
        if search is None:
            await self._look_no_more()
        elif self.browser is None:
            browser = self.browser = Browser(lambda: search.look(browser.tables))
            await browser.start()

    async def close(self) -> None:
        """Tell and look no more, for good."""
        self._closed = True
        if self._change is not None:
            self._change.cancel()
            await asyncio.gather(self._change, return_exceptions=True)
        await asyncio.gather(self._tell_no_more(), self._look_no_more())

    async def _tell_no_more(self) -> None:
        advert, self.advert = self.advert, None
        if advert is not None:
            await advert.stop()

    async def _look_no_more(self) -> None:
        browser, self.browser = self.browser, None
        if browser is not None:
            await browser.stop()
