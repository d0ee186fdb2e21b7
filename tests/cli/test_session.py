"""Sessions: alone, and at real nodes on loopback, as a client lives them."""

from __future__ import annotations

import asyncio
import errno
import re
import sys
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from support.clients.tables import (
    TOYS,
    Life,
    address_of,
    again,
    begun,
    default,
    joined,
    node_of,
    only,
    opened,
    room_of,
    table_of,
)
from support.games import toy
from support.games.toy_copies import COPIES, FOR_BEA
from support.peers.cheats import (
    AnswersIllegally,
    AnswersOutOfTurn,
    Cheat,
    Equivocates,
    ReplaysFromAnotherTable,
    RevealsAnotherNonce,
    RevealsAnotherSecret,
    SaysBoth,
)
from support.peers.players import cheating, until
from support.peers.tabletop import Tabletop

from sobremesa.cli.exits import LOST
from sobremesa.cli.session import clock, network
from sobremesa.cli.session.alone import play
from sobremesa.cli.session.defaults import Preferences
from sobremesa.cli.session.moments import (
    Absent,
    Asked,
    Chat,
    Notice,
    Over,
    RoomChanged,
    Seen,
    Settled,
    Started,
    Status,
    Told,
    Working,
)
from sobremesa.cli.session.network import host, join
from sobremesa.cli.session.pacing import now
from sobremesa.cli.session.record import Record
from sobremesa.cli.session.session import Again
from sobremesa.cli.session.table_session import TableSession
from sobremesa.core.encoding import Pick
from sobremesa.core.errors import IllegalAnswer, LocalError, TableEnded
from sobremesa.core.game import Bot, Game, Observation
from sobremesa.core.questions import Answer, Question
from sobremesa.core.replica.audit import audit
from sobremesa.core.replica.charter import Charter, Settings
from sobremesa.core.requests import Event, Roll
from sobremesa.core.views import Hand, Text
from sobremesa.net.events import Absence
from sobremesa.net.finding.discovery import Advert
from sobremesa.net.finding.listing import write_listing
from sobremesa.net.identity import Identity
from sobremesa.net.kept import KeptGames, write_new
from sobremesa.net.links.dial import DialFailed
from sobremesa.net.match import Match
from sobremesa.net.node import Node
from sobremesa.net.peer_links import PeerLinks
from sobremesa.net.store import CannotStore, Store, TableStore
from sobremesa.plugins.cinco_vidas import GAME as CINCO_VIDAS
from sobremesa.plugins.cinco_vidas.questions import Decide
from sobremesa.plugins.copies import Source
from sobremesa.plugins.dudo import GAME as DUDO
from sobremesa.plugins.dudo.questions import Turn
from sobremesa.plugins.loader import Games, UnknownGame, load_games


@pytest.fixture(autouse=True)
def on_this_machine_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SOBREMESA_LOOPBACK", "1")
    monkeypatch.setenv("SOBREMESA_NO_MDNS", "1")
    monkeypatch.setenv("SOBREMESA_HOME", str(tmp_path / "home"))


def alone(
    *, game: Game[Any] = DUDO, bots: int = 1, seconds: int = 0, **preferences: Any
) -> TableSession:
    kept = Preferences("Ana", **{"pace": 0.0, **preferences})
    games = TOYS if game.id == "toy" else load_games()
    settings = Settings(seconds=seconds)
    return play(games, game, kept, bots, game.read_options({}), settings)


# Alone.


async def test_a_game_alone_ends_verified_and_its_transcript_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "game"
    life = Life(alone(bots=2, save=file), default)
    over = await life.end
    assert (over.status, over.verified) == (0, True)
    assert audit(file.read_bytes(), lambda charter: load_games().find(charter.game)).ok
    assert len(life.of(Started)) == 1
    assert {moment.by for moment in life.of(Settled)} == {"player"}


async def test_a_wrong_answer_is_refused_and_asked_for_still() -> None:
    def stubborn(session: TableSession) -> None:
        question = session.question
        assert question is not None
        with pytest.raises(LocalError):
            session.answer(Answer("bid", (99, 4)))
        assert session.question is question
        default(session)
        with pytest.raises(IllegalAnswer, match="it is not your turn"):
            session.answer(Answer("doubt"))

    assert (await Life(alone(), stubborn).end).status == 0


async def test_a_transcript_that_cannot_be_kept_is_said_and_the_game_counts(tmp_path: Path) -> None:
    life = Life(alone(save=tmp_path / "no" / "such" / "folder"), default)
    over = await life.end
    assert (over.status, over.verified) == (1, True)
    (notice,) = life.of(Notice)
    assert notice.text.startswith("Not saved to ")
    assert notice.text.endswith(": No such file or directory.")


async def test_a_record_never_takes_the_place_of_another(tmp_path: Path) -> None:
    session = alone(save=tmp_path / "game")
    records = []
    for _ in range(3):
        life = Life(session, default)
        await life.end
        records.append(table_of(session).transcript())
        session = await again(session)
    files = [tmp_path / name for name in ("game", "game-2", "game-3")]
    assert [file.read_bytes() for file in files] == records
    assert [n.text for n in life.of(Notice)] == ["Saved to game-3: game was there already."]
    await session.leave()


def test_a_record_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(TypeError):
        write_new(tmp_path / "game", "no bytes")  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


async def test_who_leaves_keeps_the_record_so_far_and_who_stays_a_whole_one(tmp_path: Path) -> None:
    ana = await opened(seats=2, auto=False, games=only(DUDO), save=tmp_path / "ana")
    bea = await joined(ana, "Bea", auto=False, save=tmp_path / "bea")
    lives = await begun(ana, bea)
    await ana.leave()
    await asyncio.gather(*(life.end for life in lives))
    report = audit((tmp_path / "ana").read_bytes(), lambda _: DUDO)
    assert report.trouble is not None
    assert "the game is not finished" in report.trouble
    report = audit((tmp_path / "bea").read_bytes(), lambda _: DUDO)
    assert (report.ok, [one.name for one in report.departures]) == (True, ["Ana"])
    (over,) = lives[1].of(Over)
    assert (over.places, over.verified) == ((("Bea",), ("Ana",)), True)
    kept = [one.summary for one in KeptGames().games(lambda _: DUDO)]
    # In one home: the record that was broken off tells nothing beside the whole one.
    assert {summary.end for summary in kept if summary} == {"over"}


