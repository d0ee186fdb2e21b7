"""The mesh: flood, resync, presence, chat and slow readers, on links in memory."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
from support.games.toy import GAME
from support.peers.meshes import Meshes
from support.peers.tabletop import FULL, LINE, STAR, key, links, seed_of

from sobremesa.core.encoding import Rand, pack, unpack
from sobremesa.core.encoding import frame as frame_bytes
from sobremesa.core.errors import BadMessage
from sobremesa.core.replica.faults import Equivocation
from sobremesa.core.replica.poll import Ballot, write_stand
from sobremesa.core.replica.transcript import LEAVE, STAND, Message, signed_by
from sobremesa.net.chat import CHAT_BURST, CHAT_WINDOW
from sobremesa.net.links.frames import Frame
from sobremesa.net.mesh import CHAT_KEPT, MOST_SHOWN, Mesh
from sobremesa.net.presence import AWAY_AFTER, MOST_CHECKED
from sobremesa.net.statements import Presence

PAIR = [(0, 1)]
EVA = bytes([7]) * 32
"""The key of somebody who looks on."""
OLDER = bytes([9]) * 32
"""A window that Bea had before."""


def connected(peers: int, rng: random.Random) -> list[tuple[int, int]]:
    """A random tree and some more links."""
    tree = [(rng.randrange(peer), peer) for peer in range(1, peers)]
    more = [pair for pair in itertools.combinations(range(peers), 2) if rng.random() < 0.3]
    return sorted({*tree, *more})


def other_version(meshes: Meshes, message: Message) -> Message:
    """The same peer's signed message for the same step with another body."""
    body = message.body[:-1] + bytes([message.body[-1] ^ 1])
    return Message.make(
        meshes.charter,
        message.step,
        message.peer,
        message.kind,
        message.head,
        body,
        key(message.peer).sign,
    )


@pytest.mark.parametrize("seed", range(12))
def test_the_game_is_the_same_over_any_connected_graph(seed: int) -> None:
    rng = random.Random(seed)
    peers = rng.randrange(2, 7)
    meshes = Meshes(GAME, peers, connected(peers, rng), seed).run()
    assert all(table.over for table in meshes.tables)
    assert len(meshes.transcripts()) == 1


@pytest.mark.parametrize("topology", [STAR, LINE, FULL])
def test_a_guest_that_only_dials_plays_through_those_it_reaches(topology: str) -> None:
    meshes = Meshes(GAME, 5, links(topology, 5)).run()
    assert all(table.over for table in meshes.tables)
    assert len(meshes.transcripts()) == 1


def test_who_waits_is_passed_on_and_only_the_last_word_of_it_counts() -> None:
    meshes = Meshes(GAME, 3, links(LINE, 3))
    meshes.run(play=False)
    meshes[0].tell_waiting({EVA: "Eva"}, 5)
    meshes.run(play=False)
    assert meshes[2].waiting == {EVA: "Eva"}
    old = meshes[0]._waits[0].frame()
    meshes[0].tell_waiting({}, 5)
    meshes.run(play=False)
    assert meshes[2].waiting == {}
    meshes[2].receive(meshes.ends[2, 1].feed, old, 0.0)
    assert meshes[2].waiting == {}


def test_a_list_of_who_waits_is_its_authors_alone() -> None:
    meshes = Meshes(GAME, 2, PAIR)
    meshes.run(play=False)
    who = [[EVA, "Eva"]]
    forged = Frame.make("waits", peer=0, number=9, who=who, sig=bytes(64))
    with pytest.raises(BadMessage, match="a list of who waits that"):
        meshes[1].receive(meshes.ends[1, 0].feed, forged, 0.0)
    assert meshes[1].waiting == {}


def test_every_message_crosses_a_link_at_most_once_in_each_direction() -> None:
    meshes = Meshes(GAME, 4, links(FULL, 4))
    seen: set[tuple[int, int, bytes]] = set()
    while meshes.turn():
        for way, end in meshes.ends.items():
            for frame in end.on_way:
                if frame.kind == "msg":
                    seen.add((*way, frame["payload"]))
    log = len(meshes[0].table.log)
    assert meshes.carried - 12 <= 12 * log  # each of 12 directions: one `have`, then the log
    assert len(seen) <= 12 * log


