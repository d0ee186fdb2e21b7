"""Widths, cutting and wrapping."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from sobremesa.cli.draw.cells import cut, fit, fit_line, line_text, pad_line, text_width, wrap

TEXTS = st.text(alphabet=st.sampled_from("ab 日本é́W-…♠"), max_size=40)


def test_wide_characters_take_two_cells_and_marks_none() -> None:
    assert text_width("日本") == 4
    assert text_width("e\u0301") == 1
    assert text_width("►│♠✓") == 4


@given(TEXTS, st.integers(0, 12))
@settings(max_examples=60)
def test_what_is_cut_or_fitted_fits(text: str, width: int) -> None:
    assert text_width(cut(text, width)) <= width
    assert text_width(fit(text, width, "…")) <= width
    assert text.startswith(cut(text, width))
    line = fit_line((("a", text), ("b", text)), width, "...")
    assert text_width(line_text(line)) <= width
    assert text_width(line_text(pad_line((("", text),), width))) == width


@given(TEXTS, st.integers(2, 12), st.integers(0, 4))
@settings(max_examples=60)
def test_wrapped_lines_fit_and_lose_no_word(text: str, width: int, indent: int) -> None:
    lines = wrap(text, width, indent)
    assert all(text_width(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_wrapping_breaks_at_blanks_and_indents() -> None:
    assert wrap("Round 7: you lost no die.", 22, 2) == ["Round 7: you lost no", "  die."]
    assert wrap("", 5) == [""]
    assert wrap("abc", 0) == []