def broken(*_: Any) -> Any:
    raise KeyError("confused")


def where(broken: Callable[..., Any] = broken) -> str:
    return f"tests/cli/test_session.py, line {broken.__code__.co_firstlineno + 1}"


def warned(life: Life) -> list[str]:
    return [notice.text for notice in life.of(Notice) if notice.role == "bad"]


async def test_where_a_bot_breaks_its_seat_plays_the_default_and_that_is_said_once() -> None:
    bot = replace(DUDO.bots[0], strategy=broken)
    life = Life(alone(game=replace(DUDO, bots=(bot,)), bots=2, auto=True))
    over = await life.end
    assert (over.status, over.verified) == (0, True)
    assert sorted(warned(life)) == [
        f"the bot {bot.id} of Liar's Dice (Dudo) broke ({where()}: KeyError: 'confused'); "
        f"{seat} plays what it would if its time ran out"
        for seat in ("Ana", "Bento", "Dora")
    ]


async def test_a_bot_that_wants_what_the_rules_refuse_plays_the_default_instead() -> None:
    bot = replace(DUDO.bots[0], strategy=lambda *_: Answer("bid", (1, 99)))
    life = Life(alone(game=replace(DUDO, bots=(bot,)), bots=1), default)
    assert (await life.end).verified is True
    (said,) = warned(life)
    assert said.startswith(f"the bot {bot.id} wants what the rules refuse: ")
    assert said.endswith("; Bento plays what it would if its time ran out")


async def test_a_game_whose_view_breaks_goes_on_and_shows_what_the_seat_holds() -> None:
    life = Life(alone(game=replace(DUDO, view=broken)), default)
    assert (await life.end).verified is True
    (said,) = warned(life)
    assert said == (
        f"the view of Liar's Dice (Dudo) broke ({where()}: KeyError: 'confused'); the game goes "
        "on, and the log tells it"
    )
    note, hand = life.of(Asked)[0].view.blocks
    assert isinstance(note, Text)
    assert isinstance(hand, Hand)
    assert (hand.label, len(hand.content.values)) == ("Your dice", 5)


async def test_what_no_words_of_the_game_tell_is_told_all_the_same() -> None:
    life = Life(alone(game=replace(DUDO, describe=broken)), default)
    assert (await life.end).verified is True
    assert [text.partition(" (")[0] for text in warned(life)] == ["the words of Liar's Dice"]
    bids = [moment.sentence for moment in life.of(Told) if moment.event["kind"] == "bid"]
    assert bids
    assert all(re.match("bid: seat (Ana|Bento), ", bid) for bid in bids)


async def test_a_script_that_breaks_on_one_machine_is_told_to_its_owner_and_the_others() -> None:
    def breaking(seats: tuple[str, ...], options: Any) -> Any:
        script = toy.play(seats, options)
        request = next(script)
        while not isinstance(request, Roll):
            request = script.send((yield request))
        raise RuntimeError("a secret")

    ana = await opened(seats=2)
    bea = await join(
        only(replace(toy.GAME, play=breaking)),
        Preferences("Bea", 0.0, auto=True),
        address_of(ana),
        "123456",
    )
    anas, beas = Life(ana), Life(bea)
    line = breaking.__code__.co_firstlineno + 5
    place = f"tests/cli/test_session.py, line {line}"
    assert (await beas.end) == Over(
        f"The table cannot go on: the rules of Toy broke ({place}: RuntimeError: a secret)", LOST
    )
    over = await anas.end
    assert (over.status, over.verified) == (0, True)
    assert [one.name for one in table_of(ana).departures] == ["Bea"]
    assert anas.of(Chat) == [
        Chat("Bea", f"Bea's machine had to leave: the rules of Toy broke ({place})")
    ]


def of_two_bots() -> tuple[Game[Any], dict[str, set[str]]]:
    """Dudo with a bot that doubts whatever it can, and one that never does; and which of them
    were asked at each seat."""
    asked: dict[str, set[str]] = {}

    def doubt(observation: Observation[Any], question: Question, pick: Pick) -> Answer:
        asked.setdefault(observation.seat, set()).add("doubter")
        return question.default  # after a bid it is the doubt

    def raise_it(observation: Observation[Any], question: Question, pick: Pick) -> Answer:
        asked.setdefault(observation.seat, set()).add("believer")
        bids = [answer for n in range(200) if (answer := question.sample(pick, {})).move == "bid"]
        return bids[0] if bids else question.default

    bots = (Bot("doubter", "Doubts", doubt), Bot("believer", "Never doubts", raise_it))
    return replace(DUDO, bots=bots), asked


@pytest.mark.parametrize(
    ("wanted", "auto", "plays"),
    [
        ((), True, ["doubter", "doubter", "doubter"]),
        (("believer",), False, [None, "believer", "believer"]),
        (("believer", "doubter"), False, [None, "believer", "doubter"]),
        (("believer", "doubter"), True, ["believer", "doubter", "believer"]),
    ],
)
async def test_every_seat_of_a_bot_is_played_by_the_one_that_is_asked_for(
    wanted: tuple[str, ...], auto: bool, plays: list[str | None]
) -> None:
    game, asked = of_two_bots()

    session = alone(game=game, bots=2, auto=auto, bot_ids=wanted)
    life = Life(session, default)
    assert (await life.end).status == 0
    (seats,) = (moment.seats for moment in life.of(Started))
    assert asked == {seat: {bot} for seat, bot in zip(seats, plays, strict=True) if bot is not None}
    doubts = {moment.event["seat"] for moment in life.of(Told) if moment.event["kind"] == "doubt"}
    assert doubts == {seat for seat, bot in zip(seats, plays, strict=True) if bot != "believer"}


