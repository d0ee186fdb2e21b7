"""Looking on, as a client lives it: sessions at real tables, line mode, the screen, the lobby."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output
from support.clients.tables import (
    Life,
    address_of,
    again,
    begun,
    default,
    joined,
    node_of,
    only,
    opened,
    table_of,
)
from support.clients.terminal import CTRL_C, ENTER, terminal
from support.peers.players import until

from sobremesa.cli.commands.lobby import Services
from sobremesa.cli.draw.theme import Theme
from sobremesa.cli.exits import DONE
from sobremesa.cli.screen.app import run_app
from sobremesa.cli.session.defaults import Preferences
from sobremesa.cli.session.moments import Asked, Notice, RoomChanged, Started, Told
from sobremesa.cli.session.network import join
from sobremesa.cli.session.pacing import HURRIED, haste
from sobremesa.cli.session.seats import kept_seats, resume
from sobremesa.cli.session.shown import watch
from sobremesa.cli.session.table_session import TableSession
from sobremesa.cli.session.watching import WatchSession
from sobremesa.cli.settings import OwnSettings
from sobremesa.core.errors import IllegalAnswer, LocalError
from sobremesa.core.questions import Answer
from sobremesa.core.views import Hand, Row, Seats, View
from sobremesa.net.kept import KeptGames
from sobremesa.net.watching import Watchers
from sobremesa.plugins.dudo import GAME as DUDO
from sobremesa.plugins.loader import Games

CODE = "123456"


@pytest.fixture(autouse=True)
def on_this_machine_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SOBREMESA_LOOPBACK", "1")
    monkeypatch.setenv("SOBREMESA_NO_MDNS", "1")
    monkeypatch.setenv("SOBREMESA_HOME", str(tmp_path / "home"))


async def looking(at: TableSession, name: str = "Eva", *, seat: bool = False) -> WatchSession:
    wanted = Preferences(name, pace=0.0)
    return await watch(at.games, wanted, address_of(at), CODE, seat=seat)


@asynccontextmanager
async def three_at_dudo() -> AsyncIterator[list[TableSession]]:
    """Ana, Bea and Cai, whose first question is open."""
    ana = await opened(seats=3, auto=False, games=only(DUDO))
    players = [ana, *[await joined(ana, name, auto=False) for name in ("Bea", "Cai")]]
    await begun(*players)
    try:
        yield players
    finally:
        for session in players:
            await session.step_out()


@asynccontextmanager
async def dudo_between_two() -> AsyncIterator[list[TableSession]]:
    """Ana and Bea in the middle of Dudo, where somebody is asked."""
    ana = await opened(seats=2, auto=False, games=only(DUDO))
    bea = await joined(ana, "Bea", auto=False)
    players = [ana, bea]
    await begun(*players)
    for _ in range(3):
        await until(lambda: ana.question or bea.question)
        default(ana if ana.question else bea)
        await asyncio.sleep(0)
    await until(lambda: ana.question or bea.question)
    try:
        yield players
    finally:
        for session in players:
            await session.step_out()


def watchers_of(session: TableSession) -> Watchers:
    watchers = node_of(session).watchers
    assert watchers is not None
    return watchers


async def test_who_looks_on_lives_the_same_moments_without_a_seat(tmp_path: Path) -> None:
    async with dudo_between_two() as (ana, bea):
        eva = await looking(ana)
        life = Life(eva)
        await until(lambda: life.of(Started))
        (started,) = life.of(Started)
        assert started.me is None
        assert started.seats == ("Ana", "Bea")
        assert started.before == tuple(DUDO.describe(e, None) for e in table_of(ana).events)
        asked = ana if ana.question else bea
        told = len(table_of(ana).events)
        default(asked)
        await until(lambda: life.of(Told))
        moment = life.of(Told)[0]
        assert moment.event == table_of(ana).events[told]
        assert moment.sentence == DUDO.describe(moment.event, None)
        assert not any(isinstance(block, Hand) for block in moment.view.blocks)
        assert not life.of(Asked)
        assert eva.faces() == table_of(eva).faces(None)
        with pytest.raises(IllegalAnswer):
            eva.answer(Answer("doubt"))
        with pytest.raises(LocalError, match="you are looking on: only who plays can talk here"):
            eva.say("hello")
        await eva.leave()
        over = await life.end
        assert (over.text, over.status) == ("You look on no longer.", DONE)
        assert not KeptGames().paths()  # how it went on is not known here


async def test_the_end_is_verified_and_a_seat_in_the_next_game_is_one_word_away() -> None:
    ana = await opened(seats=2, auto=False, games=only(DUDO))
    bea = await joined(ana, "Bea", auto=False)
    lives = await begun(ana, bea)
    eva = await looking(ana, seat=True)
    life = Life(eva)
    await until(lambda: life.of(Started))
    told = "Eva looks on and waits for a seat in the next game."
    await until(lambda: told in [notice.text for notice in lives[0].of(Notice)])
    for player, session in zip(lives, (ana, bea), strict=True):
        player._player = default
        if session.question is not None:
            default(session)
    overs = [await player.end for player in (*lives, life)]
    assert {(over.verified, over.places) for over in overs} == {(True, overs[0].places)}
    assert overs[0].places is not None
    winner = overs[0].places[0][0]
    mine, theirs = "you are the last with dice.", f"{winner} is the last with dice."
    said = [mine if name == winner else theirs for name in ("Ana", "Bea", "Eva")]
    assert [over.text for over in overs] == said
    once_more = asyncio.ensure_future(again(eva))
    room = Life(await again(ana))
    eva_again = await once_more
    await until(lambda: room.of(RoomChanged) and room.of(RoomChanged)[-1].room.seats[1].name)
    seats = room.of(RoomChanged)[-1].room.seats
    assert [seat.name for seat in seats] == ["Ana", "Eva", ""]  # Bea's chair is kept as well
    await eva_again.leave()
    await room.session.leave()


async def test_a_game_that_was_watched_to_its_end_is_kept_and_marked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    async with dudo_between_two() as players:
        for session in players:  # theirs would be kept in the same place
            monkeypatch.setattr(session.record, "save", lambda table: None)
        wanted = Preferences("Eva", pace=0.0, save=copy)
        life = Life(await watch(players[0].games, wanted, address_of(players[0]), CODE))
        await until(lambda: life.of(Started))
        while not life.end.done():
            for session in players:
                if session.question is not None:
                    default(session)
            await asyncio.sleep(0.01)
        (kept,) = KeptGames().games(lambda _: DUDO)
        assert kept.watched
        assert kept.summary is not None
        assert (kept.summary.end, kept.summary.verified) == ("over", True)
        assert copy.read_bytes() == kept.path.read_bytes()


async def test_who_comes_too_late_to_join_reads_how_to_look_on() -> None:
    async with dudo_between_two() as (ana, _):
        with pytest.raises(LocalError, match="sobremesa watch Kitchen --seat"):
            await join(ana.games, Preferences("Eva"), address_of(ana), CODE)


async def test_in_the_lobby_who_comes_too_late_reads_the_word_that_looks_on() -> None:
    async with dudo_between_two() as (ana, _):
        services = Services(ana.games, Preferences("Eva", pace=0.0), OwnSettings())
        with pytest.raises(LocalError, match=f"type watch {address_of(ana)} to look on"):
            await services.join(address_of(ana), CODE)
        eva = await services.watch(address_of(ana), CODE)
        await eva.leave()


async def test_who_comes_too_early_to_look_on_reads_that_it_can_join() -> None:
    ana = await opened(seats=2)
    with pytest.raises(LocalError, match="has not begun: join"):
        await looking(ana)
    await ana.leave()


async def test_by_another_copy_of_the_game_nobody_looks_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with dudo_between_two() as (ana, _):
        changed = replace(ana.games.copy(DUDO), fingerprint=bytes(32))
        monkeypatch.setattr(Games, "copy", lambda games, game: changed)
        with pytest.raises(LocalError, match="another copy of Liar's Dice"):
            await looking(ana)


async def test_the_screen_shows_the_table_and_ctrl_c_leaves_without_a_question() -> None:
    async with dudo_between_two() as (ana, _):

        async def run(keys: Input, screen: Output) -> int:
            return await run_app(lambda: looking(ana), Theme(), input=keys, output=screen)

        async with terminal(run) as window:
            await window.see("You are looking on:", "is to play")
            assert not window.shows("you hold")
            window.type("3x4" + ENTER)
            await window.see("You are looking on: nobody asks you for a move")
            window.type(CTRL_C)
            await window.until(lambda: not watchers_of(ana)._names, "the end of looking on")


async def test_who_looks_on_reads_who_is_away_and_hears_who_is_back() -> None:
    async with dudo_between_two() as players:
        ana, bea = players

        async def run(keys: Input, screen: Output) -> int:
            return await run_app(lambda: looking(ana), Theme(), input=keys, output=screen)

        async with terminal(run) as window:
            await window.see("You are looking on:")
            await bea.step_out()
            await window.see("Bea is away 0:0")
            assert not window.shows("/leave")
            (seat,) = [seat for seat in kept_seats() if seat.charter.name_of(seat.peer) == "Bea"]
            players[1] = await resume(bea.games, bea.preferences, seat)
            await window.see("Bea is back.")
            assert not window.shows("Bea is away 0:")
            window.type(CTRL_C)
            await window.until(lambda: not watchers_of(ana)._names, "the end of looking on")


async def test_where_the_opener_has_left_nobody_waits_for_a_seat() -> None:
    async with three_at_dudo() as (ana, *others):
        eva = await looking(others[0])
        life = Life(eva)
        await until(lambda: life.of(Started))
        eva.wish()
        await until(lambda: watchers_of(ana).waiting)
        await ana.leave()
        while "Ana" not in eva.status.gone:  # which she is as soon as a step needs her
            for session in others:
                if session.question is not None:
                    default(session)
            await asyncio.sleep(0.01)
        with pytest.raises(LocalError, match="Ana opened this table and has gone"):
            eva.wish()
        await eva.leave()


def test_the_pace_is_faster_where_all_who_are_present_are_out() -> None:
    def table(**out: bool) -> View:
        rows = tuple(Row(seat, (), out=is_out) for seat, is_out in out.items())
        return View("", (Seats((), rows),))

    assert haste(table(Ana=True, Bea=False, Bot=False), {"Bot"}) == 1.0
    assert haste(table(Ana=True, Bea=False, Bot=False), {"Bot", "Bea"}) == HURRIED
    assert haste(table(Ana=True, Bea=True, Bot=False), {"Bot"}) == HURRIED
    assert haste(table(Bot=True), {"Bot"}) == 1.0
    assert haste(View(""), ()) == 1.0
