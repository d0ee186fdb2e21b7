"""Scenario files: a game with known chance and given moves, played on the open table.

Rule 1: values in, values out; who reads the file, prints and exits is the command.
Rule 2: whatever is wrong with a file is one line that says where (`UnusableScenario`). A move
that the game refuses is no fault of the file: play stops there and the output says why.
Rule 3: what the file leaves open is made up from its seed, the same on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from .encoding import below, blocks
from .errors import BadOption, IllegalAnswer, InvalidAnswer, LocalError
from .game import Game, OptionValue
from .open_table import OpenTable
from .parts import own_code
from .pieces import Face, Faces, Seat
from .questions import Move, Question

MOST_MOVES = 100
"""A longer list of legal moves is cut."""

MOST_NAME = 100
"""Letters of a name."""

HIDDEN = "??"

_KEYS = ("game", "seats", "options", "seed", "tosses", "rolls", "decks", "moves", "expect")


class UnusableScenario(LocalError):
    """The scenario file cannot be played."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario file that was read and found to be in order."""

    game: Game[Any]
    seats: tuple[Seat, ...]
    options: Mapping[str, OptionValue]
    seed: int
    tosses: Mapping[str, int]
    rolls: Sequence[Mapping[Seat, Sequence[Face]]]
    decks: Sequence[Sequence[str]]
    moves: tuple[str, ...]
    expect: dict[str, Any] | None


class GivenChance:
    """Chance as a scenario gives it; what is missing comes from its seed."""

    def __init__(self, scenario: Scenario) -> None:
        self._given = scenario
        self._rolls = 0
        self._decks = 0
        self.tossed: list[str] = []
        """The labels of all tosses so far."""

    def toss(self, n: int, label: str) -> int:
        """:raises UnusableScenario: if the file gives a number that cannot come up"""
        self.tossed.append(label)
        value = self._given.tosses.get(label)
        if value is None:
            return below(n, self._stream("toss", label, len(self.tossed)))
        if not 0 <= value < n:
            raise UnusableScenario(f"tosses.{label} must be 0 to {n - 1} (it is {value})")
        return value

    def roll(self, dice: Mapping[Seat, int], sides: int) -> Mapping[Seat, tuple[Face, ...]]:
        """:raises UnusableScenario: if the file gives dice that cannot come up"""
        number, rolls = self._rolls, self._given.rolls
        self._rolls += 1
        given = rolls[number] if number < len(rolls) else {}
        for seat in given:
            if seat not in dice:
                raise UnusableScenario(f"rolls[{number}]: {seat} has no dice in this roll")
        return {
            seat: self._checked(f"rolls[{number}].{seat}", given[seat], count, sides)
            if seat in given
            else self._made_up(seat, number, count, sides)
            for seat, count in dice.items()
        }

    def shuffle(self, faces: Sequence[Face]) -> Sequence[Face]:
        """The next deck: as given, what is left out of it following in the order it came in.

        :raises UnusableScenario: if the file gives a card that is not in the deck
        """
        number, decks = self._decks, self._given.decks
        self._decks += 1
        rest = list(faces)
        if number >= len(decks):
            stream = self._stream("deck", "", number)
            return [rest.pop(below(len(rest), stream)) for _ in faces]
        for face in decks[number]:
            if face not in rest:
                raise UnusableScenario(f"decks[{number}]: there is no {face} left in this deck")
            rest.remove(face)
        return [*decks[number], *rest]

    @staticmethod
    def _checked(place: str, dice: Sequence[Face], count: int, sides: int) -> tuple[Face, ...]:
        if len(dice) != count:
            raise UnusableScenario(f"{place} must have {count} dice (it has {len(dice)})")
        for face in dice:
            if not isinstance(face, int) or not 1 <= face <= sides:
                raise UnusableScenario(f"{place}: a die shows 1 to {sides} (not {face})")
        return tuple(dice)

    def _made_up(self, seat: Seat, number: int, count: int, sides: int) -> tuple[Face, ...]:
        stream = self._stream("roll", seat, number)
        return tuple(below(sides, stream) + 1 for _ in range(count))

    def _stream(self, kind: str, name: str, number: int) -> Iterator[int]:
        return blocks(b"scenario", self._given.seed, kind, name, number)


# Reading.


def read_scenario(data: object, find_game: Callable[[str], Game[Any]]) -> Scenario:
    """Check a scenario as it came out of its JSON file.

    `find_game` gives the game of a name and raises a `LocalError` if there is none.

    :raises UnusableScenario: with the place and the reason, if it cannot be played
    """
    if not isinstance(data, dict):
        raise UnusableScenario("a scenario is one JSON object")
    for key in data:
        if key not in _KEYS:
            raise UnusableScenario(f"unknown key {_shown(key)} (known: {', '.join(_KEYS)})")
    for key in ("game", "seats"):
        if key not in data:
            raise UnusableScenario(f"the key {key!r} is missing")
    game = _game(data["game"], find_game)
    seats = _seats(data["seats"], game)
    return Scenario(
        game,
        seats,
        options=_options(data.get("options", {}), game),
        seed=_seed(data.get("seed", 0)),
        tosses=_tosses(data.get("tosses", {})),
        rolls=_rolls(data.get("rolls", []), seats),
        decks=_decks(data.get("decks", [])),
        moves=_moves(data.get("moves", []), seats),
        expect=_expect(data.get("expect")),
    )


