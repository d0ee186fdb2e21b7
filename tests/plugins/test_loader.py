"""The loader: plugins of every kind are found, and a broken one is named and harms nobody."""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import subprocess
from pathlib import Path

import pytest
from support.games.packages import Environment, install_example
from support.processes.commands import Commands
from support.processes.machines import ROOT, SOBREMESA, environment

from sobremesa.core.hookspecs import ENTRY_POINTS
from sobremesa.plugins.loader import BUILT_IN, Games, UnknownGame, load_game, load_games

GAME = 'GAME = replace(DUDO, id="ludo", title="Ludo")\n'
RETURNS = "@hookimpl\ndef sobremesa_games():\n    return "
GOOD = f"{GAME}{RETURNS}(GAME,)\n"


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Environment:
    return Environment(tmp_path / "packages", monkeypatch)


def the_broken_one(games: Games) -> str:
    (line,) = games.broken
    assert line.isprintable()
    return line


def test_built_in_games_are_all_there() -> None:
    games = load_games([])
    assert games.broken == []
    assert {id.replace("-", "_") for id in games.games} == set(BUILT_IN)
    assert {source.label for source in games.sources.values()} == {"built in"}


def test_every_folder_with_a_game_is_in_the_list() -> None:
    folders = {init.parent.name for init in (ROOT / "plugins").glob("*/help")}
    assert folders == set(BUILT_IN)


def test_game_of_a_package_is_found_by_its_entry_point(installed: Environment) -> None:
    installed.install("ludo", GOOD)
    games = load_games()
    assert games.broken == []
    assert games.named("Ludo").id == games.find("ludo").id == "ludo"
    assert games.sources["ludo"].label == "package ludo"


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("import nothing_of_that_name\n", "ModuleNotFoundError: No module named"),
        ("this is no Python\n", "SyntaxError"),
        ("raise RuntimeError('two\\nlines')\n", "RuntimeError: two lines"),
        ("raise SystemExit(3)\n", "SystemExit: 3"),
        ("1 / 0\n", "ZeroDivisionError"),
        ("", "nothing in it is marked with hookimpl, so it brings nothing"),
        (GOOD.replace("@hookimpl\n", ""), "nothing in it is marked with hookimpl"),
        (GOOD.replace("sobremesa_games", "sobremesa_game"), "unknown hook 'sobremesa_game'"),
        (GOOD.replace("_games()", "_games(table)"), "PluginValidationError"),
        (RETURNS + "None\n", "TypeError: 'NoneType' object is not iterable"),
        (RETURNS + "('ludo',)\n", "TypeError: sobremesa_games returns 'ludo', which is no Game"),
        (RETURNS + "(DUDO,)\n", "ValueError: game dudo is there already (built in)"),
        (f"{GAME}{RETURNS}(GAME, GAME)\n", "game ludo is there already (the same plugin)"),
        (f"{GAME}{RETURNS}(GAME, DUDO)\n", "game dudo is there already (built in)"),
        (GOOD, "ValueError: game ludo needs an entry point that is called ludo"),
        ('replace(DUDO, id="no id")\n', "ValueError: a game's id is 2 to 31 of"),
        ("replace(DUDO, bots=())\n", "ValueError: dudo: a game needs a bot"),
        ("replace(DUDO, rules_version=2**17)\n", "dudo: the version of rules is 0 to 65536"),
        ("replace(DUDO, options=DUDO.options * 9)\n", "dudo: a game has up to 16 options"),
        (
            "replace(DUDO, options=(replace(DUDO.options[0], key='seconds'),))\n",
            "dudo: options called seconds would hide the table's own",
        ),
        (
            "replace(DUDO, options=(replace(DUDO.options[0], key='seats'),))\n",
            "dudo: options called seats would hide the table's own",
        ),
        ("replace(DUDO.options[0], key='No Key')\n", "an option's key is 1 to 31 of"),
        ("replace(DUDO.options[0], choices=(5, 'x' * 33))\n", "a choice is too large"),
    ],
)
def test_broken_plugin_is_named_with_its_error_and_the_rest_goes_on(
    installed: Environment, source: str, why: str
) -> None:
    installed.install("broken", source)
    installed.install("other", GOOD.replace("ludo", "other"))
    games = load_games()
    line = the_broken_one(games)
    assert line.startswith("plugin broken (package broken) could not be loaded: ")
    assert why in line
    assert games.games.keys() == {*load_games([]).games, "other"}


