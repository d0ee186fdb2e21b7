"""After the game, in full screen: the result's ways on, the records, a replay; key by key."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output
from support.clients.replays import DealtReplay, kept, some_games
from support.clients.sessions import Offered, finished
from support.clients.terminal import (
    CTRL_C,
    ENTER,
    ESC,
    F1,
    F4,
    PAGE_DOWN,
    PAGE_UP,
    RIGHT,
    TAB,
    UP,
    Terminal,
    terminal,
)
from support.peers.tabletop import Tabletop

from sobremesa.cli.draw.theme import Theme
from sobremesa.cli.screen.app import run_app, run_screen
from sobremesa.cli.screen.base import Screen, Stage
from sobremesa.cli.screen.records import RecordsScreen
from sobremesa.cli.screen.replay import ReplayScreen
from sobremesa.cli.session.replay import Replay
from sobremesa.cli.session.session import Session
from sobremesa.cli.session.tallies import Listing
from sobremesa.core.replica.transcript import MAGIC
from sobremesa.net.kept import Kept
from sobremesa.plugins.dudo import GAME as DUDO

LEFT, DOWN, HOME, END = "\x1b[D", "\x1b[B", "\x1b[H", "\x1b[F"


@asynccontextmanager
async def shown(
    begin: Callable[[Stage], Screen], columns: int = 80, rows: int = 24
) -> AsyncIterator[Terminal]:
    async def run(keys: Input, screen: Output) -> int:
        return await run_screen(begin, Theme(), input=keys, output=screen)

    async with terminal(run, columns, rows) as window:
        yield window


def replay(
    columns: int = 80, rows: int = 24, read: Replay | None = None
) -> AbstractAsyncContextManager[Terminal]:
    return shown(lambda stage: ReplayScreen(stage, read or DealtReplay()), columns, rows)


def records(
    listing: Listing | None = None, columns: int = 80
) -> AbstractAsyncContextManager[Terminal]:
    return shown(lambda stage: RecordsScreen(stage, listing or some_games()), columns)


# A replay.


async def test_left_and_right_home_and_end_step_through_the_events() -> None:
    async with replay() as window:
        await window.see("event 1 of 10", "hands open", "► Round 1")
        window.type(RIGHT + RIGHT)
        await window.see("event 3 of 10")
        window.type(LEFT)
        await window.see("event 2 of 10")
        window.type(LEFT + LEFT + LEFT)
        await window.see("event 1 of 10")
        window.type(END)
        await window.see("event 10 of 10", "round 2 of 2")
        window.type(RIGHT)
        await window.settle()
        assert window.shows("event 10 of 10")
        window.type(HOME)
        await window.see("event 1 of 10", "round 1 of 2")


@pytest.mark.parametrize(("on", "back"), [("]", "["), (PAGE_DOWN, PAGE_UP)])
async def test_rounds_are_stepped_by_their_keys(on: str, back: str) -> None:
    async with replay() as window:
        await window.see("event 1 of 10")
        window.type(on)
        await window.see("round 2 of 2", "event 6 of 10")
        window.type(RIGHT + back)
        await window.see("event 6 of 10")
        window.type(back)
        await window.see("round 1 of 2", "event 1 of 10")
        window.type(on + on)
        await window.see("event 10 of 10")


async def test_a_line_of_the_list_is_chosen_and_enter_goes_there() -> None:
    async with replay() as window:
        await window.see("► Round 1")
        window.type(DOWN + DOWN + DOWN + UP)
        await window.see("► Bea bids 2")
        assert window.shows("event 1 of 10")
        window.type(ENTER)
        await window.see("event 3 of 10")
        window.type("9" + ENTER)
        await window.see("event 9 of 10")
        window.type("round 2" + ENTER)
        await window.see("event 6 of 10")


async def test_space_covers_the_hands_and_opens_them() -> None:
    async with replay() as window:
        await window.see("Ana     2♠  J♠", "hands open")
        window.type(" ")
        await window.see("hands covered")
        assert not window.shows("2♠ J♠")
        window.type("hands" + ENTER)
        await window.see("Ana     2♠  J♠")


async def test_without_seeds_hands_stay_covered() -> None:
    async with replay(read=DealtReplay(opens=False)) as window:
        await window.see("no seeds: hands stay covered")
        window.type(" ")
        await window.see("This record has no seeds")
        assert not window.shows("J♠")


async def test_a_replay_says_what_is_wrong_and_leaves_by_escape() -> None:
    async with replay(read=DealtReplay(trouble="the game is not finished")) as window:
        await window.see("! The game is not finished.")
        for typed, why in (
            ("99", "Event must be 1 to 10 (you typed 99)."),
            ("round 0", "Round must be 1 to 2"),
            ("hello", "I don't know 'hello'."),
            ("'hello", "There is nobody to talk to here."),
        ):
            window.type(typed + ENTER)
            await window.see(why)
            window.type(ESC)
            await window.see_gone(why)
        window.type(F1)
        await window.see("[Replay]", "Left and Right")
        window.type(ESC)
        await window.see_gone("[Replay]")
        window.type(ESC)
        assert await window.ended() == 0


async def test_f4_shows_the_list_where_only_one_pane_has_room() -> None:
    async with replay(60, 20) as window:
        await window.see("Bidding", "event 1 of 10")
        assert not window.shows("► Round 1")
        window.type(F4)
        await window.see("► Round 1")
        window.type(F4 + "q" + ENTER)
        assert await window.ended() == 0


async def test_a_record_is_read_in_slices_and_its_first_event_is_there_before_the_last() -> None:
    table = Tabletop(DUDO, 2, {"dice": "3"}, seed=4).run().tables[0]
    read = Replay(table.transcript(), lambda _: DUDO)
    assert not read.frames
    while not read.frames:
        assert read.read(0.0)
    assert 0 < len(read.frames) < len(table.events)
    assert 0 < read.done < 1
    while read.read(1.0):
        pass
    assert len(read.frames) == len(table.events)
    assert (read.done, read.trouble, read.opens) == (1.0, None, True)
    lifted = [event["faces"] for event in table.events if event["kind"] == "reveal"]
    held = [frame.hands for frame in read.frames if frame.hands is not None]
    assert {seat: cell.values for seat, cell in held[0].rows} == {  # type: ignore[union-attr]
        seat: tuple(dice) for seat, dice in lifted[0].items()
    }
    rounds = sum(event["kind"] == "round" for event in table.events)
    assert len(read.starts) == rounds


def test_a_record_without_its_end_tells_what_there_is_and_no_hands() -> None:
    table = Tabletop(DUDO, 2, {"dice": "3"}, seed=4).run().tables[0]
    data = table.transcript()
    last = table.messages()[-1].payload
    read = Replay(data[: data.index(last) - 200], lambda _: DUDO)
    while read.read(1.0):
        pass
    assert len(read.frames) == len(table.events)
    assert "damaged or cut short" in str(read.trouble)


def test_a_seed_that_nobody_committed_to_opens_nothing() -> None:
    table = Tabletop(DUDO, 2, {"dice": "3"}, seed=4).run().tables[0]
    data = table.transcript()
    for seed in table.seeds.values():
        data = data.replace(seed, bytes(32))
    read = Replay(data, lambda _: DUDO)
    while read.read(1.0):
        pass
    assert not read.opens
    assert all(frame.hands is None for frame in read.frames)


# Records.


async def test_arrows_choose_a_game_and_its_end_is_told() -> None:
    async with records() as window:
        await window.see("5 kept", "► 1", "Liar's Dice at Kitchen, 2026-01-30")
        await window.see("Ranking: 1 you, 2 Bea, 3 Cai.", "2 of 3", "broken off")
        window.type(DOWN)
        await window.see("► 2", "Ranking: 1 Bea, 2 you, 3 Cai.")
        window.type(END)
        await window.see("► 5", "NOT VERIFIED")
        window.type(UP)
        await window.see("► 4", "Broken off: Bea left the table.")
        window.type(HOME)
        await window.see("► 1")
        window.type(PAGE_DOWN)
        await window.see("► 5")
        window.type(PAGE_UP)
        await window.see("► 1")


async def test_the_sums_are_beside_the_list_for_us_and_for_people() -> None:
    async with records(columns=100) as window:
        await window.see("won of played", "1st", "twice", "longest run")
        rows = "\n".join(line.partition("│")[2] for line in window.lines)
        assert "Cinco Vidas" in rows
        assert "1 of 2" in rows
        assert "people" in rows
        assert "Bea" in rows


async def test_tab_shows_one_game_alone_and_all_again() -> None:
    async with records() as window:
        await window.see("5 kept")
        window.type(DOWN + TAB)
        await window.see("Records  cinco-vidas", "2 kept", "► 2")
        window.type(TAB)
        await window.see("Records  all games", "5 kept", "► 2")


async def test_filters_are_typed_and_taken_back() -> None:
    async with records() as window:
        await window.see("5 kept")
        window.type("since 2026-01-29" + ENTER)
        await window.see("since 2026-01-29", "2 kept")
        window.type("since soon" + ENTER)
        await window.see("A date is like 2026-01-31")
        window.type(ESC + "with nobody" + ENTER)
        await window.see("None of the kept games is such a one.")
        window.type("all" + ENTER)
        await window.see("5 kept")
        window.type("game cinco vidas" + ENTER)
        await window.see("2 kept")


async def test_enter_and_a_number_open_a_replay_that_leads_back(tmp_path: Path) -> None:
    table = Tabletop(DUDO, 2, {"dice": "3"}, seed=4).run().tables[0]
    path = tmp_path / "game"
    path.write_bytes(table.transcript())
    summary = kept(1, "Ana").summary
    listing = Listing([(1, Kept(path, kept(1, "Ana").when, summary))], None)
    async with records(listing) as window:
        await window.see("► 1")
        window.type(ENTER)
        await window.see("Replay · Liar's Dice", f"of {len(table.events)}")
        window.type(ESC)
        await window.see("Records  all games")
        window.type("1" + ENTER)
        await window.see("Replay · Liar's Dice")
        window.type(CTRL_C)
        await window.see("Records  all games")
        window.type("7" + ENTER)
        await window.see("There is no record 7: 1 are kept.")


async def test_a_record_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "odd").write_bytes(MAGIC + b"nothing")
    summary = kept(1, "Ana").summary
    paths = (tmp_path / "gone", tmp_path / "odd")
    listing = Listing(
        [(n, Kept(p, kept(1, "Ana").when, summary)) for n, p in enumerate(paths)], None
    )
    async with records(listing) as window:
        await window.see("2 kept")
        window.type(ENTER)
        await window.see("Cannot read gone: No such file or directory.")
        window.type(DOWN + ENTER)
        await window.see("The transcript is damaged")
        assert window.input_line == ">"


async def test_a_check_says_whether_the_record_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOBREMESA_HOME", str(tmp_path))
    table = Tabletop(DUDO, 2, {"dice": "3"}, seed=4).run().tables[0]
    path = tmp_path / "game"
    path.write_bytes(table.transcript())
    summary = kept(1, "Ana", verified=None).summary
    monkeypatch.setattr("sobremesa.cli.words.played.played_game", lambda _: DUDO)
    async with records(Listing([(1, Kept(path, kept(1, "Ana").when, summary))], None)) as window:
        await window.see("Not checked")
        window.type("v" + ENTER)
        await window.see("It holds:", "✓")
        assert not window.shows("Not checked")


async def test_no_record_yet_is_said() -> None:
    async with records(Listing([], None)) as window:
        await window.see("No game was kept here yet.")
        window.type(DOWN + ENTER)
        await window.see("There is no game to choose.")


# The result.


@asynccontextmanager
async def over() -> AsyncIterator[tuple[Offered, Terminal]]:
    session, offer = finished()

    async def sit() -> Session:
        return session

    async def run(keys: Input, screen: Output) -> int:
        return await run_app(sit, Theme(), input=keys, output=screen)

    async with terminal(run) as window:
        await window.see("[again]", "Play again?", "The last board")
        yield offer, window


async def test_enter_says_yes_to_another_game() -> None:
    async with over() as (_, window):
        await window.see("Enter again")
        window.type(ENTER)
        await window.see("One moment: play once more")


@pytest.mark.parametrize("keys", ["l" + ENTER, CTRL_C, LEFT + ENTER, "leave" + ENTER])
async def test_leaving_has_its_own_key(keys: str) -> None:
    async with over() as (offer, window):
        window.type(keys)
        assert await window.ended() == 0
        assert offer.declined


async def test_who_wants_another_game_stays_on_the_screen() -> None:
    async with over() as (offer, window):
        offer.standing = "Ana wants another game. It waits for Dora and you."
        await offer.tell(offer.standing)
        await window.see("Play again? Ana wants another game. It")
        window.type(RIGHT)
        await window.see("Enter replay")
        assert window.shows("Play again? Ana wants")


async def test_a_result_without_a_record_says_so() -> None:
    async with over() as (_, window):
        window.type("p" + ENTER)
        await window.see("No record of this game is here.")