def _game(name: object, find_game: Callable[[str], Game[Any]]) -> Game[Any]:
    if not isinstance(name, str) or len(name) > MOST_NAME:
        raise UnusableScenario("game must be the name of a game")
    try:
        return find_game(name)
    except LocalError as error:
        raise UnusableScenario(f"game: {error}") from error


def _seats(names: object, game: Game[Any]) -> tuple[Seat, ...]:
    if not _is_list(names) or not all(_is_name(name) for name in names):
        raise UnusableScenario(
            f"seats must be a list of names, 1 to {MOST_NAME} letters, no blanks at their ends"
        )
    if len(set(names)) != len(names):
        raise UnusableScenario("seats must have different names")
    if len(names) not in game.seats:
        least, most = game.seats[0], game.seats[-1]
        raise UnusableScenario(
            f"seats: {game.title} is for {least} to {most} players (these are {len(names)})"
        )
    return tuple(names)


def _options(given: object, game: Game[Any]) -> dict[str, OptionValue]:
    if not isinstance(given, dict) or not all(_is_int(v) or _is_text(v) for v in given.values()):
        raise UnusableScenario("options must be an object of texts and whole numbers")
    try:
        return game.read_options({key: str(value) for key, value in given.items()})
    except BadOption as error:
        raise UnusableScenario(f"options: {error}") from error


def _seed(seed: object) -> int:
    if not _is_int(seed) or not 0 <= seed < 1 << 64:
        raise UnusableScenario("seed must be a whole number, not negative and below 2^64")
    return seed


def _tosses(tosses: object) -> dict[str, int]:
    if not isinstance(tosses, dict) or not all(_is_int(value) for value in tosses.values()):
        raise UnusableScenario("tosses must be an object of whole numbers by label")
    return tosses


def _rolls(rolls: object, seats: tuple[Seat, ...]) -> list[dict[Seat, list[Face]]]:
    if not _is_list(rolls):
        raise UnusableScenario("rolls must be a list, one object of dice by name for each roll")
    for place, roll in enumerate(rolls):
        if not isinstance(roll, dict):
            raise UnusableScenario(f"rolls[{place}] must be an object of dice by name")
        for seat, dice in roll.items():
            if seat not in seats:
                raise UnusableScenario(f"rolls[{place}]: nobody here is called {_shown(seat)}")
            if not _is_list(dice) or not dice or not all(_is_int(die) for die in dice):
                raise UnusableScenario(f"rolls[{place}].{seat} must be a list of faces")
    return rolls


def _decks(decks: object) -> list[list[str]]:
    if not _is_list(decks) or not all(
        _is_list(deck) and all(_is_text(face) for face in deck) for deck in decks
    ):
        raise UnusableScenario("decks must be a list of decks, each a list of faces, top first")
    return decks


def _moves(moves: object, seats: tuple[Seat, ...]) -> tuple[str, ...]:
    if not _is_list(moves):
        raise UnusableScenario("moves must be a list of texts, each NAME NOTATION")
    for place, move in enumerate(moves):
        if not _is_text(move) or _split(move, seats) is None:
            raise UnusableScenario(
                f"moves[{place}] must be NAME NOTATION with one of the names "
                f"{', '.join(seats)} (it is {_shown(move)})"
            )
    return tuple(moves)


def _expect(expect: object) -> dict[str, Any] | None:
    if expect is None or isinstance(expect, dict):
        return expect
    raise UnusableScenario("expect must be an object, a part of the output")


def _split(move: str, seats: tuple[Seat, ...]) -> tuple[Seat, str] | None:
    """Whose move it is, and the move. A name may have blanks, so the longest that fits counts."""
    for seat in sorted(seats, key=len, reverse=True):
        if move.startswith(seat + " ") and move[len(seat) :].strip():
            return seat, move[len(seat) :].strip()
    return None


