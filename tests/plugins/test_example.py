"""The example game: it plays, and docs/writing-a-game.md shows its code and no other."""

from __future__ import annotations

import re
import tomllib

import pytest
from support.packages import EXAMPLE, import_example
from support.playouts import open_table
from support.processes import ROOT

import sobremesa
from sobremesa.core.hookspecs import ENTRY_POINTS
from sobremesa.core.questions import Answer

MORRA = import_example().GAME
SOURCE = (EXAMPLE / "sobremesa_morra" / "__init__.py").read_text("utf-8")
PAGE = (ROOT / "docs" / "writing-a-game.md").read_text("utf-8")


def throw(points: str, *throws: dict[str, str]) -> list[tuple[str, ...]] | None:
    """The places after these throws at a table of three."""
    table = open_table(MORRA, 3, seed=1, options={"points": points})
    for shown in throws:
        for seat, text in shown.items():
            table.answer(seat, table.asked[seat].read(text))
    return list(table.outcome.places) if table.outcome else None


def test_who_alone_calls_the_sum_scores_and_the_first_to_all_points_wins() -> None:
    ana = {"Ana": "3 call 6", "Bea": "2 call 9", "Cai": "1 call 7"}
    both = {"Ana": "3 call 6", "Bea": "2 call 6", "Cai": "1 call 7"}
    assert throw("3", ana, ana) is None
    assert throw("3", ana, ana, both) is None
    assert throw("3", ana, both, ana, ana) == [("Ana",), ("Bea", "Cai")]
    assert throw("1", both, ana) == [("Ana",), ("Bea", "Cai")]


def test_call_that_the_own_fingers_make_impossible_is_refused() -> None:
    (question, *_) = open_table(MORRA, 3, seed=1).asked.values()
    assert question.why_not(Answer("throw", (5, 4)), {}) == "with your 5 the sum is 5 to 15"
    assert question.why_not(Answer("throw", (5, 16)), {}) is not None
    assert question.why_not(Answer("throw", (5, 15)), {}) is None


def test_entry_point_names_the_module_and_the_dependency_is_us() -> None:
    settings = tomllib.loads((EXAMPLE / "pyproject.toml").read_text("utf-8"))
    assert settings["project"]["entry-points"] == {ENTRY_POINTS: {"morra": "sobremesa_morra"}}
    assert settings["project"]["dependencies"] == ["sobremesa"]


def test_example_needs_nothing_but_the_public_face() -> None:
    imported = re.findall(r"^(?:from|import) (sobremesa[\w.]*)", SOURCE, re.MULTILINE)
    assert imported == ["sobremesa"]
    (names,) = re.findall(r"from sobremesa import \((.*?)\)", SOURCE, re.DOTALL)
    assert {name.strip() for name in names.split(",")} - {""} <= set(sobremesa.__all__)


def code_blocks() -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("number", range(len(code_blocks())))
def test_code_on_the_page_is_the_code_of_the_example(number: int) -> None:
    assert code_blocks()[number] in SOURCE


def test_page_shows_the_script_the_question_and_how_it_is_handed_over() -> None:
    shown = "".join(code_blocks())
    for part in ("def play(", "class Throw(Question)", "def view(", "def choose(", "@hookimpl"):
        assert part in shown, part


def test_page_speaks_of_every_request_and_every_block() -> None:
    from sobremesa.core import requests, views

    for name in (*_members(requests.Request), *_members(views.Block)):
        assert f"`{name}" in PAGE, name


def _members(union: object) -> list[str]:
    return [member.__name__ for member in union.__args__]  # type: ignore[attr-defined]
