"""Line mode: scripted sessions through pipes."""

from __future__ import annotations

import asyncio
import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
import tty
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from support.clients.sessions import (
    Broken,
    ScriptedSession,
    Sticky,
    at_the_table,
    finished,
    intrigue_table,
    kitchen_table,
    lives_table,
    seated,
    waiting_room,
)

from sobremesa.cli.draw.theme import Theme
from sobremesa.cli.lines import telling, typed
from sobremesa.cli.lines.plain import run_plain
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
    Told,
    Working,
)
from sobremesa.cli.session.session import Again
from sobremesa.cli.settings import OwnSettings
from sobremesa.core.errors import LocalError
from sobremesa.core.views import Hand, View
from sobremesa.net.events import Absence

PATIENCE = 5.0
DRAWN = re.compile("[\x00-\x08\x0b-\x1f\x7f\u2500-\u27bf\u2680-\u2685]")
ENDED = "The input has ended and nobody can answer for you"


class Pipes:
    """A client in line mode between two pipes."""

    def __init__(self, write_to: int, said: io.StringIO) -> None:
        self._write_to = write_to
        self._said = said
        self.client: asyncio.Task[int]
        self.closed = False

    @property
    def lines(self) -> list[str]:
        return self._said.getvalue().splitlines()

    def type(self, *lines: str) -> None:
        os.write(self._write_to, "".join(f"{line}\n" for line in lines).encode())

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            os.close(self._write_to)

    async def hear(self, *texts: str) -> None:
        """Wait until lines with these texts were said.

        :raises AssertionError: with all that was said, if they are not in good time
        """
        for text in texts:
            await self.until(partial(self.heard, text), text)

    def heard(self, text: str) -> bool:
        return any(text in line for line in self.lines)

    async def until(self, holds: Callable[[], object], what: str) -> None:
        deadline = asyncio.get_running_loop().time() + PATIENCE
        while not holds():
            if self.client.done() and self.client.exception() is not None:
                self.client.result()
            if asyncio.get_running_loop().time() > deadline:
                raise AssertionError(f"never: {what}\n{self._said.getvalue()}")
            await asyncio.sleep(0.005)

    async def ended(self) -> int:
        return await asyncio.wait_for(asyncio.shield(self.client), PATIENCE)


@asynccontextmanager
async def pipes(
    session: ScriptedSession,
    *,
    auto: bool = False,
    as_json: bool = False,
    theme: Theme | None = None,
    at_terminal: bool = False,
    own: OwnSettings | None = None,
    said: io.StringIO | None = None,
) -> AsyncIterator[Pipes]:
    write_to, read_from = pty.openpty() if at_terminal else os.pipe()[::-1]
    if at_terminal:
        tty.setraw(read_from)
    said = said or io.StringIO()
    window = Pipes(write_to, said)
    with os.fdopen(read_from) as stdin:
        window.client = asyncio.ensure_future(
            run_plain(
                session,
                auto=auto,
                as_json=as_json,
                stdin=None if auto else stdin,
                stdout=said,
                theme=theme,
                own=own,
            )
        )
        try:
            yield window
        finally:
            window.client.cancel()
            await asyncio.gather(window.client, return_exceptions=True)
            window.close()
            join_reader()


def join_reader() -> None:
    """Wait for the reading thread: its descriptor must not become another test's under its eyes."""
    for thread in threading.enumerate():
        if thread.name == typed.READER:
            thread.join(PATIENCE)
            assert not thread.is_alive()


