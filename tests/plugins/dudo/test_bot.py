"""The computer player: what it knows, and that it is worth playing against."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from campaigns import dudo_bot
from support.games.playouts import NAMES

from sobremesa.core.game import Observation
from sobremesa.core.pieces import Die, Faces
from sobremesa.core.questions import Answer
from sobremesa.plugins.dudo import GAME
from sobremesa.plugins.dudo.questions import BID, DUDO, EXACT, Turn
from sobremesa.plugins.dudo.state import Bid, State

BOT = GAME.bots[0]


def never_bluffs(n: int) -> int:
    return n - 1


def asked(
    own: tuple[int, ...],
    bids: tuple[tuple[str, Bid], ...] = (),
    others: int = 15,
    cap: int = 5,
    pick: Callable[[int], int] = never_bluffs,
) -> Answer:
    """What the bot in Ana's seat answers, with Bea holding all the other dice."""
    cup = tuple(Die("Ana", 0, place) for place in range(len(own)))
    state = State(
        NAMES[:3], cap, True, "Ana", {"Ana": len(own), "Bea": others, "Cai": 0}, bids=list(bids)
    )
    question = Turn(len(own) + others, cup, bids[-1][1] if bids else None, palifico=False)
    faces: Faces = dict(zip(cup, own, strict=True))
    return BOT.choose(Observation("Ana", NAMES[:3], {}, state, faces, ()), question, pick)


def test_opens_with_the_highest_safe_count_of_its_best_face() -> None:
    # Three of its own, and of 15 hidden dice 4 or more with 79 %, 5 or more with 60 %.
    assert asked((3, 3, 3, 5, 6)) == Answer(BID, (7, 3))


def test_bluffs_now_and_then_on_another_face() -> None:
    opened = {asked((3, 3, 3, 5, 6), pick=random.Random(seed).randrange) for seed in range(80)}
    assert {answer.args[1] for answer in opened} == {2, 3, 4, 5, 6}


def test_doubts_what_can_hardly_be() -> None:
    assert asked((2, 2, 4, 4, 5), (("Bea", Bid(15, 3)),)) == Answer(DUDO)


def test_raises_what_is_likely() -> None:
    assert asked((3, 3, 3, 5, 6), (("Bea", Bid(5, 2)),)) == Answer(BID, (5, 3))


def test_doubts_sooner_when_few_dice_are_left() -> None:
    # The doubt is better by 22 % with three dice on the table, and by 17 % with twenty.
    assert asked((3,), (("Bea", Bid(2, 2)),), others=2) == Answer(DUDO)
    assert asked((2, 3, 4, 5, 6), (("Bea", Bid(7, 3)),), others=15) == Answer(BID, (7, 4))


def test_listens_to_who_bid_the_face_before() -> None:
    own = (3, 3, 4, 5, 6)
    assert asked(own, (("Bea", Bid(7, 3)),), others=12) == Answer(DUDO)
    both = (("Bea", Bid(6, 3)), ("Cai", Bid(7, 3)))
    assert asked(own, both, others=12) == Answer(BID, (8, 3))


def test_calls_exact_when_likely_and_only_with_a_die_to_win() -> None:
    bid = (("Bea", Bid(3, 2)),)
    assert asked((2, 2), bid, others=2) == Answer(EXACT)
    assert asked((2, 2), bid, others=2, cap=2) != Answer(EXACT)


def test_calls_when_nothing_higher_can_be_bid() -> None:
    assert asked((1, 1), (("Bea", Bid(3, 1)),), others=1, cap=2).move in (DUDO, EXACT)


def test_bot_beats_a_random_player_in_nine_games_of_ten() -> None:
    assert dudo_bot.win_rate(games=100) >= 0.9


def test_campaign_reports_the_rate_and_fails_below_the_mark(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert dudo_bot.main(["--games", "20"]) == 0
    assert "% of 20 games" in capsys.readouterr().out
    monkeypatch.setattr(dudo_bot, "WANTED", 1.01)
    assert dudo_bot.main(["--games", "20"]) == 1
