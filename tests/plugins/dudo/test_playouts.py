"""Properties of whole games, for any number of seats, options and chance."""

from __future__ import annotations

from support.games.playouts import Whole, whole_games

from sobremesa.core.open_table import OpenTable
from sobremesa.core.requests import Event
from sobremesa.plugins.dudo import GAME


@whole_games(GAME, 30)
def test_game_ends_and_ranks_every_seat_once(whole: Whole) -> None:
    table = whole.play()
    assert table.outcome is not None
    assert sorted(table.outcome.places) == [(name,) for name in whole.names]
    outs = [event["seat"] for event in table.events if event["kind"] == "out"]
    assert [place[0] for place in table.outcome.places[:0:-1]] == outs


@whole_games(GAME, 30)
def test_dice_change_by_one_a_round_and_only_as_told(whole: Whole) -> None:
    told = dict.fromkeys(whole.names, int(whole.options["dice"]))

    def each(table: OpenTable) -> None:
        state = table.run.state
        assert state.dice == told
        assert {seat: len(cup) for seat, cup in state.cups.items()} == {
            seat: count for seat, count in told.items() if count
        }

    def watch(event: Event) -> None:
        if event["kind"] in ("loss", "gain"):
            told[event["seat"]] += 1 if event["kind"] == "gain" else -1
            assert told[event["seat"]] == event["left"] <= int(whole.options["dice"])

    table = whole.play(each, watch)
    kinds = [event["kind"] for event in table.events]
    assert kinds.count("reveal") == sum(map(kinds.count, ("loss", "gain", "full")))


@whole_games(GAME, 30)
def test_palificos_are_one_a_player_and_none_between_two(whole: Whole) -> None:
    table = whole.play()
    rounds = [event for event in table.events if event["kind"] == "round"]
    palificos = [event for event in rounds if event["palifico"]]
    openers = [event["opener"] for event in palificos]
    assert len(set(openers)) == len(openers)
    assert all(event["dice"][event["opener"]] == 1 for event in palificos)
    assert all(len(event["dice"]) > 2 for event in palificos)
    assert whole.options["palifico"] == "on" or not palificos