async def test_a_guest_plays_on_where_the_opener_has_bots_that_it_does_not_know() -> None:
    game, asked = of_two_bots()

    ana = await opened(seats=4, games=only(game), bot_ids=("believer", "doubter"))
    ana.add_bot()
    assert ana.node is not None
    bea = await join(
        only(DUDO), Preferences("Bea", 0.0, auto=True), f"127.0.0.1:{ana.node.port}", "123456"
    )
    ana.add_bot()
    lives = [Life(ana), Life(bea)]
    overs = await asyncio.gather(*(life.end for life in lives))
    assert [(over.status, over.verified) for over in overs] == [(0, True), (0, True)]
    assert lives[1].of(Started)[0].seats == ("Ana", "Bea", "Bento", "Dora")
    assert asked == {"Ana": {"believer"}, "Bento": {"doubter"}, "Dora": {"believer"}}


async def test_leaving_alone_ends_with_status_three() -> None:
    session = alone()
    life = Life(session)
    await until(lambda: life.of(Asked))
    await session.leave()
    assert await life.end == Over("You left the table.", 3)


async def test_a_seat_whose_time_runs_out_plays_the_default() -> None:
    ana = await opened(seats=2, seconds=1, auto=False, games=only(DUDO))
    bea = await joined(ana, "Bea", auto=False)
    lives = [Life(ana), Life(bea, default)]
    for session in (ana, bea):
        session.ready(True)
    await until(lambda: any(moment.by == "clock" for moment in lives[0].of(Settled)))
    late = next(moment for moment in lives[0].of(Settled) if moment.by == "clock")
    assert f"Your time ran out: {late.notation}." in [n.text for n in lives[0].of(Notice)]
    asked = lives[0].of(Asked)[0]
    assert asked.seconds == 1
    assert late.notation == asked.question.write(asked.question.default)
    assert all(moment.by == "player" for moment in lives[1].of(Settled))
    await asyncio.gather(ana.leave(), bea.leave())


async def test_alone_time_stands_while_the_player_reads_and_nothing_happens() -> None:
    session = alone(seconds=40)
    life = Life(session)
    await until(lambda: life.of(Asked))
    assert session.hold()
    asked, told = len(life.of(Asked)), len(life.of(Told))
    assert session.question is not None
    session.answer(session.question.default)
    for _ in range(50):
        await asyncio.sleep(0)
    assert (len(life.of(Asked)), len(life.of(Told))) == (asked, told)
    session.let_go()
    await until(lambda: len(life.of(Told)) > told)
    await session.leave()


async def test_the_end_of_the_game_says_you() -> None:
    session = alone(auto=True)
    life = Life(session)
    over = await life.end
    winner = over.places[0][0] if over.places else ""
    name = "You are" if winner == "Ana" else f"{winner} is"
    assert over.text[:1].upper() + over.text[1:] == f"{name} the last with dice."


async def test_where_others_wait_time_goes_on() -> None:
    ana = await opened(seats=2, auto=False)
    assert not ana.hold()
    await ana.leave()


async def test_a_clock_that_is_held_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    late = 0.0
    monkeypatch.setattr("sobremesa.cli.session.clock.now", lambda: now() + late)
    ran_out: list[Question] = []
    one = clock.AnswerClock(ran_out.append, lambda task: None)
    one.hold()
    one.start(Turn(5, (), None, False), 30)  # asked meanwhile
    late = 100.0
    assert one.seconds_left == 30
    one.go_on()
    assert one.seconds_left == 30
    late = 120.0
    assert one.seconds_left == 10
    one.stop()
    assert ran_out == []


async def test_who_asks_for_twice_the_time_gets_it_for_everybody() -> None:
    ana = await opened(seats=2, seconds=40, auto=False, games=only(DUDO))
    lives = [Life(ana)]
    await until(lambda: lives[0].of(RoomChanged))
    ana.ready()
    bea = await joined(ana, "Bea", auto=False, slow=True)
    lives.append(Life(bea))
    await until(lambda: all(_asks_slow(life) == [False, True] for life in lives))
    room = lives[0].of(RoomChanged)[-1].room
    assert "answers in 80 s, twice the time for all" in room.options
    assert not room.seats[0].ready  # for other terms
    for session in (ana, bea):
        session.ready()
    await until(lambda: any(life.of(Asked) for life in lives))
    assert next(asked for life in lives for asked in life.of(Asked)).seconds == 80
    assert all(table_of(session).charter.settings.slow for session in (ana, bea))
    await asyncio.gather(ana.leave(), bea.leave())


def _asks_slow(life: Life) -> list[bool]:
    rooms = life.of(RoomChanged)
    return [seat.slow for seat in rooms[-1].room.seats] if rooms else []


async def test_alone_everything_may_take_twice_the_time() -> None:
    session = alone(seconds=10, slow=True)
    life = Life(session)
    await until(lambda: life.of(Asked))
    assert life.of(Asked)[0].seconds == 20
    await session.leave()


async def test_what_we_see_is_told_when_it_changes_without_an_event() -> None:
    session = alone(game=CINCO_VIDAS, bots=2)
    life = Life(session, default)
    await life.end
    looks = [m for m in life.moments if isinstance(m, Told | Asked | Seen)]
    seen = [place for place, moment in enumerate(looks) if isinstance(moment, Seen)]
    assert len(seen) > 1
    assert all(looks[place].view != looks[place - 1].view for place in seen if place)


async def test_work_is_told_from_its_beginning_to_its_end() -> None:
    session = alone(game=CINCO_VIDAS)
    life = Life(session)
    await until(lambda: life.of(Asked))
    assert life.of(Working) == [Working("Ana", 1, 1), Working()]
    await session.leave()


async def test_an_answer_that_the_rules_give_says_what_was_wrong_with_the_other() -> None:
    session = alone()
    life = Life(session)
    await until(lambda: life.moments)
    last = Decide(0, 1, (), (), forced=True)
    table_of(session).forced.append(("Ana", last, Answer("lose")))
    assert session.match is not None
    session.table_changed(session.match)
    await until(lambda: life.of(Settled))
    (settled,) = life.of(Settled)
    assert (settled.notation, settled.by) == ("lose", "rules")
    assert settled.why == last.why_not(Answer("win"), {})
    await session.leave()


