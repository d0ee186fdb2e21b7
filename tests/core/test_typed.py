"""What people type, or paste, or give as an argument, is read as it was meant."""

from __future__ import annotations

import unicodedata
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sobremesa.core.names import clean_table_name
from sobremesa.core.typed import fold, key, meant


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("  5  threes ", "5 threes"),
        ("\ufeff5x3", "5x3"),
        ("5×3", "5x3"),
        ("５Ｘ３", "5X3"),
        ("5\u200bx\u20603", "5x3"),
        ("5\u00a0threes\u2003", "5 threes"),
        ("Liar’s Dice", "Liar's Dice"),
        ("“Kitchen”", '"Kitchen"'),
        ("five–alive", "five-alive"),
        ("10.77.0.1:4001 ", "10.77.0.1:4001"),
        ("\x1b[31mdudo", "[31mdudo"),
        ("", ""),
    ],
)
def test_a_line_is_folded_to_what_it_means(typed: str, plain: str) -> None:
    assert fold(typed) == plain


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_names_are_compared_whatever_form_their_accents_have(
    form: Literal["NFC", "NFD", "NFKC", "NFKD"],
) -> None:
    typed = unicodedata.normalize(form, "  CAFÉ Ñandú ")
    assert key(typed) == key("Café Ñandú")


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


GAMES = {"dudo": "Liar's Dice (Dudo)", "cinco-vidas": "Cinco Vidas", "cinema": "Cinema"}


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("dudo", ["dudo"]),
        ("DU", ["dudo"]),
        ("liar’s dice", ["dudo"]),
        ("cinco vidas", ["cinco-vidas"]),
        ("cin", ["cinco-vidas", "cinema"]),
        ("poker", []),
        ("", []),
    ],
)
def test_a_name_may_be_cut_as_long_as_one_is_meant(typed: str, found: list[str]) -> None:
    assert meant(typed, list(GAMES), lambda game: (game, GAMES[game])) == found


def test_the_very_name_is_meant_though_others_begin_so() -> None:
    assert meant("Kit", ["Kitchen", "kit"], lambda name: [name]) == ["kit"]


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("cafe nandu", "Café Ñandú"),
        ('"Café Ñandú"', "Café Ñandú"),
        ("five-alive", "five_alive"),
        ("Five  Alive", "five_alive"),
        ("The long table of the house by the river, third floor",
         clean_table_name("The long table of the house by the river, third floor")),
    ],
)  # fmt: skip
def test_a_name_is_meant_however_loosely_it_is_typed(written: str, name: str) -> None:
    assert meant(written, [name, "Kitchen"], lambda one: [one]) == [name]


def test_of_names_that_differ_in_an_accent_the_one_that_is_typed_is_meant() -> None:
    for written in ("Peña", "Pena"):
        assert meant(written, ["Pena", "Peña"], lambda one: [one]) == [written]


def test_suits_are_letters_where_a_card_is_typed_as_it_is_drawn() -> None:
    assert fold("K♥ 10♦ Q♣ A♠") == "KH 10D QC AS"