@pytest.mark.parametrize(("topology", "every"), [(LINE, 1), (FULL, 3)])
def test_a_cut_after_any_frame_changes_nothing(topology: str, every: int) -> None:
    peers = 3
    whole = Meshes(GAME, peers, links(topology, peers)).run()
    for count in range(0, whole.carried, every):
        meshes = Meshes(GAME, peers, links(topology, peers))
        while meshes.carried < count and meshes.turn():
            pass
        pair = links(topology, peers)[count % len(links(topology, peers))]
        meshes.cut(*pair)
        if count % 2:  # some time without the link, or none
            meshes.run()
        meshes.link(*pair)
        meshes.run()
        assert all(table.over for table in meshes.tables), count
        assert len(meshes.transcripts()) == 1, count


@pytest.mark.parametrize("seed", range(8))
def test_links_that_come_and_go_all_the_time_change_nothing(seed: int) -> None:
    rng = random.Random(seed)
    pairs = links(FULL, 4)
    meshes = Meshes(GAME, 4, pairs, seed)
    up = set(pairs)
    for _ in range(150):
        for _ in range(rng.randrange(12)):
            meshes.turn()
        pair = rng.choice(pairs)
        (meshes.cut if pair in up else meshes.link)(*pair)
        up ^= {pair}
    for pair in set(pairs) - up:
        meshes.link(*pair)
    meshes.run()
    assert all(table.over for table in meshes.tables)
    assert len(meshes.transcripts()) == 1


def test_nothing_but_what_we_have_goes_out_before_the_other_side_has_said_the_same() -> None:
    meshes = Meshes(GAME, 2, PAIR)
    meshes[0].say("hello", 1)
    meshes.leave(0)
    assert meshes.pull(0, 1)
    assert not meshes.pull(0, 1)
    assert [frame.kind for frame in meshes.ends[0, 1].on_way] == ["have"]


def test_what_the_other_side_has_is_not_sent_again() -> None:
    meshes = Meshes(GAME, 3, PAIR).run()  # the step lacks Cai's message
    assert len(meshes.tables[0].history.due) == len(meshes.tables[1].history.due) == 2
    meshes.cut(0, 1)
    meshes.link(0, 1)
    sent = []
    while any([meshes.pull(0, 1), meshes.pull(1, 0)]):
        sent += [meshes.deliver(*way).kind for way in meshes.ends if meshes.ends[way].on_way]
    assert sorted(sent) == ["agreed", "agreed", "all", "all", "have", "have"]


def test_nothing_goes_out_before_it_is_on_the_disk() -> None:
    meshes = Meshes(GAME, 2, PAIR)
    meshes[0].released = 0
    meshes.compare(0, 1)
    meshes[0].released = 0
    assert meshes.pull(0, 1)
    assert not meshes.pull(0, 1)
    meshes.release(0)
    assert meshes.pull(0, 1)
    assert [frame.kind for frame in meshes.ends[0, 1].on_way] == ["all", "msg"]


# Two versions of one message.


def split(meshes: Meshes) -> None:
    """Ana signs one thing for Bea and another for Cai, who have no link to each other yet."""
    ours = meshes.tables[0].log[0]
    for peer, message in ((1, ours), (2, other_version(meshes, ours))):
        meshes.tables[peer].receive(message.payload, message.signature)
        meshes.release(peer)


def assert_convicted(meshes: Meshes, *peers: int) -> None:
    for peer in peers:
        fault = meshes.tables[peer].fault
        assert isinstance(fault, Equivocation)
        assert fault.peer == "Ana"


def test_two_versions_of_a_due_message_meet() -> None:
    meshes = Meshes(GAME, 3, [])
    split(meshes)
    meshes.link(1, 2)
    meshes.run()
    assert_convicted(meshes, 1, 2)


