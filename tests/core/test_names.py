"""Names: what they are cleaned to, and which are the same to a reader."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sobremesa.core import names
from sobremesa.core.names import (
    BOT_NAMES,
    RESERVED,
    are_alike,
    are_apart,
    clean_name,
    clean_table_name,
    free_name,
)
from sobremesa.core.text import text_width
from sobremesa.core.visible import IGNORABLE

ODD = st.sampled_from(
    "aAnNyYoOuU0bt2 …?'-/:;<[]|．：（\u0338\u0301\u034f\u200d\x1b\u0903ΝνІіIl1ſßİ漢👩🏽"
)
ANYTHING = st.text() | st.text(ODD)


@given(ANYTHING)
def test_a_cleaned_name_is_clean_and_can_be_seen(text: str) -> None:
    name = clean_name(text)
    assert clean_name(name) == name
    assert 0 < text_width(name) <= 20
    assert IGNORABLE.isdisjoint(name)
    assert are_alike(name, clean_name(unicodedata.normalize("NFD", name)))
    table = clean_table_name(text)
    assert clean_table_name(table) == table
    assert 0 < text_width(table) <= 40


@given(ANYTHING, st.sets(ANYTHING, max_size=7))
def test_everybody_gets_a_name_that_is_theirs_alone(wanted: str, others: set[str]) -> None:
    taken: list[str] = []
    for text in (*others, wanted, wanted):
        taken.append(free_name(clean_name(text), taken))
    assert are_apart(taken)
    assert [clean_name(name) for name in taken] == taken


@given(ANYTHING)
def test_a_name_looks_like_itself_with_other_capitals_and_with_what_is_not_seen(text: str) -> None:
    assert are_alike(text, text.casefold())
    assert are_alike(text, unicodedata.normalize("NFKC", text))
    assert are_alike(text, "\u200d".join(text))


def test_a_name_does_not_read_like_a_command_or_a_speaker() -> None:
    assert clean_name("/leave") == "leave"
    assert clean_name("'hello") == "hello"
    assert clean_name("Ana: I fold") == "Ana I fold"
    assert clean_name("?") == "Player"
    assert clean_name("O'Brien-Smith") == "O'Brien-Smith"
    assert clean_name("\x1b[2J/quit") == "quit"
    assert clean_name("\u200b/quit") == "quit"
    assert clean_name("/\u0300'quit") == "quit"
    assert clean_name("/[/]/quit") == "quit"


@pytest.mark.parametrize(
    ("name", "clean"),
    [("Ana [bot]", "Ana bot"), ("Bento (bot)", "Bento bot"), ("✓ Ana", "Ana"), ("► Ana", "Ana"),
     ("| Ana", "Ana"), ("[]", "Player"),
     ("Bento ［bot］", "Bento bot"), ("Bento ❨bot❩", "Bento bot"), ("Ana： hi", "Ana hi"),
     ("Ana∶ hi", "Ana hi")],
)  # fmt: skip
def test_a_name_wears_no_badge(name: str, clean: str) -> None:
    assert clean_name(name) == clean


@pytest.mark.parametrize(
    "name",
    ["José", "Zoë", "Việt", "Łukasz", "Ирина", "Ελένη", "ירון", "علي", "漢字", "あい", "한국",
     "अनिता", "दुःख", "ශ්රී", "O'Brien-Smith", "👩💻", "you know", "Bento bot", "J. R."],
)  # fmt: skip
def test_people_are_called_what_they_are_called(name: str) -> None:
    assert clean_name(name) == name
    assert free_name(name) == name


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana", "ANA"),
        ("Ana", "Ａna"),
        ("Ana", "Аna"),  # Cyrillic
        ("Ana", "АΝА"),
        ("Ana", "A\u034fna"),
        ("Ana", "An\u3164a"),
        ("Ana", "A\ufe0fna"),
        ("Ana", "𝐀𝓷𝖆"),
        ("José", "Jose\u0301"),
        ("Alice", "AIice"),
        ("Alice", "A1ice"),
        ("Olga", "0lga"),
        ("Maria", "Rnaria"),
        ("Ирина", "иpинa"),  # with Latin letters
        ("Ελένη", "Eλένη"),
        ("straße", "STRASSE"),
    ],
)
def test_names_that_look_the_same_are_the_same(one: str, other: str) -> None:
    assert are_alike(one, other)
    assert not are_apart([one, "Bea", other])
    assert free_name(clean_name(other), [one]) == f"{clean_name(other)} 2"


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ana", "Anna"), ("Ana", "Ava"), ("Nina", "Viva"), ("José", "Jose"), ("Ali", "All"),
     ("Ana", "Ана"), ("Ana 2", "Ana 3"), ("Bea", "Bia"), ("Ian", "Jan"), ("Лев", "Лес")],
)  # fmt: skip
def test_names_that_look_different_are_different(one: str, other: str) -> None:
    assert not are_alike(one, other)


def test_bots_have_names_of_their_own() -> None:
    assert are_apart(BOT_NAMES)
    assert [free_name(clean_name(name)) for name in BOT_NAMES] == [*BOT_NAMES]


@pytest.mark.parametrize("name", [*RESERVED, "You", "YOU", "yоu", "y\u200dou", "Bоt", "b0t", "Ьot"])
def test_nobody_is_called_what_screens_say(name: str) -> None:
    assert not are_apart([name])
    assert free_name(clean_name(name)) == f"{clean_name(name)} 2"


def test_the_next_of_many_gets_the_next_number() -> None:
    assert free_name("Ana", ["Ana", "аna 2"]) == "Ana 3"
    assert free_name("x" * 20, ["x" * 20]) == "x" * 17 + "… 2"


def test_the_table_of_lookalikes_goes_all_the_way() -> None:
    prototypes = names._prototypes()
    for source, prototype in prototypes.items():
        assert unicodedata.normalize("NFKD", chr(source)) == chr(source)
        assert prototype.translate(prototypes) == prototype