async def test_a_scripted_session_from_the_room_to_the_end() -> None:
    table = kitchen_table()
    session = seated(table, before=[waiting_room()], begun=False)
    async with pipes(session) as window:
        window.type("ready", "5 threes")
        await window.until(lambda: session.done == [("ready",)], "readiness")
        session.feed(waiting_room(Cai=True), *table.moments)
        await window.hear("You bid 5 threes.")
        session.feed(Over("Ana is the last with dice.", 0, (("Ana",), ("Cai",)), True))
        assert await window.ended() == 0
    assert session.done == [("ready",), ("answer", "5x3")]
    assert window.lines == [
        "Table Kitchen table: Liar's Dice (Dudo), dice 5, palifico on.",
        "3 of 4 seats taken: Ana, who opened the table, not ready; Bento (bot); you, not ready.",
        "Say ready when you are. Say help for all that can be typed.",
        "You are ready.",
        "The game begins: Liar's Dice (Dudo) with Ana, Bento (bot), you and Dora.",
        "Say help rules for the rules.",
        "Round 1: 20 dice on the table, Ana opens.",
        "Your dice: 1, 3, 3, 5, 6.",
        "Ana bids 2 fours.",
        "Bento bids 4 threes.",
        "Your turn: raise, doubt or call it exact.",
        "Your moves: Raise (b), for example 4x4; Dudo! (d); Exact (e).",
        "4x4: At least 4: 92%. You hold 1 of the fours (with ones), expect about 6.0.",
        "Dudo: 4 threes or more: 99%.",
        "Exact: 4 threes exactly: 2%.",
        "You bid 5 threes.",
        "Ana is the last with dice.",
        "Ranking: 1 Ana, 2 you.",
        "The record of the game is verified.",
    ]


async def test_nothing_is_drawn_whatever_is_looked_at() -> None:
    session = at_the_table(before=[waiting_room(), Chat("Zoë", "\x1b[31m►red│")])
    async with pipes(session, theme=Theme(ascii=True)) as window:
        window.type("look", "hand", "moves", "help", "help rules", "help tips", "help faq", "log")
        await window.hear("Zoe says")
        window.type("dudo", "look")
        await window.hear("wrong to doubt")
    text = "\n".join(window.lines)
    assert text.isascii()
    assert not DRAWN.search(text)


async def test_moves_are_said_again_only_when_other_moves_are_possible() -> None:
    session = at_the_table()
    async with pipes(session) as window:
        await window.hear("Your moves:")
        asked = kitchen_table().last(Asked)
        session.feed(Settled("5x3", "bot"), asked)
        await window.until(
            lambda: sum("Your turn" in line for line in window.lines) == 2, "a second turn"
        )
        assert sum("Your moves" in line for line in window.lines) == 1
        assert sum("Your dice" in line for line in window.lines) == 1


async def test_look_hand_moves_hint_log_and_proof_answer_on_demand() -> None:
    session = at_the_table()
    session.status.proof = "Every message so far is signed."
    async with pipes(session) as window:
        await window.hear("Your moves")
        start = len(window.lines)
        window.type("look", "hand", "moves", "hint 5 threes", "hint dog", "log 2", "proof")
        await window.hear("Every message")
        assert window.lines[start:] == [
            "Round 1.",
            "Bento bids 4 threes.",
            "Among 20 dice.",
            "Ones are wild.",
            "Ana, opened: dice 5 hidden, last bid 2 fours.",
            "Bento: dice 5 hidden, last bid 4 threes.",
            "You, to play: dice 5 hidden.",
            "Dora: dice 5 hidden.",
            "Your dice: 1, 3, 3, 5, 6.",
            window.lines[start + 9],
            "Your dice: 1, 3, 3, 5, 6.",
            "You can: Raise (b): 2x1 to 20x1, 4x4 to 20x4, 4x5 to 20x5, 4x6 to 20x6, "
            "5x2 to 20x2, 5x3 to 20x3; Dudo! (d); Exact (e).",
            "5x3 is a brave one.",
            "The table has no hint for that.",
            "Bento bids 4 threes.",
            "Your turn: raise, doubt or call it exact.",
            "Every message so far is signed.",
        ]
        assert window.lines[start + 9].startswith("Of 20 dice, ones counted in: ones: you")


async def test_wrong_lines_are_explained_and_never_sent() -> None:
    session = at_the_table()
    async with pipes(session) as window:
        await window.hear("Your moves")
        window.type("99 threes", "4x2", "good morning", "/leev", "help me")
        await window.hear(
            "Count must be 2 to 20 (you typed 99).",
            "4 twos is too low: after 4 threes you need 5 twos or more.",
            "I don't know 'good morning'. To chat, start with '.",
            "Did you mean '/leave'?",
            "There is no page 'me'. There are: moves, rules, tips, faq.",
        )
        assert session.done == []


async def test_chat_goes_out_and_only_that_of_others_is_said() -> None:
    session = at_the_table()
    async with pipes(session) as window:
        await window.hear("Your moves")
        window.type("'hello", "/say again")
        await window.until(lambda: len(session.done) == 2, "two chats")
        session.feed(Chat("Ana", "hi"))
        await window.hear("Ana says: hi")
        assert session.done == [("say", "hello"), ("say", "again")]
        assert not any("Cai" in line for line in window.lines)


