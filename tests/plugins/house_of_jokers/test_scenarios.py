"""Every scenario file of the game plays as it expects, and every rule and known case has one."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from sobremesa.core.scenario import differences, exit_status, play_scenario, read_scenario
from sobremesa.plugins import load_games

HERE = Path(__file__).parent
FILES = sorted((HERE.parents[1] / "scenarios" / "house_of_jokers").glob("*.json"))

RULES = [f"HJ-R{number}" for number in range(1, 22)]
EDGE_CASES = [f"edge-{number:02}" for number in range(1, 16)]
CASES_ELSEWHERE = ["O22", "O42", "O43", "O44", "O45", "O46", "O47"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_scenario_plays_as_expected(path: Path) -> None:
    scenario = read_scenario(json.loads(path.read_text("utf-8")), load_games().find)
    assert scenario.expect
    output = play_scenario(scenario)
    unexpected = differences(scenario.expect, output)
    assert unexpected == []
    assert exit_status(scenario, output, unexpected) == 0


def test_every_rule_and_every_known_case_is_shown() -> None:
    shown = {
        number for path in FILES for number in re.findall(r"^(HJ-R\d+|edge-\d\d|O\d+)", path.stem)
    }
    for test in HERE.glob("test_*.py"):
        shown.update(re.findall(r'mark\.rule\("([^"]+)"\)', test.read_text("utf-8")))
    assert set(RULES + EDGE_CASES + CASES_ELSEWHERE) - shown == set()
