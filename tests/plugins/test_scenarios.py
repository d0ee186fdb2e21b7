"""Every scenario file plays as it expects, and every rule and known case of a game has one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from sobremesa.core.scenario import differences, exit_status, play_scenario, read_scenario
from sobremesa.plugins.loader import BUILT_IN, load_games

HERE = Path(__file__).parent
SCENARIOS = HERE.parent / "scenarios"
FILES = sorted(SCENARIOS.glob("*/*.json"))


@dataclass(frozen=True)
class Paper:
    """What a game's rules file numbers: rules by prefix, edge cases, cases from elsewhere."""

    prefix: str
    rules: int
    edges: int
    cases: tuple[int, ...]

    def numbers(self) -> set[str]:
        """All that must be shown by a scenario file or a marked test."""
        return {
            *(f"{self.prefix}-R{number}" for number in range(1, self.rules + 1)),
            *(f"edge-{number:02}" for number in range(1, self.edges + 1)),
            *(f"O{number}" for number in self.cases),
        }


PAPERS = {
    "cinco_vidas": Paper("CV", 20, 11, (22, 28, 29, 30, 31, 32, 37, 41)),
    "dudo": Paper("LD", 20, 18, (22, 23, 24, 25, 26, 27, 28, 36, 37, 41, 42)),
    "five_alive": Paper("FA", 16, 15, (22, *range(33, 41))),
    "house_of_jokers": Paper("HJ", 21, 15, (22, 42, 43, 44, 45, 46, 47)),
    "intriga": Paper("IN", 29, 18, (*range(1, 23), 36)),
}


def names_of(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


@pytest.mark.parametrize("path", FILES, ids=names_of)
def test_scenario_plays_as_expected(path: Path) -> None:
    scenario = read_scenario(json.loads(path.read_text("utf-8")), load_games([]).find)
    assert scenario.expect
    output = play_scenario(scenario)
    unexpected = differences(scenario.expect, output)
    assert unexpected == []
    assert exit_status(scenario, output, unexpected) == 0


def test_every_built_in_game_has_its_paper() -> None:
    assert set(PAPERS) == set(BUILT_IN)


@pytest.mark.parametrize("game", PAPERS)
def test_every_rule_and_every_known_case_is_shown(game: str) -> None:
    paper = PAPERS[game]
    marks = (
        re.findall(r'mark\.rule\("([^"]+)"\)', test.read_text("utf-8"))
        for test in (*(HERE / game).glob("test_*.py"), HERE / "test_contract.py")
    )
    shown = {number for found in (*marks, numbered(paper, game)) for number in found}
    assert paper.numbers() - shown == set()


def numbered(paper: Paper, game: str) -> Iterable[str]:
    """What the names of the scenario files begin with."""
    pattern = rf"({paper.prefix}-R\d+|edge-\d\d|O\d+)"
    for path in (SCENARIOS / game).glob("*.json"):
        if match := re.match(pattern, path.stem):
            yield match[1]