def test_two_versions_that_split_the_history_meet() -> None:
    meshes = Meshes(GAME, 3, [])
    split(meshes)
    for here, there in ((1, 2), (2, 1)):  # each gets the other's honest signature, and goes on
        message = meshes.tables[there].log[0]
        meshes.tables[here].receive(message.payload, message.signature)
        meshes.release(here)
    assert meshes.tables[1].history.head_before(1) != meshes.tables[2].history.head_before(1)
    meshes.link(1, 2)
    meshes.run()
    assert_convicted(meshes, 1, 2)


def parted(meshes: Meshes) -> None:
    """Bea and Cai have no link and go on by two versions of what Ana signed."""
    split(meshes)
    for here, there in ((1, 2), (2, 1)):
        message = meshes.tables[there].log[0]
        meshes.tables[here].receive(message.payload, message.signature)
        meshes.release(here)


@pytest.mark.parametrize("behind", [1, 2])
def test_who_was_lied_to_is_not_convicted_when_its_link_comes_back(behind: int) -> None:
    """Ana is linked to both, tells each its own history, and one of them is a step further on.
    The other end's newest message, over a head that nobody here knows, convicts nobody; the two
    versions do, and what the dead end is asked in the meantime it does not answer."""
    meshes = Meshes(GAME, 3, [])
    parted(meshes)
    ahead = 3 - behind
    table = meshes.tables[ahead]
    anas = Message.make(
        meshes.charter, 1, 0, "toss-commit", table.history.head, bytes(64), key(0).sign
    )
    table.receive(anas.payload, anas.signature)
    meshes.release(ahead)
    meshes.link(1, 2)
    shown: set[bytes] = set()
    while meshes.turn(play=False):
        shown |= {
            frame["payload"]
            for end in meshes.ends.values()
            for frame in end.on_way
            if frame.kind == "msg"
        }
        assert {table.fault.peer for table in meshes.tables if table.fault} <= {"Ana"}
    assert_convicted(meshes, 1, 2)
    assert {unpack(payload)[1] for payload in shown} == {0}, "nothing but what parted them"


def test_where_histories_part_nothing_but_heartbeats_and_proofs_passes() -> None:
    meshes = Meshes(GAME, 3, [])
    parted(meshes)
    meshes.link(1, 2)
    for way in ((1, 2), (2, 1)):  # where they stand, and the step that parted them, gets lost
        while meshes.pull(*way):
            pass
    meshes[1].say("can you hear me?", 1)
    feeds = [meshes.ends[way].feed for way in ((1, 2), (2, 1))]
    for way in ((1, 2), (2, 1)):
        meshes.deliver(*way)
    assert [feed.comparison.parted for feed in feeds] == [0, 0]
    kinds = []
    while (frame := meshes[1].next_frame(feeds[0])) is not None:
        kinds.append(frame.kind)
    assert kinds == ["msg"] * 3, "the step that parts them, and no chat"
    meshes[1].beat()
    beat = meshes[1].next_frame(feeds[0])
    assert beat is not None
    meshes[2].receive(feeds[1], beat, 0)


def test_on_a_link_that_parts_nobody_says_more_than_one_step() -> None:
    meshes = Meshes(GAME, 3, [])
    parted(meshes)
    feed = meshes[1].connect(2, 0)
    theirs = meshes.tables[2].history
    early = Frame.make("msg", payload=b"", sig=bytes(64))
    with pytest.raises(BadMessage, match="before both ends"):
        meshes[1].receive(feed, early, 0)
    feed.shown = 0
    have = Frame.make("have", step=theirs.step, head=theirs.head, window=bytes(32))
    meshes[1].receive(feed, have, 0)
    assert feed.comparison.parted == 0
    message = theirs.of_step(0)[2]
    shown = Frame.make("msg", payload=message.payload, sig=message.signature)
    for _ in range(MOST_SHOWN):
        meshes[1].receive(feed, shown, 0)
    with pytest.raises(BadMessage, match="before both ends"):
        meshes[1].receive(feed, shown, 0)
    with pytest.raises(BadMessage, match="not due"):
        meshes[1].receive(feed, Frame.make("agreed", hashes=[]), 0)


