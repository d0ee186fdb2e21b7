"""The full-screen client at a table, through keys and a screen."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from functools import partial

import pytest
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output
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
from support.clients.terminal import (
    CTRL_C,
    CTRL_P,
    ENTER,
    ESC,
    F1,
    F4,
    F6,
    PAGE_DOWN,
    PAGE_UP,
    RIGHT,
    SHIFT_TAB,
    TAB,
    UP,
    Terminal,
    terminal,
)
from support.clients.windows import asked, opened

from sobremesa.cli.draw.theme import Theme
from sobremesa.cli.screen import table as table_screen
from sobremesa.cli.screen.app import run_app
from sobremesa.cli.session.moments import (
    Absent,
    Asked,
    Chat,
    Notice,
    Over,
    RoomChanged,
    Settled,
    Working,
)
from sobremesa.cli.session.session import Again, Session
from sobremesa.core.errors import LocalError, SobremesaError, TableEnded
from sobremesa.net.events import Absence

LEAVE = "[y] yes"


def away(name: str, patience: float | None = None, *, choice: bool = False) -> Absent:
    """Somebody is away from now on."""
    now = asyncio.get_running_loop().time()
    until = None if patience is None else now + patience
    return Absent((Absence(name, now, until, choice),), 4)


async def test_a_typed_move_is_answered_and_told() -> None:
    session = at_the_table()
    async with opened(session) as window:
        await window.see("threes: you hold 3, expect 8.0", "b Raise: 4x4")
        session.status.asked = ("Dora",)
        session.status.asked_at = asyncio.get_running_loop().time()
        window.type("5 threes" + ENTER)
        await window.see("You bid 5 threes.", "Moves  not now: Dora is to play")
        assert window.lines[0].rstrip().endswith("4 seats   Dora's turn, 0:00")
        assert ("answer", "5x3") in session.done
        assert window.input_line == ">"


async def test_hint_is_shown_while_a_bid_is_typed() -> None:
    async with asked() as (_, window):
        window.type("5 threes")
        await window.see("5x3 is a brave one.")
        window.type(ESC)
        await window.see("Enter plays")


async def test_an_error_keeps_the_line_until_it_is_changed() -> None:
    async with asked() as (session, window):
        window.type("99 threes" + ENTER)
        await window.see("Count must be 2 to 20 (you typed 99).")
        assert window.input_line == "> 99 threes"
        window.type("x")
        await window.see_gone("Count must be")
        assert not session.done


async def test_illegal_move_keeps_the_line_and_says_why() -> None:
    async with asked() as (_, window):
        window.type("4x2" + ENTER)
        await window.see("4 twos is too low")
        assert window.input_line == "> 4x2"


async def test_unknown_text_is_never_chat_and_the_quote_sign_is() -> None:
    async with asked() as (session, window):
        window.type("nice weather" + ENTER)
        await window.see("I don't know 'nice weather'. To chat, start with '.")
        window.type(ESC)
        await window.until(lambda: window.input_line == ">")
        window.type("'nice weather" + ENTER)
        await window.see("Cai: nice weather")
        window.type("/say indeed" + ENTER)
        await window.see("Cai: indeed")
        assert [deed for deed in session.done if deed[0] == "say"] == [
            ("say", "nice weather"),
            ("say", "indeed"),
        ]


async def test_tab_completes_only_what_is_legal_and_shows_the_choice() -> None:
    async with asked() as (_, window):
        window.type("4 " + TAB)
        await window.until(lambda: window.input_line == "> 4 ones")
        assert window.footer == ">4 ones< 4 fours  4 fives  4 sixes"
        window.type(TAB)
        await window.until(lambda: window.input_line == "> 4 fours")
        window.type(SHIFT_TAB)
        await window.until(lambda: window.input_line == "> 4 ones")
        window.type(ESC + "/pr" + TAB)
        await window.until(lambda: window.input_line == "> /proof")


async def test_escape_empties_the_line_and_up_brings_lines_back() -> None:
    async with asked() as (_, window):
        window.type("'hello" + ENTER)
        await window.see("Cai: hello")
        window.type("half a li")
        await window.until(lambda: window.input_line == "> half a li")
        window.type(ESC)
        await window.until(lambda: window.input_line == ">")
        window.type(CTRL_P)
        await window.until(lambda: window.input_line == "> 'hello")


async def test_enter_at_a_reveal_is_ready_and_a_half_typed_line_survives_it() -> None:
    async with asked() as (session, window):
        window.type("dudo" + ENTER)
        await window.see("Going on in", "You were wrong to doubt, so you lose a")
        assert "1   2   4   4   6" in window.text
        row = next(place for place, line in enumerate(window.lines) if "Ana  " in line)
        cells = [window.glass.buffer[row][column] for column in range(56)]
        grounds = [cell.bg for cell in cells if cell.data in "12446" and cell.bg != "default"]
        assert len(grounds) == 5
        assert grounds[0] not in grounds[1:], "the one that counts is painted as no other"
        assert len(set(grounds[1:])) == 1
        window.type(ENTER)
        await window.see("Round 2: 19 dice", "you open")
        assert ("go_on",) in session.done

        window.type("1x2" + ENTER)
        await window.see("You bid 1 two.")


async def test_a_move_typed_at_a_reveal_waits_in_the_line() -> None:
    async with asked() as (session, window):
        window.type("dudo" + ENTER)
        await window.see("Going on in")
        window.type("2 sixes")
        await window.until(lambda: window.input_line == "> 2 sixes")
        window.type(ENTER)
        await window.see("19 dice on the table", "b Bid")
        await window.see_gone("Your line is kept")
        assert window.input_line == "> 2 sixes"
        assert session.done == [("answer", "dudo"), ("go_on",)]
        window.type(ENTER)
        await window.see("You bid 2 sixes.")


async def test_leaving_asks_and_the_default_is_no() -> None:
    async with asked() as (session, window):
        for no in (ENTER, "n", ESC):
            window.type(CTRL_C)
            await window.see(LEAVE, "You give up your seat")
            window.type(no)
            await window.see_gone(LEAVE)
        assert session.done == []
        window.type("/leave" + ENTER)
        await window.see(LEAVE)
        window.type("y")
        assert await window.ended() == 3
        assert session.done == [("leave",)]


async def test_a_dialog_swallows_every_other_key() -> None:
    async with asked() as (session, window):
        window.type("dudo")
        await window.until(lambda: window.input_line == "> dudo")
        window.type(CTRL_C)
        await window.see(LEAVE)
        window.type("xq" + TAB + UP + F1)
        await window.settle()
        assert LEAVE in window.text
        assert window.input_line == "> dudo"
        window.type(ENTER)
        await window.see_gone(LEAVE)
        assert session.done == []  # Enter closed the dialog and did not play the line
        window.type(ENTER)
        await window.see("Going on in")
        assert session.done == [("answer", "dudo")]


async def test_the_network_goes_on_behind_a_dialog_without_closing_it() -> None:
    async with asked() as (session, window):
        window.type(CTRL_C)
        await window.see(LEAVE)
        session.feed(Notice("Dora is slow today."), away("Dora"))
        await window.see("! Dora is away 0:00")
        assert LEAVE in window.text


async def test_help_covers_the_screen_and_gives_the_line_back() -> None:
    async with asked() as (session, window):
        window.type("5 thr")
        await window.until(lambda: window.input_line == "> 5 thr")
        window.type(F1)
        await window.see("[Moves]", "How to type")
        window.type(RIGHT)
        await window.see("[Rules]", "Liar's Dice (Dudo): rules")
        first = window.lines[4]
        window.type("\x1b[6~")
        await window.until(lambda: window.lines[4] != first)
        session.feed(Chat("Ana", "still there?"))
        window.type("q")
        await window.see("Ana: still there?", "> 5 thr")
        window.type(ESC + "?" + ENTER)
        await window.see("[Moves]")
        window.type(ESC)
        await window.see("threes: you hold 3")
        window.type("/tips" + ENTER)
        await window.see("[Tips]")


async def test_help_says_whose_turn_it_is_and_lets_time_stand_where_nobody_else_waits() -> None:
    session = Held()
    session.feed(*kitchen_table().moments)
    async with opened(session) as window:
        await window.see("b Raise")
        session.status.seconds_left = 37
        window.type(F1)
        await window.see("[Moves]", "Your turn, 37 s left: time stands while you read")
        assert session.done == [("hold",)]
        window.type(ESC)
        await window.see("threes: you hold 3")
        assert session.done == [("hold",), ("let go",)]


async def test_a_move_is_made_ready_while_others_think_and_esc_takes_it_back() -> None:
    *before, turn = kitchen_table().moments
    session = ScriptedSession()
    session.feed(*before)
    async with opened(session) as window:
        await window.see("Bento bids 4 threes.")
        window.type("5 threes" + ENTER)
        await window.see("Ready for your turn: 5 threes. Esc takes it back.")
        assert window.input_line == ">"
        window.type("x")
        await window.see_gone("Ready for your turn")
        window.type(ESC)
        await window.see("Ready for your turn")
        window.type(ESC)
        await window.see("Taken back: 5 threes.")
        window.type("good morning" + ENTER)
        await window.see("You are not asked for a move now")
        assert window.input_line == "> good morning"
        window.type(ESC)
        await window.until(lambda: window.input_line == ">")
        window.type("2 twos" + ENTER)
        await window.see("Ready for your turn: 2 twos.")
        session.feed(turn)
        await window.see("2 twos, made ready, is not played: 2 twos is too low")
        assert session.done == []


async def test_a_move_that_was_made_ready_is_played_when_it_is_asked_for() -> None:
    *before, turn = kitchen_table().moments
    session = ScriptedSession()
    session.feed(*before)
    async with opened(session) as window:
        await window.see("Bento bids 4 threes.")
        window.type("5 threes" + ENTER)
        await window.see("Ready for your turn: 5 threes.")
        session.feed(turn)
        await window.until(lambda: session.done == [("answer", "5x3")])
        await window.see_gone("Ready for your turn")


async def test_lines_that_come_at_once_are_held_as_one_and_never_played() -> None:
    async with asked() as (session, window):
        window.type("5 threes\rdudo\r")
        await window.see("Several lines came at once")
        assert window.input_line == "> 5 threes dudo"
        assert session.done == []
        window.type(ESC)
        await window.until(lambda: window.input_line == ">")
        window.type("5 threes" + ENTER)
        await window.see("You bid 5 threes.")
        assert session.done == [("answer", "5x3")]


class Held(ScriptedSession):
    """A session against bots."""

    def hold(self) -> bool:
        self._do("hold")
        return True

    def let_go(self) -> None:
        self._do("let go")


async def test_f6_and_proof_say_why_it_is_verified() -> None:
    session = at_the_table()
    session.status.proof = "Every message so far is signed."
    async with opened(session) as window:
        await window.see("b Raise")
        window.type(F6)
        await window.see("[Proof]", "Every message so far is signed.")
        window.type(ESC)
        await window.see("threes: you hold 3")
        window.type("proof" + ENTER)
        await window.see("[Proof]")


async def test_an_unverified_table_says_so_in_the_status_line() -> None:
    session = at_the_table()
    session.status.verified = False
    async with opened(session) as window:
        await window.see("! not verified")


async def test_the_log_turns_back_and_new_lines_do_not_move_it() -> None:
    chat = [Chat("Ana", f"line {number}") for number in range(60)]
    session = at_the_table(*chat)
    async with opened(session) as window:
        await window.see("line 59")
        window.type(PAGE_UP)
        await window.see("line 40")
        await window.see_gone("line 59")
        before = window.lines[2]
        session.feed(Chat("Ana", "line 60 with so many words that it needs three rows"))
        await window.settle()
        assert window.lines[2] == before
        window.type(PAGE_DOWN * 3)
        await window.see("line 60")


async def test_f4_shows_the_log_where_only_one_pane_has_room() -> None:
    session = at_the_table(Chat("Ana", "that's brave"))
    async with opened(session, 60, 20) as window:
        await window.see("4 threes", "last bid")
        assert "brave" not in window.text
        window.type(F4)
        await window.see("Ana: that's brave")
        assert "last bid" not in window.text
        window.type(F4)
        await window.see("last bid")


async def test_a_banner_stands_until_it_is_over() -> None:
    async with asked() as (session, window):
        session.feed(away("Dora", 60.0))
        await window.see("! Dora is away 0:00 of 1:00. Then: wait on, go on without Dora, end")
        await window.see("! Dora is away 0:01 of")  # nothing happened but that a second passed
        session.feed(Notice("Dora is back", "good"), Absent())
        await window.see_gone("! Dora is away")
        await window.see("Dora is back.")


async def test_whom_the_table_waits_for_is_shown_with_the_time_that_it_takes() -> None:
    async with asked() as (session, window):
        session.status.asked, session.status.seconds = ("Dora", "Ana"), 60
        session.status.asked_at = asyncio.get_running_loop().time() - 34
        window.type("5 threes" + ENTER)
        await window.see("Moves  not now: Dora and Ana are to answer")
        assert re.search("2 to answer · 0:3[4-9] of 1:00$", window.lines[0])


async def test_who_would_go_on_without_somebody_is_asked_and_may_take_it_back() -> None:
    async with asked() as (session, window):
        window.type("/without" + ENTER)
        await window.see("The table waits for nobody who is away.")
        window.type(ESC)
        session.feed(away("Dora", 60.0))
        await window.see("! Dora is away")
        window.type("/without" + ENTER)
        await window.see("Dora's seat is kept until 1:00: wait for that, or leave.")
        window.type(ESC)
        session.feed(away("Dora", 60.0, choice=True))
        await window.see("of 1:00. /without  /wait  /leave")
        window.type("/without d" + TAB + ENTER)
        await window.see("Go on without Dora?", LEAVE)
        assert session.done == []
        window.type("y")
        await window.see_gone(LEAVE)
        window.type("/wait" + ENTER)
        await window.until(lambda: session.done == [("without", "Dora"), ("stay", "Dora")])


async def test_any_size_down_to_one_cell_is_survived() -> None:
    async with asked() as (_, window):
        window.type(CTRL_C)
        await window.see(LEAVE)
        for size in ((1, 1), (3, 2), (80, 1), (1, 40), (40, 12), (200, 60), (5, 5)):
            window.resize(*size)
            await asyncio.sleep(0.06)
        window.resize(80, 24)
        await window.see(LEAVE, "b Raise")
        window.type(ENTER + F1)
        await window.see("[Moves]")
        for size in ((1, 1), (2, 3), (41, 4), (80, 24)):
            window.resize(*size)
            await asyncio.sleep(0.06)
        window.type(ESC)
        await window.see("b Raise")
        window.resize(38, 10)
        await window.see("Window too small", "The game goes on.")


async def test_hostile_text_neither_moves_the_cursor_nor_breaks_the_panes() -> None:
    nasty = "\x1b[2J\x1b[1;1H\x07<b>x</b>\u202eevil " + "W" * 300 + "日本" * 40
    async with asked(Chat(nasty, nasty), Notice(nasty), Absent((Absence(nasty, 0.0),))) as (
        _,
        window,
    ):
        await window.see("<b>x</b>")
        assert all(line[56] == "│" for line in window.lines[2:15] if len(line) > 56), window.text
        assert window.lines[0].startswith(" Liar's Dice")
        assert window.glass.bells <= 1  # the bell of our turn


async def test_the_bell_and_the_title_say_that_it_is_our_turn() -> None:
    async with asked() as (session, window):
        assert window.glass.title == "your turn - Sobremesa"
        assert window.glass.bells == 1
        session.feed(Chat("Ana", "hello"))
        await window.see("Ana: hello")
        window.type("5x3" + ENTER)
        await window.see("You bid 5 threes.")
        assert window.glass.title == "Sobremesa"
        assert window.glass.bells == 1


async def test_chat_and_guests_ring_where_that_is_wanted() -> None:
    session = ScriptedSession()
    bells = Theme(bell=frozenset({"chat", "join"}))
    async with opened(session, theme=bells) as window:
        session.feed(waiting_room())
        await window.see("Kitchen table", "(you)")
        before = window.glass.bells
        session.feed(Chat("Ana", "hello"), Chat("Cai", "my own"))
        await window.see("Cai: my own")
        assert window.glass.bells == before + 1


async def test_waiting_room_shows_seats_code_and_takes_its_words() -> None:
    session = ScriptedSession("Ana")
    async with opened(session) as window:
        session.feed(waiting_room("Ana", opener=True))
        await window.see("Join code  123456", "192.168.1.7:4711", "Ana (you, opened", "(free)")
        words = ["ready", "bot", "start", "unready"]
        for count, word in enumerate(words, 1):
            window.type(word + ENTER)
            await window.until(partial(_did, session, count), word)
        assert [deed[0] for deed in session.done] == words
        session.refuses["start"] = LocalError("too few are here: 2 are needed")
        window.type("start" + ENTER)
        await window.see("Too few are here: 2 are needed.")
        assert window.input_line == "> start"


def _did(session: ScriptedSession, count: int) -> bool:
    return len(session.done) == count


async def test_the_opener_removes_a_guest_and_all_compare_their_keys() -> None:
    session = ScriptedSession("Ana")
    async with opened(session) as window:
        session.feed(waiting_room("Ana", opener=True))
        await window.see("Keys babad-bamag-bibaj-bimal-boban-bomar-bubat-bumaz")
        window.type("remove c" + TAB)
        await window.until(lambda: window.input_line == "> remove Cai", "the name")
        window.type(" we wait for Eva" + ENTER)
        await window.see("Remove Cai? That machine cannot come back to this table.")
        window.type("y")
        await window.until(lambda: session.done == [("remove", "Cai", "we wait for Eva")], "it")
        await window.see_gone("[y] yes")
        session.refuses["remove"] = LocalError("no guest is called Cai here")
        window.type("remove 3" + ENTER)
        await window.see("[y] yes")
        window.type("y")
        await window.see("No guest is called Cai here.")
        window.type("keys" + ENTER)
        await window.see("[Keys]", "babad-bamag-", "Read them to each other")


async def test_a_guest_has_no_words_of_the_opener() -> None:
    session = ScriptedSession()
    async with opened(session) as window:
        session.feed(waiting_room())
        await window.see("(you)")
        window.type("start" + ENTER)
        await window.see("'start'")
        assert session.done == []


async def test_after_the_game_the_ranking_stands_and_enter_leaves_with_its_status() -> None:
    over = Over("Ana is the last with dice.", 0, (("Ana",), ("Cai", "Dora"), ("Bento",)), True)
    session = at_the_table(over)
    async with opened(session) as window:
        await window.see("game over", "1. Ana", "2. you", "2. Dora", "4. Bento")
        await window.see("✓ verified")
        window.type(ENTER)
        assert await window.ended() == 0
        assert session.done == []  # there is nothing to leave any more


PASTE = "\x1b[200~{}\x1b[201~"


async def test_what_is_pasted_is_one_line() -> None:
    async with asked() as (session, window):
        window.type(PASTE.format("'hello\r\nworld\n\tand all\n"))
        await window.until(lambda: window.input_line == "> 'hello world and all", "one line")
        window.type(ENTER)
        await window.until(lambda: session.done == [("say", "hello world and all")], "chat")


async def test_the_prompt_is_back_after_a_line_that_was_too_long() -> None:
    async with asked() as (_, window):
        window.type("'" + "x" * 100 + "end")
        await window.until(lambda: window.input_line.endswith("xend"), "the end of the line")
        window.type(ENTER)
        await window.until(lambda: window.input_line == ">", "the prompt")
        window.type("5")
        await window.until(lambda: window.input_line == "> 5", "the prompt before the next")


async def test_a_move_that_comes_after_the_time_ran_out_is_too_late() -> None:
    session = at_the_table(Settled("pass", "clock"))
    async with opened(session) as window:
        await window.see("Moves  not now")
        window.type("dudo" + ENTER)
        await window.see("Too late: your time had run out before 'dudo' came.")
        assert session.done == []


async def test_what_the_others_do_about_another_game_is_shown_while_it_is_offered() -> None:
    session, offer = finished()
    async with opened(session) as window:
        await window.see("[again] Once more together")
        await offer.tell("Bea wants another game.")
        await window.see("Bea wants another game.")
        window.type("good morning" + ENTER)
        await window.see("[again] Once more together", "To chat, start with '.")
        window.type(ESC)
        window.type("'hello" + ENTER)
        await window.until(lambda: session.done == [("say", "hello")])
        window.type("again" + ENTER)
        await window.see("One moment")
        window.type(ENTER)
        await window.see("You are on your way to a table already.")
        window.type("l" + ENTER)
        assert await window.ended() == 0
        assert offer.declined


async def test_another_game_is_not_offered_any_more_when_the_opener_has_left() -> None:
    session, offer = finished()
    async with opened(session) as window:
        await window.see("[again] Once more together")
        offer.trouble.set_exception(LocalError("Ana has left"))
        await window.see_gone("[again]")
        await window.see("Ana has left.", "[leave] Leave")
        window.type("again" + ENTER)
        await window.see("There is no other game at this table.")


async def test_after_the_game_one_may_play_again_with_the_same_people() -> None:
    session = at_the_table(Over("Ana wins.", 0, (("Ana",), ("Cai",)), True))
    tries: list[ScriptedSession] = []

    async def again() -> ScriptedSession:
        tries.append(ScriptedSession())
        if len(tries) == 1:
            raise LocalError("Ana has not opened the table again yet")
        tries[-1].feed(waiting_room())
        return tries[-1]

    session.again = Again(again)
    async with opened(session) as window:
        await window.see("Ana wins.", "[again] Once more together")
        window.type("again" + ENTER)
        await window.see("Ana wins.", "Ana has not opened the table again yet.")
        window.type("again" + ENTER)
        await window.see("Kitchen table", "(you)")
        window.type(CTRL_C)
        await window.see("Leave the table?")
        window.type("y")
        assert await window.ended() == 3
        assert tries[-1].done == [("leave",)]


async def test_a_game_whose_record_fails_says_so_and_exits_1() -> None:
    session = at_the_table(Over("Not verified: Bento signed twice.", 1, None, False))
    async with opened(session) as window:
        await window.see("Bento signed twice", "! The record is NOT verified")
        window.type(CTRL_C)
        assert await window.ended() == 1


async def test_when_the_terminal_goes_away_the_seat_is_kept() -> None:
    async with asked() as (session, window):
        window.keys.close()
        assert await window.ended() == 3
        assert session.done == [("step out",)]


async def test_a_terminal_that_cannot_be_written_to_any_more_is_left_without_a_traceback() -> None:
    async with asked() as (session, window):
        window.wire.cut = True
        window.keys.close()
        assert await window.ended() == 3
        assert session.done == [("step out",)]


@pytest.mark.parametrize(("name", "status"), [("SIGTERM", 143), ("SIGHUP", 129), ("SIGINT", 130)])
async def test_a_signal_keeps_the_seat_says_so_and_restores_the_terminal(
    name: str, status: int
) -> None:
    async with asked() as (session, window):
        os.kill(os.getpid(), getattr(signal, name))
        assert await window.ended() == status
        assert session.done == [("step out",)]
        _, after = window.wire.raw.rsplit("\x1b[?1049l", 1)
        assert "\x1b[?1049h" not in after
        assert "Your seat at Kitchen table is kept: sobremesa resume." in after


async def test_a_table_that_does_not_let_go_is_left_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sobremesa.cli.words.controller.LEAVING_LIMIT", 0.05)

    session = Sticky()
    session.feed(*kitchen_table().moments)
    async with opened(session) as window:
        await window.see("b Raise")
        window.type(CTRL_C)
        await window.see(LEAVE)
        window.type("y")
        assert await window.ended() == 3


async def test_a_table_that_cannot_be_reached_ends_the_client_with_its_reason() -> None:
    async def sit() -> Session:
        raise TableEnded("the table is full (5/5)")

    async def client(keys: Input, screen: Output) -> int:
        return await run_app(sit, Theme(), input=keys, output=screen)

    with pytest.raises(TableEnded, match="full"):
        async with terminal(client) as window:
            await window.ended()


async def test_a_broken_task_ends_the_client_in_one_line_and_restores_the_terminal() -> None:
    session = Broken(ZeroDivisionError("a bug"))
    async with opened(session) as window:
        with pytest.raises(SobremesaError, match=r"client broke \(ZeroDivisionError: a bug\)"):
            await window.ended()
        assert "\x1b[?1049l" in window.wire.raw
        assert session.done == [("step out",)]


async def test_ascii_theme_paints_nothing_else() -> None:
    async with asked(Chat("Zoë", "señor …"), theme=Theme(ascii=True)) as (_, window):
        await window.see("Zoe: senor ...")
        window.type(F1)
        await window.see("[Moves]")
        assert window.text.isascii()


async def test_colors_mono_drops_colour_at_once_and_keeps_reverse() -> None:
    async with asked() as (_, window):
        coloured = {c.fg for row in window.glass.buffer.values() for c in row.values()}
        assert coloured - {"default"}
        window.type("/colors mono" + ENTER)
        await window.settle()
        cells = [c for row in window.glass.buffer.values() for c in row.values()]
        assert {c.fg for c in cells} == {"default"}
        assert any(c.reverse for c in cells)
        window.type("/colors pink" + ENTER)
        await window.see("Colors must be 4 or 2 or mono")


async def test_time_left_is_counted_in_the_status_line() -> None:
    async with opened(at_the_table()) as window:
        await window.see("your turn 0:40")
        await window.see("your turn 0:39")


async def test_a_second_room_after_the_game_is_shown_again() -> None:
    async with asked() as (session, window):
        room = waiting_room()
        assert isinstance(room, RoomChanged)
        session.feed(room)
        await window.see("waiting room", "[ready]")


async def test_asked_while_typing_does_not_touch_the_line() -> None:
    session, table = ScriptedSession(), kitchen_table()
    *before, asked = table.moments
    assert isinstance(asked, Asked)
    session.feed(*before)
    async with opened(session) as window:
        await window.see("Bento bids 4 threes.")
        window.type("'half")
        await window.until(lambda: window.input_line == "> 'half")
        session.feed(asked)
        await window.see("b Raise")
        assert window.input_line == "> 'half"


async def test_cards_are_played_by_face_alone_and_by_place() -> None:
    for typed in ("qs", "play QS", "#1"):
        session = seated(lives_table())
        async with opened(session) as window:
            await window.see("p Play: play QC")
            window.type(typed + ENTER)
            await window.see("You play the queen of")
            assert session.done == [("answer", "play QS")]


async def test_a_hand_is_sorted_as_its_player_likes() -> None:
    async with opened(seated(lives_table())) as window:
        await window.see("p Play")
        for typed, shown in (
            ("sort rank", ("2     3     8     Q     Q", "♦     ♣     ♥     ♠     ♣")),
            ("/sort deal", ("Q     Q     8     3     2", "♣     ♠     ♥     ♣     ♦")),
            ("sort suit", ("Q     8     2     3     Q", "♠     ♥     ♦     ♣     ♣")),
        ):
            window.type(typed + ENTER)
            await window.see(*shown)
        window.type("sort colour" + ENTER)
        await window.see("Sort by what? Type sort and one of suit, rank, dealt.")


async def test_tab_offers_cards_and_a_wrong_card_names_those_one_has() -> None:
    async with opened(seated(lives_table())) as window:
        await window.see("p Play")
        window.type(TAB)
        await window.until(lambda: window.input_line == "> QS")
        assert window.footer == ">QS< 8H  2D  3C  QC"
        window.type(ESC + "KH" + ENTER)
        await window.see("Card must be one of yours: QC, QS, 8H, 3C, 2D (you typed KH).")
        assert window.input_line == "> KH"


def colours(window: Terminal) -> dict[str, str]:
    """The colour of each suit on the screen."""
    cells = [cell for row in window.glass.buffer.values() for cell in row.values()]
    return {cell.data: cell.fg for cell in cells if cell.data in "♠♥♦♣"}


async def test_colors_switches_suits_live_between_four_and_two() -> None:
    async with opened(seated(lives_table())) as window:
        await window.see("p Play")
        assert len(set(colours(window).values())) == 4
        window.type("/colors 2" + ENTER)
        await window.until(lambda: len(set(colours(window).values())) == 2, "two colours")
        seen = colours(window)
        assert (seen["♥"], seen["♠"]) == (seen["♦"], seen["♣"])
        window.type("/colors 4" + ENTER)
        await window.until(lambda: len(set(colours(window).values())) == 4, "four colours")


@pytest.fixture
def no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_screen, "GRACE", 0.0)


@pytest.mark.usefixtures("no_grace")
@pytest.mark.parametrize(("key", "notation"), [("!", "liar"), (" ", "pass")])
async def test_a_quick_key_answers_at_one_press_in_a_window(key: str, notation: str) -> None:
    session = seated(intrigue_table())
    async with opened(session) as window:
        await window.see("! Liar!", "Space Let it pass", "10 s left", "speak now 0:10")
        window.type(key)
        await window.until(lambda: session.done == [("answer", notation)], notation)
        assert window.input_line == ">"


@pytest.mark.usefixtures("no_grace")
async def test_quick_keys_are_letters_of_a_line_that_is_not_empty() -> None:
    session = seated(intrigue_table())
    async with opened(session) as window:
        await window.see("! Liar!")
        window.type("'no way! really ")
        await window.until(lambda: window.input_line == "> 'no way! really")
        window.type(ENTER)
        await window.see("Cai: no way! really")
        assert session.done == [("say", "no way! really")]
        window.type("l" + ENTER)
        await window.until(lambda: ("answer", "liar") in session.done, "the letter with Enter")


@pytest.mark.usefixtures("no_grace")
async def test_quick_keys_act_only_in_a_window_that_is_timed() -> None:
    session, table = ScriptedSession(game=intrigue_table().game), intrigue_table()
    *before, asked = table.moments
    assert isinstance(asked, Asked)
    session.feed(*before)
    async with opened(session) as window:
        await window.see("Ana claims the Banker")
        window.type("!")  # nobody asks
        await window.until(lambda: window.input_line == "> !")
        window.type(ESC + " ")
        await window.settle()
        session.feed(Asked(asked.question, asked.view, 0))
        await window.see("l Liar!", "p Let it pass")
        window.type("!")
        await window.until(lambda: window.input_line.endswith("!"), "a typed sign")
        assert session.done == []
        window.type(ESC + " ")
        await window.settle()
        session.feed(Settled("pass", "player"), asked)
        await window.see("! Liar!")
        window.type(" ")  # the blank before it was typed for nothing and is no line
        await window.until(lambda: session.done == [("answer", "pass")], "an answer")
        window.type("'x")
        await window.until(lambda: window.input_line == "> 'x", "a line without that blank")


async def test_a_press_just_after_a_window_opened_is_no_answer() -> None:
    session = seated(intrigue_table())
    async with opened(session) as window:
        window.type(" ")  # meant for whatever stood there before
        await window.see("! Liar!")
        window.type("!")
        await window.see("That was quick. Press it again if you mean this question.")
        assert session.done == []
        await asyncio.sleep(table_screen.GRACE)
        window.type("!")
        await window.until(lambda: session.done == [("answer", "liar")], "an answer")


async def test_a_window_counts_its_seconds_where_the_moves_are() -> None:
    async with opened(seated(intrigue_table())) as window:
        await window.see("10 s left", "9 s left", "speak now 0:09")


async def test_long_work_is_shown_while_typing_chat_and_help_stay_alive() -> None:
    session, table = ScriptedSession(), kitchen_table("Dora")
    session.feed(*table.moments, Working("Ana", 1, 4), Working("Bento", 2, 4))
    async with opened(session) as window:
        await window.see("Bento bids 4 threes.")
        assert "Shuffling" not in window.text
        window.type("'still he")
        await window.see("Shuffling 2 of 4  ████░░░░  Bento now", "> 'still he")
        await window.see("Bento is slow (")
        window.type("re" + ENTER)
        await window.see("Cai: still here")
        window.type(F1)
        await window.see("[Moves]")
        window.type(ESC)
        session.feed(Working("Dora", 3, 4))
        await window.see("Shuffling 3 of 4  ██████░░  you now")
        session.feed(Working())
        await window.see_gone("Shuffling")
