"""The check kit: the games here pass it, and each thing that a game must not do is found."""

from __future__ import annotations

import json
import random
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from support.games.packages import install, install_example
from support.games.scripts import outcome
from support.processes.machines import ROOT, SOBREMESA, environment

from sobremesa.core.encoding import Pick
from sobremesa.core.game import Bot, Game, Help, Observation, Option, Outcome
from sobremesa.core.pieces import Card, Die, Faces, Piece, Seat
from sobremesa.core.questions import NO_FACES, Answer, CardField, Move, Number, Question, SeatField
from sobremesa.core.recap import Recap
from sobremesa.core.requests import Ask, Mark, Reveal, Roll, Script, Show, Shuffle, Tell
from sobremesa.core.views import Cards, Dice, Grid, Hand, Headline, Row, Seats, View
from sobremesa.plugins.check import check_game, examine
from sobremesa.plugins.check.kit import MOST_ANSWERS, NAMES
from sobremesa.plugins.loader import load_games

GAMES = load_games([]).games


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_check_finds_nothing_wrong_with(game: Game[Any]) -> None:
    assert check_game(game, games=1) == []


def test_check_plays_every_number_of_seats_with_every_choice_of_every_option() -> None:
    played: list[tuple[int, tuple[Any, ...]]] = []

    def play(seats: tuple[Seat, ...], options: Any) -> Script[Outcome]:
        played.append((len(seats), tuple(options.values())))
        yield from GOOD.play(seats, options)
        return outcome(*seats)

    options = (Option("a", 1, (1, 2, 3), ""), Option("b", "on", ("on", "off"), ""))
    assert check_game(replace(GOOD, play=play, options=options), games=1) == []
    assert {count for count, _ in played} == set(GOOD.seats)
    assert {chosen for _, chosen in played} == {(1, "on"), (2, "on"), (3, "on"), (1, "off")}


def test_check_comes_to_the_same_again() -> None:
    assert examine(GOOD, 7) == examine(GOOD, 7)
    assert examine(GOOD, 7).fingerprint != examine(GOOD, 8).fingerprint


# A small game that is right, and what is made wrong in it.


@dataclass
class State:
    """One die each, and what was said of it."""

    cups: dict[Seat, tuple[Die, ...]] = field(default_factory=dict)
    said: dict[Seat, int] = field(default_factory=dict)
    secret: Any = None


class Say(Question):
    """A number, another player, or nothing."""

    text = "Say a number"

    def __init__(self, seat: Seat, seats: tuple[Seat, ...], state: State) -> None:
        self.seat = seat
        self.others = tuple(other for other in seats if other != seat)
        self.state = state

    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        number = Number("number", 1, 6)
        return (
            Move("say", "Say", ("say {number}", "{number}"), "s", (number,), hint="say 3"),
            Move("point", "Point", ("point {who}",), "p", (SeatField("who", self.others),),
                 hint=f"point {self.others[0]}"),
            Move("pass", "Pass", ("pass",), "q"),
        )  # fmt: skip

    @property
    def default(self) -> Answer:
        return Answer("pass")

    def why_not(self, answer: Answer, faces: Faces) -> str | None:
        return None


class Hold(Question):
    """One of two cards."""

    text = "Show a card"

    def __init__(self, cards: tuple[Card, ...]) -> None:
        self.cards = cards

    def moves(self, faces: Faces = NO_FACES) -> tuple[Move, ...]:
        return (
            Move("show", "Show", ("show {card}",), "s", (CardField("card", self.cards),),
                 hint="show #1"),
        )  # fmt: skip

    @property
    def default(self) -> Answer:
        return Answer("show", (1,))

    def why_not(self, answer: Answer, faces: Faces) -> str | None:
        return None