async def test_a_move_from_a_pipe_waits_until_it_is_asked_for() -> None:
    session, table = ScriptedSession(), kitchen_table()
    *before, asked = table.moments
    session.feed(*before)
    async with pipes(session) as window:
        await window.hear("Bento bids 4 threes.")
        window.type("dudo")
        await window.hear("Kept until you are asked: dudo")
        assert session.done == []
        session.feed(asked)
        await window.until(lambda: session.done == [("answer", "dudo")], "the answer")


async def test_a_line_from_a_terminal_acts_at_once() -> None:
    session, table = ScriptedSession(), kitchen_table()
    session.feed(*table.moments[:-1])
    async with pipes(session, at_terminal=True) as window:
        await window.hear("Bento bids")
        window.type("/dudo")
        await window.hear("I don't know '/dudo'.")
        window.close()  # the terminal goes away
        assert await window.ended() == 3
        assert ENDED in "\n".join(window.lines)


async def test_a_move_may_be_made_ready_at_a_terminal_and_taken_back() -> None:
    session, table = ScriptedSession(), kitchen_table()
    *before, asked = table.moments
    session.feed(*before)
    async with pipes(session, at_terminal=True) as window:
        await window.hear("Bento bids")
        window.type("dudo")
        await window.hear("Ready for your turn: dudo. Type cancel to take it back.")
        window.type("cancel")
        await window.hear("Taken back: dudo.")
        window.type("cancel")
        await window.hear("You have made no move ready.")
        window.type("well well")  # no move of any game
        await window.hear("You are not asked for a move now ('well well').")
        window.type("5 threes")
        await window.hear("Ready for your turn: 5 threes.")
        session.feed(asked)
        await window.until(lambda: session.done == [("answer", "5x3")], "the answer")
        assert not window.heard("Your moves")  # nobody needs them any more
        session.feed(Settled("5x3", "player"))
        window.type("good morning")
        await window.hear("You are not asked for a move now ('good morning'). To chat, start")
        window.type("2 threes")
        await window.hear("Ready for your turn: 2 threes.")
        session.feed(asked)
        await window.hear("2 threes, made ready, is not played: ")
        await window.hear("Your moves")
        assert session.done == [("answer", "5x3")]


async def test_lines_that_were_pasted_are_never_played() -> None:
    session = at_the_table()
    async with pipes(session, at_terminal=True) as window:
        await window.hear("Your moves")
        window.type("5 threes", "dudo", "'a secret")
        await window.hear("3 lines came at once, as if pasted, beginning with '5 threes': none was")
        assert session.done == []
        window.type("leave")
        await window.hear("Type y for yes")
        window.type("y", "y")
        await window.hear("2 lines came at once")
        assert session.done == []
        window.type("n")
        await window.hear("No, then.")
        window.type("5 threes")
        await window.until(lambda: session.done == [("answer", "5x3")], "the answer")


async def test_a_window_takes_no_move_that_was_made_ready() -> None:
    table = intrigue_table()
    *before, asked = table.moments
    session = ScriptedSession(game=table.game)
    session.feed(*before)
    async with pipes(session, at_terminal=True) as window:
        await window.hear("Ana claims")
        window.type("liar")
        await window.hear("Ready for your turn: liar.")
        session.feed(asked)
        await window.hear("Your moves")
        assert session.done == []


async def test_at_a_terminal_one_may_play_again_with_the_same_people() -> None:
    session, next_one = ScriptedSession(), ScriptedSession()
    session.feed(*kitchen_table().moments, Over("Ana wins.", 0, (("Ana",), ("Cai",)), True))
    next_one.feed(waiting_room(), Over("Cai wins.", 1, (("Cai",), ("Ana",)), False))
    tries = 0

    async def again() -> ScriptedSession:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise LocalError("Ana has not opened the table again yet")
        return next_one

    session.again = next_one.again = Again(again)
    async with pipes(session, at_terminal=True) as window:
        await window.hear("Type again to play once more")
        window.type("again")
        await window.hear("Ana has not opened the table again yet.")
        window.type("again")
        await window.hear("Table Kitchen table", "Cai wins.")
        offer = "Type again to play once more with the same people, or press Enter to leave."
        await window.until(lambda: window.lines.count(offer) == 2, "the second offer")
        window.type("")
        assert await window.ended() == 1


