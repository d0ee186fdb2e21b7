"""The example games: they play, and docs/writing-a-game.md shows their code and no other, and
names all that an author can set."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Callable
from dataclasses import fields
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, get_args

import pytest
from support.clients.sessions import FixedChance
from support.games.packages import EXAMPLE, describe
from support.games.playouts import NAMES, open_table
from support.peers.card_cheats import Lies
from support.peers.card_tables import CardTable
from support.processes.machines import ROOT, SOBREMESA, environment

import sobremesa
from sobremesa.core import questions, requests, views
from sobremesa.core.errors import IllegalAnswer
from sobremesa.core.game import Game, Help, Observation, Option, Outcome
from sobremesa.core.hookspecs import ENTRY_POINTS
from sobremesa.core.open_table import OpenTable
from sobremesa.core.pieces import Faces
from sobremesa.core.questions import Answer, Move, Question
from sobremesa.core.replica.audit import audit
from sobremesa.core.replica.faults import PlayedIllegally
from sobremesa.core.requests import Event
from sobremesa.core.views import Cards, Hand, Row
from sobremesa.plugins.check import check_game
from sobremesa.plugins.loader import Games, load_games

SETTINGS = tomllib.loads((EXAMPLE / "pyproject.toml").read_text("utf-8"))
POINTS = SETTINGS["project"]["entry-points"]
PAGE = (ROOT / "docs" / "writing-a-game.md").read_text("utf-8")


def load() -> Games:
    """The games as the entry points name them."""
    points = [EntryPoint(name, value, ENTRY_POINTS) for name, value in POINTS[ENTRY_POINTS].items()]
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(EXAMPLE))
        return load_games(points)


GAMES = load()
MORRA, WHIST = GAMES.find("morra"), GAMES.find("little-whist")
SOURCES = {
    module: (EXAMPLE / module / "__init__.py").read_text("utf-8")
    for module in POINTS[ENTRY_POINTS].values()
}

# The package


def test_package_brings_each_module_that_its_entry_points_name() -> None:
    assert POINTS.keys() == {ENTRY_POINTS}
    modules = {path.parent.name for path in EXAMPLE.glob("*/__init__.py")}
    assert set(SOURCES) == set(SETTINGS["tool"]["setuptools"]["packages"]) == modules
    assert SETTINGS["project"]["dependencies"] == ["sobremesa"]
    assert GAMES.broken == []
    assert {GAMES.find(name).id for name in POINTS[ENTRY_POINTS]} == set(POINTS[ENTRY_POINTS])


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_example_needs_nothing_but_the_public_face(source: str) -> None:
    imported = re.findall(r"^(?:from|import) (sobremesa[\w.]*)", source, re.MULTILINE)
    assert imported == ["sobremesa"]
    (names,) = re.findall(r"from sobremesa import \((.*?)\)", source, re.DOTALL)
    assert {name.strip() for name in names.split(",")} - {""} <= set(sobremesa.__all__)


@pytest.mark.parametrize("game", [MORRA, WHIST], ids=["morra", "little-whist"])
def test_check_finds_nothing_wrong_with(game: Game[Any]) -> None:
    assert check_game(game, games=1) == []


# Morra


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


# Little Whist

ANA = ("KH", "2H", "AS", "3S", "9D")
BEA = ("AC", "QH", "AH", "4C", "5C")


def whist(on_event: Callable[[Event], None] | None = None) -> OpenTable:
    """A table of two at which Ana leads."""
    return OpenTable(WHIST, NAMES[:2], {}, FixedChance(0, (*ANA, *BEA)), on_event)


def lay(table: OpenTable, *cards: str) -> OpenTable:
    """Whoever is asked lays the next of these cards."""
    for card in cards:
        ((seat, question),) = table.asked.items()
        table.answer(seat, question.read(f"lay {card}", table.faces(seat)))
    return table


def asked(table: OpenTable) -> tuple[str, Question, Faces]:
    """Who is asked, what, and what it sees."""
    ((seat, question),) = table.asked.items()
    return seat, question, table.faces(seat)


def test_highest_card_of_the_suit_led_takes_the_trick_and_leads_the_next() -> None:
    table = lay(whist(), "2H", "AH")
    assert asked(table)[0] == "Bea"
    lay(table, "4C", "AS")
    assert asked(table)[0] == "Bea", "an ace of another suit takes nothing"
    lay(table, "AC", "3S", "QH", "KH")
    assert asked(table)[0] == "Ana"
    lay(table, "9D", "5C")
    assert table.outcome == Outcome((("Bea",), ("Ana",)), "the most tricks are 3")


def test_who_can_follow_suit_must() -> None:
    table = lay(whist(), "KH")
    _, question, faces = asked(table)
    refused = "you hold hearts and must follow suit"
    assert [question.why_not(Answer("lay", (n,)), faces) for n in (1, 2, 3, 4, 5)] == [
        refused, None, None, refused, refused
    ]  # fmt: skip
    with pytest.raises(IllegalAnswer, match=refused):
        lay(table, "AC")
    assert question.late(faces) == Answer("lay", (2,))
    assert question.moves(faces)[0].hint == "lay #2"
    assert {question.why_not(Answer("lay", (n,)), {}) for n in (1, 2, 3, 4, 5)} == {None}


def test_table_says_whether_a_card_would_take_the_trick() -> None:
    table = whist()
    _, question, faces = asked(table)
    assert question.hint(Answer("lay", (1,)), faces) is None, "whoever leads is the only one yet"
    _, question, faces = asked(lay(table, "KH"))
    assert question.hint(Answer("lay", (2,)), faces) == "That does not take the trick."
    assert question.hint(Answer("lay", (3,)), faces) == "That is the best card so far."
    assert question.hint(Answer("lay", (3,)), {}) is None


def hand_of(table: OpenTable, seat: str) -> Cards:
    view = WHIST.view(table.run.state, seat, table.faces(seat))
    (hand,) = (block for block in view.blocks if isinstance(block, Hand))
    assert isinstance(hand.content, Cards)
    return hand.content


def test_hand_shows_which_cards_may_be_laid_when_they_may() -> None:
    table = whist()
    assert hand_of(table, "Ana") == Cards(ANA, (0, 1, 2, 3, 4))
    assert hand_of(table, "Bea") == Cards(BEA, None)
    lay(table, "KH")
    assert hand_of(table, "Ana") == Cards(ANA[1:], None)
    assert hand_of(table, "Bea") == Cards(BEA, (1, 2))


def test_no_card_may_be_laid_while_the_table_shows_what_was_laid() -> None:
    tables: list[OpenTable] = []
    shown = []

    def look(event: Event) -> None:
        if tables:  # the first event comes while the table is made
            shown.append((event["kind"], hand_of(tables[0], event["seat"]).playable))

    tables.append(whist(look))
    lay(tables[0], "2H", "AH")
    assert shown == [("laid", None), ("laid", None), ("taken", None), ("leads", (0, 1, 2, 3))]


def test_spectator_sees_what_lies_open_and_no_hand() -> None:
    table = lay(whist(), "KH")
    blocks = WHIST.view(table.run.state, None, table.faces(None)).blocks
    assert [type(block).__name__ for block in blocks] == ["Headline", "Gap", "Seats"]
    (_, _, seats) = blocks
    assert isinstance(seats, views.Seats)
    assert seats.rows == (Row("Ana", (Cards(("KH",)), 0)), Row("Bea", (Cards(()), 0), turn=True))


def test_player_is_spoken_to_as_you() -> None:
    laid, taken = ({"kind": kind, "seat": "Ana", "card": "10H"} for kind in ("laid", "taken"))
    assert WHIST.describe(laid, "Ana") == "You lay the ten of hearts."
    assert (
        WHIST.describe(laid, "Bea") == WHIST.describe(laid, None) == "Ana lays the ten of hearts."
    )
    assert WHIST.describe(taken, "Ana") == "You take the trick with the ten of hearts."
    assert WHIST.describe(taken, "Bea") == "Ana takes the trick with the ten of hearts."
    leads = {"kind": "leads", "seat": "Bea", "trick": 2}
    assert [WHIST.describe(leads, seat) for seat in ("Bea", "Ana")] == [
        "You lead trick 2.",
        "Bea leads trick 2.",
    ]


def revoke(question: Question, faces: Faces) -> str | None:
    """A card that may not be laid, wherever one is held."""
    (move,) = question.moves(faces)
    places = (Answer(move.id, (place,)) for place in move.fields[0].values())
    wrong = [answer for answer in places if question.why_not(answer, faces) is not None]
    return question.write(wrong[0]) if wrong else None


def test_who_does_not_follow_suit_is_named_by_the_others() -> None:
    table = CardTable(WHIST, 2, seed=1, cheats={1: Lies(revoke)}).run()
    (honest,) = table.honest
    trouble = honest.fault or audit(honest.transcript(), lambda _: WHIST).trouble
    assert isinstance(trouble, PlayedIllegally)
    assert trouble.peer == "Bea"
    assert "which its own cards do not allow" in str(trouble)


def run(tmp_path: Path, *words: str) -> str:
    """What a command prints where Little Whist is installed."""
    packages = tmp_path / "packages"
    if not packages.exists():
        packages.mkdir()
        describe(packages, "little-whist", POINTS[ENTRY_POINTS]["little-whist"])
    env = environment(tmp_path, PYTHONPATH=f"{ROOT}:{packages}:{EXAMPLE}")
    ran = subprocess.run((*SOBREMESA, *words), env=env, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


def test_card_game_is_played_verified_and_replayed_with_all_hands(tmp_path: Path) -> None:
    record = str(tmp_path / "record")
    quiet = ("--bots", "2", "--auto", "--plain", "--pace", "0")
    played = run(tmp_path, "play", "little-whist", *quiet, "--save", record)
    assert played.startswith("The game begins: Little Whist with you, ")
    assert "\nThe record of the game is verified.\n" in played
    assert "verified. Little Whist at " in run(tmp_path, "verify", record)
    replayed = run(tmp_path, "replay", record, "--all")
    assert len(re.findall(r"^ +\S+ has(?: \S{2,3}){5}$", replayed, re.MULTILINE)) == 3


# The page


def code_blocks() -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("number", range(len(code_blocks())))
def test_code_on_the_page_is_the_code_of_an_example(number: int) -> None:
    assert any(code_blocks()[number] in source for source in SOURCES.values())


def test_page_shows_the_entry_points_of_the_examples() -> None:
    (block,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    assert tomllib.loads(block)["project"]["entry-points"] == POINTS


def test_page_shows_the_scripts_the_questions_and_how_they_are_handed_over() -> None:
    shown = "".join(code_blocks())
    parts = ("class Throw(Question)", "class Lay(Question)", "def choose(", "@hookimpl")
    for part in parts:
        assert shown.count(part) == 1, part
    for part in ("class State", "def play(", "def view(", "GAME = Game("):
        assert shown.count(part) == 2, part


ROWS = re.findall(r"^\| (.*?) \| ", PAGE, re.MULTILINE)
"""The first cell of each row of the tables."""

CALLS = dict(re.findall(r"`(\w+)\((.*?)\)`", PAGE))


def members(union: object) -> list[type]:
    return [member for member in get_args(union) if member not in (str, int)]


def test_page_speaks_of_every_request() -> None:
    for request in members(requests.Request):
        assert any(row.startswith(f"`{request.__name__}(") for row in ROWS), request


def own(kind: type) -> set[str]:
    """What an author sets: the fields of a value, or what a question may have of its own."""
    if kind is Question:
        below = ("move", "write", "read", "read_notation", "check", "only_answer")
        return {name for name in vars(Question) if name[0] != "_" and name not in below}
    return {member.name for member in fields(kind)}


@pytest.mark.parametrize("kind", [Game, Move, Question])
def test_page_has_a_row_for_all_that_an_author_sets(kind: type) -> None:
    table = PAGE.split(f"| of a `{kind.__name__}` |")[1].split("\n\n")[0]
    rows = re.findall(r"^\| (`.*?) \| ", table, re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"`(\w+)", row)} == own(kind)


@pytest.mark.parametrize(
    "kind",
    [
        *members(questions.Field),
        *members(views.Block),
        *members(views.Cell),
        *(Help, Option, Outcome, Row, views.View),
    ],
)
def test_page_has_the_fields_of(kind: type) -> None:
    known = [name.split("=")[0] for name in CALLS[kind.__name__].split(", ") if name]
    assert known == [member.name for member in fields(kind) if member.name != "area"]


def test_page_tells_a_bot_all_that_it_sees() -> None:
    (told,) = re.findall(r"An `Observation` is (.*?)\n\n", PAGE, re.DOTALL)
    assert {f"`{member.name}`" for member in fields(Observation)} <= set(re.findall(r"`\w+`", told))
