"""The disk: secrets stay secret and stay, a torn record is dropped, a full disk is told."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sobremesa.core.encoding import pack
from sobremesa.core.replica.charter import Charter, Peer, SeatPlan, Settings
from sobremesa.net import store as module
from sobremesa.net.home import home_folder
from sobremesa.net.identity import Identity
from sobremesa.net.store import CannotStore, InUse, Store, UsedBefore

TABLE = bytes(range(16))
OTHER = bytes(16)
KEY = bytes([9]) * 32


def charter() -> Charter:
    peers = (Peer(Identity.fresh().key, bytes(32)), Peer(Identity.fresh().key, bytes(32)))
    seats = (SeatPlan("Ana", 0), SeatPlan("Bea", 1))
    return Charter(TABLE, "Kitchen", "dudo", 1, (), Settings(), peers, seats)


def journal(home: Path) -> Path:
    return home / "tables" / f"{TABLE.hex()}-{KEY.hex()[:16]}" / "journal"


def written(home: Path, count: int) -> None:
    table = Store(home).table(TABLE, KEY)
    for n in range(count):
        table.keep_message((b"message %d" % n, bytes([n]) * 64))
    table.close()


def messages(home: Path) -> list[bytes]:
    table = Store(home).table(TABLE, KEY)
    found = [payload for payload, _ in table.messages()]
    table.close()
    return found


def test_the_key_is_made_once_and_kept(tmp_path: Path) -> None:
    with Store(tmp_path / "home") as store:
        first = store.identity()
        assert store.identity().key == first.key
    with Store(tmp_path / "home") as store:
        assert store.identity().key == first.key
        assert store.identity().sign(b"x") == first.sign(b"x")


def test_a_second_process_of_one_machine_is_another_peer(tmp_path: Path) -> None:
    code = "import sys; from pathlib import Path; from sobremesa.net.store import Store;"
    code += "print(Store(Path(sys.argv[1])).identity().key.hex())"
    with Store(tmp_path) as store:
        mine = store.identity().key.hex()
        others = [
            subprocess.run(
                [sys.executable, "-c", code, str(tmp_path)],
                capture_output=True,
                text=True,
                check=True,
                cwd=Path(__file__).parents[2],
            ).stdout.strip()
            for _ in range(2)
        ]
    assert len({mine, *others}) == 3


def test_a_key_that_is_given_free_is_taken_by_the_next(tmp_path: Path) -> None:
    first, second = Store(tmp_path), Store(tmp_path)
    key = first.identity().key
    assert second.identity().key != key
    first.close()
    assert second.identity().key == key
    second.close()


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
def test_nothing_can_be_read_by_others(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        with Store(tmp_path / "a" / "home") as store:
            table = store.table(TABLE, KEY)
            table.identity(store.identity())
            table.seed()
            table.keep_charter(charter())
            table.keep_choice(3, "Ana", "4x3")
            table.close()
    finally:
        os.umask(old)
    paths = [tmp_path / "a", *(tmp_path / "a").rglob("*")]
    assert len(paths) > 8
    for path in paths:
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def test_a_seed_is_on_the_disk_before_it_is_known(tmp_path: Path) -> None:
    table = Store(tmp_path).table(TABLE, KEY)
    seed = table.seed()
    assert len(seed) == 32
    assert (table.folder / "seed").read_bytes() == seed
    table.close()
    other = Store(tmp_path).table(OTHER, KEY)
    assert other.seed() != seed
    other.close()
    again = Store(tmp_path).table(TABLE, KEY)
    assert again.seed() == seed
    again.close()


def test_a_table_is_resumed_with_the_key_that_sat_down(tmp_path: Path) -> None:
    table = Store(tmp_path).table(TABLE, KEY)
    first = Identity.fresh()
    assert table.identity(first).key == first.key
    table.close()
    again = Store(tmp_path).table(TABLE, KEY)
    assert again.identity(Identity.fresh()).key == first.key
    again.close()


def test_what_was_kept_comes_back_in_order(tmp_path: Path) -> None:
    table = Store(tmp_path).table(TABLE, KEY)
    kept = charter()
    table.keep_charter(kept)
    for n in range(5):
        table.keep_message((b"m%d" % n, bytes(64)))
        table.keep_choice(n, "Ana", f"{n}x3")
    table.keep_choice(4, "Bea", "dudo")
    table.close()
    again = Store(tmp_path).table(TABLE, KEY)
    assert again.charter() == kept
    assert again.messages() == [(b"m%d" % n, bytes(64)) for n in range(5)]
    assert again.choices() == {(n, "Ana"): f"{n}x3" for n in range(5)} | {(4, "Bea"): "dudo"}
    again.close()


def test_a_new_table_holds_nothing(tmp_path: Path) -> None:
    table = Store(tmp_path).table(TABLE, KEY)
    assert (table.charter(), table.messages(), table.choices()) == (None, [], {})
    table.close()


@given(cut=st.integers(1, 200))
def test_a_torn_last_record_is_dropped_and_the_rest_goes_on(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    home = tmp_path_factory.mktemp("home")
    written(home, 3)
    data = journal(home).read_bytes()
    journal(home).write_bytes(data[:-cut])
    size = len(data) // 3
    whole = [b"message %d" % n for n in range(3)][: (len(data) - cut) // size]
    assert messages(home) == whole
    assert journal(home).stat().st_size == len(whole) * size
    table = Store(home).table(TABLE, KEY)
    table.keep_message((b"after", bytes(64)))
    table.close()
    assert messages(home) == [*whole, b"after"]


def test_a_tail_of_zeros_after_a_power_cut_is_dropped(tmp_path: Path) -> None:
    written(tmp_path, 2)
    with journal(tmp_path).open("ab") as file:
        file.write(bytes(4096))
    assert messages(tmp_path) == [b"message 0", b"message 1"]


def test_a_last_record_with_wrong_bytes_is_dropped(tmp_path: Path) -> None:
    written(tmp_path, 2)
    data = bytearray(journal(tmp_path).read_bytes())
    data[-1] ^= 1
    journal(tmp_path).write_bytes(data)
    assert messages(tmp_path) == [b"message 0"]


def test_damage_in_the_middle_is_told(tmp_path: Path) -> None:
    written(tmp_path, 3)
    data = bytearray(journal(tmp_path).read_bytes())
    data[len(data) // 2] ^= 1
    journal(tmp_path).write_bytes(data)
    with pytest.raises(CannotStore, match=r"damaged in the middle.*journal, record 1\)"):
        Store(tmp_path).table(TABLE, KEY)
    assert journal(tmp_path).read_bytes() == data


@pytest.mark.parametrize(
    "value", [[], None, ["note"], ["message", b"x"], ["choice", -1, "Ana", "sum 5"], [[]] * 1000]
)
def test_a_whole_record_that_is_none_of_ours_is_told(tmp_path: Path, value: object) -> None:
    written(tmp_path, 1)
    record = pack(value)
    with journal(tmp_path).open("ab") as file:
        file.write(len(record).to_bytes(4, "big") + zlib.crc32(record).to_bytes(4, "big") + record)
    with pytest.raises(CannotStore, match=r"journal, record 1\)"):
        Store(tmp_path).table(TABLE, KEY)


def test_a_number_is_used_once_also_when_its_table_was_forgotten(tmp_path: Path) -> None:
    store = Store(tmp_path)
    table = store.begin(TABLE, KEY)
    table.seed()
    with pytest.raises(UsedBefore, match="two games under one number"):
        store.begin(TABLE, KEY)
    table.remove()
    assert not list(tmp_path.glob("tables/*"))
    with pytest.raises(UsedBefore, match="two games under one number"):
        Store(tmp_path).begin(TABLE, KEY)
    store.begin(OTHER, KEY).remove()
    store.begin(TABLE, bytes(32)).remove()
    assert len((tmp_path / "over").read_text().splitlines()) == 3


def test_a_table_is_forgotten_on_a_full_disk_too_and_its_number_stays_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    store = Store(tmp_path)
    table = store.begin(TABLE, KEY)
    table.seed()
    monkeypatch.setattr(module, "_write_all", full)
    table.remove()
    assert list(table.folder.iterdir()) == []
    with pytest.raises(UsedBefore):
        store.begin(TABLE, KEY)


def test_a_table_is_open_once(tmp_path: Path) -> None:
    table = Store(tmp_path).table(TABLE, KEY)
    with pytest.raises(InUse, match="open in another window"):
        Store(tmp_path).table(TABLE, KEY)
    table.close()
    Store(tmp_path).table(TABLE, KEY).close()


def test_two_people_may_sit_at_one_table_from_one_machine(tmp_path: Path) -> None:
    ana = Store(tmp_path).table(TABLE, KEY)
    bea = Store(tmp_path).table(TABLE, bytes(32))
    assert ana.seed() != bea.seed()
    ana.close()
    bea.close()


def test_seats_are_listed_the_last_played_first_and_damaged_ones_not_at_all(
    tmp_path: Path,
) -> None:
    store, me = Store(tmp_path), Identity.fresh()
    ours = replace(
        charter(), peers=(Peer(me.key, bytes(32)), Peer(Identity.fresh().key, bytes(32)))
    )
    tables = [store.table(bytes([n]) * 16, me.key) for n in range(4)]
    for n, table in enumerate(tables):
        table.identity(me)
        table.keep_charter(ours)
        os.utime(table.folder / "journal", (n, n))
        table.close()
    (tables[2].folder / "key").write_bytes(b"short")
    (tables[3].folder / "charter").write_bytes(b"rubbish")
    store.table(bytes([7]) * 16, KEY).close()
    (tmp_path / "tables" / "notes").mkdir()
    seats = store.seats()
    assert [(s.folder, s.left) for s in seats] == [(tables[n].folder, n) for n in (1, 0)]
    assert (seats[0].peer, seats[0].others, seats[0].me.key) == (0, ("Bea",), me.key)
    again = seats[0].open()
    assert [seat.busy for seat in store.seats()] == [True, False]
    with pytest.raises(InUse, match="Kitchen is open in another window here: close that one"):
        seats[0].open()
    again.remove()
    assert [seat.folder for seat in store.seats()] == [tables[0].folder]


def test_a_full_disk_is_told_and_leaves_the_journal_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Store(tmp_path).table(TABLE, KEY)
    table.keep_message((b"first", bytes(64)))

    def half(file: object, data: bytes) -> None:
        file.write(data[: len(data) // 2])  # type: ignore[attr-defined]
        raise OSError(errno.ENOSPC, "full")

    with monkeypatch.context() as patch:
        patch.setattr(module, "_write_all", half)
        with pytest.raises(CannotStore, match="the disk is full"):
            table.keep_message((b"lost", bytes(64)))
    table.keep_message((b"second", bytes(64)))
    table.close()
    assert messages(tmp_path) == [b"first", b"second"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_device_that_is_full_is_told(tmp_path: Path) -> None:
    with (
        pytest.raises(CannotStore, match="disk is full"),
        open("/dev/full", "wb", buffering=0) as full,
        module._storing(tmp_path),
    ):
        module._write_all(full, b"x")


def test_a_home_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotStore, match="Cannot store anything in"):
        Store(tmp_path / "file" / "home")


def test_a_damaged_key_is_told_and_kept(tmp_path: Path) -> None:
    (tmp_path / "identity").write_bytes(b"short")
    with Store(tmp_path) as store, pytest.raises(CannotStore, match="damaged: move it away"):
        store.identity()
    assert (tmp_path / "identity").read_bytes() == b"short"


def test_the_home_can_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SOBREMESA_HOME", str(tmp_path))
    assert home_folder() == tmp_path
    monkeypatch.delenv("SOBREMESA_HOME")
    assert home_folder().name == "sobremesa"
