"""Where a peer may be dialled: what a charter may say of it, and so what its signers ever dial.

Rule 1: an address is "HOST:PORT" with a numeric host of one machine, written in one way:
"10.0.0.5:7000", "[fe80::1]:7000". Names would have to be looked up; groups of machines, and "any",
are nobody's.
Rule 2: loopback is an address, since a table may stand on one machine. It is dialled only by a
machine that has no other (`heard_addresses`), so that a charter opens no door within.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import IPv6Address, ip_address, ip_network

MOST_ADDRESSES = 16
"""As many as a peer tells of itself."""

NO_MACHINE = tuple(map(ip_network, ("0.0.0.0/8", "224.0.0.0/3", "::/128", "ff00::/8")))
"""This network, groups, what is reserved, the broadcast address."""


def peer_addresses(told: Iterable[tuple[str, int]]) -> tuple[str, ...]:
    """What a charter may say of these hosts and ports: the first 16 that are addresses."""
    written = (_written(host, port) for host, port in told)
    return tuple(dict.fromkeys(filter(None, written)))[:MOST_ADDRESSES]


def is_peer_address(text: str) -> bool:
    """Whether this is an address, as it is written."""
    host, _, port = text.rpartition(":")
    if not re.fullmatch("[0-9]{1,5}", port):
        return False
    return _written(host.removeprefix("[").removesuffix("]"), int(port)) == text


def _written(host: str, port: int) -> str:
    """An address, or "" if it is none. The scope of a link-local host means nothing elsewhere."""
    try:
        ip = ip_address(host.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(ip, IPv6Address):
        ip = ip.ipv4_mapped or ip
    if not 0 < port < 65536 or any(ip in network for network in NO_MACHINE):
        return ""
    return f"[{ip}]:{port}" if ip.version == 6 else f"{ip}:{port}"