def test_two_games_of_one_module_have_an_entry_point_each(installed: Environment) -> None:
    two = f"{GAME}{RETURNS}(GAME, replace(GAME, id='ludo-2', title='Ludo 2'))\n"
    installed.install("ludo", two)
    both = [importlib.metadata.EntryPoint(id, "ludo", ENTRY_POINTS) for id in ("ludo-2", "ludo")]
    games = load_games(both)
    assert games.broken == []
    assert {"ludo", "ludo-2"} <= games.games.keys()
    assert "needs an entry point that is called ludo-2" in the_broken_one(load_games(both[1:]))


# Several packages with one game


@pytest.mark.parametrize("turned", [False, True])
def test_of_two_packages_with_one_game_the_same_is_taken_everywhere_and_it_is_said(
    installed: Environment, turned: bool
) -> None:
    for package in ("Zeta_box", "alpha.box"):
        module = package.lower().replace(".", "_")
        installed.install(module, GOOD, package=package, point="ludo")
    games = load_games(_points()[::-1] if turned else _points())
    assert games.sources["ludo"].package == "alpha-box"
    assert games.said_of_choice("ludo") == (
        "Ludo is here more than once: that of package alpha-box is played, "
        "not that of package zeta-box."
    )
    assert "game ludo is there already (package alpha-box)" in the_broken_one(games)
    assert load_game("ludo", _points()).sources["ludo"].package == "alpha-box"


def test_built_in_game_is_taken_before_any_package(installed: Environment) -> None:
    installed.install("aaa", RETURNS + "(replace(DUDO, title='Mine'),)\n", point="dudo")
    games = load_games()
    assert games.find("dudo").title == load_games([]).find("dudo").title
    assert games.said_of_choice("dudo") == (
        "Liar's Dice (Dudo) is here more than once: the built in one is played, "
        "not that of package aaa."
    )
    assert games.said_of_choice("intriga") == ""


# One game alone

MARK = "import pathlib\npathlib.Path(__file__).with_suffix('.ran').touch()\n"


def test_one_game_is_had_without_any_code_of_another_plugin(installed: Environment) -> None:
    for name in ("bystander", "ludo", "watcher"):
        installed.install(name, MARK + GOOD.replace("ludo", name))
    assert load_game("dudo").games.keys() == {"dudo"}
    assert ran(installed) == set()
    games = load_game("ludo")
    assert games.games.keys() == {"ludo"}
    assert games.copy(games.find("ludo")) == load_games().copy(games.find("ludo"))
    assert load_game("chess").games == {}


def ran(installed: Environment) -> set[str]:
    """The packages whose code has run."""
    return {path.stem for path in installed.folder.glob("*.ran")}


def test_of_two_packages_with_one_game_the_second_one_does_not_run(installed: Environment) -> None:
    for package in ("alpha", "zeta"):
        installed.install(package, MARK + GOOD, point="ludo")
    assert load_game("ludo").sources["ludo"].package == "alpha"
    assert ran(installed) == {"alpha"}


def test_where_the_first_package_is_broken_the_next_is_taken(installed: Environment) -> None:
    installed.install("alpha", "1 / 0\n", point="ludo")
    installed.install("zeta", GOOD, point="ludo")
    for games in (load_game("ludo"), load_games()):
        assert games.sources["ludo"].package == "zeta"
        assert "ZeroDivisionError" in the_broken_one(games)


def test_a_module_that_two_entry_points_name_is_loaded_once(installed: Environment) -> None:
    source = f"{GOOD}SEEN = []\n@hookimpl\ndef sobremesa_event(event):\n    SEEN.append(event)\n"
    installed.install("ludo", source)
    (point,) = [p for p in _points() if p.name == "ludo"]
    again = importlib.metadata.EntryPoint("ludo", point.value, point.group)
    games = load_games([point, point, again])
    assert "it is loaded already, as package ludo" in the_broken_one(games)
    games.notify_observers(games.find("ludo"), {"kind": "round"})
    assert point.load().SEEN == [{"kind": "round"}]


def _points() -> list[importlib.metadata.EntryPoint]:
    return list(importlib.metadata.entry_points(group="sobremesa.games"))


@pytest.mark.parametrize("other", ["in", "dud", "Dudo", "liars-dice", "", "du\u200bdo"])
def test_what_another_machine_calls_a_game_is_its_id_and_nothing_near_it(other: str) -> None:
    with pytest.raises(UnknownGame, match="no game is called"):
        load_games([]).find(other)


def test_a_person_may_call_a_game_by_the_beginning_of_its_name() -> None:
    assert load_games([]).named("in").id == "intriga"


