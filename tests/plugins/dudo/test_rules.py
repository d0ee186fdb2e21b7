"""The rules that a scenario file cannot show: leaving, being late, what rests and what returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest
from support.games.dealt import kinds, play
from support.games.playouts import NAMES
from support.games.rigged import rigged

from sobremesa.core.game import Outcome
from sobremesa.core.open_table import FairChance, OpenTable
from sobremesa.core.pieces import Die, Face, Seat
from sobremesa.core.requests import Event
from sobremesa.plugins.dudo import GAME


class Given(FairChance):
    """The first seat opens and every die shows a two, unless a roll is given."""

    def __init__(self, *rolls: Mapping[Seat, tuple[Face, ...]]) -> None:
        super().__init__(lambda n: 0)
        self._rolls = list(rolls)

    def roll(self, dice: Mapping[Seat, int], sides: int) -> Mapping[Seat, tuple[Face, ...]]:
        return self._rolls.pop(0) if self._rolls else {s: (2,) * n for s, n in dice.items()}


def sit(
    seats: int,
    gone: Sequence[Seat] = (),
    chance: Given | None = None,
    dice: str = "3",
    on_event: Callable[[Event], None] | None = None,
) -> OpenTable:
    game = rigged(GAME, gone)
    options = game.read_options({"dice": dice})
    return OpenTable(game, NAMES[:seats], options, chance or Given(), on_event)


@pytest.mark.rule("LD-R20")
@pytest.mark.rule("O27")
def test_leaver_gets_no_turn() -> None:
    gone: list[Seat] = []
    table = sit(3, gone)
    gone.append("Bea")
    play(table, "Ana 1x2")
    assert list(table.asked) == ["Cai"]
    assert GAME.public(table.run.state)["turn"] == "Cai"


def test_leaver_loses_all_dice_when_the_round_ends_and_not_before() -> None:
    gone: list[Seat] = []
    table = sit(3, gone)
    gone.append("Bea")
    play(table, "Ana 1x2")
    assert table.run.state.dice == {"Ana": 3, "Bea": 3, "Cai": 3}
    play(table, "Cai 1x6", "Ana dudo")
    assert table.run.state.dice == {"Ana": 3, "Bea": 0, "Cai": 2}
    assert {"kind": "left", "seat": "Bea", "lost": 3} in table.events
    assert {"kind": "out", "seat": "Bea", "place": 3} in table.events


def test_cup_of_a_leaver_stays_covered_and_counts_for_nothing() -> None:
    gone: list[Seat] = []
    table = sit(3, gone)
    gone.append("Bea")
    play(table, "Ana 9x2", "Cai dudo")
    (reveal,) = (event for event in table.events if event["kind"] == "reveal")
    assert reveal["faces"] == {"Ana": [2, 2, 2], "Cai": [2, 2, 2]}
    assert reveal["count"] == 6
    assert not any(Die("Bea", 0, place) in table.faces(None) for place in range(3))


def test_next_player_opens_for_a_leaver() -> None:
    gone: list[Seat] = []
    table = sit(3, gone)
    play(table, "Ana 1x6")
    gone.append("Ana")
    play(table, "Bea dudo")
    assert table.run.state.dice == {"Ana": 0, "Bea": 3, "Cai": 3}
    assert table.run.state.opener == "Bea"
    assert list(table.asked) == ["Bea"]


def test_palifico_of_a_leaver_is_nobody_elses() -> None:
    gone: list[Seat] = []
    table = sit(4, gone)
    play(table, "Ana 1x6", "Bea dudo", "Ana 1x6")
    gone.append("Ana")
    play(table, "Bea dudo")
    state = table.run.state
    assert (state.dice["Ana"], state.opener, state.palifico) == (0, "Bea", False)


def test_one_who_has_left_before_the_first_roll_is_skipped_from_the_start() -> None:
    table = sit(3, ["Ana"])
    assert list(table.asked) == ["Bea"]


def test_game_ends_without_a_showdown_when_all_others_have_left() -> None:
    gone: list[Seat] = []
    table = sit(3, gone)
    gone.extend(("Bea", "Cai"))
    play(table, "Ana 1x2")
    assert table.outcome == Outcome((("Ana",), ("Bea", "Cai")), "Ana is the last with dice")
    assert "reveal" not in kinds(table)


def test_all_who_leave_in_one_round_share_a_place() -> None:
    gone: list[Seat] = []
    table = sit(4, gone)
    gone.extend(("Bea", "Cai"))
    play(table, "Ana 1x6", "Dan dudo")
    assert [e["place"] for e in table.events if e["kind"] == "out"] == [3, 3]
    play(table, "Ana 1x6", "Dan dudo", "Ana 1x6", "Dan dudo")
    assert table.outcome is not None
    assert table.outcome.places == (("Dan",), ("Ana",), ("Bea", "Cai"))


def test_loser_of_the_last_die_ranks_below_one_who_leaves_in_that_round() -> None:
    gone: list[Seat] = []
    table = sit(4, gone)
    play(table, "Ana 1x6", "Bea dudo", "Ana 1x6", "Bea dudo", "Ana 1x6")
    gone.append("Dan")
    play(table, "Bea dudo", "Bea 1x6", "Cai dudo", "Bea 1x6", "Cai dudo", "Bea 1x6", "Cai dudo")
    assert table.outcome is not None
    assert table.outcome.places == (("Cai",), ("Bea",), ("Dan",), ("Ana",))


def test_game_that_everybody_leaves_has_no_single_winner() -> None:
    gone: list[Seat] = []
    table = sit(2, gone)
    gone.extend(("Ana", "Bea"))
    play(table, "Ana 1x2")
    assert table.outcome == Outcome((("Ana", "Bea"),), "everybody has left")
    assert table.events[-1]["winners"] == []


@pytest.mark.rule("LD-R19")
def test_reveal_is_told_before_any_die_is_taken_and_clients_rest_at_it() -> None:
    dice_then: list[dict[Seat, int]] = []

    def watch(event: Event) -> None:
        if event["kind"] == "reveal":
            dice_then.append(dict(table.run.state.dice))

    table = sit(2, on_event=watch)
    play(table, "Ana 1x6", "Bea dudo")
    assert dice_then == [{"Ana": 3, "Bea": 3}]
    assert GAME.pauses == ("reveal",)
    assert kinds(table)[-4:] == ["doubt", "reveal", "loss", "round"]


def test_state_holds_no_face_until_the_cups_are_lifted() -> None:
    rolls = {"Ana": (3, 3, 1), "Bea": (4, 4, 1)}
    table = sit(2, chance=Given(rolls))
    before = repr(table.run.state)
    other = sit(2, chance=Given({"Ana": (6, 5, 2), "Bea": (2, 2, 3)}))
    assert before == repr(other.run.state)
    assert table.run.state.showdown is None