# The room.


async def test_the_room_goes_on_after_a_start_was_called_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ana = await opened(seats=3)
    bea = await joined(ana, "Bea")
    cai = await joined(ana, "Cai", auto=False)
    lives = [Life(session) for session in (ana, bea, cai)]
    guest = node_of(cai).room_guest
    assert guest is not None
    link = guest._channel.link
    monkeypatch.setattr(guest, "_sign", lambda *_: link.abort("lost", "cut"))
    cai.ready(True)
    await until(lambda: all(life.of(Notice) for life in lives[:2]))
    for life in lives[:2]:
        texts = [notice.text for notice in life.of(Notice)]
        assert "The start was called off: Cai is gone (the connection broke)." in texts
    assert (await lives[2].end).status == 3
    dan = await joined(ana, "Dan")  # the others are ready again by themselves
    lives[2] = Life(dan)
    ends = await asyncio.gather(*(life.end for life in lives))
    assert [over.status for over in ends] == [0, 0, 0]
    assert len({table_of(session).transcript() for session in (ana, bea, dan)}) == 1


async def test_only_the_opener_starts_and_seats_bots() -> None:
    ana = await opened(seats=4, auto=False)
    bea = await joined(ana, "Bea", auto=False)
    lives = [Life(ana), Life(bea)]
    remove_ana = partial(bea.remove, "Ana")
    deeds = (
        ("start", bea.start),
        ("add bots", bea.add_bot),
        ("remove somebody", remove_ana),
        ("change its code", bea.renew_code),
        ("change it", partial(bea.change, {"seats": "5"})),
    )
    for verb, act in deeds:
        with pytest.raises(LocalError, match=f"only the one who opened the table can {verb}"):
            act()
    ana.add_bot()
    ana.start()
    await until(lambda: all(life.of(Started) for life in lives))
    assert lives[1].of(Started)[0].seats == ("Ana", "Bea", "Bento")
    remove_bea = partial(ana.remove, "Bea")
    for act in (ana.start, ana.add_bot, ana.renew_code, ana.ready, remove_bea):
        with pytest.raises(LocalError, match="the game has begun"):
            act()
    await asyncio.gather(ana.leave(), bea.leave())


async def test_a_changed_table_is_told_to_all_and_bots_are_ready_for_it_by_themselves() -> None:
    ana = await opened(seats=3, auto=False)
    bea = await joined(ana, "Bea")
    cai = await joined(ana, "Cai", auto=False)
    lives = [Life(session) for session in (ana, bea, cai)]
    cai.ready()

    def ready(life: Life) -> list[bool]:
        rooms = life.of(RoomChanged)
        return [seat.ready for seat in rooms[-1].room.seats] if rooms else []

    await until(lambda: all(ready(life) == [False, True, True] for life in lives))
    ana.change({"patience": "30"})
    await until(lambda: ready(lives[2]) == [False, True, False])
    rooms = [life.of(RoomChanged)[-1].room for life in lives]
    assert all("patience 30 s" in room.options for room in rooms)
    assert ("patience", "30") in rooms[0].terms
    assert rooms[2].terms == (), "no guest can change it"
    await asyncio.gather(*(session.leave() for session in (ana, bea, cai)))


async def test_the_next_table_is_what_the_last_one_was_changed_to() -> None:
    ana = await opened(seats=2, auto=False)
    ana.change({"seats": "3", "patience": "30"})
    await ana.leave()
    ana = await again(ana)
    room = room_of(ana).room
    assert (room.size, room.settings.patience) == (3, 30)
    await ana.leave()


async def test_who_is_removed_is_told_why_and_that_it_is_over() -> None:
    ana = await opened(seats=3)
    bea = await joined(ana, "Bea")
    life = Life(bea)
    ana.remove("Bea", "we wait for Eva")
    over = await life.end
    assert over == Over("The opener removed you from this table: we wait for Eva.", LOST)
    assert bea.again is None, "it may not come back"
    await ana.leave()


async def test_one_cannot_start_alone() -> None:
    ana = await opened(seats=4, games=only(DUDO))
    with pytest.raises(LocalError, match="needs at least 2 players; 1 here"):
        ana.start()
    await ana.leave()


async def test_a_name_that_is_taken_gets_a_number_and_its_owner_is_told() -> None:
    ana = await opened(seats=4)
    other = await joined(ana, "Ana")
    moments = other.moments()
    said = [await anext(moments) for _ in range(2)]
    assert said[0] == Notice("The name Ana is taken here: you are Ana 2.", "warn")
    assert other.me == "Ana 2"
    await other.leave()
    await ana.leave()


async def test_the_openers_room_shows_address_and_code_and_a_guests_does_not() -> None:
    ana = await opened(seats=3)
    bea = await joined(ana, "Bea")
    lives = [Life(ana), Life(bea)]
    await until(lambda: all(life.of(RoomChanged) for life in lives))
    rooms = [life.of(RoomChanged)[-1].room for life in lives]
    assert (rooms[0].code, rooms[0].addresses) == ("123456", (address_of(ana),))
    assert (rooms[1].code, rooms[1].addresses) == ("", ())
    assert rooms[0].fingerprint == rooms[1].fingerprint != b""
    assert [seat.you for seat in rooms[1].seats] == [False, True, False]
    assert [seat.opener for seat in rooms[1].seats] == [True, False, False]
    await asyncio.gather(ana.leave(), bea.leave())


def with_another_copy(version: str = "1.0", game: Game[Any] = FOR_BEA) -> Games:
    """A machine whose toy is another one."""
    games = only(game)
    games.sources["toy"] = Source(sys.modules[__name__], "tests", version)
    return games


