"""The help pages of every built-in game can be read anywhere: terminals, screen readers."""

from __future__ import annotations

import pytest

from sobremesa.plugins.loader import load_games

GAMES = load_games([]).games


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("page", ["rules", "tips", "faq"])
def test_page_fits_a_terminal_and_a_screen_reader(game: str, page: str) -> None:
    text = getattr(GAMES[game].help, page)
    assert text.startswith(f"# {GAMES[game].title}")
    assert text.isascii()
    for line in text.splitlines():
        assert len(line) <= 78
        assert not line.startswith((" - ", "|", "*", ">", "```"))
