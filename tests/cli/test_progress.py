"""How long work among the peers is told of."""

from __future__ import annotations

from sobremesa.cli.session.moments import Working
from sobremesa.cli.words.progress import Progress
from sobremesa.cli.words.speech import Players

US = Players("Cai", bots=())


def test_short_work_is_not_worth_a_line() -> None:
    progress = Progress()
    progress.took(Working("Ana", 1, 4), 100.0)
    assert progress.line(100.4, US) == ""
    progress.took(Working(), 100.45)
    assert progress.line(101.0, US) == ""


def test_the_line_says_who_is_at_it_which_turn_and_how_long() -> None:
    progress = Progress()
    progress.took(Working("Ana", 1, 4), 100.0)
    progress.took(Working("Bento", 2, 4), 100.3)
    assert progress.line(100.6, US) == "Shuffling 2 of 4  ████░░░░  Bento now"
    assert progress.line(103.3, US) == "Shuffling 2 of 4  ████░░░░  Bento is slow (3 s)"
    progress.took(Working("Cai", 3, 4), 103.4)
    assert progress.line(104.9, US) == "Shuffling 3 of 4  ██████░░  you now (2 s)"


def test_slow_is_twice_the_usual_time_at_this_table() -> None:
    progress = Progress()
    progress.took(Working("Ana", 1, 3), 0.0)
    assert "slow" not in progress.line(5.9, US)
    assert progress.line(6.1, US).endswith("Ana is slow (6 s)")
    progress.took(Working("Bento", 2, 3), 8.0)  # a turn takes 8 s here
    assert progress.line(23.0, US).endswith("Bento now (15 s)")
    assert progress.line(25.0, US).endswith("Bento is slow (17 s)")
    progress.took(Working("Cai", 3, 3), 25.0)
    assert progress.line(60.0, US).endswith("you are slow (35 s)")
