"""Who is missing, in words: what the row and the sentence say in each case, and in which width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from sobremesa.cli.session.moments import Absent
from sobremesa.cli.words.absence import (
    asking,
    banner,
    clock,
    meant_absence,
    span,
    speak_absent,
    speak_news,
)
from sobremesa.core.errors import LocalError
from sobremesa.net.events import Absence

BEA, DAN = Absence("Bea", 100.0), Absence("Dan", 105.0)
KEPT = replace(BEA, until=160.0)
ASKED = replace(KEPT, choice=True)


def said(*absences: Absence, peers: int = 5, alone: bool = False) -> tuple[str, str]:
    """The row after 14 seconds in all its words, and the sentence."""
    absent = Absent(absences, peers, alone)
    return banner(absent, 114.0)[0], speak_absent(absent)


def test_a_seat_is_kept_until_the_time_that_is_counted_to() -> None:
    assert said(KEPT) == (
        "Bea is away 0:14. The seat is kept until 1:00. Then: wait on, go on without Bea, end",
        "Bea is away. The seat is kept for 1 minute. Then you can wait on, go on without Bea, or "
        "end it for you.",
    )


def test_who_may_choose_hears_what_can_be_done_and_who_has_chosen() -> None:
    assert said(replace(ASKED, agreed=("Ana", "Dan"))) == (
        "Bea is away 0:14. The seat is kept until 1:00. Ana and Dan would go on. /without goes on, "
        "/wait waits, /leave ends it for you",
        "Bea is away. Ana and Dan would go on. Type without to go on, wait to wait on, leave to "
        "end it for you.",
    )
    row, sentence = said(ASKED, DAN)
    assert "/without Bea goes on" in row
    assert "Type without Bea to go on" in sentence


def test_who_was_reached_through_others_only_is_to_be_looked_for() -> None:
    row, sentence = said(replace(ASKED, through=("Dan",)))
    doubt = "Bea can be reached through Dan only: look whether Bea is there."
    assert row.startswith(f"{doubt} /without goes on")
    assert sentence.startswith(f"{doubt} Type without")
    assert asking(replace(ASKED, through=("Dan",))).startswith(f"{doubt} Go on without Bea?")


def test_a_minority_waits_and_says_for_whom() -> None:
    away = (BEA, DAN, replace(BEA, name="Cai"))
    assert said(*away) == (
        "You reach 2 of 5, 0:14: too few to go on. The game waits for Bea, Dan and Cai; /leave "
        "ends it for you",
        "You reach 2 of 5: too few to go on. The game waits for Bea, Dan and Cai; leave ends it "
        "for you.",
    )
    assert said(*away[:2], peers=4)[0].startswith("You reach 2 of 4")
    assert said(*away[:2])[0].startswith("Bea and Dan are away 0:14.")


def test_of_two_nobody_can_be_given_up() -> None:
    assert said(BEA, peers=2) == (
        "Bea is away 0:14. The game waits; /leave ends it for you",
        "Bea is away. The game waits; leave ends it for you.",
    )


def test_who_reaches_nobody_hears_of_the_own_network() -> None:
    row, sentence = said(BEA, DAN, peers=3, alone=True)
    assert row.startswith("Your own network is down, 0:14")
    assert sentence.startswith("Your own network is down")


def test_who_came_back_to_nobody_hears_what_is_known() -> None:
    absent = Absent((BEA, DAN), 3, alone=True, unanswered=True)
    assert banner(absent, 114.0)[0] == (
        "Nobody answers at the addresses of this table, 0:14. Your seat is kept; /leave ends it "
        "for you"
    )
    assert speak_absent(absent).startswith("Nobody answers at the addresses of this table")
    assert speak_news(replace(absent, unanswered=False), absent) == speak_absent(absent)


@pytest.mark.parametrize(
    ("absences", "row", "sentence"),
    [
        (
            [KEPT],
            "Bea is away 0:14. The seat is kept until 1:00",
            "Bea is away. The seat is kept for 1 minute.",
        ),
        (
            [replace(KEPT, agreed=("Ana",)), DAN],
            "Bea and Dan are away 0:14. The seats are kept until 1:00. Ana would go on.",
            "Bea and Dan are away. The seats are kept for 1 minute. Ana would go on.",
        ),
        ([BEA], "Bea is away 0:14. The game waits", "Bea is away. The game waits."),
        (
            [replace(BEA, why="left")],
            "Bea has left: out of the game as soon as this move is over",
            "Bea has left: out of the game as soon as this move is over.",
        ),
        (
            [replace(BEA, needed=False)],
            "Bea is away 0:14. The game goes on until it needs Bea",
            "Bea is away. The game goes on until it needs Bea.",
        ),
    ],
)
def test_who_looks_on_reads_nothing_that_a_player_alone_can_do(
    absences: list[Absence], row: str, sentence: str
) -> None:
    for peers in (2, 3, 5):
        absent = Absent(tuple(absences), peers, looks_on=True)
        forms = banner(absent, 114.0)
        assert forms[0] == row
        assert [len(form) for form in forms] == sorted(map(len, forms), reverse=True)
        assert speak_absent(absent) == sentence


OUT = "out of the game as soon as this move is over"


@pytest.mark.parametrize(
    ("absences", "who"),
    [
        ([replace(BEA, why="left")], f"Bea has left: {OUT}"),
        ([replace(BEA, why="convicted")], f"Bea broke the rules: {OUT}"),
        ([replace(BEA, why="silent")], "Bea says nothing 0:14. The game waits"),
        ([replace(DAN, why="silent"), BEA], "Dan says nothing, Bea is away 0:14. The game waits"),
    ],
)
def test_why_somebody_is_missing_is_said(absences: Sequence[Absence], who: str) -> None:
    assert said(*absences)[0].startswith(who)


@pytest.mark.parametrize(
    "absences", [(BEA,), (KEPT,), (ASKED,), (replace(ASKED, through=("Dan",)),), (BEA, DAN, KEPT)]
)
@pytest.mark.parametrize("alone", [True, False])
def test_each_form_of_the_row_is_shorter_than_the_one_before(
    absences: tuple[Absence, ...], alone: bool
) -> None:
    forms = banner(Absent(absences, 4, alone), 114.0)
    lengths = list(map(len, forms))
    assert lengths == sorted(set(lengths), reverse=True)
    assert any(len(form) + 3 <= 80 for form in forms)
    assert len(forms[-1]) + 3 <= 60


def test_nobody_missing_is_no_row_and_no_word() -> None:
    assert banner(Absent(), 114.0) == ()
    assert speak_absent(Absent()) == ""


@pytest.mark.parametrize(
    ("typed", "absences", "why"),
    [
        ("", (), "the table waits for nobody who is away"),
        ("", (ASKED, DAN), "without whom\\? Type one of these names: Bea and Dan"),
        ("Eva", (ASKED,), "without whom"),
        ("", (KEPT,), "Bea's seat is kept until 1:00: wait for that"),
        ("dan", (ASKED, DAN), "nobody can go on without Dan"),
        ("bea", (replace(BEA, why="left"),), "Bea is out as soon as this move is over"),
    ],
)
def test_nobody_is_given_up_who_is_not_meant_or_cannot_be(
    typed: str, absences: tuple[Absence, ...], why: str
) -> None:
    with pytest.raises(LocalError, match=why):
        meant_absence(typed, Absent(absences, 5))


def test_one_who_is_missing_needs_no_name() -> None:
    assert meant_absence("", Absent((ASKED,), 5)) is ASKED
    assert meant_absence("BEA", Absent((DAN, ASKED), 5)) is ASKED


def test_times_are_shown_and_said() -> None:
    assert [clock(s) for s in (-1.0, 9.9, 60, 754)] == ["0:00", "0:09", "1:00", "12:34"]
    assert [span(s) for s in (0, 1, 60, 72, 120)] == [
        "0 seconds", "1 second", "1 minute", "1 minute 12 seconds", "2 minutes",
    ]  # fmt: skip


def test_a_game_that_needs_nobody_who_is_away_goes_on() -> None:
    assert said(replace(BEA, needed=False)) == (
        "Bea is away 0:14. The game goes on until it needs Bea",
        "Bea is away. The game goes on until it needs Bea.",
    )
    absent = Absent((replace(BEA, why="left", needed=False),), 5, False)
    assert banner(absent, 114.0) == ()
    assert speak_absent(absent) == "Bea has left. The others go on without Bea."
    assert speak_absent(replace(absent, peers=2)) == "Bea has left. Only you are left."
    assert "waits for" in said(BEA, replace(DAN, needed=False), peers=3)[0]