@pytest.mark.parametrize(
    ("version", "how"),
    [("2.0", "tests 2.0, yours 1.0"), ("1.0", "both tests 1.0, but with other files")],
)
async def test_a_copy_that_differs_is_said_to_everybody_before_anybody_is_ready(
    version: str, how: str
) -> None:
    ana = await opened(seats=4, auto=False)
    bea = await join(
        with_another_copy(version), Preferences("Bea", auto=False), address_of(ana), "123456"
    )
    cai = await joined(ana, "Cai", auto=False)
    lives = [Life(session) for session in (ana, bea, cai)]

    def warnings(life: Life) -> tuple[str, ...]:
        rooms = life.of(RoomChanged)
        full = rooms and sum(bool(seat.name) for seat in rooms[-1].room.seats) == 3
        return rooms[-1].room.warnings if full else ()

    await until(lambda: all(map(warnings, lives)))
    end = "a dispute about the rules would end the game without a result."
    assert warnings(lives[0]) == (f"Bea's copy of Toy is another one ({how}): {end}",)
    assert warnings(lives[2]) == warnings(lives[0])
    how = how.replace("tests 2.0, yours 1.0", "tests 1.0, yours 2.0")
    assert warnings(lives[1]) == (f"Ana's and Cai's copy of Toy is another one ({how}): {end}",)
    await asyncio.gather(ana.leave(), bea.leave(), cai.leave())


@pytest.mark.parametrize("copy", ["one side sees it", "both sides see it"])
async def test_where_copies_disagree_the_table_ends_for_everybody_without_a_culprit(
    copy: str,
) -> None:
    game = FOR_BEA if copy == "one side sees it" else COPIES["other turns"]
    ana = await opened(seats=3)
    hers = with_another_copy(game=game)
    bea = await join(hers, Preferences("Bea", 0.0, True), address_of(ana), "123456")
    cai = await joined(ana, "Cai")
    overs = await asyncio.gather(*(Life(session).end for session in (ana, bea, cai)))
    seen = [over for over in overs if "they disagree at step" in over.text]
    assert overs[1] in seen
    assert all((over.status, over.verified, over.places) == (3, None, None) for over in seen)
    assert all("nobody is guilty" in over.text for over in seen)
    # For who sees no dispute, Bea's machine has left, and nobody has done anything wrong.
    for session, over in zip((ana, cai), (overs[0], overs[2]), strict=True):
        assert over in seen or (over.status, over.verified) == (0, True)
        assert not table_of(session).convicted


async def test_whoever_cannot_sit_down_leaves_nothing_running() -> None:
    ana = await opened(seats=2)
    before = asyncio.all_tasks()
    with pytest.raises(UnknownGame, match="no game is called 'toy'"):
        await join(only(DUDO), Preferences("Bea"), address_of(ana), "1")
    with pytest.raises(LocalError, match="Kitchen wants the code on the opener's screen"):
        await join(TOYS, Preferences("Bea"), address_of(ana), None)
    with pytest.raises(Exception, match="That is not the table's code"):
        await join(TOYS, Preferences("Bea"), address_of(ana), "999999")
    await asyncio.sleep(0.1)
    assert asyncio.all_tasks() == before
    await ana.leave()


async def test_a_code_that_was_given_is_required_whatever_the_listing_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who answers on a LAN may be anybody, and "open" is only its own word."""
    stranger = await open_as("Ana")
    for code in ("123456", "999999"):
        with pytest.raises(DialFailed, match="asks for no code, so it may be anybody's and"):
            await join(TOYS, Preferences("Bea"), address_of(stranger), code)
    assert room_of(stranger).room.guests == []
    # Behind a listing that somebody has changed on the way, the table is still found.
    ana = await opened(seats=3)
    room = room_of(ana).room
    monkeypatch.setattr(node_of(ana), "listing", lambda: write_listing(room, open=True))
    with pytest.raises(DialFailed, match="That is not the table's code"):
        await join(TOYS, Preferences("Bea"), address_of(ana), "999999")
    bea = await joined(ana, "Bea")
    assert len(room.guests) == 1
    await asyncio.gather(ana.leave(), bea.leave(), stranger.leave())


async def test_only_the_key_that_a_listing_showed_is_joined(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ana = await open_as("Ana")
    room = room_of(ana).room
    other = replace(room.opener, key=Identity.fresh().key)
    listing = write_listing(replace(room, opener=other), open=True)
    monkeypatch.setattr(node_of(ana), "listing", lambda: listing)
    with pytest.raises(DialFailed, match="Somebody else answers at that address"):
        await join(TOYS, Preferences("Bea"), address_of(ana), None)
    assert room.guests == []
    await ana.leave()


def open_as(name: str, **changed: Any) -> Coroutine[Any, Any, TableSession]:
    """A table of three; `changed` are other arguments of `host`."""
    values: dict[str, Any] = {
        "table": "Kitchen",
        "seats": 3,
        "bots": 0,
        "options": toy.GAME.read_options({}),
        "settings": Settings(),
        "code": None,
        "is_open": True,
        "port": 0,
    }
    return host(TOYS, toy.GAME, Preferences(name), **(values | changed))


async def test_a_table_that_cannot_be_opened_leaves_nothing_running_or_locked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Store() as store:
        mine = store.identity().key
    before = asyncio.all_tasks()
    with pytest.raises(LocalError, match="no bot can sit down: there is no free chair"):
        await open_as("Ana", bots=3)
    assert asyncio.all_tasks() == before

    telling = asyncio.Event()

    async def tell_for_ever(advert: Advert) -> None:
        telling.set()
        await asyncio.Event().wait()

    with monkeypatch.context() as patch:
        patch.setattr(Advert, "start", tell_for_ever)
        opening = asyncio.ensure_future(open_as("Ana"))
        await telling.wait()
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening
    assert asyncio.all_tasks() == before
    # Another process would have got a key of its own if the store were locked still.
    ana = await open_as("Ana")
    assert node_of(ana).me.key == mine
    await ana.leave()


# Leaving, losing.


async def test_who_leaves_the_game_is_named_and_the_others_finish_it() -> None:
    ana = await opened(seats=3, auto=False)
    others = [await joined(ana, name, auto=False) for name in ("Bea", "Cai")]
    lives = await begun(ana, *others, player=by_the_bot)
    await ana.leave()
    ends = await asyncio.gather(*(life.end for life in lives))
    assert (ends[0].status, ends[0].text) == (3, "You left the table.")
    for life, over in zip(lives[1:], ends[1:], strict=True):
        assert (over.status, over.verified) == (0, True)
        told = [notice.text for notice in life.of(Notice)]
        assert any(text.startswith("The game goes on without Ana, who left") for text in told)
        assert any("Of Ana there is no seed" in text for text in told)


def test_a_game_has_its_own_word_for_a_table_that_somebody_left() -> None:
    table = Tabletop(replace(toy.GAME, broken_off="Room Canceled."), 2).tables[0]
    table.ended = TableEnded("Bea left for good, and no card can be opened")
    over = Record(None, Status(), lambda moment: None).verdict(table, None)
    assert over.text == "Room Canceled. Bea left for good, and no card can be opened."


async def test_the_same_people_play_again_at_a_new_table() -> None:
    ana = await opened(seats=2, auto=True)
    bea = await joined(ana, "Bea", auto=True)
    first = room_of(ana).room.table
    ends = await asyncio.gather(*(Life(session).end for session in (ana, bea)))
    assert [over.status for over in ends] == [0, 0]
    waiting = asyncio.ensure_future(again(bea))  # before the opener has made up its mind
    await asyncio.sleep(0.1)
    assert not waiting.done()
    ana = await again(ana)
    lives = [Life(ana), Life(await waiting)]
    ends = await asyncio.gather(*(life.end for life in lives))
    assert [over.status for over in ends] == [0, 0]
    assert all(over.verified for over in ends)
    (started,) = lives[1].of(Started)
    assert started.seats == ("Ana", "Bea")
    assert table_of(ana).charter.table != first


async def test_the_next_table_has_the_code_that_the_last_one_had_in_the_end() -> None:
    ana = await opened(seats=2, auto=False)
    first = node_of(ana).code
    ana.renew_code()
    code = node_of(ana).code
    await ana.leave()
    ana = await again(ana)
    assert node_of(ana).code == code != first
    await ana.leave()


async def test_who_sat_here_before_the_code_was_another_comes_again() -> None:
    ana = await opened(seats=2, auto=False)
    bea = await joined(ana, "Bea", auto=False)
    ana.renew_code()
    await until(lambda: node_of(bea).code == node_of(ana).code)
    lives = await begun(ana, bea, player=by_the_bot)
    await asyncio.gather(*(life.end for life in lives))
    ana = await again(ana)
    bea = await again(bea)
    for session in (bea, ana):
        await session.leave()


async def test_a_table_that_is_not_opened_again_is_waited_for_and_no_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sobremesa.net.finding.browse.WAITING_AGAIN", 0.2)

    ana = await opened(seats=2, auto=True)
    bea = await joined(ana, "Bea", auto=True)
    await asyncio.gather(*(Life(session).end for session in (ana, bea)))
    with pytest.raises(LocalError, match="Ana has not opened the table again yet"):
        await again(bea)


def by_the_bot(session: TableSession) -> None:
    """Plays as the game's bot would, while it is asked."""
    if session.question is None:
        return
    observation = table_of(session).observation(session.me)
    session.answer(session.game.bots[0].choose(observation, session.question, lambda n: 0))


