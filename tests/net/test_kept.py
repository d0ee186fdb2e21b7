"""The kept games: nothing is lost or overwritten, and nothing of others is touched."""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NoReturn

import pytest

from sobremesa.core.encoding import pack
from sobremesa.core.errors import LocalError
from sobremesa.core.game import Game
from sobremesa.core.replica.charter import Charter, Peer, SeatPlan, Settings
from sobremesa.core.replica.summary import Summary
from sobremesa.core.replica.transcript import MAGIC
from sobremesa.net import kept as module
from sobremesa.net.kept import Kept, KeptGames, write_new
from sobremesa.net.store import CannotStore, Store, own_key

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
STAMP = "20260131T120000Z"


def charter(table: bytes, name: str = "Kitchen") -> Charter:
    people = (Peer(bytes([1]) * 32, bytes(32)), Peer(bytes([2]) * 32, bytes(32)))
    seats = (SeatPlan("Ana", 0), SeatPlan("Bea", 1))
    return Charter(table, name, "dudo", 1, (), Settings(), people, seats)


def record(table: bytes, messages: int = 3) -> bytes:
    """A file as long as wanted, in the form of a record."""
    lines = [["charter", charter(table).encode()]]
    lines += [["message", b"message %d" % n, bytes(64)] for n in range(messages)]
    return MAGIC + b"".join(map(pack, lines))


def number(n: int) -> bytes:
    return n.to_bytes(4, "big") * 4


def summary(table: bytes, name: str = "Kitchen") -> Summary:
    people = ((bytes([1]) * 32, "Ana"), (bytes([2]) * 32, "Bea"))
    places = (("Ana",), ("Bea",))
    return Summary(table, name, "dudo", "Dudo", people, (), 3, "over", "Ana won", places)


def asked(name: str) -> NoReturn:
    raise AssertionError("an index was missing")


def nowhere(name: str) -> Game[Any]:
    raise LocalError("no such game")


@pytest.fixture
def kept(tmp_path: Path) -> KeptGames:
    return KeptGames(tmp_path / "home")


def keep(kept: KeptGames, n: int, minutes: int = 0, **more: Any) -> Path:
    path = kept.keep(
        record(number(n)), summary(number(n), **more), NOON + timedelta(0, 60 * minutes)
    )
    assert path is not None
    return path


def names(kept: KeptGames) -> list[str]:
    return sorted(os.listdir(kept.folder))


def test_a_record_is_kept_whole_for_its_owner_only(kept: KeptGames) -> None:
    path = keep(kept, 7)
    assert path.name == f"{STAMP}-dudo-kitchen-00000007.sobremesa"
    assert path.read_bytes() == record(number(7))
    for file in (path, path.with_suffix(".index")):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    for folder in (kept.folder, kept.folder.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert list(kept.games(asked)) == [Kept(path, NOON, summary(number(7)))]


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("Ana's  table", "ana-s-table"),
        ("Ñandú & Zoë", "nandu-zoe"),
        ("../../etc/passwd", "etc-passwd"),
        ("台所", ""),
        ("x" * 40, "x" * 34),
        ("CON.txt\\", "con-txt"),
    ],
)
def test_a_name_is_plain_whatever_the_table_is_called(
    kept: KeptGames, table: str, told: str
) -> None:
    path = keep(kept, 1, name=table)
    assert path.name == "-".join(filter(None, (STAMP, "dudo", told, "00000001.sobremesa")))
    assert path.parent == kept.folder
    assert [one.summary for one in kept.games(asked)] == [summary(number(1), table)]


def test_names_sort_by_the_time_and_the_newest_comes_first(kept: KeptGames) -> None:
    paths = [keep(kept, n, minutes) for n, minutes in ((3, 0), (1, 1), (2, 2))]
    assert kept.paths() == paths[::-1] == sorted(paths, reverse=True)


