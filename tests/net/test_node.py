"""Whole peers in one loop, on real links: rooms, starts, cuts, and peers that cheat."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support import toy
from support.players import CODE, Player, company, cut, finish, until

from sobremesa.core.replica.audit import audit
from sobremesa.net import hosting, node, playing, visiting
from sobremesa.net.addresses import Address
from sobremesa.net.chat import CHAT_BURST
from sobremesa.net.dial import DialFailed, dial
from sobremesa.net.identity import Identity
from sobremesa.net.listen import CannotListen
from sobremesa.net.lobby import Refused
from sobremesa.net.node import Wakefulness
from sobremesa.net.store import CannotStore
from sobremesa.net.wire import Frame
from sobremesa.net.wires import MOST_WAITING

NAMES = ("Ana", "Bea", "Cai", "Dan", "Eva", "Fin", "Gil", "Hal")


@pytest.fixture(autouse=True)
def on_this_machine_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOBREMESA_LOOPBACK", "1")


@pytest.fixture
def player(tmp_path: Path) -> Callable[..., Player]:
    """Makes players, each with a home of its own."""

    def make(name: str, **habits: Any) -> Player:
        return Player(name, tmp_path / f"home of {name}", **habits)

    return make


def run(story: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(story, 60))


async def seated(host: Player, *guests: Player, ready: bool = True) -> None:
    """Guests sit down in order."""
    for guest in guests:
        await guest.join(host, ready=ready)


def kept(homes: Path, name: str = "*") -> list[Path]:
    """The files of tables that are on the disk."""
    return list(homes.glob(f"*/tables/*/{name}"))


# Whole games.


@pytest.mark.parametrize("count", [2, 3, 5, 8])
def test_everybody_ends_with_the_same_game(player: Callable[..., Player], count: int) -> None:
    async def story() -> None:
        players = [player(name) for name in NAMES[:count]]
        async with company(*players):
            players[0].host(count)
            await seated(*players)
            transcripts = await finish(*players)
        assert len(transcripts) == 1
        report = audit(transcripts.pop(), lambda name: toy.GAME)
        assert report.trouble is None
        assert not any(p.losses or p.notices or p.was_away for p in players)

    run(story())


def test_one_person_and_bots_play_at_a_table_that_nobody_else_joined(
    player: Callable[..., Player],
) -> None:
    async def story() -> None:
        ana = player("Ana")
        async with company(ana):
            ana.host(3, bots=2)
            assert len(await finish(ana)) == 1

    run(story())


def test_nothing_secret_is_left_on_the_disk_after_the_game(
    player: Callable[..., Player], tmp_path: Path
) -> None:
    async def story() -> None:
        players = [player(name) for name in NAMES[:2]]
        async with company(*players):
            players[0].host(2)
            await seated(*players)
            await until(lambda: all(p.began for p in players))
            assert len(kept(tmp_path, "seed")) == 2
            await finish(*players)
        assert kept(tmp_path) == []

    run(story())


def test_what_may_be_resumed_stays_on_the_disk(
    player: Callable[..., Player], tmp_path: Path
) -> None:
    async def story() -> None:
        players = [player(name, quick=False) for name in NAMES[:2]]
        async with company(*players):
            players[0].host(2)
            await seated(*players)
            await until(lambda: all(p.table and p.table.step > 3 for p in players))
        assert len(kept(tmp_path, "journal")) == 2

    run(story())


# The start.


def test_a_guest_that_breaks_off_before_it_signs_calls_the_start_off(
    player: Callable[..., Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        ana, bea, cai = players = [player(name) for name in NAMES[:3]]
        async with company(*players):
            ana.host(3)
            await bea.join(ana)
            await cai.join(ana, ready=False)
            monkeypatch.setattr(cai.node.visiting, "_sign", lambda wire, charter: cut(cai))
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

    run(story())


def test_a_guest_that_leaves_right_after_it_signed_costs_the_others_only_the_start(
    player: Callable[..., Player],
) -> None:
    async def story() -> None:
        ana, bea, cai = players = [player(name) for name in NAMES[:3]]
        async with company(*players):
            room = ana.host(3)
            await bea.join(ana)
            await cai.join(ana, ready=False)
            room._begin_if_signed = lambda: None  # the opener takes its time
            cai.node.ready(True)
            await until(lambda: cai.table and len(cai.playing.mesh.lanes) == 1)
            await cai.node.leave()
            assert cai.losses == []
            await until(lambda: ana.called and bea.called)
            assert bea.called == ["Cai is gone."]
            await until(lambda: bea.names == ["Ana", "Bea"])
            assert bea.node.playing is None
            assert not bea.losses

    run(story())


def test_a_guest_that_does_not_sign_is_named_and_the_room_opens_again(
    player: Callable[..., Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosting, "SIGNING", 0.3)

    async def story() -> None:
        ana, bea = players = [player(name) for name in NAMES[:2]]
        async with company(*players):
            ana.host(2)
            await bea.join(ana, ready=False)
            monkeypatch.setattr(bea.node.visiting, "_sign", lambda wire, charter: None)
            bea.node.ready(True)
            await until(lambda: ana.called)
            assert ana.called == ["Bea did not sign in 0.3 s."]
            assert ana.names == ["Ana", "Bea"]
            assert not ana.rooms[-1].seats[1][1]

    run(story())


def test_an_opener_that_closes_the_room_sends_everybody_home(
    player: Callable[..., Player],
) -> None:
    async def story() -> None:
        ana, bea = players = [player(name) for name in NAMES[:2]]
        async with company(*players):
            ana.host(3)
            await bea.join(ana)
            await ana.node.leave()
            await until(lambda: bea.losses)
            assert bea.losses == ["The opener closed the table."]
            assert ana.losses == []

    run(story())


def test_an_opener_that_vanishes_before_it_signs_is_given_up_in_the_end(
    player: Callable[..., Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visiting, "UNDECIDED", 1.0)

    async def story() -> None:
        ana, bea, cai = players = [player(name) for name in NAMES[:3]]
        async with company(*players):
            room = ana.host(3)
            room._begin = lambda *_: None  # it never comes to that
            await seated(ana, bea, cai)
            await until(lambda: bea.table and cai.table)
            await ana.node._listener.close()
            cut(ana)
            await until(lambda: bea.losses and cai.losses)
            assert "nobody knows if the game began" in bea.losses[0]
            # Each said farewell to the other, in case that the table stands somewhere.
            assert bea.playing.mesh.farewells.keys() >= {1}

    run(story())


def test_a_guest_signs_one_table_of_a_number_whenever_it_sits_down(
    player: Callable[..., Player],
) -> None:
    """Two charters of one number would hold two signatures that convict an honest guest."""

    async def story() -> None:
        ana, bea = player("Ana"), player("Bea")
        again = player("Bea", me=bea.me)
        async with company(ana, bea, again):
            room = ana.host(2)
            room._begin = lambda *_: None  # it never signs
            await bea.join(ana)
            await until(lambda: bea.table)
            room.opening.call_off()
            room.opening.proposals = 0
            await bea.node.leave()
            await until(lambda: len(room.opening.guests) == 0)
            room.opening.call_off()
            room.opening.proposals = 0
            room.opening.opener.ready = True
            await again.join(ana)
            await until(lambda: again.losses)
            assert again.losses == ["Did not sign: the opener proposes two games under one number."]
            assert again.table is None

    run(story())


def test_a_guest_whose_link_breaks_before_the_openers_signature_comes_finds_the_table_again(
    player: Callable[..., Player],
) -> None:
    async def story() -> None:
        ana, bea, cai = players = [player(name) for name in NAMES[:3]]
        async with company(*players):
            room = ana.host(3)
            begin = room._begin

            def begin_and_break(charter: Any, signatures: Any, wires: Any) -> None:
                begin(charter, signatures, wires)
                for wire in wires:  # before a byte of it is written
                    wire.link.abort("lost", "the connection broke")

            room._begin = begin_and_break
            for guest in (bea, cai):
                guest.node.seen_at = 1  # a firewall: nobody can dial it
            await seated(ana, bea, cai)
            assert len(await finish(*players)) == 1
            assert not any(p.losses or p.called for p in players)

    run(story())


def test_links_that_broke_are_dialled_again_and_nobody_notices(
    player: Callable[..., Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing, "STEADY", 0.2)

    async def story() -> None:
        players = [player(name, quick=False) for name in NAMES[:3]]
        async with company(*players):
            players[0].host(3)
            await seated(*players)
            await until(lambda: all(p.began for p in players))
            for broken in players:  # the opener as well
                await until(lambda: all(len(p.playing.mesh.lanes) == 2 for p in players))
                await asyncio.sleep(playing.STEADY + 0.1)
                cut(broken)
                broken.play()
            for one in players:
                one.quick = True
                one.play()
            assert len(await finish(*players)) == 1
            assert not any(p.was_away or p.losses for p in players)

    run(story())


def test_a_link_that_breaks_as_soon_as_it_is_made_is_not_made_in_a_hurry(
    player: Callable[..., Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        ana, _ = players = [player(name, quick=False) for name in NAMES[:2]]
        async with company(*players):
            ana.host(2)
            await seated(*players)
            await until(lambda: all(p.began for p in players))
            links = 0
            adopt = ana.playing.adopt

            def adopt_and_break(link: Any) -> None:
                nonlocal links
                links += 1
                adopt(link)
                link.abort("bad", "a link that cannot hold")

            monkeypatch.setattr(ana.playing, "adopt", adopt_and_break)
            cut(ana)
            await asyncio.sleep(2)
            assert 0 < links <= 12

    run(story())


# The door.


async def dialled(host: Player, code: str | None) -> str:
    """Try the code; the word of the refusal, or "in"."""
    try:
        address = Address("127.0.0.1", host.node.port)
        link = await dial(Identity.fresh(), [address], "join", code=code)
    except DialFailed as error:
        return error.code
    link.abort("closed", "the test is over")
    return "in"


def test_five_wrong_codes_make_a_new_one_that_the_opener_is_told(
    player: Callable[..., Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        ana = player("Ana")
        async with company(ana):
            ana.host(3)
            listener = ana.node._listener
            # Guesses from one address take two seconds each; that is another test's matter.
            monkeypatch.setattr(listener._tries, "begin", lambda address, now: 0)
            for _ in range(4):
                assert await dialled(ana, "999999") == "code"
                assert ana.node.code == CODE
            assert await dialled(ana, "999999") == "code"
            assert ana.node.code != CODE
            assert len(ana.rooms) == 2  # the screen shows the new one
            assert ana.notices == ["Five wrong codes were given, so this table has a new one."]
            assert await dialled(ana, CODE) == "code"
            assert await dialled(ana, ana.node.code) == "in"

    run(story())


def test_who_may_not_come_in_is_told_why(player: Callable[..., Player]) -> None:
    async def story() -> None:
        ana, bea, cai, dan = players = [player(name) for name in NAMES[:4]]
        async with company(*players):
            ana.host(2)
            await bea.join(ana, ready=False)
            with pytest.raises(DialFailed, match=r"Table full \(2/2\)"):
                await cai.join(ana)
            with pytest.raises(DialFailed, match="That table is not here"):
                await dial(Identity.fresh(), [Address("127.0.0.1", bea.node.port)], "join")
            bea.node.ready(True)
            await until(lambda: ana.began and bea.began)
            with pytest.raises(DialFailed, match="the game at Kitchen has begun"):
                await dan.join(ana)

    run(story())


def test_a_second_of_the_same_name_gets_a_number(player: Callable[..., Player]) -> None:
    async def story() -> None:
        players = [player(name) for name in NAMES[:2]] + [player("Bea ")]
        players[2].name = "bea"
        async with company(*players):
            players[0].host(3)
            await seated(*players)
            await finish(*players)
            assert players[2].name == "bea 2"
            assert players[0].names == ["Ana", "Bea", "bea 2"]

    run(story())


def test_a_guest_with_other_rules_is_refused_before_it_sits(
    player: Callable[..., Player],
) -> None:
    async def story() -> None:
        ana, bea = player("Ana"), player("Bea", game=replace(toy.GAME, rules_version=2))
        async with company(ana, bea):
            ana.host(2)
            with pytest.raises(Refused, match="Versions differ: your Toy has rules 2, the tabl"):
                await bea.join(ana)
            assert ana.names == ["Ana"]

    run(story())


def test_a_port_that_is_taken_is_said_at_once(player: Callable[..., Player]) -> None:
    async def story() -> None:
        ana, bea = player("Ana"), player("Bea")
        async with company(ana, bea):
            ana.host(2)
            with pytest.raises(CannotListen, match=f"Port {ana.node.port} is taken"):
                bea.node.listen(ana.node.port)

    run(story())


def test_who_comes_in_and_does_not_sit_down_is_sent_away(
    player: Callable[..., Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosting, "SEATING", 0.2)

    async def story() -> None:
        ana = player("Ana")
        async with company(ana):
            ana.host(3)
            address = Address("127.0.0.1", ana.node.port)
            link = await dial(Identity.fresh(), [address], "join", code=CODE)
            assert [frame.kind async for frame in link.frames()] == []
            assert link.closed_why is not None
            assert link.closed_why.text == "You did not sit down."

    run(story())


@pytest.mark.parametrize(
    "frame",
    [
        Frame.make("have", step=0, head=bytes(64), marks=[]),
        Frame.make("charter", charter=b""),
        Frame.make("ready", ready=True),
        Frame.make("leave", peer=0, sig=bytes(64)),
    ],
)
def test_a_frame_that_has_no_place_in_the_room_closes_the_link(
    player: Callable[..., Player], frame: Frame
) -> None:
    async def story() -> None:
        ana = player("Ana")
        async with company(ana):
            ana.host(3)
            address = Address("127.0.0.1", ana.node.port)
            link = await dial(Identity.fresh(), [address], "join", code=CODE)
            await link.send(frame)
            assert [frame.kind async for frame in link.frames()] == []
            assert link.closed_why is not None
            assert link.closed_why.code == "bad"

    run(story())


@pytest.mark.parametrize(
    ("frame", "heard"),
    [(Frame.make("say", text="!"), CHAT_BURST), (Frame.make("ready", ready=False), 0)],
    ids=["chat", "ready"],
)
def test_a_guest_that_floods_the_room_costs_nobody_the_chair(
    player: Callable[..., Player], frame: Frame, heard: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosting.Hosting, "rest", 0.0)

    async def story() -> None:
        ana, bea, cai = players = [player(name) for name in NAMES[:3]]
        async with company(*players):
            room = ana.host(4)
            for guest in (bea, cai):
                await guest.join(ana, ready=False)
            # The network takes nothing for Bea as long as the flood lasts.
            (link,) = [wire.link for wire, who in room._guests.items() if who.name == "Bea"]
            over, send = asyncio.Event(), link.send

            async def send_later(frame: Frame) -> None:
                await over.wait()
                await send(frame)

            monkeypatch.setattr(link, "send", send_later)
            for _ in range(2 * MOST_WAITING):
                await cai.node.visiting._wire.link.send(frame)
            cai.node.ready(True)
            await until(lambda: ana.rooms[-1].seats[2][1])
            over.set()
            await until(lambda: bea.rooms[-1].seats[2][1])
            assert [len(one.chat) for one in players] == [heard] * 3
            assert not any(one.losses for one in players)
            assert bea.names == ["Ana", "Bea", "Cai"]

    run(story())


def test_a_guest_is_read_no_faster_in_the_room_than_it_must_be(
    player: Callable[..., Player],
) -> None:
    async def story() -> None:
        ana, bea = players = [player(name) for name in NAMES[:2]]
        async with company(*players):
            ana.host(3)
            await bea.join(ana, ready=False)
            start = asyncio.get_running_loop().time()
            for ready in (*[False] * 10, True):
                bea.node.ready(ready)
            await until(lambda: ana.rooms[-1].seats[1][1])
            assert asyncio.get_running_loop().time() - start > 9 / 20

    run(story())


def test_nobody_dials_what_is_no_address(player: Callable[..., Player]) -> None:
    told = ["a b", "", "::1]:80", "x" * 80, "example.invalid", "10.0.0.300", "192.0.2.7"]

    async def story() -> None:
        ana, bea = player("Ana"), player("Bea")
        async with company(ana, bea):
            room = ana.host(3)
            bea.node.addresses = lambda: [Address(host, 1) for host in told]
            await bea.join(ana)
            port = bea.node.port
            assert room.opening.guests[0].addresses == (f"127.0.0.1:{port}", f"192.0.2.7:{port}")

    run(story())
    # An opener may write anything into a charter.
    assert playing._dialable((*told, "h:1", "10.0.0.1:0", "10.0.0.2:7", "[::1]:9")) == [
        Address("10.0.0.2", 7),
        Address("::1", 9),
    ]


@pytest.mark.parametrize("addresses", [["a b", "", "::1]:80", "x" * 80], ["127.0.0.1"] * 16])
def test_a_guest_may_tell_any_address_and_harms_nobody(
    player: Callable[..., Player], addresses: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        players = [player(name) for name in NAMES[:3]]
        async with company(*players):
            players[0].host(3)
            mallory = players[1].node
            monkeypatch.setattr(
                mallory, "addresses", lambda: [Address(host, 1) for host in addresses]
            )
            await seated(*players)
            assert len(await finish(*players)) == 1
            assert not any(p.losses for p in players)

    run(story())


# The game.


def test_a_peer_that_leaves_on_purpose_ends_the_game_with_a_word(
    player: Callable[..., Player],
) -> None:
    async def story() -> None:
        ana, bea, cai = players = [player(name, quick=False) for name in NAMES[:3]]
        async with company(*players):
            ana.host(3)
            await seated(*players)
            await until(lambda: all(p.began for p in players))
            await ana.node.leave()  # the opener is a peer like any other
            await until(lambda: not bea.table.live and not cai.table.live)
            for left in (bea, cai):
                assert str(left.table.ended).startswith("Ana left the table")

    run(story())


def test_who_is_done_last_says_so_and_keeps_nobody(
    player: Callable[..., Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node, "BEAT", 60.0)  # no heartbeat by chance

    async def story() -> None:
        ana, bea = players = [player(name) for name in NAMES[:2]]
        async with company(*players):
            ana.host(2)
            await seated(*players)
            await until(lambda: all(p.table and p.table.over for p in players))
            lingering = asyncio.ensure_future(ana.node.linger())
            await until(lambda: not bea.playing.mesh.unfinished())
            await bea.node.linger()
            await bea.node.close()
            await asyncio.wait_for(lingering, playing.LINGER / 3)
            assert not ana.playing.mesh.unfinished()

    run(story())


def test_chat_goes_on_while_the_opener_is_away(player: Callable[..., Player]) -> None:
    async def story() -> None:
        ana, bea, cai = players = [player(name, quick=False) for name in NAMES[:3]]
        async with company(*players):
            ana.host(3)
            await seated(*players, ready=False)
            bea.node.say("before the game")
            await until(lambda: ("Bea", "before the game") in cai.chat)
            for guest in (bea, cai):
                guest.node.ready(True)
            await until(lambda: all(p.began for p in players))
            await until(lambda: all(len(p.playing.mesh.lanes) == 2 for p in players))
            await ana.node._listener.close()
            await ana.playing.stop()
            cut(ana)
            await until(lambda: bea.away_now == ["Ana"] and cai.away_now == ["Ana"])
            bea.node.say("where is Ana?")
            await until(lambda: ("Bea", "where is Ana?") in cai.chat)
            assert bea.table.live
            assert cai.table.live

    run(story())


def test_the_newer_of_two_processes_with_one_key_wins_and_the_older_is_told(
    player: Callable[..., Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        ana, bea = players = [player(name, quick=False) for name in NAMES[:2]]
        async with company(*players):
            ana.host(2)
            await seated(*players)
            await until(lambda: all(p.began and p.playing.mesh.lanes for p in players))
            monkeypatch.setattr("sobremesa.net.mesh.Mesh.RACE", 0.0)
            await asyncio.sleep(0.05)
            table = ana.table.charter.table
            address = Address("127.0.0.1", ana.node.port)
            link = await dial(bea.me, [address], "peer", table=table)
            await until(lambda: bea.losses)
            assert bea.losses == ["This seat is played from another window now"]
            link.abort("closed", "the test is over")

    run(story())


def test_a_link_replaced_by_one_that_we_dial_ourselves_is_no_other_window(
    player: Callable[..., Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        ana, bea = players = [player(name, quick=False) for name in NAMES[:2]]
        async with company(*players):
            ana.host(2)
            await seated(*players)
            await until(lambda: all(p.began and p.playing.mesh.lanes for p in players))
            monkeypatch.setattr("sobremesa.net.mesh.Mesh.RACE", 0.0)
            await asyncio.sleep(0.05)
            before = bea.playing.mesh.lanes[0]
            bea.playing._dialling.add(0)
            table = ana.table.charter.table
            link = await dial(bea.me, [Address("127.0.0.1", ana.node.port)], "peer", table=table)
            await until(lambda: bea.playing.mesh.lanes.get(0) is not before)
            assert bea.losses == []
            bea.playing.adopt(link)
            for one in players:
                one.quick = True
                one.play()
            assert len(await finish(*players)) == 1

    run(story())


def test_only_what_was_stored_goes_out(player: Callable[..., Player]) -> None:
    async def story() -> None:
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

            ana.playing.mesh.released = 0
            ana.playing._record.keep_message = store_one
            with pytest.raises(CannotStore):
                ana.playing.changed()
            assert ana.playing.mesh.released == 1

    run(story())


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


def test_a_machine_that_slept_makes_its_links_anew(player: Callable[..., Player]) -> None:
    async def story() -> None:
        ana, _ = players = [player(name, quick=False) for name in NAMES[:2]]
        async with company(*players):
            ana.host(2)
            await seated(*players)
            await until(lambda: all(p.began and p.playing.mesh.lanes for p in players))
            before = ana.playing.mesh.lanes[1]
            ana.playing.slept()
            await until(lambda: ana.playing.mesh.lanes.get(1) not in (None, before))
            for one in players:
                one.quick = True
                one.play()
            assert len(await finish(*players)) == 1

    run(story())
