"""Whole peers in one loop, on real links: rooms, starts, cuts, and peers that cheat."""

from __future__ import annotations

import asyncio
import itertools
import socket
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.games import toy
from support.peers.cheats import Equivocates
from support.peers.links import silence
from support.peers.players import CODE, Player, cheating, company, cut, finish, until

from sobremesa.core import encoding
from sobremesa.core.errors import LocalError
from sobremesa.core.game import Game
from sobremesa.core.replica.audit import audit
from sobremesa.core.replica.charter import Charter
from sobremesa.core.replica.faults import Equivocation
from sobremesa.core.replica.transcript import LEAVE, Message
from sobremesa.net import match, node, peer_links
from sobremesa.net.chat import CHAT_BURST
from sobremesa.net.finding import whereabouts
from sobremesa.net.finding.listing import read_listing
from sobremesa.net.finding.whereabouts import Search
from sobremesa.net.identity import Identity
from sobremesa.net.links.addresses import Address
from sobremesa.net.links.channels import MOST_WAITING, Channel, Refused
from sobremesa.net.links.dial import DialFailed, dial
from sobremesa.net.links.frames import Frame
from sobremesa.net.links.link import Link
from sobremesa.net.links.listen import CannotListen
from sobremesa.net.match import TRANSITIONS, Match, MatchPhase
from sobremesa.net.node import Wakefulness
from sobremesa.net.peer_links import PeerLinks
from sobremesa.net.room.guest import MOST_CALLED_OFF
from sobremesa.net.room.room import Person, Room, RoomView
from sobremesa.net.store import CannotStore

NAMES = ("Ana", "Bea", "Cai", "Dan", "Eva", "Fin", "Gil", "Hal")


@pytest.fixture(autouse=True)
def on_this_machine_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOBREMESA_LOOPBACK", "1")


Maker = Callable[..., Player]


@pytest.fixture
def player(tmp_path: Path) -> Maker:
    """Makes players, each with a home of its own."""

    def make(name: str, **habits: Any) -> Player:
        return Player(name, tmp_path / f"home of {name}", **habits)

    return make


async def seated(host: Player, *guests: Player, ready: bool = True) -> None:
    """Guests sit down in order."""
    for guest in guests:
        await guest.join(host, ready=ready)


async def begun(*players: Player) -> None:
    """A game of these players begins at the table of the first."""
    players[0].host(len(players))
    await seated(*players)
    await until(lambda: all(one.began for one in players))


async def at_play(*players: Player) -> None:
    """A game of these players has begun, with a link between each two."""
    await begun(*players)
    await until(lambda: all(len(one.links.mesh.feeds) == len(players) - 1 for one in players))


async def play_on(*players: Player) -> None:
    """The game comes to its end as if nothing had been."""
    for one in players:
        one.quick = True
        one.play()
    assert len(await finish(*players)) == 1
    assert not any(one.losses or one.called for one in players)


def kept(homes: Path, name: str = "*") -> list[Path]:
    """The files of tables that are on the disk."""
    return list(homes.glob(f"*/tables/*/{name}"))


# Whole games.


@pytest.mark.parametrize("count", [2, 3, 5, 8])
async def test_everybody_ends_with_the_same_game(player: Maker, count: int) -> None:
    players = [player(name) for name in NAMES[:count]]
    async with company(*players):
        players[0].host(count)
        await seated(*players)
        transcripts = await finish(*players)
    assert len(transcripts) == 1
    report = audit(transcripts.pop(), lambda name: toy.GAME)
    assert report.trouble is None
    assert not any(p.losses or p.notices or p.was_away for p in players)


async def test_one_person_and_bots_play_at_a_table_that_nobody_else_joined(player: Maker) -> None:
    ana = player("Ana")
    async with company(ana):
        ana.host(3, bots=2)
        assert len(await finish(ana)) == 1


async def test_nothing_secret_is_left_on_the_disk_after_the_game(
    player: Maker, tmp_path: Path
) -> None:
    players = [player(name) for name in NAMES[:2]]
    async with company(*players):
        await begun(*players)
        assert len(kept(tmp_path, "seed")) == 2
        await finish(*players)
    assert kept(tmp_path) == []


async def test_what_may_be_resumed_stays_on_the_disk(player: Maker, tmp_path: Path) -> None:
    players = [player(name, quick=False) for name in NAMES[:2]]
    async with company(*players):
        players[0].host(2)
        await seated(*players)
        await until(lambda: all(p.table and p.table.step > 3 for p in players))
    assert len(kept(tmp_path, "journal")) == 2


# The start.


