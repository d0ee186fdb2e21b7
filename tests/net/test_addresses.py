"""Addresses: read as people type them, told without our scopes, dialled in a sensible order."""

from __future__ import annotations

import ifaddr
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sobremesa.core.addresses import MOST_ADDRESSES
from sobremesa.net.links import addresses
from sobremesa.net.links.addresses import (
    Address,
    BadAddress,
    OwnAddress,
    dial_order,
    heard_addresses,
    is_cut_off,
    own_addresses,
    plain_host,
    told_addresses,
)

LAN = OwnAddress("192.168.1.5", 24, 2)
OTHER_LAN = OwnAddress("10.0.0.5", 8, 3)
LINK_LOCAL = OwnAddress("fe80::5", 64, 2)
OTHER_LINK_LOCAL = OwnAddress("fe80::6", 64, 3)


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("192.168.1.7:7000", "192.168.1.7", 7000),
        (" grandma.local:1 ", "grandma.local", 1),
        ("[fe80::1%eth0]:65535", "fe80::1%eth0", 65535),
        ("[::1]:80", "::1", 80),
    ],
)
def test_an_address_reads_as_it_is_written(text: str, host: str, port: int) -> None:
    address = Address.read(text)
    assert address == Address(host, port)
    assert str(address) == text.strip()


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "give HOST:PORT"),
        ("grandma", "give HOST:PORT"),
        (":7000", "give HOST:PORT"),
        ("[]:7000", "give HOST:PORT"),
        ("my table:7000", "give HOST:PORT"),
        ("a\x1bb:7000", "give HOST:PORT"),
        ("host:", "1 to 65535"),
        ("host:0", "1 to 65535"),
        ("host:65536", "1 to 65535"),
        ("host:" + "9" * 9999, "1 to 65535"),
        ("host:-1", "1 to 65535"),
        ("host:７000", "1 to 65535"),
        ("host:http", "1 to 65535"),
        ("fe80::1:7000", "in brackets"),
    ],
)
def test_what_is_no_address_is_refused_with_a_hint(text: str, hint: str) -> None:
    with pytest.raises(BadAddress, match=hint):
        Address.read(text)


@given(st.text())
def test_reading_an_address_raises_nothing_else(text: str) -> None:
    try:
        address = Address.read(text)
    except BadAddress:
        return
    assert 0 < address.port < 65536


def test_this_machine_has_addresses_that_are_numeric() -> None:
    for own in own_addresses():
        assert own.ip.version in (4, 6)
        assert own.reaches(own.host)


class FakeIp:
    def __init__(self, host: str, prefix: int) -> None:
        self.ip = (host, 0, 0) if ":" in host else host
        self.network_prefix = prefix


class FakeAdapter:
    def __init__(self, name: str, *ips: tuple[str, int]) -> None:
        self.name = self.nice_name = name
        self.index = 1
        self.ips = [FakeIp(*one) for one in ips]


def fake_adapters(*found: tuple[str, int]) -> object:
    return lambda: [FakeAdapter("eth0", *found)]


BRIDGES = [FakeAdapter("docker0", ("172.17.0.1", 16))] + [
    FakeAdapter(f"br-{number:012x}", (f"172.{18 + number}.0.1", 16)) for number in range(18)
]
"""A machine with many containers."""


@pytest.mark.parametrize("leaves", ["192.168.7.5", None])
def test_bridges_to_own_containers_never_hide_the_address_on_the_network(
    monkeypatch: pytest.MonkeyPatch, leaves: str | None
) -> None:
    lan = FakeAdapter("wlan0", ("fe80::7", 64), ("192.168.7.5", 24))
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: [*BRIDGES, lan])
    monkeypatch.setattr(addresses, "_leaves_from", lambda host: leaves if "." in host else None)
    told = told_addresses(own_addresses())
    assert told[0] == "192.168.7.5"
    assert len(told) == MOST_ADDRESSES
    assert "fe80::7" not in told, "what means nothing without an interface goes last"


def test_where_routes_leave_comes_before_another_cable(monkeypatch: pytest.MonkeyPatch) -> None:
    cables = [FakeAdapter("eth1", ("10.9.0.5", 24)), FakeAdapter("eth0", ("10.1.0.5", 24))]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: cables)
    monkeypatch.setattr(addresses, "_leaves_from", lambda host: "10.1.0.5")
    assert told_addresses(own_addresses()) == ("10.1.0.5", "10.9.0.5")