def test_a_proof_about_an_old_step_reaches_everybody() -> None:
    meshes = Meshes(GAME, 4, links(FULL, 4))
    first = meshes.tables[0].log[0]
    while meshes.tables[1].step < 6:
        meshes.turn()
    for pair in ((1, 2), (2, 3)):  # these links are younger than the step that is proven
        meshes.cut(*pair)
        meshes.link(*pair)
    meshes.cut(0, 1)
    meshes.cut(0, 2)
    meshes.cut(0, 3)
    meshes.cut(1, 3)
    for way in ((1, 2), (2, 1), (2, 3), (3, 2)):
        while meshes.pull(*way) or meshes.ends[way].on_way:
            if meshes.ends[way].on_way:
                meshes.deliver(*way)
    forged = other_version(meshes, first)
    meshes.tables[1].receive(forged.payload, forged.signature)
    meshes.release(1)
    meshes.run()
    assert_convicted(meshes, 1, 2, 3)


def test_whoever_comes_back_after_a_conviction_gets_the_proof() -> None:
    meshes = Meshes(GAME, 3, links(FULL, 3))
    while meshes.tables[1].step < 6:
        meshes.turn()
    meshes.run(play=False)
    meshes.cut(1, 2)
    meshes.cut(0, 2)
    forged = other_version(meshes, meshes.tables[0].log[0])
    meshes.tables[1].receive(forged.payload, forged.signature)
    meshes.release(1)
    meshes.link(1, 2)
    meshes.run(play=False)
    assert_convicted(meshes, 1, 2)


# Slow readers, bad frames.


def test_who_does_not_read_costs_no_memory() -> None:
    meshes = Meshes(GAME, 3, [(0, 1), (0, 2), (1, 2)])
    feed = meshes.ends[0, 1].feed
    meshes.compare(0, 1)
    for number in range(1000):
        meshes[0].beat()
        meshes[0].say(f"line {number}", number)
    assert [frame.kind for frame in feed.queue] == ["beat"]
    assert feed.queue[-1]["beats"][0][1] == 999  # the newest heartbeat
    assert len(meshes[0].chat) == CHAT_KEPT


def test_a_frame_of_the_waiting_room_is_refused_in_the_game() -> None:
    meshes = Meshes(GAME, 2, PAIR)
    with pytest.raises(BadMessage, match="ready frame in the middle of a game"):
        meshes[0].receive(
            meshes.ends[0, 1].feed, Frame.make("ready", ready=True, terms=bytes(32)), 0
        )


@pytest.mark.parametrize("again", ["have", "agreed", "head"])
def test_a_link_compares_once(again: str) -> None:
    meshes = Meshes(GAME, 2, PAIR).run()
    feed = meshes.ends[0, 1].feed
    held = set(feed.holds)
    said: dict[str, dict[str, Any]] = {
        "have": {"step": 0, "head": bytes(64), "window": bytes(32)},
        "agreed": {"hashes": [bytes([n]) * 32 for n in range(8)]},
        "head": {"step": 0, "head": bytes(64)},
    }
    with pytest.raises(BadMessage):
        meshes[0].receive(feed, Frame.make(again, **said[again]), 0)
    assert feed.holds == held
    meshes.cut(0, 1)
    meshes.link(0, 1)  # a new link says it anew
    meshes.run()
    assert meshes.ends[0, 1].feed.open


def test_what_the_table_does_not_keep_costs_no_memory_on_the_link() -> None:
    meshes = Meshes(GAME, 2, PAIR).run()
    table, feed = meshes.tables[0], meshes.ends[0, 1].feed
    assert table.over
    held = set(feed.holds)
    for step in range(1, 100):
        late = Message.make(
            meshes.charter, table.step + step, 1, "mark", table.replica_state.head, b"", key(1).sign
        )
        meshes.inject(1, 0, late)
        meshes.deliver(1, 0)
    assert feed.holds == held


