"""Addresses: ours, those a peer may be dialled at and in which order, and those that people type.

Rule 1: an address is a numeric host or a name, and a port. A link-local IPv6 address means nothing
without the interface, so it is passed on without ours and dialled with each of ours.
Rule 2: loopback is an address only where there is no other, ours or somebody else's.
"""

from __future__ import annotations

import ipaddress
import os
import re
import socket
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

import ifaddr

from sobremesa.core.addresses import MOST_ADDRESSES, peer_addresses
from sobremesa.core.errors import LocalError


class BadAddress(LocalError):
    """What was typed is no address."""


class Address(NamedTuple):
    """A host, numeric or a name, and a port. As text: "10.0.0.5:7000", "[fe80::1]:7000"."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @classmethod
    def read(cls, text: str) -> Address:
        """Read HOST:PORT.

        :raises BadAddress: if it is not that
        """
        host, colon, port = text.strip().rpartition(":")
        if host.startswith("[") and host.endswith("]"):
            host = host[1:-1]
        elif ":" in host:
            raise BadAddress(
                "An IPv6 address stands in brackets: [ADDRESS]:PORT, as on the opener's screen."
            )
        if not colon or not host or any(char.isspace() or not char.isprintable() for char in host):
            raise BadAddress("That is no address: give HOST:PORT, as on the opener's screen.")
        if not re.fullmatch("[0-9]{1,5}", port) or not 0 < int(port) < 65536:
            raise BadAddress("The port after the last colon must be 1 to 65535.")
        return cls(host, int(port))


@dataclass(frozen=True, slots=True)
class OwnAddress:
    """An address of this machine: numeric host without scope, prefix length, interface index."""

    host: str
    prefix: int
    index: int

    @property
    def ip(self) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
        """The address as a value."""
        return ipaddress.ip_address(self.host)

    def reaches(self, host: str) -> bool:
        """Whether a numeric host lies in this address's subnet."""
        network = ipaddress.ip_network(f"{self.host}/{self.prefix}", strict=False)
        return ipaddress.ip_address(host) in network


VIRTUAL = re.compile("docker|br-|veth|virbr|lxc|lxd|cni|flannel|podman|vmnet|vboxnet|vethernet")
"""How the names of interfaces begin behind which there are only programs of this machine."""


def own_addresses() -> tuple[OwnAddress, ...]:
    """All addresses of this machine now, the likeliest to be reached first: where its routes leave
    it, then those of its other cables, then those of bridges to its own containers; IPv4 before
    IPv6. Loopback only if there is nothing else, or if SOBREMESA_LOOPBACK says that this machine
    plays with itself. Whoever tells but some of them tells the first.

    :raises OSError: if the system does not tell
    """
    routed = {host for group in ROUTED_TO if (host := _leaves_from(group))}
    ranked: list[tuple[tuple[bool, bool, bool, int], OwnAddress]] = []
    for adapter in ifaddr.get_adapters():
        virtual = VIRTUAL.match((adapter.nice_name or adapter.name).casefold()) is not None
        for ip in adapter.ips:
            host = ip.ip[0] if isinstance(ip.ip, tuple) else ip.ip
            own = OwnAddress(host, ip.network_prefix, adapter.index or 0)
            rank = (own.ip.is_link_local, host not in routed, virtual, own.ip.version)
            ranked.append((rank, own))
    found = [own for _, own in sorted(ranked, key=lambda pair: pair[0])]
    alone = bool(os.environ.get("SOBREMESA_LOOPBACK"))
    away = tuple(own for own in found if not own.ip.is_loopback and not alone)
    home = tuple(own for own in found if own.ip.is_loopback)
    return away or tuple(own for own in home if own.ip.version == 4) or home


ROUTED_TO = ("192.0.2.1", "2001:db8::1")
"""Addresses that nobody has (RFC 5737, RFC 3849): by them a system tells where it would leave."""


def _leaves_from(host: str) -> str | None:
    """The address of ours from which a packet to a host would leave, if there is a way. None is
    sent: to connect a datagram socket asks the routes and no more."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
        asking.connect((host, 9))
        return str(asking.getsockname()[0])
    return None


def told_addresses(own: Iterable[OwnAddress]) -> tuple[str, ...]:
    """The hosts that we tell others, without our scopes."""
    return tuple(dict.fromkeys(address.host for address in own))[:MOST_ADDRESSES]


def heard_addresses(told: Iterable[Address]) -> tuple[Address, ...]:
    """Those that we dial of the addresses that strangers tell, in a charter or on the network. On
    a network loopback is none of them: it leads to other programs of this machine."""
    try:
        at_home = all(own.ip.is_loopback for own in own_addresses())
    except OSError:
        at_home = True  # we tell no other address ourselves, then
    found = (address for address in told if peer_addresses([address]))
    return tuple(address for address in found if at_home or not _is_loopback(address.host))


def is_cut_off(hosts: Iterable[str]) -> bool:
    """Whether one of these hosts lies outside this machine, which has no address but loopback."""
    try:
        at_home = all(own.ip.is_loopback for own in own_addresses())
    except OSError:
        return False
    return at_home and not all(map(_is_loopback, hosts))


def dial_order(addresses: Iterable[Address], own: Sequence[OwnAddress]) -> tuple[Address, ...]:
    """The addresses to dial, the likeliest first: our subnets, then others, loopback last. A bare
    link-local address becomes one for each of our interfaces; more than 16 are too many."""
    ranked: list[tuple[int, Address]] = []
    for address in addresses:
        ip = _numeric(address.host)
        if ip is None or (ip.version == 6 and ip.scope_id):
            ranked.append((1, address))
        elif ip.version == 6 and ip.is_link_local:
            scopes = {mine.index for mine in own if mine.ip.version == 6 and mine.ip.is_link_local}
            ranked += [(1, Address(f"{ip}%{scope}", address.port)) for scope in sorted(scopes)]
        elif ip.is_loopback:
            ranked.append((3, address))
        else:
            near = any(mine.reaches(str(ip)) for mine in own)
            ranked.append((0 if near else 2, address))
    ranked.sort(key=lambda pair: pair[0])
    return tuple(dict.fromkeys(address for _, address in ranked))[:MOST_ADDRESSES]


def plain_host(host: str) -> str:
    """A host as the system names it, an IPv4 one that came over an IPv6 socket in its own form."""
    ip = _numeric(host)
    mapped = ip.ipv4_mapped if ip is not None and ip.version == 6 else None
    return str(mapped) if mapped else host


def network_of(host: str) -> str:
    """What counts as one address where strangers are counted: an IPv6 host's /64, else the host."""
    ip = _numeric(plain_host(host))
    if ip is None or ip.version == 4:
        return plain_host(host)
    return f"{ipaddress.IPv6Address(int(ip) >> 64 << 64)}/64"


def _is_loopback(host: str) -> bool:
    ip = _numeric(plain_host(host))
    return ip is not None and ip.is_loopback


def _numeric(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
