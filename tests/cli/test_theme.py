"""Flags, ASCII, and what a terminal draws."""

from __future__ import annotations

import argparse
import io
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sobremesa.cli.draw.inks import ROLES
from sobremesa.cli.draw.theme import (
    Theme,
    add_theme_arguments,
    one_line,
    theme_from,
    to_ascii,
    writes_only_ascii,
)

GLYPHS = "│─┌┐└┘►✓●○█░▒·…"
"""What the screens are drawn with."""


def parse(*flags: str) -> Theme:
    parser = argparse.ArgumentParser(exit_on_error=False)
    add_theme_arguments(parser)
    return theme_from(parser.parse_args(flags))


def test_flags_make_a_theme() -> None:
    assert parse() == Theme()
    theme = parse("--ascii", "--colors", "mono", "--bell", "turn,chat", "--pips", "--mouse")
    assert theme == Theme(
        ascii=True, colors="mono", bell=frozenset({"turn", "chat"}), pips=True, mouse=True
    )
    assert parse("--bell", "off").bell == frozenset()
    assert parse("--slow").slow


def test_unknown_bell_is_refused_with_the_choices() -> None:
    with pytest.raises(argparse.ArgumentError, match="off, or some of turn, join, chat"):
        parse("--bell", "gong")


@given(st.text())
def test_ascii_is_pure_and_one_line(text: str) -> None:
    shown = Theme(ascii=True).text(text)
    assert shown.isascii()
    assert not set(shown) & set(string.whitespace) - {" "}


def test_glyphs_of_the_screens_keep_their_width_in_ascii() -> None:
    for glyph in GLYPHS.replace("…", ""):
        assert len(to_ascii(glyph)) == 1, glyph
    assert to_ascii("Zoë ¿señor? 10♥ 日") == "Zoe ?senor? 10H ?"


@given(st.text())
def test_one_line_has_no_control_characters(text: str) -> None:
    assert all(char == " " or char.isprintable() for char in one_line(text))


def test_no_role_is_told_by_colour_alone_where_it_warns() -> None:
    mono = Theme(colors="mono").styles()
    for role in ("banner", "error", "bad", "warn", "turn", "die.hit", "headline", "selected"):
        assert "bold" in mono[role] or "reverse" in mono[role], role


def test_every_ink_has_every_role() -> None:
    for theme in (Theme(), Theme(ground="light"), Theme(colors="mono"), Theme(colors="2")):
        for colours in (2, 16, 256):
            assert set(theme.styles(colours)) == set(ROLES)


def test_dark_blue_is_no_ink_on_a_dark_ground() -> None:
    few = Theme().styles(16)
    assert not [role for role, style in few.items() if style.split()[:1] == ["ansiblue"]
                and "bg:" not in style and role != "card.back.small"]  # fmt: skip


def test_two_colours_for_suits_are_two() -> None:
    two, four = Theme(colors="2").styles(), Theme(colors="4").styles()
    suits = ("card.s", "card.h", "card.d", "card.c")
    assert len({two[suit] for suit in suits}) == 2
    assert len({four[suit] for suit in suits}) == 4


def test_a_stream_without_room_for_glyphs_is_noticed() -> None:
    latin = io.TextIOWrapper(io.BytesIO(), encoding="latin-1")
    modern = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    assert writes_only_ascii(latin)
    assert not writes_only_ascii(modern)