# Chat.


def said(meshes: Meshes, peer: int) -> list[str]:
    return [line.text for line in meshes.heard[peer]]


def test_chat_arrives_once_and_in_order_however_it_travels() -> None:
    meshes = Meshes(GAME, 4, links(FULL, 4))
    for number in range(5):
        meshes[0].say(f"line {number}", 7)  # a clock that stands still
    meshes.run(play=False)
    for peer in (1, 2, 3):
        assert said(meshes, peer) == [f"line {number}" for number in range(5)]
    assert said(meshes, 0) == []


def test_chat_that_was_missed_comes_with_the_next_link() -> None:
    meshes = Meshes(GAME, 3, [(0, 1)])
    meshes[0].say("is Cai there?", 1)
    meshes.run(play=False)
    meshes.link(1, 2)
    meshes.run(play=False)
    assert said(meshes, 2) == ["is Cai there?"]


def test_a_flood_of_chat_is_cut_and_stops_nothing() -> None:
    meshes = Meshes(GAME, 2, PAIR)
    for number in range(3 * CHAT_BURST):
        meshes[0].say(f"line {number}", number)
    meshes.run(play=False)
    assert len(said(meshes, 1)) == CHAT_BURST
    meshes.now += CHAT_WINDOW
    meshes[0].say("sorry", 1000)
    meshes.run()
    assert said(meshes, 1)[-1] == "sorry"
    assert all(table.over for table in meshes.tables)


def chat_frame(meshes: Meshes, peer: int, text: str, sign_as: int) -> Frame:
    line = meshes[sign_as].say(text, 1)
    return Frame.make("chat", peer=peer, number=line.number, text=line.text, sig=line.signature)


@pytest.mark.parametrize(
    ("peer", "why"), [(0, "a line of chat that Ana did not sign"), (5, "nobody at this table")]
)
def test_chat_in_anothers_name_is_refused(peer: int, why: str) -> None:
    meshes = Meshes(GAME, 3, links(FULL, 3))
    frame = chat_frame(meshes, peer, "I cheat", sign_as=1)
    with pytest.raises(BadMessage, match=why):
        meshes[2].receive(meshes.ends[2, 1].feed, frame, 0)


def test_chat_reaches_the_screen_clean() -> None:
    meshes = Meshes(GAME, 2, PAIR)
    raw = "\x1b[2Jred\u202e"
    signed = frame_bytes("chat", meshes.charter.table, 0, 1, raw)
    frame = Frame.make("chat", peer=0, number=1, text=raw, sig=key(0).sign(signed))
    heard = meshes[1].receive(meshes.ends[1, 0].feed, frame, 0)
    assert heard is not None
    assert heard.text == "red"


# Who is there.

LINE_OF_THREE = links(LINE, 3)


def beat_of(meshes: Meshes, peer: int, told: Presence, signer: int) -> list[Any]:
    """An entry of a heartbeat: what a peer says of itself, signed by this one."""
    signature = key(signer).sign(told.statement(meshes.charter.table, peer))
    return [
        *(peer, told.seq, told.step, told.done),
        *(sorted(told.links), sorted(told.would), signature),
    ]


def names_away(meshes: Meshes, teller: int, seconds: float) -> set[int]:
    """Whom a peer calls away after that time without a change."""
    mesh = meshes[teller]
    mesh.presences.look(mesh.feeds.keys(), meshes.now)
    meshes.now += seconds
    mesh.presences.look(mesh.feeds.keys(), meshes.now)
    return {p for p in range(len(meshes.meshes)) if mesh.presences.is_away(p, meshes.now)}


def test_a_guest_that_others_reach_is_there() -> None:
    meshes = Meshes(GAME, 3, links(STAR, 3))
    meshes.beat()
    assert names_away(meshes, 1, 10) == set()