async def test_what_is_typed_while_another_game_is_offered_is_chat_or_explained() -> None:
    session, offer = finished()
    async with pipes(session, at_terminal=True) as window:
        await window.hear("Type again to play once more")
        await offer.tell("Bea wants another game.")
        window.type("good morning")
        await window.hear("Bea wants another game.", "so 'good morning' means nothing now")
        window.type("'hello")
        await window.until(lambda: session.done == [("say", "hello")], "chat")
        window.type("again")
        await window.hear("One moment: play once more")
        window.type("y")
        await window.hear("so 'y' means nothing now")
        window.type("leave", "leave")  # pasted
        await window.hear("2 lines came at once, as if pasted")
        assert not offer.declined
        window.type("")
        assert await window.ended() == 0
        assert offer.declined


async def test_another_game_is_offered_no_longer_than_it_can_be() -> None:
    session, offer = finished()
    async with pipes(session, at_terminal=True) as window:
        await window.hear("Type again to play once more")
        window.type("again")
        await window.hear("One moment")
        offer.trouble.set_exception(LocalError("Ana has left"))
        assert await window.ended() == 0
        assert window.lines[-1] == "Ana has left."


async def test_the_end_of_input_ends_it_only_when_this_player_is_needed() -> None:
    session, table = ScriptedSession(), kitchen_table()
    *before, asked = table.moments
    session.feed(*before)
    async with pipes(session) as window:
        await window.hear("Bento bids")
        window.close()
        await asyncio.sleep(0.05)
        assert session.done == []
        session.feed(asked)
        assert await window.ended() == 3
        assert session.done == [("step out",)]
        assert [line for line in window.lines if line.startswith(ENDED)]
        assert window.lines[-1] == "Your seat at Kitchen table is kept: sobremesa resume."


async def test_lines_typed_before_the_end_of_input_still_count() -> None:
    session = at_the_table(before=[waiting_room(), waiting_room(Cai=True)])
    async with pipes(session) as window:
        window.type("ready", "5 threes")
        window.close()
        await window.hear("You bid 5 threes.")
        session.feed(Over("Dora wins.", 0))
        assert await window.ended() == 0


async def test_without_input_a_waiting_room_is_left_at_once() -> None:
    session = ScriptedSession()
    session.feed(waiting_room())
    async with pipes(session) as window:
        window.close()
        assert await window.ended() == 3


async def test_auto_reads_nothing_and_goes_on() -> None:
    session = ScriptedSession()
    moments = [m for m in kitchen_table().moments if not isinstance(m, Asked)]
    session.feed(*moments, Over("Dora wins.", 0, (("Dora",),), None))
    async with pipes(session, auto=True) as window:
        assert await window.ended() == 0
        assert window.lines[-2:] == ["Dora wins.", "Ranking: 1 Dora."]
        assert not any("Say" in line for line in window.lines)


async def test_leaving_asks_and_only_y_is_yes() -> None:
    session = at_the_table()
    async with pipes(session) as window:
        await window.hear("Your moves")
        window.type("leave", "", "leave", "dudo")
        await window.until(lambda: window.lines.count("No, then.") == 2, "two noes")
        assert session.done == []
        window.type("leave", "y")
        assert await window.ended() == 3
        assert session.done == [("leave",)]


async def test_enter_goes_on_at_a_reveal() -> None:
    session = at_the_table()
    async with pipes(session) as window:
        await window.hear("Your moves")
        window.type("dudo")
        await window.hear("wrong to doubt")
        window.type("")
        await window.hear("Your dice: 2, 2, 4, 5.", "open the round with a bid")
        assert ("go_on",) in session.done


