"""Discovery without a network: names, listings, and when what is looked at (see also tests/lan)."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from zeroconf import NonUniqueNameException, ServiceStateChange
from zeroconf.asyncio import AsyncServiceInfo

from sobremesa.core.encoding import pack
from sobremesa.net.finding import discovery as module
from sobremesa.net.finding.discovery import (
    SERVICE,
    Advert,
    Browser,
    instance_name,
    server_name,
    txt_record,
)
from sobremesa.net.finding.listing import BadListing, Listing, read_listing
from sobremesa.net.finding.sightings import MOST, Emptiness, Sightings
from sobremesa.net.links.addresses import Address

KEY, TABLE = bytes(32), bytes(16)
HERE = Address("10.0.0.5", 7000)
LISTING: dict[str, Any] = {
    "v": 1,
    "table": TABLE,
    "name": "Kitchen",
    "game": "dudo",
    "game_title": "Dudo",
    "taken": 3,
    "seats": 5,
    "open": False,
    "options": "dice 5, palifico on",
    "state": "waiting",
    "opener": "Ana",
    "pub": KEY,
}


def found(name: str = "Kitchen", table: bytes = TABLE) -> Listing:
    return replace(read_listing([HERE], pack(LISTING), 0.01, HERE), label=name, table=table)


# Names.


@given(st.text(), st.binary(min_size=32, max_size=32))
def test_any_label_makes_a_name_that_the_library_takes(label: str, key: bytes) -> None:
    name = instance_name(label, key, TABLE)
    info = AsyncServiceInfo(SERVICE, name, port=1, server=server_name(key), properties={})
    assert len(name.removesuffix(f".{SERVICE}").encode()) <= 48
    assert info.get_name() == name.removesuffix(f".{SERVICE}")


def test_tables_of_one_label_have_different_names_and_a_table_one() -> None:
    names = {instance_name("Ana", bytes([n]) * 32, TABLE) for n in range(9)}
    names |= {instance_name("Ana", KEY, bytes([n]) * 16) for n in range(9)}
    assert len(names) == 17
    assert instance_name("Ana", KEY, TABLE) == instance_name("Ana", KEY, TABLE)
    assert instance_name("Ana", KEY, TABLE, 1) != instance_name("Ana", KEY, TABLE)


def test_a_label_is_cut_between_characters() -> None:
    assert instance_name("é" * 60, KEY, TABLE).startswith("é" * 20)
    assert instance_name("é" * 60, KEY, TABLE)[20] == "·"


def test_the_hosts_name_is_the_keys_and_not_the_machines() -> None:
    assert server_name(bytes([0xAB]) * 32) == "abababababababab.local."


def test_what_a_service_says_is_short_whatever_the_game() -> None:
    record = txt_record(TABLE, "g" * 500, "8/8" * 100, 65535, True)
    assert sum(len(key) + len(value) + 2 for key, value in record.items()) <= 400
    assert sorted(record) == ["game", "open", "port", "seats", "table", "v"]


# Cards.


def test_a_listing_reads_as_the_table_wrote_it() -> None:
    other = Address("fe80::1%2", 7000)
    table = read_listing([other, HERE], pack(LISTING), 0.25, HERE)
    assert table == Listing(
        1, KEY, TABLE, "Kitchen", "dudo", "Dudo", 3, 5, False, "dice 5, palifico on",
        "waiting", "Ana", (HERE, other), 0.25,
    )  # fmt: skip
    assert table.port == 7000


def test_the_text_of_a_listing_is_cleaned() -> None:
    hostile = {**LISTING, "name": "\x1b[2J" + "K" * 60 + "\n", "opener": "/quit\u202e:x"}
    table = read_listing([HERE], pack(hostile), 0, HERE)
    assert table.label == "K" * 39 + "…"
    assert table.opener == "quit x"


@pytest.mark.parametrize(
    "change",
    [
        {"v": "1"},
        {"v": True},
        {"table": bytes(15)},
        {"pub": b""},
        {"pub": None},
        {"name": b"x"},
        {"game": "Dudo!"},
        {"game": "../x"},
        {"taken": 6},
        {"taken": -1},
        {"seats": 9},
        {"seats": 2.0},
        {"open": 1},
        {"options": ["x"]},
    ],
)
def test_a_listing_that_makes_no_sense_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(BadListing):
        read_listing([HERE], pack({**LISTING, **change}), 0, HERE)


@pytest.mark.parametrize("missing", sorted(LISTING))
def test_a_listing_without_a_value_is_refused(missing: str) -> None:
    told = {name: value for name, value in LISTING.items() if name != missing}
    with pytest.raises(BadListing):
        read_listing([HERE], pack(told), 0, HERE)


@given(st.binary(max_size=100))
def test_random_bytes_are_no_listing(data: bytes) -> None:
    with pytest.raises(BadListing):
        read_listing([HERE], data, 0, HERE)


# When what is looked at.


def test_a_name_is_looked_at_when_heard_and_listed_when_it_answers() -> None:
    sightings = Sightings()
    sightings.heard("a", 100)
    assert sightings.due(100) == ["a"]
    assert sightings.listed() == ()
    sightings.answered("a", found(), 100.1)
    assert sightings.listed() == (found(),)
    assert sightings.due(105) == []
    assert sightings.due(105.1) == ["a"]


def test_a_table_is_dropped_after_two_failures_within_twelve_seconds() -> None:
    sightings = Sightings()
    sightings.heard("a", 100)
    sightings.answered("a", found(), 100)
    now = 100.0
    for listed in (True, False):
        while not sightings.due(now):
            now += 0.1
        now += 2  # nobody answers within the time of one connection
        sightings.failed("a", now)
        assert bool(sightings.listed()) is listed
    assert now - 100 <= 12


def test_one_failure_is_forgiven() -> None:
    sightings = Sightings()
    sightings.heard("a", 100)
    for _ in range(5):
        sightings.answered("a", found(), 100)
        sightings.failed("a", 105)
        assert sightings.begin("a") is None
        assert sightings.listed() == (found(),)


def test_a_table_is_looked_for_where_it_was_until_something_changes() -> None:
    sightings = Sightings()
    sightings.heard("a", 100)
    assert sightings.begin("a") is None
    sightings.answered("a", found(), 100)
    assert sightings.begin("a") == found()
    sightings.heard("a", 101)
    assert sightings.due(101) == ["a"]
    assert sightings.listed() == (found(),)
    assert sightings.begin("a") is None
    sightings.heard("a", 101.5)  # in the middle of that look
    sightings.answered("a", found(), 102)
    assert sightings.due(102) == ["a"]
    assert sightings.begin("a") is None


def test_a_dead_name_is_looked_at_ever_more_rarely_and_may_come_back() -> None:
    sightings = Sightings()
    sightings.heard("a", 0)
    waits = []
    now = 0.0
    for _ in range(8):
        sightings.failed("a", now)
        before = now
        while not sightings.due(now):
            now += 1
        waits.append(now - before)
    assert waits == [2, 4, 8, 16, 32, 60, 60, 60]
    sightings.answered("a", found(), now)
    assert sightings.listed() == (found(),)


def test_a_name_that_was_taken_back_is_gone_as_soon_as_nobody_answers() -> None:
    sightings = Sightings()
    sightings.heard("a", 0)
    sightings.begin("a")
    sightings.answered("a", found(), 0)
    sightings.taken_back("a", 1)
    assert sightings.due(1) == ["a"]
    assert sightings.listed() == (found(),)
    assert sightings.begin("a") == found()
    sightings.failed("a", 1)
    assert sightings.listed() == ()
    assert sightings.due(100) == []


def test_a_goodbye_in_the_name_of_a_table_that_answers_takes_nothing_from_the_list() -> None:
    """Anybody on the network can say it, in anybody's name."""
    sightings = Sightings()
    sightings.heard("a", 0)
    sightings.begin("a")
    sightings.taken_back("a", 1)
    for now in (1, 2):  # at once, and once more: it may have said it a moment before it goes
        assert sightings.due(now) == ["a"]
        sightings.begin("a")
        sightings.answered("a", found(), now)
        assert sightings.due(now) == []
    assert sightings.listed() == (found(),)
    assert sightings.due(6) == []
    assert sightings.due(7) == ["a"]
    sightings.failed("a", 7)  # from now on one silence is not enough again
    assert sightings.listed() == (found(),)


