"""Text from other people: one visible line of known width, whatever they sent."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth, wcwidth

from sobremesa.core.text import clean_text, text_width

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
        ("A\u034fn\u115fa\uffa0\u180b\u17b4\U000e0041", "Ana"),
        ("علی\u200cرضا", "علیرضا"),
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