async def finished(*sessions: TableSession) -> None:
    """A game is played to its end."""
    lives = [Life(session, by_the_bot) for session in sessions]
    for session in sessions:
        session.ready()
    ends = await asyncio.gather(*(life.end for life in lives))
    assert [over.status for over in ends] == [0] * len(sessions)


def offer_of(session: TableSession) -> Again:
    assert session.again is not None
    return session.again


async def test_who_wants_another_game_is_told_and_hears_whom_it_waits_for() -> None:
    ana = await opened(seats=3, auto=False)
    bea, cai = [await joined(ana, name, auto=False) for name in ("Bea", "Cai")]
    await finished(ana, bea, cai)
    offer = offer_of(ana)
    told: list[str] = []
    heard: list[str] = []
    with pytest.raises(LocalError, match="nobody hears you here"):
        ana.say("too early")
    await offer.begin(told.append)
    hearing = asyncio.ensure_future(offer_of(cai).begin(heard.append))
    await until(lambda: heard == ["Ana has a table open for another game: 1 of 3 seats are taken."])
    bea = await again(bea)
    await until(lambda: told == ["Bea wants another game. It waits for Cai and you."])
    await until(lambda: "2 of 3 seats" in heard[-1])
    hearing.cancel()
    life = Life(bea)
    await until(lambda: life.of(RoomChanged) and life.of(RoomChanged)[-1].room.awaited == ("Cai",))
    assert [(s.name, s.ready) for s in life.of(RoomChanged)[-1].room.seats[:2]] == [
        ("Ana", False),
        ("Bea", True),
    ]
    bea.say("come on")
    await until(lambda: told[-1] == "Bea: come on")
    ana.say("one moment")
    await until(lambda: Chat("Ana", "one moment") in life.of(Chat))
    cai, ana = await again(cai), await again(ana)
    lives = [Life(ana, default), life, Life(cai, default)]
    await until(lambda: all(life.of(Started) for life in lives))
    await asyncio.gather(ana.leave(), bea.leave(), cai.leave())


async def test_an_opener_who_wants_no_other_game_ends_it_for_those_who_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sobremesa.net.finding.browse.LEFT_AFTER", 1.0)
    ana = await opened(seats=2, auto=False)
    bea = await joined(ana, "Bea", auto=False)
    await finished(ana, bea)
    offer = offer_of(ana)
    await offer.begin(lambda text: None)
    next_one = await again(bea)
    await offer.decline()
    assert (await Life(next_one).end).text == "The opener closed the table."
    left = "Ana has left, so there is no other game at this table"
    with pytest.raises(LocalError, match=left):
        await again(bea)
    with pytest.raises(LocalError, match=left):
        await offer_of(bea).begin(lambda text: None)