def test_to_ask_where_routes_leave_tells_one_of_ours_or_nothing() -> None:
    ours = {own.host for own in own_addresses()}
    for host in addresses.ROUTED_TO:
        found = addresses._leaves_from(host)
        assert found is None or found in ours or found.startswith(("127.", "::1"))


def test_loopback_is_told_only_where_there_is_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    lo = (("127.0.0.1", 8), ("::1", 128))
    monkeypatch.setattr(ifaddr, "get_adapters", fake_adapters(*lo))
    assert told_addresses(own_addresses()) == ("127.0.0.1",)
    monkeypatch.setattr(ifaddr, "get_adapters", fake_adapters(*lo, ("fe80::5", 64)))
    assert told_addresses(own_addresses()) == ("fe80::5",)
    monkeypatch.setattr(
        ifaddr, "get_adapters", fake_adapters(("fe80::5", 64), ("10.0.0.5", 8), *lo)
    )
    assert told_addresses(own_addresses()) == ("10.0.0.5", "fe80::5")
    monkeypatch.setattr(ifaddr, "get_adapters", fake_adapters())
    assert told_addresses(own_addresses()) == ()


def test_no_more_addresses_are_told_than_a_frame_holds() -> None:
    many = [OwnAddress(f"10.0.0.{n}", 24, 2) for n in range(40)]
    assert len(told_addresses(many)) == MOST_ADDRESSES


def test_our_own_subnet_is_dialled_first_and_loopback_last() -> None:
    far, near, local = (Address(host, 1) for host in ("172.16.0.9", "192.168.1.9", "127.0.0.1"))
    assert dial_order([local, far, near], [LAN]) == (near, far, local)


def test_a_bare_link_local_address_is_dialled_on_each_of_our_interfaces() -> None:
    bare = Address("fe80::9", 1)
    assert dial_order([bare], [LAN, LINK_LOCAL, OTHER_LINK_LOCAL]) == (
        Address("fe80::9%2", 1),
        Address("fe80::9%3", 1),
    )
    assert dial_order([bare], [LAN]) == ()


def test_a_scope_that_is_given_is_kept() -> None:
    scoped = Address("fe80::9%eth7", 1)
    assert dial_order([scoped], [LINK_LOCAL]) == (scoped,)


def test_names_are_dialled_and_no_address_twice() -> None:
    name = Address("grandma.local", 1)
    assert dial_order([name, name], [OTHER_LAN]) == (name,)


def test_an_ipv4_address_on_an_ipv6_socket_is_shown_as_what_it_is() -> None:
    assert plain_host("::ffff:10.0.0.5") == "10.0.0.5"
    assert plain_host("fe80::1%eth0") == "fe80::1%eth0"
    assert plain_host("grandma") == "grandma"


def test_a_machine_with_nothing_but_loopback_is_cut_off_from_whoever_is_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lo = ("127.0.0.1", 8)
    monkeypatch.setattr(ifaddr, "get_adapters", fake_adapters(lo))
    assert is_cut_off(["127.0.0.1", "10.0.0.1"])
    assert not is_cut_off(["127.0.0.1", "::1"])
    monkeypatch.setattr(ifaddr, "get_adapters", fake_adapters(("192.168.1.5", 24), lo))
    assert not is_cut_off(["10.0.0.1"])


def test_no_stranger_has_us_dial_groups_names_or_our_own_programs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    home = [Address(host, 7) for host in ("127.0.0.1", "::1", "::ffff:127.0.0.1")]
    away = [Address(host, 7) for host in ("10.0.0.1", "fe80::1%eth0")]
    bad = [Address(host, 7) for host in ("h", "", "0.0.0.0", "224.0.0.1", "255.255.255.255", "::")]
    lo = ("127.0.0.1", 8)
    monkeypatch.setattr(ifaddr, "get_adapters", fake_adapters(("192.168.1.5", 24), lo))
    assert heard_addresses([*home, *away, *bad, Address("10.0.0.1", 0)]) == tuple(away)
    monkeypatch.setattr(ifaddr, "get_adapters", fake_adapters(lo))
    assert heard_addresses([*away, *home]) == (*away, *home)