async def test_seconds_are_spoken_at_30_10_and_5_only(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = asyncio.get_running_loop()
    alarms: list[float] = []
    later = loop.call_later

    def at_once(wait: float, *act: Any) -> asyncio.TimerHandle:
        alarms.append(wait)
        return later(0, *act)

    monkeypatch.setattr(loop, "call_later", at_once)
    session = at_the_table()
    session.status.seconds_left = 12
    async with pipes(session) as window:
        await window.hear("10 seconds left.", "5 seconds left.")
        assert [wait for wait in alarms if wait in (2, 7)] == [2, 7]
        assert not any("30 seconds" in line for line in window.lines)


async def test_countdown_is_silent_after_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telling, "SPOKEN_SECONDS", (39.9,))

    session = at_the_table()
    async with pipes(session) as window:
        window.type("5x3")
        await window.hear("You bid 5 threes.")
        await asyncio.sleep(0.2)
        assert not any("seconds left" in line for line in window.lines)


async def test_room_changes_are_said_once_each() -> None:
    session = ScriptedSession()
    first = waiting_room()
    assert isinstance(first, RoomChanged)
    session.feed(first, first, waiting_room(Ana=True), waiting_room(Ana=False))
    async with pipes(session) as window:
        await window.hear("Ana is not ready any more.")
        assert window.lines[3:] == ["Ana is ready.", "Ana is not ready any more."]
        window.type("ready", "start")
        await window.until(lambda: ("start",) in session.done, "start")
        session.refuses["bot"] = LocalError("only the one who opened the table can add bots")
        window.type("bot")
        await window.hear("Only the one who opened the table can add bots.")


async def test_the_opener_removes_a_guest_and_hears_the_keys_only_when_asked() -> None:
    session = ScriptedSession("Ana")
    session.feed(waiting_room("Ana", opener=True))
    async with pipes(session) as window:
        await window.hear("Say ready when you are.")
        assert not any("babad" in line for line in window.lines)
        window.type("remove cai no time", "y", "keys")
        await window.hear(
            "Remove Cai? That machine cannot come back to this table. Type y for yes,",
            "The keys of this table, in eight words: "
            "babad-bamag-bibaj-bimal-boban-bomar-bubat-bumaz.",
        )
        assert session.done == [("remove", "Cai", "no time")]


async def test_programs_read_the_keys_as_people_hear_them() -> None:
    session = ScriptedSession()
    session.feed(waiting_room())
    async with pipes(session, as_json=True) as window:
        await window.hear('"roomchanged"')
        window.type("keys")
        await window.hear('"keys"')
        words = "babad-bamag-bibaj-bimal-boban-bomar-bubat-bumaz"
        room, keys = (json.loads(line) for line in window.lines)
        assert room["room"]["fingerprint"] == words
        assert words in keys["text"]


async def test_who_is_away_is_said_once_at_half_and_when_it_changes() -> None:
    session = at_the_table()
    async with pipes(session) as window:
        await window.hear("Your moves")
        now = asyncio.get_running_loop().time()
        dora = Absence("Dora", now - 4, now + 6)
        session.feed(Absent((dora,), 4), Absent((replace(dora, since=now - 4.2),), 4))
        await window.hear("Dora is away for 5 seconds, half of the time")
        session.feed(Absent((replace(dora, choice=True),), 4))
        session.feed(Notice("Dora is back", "good"), Absent())
        await window.hear("Dora is back.")
        assert [line for line in window.lines if "Dora is" in line] == [
            "Dora is away. The seat is kept for 10 seconds. Then you can wait on, go on without "
            "Dora, or end it for you.",
            "Dora is away for 5 seconds, half of the time for which the seat is kept.",
            "Dora is away. Type without to go on, wait to wait on, leave to end it for you.",
            "Dora is back.",
        ]


async def test_in_json_who_is_away_is_so_for_seconds_and_not_since_a_time_of_ours() -> None:
    session = at_the_table()
    async with pipes(session, as_json=True) as window:
        now = asyncio.get_running_loop().time()
        session.feed(Absent((Absence("Dora", now - 4, now + 6), Absence("Cai", now)), 4))
        await window.hear('"absent"')
        (absent,) = [json.loads(line) for line in window.lines if '"moment": "absent"' in line]
        dora, cai = absent["absences"]
        assert dora["seconds"] == pytest.approx(4, abs=2)
        assert dora["seconds_left"] == pytest.approx(6, abs=2)
        assert cai["seconds_left"] is None
        assert not {"since", "until"} & {*dora, *cai}


