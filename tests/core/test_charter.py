"""core/replica/charter.py: one encoding, checked whole when it comes from elsewhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.games import toy
from support.peers.tabletop import make_charter

from sobremesa.core.encoding import pack, unpack
from sobremesa.core.errors import BadOption
from sobremesa.core.replica.charter import (
    MOST_BYTES,
    PROTOCOL,
    BadCharter,
    Charter,
    Peer,
    SeatPlan,
    Settings,
)

GOOD = make_charter(toy.GAME, 3, owners=(0, 1, 1, 2))


NO_ADDRESSES = (
    "", "10.0.0.1", "10.0.0.1:", ":7", "10.0.0.1:0", "10.0.0.1:65536", "10.0.0.1:07", "10.0.0.1:７",
    "10.0.0.1:" + "9" * 9999, "h:7", "router.lan:7", "010.0.0.1:7", "10.0.0.1:7 ", "[10.0.0.1]:7",
    "fe80::1:7", "[FE80::1]:7", "[fe80::1%eth0]:7", "[::ffff:10.0.0.1]:7", "[0::1]:7",
    "0.0.0.0:7", "0.1.2.3:7", "224.0.0.251:7", "240.0.0.1:7", "255.255.255.255:7",
    "[::]:7", "[ff02::fb]:7",
)  # fmt: skip


def called(name: str) -> dict[str, Any]:
    """The change that calls the last player so."""
    return {"seats": (*GOOD.seats[:3], SeatPlan(name, 2))}


def dialled(*addresses: str) -> dict[str, Any]:
    """The change that has the first peer at these addresses."""
    return {"peers": (replace(GOOD.peers[0], addresses=addresses), *GOOD.peers[1:])}


def test_a_charter_may_be_as_large_as_its_parts_may() -> None:
    tower = "𝕎\u0336\u0337"
    addresses = tuple(f"[2001:db8:1111:2222:3333:4444:5555:66{i}]:65535" for i in range(10, 26))
    largest = replace(
        GOOD,
        name=tower * 40,
        game="x" * 31,
        rules_version=2**16,
        options=tuple((f"{'o' * 29}{i:02}", "𝕎" * 32) for i in range(16)),
        settings=Settings(seconds=3600),
        peers=tuple(
            replace(GOOD.peers[0], key=bytes([i]) * 32, addresses=addresses) for i in range(8)
        ),
        seats=tuple(SeatPlan("ABCDEFGH"[i] + tower * 19, i) for i in range(8)),
    )
    assert Charter.decode(largest.encode()) == largest
    with pytest.raises(BadCharter, match="up to 16384 bytes"):
        Charter.decode(pack([[[]] * MOST_BYTES]))


@pytest.mark.parametrize(
    "address", ["10.0.0.1:7", "169.254.1.1:65535", "127.0.0.1:7", "[::1]:7", "[fe80::1]:7"]
)
def test_a_peer_may_be_dialled_where_a_machine_can_be(address: str) -> None:
    charter = replace(GOOD, **dialled(address))
    assert Charter.decode(charter.encode()) == charter


def test_charter_comes_back_as_it_was_written() -> None:
    again = Charter.decode(GOOD.encode())
    assert again == GOOD
    assert again.root() == GOOD.root()
    assert again.seats_of(1) == ("Bea", "Cai")
    assert again.owner("Cai") == 1


def test_root_hashes_everything() -> None:
    others = [
        replace(GOOD, table=b"another table id"),
        replace(GOOD, name="Other"),
        replace(GOOD, rules_version=2),
        replace(GOOD, options=(("rounds", 2), ("sides", 6))),
        replace(GOOD, settings=Settings(seconds=30)),
        replace(GOOD, settings=Settings(slow=True)),
        replace(GOOD, peers=GOOD.peers[::-1]),
        replace(GOOD, peers=(*GOOD.peers[:2], replace(GOOD.peers[2], rules=bytes(32)))),
        replace(GOOD, seats=GOOD.seats[::-1]),
        replace(GOOD, seats=(*GOOD.seats[:3], replace(GOOD.seats[3], name="Eva"))),
    ]
    assert len({charter.root() for charter in (GOOD, *others)}) == len(others) + 1


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"table": b"short"}, "16 bytes"),
        ({"peers": ()}, "1 to 8"),
        ({"seats": tuple(SeatPlan(f"P{i}", i % 3) for i in range(9))}, "1 to 8"),
        ({"peers": (*GOOD.peers[:2], Peer(b"k", bytes(32)))}, "32 bytes"),
        ({"peers": (*GOOD.peers[:2], replace(GOOD.peers[2], key=GOOD.peers[0].key))}, "twice"),
        ({"peers": (*GOOD.peers[:2], replace(GOOD.peers[2], rules=b"r"))}, "fingerprint"),
        ({"seats": (*GOOD.seats[:3], SeatPlan("ana", 2))}, "same name"),
        *(
            (called(name), "cannot be shown")
            for name in ("", "/quit", "A\u034fna", "x" * 21, "[Eva]")
        ),
        *((called(name), "same name") for name in ("Аna", "An\u0430", "ANA", "Сai")),
        *((called(name), "that screens use") for name in ("you", "Bоt", "Nobody")),
        ({"seats": GOOD.seats[:3]}, "one seat of its own"),
        ({"seats": (*GOOD.seats, SeatPlan("Gil", 1))}, "one seat of its own"),
        ({"seats": (*GOOD.seats[:3], replace(GOOD.seats[3], bot="legal"))}, "one seat of its own"),
        ({"seats": (*GOOD.seats, SeatPlan("Gil", 3))}, "fit together"),
        ({"seats": (*GOOD.seats, SeatPlan("Gil", -1))}, "fit together"),
        ({"seats": (*GOOD.seats, SeatPlan("Gil", 1, "b" * 32))}, "an id that none can have"),
        ({"seats": (*GOOD.seats, SeatPlan("Gil", 1, "\x1b[2J"))}, "an id that none can have"),
        ({"options": (("sides", 6), ("rounds", 1))}, "order"),
        ({"options": (("rounds", 1), ("rounds", 1), ("sides", 6))}, "each once"),
        ({"options": (("rounds", 1), ("rounds", "x"), ("sides", 6))}, "each once"),
        ({"options": tuple((f"o{i:02}", 1) for i in range(17))}, "more than 16"),
        *(({"options": ((key, 1),)}, "a key that") for key in ("", "o" * 32, "Dice", "\x1b[2J")),
        *(
            ({"options": (("dice", value),)}, "a value that")
            for value in (10**9, -(10**9), "", "x" * 33, "\x1b[2J", "a\u202eb", "\ud800")
        ),
        ({"settings": Settings(seconds=-1)}, "seconds"),
        ({"settings": Settings(seconds=3601)}, "seconds"),
        *(({"name": name}, "the table has a name") for name in ("", "x" * 41, "a\u202eb", "a\nb")),
        *(({"game": game}, "a game that") for game in ("", "x", "x" * 32, "Dudo", "\x1b[2J")),
        *(({"rules_version": version}, "a game that") for version in (-1, 2**16 + 1, 2**80)),
        (dialled("10.0.0.1:1", "10.0.0.1:1"), "each once"),
        (dialled(*(f"10.0.0.{i}:1" for i in range(17))), "up to 16"),
        *((dialled(address), "cannot be dialled") for address in NO_ADDRESSES),
    ],
)
def test_charter_of_parts_that_do_not_fit_is_refused(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(BadCharter, match=why):
        replace(GOOD, **changes)


def test_a_charter_that_nobody_here_could_make_cannot_be_read() -> None:
    values = unpack(GOOD.encode())
    values[8][3][0] = "Аna"
    with pytest.raises(BadCharter, match="same name"):
        Charter.decode(pack(values))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"game": "dudo"}, "plays dudo"),
        ({"rules_version": 2}, "Versions differ: your Toy has rules 1, the table plays by rules 2"),
        ({"options": (("rounds", 1),)}, "options"),
        ({"options": (("rounds", 7), ("sides", 6))}, "must be one of"),
        ({"options": (("rounds", "1"), ("sides", 6))}, "options"),
    ],
)
def test_charter_for_another_game_is_refused(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(BadCharter, match=why):
        replace(GOOD, **changes).check_game(toy.GAME)


def test_too_many_or_too_few_seats_for_the_game_are_refused() -> None:
    with pytest.raises(BadCharter, match="not for 4 players"):
        GOOD.check_game(replace(toy.GAME, seats=range(2, 4)))


def test_charter_of_another_protocol_says_which() -> None:
    values = unpack(GOOD.encode())
    with pytest.raises(BadCharter, match=f"yours {PROTOCOL}, the table's 99"):
        Charter.decode(pack([99, *values[1:]]))


ODD = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 300), st.binary(max_size=33), st.text()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.integers(0, 8), ODD)
def test_any_field_of_any_other_shape_is_a_bad_charter(place: int, value: object) -> None:
    values = unpack(GOOD.encode())
    values[place] = value
    data = pack(values)
    try:
        charter = Charter.decode(data)
    except BadCharter:
        return
    assert charter.encode() == data


def test_a_peer_has_no_other_name_than_that_of_its_own_seat() -> None:
    assert [GOOD.name_of(peer) for peer in range(3)] == ["Ana", "Bea", "Dan"]
    values = unpack(GOOD.encode())
    for name in ("Bea", "Bea.", "Dan"):
        named = [[key, name, *rest] for key, *rest in values[7]]
        with pytest.raises(BadCharter):
            Charter.decode(pack([*values[:7], named, *values[8:]]))


def test_settings_that_are_a_map_are_a_bad_charter() -> None:
    values = unpack(GOOD.encode())
    values[6] = {"backup": True}
    with pytest.raises(BadCharter):
        Charter.decode(pack(values))


@given(st.binary(max_size=300))
def test_rubbish_is_a_bad_charter(data: bytes) -> None:
    with pytest.raises(BadCharter):
        Charter.decode(data)


def test_every_flipped_bit_changes_the_charter_or_breaks_it() -> None:
    data = GOOD.encode()
    for place in range(len(data)):
        flipped = bytearray(data)
        flipped[place] ^= 1
        try:
            charter = Charter.decode(bytes(flipped))
        except BadCharter:
            continue
        assert charter.root() != GOOD.root()


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"backup": "yes"}, "on or off"),
        ({"seconds": "-1"}, "0 to 3600"),
        ({"seconds": "3601"}, "0 to 3600"),
        ({"seconds": "²"}, "0 to 3600"),
    ],
)
def test_settings_out_of_range_are_refused(given: dict[str, str], why: str) -> None:
    with pytest.raises(BadOption, match=why):
        Settings.read(given, Settings())


def test_twice_the_time_is_written_only_where_somebody_asked_for_it() -> None:
    slow = replace(GOOD, settings=Settings(slow=True))
    assert Charter.decode(slow.encode()) == slow
    parts = unpack(slow.encode())
    assert (parts[6], unpack(GOOD.encode())[6]) == ([True, 0, 60, True], [True, 0, 60])
    for settings in ([True, 0, 60, False], [True, 0, 60, 1], [True, 0, 60, True, True]):
        parts[6] = settings
        with pytest.raises(BadCharter):
            Charter.decode(pack(parts))


def test_settings_are_read_over_defaults() -> None:
    default = Settings(seconds=20, slow=True)
    assert Settings.read({"backup": "off"}, default) == replace(default, backup=False)