def test_two_tables_of_one_moment_and_one_beginning_are_both_kept(kept: KeptGames) -> None:
    tables = [bytes(4) + bytes([n]) * 12 for n in range(3)]
    paths = [kept.keep(record(table), summary(table), NOON) for table in tables]
    ends = [path.stem.removeprefix(f"{STAMP}-dudo-kitchen-") for path in paths if path]
    assert ends == ["00000000", "00000000-2", "00000000-3"]
    assert {path.read_bytes() for path in paths if path} == {record(table) for table in tables}
    assert {one.summary.table for one in kept.games(asked) if one.summary} == set(tables)


# One table, several records.


def test_a_game_that_is_played_on_is_kept_once(kept: KeptGames) -> None:
    table = number(1)
    first = kept.keep(record(table, 2), replace(summary(table), end="broken off"), NOON)
    other = keep(kept, 2)
    later = NOON + timedelta(hours=1)
    whole = kept.keep(record(table, 3), summary(table), later)
    assert whole is not None
    assert first is not None
    assert kept.paths() == [whole, other]
    assert not first.with_suffix(".index").exists()
    for less in (record(table, 3), record(table, 1)):  # from a second seat of this machine
        assert kept.keep(less, summary(table), later + timedelta(hours=1)) is None
    assert kept.paths() == [whole, other]