def test_who_lost_all_links_is_away_for_everybody_after_a_moment() -> None:
    meshes = Meshes(GAME, 3, links(FULL, 3))
    meshes.beat()
    meshes.cut(0, 2)
    meshes.cut(1, 2)
    meshes.beat()
    assert names_away(meshes, 0, AWAY_AFTER / 2) == set()
    assert names_away(meshes, 0, AWAY_AFTER) == {2}
    assert names_away(meshes, 2, AWAY_AFTER * 2) == {0, 1}
    meshes.link(1, 2)
    meshes.beat()
    assert names_away(meshes, 0, 0) == set()


def test_a_link_that_only_one_end_reports_does_not_count() -> None:
    meshes = Meshes(GAME, 4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    meshes.beat()
    meshes[2].disconnect(meshes.ends.pop((2, 1)).feed)
    del meshes.ends[1, 2]  # Bea has not noticed, and still names Cai
    meshes.beat()
    meshes.cut(2, 3)
    meshes.beat()
    assert names_away(meshes, 0, AWAY_AFTER * 2) == {2}


def test_hearsay_does_not_correct_a_peer_that_speaks_for_itself() -> None:
    meshes = Meshes(GAME, 3, links(FULL, 3))
    meshes.beat()
    told = [beat_of(meshes, peer, Presence(2**32, 0, True), signer=peer) for peer in (2, 0)]
    meshes[0].receive(meshes.ends[0, 1].feed, Frame.make("beat", beats=told), 0)
    assert 2 in meshes[0].unfinished()
    assert names_away(meshes, 0, 10) == set()


@pytest.mark.parametrize(
    ("peer", "links", "signer", "why"),
    [
        (2, [], 1, "a heartbeat that Cai did not sign"),
        (1, [0], 2, "a heartbeat that Bea did not sign"),
        (5, [], 1, "a heartbeat of nobody at this table"),
        (1, [0, 7], 1, "a heartbeat of nobody at this table"),
    ],
)
def test_a_heartbeat_in_anothers_name_is_refused(
    peer: int, links: list[int], signer: int, why: str
) -> None:
    meshes = Meshes(GAME, 3, LINE_OF_THREE)
    meshes.beat()
    lie = beat_of(meshes, peer, Presence(2**32, 0, True, frozenset(links)), signer)
    with pytest.raises(BadMessage, match=why):
        meshes[0].receive(meshes.ends[0, 1].feed, Frame.make("beat", beats=[lie]), 0)
    assert meshes[0].unfinished() == {1, 2}
    assert names_away(meshes, 0, 10) == set()


def test_a_heartbeat_of_another_table_says_nothing_here() -> None:
    meshes = Meshes(GAME, 3, LINE_OF_THREE)
    done = Presence(2**32, 0, True)
    elsewhere = key(2).sign(done.statement(bytes(16), 2))
    lie = Frame.make("beat", beats=[[2, done.seq, done.step, done.done, [], [], elsewhere]])
    with pytest.raises(BadMessage, match="a heartbeat that Cai did not sign"):
        meshes[0].receive(meshes.ends[0, 1].feed, lie, 0)


def test_an_older_heartbeat_does_not_undo_a_newer_one() -> None:
    meshes = Meshes(GAME, 3, LINE_OF_THREE)
    meshes.beat()
    feed = meshes.ends[0, 1].feed
    for seq, done in ((1000, False), (999, True)):
        told = beat_of(meshes, 2, Presence(seq, 0, done, frozenset({1})), signer=2)
        meshes[0].receive(feed, Frame.make("beat", beats=[told]), 0)
    assert meshes[0].unfinished() == {1, 2}


def test_unfinished_are_those_that_may_still_need_something() -> None:
    meshes = Meshes(GAME, 3, links(FULL, 3))
    assert meshes[0].unfinished() == {1, 2}
    meshes.run()
    meshes.beat()
    assert meshes[0].unfinished() == set()


def test_nobody_is_unfinished_who_a_certificate_names() -> None:
    meshes = Meshes(GAME, 3, links(FULL, 3)).run(play=False)
    meshes.leave(0)
    meshes.run()
    meshes.pass_time(2)
    meshes.run()
    meshes.beat()
    assert meshes.tables[1].over
    assert meshes[1].unfinished() == set()


def test_a_ballot_of_an_earlier_step_goes_over_a_link_that_is_made_anew() -> None:
    """Who is behind may be reached through the other end alone, and later ballots rest on it."""
    meshes = Meshes(GAME, 3, links(FULL, 3))
    while min(table.step for table in meshes.tables) < 2:
        meshes.turn()
    ana, bea, _ = meshes.tables
    meshes.cut(0, 1)
    step = ana.step - 1
    head, body = ana.history.head_before(step), pack(write_stand((Ballot(frozenset({0})),)))
    assert head is not None
    ballot = Message.make(ana.charter, step, 2, STAND, head, body, key(2).sign)
    assert ana.receive(ballot.payload, ballot.signature) is not None
    meshes.release(0)
    meshes.cut(0, 2)
    meshes.cut(1, 2)
    meshes.link(0, 1)
    for _ in range(200):
        meshes.turn(play=False)
    assert ballot.payload in {message.payload for message in bea.log}


# Farewells.


def test_a_farewell_reaches_everybody_and_the_others_play_on() -> None:
    meshes = Meshes(GAME, 4, links(LINE, 4))
    while not all(table.started for table in meshes.tables):
        meshes.turn(play=False)
    meshes.leave(0)
    meshes.run()
    assert all(table.leaving() == {0} for table in meshes.tables[1:])
    meshes.pass_time(2)
    meshes.run()
    for table in meshes.tables[1:]:
        assert (table.over, [(one.name, one.why) for one in table.departures]) == (
            True,
            [("Ana", "left")],
        )
    assert len({table.transcript() for table in meshes.tables[1:]}) == 1


def test_a_farewell_comes_after_all_that_its_author_said() -> None:
    meshes = Meshes(GAME, 2, PAIR)
    meshes.leave(0)
    meshes.compare(0, 1)
    while meshes.pull(0, 1):
        pass
    sent = [frame["payload"] for frame in meshes.ends[0, 1].on_way if frame.kind == "msg"]
    assert [unpack(payload)[3] for payload in sent] == ["sign", LEAVE]


def test_a_farewell_before_the_table_stands_ends_nothing() -> None:
    meshes = Meshes(GAME, 3, [(1, 2)])
    meshes.leave(1)
    meshes.run()
    assert meshes.tables[2].live
    meshes.link(0, 2)  # the opener had signed after all
    meshes.link(0, 1)
    meshes.run()
    assert meshes.tables[2].started
    assert meshes.tables[2].leaving() == {1}


def test_a_farewell_in_anothers_name_is_refused() -> None:
    meshes = Meshes(GAME, 3, links(FULL, 3))
    head = meshes.charter.root()
    meshes.compare(1, 2)
    meshes.inject(1, 2, Message.make(meshes.charter, 1, 0, LEAVE, head, pack([]), key(1).sign))
    with pytest.raises(BadMessage, match="Ana did not sign"):
        meshes.deliver(1, 2)
    assert meshes.tables[2].live


# Two links of one pair.


@pytest.mark.parametrize("first_at_zero", [0, 1])
@pytest.mark.parametrize("first_at_one", [0, 1])
def test_of_two_links_dialled_at_once_both_ends_keep_the_same(
    first_at_zero: int, first_at_one: int
) -> None:
    meshes = Meshes(GAME, 2, [])
    kept = []
    for me, first in ((0, first_at_zero), (1, first_at_one)):
        mesh: Mesh = meshes[me]
        feed = mesh.connect(1 - me, now=0.0)
        second = 1 - first
        over = mesh.takes_over(feed, dialled=second == me, now=1.0)
        kept.append(second if over else first)
    assert kept[0] == kept[1]
    smaller = min((0, 1), key=lambda peer: meshes.charter.peers[peer].key)
    assert kept[0] == smaller


def test_a_peer_that_dials_again_later_is_believed_to_have_lost_the_link() -> None:
    meshes = Meshes(GAME, 2, [])
    for me in (0, 1):
        feed = meshes[me].connect(1 - me, now=0.0)
        assert meshes[me].takes_over(feed, dialled=False, now=Mesh.RACE + 1)


@pytest.mark.parametrize("born", [100, -1])
def test_a_later_process_is_believed_through_others_if_its_clock_says_so(born: int) -> None:
    meshes = Meshes(GAME, 3, [(0, 1), (1, 2)]).run()
    meshes.beat()
    before = meshes[0].presences.last[2]
    meshes.cut(1, 2)
    meshes.sit(2, Rand(seed_of(2, 0)), born)  # Cai's machine begins anew
    meshes.tables[3].silent = True
    meshes.link(1, 3)
    meshes[3].beat()
    meshes.run(play=False)
    meshes[1].beat()
    meshes.run(play=False)
    assert (meshes[0].presences.last[2].seq > before.seq) == (born > 0)


# What a link may have us check.


def signatures(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The statements whose signatures are checked from now on."""
    checked: list[bytes] = []

    def count(key: bytes, statement: bytes, signature: bytes) -> bool:
        checked.append(statement)
        return signed_by(key, statement, signature)

    monkeypatch.setattr("sobremesa.net.statements.signed_by", count)
    return checked


def said_by(meshes: Meshes, peer: int) -> list[Frame]:
    """A heartbeat of a peer, a line of its chat, and a change of its window."""
    mesh = meshes[peer]
    line = mesh.say("hello", 1).frame()
    (moved,) = mesh.windows.outlive(OLDER)
    return [beat_at(meshes, peer, 7), line, moved]


def beat_at(meshes: Meshes, peer: int, seq: int) -> Frame:
    return Frame.make("beat", beats=[beat_of(meshes, peer, Presence(seq), peer)])


@pytest.mark.parametrize("teller", [1, 2], ids=["its own link", "another's"])
def test_what_was_heard_before_is_not_checked_again(
    teller: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    meshes = Meshes(GAME, 3, [(0, 1)] if teller == 1 else [(0, 2)])
    meshes[0].windows.meet(1, OLDER)
    frames = [frame for frame in said_by(meshes, 1) if teller == 1 or frame.kind != "moved"]
    checked = signatures(monkeypatch)
    for _ in range(1000):
        for frame in frames:
            meshes[0].receive(meshes.ends[0, teller].feed, frame, 0)
    assert len(checked) == len(frames)


def test_an_older_heartbeat_is_not_checked_on_its_own_link(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    meshes = Meshes(GAME, 2, PAIR)
    feed = meshes.ends[0, 1].feed
    old = [beat_at(meshes, 1, seq) for seq in range(1000)]
    meshes[0].receive(feed, beat_at(meshes, 1, 1000), 0)
    checked = signatures(monkeypatch)
    for frame in old:
        meshes[0].receive(feed, frame, 0)
    assert checked == []
    # A new process of the same peer counts from the start, on a link of its own.
    meshes.cut(0, 1)
    meshes.link(0, 1)
    meshes[0].receive(meshes.ends[0, 1].feed, beat_at(meshes, 1, 0), 0)
    assert len(checked) == 1


def test_a_link_has_no_more_heartbeats_checked_than_so_many_in_a_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    meshes = Meshes(GAME, 2, PAIR)
    checked = signatures(monkeypatch)
    for seq in range(1000):
        meshes[0].receive(meshes.ends[0, 1].feed, beat_at(meshes, 1, seq), seq / 500)
    assert len(checked) == 2 * MOST_CHECKED


def test_chat_over_the_limit_is_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    meshes = Meshes(GAME, 2, PAIR)
    lines = [meshes[1].say("!", number).frame() for number in range(1000)]
    checked = signatures(monkeypatch)
    for line in lines:
        meshes[0].receive(meshes.ends[0, 1].feed, line, 0)
    assert len(checked) == CHAT_BURST