async def test_look_says_whom_the_table_waits_for_and_how_long() -> None:
    session = at_the_table()
    async with pipes(session) as window:
        await window.hear("Your moves")
        now = asyncio.get_running_loop().time()
        session.status.asked, session.status.seconds = ("Dora",), 120
        session.status.asked_at = now - 72
        session.feed(Absent((Absence("Ana", now),), 2))
        window.type("look")
        await window.hear("The table waits for Dora: 1 minute 12 seconds of 2 minutes.")
        await window.until(lambda: window.lines.count(WAITS) == 2, "both")


WAITS = "Ana is away. The game waits; leave ends it for you."


async def test_json_is_one_object_a_line_for_every_moment_and_reply() -> None:
    session = at_the_table(before=[waiting_room()])
    async with pipes(session, as_json=True) as window:
        await window.hear('"asked"')
        window.type("dog", "hand", "dudo", "leave", "y")
        await window.until(lambda: ("go_on",) in session.done or len(session.done) > 1, "leave")
        assert await window.ended() == 3
    objects = [json.loads(line) for line in window.lines]
    kinds = [found["moment"] for found in objects]
    assert kinds[:3] == ["roomchanged", "started", "told"]
    assert {"asked", "error", "hand", "settled", "told", "confirm", "over"} <= set(kinds)
    asked = next(found for found in objects if found["moment"] == "asked")
    assert asked["question"]["moves"][1] == {
        "id": "dudo",
        "label": "Dudo!",
        "notation": "dudo",
        "hotkey": "d",
        "hint": "",
        "disabled": None,
    }
    assert asked["question"]["default"] == "dudo"
    hand = next(block for block in asked["view"]["blocks"] if block["kind"] == "hand")
    assert hand["content"]["values"] == [1, 3, 3, 5, 6]
    told = next(found for found in objects if found["moment"] == "told")
    assert told["event"]["kind"] == "round"


@pytest.mark.parametrize(("name", "status"), [("SIGTERM", 143), ("SIGHUP", 129), ("SIGINT", 130)])
async def test_a_signal_keeps_the_seat(name: str, status: int) -> None:
    session = at_the_table()
    async with pipes(session) as window:
        await window.hear("Your moves")
        os.kill(os.getpid(), getattr(signal, name))
        assert await window.ended() == status
        assert session.done == [("step out",)]


async def test_a_table_that_does_not_let_go_is_left_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sobremesa.cli.words.controller.LEAVING_LIMIT", 0.05)

    session = Sticky()
    session.feed(*kitchen_table().moments)
    async with pipes(session) as window:
        await window.hear("Your moves")
        window.type("leave", "y")
        assert await window.ended() == 3
        assert "did not take note in time" in window.lines[-1]


async def test_what_breaks_in_the_table_is_not_swallowed() -> None:
    async with pipes(Broken(LocalError("the rules are broken"))) as window:
        with pytest.raises(LocalError, match="rules are broken"):
            await window.ended()


def test_line_mode_loads_no_prompt_toolkit() -> None:
    code = (
        "import sys, sobremesa.cli.lines.plain; "
        "sys.exit('prompt_toolkit' in sys.modules or 'wcwidth' in sys.modules)"
    )
    root = Path(__file__).parents[2]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0


async def test_a_reader_that_closes_its_pipe_ends_the_session_quietly() -> None:
    read_from, write_to = os.pipe()
    os.close(read_from)
    session = at_the_table()
    with os.fdopen(write_to, "w") as stdout:
        status = await run_plain(session, auto=True, as_json=False, stdin=None, stdout=stdout)
        assert status == 3
        assert session.done == [("step out",)]


async def test_cards_are_spoken_in_full_and_typed_by_face_or_place() -> None:
    for line in ("QS", "play qs", "#1"):
        session = seated(lives_table())
        async with pipes(session) as window:
            await window.hear(
                "Your hand: queen of spades, eight of hearts, two of diamonds, three of clubs, "
                "queen of clubs.",
                "Your moves: Play (p), for example play QC.",
            )
            window.type(line)
            await window.hear("You play the queen of spades.")
            assert session.done == [("answer", "play QS")]
            window.type("hand")
            await window.hear(
                "Your hand: eight of hearts, two of diamonds, three of clubs, queen of clubs."
            )
            played = window.lines.index("You play the queen of spades.")
            assert window.lines[played - 1 : played + 2] == window.lines[-3:]


