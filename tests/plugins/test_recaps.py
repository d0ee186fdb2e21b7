"""Games in short: every fact by a game whose dice, cards and moves are known."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from support.clients.sessions import FOUR, DudoSession, FixedChance, OpenSession, intrigue_table

from sobremesa.core.game import Game
from sobremesa.core.recap import Recap
from sobremesa.core.requests import Event
from sobremesa.core.scenario import GivenChance, read_scenario
from sobremesa.plugins import cinco_vidas, dudo, five_alive, house_of_jokers, intriga
from sobremesa.plugins.loader import load_games

SCENARIOS = Path(__file__).parents[1] / "scenarios"


def filed(game: Game[Any], name: str) -> tuple[OpenSession, list[str]]:
    """A scenario that was played, and its moves."""
    given = json.loads((SCENARIOS / game.id.replace("-", "_") / f"{name}.json").read_text("utf-8"))
    read = read_scenario(given, lambda _: game)
    options = {key: str(value) for key, value in read.options.items()}
    session = OpenSession(game, read.seats[0], read.seats, GivenChance(read), options)
    return session.play(*(move.replace(" ", ": ", 1) for move in read.moves)), list(read.moves)


def recap(session: OpenSession, seat: str | None = None) -> Recap:
    game = session.game
    assert game.recap is not None
    return game.recap(session.seats, session.table.events, seat)


def facts(session: OpenSession, seat: str | None = None) -> dict[str, str]:
    return dict(recap(session, seat).facts)


def test_dudo_tells_who_was_right_and_the_highest_bid() -> None:
    dice = {"Ana": (3, 3, 1), "Bea": (3, 1, 2)}
    session = DudoSession("Ana", ("Ana", "Bea"), FixedChance(0, *[dice] * 4), {"dice": "3"})
    # Five threes with ones: the bid stands, and Bea loses a die.
    session.play("Ana: 5x3", "Bea: dudo")
    assert facts(session, "Ana") == {
        "Right to doubt": "Bea 0 of 1",
        "Bids that stood": "you 1 of 1",
        "Most dice bid": "you, 5 threes",
    }
    # Bea opens; of five threes and ones Ana calls four exact, wrongly, then five, rightly.
    session.play("Bea: 4x3", "Ana: exact")
    session.play("Ana: 4x3", "Bea: exact")
    assert facts(session)["Right to call exact"] == "Bea 1 of 1, Ana 0 of 1"
    assert facts(session)["Bids that stood"] == "Ana 2 of 2, Bea 1 of 1"
    # After each round: Bea down to 2, Ana down to 2, Bea back to 3.
    assert recap(session).unit == "dice"
    assert recap(session).rounds == {"Ana": (3, 2, 2, 2), "Bea": (2, 2, 3, 3)}


def test_cinco_vidas_tells_exact_rounds_the_longest_run_and_the_dearest_round() -> None:
    session, _ = filed(cinco_vidas.GAME, "edge-07-two-over-and-two-under-cost-the-same")
    assert facts(session, "Cai") == {
        "Rounds exact": "Ana 0 of 1, Bea 0 of 1, you 0 of 1",
        "Dearest round": "2 lives, Ana and Bea",
        "Tricks": "Bea 3, Ana 1, you 1",
    }
    assert recap(session).rounds == {"Ana": (3, 3), "Bea": (3, 3), "Cai": (4, 4)}


def test_cinco_vidas_counts_a_run_of_exact_rounds_and_who_comes_back() -> None:
    session, _ = filed(cinco_vidas.GAME, "CV-R17-replay-brings-back-who-fell-in-this-round")
    assert recap(session).rounds["Cai"][0] == 0
    assert recap(session).rounds["Ana"][1:] == (1, 1)
    assert "Longest exact run" not in facts(session)
    events = [
        {"kind": "round_over", "lost": {"Ana": lost, "Bea": 1}, "won": {"Ana": 1, "Bea": 0}}
        for lost in (0, 0, 2, 0)
    ]
    told = dict(cinco_vidas.GAME.recap(("Ana", "Bea"), events, "Ana").facts)  # type: ignore[misc]
    assert told["Longest exact run"] == "2 rounds, you"
    assert told["Rounds exact"] == "you 3 of 4, Bea 0 of 4"
    assert told["Dearest round"] == "2 lives, you"


def test_five_alive_tells_busts_bombs_and_hits() -> None:
    session, _ = filed(five_alive.GAME, "FA-R12-fifth-flip-by-a-bomb-is-out-too")
    assert facts(session, "Bea") == {
        "Bust": "Ana 4",
        "BOMBs thrown": "you 1",
        "Hit 21": "you 4",
    }
    assert recap(session).rounds == {"Ana": (0,), "Bea": (5,), "Cai": (5,)}


def test_five_alive_tells_who_ended_a_hand() -> None:
    session, _ = filed(five_alive.GAME, "FA-R11-a-hand-emptied-by-the-bomb-ends-the-hand")
    assert facts(session) == {"BOMBs thrown": "Ana 1", "Hands ended": "Bea 1"}
    assert recap(session).rounds["Ana"][0] == 4


def test_house_of_jokers_tells_what_everybody_did() -> None:
    session, moves = filed(house_of_jokers.GAME, "HJ-R21-all-win-together")
    did = Counter(tuple(move.split()[:2]) for move in moves)
    told = facts(session, "Cai")
    placed = dict(part.rsplit(" ", 1) for part in told["Cards placed"].split(", "))
    assert sum(map(int, placed.values())) == 52 - 4, "the sevens lie there"
    assert int(placed["Ana"]) == did["Ana", "play"]
    assert int(placed["you"]) == did["Cai", "play"]
    jokers = dict(part.rsplit(" ", 1) for part in told["Jokers moved"].split(", "))
    assert int(jokers["Dan"]) == did["Dan", "joker"]
    assert told["Turned face down"] == "Dan 1"
    assert told["From face down"] == "Dan 5"


def test_intriga_tells_doubts_lies_and_what_was_stolen() -> None:
    session = intrigue_table().play("Bento: pass", "Cai: liar", "Dora: pass", "lose lady")
    assert facts(session, "Cai") == {
        "Right to doubt": "you 0 of 1",
        "Caught lying": "Ana 0 of 1 claims",
    }
    session.play("Bento: steal Dora", "Ana: pass", "Cai: pass", "Dora: pass", "Dora: pass")
    session.play("Cai: tax", "Ana: pass", "Bento: pass", "Dora: liar")
    if "Cai" in session.table.asked:
        session.play("Cai: concede")
    assert facts(session, "Dora") == {
        "Right to doubt": "you 1 of 1, Cai 0 of 1",
        "Caught lying": "Cai 1 of 1, Ana 0 of 1, Bento 0 of 1 claims",
        "Coins stolen": "Bento 2",
    }
    assert recap(session).rounds == {
        "Ana": (2, 2),
        "Bento": (2, 2),
        "Cai": (1, 0),
        "Dora": (2, 2),
    }


def test_intriga_counts_coups_and_blocks_as_what_they_are() -> None:
    events: list[Event] = [
        {"kind": "action", "seat": "Ana", "action": "coup", "role": None, "target": "Bento"},
        {"kind": "block", "seat": "Bento", "role": "lady"},
    ]
    assert intriga.GAME.recap is not None
    told = intriga.GAME.recap(FOUR, events, None).facts
    assert told == (("Caught lying", "Bento 0 of 1 claims"), ("Coups", "Ana 1"))


@pytest.mark.parametrize("game", load_games([]).games.values(), ids=load_games([]).games)
def test_nothing_is_told_of_a_game_in_which_nothing_happened(game: Game[Any]) -> None:
    assert game.recap is not None
    assert game.recap(("Ana", "Bea", "Cai"), [], None).facts == ()


def test_dudo_is_told_by_its_scenario_of_an_exact_call() -> None:
    session, _ = filed(dudo.GAME, "LD-R11-exact-wins-a-die-back")
    assert facts(session)["Right to call exact"] == "Bea 1 of 1"
    assert facts(session)["Right to doubt"] == "Bea 0 of 1"
    assert facts(session)["Most dice bid"] == "Bea, 9 twos"