def test_a_table_that_still_answers_as_it_says_goodbye_is_gone_a_second_later() -> None:
    sightings = Sightings()
    sightings.heard("a", 0)
    sightings.answered("a", found(), 0)
    sightings.taken_back("a", 1)
    sightings.answered("a", found(), 1)
    assert sightings.due(2) == ["a"]
    sightings.failed("a", 2)
    assert sightings.listed() == ()


def test_sixty_four_names_are_kept_and_only_dead_ones_make_room() -> None:
    sightings = Sightings()
    for n in range(MOST + 10):
        sightings.heard(f"n{n}", 0)
    assert len(sightings.due(0)) == MOST
    assert "n64" not in sightings.due(0)
    for n in range(MOST):
        sightings.answered(f"n{n}", found(table=bytes([n]) * 16), 0)
    sightings.failed("n7", 1)
    sightings.failed("n8", 1)
    sightings.failed("n8", 1)
    sightings.heard("new", 1)
    assert sightings.begin("n8") is None
    assert len(sightings.listed()) == MOST - 1
    assert sightings.due(1) == ["new"]


def test_a_table_under_two_names_is_listed_once_and_the_order_is_steady() -> None:
    sightings = Sightings()
    for name, label, table in (("1", "B", 1), ("2", "A", 2), ("3", "B", 1), ("4", "B", 0)):
        sightings.heard(name, 0)
        sightings.answered(name, found(label, bytes([table]) * 16), 0)
    assert [(t.label, t.table[0]) for t in sightings.listed()] == [("A", 2), ("B", 0), ("B", 1)]