async def test_a_hand_is_said_once_and_after_the_event_before_it() -> None:
    session, table = ScriptedSession(), kitchen_table()
    started, told, *rest = table.moments
    assert isinstance(told, Told)
    bare = tuple(block for block in told.view.blocks if not isinstance(block, Hand))
    covered = View(told.view.phase, bare)
    session.feed(started, Told(told.event, told.sentence, covered), Seen(told.view), *rest)
    async with pipes(session) as window:
        await window.hear("Your moves")
        hands = [place for place, line in enumerate(window.lines) if "Your dice" in line]
        assert len(hands) == 1
        assert window.lines[hands[0] - 1] == "Round 1: 20 dice on the table, Ana opens."


async def test_roles_are_spoken_by_their_names() -> None:
    async with pipes(seated(intrigue_table())) as window:
        await window.hear("Your cards: Corsair, Lady.")


async def test_a_window_says_that_and_how_long_one_may_speak_and_does_not_repeat_the_claim() -> (
    None
):
    session = seated(intrigue_table())
    async with pipes(session) as window:
        await window.hear("Your moves")
        assert window.lines[-5:] == [
            "Ana claims the Banker, to take 3 coins.",
            "Speak now, 10 seconds: Liar! or Let it pass.",
            "Your moves: Liar! (l); Let it pass (p).",
            "Liar: Banker: 0 face up, 0 with you, 3 unseen. "
            "By chance alone Ana holds it in 42% of deals.",
            "Let it pass: The claim stands.",
        ]
        window.type("l")
        await window.until(lambda: session.done == [("answer", "liar")], "the answer")


async def test_brief_says_what_is_asked_and_no_more_until_it_is_wanted() -> None:
    own = OwnSettings()
    session = at_the_table()
    async with pipes(session, own=own) as window:
        await window.hear("At least 4: 92%.")
        window.type("brief")
        await window.hear("From now on: speech brief.")
        start = len(window.lines)
        session.feed(Settled("5x3", "bot"), kitchen_table().last(Asked), Chat("Ana", "hello"))
        await window.hear("Your turn")
        window.type("odds", "", "time", "repeat", "5 threes")
        await window.hear("You bid 5 threes.")
        await window.hear("Ana says: hello")
    said = window.lines[start:]
    assert said[0] == "Your turn: raise, doubt or call it exact."
    assert said[1].startswith("Of 20 dice, ones counted in")
    assert said[2].startswith("4x4: At least 4: 92%.")
    assert said[3:5] == ["Dudo: 4 threes or more: 99%.", "Exact: 4 threes exactly: 2%."]
    assert said[5].startswith("You can: Raise (b): 2x1 to 20x1")
    assert said[6:8] == ["You have as long as you like.", "You have as long as you like."]
    assert said.count("Ana says: hello") == 1  # and not while it was Cai's turn


async def test_odds_that_are_as_they_were_are_not_said_again() -> None:
    session = at_the_table()
    async with pipes(session) as window:
        await window.hear("At least 4: 92%.")
        session.feed(Settled("5x3", "bot"), kitchen_table().last(Asked))
        await window.until(lambda: _count(window, "Your turn") == 2, "a second turn")
        assert _count(window, "At least 4") == 1


def _count(window: Pipes, text: str) -> int:
    return sum(text in line for line in window.lines)


async def test_a_bell_rings_at_a_terminal_with_the_line_that_it_is_for() -> None:
    theme = Theme(bell=frozenset({"turn"}))
    for out, rung in ((_Terminal(), ["\aYour turn: raise, doubt or call it exact."]), (None, [])):
        session = at_the_table(Chat("Ana", "hello"))
        async with pipes(session, theme=theme, said=out) as window:
            await window.hear("Ana says: hello")
            assert [line for line in window.lines if "\a" in line] == rung


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


async def test_the_coach_gives_a_tip_a_turn_in_a_first_game_and_says_how_to_be_rid_of_it(
    tmp_path: Path,
) -> None:
    own = OwnSettings(tmp_path / "settings")
    asked = kitchen_table().last(Asked)
    session = at_the_table()
    async with pipes(session, own=own) as window:
        await window.hear("Type set coach off for no more tips.")
        session.feed(Settled("5x3", "bot"), asked)
        await window.until(lambda: _count(window, "Tip: ") == 2, "a second tip")
        tips = [line for line in window.lines if line.startswith("Tip: ")]
        assert tips[0].removesuffix(" Type set coach off for no more tips.") != tips[1]
        assert _count(window, "Type set coach off") == 1
        window.type("coach off")
        await window.hear("From now on: coach off.")
        session.feed(Settled("5x3", "bot"), asked, Over("Ana wins.", 0, (("Ana",), ("Cai",))))
        assert await window.ended() == 0
        assert _count(window, "Tip: ") == 2
    again = OwnSettings.at(tmp_path / "settings")
    again.choose("coach first")
    async with pipes(at_the_table(), own=again) as window:
        await window.hear("At least 4: 92%.")
        assert not window.heard("Tip: ")  # it is no first game any more


