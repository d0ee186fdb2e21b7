"""Where a peer may be dialled: what a charter says of it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sobremesa.core.addresses import MOST_ADDRESSES, is_peer_address, peer_addresses


def test_a_charter_says_of_a_machine_what_leads_to_it() -> None:
    hosts = ("fe80::1%eth0", "::ffff:10.0.0.1", "10.0.0.1", "FE80::1", "h", "", "224.0.0.1", "::")
    assert peer_addresses((host, 7) for host in hosts) == ("[fe80::1]:7", "10.0.0.1:7")
    assert peer_addresses([("10.0.0.1", 0), ("10.0.0.1", 65536)]) == ()
    many = peer_addresses((f"10.0.0.{n}", 7) for n in range(40))
    assert len(many) == MOST_ADDRESSES


@given(st.ip_addresses(), st.integers(-1, 70_000))
def test_what_a_charter_says_it_may_say(host: object, port: int) -> None:
    assert all(map(is_peer_address, peer_addresses([(str(host), port)])))


@given(st.text(), st.text(st.sampled_from("0123456789abf.:[]%-")))
def test_an_address_is_written_in_one_way_only(text: str, address: str) -> None:
    for rubbish in (text, address):
        host, _, port = rubbish.rpartition(":")
        if is_peer_address(rubbish):
            assert peer_addresses([(host.strip("[]"), int(port))]) == (rubbish,)
