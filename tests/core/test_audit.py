"""Saved transcripts: whatever is done to a file, the audit refuses it and says what; it never
raises, and convicts nobody whose signature does not."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.games import toy
from support.peers import cheats
from support.peers.tabletop import NAMES, Tabletop, key

from sobremesa.core.encoding import frame, pack, unpack
from sobremesa.core.errors import BadMessage, BadTranscript, LocalError
from sobremesa.core.game import Game
from sobremesa.core.replica.audit import Report, audit, reopen
from sobremesa.core.replica.charter import BadCharter, Charter
from sobremesa.core.replica.faults import PeerError
from sobremesa.core.replica.table import Table
from sobremesa.core.replica.transcript import MAGIC, Message, read_transcript, write_transcript
from sobremesa.core.requests import Event
from sobremesa.plugins.dudo import GAME as DUDO

GAMES: dict[str, Game[Any]] = {game.id: game for game in (toy.GAME, DUDO)}


def find(charter: Charter) -> Game[Any]:
    if charter.game not in GAMES:
        raise LocalError(f"no game is called {charter.game!r}")
    return GAMES[charter.game]


def verify(data: bytes) -> Report:
    return audit(data, find)


TABLETOP = Tabletop(toy.GAME, 3, seed=1).run()
MESSAGES = TABLETOP.tables[0].messages()
GOOD = TABLETOP.tables[0].transcript()
SMALL = Tabletop(toy.GAME, 1, seed=1).run().tables[0].transcript()


def file(messages: list[Message], evidence: tuple[Message, ...] = ()) -> bytes:
    return write_transcript(TABLETOP.charter, messages, evidence)


def refused(data: bytes) -> str:
    """What the audit says of a file that it must refuse, as one line."""
    report = verify(data)
    assert not report.ok
    assert report.trouble is not None
    assert "\n" not in report.trouble
    return report.trouble


def test_good_transcript_is_accepted() -> None:
    report = verify(GOOD)
    assert (report.trouble, report.culprit) == (None, None)
    assert report.outcome == TABLETOP.tables[0].outcome
    assert report.steps == TABLETOP.tables[0].step
    assert file(MESSAGES) == GOOD
    assert verify(SMALL).ok


def test_every_single_flipped_byte_of_a_small_transcript_is_found() -> None:
    for place in range(len(SMALL)):
        flipped = bytearray(SMALL)
        flipped[place] ^= 1 << place % 8
        refused(bytes(flipped))


def test_flipped_bytes_of_a_large_transcript_are_found() -> None:
    data = Tabletop(DUDO, 3, {"dice": "3"}, seed=1).run().tables[0].transcript()
    assert verify(data).ok
    rng = random.Random(1)
    for _ in range(40):
        flipped = bytearray(data)
        flipped[rng.randrange(len(data))] ^= rng.randrange(1, 256)
        refused(bytes(flipped))


def test_every_dropped_message_is_missed() -> None:
    for place, message in enumerate(MESSAGES):
        trouble = refused(file(MESSAGES[:place] + MESSAGES[place + 1 :]))
        name = NAMES[message.peer]
        assert f"{name}" in trouble
        assert f"step {message.step}" in trouble


def test_every_repeated_message_is_found() -> None:
    for place, message in enumerate(MESSAGES):
        trouble = refused(file([*MESSAGES[: place + 1], *MESSAGES[place:]]))
        ends = place == len(MESSAGES) - 1
        what = "after the end" if ends else f"repeats {NAMES[message.peer]}'s message"
        assert what in trouble
        assert f"step {message.step}" in trouble
        assert refused(file([*MESSAGES, message])).endswith("after the end of the game")


def test_swapped_messages_are_found() -> None:
    rng = random.Random(2)
    neighbours = [(i, i + 1) for i in range(len(MESSAGES) - 1)]
    far = [tuple(rng.sample(range(len(MESSAGES)), 2)) for _ in range(30)]
    for i, j in (*neighbours, *far):
        swapped = list(MESSAGES)
        swapped[i], swapped[j] = swapped[j], swapped[i]
        trouble = refused(file(swapped))
        assert f"record {min(i, j) + 1} " in trouble or f"record {min(i, j) + 2} " in trouble


def test_every_cut_of_a_transcript_is_found() -> None:
    for end in range(0, len(GOOD), 7):
        refused(GOOD[:end])
    for count in range(len(MESSAGES)):
        trouble = refused(file(MESSAGES[:count]))
        assert trouble.startswith("the game is not finished")
        assert f"step {MESSAGES[count].step}" in trouble


@pytest.mark.parametrize("tail", [b"\0", b"\n", b"rubbish", GOOD, GOOD[len(MAGIC) :], pack([])])
def test_rubbish_behind_a_transcript_is_found(tail: bytes) -> None:
    refused(GOOD + tail)


def test_message_of_another_game_of_the_same_table_is_found() -> None:
    """Ana changes one answer and signs it anew: the others' signatures are over the old one."""
    answers = {i: unpack(m.body) for i, m in enumerate(MESSAGES) if m.kind == "answer"}
    place = next(i for i, answer in answers.items() if answer.startswith("sum"))
    old = MESSAGES[place]
    new = Message.make(
        TABLETOP.charter,
        old.step,
        old.peer,
        old.kind,
        old.head,
        pack("sum 12" if unpack(old.body) != "sum 12" else "sum 2"),
        key(old.peer).sign,
    )
    after = MESSAGES[place + 1]
    trouble = refused(file([*MESSAGES[:place], new, *MESSAGES[place + 1 :]]))
    assert f"{NAMES[after.peer]}'s message for step {after.step}" in trouble
    assert "another history" in trouble