@pytest.mark.parametrize(("leaver", "stays"), [(0, [False, False]), (1, [True, True])])
async def test_another_game_is_offered_while_the_opener_and_somebody_else_are_there(
    leaver: int, stays: list[bool]
) -> None:
    ana = await opened(seats=3, auto=False)
    players = [ana, *[await joined(ana, name, auto=False) for name in ("Bea", "Cai")]]
    lives = await begun(*players, player=by_the_bot)
    await players.pop(leaver).leave()
    lives.pop(leaver)
    await asyncio.gather(*(life.end for life in lives))
    assert [player.again is not None for player in players] == stays
    for player in players:
        with pytest.raises(LocalError, match="nobody hears you"):
            player.say("hello?")


async def test_an_opener_whom_all_have_left_is_offered_no_other_game() -> None:
    ana = await opened(seats=2, auto=False)
    bea = await joined(ana, "Bea", auto=False)
    life, _ = await begun(ana, bea, player=by_the_bot)
    await bea.leave()
    await life.end
    assert ana.again is None


@pytest.mark.parametrize("game", sorted(load_games([]).games))
async def test_whom_all_the_others_have_left_has_nothing_to_answer_any_more(game: str) -> None:
    games = only(load_games([]).games[game])
    seats = games.games[game].seats[0]
    ana = await opened(seats=seats, auto=False, games=games)
    others = [await joined(ana, name, auto=False) for name in ("Bea", "Cai", "Dan")[: seats - 1]]
    life, *_ = await begun(ana, *others)
    while ana.question is None:  # the others play until Ana is asked
        for other in others:
            if other.question is not None:
                other.answer(other.question.late(other.faces()))
        await asyncio.sleep(0.01)
    for other in others:
        await other.leave()
    await life.end
    told = [notice.text for notice in life.of(Notice)]
    assert told.count("All the others have left: the rest is played for you.") == 1


async def test_who_has_a_bot_beside_plays_on_when_the_others_have_left() -> None:
    ana = await opened(seats=3, auto=False)
    bea = await joined(ana, "Bea", auto=False)
    lives = [Life(ana), Life(bea)]
    ana.add_bot()
    bea.ready()
    ana.ready()
    await until(lambda: ana.question is not None)
    await bea.leave()
    await until(lambda: table_of(ana).history.left)
    match = node_of(ana).match
    assert match is not None
    match.tick()
    assert ana.question is not None
    assert not any("have left" in notice.text for notice in lives[0].of(Notice))
    await ana.leave()


async def test_what_links_tell_of_the_others_is_told_at_once() -> None:
    session = alone(auto=False)
    life = Life(session)
    bea = Absence("Bea", 1.0, 61.0)
    session.absent([bea], True)
    assert session.status.away == ["Bea"]
    session.back("Bea")
    session.gone(["Bea", "Cai"], "were away for 1:12")
    session.absent([], False)
    await until(lambda: len(life.of(Notice)) == 2)
    assert life.of(Absent) == [Absent((bea,), 1, True), Absent((), -1)]
    assert [notice.text for notice in life.of(Notice)] == [
        "Bea is back.",
        "The game goes on without Bea and Cai, who were away for 1:12.",
    ]
    with pytest.raises(LocalError, match="Bea is not away"):
        session.without("Bea")
    await session.leave()


async def test_alone_one_plays_again_with_the_same_bots_and_options() -> None:
    first = alone(bots=2, auto=True)
    await Life(first).end
    second = await again(first)
    assert (await Life(second).end).verified
    then, now = table_of(first).charter, table_of(second).charter
    assert now.seats == then.seats
    assert now.table != then.table