def test_of_two_that_were_written_at_once_the_first_stays(
    kept: KeptGames, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when two people sat at one table in two windows of one machine."""
    with monkeypatch.context() as patch:
        patch.setattr(KeptGames, "_tidy", lambda kept, table: None)
        paths = [keep(kept, 1) for _ in range(2)]
    assert kept.paths() == sorted(paths, reverse=True)
    for _ in range(2):
        kept._tidy(number(1))
        assert kept.paths() == [min(paths)]


def test_what_only_one_of_two_records_tells_is_not_lost(kept: KeptGames) -> None:
    table = number(1)
    one = record(table, 2) + pack(["evidence", b"farewell", bytes(64)])
    assert kept.keep(one, summary(table), NOON)
    assert kept.keep(record(table, 3), summary(table), NOON)
    assert {path.read_bytes() for path in kept.paths()} == {one, record(table, 3)}


def test_a_game_that_was_watched_is_marked_and_replaces_none_that_was_played(
    kept: KeptGames,
) -> None:
    table = number(1)
    watched = kept.keep(record(table, 2), summary(table), NOON, watched=True)
    assert watched is not None
    assert [one.watched for one in kept.games(asked)] == [True]
    played = kept.keep(record(table, 1), summary(table), NOON + timedelta(hours=1))
    assert kept.paths() == [played, watched]  # it tells more, and stays what it is
    whole = keep(kept, 1, 120)
    assert kept.paths() == [whole]
    assert kept.keep(record(table, 3), summary(table), NOON, watched=True) is None
    assert [one.watched for one in kept.games(asked)] == [False]


# The limit.


def test_the_newest_stay_and_what_is_not_ours_is_not_touched(
    kept: KeptGames, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST", 3)
    keep(kept, 0)
    others = {
        "notes.txt": b"mine",
        "20250101T000000Z-dudo-kitchen-00000000.sobremesa": b"by our name, but mine",
        "20250101T000000Z-dudo-kitchen-00000000.sobremesa.bak": MAGIC,
        "old game.sobremesa": record(number(9)),
        "20259999T000000Z-dudo-kitchen-00000000.sobremesa": MAGIC,
    }
    for name, data in others.items():
        (kept.folder / name).write_bytes(data)
    link = kept.folder / "20250102T000000Z-dudo-kitchen-00000000.sobremesa"
    link.symlink_to(kept.folder / "old game.sobremesa")
    (kept.folder / "20250103T000000Z-dudo-kitchen-00000000.sobremesa").mkdir()
    before = set(names(kept))
    ours = [keep(kept, n, n) for n in range(1, 6)]
    assert kept.paths() == ours[:1:-1]
    mine = {name for name in before if not name.startswith(STAMP)}
    indexes = {path.with_suffix(".index").name for path in ours[2:]}
    assert set(names(kept)) == mine | indexes | {path.name for path in ours[2:]}
    assert all((kept.folder / name).read_bytes() == data for name, data in others.items())


def test_two_hundred_are_kept() -> None:
    assert module.MOST == 200


def test_a_game_that_just_ended_stays_though_the_clock_went_back(
    kept: KeptGames, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST", 2)
    newer = [keep(kept, n, n) for n in range(2)]
    path = keep(kept, 7, minutes=-1000)
    assert kept.paths() == [*newer[::-1], path]


# The index.


def test_an_index_that_is_damaged_missing_or_of_another_record_is_made_anew(
    kept: KeptGames,
) -> None:
    path, other = keep(kept, 1), keep(kept, 2, 1)
    index = path.with_suffix(".index")
    good = index.read_bytes()
    flipped = bytes([good[20] ^ 1])
    for damage in (b"", good[:-1], good[:20] + flipped + good[21:], b"\xff" * 300):
        index.write_bytes(damage)
        found = list(kept.games(nowhere))[1]
        assert found.summary is not None
        assert (found.path, found.summary.end) == (path, "unknown")
    index.unlink()
    assert [one.summary.end for one in kept.games(nowhere) if one.summary] == ["over", "unknown"]
    assert not index.exists()  # it will be told where the game is installed
    index.write_bytes(good)
    path.write_bytes(record(number(1), 9))
    assert [one.summary.messages for one in kept.games(nowhere) if one.summary] == [3, 9]
    assert other in kept.paths()


def test_a_record_that_cannot_be_read_is_listed_with_the_reason(kept: KeptGames) -> None:
    path = keep(kept, 1)
    path.write_bytes(record(number(1))[:-5])
    (found,) = kept.games(asked)
    assert found.summary is None
    assert "damaged or cut short" in found.trouble


def test_what_a_check_found_is_noted_of_kept_records_only(kept: KeptGames, tmp_path: Path) -> None:
    path = keep(kept, 1)
    for verified in (False, True):
        kept.judge(path, verified)
        (found,) = kept.games(asked)
        assert found.summary == replace(summary(number(1)), verified=verified)
    stranger = tmp_path / path.name
    stranger.write_bytes(path.read_bytes())
    kept.judge(stranger, True)
    assert not stranger.with_suffix(".index").exists()


def test_nothing_was_kept_yet(kept: KeptGames) -> None:
    assert list(kept.games(asked)) == []
    assert not kept.folder.exists()


# What cannot be.


def test_a_full_disk_is_told_and_leaves_nothing(
    kept: KeptGames, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = keep(kept, 1)

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CannotStore, match=r"records: the disk is full\. Make room and try again"):
        keep(kept, 2)
    assert names(kept) == [before.with_suffix(".index").name, before.name]


def test_a_folder_that_cannot_be_made_is_told(kept: KeptGames) -> None:
    kept.folder.parent.mkdir()
    kept.folder.write_text("a file")
    with pytest.raises(CannotStore, match="records: File exists"):
        keep(kept, 1)
    assert kept.paths() == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may all")
def test_a_folder_that_is_not_ours_is_told(kept: KeptGames) -> None:
    kept.folder.mkdir(parents=True, mode=0o500)
    with pytest.raises(CannotStore, match="this user may not write there"):
        keep(kept, 1)


def test_an_index_that_cannot_be_written_costs_nothing(kept: KeptGames) -> None:
    path = keep(kept, 1)
    index = path.with_suffix(".index")
    index.unlink()
    index.mkdir()
    kept.note(path, summary(number(1)))
    (found,) = kept.games(nowhere)
    assert found.summary is not None


def test_a_number_stands_before_the_suffix(tmp_path: Path) -> None:
    written = [write_new(tmp_path / "my.game", data).name for data in (b"1", b"2", b"3")]
    assert written == ["my.game", "my-2.game", "my-3.game"]


def test_whose_home_it_is_is_known_without_taking_it(tmp_path: Path) -> None:
    assert own_key(tmp_path / "none") is None
    with Store(tmp_path / "home") as store:
        key = store.identity().key
        assert own_key(tmp_path / "home") == key
    (tmp_path / "home" / "identity").write_bytes(b"short")
    assert own_key(tmp_path / "home") is None