def test_both_versions_of_a_message_in_a_file_convict_who_signed_them() -> None:
    cheat = cheats.Cheat()
    for place, old in enumerate(MESSAGES):
        cheat.sit(TABLETOP.tables[old.peer], old.peer, key(old.peer).sign)
        new = cheat.sign_other(old, body=[b"another"])
        data = file([*MESSAGES[: place + 1], new, *MESSAGES[place + 1 :]])
        if place < len(MESSAGES) - 1:
            assert verify(data).culprit == NAMES[old.peer]
        data = file(MESSAGES, (new,))
        assert verify(data).culprit == NAMES[old.peer]


def test_evidence_against_an_honest_peer_proves_nothing() -> None:
    for message in MESSAGES:
        report = verify(file(MESSAGES, (message,)))
        assert report.trouble == "the transcript ends with evidence that proves nothing"
        assert report.culprit is None
    forged = Message(0, 0, "sign", b"", 0, MESSAGES[3].payload, MESSAGES[4].signature)
    report = verify(file(MESSAGES, (forged,)))
    assert not report.ok
    assert report.culprit is None


def test_leaving_out_who_lied_does_not_shift_the_guilt() -> None:
    """From a game in which Cai told two histories, a file that hides one of them shows messages
    of honest peers over a head it cannot explain. They are not convicted by it."""
    tabletop = Tabletop(toy.GAME, 3, seed=1, cheats={2: cheats.Equivocates("sign", (1,))})
    for way in ((0, 1), (1, 0)):
        tabletop.deliver(way)
    tabletop.cut((0, 1))
    for way in ((2, 0), (2, 1)):
        tabletop.deliver(way)
    ana, bea = tabletop.honest
    assert (ana.step, bea.step) == (1, 1)
    data = write_transcript(tabletop.charter, ana.messages(), [bea.log[-1]])
    report = verify(data)
    assert report.trouble is not None
    assert "Bea's message for step 1 is signed over another history" in report.trouble
    assert report.culprit is None


def not_here(charter: Charter) -> Game[Any]:
    raise LocalError(f"no game {charter.game}")


def test_transcript_of_a_game_that_is_not_installed_is_checked_as_far_as_it_can_be() -> None:
    report = audit(GOOD, not_here)
    assert (report.ok, report.unchecked, report.trouble) == (False, "no game toy", None)
    assert report.charter == TABLETOP.charter
    assert report.steps == TABLETOP.tables[0].step


def test_transcript_of_other_rules_says_so() -> None:
    report = audit(GOOD, lambda charter: DUDO)
    assert report.trouble == "the table plays toy, not dudo"


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (["message"], "record 1"),
        (["message", b"x"], "record 1"),
        (["message", b"x", b"y"], "record 1: bytes of a wrong length"),
        (["message", b"x", bytes(64), b"z"], "record 1: a message of a wrong length"),
        (["charter", b"x"], "record 1 of the transcript is not a message"),
        (["note", b"x", b"y"], "record 1"),
        ([1, b"x", b"y"], "record 1"),
        (["message", "x", "y"], "record 1"),
        ({"message": 1, b"x": 2, b"y": 3}, "record 1"),
        ("message", "record 1"),
        (None, "record 1"),
        ([], "record 1"),
    ],
)
def test_record_of_another_form_is_found(record: object, why: str) -> None:
    charter = pack(["charter", TABLETOP.charter.encode()])
    assert why in refused(MAGIC + charter + pack(record))


