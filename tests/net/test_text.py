"""Text from other people: one visible line of known width, whatever they sent."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth, wcwidth

from sobremesa.core.errors import LocalError
from sobremesa.net.text import clean_name, clean_text, name_key, read_code, text_width

ANYTHING = st.text() | st.text(
    st.sampled_from(
        "aé \t\n\x00\x1b[]m;\x9b\x07\u202e\u2066\u200d\ufe0f\u0301\u0489👩💻👍🏽🇵🇹漢ㅤ:/'"
    )
)


@given(ANYTHING, st.integers(1, 60))
def test_any_text_becomes_one_visible_line_within_its_width(text: str, width: int) -> None:
    clean = clean_text(text, width)
    assert clean
    assert clean == clean.strip()
    assert text_width(clean) <= width
    assert all(wcwidth(char) >= 0 for char in clean)
    assert wcswidth(clean) == text_width(clean)
    assert not {unicodedata.category(char) for char in clean} & {"Cc", "Cf", "Cs", "Co", "Cn"}
    shape = "".join("m" if unicodedata.category(char) == "Mn" else "." for char in clean)
    assert "mmm" not in shape
    assert not shape.startswith("m")


@given(ANYTHING, st.integers(1, 60))
def test_cleaning_what_is_clean_changes_nothing(text: str, width: int) -> None:
    once = clean_text(text, width)
    assert clean_text(once, width) == once
    name = clean_name(text)
    assert clean_name(name) == name
    assert text_width(name) <= 20


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Ana", "Ana"),
        ("  Ana   Maria ", "Ana Maria"),
        ("Zoë Ångström", "Zoë Ångström"),
        ("Việt", "Việt"),
        ("漢字", "漢字"),
        ("Ana\nhost: you lose", "Ana host: you lose"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07Ana", "Ana"),
        ("\x1b]8;;http://x\x1b\\Ana", "Ana"),
        ("\x9b2JAna", "Ana"),
        ("\x1bcAna", "Ana"),
        ("A\x1bP1;2q hidden \x1b\\na", "Ana"),
        ("abc\u202edef", "abcdef"),
        ("\u2066abc\u2069", "abc"),
        ("a\u200bb\u00adc", "abc"),
        ("Z\u0335\u0336\u0337\u0338\u0339a", "Z\u0335\u0336a"),
        ("\u0301\u0301Ana", "Ana"),
        ("A\x1b\u0300", "\u00c0"),
        ("A\u200b\u0300", "\u00c0"),
        ("👩\u200d💻", "👩💻"),
        ("❤\ufe0f", "❤"),
        ("👍🏽", "👍"),
        ("🇵🇹", "?"),
        ("\u3164\u2800", "?"),
        ("", "?"),
        ("\n\t", "?"),
        ("\ud800", "?"),
        ("a\u2028b\u2029c\x85d", "a b c d"),
    ],
)
def test_known_tricks(text: str, clean: str) -> None:
    assert clean_text(text, 40) == clean


def test_long_text_is_cut_with_an_ellipsis_within_the_width() -> None:
    assert clean_text("x" * 30, 10) == "x" * 9 + "…"
    assert clean_text("漢" * 30, 10) == "漢" * 4 + "…"
    assert clean_text("x" * 10, 10) == "x" * 10
    assert clean_text("two words", 5) == "two…"


def test_a_name_does_not_read_like_a_command_or_a_speaker() -> None:
    assert clean_name("/leave") == "leave"
    assert clean_name("'hello") == "hello"
    assert clean_name("Ana: I fold") == "Ana I fold"
    assert clean_name("?") == "?"
    assert clean_name("O'Brien-Smith") == "O'Brien-Smith"
    assert clean_name("\x1b[2J/quit") == "quit"
    assert clean_name("\u200b/quit") == "quit"
    assert clean_name("/\u0300'quit") == "quit"
    assert clean_name("/[/]/quit") == "quit"


@pytest.mark.parametrize(
    ("name", "clean"),
    [("Ana [bot]", "Ana bot"), ("Bento (bot)", "Bento bot"), ("✓ Ana", "Ana"), ("► Ana", "Ana"),
     ("| Ana", "Ana"), ("[]", "?")],
)  # fmt: skip
def test_a_name_wears_no_badge(name: str, clean: str) -> None:
    assert clean_name(name) == clean


@pytest.mark.parametrize("text", ["123456", " 12-34 56", "١٢٣٤٥٦", "１２３４５６"])
def test_a_code_may_be_typed_in_groups_and_in_other_digits(text: str) -> None:
    assert read_code(text) == "123456"
    assert read_code(f"{text} 78") == "12345678"


@pytest.mark.parametrize(
    "text", ["", "12345", "1234567", "123456789", "12345x", "12345½", "१" * 7, "9" * 9999]
)
def test_what_is_no_code_is_refused(text: str) -> None:
    with pytest.raises(LocalError, match="a code is 6 or 8 digits"):
        read_code(text)


def test_names_that_look_the_same_are_the_same() -> None:
    assert name_key("Ana") == name_key("ANA") == name_key("Ａna")
    assert name_key("Ana") != name_key("Anna")
