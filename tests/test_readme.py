"""The README and what it promises: each command in it is run by a test or by .ci/run.

A command that can be typed stands in a fence or behind four blanks; `.ci/run` runs the fences
that a comment names, and the rest is run here.
"""

from __future__ import annotations

import re
import secrets
import shlex
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.games.packages import import_example, install_example
from support.processes.machines import ROOT, SOBREMESA, Machine, environment, machine

from sobremesa.cli.main import parser
from sobremesa.plugins.loader import load_games

README = (ROOT / "README.md").read_text("utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
CI = (ROOT / ".ci" / "run").read_text("utf-8")
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
VENV = ".venv/bin/"

MARKED = dict(
    re.findall(r"<!-- run: (\w+) -->\n```\n(.*?)\n```$", README, re.DOTALL | re.MULTILINE)
)
INDENTED = re.findall(r"^ {4}(\S.*)$", README, re.MULTILINE)
INLINE = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", README, flags=re.DOTALL | re.M))


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Machine]:
    with machine(tmp_path) as one:
        yield one


# The two commands of the first minute.


def ci_function(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run one function of .ci/run, with those that it calls."""
    functions = re.findall(r"^\w+\(\) (?:\{.*?^\}|\{[^\n]*\})$", CI, re.DOTALL | re.MULTILINE)
    script = "\n".join([*functions, shlex.join([name, *arguments])])
    return subprocess.run(["bash", "-euc", script], cwd=ROOT, capture_output=True, text=True)


@pytest.mark.parametrize("name", ["play", "test"])
def test_ci_runs_the_very_command_that_the_readme_shows(name: str) -> None:
    ran = ci_function("readme", name)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.rstrip("\n") == MARKED[name]
    assert f"{name}=$(readme {name})" in CI
    assert CI.count(f'"${name}"') == 1


def test_ci_stops_where_the_readme_has_no_such_command() -> None:
    ran = ci_function("readme", "sing")
    assert ran.returncode == 1
    assert ran.stderr == ".ci/run: README.md has no command to run that is called sing\n"


def test_both_are_one_line_that_installs_into_a_folder_of_its_own() -> None:
    assert MARKED.keys() == {"play", "test"}
    for command in MARKED.values():
        assert "\n" not in command
        make, install, start = command.split(" && ")
        assert make == "python3 -m venv .venv"
        assert install.startswith(f"{VENV}pip install -q ")
        assert start.startswith(VENV)
    assert MARKED["play"].endswith("sobremesa play dudo")
    assert "'.[test]'" in MARKED["test"]


def test_every_fence_is_run_or_is_the_picture() -> None:
    fences = re.findall(r"^```\n(.*?)\n```$", README, re.DOTALL | re.MULTILINE)
    assert fences == [picture(), *MARKED.values()]


# The other commands.


def test_every_indented_line_is_run_by_a_test_below() -> None:
    run_below = [*TABLE_FOR_THREE, *EXAMPLE_GAME]
    assert [line.removeprefix(VENV) for line in INDENTED] == run_below
    assert all(line.startswith(VENV) for line in INDENTED)


TABLE_FOR_THREE = (
    "sobremesa host dudo --table Kitchen --seats 3",
    "sobremesa join Kitchen --code 123456",
)


def test_a_table_is_opened_and_joined_by_name_as_the_readme_says(here: Machine) -> None:
    # Other tables of that name may be on this machine's network.
    name = f"Kitchen {secrets.token_hex(4)}"
    host_words, join_words = (
        [name if word == "Kitchen" else word for word in shlex.split(line)[1:]]
        for line in TABLE_FOR_THREE
    )
    quiet = ("--plain", "--auto", "--pace", "0", "--option", "dice=3")
    host = here.run(*host_words, *quiet, home="host", SOBREMESA_NO_MDNS="")
    code = host.hear(r"The join code is ((?:\d ){5}\d)")[1].replace(" ", "")
    join_words = [code if word == "123456" else word for word in join_words]
    guests = [
        here.run(*join_words, *quiet[:4], "--name", name, home=name, SOBREMESA_NO_MDNS="")
        for name in ("Bea", "Cai")
    ]
    for command in (host, *guests):
        assert command.wait() == 0, command
        assert command.heard("The record of the game is verified")


EXAMPLE_GAME = (
    "pip install ./docs/example",
    "sobremesa games --check morra",
    "sobremesa play morra",
)


def test_example_game_is_played_once_it_is_installed(tmp_path: Path) -> None:
    packages = install_example(tmp_path / "packages")
    env = environment(tmp_path, PYTHONPATH=f"{ROOT}:{packages}")
    words = (*shlex.split(EXAMPLE_GAME[2])[1:], "--auto", "--plain", "--pace", "0", "--bots", "1")
    ran = subprocess.run((*SOBREMESA, *words), env=env, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith(f"The game begins: {import_example().GAME.title} ")
    for line in EXAMPLE_GAME[:2]:  # the install itself, and the check, are done in .ci/run
        assert line.split()[-1].removeprefix("./") in CI
    assert '"$sobremesa" games --check morra' in CI


WORDS = {"GAME": "dudo", "TABLE": "Kitchen", "FILE": "file", "N": "2", "HOST:PORT": "h:1"}


@pytest.mark.parametrize("line", [code for code in INLINE if code.startswith("sobremesa")])
def test_every_command_in_the_text_can_be_typed(line: str) -> None:
    _, *words = line.replace("[", "").replace("]", "").split()
    if words == ["COMMAND", "--help"]:
        return
    args = parser().parse_args([WORDS.get(word, word) for word in words])
    assert args.verb == (words[0] if words else None)


def test_every_flag_in_the_text_is_one_of_play() -> None:
    flags = [code for code in INLINE if code.startswith("--")]
    assert "--save FILE" in flags
    for flag in flags:
        parser().parse_args(["play", "dudo", *flag.split()])


def test_every_command_there_is_stands_in_the_readme() -> None:
    known = re.findall(r"^\s+\{?(\w+(?:,\w+)*)\}?", parser().format_help(), re.MULTILINE)
    verbs = {"play", "host", "join", "tables", "games", "rules", "verify", "replay"}
    verbs |= {"scenario", "bench"}
    assert verbs <= set(known)
    told = {code.split()[1] for code in INLINE if code.startswith("sobremesa ")}
    assert verbs <= told


# What it says and names.


def picture() -> str:
    return README.split("\n```\n")[1]


def test_picture_is_a_screen_that_the_client_draws() -> None:
    for golden in (ROOT / "tests" / "golden").glob("*/*.unicode.txt"):
        screens = re.split(r"^=== \d+x\d+\n", golden.read_text("utf-8"), flags=re.MULTILINE)
        if picture() in [screen.rstrip("\n") for screen in screens]:
            return
    raise AssertionError("the picture in the README is no screen of tests/golden")


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "docs/writing-a-game.md"])
def test_every_file_that_is_named_is_there(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    named = re.findall(r"\]\(([^)#:]+)\)", text)
    named += re.findall(r"`(?:\./)?((?:[\w.-]+/)+[\w.-]*)`", text)
    assert named
    for name in named:
        places = (ROOT / name, (ROOT / page).parent / name)
        assert name.startswith(VENV) or any(place.exists() for place in places), name


def test_every_game_is_named_with_its_seats() -> None:
    for game in load_games([]).games.values():
        (line,) = (line for line in README.splitlines() if line.startswith(f"- **{game.title}**"))
        assert f" {game.seats[0]} to {game.seats[-1]}" in line


def test_every_dependency_has_its_reason() -> None:
    for dependency in SETTINGS["project"]["dependencies"]:
        name = re.split(r"[<>=]", dependency)[0]
        assert re.search(rf"\b{name}\b", README.split("It stands on")[1]), name


def test_python_that_is_asked_for_is_the_same_everywhere() -> None:
    (version,) = re.findall(r"Python (\d\.\d+) or newer", README)
    assert SETTINGS["project"]["requires-python"] == f">={version}"
    assert SETTINGS["tool"]["ruff"]["target-version"] == f"py{version.replace('.', '')}"
    assert f"({version.replace('.', ', ')})" in CI


# For those who build.


def test_contributors_are_told_what_ci_checks() -> None:
    for gate in ("ruff check .", "ruff format --check .", "mypy"):
        assert f"{VENV}{gate}" in CONTRIBUTING
        name, *rest = gate.split()
        assert " ".join([f'"$scratch/dev/bin/{name}"', *rest]) in CI


def test_extras_that_the_commands_install_have_what_they_run() -> None:
    extras = SETTINGS["project"]["optional-dependencies"]
    for tool in ("pytest", "pytest-timeout", "pytest-xdist", "hypothesis"):
        assert any(line.startswith(tool) for line in extras["test"])
    for tool in ("sobremesa[test]", "mypy", "ruff"):
        assert any(line.startswith(tool) for line in extras["dev"])