async def test_a_guest_that_breaks_off_before_it_signs_calls_the_start_off(
    player: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, bea, cai = players = [player(name) for name in NAMES[:3]]
    async with company(*players):
        ana.host(3)
        await bea.join(ana)
        await cai.join(ana, ready=False)
        monkeypatch.setattr(cai.room_guest, "_sign", lambda channel, charter: cut(cai))
        cai.node.ready(True)
        await until(lambda: ana.called and bea.called)
        assert ana.called == ["Cai is gone (the connection broke)."]
        assert bea.called == ana.called
        assert bea.table is None
        assert cai.losses == ["the connection broke"]
        await until(lambda: bea.names == ["Ana", "Bea"])
        # The room is open again, and the next start is a whole game.
        dan = player("Dan")
        async with company(dan):
            await dan.join(ana)
            for one in (ana, bea):
                one.node.ready(True)
            assert len(await finish(ana, bea, dan)) == 1
        assert not bea.losses


async def test_a_guest_that_leaves_right_after_it_signed_costs_the_others_only_the_start(
    player: Maker,
) -> None:
    ana, bea, cai = players = [player(name) for name in NAMES[:3]]
    async with company(*players):
        room = ana.host(3)
        await bea.join(ana)
        await cai.join(ana, ready=False)
        # The opener takes its time.
        room._begin_if_signed = lambda: None  # type: ignore[method-assign]
        cai.node.ready(True)
        await until(lambda: cai.table and len(cai.links.mesh.feeds) == 1)
        await cai.node.leave()
        assert cai.losses == []
        await until(lambda: ana.called and bea.called)
        assert bea.called == ["Cai is gone."]
        await until(lambda: bea.names == ["Ana", "Bea"])
        assert bea.node.match is None
        assert not bea.losses


async def test_a_guest_that_does_not_sign_loses_its_chair_and_after_two_starts_stays_away(
    player: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sobremesa.net.room.host.SIGNING", 0.3)

    ana, bea, cai = players = [player(name) for name in NAMES[:3]]
    again = player("Cai", me=cai.me), player("Cai", me=cai.me)
    async with company(*players, *again):
        ana.host(3)
        await bea.join(ana, ready=False)
        for spoiler in (cai, again[0]):
            await spoiler.join(ana)
            monkeypatch.setattr(spoiler.room_guest, "_sign", lambda channel, charter: None)
            ana.called.clear()
            for one in (ana, bea):
                one.node.ready(True)
            await until(lambda spoiler=spoiler: ana.called and spoiler.losses)  # type: ignore[misc]
            assert ana.called == ["Cai's machine did not sign in time, so its chair is free again."]
            assert spoiler.losses == [
                "You did not sign in time, so your chair is free again: join anew to play."
            ]
            await until(lambda: bea.names == ["Ana", "Bea"])
        assert bea.called == 2 * ana.called
        with pytest.raises(Refused, match="Two starts were called off because of you"):
            await again[1].join(ana)
        ana.node.start()  # and nobody is in the way any more
        assert len(await finish(ana, bea)) == 1


async def test_who_is_removed_hears_why_and_does_not_come_back(player: Maker) -> None:
    ana, bea, cai = players = [player(name) for name in NAMES[:3]]
    again = player("Dan", me=cai.me)
    async with company(*players, again):
        ana.host(4)
        await seated(ana, bea, cai, ready=False)
        ana.node.add_bot()
        with pytest.raises(LocalError, match="only the one who opened the table can remove"):
            bea.node.remove("Cai")
        for nobody in ("Dan", "Ana"):
            with pytest.raises(LocalError, match=f"no guest is called {nobody} here"):
                ana.node.remove(nobody)
        ana.node.remove("Bento")
        ana.node.remove("Cai", "we wait for Eva")
        told = "The opener removed you from this table: we wait for Eva."
        await until(lambda: cai.losses)
        assert cai.losses == [told]
        with pytest.raises(Refused, match=told):
            await again.join(ana)
        await until(lambda: bea.names == ["Ana", "Bea"])
        assert not ana.called


async def test_who_is_removed_while_all_sign_has_signed_nothing(
    player: Maker, tmp_path: Path
) -> None:
    ana, bea, cai = players = [player(name) for name in NAMES[:3]]
    async with company(*players):
        room = ana.host(3)
        room._begin_if_signed = lambda: None  # type: ignore[method-assign]
        await seated(*players)
        await until(lambda: len(room.room.signatures) == 2)
        ana.node.remove("Cai")
        await until(lambda: bea.called and cai.losses)
        assert bea.called == ["Cai was removed."]
        assert cai.losses == ["The opener removed you from this table."]
        assert kept(tmp_path) == []


async def test_an_opener_that_closes_the_table_while_all_sign_leaves_nothing_behind(
    player: Maker, tmp_path: Path
) -> None:
    ana, bea = players = [player(name) for name in NAMES[:2]]
    async with company(*players):
        room = ana.host(2)
        room._begin_if_signed = lambda: None  # type: ignore[method-assign]
        await seated(*players)
        await until(lambda: room.room.signatures)
        await ana.node.leave()
        await until(lambda: bea.losses)
        assert bea.losses == ["The opener closed the table."]
        assert kept(tmp_path) == []


async def test_an_opener_that_closes_the_room_sends_everybody_home(player: Maker) -> None:
    ana, bea = players = [player(name) for name in NAMES[:2]]
    async with company(*players):
        ana.host(3)
        await bea.join(ana)
        await ana.node.leave()
        await until(lambda: bea.losses)
        assert bea.losses == ["The opener closed the table."]
        assert ana.losses == []


async def test_an_opener_that_vanishes_before_it_signs_is_given_up_in_the_end(
    player: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sobremesa.net.room.guest.UNDECIDED", 1.0)

    ana, bea, cai = players = [player(name) for name in NAMES[:3]]
    async with company(*players):
        room = ana.host(3)
        room._begin = lambda *_: None  # it never comes to that
        await seated(ana, bea, cai)
        await until(lambda: bea.table and cai.table)
        await ana.listener.close()
        cut(ana)
        await until(lambda: bea.losses and cai.losses)
        assert "nobody knows if the game began" in bea.losses[0]
        # Each said farewell to the other, in case that the table stands somewhere.
        heard = [bea.links.mesh.table.history.held(1, 2), cai.links.mesh.table.history.held(1, 1)]
        assert any(message is not None and message.kind == LEAVE for message in heard)


async def test_a_guest_signs_one_table_of_a_number_whenever_it_sits_down(player: Maker) -> None:
    """Two charters of one number would hold two signatures that convict an honest guest."""
    ana, bea = player("Ana"), player("Bea")
    again = player("Bea", me=bea.me)
    async with company(ana, bea, again):
        room = ana.host(2)
        # It never signs.
        room._begin_if_signed = lambda: None  # type: ignore[method-assign]
        await bea.join(ana)
        await until(lambda: bea.table)
        room.room.call_off()
        room.room.reopen()
        room.room.proposals = 0
        await bea.node.leave()
        await until(lambda: len(room.room.guests) == 0)
        room.room.opener.ready = True
        await again.join(ana)
        await until(lambda: again.losses)
        assert again.losses == ["Did not sign: the opener proposes two games under one number."]
        assert again.table is None


async def test_a_guest_whose_link_breaks_before_the_openers_signature_comes_finds_the_table_again(
    player: Maker,
) -> None:
    ana, bea, cai = players = [player(name) for name in NAMES[:3]]
    async with company(*players):
        room = ana.host(3)
        begin = room._begin

        def begin_and_break(charter: Any, signatures: Any, channels: Any) -> None:
            begin(charter, signatures, channels)
            for channel in channels:  # before a byte of it is written
                channel.link.abort("lost", "the connection broke")

        room._begin = begin_and_break
        for guest in (bea, cai):
            guest.node.seen_at = 1  # a firewall: nobody can dial it
        await seated(ana, bea, cai)
        assert len(await finish(*players)) == 1
        assert not any(p.losses or p.called for p in players)


async def test_links_that_broke_are_dialled_again_and_nobody_notices(
    player: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peer_links, "STEADY", 0.2)

    players = [player(name, quick=False) for name in NAMES[:3]]
    async with company(*players):
        await begun(*players)
        for broken in players:  # the opener as well
            await until(lambda: all(len(p.links.mesh.feeds) == 2 for p in players))
            await asyncio.sleep(peer_links.STEADY + 0.1)
            cut(broken)
            broken.play()
        await play_on(*players)
        assert not any(p.was_away for p in players)


async def test_a_link_that_breaks_as_soon_as_it_is_made_is_not_made_in_a_hurry(
    player: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, _ = players = [player(name, quick=False) for name in NAMES[:2]]
    async with company(*players):
        await begun(*players)
        links = 0
        adopt = ana.links.adopt

        def adopt_and_break(link: Any) -> None:
            nonlocal links
            links += 1
            adopt(link)
            link.abort("bad", "a link that cannot hold")

        monkeypatch.setattr(ana.links, "adopt", adopt_and_break)
        cut(ana)
        await asyncio.sleep(2)
        assert 0 < links <= 12


async def test_a_match_is_dialling_playing_lingering_closed(player: Maker) -> None:
    ana, bea = players = [player(name) for name in NAMES[:2]]
    async with company(*players):
        room = ana.host(2)
        begin = room._begin_if_signed
        room._begin_if_signed = lambda: None  # type: ignore[method-assign]
        await seated(*players)
        await until(lambda: room.room.everybody_signed)
        assert bea.match.phase is MatchPhase.DIALLING
        begin()
        await until(lambda: bea.match.phase is MatchPhase.PLAYING)
        await finish(*players)
        assert {p.match.phase for p in players} == {MatchPhase.LINGERING}
    assert {p.match.phase for p in players} == {MatchPhase.CLOSED}
    await ana.match.linger()  # and nobody waits


@pytest.mark.parametrize("after", MatchPhase)
@pytest.mark.parametrize("before", MatchPhase)
def test_a_match_changes_only_as_the_table_says(before: MatchPhase, after: MatchPhase) -> None:
    one = Match.__new__(Match)
    one.phase = before
    if after in TRANSITIONS[before]:
        one._change_to(after)
        assert one.phase is after
    else:
        with pytest.raises(ValueError, match=f"is {before.value} cannot be {after.value}"):
            one._change_to(after)
        assert one.phase is before


# The gate.


def charter_of(player: Player) -> Charter:
    return player.match.table.charter


async def dialled(host: Player, code: str | None, mode: str = "join") -> str:
    """Try the code; the word of the refusal, or "in"."""
    try:
        link = await dial(Identity.fresh(), [host.address], mode, code=code)
    except DialFailed as error:
        return error.code
    link.abort("closed", "the test is over")
    return "in"


async def test_wrong_codes_are_told_now_and_then_and_the_opener_may_take_another(
    player: Maker,
) -> None:
    ana, bea, cai = players = [player(name) for name in NAMES[:3]]
    async with company(*players):
        ana.host(4)
        await bea.join(ana, ready=False)
        told: list[int] = []
        for number in range(1, 600):
            ana.node.guessed()
            if len(ana.notices) > len(told):
                told.append(number)
        assert told == [20, 100, 500]
        assert ana.notices[0].startswith("20 tries at the code were wrong")
        assert ana.node.code == CODE
        rooms = len(ana.rooms)
        ana.node.renew_code()
        code = ana.node.code
        assert len(code) == 8
        assert len(ana.rooms) == rooms + 1  # the screen shows it
        assert ana.names == ["Ana", "Bea"]
        assert await dialled(ana, CODE) == "code"
        await cai.join(ana, code=code, ready=False)
        assert ana.names == ["Ana", "Bea", "Cai"]
        for _ in range(19):  # those at the new code are counted anew; one was just made
            ana.node.guessed()
        assert [notice.split()[0] for notice in ana.notices] == ["20", "100", "500", "20"]


async def test_who_sits_here_learns_another_code_and_asks_those_for_it_who_look_on(
    player: Maker,
) -> None:
    ana, bea, cai = players = [player(name, quick=False) for name in NAMES[:3]]
    async with company(*players):
        ana.host(3)
        await bea.join(ana)
        ana.node.renew_code()
        code = ana.node.code
        await until(lambda: bea.node.code == code)
        await cai.join(ana, code=code)
        await until(lambda: all(one.began for one in players))
        for one in players:
            for old, said in ((CODE, "code"), (code, "in")):
                assert await dialled(one, old, "watch") == said
        (kept_code,) = {path.read_text("utf-8") for path in kept(ana.store.home.parent, "code")}
        assert kept_code == code


async def test_who_came_in_by_an_older_code_learns_the_newer_one(player: Maker) -> None:
    ana, bea = players = [player(name) for name in NAMES[:2]]
    async with company(*players):
        ana.host(3)
        bea._listen()
        table = ana.room_host.room.table
        link = await dial(bea.me, [ana.address], "join", table=table, code=CODE)
        ana.node.renew_code()
        await bea.node.join(link, bea.game, bea.copy, bea.name, CODE)
        await until(lambda: bea.node.code == ana.node.code)


async def test_an_opener_that_tells_what_is_no_code_is_left(player: Maker) -> None:
    ana, bea = players = [player(name) for name in NAMES[:2]]
    async with company(*players):
        ana.host(3)
        await bea.join(ana, ready=False)
        for channel in ana.room_host._guests:
            channel.post("code", code="../../x")
        await until(lambda: bea.losses)
        assert "a code that is none" in bea.losses[0]
        assert bea.node.code == CODE


async def test_while_all_sign_the_code_stays(player: Maker) -> None:
    ana, bea = players = [player(name) for name in NAMES[:2]]
    async with company(*players):
        ana.host(2)
        await bea.join(ana, ready=False)
        ana.room_host.propose()
        with pytest.raises(LocalError, match="about to begin"):
            ana.node.renew_code()
        assert ana.node.code == CODE


async def test_only_the_opener_changes_the_code_and_only_where_there_is_one(player: Maker) -> None:
    ana, bea = players = [player(name) for name in NAMES[:2]]
    async with company(*players):
        ana.host(3, code=None)
        await bea.join(ana, code=None, ready=False)
        with pytest.raises(LocalError, match="open to everybody: there is no code to change"):
            ana.node.renew_code()
        assert ana.node.code is None
        with pytest.raises(LocalError, match="only the one who opened the table can change its"):
            bea.node.renew_code()


async def test_who_may_not_come_in_is_told_why(player: Maker) -> None:
    ana, bea, cai, dan = players = [player(name) for name in NAMES[:4]]
    async with company(*players):
        ana.host(2)
        await bea.join(ana, ready=False)
        with pytest.raises(DialFailed, match=r"Table full \(2/2\)"):
            await cai.join(ana)
        with pytest.raises(DialFailed, match="That table is not here"):
            await dial(Identity.fresh(), [bea.address], "join")
        bea.node.ready(True)
        await until(lambda: ana.began and bea.began)
        with pytest.raises(DialFailed, match="the game at Kitchen has begun"):
            await dan.join(ana)
        with pytest.raises(DialFailed, match="That table is not here"):
            await dial(Identity.fresh(), [bea.address], "join", table=charter_of(ana).table)


async def test_a_stranger_learns_from_no_machine_who_sits_there(player: Maker) -> None:
    ana, bea, cai = players = [player(name) for name in NAMES[:3]]
    async with company(*players):
        await at_play(ana, bea)
        cai.node.listen()  # it sits nowhere
        heard = []
        for host, table, key in itertools.product(
            players, (charter_of(ana).table, bytes(16)), (ana.me.key, bea.me.key)
        ):
            with pytest.raises(DialFailed) as caught:
                await dial(Identity.fresh(), [host.address], "peer", table=table, whom=key)
            heard.append((caught.value.code, str(caught.value)))
        assert len(set(heard)) == 1
        link = await dial(
            bea.me, [ana.address], "peer", table=charter_of(ana).table, whom=ana.me.key
        )
        link.abort("closed", "the test is over")


async def test_a_second_of_the_same_name_gets_a_number(player: Maker) -> None:
    players = [player(name) for name in NAMES[:2]] + [player("Bea ")]
    players[2].name = "bea"
    async with company(*players):
        players[0].host(3)
        await seated(*players)
        await finish(*players)
        assert players[2].name == "bea 2"
        assert players[0].names == ["Ana", "Bea", "bea 2"]


async def test_a_guest_with_other_rules_is_refused_before_it_sits(player: Maker) -> None:
    ana, bea = player("Ana"), player("Bea", game=replace(toy.GAME, rules_version=2))
    async with company(ana, bea):
        ana.host(2)
        with pytest.raises(Refused, match="Versions differ: your Toy has rules 2, the tabl"):
            await bea.join(ana)
        assert ana.names == ["Ana"]


async def test_a_port_that_is_taken_is_said_at_once(player: Maker) -> None:
    ana, bea = player("Ana"), player("Bea")
    async with company(ana, bea):
        ana.host(2)
        with pytest.raises(CannotListen, match=f"Port {ana.node.port} is taken"):
            bea.node.listen(ana.node.port)


async def test_who_comes_in_and_does_not_sit_down_is_sent_away(
    player: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sobremesa.net.room.host.SEATING", 0.2)

    ana = player("Ana")
    async with company(ana):
        ana.host(3)
        link = await dial(Identity.fresh(), [ana.address], "join", code=CODE)
        assert [frame.kind async for frame in link.frames()] == []
        assert link.closed_why is not None
        assert link.closed_why.text == "You did not sit down."


@pytest.mark.parametrize(
    "frame",
    [
        Frame.make("have", step=0, head=bytes(64), window=bytes(32)),
        Frame.make("charter", charter=b""),
        Frame.make("ready", ready=True, terms=bytes(32)),
        Frame.make("agreed", hashes=[]),
    ],
)
async def test_a_frame_that_has_no_place_in_the_room_closes_the_link(
    player: Maker, frame: Frame
) -> None:
    ana = player("Ana")
    async with company(ana):
        ana.host(3)
        link = await dial(Identity.fresh(), [ana.address], "join", code=CODE)
        await link.send(frame)
        assert [frame.kind async for frame in link.frames()] == []
        assert link.closed_why is not None
        assert link.closed_why.code == "bad"


async def test_a_changed_table_begins_when_all_are_ready_for_the_change(player: Maker) -> None:
    ana, bea, cai = players = [player(name) for name in NAMES[:3]]
    async with company(*players):
        ana.host(3)
        await bea.join(ana)
        await cai.join(ana, ready=False)
        await until(lambda: ana.rooms[-1].seats[1].ready)
        ana.node.change({"patience": "30"})
        with pytest.raises(LocalError, match="waits for who must say ready: Bea, Cai"):
            ana.node.start()
        await until(lambda: all("patience 30 s" in one.rooms[-1].options for one in (bea, cai)))
        assert not any(chair.ready for chair in bea.rooms[-1].seats)
        for one in players:
            one.node.ready(True)
        assert len(await finish(*players)) == 1
        assert charter_of(cai).settings.patience == 30


async def test_no_guest_signs_what_the_opener_changed_behind_its_back(
    player: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sobremesa.net.room.room.Room.why_not_start", lambda room: None)
    ana, bea = players = [player(name) for name in NAMES[:2]]
    async with company(*players):
        ana.host(3)
        await bea.join(ana)
        await until(lambda: ana.rooms[-1].seats[1].ready)
        ana.node.change({"patience": "30"})
        ana.node.start()
        await until(lambda: bea.losses)
        (why,) = bea.losses
        assert "the table was changed, and you have not said ready to that" in why
        assert bea.table is None


@pytest.mark.parametrize(("what", "heard"), [("chat", CHAT_BURST), ("ready", 0)])
async def test_a_guest_that_floods_the_room_costs_nobody_the_chair(
    player: Maker, what: str, heard: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sobremesa.net.room.host.RoomHost.rest", 0.0)

    ana, bea, cai = players = [player(name) for name in NAMES[:3]]
    async with company(*players):
        room = ana.host(4)
        for guest in (bea, cai):
            await guest.join(ana, ready=False)
        # The network takes nothing for Bea as long as the flood lasts.
        (link,) = [channel.link for channel, who in room._guests.items() if who.name == "Bea"]
        over, send = asyncio.Event(), link.send

        async def send_later(frame: Frame) -> None:
            await over.wait()
            await send(frame)

        monkeypatch.setattr(link, "send", send_later)
        for _ in range(2 * MOST_WAITING):
            line = cai.room_guest._talk.say("Cai", "!", 0).frame()
            frame = line if what == "chat" else Frame.make("ready", ready=False, terms=bytes(32))
            await cai.room_guest._channel.link.send(frame)
        cai.node.ready(True)
        await until(lambda: ana.rooms[-1].seats[2][1])
        over.set()
        await until(lambda: bea.rooms[-1].seats[2][1])
        assert [len(one.chat) for one in players] == [heard] * 3
        assert not any(one.losses for one in players)
        assert bea.names == ["Ana", "Bea", "Cai"]


async def test_a_guest_is_read_no_faster_in_the_room_than_it_must_be(player: Maker) -> None:
    ana, bea = players = [player(name) for name in NAMES[:2]]
    async with company(*players):
        ana.host(3)
        await bea.join(ana, ready=False)
        start = asyncio.get_running_loop().time()
        for ready in (*[False] * 10, True):
            bea.node.ready(ready)
        await until(lambda: ana.rooms[-1].seats[1][1])
        assert asyncio.get_running_loop().time() - start > 9 / 20


async def test_nobody_dials_what_is_no_address(player: Maker) -> None:
    told = ["a b", "", "::1]:80", "x" * 80, "example.invalid", "10.0.0.300", "192.0.2.7"]

    ana, bea = player("Ana"), player("Bea")
    async with company(ana, bea):
        room = ana.host(3)
        bea.node.addresses = lambda: [Address(host, 1) for host in told]  # type: ignore[method-assign]
        await bea.join(ana)
        port = bea.node.port
        assert room.room.guests[0].addresses == (f"127.0.0.1:{port}", f"192.0.2.7:{port}")


async def test_a_charter_has_a_guest_dial_few_strangers_at_once(player: Maker) -> None:
    ana, bea = player("Ana"), player("Bea")
    async with company(ana, bea), silence() as strangers:
        room = ana.host(4).room
        await bea.join(ana, ready=False)
        for place, name in enumerate(("Cai", "Dan")):
            addresses = tuple(map(str, strangers.addresses(1 + 16 * place, 16)))
            room.guests.append(
                Person(Identity.fresh().key, name, addresses, room.opener.copy, True, room.terms)
            )
        bea.node.ready(True)  # and so it signs, and dials all whom the charter names
        await until(lambda: strangers.tries > 12)
        assert strangers.most <= 6


@pytest.mark.parametrize("addresses", [["a b", "", "::1]:80", "x" * 80], ["127.0.0.1"] * 16])
async def test_a_guest_may_tell_any_address_and_harms_nobody(
    player: Maker, addresses: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    players = [player(name) for name in NAMES[:3]]
    async with company(*players):
        players[0].host(3)
        mallory = players[1].node
        monkeypatch.setattr(mallory, "addresses", lambda: [Address(host, 1) for host in addresses])
        await seated(*players)
        assert len(await finish(*players)) == 1
        assert not any(p.losses for p in players)


# The game.


async def test_the_others_play_on_when_a_peer_leaves_on_purpose(player: Maker) -> None:
    ana, bea, cai = players = [player(name, quick=False) for name in NAMES[:3]]
    async with company(*players):
        await begun(*players)
        await ana.node.leave()  # the opener is a peer like any other
        await play_on(bea, cai)
        for left in (bea, cai):
            assert [(one.name, one.why) for one in left.match.table.departures] == [("Ana", "left")]


async def test_who_is_done_last_says_so_and_keeps_nobody(
    player: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node, "BEAT", 60.0)  # no heartbeat by chance

    ana, bea = players = [player(name) for name in NAMES[:2]]
    async with company(*players):
        ana.host(2)
        await seated(*players)
        await until(lambda: all(p.table and p.table.over for p in players))
        lingering = asyncio.ensure_future(ana.node.linger())
        await until(lambda: not bea.links.mesh.unfinished())
        await bea.node.linger()
        await bea.node.close()
        await asyncio.wait_for(lingering, match.LINGER / 3)
        assert not ana.links.mesh.unfinished()


async def test_chat_goes_on_while_the_opener_is_away(player: Maker) -> None:
    ana, bea, cai = players = [player(name, quick=False) for name in NAMES[:3]]
    async with company(*players):
        ana.host(3)
        await seated(*players, ready=False)
        bea.node.say("before the game")
        await until(lambda: ("Bea", "before the game") in cai.chat)
        for guest in (bea, cai):
            guest.node.ready(True)
        await until(lambda: all(p.began for p in players))
        await until(lambda: all(len(p.links.mesh.feeds) == 2 for p in players))
        await ana.listener.close()
        await ana.links.stop()
        cut(ana)
        await until(lambda: bea.away_now == ["Ana"] and cai.away_now == ["Ana"])
        assert not bea.alone_now
        await until(lambda: ana.alone_now)
        bea.node.say("where is Ana?")
        await until(lambda: ("Bea", "where is Ana?") in cai.chat)
        assert bea.match.table.live
        assert cai.match.table.live


@pytest.mark.parametrize(
    "code",
    ["replaced", "left", "closed", "calloff", "refused", "doubled", "stranger", "table", "over"],
)
@pytest.mark.parametrize("teller", [0, 2], ids=["the opener", "a guest"])
async def test_no_goodbye_of_another_peer_ends_our_part(
    player: Maker, code: str, teller: int
) -> None:
    _, bea, _ = players = [player(name, quick=False) for name in NAMES[:3]]
    async with company(*players):
        await at_play(*players)
        before = bea.links.mesh.feeds[teller]
        feeds = players[teller].links._feeds.items()
        (link,) = [channel.link for channel, feed in feeds if feed.peer == 1]
        await link.close(code, "You are out.")
        await until(lambda: bea.links.mesh.feeds.get(teller) not in (None, before))
        await play_on(*players)


class OtherWindow:
    """Another process with somebody's key, as far as Ana sees of it."""

    def __init__(self, link: Link, me: Identity, window: bytes) -> None:
        self.link, self.me, self.window = link, me, window

    @classmethod
    async def open(cls, ana: Player, me: Identity, window: bytes) -> OtherWindow:
        table = ana.links.mesh.table.charter.table
        link = await dial(me, [ana.address], "peer", table=table, whom=ana.me.key)
        mesh = ana.links.mesh
        head = mesh.table.replica_state.head
        await link.send(Frame.make("have", step=mesh.table.step, head=head, window=window))
        return cls(link, me, window)

    async def claim(self, table: bytes, peer: int) -> bytes:
        """Answer the question whether we are newer; the older window."""
        while (frame := await self.link.receive()) is not None:
            if frame.kind == "older":
                older: bytes = frame["older"]
                await self.link.send(moved(self.me, table, peer, older, self.window))
                return older
        raise AssertionError("nobody asked")


def moved(signer: Identity, table: bytes, peer: int, older: bytes, newer: bytes) -> Frame:
    """The statement that a seat is played from a newer window."""
    signature = signer.sign(encoding.frame("moved", table, peer, older, newer))
    return Frame.make("moved", older=older, newer=newer, sig=signature)


async def test_the_newer_of_two_windows_with_one_key_says_so_and_the_older_believes_its_own_key(
    player: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, bea, cai = players = [player(name, quick=False) for name in NAMES[:3]]
    async with company(*players):
        await at_play(*players)
        monkeypatch.setattr("sobremesa.net.mesh.Mesh.RACE", 0.0)
        await asyncio.sleep(0.05)
        newer = await OtherWindow.open(ana, bea.me, b"n" * 32)
        older = await newer.claim(ana.match.table.charter.table, 1)
        assert older == bea.links.mesh.windows.own
        # The older one dials again, is told, and ends; Ana and Cai do not.
        await until(lambda: bea.losses)
        assert bea.losses == ["This seat is played from another window now"]
        assert not ana.losses
        assert not cai.losses
        newer.link.abort("closed", "the test is over")


@pytest.mark.parametrize("vice", ["signed by the teller", "over another number", "by nobody"])
async def test_no_other_statement_says_that_a_seat_is_played_elsewhere(
    player: Maker, vice: str
) -> None:
    ana, bea, _ = players = [player(name, quick=False) for name in NAMES[:3]]
    async with company(*players):
        await at_play(*players)
        table, ours = ana.match.table.charter.table, bea.links.mesh.windows.own
        statement = {
            "signed by the teller": moved(ana.me, table, 1, ours, b"n" * 32),
            "over another number": moved(bea.me, table, 1, b"o" * 32, b"n" * 32),
            "by nobody": Frame.make("moved", older=ours, newer=b"n" * 32, sig=bytes(64)),
        }[vice]
        before = bea.links.mesh.feeds[0]
        ana.links.mesh.feeds[1].queue.append(statement)
        ana.links._wake()
        if vice != "over another number":  # one that nobody knows is not even checked
            await until(lambda: bea.links.mesh.feeds.get(0) not in (None, before))
        await play_on(*players)


async def test_no_window_signs_that_it_is_newer_than_itself(player: Maker) -> None:
    ana, bea, _ = players = [player(name, quick=False) for name in NAMES[:3]]
    async with company(*players):
        await at_play(*players)
        ana.links.mesh.feeds[1].queue.append(Frame.make("older", older=bea.links.mesh.windows.own))
        ana.links._wake()
        await play_on(*players)
        assert ana.links.mesh.windows._moves == {}


# An opener that cheats with the room.


async def test_an_opener_that_swaps_two_guests_is_refused_by_both(
    player: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One would be blamed on every screen for what the other's key signs."""
    ana, bea, cai = players = [player(name) for name in NAMES[:3]]
    async with company(*players):
        ana.host(3)
        await bea.join(ana)
        await cai.join(ana, ready=False)
        propose = Room.propose

        def swap(room: Room) -> Charter:
            charter = propose(room)
            opener, *guests = charter.peers
            room.charter = replace(charter, peers=(opener, *guests[::-1]))
            return room.charter

        monkeypatch.setattr(Room, "propose", swap)
        cai.node.ready(True)
        await until(lambda: bea.losses or cai.losses)
        why = "Did not sign: the charter has other players than the room, or in other seats."
        assert {*bea.losses, *cai.losses} <= {why}
        assert bea.table is None
        assert cai.table is None


@pytest.mark.parametrize("said", ["calloff", "room", "bye", "nothing"])
async def test_an_opener_that_keeps_the_room_has_no_power_over_a_started_table(
    player: Maker, tmp_path: Path, said: str
) -> None:
    ana, bea, _ = players = [player(name, quick=False) for name in NAMES[:3]]
    async with company(*players):
        room = ana.host(3)
        begin = room._begin
        held: list[Channel] = []

        def begin_and_keep(charter: Any, signatures: Any, channels: Any) -> None:
            held.extend(channel for channel in channels if channel.link.key == bea.me.key)
            begin(charter, signatures, [channel for channel in channels if channel not in held])

        room._begin = begin_and_keep
        await seated(*players)
        await until(lambda: all(p.began for p in players))
        for one in players:
            one.quick = True
            one.play()
        await until(lambda: bea.match.table.step > 3)
        rooms, chat = len(bea.rooms), list(bea.chat)
        (channel,) = held
        if said == "calloff":
            channel.post("calloff", text="All is off.")
        elif said == "room":
            channel.pass_on(room._talk.say("Ana", "I rule", 0).frame())
            channel.post("room", room=room.room.view(room.room.opener).encode())
            channel.post("charter", charter=b"")
        elif said == "bye":
            await channel.link.close("left", "The opener closed the table.")
        assert len(await finish(*players)) == 1
        assert not any(one.losses or one.called for one in players)
        assert (len(bea.rooms), bea.chat) == (rooms, chat)
        await until(lambda: channel.link.closed_why is not None)


@pytest.mark.parametrize("code", ["left", "closed", "refused", "removed", "room"])
async def test_no_goodbye_of_the_opener_ends_the_part_of_who_has_signed(
    player: Maker, code: str
) -> None:
    """The table may stand: who is told that it is closed looks for it as a peer."""
    players = [player(name) for name in NAMES[:3]]
    async with company(*players):
        room = players[0].host(3)
        begin = room._begin

        def begin_and_part(charter: Any, signatures: Any, channels: Any) -> None:
            for channel in channels:
                room._channels.hang_up(channel.link, code, "The table is closed.")
            begin(charter, signatures, [])

        room._begin = begin_and_part
        await seated(*players)
        assert len(await finish(*players)) == 1
        assert not any(p.losses or p.called for p in players)


async def test_an_opener_that_calls_off_again_and_again_is_left(
    player: Maker, tmp_path: Path
) -> None:
    ana, bea = players = [player(name) for name in NAMES[:2]]
    async with company(*players):
        room = ana.host(3)
        room._begin_if_signed = lambda: None  # type: ignore[method-assign]
        await bea.join(ana)
        (channel,) = room._guests
        channel.post("calloff", text="Of nothing that Bea has signed.")
        for count in range(1, MOST_CALLED_OFF + 1):
            ana.node.start()
            await until(lambda: room.room.signatures)
            room.room.call_off()
            room._announce_call_off(f"No {room.room.proposals}.")
            await until(lambda count=count: len(bea.called) == count)  # type: ignore[misc]
        await until(lambda: bea.losses)
        assert bea.called == ["No 1.", "No 2.", "No 3."]
        assert bea.losses == [
            "The opener has called off 3 starts that you had signed, so you left the table: "
            "join another."
        ]
        assert kept(tmp_path) == []


@pytest.mark.parametrize("vice", ["other words", "another mouth", "again", "under another name"])
async def test_an_opener_puts_no_words_into_a_guests_mouth(
    player: Maker, vice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, bea, cai = players = [player(name) for name in NAMES[:3]]
    async with company(*players):
        room = ana.host(4)
        await seated(*players, ready=False)
        if vice == "under another name":
            view = Room.view

            def rename(room: Room, reader: Person) -> RoomView:
                seen = view(room, reader)
                if reader.name != "Cai":
                    return seen
                ana, bea, *rest = seen.seats
                return replace(seen, seats=(ana, bea._replace(name="Eva"), *rest))

            monkeypatch.setattr(Room, "view", rename)
            room.publish()
        bea.node.say("hello")
        await until(lambda: bea.chat and (cai.chat or cai.losses))
        if vice == "under another name":
            assert cai.losses == [
                "Left the table: the opener's machine sent a line of chat that Eva did not sign."
            ]
            assert not cai.chat
            return
        line = bea.room_guest._talk.say("Bea", "hello again", 0)
        (channel,) = [channel for channel, guest in room._guests.items() if guest.name == "Cai"]
        if vice == "again":
            for _ in range(3):
                channel.pass_on(line.frame())
        elif vice == "other words":
            channel.pass_on(replace(line, text="I cheat").frame())
        else:
            channel.pass_on(replace(line, key=ana.me.key).frame())
        room.say("and on it goes")
        await until(lambda: cai.losses or ("Ana", "and on it goes") in cai.chat)
        again = [("Bea", "hello again"), ("Ana", "and on it goes")] if vice == "again" else []
        assert cai.chat == [("Bea", "hello"), *again]
        assert bool(cai.losses) is (vice != "again")


@pytest.mark.parametrize("whose", ["the guest's", "the opener's", "the table's"])
async def test_a_room_with_other_keys_than_those_of_the_link_is_left(
    player: Maker, whose: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As who stands in the middle would pass it on."""
    ana, bea = players = [player(name) for name in NAMES[:2]]
    async with company(*players):
        ana.host(3)
        view, other = Room.view, Identity.fresh().key

        def pass_on(room: Room, reader: Person) -> RoomView:
            seen = view(room, reader)
            if whose == "the table's":
                return replace(seen, number=bytes(16))
            seats = list(seen.seats)
            place = seen.you if whose == "the guest's" else 0
            seats[place] = seats[place]._replace(key=other)
            return replace(seen, seats=tuple(seats))

        monkeypatch.setattr(Room, "view", pass_on)
        with pytest.raises(Refused, match="a waiting room with other keys than the two of this"):
            await bea.join(ana)


async def test_all_in_a_room_see_one_fingerprint_and_another_when_somebody_comes(
    player: Maker,
) -> None:
    ana, bea, cai = players = [player(name) for name in NAMES[:3]]
    async with company(*players):
        ana.host(4)
        await bea.join(ana, ready=False)
        before = bea.rooms[-1].fingerprint
        assert ana.rooms[-1].fingerprint == before
        await cai.join(ana, ready=False)
        await until(lambda: bea.names == cai.names == ["Ana", "Bea", "Cai"])
        after = {one.rooms[-1].fingerprint for one in players}
        assert len(after) == 1
        assert before not in after


async def test_an_opener_is_read_no_faster_than_an_honest_one_must_speak(player: Maker) -> None:
    ana, bea = players = [player(name) for name in NAMES[:2]]
    async with company(*players):
        room = ana.host(3)
        await bea.join(ana, ready=False)
        (channel,) = room._guests
        start, seen = asyncio.get_running_loop().time(), len(bea.rooms)
        for _ in range(200):
            await channel.link.send(Frame.make("beat", beats=[]))
        room.publish()  # the same room as before is no news
        bea.node.ready(True)
        await until(lambda: bea.rooms[-1].seats[1].ready)
        assert asyncio.get_running_loop().time() - start > 1
        assert len(bea.rooms) == seen + 1


# Back after a crash.


async def crashed(player: Maker, *names: str) -> tuple[list[Player], list[bytes]]:
    """A game of these in which the last has played some steps and gone; what it had signed."""
    players = [player(name) for name in names]
    await at_play(*players)
    gone = players[-1]
    while gone.match.table.step <= 8:  # noqa: ASYNC110
        await asyncio.sleep(0)  # no longer, or the game could be over
    for one in players:
        one.quick = False
    await gone.node.close()  # what a crash leaves on the disk is the same
    return players, [m.payload for m in gone.match.table.log if m.peer == len(names) - 1]


def tear(homes: Path, name: str, part: float) -> None:
    """Cut off the end of a journal, in the middle of a record."""
    (journal,) = (homes / f"home of {name}").glob("tables/*/journal")
    data = journal.read_bytes()
    journal.write_bytes(data[: int(len(data) * part) - 1])


@pytest.mark.parametrize("part", [1.0, 0.6, 0.2])
async def test_who_comes_back_with_a_torn_record_signs_nothing_anew_before_it_knows_what_it_said(
    player: Maker, tmp_path: Path, part: float
) -> None:
    (ana, bea, old), said = await crashed(player, *NAMES[:3])
    cai = player("Cai", me=old.me)
    async with company(ana, bea, cai):
        tear(tmp_path, "Cai", part)
        await cai.come_back()
        ours = [m.payload for m in cai.match.table.log if m.peer == 2]
        assert ours == said[: len(ours)]
        assert cai.match.table.silent
        assert not cai.match.table.asked
        await until(lambda: not cai.match.table.silent)
        again = [m.payload for m in cai.match.table.log if m.peer == 2]
        assert again[: len(said)] == said, "its own messages came back from the others"
        await play_on(ana, bea, cai)


async def test_who_came_back_and_was_answered_waits_for_who_goes_away_as_before(
    player: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match, "ANSWERING", 0.0)
    (ana, old), _ = await crashed(player, *NAMES[:2])
    bea = player("Bea", me=old.me, quick=False)  # or its answer could end the game
    async with company(bea):
        await bea.come_back()
        await until(lambda: not bea.match.table.silent)
        await ana.node.close()
        await until(lambda: bea.away_now == ["Ana"])
        assert not bea.match.unanswered


async def test_who_comes_back_and_reaches_nobody_signs_nothing_and_may_leave(
    player: Maker, tmp_path: Path
) -> None:
    (ana, old), said = await crashed(player, *NAMES[:2])
    await ana.node.close()
    bea = player("Bea", me=old.me)
    async with company(bea):
        await bea.come_back()
        await until(lambda: bea.away_now == ["Ana"])
        await until(lambda: bea.match.unanswered)
        await bea.node.leave()
        assert [m.payload for m in bea.match.table.log if m.peer == 1] == said
    assert {path.parts[-4] for path in kept(tmp_path)} == {"home of Ana"}


async def test_all_may_go_away_at_once_and_come_back_to_the_same_ports(
    player: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ana, old), _ = await crashed(player, *NAMES[:2])
    await ana.node.close()
    back = [player("Ana", me=ana.me), player("Bea", me=old.me)]
    async with company(*back):
        for one in back:
            await one.come_back()
        assert back[0].node.port == int(ana.match.table.charter.peers[0].addresses[0].split(":")[1])
        await play_on(*back)


async def test_who_comes_back_finds_the_others_where_the_network_says_that_they_are(
    player: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    class List:
        """What the network says: Ana's machine listens at another port now."""

        def __init__(self, on_change: Callable[[], None]) -> None:
            self.tables = [read_listing([ana.address], ana.node.listing(), 0.0, ana.address)]
            self.on_change = on_change

        async def start(self) -> None:
            self.on_change()

        async def stop(self) -> None:
            pass

    monkeypatch.setenv("SOBREMESA_NO_MDNS", "1")
    monkeypatch.setattr(whereabouts, "Browser", List)
    (ana, old), _ = await crashed(player, *NAMES[:2])
    await ana.node.close()
    ports = [Address.read(peer.addresses[0]).port for peer in ana.match.table.charter.peers]
    ana, bea = player("Ana", me=ana.me), player("Bea", me=old.me)
    with ExitStack() as others:
        for port in ports:  # other programs have the ports by now
            others.enter_context(
                socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True)
            )
        async with company(ana, bea):
            await ana.come_back()
            bea.finds = True
            await bea.come_back()
            assert not {ana.node.port, bea.node.port} & set(ports)
            await play_on(ana, bea)
            assert bea.node.whereabouts.browser is None


async def test_who_comes_back_when_the_others_are_at_another_table_hears_of_it(
    player: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ana, old), _ = await crashed(player, *NAMES[:2])
    await ana.node.close()
    ana, bea = player("Ana", me=ana.me), player("Bea", me=old.me)
    async with company(ana, bea):
        await bea.come_back()
        ana.host(2)
        listing = read_listing([ana.address], ana.node.listing(), 0.0, ana.address)
        table, found = bea.match.table.charter.table, bea.links.found
        search = Search(table, found, bea.node._seen_elsewhere)
        for _ in range(2):  # it is said once
            search.look([listing, replace(listing, label="Hall"), replace(listing, key=bea.me.key)])
        assert bea.notices == [
            "Ana's machine is at another table now (Kitchen): this game seems to have ended there. "
            "leave ends it for you; if you quit, your seat is kept."
        ]


async def test_the_first_that_is_here_tells_the_network_of_the_game_and_nobody_else(
    player: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOBREMESA_NO_MDNS", "1")
    players = [player(name, quick=False) for name in NAMES[:3]]
    ana, bea, cai = players
    for one in players:
        one.finds = True

    def tell(*peers: Player) -> list[bool]:
        return [peer.node.whereabouts.advert is not None for peer in peers]

    async with company(*players):
        await begun(*players)
        await until(lambda: tell(*players) == [True, False, False])
        await ana.node.close()
        await until(lambda: tell(bea, cai) == [True, False])
        back = player("Ana", me=ana.me, quick=False)
        back.finds = True
        async with company(back):
            await back.come_back()
            await until(lambda: tell(back, bea, cai) == [True, False, False])
            await back.node.leave()  # not away, but gone for good
            await until(lambda: tell(bea, cai) == [True, False])
            advert = bea.node.whereabouts.advert
            assert advert is not None
            told = advert._info().decoded_properties
            assert told["table"] == bea.match.table.charter.table.hex()
            assert (told["port"], told["seats"]) == (str(bea.node.port), "3/3")
            await play_on(bea, cai)
            assert tell(bea, cai) == [False, False]


async def test_who_went_away_before_the_others_had_all_of_a_game_that_is_over_brings_it_to_them(
    player: Maker, tmp_path: Path
) -> None:
    ana, bea = players = [player(name) for name in NAMES[:2]]
    await at_play(*players)
    await until(lambda: ana.table and ana.table.over)
    await ana.node.close()  # nobody has said yet that it has it all
    again = player("Ana", me=ana.me)
    async with company(bea, again):
        await again.come_back()
        assert again.match.table.over
        assert len(await finish(again, bea)) == 1
    assert kept(tmp_path) == []


async def test_only_what_was_stored_goes_out(
    player: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, _ = players = [player(name, quick=False) for name in NAMES[:2]]
    async with company(*players):
        ana.host(2)
        await seated(*players)
        await until(lambda: ana.table and ana.table.step > 2)
        stored: list[Any] = []

        def store_one(record: Any) -> None:
            if stored:
                raise CannotStore("the disk is full")
            stored.append(record)

        ana.match._kept = ana.links.mesh.released = 0
        monkeypatch.setattr(ana.match._record, "keep_message", store_one)
        with pytest.raises(CannotStore):
            ana.match.publish()
        assert ana.links.mesh.released == 1


# Sleep.


@pytest.mark.parametrize(
    ("now", "wall", "slept"),
    [
        (100.3, 1000.3, False),
        (102.5, 1002.5, True),  # stopped, both clocks going on
        (100.3, 1060.0, True),  # asleep, with a clock that stops in sleep
        (100.3, 940.0, True),  # somebody set the clock: no harm in new links
    ],
)
def test_sleep_shows_in_either_clock(now: float, wall: float, slept: bool) -> None:
    wakefulness = Wakefulness(100.0, 1000.0)
    assert wakefulness.slept(now, wall) is slept
    assert not wakefulness.slept(now + 0.25, wall + 0.25)


async def test_a_machine_that_slept_makes_its_links_anew(player: Maker) -> None:
    ana, _ = players = [player(name, quick=False) for name in NAMES[:2]]
    async with company(*players):
        await at_play(*players)
        before = ana.links.mesh.feeds[1]
        ana.match.slept()
        await until(lambda: ana.links.mesh.feeds.get(1) not in (None, before))
        await play_on(*players)


class EquivocatesAndPassesOn(Equivocates):
    """Carries the others' messages as long as its own replica understands them."""

    def say(self, message: Message, to: int) -> Iterable[Message]:
        return super().say(message, to) if message.peer == self.me else (message,)


@pytest.mark.parametrize("lied_to", [1, 2])
async def test_who_tells_two_histories_to_peers_that_lost_each_other_is_named_when_they_meet(
    player: Maker, monkeypatch: pytest.MonkeyPatch, lied_to: int
) -> None:
    """Cai opens the table. Ana and Bea have no link to each other while he tells them two."""
    cai, ana, bea = players = [player(name) for name in ("Cai", "Ana", "Bea")]
    honest, cut_off = {ana.me.key, bea.me.key}, True
    adopt, make = PeerLinks.adopt, cai.node._make_match

    def adopted(links: PeerLinks, link: Link) -> None:
        if cut_off and {links._me.key, link.key} == honest:
            link.abort("cut", "no way between the two")
        else:
            adopt(links, link)

    def cheated(charter: Charter, game: Game[Any]) -> tuple[Match, PeerLinks]:
        match, links = make(charter, game)
        cheating(match, links, EquivocatesAndPassesOn("toss-commit", [lied_to]), cai.me.sign)
        return match, links

    monkeypatch.setattr(PeerLinks, "adopt", adopted)
    monkeypatch.setattr(cai.node, "_make_match", cheated)
    async with company(*players):
        await begun(*players)
        tables = [one.match.table for one in (ana, bea)]

        def told() -> set[bytes]:
            heard = [message for table in tables for message in table.log]
            return {m.payload for m in heard if m.peer == 0 and m.kind == "toss-commit"}

        await until(lambda: len(told()) == 2)
        assert all(table.live for table in tables)
        cut_off = False
        await until(lambda: all(table.fault for table in tables))
        for table in tables:
            assert isinstance(table.fault, Equivocation)
            assert table.fault.peer == "Cai"
