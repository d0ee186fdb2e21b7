"""Arrows and the mouse at a table, beside the typed word; and what is told beat by beat."""

from __future__ import annotations

import pytest
from support.clients.sessions import intrigue_table, lives_table, seated
from support.clients.situations import SITUATIONS, screen_of
from support.clients.terminal import DOWN, ENTER, ESC, LEFT, RIGHT, UP, Terminal
from support.clients.windows import asked, opened

from sobremesa.cli.draw.theme import Theme
from sobremesa.cli.screen.spotlight import Spotlight
from sobremesa.cli.words.pointing import Pointing
from sobremesa.core.views import Headline, Row, Seats, View

MOUSE = Theme(mouse=True)


def click(window: Terminal, text: str, row: int | None = None) -> str:
    """The bytes of a click at the first place where this is to be seen."""
    rows = range(len(window.lines)) if row is None else [row]
    y = next(place for place in rows if text in window.lines[place])
    x = window.lines[y].index(text)
    return f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m"


async def test_nothing_is_pointed_at_before_an_arrow_and_a_bare_enter_plays_nothing() -> None:
    async with asked() as (session, window):
        for _ in range(2):
            window.type(ENTER)
            await window.settle()
        assert session.done == []
        assert window.shows("b Raise: 4x4")


async def test_arrows_walk_the_bids_and_enter_bids() -> None:
    async with asked() as (session, window):
        window.type(RIGHT)
        await window.see("b Raise: 4x4")
        window.type(RIGHT)
        await window.see("b Raise: 4x5", "4x5 is a brave one.")
        window.type(LEFT + LEFT + LEFT)
        await window.see("b Raise:")
        window.type(RIGHT + RIGHT + RIGHT + ENTER)
        await window.see("You bid 4 fives.")
        assert session.done == [("answer", "4x5")]


async def test_up_and_down_walk_the_moves_and_escape_points_at_nothing() -> None:
    async with asked() as (session, window):
        window.type(DOWN + DOWN)
        await window.see("dudo is a brave one.")
        window.type(UP + UP)
        await window.see("exact is a brave one.")
        window.type(ESC)
        await window.see_gone("exact is a brave one.")
        window.type(ENTER)
        await window.settle()
        assert session.done == []
        window.type(DOWN + DOWN + ENTER)
        await window.see("You doubt Bento's 4")
        assert session.done == [("answer", "dudo")]


async def test_arrows_are_a_line_s_own_while_something_is_typed() -> None:
    async with asked() as (session, window):
        window.type("5x3" + LEFT + LEFT + LEFT + "1")
        await window.until(lambda: window.input_line == "> 15x3")
        assert session.done == []


async def test_the_cursor_goes_from_card_to_card_as_they_are_shown_and_its_hint_shows() -> None:
    session = seated(lives_table())
    async with opened(session) as window:
        await window.see("p Play")
        window.type(RIGHT)
        await window.see("p Play: play QS", "play QS is a brave one.")
        window.type(LEFT + RIGHT + RIGHT)
        await window.see("p Play: play 8H")
        window.type(RIGHT)
        await window.see("p Play: play 2D")
        window.type(ENTER)
        await window.until(lambda: session.done == [("answer", "play 2D")])


async def test_a_click_points_at_a_card_and_a_second_one_plays_it() -> None:
    session = seated(lives_table())
    async with opened(session, theme=MOUSE) as window:
        await window.see("p Play")
        row = next(place for place, line in enumerate(window.lines) if " 8 " in line)
        window.type(click(window, "8 ", row))
        await window.see("p Play: play 8H")
        assert window.shows("Trick 1 of 5")
        window.type(click(window, "8 ", row))
        await window.until(lambda: session.done == [("answer", "play 8H")])


async def test_a_click_at_a_move_points_at_it_and_a_second_one_plays() -> None:
    async with asked(theme=MOUSE) as (session, window):
        window.type(click(window, "d Dudo!"))
        await window.see("dudo is a brave one.")
        assert session.done == []
        window.type(click(window, "d Dudo!"))
        await window.see("You doubt Bento's 4")


async def test_a_click_beside_everything_does_nothing() -> None:
    async with asked(theme=MOUSE) as (session, window):
        window.type("\x1b[<0;1;3M\x1b[<0;1;3m")
        window.type(click(window, "Ana"))
        await window.settle()
        assert session.done == []
        assert window.shows("b Raise: 4x4")