def test_an_empty_list_asks_again_every_ten_seconds() -> None:
    emptiness = Emptiness()
    asked = [now for now in range(0, 42, 2) if emptiness.due(False, now)]
    assert asked == [10, 20, 30, 40]
    assert not emptiness.due(True, 60)
    assert not emptiness.due(False, 61)
    assert not emptiness.due(False, 70)
    assert emptiness.due(False, 71)


# Failure.


async def test_switched_off_it_says_so_and_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOBREMESA_NO_MDNS", "1")

    advert = Advert(KEY, TABLE, 7000, "Kitchen", "dudo", "1/5", open=True)
    browser = Browser()
    for discovery in (advert, browser):
        trouble = await discovery.start()
        assert trouble is not None
        assert "HOST:PORT" in trouble
    advert.update("2/5")
    await browser.refresh()
    assert browser.tables == ()
    await asyncio.gather(advert.stop(), browser.stop())


def our_advert(
    monkeypatch: pytest.MonkeyPatch, network: Callable[[], Any], *, poll: float
) -> Advert:
    """The advert of our table on what `network` makes in place of one."""
    monkeypatch.delenv("SOBREMESA_NO_MDNS", raising=False)
    monkeypatch.setattr(module, "POLL", poll)
    monkeypatch.setattr(module, "_open", network)
    return Advert(KEY, TABLE, 7000, "Kitchen", "dudo", "1/5", open=True)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.EADDRINUSE, "x"), "port 5353 is taken"),
        (OSError(errno.ENETDOWN, "x"), "Network is down"),
        (RuntimeError("No interfaces to listen on"), "on no network"),
    ],
)
async def test_discovery_that_fails_is_off_and_tries_again(
    monkeypatch: pytest.MonkeyPatch, error: Exception, words: str
) -> None:
    again = asyncio.Event()
    tries = iter([None, None])

    def fail() -> Any:
        if next(tries, error):
            again.set()
        raise error

    advert = our_advert(monkeypatch, fail, poll=0.01)
    trouble = await advert.start()
    assert trouble is not None
    assert words in trouble
    assert "the game goes on" in trouble
    async with asyncio.timeout(10):
        await again.wait()
    await advert.stop()