def test_who_leaves_during_a_shuffle_leaves_no_work_behind(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def story() -> None:
        ana = await opened(seats=2, auto=False, games=only(CINCO_VIDAS))
        bea = await joined(ana, "Bea", auto=True)
        lives = [Life(ana), Life(bea)]
        ana.ready(True)
        await until(lambda: lives[0].of(Working) and ana.table is not None and ana.table.busy)
        table = table_of(ana)
        before = len(table.log)
        await ana.leave()
        assert (await lives[0].end).text == "You left the table."
        while table.work():
            pass
        for _ in range(100):
            await asyncio.sleep(0)
        assert len(ana.pacing) == 0
        assert len(table.log) >= before
        await lives[1].end

    asyncio.run(story())
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_those_who_watch_are_told_when_the_player_is(monkeypatch: pytest.MonkeyPatch) -> None:
    watched: list[Event] = []
    monkeypatch.setattr(Games, "notify_observers", lambda _, game, event: watched.append(event))
    session = alone(game=toy.GAME)
    assert table_of(session).events
    assert not watched
    async for moment in session.moments():
        if isinstance(moment, Told):
            assert watched[-1] == moment.event
            break
    await session.leave()
    assert len(watched) == 1


async def test_a_disk_that_is_full_stops_an_answer_before_it_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ana = await opened(seats=2, auto=False, games=only(DUDO))
    bea = await joined(ana, "Bea", auto=False)
    lives = await begun(ana, bea)
    await until(lambda: ana.question or bea.question)
    asked = ana if ana.question else bea

    def full(*_: Any) -> None:
        raise CannotStore("Cannot store anything: the disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(TableStore, "keep_choice", full)
        with pytest.raises(CannotStore):
            default(asked)
    assert asked.question is not None  # and when there is room, it can be given
    assert not lives[0].of(Settled)
    default(asked)
    await until(lambda: lives[0].of(Settled) or lives[1].of(Settled))
    await asyncio.gather(ana.leave(), bea.leave())


async def test_what_cannot_be_stored_is_not_sent_and_the_player_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    ana = await opened(seats=2, auto=False)
    bea = await joined(ana, "Bea")
    lives = [Life(ana), Life(bea)]
    with monkeypatch.context() as patch:
        patch.setattr("sobremesa.net.store._write_all", full)
        ana.ready(True)
        over = await lives[1].end
    assert over.status == 3
    assert "the disk is full" in over.text
    why = "Bea is gone (The guest's program has ended)."
    told = Notice(f"The start was called off: {why}", "warn")
    await until(lambda: told in lives[0].moments)
    await ana.leave()


async def test_a_disk_that_is_full_in_mid_game_lets_its_machine_leave_with_a_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(*_: Any) -> None:
        raise CannotStore("Cannot store anything: the disk is full.")

    ana = await opened(seats=2, auto=False, games=only(DUDO))
    bea = await joined(ana, "Bea", auto=False)
    lives = dict(zip((ana, bea), await begun(ana, bea), strict=True))
    await until(lambda: ana.question or bea.question)
    asked, other = (ana, bea) if ana.question else (bea, ana)
    assert isinstance(other.match, Match)
    record = other.match._record
    assert record is not None
    monkeypatch.setattr(record, "keep_message", full)
    default(asked)
    over = await lives[other].end
    assert over.text == "The table cannot go on: Cannot store anything: the disk is full."
    assert (await lives[asked].end).text == "you are the last with dice."
    said = f"{other.me}'s machine had to leave: its disk cannot keep the game"
    assert lives[asked].of(Chat) == [Chat(other.me, said)]
    assert not record.folder.exists()
    assert other._ending is not None
    await other._ending


async def test_chat_is_heard_before_and_in_the_game() -> None:
    ana = await opened(seats=2, auto=False)
    bea = await joined(ana, "Bea", auto=False)
    lives = [Life(ana), Life(bea)]
    ana.say("hello")
    await until(lambda: lives[1].of(Chat))
    for session in (ana, bea):
        session.ready(True)
    await until(lambda: all(life.of(Started) for life in lives))
    bea.say("good luck")
    await until(lambda: len(lives[0].of(Chat)) == 2)
    for life in lives:
        assert life.of(Chat) == [Chat("Ana", "hello"), Chat("Bea", "good luck")]
    await asyncio.gather(ana.leave(), bea.leave())


# Cheats on real links.


class CheatingNode(Node):
    """Sits like anybody else, with a vice."""

    cheat: Cheat

    def _make_match(self, charter: Charter, game: Game[Any]) -> tuple[Match, PeerLinks]:
        match, links = super()._make_match(charter, game)
        cheating(match, links, self.cheat, self.me.sign)
        return match, links


CHEATS: dict[str, Callable[[], Cheat]] = {
    "two different messages to all": lambda: SaysBoth("toss-commit"),
    "one message to some, another to others": lambda: Equivocates("toss-commit", [0]),
    "a wrong nonce": RevealsAnotherNonce,
    "a wrong secret": RevealsAnotherSecret,
    "an answer out of turn": AnswersOutOfTurn,
    "an answer that is no move": lambda: AnswersIllegally("abracadabra"),
}


@pytest.mark.parametrize("vice", CHEATS)
async def test_a_cheat_is_named_on_every_honest_peer(
    vice: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    files = [tmp_path / name for name in ("Ana", "Cai", "Dan")]
    # In the last round one cup stays covered, in the first none does.
    ana = await opened(seats=4, rounds="2", save=files[0])
    CheatingNode.cheat = CHEATS[vice]()
    with monkeypatch.context() as patch:
        patch.setattr(network, "Node", CheatingNode)
        bea = await joined(ana, "Bea")
    cai = await joined(ana, "Cai", save=files[1])
    dan = await joined(ana, "Dan", save=files[2])
    cheat = Life(bea)
    lives = [Life(session) for session in (ana, cai, dan)]
    ends = await asyncio.gather(*(life.end for life in lives))
    await bea.leave()
    await cheat.end
    parts_histories = vice in list(CHEATS)[:2]
    for session, over, file in zip((ana, cai, dan), ends, files, strict=True):
        report = audit(file.read_bytes(), lambda _: toy.GAME)
        if parts_histories:
            assert over.status == 1
            assert over.text.startswith("Not verified: Bea ")
            assert report.trouble is not None
            assert report.trouble.startswith("Bea")
            assert report.culprit == "Bea"
        else:
            assert (over.status, over.verified, report.ok) == (0, True, True)
            (departure,) = report.departures
            assert (departure.name, departure.why) == ("Bea", "convicted")
            assert str(departure) == str(table_of(session).departures[0])


async def test_a_message_from_another_table_is_refused_by_name_and_the_game_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other_table = Tabletop(toy.GAME, 2).tables[0]

    class ReplaysOnce(ReplaysFromAnotherTable):
        done = False

        def say(self, message: Any, to: int) -> Any:
            if self.done:
                return (message,)
            self.done = True
            return super().say(message, to)

    ana = await opened(seats=3)
    CheatingNode.cheat = ReplaysOnce(other_table.log[0])
    with monkeypatch.context() as patch:
        patch.setattr(network, "Node", CheatingNode)
        bea = await joined(ana, "Bea")
    cai = await joined(ana, "Cai")
    lives = [Life(session) for session in (ana, bea, cai)]
    ends = await asyncio.gather(*(life.end for life in lives))
    assert [over.status for over in ends] == [0, 0, 0]
    assert len({table_of(s).transcript() for s in (ana, bea, cai)}) == 1
    said = [notice.text for life in lives for notice in life.of(Notice)]
    assert "Bea's machine sent a message from another table; the link is made anew." in said


# Rests.


async def test_a_client_that_rests_at_a_reveal_loses_nothing() -> None:
    session = alone(bots=2, pace=0.05, auto=True)
    life = Life(session)
    over = await life.end
    assert over.status == 0
    told = life.of(Told)
    # Where all that are present look on, it goes on four times as fast.
    rests = {round(moment.rest - moment.beat * len(moment.view.stage), 6) for moment in told}
    assert {0.0, 0.05} <= rests <= {0.0, 0.05 / 4, 0.05}
    assert all(moment.beat > 0 for moment in told if moment.view.stage)
    assert [moment.event for moment in told] == table_of(session).events


async def test_chat_does_not_wait_for_the_end_of_a_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sobremesa.cli.session.bots.THINKING", 0.0)

    session = alone(bots=2, pace=600.0, auto=True)
    async for moment in session.moments():
        if isinstance(moment, Told) and moment.rest:
            session.say("while we look")
        elif isinstance(moment, Chat):
            break
    # The chat came while the rest of ten minutes had just begun; it can be cut short still.
    session.go_on()
    assert isinstance(await anext(session.moments()), Told)
    await session.leave()