def script(
    say: type[Say] = Say, hold: type[Hold] = Hold, tell: dict[str, Any] | None = None
) -> Callable[..., Script[Outcome]]:
    def play(seats: tuple[Seat, ...], options: Any) -> Script[Outcome]:
        state = State()
        yield Mark(state)
        state.cups = yield Roll(dict.fromkeys(seats, 1))
        for seat in seats:
            answer = yield Ask(seat, say(seat, seats, state))
            state.said[seat] = answer.args[0] if answer.move == "say" else 0
            yield Tell("said", seat=seat, number=state.said[seat], **(tell or {}))
        deck = yield Shuffle(("a", "b", "c", "c") * len(seats))
        yield Show({card: (seats[n // 2],) for n, card in enumerate(deck[: 2 * len(seats)])})
        for place, seat in enumerate(seats):
            hand = deck[2 * place : 2 * place + 2]
            answer = yield Ask(seat, hold(hand))
            (face,) = yield Reveal((hand[answer.args[0] - 1],))
            yield Tell("shown", seat=seat, card=face)
        return outcome(*seats)

    return play


def view(state: State, seat: Seat | None, faces: Faces) -> View:
    own = [faces[die] for die in state.cups.get(seat or "", ()) if die in faces]
    rows = tuple(Row(name, (number,)) for name, number in state.said.items())
    return View("talk", (Headline(f"You hold {own}"), Seats(("said",), rows)))


GOOD: Game[State] = Game(
    id="talk",
    title="Talk",
    seats=range(2, 5),
    rules_version=1,
    play=script(),
    public=lambda state: {"said": dict(state.said)},
    view=view,
    describe=lambda event, seat: f"{event['seat']} did it.",
    help=Help("# Rules", "# Tips", "# Questions"),
    bots=(Bot("first", "First", lambda observation, question, pick: question.default),),
    pieces=lambda state: state.cups,
    cards=True,
)


def test_check_finds_nothing_wrong_with_a_small_game() -> None:
    assert check_game(GOOD, games=12) == []


NO_CELL: Any = (None,)


def views(*blocks: Any) -> dict[str, Any]:
    return {"view": lambda state, seat, faces: View("talk", blocks)}


def broken(*_: Any, **__: Any) -> Any:
    raise KeyError("lost")


LINE = broken.__code__.co_firstlineno + 1
BROKEN = f"the rules of Talk broke (tests/plugins/test_check.py, line {LINE}: KeyError: 'lost')"


def asks(**changes: Any) -> dict[str, Any]:
    """The game with another question."""
    return {"play": script(type("Say", (Say,), changes))}


def moves(*some: Move) -> dict[str, Any]:
    """The game with another question that has also these moves."""
    return asks(moves=lambda question, faces=NO_FACES: (*Say.moves(question, faces), *some))


def leaks_to_all(question: Say, answer: Answer, faces: Faces) -> None:
    if own := [faces[die] for die in question.state.cups[question.seat] if die in faces]:
        question.state.secret = own


def _is_of(piece: Piece, seat: Seat) -> bool:
    return isinstance(piece, Die) and piece.seat == seat


def even_only(question: Say, answer: Answer, faces: Faces) -> str | None:
    """Legal where one's die is seen, and nowhere else."""
    return None if any(_is_of(die, question.seat) for die in faces) else "it is odd"


def shows_secret(state: State, seat: Seat | None, faces: Faces) -> View:
    return View("talk", (Headline(f"somebody holds {state.secret}"),))


def proclaims(state: State, seat: Seat | None, faces: Faces) -> View:
    """A view that does not think of the moment before anything was said."""
    return View("talk", (Headline(f"the most is {max(state.said.values())}"),))


def remembers(state: State, seat: Seat | None, faces: Faces) -> View:
    state.secret = (state.secret or 0) + 1
    return shows_secret(state, seat, faces)


SAME_AGAIN = "bot b answers otherwise when it is asked the same again: has it a memory, a clock, "
CALLS = count()


def by_bots(number: Callable[[Question, Pick], int]) -> dict[str, Any]:
    """The game with a bot that says such a number, from 0."""

    def strategy(seen: Observation[Any], question: Question, pick: Pick) -> Answer:
        return (
            Answer("say", (number(question, pick) + 1,))
            if isinstance(question, Say)
            else question.default
        )

    return {"bots": (Bot("b", "B", strategy),)}


def test_bot_that_takes_its_chance_from_its_pick_is_right() -> None:
    assert check_game(replace(GOOD, **by_bots(lambda question, pick: pick(6))), games=12) == []


NUMBER = (Number("number", 1, 6),)


def recaps(**parts: Any) -> dict[str, Any]:
    """The game tells itself in short with these parts; of rounds those of who sits there."""

    def recap(seats: tuple[Seat, ...], events: object, seat: Seat | None) -> Recap:
        rounds = {name: n for name, n in parts.get("rounds", {}).items() if name in seats}
        return Recap(**{**parts, "rounds": rounds})

    return {"recap": recap}


@pytest.mark.parametrize(
    ("wrong", "finding"),
    [
        ({"view": broken}, "view() breaks: KeyError: 'lost'"),
        ({"view": lambda *_: None}, "view() returns NoneType and no View"),
        ({"describe": broken}, "describe('said') breaks: KeyError: 'lost'"),
        ({"describe": lambda event, seat: ""}, "describe('said') says nothing"),
        ({"describe": lambda event, seat: "two\nlines"},
         "describe('said') holds a character that is not for showing: '\\n'"),
        ({"describe": lambda event, seat: "\x1b[31mred"}, "a character that is not for showing"),
        ({"public": broken}, "public(state) breaks: KeyError: 'lost'"),
        ({"public": lambda state: {"x": 0.5}}, "public(state) holds a float in x"),
        ({"public": lambda state: {"x": {1}}}, "public(state) holds a set in x"),
        ({"public": lambda state: {1: 2}},
         "public(state) holds a key that is no text but of the kind int"),
        ({"pieces": lambda state: {"Zed": ()}}, "pieces(state) names a seat or a piece that is"),
        ({"play": script(tell={"odd": 0.5})}, "event 'said' holds a float in odd"),
        ({"pieces": lambda state: {}}, "hold hidden dice or cards, but pieces(state) names none"),
        ({"play": broken}, f"the game breaks: {BROKEN}"),
        ({"help": Help("", "# Tips", "# Questions")}, "the help page rules is empty"),
        (views("a text"), "view() has a block of the kind str"),
        (views(Seats(("a", "b"), (Row("Ana", (1,)),))), "a row of Seats has 1 cells for 2 columns"),
        (views(Grid(("a",), (("b", 1),))), "a row of Grid has 2 cells for 1 columns"),
        (views(Seats(("a",), (Row("Ana", NO_CELL),))), "Seats has a cell of the kind NoneType"),
        (views(Headline("\u202egnirts")),
         "view() holds a character that is not for showing in Headline.text: '\\u202e'"),
        (views(Hand("Cards", Cards(("KH",), labels=("Ana", "Zoë")))),
         "view(): Cards.labels are not one for each card"),
        (views(Hand("Cards", Cards(("KH",), playable=(1,)))),
         "view(): Cards names a place that is not there (they count from 0)"),
        (views(Hand("Dice", Dice((6, None), hits=(2,)))),
         "view(): Dice names a place that is not there (they count from 0)"),
        ({"view": proclaims}, "view() breaks: ValueError"),
        (asks(text=""), "Say.text says nothing"),
        (asks(default=Answer("say", (0,)),
              why_not=lambda q, a, f: "too low" if a.args == (0,) else None),
         "Say: the default is an answer that the rules refuse: 'say 0', because too low"),
        (asks(late=lambda q, f: Answer("say", (9,))),
         "Say: what is written for say cannot be read: 'say 9', because number must be 1 to 6"),
        (asks(hint=broken), "Say: the question breaks: KeyError: 'lost'"),
        (asks(hint=lambda q, a, f: ""), "Say.hint() says nothing"),
        (asks(why_not=even_only), "an answer that other tables refuse: 'pass', because it is odd"),
        (asks(answers=lambda q, f: iter([Answer("say", (7,))]),
              why_not=lambda q, a, f: "too high" if a.args == (7,) else None),
         "Say: answers() lists an answer that the rules refuse: 'say 7', because too high"),
        (moves(Move("other", "Other", ("other",), "s")), "two moves with one hotkey: s, p, q, s"),
        (moves(Move("say", "Say", ("speak",), "x")), "two moves of one id: say, point, pass, say"),
        (moves(Move("other", "Other", ("other",), "xy")), "move other lacks a hotkey"),
        (moves(Move("other", "", ("other",), "x")), "move other lacks a hotkey, a label"),
        (moves(Move("other", "Other", ("pass",), "x")),
         "what is written for other is read as another answer: 'pass'"),
        (moves(Move("other", "Other", ("other",), "x", disabled="not now")),
         "Say: move other is disabled, but why_not says otherwise: None"),
        (moves(Move("other", "Other", ("other {number}",), "x", NUMBER, hint="other 7")),
         "Say: the hint of other is no move: number must be 1 to 6"),
        (moves(Move("other", "Other", ("other {number}",), "x", NUMBER, hint="say 2")),
         "Say: the hint of other is read as say"),
        (moves(Move("other", "Other", ("other {number}",), "x", NUMBER)),
         "Say: move other has fields and no hint: players are not shown how to write it"),
        (asks(why_not=lambda q, a, f: "too low" if a.args == (3,) else None),
         "Say: the hint of say is not legal: too low"),
        ({"bots": (Bot("b", "B", broken),)}, "bot b breaks: KeyError: 'lost'"),
        ({"bots": (Bot("b", "B", lambda *_: Answer("resign")),)}, "no move is called 'resign'"),
        (by_bots(lambda question, pick: random.randrange(6)), SAME_AGAIN),
        (by_bots(lambda question, pick: next(CALLS) % 6), SAME_AGAIN),
        (by_bots(lambda question, pick: time.perf_counter_ns() % 6), SAME_AGAIN),
        (by_bots(lambda question, pick: id(question) // 16 % 6), SAME_AGAIN),
        ({"recap": broken}, "recap() breaks: KeyError: 'lost'"),
        ({"recap": lambda *_: None}, "recap() returns NoneType and no Recap"),
        (recaps(facts=(("a", "b"),) * 5), "recap() tells more than 4 facts"),
        (recaps(facts=(("a", ""),)), "a fact of recap() says nothing"),
        (recaps(unit="lives", rounds={"Ana": (1,)}), "rounds are not those of every seat"),
        (recaps(rounds=dict.fromkeys(NAMES, (1,))), "the unit of recap() says nothing"),
        ({"view": remembers}, "drawing a view changes what is seen"),
        ({"view": shows_secret, **asks(why_not=leaks_to_all)}, "can tell hidden faces apart: "),
    ],
)  # fmt: skip
def test_check_finds(wrong: dict[str, Any], finding: str) -> None:
    findings = check_game(replace(GOOD, **wrong), games=12)
    assert any(finding in line for line in findings), findings
    assert all(line.isprintable() for line in findings)
    assert len(set(findings)) == len(findings)


@pytest.mark.parametrize(
    ("wrong", "findings"),
    [
        ({"public": lambda state: {"x": [len(state.said) / 3]}},
         ["public(state) holds a float in x"]),
        ({"describe": lambda event, seat: f"{event['kind']}\n{seat}"},
         ["describe('said') holds a character that is not for showing: '\\n'",
          "describe('shown') holds a character that is not for showing: '\\n'"]),
        (asks(why_not=lambda q, a, f: f"not by {q.seat}" if a.args == (3,) else None),
         ["Say: the hint of say is not legal: not by Ana"]),
        (asks(late=lambda q, f: Answer("say", (6 + len(q.others),))),
         ["Say: what is written for say cannot be read: 'say 7', because number must be 1 to 6 "
          "(you typed 7)"]),
        ({"play": broken},
         [f"the game breaks: {BROKEN}: with 2 seats and {{}}"]),
    ],
)  # fmt: skip
def test_check_says_a_thing_once_with_its_first_example(
    wrong: dict[str, Any], findings: list[str]
) -> None:
    assert check_game(replace(GOOD, **wrong), games=6) == findings


@pytest.mark.parametrize("disabled", [None, "not today"])
def test_move_that_is_never_legal_needs_no_hint(disabled: str | None) -> None:
    move = Move("other", "Other", ("other {number}",), "x", NUMBER, disabled=disabled)
    questions = asks(
        moves=lambda q, faces=NO_FACES: (*Say.moves(q, faces), move),
        why_not=lambda q, a, f: "not today" if a.move == "other" else None,
    )
    assert check_game(replace(GOOD, **questions), games=6) == []


def test_check_finds_a_game_without_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(seats: tuple[Seat, ...], options: Any) -> Script[Outcome]:
        state = State()
        yield Mark(state)
        while True:
            yield Ask(seats[0], Say(seats[0], seats, state))

    assert MOST_ANSWERS > 10_000
    monkeypatch.setattr("sobremesa.plugins.check.kit.MOST_ANSWERS", 20)
    assert check_game(replace(GOOD, play=play), games=1) == [
        "after 20 answers the game is not over"
    ]


# The command

SMALL = """
from sobremesa_morra import GAME as MORRA
GAME = replace(MORRA, id="small", title="Small", seats=range(2, 4))
@hookimpl
def sobremesa_games():
    return (GAME,)
"""


def check(folder: Path, source: str, *more: str) -> subprocess.CompletedProcess[str]:
    """Check a game that is installed beside the example."""
    packages = install(install_example(folder / "packages"), "small", source)
    return subprocess.run(
        (*SOBREMESA, "games", "--check", "small", *more),
        env=environment(folder, PYTHONPATH=f"{ROOT}:{packages}"),
        capture_output=True,
        text=True,
    )


def test_command_checks_an_installed_game_in_two_processes(tmp_path: Path) -> None:
    ran = check(tmp_path, SMALL)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == ("Small: 20 random games, then again elsewhere: nothing is wrong.\n")


DIFFERENT = "another process plays the same game differently: is there a clock"


@pytest.mark.parametrize(
    "words",
    ["' '.join(set(DUDO.about.split()))", "time.strftime('%H')", "str(random.random())"],
    ids=["the order of a set", "the hour", "chance of its own"],
)
def test_command_finds_what_differs_between_machines(tmp_path: Path, words: str) -> None:
    hasty = f"import random, time\nWORDS = {words}\n" + SMALL.replace(
        "range(2, 4)", "range(2, 4), describe=lambda event, seat: WORDS"
    )
    ran = check(tmp_path, hasty, "--json")
    assert (ran.returncode, ran.stderr) == (1, "")
    (finding,) = json.loads(ran.stdout)["findings"]
    assert finding.startswith(DIFFERENT)


def test_command_says_when_the_other_process_broke(tmp_path: Path) -> None:
    source = SMALL + "import os\nif os.environ['PYTHONHASHSEED'] != '1':\n    raise KeyError\n"
    ran = check(tmp_path, source)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("sobremesa: the check broke in the other process: ")
    assert ran.stderr.count("\n") == 1