class Network:
    """What zeroconf is to us, without a network; `told` is what was said, the newest last."""

    def __init__(self) -> None:
        self.zeroconf = self
        self.told: list[AsyncServiceInfo] = []

    async def async_wait_for_start(self) -> None:
        pass

    async def async_register_service(self, info: AsyncServiceInfo) -> Any:
        self.told.append(info)
        return asyncio.sleep(0)

    async_update_service = async_register_service

    async def async_close(self) -> None:
        pass

    def seats(self) -> list[str | None]:
        return [info.decoded_properties["seats"] for info in self.told]


async def turns() -> None:
    """Let everything happen that waits for no clock."""
    for _ in range(50):
        await asyncio.sleep(0)


async def test_news_while_discovery_fails_cost_one_try_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tries = 0

    def fail() -> Any:
        nonlocal tries
        tries += 1
        # A loop that gives nobody else a turn must end for the test to fail.
        assert tries < 100
        raise OSError(errno.EADDRINUSE, "x")

    advert = our_advert(monkeypatch, fail, poll=60)
    await advert.start()
    assert tries == 1
    for count, seats in ((2, "2/5"), (3, "3/5"), (3, "3/5")):
        advert.update(seats)
        await turns()
        assert tries == count
    network = Network()
    monkeypatch.setattr(module, "_open", lambda: network)
    advert.update("4/5")
    await turns()
    assert network.seats() == ["4/5"]
    await advert.stop()


async def test_chairs_taken_while_others_are_told_are_told_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    network = Network()
    advert = our_advert(monkeypatch, lambda: network, poll=60)
    told = asyncio.Event()

    async def tell_slowly(info: AsyncServiceInfo) -> Any:
        network.told.append(info)
        return told.wait()

    monkeypatch.setattr(network, "async_update_service", tell_slowly)
    await advert.start()
    for seats in ("2/5", "3/5", "4/5"):
        advert.update(seats)
        await turns()
    assert network.seats() == ["1/5", "2/5"]
    told.set()
    await turns()
    assert network.seats() == ["1/5", "2/5", "4/5"]
    await advert.stop()


async def test_names_that_come_and_go_are_looked_at_by_so_many_and_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "TICK", 0)
    asked = 0

    async def ask(browser: Browser, name: str) -> Listing | None:
        nonlocal asked
        asked += 1
        await asyncio.Event().wait()
        return None

    monkeypatch.setattr(Browser, "_ask", ask)
    monkeypatch.setenv("SOBREMESA_NO_MDNS", "1")

    browser = Browser()
    await browser.start()
    for n in range(3 * MOST):
        browser._heard(None, SERVICE, f"n{n}", ServiceStateChange.Added)  # type: ignore[arg-type]
        await asyncio.sleep(0)
        browser._heard(None, SERVICE, f"n{n}", ServiceStateChange.Removed)  # type: ignore[arg-type]
    await turns()
    assert len(browser._looks) == MOST
    assert asked == module.PROBES_AT_ONCE
    await browser.stop()


async def test_a_name_that_is_taken_is_given_up_for_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []
    told = asyncio.Event()

    class Crowded(Network):
        """The first name is somebody else's."""

        async def async_register_service(self, info: AsyncServiceInfo) -> Any:
            asked.append(info.name)
            if len(asked) == 1:
                raise NonUniqueNameException
            told.set()
            return asyncio.sleep(0)

    advert = our_advert(monkeypatch, Crowded, poll=0.01)
    assert await advert.start() is not None
    async with asyncio.timeout(10):
        await told.wait()
    await asyncio.sleep(0.05)
    assert advert.trouble is None
    await advert.stop()
    assert asked == [instance_name("Kitchen", KEY, TABLE, n) for n in (0, 1)]
