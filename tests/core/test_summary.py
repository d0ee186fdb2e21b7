"""A record in short: the same from the table that lived it and from the file, played again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.peers.cheats import AnswersIllegally
from support.peers.tabletop import Tabletop, seed_of

from sobremesa.core.errors import BadTranscript, LocalError
from sobremesa.core.game import Game
from sobremesa.core.replica.charter import BadCharter
from sobremesa.core.replica.summary import Summary, summarize, summary_of
from sobremesa.core.replica.transcript import read_transcript, write_transcript
from sobremesa.plugins.dudo import GAME as DUDO
from sobremesa.plugins.house_of_jokers import GAME as JOKERS
from sobremesa.plugins.intriga import GAME as INTRIGA

SMALL = Tabletop(DUDO, 2, {"dice": "3"}, seed=4).run()
TABLE = SMALL.tables[0]
WHOLE = TABLE.transcript()


def cut(count: int) -> bytes:
    """The record of the small game, left after so many messages."""
    return write_transcript(TABLE.charter, TABLE.messages()[:count])


def no_game(name: str) -> Game[Any]:
    raise LocalError(f"no game is called {name!r}")


@pytest.mark.parametrize(
    ("game", "seats", "owners"),
    [(DUDO, 3, (0, 1, 1)), (INTRIGA, 2, None), (JOKERS, 3, (0, 0, 0))],
    ids=lambda value: value.id if isinstance(value, Game) else "",
)
def test_a_file_tells_what_its_table_lived(
    game: Game[Any], seats: int, owners: tuple[int, ...] | None
) -> None:
    peers = seats if owners is None else max(owners) + 1
    table = Tabletop(game, peers, owners=owners, seed=2).run().tables[0]
    summary = summarize(table)
    assert summary_of(table.transcript(), lambda _: game) == summary
    assert table.outcome is not None
    assert (summary.end, summary.places) == ("over", table.outcome.places)
    assert (summary.why, summary.verified) == (table.outcome.reason, None)
    assert [key for key, _ in summary.people] == [peer.key for peer in table.charter.peers]
    assert len(summary.people) + len(summary.bots) == seats
    assert summary.is_alone == (peers == 1)


def test_a_game_that_was_left_has_no_result() -> None:
    summary = summary_of(cut(20), lambda _: DUDO)
    assert (summary.end, summary.why) == ("broken off", "it was left before its end")
    assert (summary.places, summary.messages) == ((), 20)
    assert not summary.won("Ana")


def test_a_game_that_somebody_broke_names_who() -> None:
    honest = Tabletop(DUDO, 2, cheats={1: AnswersIllegally("99x4")}, seed=1).run().tables[0]
    summary = summary_of(honest.transcript(), lambda _: DUDO)
    assert summary == summarize(honest)
    _, records, evidence = read_transcript(honest.transcript())
    assert (summary.end, summary.messages) == ("broken off", len([*records, *evidence]))
    assert summary.why.startswith("Bea ")


def test_an_unfinished_record_holds_nobodys_seed() -> None:
    seeds = [seed_of(peer, 4) for peer in range(2)]
    assert all(seed in WHOLE for seed in seeds)
    before_the_seeds = cut(len(TABLE.messages()) - 2)
    assert not any(seed in before_the_seeds for seed in seeds)


def other_rules(name: str) -> Game[Any]:
    return replace(DUDO, rules_version=DUDO.rules_version + 1)


@pytest.mark.parametrize("find", [no_game, other_rules])
def test_a_game_that_is_not_installed_still_tells_who_played(find: Any) -> None:
    summary = summary_of(WHOLE, find)
    assert (summary.end, summary.title) == ("unknown", "dudo")
    assert [seat for _, seat in summary.people] == ["Ana", "Bea"]
    assert summary.why
    assert summary.messages == summarize(TABLE).messages


@pytest.mark.parametrize("data", [b"", WHOLE[:-1], b"a letter"])
def test_a_damaged_file_is_no_record(data: bytes) -> None:
    with pytest.raises((BadTranscript, BadCharter)):
        summary_of(data, lambda _: DUDO)


def ended(*places: tuple[str, ...], together: Literal["", "won", "lost"] = "") -> Summary:
    return replace(summarize(TABLE), places=places, together=together)


def test_who_shares_a_place_has_it_and_the_next_counts_them() -> None:
    summary = ended(("Ana", "Bea"), ("Cai",))
    assert [summary.place(seat) for seat in ("Ana", "Bea", "Cai", "Dan")] == [1, 1, 3, None]
    assert [summary.won(seat) for seat in ("Ana", "Bea", "Cai")] == [True, True, False]


def test_a_result_that_all_share_is_won_only_together() -> None:
    everybody = ("Ana", "Bea")
    assert ended(everybody, together="won").won("Ana")
    assert not ended(everybody, together="lost").won("Ana")
    assert not ended(everybody).won("Ana")


def test_a_summary_is_read_as_it_was_written() -> None:
    for summary in (summarize(TABLE, True), ended(("Ana", "Bea"), together="lost")):
        assert Summary.decode(summary.encode()) == summary


@given(st.binary(max_size=40) | st.integers(0, 80).map(lambda n: summarize(TABLE).encode()[:n]))
def test_anything_else_is_no_summary(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"no summary|not canonical|unpack"):
        Summary.decode(data)