async def test_in_a_window_the_arrows_never_accuse_by_themselves() -> None:
    async with opened(seated(intrigue_table())) as window:
        await window.see("! Liar!")
        window.type(RIGHT)
        await window.settle()
        assert window.shows("! Liar!")
        assert not window.shows("You say Liar!")


ASKED = [name for name in SITUATIONS if screen_of(SITUATIONS[name](), Theme()).question]


@pytest.mark.parametrize("name", ASKED)
def test_every_possible_move_can_be_pointed_at_and_whatever_is_reads_as_itself(name: str) -> None:
    screen = screen_of(SITUATIONS[name](), Theme())
    question, faces = screen.question, screen.faces
    assert question is not None
    pointing = Pointing()
    pointing.follow(question)
    reached = set()
    possible = {move.id for move in question.moves(faces) if move.disabled is None}
    for _ in possible:
        pointing.walk(1, faces, "suit")
        move = pointing.move
        for _ in range(12):
            while pointing.missing(faces):
                pointing.take(faces)
                pointing.step(1, faces, "suit")
            answer = pointing.answer(faces, "suit")
            if answer is not None and question.why_not(answer, faces) is None:
                reached.add(answer.move)
                text = pointing.text(faces, "suit")
                assert question.read(text, faces).move == answer.move
            pointing.taken.clear()
            if question.move(move).fields:
                pointing.step(1, faces, "suit")
    assert reached == possible


def test_several_cards_are_taken_one_by_one_and_put_back() -> None:
    screen = screen_of(SITUATIONS["house_of_jokers/choosing"](), Theme())
    pointing, faces = Pointing(), screen.faces
    pointing.follow(screen.question)
    pointing.step(1, faces, "suit")
    assert pointing.missing(faces) == "Space takes a card: 0 of 3 taken"
    for place in range(3):
        pointing.take(faces)
        assert pointing.taken == list(range(place + 1))
        pointing.step(1, faces, "suit")
    assert pointing.missing(faces) == ""
    pointing.take(faces)
    assert pointing.taken == [0, 1, 2], "no more than are wanted"
    pointing.step(-1, faces, "suit")
    pointing.take(faces)
    assert pointing.taken == [0, 1]
    assert pointing.answer(faces, "suit") is None


# What is told beat by beat.


def told(*texts: str, said: str = "") -> View:
    *beats, last = [(Headline(text), Seats((), (Row("Ana", (), said=said),))) for text in texts]
    return View("x", last, tuple(beats))


def head(view: View) -> str:
    (found,) = (block.text for block in view.blocks if isinstance(block, Headline))
    return found


def test_beats_follow_each_other_and_the_last_stays() -> None:
    light, view = Spotlight(), told("one", "two", "three")
    light.took(view, 100.0, 0.8)
    shown = [head(light.shown(view, 100.0 + after)) for after in (0.0, 0.7, 0.9, 1.5, 1.7, 60.0)]
    assert shown == ["one", "one", "two", "two", "three", "three"]
    assert light.plays(101.5)
    assert not light.plays(101.7)
    assert light.changes() == [0.8, 1.6]


def test_who_skips_or_does_not_rest_sees_the_last_beat_at_once() -> None:
    light, view = Spotlight(), told("one", "two", "three")
    light.took(view, 100.0, 0.8)
    light.skip()
    assert head(light.shown(view, 100.0)) == "three"
    light.took(view, 100.0)
    assert head(light.shown(view, 100.0)) == "three"


def test_who_said_something_is_lit_for_a_second_and_nobody_at_first() -> None:
    light = Spotlight()
    light.took(told("a", said="4 fives"), 1.0)
    assert light.lit(1.0) == frozenset()
    light.took(told("a", said="5 fives"), 2.0)
    assert light.lit(2.5) == {"Ana"}
    assert light.lit(3.1) == frozenset()
    light.took(told("a", said=""), 4.0)
    assert light.lit(4.0) == frozenset(), "what was taken away is no news"


async def test_cups_are_lifted_step_by_step_and_enter_skips_to_the_end() -> None:
    async with asked() as (session, window):
        window.type("dudo" + ENTER)
        await window.see("You doubt Bento's 4 threes")
        assert not window.shows("Counted: 7 threes"), "the cups are still down"
        window.type(ENTER)
        await window.see("Counted: 7 threes", "Going on in")
        assert ("go_on",) not in session.done
        window.type(ENTER)
        await window.see("Round 2: 19 dice")
        assert ("go_on",) in session.done
