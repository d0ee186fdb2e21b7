"""What the screens look like: situations of each game in each size, in Unicode, ASCII, words.

`UPDATE_GOLDEN=1 pytest tests/cli/test_goldens.py` writes them anew; look at the difference.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.clients.replays import DealtReplay, some_games
from support.clients.situations import SITUATIONS, QuietStage, screen_of

from sobremesa.cli.draw.cells import line_text, line_width
from sobremesa.cli.draw.layout import BELOW, log_width
from sobremesa.cli.draw.theme import Theme
from sobremesa.cli.screen.base import Screen
from sobremesa.cli.screen.records import RecordsScreen
from sobremesa.cli.screen.replay import ReplayScreen
from sobremesa.cli.words.grammar import example
from sobremesa.cli.words.recap import speak_recap
from sobremesa.cli.words.records import speak_records, speak_sums
from sobremesa.cli.words.speech import speak, speak_hand, speak_moves, speak_room
from sobremesa.core.views import Hand

GOLDEN = Path(__file__).parent.parent / "golden"
SIZES = ((80, 24), (60, 20), (100, 30), (150, 45), (41, 12))
DRAWN = re.compile("[\u2500-\u27bf\u2680-\u2685]")
"""Boxes, blocks, shapes and dice."""


def compare(name: str, text: str) -> None:
    path = GOLDEN / name
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8"), f"{name} has changed"


def drawn(situation: str, theme: Theme) -> str:
    screen = screen_of(SITUATIONS[situation](), theme)
    parts = []
    for width, height in SIZES:
        lines = screen.lines(width, height)
        rows = "\n".join(line_text(line).rstrip() for line in lines)
        parts.append(f"=== {width}x{height}\n{rows}\n")
    return "".join(parts)


def spoken(situation: str) -> str:
    screen = screen_of(SITUATIONS[situation](), Theme())
    story = screen.story
    lines = [said.text for said in story.log]
    if story.view is not None:
        lines += ["--- look", *speak(story.view, story.players)]
        lines += ["--- hand", speak_hand(story.view, story.players)]
    elif story.room is not None:
        lines += ["--- look", *speak_room(story.room)]
    if screen.question is not None:
        lines += ["--- moves", speak_moves(screen.question, screen.faces)]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("situation", SITUATIONS)
def test_screen_looks_as_it_did(situation: str) -> None:
    compare(f"{situation}.unicode.txt", drawn(situation, Theme()))


@pytest.mark.parametrize("situation", SITUATIONS)
def test_ascii_screen_looks_as_it_did_and_is_pure(situation: str) -> None:
    text = drawn(situation, Theme(ascii=True))
    assert text.isascii()
    compare(f"{situation}.ascii.txt", text)


@pytest.mark.parametrize("situation", SITUATIONS)
def test_words_are_as_they_were_and_without_drawing(situation: str) -> None:
    text = spoken(situation)
    assert not DRAWN.search(text)
    compare(f"{situation}.plain.txt", text)


@pytest.mark.parametrize("theme", [Theme(), Theme(ascii=True), Theme(pips=True)])
@pytest.mark.parametrize("situation", SITUATIONS)
def test_rows_fill_every_size_and_none_is_wider_than_its_pane(situation: str, theme: Theme) -> None:
    screen = screen_of(SITUATIONS[situation](), theme)
    for width in (1, 2, 7, 39, 40, 41, 55, 60, 71, 72, 80, 99, 100, 120, 200):
        for height in (1, 2, 3, 11, 12, 13, 20, 24, 30, 40):
            lines = screen.lines(width, height)
            assert len(lines) <= max(0, height - BELOW)
            assert all(line_width(line) <= width for line in lines), (width, height)
            if width >= 40 and height >= 12:
                assert len(lines) == height - BELOW


@pytest.mark.parametrize(
    "situation", ["dudo/asked", "dudo/eight", "dudo/reveal", "intriga/claimed"]
)
def test_table_and_log_stay_on_their_sides(situation: str) -> None:
    screen = screen_of(SITUATIONS[situation](), Theme())
    for width, height in ((80, 24), (150, 45)):
        left = width - log_width(width, height) - 1
        between = 0
        for line in screen.lines(width, height):
            if ("rule", "│") in line:
                place = len(line) - 1 - line[::-1].index(("rule", "│"))  # the table has an edge
                assert line_width(line[:place]) == left
                between += 1
        assert between > 10


def test_every_situation_shows_your_own_hand_in_the_smallest_window() -> None:
    for situation in SITUATIONS:
        screen = screen_of(SITUATIONS[situation](), Theme())
        text = "\n".join(line_text(line) for line in screen.lines(40, 12))
        view = screen.story.view
        own = [b for b in view.blocks if isinstance(b, Hand) and b.area == "hand"] if view else []
        if screen.question is not None:
            assert own
        if own and screen.story.over is None:
            assert own[0].label in text, situation


ASKED = [name for name in SITUATIONS if screen_of(SITUATIONS[name](), Theme()).question]


@pytest.mark.parametrize("situation", ASKED)
def test_hints_are_legal_and_hotkeys_unique(situation: str) -> None:
    screen = screen_of(SITUATIONS[situation](), Theme())
    question = screen.question
    assert question is not None
    moves = question.moves()
    assert len({move.hotkey for move in moves}) == len(moves)
    for move in moves:
        if move.disabled is None and move.hint:
            for hint in (move.hint, example(move, screen.faces)):
                answer = question.read(hint, screen.faces)
                assert question.why_not(answer, screen.faces) is None


AFTER: dict[str, Callable[[Any], Screen]] = {
    "after/records": lambda stage: RecordsScreen(stage, some_games()),
    "after/replay": lambda stage: _at(ReplayScreen(stage, DealtReplay()), 8),
    "after/replay-covered": lambda stage: _at(ReplayScreen(stage, DealtReplay(opens=False)), 2),
    "after/result": lambda stage: screen_of(SITUATIONS["cinco_vidas/result"](), stage.theme),
}
"""Screens after a game, by the path of their goldens."""


def _at(screen: ReplayScreen, event: int) -> ReplayScreen:
    screen.take_number(str(event))
    return screen


@pytest.fixture
def in_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("in_utc")
@pytest.mark.parametrize("theme", [Theme(), Theme(ascii=True)], ids=["unicode", "ascii"])
@pytest.mark.parametrize("name", AFTER)
def test_screens_after_a_game_look_as_they_did(name: str, theme: Theme) -> None:
    screen = AFTER[name](QuietStage(theme))
    parts = []
    for width, height in ((80, 24), (100, 30)):
        lines = screen.lines(width, height)
        assert len(lines) == height - BELOW
        assert all(line_width(line) <= width for line in lines)
        rows = "\n".join(line_text(line).rstrip() for line in lines)
        parts.append(f"=== {width}x{height}\n{rows}\n{theme.text(screen.keys())}\n")
    text = "".join(parts)
    assert text.isascii() or not theme.ascii
    compare(f"{name}.{'ascii' if theme.ascii else 'unicode'}.txt", text)


@pytest.mark.usefixtures("in_utc")
@pytest.mark.parametrize("name", AFTER)
def test_screens_after_a_game_survive_every_size(name: str) -> None:
    screen = AFTER[name](QuietStage(Theme()))
    for width in (1, 2, 39, 40, 41, 60, 71, 72, 80, 200):
        for height in (1, 2, 11, 12, 13, 24, 40):
            lines = screen.lines(width, height)
            assert len(lines) <= max(0, height - BELOW)
            assert all(line_width(line) <= width for line in lines), (width, height)


@pytest.mark.usefixtures("in_utc")
def test_words_after_a_game_are_as_they_were() -> None:
    games = some_games()
    lines = ["--- records", *speak_records(games)]
    lines += [line for title, some in speak_sums(games.sums) for line in (title, *some)]
    lines += ["--- replay", *(frame.text for frame in DealtReplay().frames)]
    for name in ("dudo", "cinco_vidas", "five_alive", "intriga"):
        story = screen_of(SITUATIONS[f"{name}/result"](), Theme()).story
        assert story.over is not None
        assert story.over.recap is not None
        lines += [f"--- {name}", *speak_recap(story.over.recap, story.players)]
    text = "\n".join(lines) + "\n"
    assert not DRAWN.search(text)
    compare("after/words.plain.txt", text)
