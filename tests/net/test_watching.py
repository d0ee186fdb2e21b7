"""Looking on: at real peers on loopback, from the beginning, from the middle, after its machine
died, and at machines that lie."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from support.games import toy
from support.peers.players import CODE, Player, company, finish, until

from sobremesa.core.errors import LocalError
from sobremesa.core.replica.audit import audit
from sobremesa.core.replica.transcript import Message
from sobremesa.core.requests import Event
from sobremesa.net import watching
from sobremesa.net.events import Absence
from sobremesa.net.finding.listing import PLAYING, read_listing
from sobremesa.net.identity import Identity
from sobremesa.net.links.dial import DialFailed, dial, probe
from sobremesa.net.links.frames import Frame
from sobremesa.net.mesh import message_frame
from sobremesa.net.watching import MOST, Watch, look_on

NAMES = ("Ana", "Bea", "Cai")
Maker = Callable[..., Player]


@pytest.fixture(autouse=True)
def on_this_machine_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOBREMESA_LOOPBACK", "1")


@pytest.fixture
def player(tmp_path: Path) -> Maker:
    """Makes players, each with a home of its own."""

    def make(name: str, **habits: Any) -> Player:
        return Player(name, tmp_path / f"home of {name}", **habits)

    return make


class Onlooker:
    """Somebody who looks on, and remembers what was told."""

    def __init__(self, name: str = "Eva") -> None:
        self.name = name
        self.events: list[Event] = []
        self.chat: list[tuple[str, str]] = []
        self.notices: list[str] = []
        self.losses: list[str] = []
        self.missing: list[Absence] = []
        self.came_back: list[str] = []
        self.caught_up_at: int | None = None
        self.behind: list[tuple[int, int]] = []
        self.watch: Watch

    async def come(self, to: Player, code: str | None = CODE, me: Identity | None = None) -> Watch:
        me = me or Identity.fresh()
        charter, link = await look_on(me, [to.address], name=self.name, code=code)
        self.watch = Watch(charter, toy.GAME, me, self, name=self.name, code=code, link=link)
        self.watch.begin()
        return self.watch

    # What the watch tells (watching.WatchEvents).

    def told(self, match: Watch, event: Event) -> None:
        self.events.append(event)

    def table_changed(self, match: Watch) -> None:
        if self.caught_up_at is None:
            self.caught_up_at = match.table.step

    def catching_up(self, step: int, of: int) -> None:
        self.behind.append((step, of))

    def chatted(self, name: str, text: str) -> None:
        self.chat.append((name, text))

    def noticed(self, text: str, role: str) -> None:
        self.notices.append(text)

    def absent(self, absences: Sequence[Absence], alone: bool) -> None:
        self.missing = list(absences)

    def back(self, name: str) -> None:
        self.came_back.append(name)

    def gone(self, names: Sequence[str], why: str) -> None:
        self.notices.append(f"without {names[0]}, who {why}")

    def broke(self, error: BaseException) -> None:
        self.losses.append(f"broke: {error!r}")

    def lost(self, why: str) -> None:
        self.losses.append(why)


@asynccontextmanager
async def onlookers(count: int = 1) -> AsyncIterator[list[Onlooker]]:
    """People who go away at the end."""
    people = [Onlooker(f"Eva {number}") for number in range(count)]
    try:
        yield people
    finally:
        await asyncio.gather(*(one.watch.close() for one in people if hasattr(one, "watch")))


async def begun(*players: Player, code: str | None = CODE) -> None:
    """These players have a game in which they answer when the test says so."""
    for one in players:
        one.quick = False
    players[0].host(len(players), code=code)
    for guest in players[1:]:
        await guest.join(players[0], code=code)
    await until(lambda: all(one.began for one in players))


async def in_the_middle(*players: Player, code: str | None = CODE) -> None:
    """These players have a game that has gone on for a while, and now waits for an answer."""
    await begun(*players, code=code)
    step = 8
    while players[0].match.table.step < step:
        for one in players:
            one.play()
        await asyncio.sleep(0.01)
    await until(lambda: len({one.match.table.step for one in players}) == 1)


async def play_on(*players: Player) -> set[bytes]:
    for one in players:
        one.quick = True
        one.play()
    return await finish(*players)


async def test_who_comes_in_the_middle_catches_up_and_sees_the_end_that_all_see(
    player: Maker,
) -> None:
    players = [player(name) for name in NAMES]
    async with company(*players), onlookers() as (eva,):
        await in_the_middle(*players)
        players[1].node.say("hello")
        await until(lambda: players[0].chat)
        watch = await eva.come(players[0])
        await until(lambda: eva.caught_up_at is not None)
        assert eva.caught_up_at == players[0].match.table.step
        assert not eva.events  # what was before is no news
        assert eva.behind[-1][1] == eva.caught_up_at
        transcripts = await play_on(*players)
        await until(lambda: watch.table.over)
        assert {watch.table.transcript()} == transcripts
        assert audit(watch.table.transcript(), lambda charter: toy.GAME).ok
        assert eva.events
        assert eva.chat == [("Bea", "hello")]
        assert "Eva 0 looks on." in players[0].notices
        assert not eva.losses


async def test_nothing_of_an_open_step_and_no_face_is_shown(
    player: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = [player(name) for name in NAMES]
    shown: list[Message] = []

    def note(message: Message) -> Frame:
        shown.append(message)
        return message_frame(message)

    monkeypatch.setattr(watching, "message_frame", note)
    async with company(*players), onlookers() as (eva,):
        await begun(*players)
        table = players[0].match.table
        await until(lambda: len(table.asked_seats()) == len(players))
        players[0].play()
        assert table.history.due  # what Ana has said, sealed
        watch = await eva.come(players[0])
        await until(lambda: watch.caught_up)
        players[0].node.say("well?")
        await until(lambda: eva.chat)  # what comes after it is there
        assert {message.step for message in shown} == set(range(table.step))
        assert watch.table.step == table.step
        assert not watch.table.history.due
        assert not watch.table.replica_state.vault


async def test_when_the_machine_that_shows_it_dies_another_shows_the_rest(player: Maker) -> None:
    players = [player(name) for name in NAMES]
    async with company(*players), onlookers() as (eva,):
        await in_the_middle(*players)
        watch = await eva.come(players[1])
        await until(lambda: watch.caught_up)
        await until(lambda: watch._link is not None and players[1].node.watchers is not None)
        for channel in list(watchers_of(players[1])._names):
            channel.link.abort("lost", "its machine has died")
        players[1].node.watchers = None  # and it shows nothing any more
        transcripts = await play_on(*players)
        await until(lambda: watch.table.over)
        assert {watch.table.transcript()} == transcripts
        assert eva.notices == ["Bea's machine shows the game no more: who else does?"]


def watchers_of(one: Player) -> watching.Watchers:
    assert one.node.watchers is not None
    return one.node.watchers


async def test_every_peer_answers_with_the_listing_of_the_game_under_way(player: Maker) -> None:
    players = [player(name) for name in NAMES[:2]]
    async with company(*players):
        await in_the_middle(*players)
        for one in players:
            listing = read_listing([], *await probe([one.address]))
            assert (listing.state, listing.label, listing.opener) == (PLAYING, "Kitchen", "Ana")
            assert listing.key == one.me.key
            assert not listing.open


async def test_a_table_with_a_code_asks_it_of_who_looks_on_at_every_machine(player: Maker) -> None:
    players = [player(name) for name in NAMES[:2]]
    async with company(*players):
        await in_the_middle(*players)
        for one in players:
            with pytest.raises(DialFailed, match="asks for its code"):
                await Onlooker().come(one, code=None)
            with pytest.raises(DialFailed, match="not the table's code"):
                await Onlooker().come(one, code="000000")


async def test_nobody_looks_on_before_the_game_or_at_another_table(player: Maker) -> None:
    ana = player("Ana")
    async with company(ana):
        ana.host(2)
        with pytest.raises(DialFailed, match="not here"):
            await Onlooker().come(ana)


async def test_a_key_of_the_charter_needs_no_code(player: Maker) -> None:
    players = [player(name) for name in NAMES]
    async with company(*players), onlookers() as (eva,):
        await in_the_middle(*players)
        watch = await eva.come(players[0], code=None, me=players[2].me)
        await until(lambda: watch.caught_up)


async def test_so_many_look_on_at_one_machine_and_no_more(player: Maker) -> None:
    players = [player(name) for name in NAMES[:2]]
    async with company(*players), onlookers(MOST + 1) as people:
        await in_the_middle(*players, code=None)
        for one in people[:-1]:
            await one.come(players[0], code=None)
        with pytest.raises(DialFailed, match=f"{MOST} people look on here already"):
            await people[-1].come(players[0], code=None)
        await people[-1].come(players[1], code=None)
        transcripts = await play_on(*players)
        await until(lambda: all(one.watch.table.over for one in people))
        assert {one.watch.table.transcript() for one in people} == transcripts


async def test_who_looks_on_may_send_nothing_of_the_game(player: Maker) -> None:
    players = [player(name) for name in NAMES[:2]]
    async with company(*players):
        await in_the_middle(*players)
        step = players[0].match.table.step
        message = players[0].match.table.log[0]
        for kind, values in (
            ("msg", {"payload": message.payload, "sig": message.signature}),
            ("have", {"step": 0, "head": bytes(64), "window": bytes(32)}),
            ("wish", {}),  # before it has said that it looks on
        ):
            link = await dial(Identity.fresh(), [players[0].address], "watch", code=CODE)
            await link.send(Frame.make(kind, **values))
            while await link.receive() is not None:
                pass
            assert link.closed_why is not None
            assert link.closed_why.code == "bad"
        assert players[0].match.table.step == step
        await until(lambda: not watchers_of(players[0])._names)


async def test_what_is_shown_and_was_not_signed_ends_it_in_one_line(
    player: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = [player(name) for name in NAMES[:2]]
    shown = 0

    def spoil(message: Any) -> Frame:
        nonlocal shown
        shown += 1
        frame = message_frame(message)
        if shown != 5:
            return frame
        return Frame.make("msg", payload=frame["payload"], sig=bytes(64))

    async with company(*players), onlookers() as (eva,):
        await in_the_middle(*players)
        monkeypatch.setattr(watching, "message_frame", spoil)
        await eva.come(players[0])
        await until(lambda: eva.losses)
        (line,) = eva.losses
        assert "Ana's machine shows what is not this game" in line
        assert "did not sign" in line
        assert "\n" not in line


async def test_who_leaves_something_out_is_left_for_another_peer(
    player: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = [player(name) for name in NAMES[:2]]
    async with company(*players), onlookers() as (eva,):
        await in_the_middle(*players)
        watchers = watchers_of(players[0])

        def nothing_more(step: int) -> Any:
            yield Frame.make("charter", charter=players[0].match.table.charter.encode())
            yield Frame.make("reached", step=9, over=True)
            while True:
                yield None

        monkeypatch.setattr(watchers, "_frames", nothing_more)
        watch = await eva.come(players[0])
        await until(lambda: watch.caught_up)
        transcripts = await play_on(*players)
        await until(lambda: watch.table.over)
        assert {watch.table.transcript()} == transcripts


async def test_a_charter_that_nobody_there_signed_is_refused(
    player: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = [player(name) for name in NAMES[:2]]
    async with company(*players):
        await in_the_middle(*players)
        monkeypatch.setattr(players[0].node, "me", Identity.fresh())
        monkeypatch.setattr(players[0].listener, "_me", players[0].node.me)
        with pytest.raises(LocalError, match="Nobody can look on there"):
            await Onlooker().come(players[0])


async def test_a_game_that_is_left_ends_for_who_looks_on_as_for_all(player: Maker) -> None:
    players = [player(name) for name in NAMES]
    async with company(*players), onlookers() as (eva,):
        await in_the_middle(*players)
        watch = await eva.come(players[0])
        await until(lambda: watch.caught_up)
        await players[2].node.leave()
        for one in players[:2]:
            one.quick = True
            one.play()
        await until(lambda: not players[0].match.table.live)
        await until(lambda: not watch.table.live)
        assert str(watch.table.ended) == str(players[0].match.table.ended)


async def test_a_reader_that_stops_costs_the_players_nothing(player: Maker) -> None:
    players = [player(name) for name in NAMES[:2]]
    async with company(*players):
        await in_the_middle(*players)
        link = await dial(Identity.fresh(), [players[0].address], "watch", code=CODE)
        await link.send(Frame.make("look", name="Eva", step=0))
        await until(lambda: watchers_of(players[0])._shown)  # and reads nothing
        assert len(await play_on(*players)) == 1
        assert all(len(channel.queue) < 8 for channel in watchers_of(players[0])._names)
        link.abort("closed", "the test is over")


async def test_who_waits_for_a_seat_is_told_to_the_opener_and_kept_until_then(
    player: Maker,
) -> None:
    players = [player(name) for name in NAMES[:2]]
    async with company(*players), onlookers(2) as (eva, ivo):
        await in_the_middle(*players)
        await eva.come(players[0])
        await ivo.come(players[0])
        eva.watch.wish()
        ivo.watch.wish()
        await until(lambda: len(watchers_of(players[0]).waiting) == 2)
        told = "Eva 0 looks on and waits for a seat in the next game."
        await until(lambda: told in players[0].notices)
        await ivo.watch.close()
        await until(lambda: len(watchers_of(players[0]).waiting) == 1)
        await play_on(*players)
        await until(lambda: eva.watch.table.over)
        await eva.watch.close()
        await until(lambda: not watchers_of(players[0])._names)
        assert list(watchers_of(players[0]).waiting.values()) == ["Eva 0"]


async def test_who_waits_for_a_seat_at_any_machine_is_told_to_everybody(player: Maker) -> None:
    players = [player(name) for name in NAMES]
    told = "Eva 0 looks on and waits for a seat in the next game."
    async with company(*players), onlookers() as (eva,):
        await in_the_middle(*players)
        await eva.come(players[2])
        eva.watch.wish()
        await until(lambda: all(told in one.notices for one in players))
        assert list(watchers_of(players[0]).waiting.values()) == ["Eva 0"]
        eva.watch.wish()  # once more changes nothing
        await eva.watch.close()
        await until(lambda: not any(watchers_of(one).waiting for one in players))


async def test_who_waits_moves_on_with_the_machine_that_shows_the_game(player: Maker) -> None:
    players = [player(name) for name in NAMES]
    async with company(*players), onlookers() as (eva,):
        await in_the_middle(*players)
        watch = await eva.come(players[2])
        watch.wish()
        await until(lambda: watchers_of(players[0]).waiting)
        await players[2].node.close()
        await until(lambda: watch._link is not None and watch._peer() != 2)
        await until(lambda: watchers_of(players[watch._peer()])._wishes)
        assert len(watchers_of(players[0]).waiting) == 1  # and is not counted twice


async def test_who_looks_on_hears_who_is_away_and_who_is_back(
    player: Maker, tmp_path: Path
) -> None:
    players = [player(name) for name in NAMES]
    async with company(*players), onlookers() as (eva,):
        await in_the_middle(*players)
        await eva.come(players[0])
        await players[2].node.close()
        await until(lambda: eva.missing)
        (seen,), (shown,) = players[0].match.absences, eva.missing
        assert (shown.name, shown.why, shown.needed) == ("Cai", seen.why, seen.needed)
        assert shown.since == pytest.approx(seen.since, abs=2)
        assert (shown.until is None) == (seen.until is None)
        assert not shown.choice
        back = Player("Cai", tmp_path / "home of Cai", me=players[2].me, quick=False)
        async with company(back):
            await back.come_back()
            await until(lambda: eva.came_back)
        assert eva.came_back == ["Cai"]


async def test_an_absence_of_nobody_ends_it(player: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    players = [player(name) for name in NAMES[:2]]
    async with company(*players), onlookers() as (eva,):
        await in_the_middle(*players)
        frame = Frame.make("absent", absent=[[7, 0, None, "away", True, []]])
        monkeypatch.setattr(watching, "_absent_frame", lambda charter, told: frame)
        await eva.come(players[0])
        watchers_of(players[0])._absences = [Absence("Bea", 0.0)]
        watchers_of(players[0]).wake()
        await until(lambda: eva.losses)
        assert "an absence of nobody at this table" in eva.losses[0]


async def test_who_came_back_still_shows_the_game_to_who_has_the_code(
    player: Maker, tmp_path: Path
) -> None:
    players = [player(name) for name in NAMES[:2]]
    async with company(*players), onlookers() as (eva,):
        await in_the_middle(*players)
        await players[1].node.close()
        back = Player("Bea", tmp_path / "home of Bea", me=players[1].me, quick=False)
        async with company(back):
            await back.come_back()
            with pytest.raises(DialFailed, match="asks for its code"):
                await Onlooker().come(back, code=None)
            watch = await eva.come(back)
            await until(lambda: watch.caught_up)