def test_asking_for_a_game_of_a_broken_plugin_says_why_it_is_not_there(
    installed: Environment,
) -> None:
    installed.install("chess", "import nothing_of_that_name\n")
    with pytest.raises(UnknownGame) as refused:
        load_games().find("chess")
    assert "no game is called 'chess'" in str(refused.value)
    assert "plugin chess (package chess) could not be loaded: " in str(refused.value)


# Bots

BOT = """
from sobremesa import Bot
def bot(id):
    return Bot(id, "First", lambda observation, question, pick: question.default)
@hookimpl
def sobremesa_bots():
    return """


def test_plugin_adds_a_bot_to_a_game_that_is_there(installed: Environment) -> None:
    installed.install("more", BOT + '(("dudo", bot("first")), ("chess", bot("first")))\n')
    games = load_games()
    assert games.broken == []
    own, added = games.find("dudo").bots
    assert own == load_games([]).find("dudo").bots[0]
    assert added.id == "first"


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (BOT + "1 / 0\n", "ZeroDivisionError"),
        (BOT + "None\n", "TypeError"),
        (BOT + '(("dudo", "first"),)\n', "TypeError: sobremesa_bots returns 'first', which is no"),
        (
            BOT + '(("dudo", bot("a")), ("dudo", bot("a")))\n',
            "ValueError: dudo has a bot a already",
        ),
    ],
)
def test_broken_bots_are_named_and_the_game_keeps_its_own(
    installed: Environment, source: str, why: str
) -> None:
    installed.install("more", source)
    games = load_games()
    line = the_broken_one(games)
    assert line.startswith("plugin package more more has unusable bots: ")
    assert why in line
    assert games.find("dudo") == load_games([]).find("dudo")


# Observers

WATCH = """
SEEN = []
@hookimpl
def sobremesa_event(game, event):
    SEEN.append((game.id, event["kind"]))
"""


def test_observer_that_breaks_keeps_the_event_from_no_other(installed: Environment) -> None:
    installed.install("a_watcher", WATCH.replace("SEEN.append", "raise KeyError"))
    installed.install("b_watcher", WATCH)
    installed.install("c_watcher", WATCH.replace("SEEN.append", "raise OSError"))
    games = load_games()
    assert games.broken == []
    with pytest.raises(ExceptionGroup) as raised:
        games.notify_observers(games.find("dudo"), {"kind": "round"})
    assert [type(error) for error in raised.value.exceptions] in (
        [KeyError, OSError],
        [OSError, KeyError],
    )
    assert importlib.import_module("b_watcher").SEEN == [("dudo", "round")]


def test_observer_that_breaks_is_logged_and_the_game_goes_on(
    installed: Environment,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    installed.install("watcher", WATCH.replace("SEEN.append", "raise KeyError"))
    monkeypatch.setenv("SOBREMESA_LOG", str(tmp_path / "log"))
    ran = Commands(tmp_path, capsys).run("play", "dudo", "--auto", "--plain", "--pace", "0")
    assert (ran.status, ran.err) == (0, "")
    assert ran.lines[-1] == "The record of the game is verified."
    log = (tmp_path / "log").read_text("utf-8")
    assert "a plugin that watches broke" in log
    assert "KeyError: ('dudo', 'round')" in log


# As processes


def test_installed_package_is_in_the_list_of_the_command(tmp_path: Path) -> None:
    packages = install_example(tmp_path / "packages")
    env = environment(tmp_path, PYTHONPATH=f"{ROOT}:{packages}")
    ran = subprocess.run((*SOBREMESA, "games", "--json"), env=env, capture_output=True, check=True)
    found = json.loads(ran.stdout)
    assert found["broken"] == []
    assert {"morra": "package morra"}.items() <= {
        game["id"]: game["origin"] for game in found["games"]
    }.items()


def test_broken_package_is_named_by_the_command_and_dudo_is_played(
    installed: Environment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    installed.install("broken", "1 / 0\n")
    sobremesa = Commands(tmp_path, capsys)
    ran = sobremesa.run("games")
    assert ran.status == 0
    assert ran.err == (
        "sobremesa: plugin broken (package broken) could not be loaded: "
        "ZeroDivisionError: division by zero (broken.py, line 5)\n"
    )
    assert any(line.startswith("dudo: ") for line in ran.lines)
    assert len(json.loads(sobremesa.run("games", "--json").out)["broken"]) == 1
    assert sobremesa.run("rules", "dudo").status == 0
