"""The card games on a LAN of namespaces: nobody deals, and everybody ends with the same record.

The longer games are in tests/campaigns/lan_cards.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from support.processes.lan_games import lan_game, started

pytestmark = [pytest.mark.lan, pytest.mark.timeout(300)]


@pytest.mark.parametrize(
    ("game", "hosts", "options"),
    [
        ("intriga", 5, {}),
        ("five-alive", 4, {"teams": "on"}),
        ("house-of-jokers", 4, {}),
    ],
)
def test_a_card_game_ends_the_same_on_every_host(
    game: str, hosts: int, options: dict[str, str], tmp_path: Path
) -> None:
    with lan_game(hosts, tmp_path, game=game, options=options) as table:
        outcome = started(table, hosts).finish(240)
        assert outcome.right, outcome
        assert outcome.banners == 0
        assert outcome.notices == ()


@pytest.mark.parametrize("game", ["cinco-vidas", "house-of-jokers", "intriga"])
def test_people_who_type_and_a_bot_play_cards_on_two_machines(game: str, tmp_path: Path) -> None:
    with lan_game(2, tmp_path, game=game, thinking=0) as table:
        table.host(3, "--bots", "1")
        table.join("h2")
        outcome = table.finish(240)
        assert outcome.right, outcome