async def test_a_name_at_the_start_of_a_question_keeps_its_capital() -> None:
    asked = intrigue_table().last(Asked)
    assert isinstance(asked, Asked)
    session = ScriptedSession(game=intrigue_table().game)
    session.feed(intrigue_table().moments[0], Asked(asked.question, asked.view, 0))
    async with pipes(session) as window:
        await window.hear("Your turn: Ana claims the Banker, to take 3 coins.")


async def test_long_work_is_one_sentence_and_short_work_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = at_the_table()
    monkeypatch.setattr(telling, "WORKING_SPOKEN", 30.0)
    session.feed(Working("Ana", 1, 3), Working())
    async with pipes(session) as window:
        await window.hear("Your moves")
        monkeypatch.setattr(telling, "WORKING_SPOKEN", 0.05)
        session.feed(Working("Ana", 1, 3), Working("Bento", 2, 3))
        await window.hear("Shuffling takes a while: Bento is at it now, 2 of 3.")
        session.feed(Working("Dora", 3, 3), Working(), Notice("All done."))
        await window.hear("All done.")
        assert sum("Shuffling" in line for line in window.lines) == 1


async def test_work_is_a_moment_like_others_in_json() -> None:
    session = at_the_table(before=[Working("Ana", 1, 3)])
    async with pipes(session, as_json=True) as window:
        await window.hear('"asked"')
        assert json.loads(window.lines[0]) == {
            "moment": "working", "who": "Ana", "number": 1, "of": 3,
        }  # fmt: skip


@pytest.mark.parametrize(
    ("told", "line"),
    [
        ("Dora bids.", "Only lose was possible, so it was played for you: nobody has said win."),
        ("You can only say lose: nobody has said win.", None),
    ],
)
async def test_an_answer_given_by_the_rules_is_explained_once(told: str, line: str | None) -> None:
    session = ScriptedSession()
    started, event, *_ = kitchen_table().moments
    assert isinstance(event, Told)
    session.feed(started, Told(event.event, told, event.view))
    session.feed(Settled("lose", "rules", "nobody has said win"), Notice("On we go."))
    async with pipes(session) as window:
        await window.hear("On we go.")
        assert [text for text in window.lines if "possible" in text] == ([line] if line else [])


async def test_who_looks_on_is_told_the_game_and_that_nothing_typed_reaches_it() -> None:
    table = kitchen_table()
    session = ScriptedSession("", table.game)
    session.looks_on = True
    session.refuses["say"] = LocalError("you are looking on: only who plays can talk here")
    session.feed(Started(table.game, ("Ana", "Bo"), None))
    async with pipes(session) as window:
        await window.hear("You look on: Liar's Dice (Dudo) with Ana and Bo.")
        window.type("3x4", "'hello", "help", "seat")
        await window.hear("You are looking on: nobody asks you for a move ('3x4').")
        await window.hear("You are looking on: only who plays can talk here.")
        await window.hear("seat: wait for a seat in the next game.")
        assert not window.heard("hand: what you hold")
        window.close()  # a script that has ended keeps nobody from looking on
        session.feed(Notice("A word.", "sys"))
        await window.hear("A word.")
        assert not window.heard(ENDED)
        assert session.done == [("wish",)]


async def test_a_program_counts_places_as_the_table_does_whatever_is_sorted() -> None:
    session = seated(lives_table())
    async with pipes(session, as_json=True) as window:
        await window.hear('"moment": "asked"')
        window.type("sort rank", "set sort suit", "#1")
        hand = session.game.pieces(lives_table().table.run.state)["Cai"]
        first = session.seen[hand[0]]  # type: ignore[index]
        await window.until(lambda: session.done == [("answer", f"play {first}")], "the first card")
