"""Records of games that are not installed here, or by another copy, and plugins beside theirs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.games import toy
from support.games.packages import Environment
from support.peers import cheats
from support.peers.cheats import Cheat
from support.peers.tabletop import Tabletop
from support.processes.commands import Commands

from sobremesa.cli.commands.lobby import Services
from sobremesa.cli.session.defaults import Preferences
from sobremesa.cli.settings import OwnSettings
from sobremesa.cli.words.fingerprint import fingerprint
from sobremesa.core.game import Game
from sobremesa.plugins.dudo import GAME as DUDO
from sobremesa.plugins.loader import load_game, load_games

OURS = load_games([]).copy(DUDO).fingerprint
THEIRS = bytes(32)
MARK = "import pathlib\npathlib.Path(__file__).with_suffix('.ran').touch()\n"
LUDO = (
    f"{MARK}GAME = replace(DUDO, id='ludo', title='Ludo')\n"
    "@hookimpl\ndef sobremesa_games():\n    return (GAME,)\n"
)


@pytest.fixture
def sobremesa(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Commands:
    return Commands(tmp_path, capsys)


def record(*rules: bytes, cheat: Cheat | None = None, game: Game[Any] = DUDO) -> bytes:
    """A game of three by these copies, as the first of them kept it. Bea may cheat."""
    return (
        Tabletop(
            game,
            3,
            {"dice": "3"} if game.id == "dudo" else {},
            seed=1,
            rules=dict(enumerate(rules)),
            cheats={1: cheat} if cheat else {},
        )
        .run()
        .tables[0]
        .transcript()
    )


def test_a_game_that_is_not_installed_is_checked_as_far_as_it_can_be(sobremesa: Commands) -> None:
    file = sobremesa.file("game", record(*[OURS] * 3, game=toy.GAME))
    ran = sobremesa.run("verify", file)
    assert (ran.status, ran.err) == (4, "")
    assert ran.lines[0] == (
        "game: cannot be checked here. The game toy is not installed here; "
        f"it was played by the copy {fingerprint(OURS)} (Ana, Bea and Cai)."
    )
    assert "steps, all signed" in ran.lines[1]
    assert [line.partition(":")[0] for line in ran.lines[2:]] == [
        f"The key that signed for {name}" for name in ("Ana", "Bea", "Cai")
    ]
    ran = sobremesa.run("replay", file)
    assert (ran.status, ran.out) == (4, "")
    assert ran.err.startswith("sobremesa: game: cannot be told here: the game toy is not installed")


@pytest.mark.parametrize(
    ("rules", "who"),
    [
        ([THEIRS, THEIRS, THEIRS], f"by the copy {fingerprint(THEIRS)} (Ana, Bea and Cai)"),
        ([OURS, THEIRS, OURS], f"by the copy {fingerprint(THEIRS)} (Bea)"),
    ],
)
def test_another_copy_than_ours_convicts_nobody_and_says_which_is_wanted(
    sobremesa: Commands, rules: list[bytes], who: str
) -> None:
    ran = sobremesa.run("verify", sobremesa.file("game", record(*rules)))
    assert (ran.status, ran.err) == (4, "")
    assert ran.lines[0] == (
        f"game: cannot be checked here. Liar's Dice (Dudo) was played {who}; "
        f"yours, of sobremesa 0.1.0, is {fingerprint(OURS)}."
    )


@pytest.mark.parametrize("verb", ["verify", "replay"])
def test_what_our_rules_would_call_illegal_is_nobodys_fault_by_theirs(
    sobremesa: Commands, verb: str
) -> None:
    data = record(*[THEIRS] * 3, cheat=cheats.AnswersIllegally("9x7"))
    ran = sobremesa.run(verb, sobremesa.file("game", data))
    assert ran.status == 4
    assert "Bea answered" not in ran.out + ran.err
    assert "NOT VERIFIED" not in ran.out + ran.err
    assert ("told by another copy than it was played by" in ran.err) is (verb == "replay")
    ours = record(*[OURS] * 3, cheat=cheats.AnswersIllegally("9x7"))
    ran = sobremesa.run(verb, sobremesa.file("ours", ours))
    assert ran.status == 0
    if verb == "verify":
        assert "Bea, who answered" in ran.out + ran.err


@pytest.mark.parametrize("rules", [[THEIRS] * 3, [OURS, OURS, THEIRS]], ids=["other", "mixed"])
def test_two_messages_for_one_step_convict_by_any_copy(
    sobremesa: Commands, rules: list[bytes]
) -> None:
    data = record(*rules, cheat=cheats.Equivocates("toss-commit", (0,)))
    ran = sobremesa.run("verify", sobremesa.file("game", data))
    assert ran.status == 1
    assert "NOT VERIFIED: Bea sent two different messages for one step" in ran.out


def test_a_sound_game_of_another_copy_is_told_and_it_is_said(sobremesa: Commands) -> None:
    ran = sobremesa.run("replay", sobremesa.file("game", record(*[THEIRS] * 3)))
    assert ran.status == 4
    ours = sobremesa.run("replay", sobremesa.file("ours", record(*[OURS] * 3)))
    assert (ours.status, ours.err) == (0, "")
    assert ran.lines
    assert ran.err.startswith("sobremesa: game: told by another copy than it was played by: ")


def test_a_game_whose_plugin_is_broken_is_not_installed_and_it_is_said_why(
    sobremesa: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = Environment(tmp_path / "packages", monkeypatch)
    installed.install("box", LUDO, point="toy")
    ran = sobremesa.run("verify", sobremesa.file("game", record(*[OURS] * 3, game=toy.GAME)))
    assert ran.status == 4
    assert "game ludo needs an entry point that is called ludo" in ran.lines[0]
    sobremesa.run("games", "--check", "ludo").refused("needs an entry point that is called ludo")


# Other plugins.


@pytest.mark.parametrize("verb", ["verify", "replay"])
def test_no_plugin_but_the_games_own_runs_for_a_record(
    sobremesa: Commands,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    verb: str,
) -> None:
    installed = Environment(tmp_path / "packages", monkeypatch)
    for name in ("aaa", "ludo", "zzz"):
        installed.install(name, LUDO.replace("ludo", name))
    games = load_game("ludo")
    ludo = games.find("ludo")
    data = record(*[games.copy(ludo).fingerprint] * 3, game=replace(DUDO, id="ludo", title="Ludo"))
    for mark in installed.folder.glob("*.ran"):
        mark.unlink()
    installed.forget()
    ran = sobremesa.run(verb, sobremesa.file("dudo", record(*[OURS] * 3)))
    assert (ran.status, ran.err) == (0, "")
    assert not list(installed.folder.glob("*.ran"))
    ran = sobremesa.run(verb, sobremesa.file("ludo", data))
    assert (ran.status, ran.err) == (0, "")
    assert [path.stem for path in installed.folder.glob("*.ran")] == ["ludo"]


def test_the_lobby_says_which_of_two_packages_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = Environment(tmp_path / "packages", monkeypatch)
    installed.install("zzz", LUDO, point="ludo")
    services = Services(load_games(), Preferences("Ana"), OwnSettings())
    assert (services.tables(), services.trouble) == ([], "")
    installed.install("aaa", LUDO, point="ludo")
    services = Services(load_games(), Preferences("Ana"), OwnSettings())
    services.tables()
    assert services.trouble == (
        "Ludo is here more than once: that of package aaa is played, not that of package zzz."
    )


def test_in_play_it_is_said_which_of_two_packages_is_played(
    sobremesa: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = Environment(tmp_path / "packages", monkeypatch)
    for name in ("aaa", "zzz"):
        installed.install(name, LUDO, point="ludo")
    ran = sobremesa.run("play", "ludo", "--auto", "--plain", "--pace", "0", "--bots", "1")
    assert ran.status == 0
    assert ran.lines[0] == (
        "Ludo is here more than once: that of package aaa is played, not that of package zzz."
    )