def _is_list(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def _is_text(value: object) -> TypeGuard[str]:
    return isinstance(value, str)


def _is_int(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_name(value: object) -> TypeGuard[str]:
    if not isinstance(value, str) or not 1 <= len(value) <= MOST_NAME:
        return False
    return value.isprintable() and value == value.strip()


# Playing.


def play_scenario(scenario: Scenario) -> dict[str, Any]:
    """Play the moves and say where the game stands: what `sobremesa scenario` prints.

    :raises UnusableScenario: if the chance that the file gives does not fit the game
    """
    chance = GivenChance(scenario)
    table = OpenTable(scenario.game, scenario.seats, scenario.options, chance)
    refused = None
    for index, move in enumerate(scenario.moves):
        why = _play_move(table, move)
        if why is not None:
            refused = {"index": index, "move": move, "why": why}
            break
    if refused is None:
        _no_stray_tosses(scenario, chance)
    outcome = table.outcome
    with own_code(scenario.game.title, "public state"):
        public = scenario.game.public(table.run.state)
    output = {
        "to_move": [_to_move(table, seat, question) for seat, question in table.asked.items()],
        "public": public,
        "sees": {seat: _sees(table, seat) for seat in table.seats},
        "events": table.events,
        "result": outcome
        and {"places": [list(place) for place in outcome.places], "reason": outcome.reason},
        "refused": refused,
    }
    plain: dict[str, Any] = json.loads(json.dumps(output))  # tuples become lists, as in the file
    return plain


def _play_move(table: OpenTable, move: str) -> str | None:
    """Play one move; why it was refused, or None."""
    split = _split(move, table.seats)
    assert split is not None
    seat, notation = split
    if table.outcome is not None:
        return "the game is over"
    question = table.asked.get(seat)
    if question is None:
        return f"it is not {seat}'s turn"
    try:
        table.answer(seat, question.read(notation, table.faces(seat)))
    except (InvalidAnswer, IllegalAnswer) as error:
        return str(error)
    return None


def _no_stray_tosses(scenario: Scenario, chance: GivenChance) -> None:
    """A label that is never asked for is most likely misspelt."""
    for label in scenario.tosses:
        if label not in chance.tossed:
            asked = ", ".join(sorted(set(chance.tossed))) or "nothing"
            raise UnusableScenario(f"tosses: no toss is called {_shown(label)} (there is: {asked})")


def _to_move(table: OpenTable, seat: Seat, question: Question) -> dict[str, Any]:
    moves: list[str] = []
    entry: dict[str, Any] = {"seat": seat, "moves": moves}
    faces = table.faces(seat)
    for answer in question.answers(faces):
        if len(moves) == MOST_MOVES:
            entry["more"] = True
            break
        notation = question.write(answer, faces)
        if notation not in moves:  # two cards of one face are one move to a person
            moves.append(notation)
    entry["forms"] = [_form(move, faces) for move in question.moves(faces)]
    return entry


def _form(move: Move, faces: Faces) -> dict[str, Any]:
    """A move as somebody would fill it in: how it is written, and what may stand in each place."""
    return {
        "move": move.id,
        "notation": move.notation[0],
        "fields": {field.name: field.shown(faces) for field in move.fields},
        "disabled": move.disabled,
    }


def _sees(table: OpenTable, seat: Seat) -> dict[Seat, list[Face | str]]:
    """What a seat sees of the dice and cards before each seat."""
    faces = table.faces(seat)
    before = table.game.pieces(table.run.state) if table.run.state is not None else {}
    return {
        other: [HIDDEN if p is None else faces.get(p, HIDDEN) for p in before.get(other, ())]
        for other in table.seats
    }


# Comparing.

_IN_ORDER = ("events", "moves", "forms")
"""Lists of which an expectation may name some elements, in order; others are compared whole."""


def differences(expect: object, output: object, path: str = "") -> list[str]:
    """Where the output is not as expected, two lines each: `- place: expected`, `+ place: found`.

    Of an object only the expected keys are compared; of the lists `events`, `moves` and `forms`
    the expected elements must come in that order, with others between them.
    """
    if isinstance(expect, dict) and isinstance(output, dict):
        lines = []
        for key, wanted in expect.items():
            place = f"{path}.{key}" if path else key
            if key in output:
                lines += differences(wanted, output[key], place)
            else:
                lines += [f"- {place}: {_shown(wanted)}", f"+ {place}: (no such key)"]
        return lines
    if isinstance(expect, list) and isinstance(output, list):
        if path.rpartition(".")[2] in _IN_ORDER:
            return _differences_in_order(expect, output, path)
        if len(expect) == len(output):
            return [
                line
                for place, (wanted, found) in enumerate(zip(expect, output, strict=True))
                for line in differences(wanted, found, f"{path}[{place}]")
            ]
    if type(expect) is type(output) and expect == output:
        return []
    return [f"- {path}: {_shown(expect)}", f"+ {path}: {_shown(output)}"]


def _differences_in_order(expect: list[Any], output: list[Any], path: str) -> list[str]:
    rest = iter(output)
    for place, wanted in enumerate(expect):
        if not any(not differences(wanted, found) for found in rest):
            where = "in it" if place == 0 else "after the one before"
            return [
                f"- {path}[{place}]: {_shown(wanted)}",
                f"+ {path}: (nothing like that {where})",
            ]
    return []


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 200 else text[:197] + "..."


def exit_status(scenario: Scenario, output: Mapping[str, Any], unexpected: Sequence[str]) -> int:
    """0 if all is well, 1 if an expectation failed, 3 if a refused move was not expected.

    `unexpected` are the `differences` between what the scenario expects and the output.
    """
    if unexpected:
        return 1
    foreseen = scenario.expect is not None and scenario.expect.get("refused") is not None
    return 3 if output["refused"] is not None and not foreseen else 0
