"""The waiting room: chairs, names, readiness, proposals and what a guest checks."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import pytest
from support.peers.tabletop import COPY, key

from sobremesa.core.encoding import pack
from sobremesa.core.errors import BadMessage, LocalError
from sobremesa.core.game import UnknownBot
from sobremesa.core.names import clean_name
from sobremesa.core.replica.charter import BadCharter, Charter, Copy, Peer, SeatPlan, Settings
from sobremesa.core.replica.transcript import Message, signed_by
from sobremesa.core.text import text_width
from sobremesa.net.chat import CHAT_BURST
from sobremesa.net.finding.listing import PLAYING, WAITING, read_listing, write_listing
from sobremesa.net.identity import Identity
from sobremesa.net.links.addresses import Address
from sobremesa.net.links.channels import Refused
from sobremesa.net.room.room import (
    TERMS_WIDTH,
    TRANSITIONS,
    Chair,
    Person,
    Room,
    RoomPhase,
    RoomView,
    check_proposal,
    open_room,
    terms_in_short,
)
from sobremesa.net.room.talk import MOST_VOICES, RoomLine, Talk
from sobremesa.net.statements import ChatLine
from sobremesa.plugins.cinco_vidas import GAME as CARDS
from sobremesa.plugins.dudo import GAME

NAMES = ("Ana", "Bea", "Cai", "Dan")
RULES = GAME.rules_version
OTHER = Copy(hashlib.sha256(b"another copy").digest(), "sobremesa", "0.2.0")


def public(peer: int) -> bytes:
    return key(peer).public_key().public_bytes_raw()


def new_room(seats: int = 4, name: str = "Ana") -> Room:
    return Room(
        bytes(range(16)),
        "Kitchen",
        GAME,
        GAME.read_options({}),
        Settings(),
        seats,
        Person(public(0), name, ("10.0.0.1:7000",), COPY),
    )


def sit(room: Room, peer: int, name: str, **changed: Any) -> Person:
    values: dict[str, Any] = {"game": GAME.id, "rules": RULES, "copy": COPY} | changed
    return room.sit(public(peer), name, (f"10.0.0.{peer + 1}:7000",), **values)


def signature(charter: Charter, peer: int, **changed: Any) -> Message:
    head = changed.get("head", charter.root())
    step = changed.get("step", 0)
    return Message.make(charter, step, peer, "sign", head, pack(bytes(64)), key(peer).sign)


def sign(room: Room, guest: Person, peer: int, **changed: Any) -> None:
    assert room.charter is not None
    message = signature(room.charter, peer, **changed)
    room.signed(guest, message.payload, message.signature)


# Chairs.


def test_a_name_that_is_taken_gets_a_number() -> None:
    room = new_room(8)
    names = [sit(room, peer, "ana").name for peer in (1, 2)]
    assert names == ["ana 2", "ana 3"]


@pytest.mark.parametrize("name", ["you", "Bоt", "Ａna", "Аna", "A\u034fna"])
def test_who_looks_like_somebody_else_gets_a_number(name: str) -> None:
    room = new_room()
    assert sit(room, 1, name).name == f"{clean_name(name)} 2"
    room.propose()


def test_no_opener_is_called_what_screens_say() -> None:
    opener = Person(public(0), "You\u200b", (), COPY)
    room = open_room("Kitch\u200ben", GAME, GAME.read_options({}), Settings(), 2, opener, 1)
    assert (opener.name, room.propose().name) == ("You 2", "Kitchen")


def test_a_long_name_keeps_room_for_its_number() -> None:
    room = new_room(name="x" * 20)
    name = sit(room, 1, "x" * 20).name
    assert name.endswith(" 2")
    assert text_width(name) <= 20


def test_a_bot_takes_no_guests_name() -> None:
    room = new_room(name="Bento")
    assert room.add_bot() == "Bento 2"
    assert sit(room, 1, "Bento 2").name == "Bento 2 2"


@pytest.mark.parametrize("name", ["\x1b[31mred", "a\nb", "", ":/'", "e" + "\u0301" * 50, "👪" * 40])
def test_any_name_can_be_shown_at_the_table(name: str) -> None:
    room = new_room(2)
    guest = sit(room, 1, name)
    charter = room.propose()
    check_proposal(charter, room.view(guest), GAME, public(0), public(1), COPY.fingerprint)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"rules": None}, "plays Liar's Dice \\(Dudo\\), which is not installed there"),
        ({"game": "chess"}, "plays Liar's Dice \\(Dudo\\), which is not installed there"),
        ({"rules": RULES + 1}, f"Versions differ: your .* has rules {RULES + 1}, the table's"),
    ],
)
def test_a_guest_with_another_game_is_told_why_it_cannot_sit(
    changed: dict[str, Any], why: str
) -> None:
    room = new_room()
    with pytest.raises(Refused, match=why):
        sit(room, 1, "Bea", **changed)
    assert room.taken == 1


def test_a_full_table_takes_nobody_and_a_chair_given_up_is_free_again() -> None:
    room = new_room(3)
    room.add_bot()
    bea = sit(room, 1, "Bea")
    for more in (lambda: sit(room, 2, "Cai"), room.add_bot):
        with pytest.raises((Refused, LocalError), match=r"Table full \(3/3\)|no free chair"):
            more()
    assert room.seats_taken == "3/3"
    room.remove(bea)
    assert sit(room, 2, "Cai").name == "Cai"


def test_a_key_sits_once() -> None:
    room = new_room()
    sit(room, 1, "Bea")
    with pytest.raises(Refused, match="that key sits at the table already"):
        sit(room, 1, "Bea again")


def test_nobody_sits_down_once_the_start_was_proposed() -> None:
    room = new_room()
    sit(room, 1, "Bea")
    room.propose()
    with pytest.raises(Refused, match="the game at Kitchen has begun"):
        sit(room, 2, "Cai")
    with pytest.raises(LocalError):
        room.add_bot()


# Ready, start, call off.


def test_all_are_ready_only_when_every_chair_is_taken() -> None:
    room = new_room(3)
    bea = sit(room, 1, "Bea")
    room.opener.ready = bea.ready = True
    assert not room.all_ready
    room.add_bot()
    assert room.all_ready
    bea.ready = False
    assert not room.all_ready


def test_the_opener_may_start_with_those_who_are_there_but_not_alone() -> None:
    room = new_room(4)
    assert room.why_not_start() == "Liar's Dice (Dudo) needs at least 2 players; 1 here"
    sit(room, 1, "Bea")
    assert room.why_not_start() is None
    charter = room.propose()
    assert charter.seat_names == ("Ana", "Bea")
    assert room.why_not_start() == "the game is starting already"


def test_everybody_has_signed_only_with_everybodys_signature_of_this_charter() -> None:
    room = new_room(3)
    bea, cai = sit(room, 1, "Bea"), sit(room, 2, "Cai")
    room.propose()
    sign(room, bea, 1)
    assert not room.everybody_signed
    sign(room, cai, 2, head=bytes(64))
    sign(room, cai, 2, step=1)
    sign(room, cai, 1)  # another's, passed off as its own
    assert room.charter is not None
    good = signature(room.charter, 2)
    room.signed(cai, good.payload, bytes(64))
    room.signed(cai, b"rubbish", good.signature)
    assert not room.everybody_signed
    sign(room, cai, 2)
    assert room.everybody_signed


def test_a_guest_that_goes_while_all_sign_calls_the_start_off() -> None:
    room = new_room(3)
    bea, cai = sit(room, 1, "Bea"), sit(room, 2, "Cai")
    for person in (room.opener, bea, cai):
        person.ready = True
    room.propose()
    sign(room, cai, 2)
    room.remove(bea)
    assert room.phase is RoomPhase.CALLED_OFF
    assert room.charter is None
    room.reopen()
    assert not any(person.ready for person in room.people())
    assert room.refusal() is None
    assert not room.everybody_signed


def test_a_signature_of_a_start_that_was_called_off_counts_for_no_other() -> None:
    room = new_room(2)
    bea = sit(room, 1, "Bea")
    first = room.propose()
    old = signature(first, 1)
    room.call_off()
    room.signed(bea, old.payload, old.signature)  # nobody waits for it
    room.reopen()
    second = room.propose()
    assert second.table != first.table
    room.signed(bea, old.payload, old.signature)
    assert not room.everybody_signed
    sign(room, bea, 1)
    assert room.everybody_signed


@pytest.mark.parametrize("after", RoomPhase)
@pytest.mark.parametrize("before", RoomPhase)
def test_a_room_changes_only_as_the_table_says(before: RoomPhase, after: RoomPhase) -> None:
    ways = {
        RoomPhase.GATHERING: Room.reopen,
        RoomPhase.SIGNING: Room.propose,
        RoomPhase.STARTED: Room.start,
        RoomPhase.CALLED_OFF: Room.call_off,
    }
    room = new_room(2)
    room.propose()
    room.phase = before
    if after in TRANSITIONS[before]:
        ways[after](room)
        assert room.phase is after
    else:
        with pytest.raises(ValueError, match=f"is {before.value} cannot be {after.value}"):
            ways[after](room)
        assert room.phase is before


def test_bots_sit_down_in_turn_as_the_opener_wants_them() -> None:
    game = replace(GAME, bots=(*GAME.bots, replace(GAME.bots[0], id="second")))
    opener = Person(public(0), "Ana", (), COPY)
    wanted = ("second", GAME.bots[0].id)
    room = open_room("Kitchen", game, {}, Settings(), 5, opener, 2, wanted)
    room.add_bot()
    plans = [plan.bot for plan in room.propose().seats]
    assert plans == ["", "second", GAME.bots[0].id, "second"]
    with pytest.raises(UnknownBot):
        open_room("Kitchen", game, {}, Settings(), 5, opener, 1, ("third",))


def test_who_costs_two_starts_does_not_sit_down_a_third_time() -> None:
    room = new_room(3)
    sit(room, 1, "Bea")
    for _ in range(2):
        cai = sit(room, 2, "Cai")
        room.propose()
        sign(room, room.guests[0], 1)
        assert room.unsigned() == [cai]
        room.remove(*room.unsigned())
        room.reopen()
    with pytest.raises(Refused, match="Two starts were called off because of you"):
        sit(room, 2, "Cai")
    sit(room, 3, "Cai")  # it is the key, not the name


def test_several_that_do_not_sign_are_gone_at_once() -> None:
    room = new_room(4)
    for peer in (1, 2, 3):
        sit(room, peer, NAMES[peer])
    room.propose()
    sign(room, room.guests[1], 2)
    room.remove(*room.unsigned())
    assert [person.name for person in room.people()] == ["Ana", "Cai"]
    assert room.spoilt == {public(1): 1, public(3): 1}


def test_who_goes_while_nobody_signs_costs_nothing() -> None:
    room = new_room(3)
    for _ in range(5):
        room.remove(sit(room, 1, "Bea"))
    assert not room.spoilt


def test_a_bot_gives_its_seat_up_but_not_while_all_sign() -> None:
    room = new_room(3)
    sit(room, 1, "Bea")
    room.add_bot()
    room.remove_bot("Bento")
    assert room.add_bot() == "Bento"
    room.propose()
    with pytest.raises(LocalError, match="the game is starting already"):
        room.remove_bot("Bento")


def test_the_terms_say_what_a_backup_of_card_keys_can_be_misused_for() -> None:
    said = "With it all other machines together could read a player's cards"
    for game, backup, holds in ((CARDS, True, True), (CARDS, False, False), (GAME, True, False)):
        terms = terms_in_short(game, game.read_options({}), Settings(backup=backup))
        assert (said in terms) is holds
        assert text_width(terms) <= TERMS_WIDTH


# The opener changes the table.


def test_a_changed_table_takes_ready_back_from_everybody_and_waits_for_each_to_agree() -> None:
    room = new_room(4)
    bea, cai = sit(room, 1, "Bea"), sit(room, 2, "Cai")
    old = room.terms
    room.opener.ready = True
    for guest in (bea, cai):
        room.hear_ready(guest, True, old)
    room.change({"dice": "3", "seats": "3", "patience": "30"})
    assert (room.options["dice"], room.size, room.settings.patience) == (3, 3, 30)
    assert not any(person.ready for person in room.people())
    room.hear_ready(bea, True, old)  # said before it saw the change
    assert not bea.ready
    room.hear_ready(bea, True, room.terms)
    why = room.why_not_start()
    assert why == "the table was changed, and waits for who must say ready: Cai"
    room.hear_ready(cai, True, room.terms)
    room.hear_ready(cai, False, room.terms)  # has agreed, and only has to fetch some water
    assert room.why_not_start() is None
    assert room.propose().settings.patience == 30


def test_what_is_as_it_was_takes_nothing_back() -> None:
    room = new_room(4)
    room.opener.ready = True
    room.change({"dice": "5", "seats": "4"})
    assert room.opener.ready


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"seats": "1"}, r"seats must be 3 to 8, 3 are taken \(you typed 1\)"),
        ({"seats": "9"}, "seats must be 3 to 8"),
        ({"seats": "x"}, "seats must be 3 to 8"),
        ({"dice": "4"}, "option dice must be one of 5, 3"),
        ({"patience": "soon"}, "option patience must be"),
        ({"colour": "red"}, "nothing here is called colour. There are: seats, dice, palifico, bac"),
        ({"dice": "3", "colour": "red"}, "nothing here is called colour"),
    ],
)
def test_what_cannot_be_changed_says_why_and_changes_nothing(
    given: dict[str, str], why: str
) -> None:
    room = new_room(4)
    sit(room, 1, "Bea")
    room.add_bot()
    before = room.terms
    with pytest.raises(LocalError, match=why):
        room.change(given)
    assert room.terms == before


def test_nothing_is_changed_while_all_sign() -> None:
    room = new_room(4)
    sit(room, 1, "Bea")
    room.propose()
    with pytest.raises(LocalError, match="the game is starting already"):
        room.change({"dice": "3"})


# The fingerprint.


def test_all_who_see_the_same_keys_see_one_fingerprint() -> None:
    room = new_room(4)
    bea, cai = sit(room, 1, "Bea"), sit(room, 2, "Cai")
    prints = {room.view(reader).fingerprint for reader in (room.opener, bea, cai)}
    assert len(prints) == 1
    room.add_bot()
    bea.ready = True
    assert room.view(cai).fingerprint in prints
    assert RoomView.decode(room.view(cai).encode()).fingerprint in prints
    assert len(prints.pop()) * 8 == 128


def test_another_key_or_another_table_is_another_fingerprint() -> None:
    room = new_room(4)
    seen = {room.view(room.opener).fingerprint}
    for peer in (1, 2):
        sit(room, peer, "Bea")
        seen.add(room.view(room.opener).fingerprint)
    room.table = bytes(16)
    seen.add(room.view(room.opener).fingerprint)
    assert len(seen) == 4


# Chat.


def heard(line: RoomLine, at: Talk, name: str = "Bea") -> str | None:
    return at.hear(line, name, 0.0)


def talk(peer: int, table: bytes = bytes(16)) -> Talk:
    return Talk(table, Identity(key(peer).private_bytes_raw()))


def test_a_line_is_heard_once_and_in_the_order_of_its_author() -> None:
    bea, here = talk(1), talk(0)
    first, second, third = (bea.say("Bea", text, 7) for text in ("one", "two", "three"))
    assert [line.number for line in (first, second, third)] == [7, 8, 9]
    assert heard(first, here) == "one"
    assert heard(first, here) is None
    assert heard(third, here) == "three"
    assert heard(second, here) is None
    assert heard(first, talk(2)) == "one"


@pytest.mark.parametrize(
    "forge",
    [
        lambda line: replace(line, text="I cheat"),
        lambda line: replace(line, number=line.number + 1),
        lambda line: replace(line, key=public(2)),
        lambda line: replace(line, sig=bytes(64)),
    ],
)
def test_words_that_nobody_signed_are_put_into_no_mouth(forge: Any) -> None:
    line = talk(1).say("Bea", "hello", 1)
    with pytest.raises(BadMessage, match="a line of chat that Bea did not sign"):
        heard(forge(line), talk(0))


def test_a_line_is_good_under_one_name_in_one_room_and_never_in_the_game() -> None:
    line = talk(1).say("Bea", "hello", 1)
    for here, name in ((talk(0), "Cai"), (talk(0, b"another table..."), "Bea")):
        with pytest.raises(BadMessage):
            heard(line, here, name)
    in_game = ChatLine(1, line.number, line.text, line.sig)
    assert not signed_by(public(1), in_game.statement(bytes(16)), line.sig)


def test_a_flood_of_lines_is_cut_and_so_is_one_of_voices() -> None:
    bea, here = talk(1), talk(0)
    said = [heard(bea.say("Bea", "!", 0), here) for _ in range(CHAT_BURST + 1)]
    assert said == ["!"] * CHAT_BURST + [None]
    for peer in range(2, MOST_VOICES + 2):
        voice = Talk(bytes(16), Identity(peer.to_bytes(32, "big")))
        told = heard(voice.say("Bea", "!", 0), here)
    assert told is None


# What a guest checks.


def room_and_charter() -> tuple[RoomView, Charter]:
    room = new_room(4)
    sit(room, 1, "Bea")
    cai = sit(room, 2, "Cai")
    room.add_bot()
    return room.view(cai), room.propose()


def swapped(seats: tuple[SeatPlan, ...]) -> tuple[SeatPlan, ...]:
    return (seats[0], replace(seats[1], peer=2), replace(seats[2], peer=1), *seats[3:])


def with_copy(charter: Charter, peer: int) -> Charter:
    """The charter with another copy of the game for one peer."""
    peers = list(charter.peers)
    peers[peer] = replace(peers[peer], rules=OTHER.fingerprint)
    return replace(charter, peers=tuple(peers))


def test_a_guest_signs_what_it_saw_in_the_room() -> None:
    room, charter = room_and_charter()
    check_proposal(charter, room, GAME, public(0), public(2), COPY.fingerprint)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda c: replace(c, options=(("dice", 3), ("palifico", "on"))), "other options"),
        (lambda c: replace(c, settings=replace(c.settings, backup=False)), "other options"),
        (lambda c: replace(c, settings=replace(c.settings, seconds=7)), "other options"),
        (lambda c: replace(c, seats=swapped(c.seats)), "other seats"),
        (lambda c: replace(c, peers=(c.peers[0], c.peers[2], c.peers[1])), "other seats"),
        (
            lambda c: replace(c, seats=(*c.seats[:3], replace(c.seats[3], peer=2))),
            "other seats",
        ),
        (
            lambda c: replace(c, seats=(*c.seats[:3], replace(c.seats[3], peer=1))),
            "other seats",
        ),
        (
            lambda c: replace(
                c, peers=(c.peers[0], replace(c.peers[1], key=public(5)), c.peers[2])
            ),
            "other players",
        ),
        (
            lambda c: replace(c, seats=(*c.seats, SeatPlan("Eva", 0, "odds"))),
            "other players",
        ),
        (lambda c: replace(c, seats=c.seats[:3]), "other players"),
        (
            lambda c: replace(c, seats=(*c.seats[:3], replace(c.seats[3], name="Eva"))),
            "other players",
        ),
        (
            lambda c: replace(c, peers=(Peer(public(5), COPY.fingerprint), *c.peers[1:])),
            "another opener",
        ),
        (
            lambda c: replace(c, peers=(*c.peers[:2], Peer(public(5), COPY.fingerprint))),
            "leaves us out",
        ),
        (lambda c: with_copy(c, 0), "other copies"),
        (lambda c: with_copy(c, 1), "other copies"),
        (lambda c: with_copy(c, 2), "other copies"),
    ],
)
def test_a_guest_refuses_a_charter_that_is_not_the_room(change: Any, why: str) -> None:
    room, charter = room_and_charter()
    with pytest.raises(Refused, match=why):
        check_proposal(change(charter), room, GAME, public(0), public(2), COPY.fingerprint)


@pytest.mark.parametrize(
    "change",
    [
        lambda c: replace(c, game="chess"),
        lambda c: replace(c, rules_version=RULES + 1),
        lambda c: replace(c, options=(("dice", 4), ("palifico", "on"))),
        lambda c: replace(c, options=()),
    ],
)
def test_a_guest_refuses_a_charter_of_another_game(change: Any) -> None:
    room, charter = room_and_charter()
    with pytest.raises(BadCharter):
        check_proposal(change(charter), room, GAME, public(0), public(2), COPY.fingerprint)


def test_copies_that_differ_are_shown_to_everybody_and_stand_in_the_charter() -> None:
    room = new_room(3)
    bea, cai = sit(room, 1, "Bea", copy=OTHER), sit(room, 2, "Cai")
    views = [room.view(person) for person in (room.opener, bea, cai)]
    assert {view.copies for view in views} == {(COPY, OTHER, COPY)}
    charter = room.propose()
    assert [peer.rules for peer in charter.peers] == [
        copy.fingerprint for copy in (COPY, OTHER, COPY)
    ]
    for key_of, view, copy in zip((1, 2), views[1:], (OTHER, COPY), strict=True):
        check_proposal(charter, view, GAME, public(0), public(key_of), copy.fingerprint)


def test_a_guest_does_not_sign_for_a_copy_that_the_room_gave_it() -> None:
    room, charter = room_and_charter()
    with pytest.raises(Refused, match="other copies"):
        check_proposal(charter, room, GAME, public(0), public(2), OTHER.fingerprint)


# What travels.


def test_a_room_is_read_as_it_was_written() -> None:
    room, _ = room_and_charter()
    assert RoomView.decode(room.encode()) == room
    assert [chair.name for chair in room.seats] == ["Ana", "Bea", "Cai", "Bento"]
    assert room.seats[room.you] == Chair("Cai", key=public(2))


ANA = ["Ana", True, False, bytes(32)]
FREE = ["", False, False, b""]


MINE = [bytes(32), "sobremesa", "0.1.0"]


def packed_room(
    seats: Any,
    you: Any = 0,
    options: Any = "dice 5",
    number: Any = bytes(16),
    copies: Any = None,
) -> bytes:
    if isinstance(seats, list):
        seats = [[*seat, False] for seat in seats]
    people = [MINE for name, *rest in seats if name and not (len(rest) > 1 and rest[1])]
    return pack(
        [number, "table", "dudo", "Dudo", options, seats, you, people if copies is None else copies]
    )


def test_what_the_next_test_spoils_is_a_room() -> None:
    assert RoomView.decode(packed_room([ANA, FREE])).seats[0].name == "Ana"


@pytest.mark.parametrize(
    "value",
    [
        b"rubbish",
        packed_room([ANA], 1),
        packed_room([ANA], -1),
        packed_room([]),
        packed_room([ANA, *[FREE] * 8]),
        packed_room([[b"Ana", True, False, bytes(32)]]),
        packed_room([ANA], options=5),
        packed_room([["Ana"]]),
        packed_room([ANA], number=bytes(15)),
        packed_room([ANA], number="x" * 16),
        packed_room([["Ana", True, False, b""]]),
        packed_room([["Ana", True, False, bytes(33)]]),
        packed_room([["Ana", True, False, "x" * 32]]),
        packed_room([ANA, ["Bea", True, False, bytes(32)]]),
        packed_room([ANA, ["Bento", True, True, bytes(31) + b"b"]]),
        packed_room([ANA, ["", False, False, bytes(31) + b"b"]]),
        packed_room([ANA, ["Аna", True, False, bytes(31) + b"b"]]),
        packed_room([["you", True, False, bytes(32)]]),
        packed_room([ANA], copies=[]),
        packed_room([ANA], copies=[[bytes(31), *MINE[1:]]]),
        packed_room([ANA], copies=[[*MINE[:2], 1]]),
        packed_room([ANA], copies=[MINE[:2]]),
    ],
)
def test_a_room_that_makes_no_sense_is_refused(value: bytes) -> None:
    with pytest.raises(BadMessage, match="a waiting room that makes no sense"):
        RoomView.decode(value)


def test_a_room_reaches_the_screen_clean() -> None:
    seats = [["\u202eAna", 1, False, public(0), 1]]
    copy = [bytes(32), "so\nbremesa", "\x1b[2J0.2" + "." * 99]
    raw = pack([bytes(16), "\x1b[2Jtable", "dudo", "Du\ndo", "", seats, 0, [copy]])
    room = RoomView.decode(raw)
    assert (room.table, room.title) == ("table", "Du do")
    assert room.seats == (Chair("Ana", key=public(0)),)
    assert room.copies == (Copy(bytes(32), "so bremesa", f"0.2{'.' * 16}…"),)


def test_a_listing_says_what_the_room_is() -> None:
    room = new_room(4)
    sit(room, 1, "Bea")
    at = Address("10.0.0.1", 7000)
    told = read_listing([at], write_listing(room, open=False), 0.01, at)
    assert (told.label, told.game, told.opener) == ("Kitchen", "dudo", "Ana")
    assert (told.seats_taken, told.seats, told.open, told.state) == (2, 4, False, WAITING)
    assert (told.key, told.table) == (public(0), room.table)
    room.propose()
    assert read_listing([at], write_listing(room, open=True), 0.01, at).state == PLAYING


# Twice the time.


def test_who_asks_for_twice_the_time_gets_it_signed_by_all() -> None:
    room = new_room(2)
    room.settings = Settings(seconds=90)
    guest = sit(room, 1, "Bea")
    room.opener.ready = True
    before = room.terms
    room.ask_slow(guest, True)
    assert room.terms != before
    assert not room.opener.ready
    view = RoomView.decode(room.view(guest).encode())
    assert [chair.slow for chair in view.seats] == [False, True]
    assert "answers in 180 s, twice the time for all" in view.options
    assert room.why_not_start() is not None  # Bea has not been ready for these terms
    room.hear_ready(guest, True, room.terms)
    charter = room.propose()
    check_proposal(charter, view, GAME, public(0), public(1), COPY.fingerprint)
    assert charter.settings.slow
    assert Charter.decode(charter.encode()) == charter


def test_twice_the_time_goes_with_who_asked_for_it() -> None:
    room = new_room(3)
    bea, cai = sit(room, 1, "Bea"), sit(room, 2, "Cai")
    room.ask_slow(bea, True)
    room.hear_ready(cai, True, room.terms)
    room.remove(bea)
    assert not cai.ready
    assert not room.agreed_settings.slow


def test_once_the_game_is_starting_nobody_asks_for_more_time() -> None:
    room = new_room(2)
    guest = sit(room, 1, "Bea")
    charter = room.propose()
    room.ask_slow(guest, True)
    assert not guest.slow
    assert not charter.settings.slow