@pytest.mark.parametrize(
    "start",
    [b"", b"\x01", pack({"charter": b"x"}), pack("charter"), pack(["charter"]), pack(["message"])],
)
def test_file_without_a_charter_is_found(start: bytes) -> None:
    with pytest.raises(BadTranscript):
        read_transcript(MAGIC + start)


def test_a_charter_that_no_table_can_have_is_found_before_any_signature() -> None:
    values = unpack(TABLETOP.charter.encode())
    values[8][1][0] = "Аna"  # Cyrillic
    assert "the same name" in refused(MAGIC + pack(["charter", pack(values)]))


def test_another_first_line_is_found() -> None:
    assert "no Sobremesa transcript" in refused(GOOD.replace(b"transcript 1", b"transcript 2"))


# Fuzz: whatever the bytes, the errors are ours.


@given(st.binary(max_size=400))
def test_any_bytes_behind_the_magic_are_read_or_refused(data: bytes) -> None:
    for bytes_ in (data, MAGIC + data, MAGIC + pack(["charter", data])):
        refused(bytes_)


@given(st.integers(0, len(GOOD) - 1), st.integers(0, 60), st.binary(max_size=60))
def test_any_splice_is_refused(start: int, length: int, new: bytes) -> None:
    data = GOOD[:start] + new + GOOD[start + length :]
    if data != GOOD:
        refused(data)


VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-2, 70), st.binary(max_size=65), st.text(max_size=9)
    ),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=8,
)


@given(st.integers(0, 5), VALUES, st.integers(0, 2))
def test_a_signed_message_of_any_shape_is_bad_or_convicts_its_signer(
    field: int, value: object, peer: int
) -> None:
    """Whatever a peer signs at any moment, no other peer is blamed and nothing breaks."""
    table = Table(TABLETOP.charter, toy.GAME)
    table.start()
    for message in MESSAGES[:9]:
        table.receive(message.payload, message.signature)
    values = [TABLETOP.charter.table, 3, peer, "toss-open", table.replica_state.head, b"x" * 32]
    values[field] = value
    values[5] = pack(values[5])
    payload = pack(values)
    signature = key(peer).sign(frame("message", payload))
    try:
        table.receive(payload, signature)
    except BadMessage:
        assert table.fault is None
        return
    assert table.fault is None or table.fault.peer == NAMES[peer]
    assert table.ended is None


@given(st.binary(max_size=200), st.binary(max_size=70))
def test_any_bytes_at_a_table_are_a_bad_message(payload: bytes, signature: bytes) -> None:
    table = Table(TABLETOP.charter, toy.GAME)
    table.start()
    with pytest.raises(BadMessage):
        table.receive(payload, signature)
    with pytest.raises(BadMessage):
        Message.read(TABLETOP.charter, payload, signature)
    assert not table.log


@given(st.binary(max_size=200))
def test_any_bytes_are_a_bad_charter(data: bytes) -> None:
    with pytest.raises(BadCharter):
        Charter.decode(data)


# Replay.


def replayed(data: bytes) -> tuple[list[Event], set[int], Exception | None]:
    """The events of a replay, how many dice were known at them, and the error at its end."""
    events: list[Event] = []
    known: set[int] = set()

    def told(table: Table, event: Event) -> None:
        events.append(event)
        known.add(len(table.replica_state.known))

    try:
        reopen(data, find, told)
    except (BadTranscript, PeerError) as error:
        return events, known, error
    return events, known, None


def test_replay_tells_all_events_with_all_dice() -> None:
    assert replayed(GOOD) == (TABLETOP.events[0], {6}, None)


def test_replay_of_an_unfinished_game_tells_what_there_is() -> None:
    events, known, error = replayed(file(MESSAGES[:-3]))
    assert events == TABLETOP.events[0]
    assert min(known) < 6, "no seed is there that would tell"
    assert "not finished" in str(error)


def test_replay_of_a_game_with_a_cheat_ends_with_its_name() -> None:
    tabletop = Tabletop(toy.GAME, 3, seed=1, cheats={2: cheats.RevealsAnotherSecret()}).run()
    events, _, error = replayed(tabletop.tables[0].transcript())
    assert events
    assert str(error) == str(tabletop.tables[0].fault)


def test_replay_of_rubbish_is_refused() -> None:
    assert isinstance(replayed(b"rubbish")[2], BadTranscript)


def test_rubbish_as_evidence_is_named_by_its_record() -> None:
    rubbish = pack(["evidence", b"rubbish", bytes(64)])
    assert refused(GOOD + rubbish) == f"record {len(MESSAGES) + 1} is not a message"
