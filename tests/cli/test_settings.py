"""What a player chose once, and need not give again."""

from __future__ import annotations

from pathlib import Path

import pytest

from sobremesa.cli.draw.theme import Theme, theme_from
from sobremesa.cli.main import parser
from sobremesa.cli.settings import FILE, LOOKS, OwnSettings
from sobremesa.core.errors import LocalError


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SOBREMESA_HOME", str(tmp_path / "new" / "home"))
    return tmp_path / "new" / "home"


def test_what_is_chosen_is_there_at_the_next_start(home: Path) -> None:
    own = OwnSettings.of_home()
    for key, text in (("name", "Zoë"), ("bell", "turn, chat"), ("pace", "2.5"), ("mouse", "ON")):
        own.choose(f"{key} {text}")
    own.remember("host", "dudo", {"table": "Ana's kitchen = home", "seats": "5"})
    again = OwnSettings.of_home()
    assert again.flags() == OwnSettings().flags() | {
        "name": "Zoë", "bell": frozenset({"turn", "chat"}), "pace": 2.5, "mouse": True
    }  # fmt: skip
    assert again.last("host", "dudo") == {"table": "Ana's kitchen = home", "seats": "5"}
    assert again.last("play", "dudo") == {}
    assert again.trouble == ""
    assert home.joinpath(FILE).stat().st_mode & 0o077 == 0


def test_a_command_line_beats_what_was_chosen_in_both_directions(home: Path) -> None:
    own = OwnSettings.of_home()
    for key, text in (("name", "Zoe"), ("ascii", "on"), ("colors", "2"), ("pace", "1")):
        own.choose(f"{key} {text}")
    args = parser(OwnSettings.of_home()).parse_args(["play", "dudo"])
    assert (args.name, args.pace, theme_from(args)) == ("Zoe", 1.0, Theme(ascii=True, colors="2"))
    flags = ["--no-ascii", "play", "dudo", "--colors", "4", "--pace", "3", "--name", "Bea"]
    args = parser(OwnSettings.of_home()).parse_args(flags)
    assert (args.name, args.pace, theme_from(args)) == ("Bea", 3.0, Theme())


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("colors = 7\nname = Zoe\n", "line 1"),
        ("name = Zoe\nwhat is this\npace = -1\n", "lines 2, 3"),
        ("name = Zoe\nplay dudo = dice\n", "line 2"),
        ("name = Zoe\nplay dudo = 'dice=3\n", "line 2"),
        ("= x\nname = Zoe\n", "line 1"),
    ],
)
def test_a_line_that_makes_no_sense_is_told_and_costs_nothing_else(
    home: Path, text: str, lines: str
) -> None:
    home.mkdir(parents=True)
    home.joinpath(FILE).write_text(text)
    own = OwnSettings.of_home()
    assert own.trouble == f"Left out of your settings in {home / FILE}: {lines}. All else holds."
    assert own.flags() == OwnSettings().flags() | {"name": "Zoe"}


def test_comments_and_blank_lines_are_no_trouble(home: Path) -> None:
    home.mkdir(parents=True)
    home.joinpath(FILE).write_text("# mine = all\n\nname = Zoe\n")
    assert OwnSettings.of_home().trouble == ""


def test_a_file_that_cannot_be_read_is_told_and_the_usual_holds(home: Path) -> None:
    home.mkdir(parents=True)
    home.joinpath(FILE).write_bytes(b"name = \xff\xfe")
    own = OwnSettings.of_home()
    assert own.trouble.endswith("cannot be read (it is no text); the usual hold.")
    home.joinpath(FILE).unlink()
    home.joinpath(FILE).mkdir()
    assert "cannot be read (Is a directory)" in OwnSettings.of_home().trouble
    assert own.flags() == OwnSettings().flags()


@pytest.mark.parametrize(
    ("key", "text", "why"),
    [
        ("colors", "7", r"colors must be 4 or 2 or mono \(you gave '7'\)"),
        ("ascii", "yes", "ascii must be on or off"),
        ("bell", "gong", "bell must be off, or some of turn, join, chat"),
        ("pace", "soon", "pace must be 0 to 600 seconds"),
        ("pace", "601", "pace must be 0 to 600 seconds"),
        ("colour", "4", "no setting is called 'colour': name, colors"),
    ],
)
def test_what_cannot_be_chosen_says_what_can(key: str, text: str, why: str) -> None:
    own = OwnSettings()
    with pytest.raises(LocalError, match=why):
        own.choose(f"{key} {text}")
    assert own.flags() == OwnSettings().flags()


def test_a_choice_that_cannot_be_kept_holds_for_now(home: Path) -> None:
    own = OwnSettings.of_home()
    home.parent.mkdir()
    home.write_text("no folder")
    with pytest.raises(LocalError, match=f"it holds for now, and cannot be kept in {home}"):
        own.choose("bell off")
    assert own.value("bell") == frozenset()


def test_no_name_of_a_player_breaks_the_file(home: Path) -> None:
    own = OwnSettings.of_home()
    own.choose("name A\nbell = off\x1b[31m")
    again = OwnSettings.of_home()
    assert again.trouble == ""
    assert again.value("bell") == frozenset({"turn"})
    assert "\n" not in again.value("name")


def test_every_look_is_a_setting() -> None:
    assert set(Theme.__slots__) == LOOKS
